"""Read labels, scores and ranks as numbers, in the same way from any source."""

import numpy as np
import pandas

from ndcg_companion.data.rankings import first
from ndcg_companion.text import escaped
from ranking_report.readers.files import number

_LARGEST_EXACT = 2**53  # floats represent all integers up to this number
# NumPy would cast these types, or turn numbers beside them into texts.
_NOT_NUMBERS = (str, bytes, bool, np.bool_)
_HINTS = {  # for an empty field, found by the first five letters of the column's name
    "label": "; 0 stands for an item that nobody judged",
    "score": "; -inf stands for an item that was not retrieved",
}


def as_numbers(values, name, locate):
    """Return values as an array of numbers.

    Parameters
    ----------
    values : sequence, ndarray or Series
        The values. Texts are read as in a file. True and False do not count as numbers.
    name : str
        The name of the values in messages.
    locate : callable
        A function that turns the number of a row into words that locate it.

    Raises
    ------
    ValueError
        If a value is not a number.

    Examples
    --------
    >>> as_numbers(["1e2", 3], "label", lambda row: f"row {row + 1}")
    array([100.,   3.])
    >>> as_numbers([1, True], "label", lambda row: f"row {row + 1}")
    Traceback (most recent call last):
    ...
    ValueError: row 2: expected a number as label, got True
    """
    dtype = getattr(values, "dtype", None)
    if isinstance(dtype, np.dtype) and dtype.kind in "iuf" and np.ndim(values) == 1:
        return np.asarray(values)
    values = list(values)
    if not any(issubclass(kind, _NOT_NUMBERS) for kind in set(map(type, values))):
        try:
            array = np.asarray(values)
        except ValueError:  # the sequences have unequal lengths
            array = np.empty(0, dtype=object)
        if array.dtype.kind in "iuf" and array.ndim == 1:
            return array
    numbers = []
    for row, value in enumerate(values):
        try:
            numbers.append(_number_of(value))
        except (TypeError, ValueError, OverflowError):
            raise ValueError(f"{locate(row)}: {_refusal(name, value)}") from None
    array = np.asarray(numbers)
    return array if array.dtype.kind in "iuf" else array.astype(float)


def _number_of(value):
    """Return the number that a value is or that a text contains.

    Raises
    ------
    TypeError, ValueError
        If the value is not a number.
    """
    if isinstance(value, str):
        return number(value)
    is_other_scalar = isinstance(value, np.generic) and value.dtype.kind not in "iuf"
    if is_other_scalar or isinstance(value, _NOT_NUMBERS) or np.ndim(value):
        raise TypeError
    if isinstance(value, (int, np.integer)) and abs(value) < 2**63:
        return int(value)
    return float(value)


def _refusal(name, value):
    """Return the message for a value that is not a number.

    >>> _refusal("label", "high"), _refusal("score", None)
    ("expected a number as label, got 'high'", 'expected a number as score, got None')
    """
    if isinstance(value, str) and not value.strip():
        return f"expected a value of {escaped(name)}, got nothing{_HINTS.get(name[:5], '')}"
    value = value.item() if isinstance(value, np.generic) else value
    return f"expected a number as {escaped(name)}, got {escaped(repr(value), 200)}"


def check_numbers(values, name, locate):
    """Return numbers as `as_numbers` does, but reject NaN and inexact labels.

    Raises
    ------
    ValueError
        If a number is NaN, if it is infinite and not a score, or if it is a label that a float would round.

    Examples
    --------
    >>> check_numbers([1, float("inf")], "label", lambda row: f"row {row + 1}")
    Traceback (most recent call last):
    ...
    ValueError: row 2: expected a number as label, got inf
    """
    values = as_numbers(values, name, locate)
    is_score = name.startswith("score")
    remedy = "; -inf stands for an item that was not retrieved" if is_score else ""
    is_wrong = np.isnan(values) if is_score else ~np.isfinite(values)
    refuse_first(is_wrong, locate, f"a number as {escaped(name)}", values, remedy)
    if name == "label" and values.dtype.kind in "iu":
        refuse_first(
            beyond_floats(values), locate, "a label that a float holds exactly, at most 2**53", values
        )
    return values


def refuse_first(wrong, locate, expected, values, remedy=""):
    """Reject the first wrong row with a message that gives its location and value.

    >>> refuse_first(np.array([False, True]), "line {}".format, "a label >= 0", np.array([1.0, -1.0]))
    Traceback (most recent call last):
    ...
    ValueError: line 1: expected a label >= 0, got -1
    """
    if (row := first(wrong)) is not None:
        got = f"{values[row]:g}" if values.dtype.kind == "f" else values[row]
        raise ValueError(f"{locate(row)}: expected {expected}, got {got}{remedy}")


def beyond_floats(values):
    """Return which numbers are so large that floats skip integers of their size."""
    return (values > _LARGEST_EXACT) | (values < -_LARGEST_EXACT)


def as_plain_numbers(values):
    """Return values as an array of numbers, with NaN for all other values."""
    return pandas.to_numeric(pandas.Series(values), errors="coerce").to_numpy(dtype=float, na_value=np.nan)
