"""Generated fragments of small books mention only present things, in the right number."""

import json
import os
import re
import shutil
from dataclasses import fields, replace
from pathlib import Path

import pytest
from plain_book import BOOK
from samples import called, finding

import claimbook
from claimbook import Book, Source
from claimbook.book import COLUMNS
from claimbook.cli.main import COMMANDS
from claimbook.evidence import BASES, RULES, SHAPES, Case, Finding
from claimbook.project import Project
from claimbook.registry import EXPECTED, KINDS, READINGS
from claimbook.reports.errata import COLUMNS as ERRATA
from claimbook.reports.errata import errata
from claimbook.reports.highlights import count_markdown, highlights_markdown, totals_markdown
from claimbook.reports.ledger import last_profile, opposed_statements, write_findings
from claimbook.reports.paths import map_markdown
from claimbook.reports.statements import statements_markdown
from claimbook.sphinxext.labels import Address
from claimbook.sphinxext.sources import PageSources

RISES, FALLS = finding("note/claim-1"), finding("note/claim-2", "contradicted")


@pytest.mark.parametrize(
    ("findings", "summary"),
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
def test_totals_leave_out_kinds_that_do_not_occur(findings, summary):
    assert totals_markdown(BOOK, findings) == summary


@pytest.mark.parametrize("reading", ["ours", "repeated", "left open"])
def test_only_statements_of_a_source_are_counted_and_only_once(tmp_path, reading):
    table = (BOOK.content / "registry.csv").read_text(encoding="utf-8")
    assert "contradicted,as printed" in table
    table = table.replace("contradicted,as printed", f"contradicted,{reading}")
    (tmp_path / "registry.csv").write_text(table, encoding="utf-8")
    book = replace(BOOK, content=tmp_path)
    assert count_markdown(book, [RISES, FALLS]).startswith("Of 1 statement, **0** are false")
    assert "contradicted" not in totals_markdown(book, [RISES, FALLS])


def test_one_statement_is_counted_in_the_singular():
    assert count_markdown(BOOK, [FALLS]).startswith("Of 1 statement, **1** is false")
    assert count_markdown(BOOK, [RISES, FALLS]).startswith("Of 2 statements, **1** is false")


ADDRESSES = {
    "note-claim-1": Address("note-claim-1", "the-note", "Claim 1", "A note, Claim 1", "They rise"),
    "note-claim-2": Address("note-claim-2", "the-note", "Claim 2", "A note, Claim 2", "They never fall"),
    "own-answer": Address("own-answer", "the-note", "C1", "C1", "They fall at night", True),
    "lemma-small": Address("lemma-small", "the-note", "C2", "C2", "Small $r^{-1}$", True),
}
TITLES = {"the-note": "The note & more"}


def table_of(findings, book=BOOK, addresses=ADDRESSES, titles=TITLES, text=""):
    """Return the page of all statements, as Markdown."""
    return statements_markdown(book, findings, addresses, titles, {"the-note": text}, {"the-note": "A part"})


def rows_of(text):
    """Return the classes and the text of each row, by its anchor."""
    bodies = re.findall(r'<tbody class="([^"]*)">(.*?)</tbody>', text, re.S)
    return {re.search(r'details id="([^"]*)"', body)[1]: (names.split(), body) for names, body in bodies}


def test_every_statement_has_a_row_in_the_order_of_its_source_and_this_book_comes_last():
    assert [*rows_of(table_of([RISES, FALLS]))] == [
        "note-claim-1",
        "note-claim-2",
        "own-answer",
        "lemma-small",
    ]


def test_a_row_has_its_place_its_sentence_its_interpretation_its_verdict_and_its_evidence():
    names, body = rows_of(table_of([RISES, FALLS]))["note-claim-2"]
    assert '<a href="the-note.html#note-claim-2">Claim 2</a>' in body and "\nThey never fall\n" in body
    assert "as printed" in body and "contradicted" in body and "✕" in body
    assert "*Check:* something (0.5 × tolerance)" in body and "*Control:* something (2 × tolerance)" in body
    assert '<span id="erratum-note-claim-2"></span>*Erratum (false as printed), Claim 2:*' in body
    assert "*Instead:* They fall at night." in body
    assert '<a href="the-note.html#own-answer">The note &amp; more</a>' in body


def test_filters_show_what_is_false_corrected_and_ours_and_are_offered_where_they_show_a_row():
    text = table_of([RISES, FALLS])
    names = {anchor: names for anchor, (names, _) in rows_of(text).items()}
    assert names["note-claim-1"] == ["source-note", "chapter-the-note"]
    assert names["note-claim-2"] == ["false", "corrected", "source-note", "chapter-the-note"]
    assert names["own-answer"] == names["lemma-small"] == ["ours", "source-own", "chapter-the-note"]
    offered = re.findall(r'value="([^"]+)"', text)
    assert offered == ["false", "corrected", "ours", "source-note", "source-own", "chapter-the-note"]
    assert "false" not in rows_of(table_of([RISES]))["note-claim-2"][0]


def test_only_interpretations_in_the_table_are_explained():
    text = table_of([RISES, FALLS])
    assert "means in the source's own words" in text and "the source supports elsewhere" not in text


def test_an_erratum_of_no_statement_has_a_row_of_its_own(tmp_path):
    shutil.copytree(BOOK.content, tmp_path / "content")
    with open(tmp_path / "content" / "errata.csv", "a", encoding="utf-8") as table:
        table.write("note,misprint,Claim 1,,Thay rise.,They rise.,the-note#own-answer,note-slip\n")
    rows = rows_of(table_of([RISES, FALLS], replace(BOOK, content=tmp_path / "content")))
    assert [*rows][:2] == ["note-claim-1", "erratum-note-slip"]
    names, body = rows["erratum-note-slip"]
    assert names == ["corrected", "source-note", "chapter-the-note"] and body.count("erratum-note-slip") == 1
    assert "\nThay rise.\n" in body and "\nmisprint\n" in body and "*Instead:* They rise." in body


def test_a_statement_whose_page_is_not_in_this_run_has_no_link_and_no_verdict():
    text = table_of([], addresses={}, titles={})
    assert "the-note.html" not in text and "Its page is not in this run." in text
    assert (
        "– *not judged in this build*" in text
        and "not judged in this build" in rows_of(text)["own-answer"][1]
    )


def test_the_kinds_of_errata_that_occur_are_explained(tmp_path):
    assert "| *false as printed* | the source" in table_of([]) and "*misprint*" not in table_of([])
    kinds = {"false as printed": "says what is not", "odd": "not even"}
    text = table_of([], replace(BOOK, kinds=kinds))
    assert "| *false as printed* | says what is not | 1 | 0 |" in text and "not even" not in text
    with pytest.raises(ValueError, match="kind='false as printed': expected one of odd"):
        errata(replace(BOOK, kinds={"odd": "not even"}))
    assert "**Errata.**" not in table_of([], replace(BOOK, content=tmp_path))


def test_the_picture_has_the_proofs_that_rest_on_another_and_what_replaces_the_refuted():
    text = "```{prf:lemma} A\n:label: lemma-small\n```\n:::{dropdown} Proof\nBy {prf:ref}`own-answer`.\n:::\n"
    shown = table_of([RISES, FALLS], text=text)
    boxes = re.findall(r'<a href="#([\w-]+)" class="state-([\w-]+)"><title>', shown)
    assert dict(boxes) == {
        "note-claim-2": "contradicted",
        "own-answer": "not-judged-in-this-build",
        "lemma-small": "proved-on-its-page",
    }
    assert shown.count('<path class="instead"') == 1 and shown.count("\n<path d=") == 1
    assert "rests on 1 statement" in rows_of(shown)["lemma-small"][1] and ">A part</text>" in shown
    assert '<a href="#own-answer">C1</a>' in rows_of(shown)["lemma-small"][1]
    assert "<svg" not in table_of([], replace(BOOK, content=Path("nowhere")))


def test_highlights_without_sentences_and_a_map_without_paths_are_rejected(small_book):
    with pytest.raises(ValueError, match="generated='highlights': expected rows in content/highlights.csv"):
        highlights_markdown(BOOK, [RISES], {}, set(), "")
    for paths in ({}, {"short": "ten minutes", "whole": "an hour"}):
        project = Project(small_book.root)
        vars(project)["book"] = replace(BOOK, paths=paths)
        with pytest.raises(ValueError, match="generated='map': expected Book.paths"):
            map_markdown(project, {}, {})


def test_a_margin_is_in_tolerances_where_there_is_one():
    copies = [finding("note/claim-1") for _ in range(4)]
    rules = ("at most", "at most", "within", "at most")
    for row, rule, tolerance in zip(copies, rules, (0, 1e-12, 1e-12, 0.5), strict=True):
        row["rule"], row["claim"]["margin"]["tolerance"] = rule, tolerance
    text = table_of(copies)
    assert text.count("something (0.5; the bound is 1)") == text.count("something (0.5 × tolerance)") == 2


def test_a_line_end_in_what_is_stated_ends_no_line_of_the_table():
    written_finding = finding("note/claim-1")
    written_finding["claim"]["says"] = "$\\|x\\|$ is\n\nsmall"
    assert "*Check:* $\\|x\\|$ is small (" in table_of([written_finding])


def test_the_readme_has_every_column_and_every_word(small_book, tmp_path):
    readme = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
    sources = PageSources(small_book, tmp_path / "executed")
    (tmp_path / "findings.json").write_text('{"profile": "book", "findings": []}')
    page_fragments = {name for name in sources.fragments("chapters/first") if not name.startswith("api-")}
    for word in [*COLUMNS, *ERRATA, *KINDS, *READINGS, *EXPECTED, *BASES, *page_fragments]:
        assert f"`{word}`" in readme or f"`{{generated}} {word}`" in readme, word
    for word in [*RULES, *SHAPES, "NEAR", "RISK_BUDGET", "needs=", "near=", "far=", "unequal=", "in-sight"]:
        assert word in readme, word
    assert len(readme.splitlines()) <= 200


def test_the_readme_has_every_key_every_command_and_every_option_of_a_finding():
    readme = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
    for name in [
        *COMMANDS,
        *(field.name for field in fields(Book)),
        *(field.name for field in fields(Source)),
    ]:
        assert re.search(rf"[`( ]{name}[`,=) ]", readme), name
    for name in {field.name for field in fields(Finding)} - {"statement", "defines"}:
        assert re.search(rf"\b{name}=", readme) or f"| {name} |" in readme, name


def test_the_numbers_of_the_readmes_example_are_those_that_it_computes():
    readme = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
    (code,) = re.findall("```python\n(.*?)```", readme, re.S)
    result = {}

    class Page:
        def finding(self, statement, *, claim, control, rule, **options):
            result[n] = Finding(statement, rule, Case(*claim), Case(*control), **options)

    for n in (100_000, 1_000):
        exec(code, {"page": Page(), "n": n, "seed": 7})
    large, small = result.values()
    assert (large.verdict, small.verdict) == ("consistent", "undecided")
    assert f"is {large.claim.observed:.4f} and the tolerance {large.claim.tolerance:.4f}" in " ".join(
        readme.split()
    )
    assert f"the tolerance is {small.claim.tolerance:.4f}" in readme
    margins = [float(str(case.margin("within"))) for case in (large.claim, large.control)]
    assert f"| {margins[0]:.2f}; control {margins[1]:.1f} |" in readme


@pytest.mark.parametrize(
    ("verdicts", "expected", "is_opposed"),
    [
        (["consistent"], "consistent", False),
        (["contradicted"], "contradicted", False),
        (["contradicted"], "consistent", True),
        (["inconclusive"], "consistent", True),
        (["proved here"], "consistent", True),
        (["undecided"], "consistent", False),
        (["undecided", "consistent"], "consistent", False),
        (["undecided", "contradicted"], "consistent", True),
        (["undecided", "contradicted"], "contradicted", False),
        (["undecided", "inconclusive"], "contradicted", True),
    ],
)
def test_only_a_run_that_decides_can_oppose_a_verdict(verdicts, expected, is_opposed):
    findings = [finding("note/claim-1", verdict) | {"expected": expected} for verdict in verdicts]
    other = finding("note/claim-2", "contradicted") | {"expected": "contradicted"}
    assert opposed_statements([*findings, other]) == ["note/claim-1"] * is_opposed


def test_the_ledger_is_that_of_the_last_build_and_says_its_profile(small_book, monkeypatch):
    monkeypatch.chdir(small_book.root)
    home = small_book.root / "_build"
    assert last_profile(home) == "book" and called("ledger").returncode == 2
    for second, profile in enumerate(("quick", "book", "deep", "quick"), 1):
        write_findings(home / profile / "findings.json", profile, [])
        os.utime(home / profile / "findings.json", (second, second))
        assert last_profile(home) == profile
        assert called("ledger").stdout.endswith(f"(profile {profile!r})\n")
        assert json.loads(called("ledger", "--json").stdout)["profile"] == profile
    assert called("ledger", "--profile", "book").stdout.endswith("(profile 'book')\n")


def test_what_is_imported_on_demand_is_listed():
    assert {"Book", "Finding", "Page"} <= {*dir(claimbook)}
