import json
import re

from support import PROJECT

from claimbook.registry import KINDS
from claimbook.reports.errata import as_json, errata, errata_markdown
from ndcg_book import BOOK


def test_every_statement_that_is_refuted_has_its_erratum_and_its_kind_fits_its_reading():
    rows = BOOK.registry
    fallen = {statement.id for statement in rows.values() if statement.expected == "contradicted"}
    assert fallen <= {erratum.statement for erratum in errata(BOOK)}
    for erratum in errata(BOOK):
        if erratum.kind.startswith("false") and erratum.statement:
            assert erratum.statement in fallen
            assert erratum.kind.removeprefix("false ") == rows[erratum.statement].reading


# What sums theorems up, and is none.
_SUMMARY = re.compile(r"abstract|introduction|section 1\.1|main results", re.I)


def test_what_its_source_tells_informally_is_judged_as_such():
    """The kind, and the places in both tables, say that a summary is no theorem."""
    for erratum in errata(BOOK):
        row = BOOK.registry.get(erratum.statement)
        summary = bool(_SUMMARY.search(erratum.place)) and erratum.source != "beyond"
        assert (erratum.kind == "informal") == summary, erratum.id
        if summary:
            assert "informal" in erratum.place and "informal" in row.place, erratum.id
    assert sum(erratum.kind == "informal" for erratum in errata(BOOK)) >= 3


def test_a_term_that_is_read_as_one_notion_of_its_source_is_tried_with_the_others():
    """The paper defines twice what it is to be distinguishable; the weaker notion may survive."""
    notions = {
        row.place.partition(", ")[2].lower()
        for row in BOOK.registry.values()
        if row.id.startswith("wang/definition-") and "distinguishab" in row.statement.lower()
    }
    assert notions == {"definition 5", "definition 18"}
    read = [erratum for erratum in errata(BOOK) if erratum.kind == "ambiguous"]
    assert read
    for erratum in read:
        named = {notion for notion in notions if notion in erratum.correction}
        assert named in (set(), notions), erratum.id


def test_what_was_withdrawn_keeps_its_address_and_counts_for_nothing():
    withdrawn = [erratum for erratum in errata(BOOK) if erratum.kind == "withdrawn"]
    assert withdrawn
    text, kinds = errata_markdown(BOOK, [], {}, "ledger"), list(KINDS)
    for erratum in withdrawn:
        assert erratum.source != "beyond" and not erratum.statement
        assert f'<span id="erratum-{erratum.id}"></span>' in text
        assert f"*Withdrawn:* {erratum.correction}" in text
        assert erratum.id in [row["id"] for row in json.loads(as_json(BOOK, [], "errata"))["errata"]]
    assert kinds[-1] == "withdrawn" and kinds[:2] == ["false as printed", "false as meant"]


def test_the_kinds_are_explained_and_counted_in_their_order():
    lines = [line for line in errata_markdown(BOOK, [], {}, "ledger").splitlines() if line.startswith("| *")]
    cells = [[cell.strip(" *") for cell in line.split("|")[1:-1]] for line in lines]
    occur = {erratum.kind for erratum in errata(BOOK)}
    assert [(kind, meaning) for kind, meaning, *_ in cells] == [
        (kind, meaning) for kind, meaning in KINDS.items() if kind in occur
    ]
    for place, ours in ((2, False), (3, True)):
        for row in cells:
            own = [found for found in errata(BOOK) if (found.source == "beyond") == ours]
            assert int(row[place]) == sum(found.kind == row[0] for found in own)


def test_ids_are_addresses_that_stay():
    ids = [erratum.id for erratum in errata(BOOK)]
    assert len(set(ids)) == len(ids)
    for erratum in errata(BOOK):
        assert re.fullmatch(rf"{erratum.source}-[a-z0-9]+(-[a-z0-9]+)*", erratum.id)
        assert not erratum.statement or erratum.statement in BOOK.registry


def test_programs_get_every_erratum_with_its_address_and_its_verdict():
    found = {"statement": "wang/lemma-34", "verdict": "contradicted", "basis": "sample"}
    told = json.loads(
        as_json(BOOK, [found | {"control_rejected": False, "control_differs": True}], "errata")
    )["errata"]
    assert [row["id"] for row in told] == [erratum.id for erratum in errata(BOOK)]
    row = next(row for row in told if row["statement"] == "wang/lemma-34")
    assert row["url"] == "chapters/errata.html#erratum-wang-lemma-34"
    assert row["proof"] == "chapters/when-limits-tie.html#wang-lemma-34"
    assert (row["reading"], row["verdict"]) == ("as printed", "contradicted")
    assert '<span id="erratum-wang-lemma-34"></span>' in errata_markdown(BOOK, [], {}, "ledger")


def test_every_entry_is_whole_and_its_proof_stands():
    for erratum in errata(BOOK):
        assert erratum.source in {source.key for source in BOOK.sources} and erratum.kind in KINDS, erratum
        assert erratum.printed.endswith(".") and erratum.correction.endswith("."), erratum
        assert not erratum.statement or erratum.statement.startswith((f"{erratum.source}/", "open/")), erratum
        page, _, anchor = erratum.proof.partition("#")
        source = PROJECT.chapter(page).path.read_text(encoding="utf-8")
        assert f":label: {anchor}\\n" in source or f"({anchor})=\\n" in source, erratum


def test_evidence_comes_from_the_findings():
    case = {"claim": {"says": "the print"}, "control": {"says": "the correction"}}
    found = {"statement": "wang/lemma-34", "verdict": "contradicted", "basis": "sample", **case}
    found |= {"control_rejected": False, "control_differs": True}
    titles = {"when-limits-tie": "A title"}
    text = errata_markdown(BOOK, [found], titles, "ledger")
    assert "✕ contradicted</a>, as printed, 1 check. Rejected: the print. Holds: the correction." in text
    assert (
        '<a href="when-limits-tie.html#wang-lemma-34">A title</a>' in text
        and "on a page that is not in this run" in text
    )
    assert "Evidence" not in errata_markdown(BOOK, [], titles, "ledger")
