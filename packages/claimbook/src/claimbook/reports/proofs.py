"""Proofs: the findings that rest on one, the state of each statement, and what its proof rests on."""

import re

from claimbook.cells import cell_name
from claimbook.evidence import slug
from claimbook.reports.dependencies import links_between
from claimbook.sphinxext.reading import BOX, directive, each, options_of
from claimbook.templates import filled

_PROOF = directive(r"(?P<kind>dropdown|prf:proof)")


def unproved(chapters, findings):
    """The findings that rest on a proof which their page has not, as lines.

    A proof is a ``{prf:proof}``, or a fold whose title has the word *proof*; it is not empty, and it stands
    after the box of the statement or around it. That it is a proof of the statement only a reader can tell.

    Parameters
    ----------
    chapters : iterable of Chapter
        The notebooks that the findings are of.
    findings : list of dict
    """
    pages = {chapter.name: chapter for chapter in chapters}
    wanted = "expected a proof after its box: a {prf:proof}, or a {dropdown} whose title has the word 'proof'"
    resting = dict.fromkeys((one["page"], one["statement"]) for one in findings if one["basis"] == "proof")
    return [
        f"{_cell_about(statement, pages[page])}: basis='proof' of {statement}: {wanted}"
        for page, statement in resting
        if not _has_proof(pages[page].prose, slug(statement))
    ]


def _cell_about(statement, chapter):
    """The file of a chapter and its first code cell that names a statement, if one does so literally."""
    code = [cell for cell in chapter.notebook.cells if cell.cell_type == "code"]
    about = [cell_name(chapter.notebook, cell.id) for cell in code if statement in cell.source]
    return ", ".join([f"{chapter.file}.ipynb", *about[:1]])


def _has_proof(text, label):
    """Whether a proof ends after the box with this label; the engine makes one for a statement without."""
    box = next((one.start() for one in BOX.finditer(text) if options_of(one).get("label") == label), 0)
    return any(
        fold["text"].strip() and fold.end() > box
        for fold in each(_PROOF, text)
        if fold["kind"] == "prf:proof" or re.search(r"\bproofs?\b", fold["title"], re.I)
    )


def proofs_markdown(book, addresses, verdicts, titles, texts):
    """Every statement, page by page: what is known of it, and what its proof rests on.

    Parameters
    ----------
    book : Book
    addresses : dict
        `Address` by label.
    verdicts : dict
        Statement id to verdict.
    titles : dict
        Title of each page.
    texts : dict
        Markdown of each page.
    """
    by_label = {slug(name): verdict for name, verdict in verdicts.items()}
    proofs = {slug(name): proof for name, proof in book.checked.items()}
    known = {label: _state(by_label.get(label), address) for label, address in addresses.items()}
    pages = {
        page: own
        for page in titles
        if (own := [label for label, address in addresses.items() if address.page == page])
    }
    counts = {
        kind: sum(proof.covers == kind for proof in proofs.values()) for kind in ("whole", "core", "part")
    }
    return filled(
        "fragments/proofs.md",
        pages=pages,
        titles=titles,
        addresses=addresses,
        known=known,
        proofs=proofs,
        links=links_between(addresses, texts.values()),
        counts=counts,
    )


def _state(verdict, address):
    if verdict is None:
        own = "a definition" if address.defines else "proved on its page"
        return own if address.ours else "not judged in this build"
    return {"proved here": "proved on its page", "consistent": "sampled"}.get(verdict, verdict)
