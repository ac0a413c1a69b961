"""Check the requirements of directives before anything is executed.

Without this check, a directive would fail only when Sphinx reads its page, after all chapters have run.
"""

from pathlib import Path

from claimbook.cells import cell_name
from claimbook.parameters import check_word
from claimbook.publish.metadata import SETTINGS, missing
from claimbook.sphinxext.reading import BOX, directive, each, options_of
from claimbook.sphinxext.symbols import bare, notation, symbols_of
from claimbook.text import escaped
from claimbook.yaml_files import read_yaml

_GENERATED, _IN_SHORT = directive("generated"), directive("in-short")


def check_needs(project, pages=None):
    """Raise ValueError if a requirement of a directive is missing.

    The message names the page and the cell of the first directive that lacks something.

    Parameters
    ----------
    project : Project
        The book.
    pages : iterable of Chapter, optional
        The pages to check. The default is all pages.
    """
    settings = read_yaml(project.root / "_config.yml")
    if missing_settings := ", ".join(name for name in SETTINGS if name not in settings):
        raise ValueError(f"_config.yml: expected {missing_settings}, for the citation of each page")
    meanings = notation("\n".join(page.prose for page in project.chapters))
    for page in project.chapters if pages is None else pages:
        for location, text in _locations_and_texts(page):
            for check in (_check_generated, _check_summary, _check_symbols):
                try:
                    check(project, meanings, text)
                except ValueError as error:
                    raise ValueError(f"{escaped(location, 200)}: {error}") from None


def _locations_and_texts(page):
    """Return the location and the Markdown of each cell, or of a page without cells."""
    name = page.path.relative_to(page.root).as_posix()
    if not page.is_notebook:
        return [(name, page.prose)]
    cells = [cell for cell in page.notebook.cells if cell.cell_type == "markdown"]
    return [(f"{name}, {cell_name(page.notebook, cell.id)}", cell.source) for cell in cells]


def generated(project):
    """For each argument of ``{generated}``, return a function that checks its needs.

    Each function returns a line on what is missing, or an empty text.
    """
    book = project.book
    no_paths = "expected Book.paths, and their pages in paths.csv (page,paths)"
    no_rows = f"expected rows in {book.content.name}/highlights.csv (id,sentence)"
    return {
        **dict.fromkeys(("next", "statements", "proofs", "count", "totals"), lambda: ""),
        **dict.fromkeys(("where", "cite"), lambda: missing(project.root)),
        "map": lambda: "" if book.paths and _has_rows(book, "paths.csv") else no_paths,
        "highlights": lambda: "" if _has_rows(book, "highlights.csv") else no_rows,
        "api-figures": lambda: "" if book.figures else "expected Book.figures, a package",
        **dict.fromkeys((f"api-{name}" for name in book.reference), lambda: ""),
    }


def _has_rows(book, table):
    """Return whether a table of the book exists and has lines below its header."""
    path = Path(book.content, table)
    return path.is_file() and path.read_text(encoding="utf-8-sig").split("\n", 1)[-1].strip() != ""


def _check_generated(project, meanings, text):
    """Check that each ``generated`` names a fragment that can be made."""
    for match in each(_GENERATED, text):
        name, checks = match["title"].strip(), generated(project)
        check_word("generated", name, checks)
        if problem := checks[name]():
            raise ValueError(f"generated={name!r}: {problem}")


def _check_summary(project, meanings, text):
    """Check that each ``in-short`` names existing statements and pages."""
    page_names = [page.name for page in project.chapters]
    for match in each(_IN_SHORT, text):
        options = options_of(match)
        for statement in options.get("statements", "").split():
            project.book.statement(statement)
        for page in options.get("first", "").split():
            check_word("first", page, page_names)


def _check_symbols(project, meanings, text):
    """Check that each symbol of a box has a meaning."""
    for box in each(BOX, text):
        for symbol, meaning in symbols_of(options_of(box).get("symbols", "")).items():
            if not meaning and bare(symbol) not in meanings:
                expectation = "expected 'symbol = meaning', or a row in the table of notation"
                raise ValueError(f"symbols={symbol!r}: {expectation}")
