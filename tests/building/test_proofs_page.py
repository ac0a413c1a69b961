"""The page on proofs, which shows the statements on which each proof in this book rests."""

import json
from functools import cache

import pytest
from support import ROOT

from claimbook.evidence import slug
from claimbook.reports.dependencies import columns, in_order, links_of_proofs
from claimbook.reports.proofs import proofs_markdown
from claimbook.reports.statements import entries
from claimbook.sphinxext.labels import Address
from ndcg_book import BOOK


@cache
def pages_of_the_book():
    return [
        "\n\n".join(
            "".join(cell["source"])
            for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]
            if cell["cell_type"] == "markdown"
        )
        for path in sorted((ROOT / "chapters").glob("*.ipynb"))
    ]


def test_the_links_of_this_book_lead_to_boxes():
    pages = pages_of_the_book()
    boxes = {line.split()[1] for text in pages for line in text.splitlines() if line.startswith(":label: ")}
    links = links_of_proofs(pages)
    assert len(links) > 15 and {to for targets in links.values() for to in targets} <= boxes
    assert "tool-split" in links["tool-ahead"]


def test_no_proof_of_this_book_rests_on_itself_and_five_columns_hold_the_picture():
    links = links_of_proofs(pages_of_the_book())
    column = columns(links, dict.fromkeys(in_order(links), ""))
    assert all(column[label] > column[to] for label, linked in links.items() for to in linked)
    assert max(column.values()) < 5  # which fill the width of a page


def test_the_page_says_the_state_of_each_statement_and_what_it_rests_on():
    addresses = {
        slug(name): Address(slug(name), "page", "", name, f"What {slug(name)} says", False)
        for name in ("linear/theorem-3", "wang/theorem-6")
    }
    text = "```{prf:theorem} T\n:label: wang-theorem-6\n```\n"
    text += ":::{dropdown} Proof\n{prf:ref}`linear-theorem-3`\n:::\n"
    verdicts = {"linear/theorem-3": "proved here", "wang/theorem-6": "consistent"}
    shown = proofs_markdown(BOOK, addresses, verdicts, {"page": "Title"}, {"page": text})
    said = "linear/theorem-3</a>, *What linear-theorem-3 says*"
    assert f"{said}: proved on its page, <span" in shown and "checked by Coq" in shown
    assert "*What wang-theorem-6 says*: sampled; rests on <a" in shown and shown.count(said) == 2


@pytest.mark.parametrize(
    ("verdicts", "ours", "state"),
    [
        ({}, True, "a definition"),
        ({"wang/definition-5": "checked"}, False, "checked"),
        ({}, False, "not judg"),
    ],
)
def test_a_definition_is_never_said_to_be_proved(verdicts, ours, state):
    addresses = {"wang-definition-5": Address("wang-definition-5", "page", "", "It", "A word", ours, True)}
    shown = proofs_markdown(BOOK, addresses, verdicts, {"page": "Title"}, {"page": ""})
    assert f"It</a>, *A word*: {state}" in shown and "proved on its page" not in shown
    (entry,) = (entry for entry in entries(BOOK, [], addresses, {}) if entry.label == "wang-definition-5")
    assert "proved" not in entry.state
