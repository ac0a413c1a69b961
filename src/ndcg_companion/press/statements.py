"""The sources, statement by statement: a page in their own order, and ``statements.json`` for programs."""

import json
import re

from ndcg_companion.chapter.evidence import slug
from ndcg_companion.chapter.registry import SOURCES, registry
from ndcg_companion.press.template import filled

TITLES = {
    "wang": "A Theoretical Analysis of NDCG Ranking Measures (Wang et al. 2013)",
    "deck": "The slides of that paper",
    "rankdcg": "RankDCG (Katerenchuk and Rosenberg 2016)",
    "linear": "Linear NDCG and Pair-wise Loss (Jin and Geng)",
    "open": "Left open by Wang et al.",
    "beyond": "Results of this book",
}
# The poster numbers within its parts, of which these are the names, in its order.
_PARTS = ("constraint", "common metrics", "rankdcg", "test results", "real data results")


def in_order():
    """The statements of the registry by source, each in its own order: as printed, then what corrects it."""
    sources = list(SOURCES)
    key = lambda row: (sources.index(_source(row)), _place(row.place), row.reading == "corrected")
    return sorted(registry().values(), key=key)


def _source(row):
    return row.id.partition("/")[0]


def _place(place):
    """Sections before appendices, then by number; what has none ends its section.

    >>> _place("Section 3.2, Theorem 10") < _place("Section 3.2, left open") < _place("Appendix A, Figure 1")
    True
    """
    division, _, rest = place.partition(", ")
    part = next((at for at, name in enumerate(_PARTS) if rest.lower().startswith(name)), -1)
    numbers = [int(number) for number in re.findall(r"\d+", rest)]
    after = [10_000] * (not numbers or rest.startswith("after"))
    return division.startswith("Appendix"), division, part, numbers + after


def as_json(addresses, verdicts):
    """What ``statements.json`` at the root of the site holds: every statement whose page stands.

    Parameters
    ----------
    addresses : dict
        `Address` by label.
    verdicts : dict
        Statement id to verdict.
    """
    rows = [
        {
            "id": row.id,
            "source": row.source,
            "number": addresses[slug(row.id)].number,
            "title": addresses[slug(row.id)].title,
            "reading": row.reading,
            "verdict": verdicts.get(row.id),
            "url": addresses[slug(row.id)].url,
        }
        for row in in_order()
        if slug(row.id) in addresses
    ]
    return json.dumps({"statements": rows}, indent=1, ensure_ascii=False)


def statements_markdown(addresses, verdicts, titles):
    """The page: for each source a table of its statements, then all results of this book.

    ``titles`` has the title of each page that stands.
    """
    rows = {slug(row.id): row for row in in_order()}
    labels = {
        source: [label for label, row in rows.items() if _source(row) == source and label in addresses]
        for source in TITLES
    } | {"beyond": [label for label, address in addresses.items() if address.ours]}
    told = {"addresses": addresses, "verdicts": verdicts, "titles": titles}
    return filled("press/fragments/statements.md", headings=TITLES, labels=labels, rows=rows, **told)
