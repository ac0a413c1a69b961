import json
import os
from pathlib import Path

import pytest
from samples import called, small_book_in

from claimbook.project import Project, read_notebook


def test_the_book_is_found_from_a_folder_inside_it(small_book):
    assert Project.find(small_book.root / "chapters").root == small_book.root
    with pytest.raises(ValueError, match="_toc.yml"):
        Project.find("/")


def test_chapters_are_in_reading_order(tmp_path):
    toc = """\
format: jb-book
root: chapters/index
parts:
- caption: One
  chapters:
  - file: chapters/a
    sections:
    - file: chapters/b
- caption: Two
  chapters:
  - file: chapters/c
"""
    (tmp_path / "_toc.yml").write_text(toc)
    (tmp_path / "_config.yml").write_text("book: plain_book:BOOK\n")
    (tmp_path / "chapters").mkdir()
    for name in ("index", "a", "b", "c"):
        (tmp_path / "chapters" / f"{name}.md").write_text(f"# {name}")
    assert [chapter.name for chapter in Project(tmp_path).chapters] == ["index", "a", "b", "c"]


def test_an_unknown_chapter_is_rejected_with_the_nearest_one(small_book):
    with pytest.raises(
        ValueError, match="chapter='frist': expected the name of a chapter; did you mean 'first'"
    ):
        small_book.chapter("frist")


def test_a_profile_only_overrides_and_is_checked(small_book):
    assert small_book.overrides("book") == {} and small_book.overrides("quick") == {"first": {}}
    quick = small_book.root / "parameters" / "quick.yml"
    quick.write_text("first: {seed: 3}\n")
    assert small_book.overrides("quick") == {"first": {"seed": 3}}
    for text, words in [
        ("frist: {seed: 3}", "did you mean"),
        ("first: {sed: 3}", "did you mean"),
        ("first: {seed: -1}", "seed=-1: expected a whole number, 0 .."),
    ]:
        quick.write_text(text)
        with pytest.raises(ValueError, match=f"quick.yml: .*{words}"):
            small_book.overrides("quick")
    with pytest.raises(ValueError, match="profile='quik'.*did you mean 'quick'"):
        small_book.overrides("quik")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("gone: {seed: 3}", "parameters/quick.yml: chapter='gone': expected the name of a chapter"),
        ("first: {gone: 3}", "parameters/quick.yml: first: gone: expected a parameter of this chapter"),
        ("first:", "parameters/quick.yml: first: expected {parameter: value}, got None"),
        ("first: {seed: -1}", "parameters/quick.yml: first: seed=-1: expected a whole number, 0 .."),
    ],
)
def test_a_stale_profile_is_rejected_before_anything_runs_also_by_a_build_at_another(
    small_book, monkeypatch, text, message
):
    (small_book.root / "parameters" / "quick.yml").write_text(text)
    monkeypatch.chdir(small_book.root)
    done = called("build")
    assert done.returncode == 2 and done.stderr.startswith(f"claimbook: {message}")
    assert done.stderr.count("\n") == 1 and "to execute" not in done.stdout
    assert not (small_book.root / "_build" / "book").exists()


def without_ids(path, minor, *kept):
    """Remove the ids of a notebook, as in nbformat 4.4, except those of some cells."""
    document = json.loads(path.read_text(encoding="utf-8")) | {"nbformat_minor": minor}
    for index, cell in enumerate(document["cells"]):
        if index not in kept:
            del cell["id"]
    path.write_text(json.dumps(document), encoding="utf-8")


@pytest.mark.parametrize("minor", [0, 4, 5])
def test_cells_without_ids_get_their_numbers(small_book, minor):
    without_ids(small_book.root / "chapters" / "first.ipynb", minor)
    ids = [cell.id for cell in Project(small_book.root).chapter("first").notebook.cells]
    assert ids == ["cell-1", "cell-2", "cell-3"]


def test_cells_with_one_id_get_ids_of_their_own_without_a_warning(small_book):
    path = small_book.chapter("first").path
    document = json.loads(path.read_text(encoding="utf-8"))
    for cell in document["cells"]:
        cell["id"] = "same"
    path.write_text(json.dumps(document), encoding="utf-8")
    assert [cell.id for cell in read_notebook(path).cells] == ["same", "cell-2", "cell-3"]


def test_no_cell_gets_the_id_of_another(small_book):
    path = small_book.root / "chapters" / "first.ipynb"
    text = path.read_text(encoding="utf-8").replace('"id": "cell-0"', '"id": "cell-1"')
    path.write_text(text, encoding="utf-8")
    without_ids(path, 5, 2)
    ids = [cell.id for cell in Project(small_book.root).chapter("first").notebook.cells]
    assert ids == ["cell-1-", "cell-2", "cell-1"]


def test_titles_and_parameters_are_read_from_the_page(small_book):
    first = small_book.chapters[0]
    assert first.title == "The chapter first" and [parameter.name for parameter in first.parameters] == [
        "seed"
    ]


@pytest.mark.parametrize("command", ["run", "sweep"])
@pytest.mark.parametrize("below", ["", "new", "new/below"])
@pytest.mark.parametrize(
    "name", ["_static", "chapters", "parameters", "_build", "linked", "chapters/../_static"]
)
def test_output_is_rejected_inside_the_sources_of_a_book(small_book, monkeypatch, name, below, command):
    monkeypatch.chdir(small_book.root)
    (small_book.root / "linked").symlink_to("_static")
    before = sorted(small_book.root.rglob("*"))
    done = called(command, "first", "seed=1", "--output", str(Path(name, below)))
    assert done.returncode == 2 and done.stderr.count("\n") == 1 and not done.stdout
    assert "expected a folder outside of the book's own" in done.stderr or (name, below) in REFUSED_BEFORE
    assert sorted(small_book.root.rglob("*")) == before


# A folder that holds something else, and a link.
REFUSED_BEFORE = [("chapters", ""), ("linked", "")]

LAUGHS = "root: a\nparts:\n" + "".join(
    f"- chapters: &a{level} [{', '.join([f'*a{level - 1}'] * 10) if level else '{file: a}'}]\n"
    for level in range(6)
)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("_toc.yml", "[", "_toc.yml, line 1: "),
        ("_toc.yml", "", "_toc.yml: expected names with values, got None"),
        ("_toc.yml", "parts: 3", "_toc.yml: expected a 'root'"),
        ("_toc.yml", "root: chapters/none", "_toc.yml: chapters/none: expected the file of a notebook"),
        ("_toc.yml", "root: a\nroot: b", "_toc.yml, line 2: root: expected one value, got two"),
        ("_toc.yml", b"\xff", "_toc.yml: "),
        (
            "parameters/quick.yml",
            "first: {seed: 1}\nfirst: {seed: 2}",
            "quick.yml, line 2: first: expected one value, got two",
        ),
        (
            "parameters/quick.yml",
            "first: {seed: 1, seed: 2}",
            "quick.yml, line 1: seed: expected one value, got two",
        ),
        ("parameters/quick.yml", "first: 3", "quick.yml: "),
        ("parameters/quick.yml", "[1]", "quick.yml: expected names with values"),
        ("_toc.yml", "root: &here a\nchapters: *here", "_toc.yml, line 2: *here: expected the value itself"),
        ("_toc.yml", "root: a\nchapters: &loop\n- sections: *loop", "_toc.yml, line 3: *loop: expected"),
        ("_toc.yml", LAUGHS, "_toc.yml, line 4: *a0: expected the value itself"),
        ("_toc.yml", "root: " + "[" * 10_000, "_toc.yml"),
        ("parameters/quick.yml", "1: {seed: 1}", "quick.yml, line 1: 1: expected a name"),
        ("parameters/quick.yml", "first: {1: 1}", "quick.yml, line 1: 1: expected a name"),
        ("parameters/quick.yml", "first: {yes: 1}", "quick.yml, line 1: yes: expected a name"),
        (
            "parameters/quick.yml",
            "? [first]\n: {seed: 1}",
            "quick.yml, line 1: a sequence as a key: expected",
        ),
        ("parameters/quick.yml", "&x x: 1\n*x : 2", "quick.yml, line 2: *x: expected the value itself"),
        ("chapters/first.ipynb", "", "first.ipynb: expected a notebook"),
        (
            "chapters/first.ipynb",
            '{"nbformat": 3}',
            "(nbformat=3: expected 4; open it in Jupyter and save it)",
        ),
        ("chapters/first.ipynb", "null", "first.ipynb: expected a notebook"),
        ("chapters/first.ipynb", "[]", "first.ipynb: expected a notebook"),
        ("chapters/first.ipynb", '{"cells": 1, "metadata": {}}', "first.ipynb: expected a notebook"),
        ("chapters/first.ipynb", "[" * 100_000, "first.ipynb: expected a notebook"),
    ],
)
def test_a_broken_file_is_named_in_one_line(name, text, message, small_book):
    path = small_book.root / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(ValueError) as error:
        book = Project(small_book.root)
        book.overrides("quick")
        assert book.chapter("first").parameters
    assert message in str(error.value) and "\n" not in str(error.value)


@pytest.mark.skipif(os.name == "nt", reason="makes pipes")
@pytest.mark.parametrize("name", ["_config.yml", "parameters/quick.yml", "chapters/first.ipynb", "_toc.yml"])
def test_a_pipe_is_named_in_one_line_and_not_waited_for(name, small_book, monkeypatch):
    path = small_book.root / name
    path.unlink()
    os.mkfifo(path)
    monkeypatch.chdir(small_book.root)
    done = called("build", "--profile", "quick")
    assert done.returncode == 2 and done.stderr.count("\n") == 1 and Path(name).stem in done.stderr


@pytest.mark.skipif(os.name == "nt", reason="needs rights to mount or link there")
def test_a_folder_of_the_book_is_known_under_another_name(small_book, monkeypatch):
    """On a disk that ignores case, `_STATIC` and `_static` are one folder."""
    other = small_book.root / "_STATIC"
    other.mkdir()
    same = lambda path, other: {path.name, Path(other).name} == {"_STATIC", "_static"}
    monkeypatch.setattr(Path, "samefile", same)
    with pytest.raises(ValueError, match="outside of the book's own _static"):
        small_book.check_output(other / "below")


def test_a_folder_without_a_configuration_is_rejected(tmp_path):
    with pytest.raises(ValueError, match=r"_config.yml: expected a file that names the book"):
        Project(tmp_path).book  # noqa: B018


@pytest.mark.parametrize(
    ("setting", "expected"),
    [
        ("", "expected MODULE:NAME"),
        ("book: nobody.has.this:BOOK", "expected MODULE:NAME"),
        ("book: plain_book", "expected MODULE:NAME"),
        ("book: json:dumps", "expected a Book, got function"),
    ],
)
def test_a_configuration_that_leads_to_no_book_is_rejected_by_the_name_of_its_file(
    tmp_path, setting, expected
):
    (tmp_path / "_config.yml").write_text(f"title: Mine\n{setting}\n")
    with pytest.raises(ValueError, match=rf"_config.yml: book=.*{expected}"):
        Project(tmp_path).book  # noqa: B018


def test_the_name_of_a_page_is_its_title_in_the_table_of_contents_or_else_its_own(tmp_path):
    root = small_book_in(tmp_path)
    toc = root / "_toc.yml"
    toc.write_text(
        toc.read_text(encoding="utf-8").replace("chapters/second", "chapters/second\n  title: Short")
    )
    names = Project(root).names
    assert names["chapters/second"] == "Short"
    assert names["chapters/first"] == Project(root).chapter("first").title
