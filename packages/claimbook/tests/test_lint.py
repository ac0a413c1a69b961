"""Each rule of ``claimbook lint`` rejects a chapter that breaks it, by file and cell."""

from dataclasses import replace

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell
from samples import called, small_book_in, write_notebook

from claimbook.cells import cell_name
from claimbook.lint import offences, the_package_can_be_fetched
from claimbook.project import Project

TITLE = "Twice a seed is even whatever it is"
TABLE = "{.notation}\n| symbol | meaning |\n|---|---|\n| $n$ | how many |\n"
BOX = "```{{prf:lemma}} Small\n:symbols: {symbols}\n\nIt is about ${formula}$.\n```"


@pytest.fixture
def book(tmp_path):
    """Return a book of two chapters that follow the rules."""
    root = small_book_in(tmp_path)
    for name in ("first", "second"):
        write_notebook(root / "chapters" / f"{name}.ipynb", "2 * seed", title=TITLE)
    return root


def edited(book, change):
    """Return the first chapter after a change of its notebook."""
    path = book / "chapters" / "first.ipynb"
    notebook = nbformat.read(path, as_version=4)
    change(notebook)
    nbformat.write(notebook, path)


def code(source, **settings):
    return new_code_cell(source, id="added", **settings)


def prose(source):
    return new_markdown_cell(source, id="added")


def test_a_book_that_follows_the_rules_passes(book):
    done = called("lint", str(book))
    assert (done.returncode, done.stdout) == (0, "all chapters follow the rules\n")


def test_the_book_that_new_begins_follows_the_rules(tmp_path, monkeypatch):
    assert called("new", str(tmp_path / "begun")).returncode == 0
    monkeypatch.chdir(tmp_path / "begun")
    assert called("new-chapter", "my-question").returncode == 0
    assert [*offences(Project.find("."))] == []


@pytest.mark.parametrize(
    ("change", "cell", "expected"),
    [
        (lambda book: book.cells[1].update(execution_count=3), "parameters", "expected no stored output"),
        (lambda book: book.metadata.kernelspec.update(name="julia"), "", "expected the kernel 'python3'"),
        (lambda book: book.metadata.update(author="me"), "", "expected no metadata but kernelspec"),
        (lambda book: book.cells[2].update(id="1a2b3c4d"), "1a2b3c4d", "expected an id of words"),
        (lambda book: book.cells[2].update(id="Two-Words"), "Two-Words", "expected an id of words"),
        (lambda book: book.cells[0].update(source="## Small"), "title", "expected the title ('# …') first"),
        (lambda book: book.cells[0].update(source="# On seeds"), "title", "expected a title of at least 4"),
        (
            lambda book: book.cells[1].metadata.update(tags=[]),
            "",
            "expected the tag 'parameters' on the first",
        ),
        (
            lambda book: book.cells[2].metadata.update(tags=["parameters"]),
            "",
            "expected the tag 'parameters' on the first",
        ),
        (lambda book: book.cells[1].update(source="n: int = 1"), "parameters", "n: expected help and"),
        (lambda book: book.cells.append(code("x = 1\n" * 16)), "added", "expected at most 15 lines, got 16"),
        (
            lambda book: book.cells.append(code(f"x = 1\ny = '{'y' * 88}'")),
            "added",
            "line 2: expected at most 88 columns, got 94",
        ),
        (lambda book: book.cells.append(prose("It is 0.25 here.")), "added", "expected a computed number"),
        (
            lambda book: book.cells.append(
                prose("```{exercise}\n:label: one\n```\n```{solution} two\n```\n")
            ),
            "added",
            "expected the solution of one, got that of two",
        ),
        (
            lambda book: book.cells.append(prose(TABLE + BOX.format(symbols="m", formula="n"))),
            "added",
            "Small: expected symbols that occur in the box, got m",
        ),
        (
            lambda book: book.cells.append(prose(TABLE + BOX.format(symbols="k", formula="k"))),
            "added",
            "Small: expected a meaning of k",
        ),
        (
            lambda book: book.cells.append(prose(TABLE + BOX.format(symbols="", formula="n"))),
            "added",
            "Small: expected ':symbols:'",
        ),
    ],
)
def test_a_broken_rule_is_reported_with_file_and_cell(book, change, cell, expected):
    edited(book, change)
    done = called("lint", str(book))
    assert done.returncode == 1 and done.stderr == ""
    (chapter, *_) = Project(book).notebooks
    name = cell_name(chapter.notebook, cell) if cell else ""
    assert bool(cell) == name.startswith("cell ")
    location = ", ".join(filter(None, ["chapters/first.ipynb", name])) + ": "
    assert any(line.startswith(f"{location}{expected}") for line in done.stdout.splitlines()), done.stdout


def test_a_book_that_installs_itself_has_its_cell_for_that_second(book):
    fetching = {"remove-input", "skip-execution"}
    (chapter, *_) = Project(book).notebooks
    chapter = replace(chapter, book=replace(chapter.book, install="%pip install mine"))
    assert [*the_package_can_be_fetched(chapter)] == [
        ("cell-0", "expected the second code cell to be '%pip install mine'")
    ]
    chapter.notebook.cells[2].source = "%pip install mine"
    assert [*the_package_can_be_fetched(chapter)] == [
        ("cell-0", "expected the tags remove-input and skip-execution")
    ]
    chapter.notebook.cells[2].metadata["tags"] = [*fetching]
    assert [*the_package_can_be_fetched(chapter)] == []


def test_definitions_code_and_links_may_hold_numbers(book):
    edited(book, lambda book: book.cells.append(prose("`0.25`, $x=0.25$, [a link](a/1.25/b), 1.5 and 2")))
    assert [*offences(Project(book))] == []


def test_symbols_are_asked_for_only_in_a_book_with_a_table_of_notation(book):
    edited(book, lambda book: book.cells.append(prose(BOX.format(symbols="", formula="n"))))
    assert [*offences(Project(book))] == []


def test_a_profile_may_only_set_what_a_chapter_has(book):
    (book / "parameters" / "quick.yml").write_text("first: {sed: 3}\n", encoding="utf-8")
    assert "sed" in called("lint", str(book)).stdout


def test_a_folder_without_a_book_is_rejected(tmp_path):
    done = called("lint", str(tmp_path))
    assert done.returncode == 2 and "expected a _toc.yml here or above" in done.stderr
    done = called("lint", str(tmp_path / "nowhere"))
    assert done.returncode == 2 and "nowhere: expected the folder of a book" in done.stderr


def test_a_name_that_fills_more_than_a_line_of_the_side_bar_is_named(book):
    toc = book / "_toc.yml"
    lines = toc.read_text(encoding="utf-8")
    toc.write_text(
        lines.replace("chapters/second", "chapters/second\n  title: Twice a seed, whatever seed it is")
    )
    assert [*offences(Project.find(book))] == [
        "_toc.yml: chapters/second: expected a title of at most 28 characters, "
        "got 'Twice a seed, whatever seed it is'"
    ]
