"""Ties: what tied scores make of the gains behind them.

Items with equal scores form a group whose order is not determined. A DCG over random orders within groups is, position
by position, the mean gain of the group times the discount (McSherry and Najork 2008), so averaging needs no sampling
and no stable sort, and a group that straddles the cut-off is no special case. The highest and lowest DCG pair sorted
gains with sorted discounts within each group, in the same or in opposite order (rearrangement inequality).
"""

import numpy as np

TIES = ("average", "best", "worst", "stable")
_BLOCK = 2**16
_MOST_CARRIED = 7


def check_ties(ties):
    """Refuse anything but the known treatments of ties."""
    if not (isinstance(ties, str) and ties in TIES):
        raise ValueError(f"ties={ties!r}: expected one of {', '.join(TIES)}")


def ranked(lists, gains, ties):
    """The gains as the scores rank them, each group in order unless ties are averaged; and the groups, if any."""
    carried = carry_grades(lists.scores, gains) if lists.sizes.size == 1 and ties != "stable" else None
    if carried is not None:
        gains, first = carried
        return (
            gains if first is None or ties == "average" else sort_groups(gains, first, ties == "worst")
        ), first
    order = lists.order(lists.scores, stable=ties == "stable")
    first = None if ties == "stable" else group_starts(lists, lists.scores, order)
    gains = gains.take(order)
    if first is not None and ties != "average":
        gains = sort_groups(gains, first, decreasing=ties == "worst")
    return gains, first


def carry_grades(scores, grades):
    """The grades of one list in the order of its scores, and the groups if any; None where this short way is not open.

    Sorting numbers takes a third of the time of sorting indices, so the grades ride in the lowest bits of the scores.
    Scores that only those bits tell apart look tied then: where any do, and the scores use those bits, the sorted scores
    themselves have the word.
    """
    highest = int(grades.max(initial=0)) if grades.dtype == np.uint8 else _MOST_CARRIED + 1
    if highest > _MOST_CARRIED or not (scores.dtype == float or scores.dtype.itemsize < 8):
        return None
    keys, width = np.add(scores, 0.0, dtype=float), highest.bit_length()  # one zero instead of two
    bits = keys.view(np.int64)
    bits &= -1 << width
    bits |= grades
    keys.sort()
    if not np.isfinite(keys[[0, -1]]).all():
        return None  # an infinite score with bits added to it is not a number
    carried, first = np.empty_like(grades), np.ones(keys.size, dtype=bool)
    for start in range(0, keys.size, _BLOCK):
        block = bits[start : start + _BLOCK + 1]
        carried[start : start + _BLOCK] = block[:_BLOCK] & (1 << width) - 1
        block = block >> width
        np.not_equal(block[1:], block[:-1], out=first[start + 1 : start + block.size])
    if first.all():
        return carried, None
    keys[:] = scores
    if np.bitwise_or.reduce(bits) & (1 << width) - 1:
        keys.sort()
        if not np.array_equal(keys[1:] != keys[:-1], first[1:]):
            return None
    return carried, first


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


def sum_by_group(values, weights, first):
    """Each group's mean value times the sum of its weights, in all: with few groups the short way to a tied sum.

    >>> float(sum_by_group(np.array([2, 1, 0, 4]), np.array([0.0, 1.0, 2.0, 3.0]), np.array([True, True, False, True])))
    13.5
    """
    starts = np.flatnonzero(first)
    sizes = np.append(starts[1:], first.size) - starts
    return np.einsum(
        "i,i->", np.add.reduceat(values, starts, dtype=float) / sizes, np.add.reduceat(weights, starts)
    )


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
