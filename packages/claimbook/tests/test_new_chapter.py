"""``claimbook new-chapter`` adds a page and changes nothing else.

test_books builds the page.
"""

import os
import sys

import pytest
from samples import called

from claimbook.cli.main import main
from claimbook.cli.new_chapter import with_entry, with_row


@pytest.fixture
def book(tmp_path, monkeypatch):
    """Return the folder of a new book, whose module this process has not imported."""
    assert main(["new", str(tmp_path / "book")]) == 0
    monkeypatch.chdir(tmp_path / "book")
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setenv("PYTHONPATH", os.environ.get("PYTHONPATH", ""))
    yield tmp_path / "book"
    sys.modules.pop("book", None)


def every_file(folder):
    """Return the contents of each file, without bytecode."""
    files = (path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {path: path.read_bytes() for path in files}


def test_a_new_chapter_is_in_the_contents_the_registry_and_the_highlights(book):
    (book / "book" / "content" / "highlights.csv").write_text("id,sentence\n", encoding="utf-8")
    before = every_file(book)
    assert called("new-chapter", "my-question").returncode == 0
    changed = {path.name for path, text in every_file(book).items() if before.get(path) != text}
    assert changed == {"my-question.ipynb", "_toc.yml", "registry.csv", "highlights.csv"}
    assert (book / "book" / "content" / "highlights.csv").read_text().endswith('n(n + 1)/2."\n')
    again = called("new-chapter", "my-question")
    assert again.returncode == 2 and "expected a new name; another page has this name" in again.stderr


@pytest.mark.parametrize("name", ["My question", "../outside", "index", "", "a--b", "1st"])
def test_a_bad_name_is_rejected_before_anything_is_written(book, name, capsys):
    before = every_file(book)
    assert main(["new-chapter", name]) == 2
    assert len(capsys.readouterr().err.strip().splitlines()) == 1
    assert every_file(book) == before


def test_an_entry_follows_its_page_and_what_belongs_to_that(tmp_path):
    contents = "root: a\nparts:\n  - caption: One  # kept\n    chapters:\n      - file: b\n        title: B\n"
    assert with_entry(contents, "b", "c") == contents + "      - file: c\n"
    with pytest.raises(ValueError, match="_toc.yml"):
        with_entry("{root: a, chapters: [{file: b}]}\n", "b", "c")


def test_an_entry_may_be_the_first_in_a_list_at_the_end_of_the_contents():
    assert with_entry("root: a\nchapters:\n", "a", "c") == "root: a\nchapters:\n  - file: c\n"


def test_a_row_ends_its_line_as_the_others_do():
    assert with_row("id,page\r\na,b\r\n", {"id": "c,d", "page": "e"}) == 'id,page\r\na,b\r\n"c,d",e\r\n'
