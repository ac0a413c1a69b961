"""The errata: what is false, imprecise or misprinted in the sources, with what is true instead.

As Markdown for the page, and as ``errata.json`` for programs; an erratum keeps its id, and so its address.
"""

import json
from collections import Counter

from claimbook.registry import check_filled, check_row
from claimbook.reports.ledger import ledger
from claimbook.text import nearest

COLUMNS = ("source", "kind", "place", "statement", "printed", "correction", "proof", "id")


def errata(book):
    """All corrections, in the order of the sources.

    Each has ``id``, its anchor on the page after ``erratum-``; ``source``, the key of one of the book's
    sources; ``kind``, one of `Book.kinds`; ``place``, where it stands in the source; ``statement``, its id
    in the registry, whose findings are the evidence, empty for a slip that has none of its own; ``printed``
    and ``correction``, what is printed and what is true instead, in our words, as Markdown; ``proof``, as
    ``page#anchor``.

    Raises
    ------
    ValueError
        That names the entry, for a source, a kind or a statement that is not known.
    """
    rows, sources = book.table("errata.csv", COLUMNS), [source.key for source in book.sources]
    for row in rows:
        check_row("errata.csv", row, source=sources, kind=book.kinds)
        check_filled("errata.csv", row, ("id", "place", "printed", "correction"))
        if row.statement and row.statement not in book.registry:
            hint = nearest(row.statement, book.registry)
            raise ValueError(f"errata.csv, {row.id}: statement={row.statement!r}: not in the registry{hint}")
    return rows


def as_json(book, findings, home):
    """The contents of ``errata.json`` at the root of the site, with the verdicts of ``findings``.

    ``home`` is the name of the page that has them; without one they have no address.
    """
    rows, entries = {row.id: row for row in ledger(book, findings)}, []
    for erratum in errata(book):
        row, (page, _, anchor) = rows.get(erratum.statement), erratum.proof.partition("#")
        known = {
            "reading": row and row.reading,
            "verdict": row and row.verdict,
            "url": f"chapters/{home}.html#erratum-{erratum.id}" if home else None,
            "proof": f"chapters/{page}.html#{anchor}",
        }
        entries.append(vars(erratum) | known)
    return json.dumps({"errata": entries}, indent=1, ensure_ascii=False)


def counts(book):
    """The numbers of errata of each kind, of the sources and of this book, as two counters."""
    own = [erratum.source == book.itself.key for erratum in errata(book)]
    kinds = [erratum.kind for erratum in errata(book)]
    return {
        "sources": Counter(kind for kind, ours in zip(kinds, own, strict=True) if not ours),
        "this book": Counter(kind for kind, ours in zip(kinds, own, strict=True) if ours),
    }
