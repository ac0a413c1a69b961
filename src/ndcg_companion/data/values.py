"""What a program has in memory, as `Rows`: mappings, DataFrames, named tuples, objects of ranx."""

from collections.abc import Iterable
from operator import attrgetter

import numpy as np

from claimbook.text import escaped
from ndcg_companion.checks import fail_if
from ndcg_companion.data.columns import choose
from ndcg_companion.data.files import number
from ndcg_companion.data.joining import Rows, check_ids

_NO_NUMBERS = (str, bytes, bool, np.bool_)  # which NumPy would cast, or join to numbers as texts


def is_frame(value):
    """Whether this is a DataFrame, of pandas or of Polars."""
    return hasattr(value, "columns") and hasattr(value, "to_numpy")


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
    place = lambda row: f"{source}, row {row + 1}"
    if is_frame(value):
        columns = {str(name): name for name in value.columns}
        query, item, numbers = (
            value[columns[name]] for name in choose([*map(str, value.columns)], kind, source)
        )
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
        query, item, numbers = _of_tuples(value, kind, source)
    numbers = as_numbers(numbers, kind, place)
    fail_if(not len(numbers), f"{source}: expected {kind}s, got none")
    query, item = (check_ids(name, ids, place) for name, ids in (("query", query), ("item", item)))
    return Rows(source, query, item, {kind: numbers}, place)


def _of_tuples(value, kind, source):
    """The columns of named tuples, which may have other fields too."""
    expected = f"{source}: expected a mapping, a DataFrame, named tuples or a path"
    fail_if(
        not isinstance(value, Iterable) or isinstance(value, (str, bytes)),
        f"{expected}, got {type(value).__name__}",
    )
    rows = list(value)
    if not rows:
        return (), (), ()
    fields = getattr(rows[0], "_fields", ())
    fail_if(not fields, f"{expected}, got {type(value).__name__} of {type(rows[0]).__name__}")
    wanted = choose([*fields], kind, source)
    odd = next((at for at, row in enumerate(rows) if not all(hasattr(row, name) for name in wanted)), None)
    if odd is not None:
        got = type(rows[odd]).__name__
        raise ValueError(f"{source}, row {odd + 1}: expected the fields {', '.join(wanted)}, got {got}")
    return zip(*map(attrgetter(*wanted), rows))


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
