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
    # Each distinct text is converted once. Missing values stay missing.
    safe_columns = {
        name: column.map({text: cell(text) for text in column.dropna().unique()})
        for name, column in table.select_dtypes(exclude="number").items()
    }
    return table.assign(**safe_columns).to_csv(index=False, lineterminator="\n")


def aligned(rows: list) -> list[str]:
    """Return rows of texts as aligned lines, with the first column to the left.

    >>> print(*aligned([("n", "chance"), ("100", "0.5")]), sep="\\n")
    n    chance
    100     0.5
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join([first_cell.ljust(widths[0]), *map(str.rjust, other_cells, widths[1:])]).rstrip()
        for first_cell, *other_cells in rows
    ]
