"""The sources, statement by statement: a page in their own order, and ``statements.json`` for programs."""

import json
import re

from ndcg_companion.chapter.evidence import SHAPES, slug
from ndcg_companion.chapter.registry import SOURCES, registry
from ndcg_companion.press.addresses import typeset

TITLES = {
    "wang": "A Theoretical Analysis of NDCG Ranking Measures (Wang et al. 2013)",
    "deck": "The slides of that paper",
    "rankdcg": "RankDCG (Katerenchuk and Rosenberg 2016)",
    "linear": "Linear NDCG and Pair-wise Loss (Jin and Geng)",
    "open": "Left open by Wang et al.",
    "beyond": "Results of this book",
}
_HEAD = "| statement | what it says | reading and verdict |\n|:--|:--|:--|"
# The poster numbers within its parts, of which these are the names, in its order.
_PARTS = ("constraint", "common metrics", "rankdcg", "test results", "real data results")


def in_order():
    """The statements of the registry by source, each source in its own order."""
    sources = list(SOURCES)
    key = lambda row: (sources.index(_source(row)), _place(row.place), row.id.endswith("-corrected"))
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
    statements, parts = {slug(row.id): row for row in in_order()}, []
    for source, heading in TITLES.items():
        labels = [label for label, row in statements.items() if _source(row) == source and label in addresses]
        if source == "beyond":
            labels = [label for label, address in addresses.items() if address.ours]
        if labels:
            parts += [
                f"## {heading}\n",
                "| statement | what it says | reading and verdict |",
                "|:--|:--|:--|",
            ]
            parts += [_row(addresses[label], statements.get(label), verdicts, titles) for label in labels]
            parts.append("")
    return "\n".join(parts) + "\n"


def _row(address, row, verdicts, titles):
    """One line; a result that has no row in the registry is proved on its page."""
    says = typeset(row.statement) if row else address.title
    verdict = verdicts.get(row.id) if row else None
    name = address.name if address.ours else address.number
    link = f'<a href="{address.page}.html#{address.label}">{name}</a>'
    judged = "ours <br> proved on its page"
    if verdict:
        read = f"{row.reading} ({row.note})" if row.note else row.reading
        judged = f"{read} <br> {SHAPES[verdict]} {verdict}"
    cells = (link, f"{says} <br> [{titles[address.page]}]({address.page}.ipynb)", judged)
    return "| " + " | ".join(" ".join(cell.replace("|", "\\|").split()) for cell in cells) + " |"
