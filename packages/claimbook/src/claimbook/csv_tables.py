"""Tables of a book's content, as spreadsheets write them: with commas, semicolons or tabs between cells."""

# By hand on top of `csv`, because pandas would be a heavy dependency for two small tables.

import csv
import io

_BETWEEN = ",;\t"


def read_table(path, columns):
    """The rows of a CSV file as dictionaries, but for rows without a word.

    Parameters
    ----------
    path : Path
    columns : sequence of str
        Those that the file must have, in any order.

    Raises
    ------
    ValueError
        If it is no UTF-8 text, has other columns, or has a row with more cells than columns.
    """
    try:
        with open(path, encoding="utf-8-sig") as file:  # here, where `Inputs` knows who reads a registry
            text = file.read()
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: expected UTF-8 text ({error.reason}); save it as 'CSV UTF-8'") from None
    between = separator(text)
    reader = csv.DictReader(io.StringIO(text, newline=""), restval="", delimiter=between)
    given = reader.fieldnames or []
    if sorted(given) != sorted(columns):
        raise ValueError(f"{path}: expected the columns {', '.join(columns)}{_other(given, columns)}")
    rows = [row for row in reader if any(row.values())]
    for row in rows:
        if None in row:
            wanted = f"put text with {between!r} in quotes"
            raise ValueError(f"{path}, {row[columns[0]]}: more cells than columns; {wanted}")
    return rows


def separator(text):
    """What separates the cells in the first line of a table.

    >>> separator("id;page\\nnote/a;index")
    ';'
    """
    first = text.partition("\n")[0]
    return max(_BETWEEN, key=first.count)


def _other(given, columns):
    """How the columns that are given differ from those that are expected."""
    missing, unknown = [[*dict.fromkeys(one)] for one in (set(columns) - {*given}, set(given) - {*columns})]
    told = [f"missing: {', '.join(sorted(missing))}"] * bool(missing)
    told += [f"unknown: {', '.join(sorted(map(repr, unknown)))}"] * bool(unknown)
    return f"; {', '.join(told)}" if told else "; one is given twice"
