"""The imports of the engine and the Sphinx extensions of new books are declared."""

import ast
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from claimbook.cli.main import EXTRAS as COMMAND_EXTRAS
from claimbook.cli.main import _lacking

PROJECT = Path(__file__).parents[1]
ENGINE = PROJECT / "src" / "claimbook"
DECLARED = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
# No package of their name is imported for these.
LOADED = {
    "brotli",  # by fontTools, to compress
    "font-source-sans-pro",  # by its files
    "linkify-it-py",  # by MyST, for its extension linkify
    "lxml",  # by beautifulsoup4, which takes it by name
    "sphinx-mathjax-offline",  # by its files
    "sphinx-multitoc-numbering",  # by Sphinx, without Jupyter Book
}
JUPYTER_BOOKS = {"sphinx-comments"}  # off, but its settings are made by Jupyter Book, which brings it


def names(requirements):
    return {canonicalize_name(Requirement(text).name) for text in requirements}


EXTRAS = DECLARED["optional-dependencies"]
DEPENDENCIES = names([*DECLARED["dependencies"], *EXTRAS["page"], *EXTRAS["build"]]) - {"claimbook"}


def imported():
    """Return the distributions of third-party packages that the engine imports."""
    packages_of_module = packages_distributions()
    for path in set(ENGINE.rglob("*.py")) - {ENGINE / "skeleton" / "tests" / "the_book.py"}:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.level == 0:
                modules = [node.module]
            for package in {module.partition(".")[0] for module in modules} - {"claimbook", "my_book"}:
                if package not in sys.stdlib_module_names:
                    yield from map(canonicalize_name, packages_of_module[package])


def extensions(book):
    """Return the distributions of the Sphinx extensions in a book's configuration."""
    packages_of_module = packages_distributions()
    config = yaml.safe_load((book / "_config.yml").read_text(encoding="utf-8"))["sphinx"]["config"]
    for module in config["extensions"]:
        package = module.partition(".")[0]
        if package != "claimbook":
            imported_names = {canonicalize_name(name) for name in packages_of_module[package]}
            # Several share the namespace sphinxcontrib: there a distribution has the name of its module.
            yield (
                canonicalize_name(module)
                if canonicalize_name(module) in imported_names
                else imported_names.pop()
            )


def test_what_the_engine_imports_is_declared():
    assert set(imported()) - DEPENDENCIES == {"distributed"}
    assert EXTRAS["cluster"] == ["dask[distributed]"] and DECLARED["dependencies"] == []


def test_a_command_names_the_extra_of_each_package_that_is_missing():
    packages_of_module = packages_distributions()
    for extra, (modules, _) in COMMAND_EXTRAS.items():
        imported_names = {
            canonicalize_name(name) for module in modules for name in packages_of_module.get(module, [])
        }
        assert imported_names <= names(EXTRAS[extra]) | {"distributed"}, extra


@pytest.mark.parametrize(
    "book", [ENGINE / "skeleton", *sorted((PROJECT / "examples").iterdir())], ids=lambda b: b.name
)
def test_what_a_book_loads_into_sphinx_is_declared(book):
    assert set(extensions(book)) - DEPENDENCIES == JUPYTER_BOOKS


def test_nothing_is_declared_that_is_not_used():
    assert DEPENDENCIES - set(imported()) - set(extensions(ENGINE / "skeleton")) == LOADED


def test_the_message_about_a_missing_package_names_the_extra_that_installs_it():
    assert _lacking("distributed.client").endswith("pip install './packages/claimbook[cluster]' brings it")
    assert _lacking("json") == ""
