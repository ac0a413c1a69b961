"""The effect of ties, which are equal scores, on the gain at each position.

Items with equal scores form a group whose order is not determined. If the order within groups is random, the
expected contribution of a position to DCG is the mean gain of its group times the discount (McSherry and
Najork 2008). Averaging therefore needs neither sampling nor a stable sort, and a group that straddles the
cut-off is not a special case. For the highest DCG, gains and discounts are sorted in the same order within
each group, and for the lowest DCG in opposite orders (rearrangement inequality).
"""

from math import isfinite
from typing import Literal

import numpy as np

from ndcg_companion.checks import all_true, check_choice, check_float
from ndcg_companion.packing import FEW, sort_packed

from .lists import read_lists

Ties = Literal["average", "best", "worst", "stable"]
TIES = ("average", "best", "worst", "stable")


def check_ties(ties):
    """Raise ValueError unless ``ties`` is a known treatment of ties."""
    check_choice("ties", ties, TIES)


def read_relevance(labels, scores, offsets, threshold, ties):
    """Return the lists, and an array that is 1.0 for relevant items and 0.0 for others."""
    check_ties(ties)
    check_float("threshold", threshold, isfinite, "a finite number")
    lists = read_lists(labels, scores, offsets)
    return lists, (lists.labels >= threshold).astype(float)


def ranked(lists, gains, ties):
    """Return the gains ranked by score, and a mask of the first item of each tied group.

    The mask is None if there are no ties. Unless ties are averaged, each group is sorted as ``ties`` says.
    """
    if ties == "stable":
        return gains.take(lists.order(lists.scores, stable=True)), None
    fits = gains.dtype == np.uint8 and lists.n and gains.size > FEW
    packed = sort_packed(lists.rows(lists.scores), lists.rows(gains)) if fits else None
    if packed is None:
        order = lists.order(lists.scores)
        gains, first = gains.take(order), group_starts(lists, lists.scores, order)
    else:
        gains, first = packed
    if first is not None and ties != "average":
        gains = sort_groups(gains, first, decreasing=ties == "worst")
    return gains, first


def group_starts(lists, values, order):
    """Return a mask of the first item of each group of equal values, or None if no two are equal."""
    ranked, first = values.take(order), np.empty(order.size, dtype=bool)
    np.not_equal(ranked[1:], ranked[:-1], out=first[1:])
    if lists.n:
        first[:: lists.n] = True
    else:
        first[lists.starts[lists.sizes > 0]] = True
    return None if all_true(first) else first


def group_means(values, first):
    """Return the mean of each item's group.

    Each group is summed separately, because a difference of running sums would lose small values after
    large ones.

    >>> group_means(np.array([2, 1, 0, 4]), np.array([True, True, False, True]))
    array([2. , 0.5, 0.5, 4. ])
    """
    starts = first.nonzero()[0]
    sizes = np.append(starts[1:], first.size) - starts
    return np.repeat(np.add.reduceat(values, starts, dtype=float) / sizes, sizes)


def sort_groups(values, first, decreasing=False):
    """Return the values, sorted within each group.

    >>> sort_groups(np.array([2, 1, 0, 4]), np.array([True, True, False, True]))
    array([2., 0., 1., 4.])
    """
    keys = np.negative(values, dtype=float) if decreasing else values
    return values[np.lexsort((keys, np.cumsum(first)))].astype(float)


def dense_ranks(lists, values):
    """Return the rank of each value among the distinct values of its list, 1 for the lowest.

    >>> from ndcg_companion.measures.lists import read_labels
    >>> dense_ranks(lists := read_labels([30, 10, 10, 20]), lists.labels)
    array([3, 1, 1, 2])
    """
    order = lists.order(values)
    first = group_starts(lists, values, order)
    count = np.cumsum(np.ones(order.size, dtype=bool) if first is None else first)
    dense = np.empty_like(count)
    dense[order] = count - np.repeat(np.append(0, count)[lists.starts], lists.sizes)
    return dense
