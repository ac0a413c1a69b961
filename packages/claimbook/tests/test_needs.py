"""Missing requirements of directives are reported before anything is executed."""

from dataclasses import replace

import nbformat
import pytest
from nbformat.v4 import new_markdown_cell
from plain_book import BOOK, SMALL
from samples import called

from claimbook.project import Chapter
from claimbook.sphinxext.needs import check_needs, generated
from claimbook.sphinxext.sources import PageSources

METADATA = """[project]
name = "b"
version = "1"
description = "d"
license = "MIT"
authors = [{name = "A"}]
"""
BOX = "```{{prf:lemma}} A box\n:label: a\n:symbols: {}\n\n$q$\n```"
LACKING = {
    "```{generated} errata\n```": "generated='errata': expected one of ",
    "```{generated} cite\n```": "expected name, version, description, license, authors below [project]",
    "```{generated} highlights\n```": "expected rows in nothing/highlights.csv (id,sentence)",
    "```{generated} map\n```": "expected Book.paths",
    ":::{in-short}\n:statements: note/claim-1\n:::": "statement='note/claim-1': expected a statement of",
    ":::{in-short}\n:first: secnd\n:::": "first='secnd': expected one of first, second; did you mean",
    BOX.format("q"): "symbols='q': expected 'symbol = meaning'",
}


def with_cell(book, text):
    """Return the book with one more Markdown cell in its first chapter."""
    path = book.root / "chapters" / "first.ipynb"
    notebook = nbformat.read(path, as_version=4)
    notebook.cells.append(new_markdown_cell(f"## Below\n\n{text}", id="below"))
    nbformat.write(notebook, path)
    return type(book)(book.root)


@pytest.mark.parametrize(("text", "message"), LACKING.items())
def test_what_a_directive_lacks_is_said_before_anything_runs(small_book, monkeypatch, text, message):
    monkeypatch.chdir(with_cell(small_book, text).root)
    for command in (["build"], ["run", "first"]):
        done = called(*command)
        assert done.returncode == 2 and done.stdout == "", command
        assert done.stderr.startswith('claimbook: chapters/first.ipynb, cell 4 of 4, "Below": ')
        assert message in done.stderr


def test_what_has_all_that_it_needs_passes(small_book):
    (small_book.root / "pyproject.toml").write_text(METADATA, encoding="utf-8")
    config = small_book.root / "_config.yml"
    config.write_text(config.read_text(encoding="utf-8").replace('copyright: ""', "copyright: 2024"))
    book = with_cell(small_book, "```{generated} cite\n```\n\n" + BOX.format("q = the heat"))
    check_needs(book)


@pytest.mark.parametrize("name", ["title", "author", "copyright"])
def test_what_each_page_is_cited_with_is_asked_for(small_book, name):
    config = small_book.root / "_config.yml"
    lines = config.read_text(encoding="utf-8").splitlines(keepends=True)
    config.write_text("".join(line for line in lines if not line.startswith(f"{name}:")), encoding="utf-8")
    with pytest.raises(ValueError, match=f"_config.yml: expected {name}"):
        check_needs(small_book)


def test_every_fragment_has_its_needs(small_book, tmp_path):
    (tmp_path / "findings.json").write_text('{"profile": "book", "findings": []}')
    vars(small_book)["book"] = replace(SMALL, reference={"key": "claimbook"}, figures="plain_book")
    fragments = PageSources(small_book, tmp_path / "executed").fragments("chapters/first")
    assert fragments.keys() == generated(small_book).keys()


def test_a_page_without_cells_is_named_by_its_file(small_book):
    (small_book.root / "chapters" / "words.md").write_text("# Words\n\n```{generated} cite\n```\n")
    with pytest.raises(ValueError, match=r"^chapters/words.md: generated='cite': pyproject.toml: expected"):
        check_needs(small_book, [Chapter(small_book.root, "chapters/words", BOOK)])
