"""What the book found, for its first page: what falls, by weight, what was open, what is new, what holds.

Which of these a statement is, the findings say; the sentences stand in ``story.csv``, the heaviest first.
"""

import csv
from collections import Counter
from functools import cache
from importlib.resources import files

from ndcg_companion.chapter.evidence import SHAPES, slug
from ndcg_companion.press.errata import errata
from ndcg_companion.press.ledger import ledger

_HOLDS = ("proved here", "consistent")
_FALLS = "What falls, the heaviest first"
_LIGHT = ("imprecise", "ambiguous", "gap in a proof", "slip in a proof", "misprint")  # kinds of errata


@cache
def sentences():
    """What is told of each statement, by its id, in order of weight.

    >>> list(sentences())[0]
    'wang/theorem-8-2'
    """
    with files("ndcg_companion.press").joinpath("story.csv").open(encoding="utf-8", newline="") as file:
        return {row["id"]: row["told"] for row in csv.DictReader(file)}


def story_markdown(findings, addresses, pages):
    """What falls, what was left open, what is new, and how much holds, as Markdown.

    Parameters
    ----------
    findings : list of dict
        Those of all chapters.
    addresses : dict
        `Address` by label.
    pages : iterable of str
        Names of the pages that can be linked to.
    """
    found = {row.id: row for row in ledger(findings) if row.verdict}
    if not found:
        return "What was found stands here once the whole book has been built."
    told = [found[known] for known in sentences() if known in found and slug(known) in addresses]
    parts = {
        _FALLS: [row for row in told if row.verdict == "contradicted"],
        "What was left open, and is settled": [row for row in told if _holds(row, "left open")],
        "What is new": [row for row in told if _holds(row, "ours")],
    }
    lines = []
    for heading, rows in parts.items():
        if rows:
            items = [f"1. {_name(row, addresses, pages)} {sentences()[row.id]}" for row in rows]
            lines += [f"### {heading}", "", *items, ""]
            lines += [_lighter("errata" in pages), ""] * (rows is parts[_FALLS])
    return "\n".join([*lines, _rest(found.values(), "statements" in pages)])


def _holds(row, reading):
    return row.reading == reading and row.verdict in _HOLDS


def _name(row, addresses, pages):
    """What its source calls it, with its verdict, as a link to its box."""
    shape = f'<span aria-hidden="true">{SHAPES[row.verdict]}</span>'
    name = addresses[slug(row.id)].name
    if row.page in pages:
        name = f'<a href="{row.page}.html#{slug(row.id)}">{name}</a>'
    return f"{shape} **{name}.**"


def _lighter(linked):
    """What has less weight than a statement that falls, counted by its kind."""
    kinds = Counter(erratum.kind for erratum in errata() if erratum.source != "beyond")
    counted = ", ".join(f"{kinds[kind]} {_plural(kind)}" for kind in _LIGHT)
    return f"Least of all, {counted}: {'[all errata](errata.md)' if linked else 'the errata'}."


def _rest(rows, linked):
    """What is not told one by one, in numbers."""
    counts = Counter(row.reading for row in rows if row.verdict in _HOLDS)
    untested = sum(row.verdict == "not testable" for row in rows)
    told = (
        f"**{counts['as printed']} statements hold as printed**, definitions and tables among them, and "
        f"{counts['as meant']} as meant, under a condition that their source has elsewhere, or needs. "
        f"{counts['corrected']} corrections take the place of what falls. {untested} cannot be tested, for "
        "want of data that nobody else has or of a meaning that is fixed."
    )
    return told + " [All of them, statement by statement](statements.md)." * linked


def _plural(kind):
    """The name of several errata of a kind.

    >>> _plural("gap in a proof"), _plural("imprecise")
    ('gaps in proofs', 'imprecise lines')
    """
    noun, _, where = kind.partition(" in a ")
    return {"imprecise": "imprecise lines", "ambiguous": "ambiguous lines"}.get(
        kind, f"{noun}s" + f" in {where}s" * bool(where)
    )
