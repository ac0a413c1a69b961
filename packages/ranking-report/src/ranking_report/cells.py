"""Untrusted text in tables: in files that a spreadsheet may open, and in a terminal."""

import unicodedata

from ndcg_companion.text import escaped


def cell(text: object) -> str:
    """Untrusted text in a table that a spreadsheet may open: never a formula, and no two texts the same.

    >>> cell("=1+1"), cell("'=1+1")
    ("'=1+1", "''=1+1")
    """
    text = escaped(text, most=10_000)
    # Some spreadsheets take the wide and the small forms of these signs as well.
    return f"'{text}" if unicodedata.normalize("NFKC", text[:1]) in ("=", "+", "-", "@", "'") else text


def as_csv(table):
    """A DataFrame as comma-separated values; no cell is a formula to a spreadsheet.

    What is not known is empty.
    """
    words = table.select_dtypes(exclude="number")
    safe = {
        name: words[name].map({word: cell(word) for word in words[name].dropna().unique()}) for name in words
    }
    return table.assign(**safe).to_csv(index=False, lineterminator="\n")


def aligned(rows: list, others=str.rjust) -> list[str]:
    """Lines for a terminal from rows of texts: the first column to the left, the others as ``others`` has it.

    >>> print(*aligned([("n", "chance"), ("100", "0.5")]), sep="\\n")
    n    chance
    100     0.5
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join([row[0].ljust(widths[0]), *map(others, row[1:], widths[1:])]).rstrip() for row in rows]
