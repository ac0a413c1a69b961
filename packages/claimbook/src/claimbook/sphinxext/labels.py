"""Addresses: what each statement is called, and where it stands.

A statement of a source is called as the source calls it, "Newton, Law 2", which the registry's
column ``place`` says; a result of this book is called C1, C2, … in reading order. It stands in the theorem
box whose label is the slug of its id, so that its address stays when its page is rewritten.
"""

import re
from dataclasses import dataclass
from pathlib import Path

from nbformat.v4 import new_markdown_cell

from claimbook.evidence import slug
from claimbook.output_metadata import findings_of
from claimbook.reports.errata import errata
from claimbook.sphinxext.reading import BOX, DEFINITION, options_of, places_in
from claimbook.templates import typeset
from claimbook.text import nearest

_KINDS = (  # of statements that sources number
    "algorithm assumption axiom claim conjecture corollary criterion definition equation example exercise "
    "experiment fact figure hypothesis law lemma listing notation observation principle problem procedure "
    "property proposition question remark result rule statement table theorem"
).split()
_NUMBER = r"[A-Z]{0,2}\.?\d|[A-Z]\b|[IVXLC]+\b"  # 8, 3.2, A.1, B2, A, IV
_NUMBERED = re.compile(rf"(?i:{'|'.join(_KINDS)}) (?:{_NUMBER})")


@dataclass(frozen=True)
class Address:
    """A theorem box, by its label, which is its anchor on its page.

    Attributes
    ----------
    label, page : str
    number : str
        As its source has it, "Theorem 8 (2)"; "C12" for a result of this book.
    name : str
        What heads the box and what links to it say.
    title : str
        The rest of the box's heading; Markdown.
    ours : bool
        Whether it is a result of this book.
    defines : bool
        Whether its box is a definition.
    """

    label: str
    page: str
    number: str
    name: str
    title: str
    ours: bool = False
    defines: bool = False

    @property
    def url(self):
        return f"chapters/{self.page}.html#{self.label}"


def number_of(place, division=""):
    """The number under which a source has a statement, from its ``place`` in the registry.

    ``division`` is what the places of a source without sections begin with.

    >>> number_of("Section 3.2, Theorem 8, condition 2, corrected")
    'Theorem 8 (2), corrected'
    >>> number_of("Appendix A, Theorem A.1"), number_of("Section 2, conjecture 3, part 2")
    ('Theorem A.1', 'Conjecture 3 (2)')
    >>> number_of("Section 3.3, closing remark")
    'Section 3.3, closing remark'
    """
    own_division, _, rest = place.partition(", ")
    rest = re.sub(r", (?:case|condition|part) (\d+)", r" (\1)", rest)
    if _NUMBERED.match(rest) or own_division == division and re.match(r"\w+ \d", rest):
        return rest[:1].upper() + rest[1:]
    return rest if own_division == division else place


def boxed(notebook):
    """The titles of the notebook's theorem boxes, by their labels, in reading order."""
    texts = [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]
    found = [(options_of(box).get("label"), box["title"]) for text in texts for box in BOX.finditer(text)]
    return {label: title.strip() for label, title in found if label}


def definitions(notebook):
    """The labels of the boxes of the notebook that are definitions."""
    texts = [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]
    return {options_of(box).get("label") for text in texts for box in DEFINITION.finditer(text)}


def addresses(project):
    """Every theorem box of the book, and every statement whose page stands, by label in reading order."""
    book, found = project.book, {}
    statements = {slug(statement.id): statement for statement in book.registry.values()}
    for chapter in project.notebooks:
        titles, defined = boxed(chapter.notebook), definitions(chapter.notebook)
        own = [label for label, row in statements.items() if row.page == chapter.name]
        for label in dict.fromkeys([*titles, *own]):
            row = statements.get(label)
            source = row.source if row else book.itself
            number = number_of(row.place, source.division) if source.short else ""
            name = f"{source.short}, {number}" if number else ""
            if source.own:  # an answer to a source's question is this book's
                count = sum(known.ours for known in found.values()) + 1
                name = f"{book.own}{count}" + (f" ({name})" if name else "")
            title = titles.get(label) or (row.statement if row else "")
            defines = label in defined
            found[label] = Address(label, chapter.name, number or name, name, title, source.own, defines)
    return found


def check_places(project):
    """Raise ValueError for what leads nowhere: a row of a table, a box, a page that moved.

    And for a refutation without an erratum, for a definition that is expected to be proved, or a statement to
    be checked as if it were one.
    """
    book, pages = project.book, {chapter.name: chapter for chapter in project.notebooks}
    drafts = {Path(draft).stem: draft for draft in project.drafts}
    lead = [("registry.csv", row.id, "page", row.page) for row in book.registry.values()]
    lead += [("errata.csv", erratum.id, "proof", erratum.proof) for erratum in errata(book)]
    for table, row, column, value in lead:
        page, _, place = value.partition("#")
        wrong = f"{table}, {row}: {column}={value!r}:"
        if column == "proof" and not place:
            raise ValueError(f"{wrong} expected PAGE#LABEL, where it is proved")
        if page not in pages and page in drafts:
            raise ValueError(f"{wrong} expected {drafts[page]} in _toc.yml")
        if page not in pages:
            raise ValueError(f"{wrong} the book has no chapter of that name{nearest(page, pages)}")
        if column == "page":
            continue
        own = {slug(one.id) for one in book.registry.values() if one.page == page}
        if place not in (places := own | places_in(pages[page].prose)):
            raise ValueError(f"{wrong} the book has no label of that name there{nearest(place, places)}")
    corrected = {erratum.statement for erratum in errata(book)}
    for row in book.registry.values():
        if row.expected == "contradicted" and row.id not in corrected:
            wrong = f"registry.csv, {row.id}: expected='contradicted':"
            raise ValueError(f"{wrong} expected a row of errata.csv with this statement")
    _check_boxes(book, pages)
    _check_definitions(book, pages)
    _check_moved(project)


def _check_moved(project):
    """Raise ValueError for a page that moved to none, and for one that is still there."""
    files = [page.file for page in project.chapters]
    for old, new in project.book.moved.items():
        page = new.partition("#")[0]
        if old in files:
            raise ValueError(f"Book.moved, {old!r}: expected no page of that name, for it is in _toc.yml")
        if page not in files:
            raise ValueError(f"Book.moved, {old!r}: {page!r} is no page of the book{nearest(page, files)}")


def _check_boxes(book, pages):
    """Raise ValueError for a box that is labelled as a source's statement, and that the registry lacks."""
    keys = tuple(f"{source.key}-" for source in book.sources if not source.own)
    known = [slug(one) for one in book.registry]
    for chapter in pages.values():
        for label in boxed(chapter.notebook):
            if label.startswith(keys) and label not in known:
                hint = nearest(label, known)
                raise ValueError(f"{chapter.path.name}, {label}: no statement has that label{hint}")


def _check_definitions(book, pages):
    """Raise ValueError for a row whose expected verdict is not one of its box: a definition has no proof."""
    for row in book.registry.values():
        defines = slug(row.id) in definitions(pages[row.page].notebook)
        if defines and row.expected in ("proved here", "consistent") or row.defines and not defines:
            wanted = "'checked', as its box is a definition" if defines else "a box that is a definition"
            raise ValueError(f"registry.csv, {row.id}: expected={row.expected!r}: expected {wanted}")


def with_boxes(notebook, page, registry):
    """Give each statement of the page that has no box of its own one, before the cell that judges it."""
    labels = boxed(notebook)
    for row in registry.values():
        if row.page == page and slug(row.id) not in labels:
            text = f"```{{prf:remark}}\n:label: {slug(row.id)}\n\n{typeset(row.statement)}.\n```"
            for place, cell in enumerate(notebook.cells):
                if row.id in [found["statement"] for found in findings_of({"cells": [cell]})]:
                    notebook.cells.insert(place, new_markdown_cell(text, id=f"box-{slug(row.id)}"))
                    break
    return notebook
