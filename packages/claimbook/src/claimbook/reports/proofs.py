"""Dependencies between proofs: the statements of a book, the state of each, the links of its proof."""

import re

from claimbook.evidence import slug
from claimbook.sphinxext.reading import BOX, directive, options_of
from claimbook.templates import filled

_PROOF = directive("dropdown")
_ANY_PROOF = directive(r"(?P<kind>dropdown|prf:proof)")
_LINK = re.compile(r"\{prf:ref\}`(?:[^`<]*<)?([\w-]+)>?`")


def links_of_proofs(texts):
    """Labels that the proof of each statement links to, by the statement's label.

    A fold whose title begins with *Proof* belongs to the box that its title quotes, or else to the last one
    above it on its page.

    Parameters
    ----------
    texts : iterable of str
        The Markdown of each page.

    Examples
    --------
    >>> page = "```{prf:lemma} Small\\n:label: a\\n```\\n:::{dropdown} Proof\\nBy {prf:ref}`b`.\\n:::\\n"
    >>> links_of_proofs([page])
    {'a': ['b']}
    """
    links = {}
    for text in texts:
        boxes = [
            (box.start(), box["title"].strip(), options_of(box).get("label")) for box in BOX.finditer(text)
        ]
        for fold in _PROOF.finditer(text):
            if fold["title"].startswith("Proof"):
                above = [label for at, _, label in boxes if at < fold.start()]
                named = [label for _, title, label in boxes if title and f"“{title}”" in fold["title"]]
                if owner := (named or above[-1:] or [None])[0]:
                    found = links.setdefault(owner, [])
                    found += [
                        to for to in dict.fromkeys(_LINK.findall(fold["text"])) if to not in (owner, *found)
                    ]
    return {label: found for label, found in links.items() if found}


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
    about = [f"cell {cell.id!r}" for cell in code if statement in cell.source]
    return ", ".join([chapter.path.name, *about[:1]])


def _has_proof(text, label):
    """Whether a proof ends after the box with this label; the engine makes one for a statement without."""
    box = next((one.start() for one in BOX.finditer(text) if options_of(one).get("label") == label), 0)
    at = 0
    while found := _ANY_PROOF.search(text, at):  # one may stand in another
        at = found.start() + 1
        called = found["kind"] == "prf:proof" or re.search(r"\bproofs?\b", found["title"], re.I)
        if called and found["text"].strip() and found.end() > box:
            return True
    return False


def drawn(labels, links):
    """The rows of the drawing of proofs: every statement below all that its proof rests on.

    By label the distances, in rows, to those that it rests on.

    Parameters
    ----------
    labels : iterable of str
        All statements, in reading order.
    links : dict
        What each proof links to.

    Raises
    ------
    ValueError
        For a proof that rests on itself, with the labels in a circle.

    Examples
    --------
    >>> drawn(["end", "tool", "alone"], {"end": ["tool"]})
    {'tool': [], 'end': [1]}
    """
    places = {}

    def put(label, above):
        if label in above:
            raise ValueError(f"proofs rest on one another: {' on '.join([*above, label])}")
        if label not in places:
            for to in links.get(label, []):
                put(to, [*above, label])
            places[label] = len(places)

    linked = {*links, *(to for found in links.values() for to in found)}
    for label in labels:
        if label in linked:
            put(label, [])
    return {
        label: sorted(place - places[to] for to in links.get(label, [])) for label, place in places.items()
    }


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
    links = {
        label: kept
        for label, found in links_of_proofs(texts.values()).items()
        if (kept := [to for to in found if to in addresses])
    }
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
        links=links,
        drawn=drawn(addresses, links),
        counts=counts,
    )


def _state(verdict, address):
    if verdict is None:
        own = "a definition" if address.defines else "proved on its page"
        return own if address.ours else "not judged in this build"
    return {"proved here": "proved on its page", "consistent": "sampled"}.get(verdict, verdict)
