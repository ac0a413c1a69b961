"""The tables of a book: a fault is reported with its row before any work."""

import re
import shutil
from contextlib import nullcontext
from dataclasses import replace

import pytest
from plain_book import BOOK
from samples import called, finding, small_book_in, write_notebook

from claimbook.project import Project
from claimbook.reports.errata import errata
from claimbook.reports.ledger import problems
from claimbook.sphinxext.labels import check_places


@pytest.fixture
def edited(tmp_path):
    """Return the plain book with one text in one of its tables replaced."""
    content = shutil.copytree(BOOK.content, tmp_path / "content")

    def edit(table, old, new):
        text = (content / table).read_text(encoding="utf-8")
        assert old in text
        (content / table).write_text(text.replace(old, new, 1), encoding="utf-8")
        return replace(BOOK, content=content)

    return edit


@pytest.mark.parametrize(
    ("table", "old", "new", "message"),
    [
        (
            "registry.csv",
            "note/claim-1",
            "not/claim-1",
            "statement='not/claim-1': expected an id that begins with the key of a source; did you",
        ),
        ("registry.csv", "consistent", "consistant", "claim-1: expected='consistant': expected one of"),
        ("registry.csv", "consistent", "proven", "did you mean 'proved here'?"),
        ("registry.csv", "consistent", "undecided", "claim-1: expected='undecided': expected one of"),
        ("registry.csv", "as printed", "as written", "claim-1: reading='as written': expected one of"),
        ("registry.csv", "note/claim-2", "note/claim-1", "note/claim-1: expected one row of this id"),
        ("registry.csv", ",Claim 1,", ",,", "registry.csv, note/claim-1: place='': expected words"),
        (
            "registry.csv",
            "The readings rise",
            " ",
            "registry.csv, note/claim-1: statement='': expected words",
        ),
        ("errata.csv", ",note-claim-2\n", ",\n", "errata.csv, : id='': expected words"),
        ("errata.csv", "They fall at night.", "", "note-claim-2: correction='': expected words"),
        ("registry.csv", "expected,", "expects,", "registry.csv: expected the columns id, page, expected"),
        (
            "registry.csv",
            "The readings rise",
            "They rise, and rise",
            "note/claim-1: expected as many cells as columns",
        ),
        (
            "errata.csv",
            "note,",
            "nota,",
            "errata.csv, note-claim-2: source='nota': expected one of note, own",
        ),
        ("errata.csv", "false as printed", "wrong", "note-claim-2: kind='wrong': expected one of false as"),
        (
            "errata.csv",
            "note/claim-2",
            "note/claim-7",
            "statement='note/claim-7': expected a statement of the registry; did",
        ),
    ],
)
def test_an_unknown_word_in_a_table_is_rejected_with_its_row(edited, table, old, new, message):
    with pytest.raises(ValueError) as refusal:
        errata(edited(table, old, new))
    assert message in str(refusal.value) and "\n" not in str(refusal.value)


NOTE = "(slips)=\n## Slips\n\n```{prf:lemma} Small\n:label: lemma-small\n\nIt is small.\n```"


@pytest.fixture
def treated(tmp_path):
    """Return a function that makes a project with the page of the tables from a book."""
    root = small_book_in(tmp_path)
    (root / "_toc.yml").write_text("format: jb-book\nroot: chapters/the-note\n", encoding="utf-8")
    write_notebook(root / "chapters" / "the-note.ipynb", "seed", title=f"The note\n\n{NOTE}")

    def project(book):
        loaded_project = Project(root)
        vars(loaded_project)["book"] = book
        return loaded_project

    return project


@pytest.mark.parametrize(
    ("table", "old", "new", "message"),
    [
        (
            "registry.csv",
            "the-note,consistent",
            "the-nota,consistent",
            "registry.csv, note/claim-1: page='the-nota': expected the name of a chapter; did you mean "
            "'the-note'?",
        ),
        (
            "registry.csv",
            "the-note,proved",
            ",proved",
            "registry.csv, own/answer: page='': expected the name of a",
        ),
        (
            "errata.csv",
            "the-note#own-answer",
            "the-notes#own-answer",
            "errata.csv, note-claim-2: proof='the-notes#own-answer': expected the name of a chapter; ",
        ),
        (
            "errata.csv",
            "the-note#own-answer",
            "the-note#own-anser",
            "errata.csv, note-claim-2: proof='the-note#own-anser': expected a label of that page; "
            "did you mean 'own-answer'?",
        ),
        (
            "errata.csv",
            "the-note#own-answer",
            "the-note",
            "proof='the-note': expected PAGE#LABEL of the proof",
        ),
        ("errata.csv", "the-note#own-answer", "", "note-claim-2: proof='': expected PAGE#LABEL of the proof"),
        ("registry.csv", "the-note,", "second,", "page='second': expected chapters/second.ipynb in _toc.yml"),
        ("errata.csv", ",note/claim-2,", ",,", "registry.csv, note/claim-2: expected='contradicted': exp"),
    ],
)
def test_a_row_with_a_missing_target_is_rejected_with_the_nearest_name(
    edited, treated, table, old, new, message
):
    with pytest.raises(ValueError) as refusal:
        check_places(treated(edited(table, old, new)))
    assert message in str(refusal.value) and "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    ("moved", "message"),
    [
        ({"chapters/old": "chapters/the-note", "chapters/older": "chapters/the-note#slips"}, ""),
        (
            {"chapters/old": "chapters/the-nota#slips"},
            "Book.moved, 'chapters/old': 'chapters/the-nota': expected a page of the book; did you mean "
            "'chapters/the-note'?",
        ),
        (
            {"chapters/the-note": "chapters/the-note"},
            "Book.moved, 'chapters/the-note': expected a page that is not in _toc.yml",
        ),
    ],
)
def test_a_moved_page_is_gone_and_its_target_exists(treated, moved, message):
    project = treated(replace(BOOK, moved=moved))
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$") if message else nullcontext():
        check_places(project)


def test_a_box_with_the_label_of_no_statement_of_its_source_is_rejected(treated):
    project = treated(BOOK)
    box = "```{prf:lemma} One\n:label: note-claim-11\n\nIt rises.\n```"
    write_notebook(project.root / "chapters" / "the-note.ipynb", "seed", title=f"The note\n\n{NOTE}\n\n{box}")
    with pytest.raises(ValueError) as refusal:
        check_places(project)
    message = "the-note.ipynb, note-claim-11: expected the label of a statement; did you mean 'note-claim-1'?"
    assert str(refusal.value) == message


@pytest.mark.parametrize(
    ("kind", "expected", "message"),
    [
        ("definition", "checked", ""),
        ("lemma", "consistent", ""),
        ("definition", "contradicted", ""),
        ("definition", "proved here", "expected 'checked', as its box is a definition"),
        ("definition", "consistent", "expected 'checked', as its box is a definition"),
        ("lemma", "checked", "expected a box that is a definition"),
    ],
)
def test_a_definition_is_expected_to_be_checked_and_nothing_else_is(edited, treated, kind, expected, message):
    project = treated(edited("registry.csv", "2,the-note,contradicted", f"2,the-note,{expected}"))
    box = f"```{{prf:{kind}}} One\n:label: note-claim-2\n\nIt is called so.\n```"
    page = project.root / "chapters" / "the-note.ipynb"
    write_notebook(page, "seed", title=f"The note\n\n{NOTE}\n\n{box}")
    refused = pytest.raises(ValueError, match=f"claim-2: expected='{expected}': {message}$")
    with refused if message else nullcontext():
        check_places(project)


def test_a_notebook_that_the_contents_do_not_list_is_named(treated):
    project = treated(BOOK)
    (project.root / "chapters" / "figure.svg").write_text("<svg/>")
    assert project.drafts == ["chapters/first.ipynb", "chapters/second.ipynb"]
    (project.root / "README.md").write_text("# Not a page")
    (project.root / "_toc.yml").write_text("format: jb-book\nroot: README\n")
    assert type(project)(project.root).drafts == []  # what stands in the folder of the book is no page


@pytest.mark.parametrize("label", ["own-answer", "note-claim-1", "slips", "lemma-small"])
def test_a_proof_may_be_at_a_statement_box_or_at_any_label_of_the_page(edited, treated, label):
    check_places(treated(edited("errata.csv", "#own-answer", f"#{label}")))


@pytest.mark.parametrize(
    ("table", "old", "new", "message"),
    [
        ("registry.csv", "consistent", "sure", "note/claim-1: expected='sure'"),
        (
            "registry.csv",
            "the-note",
            "the-nota",
            "note/claim-1: page='the-nota': expected the name of a chapter",
        ),
        (
            "errata.csv",
            "#own",
            "#on",
            "note-claim-2: proof='the-note#on-answer': expected a label of that page",
        ),
    ],
)
def test_a_build_rejects_a_wrong_table_before_it_executes_anything(
    edited, treated, monkeypatch, table, old, new, message
):
    book = edited(table, old, new)
    monkeypatch.setattr("claimbook.project.book_of", lambda *_: book)
    monkeypatch.chdir(treated(book).root)
    done = called("build")
    assert done.returncode == 2 and message in done.stderr and not done.stdout


@pytest.mark.parametrize(
    ("outside", "message"),
    [(0, "both pass"), (1, "both fail")],
)
def test_an_inconclusive_verdict_says_whether_claim_and_control_both_pass_or_both_fail(outside, message):
    written_finding = finding("note/claim-1", "inconclusive", differs=False, page="the-note")
    written_finding["claim"]["margin"]["outside"] = outside
    line = f"the-note: note/claim-1: expected consistent, got inconclusive (claim and control {message})"
    assert line in problems(BOOK, [written_finding], [])
    several = [finding("note/claim-1", "consistent", page="the-note"), written_finding]
    assert "inconclusive (check 2: claim and control" in problems(BOOK, several, [])[0]


def test_an_undecided_verdict_says_how_large_the_run_must_be():
    written_finding = finding("note/claim-1", "undecided", differs=False, page="the-note") | {
        "needs": "1,000 lists"
    }
    assert problems(BOOK, [written_finding], [])[0].endswith("got undecided (to decide: 1,000 lists)")


def test_a_finding_on_another_page_does_not_replace_one_on_the_statements_page():
    written_finding = finding("note/claim-1", page="another")
    assert "the-note: expected a finding on note/claim-1, got none" in problems(
        BOOK, [written_finding], ["another", "the-note"]
    )
    assert problems(BOOK, [written_finding], ["another"]) == []
