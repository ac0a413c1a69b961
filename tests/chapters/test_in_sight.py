"""The visible cells of a page, each of which runs alone and prints what the page shows."""

import ast
import importlib
import io
import sys
from contextlib import redirect_stdout
from functools import cache
from symtable import symtable
from time import process_time
from types import SimpleNamespace

import pandas
import pytest
from lxml import html
from support import PROJECT

from ndcg_book import BOOK

LINES, SECONDS = 15, 5
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


CELLS = [(name, cell) for name, chapter in CHAPTERS.items() for cell in shown_cells(chapter)]


def test_a_page_on_a_statement_has_one_visible_cell():
    for name, chapter in CHAPTERS.items():
        count = len(shown_cells(chapter))
        judges = any("page.finding(" in cell.source for cell in code_cells(chapter))
        assert 1 <= count <= 3 if name in UP_TO_THREE else count == judges, name


def foreign_names(cell):
    """What a cell reads or imports that a reader who installed the package alone would not have."""
    for node in ast.walk(ast.parse(cell.source)):
        if isinstance(node, (ast.Name, ast.Attribute)):
            name = getattr(node, "id", getattr(node, "attr", ""))
            yield from [name] if name.startswith("_") else []
        if isinstance(node, ast.Import):
            yield from {alias.name.partition(".")[0] for alias in node.names} - LIBRARIES
        if isinstance(node, ast.ImportFrom) and node.module.partition(".")[0] not in LIBRARIES:
            documented = node.module in BOOK.reference.values()  # a package that has a page
            public = importlib.import_module(node.module).__all__ if documented else ()
            yield from {alias.name for alias in node.names} - {*public}


def test_a_visible_cell_is_short_and_uses_only_public_names():
    for name, cell in CELLS:
        lines = cell.source.splitlines()
        assert len(lines) <= LINES, f"{name}, {cell.id}"
        assert [*foreign_names(cell)] == [], f"{name}, {cell.id}"


def test_a_cell_with_private_names_or_packages_of_an_extra_is_found():
    cell = SimpleNamespace(source="import seaborn\nfrom ndcg_companion.measures import ndcg, _x\nx._y")
    assert {*foreign_names(cell)} == {"seaborn", "_x", "_y"}


def on_the_page(build, name, cell):
    """The box of a cell and its output on the built page."""
    source = page_of(build, name).get_element_by_id(f"cell-{cell.id}")
    return next(box for box in source.iterancestors() if "cell" in box.classes)


@pytest.mark.parametrize("name, cell", CELLS, ids=[f"{name}-{cell.id}" for name, cell in CELLS])
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


def test_few_folds_are_above_a_visible_cell(quick_build):
    """Folds in boxes do not count: those of the statement, and of what is needed to read the cell."""
    for name, cell in CELLS:
        if cell.id == "trec-in-sight":  # in a page to look things up in, with its library
            continue
        shown = on_the_page(quick_build, name, cell)
        folds = shown.xpath("preceding::details[contains(@class, 'sd-mb-3')]")  # of prose
        outside = [
            fold for fold in folds if not any("admonition" in box.classes for box in fold.iterancestors())
        ]
        assert len(outside) <= 3, (name, [fold.find("summary").text_content() for fold in outside])


class LocalNames(ast.NodeTransformer):
    """Renames the variables of comprehensions, which Python lists with those of the module since 3.12."""

    prefix = "local_to_comprehension_"

    def visit_comprehension_of_any_kind(self, node):
        self.generic_visit(node)
        targets = [part for generator in node.generators for part in ast.walk(generator.target)]
        names = {part.id for part in targets if isinstance(part, ast.Name)}
        outermost_iterable = {id(part) for part in ast.walk(node.generators[0].iter)}
        for part in ast.walk(node):
            if isinstance(part, ast.Name) and part.id in names and id(part) not in outermost_iterable:
                part.id = self.prefix + part.id
        return node

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = visit_comprehension_of_any_kind


def reads_and_binds(statement):
    """The names of the notebook that a statement reads, within functions too, and those that it binds."""
    reads, binds = set(), set()
    statement = LocalNames().visit(ast.parse(ast.unparse(statement)).body[0])
    tables = [symtable(ast.unparse(statement), "cell", "exec")]
    for table in tables:
        tables += table.get_children()
        outermost = table.get_type() == "module"
        for symbol in table.get_symbols():
            if symbol.get_name().startswith(LocalNames.prefix):
                continue
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


def changed_by(name, shown):
    """The names that a page computes with, of those that a cell in sight binds anew.

    Such a name is read by no function of earlier cells, and by no later cell before it binds it itself.
    """
    cells = code_cells(CHAPTERS[name])
    earlier, later = cells[: cells.index(shown)], cells[cells.index(shown) + 1 :]
    computed = [node for node in statements(earlier) if not isinstance(node, (ast.Import, ast.ImportFrom))]
    bound = {name for statement in computed for name in reads_and_binds(statement)[1]}
    anew = {name for statement in statements([shown]) for name in reads_and_binds(statement)[1]} & bound
    for function in (node for node in computed if isinstance(node, ast.FunctionDef)):
        yield from anew & reads_and_binds(function)[0]
    for statement in statements(later):
        reads, binds = reads_and_binds(statement)
        yield from anew & reads
        anew -= binds


def test_a_visible_cell_changes_nothing_that_the_page_computes_with():
    changed = {f"{name}, {cell.id}": {*changed_by(name, cell)} for name, cell in CELLS}
    assert {cell_name: names for cell_name, names in changed.items() if names} == {}
