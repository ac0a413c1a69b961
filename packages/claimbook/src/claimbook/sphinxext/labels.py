"""Addresses: the name of each statement and its place in the book.

A statement of a source has the name that the source uses, such as "Newton, Law 2", taken from the column
``place`` of the registry. Results of this book are called C1, C2, … in reading order. A statement's address
leads to the theorem box whose label is the slug of the statement's id. The address stays the same when the
page is rewritten.
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

_KINDS = (  # the kinds of statements that sources number
    "algorithm assumption axiom claim conjecture corollary criterion definition equation example exercise "
    "experiment fact figure hypothesis law lemma listing notation observation principle problem procedure "
    "property proposition question remark result rule statement table theorem"
).split()
_NUMBER = r"[A-Z]{0,2}\.?\d|[A-Z]\b|[IVXLC]+\b"  # for example 8, 3.2, A.1, B2, A, IV
_NUMBERED_STATEMENT = re.compile(rf"(?i:{'|'.join(_KINDS)}) (?:{_NUMBER})")


@dataclass(frozen=True)
class Address:
    """The address of a theorem box: its page and its label, which is also its anchor.

    Attributes
    ----------
    label, page : str
        The label of the box, and the name of its page.
    number : str
        The number in the source, such as "Theorem 8 (2)", or "C12" for a result of this book.
    name : str
        The name in the heading of the box and in links to the box.
    title : str
        The rest of the box's heading, as Markdown.
    ours : bool
        Whether the box contains a result of this book.
    defines : bool
        Whether the box is a definition.
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
    """Return the number that a statement has in its source, from its ``place``.

    Parameters
    ----------
    place : str
        The place in the source.
    division : str
        The first part of every place if the source has no sections.

    Examples
    --------
    >>> number_of("Section 3.2, Theorem 8, condition 2, corrected")
    'Theorem 8 (2), corrected'
    >>> number_of("Appendix A, Theorem A.1"), number_of("Section 2, conjecture 3, part 2")
    ('Theorem A.1', 'Conjecture 3 (2)')
    >>> number_of("Section 3.3, closing remark")
    'Section 3.3, closing remark'
    """
    section, _, place_in_section = place.partition(", ")
    place_in_section = re.sub(r", (?:case|condition|part) (\d+)", r" (\1)", place_in_section)
    is_only_section = section == division
    is_numbered = is_only_section and re.match(r"\w+ \d", place_in_section)
    if is_numbered or _NUMBERED_STATEMENT.match(place_in_section):
        return place_in_section[:1].upper() + place_in_section[1:]
    return place_in_section if is_only_section else place


def boxed(notebook):
    """Return the titles of the notebook's theorem boxes, by label, in reading order."""
    texts = [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]
    boxes = [box for text in texts for box in BOX.finditer(text)]
    titles = {options_of(box).get("label"): box["title"].strip() for box in boxes}
    return {label: title for label, title in titles.items() if label}  # a box may have no label


def definitions(notebook):
    """Return the labels of the notebook's boxes that are definitions."""
    texts = [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]
    return {options_of(box).get("label") for text in texts for box in DEFINITION.finditer(text)}


def addresses(project):
    """Return the `Address` of every theorem box and statement, by label.

    The addresses are in reading order. Statements whose page is not in the book are left out.
    """
    book, result_count, addresses_by_label = project.book, 0, {}
    rows = {slug(row.id): row for row in book.registry.values()}
    for chapter in project.notebooks:
        titles, defined_labels = boxed(chapter.notebook), definitions(chapter.notebook)
        labels_of_rows = [label for label, row in rows.items() if row.page == chapter.name]
        for label in dict.fromkeys([*titles, *labels_of_rows]):
            row = rows.get(label)
            source = row.source if row else book.itself
            # Only the book itself has no short name.
            number = number_of(row.place, source.division) if source.short else ""
            name = f"{source.short}, {number}" if number else ""
            if source.own:  # this includes the book's answers to open questions of a source
                result_count += 1
                name = f"{book.own}{result_count}" + (f" ({name})" if name else "")
            addresses_by_label[label] = Address(
                label,
                page=chapter.name,
                number=number or name,
                name=name,
                title=titles.get(label) or (row.statement if row else ""),
                ours=source.own,
                defines=label in defined_labels,
            )
    return addresses_by_label


def check_places(project):
    """Raise ValueError if references, errata or expected verdicts are wrong.

    Notes
    -----
    Every row of a table, box and old address must lead to an existing page and label. A refuted statement
    needs an erratum. The expected verdict must be "checked" if and only if the box is a definition.
    """
    book, pages = project.book, {chapter.name: chapter for chapter in project.notebooks}
    drafts = {Path(draft).stem: draft for draft in project.drafts}
    all_errata = errata(book)
    references = [("registry.csv", row.id, "page", row.page) for row in book.registry.values()]
    references += [("errata.csv", erratum.id, "proof", erratum.proof) for erratum in all_errata]
    for table, row_id, column, value in references:
        page, _, label = value.partition("#")
        location = f"{table}, {row_id}: {column}={value!r}:"
        if column == "proof" and not label:
            raise ValueError(f"{location} expected PAGE#LABEL of the proof")
        if page not in pages and page in drafts:
            raise ValueError(f"{location} expected {drafts[page]} in _toc.yml")
        if page not in pages:
            raise ValueError(f"{location} expected the name of a chapter{nearest(page, pages)}")
        if column == "page":
            continue
        labels = {slug(row.id) for row in book.registry.values() if row.page == page}
        labels |= places_in(pages[page].prose)
        if label not in labels:
            raise ValueError(f"{location} expected a label of that page{nearest(label, labels)}")
    corrected_ids = {erratum.statement for erratum in all_errata}
    for row in book.registry.values():
        if row.expected == "contradicted" and row.id not in corrected_ids:
            location = f"registry.csv, {row.id}: expected='contradicted':"
            raise ValueError(f"{location} expected a row of errata.csv with this statement")
    _check_boxes(book, pages)
    _check_definitions(book, pages)
    _check_moved(project)


def _check_moved(project):
    """Raise ValueError if an old address has no target or belongs to a current page."""
    files = [page.file for page in project.chapters]
    for old_page, target in project.book.moved.items():
        page = target.partition("#")[0]
        if old_page in files:
            raise ValueError(f"Book.moved, {old_page!r}: expected a page that is not in _toc.yml")
        if page not in files:
            expectation = f"expected a page of the book{nearest(page, files)}"
            raise ValueError(f"Book.moved, {old_page!r}: {page!r}: {expectation}")


def _check_boxes(book, pages):
    """Raise ValueError if the label of a box names a source but no known statement."""
    prefixes = tuple(f"{source.key}-" for source in book.sources if not source.own)
    statement_labels = [slug(statement) for statement in book.registry]
    for chapter in pages.values():
        for label in boxed(chapter.notebook):
            if label.startswith(prefixes) and label not in statement_labels:
                expectation = f"expected the label of a statement{nearest(label, statement_labels)}"
                raise ValueError(f"{chapter.path.name}, {label}: {expectation}")


def _check_definitions(book, pages):
    """Raise ValueError if an expected verdict does not fit the kind of its box.

    A definition has nothing to prove, so its verdict can only be "checked".
    """
    for row in book.registry.values():
        is_definition = slug(row.id) in definitions(pages[row.page].notebook)
        if is_definition and row.expected in ("proved here", "consistent"):
            expectation = "'checked', as its box is a definition"
        elif row.defines and not is_definition:
            expectation = "a box that is a definition"
        else:
            continue
        raise ValueError(f"registry.csv, {row.id}: expected={row.expected!r}: expected {expectation}")


def with_boxes(notebook, page, registry):
    """Add a box for each statement without one, before the cell with the finding on it.

    The notebook is changed in place and returned.
    """
    labels_of_boxes = boxed(notebook)
    for row in registry.values():
        if row.page == page and (label := slug(row.id)) not in labels_of_boxes:
            text = f"```{{prf:remark}}\n:label: {label}\n\n{typeset(row.statement)}.\n```"
            for index, cell in enumerate(notebook.cells):
                if row.id in [finding["statement"] for finding in findings_of({"cells": [cell]})]:
                    notebook.cells.insert(index, new_markdown_cell(text, id=f"box-{label}"))
                    break
    return notebook
