"""Checks of arguments, with errors that show the argument, its value and what was expected."""

import os
from collections import Counter
from collections.abc import Callable, Iterable
from math import inf
from numbers import Integral, Real
from typing import Any

import numpy as np

from ndcg_companion.text import escaped, nearest


def value_error(name: str, value: Any, expected: str) -> ValueError:
    """Return the error for an argument whose value is not as expected.

    >>> value_error("k", 0, "a number of positions of at least 1")
    ValueError('k=0: expected a number of positions of at least 1')
    """
    return ValueError(f"{name}={escaped(repr(value), most=120)}: expected {escaped(expected, most=500)}")


def raise_if(bad: Any, name: str, value: Any, expected: str) -> None:
    """Raise the `value_error` of an argument if `bad` is true."""
    if bad:
        raise value_error(name, value, expected)


def all_true(flags: np.ndarray) -> bool:
    """Return ``flags.all()``, computed faster for short arrays."""
    return np.count_nonzero(flags) == flags.size


def duplicates(values: Iterable) -> list:
    """Return the values that occur more than once, in order of first occurrence.

    >>> duplicates("banana")
    ['a', 'n']
    """
    return [value for value, count in Counter(values).items() if count > 1]


LONGEST = 1000  # the most characters that a text to be parsed may have, such as a curve or a measure


def check_length(name: str, text: Any) -> Any:
    """Return the argument; raise ValueError if it is a text that is too long to parse.

    >>> check_length("curve", "power:2")
    'power:2'
    """
    if isinstance(text, str) and len(text) > LONGEST:
        raise value_error(name, text, f"at most {LONGEST:,} characters, got {len(text):,}")
    return text


def machine_memory() -> int | None:
    """Return the machine's memory in bytes, or None if it is unknown."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):  # Windows has no sysconf
        return None


def check_fits(name: str, array: np.ndarray) -> None:
    """Raise ValueError if an array does not fit into memory; broadcasting may have created the array."""
    if array.size > 2**27:  # every machine has enough memory for smaller arrays
        limit = (machine_memory() or 2**40) // 8  # eight bytes for each number
        raise_if(array.size > limit, name, array.shape, f"at most {limit:,} numbers, got {array.size:,}")


def numbers_or_none(name: str, values: Any, kinds: str = "biuf") -> np.ndarray | None:
    """Return the values as an array, or None if they are not numbers of these kinds.

    >>> numbers_or_none("weights", [[1, 2]]), numbers_or_none("weights", [[1], [1, 2]])
    (array([[1, 2]]), None)
    """
    try:
        array = np.asarray(values)
    except ValueError:  # rows of unequal length
        return None
    check_fits(name, array)
    return array if array.dtype.kind in kinds else None


def row_of_numbers(name: str, values: Any, kinds: str = "biuf") -> np.ndarray | None:
    """Return the values as a non-empty row of numbers, or None if they are anything else.

    >>> row_of_numbers("k", (1, 2)), row_of_numbers("k", [[1, 2]])
    (array([1, 2]), None)
    """
    array = numbers_or_none(name, values, kinds)
    return array if array is not None and array.ndim == 1 and array.size else None


def real_array(name: str, values: Any) -> np.ndarray:
    """Return the values as an array of their own type; raise ValueError unless they are exact numbers."""
    fail_if(
        isinstance(values, np.ma.MaskedArray),
        f"{name}: expected numbers without a mask, got a masked array",
    )
    try:
        array = np.asarray(values)
    except ValueError:
        raise ValueError(
            f"{name}: expected lists of equal length; for unequal lengths pass flat arrays and offsets"
        ) from None
    if array.dtype.kind not in "biuf":
        raise ValueError(f"{name} of type {array.dtype}: expected real numbers")
    check_fits(name, array)
    # If a Python list mixes floats with integers beyond 2**53, NumPy may have rounded the integers.
    is_list_of_floats = isinstance(values, (list, tuple)) and array.dtype == float and array.size
    if (
        is_list_of_floats
        and np.abs(array).max() >= 2**53
        and (np.asarray(values, dtype=object) != array).any()
    ):
        raise ValueError(
            f"{name}: expected numbers of one type, got integers that a float cannot represent exactly"
        )
    return array


def check_no_nan(name: str, array: np.ndarray) -> None:
    """Raise ValueError if an array contains NaN; the message gives the first position."""
    # If there are NaNs, argmin returns the position of the first.
    if array.size and np.isnan(array.flat[flat_position := array.argmin()]):
        indices = tuple(map(int, np.unravel_index(flat_position, array.shape)))
        position = indices[0] if array.ndim == 1 else indices
        raise ValueError(f"{name}: expected no NaN, got one at position {position}")


def read_integers(name: str, values: Any, expected: str) -> np.ndarray:
    """Return the values as an array; raise ValueError unless they are a non-empty row of integers."""
    array = row_of_numbers(name, values, "iu")
    if array is None:
        raise value_error(name, values, expected)
    return array


def fail_if(bad: Any, message: str) -> None:
    """Raise a ValueError with this message if `bad` is true."""
    if bad:
        raise ValueError(message)


def is_real(value: Any, admitted: Callable[[float], bool]) -> bool:
    """Return whether the value is a real number, not a bool, and satisfies `admitted`."""
    try:
        # Testing for float first is six times faster than testing for the abstract class Real.
        return isinstance(value, (float, Real)) and not isinstance(value, bool) and admitted(float(value))
    except OverflowError:
        return False


def check_float(name: str, value: Any, admitted: Callable[[float], bool], expected: str) -> Any:
    """Return the value; raise ValueError unless it is a real number and satisfies `admitted`."""
    raise_if(not is_real(value, admitted), name, value, expected)
    return value


def check_int(name: str, value: Any, lowest: float = 1, highest: float = inf) -> int:
    """Return the value as an int; raise ValueError unless it is an integer in the given range."""
    if (
        not isinstance(value, Integral)
        or isinstance(value, bool)
        or not is_real(value, lambda _: lowest <= int(value) <= highest)  # int() is exact beyond 2**53
    ):
        interval = f" from {lowest} to {highest}" if highest < inf else f" >= {lowest}"
        raise value_error(name, value, "an integer" + interval)
    return int(value)


def check_choice(name: str, value: Any, choices: Iterable[str], source: Any = None) -> Any:
    """Return the value; raise ValueError unless it is one of the choices."""
    words = tuple(choices)
    if not isinstance(value, str) or value not in words:
        hint = nearest(value, words) if isinstance(value, str) else ""
        raise value_error(name, value if source is None else source, f"one of {', '.join(words)}{hint}")
    return value


def check_type(name: str, value: Any, kind: type, example: str) -> None:
    """Raise ValueError unless the value has the given type."""
    raise_if(not isinstance(value, kind), name, value, f"a {kind.__name__}, such as {example}")
