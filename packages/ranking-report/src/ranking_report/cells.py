"""Write untrusted text into tables: CSV files and lines for a terminal."""

import unicodedata

from ndcg_companion.text import escaped


def cell(text: object) -> str:
    """Return untrusted text as a CSV cell that no spreadsheet takes for a formula.

    Different texts stay different.

    >>> cell("=1+1"), cell("'=1+1")
    ("'=1+1", "''=1+1")
    """
    text = escaped(text, most=10_000)
    # Some spreadsheets also accept the full-width and small forms of these signs.
    return f"'{text}" if unicodedata.normalize("NFKC", text[:1]) in ("=", "+", "-", "@", "'") else text


def as_csv(table):
    """Return a DataFrame as comma-separated values without formulas.

    Missing values are empty cells.
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
        How to pad the columns after the first: ``str.rjust`` by default. The first is aligned left.

    Examples
    --------
    >>> print(*aligned([("n", "chance"), ("100", "0.5")]), sep="\\n")
    n    chance
    100     0.5
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join([row[0].ljust(widths[0]), *map(others, row[1:], widths[1:])]).rstrip() for row in rows]
