"""The errata: what is false, imprecise or misprinted in the sources, with what is true instead.

As Markdown for the page, and as ``errata.json`` for programs; an erratum keeps its id, and so its address.
"""

import csv
import json
from collections import Counter
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files

from ndcg_companion.chapter.evidence import SHAPES, slug
from ndcg_companion.chapter.registry import SOURCES
from ndcg_companion.press.ledger import ledger

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
    with files("ndcg_companion.press").joinpath("errata.csv").open(encoding="utf-8", newline="") as file:
        return [Erratum(**row) for row in csv.DictReader(file)]


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
    rows = {row.id: row for row in ledger(findings)}
    parts = []
    for source, name in SOURCES.items():
        own = [erratum for erratum in errata() if erratum.source == source]
        if not own:
            continue
        counts = Counter(erratum.kind for erratum in own)
        told = ", ".join(f"{kind} ({counts[kind]})" for kind in KINDS if counts[kind])
        heading = "This book, first edition" if source == "beyond" else f"{name[0].upper()}{name[1:]}"
        parts.append(f"## {heading}\n\n*By kind: {told}.*\n")
        parts += [_entry(erratum, rows, findings, titles) for erratum in own]
    return "\n".join(parts) + "\n"


def _entry(erratum, rows, findings, titles):
    page, _, anchor = erratum.proof.partition("#")
    proof = (
        f'<a href="{page}.html#{anchor}">{titles[page]}</a>'
        if page in titles
        else "its page does not stand yet"
    )
    lines = [f": {erratum.printed}", f"*Instead:* {erratum.correction}", f"*Proof:* {proof}."]
    row = rows.get(erratum.statement)
    if row and row.verdict:
        verdict = f'<a href="ledger.html#{slug(row.id)}">{SHAPES[row.verdict]} {row.verdict}</a>'
        first = next(found for found in findings if found["statement"] == row.id)
        sides = first["claim"]["says"], first["control"]["says"]
        rejected, holds = sides if row.verdict == "contradicted" else sides[::-1]
        lines += [
            f"*Evidence:* {verdict}, read {row.reading}, {row.checks} check{'s' * (row.checks != 1)}. "
            f"Rejected: {rejected}. Holds: {holds}."
        ]
    anchor = f'<span id="erratum-{erratum.id}"></span>'
    return f"{anchor}**{erratum.place}** ({erratum.kind})\n" + "\n\n  ".join(lines) + "\n"
