"""Long tables, CSV or Parquet: one row for each query and item, one column for each system."""

import csv
import re
from collections.abc import Sequence
from io import BytesIO, StringIO
from math import isfinite, isnan
from os import PathLike
from typing import TYPE_CHECKING

import numpy as np

from ndcg_companion.data.clicks import click_labels
from ndcg_companion.data.extras import import_extra
from ndcg_companion.data.rankings import TEXT, FilePath, Rankings, codes_of, first, named, repeated, unpacked
from ndcg_companion.text import check_plain, shown

if TYPE_CHECKING:
    from pandas import DataFrame

_EXPECTED = "the columns query, item, label or clicks, perhaps time, and score_NAME for each system"
_INDEX = ("", "Unnamed: 0", "__index_level_0__")  # what pandas writes beside the columns unless told not to
_NUMBER = re.compile(r"\s*[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?\s*")


def read_table(
    path: "FilePath | DataFrame",
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
    with open(path, "rb") as file:
        start = file.read(4)
        if start == b"PAR1" and file.seekable():
            return _read_parquet(path, path, time, thresholds)
        return table_from_bytes(path, start + file.read(), time=time, thresholds=thresholds)


def table_from_bytes(path, data, *, time=None, thresholds=(100, 1001)):
    """The same from the bytes of a file that has been read already, such as a pipe."""
    if data[:4] == b"PAR1":
        return _read_parquet(path, BytesIO(data), time, thresholds)
    return _read_csv(path, unpacked(path, data, f"a header with {_EXPECTED}"), time, thresholds)


def table_from_frame(frame, *, source="the table", time=None, thresholds=(100, 1001)):
    """Rankings from such a table in a pandas DataFrame, its index passed over."""
    if not hasattr(frame, "columns"):
        raise ValueError(f"{source}: expected a path or a DataFrame, got {type(frame).__name__}")
    kept = _check_header(source, [str(name) for name in frame.columns], time)
    columns = {name: frame[name].to_numpy() for name in kept}
    for name in ("query", "item"):
        columns[name] = codes_of(_as_texts(columns[name]))
    return _assembled(columns, source, lambda row: f"{source}, row {row + 1}", time, thresholds)


def _as_texts(values):
    """Ids as texts, which is what they are in files; nothing where there is nothing."""
    missing = np.array([value is None or value != value for value in values.astype(object)], dtype=bool)
    texts = np.array([str(value) for value in values.tolist()], dtype=object)
    return np.where(missing, "", texts)


def _assembled(columns, source, place, time, thresholds):
    """Rankings from columns, (codes, texts) for queries and items and numbers for the others.

    After all checks.
    """
    (number, names), (item, items) = columns.pop("query"), columns.pop("item")
    if not len(number):
        raise ValueError(f"{source}: expected rows, got a header alone")
    for name, codes, texts in (("query", number, names), ("item", item, items)):
        blank = first(np.isin(codes, [at for at, text in enumerate(texts) if not text]))
        if blank is not None:
            raise ValueError(f"{place(blank)}: expected a value of {name}, got nothing")
    twice = repeated(number.astype(np.int64) << 32 | item)
    if twice:
        what = f"{shown(items[item[twice[1]]])} for query {shown(names[number[twice[1]]])}"
        earlier = place(twice[0]).rpartition(", ")[2]
        raise ValueError(
            f"{place(twice[1])}: expected each item once for a query, got {what} as in {earlier}"
        )
    for name, values in columns.items():
        kind = values.dtype.kind
        if kind not in ("iufM" if name == (time or "time") else "iuf"):
            raise ValueError(f"{source}: expected numbers as {shown(name)}, got {values.dtype}")
        bad = first(np.isnan(values) if name.startswith("score_") else ~np.isfinite(values))
        if bad is not None:
            raise ValueError(f"{place(bad)}: expected a number as {shown(name)}, got {values[bad]}")
        bad = first(values < 0) if name in ("label", "clicks") else None
        if bad is not None:
            raise ValueError(f"{place(bad)}: expected {name} >= 0, got {values[bad]:g}")
    labels = columns["label"] if "label" in columns else click_labels(columns["clicks"], thresholds)
    times = columns.get(time or "time")
    order = np.lexsort((times, number)) if times is not None else None
    if order is None and (number[1:] < number[:-1]).any():
        order = number.argsort(kind="stable")
    placed = (lambda values: values) if order is None else (lambda values: values[order])
    return Rankings(
        queries=np.array(names, dtype=TEXT),
        items=np.asarray(items, dtype=TEXT)[placed(item)],
        labels=placed(labels),
        judged=np.ones(len(number), dtype=bool),
        offsets=np.append(0, np.bincount(number, minlength=len(names)).cumsum()),
        scores={name[6:]: placed(columns[name]) for name in columns if name.startswith("score_")},
        times=None if times is None else placed(times),
        source=source,
    )


def _check_header(source, names, time):
    """The names without pandas' index; refused unless they are those expected."""
    names = names[1:] if names and names[0] in _INDEX else names
    names = [name for name in names if name != _INDEX[2]]
    known = {"query", "item", "label", "clicks", time or "time"}
    for wrong, what in (
        (sorted({"query", "item", time or "item"} - set(names)), "without"),
        ([] if ("label" in names) != ("clicks" in names) else ["label", "clicks"], "with neither or both of"),
        (sorted({name for name in names if names.count(name) > 1}), "twice with"),
        (
            [name for name in names if name not in known and not re.fullmatch("score_.+", name, re.S)],
            "with also",
        ),
    ):
        if wrong:
            told = ", ".join(shown(name) or "a column without a name" for name in wrong)
            got = f"'{shown(','.join(names), 200)}', {what} {told}"
            raise ValueError(f"{source}, header: expected {_EXPECTED}, got {got}")
    for name in names:
        check_plain(name, f"{source}, header: column")
    return names


def _read_csv(path, data, time, thresholds):
    import pandas

    source = named(path)
    try:
        header = next(csv.reader(StringIO(data.partition(b"\n")[0].decode())))
    except csv.Error as error:
        raise ValueError(
            f"{source}, header: expected {_EXPECTED}, got what cannot be read: {error}"
        ) from None
    kept = _check_header(source, header, time)
    date = (time or "time") in kept and _is_date(data, header.index(time or "time"))
    texts = {"query", "item"} | ({time or "time"} if date else set())
    numbers = [name for name in kept if name not in texts]
    try:
        frame = pandas.read_csv(
            BytesIO(data),
            header=None,
            skiprows=1,
            names=[*header, "\0more"] if len(set(header)) == len(header) else None,
            dtype=dict.fromkeys([*texts, "\0more"], object),
            na_filter=False,
            skip_blank_lines=False,
            index_col=False,
            low_memory=False,
        )
        columns = {name: frame[name].to_numpy() for name in kept}
        right = (frame["\0more"] == "").all() and all(columns[name].dtype.kind in "iuf" for name in numbers)
        if date:
            columns[time or "time"] = columns[time or "time"].astype("M8[us]")
    except ValueError:  # pandas' own errors are of this kind; the careful reading has the line
        right = False
    if not right or len(frame) != data.rstrip(b"\r\n").count(b"\n") or not frame.size:
        _refuse_line(source, data, header, kept, texts)
    for name in ("query", "item"):
        columns[name] = codes_of(columns[name])
    place = lambda row: f"{source}, line {row + 2}"
    return _assembled(columns, source, place, time, thresholds)


def _is_date(data, column):
    """Whether the first time is a date and no number."""
    rows = list(csv.reader(StringIO(b"\n".join(data.split(b"\n", 2)[:2]).decode())))
    text = rows[1][column] if len(rows) > 1 and len(rows[1]) > column else ""
    return bool(text) and not _NUMBER.fullmatch(text)


def _refuse_line(source, data, header, kept, texts):
    """Raise a ValueError that says which line of a CSV is bad, and why."""
    lines = data.decode().splitlines()
    if len(lines) == 1:
        raise ValueError(f"{source}: expected rows, got a header alone")
    for number, line in enumerate(lines[1:], 2):
        where = f"{source}, line {number}"
        try:
            row = next(csv.reader([line]), [])
        except csv.Error as error:
            raise ValueError(f"{where}: expected CSV, got what cannot be read: {error}") from None
        if not row:
            raise ValueError(f"{where}: expected a value of {kept[0]}, got nothing")
        if len(row) != len(header):
            names = shown(",".join(header), 200)
            raise ValueError(f"{where}: expected {len(header)} fields ({names}), got {len(row)}")
        for name, text in zip(header, row):
            if name in kept:
                _check_field(where, name, text, name in texts)
    raise ValueError(f"{source}: expected a row on each line, with the same kind of numbers in a column")


def _check_field(where, name, text, is_text):
    if not text.strip():
        remedy = "; -inf stands for an item that was not retrieved" if name.startswith("score_") else ""
        raise ValueError(f"{where}: expected a value of {shown(name)}, got nothing{remedy}")
    if name in ("query", "item"):
        return
    try:
        value = np.datetime64(text).astype(float) if is_text else float(text.replace("_", "?"))
    except ValueError:
        expected = "a date (ISO 8601)" if is_text else "a number"
        raise ValueError(f"{where}: expected {expected} as {shown(name)}, got {shown(text)!r}") from None
    if isnan(value) or not (isfinite(value) or name.startswith("score_")):
        raise ValueError(f"{where}: expected a number as {shown(name)}, got {value}")


def _read_parquet(path, file, time, thresholds):
    pa = import_extra("parquet")
    from pyarrow import parquet

    source = named(path)
    try:
        # Each id is read once, and a number for each row: a fifth of the time, and of the memory.
        file = parquet.ParquetFile(file, read_dictionary=["query", "item"])
        kept = _check_header(source, file.schema_arrow.names, time)
        table = file.read(columns=kept, use_threads=True)
    except (pa.ArrowInvalid, OSError) as error:
        if getattr(error, "errno", None):
            raise
        raise ValueError(f"{source}: expected whole Parquet data, got {shown(error, 200)}") from None
    columns = {}
    for name in kept:
        column = table[name]
        table = table.drop_columns(name)
        if column.null_count:
            row = first(column.is_null().to_numpy())
            raise ValueError(f"{source}, row {row + 1}: expected a value of {shown(name)}, got nothing")
        columns[name] = _arrow_values(source, name, column, time)
    return _assembled(columns, source, lambda row: f"{source}, row {row + 1}", time, thresholds)


def _arrow_values(source, name, column, time):
    """A column as numbers, or for queries and items as codes and texts."""
    import pyarrow as pa

    types, given = pa.types, column.type
    date = types.is_timestamp(given) or types.is_date(given)
    try:
        if name in ("query", "item"):
            if not types.is_dictionary(given):
                column = column.cast(pa.string()).dictionary_encode()
            encoded = column.unify_dictionaries().combine_chunks()
            codes, used = codes_of(encoded.indices.to_numpy())  # not all words of a dictionary need occur
            return codes, _arrow_texts(encoded.dictionary.cast(pa.string()).take(pa.array(used)))
        if name == (time or "time") and (date or types.is_integer(given)):
            return column.cast(pa.timestamp("us") if date else given).to_numpy()
        if types.is_integer(given) or types.is_floating(given) or types.is_decimal(given):
            return column.cast(pa.float64()).to_numpy()
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        pass
    kind = "text" if name in ("query", "item") else "double"
    raise ValueError(f"{source}: expected {shown(name)} of type {kind}, got {given}")


def _arrow_texts(texts, step=2**20):
    """Texts in 16 bytes each, part by part.

    As the Python strings on the way take several times the memory.
    """
    values = np.empty(len(texts), dtype=TEXT)
    for start in range(0, len(texts), step):
        values[start : start + step] = texts[start : start + step].to_numpy(zero_copy_only=False)
    return values
