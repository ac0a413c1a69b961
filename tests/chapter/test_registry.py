"""The registry is complete: every definition, theorem, equation and figure of the sources has a row."""

import csv
import re
from pathlib import Path

import pytest
from support import PROJECT

from claimbook.evidence import SHAPES, slug
from claimbook.registry import READINGS
from claimbook.sphinxext.labels import definitions
from ndcg_book import BOOK

# What the sources number, or name where they have no numbers: source, kind, number.
with Path(__file__).with_name("numbered.csv").open(encoding="utf-8", newline="") as file:
    NUMBERED = [tuple(row) for row in csv.reader(file)][1:]


def test_every_row_is_complete_and_expects_a_known_verdict():
    for statement in BOOK.registry.values():
        assert statement.id.split("/")[0] in {source.key for source in BOOK.sources}
        assert statement.expected in set(SHAPES) - {"undecided", "inconclusive"}
        assert all((statement.page, statement.place, statement.statement))
        assert statement.reading in READINGS
        assert "|" not in statement.statement + statement.place + statement.note, (
            "it would break a Markdown table"
        )


def places(source):
    """Where the rows of a source stand in it; the slides repeat the paper, and share rows with it."""
    for statement in BOOK.registry.values():
        for citation in f"{statement.place}; {statement.note}".split("; "):
            slides = citation.lower().startswith("slides")
            home = "wang" if statement.id.startswith("open/") else statement.id.partition("/")[0]
            if source == ("deck" if slides else home):
                yield citation


def named(citation, kind):
    """The numbers that a place gives to things of a kind: single ones, and all from one to another.

    >>> sorted(named("Appendix C, Claim 29, equations 21 and 36 to 38", "equation"))
    [21, 36, 37, 38]
    """
    match = re.search(rf"{kind}s? (\d+(?:(?:, | and | to )\d+)*)", citation, re.I)
    numbers = set()
    for first, last in re.findall(r"(\d+)(?: to (\d+))?", match[1] if match else ""):
        numbers |= set(range(int(first), int(last or first) + 1))
    return numbers


@pytest.mark.parametrize(("source", "kind", "number"), NUMBERED)
def test_what_the_sources_number_has_its_row(source, kind, number):
    if number.isdigit():
        assert any(int(number) in named(citation, kind) for citation in places(source))
    else:
        words = f"{number} {kind}".strip().lower()
        assert any(words in citation.lower() for citation in places(source))


def test_theorems_that_share_a_hypothesis_share_the_words_for_how_it_is_read():
    """All four theorems on grades are printed with the same words on the density of the score."""
    notes = [BOOK.registry[f"wang/theorem-{number}"].note for number in (14, 15, 16, 17)]
    assert all(notes[0] in note for note in notes)


def test_a_reading_that_needs_a_condition_says_which():
    for statement in BOOK.registry.values():
        if statement.reading == "as meant":
            assert re.search(r"(^|; )(as|with|of|for) ", statement.note), statement.id
        assert statement.reading != "as printed" or "corrected" not in statement.id
        assert (statement.reading == "left open") == statement.id.startswith("open/"), statement.id


def test_a_definition_is_checked_and_nothing_is_proved_of_it():
    boxes = {label for chapter in PROJECT.notebooks for label in definitions(chapter.notebook)}
    defined = {row.id: row.expected for row in BOOK.registry.values() if slug(row.id) in boxes}
    assert {"wang/definition-5", "linear/equation-1", "rankdcg/definition-tau"} <= defined.keys()
    assert set(defined.values()) == {"checked", "contradicted"}  # and the poster's misprint
    assert all(row.id in defined for row in BOOK.registry.values() if row.defines)


def test_what_repeats_a_statement_names_it():
    repeated = [row for row in BOOK.registry.values() if row.reading == "repeated"]
    assert repeated and all(re.search(r"\btheorem \d+.*; counted there$", row.note) for row in repeated)
