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
    groups = np.unique(scores, return_inverse=True)[1]
    groups = (groups.max() - groups).tolist()
    widths = [1 + np.flatnonzero(tables.any(axis=0)).max(initial=0) for tables, _ in parts]
    width, gains, lengths = max(widths), gains.tolist(), np.arange(1, gains.size + 1)
    # Inserting into an array.array is a single memmove, ten times faster than shifting slices of an ndarray.
    ranked, arrived, totals = array("d"), array("q"), dict.fromkeys(groups, 0.0)
    rows = np.zeros((_ROWS, width))
    curves = [np.empty((len(tables), len(gains))) for tables, _ in parts]
    for start in range(0, len(gains), _ROWS):
        block = slice(start, start + _ROWS)
        for row, gain, group in zip(rows, gains[block], groups[block]):
            rank = bisect_right(arrived, group)
            equal = rank - bisect_left(arrived, group, 0, rank)
            arrived.insert(rank, group)
            totals[group] += gain
            mean = totals[group] / (equal + 1)
            if rank < width:
                ranked.insert(rank, mean)
                del ranked[width:]  # ranks increase with n, so items beyond the width never return
            if equal and rank - equal < width:
                tied = slice(rank - equal, min(rank + 1, len(ranked)))
                ranked[tied] = array("d", [mean]) * (tied.stop - tied.start)
            row[: len(ranked)] = ranked
        # Rows are still zero beyond the end of their list, because lists never become shorter.
        filled = rows[: len(gains[block]), : len(ranked)]
        for curve, (tables, cuts), last in zip(curves, parts, widths):
            counted, ranks = filled[:, :last], np.arange(min(last, len(ranked)))
            if (cuts[block] < np.minimum(lengths[block], last)).any():
                counted = np.where(ranks < cuts[block, None], counted, 0.0)
            curve[:, block] = (counted @ tables[:, : ranks.size].T).T
    return curves
