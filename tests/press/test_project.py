import pytest

from ndcg_companion.press.project import Project


def test_the_book_is_found_from_a_folder_inside_it(small_book):
    assert Project.find(small_book.root / "chapters").root == small_book.root
    with pytest.raises(ValueError, match="_toc.yml"):
        Project.find("/")


def test_chapters_come_in_reading_order(tmp_path):
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
    (tmp_path / "chapters").mkdir()
    for name in ("index", "a", "b", "c"):
        (tmp_path / "chapters" / f"{name}.md").write_text(f"# {name}")
    assert [chapter.name for chapter in Project(tmp_path).chapters] == ["index", "a", "b", "c"]


def test_an_unknown_chapter_is_refused_with_the_nearest_one(small_book):
    with pytest.raises(ValueError, match="frist: no chapter has that name; did you mean 'first'"):
        small_book.chapter("frist")


def test_a_profile_only_overrides_and_is_checked(small_book):
    assert small_book.overrides("book") == {} and small_book.overrides("quick") == {}
    (small_book.root / "parameters").mkdir()
    quick = small_book.root / "parameters" / "quick.yml"
    quick.write_text("first: {seed: 3}\n")
    assert small_book.overrides("quick") == {"first": {"seed": 3}}
    for text, words in [
        ("frist: {seed: 3}", "did you mean"),
        ("first: {sed: 3}", "did you mean"),
        ("first: {seed: -1}", "seed >= 0"),
    ]:
        quick.write_text(text)
        with pytest.raises(ValueError, match=f"quick.yml: .*{words}"):
            small_book.overrides("quick")
    with pytest.raises(ValueError, match="profile=quik.*did you mean 'quick'"):
        small_book.overrides("quik")


def test_titles_and_parameters_are_read_from_the_page(small_book):
    first = small_book.chapters[0]
    assert first.title == "The chapter first" and [parameter.name for parameter in first.parameters] == [
        "seed"
    ]


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("_toc.yml", "[", "_toc.yml, line 1: "),
        ("_toc.yml", "", "_toc.yml: expected names with values, got None"),
        ("_toc.yml", "parts: 3", "_toc.yml: expected a 'root'"),
        ("_toc.yml", "root: chapters/none", "_toc.yml: chapters/none: no such notebook"),
        ("_toc.yml", "root: a\nroot: b", "_toc.yml, line 2: root is given twice"),
        ("_toc.yml", b"\xff", "_toc.yml: "),
        (
            "parameters/quick.yml",
            "first: {seed: 1}\nfirst: {seed: 2}",
            "quick.yml, line 2: first is given twice",
        ),
        ("parameters/quick.yml", "first: {seed: 1, seed: 2}", "quick.yml, line 1: seed is given twice"),
        ("parameters/quick.yml", "first: 3", "quick.yml: "),
        ("parameters/quick.yml", "[1]", "quick.yml: expected names with values"),
        ("chapters/first.ipynb", "", "first.ipynb: expected a notebook"),
        ("chapters/first.ipynb", "null", "first.ipynb: expected a notebook"),
        ("chapters/first.ipynb", "[]", "first.ipynb: expected a notebook"),
        ("chapters/first.ipynb", '{"cells": 1, "metadata": {}}', "first.ipynb: expected a notebook"),
        ("chapters/first.ipynb", "[" * 100_000, "first.ipynb: expected a notebook"),
    ],
)
def test_a_broken_file_is_named_in_one_line(name, text, told, small_book):
    path = small_book.root / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(ValueError) as error:
        book = Project(small_book.root)
        book.overrides("quick")
        assert book.chapter("first").parameters
    assert told in str(error.value) and "\n" not in str(error.value)
