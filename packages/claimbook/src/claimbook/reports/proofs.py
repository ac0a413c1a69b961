"""Check the proofs of findings, and make the page on dependencies between proofs."""

import re

from claimbook.cells import cell_name
from claimbook.evidence import slug
from claimbook.reports.dependencies import links_between
from claimbook.sphinxext.reading import BOX, PROOF_OR_FOLD, each, options_of
from claimbook.templates import filled


def unproved_findings(chapters, findings):
    """Return a line for each finding whose page lacks the proof on which it relies.

    Parameters
    ----------
    chapters : iterable of Chapter
        The notebooks with the findings.
    findings : list of dict
        The findings.

    Notes
    -----
    A proof is a ``{prf:proof}``, or a fold whose title contains the word *proof*. A proof must not be empty,
    and it must contain or follow the box of its statement. Only a reader can check that the proof proves the
    statement.
    """
    chapter_of_page = {chapter.name: chapter for chapter in chapters}
    expectation = (
        "expected a proof after its box: a {prf:proof}, or a {dropdown} whose title has the word 'proof'"
    )
    proof_findings = [finding for finding in findings if finding["basis"] == "proof"]
    pairs = [(finding["page"], finding["statement"]) for finding in proof_findings]
    return [
        f"{_place_of_finding(statement, chapter_of_page[page])}: basis='proof' of {statement}: {expectation}"
        for page, statement in dict.fromkeys(pairs)  # several findings may rely on one proof
        if not _has_proof(chapter_of_page[page].prose, slug(statement))
    ]


def _place_of_finding(statement, chapter):
    """Return a chapter's file and, if there is one, its first code cell that names a statement."""
    code_cells = [cell for cell in chapter.notebook.cells if cell.cell_type == "code"]
    names = [cell_name(chapter.notebook, cell.id) for cell in code_cells if statement in cell.source]
    return ", ".join([f"{chapter.file}.ipynb", *names[:1]])


def _has_proof(text, label):
    """Return whether a proof ends after the box with this label.

    If a statement has no box, the engine adds one.
    """
    box_starts = [box.start() for box in BOX.finditer(text) if options_of(box).get("label") == label]
    proofs = [
        fold
        for fold in each(PROOF_OR_FOLD, text)
        if fold["kind"] == "prf:proof" or re.search(r"\bproofs?\b", fold["title"], re.I)
    ]
    return any(proof["text"].strip() and proof.end() > min(box_starts, default=0) for proof in proofs)


def proofs_markdown(book, addresses, verdicts, titles, texts):
    """Return Markdown that lists all statements by page, with states and dependencies.

    Parameters
    ----------
    book : Book
        The book.
    addresses : dict
        `Address` by label.
    verdicts : dict
        The verdict on each statement, by its id.
    titles : dict
        The title of each page.
    texts : dict
        The Markdown of each page.
    """
    verdict_of_label = {slug(name): verdict for name, verdict in verdicts.items()}
    proofs = {slug(name): proof for name, proof in book.checked.items()}
    states = {label: _state(verdict_of_label.get(label), address) for label, address in addresses.items()}
    labels_of_page = {
        page: labels
        for page in titles
        if (labels := [label for label, address in addresses.items() if address.page == page])
    }
    counts = {
        extent: sum(proof.covers == extent for proof in proofs.values())
        for extent in ("whole", "core", "part")
    }
    return filled(
        "fragments/proofs.md",
        pages=labels_of_page,
        titles=titles,
        addresses=addresses,
        states=states,
        proofs=proofs,
        links=links_between(addresses, texts.values()),
        counts=counts,
    )


def _state(verdict, address):
    """Return the state of a statement in words, from its verdict or None."""
    if verdict is None and not address.ours:
        return "not judged in this build"
    if verdict is None:
        return "a definition" if address.defines else "proved on its page"
    return {"proved here": "proved on its page", "consistent": "sampled"}.get(verdict, verdict)
