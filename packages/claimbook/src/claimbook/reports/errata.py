"""The errata: false, imprecise or misprinted statements, with corrections.

Readers see the errata on a page, and programs can read them from ``errata.json``. The id of an erratum never
changes, so its address stays the same.
"""

import json
from collections import Counter

from claimbook.registry import check_filled, check_row
from claimbook.reports.ledger import ledger
from claimbook.text import nearest

COLUMNS = ("source", "kind", "place", "statement", "printed", "correction", "proof", "id")


def errata(book):
    """Return all errata, in the order of the sources.

    Returns
    -------
    list
        Rows with the following attributes. The anchor of an erratum on the page is ``erratum-`` followed by
        the ``id``. ``source`` is the key of a source, ``kind`` is one of `Book.kinds`, and ``place`` is the
        place in the source. ``statement`` is the registry id of the statement whose findings are the
        evidence, or empty. ``printed`` and ``correction`` are the printed and the true statement in our
        words, as Markdown. ``proof`` has the form ``page#anchor``.

    Raises
    ------
    ValueError
        If a source, a kind or a statement is unknown. The message names the entry.
    """
    rows, sources = book.table("errata.csv", COLUMNS), [source.key for source in book.sources]
    for row in rows:
        check_row("errata.csv", row, source=sources, kind=book.kinds)
        check_filled("errata.csv", row, ("id", "place", "printed", "correction"))
        if row.statement and row.statement not in book.registry:
            expectation = f"expected a statement of the registry{nearest(row.statement, book.registry)}"
            raise ValueError(f"errata.csv, {row.id}: statement={row.statement!r}: {expectation}")
    return rows


def as_json(book, findings, home):
    """Return the contents of ``errata.json``, a file at the root of the site.

    Parameters
    ----------
    book : Book
        The book.
    findings : list of dict
        The findings of all chapters, from which the verdicts are taken.
    home : str
        The name of the page with the errata, or an empty text. Without such a page, errata have no address.
    """
    row_of_statement, entries = {row.id: row for row in ledger(book, findings)}, []
    for erratum in errata(book):
        row = row_of_statement.get(erratum.statement)
        page, _, anchor = erratum.proof.partition("#")
        details = {
            "reading": row and row.reading,
            "verdict": row and row.verdict,
            "url": f"chapters/{home}.html#erratum-{erratum.id}" if home else None,
            "proof": f"chapters/{page}.html#{anchor}",
        }
        entries.append(vars(erratum) | details)
    return json.dumps({"errata": entries}, indent=1, ensure_ascii=False)


def counts(book):
    """Return the number of errata of each kind, in the sources and in this book."""
    rows, book_key = errata(book), book.itself.key
    return {
        "sources": Counter(erratum.kind for erratum in rows if erratum.source != book_key),
        "this book": Counter(erratum.kind for erratum in rows if erratum.source == book_key),
    }
