"""What the first page says that was found: all that falls, by weight, each with its number and its box."""

import re

import pytest
from support import ROOT, finding

from ndcg_companion.chapter.evidence import slug
from ndcg_companion.chapter.registry import registry
from ndcg_companion.press.addresses import addresses
from ndcg_companion.press.errata import errata
from ndcg_companion.press.project import Project
from ndcg_companion.press.story import sentences, story_markdown

PAGES = {row.page for row in registry().values()}
ADDRESSES = addresses(Project(ROOT))
EXPECTED = [finding(row.id, row.expected) for row in registry().values()]
STORY = story_markdown(EXPECTED, ADDRESSES, {*PAGES, "statements", "errata"})


def part(heading, story=STORY):
    """The names of the statements below a heading, in order."""
    found = re.search(rf"### {heading}\n\n(.*?)\n\n", story, re.S)
    return re.findall(r"\*\*(?:<a [^>]*>)?(.+?)(?:</a>)?\.\*\*", found[1])


def ids(keep):
    return {row.id for row in registry().values() if keep(row)}


def test_what_is_told_is_all_that_falls_that_was_open_and_that_is_new():
    fallen = ids(lambda row: row.expected == "contradicted")
    assert set(sentences()) == fallen | ids(lambda row: row.reading in ("left open", "ours"))
    assert len(part("What falls, the heaviest first")) == len(fallen)
    assert len(part("What was left open, and is settled")) == 3


def test_the_fallen_theorem_comes_first_and_the_misprint_last():
    names = part("What falls, the heaviest first")
    assert names[0] == "Wang et al., Theorem 8 (2)" and names[-1] == "Katerenchuk and Rosenberg, RankDCG"
    assert names[1:4] == [
        "Wang et al., Section 1.1, informally",
        "Wang et al., Lemma 34",
        "Wang et al., Theorem 10, last claim",
    ]


@pytest.mark.parametrize("statement", sentences())
def test_each_sentence_leads_to_its_box(statement):
    page = registry()[statement].page
    (line,) = [line for line in STORY.splitlines() if sentences()[statement] in line]
    assert f'<a href="{page}.html#{slug(statement)}">{ADDRESSES[slug(statement)].name}</a>' in line
    assert "<a " not in story_markdown(EXPECTED, ADDRESSES, set())


def test_the_verdict_decides_where_a_statement_is_told_and_not_the_sentence():
    held = story_markdown([finding("wang/theorem-8-2")], ADDRESSES, PAGES)
    assert "###" not in held and sentences()["wang/theorem-8-2"] not in held
    assert "**0 statements hold as printed**" in held and " 1 as meant," in held
    assert "once the whole book has been built" in story_markdown([], ADDRESSES, PAGES)


def test_what_holds_is_counted_by_its_reading():
    holds = ids(lambda row: row.reading == "as printed" and row.expected in ("proved here", "consistent"))
    assert f"**{len(holds)} statements hold as printed**" in STORY
    assert "statement by statement](statements.md)" in STORY


def test_misprints_are_told_last_and_counted():
    below, _, _ = STORY.partition("### What was left open")
    last = below.strip().splitlines()[-1]
    misprints = sum(erratum.kind == "misprint" and erratum.source != "beyond" for erratum in errata())
    assert last.startswith("The lightest are") and f"{misprints} misprints: [all errata]" in last
