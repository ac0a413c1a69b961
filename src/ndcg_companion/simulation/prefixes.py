"""The DCG of every prefix of a list in arrival order, tied items averaged, in two ways.

*Item by item*: each is inserted into the ranked list of those before it, and the list is discounted anew.
That takes any discount and any cut-off, and time in proportion to n².

*Block by block*, for smooth discounts of long lists in full. Between two groups of tied items that one of
some hundred new items joins, the earlier items keep their order and move down together, by s ranks. The sum
of such a part is computed for a few s only and interpolated between them (Chebyshev), the fewer the deeper;
near the top, where discounts are steep, for every s. A group that grows is its mean gain times the sum of its
discounts. How far interpolation is off is computed before, not assumed: a discount for which that is more
than rounding goes item by item."""

from array import array
from bisect import bisect_left, bisect_right
from itertools import pairwise
from sys import maxsize

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.polynomial.chebyshev import chebvander

# Ranked lists that are discounted by one matrix product: enough to read the discounts less often, few enough
# to stay in the processor's cache for lists of some thousand items.
_ROWS = 16

# New items of a block, and the length from which blocks are quicker.
_BLOCK, _LONG = 192, 2**13

_ROUNDING = 1e-14


def _zone(start, stop, count):
    """Ranks, some of the shifts up to _BLOCK where Chebyshev puts them, and what each adds to all of them."""
    shifts = np.rint(_BLOCK / 2 * (1 - np.cos(np.pi * (np.arange(count) + 0.5) / count))).astype(int)
    from_shifts = np.linalg.inv(chebvander(2 * shifts / _BLOCK - 1, count - 1))
    return start, stop, shifts, (chebvander(np.linspace(-1, 1, _BLOCK + 1), count - 1) @ from_shifts).T


# Ranks near the top; and below, the deeper the flatter the discounts, and the fewer shifts give all others.
_TOP = 4 * _BLOCK
_ZONES = _zone(_TOP, 16 * _BLOCK, 14), _zone(16 * _BLOCK, 128 * _BLOCK, 9), _zone(128 * _BLOCK, maxsize, 6)


def every_prefix(gains, scores, tables, cuts):
    """DCG of the first n items for n = 1, 2, ...

    Parameters
    ----------
    gains, scores : ndarray of shape (m,)
        In arrival order.
    tables : ndarray of shape (d, largest cut-off)
        Discounts from rank 1 on.
    cuts : ndarray of int, shape (m,)
        Ranks that count in each prefix.

    Returns
    -------
    ndarray of shape (d, m)

    Examples
    --------
    >>> every_prefix(np.array([1.0, 0.0, 2.0]), np.array([2, 3, 1]), np.array([[6.0, 3.0, 2.0]]), [1, 2, 3])
    array([[6., 3., 7.]])
    """
    # Groups of tied items, the lower the better.
    groups = np.unique(scores, return_inverse=True)[1]
    groups = groups.max() - groups
    curves, smooth = np.empty((len(tables), gains.size)), np.zeros(len(tables), dtype=bool)
    if gains.size >= _LONG and np.array_equal(cuts, np.arange(1, gains.size + 1)):
        smooth = _is_smooth(tables)
    if smooth.any():
        curves[smooth] = _block_by_block(gains, groups, tables[smooth])
    if not smooth.all():
        curves[~smooth] = _item_by_item(gains, groups, tables[~smooth], np.asarray(cuts))
    return curves


def _is_smooth(tables):
    """Whether interpolation finds each discount below the top, to rounding."""
    windows = sliding_window_view(tables, _BLOCK + 1, axis=1)
    smooth = np.ones(len(tables), dtype=bool)
    for start, stop, shifts, between in _ZONES:
        tested = windows[:, start:stop:_BLOCK]
        smooth &= (np.abs(tested[..., shifts] @ between - tested) <= _ROUNDING * tested).all(axis=(1, 2))
    return smooth


def _block_by_block(gains, groups, tables):
    """`every_prefix` for smooth discounts without a cut-off: _BLOCK new items at a time."""
    sums_of_first = np.insert(tables.cumsum(axis=1, dtype=np.longdouble), 0, 0.0, axis=1).astype(float)
    sizes, totals, means = np.zeros(gains.size, dtype=int), np.zeros(gains.size), np.zeros(gains.size)
    ranked, curves = groups[:0], np.empty((len(tables), gains.size))
    for start, stop in pairwise(np.unique([0, *range(gains.size % _BLOCK, gains.size + 1, _BLOCK)])):
        new = slice(start, stop)
        # Of each group that grows (a row) after each new item (a column): its items, the mean of their gains,
        # and how many of the new items are in it or above.
        growing, row = np.unique(groups[new], return_inverse=True)
        rows = np.arange(growing.size)[:, None]
        joined = (row == rows).astype(int)
        counts = joined.cumsum(axis=1)
        moved = (row <= rows).astype(int).cumsum(axis=1)
        size = counts + sizes[growing, None]
        total = (joined * gains[new]).cumsum(axis=1) + totals[growing, None]
        mean = total / np.maximum(size, 1)
        begin = ranked.searchsorted(growing)
        first = begin[:, None] + moved - counts
        last = first + size
        # The others make up parts of the list, each below one of those groups.
        means[growing] = 0.0
        others, edges, place = means.take(ranked), np.append(begin, start), moved + rows * (_BLOCK + 1)
        for curve, table, sums in zip(curves, tables, sums_of_first):
            curve[new] = others[: begin[0]] @ table[: begin[0]]
            curve[new] += _sums_of_parts(others, edges, table).take(place).sum(axis=0)
            curve[new] += (mean * (sums.take(last) - sums.take(first))).sum(axis=0)
        sizes[growing], totals[growing], means[growing] = size[:, -1], total[:, -1], mean[:, -1]
        ranked = np.sort(np.append(ranked, groups[new]), kind="stable")
    return curves


def _sums_of_parts(gains, edges, table):
    """Discounted sums of the items from each edge to the next, moved down by 0, 1, ... _BLOCK ranks."""
    sums = np.zeros((edges.size - 1, _BLOCK + 1))
    for part, (begin, end) in enumerate(pairwise(edges.clip(max=_TOP).tolist())):
        if begin < end:
            sums[part] = np.correlate(table[begin : end + _BLOCK], gains[begin:end])
    for start, stop, shifts, between in _ZONES:
        within = edges.clip(start, stop)
        parts = np.flatnonzero(np.diff(within))
        if parts.size:
            own, begins = slice(within[0], within[-1]), within[parts] - within[0]
            at_shifts = [np.add.reduceat(gains[own] * table[s:][own], begins) for s in shifts]
            sums[parts] += np.transpose(at_shifts) @ between
    return sums


def _item_by_item(gains, groups, tables, cuts):
    """`every_prefix` for any discounts and cut-offs: each item inserted into the ranking so far."""
    width = 1 + np.flatnonzero(tables.any(axis=0)).max(initial=0)
    tables = tables[:, :width]
    shortened = (cuts < np.minimum(np.arange(1, cuts.size + 1), width)).any()
    groups, gains, cuts = groups.tolist(), gains.tolist(), cuts.tolist()
    # Inserting into an array.array is one memmove, ten times faster than shifting slices of an ndarray.
    ranked, arrived, totals = array("d"), array("q"), dict.fromkeys(groups, 0.0)
    rows = np.zeros((_ROWS, width))
    curves = np.empty((len(tables), len(gains)))
    for start in range(0, len(gains), _ROWS):
        block = slice(start, start + _ROWS)
        for row, gain, group, cut in zip(rows, gains[block], groups[block], cuts[block]):
            rank = bisect_right(arrived, group)
            equal = rank - bisect_left(arrived, group, 0, rank)
            arrived.insert(rank, group)
            totals[group] += gain
            mean = totals[group] / (equal + 1)
            if rank < width:
                ranked.insert(rank, mean)
                del ranked[width:]  # ranks only grow with n, so what leaves at the end never counts again
            if equal and rank - equal < width:
                tied = slice(rank - equal, min(rank + 1, len(ranked)))
                ranked[tied] = array("d", [mean]) * (tied.stop - tied.start)
            row[: len(ranked)] = ranked
            if shortened:
                row[cut : len(ranked)] = 0
        # Beyond their own end, rows hold the zeros they were made with: lists only grow.
        curves[:, block] = (rows[: len(cuts[block]), : len(ranked)] @ tables[:, : len(ranked)].T).T
    return curves
