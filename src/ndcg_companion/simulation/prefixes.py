"""DCG of every prefix of a list in arrival order, averaged over ties.

Each item is inserted into the ranked list of the earlier items, and the list is discounted again. This method
works for any discount and cut-off. For long lists the time grows like n²; 100,000 items take some seconds.
"""

from array import array
from bisect import bisect_left, bisect_right

import numpy as np

# Number of ranked lists in one matrix product. It is large enough that discounts are read less often, and
# small enough that lists of some thousand items fit into the processor's cache.
_ROWS = 16


def every_prefix(gains, scores, parts):
    """Return the DCG of the first n items for n = 1, 2, ...

    Parameters
    ----------
    gains, scores : ndarray of shape (m,)
        Gains and scores in arrival order.
    parts : list of (tables, cuts)
        Discounts from rank 1 on, of shape (d, largest cut-off), and cut-offs of the prefixes, of shape (m,).

    Returns
    -------
    list of ndarray of shape (d, m)

    Examples
    --------
    >>> gains, scores = np.array([1.0, 0.0, 2.0]), np.array([2, 3, 1])
    >>> every_prefix(gains, scores, [(np.array([[6.0, 3.0, 2.0]]), np.array([1, 2, 3]))])
    [array([[6., 3., 7.]])]
    """
    # Groups of tied items are numbered from the best group, which has the number 0.
    _, group_from_worst = np.unique(scores, return_inverse=True)
    groups = (group_from_worst.max() - group_from_worst).tolist()
    # The last rank with a discount other than 0 in each part; ranks beyond it need not be stored.
    widths = [1 + np.flatnonzero(tables.any(axis=0)).max(initial=0) for tables, _ in parts]
    largest_width, gains, lengths = max(widths), gains.tolist(), np.arange(1, gains.size + 1)
    # Inserting into an array.array is a single memmove, ten times faster than shifting slices of an ndarray.
    ranked_gains, ranked_groups, group_totals = array("d"), array("q"), dict.fromkeys(groups, 0.0)
    rows = np.zeros((_ROWS, largest_width))
    curves = [np.empty((len(tables), len(gains))) for tables, _ in parts]
    for start in range(0, len(gains), _ROWS):
        block = slice(start, start + _ROWS)
        for row, gain, group in zip(rows, gains[block], groups[block]):
            # The new item ranks behind the better groups and behind the earlier items of its own group. The
            # gain at each rank of a group is the mean gain of the group. Here ranks start with 0.
            rank = bisect_right(ranked_groups, group)
            tied_count = rank - bisect_left(ranked_groups, group, 0, rank)
            ranked_groups.insert(rank, group)
            group_totals[group] += gain
            mean = group_totals[group] / (tied_count + 1)
            if rank < largest_width:
                ranked_gains.insert(rank, mean)
                # Ranks increase with n, so items beyond the width never return.
                del ranked_gains[largest_width:]
            if tied_count and rank - tied_count < largest_width:
                group_ranks = slice(rank - tied_count, min(rank + 1, len(ranked_gains)))
                ranked_gains[group_ranks] = array("d", [mean]) * (group_ranks.stop - group_ranks.start)
            row[: len(ranked_gains)] = ranked_gains
        # Rows are still zero beyond the end of their list, because lists never become shorter.
        block_gains = rows[: len(gains[block]), : len(ranked_gains)]
        for curve, (tables, cuts), table_width in zip(curves, parts, widths):
            counted_gains = block_gains[:, :table_width]
            ranks = np.arange(min(table_width, len(ranked_gains)))
            # Gains beyond the cut-off of a prefix are set to 0, unless no cut-off is below the list's end.
            if (cuts[block] < np.minimum(lengths[block], table_width)).any():
                counted_gains = np.where(ranks < cuts[block, None], counted_gains, 0.0)
            curve[:, block] = (counted_gains @ tables[:, : ranks.size].T).T
    return curves
