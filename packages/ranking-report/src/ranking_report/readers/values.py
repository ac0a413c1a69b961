"""What a program has in memory, as `Rows`: mappings, DataFrames, named tuples, objects of ranx."""

from collections.abc import Iterable
from operator import attrgetter

import numpy as np
import pandas

from ndcg_companion.checks import fail_if
from ndcg_companion.data.rankings import first
from ndcg_companion.text import escaped
from ranking_report.readers.columns import RANK, choose, rank_beside
from ranking_report.readers.files import number
from ranking_report.readers.joining import Rows, check_ids

_NO_NUMBERS = (str, bytes, bool, np.bool_)  # which NumPy would cast, or join to numbers as texts


def is_frame(value):
    """Whether this is a DataFrame, of pandas or of Polars."""
    return hasattr(value, "columns") and hasattr(value, "to_numpy")


def as_pandas(frame):
    """A DataFrame of pandas with the columns of one of pandas or Polars, which needs no pyarrow."""
    if isinstance(frame, pandas.DataFrame):
        return frame
    return pandas.DataFrame({name: _series(frame[name]) for name in frame.columns})


def _series(column):
    """A column of Polars; its structs and arrays, which NumPy holds as rows of a table, are objects."""
    values = column.to_numpy()
    return pandas.Series(values) if values.ndim == 1 else pandas.Series(column.to_list(), dtype=object)


def rows_of_value(value, kind, source):
    """`Rows` of what is in memory.

    Parameters
    ----------
    value : mapping of query to mapping of item to number; DataFrame; iterable of named tuples; or ranx object
        Named tuples are those of ir_measures, or any with its fields; they may come from a generator. Ranx's
        ``Qrels`` and ``Run`` say as a mapping what they hold.
    kind : {"label", "score"}
        What the numbers are.
    source : str
        What it is called in messages.

    Raises
    ------
    ValueError
        For anything else, with the row and what was expected there.
    """
    place, chosen, ranks = (lambda row: f"{source}, row {row + 1}"), ("query", "item", kind), None
    if is_frame(value):
        value = as_pandas(value)
        columns = {str(name): name for name in value.columns}
        chosen = choose([*map(str, value.columns)], kind, source)
        query, item, numbers = (value[columns[name]] for name in chosen)
        ranks = next((value[columns[name]] for name in rank_beside([*columns], chosen, kind)), None)
    elif hasattr(value, "items") or hasattr(value, "to_dict"):
        value = value if hasattr(value, "items") else value.to_dict()
        for name, items in value.items():
            got = f"for query {escaped(name)}, got {type(items).__name__}"
            fail_if(not hasattr(items, "items"), f"{source}: expected a mapping of items {got}")
        flat = [(name, item, number) for name, items in value.items() for item, number in items.items()]
        query, item, numbers = zip(*flat) if flat else ((), (), ())
        place = lambda row: (
            f"{source}, row {row + 1} (query {escaped(query[row])}, item {escaped(item[row])})"
        )
    else:
        chosen, (query, item, numbers), ranks = _of_tuples(value, kind, source)
    numbers = as_numbers(numbers, RANK if chosen[2] == RANK else kind, place)
    fail_if(not len(numbers), f"{source}: expected {kind}s, got none")
    query, item = (check_ids(name, ids, place) for name, ids in (("query", query), ("item", item)))
    return rows_with(source, query, item, chosen[2], numbers, kind, place, ranks)


def rows_with(source, query, item, name, numbers, kind, place, ranks=None):
    """`Rows` with the numbers of a column, of which ranks become scores that fall as they rise.

    Parameters
    ----------
    source, query, item, place
        As for `Rows`.
    name : str
        Of the column of numbers.
    numbers : ndarray
    kind : {"label", "score"}
    ranks : array_like, optional
        What a column beside the scores says, with which they are compared: see `Rows.compare_ranks`.

    Raises
    ------
    ValueError
        As for `Rows`; and for ranks that are no whole numbers from 0 on, or stand twice in a query.

    Examples
    --------
    >>> rows = rows_with("run", ["q", "q"], ["a", "b"], "rank", np.array([1, 2]), "score", str)
    >>> rows.numbers["score"].tolist()
    [-1, -2]
    """
    if name != RANK:
        rows = Rows(source, query, item, {kind: numbers}, place)
        if ranks is not None:
            rows.compare_ranks(ranks)
        return rows
    expected = "expected a rank, a whole number that counts from the best document"
    if (row := first(~((numbers >= 0) & (numbers < 2**53) & (numbers == np.round(numbers))))) is not None:
        raise ValueError(f"{place(row)}: {expected}, got {numbers[row]}")
    ranks = numbers.astype(np.int64)
    rows = Rows(source, query, item, {kind: -ranks}, place)
    twice = pandas.DataFrame({"query": rows.query.codes, "rank": ranks}).duplicated().to_numpy()
    if (row := first(twice)) is not None:
        raise ValueError(f"{place(row)}: expected each rank once for a query, got {ranks[row]} twice")
    return rows


def _of_tuples(value, kind, source):
    """The names and the values of three fields of named tuples, and of one that ranks them or None."""
    expected = f"{source}: expected a mapping, a DataFrame, named tuples or a path"
    fail_if(
        not isinstance(value, Iterable) or isinstance(value, (str, bytes)),
        f"{expected}, got {type(value).__name__}",
    )
    rows = list(value)
    if not rows:
        return ("query", "item", kind), ((), (), ()), None
    fields = getattr(rows[0], "_fields", ())
    fail_if(not fields, f"{expected}, got {type(value).__name__} of {type(rows[0]).__name__}")
    wanted = choose([*fields], kind, source)
    odd = next((at for at, row in enumerate(rows) if not all(hasattr(row, name) for name in wanted)), None)
    if odd is not None:
        got = type(rows[odd]).__name__
        raise ValueError(f"{source}, row {odd + 1}: expected the fields {', '.join(wanted)}, got {got}")
    beside = rank_beside(fields, wanted, kind)
    ranks = [getattr(row, beside[0], None) for row in rows] if beside else None
    return wanted, zip(*map(attrgetter(*wanted), rows)), ranks


def refusal_of(name, value):
    """The words that refuse what is no number, the same for a field of a file and for a value in memory.

    >>> refusal_of("label", "high"), refusal_of("score", None)
    ("expected a number as label, got 'high'", 'expected a number as score, got None')
    """
    value = value.item() if isinstance(value, np.generic) else value
    return f"expected a number as {escaped(name)}, got {escaped(repr(value), 200)}"


def as_numbers(values, name, place):
    """Numbers from memory as an array: as NumPy holds them, or one by one as they would be read in a file.

    Parameters
    ----------
    values : sequence, ndarray or Series
        A text is the number that it is in a file; True and False are none, there or here.
    name : str
        What they are called in messages.
    place : callable
        From the number of a row to where it stands.

    Examples
    --------
    >>> as_numbers(["1e2", 3], "label", lambda row: f"row {row + 1}")
    array([100.,   3.])
    >>> as_numbers([1, True], "label", lambda row: f"row {row + 1}")
    Traceback (most recent call last):
    ...
    ValueError: row 2: expected a number as label, got True
    """
    values = values.to_numpy() if hasattr(values, "to_numpy") else values
    kinds = set(map(type, values)) if getattr(values, "dtype", np.dtype(object)).kind == "O" else set()
    if not any(issubclass(kind, _NO_NUMBERS) for kind in kinds):
        try:
            array = np.asarray(values)
        except ValueError:  # some are sequences, of unequal lengths
            array = np.empty(0, dtype=object)
        if array.dtype.kind in "iuf" and array.ndim == 1:
            return array
    numbers = []
    for row, value in enumerate(values):
        try:
            numbers.append(_number_of(value))
        except (TypeError, ValueError, OverflowError):
            raise ValueError(f"{place(row)}: {refusal_of(name, value)}") from None
    array = np.asarray(numbers)
    return array if array.dtype.kind in "iuf" else array.astype(float)


def _number_of(value):
    """The number that a value is or, as a text, holds; TypeError or ValueError if it is none."""
    if isinstance(value, str):
        return number(value)
    odd = isinstance(value, np.generic) and value.dtype.kind not in "iuf"
    if odd or isinstance(value, _NO_NUMBERS) or np.ndim(value):
        raise TypeError
    if isinstance(value, (int, np.integer)) and abs(value) < 2**63:
        return int(value)
    return float(value)
