"""Machine-checked proofs on a page, and the dependencies of statements."""

import json
from types import SimpleNamespace

import pytest
from nbformat.v4 import new_code_cell, new_notebook

from claimbook.proofs import Proof, in_signs, proof_badge, proof_fold, read_proofs
from claimbook.reports.dependencies import links_of_proofs
from claimbook.reports.proofs import unproved_findings
from claimbook.sphinxext.sources import PageSources

BOX = "```{prf:theorem} Small\n:label: note-claim-1\n\nFor all $n$.\n```\n"


def proof(covers="core", leaves_out="random labels", formal="forall n : nat, 0 <= f n", of="statement"):
    return Proof("Coq", "8.16.1", covers, of, "It holds.", leaves_out, (("File.name", formal),), ("a rule",))


def written(path, **changes):
    row = {"id": "note/claim-1", "covers": "core", "of": "statement", "assumptions": ["a"]}
    row |= {"in words": "w", "leaves out": "l"}
    row |= {"theorems": [{"file": "F", "theorem": "t", "statement": "s"}]} | changes
    report = {"by": "Coq", "version": "8", "assumptions": {"a": "a rule"}, "statements": [row]}
    path.write_text(json.dumps(report), encoding="utf-8")
    return path


def test_badges_of_complete_core_and_part_differ():
    badges = {
        kind: proof_badge(proof(kind, "" if kind == "whole" else "much"))
        for kind in ("whole", "core", "part")
    }
    assert "</span> checked by Coq</span>" in badges["whole"]
    assert all(f"{kind} checked by Coq" in badges[kind] for kind in ("core", "part"))
    shapes = {badge.partition('aria-hidden="true">')[2][0] for badge in badges.values()}
    classes = {kind for kind, badge in badges.items() if f'class="checked checked-{kind}"' in badge}
    assert len(shapes) == len(classes) == 3


def test_what_a_core_leaves_out_is_its_first_line():
    fold = proof_fold(proof())
    first, second = fold.partition("</summary>")[2].strip().splitlines()[:2]
    assert first == "<p><strong>What it leaves out:</strong> random labels.</p>" and "Read aloud" in second
    assert "nothing of the statement" in proof_fold(proof("whole", ""))


def test_of_a_false_statement_it_is_the_refutation_that_was_checked():
    badge, fold = proof_badge(proof(of="refutation")), proof_fold(proof("whole", "", of="refutation"))
    assert "core of the refutation checked by Coq" in badge
    assert "Its refutation, as a machine has checked it" in fold and "nothing of the refutation" in fold
    assert (
        "formal statement refutes the printed one" in fold
        and "statement as" not in fold
        and "of the statement above" not in fold
    )


def test_the_fold_is_one_block_and_a_formal_statement_cannot_act():
    fold = proof_fold(proof(formal="forall x, x < 1 ->\n  <script> & x = 'y'"))
    assert "\n\n" not in fold.strip() and "<script>" not in fold
    assert "<b>∀</b> x, x &lt; 1 <b>→</b>" in fold


def test_names_are_left_as_they_are():
    assert in_signs("Reading.SUM R.x inside foRall") == "Reading.SUM R.x inside foRall"


def test_a_box_gets_badge_and_fold_and_another_stays_as_it_is():
    book = SimpleNamespace(checked={"note/claim-1": proof()})
    page_sources = PageSources(SimpleNamespace(book=book), None)
    badge, fold = page_sources.proof("note-claim-1")
    assert 'class="checked checked-core"' in badge and "<details" in fold
    assert page_sources.proof("note-claim-9") == ()


@pytest.mark.parametrize(
    "changes", [{"covers": "all"}, {"covers": "whole"}, {"leaves out": ""}, {"of": "all"}]
)
def test_an_inconsistent_proof_record_is_rejected(tmp_path, changes):
    assert read_proofs(written(tmp_path / "good.json"))["note/claim-1"].covers == "core"
    with pytest.raises(ValueError, match="note/claim-1: (covers|of)="):
        read_proofs(written(tmp_path / "bad.json", **changes))


def test_a_book_without_proofs_has_none(tmp_path):
    assert read_proofs(None) == read_proofs(tmp_path / "none.json") == {}


def test_links_belong_to_the_box_that_a_proof_is_of():
    page = "```{prf:lemma} One\n:label: one\n```\n```{prf:lemma} Two\n:label: two\n```\n"
    quoted = (
        page + ":::{dropdown} Proof of “One”\n{prf:ref}`three` {prf:ref}`so <four>` {prf:ref}`three`\n:::\n"
    )
    assert links_of_proofs([quoted]) == {"one": ["three", "four"]}
    above = page + ":::{dropdown} Proof, in a line\n{prf:ref}`one` {prf:ref}`two`\n:::\n"
    assert links_of_proofs([above]) == {"two": ["one"]}
    assert links_of_proofs([page + ":::{admonition} Reading\n{prf:ref}`one`\n:::\n"]) == {}


FOLD, INSIDE = (
    ":::{dropdown} %s\nBy induction.\n:::\n",
    f"::::{{dropdown}} The claim and its proof\n{BOX}::::\n",
)


@pytest.mark.parametrize(
    ("text", "proved"),
    [
        (BOX + FOLD % "Proof: a step", True),
        (BOX + FOLD % "Both speeds, and the proofs", True),
        (BOX + "```{prf:proof}\nBy induction.\n```\n", True),
        (BOX + f"::::{{dropdown}} More\n{FOLD % 'Proof'}::::\n", True),
        (INSIDE, True),
        (FOLD % "Proof, of a statement whose box the engine makes", True),
        (BOX, False),
        (BOX + "Proof: it is clear.\n", False),
        (BOX + FOLD % "Waterproof", False),
        (BOX + ":::{dropdown} Proof\n:::\n", False),
        (FOLD % "Proof of what stands above" + BOX, False),
    ],
)
def test_a_finding_based_on_a_proof_needs_one_after_its_box_or_around_it(text, proved):
    judge = new_code_cell("page.finding('note/claim-1', basis='proof')", id="judge")
    chapter = SimpleNamespace(
        name="index", file="chapters/index", prose=text, notebook=new_notebook(cells=[judge])
    )
    proof_finding = {"page": "index", "statement": "note/claim-1", "basis": "proof"}
    messages = unproved_findings([chapter], [proof_finding, proof_finding])
    assert (
        messages == ([] if proved else [messages[0]])
        and unproved_findings([chapter], [proof_finding | {"basis": "sample"}]) == []
    )
    assert proved or messages[0].startswith(
        "chapters/index.ipynb, cell 1 of 1, \"page.finding('note/claim-1', basis='proof')\": "
        "basis='proof' of note/claim-1: expected a proof after its box"
    )
