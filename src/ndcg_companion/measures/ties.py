"""Ties: what tied scores make of the gains behind them.

Items with equal scores form a group whose order is not determined. A DCG over random orders within groups is, position
by position, the mean gain of the group times the discount (McSherry and Najork 2008), so averaging needs no sampling
and no stable sort, and a group that straddles the cut-off is no special case. The highest and lowest DCG pair sorted
gains with sorted discounts within each group, in the same or in opposite order (rearrangement inequality).
"""

import numpy as np

TIES = ("average", "best", "worst", "stable")
_BLOCK = 2**16


def check_ties(ties):
    """Refuse anything but the known treatments of ties."""
    if not (isinstance(ties, str) and ties in TIES):
        raise ValueError(f"ties={ties!r}: expected one of {', '.join(TIES)}")


def ranked(lists, gains, ties):
    """The gains as the scores rank them, each group in order unless ties are averaged; and the groups, if any."""
    order = lists.order(lists.scores, stable=ties == "stable")
    first = None if ties == "stable" else group_starts(lists, lists.scores, order)
    gains = gains.take(order)
    if first is not None and ties != "average":
        gains = sort_groups(gains, first, decreasing=ties == "worst")
    return gains, first


def group_starts(lists, values, order):
    """Mark the first of each group of equal values in the order; None if no two are equal."""
    first = np.empty(order.size, dtype=bool)
    first[:1] = True
    # In blocks that stay in the cache: an array of all the sorted values would cost more than comparing them.
    for start in range(0, order.size, _BLOCK):
        block = values.take(order[start : start + _BLOCK + 1])
        np.not_equal(block[1:], block[:-1], out=first[start + 1 : start + block.size])
    if lists.sizes.size > 1:
        first[lists.starts[lists.sizes > 0]] = True
    return None if first.all() else first


def group_means(values, first):
    """The mean of each group at each of its items.

    Each group is summed by itself: a difference of running sums would lose what is small behind what is large.

    >>> group_means(np.array([2, 1, 0, 4]), np.array([True, True, False, True]))
    array([2. , 0.5, 0.5, 4. ])
    """
    return _settle(values, first, _means)


def sort_groups(values, first, decreasing=False):
    """The values with each group sorted.

    >>> sort_groups(np.array([2, 1, 0, 4]), np.array([True, True, False, True]))
    array([2., 0., 1., 4.])
    """
    if decreasing:
        return -sort_groups(-values.astype(float), first)
    return _settle(values, first, _sorted)


def _settle(values, first, settled):
    """``settled(values, first)``, computed on the groups of several items only if they are few."""
    alone = first.copy()
    alone[:-1] &= first[1:]
    if 2 * np.count_nonzero(alone) < values.size:
        return settled(values, first)
    values, tied = values.astype(float), np.flatnonzero(~alone)
    values[tied] = settled(values[tied], first[tied])
    return values


def _means(values, first):
    starts = np.flatnonzero(first)
    sizes = np.append(starts[1:], first.size) - starts
    return np.repeat(np.add.reduceat(values, starts, dtype=float) / sizes, sizes)


def _sorted(values, first):
    return values[np.lexsort((values, np.cumsum(first)))]


def dense_ranks(lists, values):
    """Each item's place among the distinct values of its list, from 1 for the lowest.

    >>> from ndcg_companion.measures.lists import read_lists
    >>> dense_ranks(one := read_lists([30, 10, 10, 20], None), one.labels)
    array([3, 1, 1, 2])
    """
    order = lists.order(values)
    first = group_starts(lists, values, order)
    count = np.cumsum(np.ones(order.size, dtype=bool) if first is None else first)
    places = np.empty_like(count)
    places[order] = count - np.repeat(np.append(0, count)[lists.starts], lists.sizes)
    return places
