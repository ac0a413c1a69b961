"""Write untrusted text into tables, as CSV files or as lines for a terminal."""

import unicodedata

from ndcg_companion.text import escaped


def cell(text: object) -> str:
    """Return untrusted text as a CSV cell that no spreadsheet mistakes for a formula.

    Different texts stay different.

    >>> cell("=1+1"), cell("'=1+1")
    ("'=1+1", "''=1+1")
    """
    text = escaped(text, most=10_000)
    # Some spreadsheets also accept the full-width and small forms of these signs.
    return f"'{text}" if unicodedata.normalize("NFKC", text[:1]) in ("=", "+", "-", "@", "'") else text


def as_csv(table):
    """Return a DataFrame as comma-separated values, in which no text is a formula.

    Missing values become empty cells.
    """
    words = table.select_dtypes(exclude="number")
    safe = {
        name: words[name].map({word: cell(word) for word in words[name].dropna().unique()}) for name in words
    }
    return table.assign(**safe).to_csv(index=False, lineterminator="\n")


def aligned(rows: list, others=str.rjust) -> list[str]:
    """Return rows of texts as aligned lines for a terminal.

    Parameters
    ----------
    rows : list of sequence of str
    others : callable
        The function that pads the columns after the first, by default ``str.rjust``. The first column is
        aligned left.

    Examples
    --------
    >>> print(*aligned([("n", "chance"), ("100", "0.5")]), sep="\\n")
    n    chance
    100     0.5
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join([row[0].ljust(widths[0]), *map(others, row[1:], widths[1:])]).rstrip() for row in rows]
