"""The errata: what is false, imprecise or misprinted in the sources, with what is true instead.

As Markdown for the page, and as ``errata.json`` for programs; an erratum keeps its id, and so its address.
"""

import json
from collections import Counter
from dataclasses import asdict, dataclass
from functools import cache

from ndcg_companion.chapter.registry import SOURCES
from ndcg_companion.press.keeping import table_of
from ndcg_companion.press.ledger import ledger
from ndcg_companion.press.template import filled

KINDS = (
    "false as printed",
    "false as meant",
    "imprecise",
    "ambiguous",
    "left open",
    "gap in a proof",
    "slip in a proof",
    "misprint",
)


@dataclass(frozen=True)
class Erratum:
    """One correction.

    Attributes
    ----------
    id : str
        Where it stands on the page: its anchor is this after ``erratum-``.
    source : str
        Key of `SOURCES`.
    kind : str
        One of `KINDS`.
    place : str
        Where it stands in the source.
    statement : str
        Its id in the registry, whose findings are the evidence; empty for a slip that has none of its own.
    printed, correction : str
        What is printed, and what is true instead, in our words; Markdown.
    proof : str
        The page and the anchor of the proof, as ``page#anchor``.
    """

    id: str
    source: str
    kind: str
    place: str
    statement: str
    printed: str
    correction: str
    proof: str

    @property
    def url(self):
        """Its address, from the root of the site."""
        return f"chapters/errata.html#erratum-{self.id}"


@cache
def errata():
    """All corrections, in the order of the sources.

    >>> errata()[2].statement
    'wang/lemma-3'
    """
    return [Erratum(**row) for row in table_of("errata.csv")]


def as_json(findings):
    """What ``errata.json`` at the root of the site holds, with the verdicts of ``findings``."""
    rows, told = {row.id: row for row in ledger(findings)}, []
    for erratum in errata():
        row = rows.get(erratum.statement)
        known = {"reading": row and row.reading, "verdict": row and row.verdict, "url": erratum.url}
        page, _, anchor = erratum.proof.partition("#")
        told.append(asdict(erratum) | known | {"proof": f"chapters/{page}.html#{anchor}"})
    return json.dumps({"errata": told}, indent=1, ensure_ascii=False)


def errata_markdown(findings, titles):
    """The errata as Markdown, a section for each source, with the evidence that ``findings`` hold.

    Parameters
    ----------
    findings : list of dict
        Those of all chapters.
    titles : dict
        Page name to title, of the pages that stand.
    """
    sources = {source: [erratum for erratum in errata() if erratum.source == source] for source in SOURCES}
    counts = {source: Counter(erratum.kind for erratum in own) for source, own in sources.items()}
    rows = {row.id: row for row in ledger(findings)}
    told = {"names": SOURCES, "kinds": KINDS, "counts": counts, "rows": rows, "titles": titles}
    return filled("press/fragments/errata.md", sources=sources, **told)
