"""What a program has in memory, as `Rows`: mappings, DataFrames, named tuples, objects of ranx."""

from collections.abc import Iterable
from operator import attrgetter

import numpy as np

from claimbook.text import escaped
from ndcg_companion.checks import fail_if
from ndcg_companion.data.columns import choose
from ndcg_companion.data.joining import Rows, check_ids


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
        numbers = numbers.to_numpy()
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
    numbers = _as_numbers(numbers, kind, source)
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


def _as_numbers(numbers, kind, source):
    """Labels or scores from memory as an array of real numbers; ValueError for anything else."""
    expected = f"{source}: expected numbers as {kind}s"
    try:
        numbers = np.asarray(numbers)
        numbers = numbers if numbers.dtype.kind in "iucmM" else numbers.astype(float)
    except OverflowError:
        raise ValueError(f"{expected}, got one beyond the range of floats") from None
    except (TypeError, ValueError):
        raise ValueError(expected) from None
    fail_if(numbers.dtype.kind in "cmM", f"{expected}, got {numbers.dtype}")  # NumPy would cast them
    fail_if(not len(numbers), f"{source}: expected {kind}s, got none")
    return numbers
