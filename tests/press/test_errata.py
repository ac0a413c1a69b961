import pytest
from support import ROOT

from ndcg_companion.chapter.registry import SOURCES, registry
from ndcg_companion.press.errata import KINDS, errata, errata_markdown
from ndcg_companion.press.project import Project


def test_every_statement_expected_to_be_contradicted_has_its_erratum_and_no_other():
    expected = {statement.id for statement in registry().values() if statement.expected == "contradicted"}
    assert {erratum.statement for erratum in errata()} - {""} == expected


@pytest.mark.parametrize("erratum", errata(), ids=lambda erratum: erratum.place)
def test_every_entry_is_whole_and_its_proof_stands(erratum):
    assert erratum.source in SOURCES and erratum.kind in KINDS
    assert erratum.printed.endswith(".") and erratum.correction.endswith(".")
    assert not erratum.statement or erratum.statement.startswith(f"{erratum.source}/")
    page, _, anchor = erratum.proof.partition("#")
    source = Project(ROOT).chapter(page).path.read_text(encoding="utf-8")
    assert f":label: {anchor}\\n" in source or f"({anchor})=\\n" in source


def test_evidence_comes_from_the_findings():
    case = {"claim": {"says": "the print"}, "control": {"says": "the correction"}}
    found = {"statement": "wang/lemma-34", "verdict": "contradicted", "basis": "sample", **case}
    found["control_rejected"] = True
    titles = {"when-limits-tie": "A title"}
    text = errata_markdown([found], titles)
    assert "✕ contradicted</a>, 1 check. Rejected: the print. Holds: the correction." in text
    assert (
        '<a href="when-limits-tie.html#wang-lemma-34">A title</a>' in text
        and "its page does not stand yet" in text
    )
    assert "Evidence" not in errata_markdown([], titles)
