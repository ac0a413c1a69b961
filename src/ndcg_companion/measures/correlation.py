"""Kendall's rank correlation between labels and scores."""

from math import nan

import numpy as np

from .lists import read_lists
from .ties import dense_ranks

VARIANTS = ("a", "b", "c")


def kendall_tau(labels, scores, *, variant="b", offsets=None):
    """Kendall's tau: concordant minus discordant pairs of items, as a share of the pairs.

    With C and D pairs, n items, and m the smaller number of distinct values among labels and scores:
    ``a`` is ``(C - D) / (n (n - 1) / 2)`` (Katerenchuk and Rosenberg 2016); ``b`` divides by the geometric mean of the
    pairs whose labels differ and those whose scores differ; ``c`` is ``2 (C - D) m / (n ** 2 (m - 1))``. The variant in
    the poster's table of tests is ``b``.

    Parameters
    ----------
    labels, scores : array_like of shape (n,), (q, n), or (N,) with offsets
        Finite labels, of which only the order matters; and scores.
    variant : {"b", "a", "c"}
        What ties make of the denominator.
    offsets : array_like of shape (q + 1,), optional
        List i holds the items ``offsets[i]:offsets[i + 1]``.

    Returns
    -------
    float or ndarray of shape (q,)
        nan where the denominator is zero: fewer than two items, or, but for ``a``, labels or scores all equal.

    Raises
    ------
    ValueError
        For arguments outside the above, NaN, and unequal lengths.

    >>> kendall_tau([1, 2, 3, 4], [1, 2, 4, 3], variant="a")
    0.6666666666666666
    """
    if not (isinstance(variant, str) and variant in VARIANTS):
        raise ValueError(f"variant={variant!r}: expected one of {', '.join(VARIANTS)}")
    lists = read_lists(labels, scores, offsets)
    x, y = dense_ranks(lists, lists.labels), dense_ranks(lists, lists.scores)
    order = np.lexsort((x, y, lists.number))
    pairs = lists.sizes * (lists.sizes - 1) // 2
    tied_x, tied_y = (_pairs_tied(lists, each.take(lists.order(each))) for each in (x, y))
    tied_both = _pairs_tied(lists, x[order], y[order])
    # Within equal scores the labels increase: every inversion left is a discordant pair.
    excess = pairs - tied_x - tied_y + tied_both - 2 * _inversions(lists, x[order])
    if variant == "a":
        whole = pairs.astype(float)
    elif variant == "b":
        whole = np.sqrt((pairs - tied_x).astype(float) * (pairs - tied_y))
    else:
        distinct = np.minimum(lists.fold(np.maximum, x), lists.fold(np.maximum, y))
        whole = lists.sizes.astype(float) ** 2 * (distinct - 1) / (2 * np.maximum(distinct, 1))
    return lists.answer(excess / np.where(whole > 0, whole, 1), whole <= 0, nan)


def _pairs_tied(lists, *sorted_values):
    """Pairs of items of each list that agree in all the values, which are sorted."""
    first = np.ones(lists.sizes.sum(), dtype=bool)
    first[1:] = np.any([values[1:] != values[:-1] for values in sorted_values], axis=0)
    first[lists.starts[lists.sizes > 0]] = True
    starts = np.flatnonzero(first)
    sizes = np.diff(starts, append=first.size)
    pairs = np.zeros(first.size, dtype=np.int64)
    pairs[starts] = sizes * (sizes - 1) // 2
    return lists.fold(np.add, pairs)


def _inversions(lists, values):
    """Pairs of each list whose first value is greater than its second, for small whole values.

    One bit at a time, from the highest: in each block of values that agree in the bits above, an inversion is a 1
    before a 0; then the block is split, zeros first, both parts in the order they had.
    """
    count = np.zeros(lists.sizes.size, dtype=np.int64)
    start, end = np.repeat(lists.starts, lists.sizes), np.repeat(lists.starts + lists.sizes, lists.sizes)
    for bit in reversed(range(int(values.max(initial=0)).bit_length())):
        one = (values >> bit & 1).astype(bool)
        ones = np.append(0, np.cumsum(one))
        before = ones[:-1] - ones[start]
        middle = end - (ones[end] - ones[start])
        count += lists.fold(np.add, np.where(one, 0, before))
        place = np.where(one, middle + before, np.arange(one.size) - before)
        halves = np.where(one, middle, start), np.where(one, end, middle)
        for array, moved in zip((start, end, values), (*halves, values.copy())):
            array[place] = moved
    return count
