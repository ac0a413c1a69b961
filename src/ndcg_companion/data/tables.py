"""Long tables, CSV or Parquet: one row for each query and item, one column for each system."""

import csv
import re
from itertools import islice

import numpy as np

from ndcg_companion.data.clicks import click_labels
from ndcg_companion.data.rankings import TEXT, Rankings, check_text, first, repeated

_EXPECTED = "the columns query, item, label or clicks, perhaps time, and score_NAME for each system"


def read_table(path, *, time=None, thresholds=(100, 1001)):
    """Rankings from a table with the columns query, item, label or clicks, perhaps time, and ``score_NAME``.

    CSV has commas, a header and UTF-8, gzipped or not; anything that starts as Parquet files do is read as Parquet.
    Columns may stand in any order, and rows too: items of a query come in the order of their times, or of the file.
    Ids stay as they are written (``007`` is not ``7``). Every row is judged; a system that did not retrieve an item
    scores it ``-inf``.

    Parameters
    ----------
    path : path
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
        Naming file and line (of Parquet, the row), for columns missing, unknown or twice; fields missing or left over;
        an empty field; a label, a click count, a time or a score that is none; a label below zero; NaN; an item twice
        for one query; and data that is no UTF-8 or cut short.

    Notes
    -----
    Read by Arrow, which alone of the usual libraries reads both formats and names the line of what it cannot read.
    Ten million rows with two systems take about 2.5 GiB.

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
    with open(path, "rb") as file:
        parquet = file.read(4) == b"PAR1"
    table = (_read_parquet if parquet else _read_csv)(path, time)
    place = (lambda row: f"{path}, row {row + 1}") if parquet else (lambda row: f"{path}, line {row + 2}")
    if not table.num_rows:
        raise ValueError(f"{path}: expected rows, got a header alone")
    for name in table.column_names:
        row = first(table[name].is_null().to_numpy()) if table[name].null_count else None
        if row is not None:
            remedy = "; -inf stands for an item that was not retrieved" if name.startswith("score_") else ""
            raise ValueError(f"{place(row)}: expected a value of {name}, got nothing{remedy}")
    query = table["query"].unify_dictionaries().combine_chunks()
    names, number = query.dictionary.to_pylist(), query.indices.to_numpy()
    items, columns = _items(table["item"], names, number, place), {}
    for name in [name for name in table.column_names if name not in ("query", "item")]:
        columns[name] = values = table[name].to_numpy()
        table = table.drop_columns(name)
        if values.dtype.kind == "f":
            row = first(np.isnan(values) if name.startswith("score_") else ~np.isfinite(values))
            if row is not None:
                raise ValueError(f"{place(row)}: expected a number as {name}, got {values[row]}")
        row = first(values < 0) if name in ("label", "clicks") else None
        if row is not None:
            raise ValueError(f"{place(row)}: expected {name} >= 0, got {values[row]:g}")
    labels = columns["label"] if "label" in columns else click_labels(columns["clicks"], thresholds)

    times = columns.get(time or "time")
    order = number.argsort(kind="stable") if times is None else np.lexsort((times, number))
    return Rankings(
        queries=np.array(names, dtype=TEXT),
        items=items[order],
        labels=labels[order],
        judged=np.ones(len(order), dtype=bool),
        offsets=np.append(0, np.bincount(number, minlength=len(names)).cumsum()),
        scores={name[6:]: columns[name][order] for name in columns if name.startswith("score_")},
        times=None if times is None else times[order],
        source=str(path),
    )


def _items(column, names, number, place):
    """The item ids, checked to be some, and to differ within a query; and the queries' ids to be some."""
    import pyarrow as pa

    chunks = column.dictionary_encode().chunks  # all with the same dictionary, so that the indices will do
    codes = np.concatenate([chunk.indices for chunk in chunks])
    for name, texts, at in (("query", pa.array(names), number), ("item", chunks[0].dictionary, codes)):
        blank = first(at == texts.index("").as_py())
        if blank is not None:
            raise ValueError(f"{place(blank)}: expected a value of {name}, got nothing")
    twice = repeated(number.astype(np.int64) << 32 | codes)
    if twice:
        query, item = names[number[twice[1]]], column[twice[1]].as_py()
        raise ValueError(
            f"{place(twice[1])}: expected each item once for a query, got {item} for query {query} "
            f"as in {place(twice[0]).rsplit(', ')[-1]}"
        )
    del codes, chunks
    items, start = np.empty(len(column), dtype=TEXT), 0
    for chunk in column.chunks:  # one by one, as the Python strings on the way take several times the memory
        items[start : start + len(chunk)] = chunk.to_numpy(zero_copy_only=False)
        start += len(chunk)
    return items


def _kinds(path, names, time):
    """The type in which each column is read, the times' left open; refused unless the names are those expected."""
    import pyarrow as pa

    def kind(name):
        if name == "query":
            return pa.dictionary(pa.int32(), pa.string())
        return pa.string() if name == "item" else None if name == (time or "time") else pa.float64()

    known = {"query", "item", "label", "clicks", time or "time"}
    header = ",".join(names)
    header = header if len(header) <= 200 else header[:200] + "…"
    for wrong, what in (
        (sorted({"query", "item", time or "item"} - set(names)), "without"),
        ([] if ("label" in names) != ("clicks" in names) else ["label", "clicks"], "with neither or both of"),
        (sorted({name for name in names if names.count(name) > 1}), "twice with"),
        ([name for name in names if name not in known and not re.fullmatch("score_.+", name)], "with also"),
    ):
        if wrong:
            raise ValueError(
                f"{path}, header: expected {_EXPECTED}, got {header!r}, {what} {', '.join(wrong)}"
            )
    return {name: kind(name) for name in names}


def _read_csv(path, time):
    import pyarrow as pa
    from pyarrow import csv as arrow

    with open(path, "rb") as file:
        packed = file.read(2) == b"\x1f\x8b"
    try:
        with pa.input_stream(str(path), compression="gzip" if packed else None) as stream:
            # The last line may be cut, within a letter too.
            start = stream.read(2**16)
            check_text(
                path,
                start if len(start) < 2**16 else start.rpartition(b"\n")[0],
                f"a header with {_EXPECTED}",
            )
        head, *rows = islice(csv.reader(start.decode("utf-8-sig", "ignore").splitlines()), 2)
        kinds, time = _kinds(path, head, time), time or "time"
        if time in kinds:
            text = rows[0][head.index(time)] if rows and len(rows[0]) == len(head) else ""
            number = re.fullmatch(r"[-+]?[\d.]+([eE][-+]?\d+)?", text)
            # Nanoseconds since 1970 are whole numbers that a float would round.
            long = number and len(text) > 15 and text.isdigit()
            kinds[time] = pa.int64() if long else pa.float64() if number else pa.timestamp("us")
        with pa.input_stream(str(path), compression="gzip" if packed else None) as stream:
            return arrow.read_csv(
                stream,
                # With one thread Arrow knows the line of what it refuses.
                arrow.ReadOptions(use_threads=False, block_size=2**22),
                arrow.ParseOptions(ignore_empty_lines=False),
                arrow.ConvertOptions(column_types=kinds, null_values=[""]),
            )
    except (pa.ArrowInvalid, OSError) as error:
        if getattr(error, "errno", None):
            raise
        raise ValueError(_explained(path, str(error), head if "head" in locals() else [])) from None


def _explained(path, message, names):
    """Arrow's message with the file, the line and the name of the column."""
    found = re.match(
        r"In CSV column #(\d+): Row #(\d+): CSV conversion error to ([^:]+): (.*)", message, re.DOTALL
    )
    if found:
        column, line, kind, got = found.groups()
        expected = {"double": "a number", "int64": "a whole number", "timestamp[us]": "a date (ISO 8601)"}
        return f"{path}, line {line}: expected {expected.get(kind, 'UTF-8 text')} as {names[int(column)]}, got {got}"
    found = re.match(r"CSV parse error: Row #(\d+): Expected (\d+) columns, got (\d+)", message)
    if found:
        line, expected, got = found.groups()
        return f"{path}, line {line}: expected {expected} fields ({','.join(names)}), got {got}"
    return f"{path}: expected whole CSV, got {message}"


def _read_parquet(path, time):
    import pyarrow as pa
    from pyarrow import parquet

    try:
        file = parquet.ParquetFile(path)
        kinds = _kinds(path, file.schema_arrow.names, time)
        table = file.read(use_threads=False)
    except (pa.ArrowInvalid, OSError) as error:
        if getattr(error, "errno", None):
            raise
        raise ValueError(f"{path}: expected whole Parquet data, got {error}") from None
    types, columns = pa.types, {}
    for name, kind in kinds.items():
        given = table[name].type
        number = types.is_integer(given) or types.is_floating(given) or types.is_decimal(given)
        if kind is None:
            date = types.is_timestamp(given) or types.is_date(given)
            kind = pa.timestamp("us") if date else given if types.is_integer(given) else pa.float64()
        try:
            if kind == pa.float64() and not number:
                raise pa.ArrowInvalid
            columns[name] = table[name].cast(pa.string() if name == "query" else kind)
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
            raise ValueError(f"{path}: expected {name} of type {kind}, got {given}") from None
    columns["query"] = columns["query"].dictionary_encode()
    return pa.table(columns)
