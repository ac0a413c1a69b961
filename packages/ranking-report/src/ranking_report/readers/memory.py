"""Read objects in memory: DataFrames, mappings, named tuples, and objects of ranx."""

from collections.abc import Iterable

import pandas

from ndcg_companion.checks import fail_if
from ndcg_companion.text import escaped
from ranking_report.readers.columns import RANK
from ranking_report.readers.tables import Table


def is_frame(value):
    """Return whether a value is a DataFrame of pandas or Polars."""
    return hasattr(value, "columns") and hasattr(value, "to_numpy")


def as_pandas(frame):
    """Return a DataFrame of pandas or Polars as one of pandas, without using pyarrow."""
    if isinstance(frame, pandas.DataFrame):
        return frame
    return pandas.DataFrame({name: _series(frame[name]) for name in frame.columns})


def _series(column):
    """Return a column of Polars as a Series, in which structs and arrays are objects."""
    values = column.to_numpy()
    return pandas.Series(values) if values.ndim == 1 else pandas.Series(column.to_list(), dtype=object)


def table_of_frame(frame, source):
    """Return the `Table` of a DataFrame of pandas or Polars."""
    frame = as_pandas(frame)
    names = [*map(str, frame.columns)]
    by_name = dict(zip(names, frame.columns))
    read = lambda wanted_names, numbers: {name: frame[by_name[name]] for name in wanted_names}
    return Table(source, names, read, lambda row: f"{source}, row {row + 1}", source)


# The names of columns by the container of a query's items. Numbers are labels or scores, as in ranx. The
# items of a list are relevant, or they are ranked with the best first. The items of a set have no order.
_COLUMNS = {
    "numbers": ["q_id", "doc_id", "score"],
    "list": ["query", "item", "label", RANK],
    "set": ["query", "item", "label"],
}


def table_of_mapping(value, source):
    """Return the `Table` of a mapping of queries to items.

    The items of a query are given as a mapping of items to numbers, as a list, or as a set.
    """
    rows, kinds = [], set()
    for query, items in value.items():
        has_numbers, is_set = hasattr(items, "items"), isinstance(items, (set, frozenset))
        kinds.add("numbers" if has_numbers else "set" if is_set else "list")
        fail_if(
            not (has_numbers or is_set or isinstance(items, (list, tuple))),
            f"{source}: expected a mapping of items, a list or a set for query {escaped(query)}, got "
            f"{type(items).__name__}",
        )
        pairs = items.items() if has_numbers else ((item, 1) for item in items)
        rows += [(query, item, number, rank) for rank, (item, number) in enumerate(pairs, start=1)]
    fail_if(
        len(kinds) > 1,
        f"{source}: expected items of the same type for each query, got {' and '.join(sorted(kinds))}",
    )
    names = _COLUMNS[kinds.pop() if kinds else "numbers"]
    # The names of a set or of numbers are shorter than the rows, whose ranks are then left out.
    columns = dict(zip(names, zip(*rows))) if rows else dict.fromkeys(names, ())

    def locate(row):
        query, item, *_ = rows[row]
        return f"{source}, row {row + 1} (query {escaped(query)}, item {escaped(item)})"

    return Table(source, names, lambda wanted_names, numbers: columns, locate, source)


def _table_of_tuples(value, kind, source):
    """Return the `Table` of named tuples."""
    expected = f"{source}: expected a mapping, a DataFrame, named tuples or a path"
    fail_if(
        not isinstance(value, Iterable) or isinstance(value, (str, bytes)),
        f"{expected}, got {type(value).__name__}",
    )
    rows = list(value)
    fields = getattr(rows[0], "_fields", ()) if rows else ("query", "item", kind)
    fail_if(not fields, f"{expected}, got {type(value).__name__} of {type(rows[0]).__name__ if rows else ''}")
    locate = lambda row: f"{source}, row {row + 1}"

    def read(wanted_names, numbers):
        for row, named_tuple in enumerate(rows):
            has_fields = all(hasattr(named_tuple, name) for name in wanted_names)
            got = f"expected the fields {', '.join(wanted_names)}, got {type(named_tuple).__name__}"
            fail_if(not has_fields, f"{locate(row)}: {got}")
        return {name: [getattr(named_tuple, name) for named_tuple in rows] for name in wanted_names}

    return Table(source, [*fields], read, locate, source)


def rows_of_value(value, kind, source):
    """Return the `Rows` of an object in memory.

    Parameters
    ----------
    value : mapping of query to mapping of item to number, or to list or set of items; DataFrame; iterable of
    named tuples; or ranx object
        The object. In judgments, the items of a list or a set are relevant. In a run, a list begins with the
        best item. Named tuples may be those of ir_measures or others with the same fields, and a generator
        may yield them. The ``Qrels`` and ``Run`` objects of ranx are converted to mappings.
    kind : {"label", "score"}
        The meaning of the numbers.
    source : str
        The name of the object in messages.

    Raises
    ------
    ValueError
        If the object is of another kind.
    """
    if is_frame(value):
        table = table_of_frame(value, source)
    elif hasattr(value, "items") or hasattr(value, "to_dict"):
        table = table_of_mapping(value if hasattr(value, "items") else value.to_dict(), source)
    else:
        table = _table_of_tuples(value, kind, source)
    return table.rows(kind)
