"""A new book builds at once, and turns red when a claim of it is made false."""

import pytest

from claimbook.cli.main import main


@pytest.fixture(scope="module")
def book(tmp_path_factory, claimbook):
    """The folder of a new book that was built."""
    folder = tmp_path_factory.mktemp("new") / "first-words"
    assert claimbook("new", folder.name, cwd=folder.parent).returncode == 0
    done = claimbook("build", cwd=folder)
    assert done.returncode == 0 and "WARNING" not in done.stderr, done.stderr
    return folder


def test_it_has_its_verdicts_its_figure_its_errata_and_its_search(book, claimbook):
    site = book / "_build" / "book" / "html"
    page = (site / "chapters" / "index.html").read_text(encoding="utf-8")
    assert "A note, Claim 2, corrected" in page and "✕ contradicted" in page and "<img" in page
    assert 'id="erratum-note-claim-2"' in (site / "chapters" / "errata.html").read_text(encoding="utf-8")
    assert (site / "search.js").is_file() and "First words" in page
    done = claimbook("ledger", cwd=book)
    assert done.returncode == 0 and done.stdout.count("proved here   ■ proved here") == 2


def test_nothing_of_the_skeleton_keeps_its_name(book):
    files = [path for path in book.rglob("*") if path.is_file() and "_build" not in path.parts]
    assert (book / "first_words" / "__init__.py") in files
    for path in files:
        if path.suffix != ".pyc":
            assert "my_book" not in path.read_text(encoding="utf-8"), path


def test_a_claim_that_is_made_false_fails_the_build(book, claimbook):
    chapter = book / "chapters" / "index.ipynb"
    text = chapter.read_text(encoding="utf-8")
    chapter.write_text(text.replace("2 * lengths - 1", "2 * lengths - 2", 1), encoding="utf-8")
    done = claimbook("build", cwd=book)
    assert done.returncode == 1 and "note/claim-1" in done.stderr


@pytest.mark.parametrize("name", ["a b", "1st", "x" * 80, "böse"])
def test_a_name_that_is_no_package_is_refused(tmp_path, monkeypatch, capsys, name):
    monkeypatch.chdir(tmp_path)
    assert main(["new", name]) == 2 and not any(tmp_path.iterdir())
    assert "expected a name of letters" in capsys.readouterr().err


def test_what_stands_in_a_folder_is_not_overwritten(tmp_path, capsys):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "README.md").write_text("mine")
    assert main(["new", str(tmp_path / "mine")]) == 2
    assert [path.read_text() for path in (tmp_path / "mine").iterdir()] == ["mine"]
    assert "expected a new or an empty folder" in capsys.readouterr().err
