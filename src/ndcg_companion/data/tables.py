"""Long tables, CSV or Parquet: one row for each query and item, one column for each system."""

import csv
import re
from collections.abc import Sequence
from io import BytesIO
from os import PathLike

import numpy as np
import pandas

from ndcg_companion.data.clicks import click_labels
from ndcg_companion.data.extras import import_extra
from ndcg_companion.data.files import (
    PARQUET,
    line_of,
    named,
    number,
    read_bytes,
    read_columns,
    read_opening,
    reader,
)
from ndcg_companion.data.joining import Rows, in_order
from ndcg_companion.data.rankings import FilePath, Rankings, first
from ndcg_companion.measures.checks import fail_if
from ndcg_companion.text import check_plain, shown

_EXPECTED = "the columns query, item, label or clicks, perhaps time, and score_NAME for a system NAME"
_INDEX = ("", "Unnamed: 0", "__index_level_0__")  # what pandas writes beside the columns unless told not to
_EMPTY = {  # by what the name of a column begins with
    "label": "; 0 stands for an item that nobody judged",
    "score_": "; -inf stands for an item that was not retrieved",
}
_NUMBER = re.compile(r"\s*[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?\s*")


def read_table(
    path: FilePath | pandas.DataFrame,
    *,
    time: str | None = None,
    thresholds: Sequence[float] = (100, 1001),
) -> Rankings:
    """Rankings from a table with the columns query, item, label or clicks, perhaps time, and ``score_NAME``.

    CSV has commas, a header and UTF-8, gzipped or not; anything that starts as Parquet files do is read as
    Parquet, which needs the extra ``parquet``. Columns may stand in any order, and rows too: items of a query
    come in the order of their times, or of the file. Ids stay as they are written (``007`` is not ``7``).
    Every row is judged; a system that did not retrieve an item scores it ``-inf``. The column of row numbers
    that pandas writes is passed over.

    Parameters
    ----------
    path : path, or pandas DataFrame
    time : str, optional
        What the column of times is called, which then must be there; by default ``time``, if there is one.
    thresholds : sequence of int
        Of a table with clicks: see `click_labels`.

    Returns
    -------
    Rankings

    Raises
    ------
    OSError
        For a file that cannot be opened.
    ValueError
        Naming file and line (of Parquet, the row), for columns missing, unknown or twice; fields missing or
        left over; an empty field; a label, a click count, a time or a score that is none; a label below zero;
        NaN; an item twice for one query; and data that is no UTF-8 or cut short.
    ModuleNotFoundError
        For Parquet without pyarrow.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "log.csv")
    ...     _ = path.write_text("query,item,clicks,time,score_old,score_new\\n"
    ...                         "jaguar,d17,250,2024-05-07,11.3,0.82\\n"
    ...                         "jaguar,d04,3,2024-05-01,9.6,-inf\\n")
    ...     rankings = read_table(path)
    >>> rankings
    Rankings(1 query, 2 items, systems: old, new)
    >>> rankings.items.tolist(), rankings.labels.tolist(), rankings.scores["new"].tolist()
    (['d04', 'd17'], [0, 1], [-inf, 0.82])
    """
    if not isinstance(path, (str, PathLike)):
        return table_from_frame(path, time=time, thresholds=thresholds)
    return table_from_bytes(path, read_opening(path), time, thresholds)


def table_from_bytes(path, data, time=None, thresholds=(100, 1001)):
    """The same from what `read_opening` gave of a file."""
    if data.startswith(PARQUET):
        frame = _read_parquet(path, path if data == PARQUET else BytesIO(data), time)
        return table_from_frame(frame, named(path), time, thresholds)
    columns = _read_csv(path, read_bytes(path, f"a header with {_EXPECTED}", data), time)
    return _assembled(named(path), columns, line_of(path, 2), time, thresholds)


def table_from_frame(frame, source="the table", time=None, thresholds=(100, 1001)):
    """Rankings from such a table in a pandas DataFrame, its index passed over."""
    if not hasattr(frame, "columns"):
        raise ValueError(f"{source}: expected a path or a DataFrame, got {type(frame).__name__}")
    columns = {name: frame[name] for name in _check_header(source, [*map(str, frame.columns)], time)}
    return _assembled(source, columns, lambda row: f"{source}, row {row + 1}", time, thresholds)


def _assembled(source, columns, place, time, thresholds):
    """Rankings from columns, after all checks."""
    query, item = columns.pop("query"), columns.pop("item")
    fail_if(not len(query), f"{source}: expected rows, got a header alone")
    numbers = {name: np.asarray(values) for name, values in columns.items()}
    rows = Rows(source, query, item, numbers, place)
    (name,) = {"label", "clicks"} & set(numbers)
    grades = numbers[name]
    if (row := first(grades < 0)) is not None:
        raise ValueError(f"{place(row)}: expected {name} >= 0, got {grades[row]:g}")
    labels = grades if name == "label" else click_labels(grades, thresholds)
    return in_order(rows, labels, numbers.get(time or "time"))[0]


def _check_header(source, names, time):
    """The names without pandas' index; refused unless they are those expected."""
    names = names[1:] if names and names[0] in _INDEX else names
    names = [name for name in names if name != _INDEX[2]]
    known = {"query", "item", "label", "clicks", time or "time"}
    others = [name for name in names if name not in known and not re.fullmatch("score_.+", name, re.S)]
    for wrong, what in (
        (sorted({"query", "item", time or "item"} - set(names)), "without"),
        ([] if ("label" in names) != ("clicks" in names) else ["label", "clicks"], "with neither or both of"),
        (sorted({name for name in names if names.count(name) > 1}), "twice with"),
        (others, "with also"),
    ):
        found = ", ".join(shown(name) or "a column without a name" for name in wrong)
        got = f"'{shown(','.join(names), 200)}', {what} {found}"
        fail_if(wrong, f"{source}, header: expected {_EXPECTED}, got {got}")
    return [check_plain(name, f"{source}, header: column") for name in names]


def _read_csv(path, data, time):
    """The columns of a CSV by name."""
    head, _, body = data.partition(b"\n")
    body, source, time_column = body.rstrip(b"\r\n"), named(path), time or "time"
    try:
        header = next(csv.reader([head.decode()]))
    except csv.Error as error:
        got = f"what cannot be read: {error}"
        raise ValueError(f"{source}, header: expected {_EXPECTED}, got {got}") from None
    mark = next((mark for mark in ";\t|" if len(header) == 1 and mark in header[0]), "")
    got = f"'{shown(mark)}' in '{shown(header[0] if header else '', 200)}'"
    fail_if(mark, f"{source}, header: expected commas between columns, got {got}")
    kept = _check_header(source, header, time)
    fail_if(not body, f"{source}: expected rows, got a header alone")
    dated = time_column in kept and _is_date(body, header.index(time_column))
    texts = {"query", "item", time_column if dated else "item"}
    parsers = {name: _number(name) for name in kept if name not in texts}
    place = line_of(path, 2)
    columns = read_columns(body, header, parsers, place, commas=True)
    if dated:
        dates = enumerate(columns[time_column])
        columns[time_column] = np.array([_date(time_column, text, place(row)) for row, text in dates])
    return {name: columns[name] for name in kept}


def _is_date(body, column):
    """Whether the first time is something else than a number."""
    row = next(csv.reader([body.split(b"\n", 1)[0].decode()]), [])
    return any(text and not _NUMBER.fullmatch(text) for text in row[column : column + 1])


def _date(name, text, where):
    refusal = lambda text: f"{where}: expected a date (ISO 8601) as {shown(name)}, got {shown(text)!r}"
    return reader(lambda text: np.datetime64(text, "us"), refusal)(text)


def _number(name):
    """A reader of the numbers of a column."""
    empty = f"expected a value of {shown(name)}, got nothing{_EMPTY.get(name[:6], '')}"
    wrong = lambda text: f"expected a number as {shown(name)}, got {shown(text)!r}"
    return reader(number, lambda text: wrong(text) if text.strip() else empty)


def _read_parquet(path, file, time):
    pa = import_extra("parquet")
    from pyarrow import parquet

    source = named(path)
    try:
        # Each id is read once, and a number for each row: a fifth of the time, and of the memory.
        file = parquet.ParquetFile(file, read_dictionary=["query", "item"])
        kept = _check_header(source, file.schema_arrow.names, time)
        table = file.read(columns=kept)
    except (pa.ArrowInvalid, OSError) as error:
        if getattr(error, "errno", None):
            raise
        raise ValueError(f"{source}: expected whole Parquet data, got {shown(error, 200)}") from None
    wanted = pa.schema([(name, _arrow_type(source, table.field(name), time or "time")) for name in kept])
    for name in kept:
        if (row := first(table[name].is_null().to_numpy())) is not None:
            raise ValueError(f"{source}, row {row + 1}: expected a value of {shown(name)}, got nothing")
    table = table.cast(wanted).unify_dictionaries()
    return table.to_pandas(split_blocks=True, self_destruct=True, ignore_metadata=True)


def _arrow_type(source, field, time):
    """The type that a column is read with; ValueError if it is none for such a column."""
    import pyarrow as pa

    types, given, is_id = pa.types, field.type, field.name in ("query", "item")
    if types.is_integer(given) or types.is_floating(given) or is_id and not types.is_nested(given):
        return given
    if field.name == time and (types.is_timestamp(given) or types.is_date(given)):
        return pa.timestamp(given.unit if types.is_timestamp(given) else "us")
    expected = f"{shown(field.name)} of type {'text' if is_id else 'double'}"
    fail_if(not types.is_decimal(given), f"{source}: expected {expected}, got {given}")
    return pa.float64()
