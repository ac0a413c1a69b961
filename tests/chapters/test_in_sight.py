"""The cells that a page has in sight: each runs alone, and prints what the page shows."""

import ast
import importlib
import io
import sys
from contextlib import redirect_stdout
from functools import cache
from symtable import symtable
from time import process_time

import pandas
import pytest
from lxml import html
from support import PROJECT

from ndcg_book import BOOK

LINES, COLUMNS, SECONDS = 12, 88, 5
# Pages that teach the measure and the package; all others on a statement have exactly one.
UP_TO_THREE = {"scoring-a-ranking", "conventions", "what-your-library-computes", "your-own-rankings"}
# What the package brings when it is installed without extras, and what these would add.
LIBRARIES, EXTRAS = (
    {"numpy", "pandas", "scipy"},
    ("matplotlib", "pyarrow", "pytrec_eval", "seaborn", "sklearn"),
)
CHAPTERS = {chapter.name: chapter for chapter in PROJECT.notebooks}


@cache
def page_of(build, name):
    return html.fromstring((build / "html" / "chapters" / f"{name}.html").read_text(encoding="utf-8"))


def code_cells(chapter):
    return [cell for cell in chapter.notebook.cells if cell.cell_type == "code"]


def shown_cells(chapter):
    return [cell for cell in code_cells(chapter) if cell.metadata.get("in-sight")]


CELLS = [
    pytest.param(name, cell, id=f"{name}-{cell.id}")
    for name, chapter in CHAPTERS.items()
    for cell in shown_cells(chapter)
]


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_page_on_a_statement_has_one_cell_in_sight(name):
    found = len(shown_cells(CHAPTERS[name]))
    judges = any("page.finding(" in cell.source for cell in code_cells(CHAPTERS[name]))
    if name in UP_TO_THREE:
        assert 1 <= found <= 3
    else:
        assert found == judges


@pytest.mark.parametrize("name, cell", CELLS)
def test_it_is_short_and_of_public_names(name, cell):
    lines = cell.source.splitlines()
    assert len(lines) <= LINES and max(map(len, lines)) <= COLUMNS
    tree = ast.parse(cell.source)
    for node in ast.walk(tree):
        if isinstance(node, (ast.Name, ast.Attribute)):
            assert not getattr(node, "id", getattr(node, "attr", "")).startswith("_")
        if isinstance(node, ast.Import):
            assert {alias.name.partition(".")[0] for alias in node.names} <= LIBRARIES
        if isinstance(node, ast.ImportFrom) and node.module.partition(".")[0] not in LIBRARIES:
            assert node.module in BOOK.reference.values()  # a package that a page documents
            public = importlib.import_module(node.module).__all__
            assert {alias.name for alias in node.names} <= set(public)


def on_the_page(build, name, cell):
    """The box of a cell and its output on the built page."""
    source = page_of(build, name).get_element_by_id(f"cell-{cell.id}")
    return next(box for box in source.iterancestors() if "cell" in box.classes)


@pytest.mark.parametrize("name, cell", CELLS)
def test_it_runs_alone_and_prints_what_the_page_shows(quick_build, monkeypatch, name, cell):
    for extra in EXTRAS:
        monkeypatch.setitem(sys.modules, extra, None)  # as if it were not installed
    began, printed = process_time(), io.StringIO()
    # Where pandas was imported before, it has texts in arrays of pyarrow's.
    with redirect_stdout(printed), pandas.option_context("mode.string_storage", "python"):
        exec(compile(cell.source, cell.id, "exec"), {})
    assert process_time() - began < SECONDS
    shown = on_the_page(quick_build, name, cell)
    assert shown.find_class("cell_output")[0].text_content().strip() == printed.getvalue().strip() != ""


@pytest.mark.parametrize("name, cell", CELLS)
def test_few_folds_stand_above_it(quick_build, name, cell):
    """Those of boxes apart: of the statement itself, and of what one has to know to read the cell."""
    if cell.id != "trec-in-sight":  # in a page to look things up in, with its library
        shown = on_the_page(quick_build, name, cell)
        folds = shown.xpath("preceding::details[contains(@class, 'sd-mb-3')]")  # of prose
        outside = [
            fold for fold in folds if not any("admonition" in box.classes for box in fold.iterancestors())
        ]
        assert len(outside) <= 3, [fold.find("summary").text_content() for fold in outside]


def reads_and_binds(statement):
    """The names of the notebook that a statement reads, within functions too, and those that it binds."""
    reads, binds = set(), set()
    tables = [symtable(ast.unparse(statement), "cell", "exec")]
    for table in tables:
        tables += table.get_children()
        outermost = table.get_type() == "module"
        for symbol in table.get_symbols():
            if symbol.is_referenced() and (outermost or symbol.is_global()):
                reads.add(symbol.get_name())
            if outermost and (symbol.is_assigned() or symbol.is_imported()):
                binds.add(symbol.get_name())
    if isinstance(statement, ast.For):
        reads -= {node.id for node in ast.walk(statement.target) if isinstance(node, ast.Name)}
    return reads, binds


def statements(cells):
    cells = [cell for cell in cells if cell.id != "install"]  # which has a magic of Jupyter's
    return [statement for cell in cells for statement in ast.parse(cell.source).body]


@pytest.mark.parametrize("name, cell", CELLS)
def test_it_changes_nothing_that_the_page_computes_with(name, cell):
    """What it binds anew, no function of earlier cells reads, and no later cell before it binds it itself."""
    cells = code_cells(CHAPTERS[name])
    earlier, later = cells[: cells.index(cell)], cells[cells.index(cell) + 1 :]
    computed = [one for one in statements(earlier) if not isinstance(one, (ast.Import, ast.ImportFrom))]
    bound = {name for statement in computed for name in reads_and_binds(statement)[1]}
    changed = {name for statement in statements([cell]) for name in reads_and_binds(statement)[1]}
    changed &= bound
    for function in (one for one in computed if isinstance(one, ast.FunctionDef)):
        assert not changed & reads_and_binds(function)[0], function.name
    for statement in statements(later):
        reads, binds = reads_and_binds(statement)
        assert not changed & reads
        changed -= binds
