"""The highlights: refuted statements by importance, each with its number and a link to its box."""

import re

import pytest
from support import PROJECT, ROOT, finding

from claimbook.evidence import slug
from claimbook.registry import STATED
from claimbook.reports.errata import errata
from claimbook.reports.highlights import (
    count_markdown,
    highlights_markdown,
    refuted_by_kind,
    sentences,
    totals_markdown,
)
from claimbook.reports.statements import in_order
from claimbook.sphinxext.labels import addresses
from ndcg_book import BOOK

PAGES = {row.page for row in BOOK.registry.values()}
ADDRESSES = addresses(PROJECT)
EXPECTED = [finding(row.id, row.expected) for row in BOOK.registry.values()]
HIGHLIGHTS = highlights_markdown(BOOK, EXPECTED, ADDRESSES, PAGES, "statements")
TOTALS = totals_markdown(BOOK, EXPECTED)
PARTS = {
    "false": "What is false, the most important first",
    "informal": "What an informal summary states too generally, in at least one interpretation",
    "lighter": "What is false but matters less",
}
KINDS = {erratum.statement: erratum.kind for erratum in errata(BOOK)}
HOLDS = ("proved here", "checked", "consistent")


def part(heading, text=HIGHLIGHTS):
    """The names of the statements below a heading, in order."""
    section = re.search(rf"## {heading}\n\n(.*?)\n\n", text, re.S)
    return re.findall(r"\*\*(?:<a [^>]*>)?(.+?)(?:</a>)?\.\*\*", section[1])


def ids(keep):
    return {row.id for row in BOOK.registry.values() if keep(row)}


def falls(row):
    """Whether a row is a statement of a source, counted once, that is expected to be contradicted."""
    return row.reading in STATED and row.expected == "contradicted"


def test_the_highlights_are_all_that_is_refuted_that_was_open_and_that_is_new():
    fallen = ids(falls)
    answers = ids(lambda row: row.reading in ("left open", "ours") and row.expected in HOLDS)
    assert set(sentences(BOOK)) == fallen | answers
    assert sum(len(part(heading)) for heading in PARTS.values()) == len(fallen)
    assert len(part("What was left open and is now settled")) == 3


def test_only_what_its_erratum_calls_false_is_called_false():
    """A misprint, a slip in a proof, a condition given elsewhere and a summary are described as such."""
    groups = refuted_by_kind(BOOK, EXPECTED)
    for name, heading in PARTS.items():
        assert part(heading) == [ADDRESSES[slug(row.id)].name for row in groups[name]] != []
    calls_false = {row.id: KINDS[row.id].startswith("false ") for rows in groups.values() for row in rows}
    assert [row.id for row in groups["false"]] == [name for name, false in calls_false.items() if false]
    assert {KINDS[row.id] for row in groups["informal"]} == {"informal"}


def test_the_refuted_theorem_comes_first_and_the_misprint_last():
    names = [name for heading in PARTS.values() for name in part(heading)]
    assert names[0] == "Wang et al., Theorem 8 (2)" and names[-1] == "Katerenchuk and Rosenberg, RankDCG"
    assert names[1:3] == ["Wang et al., Lemma 34", "Wang et al., Theorem 10, last claim"]


_ELSEWHERE = re.compile(r"(?:section|theorem|lemma|definition|appendix) [A-Z0-9]+|proof", re.I)


@pytest.mark.parametrize(
    "row", [row for rows in refuted_by_kind(BOOK, EXPECTED).values() for row in rows], ids=lambda row: row.id
)
def test_what_a_refutation_rests_on_is_described_beside_it(row):
    """A printed statement lists all places of the source that refer to it, an interpretation lists one."""
    elsewhere = {mention.lower() for mention in _ELSEWHERE.findall(row.note)}
    repeated_mentions = {mention for mention in elsewhere if mention in sentences(BOOK)[row.id].lower()}
    assert (
        repeated_mentions == elsewhere if row.reading == "as printed" else repeated_mentions or not elsewhere
    )


def test_each_sentence_leads_to_its_box():
    for statement, sentence in sentences(BOOK).items():
        page = BOOK.registry[statement].page
        (line,) = [line for line in HIGHLIGHTS.splitlines() if sentence in line]
        link = f'<a href="{page}.html#{slug(statement)}">{ADDRESSES[slug(statement)].name}</a>'
        assert link in line, statement
    assert "<a " not in highlights_markdown(BOOK, EXPECTED, ADDRESSES, set(), "")


def test_the_verdict_decides_where_a_statement_is_described_and_not_the_sentence():
    held = highlights_markdown(BOOK, [finding("wang/theorem-8-2")], ADDRESSES, PAGES, "statements")
    assert "##" not in held and sentences(BOOK)["wang/theorem-8-2"] not in held
    assert "once the whole book has been built" in highlights_markdown(
        BOOK, [], ADDRESSES, PAGES, "statements"
    )


def test_a_verdict_that_nobody_expected_is_counted_and_has_no_sentence():
    findings = [finding("wang/theorem-7", "contradicted"), finding("wang/theorem-8-2", "contradicted")]
    assert [row.id for row in refuted_by_kind(BOOK, findings)["false"]] == [
        "wang/theorem-8-2",
        "wang/theorem-7",
    ]
    assert "2 are contradicted: 2 are false.\n" in totals_markdown(BOOK, findings)
    assert part(PARTS["false"], highlights_markdown(BOOK, findings, ADDRESSES, PAGES, "statements")) == [
        "Wang et al., Theorem 8 (2)"
    ]


def test_every_statement_of_the_sources_is_counted_once():
    stated = ids(lambda row: row.reading in STATED)
    numbers = [int(number) for number in re.findall(r"\d+", TOTALS)]
    total, printed, meant, fallen, false, informal, lighter, untested, corrected = numbers
    assert total == len(stated) == printed + meant + fallen + untested
    assert fallen == false + informal + lighter == len(ids(falls))
    assert printed == len(ids(lambda row: row.reading == "as printed" and row.expected in HOLDS))
    assert untested == len(ids(lambda row: row.expected == "not testable"))
    assert corrected == len(ids(lambda row: row.reading == "corrected"))
    assert "once the whole book has been built" in totals_markdown(BOOK, [])
    # What is said to be among them is.
    held = ids(lambda row: row.reading == "as printed" and row.expected in HOLDS)
    assert any("/definition-" in name for name in held) and any("/figure-" in name for name in held)


def test_one_sentence_counts_what_is_refuted():
    stated, fallen = ids(lambda row: row.reading in STATED), ids(falls)
    said = f"Of {len(stated)} statements, **{len(fallen)}** are false"
    assert count_markdown(BOOK, EXPECTED).startswith(said)
    assert "once the whole book has been built" in count_markdown(BOOK, [])


UNCOUNTED = ("wang/theorem-4-signed-labels", "deck/beta-below-1")  # stated by none; theorem 8 (2) again


@pytest.mark.parametrize("statement", UNCOUNTED)
def test_what_no_source_states_or_one_states_again_counts_against_nobody(statement):
    """It keeps its row, its box, its erratum and its verdict, but does not count as refuted."""
    row = BOOK.registry[statement]
    assert row.expected == "contradicted" and slug(statement) in ADDRESSES and statement in KINDS
    assert row.id not in {
        refuted_row.id for rows in refuted_by_kind(BOOK, EXPECTED).values() for refuted_row in rows
    }
    without = [record for record in EXPECTED if record["statement"] != statement]
    assert count_markdown(BOOK, without) == count_markdown(BOOK, EXPECTED)
    assert totals_markdown(BOOK, without) == TOTALS


@pytest.mark.parametrize("page", ["findings.md", "statements.md"])
def test_the_pages_that_list_statements_count_them_by_the_one_function(page):
    source = (ROOT / "chapters" / page).read_text(encoding="utf-8")
    assert source.count("{generated} totals") == 1


_WORDS = "two three four five six seven eight nine ten eleven twelve thirteen fourteen twenty eighty".split()
_COUNTED = re.compile(
    rf"(?:\d+|{'|'.join(_WORDS)}) (?:statements|theorems and|errata|corrections|verdicts)", re.I
)


@pytest.mark.parametrize(
    "file",
    ["README.md", "CITATION.cff", "_config.yml", "pyproject.toml"]
    + [f"chapters/{name}" for name in ("index.ipynb", "findings.md", "map.md", "statements.md")],
)
def test_no_count_of_statements_is_typed(file):
    assert not _COUNTED.findall((ROOT / file).read_text(encoding="utf-8"))


def test_the_other_errata_are_counted_below():
    below, _, _ = HIGHLIGHTS.partition("## What was left open")
    last = below.strip().splitlines()[-1]
    misprints = sum(erratum.kind == "misprint" and erratum.source != "beyond" for erratum in errata(BOOK))
    assert last.startswith("{doc}`The errata <statements>`") and last.endswith(f", misprints ({misprints}).")


def tellings(statement):
    """What is said of a statement: in the tables, in its box, and in paragraphs that lead to the box."""
    row, label = BOOK.registry[statement], slug(statement)
    yield row.statement
    if statement in sentences(BOOK):
        yield sentences(BOOK)[statement]
    yield from (erratum.printed for erratum in errata(BOOK) if erratum.statement == statement)
    for chapter in PROJECT.notebooks:
        for cell in chapter.notebook.cells:
            for paragraph in re.split(r"\n\s*\n", cell.source) if cell.cell_type == "markdown" else []:
                if f"`{label}`" in paragraph or f"<{label}>`" in paragraph or f"#{label})" in paragraph:
                    yield paragraph
            if f":label: {label}\n" in cell.source:
                yield re.search(rf":label: {label}\n(.*?)\n(`{{3,}}|:{{3,}})", cell.source, re.S)[1]


_HEDGE = re.compile(r"under (?!the )\w+ conditions", re.I)
HEDGED = [row for row in in_order(BOOK) if _HEDGE.search(row.statement)]


@pytest.mark.parametrize("row", HEDGED, ids=lambda row: row.id)
def test_a_condition_that_the_source_leaves_open_is_described_wherever_the_statement_is(row):
    clause, texts = _HEDGE.search(row.statement)[0].lower(), list(tellings(row.id))
    assert len(texts) >= 3  # the registry, and at least its box and a table
    for text in texts:
        assert clause in text.lower(), text


def test_the_slide_of_the_powers_is_one_that_leaves_its_conditions_open():
    assert "deck/beta-below-1" in {row.id for row in HEDGED}


@pytest.mark.parametrize("file", ["README.md", "chapters/index.ipynb"])
def test_no_opening_announces_a_check_of_something_untestable(file):
    assert ids(lambda row: row.expected == "not testable")
    text = (ROOT / file).read_text(encoding="utf-8")
    claims = re.findall(
        r"[^.]*\bverdict\b[^.]*\bcomputed by (?:the|its) page|[^.]*\bpage\s+computes\s+itself", text
    )
    assert claims and all(re.search(r"can be tested|testable", claim) for claim in claims)
