"""Failures of the renderer: their messages and what remains afterwards.

Complete books are built in test_extension.
"""

import os
import shutil
from types import SimpleNamespace

import nbformat
import pytest
from nbformat.v4 import new_markdown_cell
from plain_book import BOOK
from samples import called, finding

from claimbook import build
from claimbook.output_metadata import METADATA_KEY
from claimbook.reports.ledger import problems
from claimbook.writing import LOCK, MARKER

RENDERER = """
import pathlib, sys
folder = pathlib.Path(sys.argv[sys.argv.index("--path-output") + 1])
folder.joinpath("_build").mkdir(parents=True)
folder.joinpath("_build", "half.html").write_text("half")
print({said!r})
sys.exit({code})
"""
WARNED, FAILED = "first.md:1: WARNING: no such page", "TypeError: no text"
SAID = f"\x1b[31mreading\x1b[0m\n{WARNED}\n{FAILED}\nlast words"


@pytest.mark.parametrize(
    ("code", "said", "strict", "troubles"),
    [
        (0, SAID, False, []),
        (0, SAID, True, []),  # the renderer's own -W makes a warning a failure
        (1, SAID, True, [WARNED]),
        (2, SAID, False, [FAILED]),  # not its warnings, which are no trouble here
        (
            1,
            "The book cannot be published:\nno caption\nTraceback\nRuntimeError: above",
            True,
            ["no caption"],
        ),
        (2, "one\ntwo\nkilled", False, ["one", "two", "killed"]),
    ],
)
def test_a_page_that_cannot_be_rendered_is_a_failure(code, said, strict, troubles, small_book, monkeypatch):
    monkeypatch.setattr(build, "_START", RENDERER.format(said=said, code=code))
    folder, log = small_book.root / "work", small_book.root / "log"
    assert build.render(small_book, small_book.root, folder, log, strict) == troubles
    assert (
        log.read_text(encoding="utf-8").splitlines()
        == said.replace("\x1b[31m", "").replace("\x1b[0m", "").splitlines()
    )
    assert (folder / "_build").exists() == (code == 0)  # half a site would be passed over the next time


def test_a_build_that_cannot_be_rendered_names_the_log_of_the_renderer(small_book, monkeypatch):
    executed = small_book.root / "_build" / "quick" / "executed"
    executed.mkdir(parents=True)
    monkeypatch.setattr(build, "bring_up_to_date", lambda *_: (executed, []))
    monkeypatch.setattr(build, "PageSources", lambda *_: SimpleNamespace(frame="frame", made_of="text"))
    monkeypatch.setattr(build, "_START", RENDERER.format(said=SAID, code=1))
    expected = [WARNED, "_build/quick/render.log: the complete output of the renderer"]
    assert build.build(small_book, "quick") == expected and (executed.parent / "render.log").is_file()


def executed_as(name, **outcome):
    """Return executed chapters, the first with one finding of a page of that name."""
    first_finding = finding("note/claim-1", page=name, **outcome)
    return lambda path: {
        "cells": [
            {"outputs": [{"metadata": {METADATA_KEY: {"finding": first_finding}}}] * (path.stem == "first")}
        ]
    }


def test_a_page_with_the_name_of_another_is_rejected_with_both(small_book, monkeypatch):
    monkeypatch.setattr(build, "execute", lambda *_: [])
    monkeypatch.setattr(build, "read_executed", executed_as("frist"))
    with pytest.raises(ValueError, match=r"first.ipynb: Page\('frist'\): expected Page\('first'\)"):
        build.bring_up_to_date(small_book, "quick", 1)


def test_a_finding_based_on_a_missing_proof_fails_the_build(small_book, monkeypatch):
    monkeypatch.setattr(build, "execute", lambda *_: [])
    monkeypatch.setattr(build, "read_executed", executed_as("first", basis="proof"))
    vars(small_book)["book"] = BOOK
    monkeypatch.setattr(build, "check_places", lambda *_: None)
    _, troubles = build.bring_up_to_date(small_book, "quick", 1)
    assert any("basis='proof' of note/claim-1: expected a proof" in line for line in troubles)


def test_a_build_names_the_pages_that_the_contents_do_not_list(small_book, monkeypatch, capsys):
    monkeypatch.setattr(build, "execute", lambda *_: [])
    monkeypatch.setattr(build, "read_executed", executed_as("first"))
    (small_book.root / "chapters" / "third.md").write_text("# Third")
    build.bring_up_to_date(small_book, "quick", 1)
    assert (
        "not in the book, because _toc.yml does not list them: chapters/third.md" in capsys.readouterr().out
    )


def test_a_run_reports_the_problems_of_a_build(small_book, monkeypatch):
    alike = finding("note/claim-1", "inconclusive", differs=False) | {"needs": "", "expected": "consistent"}
    monkeypatch.chdir(small_book.root)
    monkeypatch.setattr("claimbook.project.book_of", lambda *_: BOOK)
    monkeypatch.setattr(build, "run", lambda *_: ("runs", [alike], []))
    done = called("run", "first")
    assert done.returncode == 1
    for line in problems(BOOK, [alike], {"first"}):
        assert line in done.stdout
    assert "claim and control both pass" in done.stdout


@pytest.mark.parametrize("command", [("build",), ("pdf",), ("run", "first"), ("sweep", "first", "seed=1,2")])
def test_a_profile_without_a_file_is_rejected(command, small_book, monkeypatch):
    monkeypatch.chdir(small_book.root)
    done = called(*command, "--profile", "deep")
    assert done.returncode == 2 and "profile='deep': expected the file parameters/deep.yml" in done.stderr


@pytest.mark.parametrize("strict", [True, False])
def test_warnings_count_only_in_strict_rendering(strict, small_book, monkeypatch):
    monkeypatch.setattr(build, "_START", "import sys; print(sys.argv)")
    build.render(small_book, small_book.root, small_book.root / "work", small_book.root / "log", strict)
    assert ("'-W'" in (small_book.root / "log").read_text(encoding="utf-8")) == strict


@pytest.mark.parametrize("encoding", ["cp1252", "ascii"])
def test_renderer_output_is_utf_8_in_any_terminal(encoding, small_book, monkeypatch):
    monkeypatch.setenv("PYTHONIOENCODING", encoding)
    monkeypatch.setattr(build, "_START", "print('chapters/größe.md: WARNING: ∎'); raise SystemExit(1)")
    log = small_book.root / "log"
    warnings = build.render(small_book, small_book.root, small_book.root / "work", log)
    assert warnings == ["chapters/größe.md: WARNING: ∎"] == log.read_text(encoding="utf-8").splitlines()


def test_a_run_whose_page_fails_writes_nothing(small_book, monkeypatch):
    monkeypatch.setattr(build, "_START", RENDERER.format(said=FAILED, code=1))
    chapter = small_book.chapter("second")
    folder, _, troubles = build.run(small_book, chapter, {"seed": 2}, output=small_book.root / "new")
    assert troubles == [FAILED] and not folder.exists()


def test_a_run_has_the_bibliography_of_a_page_without_code_only(small_book, monkeypatch):
    listed = []
    monkeypatch.setattr(
        build,
        "render",
        lambda project, *_, strict: listed.extend(page.file for page in project.chapters) or ["stopped"],
    )
    chapters = small_book.root / "chapters"
    directive = "```{bibliography}\n```\n"
    notebook = nbformat.read(chapters / "first.ipynb", as_version=4)
    notebook.cells.append(new_markdown_cell(directive, id="books"))
    nbformat.write(notebook, chapters / "first.ipynb")
    (chapters / "books.md").write_text(f"# Books\n\n{directive}", encoding="utf-8")
    toc = small_book.root / "_toc.yml"
    toc.write_text(toc.read_text(encoding="utf-8") + "- file: chapters/books\n", encoding="utf-8")
    book = type(small_book)(small_book.root)
    for name in ("first", "second"):
        build.run(book, book.chapter(name), {}, output=small_book.root / f"run-{name}")
    assert listed == ["chapters/first", "chapters/books", "chapters/second", "chapters/books"]


SITE = """
import pathlib, sys
site = pathlib.Path(sys.argv[sys.argv.index("--path-output") + 1], "_build", "html")
(site / "chapters").mkdir(parents=True, exist_ok=True)
site.joinpath("index.html").write_text({text!r})
site.joinpath("chapters", "page.html").write_text("same")
"""


@pytest.fixture
def built(small_book, monkeypatch):
    """Return a book that executes no chapter, and a function that builds it with a text."""
    executed = small_book.root / "_build" / "quick" / "executed"
    monkeypatch.setattr(build, "bring_up_to_date", lambda *_: (executed, []))

    def again(text):
        monkeypatch.setattr(build, "_START", SITE.format(text=text))
        monkeypatch.setattr(build, "PageSources", lambda *_: SimpleNamespace(frame="frame", made_of=text))
        assert build.build(small_book, "quick") == []
        return executed.parent / "html"

    again("first")
    return again


def everything(folder):
    return {
        path: os.readlink(path) if path.is_symlink() else path.is_file() and path.read_bytes()
        for path in folder.rglob("*")
        if path.name != LOCK
    }


NOT_OURS = {
    "a page that was edited": lambda home: (home / "html" / "index.html").write_text("mine"),
    "a site that no build marked": lambda home: (home / "html" / MARKER).unlink(),
    "a file for the site": lambda home: (shutil.rmtree(home / "html"), (home / "html").write_text("mine")),
    "a link for the site": lambda home: (
        (home / "html").rename(home / "mine"),
        (home / "html").symlink_to("mine"),
    ),
}


@pytest.mark.skipif(os.name == "nt", reason="makes links")
@pytest.mark.parametrize("change", NOT_OURS.values(), ids=NOT_OURS)
def test_a_site_never_replaces_files_that_no_build_wrote(change, built, small_book):
    home = small_book.root / "_build" / "quick"
    change(home)
    before = everything(home)
    with pytest.raises(ValueError, match="move it away|earlier site, got"):
        built("second")
    assert everything(home) == before


def test_a_new_site_leaves_no_pdf_of_the_old_one(built, small_book):
    home = small_book.root / "_build" / "quick"
    for name in ("plain-book.pdf", "printed"):
        (home / name).write_text("of the first", encoding="utf-8")
    built("first")
    assert (home / "plain-book.pdf").exists() and (home / "printed").exists()
    built("second")
    assert not (home / "plain-book.pdf").exists() and not (home / "printed").exists()


def test_what_a_user_put_into_the_site_stays_beside_the_next_one(built, small_book, monkeypatch):
    mine, render = small_book.root / "_build" / "quick" / "html" / "CNAME", build.render
    monkeypatch.setattr(build, "render", lambda *given: (mine.write_text("mine"), render(*given))[1])
    assert (built("second") / "index.html").read_text(encoding="utf-8") == "second"
    assert mine.read_text(encoding="utf-8") == "mine"


def test_a_page_that_is_edited_while_the_next_one_is_rendered_stays(built, small_book, monkeypatch):
    page, render = small_book.root / "_build" / "quick" / "html" / "index.html", build.render
    monkeypatch.setattr(build, "render", lambda *given: (page.write_text("mine"), render(*given))[1])
    with pytest.raises(ValueError, match="index.html: expected a file unchanged since claimbook wrote it"):
        built("second")
    assert page.read_text(encoding="utf-8") == "mine"


def test_a_site_is_replaced_by_the_next_one_also_where_pages_are_missing(built, small_book):
    home = small_book.root / "_build" / "quick"
    assert (built("second") / "index.html").read_text(encoding="utf-8") == "second"
    shutil.rmtree(home / "html" / "chapters")  # what is missing is nobody's
    assert (built("third") / "chapters" / "page.html").exists()
