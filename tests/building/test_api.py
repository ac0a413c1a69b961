import ast
import inspect
import re
from importlib import import_module
from pathlib import Path

import pytest
from docutils import nodes
from docutils.utils import new_document
from support import ROOT

import ndcg_companion
from claimbook.sphinxext.api import _Dashes, figures_markdown, package_markdown
from ndcg_book import BOOK

PACKAGES = ("measures", "theory", "simulation", "data", "significance")
MODULES = sorted(path for folder in BOOK.folders.values() for path in folder.rglob("*.py"))


@pytest.mark.parametrize("package", BOOK.reference)
def test_a_page_lists_every_public_name_of_its_package_once_and_in_full(package):
    listed = re.findall(r"^\.\. auto\w+:: (.+)$", package_markdown(BOOK.reference[package]), re.M)
    names = import_module(BOOK.reference[package]).__all__
    assert sorted(listed) == sorted(f"{BOOK.reference[package]}.{name}" for name in names)
    page = (ROOT / "chapters" / f"api-{package}.md").read_text(encoding="utf-8")
    assert f"{{generated}} api-{package}\n" in page
    assert f"chapters/api-{package}" in (ROOT / "_toc.yml").read_text(encoding="utf-8")


def test_the_page_of_figures_lists_each_function_that_draws_once():
    text = figures_markdown(BOOK.figures)
    assert text.count("autofunction:: ndcg_book.figures.index.who_is_ahead") == 1


def test_there_is_a_page_for_each_package():
    folder = Path(ndcg_companion.__file__).parent
    assert {path.parent.name for path in folder.glob("*/__init__.py")} == set(PACKAGES)


def documented():
    """Every function and class, with its docstring."""
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                yield f"{path.name}: {node.name}", ast.get_docstring(node) or ""


def test_doctests_have_their_own_heading_if_a_docstring_has_sections():
    """Otherwise they would be read as part of the section before them."""
    for name, text in documented():
        headings = list(re.finditer(r"^(\w[\w ]*)\n-{3,}$", text, re.M))
        if headings and ">>>" in text:
            last = [h[1] for h in headings if h.start() < text.index(">>>")][-1:]
            assert last in ([], ["Examples"]), name


@pytest.mark.parametrize("package", PACKAGES)
def test_every_public_name_says_what_it_is(package):
    home = import_module(f"ndcg_companion.{package}")
    for name in home.__all__:
        member = getattr(home, name)
        if inspect.isroutine(member) or inspect.isclass(member):
            assert len(member.__doc__.splitlines()[0]) > 15 and not member.__doc__.startswith(f"{name}("), (
                name
            )


def test_a_parameter_and_its_meaning_are_separated_by_a_dash():
    """Sphinx writes two hyphens there. Text with two hyphens in the middle of a line stays unchanged."""
    document = new_document("page")
    document += nodes.paragraph("", "", nodes.strong("", "k"), nodes.Text(" -- "), nodes.Text("a -- b"))
    _Dashes(document).run()
    assert document.astext() == "k – a -- b"
