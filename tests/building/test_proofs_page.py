"""The page on proofs: what rests on what in this book."""

import json

from support import ROOT

from claimbook.evidence import slug
from claimbook.reports.proofs import links_of_proofs, proofs_markdown
from claimbook.sphinxext.labels import Address
from ndcg_companion.book import BOOK


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
