"""Untrusted text in tables: in files that a spreadsheet may open, and in a terminal."""

import csv
import io
import json
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


def table(heading: list, rows: list) -> str:
    """Comma-separated values; a list in a cell is JSON, and a text is never a formula.

    >>> print(table(["run", "seen"], [["=1+1", [1, 2]]]))
    run,seen
    '=1+1,"[1, 2]"
    <BLANKLINE>
    """
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(map(_cells, [heading, *rows]))
    return text.getvalue()


def _cells(row):
    row = [json.dumps(value) if isinstance(value, list) else value for value in row]
    return [cell(value) if isinstance(value, str) else value for value in row]


def aligned(rows: list, others=str.rjust) -> list[str]:
    """Lines for a terminal from rows of texts: the first column to the left, the others as ``others`` has it.

    >>> print(*aligned([("n", "chance"), ("100", "0.5")]), sep="\\n")
    n    chance
    100     0.5
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join([row[0].ljust(widths[0]), *map(others, row[1:], widths[1:])]).rstrip() for row in rows]
