"""Lists: one query, a matrix of equally long ones, or a ragged batch, checked once and laid end to end.

Everything behind the public functions works on flat arrays and trusts them: labels, scores and what is
derived from them have length N, list after list, whatever the shape the caller gave. Ranked arrays run from
the *last* rank of a list to its first, which is how NumPy sorts: reversing them would cost two more passes.
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

# One list with that many items for each grade is sorted sooner by counting its grades.
_MANY = 2**11

Empty = float | Literal["raise"]


@dataclass(slots=True)
class Lists:
    """Labels and scores of ``q`` lists, flat, with the sizes that tell them apart.

    Attributes
    ----------
    labels : ndarray of shape (N,)
        As bytes if they are whole numbers from 0 to 255, else in the caller's type.
    scores : ndarray of shape (N,), or None
        In the caller's type.
    starts, sizes : ndarray of shape (q,)
        Where each list begins and how many items it has.
    n : int or None
        The common size, None for a ragged batch.
    single : bool
        Whether the caller gave one list, and so expects one number.
    """

    labels: np.ndarray
    scores: np.ndarray | None
    starts: np.ndarray
    sizes: np.ndarray
    n: int | None
    single: bool

    def rows(self, values):
        """A value for each item of lists of one size, as a matrix with a row for each list."""
        return values.reshape(self.sizes.size, self.n)

    def order(self, values, stable=False):
        """Flat indices that list each list's items by increasing value.

        With `stable`, of equal values the one that came first ranks first, that is, stands last.
        """
        if self.n is None:
            order = values.size - 1 - values[::-1].argsort(kind="stable") if stable else values.argsort()
            # One sort of all the values and a stable one of the list numbers, which NumPy does by radix for
            # 16 bits: several times faster than a lexsort, and without a loop over the lists.
            return order[self.number[order].argsort(kind="stable")]
        rows = self.rows(values)
        order = (
            self.n - 1 - rows[:, ::-1].argsort(axis=1, kind="stable")
            if stable
            else rows.argsort(axis=1, kind=_quickest(values))
        )
        if order.size > self.n:
            order += self.starts[:, None]
        return order.ravel()

    def sort(self, values, top=None):
        """The values of each list in increasing order; of lists of one size perhaps the `top` highest."""
        if self.n is None:
            return values.take(self.order(values))
        rows = self.rows(values)
        if len(rows) == 1 and values.dtype == np.uint8 and values.size >= _MANY:
            highest = int(values[values.argmax()])  # sooner than max()
            if highest <= values.size // _MANY:
                return _sort_by_counting(values, highest)
        # Bytes are sorted sooner than they are parted.
        if top is not None and is_short(top, self.n) and values.dtype != np.uint8:
            rows = np.partition(rows, self.n - top, axis=1)[:, self.n - top :]
        rows = rows.copy()
        rows.sort(axis=1, kind=_quickest(values))
        return rows.ravel()

    def keep_candidates(self, top, gains):
        """The one list and its gains, cut to the `top` highest scores and what ties with the last of them."""
        threshold = np.partition(self.scores, self.n - top)[self.n - top]
        near_top = np.flatnonzero(self.scores >= threshold)
        labels, scores, n = self.labels.take(near_top), self.scores.take(near_top), near_top.size
        return Lists(labels, scores, self.starts, np.array([n]), n, self.single), gains.take(near_top)

    @property
    def number(self):
        """The number of the list at each flat position."""
        small = np.uint16 if self.sizes.size <= 2**16 else np.intp
        return np.repeat(np.arange(self.sizes.size, dtype=small), self.sizes)

    @property
    def ranks(self):
        """The rank at each flat position of a ranked array: from the size of the list down to 1."""
        return np.repeat(self.starts + self.sizes, self.sizes) - np.arange(self.sizes.sum())

    def fold(self, operation, values):
        """``operation.reduce`` of each list's values, 0 for a list without items: shape (q,)."""
        if self.n:
            return operation.reduce(self.rows(values), axis=1)
        folded, filled = np.zeros(self.sizes.size, dtype=values.dtype), self.sizes > 0
        folded[filled] = operation.reduceat(values, self.starts[filled])
        return folded

    def dot(self, values, weights):
        """Sum of ranked values times weights, for each list.

        Weights are one for each value, or one for each rank that all lists share, perhaps of the top ranks
        alone; as in all ranked arrays the first rank stands last.
        """
        if self.n is None or weights.size > self.n:
            return self.fold(np.add, values * weights)
        q = self.sizes.size
        rows = values.reshape(q, values.size // max(q, 1))
        # Not BLAS, whose sums depend on the number of threads.
        return np.einsum("ij,j->i", rows[:, rows.shape[1] - weights.size :], weights) if q else np.zeros(0)

    def to_output(self, values, blank=None, empty=None):
        """One number for one list, the array of them for several, with ``empty`` where a list is blank."""
        if blank is not None and blank.any():
            if isinstance(empty, str):
                place = "" if self.single else f" in list {int(np.flatnonzero(blank)[0])}"
                raise ValueError(f"empty='raise': expected a relevant item, got none{place}")
            values = np.where(blank, float(empty), values)
        return float(values[0]) if self.single else values


def _sort_by_counting(grades, highest):
    """Integers from 0 to a small highest one, in increasing order.

    >>> _sort_by_counting(np.array([2, 0, 2, 1], dtype=np.uint8), 2)
    array([0, 1, 2, 2], dtype=uint8)
    """
    ordered = np.zeros_like(grades)
    for grade in range(1, highest + 1):
        ordered[grades.size - np.count_nonzero(grades >= grade) :] = grade
    return ordered


def _quickest(values):
    """The kind of sort that is quickest: for bytes the stable one, which counts them."""
    return "stable" if values.dtype == np.uint8 else None


def is_short(top, n):
    """Whether selecting the `top` of n items beats sorting them all."""
    return n >= 1024 and 4 * top <= n


def read_labels(labels, offsets=None, *, name="labels", negative=True):
    """Check labels and lay them end to end.

    Parameters
    ----------
    labels : array_like of shape (n,), (q, n), or (N,) with offsets
    offsets : array_like of shape (q + 1,), optional
        List i holds the items ``offsets[i]:offsets[i + 1]``.
    name : str
        What the caller calls the labels; the offsets of ideal labels are called "ideal_offsets".
    negative : bool
        Whether negative labels are admitted.

    Raises
    ------
    ValueError
        For anything that is not numbers, NaN, infinite labels, negative ones if not admitted, and offsets
        that do not run from 0 to N.
    """
    return _laid_out(real_array(name, labels), offsets, name, negative)


def _laid_out(array, offsets, name, negative):
    """The lists of an array of labels, whose shape and values are checked."""
    if array.ndim not in (1, 2) or (offsets is not None and array.ndim != 1):
        raise ValueError(
            f"{name} of shape {array.shape}: expected shape "
            + ("(n,) or (q, n)" if offsets is None else "(N,) with offsets")
        )
    flat = _compact(name, array, negative).ravel()
    if array.ndim == 2:
        q, n = array.shape
        return Lists(flat, None, np.arange(q) * n, np.full(q, n), n, False)
    if offsets is None:
        return Lists(flat, None, np.zeros(1, dtype=np.intp), np.array([flat.size]), flat.size, True)
    starts, sizes = _read_offsets(offsets, flat.size, "ideal_offsets" if name == "ideal" else "offsets")
    equal = sizes.size and sizes[0] > 0 and (sizes == sizes[0]).all()
    return Lists(flat, None, starts, sizes, int(sizes[0]) if equal else None, False)


def read_lists(labels, scores, offsets=None, *, name="labels", scores_name="scores", negative=True):
    """Check labels, and scores of their shape, and lay them end to end; see `read_labels`."""
    labels, array = real_array(name, labels), real_array(scores_name, scores)
    lists = _laid_out(labels, offsets, name, negative)
    if array.shape != labels.shape:
        raise ValueError(
            f"{scores_name} of shape {array.shape}: expected the shape of {name}, {labels.shape}"
        )
    check_no_nan(scores_name, array)
    lists.scores = array.ravel()
    return lists


def check_empty(empty):
    """Refuse anything but the known values of a list without a relevant item."""
    raise_if(
        not is_real(empty, lambda value: value != value or value in (0, 1))
        and not (isinstance(empty, str) and empty == "raise"),
        "empty",
        empty,
        "nan, 0, 1 or 'raise'",
    )


def _compact(name, labels, negative):
    """The labels as bytes, if they are bytes: an eighth of the memory, and they can be packed into scores."""
    with np.errstate(invalid="ignore"):
        grades = labels.astype(np.uint8, copy=False)
    if all_true(grades == labels):
        return grades
    check_no_nan(name, labels)
    lowest, highest = labels.min(), labels.max()
    furthest = lowest if lowest == -np.inf else highest
    fail_if(np.isinf(furthest), f"{name}: expected finite numbers, got {furthest}")
    fail_if(lowest < 0 and not negative, f"{name}: expected numbers >= 0, got {lowest}")
    return labels


def _read_offsets(offsets, total, name):
    """The starts and sizes that the offsets say."""
    array = read_integers(name, offsets, "integers of shape (q + 1,)")
    starts, ends = array[:-1].astype(np.intp), array[1:].astype(np.intp)
    raise_if(
        array[0] != 0 or array[-1] != total or (ends < starts).any(),
        name,
        offsets,
        f"to rise from 0 to {total}, the number of items",
    )
    return starts, ends - starts
