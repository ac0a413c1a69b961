"""What is accepted as an argument, and the line that refuses it: its name, its value, what was expected."""

import os
from collections import Counter
from collections.abc import Callable, Iterable
from math import inf
from numbers import Integral, Real
from typing import Any

import numpy as np

from ndcg_companion.text import escaped, nearest


def value_error(name: str, value: Any, expected: str) -> ValueError:
    """The error for a value that is not what was expected.

    >>> value_error("k", 0, "a number of positions of at least 1")
    ValueError('k=0: expected a number of positions of at least 1')
    """
    return ValueError(f"{name}={escaped(repr(value), most=120)}: expected {escaped(expected, most=500)}")


def raise_if(bad: Any, name: str, value: Any, expected: str) -> None:
    """Raise the `value_error` of the value if it is bad."""
    if bad:
        raise value_error(name, value, expected)


def all_true(flags: np.ndarray) -> bool:
    """What ``flags.all()`` says, in less time on a short list."""
    return np.count_nonzero(flags) == flags.size


def duplicates(values: Iterable) -> list:
    """What is there more than once, in the order in which it first comes.

    >>> duplicates("banana")
    ['a', 'n']
    """
    return [value for value, count in Counter(values).items() if count > 1]


LONGEST = 1000  # characters of a text that is parsed, such as a curve or the name of a measure


def check_length(name: str, text: Any) -> Any:
    """The text, refused if it is longer than anything that a parser should look at; or what is no text.

    >>> check_length("curve", "power:2")
    'power:2'
    """
    if isinstance(text, str) and len(text) > LONGEST:
        raise value_error(name, text, f"at most {LONGEST:,} characters, got {len(text):,}")
    return text


def machine_memory() -> int | None:
    """How many bytes of memory the machine has; None where it does not say."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):  # as on Windows
        return None


def check_fits(name: str, array: np.ndarray) -> None:
    """Refuse an array whose numbers do not fit into memory, as one made by broadcasting may be."""
    if array.size > 2**27:  # a machine has as much as that
        limit = (machine_memory() or 2**40) // 8
        raise_if(array.size > limit, name, array.shape, f"at most {limit:,} numbers, got {array.size:,}")


def numbers_or_none(name: str, values: Any, kinds: str = "biuf") -> np.ndarray | None:
    """The values as an array that fits into memory, if they are numbers of these kinds; None if not.

    >>> numbers_or_none("weights", [[1, 2]]), numbers_or_none("weights", [[1], [1, 2]])
    (array([[1, 2]]), None)
    """
    try:
        array = np.asarray(values)
    except ValueError:  # of unequal lengths
        return None
    check_fits(name, array)
    return array if array.dtype.kind in kinds else None


def row_of_numbers(name: str, values: Any, kinds: str = "biuf") -> np.ndarray | None:
    """The values as an array, if they are numbers of these kinds in a row, at least one; None if not.

    >>> row_of_numbers("k", (1, 2)), row_of_numbers("k", [[1, 2]])
    (array([1, 2]), None)
    """
    array = numbers_or_none(name, values, kinds)
    return array if array is not None and array.ndim == 1 and array.size else None


def real_array(name: str, values: Any) -> np.ndarray:
    """The values as an array of the type they came in, refused if they are no numbers or were rounded."""
    fail_if(
        isinstance(values, np.ma.MaskedArray),
        f"{name}: expected numbers, got a masked array, whose mask would be lost",
    )
    try:
        array = np.asarray(values)
    except ValueError:
        raise ValueError(
            f"{name}: expected lists of one length; for several lengths give flat arrays and offsets"
        ) from None
    if array.dtype.kind not in "biuf":
        raise ValueError(f"{name} of type {array.dtype}: expected real numbers")
    check_fits(name, array)
    # A Python list that mixes floats with integers beyond 2**53 may just have been rounded.
    floats = isinstance(values, (list, tuple)) and array.dtype == float and array.size
    if floats and np.abs(array).max() >= 2**53 and (np.asarray(values, dtype=object) != array).any():
        raise ValueError(
            f"{name}: expected numbers of one type, got integers that a float cannot hold exactly"
        )
    return array


def check_no_nan(name: str, array: np.ndarray) -> None:
    """Refuse an array with a NaN, which is the least of all numbers to NumPy."""
    if array.size and np.isnan(array.flat[first := array.argmin()]):
        position = tuple(map(int, np.unravel_index(first, array.shape)))
        raise ValueError(
            f"{name}: expected no NaN, got one at position {position[0] if len(position) == 1 else position}"
        )


def read_integers(name: str, values: Any, expected: str) -> np.ndarray:
    """The values as an array, refused unless they are integers in a row, at least one."""
    array = row_of_numbers(name, values, "iu")
    if array is None:
        raise value_error(name, values, expected)
    return array


def fail_if(bad: Any, message: str) -> None:
    """Raise a ValueError that says what was expected, if the argument is bad."""
    if bad:
        raise ValueError(message)


def is_real(value: Any, admitted: Callable[[float], bool]) -> bool:
    """Whether the value is a real number that is admitted; True and False are no numbers."""
    try:
        # A float is known by its type in a sixth of the time that an abstract class takes to know it.
        return isinstance(value, (float, Real)) and not isinstance(value, bool) and admitted(float(value))
    except OverflowError:
        return False


def check_float(name: str, value: Any, admitted: Callable[[float], bool], expected: str) -> Any:
    """The value, refused unless it is a real number that is admitted."""
    raise_if(not is_real(value, admitted), name, value, expected)
    return value


def check_int(name: str, value: Any, lowest: float = 1, highest: float = inf) -> int:
    """The value as an int, refused unless it is an integer from the lowest to the highest."""
    if (
        not isinstance(value, Integral)
        or isinstance(value, bool)
        or not is_real(value, lambda _: lowest <= int(value) <= highest)
    ):
        interval = f" from {lowest} to {highest}" if highest < inf else f" >= {lowest}"
        raise value_error(name, value, "an integer" + interval)
    return int(value)


def check_choice(name: str, value: Any, choices: Iterable[str], source: Any = None) -> Any:
    """The value, refused unless it is among the known words; `given` is what it was read from."""
    words = tuple(choices)
    if not isinstance(value, str) or value not in words:
        hint = nearest(value, words) if isinstance(value, str) else ""
        raise value_error(name, value if source is None else source, f"one of {', '.join(words)}{hint}")
    return value


def check_type(name: str, value: Any, kind: type, example: str) -> None:
    """Refuse what is not of the kind."""
    raise_if(not isinstance(value, kind), name, value, f"a {kind.__name__}, such as {example}")
