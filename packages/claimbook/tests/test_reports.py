"""Generated fragments of small books: they speak of what is there, in the singular where it is one."""

from dataclasses import replace
from pathlib import Path

import pytest
from plain_book import BOOK
from samples import finding

import claimbook
from claimbook.book import COLUMNS
from claimbook.evidence import BASES, RULES
from claimbook.project import Project
from claimbook.registry import EXPECTED, KINDS, READINGS
from claimbook.reports.errata import COLUMNS as ERRATA
from claimbook.reports.errata import errata, errata_markdown
from claimbook.reports.highlights import count_markdown, highlights_markdown, totals_markdown
from claimbook.reports.ledger import pages_markdown
from claimbook.reports.paths import map_markdown
from claimbook.sphinxext.sources import PageSources

RISES, FALLS = finding("note/claim-1"), finding("note/claim-2", "contradicted")


@pytest.mark.parametrize(
    ("findings", "told"),
    [
        ([RISES], "Of 1 statement of the sources, of any kind, **1 passes our checks as printed**.\n"),
        (
            [RISES, FALLS],
            "Of 2 statements of the sources, of any kind, **1 passes our checks as printed**.\n"
            "1 is contradicted: 1 is false.\n",
        ),
        (
            [finding("note/claim-1", "not testable")],
            "Of 1 statement of the sources, of any kind, none passes our checks.\n1 cannot be tested.\n",
        ),
    ],
)
def test_totals_leave_out_what_there_is_none_of(findings, told):
    assert totals_markdown(BOOK, findings) == told


@pytest.mark.parametrize("reading", ["ours", "repeated", "left open"])
def test_only_what_a_source_states_and_once_is_counted(tmp_path, reading):
    table = (BOOK.content / "registry.csv").read_text(encoding="utf-8")
    assert "contradicted,as printed" in table
    table = table.replace("contradicted,as printed", f"contradicted,{reading}")
    (tmp_path / "registry.csv").write_text(table, encoding="utf-8")
    book = replace(BOOK, content=tmp_path)
    assert count_markdown(book, [RISES, FALLS]).startswith("**0 of 1 statement** are false")
    assert "contradicted" not in totals_markdown(book, [RISES, FALLS])


def test_one_statement_is_counted_in_the_singular():
    assert count_markdown(BOOK, [FALLS]).startswith("**1 of 1 statement** is false")
    assert count_markdown(BOOK, [RISES, FALLS]).startswith("**1 of 2 statements** is false")


def test_errata_have_the_kinds_of_the_book_that_occur(tmp_path):
    text = errata_markdown(BOOK, [], {}, "ledger")
    assert "| *false as printed* | the source" in text and "misprint" not in text
    kinds = {"false as printed": "says what is not", "odd": "not even"}
    text = errata_markdown(replace(BOOK, kinds=kinds), [], {}, "ledger")
    assert "| *false as printed* | says what is not |" in text and "odd" not in text
    with pytest.raises(ValueError, match="kind='false as printed': expected one of odd"):
        errata(replace(BOOK, kinds={"odd": "not even"}))
    assert "None so far" in errata_markdown(replace(BOOK, content=tmp_path), [], {}, "ledger")


def test_highlights_without_sentences_and_a_map_without_paths_are_refused(small_book):
    with pytest.raises(ValueError, match="generated='highlights': expected rows in content/highlights.csv"):
        highlights_markdown(BOOK, [RISES], {}, set(), "")
    for paths in ({}, {"short": "ten minutes", "whole": "an hour"}):
        project = Project(small_book.root)
        vars(project)["book"] = replace(BOOK, paths=paths)
        with pytest.raises(ValueError, match="generated='map': expected Book.paths"):
            map_markdown(project, {}, {})


def test_the_ledger_speaks_of_an_allowance_where_there_is_one():
    made = [finding("note/claim-1") for _ in range(4)]
    rules = ("at most", "at most", "within", "at most")
    for found, rule, tolerance in zip(made, rules, (0, 1e-12, 1e-12, 0.5), strict=True):
        found["rule"], found["claim"]["margin"]["tolerance"] = rule, tolerance
    text = pages_markdown(BOOK, made, {"the-note"})
    assert text.count("something (0.5; the bound is 1)") == text.count("something (0.5 × allowance)") == 2


def test_the_readme_has_every_column_and_every_word(small_book, tmp_path):
    readme = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
    sources = PageSources(small_book, tmp_path / "executed")
    (tmp_path / "findings.json").write_text('{"profile": "book", "findings": []}')
    made = {name for name in sources.fragments("chapters/first") if not name.startswith("api-")}
    for word in [*COLUMNS, *ERRATA, *KINDS, *READINGS, *EXPECTED, *BASES, *made]:
        assert f"`{word}`" in readme or f"`{{generated}} {word}`" in readme, word
    for word in [*RULES, "NEAR", "RISK_BUDGET", "void", "undecided", "needs=", "in-sight", "@drawing"]:
        assert word in readme, word


def test_what_is_imported_on_demand_is_listed():
    assert {"Book", "Finding", "Page"} <= {*dir(claimbook)}
