"""NDCG as the list grows: one number for every prefix of the items in arrival order (Wang et al. 2013, figures 1 to 4).

Sorting each prefix anew would repeat nearly all the work. Where every prefix is wanted, each item is inserted into the
ranked list of those before it, or, on long lists, the values of parts of the list are merged (`mixtures`); where only
some are, all items are sorted once and the latest arrivals then taken out, size by size. Only merging approximates, and
only where it is proved to be right to twelve digits.
"""

from array import array

import numpy as np
from threadpoolctl import ThreadpoolController

from ndcg_companion.measures.cutoffs import cutoff
from ndcg_companion.measures.discounts import discount_table
from ndcg_companion.measures.gains import gains_of
from ndcg_companion.measures.lists import read_lists
from ndcg_companion.measures.ndcg import ndcg
from ndcg_companion.measures.ties import group_means
from ndcg_companion.simulation.mixtures import as_mixture, count_better, merged_dcg

# Ranked lists that are discounted by one matrix product: enough to read the discounts less often, few enough to stay
# in the processor's cache for lists of some thousand items.
_BLOCK = 16

# Up to this many grades, the ideal DCG is a sum over grades; beyond, the items are ranked by gain like any others.
_FEW_GRADES = 32

# From this many items on, merging halves of a list is faster than inserting them one by one.
_LONG = 2**14

# What a DCG may be off by for that, in proportion to the ideal one.
_MOST_ERROR = 5e-13

# Scores have 53 bits: of n without a pattern, few agree in all but the lowest w if w + 2 log2(n) is less than this.
_ROOM = 50

_SMALLEST, _LARGEST = 2.0**-500, 2.0**500

_BLAS = ThreadpoolController()


def ndcg_curve(labels, scores, *, discount, gain="linear", k=None, sizes=None):
    """NDCG of the first n items, for every n or for chosen ones.

    For n items it is ``ndcg(labels[:n], scores[:n], ...)``, tied scores averaged, to about 1e-14; where every prefix of
    a long list is wanted, to 1e-12.

    Parameters
    ----------
    labels, scores : array_like of shape (m,)
        In arrival order; labels finite and >= 0, no NaN among the scores.
    discount : callable, or a list or tuple of them
        See `ndcg_companion.measures.ndcg`.
    gain : {"linear", "exponential"} or callable
        The label, ``2 ** label - 1``, or any function of the array of labels, element by element.
    k : None, int, float or callable
        Cut-off, resolved for each n by itself.
    sizes : array_like of int, shape (q,), optional
        The prefixes wanted, each from 1 to m, in any order; all of them if None.

    Returns
    -------
    ndarray of shape (m,) or (q,), with a first axis for the discounts if they came in a list or tuple
        NaN for a prefix without a relevant item (or, as in `ndcg`, with worthless positions only).

    Raises
    ------
    ValueError
        As `ndcg`; for more than one list; for sizes out of range.

    Notes
    -----
    Every prefix costs O(m^2) multiplications in all, but little more than a microsecond for each of the first
    thousands. From 16,384 items on it is O(m log(m)^2) instead, with less than a kilobyte for each item, for discounts
    such as `Log`, `Power` and `Zipf` without a cut-off; and O(m K) for discounts that are zero, or cut off, beyond rank
    K. Chosen prefixes cost O(sum of sizes) after one sort. Several discounts share the ranking. A discount that depends
    on n, or that is negative or increases somewhere, has no such shortcut: its prefixes are sorted one by one.

    Examples
    --------
    >>> from ndcg_companion.measures import Log, Zipf
    >>> ndcg_curve([0, 1, 0, 1], [0.1, 0.3, 0.5, 0.4], discount=Zipf()).round(3)
    array([  nan, 1.   , 0.5  , 0.556])
    >>> ndcg_curve([0, 1, 0, 1], [0.1, 0.3, 0.5, 0.4], discount=[Log(), Zipf()], sizes=[4, 2]).round(3)
    array([[0.693, 1.   ],
           [0.556, 1.   ]])
    """
    lists = read_lists(labels, scores, negative=False)
    if not lists.single:
        raise ValueError(f"labels of shape {np.shape(labels)}: expected one list, of shape (m,)")
    gains, scores = gains_of(lists.labels, gain, negative=False), lists.scores
    wanted, places = _read_sizes(sizes, gains.size)
    cuts = wanted if k is None else np.array([cutoff(k, n) for n in wanted.tolist()], dtype=np.intp)
    # Sums of such gains may leave the floats where NDCG itself does not: a case `ndcg` takes care of.
    extreme = gains.any() and not _SMALLEST < gains.max() < _LARGEST
    several = isinstance(discount, (list, tuple))
    discounts = discount if several else [discount]
    curves = np.empty((len(discounts), wanted.size))
    tables = {}
    for i, each in enumerate(discounts):
        table, decreasing = None, False
        if not getattr(each, "needs_n", False):
            table, decreasing = discount_table(each, None, int(cuts.max(initial=0)))
        if decreasing and not extreme:
            tables[i] = table[::-1]  # which comes last rank first
        else:
            curves[i] = [ndcg(gains[:n], scores[:n], discount=each, k=k) for n in wanted.tolist()]
    if tables and wanted.size:
        total = wanted[-1]
        curves[list(tables)] = _curves(
            gains[:total], scores[:total], np.array(list(tables.values())), wanted, cuts, every=sizes is None
        )
    curves = curves[:, places]
    return curves if several else curves[0]


def _read_sizes(sizes, total):
    """The distinct sizes in increasing order, and the place of each requested one among them."""
    if sizes is None:
        return np.arange(1, total + 1), slice(None)
    sizes = np.asarray(sizes)
    if sizes.ndim != 1 or sizes.size == 0 or sizes.dtype.kind not in "iu":
        raise ValueError(f"sizes={sizes!r}: expected integers of shape (q,), q >= 1")
    if sizes.min() < 1 or sizes.max() > total:
        outside = sizes.min() if sizes.min() < 1 else sizes.max()
        raise ValueError(f"sizes: expected integers from 1 to {total}, the number of items, got {outside}")
    return np.unique(sizes.astype(np.intp), return_inverse=True)


def _curves(gains, scores, tables, sizes, cuts, every):
    """NDCG for non-negative decreasing discounts, given as `tables` of shape (d, largest cut-off)."""
    grades, codes = grade_codes(gains)
    if not every:
        first = np.repeat(
            np.arange(sizes.size, dtype=np.min_scalar_type(sizes.size)), np.diff(sizes, prepend=0)
        )

    def discounted(scores):
        if every:
            return _every(gains, scores, tables, cuts)
        return _take_out_latest(ShrinkingRanking(grades, codes, scores, first), tables, cuts)

    with one_blas_thread(), np.errstate(over="ignore", invalid="ignore"):
        ideal = (
            _ideal_by_grade(gains, grades, tables, sizes, cuts)
            if len(grades) <= _FEW_GRADES
            else discounted(gains)
        )
        actual = discounted(scores)
    if not (np.isfinite(ideal).all() and np.isfinite(actual).all()):
        raise ValueError("discount: expected sums of discounts within the range of floats")
    return np.divide(actual, ideal, out=np.full_like(actual, np.nan), where=ideal > 0)


def _ideal_by_grade(gains, grades, tables, sizes, cuts):
    """Ideal DCG of every prefix, ``sum over grades g of (g - next lower grade) * S(items of grade g or better)``.

    S(c) is the sum of the first c discounts; all terms are non-negative, so nothing cancels.
    """
    grades = np.array(grades, dtype=float)
    steps = np.diff(grades, prepend=0.0)
    grades, steps = grades[steps > 0], steps[steps > 0]
    starts = np.append(0, sizes[:-1])
    better = [np.add.reduceat(gains >= grade, starts, dtype=np.intp).cumsum() for grade in grades]
    if not better:
        return np.zeros((len(tables), sizes.size))
    return np.tensordot(_sums_of_first(tables, np.minimum(better, cuts)), steps, axes=(1, 0))


def _sums_of_first(tables, counts):
    """Sum of the first c values of each row, for every c in `counts`: shape (rows, *counts.shape)."""
    ends = np.unique(np.append(0, counts))
    sums = np.zeros((len(tables), ends.size))
    if ends.size > 1:
        # Summed between neighbouring counts first, pairwise: one running sum would gather more rounding.
        sums[:, 1:] = np.add.reduceat(tables[:, : ends[-1]], ends[:-1], axis=1).cumsum(axis=1)
    return sums[:, np.searchsorted(ends, counts)]


def _every(gains, scores, tables, cuts):
    """DCG of every prefix; in O(n log n) where the list is long and whole and the discounts allow it."""
    arrivals = _arrivals(gains, scores)
    curves, merged = np.empty((len(tables), gains.size)), np.zeros(len(tables), dtype=bool)
    if gains.size >= _LONG and (cuts == np.arange(1, cuts.size + 1)).all() and tables[:, 0].all():
        rates, weights, errors = as_mixture(tables)
        merged = errors <= _MOST_ERROR
    if merged.any():
        curves[merged] = tables[merged, :1] * merged_dcg(*arrivals, rates, weights[merged])
    if not merged.all():
        curves[~merged] = _insert_each(*arrivals, tables[~merged], cuts)
    return curves


def _insert_each(groups, equals, means, tables, cuts):
    """DCG of every prefix, each item being inserted into the ranked list of those before it."""
    counting = np.flatnonzero(tables.any(axis=0))
    width = counting[-1] + 1 if counting.size else 1
    tables = tables[:, :width]
    shortened = (cuts < np.minimum(np.arange(1, cuts.size + 1), width)).any()
    ranks = (count_better(groups) + equals).tolist()
    equals, means, cuts = equals.tolist(), means.tolist(), cuts.tolist()
    # Inserting into an array.array is one memmove: an order of magnitude faster than shifting slices of an ndarray.
    ranked = array("d")
    rows = np.zeros((_BLOCK, width))
    curves = np.empty((len(tables), len(ranks)))
    for start in range(0, len(ranks), _BLOCK):
        block = slice(start, start + _BLOCK)
        for row, rank, equal, mean, cut in zip(rows, ranks[block], equals[block], means[block], cuts[block]):
            if rank < width:
                ranked.insert(rank, mean)
                del ranked[width:]  # ranks only grow with n, so what falls off the end never counts again
            if equal and rank - equal < width:
                group = slice(rank - equal, min(rank + 1, len(ranked)))
                ranked[group] = array("d", [mean]) * (group.stop - group.start)
            row[: len(ranked)] = ranked
            if shortened:
                row[cut : len(ranked)] = 0
        # Beyond their own end, rows hold the zeros they were made with: lists only grow.
        curves[:, block] = (rows[: len(cuts[block]), : len(ranked)] @ tables[:, : len(ranked)].T).T
    return curves


def _arrivals(gains, scores):
    """For each item on its arrival: its group of tied items, from 0 for the best; how many of the group are there; and
    the mean gain of these and itself."""
    order = scores.argsort()[::-1]
    differs = _differs(scores.take(order))
    groups, equals = np.empty_like(order), np.zeros_like(order)
    groups[order] = differs.cumsum() - 1
    if differs.all():
        return groups, equals, gains
    order = order.take(np.argsort(groups[order] * gains.size + order))  # equals in order of arrival
    starts = np.flatnonzero(differs)
    equals[order] = np.arange(gains.size) - np.repeat(starts, np.diff(starts, append=gains.size))
    means, totals = gains.tolist(), {}
    for item, (mates, group) in enumerate(zip(equals.tolist(), groups.tolist())):
        totals[group] = totals.get(group, 0.0) + means[item]
        means[item] = totals[group] / (mates + 1)
    return groups, equals, np.array(means)


def _differs(values):
    """Mark the first item of each group of equal neighbours."""
    first = np.empty(values.size, dtype=bool)
    first[:1] = True
    np.not_equal(values[1:], values[:-1], out=first[1:])
    return first


def _take_out_latest(ranking, tables, cuts):
    """DCG of the chosen prefixes, each got from the next larger one by taking the later arrivals out of its ranking."""
    curves = np.empty((len(tables), cuts.size))
    for i in reversed(range(cuts.size)):
        ranking.keep(i)
        curves[:, i] = tables[:, : cuts[i]] @ ranking.gains(cuts[i])
    return curves


def one_blas_thread():
    """A context in which products are summed in one order, whatever the number of cores; small ones are also faster."""
    return _BLAS.limit(limits=1)


def grade_codes(gains):
    """The grades and, for each gain, its place among them: the gain itself if all are small whole numbers."""
    if gains.max() < _FEW_GRADES and (gains == np.floor(gains)).all():
        return range(int(gains.max()) + 1), gains
    return np.unique(gains, return_inverse=True)


class ShrinkingRanking:
    """Items ranked by decreasing score, from which the latest arrivals can be taken out.

    Parameters
    ----------
    grades, codes
        See `grade_codes`.
    scores : ndarray of shape (m,)
    first : ndarray of int, shape (m,)
        The first prefix each item is in; never decreasing.
    """

    def __init__(self, grades, codes, scores, first):
        self.grades = None if isinstance(grades, range) else grades
        # An item is one small integer, its first prefix and below that the code of its grade: the fewer bytes are moved
        # the better, as taking out is bound by memory.
        self.base = 1 << (len(grades) - 1).bit_length()
        self.last = int(first[-1])
        kind = np.min_scalar_type((self.last + 1) * self.base)
        items = first.astype(kind) * kind.type(self.base)
        items += codes.astype(kind)
        self.items, self.groups = (
            _carried(scores, items, ((self.last + 1) * self.base - 1).bit_length()),
            None,
        )
        if self.items is None:
            worst_first = scores.argsort()
            differs = _differs(scores.take(worst_first)[::-1])
            self.groups = None if differs.all() else differs.cumsum()
            # Only the small items are turned round: turning the order itself would move four times as many bytes.
            self.items = items.take(worst_first)[::-1].copy()
        self.row = np.empty(scores.size)

    def keep(self, last):
        """Take out the items that are not in prefix number `last`; they do not come back."""
        if last == self.last:
            return
        kept = self.items < (last + 1) * self.base
        self.items = self.items.compress(kept)
        if self.groups is not None:
            self.groups = self.groups.compress(kept)
        self.last = last

    def gains(self, count):
        """Gains of the best `count` items, those of equal scores averaged; overwritten by the next call."""
        if self.groups is None:
            return self._gains(self.items[:count])
        return group_means(self._gains(self.items), _differs(self.groups))[:count]

    def latest(self, table, count):
        """Discounts of the latest `count` items, latest first, averaged over ties; where item i comes with prefix i."""
        ranks = np.flatnonzero(self.items >= (self.last + 1 - count) * self.base)
        if self.groups is not None:
            table = group_means(table, _differs(self.groups))
        discounts = np.empty(count)
        discounts[self.last - (self.items[ranks] // self.base).astype(np.intp)] = table[ranks]
        return discounts

    def _gains(self, items):
        codes = items & (self.base - 1)
        if self.grades is not None:
            return self.grades.take(codes)
        row = self.row[: items.size]
        row[:] = codes
        return row


def _carried(scores, items, width):
    """Small integers of `width` bits in the order of the scores, best first; None where this short way is not open.

    Sorting numbers takes a third of the time of sorting their order, so the integers ride in the lowest bits of the
    scores. That is wrong where only those bits tell two scores apart, and so is not tried where it is likely.
    """
    if scores.dtype != float or width + 2 * scores.size.bit_length() > _ROOM:
        return None
    keys = scores + 0.0  # one zero instead of two
    bits = keys.view(np.int64)
    bits &= -1 << width
    bits |= items
    keys.sort()
    if not np.isfinite(keys[[0, -1]]).all() or not _differs(bits >> width).all():
        return None  # an infinite score with bits added to it is not a number
    return (bits & ((1 << width) - 1)).astype(items.dtype)[::-1].copy()
