"""What a page shows of a proof that a machine has checked, and what rests on what."""

import json
from types import SimpleNamespace

import pytest
from support import ROOT

from claimbook.evidence import slug
from claimbook.proofs import Proof, in_signs, proof_badge, proof_fold, read_proofs
from claimbook.reports.proofs import links_of_proofs, proofs_markdown
from claimbook.sphinxext.labels import Address
from claimbook.sphinxext.sources import Edition
from ndcg_companion.book import BOOK

BOX = "```{prf:theorem} Small\n:label: wang-theorem-7\n\nFor all $n$.\n```\n"


def proof(covers="core", leaves_out="random labels", formal="forall n : nat, 0 <= f n"):
    return Proof("Coq", "8.16.1", covers, "It holds.", leaves_out, (("File.name", formal),), ("a rule",))


def written(path, **changes):
    row = {"id": "wang/theorem-7", "covers": "core", "in words": "w", "leaves out": "l", "assumptions": ["a"]}
    row |= {"theorems": [{"file": "F", "theorem": "t", "statement": "s"}]} | changes
    told = {"by": "Coq", "version": "8", "assumptions": {"a": "a rule"}, "statements": [row]}
    path.write_text(json.dumps(told), encoding="utf-8")
    return path


def test_whole_core_and_part_do_not_look_alike():
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


def test_the_fold_is_one_block_and_a_formal_statement_cannot_act():
    fold = proof_fold(proof(formal="forall x, x < 1 ->\n  <script> & x = 'y'"))
    assert "\n\n" not in fold.strip() and "<script>" not in fold
    assert "<b>∀</b> x, x &lt; 1 <b>→</b>" in fold


def test_names_are_left_as_they_are():
    assert in_signs("Ranking.DCG R.x inside foRall") == "Ranking.DCG R.x inside foRall"


def test_a_box_gets_badge_and_fold_and_another_stays_as_it_is():
    book = SimpleNamespace(checked={"wang/theorem-7": proof()})
    edition = Edition(SimpleNamespace(book=book), None)
    badge, fold = edition.proof("wang-theorem-7")
    assert 'class="checked checked-core"' in badge and "<details" in fold
    assert edition.proof("wang-theorem-9") == ()


@pytest.mark.parametrize("changes", [{"covers": "all"}, {"covers": "whole"}, {"leaves out": ""}])
def test_a_proof_that_says_one_thing_and_leaves_out_another_is_refused(tmp_path, changes):
    assert read_proofs(written(tmp_path / "good.json"))["wang/theorem-7"].covers == "core"
    with pytest.raises(ValueError, match="wang/theorem-7 covers"):
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


def test_the_links_of_this_book_lead_to_boxes():
    pages = [
        "\n\n".join(
            "".join(cell["source"])
            for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]
            if cell["cell_type"] == "markdown"
        )
        for path in sorted((ROOT / "chapters").glob("*.ipynb"))
    ]
    boxes = {line.split()[1] for text in pages for line in text.splitlines() if line.startswith(":label: ")}
    links = links_of_proofs(pages)
    assert len(links) > 15 and {to for found in links.values() for to in found} <= boxes
    assert "tool-split" in links["tool-ahead"]


def test_the_page_says_the_state_of_each_statement_and_what_it_rests_on():
    known = {
        slug(name): Address(slug(name), "page", "", name, "", False)
        for name in ("linear/theorem-3", "wang/theorem-6")
    }
    text = "```{prf:theorem} T\n:label: wang-theorem-6\n```\n"
    text += ":::{dropdown} Proof\n{prf:ref}`linear-theorem-3`\n:::\n"
    verdicts = {"linear/theorem-3": "proved here", "wang/theorem-6": "consistent"}
    shown = proofs_markdown(BOOK, known, verdicts, {"page": "Title"}, {"page": text})
    assert "linear/theorem-3</a>: proved on its page, <span" in shown and "checked by Coq" in shown
    assert 'wang/theorem-6</a>: sampled; rests on <a href="page.html#linear-theorem-3">' in shown
