"""The effect of ties (equal scores) on the gain at each position.

Items with equal scores form a group whose order is not determined. If the order within groups is random, the
expected contribution of a position to DCG is the mean gain of its group times the discount (McSherry and
Najork 2008). Averaging therefore needs neither sampling nor a stable sort, and a group that extends across
the cut-off is not a special case. For the highest DCG, gains and discounts are sorted in the same order
within each group. For the lowest DCG, they are sorted in opposite orders (rearrangement inequality).
"""

from math import isfinite
from typing import Literal

import numpy as np

from ndcg_companion.checks import all_true, check_choice, check_float
from ndcg_companion.packing import LARGEST_SORTED_BY_INDEX, sort_packed

from .lists import read_lists

Ties = Literal["average", "best", "worst", "stable"]
TIES = ("average", "best", "worst", "stable")


def check_ties(ties):
    """Raise ValueError unless ``ties`` is a known treatment of ties."""
    check_choice("ties", ties, TIES)


def read_relevance(labels, scores, offsets, threshold, ties):
    """Return the lists, and an array with 1.0 for relevant items and 0.0 for others."""
    check_ties(ties)
    check_float("threshold", threshold, isfinite, "a finite number")
    lists = read_lists(labels, scores, offsets)
    return lists, (lists.labels >= threshold).astype(float)


def ranked(lists, gains, ties):
    """Return the gains ranked by score, and a mask of the first item of each tied group.

    As in all ranked arrays, the last rank comes first. The mask is None if there are no ties. Unless ties are
    averaged, each group is sorted as ``ties`` says.
    """
    if ties == "stable":
        return gains.take(lists.order(lists.scores, stable=True)), None
    can_pack = gains.dtype == np.uint8 and lists.n and gains.size > LARGEST_SORTED_BY_INDEX
    packed = sort_packed(lists.rows(lists.scores), lists.rows(gains)) if can_pack else None
    if packed is None:
        order = lists.order(lists.scores)
        gains, group_start = gains.take(order), group_starts(lists, lists.scores, order)
    else:
        gains, group_start = packed
    if group_start is not None and ties != "average":
        # The last rank comes first, so decreasing gains within a group give the lowest sum.
        gains = sort_groups(gains, group_start, decreasing=ties == "worst")
    return gains, group_start


def group_starts(lists, values, order):
    """Return a mask of the first item of each group of equal values, or None if no two are equal."""
    # An item starts a group if it differs from its predecessor or is the first item of its list.
    sorted_values, group_start = values.take(order), np.empty(order.size, dtype=bool)
    np.not_equal(sorted_values[1:], sorted_values[:-1], out=group_start[1:])
    if lists.n:
        group_start[:: lists.n] = True
    else:
        group_start[lists.starts[lists.sizes > 0]] = True
    return None if all_true(group_start) else group_start


def group_means(values, group_start):
    """Return the mean of each item's group.

    Each group is summed separately, because a difference of running sums would lose small values after
    large ones.

    >>> group_means(np.array([2, 1, 0, 4]), np.array([True, True, False, True]))
    array([2. , 0.5, 0.5, 4. ])
    """
    starts = group_start.nonzero()[0]
    sizes = np.append(starts[1:], group_start.size) - starts
    return np.repeat(np.add.reduceat(values, starts, dtype=float) / sizes, sizes)


def sort_groups(values, group_start, decreasing=False):
    """Return the values, sorted within each group.

    >>> sort_groups(np.array([2, 1, 0, 4]), np.array([True, True, False, True]))
    array([2., 0., 1., 4.])
    """
    keys = np.negative(values, dtype=float) if decreasing else values
    group_numbers = np.cumsum(group_start)
    # lexsort sorts by its last key, the group, and within it by the first.
    return values[np.lexsort((keys, group_numbers))].astype(float)


def dense_ranks(lists, values):
    """Return the rank of each value among the distinct values of its list; the lowest value has rank 1.

    >>> from ndcg_companion.measures.lists import read_labels
    >>> dense_ranks(lists := read_labels([30, 10, 10, 20]), lists.labels)
    array([3, 1, 1, 2])
    """
    order = lists.order(values)
    group_start = group_starts(lists, values, order)
    group_numbers = np.cumsum(np.ones(order.size, dtype=bool) if group_start is None else group_start)
    # Groups are numbered across lists, so the number of groups in earlier lists is subtracted.
    earlier_groups = np.append(0, group_numbers)[lists.starts]
    ranks = np.empty_like(group_numbers)
    ranks[order] = group_numbers - np.repeat(earlier_groups, lists.sizes)
    return ranks
