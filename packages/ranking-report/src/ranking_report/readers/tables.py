"""Long tables, CSV or Parquet: one row for each query and item, one column for each system."""

import csv
import os
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from io import BytesIO
from os import PathLike

import numpy as np
import pandas

from ndcg_companion.checks import duplicates, fail_if
from ndcg_companion.data.clicks import click_labels
from ndcg_companion.data.rankings import FilePath, Rankings, first
from ndcg_companion.text import check_plain, escaped
from ranking_report.extras import import_extra
from ranking_report.readers.files import (
    PARQUET,
    below_comments,
    check_size,
    line_of,
    named,
    number,
    read_bytes,
    read_columns,
    read_line_by_line,
    read_opening,
    reader,
    refuse_comments,
)
from ranking_report.readers.joining import Rows, check_ids, in_order
from ranking_report.readers.values import as_numbers, as_pandas, is_frame, refusal_of

_EXPECTED = "the columns query, item, label or clicks, perhaps time, and score_NAME for a system NAME"
_IDS = ("query", "item")
_INDEX = ("", "Unnamed: 0", "__index_level_0__")  # what pandas writes beside the columns unless told not to
_EMPTY = {  # by what the name of a column begins with
    "label": "; 0 stands for an item that nobody judged",
    "score_": "; -inf stands for an item that was not retrieved",
}
_NUMBER = re.compile(r"\s*[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?\s*")


def read_table(
    path: FilePath | pandas.DataFrame,
    *,
    time: str | None = None,
    thresholds: Sequence[float] = (100, 1001),
) -> Rankings:
    """Rankings from a table with the columns query, item, label or clicks, perhaps time, and ``score_NAME``.

    CSV has commas, a header and UTF-8, packed or not, and perhaps comments (``# text``) above; anything that
    starts as Parquet files do is read as Parquet, which needs the extra ``parquet``. Columns may stand in any
    order, and rows too: items of a query come in the order of their times, or of the file. Ids stay as they
    are written (``007`` is not ``7``). Every row is judged; a system that did not retrieve an item scores it
    ``-inf``. The column of row numbers that pandas writes is passed over.

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
    """The rankings of `read_table`, from what `read_opening` gave of a file."""
    if data.startswith(PARQUET):
        choose = lambda names: _check_header(named(path), names, time)
        frame = read_parquet(
            path, path if data == PARQUET else BytesIO(data), choose, lambda kept: _IDS, time or "time"
        )
        return table_from_frame(frame, named(path), time, thresholds)
    text, start = below_comments(read_bytes(path, f"a header with {_EXPECTED}", data))
    refuse_comments(path, text, start, header=True)
    place = line_of(path, start + 1)
    return _assembled(named(path), _read_csv(path, text, time, start + 1), place, time, thresholds)


def table_from_frame(frame, source="the table", time=None, thresholds=(100, 1001)):
    """Rankings from such a table in a pandas DataFrame, its index passed over."""
    got = type(frame).__name__
    fail_if(not is_frame(frame), f"{source}: expected a path or a DataFrame, got {got}")
    frame = as_pandas(frame)
    columns = {name: frame[name] for name in _check_header(source, [*map(str, frame.columns)], time)}
    place = lambda row: f"{source}, row {row + 1}"
    for name, values in columns.items():
        if name in _IDS:
            columns[name] = check_ids(name, values, place)
        elif name != (time or "time"):
            columns[name] = as_numbers(values, name, place)
    return _assembled(source, columns, place, time, thresholds)


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
        (sorted(duplicates(names)), "twice with"),
        (others, "with also"),
    ):
        found = ", ".join(escaped(name) or "a column without a name" for name in wrong)
        got = f"'{escaped(','.join(names), 200)}', {what} {found}"
        fail_if(wrong, f"{source}, header: expected {_EXPECTED}, got {got}")
    return [check_plain(name, f"{source}, header: column") for name in names]


def _read_csv(path, data, time, start):
    """The columns of a CSV by name; ``start`` is the line of its first row."""
    head, _, body = data.partition(b"\n")
    body, source, time_column = body.rstrip(b"\r\n"), named(path), time or "time"
    try:
        header = next(csv.reader([head.decode()]))
    except csv.Error as error:
        got = f"what cannot be read: {error}"
        raise ValueError(f"{source}, header: expected {_EXPECTED}, got {got}") from None
    mark = next((mark for mark in ";\t|" if len(header) == 1 and mark in header[0]), "")
    got = f"'{escaped(mark)}' in '{escaped(header[0] if header else '', 200)}'"
    fail_if(mark, f"{source}, header: expected commas between columns, got {got}")
    kept = _check_header(source, header, time)
    fail_if(not body, f"{source}: expected rows, got a header alone")
    dated = False
    if time_column in kept:
        # The careful reader says what is wrong with the row, if it is no row.
        row = read_line_by_line(BytesIO(body).readline(), header, {}, line_of(path, start), ",")
        dated = not _NUMBER.fullmatch(row[time_column][0] or "0")
    texts = {"query", "item", time_column if dated else "item"}
    parsers = {name: _number(name) for name in kept if name not in texts}
    columns = read_columns(path, body, header, parsers, start=start, mark=",")
    if dated:
        columns[time_column] = _dates(time_column, columns[time_column], line_of(path, start))
    return {name: columns[name] for name in kept}


def _dates(name, texts, place):
    """Dates and times of a column; those with a zone, which all have or none, are those of UTC."""
    zoned = np.array([_has_zone(text) for text in texts])
    if (row := first(zoned != zoned[0])) is not None:
        which = "with a zone" if zoned[0] else "without a zone"
        expected = f"expected a time {which} as {escaped(name)}, as in the first row"
        raise ValueError(f"{place(row)}: {expected}, got {escaped(texts[row])!r}")
    read = _in_utc if zoned[0] else lambda text: np.datetime64(text, "us")
    refusal = lambda text: f"expected a date (ISO 8601) as {escaped(name)}, got {escaped(text)!r}"
    dates = []
    for row, text in enumerate(texts):
        try:
            dates.append(reader(read, refusal)(text))
        except ValueError as error:
            raise ValueError(f"{place(row)}: {error}") from None
    return np.array(dates)


def _has_zone(text):
    """Whether a time says of which zone it is.

    >>> [_has_zone(text) for text in ("2024-05-07", "2024-05-07T10:00Z", "2024-05-07 10:00-07:00")]
    [False, True, True]
    """
    clock = text.strip().replace("T", " ").partition(" ")[2]
    return clock[-1:] in ("Z", "z") or "+" in clock or "-" in clock


def _in_utc(text):
    return np.datetime64(datetime.fromisoformat(text.strip()).astimezone(UTC).replace(tzinfo=None), "us")


def _number(name):
    """A reader of the numbers of a column."""
    empty = f"expected a value of {escaped(name)}, got nothing{_EMPTY.get(name[:6], '')}"
    return reader(number, lambda text: refusal_of(name, text) if text.strip() else empty)


def read_parquet(path, file, choose, ids, time=None, spare=lambda names: []):
    """Columns of Parquet as a DataFrame, each value there.

    Parameters
    ----------
    path : path
        For messages.
    file : path or file
    choose : callable
        From the names of all columns to those that are read, or a ValueError.
    ids : callable
        From those to the ones that hold ids; the others hold numbers.
    time : str, optional
        The one that may hold times.
    spare : callable
        From the names of all columns to those that are read too if they hold numbers, some perhaps missing.
    """
    pa = import_extra("parquet")
    from pyarrow import parquet

    source = named(path)
    try:
        whole = parquet.ParquetFile(file)
        fields = whole.schema_arrow
        needed = choose(fields.names)
        kept = needed + [name for name in spare(fields.names) if _is_numeric(fields.field(name).type)]
        types = {name: _arrow_type(source, fields.field(name), time, ids(kept)) for name in kept}
        rows, packed = (
            whole.metadata.num_rows,
            os.path.getsize(path) if file is path else len(file.getvalue()),
        )
        # Each id is read once, and a number for each row: a fifth of the time, and of the memory.
        texts = [name for name in kept if _is_text(_value_type(fields.field(name).type))]
        check_size(path, _unpacked_size(whole.metadata, texts) + 8 * rows * len(kept), rows, packed)
        table = parquet.ParquetFile(file, read_dictionary=texts).read(columns=kept).select(kept)
        for name in texts:
            given = table.field(name).type
            words = pa.string() if _is_bytes(given.value_type) else given.value_type
            types[name] = pa.dictionary(given.index_type, words)
        wanted = [(name, types[name]) for name in kept]
        table = table.cast(pa.schema(wanted))
    except MemoryError:
        raise
    except (pa.ArrowException, OSError) as error:
        if getattr(error, "errno", None):
            raise
        raise ValueError(f"{source}: expected whole Parquet data, got {escaped(error, 200)}") from None
    for name in needed:
        if (row := first(table[name].is_null().to_numpy())) is not None:
            raise ValueError(f"{source}, row {row + 1}: expected a value of {escaped(name)}, got nothing")
    table = table.unify_dictionaries()
    try:
        return table.to_pandas(split_blocks=True, self_destruct=True, ignore_metadata=True)
    except (ValueError, OverflowError) as error:  # as of dates and times that Python does not have
        raise ValueError(f"{source}: expected ids that Python can hold, got {escaped(error, 200)}") from None


def _value_type(kind):
    """The type of the values, which may be kept in a dictionary."""
    return getattr(kind, "value_type", kind)


def _is_bytes(kind):
    """Whether values are bytes of any length, as which some programs store text."""
    import pyarrow as pa

    return any(map(kind.equals, (pa.binary(), pa.large_binary(), pa.binary_view())))


def _is_text(kind):
    """Whether values are of any length, text or bytes."""
    import pyarrow as pa

    return _is_bytes(kind) or any(map(kind.equals, (pa.string(), pa.large_string(), pa.string_view())))


def _is_numeric(kind):
    """Whether values are integers or floats."""
    import pyarrow as pa

    return pa.types.is_integer(kind) or pa.types.is_floating(kind)


def _unpacked_size(metadata, columns):
    """Bytes of these columns, unpacked, each word of a dictionary once."""
    if not metadata.num_row_groups:
        return 0
    names = [metadata.schema.column(at).path for at in range(metadata.num_columns)]
    numbers = [at for at, name in enumerate(names) if name in set(columns)]
    return sum(
        metadata.row_group(group).column(at).total_uncompressed_size
        for group in range(metadata.num_row_groups)
        for at in numbers
    )


def _arrow_type(source, field, time, ids):
    """The type that a column is read with; ValueError if it is none for such a column."""
    import pyarrow as pa

    types, given, is_id = pa.types, field.type, field.name in ids
    is_number = _is_numeric(given)
    # Bytes of a fixed size are as good as text, but are kept for each row.
    bare = types.is_nested(given) or types.is_fixed_size_binary(_value_type(given))
    if is_number or is_id and not bare:
        return given
    if field.name == time and (types.is_timestamp(given) or types.is_date(given)):
        return pa.timestamp(given.unit if types.is_timestamp(given) else "us")
    expected = f"{escaped(field.name)} of type {'text' if is_id else 'double'}"
    fail_if(not types.is_decimal(given), f"{source}: expected {expected}, got {given}")
    return pa.float64()
