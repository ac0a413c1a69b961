"""The tables of a book: what is wrong in one is said in a line that names the row, before any work."""

import shutil
from dataclasses import replace

import pytest
from plain_book import BOOK
from samples import called, finding

from claimbook.reports.errata import errata
from claimbook.reports.ledger import problems


@pytest.fixture
def edited(tmp_path):
    """The plain book with one text of one of its tables in place of another."""
    content = shutil.copytree(BOOK.content, tmp_path / "content")

    def edit(table, old, new):
        text = (content / table).read_text(encoding="utf-8")
        assert old in text
        (content / table).write_text(text.replace(old, new, 1), encoding="utf-8")
        return replace(BOOK, content=content)

    return edit


@pytest.mark.parametrize(
    ("table", "old", "new", "told"),
    [
        ("registry.csv", "note/claim-1", "not/claim-1", "not/claim-1: no source has the key 'not'; did you"),
        ("registry.csv", "consistent", "consistant", "claim-1: expected='consistant': expected one of"),
        ("registry.csv", "consistent", "undecided", "claim-1: expected='undecided': expected one of"),
        ("registry.csv", "as printed", "as written", "claim-1: reading='as written': expected one of"),
        ("registry.csv", "note/claim-2", "note/claim-1", "note/claim-1: given twice"),
        ("registry.csv", "expected,", "expects,", "registry.csv: expected the columns id, page, expected"),
        ("registry.csv", "The readings rise", "They rise, and rise", "note/claim-1: more cells than columns"),
        (
            "errata.csv",
            "note,",
            "nota,",
            "errata.csv, note-claim-2: source='nota': expected one of note, own",
        ),
        ("errata.csv", "false as printed", "wrong", "note-claim-2: kind='wrong': expected one of false as"),
        ("errata.csv", "note/claim-2", "note/claim-7", "statement='note/claim-7': not in the registry; did"),
    ],
)
def test_a_wrong_word_of_a_table_is_refused_with_its_row(edited, table, old, new, told):
    with pytest.raises(ValueError) as refusal:
        errata(edited(table, old, new))
    assert told in str(refusal.value) and "\n" not in str(refusal.value)


def test_a_build_refuses_it_before_it_executes_anything(edited, small_book, monkeypatch):
    book = edited("registry.csv", "consistent", "sure")
    monkeypatch.setattr("claimbook.project.book_of", lambda *_: book)
    monkeypatch.chdir(small_book.root)
    done = called("build")
    assert done.returncode == 2 and "note/claim-1: expected='sure'" in done.stderr and not done.stdout


def test_a_finding_on_another_page_does_not_stand_for_the_one_of_its_own():
    found = finding("note/claim-1", page="another")
    assert "the-note: no finding on note/claim-1" in problems(BOOK, [found], ["another", "the-note"])
    assert problems(BOOK, [found], ["another"]) == []
