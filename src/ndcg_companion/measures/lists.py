"""Lists of items of one or several queries, checked once and concatenated.

The private functions work on flat arrays that have been checked. Labels, scores and all arrays derived from
them have length N and contain one list after the other, whatever the shape of the caller's arrays. Ranked
arrays run from the *last* rank of a list to its first, because NumPy sorts in increasing order and reversing
the arrays would cost two more passes.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from ndcg_companion.checks import (
    all_true,
    check_no_nan,
    fail_if,
    is_real,
    raise_if,
    read_integers,
    real_array,
)

# A single list with at least this many items per grade is sorted faster by counting grades.
_COUNTED_PER_GRADE = 2**11

Empty = float | Literal["raise"]


@dataclass(slots=True)
class Lists:
    """Labels and scores of ``q`` concatenated lists, with their starts and sizes.

    Attributes
    ----------
    labels : ndarray of shape (N,)
        Unsigned bytes if all labels are integers from 0 to 255; otherwise the caller's type is kept.
    scores : ndarray of shape (N,), or None
        The caller's type is kept.
    starts, sizes : ndarray of shape (q,)
        Position of the first item of each list, and its number of items.
    n : int or None
        The common size; None for a ragged batch.
    single : bool
        Whether the caller gave one list and therefore expects one number.
    """

    labels: np.ndarray
    scores: np.ndarray | None
    starts: np.ndarray
    sizes: np.ndarray
    n: int | None
    single: bool

    def rows(self, values):
        """Return one value per item as a matrix with one row per list; lists must have equal size."""
        return values.reshape(self.sizes.size, self.n)

    def order(self, values, stable=False):
        """Return flat indices that sort the items of each list by increasing value.

        If ``stable`` is true, the earlier of two equal values gets the better rank and therefore comes later.
        """
        if self.n is None:
            # Sorting the reversed values puts the later of two equal values first, as `stable` requires.
            order = values.size - 1 - values[::-1].argsort(kind="stable") if stable else values.argsort()
            # All values are sorted at once. Then a stable sort orders the list numbers, for which NumPy uses
            # a radix sort on 16 bits. This is several times faster than a lexsort and needs no loop over
            # lists.
            return order[self.number[order].argsort(kind="stable")]
        rows = self.rows(values)
        order = (
            self.n - 1 - rows[:, ::-1].argsort(axis=1, kind="stable")
            if stable
            else rows.argsort(axis=1, kind=_quickest(values))
        )
        if order.size > self.n:
            order += self.starts[:, None]  # positions in each list become flat positions
        return order.ravel()

    def sort(self, values, top=None):
        """Return the sorted values of each list, or only the ``top`` highest if sizes are equal."""
        if self.n is None:
            return values.take(self.order(values))
        rows = self.rows(values)
        if len(rows) == 1 and values.dtype == np.uint8 and values.size >= _COUNTED_PER_GRADE:
            highest = int(values[values.argmax()])  # faster than max()
            if highest <= values.size // _COUNTED_PER_GRADE:
                return _sort_by_counting(values, highest)
        # Sorting bytes is faster than partitioning them.
        if top is not None and is_short(top, self.n) and values.dtype != np.uint8:
            rows = np.partition(rows, self.n - top, axis=1)[:, self.n - top :]
        rows = rows.copy()
        rows.sort(axis=1, kind=_quickest(values))
        return rows.ravel()

    def keep_candidates(self, top, gains):
        """Return a single list and its gains, with only the ``top`` highest scores and ties with the last."""
        # After partitioning, this position has the value that it would have after sorting.
        threshold = np.partition(self.scores, self.n - top)[self.n - top]
        kept_positions = np.flatnonzero(self.scores >= threshold)
        labels, scores, n = (
            self.labels.take(kept_positions),
            self.scores.take(kept_positions),
            kept_positions.size,
        )
        return Lists(labels, scores, self.starts, np.array([n]), n, self.single), gains.take(kept_positions)

    @property
    def number(self):
        """Return the number of the list at each flat position."""
        smallest_type = np.uint16 if self.sizes.size <= 2**16 else np.intp
        return np.repeat(np.arange(self.sizes.size, dtype=smallest_type), self.sizes)

    @property
    def ranks(self):
        """Return the rank at each flat position of a ranked array, from the list size down to 1."""
        # The position p of a list with the end e has the rank e - p.
        return np.repeat(self.starts + self.sizes, self.sizes) - np.arange(self.sizes.sum())

    def fold(self, operation, values):
        """Return ``operation.reduce`` of each list's values, of shape (q,); an empty list gives 0."""
        if self.n:
            return operation.reduce(self.rows(values), axis=1)
        folded, is_nonempty = np.zeros(self.sizes.size, dtype=values.dtype), self.sizes > 0
        # `reduceat` would give an empty list the first value of the next list.
        folded[is_nonempty] = operation.reduceat(values, self.starts[is_nonempty])
        return folded

    def dot(self, values, weights):
        """Return the sum of ranked values times weights for each list.

        The weights are one number for each value, or one number for each rank. If there is one weight for
        each rank, the weights are common to all lists and may cover only the top ranks. As in all ranked
        arrays, the first rank comes last.
        """
        if self.n is None or weights.size > self.n:
            return self.fold(np.add, values * weights)
        q = self.sizes.size
        rows = values.reshape(q, values.size // max(q, 1))
        # BLAS is avoided because its sums depend on the number of threads.
        return np.einsum("ij,j->i", rows[:, rows.shape[1] - weights.size :], weights) if q else np.zeros(0)

    def to_output(self, values, is_blank=None, empty=None):
        """Return a float for a single list, otherwise an array.

        Lists for which ``is_blank`` is true get the value ``empty``, or raise ValueError if it is "raise".
        """
        if is_blank is not None and is_blank.any():
            if isinstance(empty, str):
                location = "" if self.single else f" in list {int(np.flatnonzero(is_blank)[0])}"
                raise ValueError(f"empty='raise': expected a relevant item, got none{location}")
            values = np.where(is_blank, float(empty), values)
        return float(values[0]) if self.single else values


def _sort_by_counting(grades, highest):
    """Return integers from 0 to a small maximum in sorted order, by counting them.

    >>> _sort_by_counting(np.array([2, 0, 2, 1], dtype=np.uint8), 2)
    array([0, 1, 2, 2], dtype=uint8)
    """
    sorted_grades = np.zeros_like(grades)
    for grade in range(1, highest + 1):
        # All items of at least this grade are at the end; higher grades overwrite it in later rounds.
        sorted_grades[grades.size - np.count_nonzero(grades >= grade) :] = grade
    return sorted_grades


def _quickest(values):
    """Return the fastest kind of sort; for bytes, this is the stable sort, which is a radix sort."""
    return "stable" if values.dtype == np.uint8 else None


def is_short(top, n):
    """Return whether selecting the `top` of n items is faster than sorting all of them."""
    return n >= 1024 and 4 * top <= n


def read_labels(labels, offsets=None, *, name="labels", negative=True):
    """Return labels as `Lists`, checked and concatenated.

    Parameters
    ----------
    labels : array_like of shape (n,), (q, n), or (N,) with offsets
        Labels of one list, of lists of equal size, or of concatenated lists.
    offsets : array_like of shape (q + 1,), optional
        List i consists of the items ``offsets[i]:offsets[i + 1]``.
    name : str
        Name of the labels in error messages. If the name is "ideal", the messages call the offsets
        "ideal_offsets".
    negative : bool
        Whether labels may be negative.

    Raises
    ------
    ValueError
        If a label is not a finite number, if a label is negative although ``negative`` is false, or if the
        offsets do not rise from 0 to N.
    """
    return _as_lists(real_array(name, labels), offsets, name, negative)


def _as_lists(array, offsets, name, negative):
    """Return the `Lists` of an array of labels after checking its shape and values."""
    if array.ndim not in (1, 2) or (offsets is not None and array.ndim != 1):
        raise ValueError(
            f"{name} of shape {array.shape}: expected shape "
            + ("(n,) or (q, n)" if offsets is None else "(N,) with offsets")
        )
    flat_labels = _compact(name, array, negative).ravel()
    if array.ndim == 2:
        q, n = array.shape
        return Lists(flat_labels, None, np.arange(q) * n, np.full(q, n), n, False)
    if offsets is None:
        n = flat_labels.size
        return Lists(flat_labels, None, np.zeros(1, dtype=np.intp), np.array([n]), n, True)
    offsets_name = "ideal_offsets" if name == "ideal" else "offsets"
    starts, sizes = _read_offsets(offsets, flat_labels.size, offsets_name)
    sizes_are_equal = sizes.size and sizes[0] > 0 and (sizes == sizes[0]).all()
    return Lists(flat_labels, None, starts, sizes, int(sizes[0]) if sizes_are_equal else None, False)


def read_lists(labels, scores, offsets=None, *, name="labels", scores_name="scores", negative=True):
    """Return labels and scores of the same shape as `Lists`; see `read_labels`."""
    labels, array = real_array(name, labels), real_array(scores_name, scores)
    lists = _as_lists(labels, offsets, name, negative)
    if array.shape != labels.shape:
        raise ValueError(
            f"{scores_name} of shape {array.shape}: expected the shape of {name}, {labels.shape}"
        )
    check_no_nan(scores_name, array)
    lists.scores = array.ravel()
    return lists


def check_empty(empty):
    """Raise ValueError unless ``empty`` is a permitted value for a list without a relevant item."""
    raise_if(
        not is_real(empty, lambda value: value != value or value in (0, 1))  # only NaN differs from itself
        and not (isinstance(empty, str) and empty == "raise"),
        "empty",
        empty,
        "nan, 0, 1 or 'raise'",
    )


def _compact(name, labels, negative):
    """Return the labels as bytes if possible, to save memory and so that they can be packed into scores."""
    with np.errstate(invalid="ignore"):  # the comparison detects labels that are no bytes
        grades = labels.astype(np.uint8, copy=False)
    if all_true(grades == labels):
        return grades
    check_no_nan(name, labels)
    lowest, highest = labels.min(), labels.max()
    infinite_if_any = lowest if lowest == -np.inf else highest
    fail_if(np.isinf(infinite_if_any), f"{name}: expected finite numbers, got {infinite_if_any}")
    fail_if(lowest < 0 and not negative, f"{name}: expected numbers >= 0, got {lowest}")
    return labels


def _read_offsets(offsets, total, name):
    """Return the start and size of each list, read from the offsets."""
    array = read_integers(name, offsets, "integers of shape (q + 1,)")
    starts, stops = array[:-1].astype(np.intp), array[1:].astype(np.intp)
    raise_if(
        array[0] != 0 or array[-1] != total or (stops < starts).any(),
        name,
        offsets,
        f"integers that rise from 0 to {total}, the number of items",
    )
    return starts, stops - starts
