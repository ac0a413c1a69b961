"""Read the tables of a book's content; commas, semicolons or tabs separate the cells."""

# Written by hand on top of `csv`, because pandas would be a heavy dependency for a few small tables.

import csv
import io

_SEPARATORS = ",;\t"


def read_table(path, columns):
    """Return the non-empty rows of a CSV file as dictionaries.

    Parameters
    ----------
    path : Path
        The file.
    columns : sequence of str
        The columns that the file must have, in any order.

    Raises
    ------
    ValueError
        If the file is not UTF-8 text, has other columns, or has a row with more cells than columns.
    """
    try:
        # Opened in this module, because `execute.inputs` ignores a registry that is read from here.
        with open(path, encoding="utf-8-sig") as file:
            text = file.read()
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: expected UTF-8 text ({error.reason}); save it as 'CSV UTF-8'") from None
    delimiter = separator(text)
    reader = csv.DictReader(io.StringIO(text, newline=""), restval="", delimiter=delimiter)
    names = reader.fieldnames or []
    if sorted(names) != sorted(columns):
        raise ValueError(
            f"{path}: expected the columns {', '.join(columns)}{_column_differences(names, columns)}"
        )
    rows = [row for row in reader if any(row.values())]
    for row in rows:
        if None in row:  # the key under which `DictReader` puts cells beyond the last column
            expectation = f"expected as many cells as columns; put text with {delimiter!r} in quotes"
            raise ValueError(f"{path}, {row[columns[0]]}: {expectation}")
    return rows


def separator(text):
    """Return the separator that the first line of a table uses.

    >>> separator("id;page\\nnote/a;index")
    ';'
    """
    first_line = text.partition("\n")[0]
    return max(_SEPARATORS, key=first_line.count)


def _column_differences(names, columns):
    """Return words that say how a file's columns differ from the expected ones."""
    missing, unknown = {*columns} - {*names}, {*names} - {*columns}
    differences = []
    if missing:
        differences.append(f"missing: {', '.join(sorted(missing))}")
    if unknown:
        differences.append(f"unknown: {', '.join(sorted(map(repr, unknown)))}")
    return f"; {', '.join(differences)}" if differences else "; one is given twice"
