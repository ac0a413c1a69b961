"""Lists: one query, a matrix of equally long ones, or a ragged batch, checked once and laid end to end.

Everything behind the public functions works on flat arrays and trusts them: labels, scores and what is derived from
them have length N, list after list, whatever the shape the caller gave. Ranked arrays run from the *last* rank of a
list to its first, which is how NumPy sorts: reversing them would cost two more passes.
"""

from dataclasses import dataclass

import numpy as np

# Up to here a list fits the cache, and a second look at its labels costs little.
_LONG = 2**15


@dataclass(frozen=True, slots=True)
class Lists:
    """Labels and scores of ``q`` lists, flat, with the sizes that tell them apart.

    Attributes
    ----------
    labels : ndarray of shape (N,)
        In the caller's type, or in a smaller one that holds them exactly.
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

    def order(self, values, stable=False):
        """Flat indices that list each list's items by increasing value.

        With `stable`, of equal values the one that came first ranks first, that is, stands last.
        """
        if self.n is None:
            order = values.size - 1 - values[::-1].argsort(kind="stable") if stable else values.argsort()
            # One sort of all the values and a stable one of the list numbers, which NumPy does by radix for 16 bits:
            # several times faster than a lexsort, and without a loop over the lists.
            return order[self.number[order].argsort(kind="stable")]
        rows = values.reshape(self.sizes.size, self.n)
        order = self.n - 1 - rows[:, ::-1].argsort(axis=1, kind="stable") if stable else rows.argsort(axis=1)
        if order.size > self.n:
            order += self.starts[:, None]
        return order.ravel()

    def sort(self, values, top=None):
        """The values of each list in increasing order; of lists of one size perhaps only the `top` highest."""
        if self.n is None:
            return values.take(self.order(values))
        rows = values.reshape(self.sizes.size, self.n)
        if values.dtype == np.uint8:
            return np.sort(rows, axis=1, kind="stable").ravel()
        if top is not None and is_short(top, self.n):
            rows = np.partition(rows, self.n - top, axis=1)[:, self.n - top :]
        return np.sort(rows, axis=1).ravel()

    def part(self, start, stop):
        """Some of the lists, where all are of one size."""
        items, sizes = slice(start * self.n, stop * self.n), self.sizes[start:stop]
        return Lists(self.labels[items], self.scores[items], self.starts[: sizes.size], sizes, self.n, False)

    def keep_contenders(self, top, gains):
        """The one list and its gains, reduced to the `top` highest scores and what is tied with the last of them."""
        threshold = np.partition(self.scores, self.n - top)[self.n - top]
        near_top = np.flatnonzero(self.scores >= threshold)
        labels, scores, sizes = (
            self.labels.take(near_top),
            self.scores.take(near_top),
            np.array([near_top.size]),
        )
        return Lists(labels, scores, self.starts, sizes, near_top.size, self.single), gains.take(near_top)

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
            return operation.reduce(values.reshape(-1, self.n), axis=1)
        folded = np.zeros(self.sizes.size, dtype=values.dtype)
        filled = self.sizes > 0
        if filled.any():
            folded[filled] = operation.reduceat(values, self.starts[filled])
        return folded

    def dot(self, values, weights):
        """Sum of ranked values times weights by list; the weights are flat, or shared and perhaps only of top ranks."""
        if self.n is None or weights.size > self.n:
            return self.fold(np.add, values * weights)
        q = self.sizes.size
        rows = values.reshape(q, values.size // max(q, 1))
        # Not BLAS, whose sums depend on the number of threads.
        return np.einsum("ij,j->i", rows[:, rows.shape[1] - weights.size :], weights) if q else np.zeros(0)

    def answer(self, values, blank=None, empty=None):
        """One number for one list, the array of them for several, with ``empty`` where a list is blank."""
        if blank is not None and blank.any():
            if isinstance(empty, str):
                at = "" if self.single else f" in list {int(np.flatnonzero(blank)[0])}"
                raise ValueError(f"empty='raise': expected a relevant item, got none{at}")
            values = np.where(blank, float(empty), values)
        return float(values[0]) if self.single else values


def is_short(top, n):
    """Whether selecting the `top` of n items beats sorting them all."""
    return n >= 1024 and 4 * top <= n


def read_lists(labels, scores, offsets=None, *, name="labels", negative=True, offsets_name="offsets"):
    """Check labels and scores and lay them end to end.

    Parameters
    ----------
    labels, scores : array_like of shape (n,), (q, n), or (N,) with offsets
        ``scores=None`` where the order does not matter.
    offsets : array_like of shape (q + 1,), optional
        List i holds the items ``offsets[i]:offsets[i + 1]``.
    name, offsets_name : str
        What the caller calls the labels and the offsets.
    negative : bool
        Whether negative labels are admitted.

    Raises
    ------
    ValueError
        For anything that is not numbers, NaN, infinite labels, negative ones if not admitted, shapes that differ, and
        offsets that do not run from 0 to N.
    """
    labels = _as_array(name, labels)
    if labels.ndim not in (1, 2) or (offsets is not None and labels.ndim != 1):
        expected = f"(N,) with {offsets_name}" if offsets is not None else "(n,) or (q, n)"
        raise ValueError(f"{name} of shape {labels.shape}: expected shape {expected}")
    q, n = labels.shape if labels.ndim == 2 else (1, labels.size)
    single = labels.ndim == 1 and offsets is None
    if scores is not None:
        scores = _as_array("scores", scores)
        if scores.shape != labels.shape:
            raise ValueError(f"scores of shape {scores.shape}: expected the shape of {name}, {labels.shape}")
        if scores.size and np.isnan(scores.min()):
            raise ValueError(f"scores: expected no NaN, got one at position {_first_nan(scores)}")
        scores = scores.ravel()
    labels = _compact(labels) if single and n >= _LONG else labels
    if labels.size:
        lowest, highest = labels.min(), labels.max()
        if np.isnan(lowest):
            raise ValueError(f"{name}: expected no NaN, got one at position {_first_nan(labels)}")
        if lowest == -np.inf or highest == np.inf:
            raise ValueError(
                f"{name}: expected finite numbers, got {lowest if lowest == -np.inf else highest}"
            )
        if lowest < 0 and not negative:
            raise ValueError(f"{name}: expected numbers >= 0, got {lowest}")
    labels = labels.ravel()
    if single:
        return Lists(labels, scores, np.zeros(1, dtype=np.intp), np.array([n]), n, True)
    if offsets is None:
        return Lists(labels, scores, np.arange(q) * n, np.full(q, n), n, False)
    starts, sizes = _read_offsets(offsets, n, offsets_name)
    equal = sizes.size and sizes[0] > 0 and (sizes == sizes[0]).all()
    return Lists(labels, scores, starts, sizes, int(sizes[0]) if equal else None, False)


def check_empty(empty):
    """Refuse anything but the known values of a list without a relevant item."""
    if isinstance(empty, str) and empty == "raise":
        return
    if isinstance(empty, (str, bool)) or not np.isscalar(empty) or not (empty != empty or empty in (0, 1)):
        raise ValueError(f"empty={empty!r}: expected nan, 0, 1 or 'raise'")


def _as_array(name, values):
    """The values as an array of the type they came in, refused if they are not numbers or have been rounded."""
    if isinstance(values, np.ma.MaskedArray):
        raise ValueError(f"{name}: expected numbers, got a masked array, whose mask would be lost")
    try:
        array = np.asarray(values)
    except ValueError:
        expected = "expected lists of one length; for several lengths give flat arrays and offsets"
        raise ValueError(f"{name}: {expected}") from None
    if array.dtype.kind not in "biuf":
        raise ValueError(f"{name} of type {array.dtype}: expected real numbers")
    if isinstance(values, (list, tuple)) and array.dtype == float and array.size:
        # A Python list that mixes floats with integers beyond 2**53 may just have been rounded.
        if np.abs(array).max() >= 2**53 and (np.asarray(values, dtype=object) != array).any():
            raise ValueError(
                f"{name}: expected numbers of one type, got integers that a float cannot hold exactly"
            )
    return array


def _first_nan(array):
    at = np.argwhere(np.isnan(array))[0].tolist()
    return at[0] if len(at) == 1 else tuple(at)


def _compact(labels):
    """The labels as bytes, if that is what they are: eight times less memory to gather from, and a radix sort."""
    with np.errstate(invalid="ignore"):
        grades = labels.astype(np.uint8)
    return grades if np.array_equal(grades, labels) else labels


def _read_offsets(offsets, total, name):
    """The starts and sizes that the offsets say."""
    array = np.asarray(offsets)
    if array.ndim != 1 or array.size == 0 or array.dtype.kind not in "iu":
        raise ValueError(f"{name}={offsets!r}: expected integers of shape (q + 1,)")
    array = array.astype(np.intp)
    if array[0] != 0 or array[-1] != total or (array[1:] < array[:-1]).any():
        raise ValueError(f"{name}={offsets!r}: expected to rise from 0 to {total}, the number of items")
    return array[:-1], np.diff(array)
