"""What the book found, for its first page: what falls, by weight, what was open, what is new, what holds.

Which of these a statement is, the findings say; the sentences stand in ``story.csv``, the heaviest first.
"""

from collections import Counter
from functools import cache

from ndcg_companion.chapter.evidence import slug
from ndcg_companion.press.errata import errata
from ndcg_companion.press.keeping import table_of
from ndcg_companion.press.ledger import ledger
from ndcg_companion.press.template import filled

_HOLDS = ("proved here", "consistent")
_LIGHT = {  # kinds of errata, and what several are called
    "imprecise": "imprecise lines",
    "ambiguous": "ambiguous lines",
    "gap in a proof": "gaps in proofs",
    "slip in a proof": "slips in proofs",
    "misprint": "misprints",
}


@cache
def sentences():
    """What is told of each statement, by its id, in order of weight.

    >>> list(sentences())[0]
    'wang/theorem-8-2'
    """
    return {row.id: row.told for row in table_of("story.csv")}


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
    held = [row for row in found.values() if row.verdict in _HOLDS]
    parts = {
        "What falls, the heaviest first": [row for row in told if row.verdict == "contradicted"],
        "What was left open, and is settled": [
            row for row in told if row in held and row.reading == "left open"
        ],
        "What is new": [row for row in told if row in held and row.reading == "ours"],
    }
    counts = {
        "kinds": Counter(erratum.kind for erratum in errata() if erratum.source != "beyond"),
        "holds": Counter(row.reading for row in held),
        "untested": sum(row.verdict == "not testable" for row in found.values()),
    }
    known = {"addresses": addresses, "pages": pages, "sentences": sentences(), "light": _LIGHT}
    return filled("press/fragments/story.md", told=parts, **known, **counts)
