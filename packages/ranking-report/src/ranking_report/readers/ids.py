"""Ids of queries and items, which are compared as texts and stored as numbers."""

import re
from typing import NamedTuple

import numpy as np
import pandas

from ndcg_companion.data.rankings import first

_WITH_ZEROS = re.compile(r"(-?\d+)\.0+")  # an integer that is written as a float


class Coded(NamedTuple):
    """The ids of rows as numbers, with each distinct text stored only once.

    Attributes
    ----------
    codes : ndarray of int, shape (n,)
        The number of each row's id. The id of row i is ``texts[codes[i]]``. The number -1 stands for a
        missing id.
    texts : Index
    """

    codes: np.ndarray
    texts: pandas.Index

    def decoded(self):
        """Return the text of each row's id, which is empty if the id is missing."""
        return np.append(as_texts(self.texts), "")[self.codes].tolist()


def codes_of(values):
    """Return ids as `Coded`, with texts in the order of first appearance.

    None, NaN, pandas' NA and blank texts count as missing.

    >>> codes, texts = codes_of(["b", "a", "b", None, " "])
    >>> codes.tolist(), texts.tolist()
    ([0, 1, 0, -1, -1], ['b', 'a'])
    """
    if isinstance(values, Coded):
        return values
    return coded_texts(
        *pandas.factorize(values if hasattr(values, "dtype") else np.array(values, dtype=object))
    )


def coded_texts(codes, values):
    """Return ids as `Coded`, given distinct values and the position of each row's value.

    The texts of the values may be blank or, for values of different types, equal.
    """
    texts = pandas.Index(values if values.dtype == "str" else [*map(str, values)], dtype="str")
    is_blank = texts.str.strip() == ""
    if values.dtype == "str" and not is_blank.any():
        return Coded(codes.astype(np.int32, copy=False), texts)
    numbers, texts = texts.where(~is_blank).factorize()
    # The last entry maps the code -1 to itself, because the index -1 selects this entry.
    return Coded(np.append(numbers, -1).astype(np.int32)[codes], texts)


def as_texts(ids):
    """Return ids as an array of Python strings."""
    return np.asarray(ids, dtype=object)


def check_ids(name, values, locate):
    """Return the ids of a mapping or a DataFrame as an array.

    Parameters
    ----------
    name : str
        The name of the ids in messages.
    values : sequence or Series
    locate : callable
        A function that turns the number of a row into words that locate it.

    Raises
    ------
    ValueError
        If an id is neither a text nor a number.

    Examples
    --------
    >>> check_ids("item", ["d1", ["d2"]], lambda row: f"row {row + 1}")
    Traceback (most recent call last):
    ...
    ValueError: row 2: expected a text or a number as item, got list
    """
    if isinstance(values, Coded) or isinstance(values, pandas.Series) and values.dtype != object:
        return values
    array = np.empty(len(values), dtype=object)
    array[:] = list(values)
    wrong_types = {
        type_ for type_ in set(map(type, array)) if not type_.__hash__ or issubclass(type_, (tuple, bytes))
    }
    if wrong_types:
        row = next(row for row, value in enumerate(array) if type(value) in wrong_types)
        got = f"expected a text or a number as {name}, got {type(array[row]).__name__}"
        raise ValueError(f"{locate(row)}: {got}")
    return array


def refuse_missing(name, codes, locate):
    """Reject a row without an id, that is, with a code below zero in `Coded`.

    >>> refuse_missing("query", codes_of(["a", None]).codes, lambda row: f"row {row + 1}")
    Traceback (most recent call last):
    ...
    ValueError: row 2: expected a value of query, got nothing
    """
    if (row := first(codes < 0)) is not None:
        raise ValueError(f"{locate(row)}: expected a value of {name}, got nothing")


def without_zeros(text):
    """Return an id without a trailing ``.0``.

    Programs that read integer ids as floats add this ending.

    >>> [without_zeros(text) for text in ("7.0", "-1.00", "7.5", "v1.0", "7")]
    ['7', '-1', '7.5', 'v1.0', '7']
    """
    with_zeros = _WITH_ZEROS.fullmatch(text)
    return with_zeros[1] if with_zeros else text
