"""NDCG as the list grows: a number for every prefix in arrival order (Wang et al. 2013, figures 1 to 4).

Sorting each prefix anew would repeat nearly all the work. Where every prefix is wanted, items join the ranked
list of those before them (see `prefixes`); where only some are, all items are sorted once and the latest
arrivals then taken out, size by size."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from threadpoolctl import ThreadpoolController

from ndcg_companion.checks import check_int, fail_if, read_integers
from ndcg_companion.measures.cutoffs import Cutoff, cutoffs
from ndcg_companion.measures.discounts import Discount, check_discount, depends_on_n, discount_table
from ndcg_companion.measures.gains import Gain, gains_of
from ndcg_companion.measures.lists import read_lists
from ndcg_companion.measures.ndcg import ndcg
from ndcg_companion.measures.ties import group_means
from ndcg_companion.packing import sort_packed
from ndcg_companion.simulation.prefixes import every_prefix

# Up to this many grades, the ideal DCG is a sum over grades; beyond, the items are ranked by gain.
_FEW_GRADES = 32

_SMALLEST, _LARGEST = 2.0**-500, 2.0**500

_BLAS = ThreadpoolController()


def ndcg_curve(
    labels: ArrayLike,
    scores: ArrayLike,
    *,
    discount: Discount | Sequence[Discount],
    gain: Gain = "linear",
    k: Cutoff | Sequence[Cutoff] = None,
    sizes: ArrayLike | None = None,
) -> np.ndarray:
    """NDCG of the first n items, for every n or for chosen ones.

    For n items it is ``ndcg(labels[:n], scores[:n], ...)``, tied scores averaged, to about 1e-14.

    Parameters
    ----------
    labels, scores : array_like of shape (m,)
        In arrival order; labels finite and >= 0, no NaN among the scores.
    discount : callable, or a list or tuple of them
        See `ndcg_companion.measures.ndcg`.
    gain : {"linear", "exponential"} or callable
        The label, ``2 ** label - 1``, or any function of the array of labels, element by element.
    k : None, int, float or callable, or a list or tuple of them
        Cut-off, resolved for each n by itself; or one for each of several discounts.
    sizes : array_like of int, shape (q,), optional
        The prefixes wanted, each from 1 to m, in any order; all of them if None.

    Returns
    -------
    ndarray of shape (m,) or (q,), with a first axis for the discounts if they came in a list or tuple
        NaN for a prefix without a relevant item (or, as in `ndcg`, with worthless positions only).

    Raises
    ------
    ValueError
        As `ndcg`; for more than one list; for sizes out of range; for cut-offs that are not as many as the
        discounts.

    Notes
    -----
    All prefixes cost a few microseconds for each of the first thousands, and some seconds in all for
    100,000 items: O(m K) multiplications, where K is the last rank that counts.
    Chosen prefixes cost O(sum of sizes) after one sort. Several discounts share the ranking. A discount that
    depends on n, or that is negative or increases somewhere, has no such shortcut: its prefixes are sorted
    one by one.

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
    fail_if(not lists.single, f"labels of shape {np.shape(labels)}: expected one list, of shape (m,)")
    gains, scores = gains_of(lists.labels, gain, negative=False).astype(float), lists.scores
    lengths, places = _read_sizes(sizes, gains.size)
    # Sums of such gains may leave the floats where NDCG itself does not: a case `ndcg` takes care of.
    extreme = gains.any() and not _SMALLEST < gains.max() < _LARGEST
    discounts: list[Any] = list(discount) if isinstance(discount, (list, tuple)) else [discount]
    each_k: list[Any] = list(k) if isinstance(k, (list, tuple)) else [k] * len(discounts)
    fail_if(len(each_k) != len(discounts), f"k: expected {len(discounts)} cut-offs, got {len(each_k)}")
    curves = np.empty((len(discounts), lengths.size))
    by_cut: dict[bytes, Any] = {}  # tables with the same cut-offs are summed together
    for i, (weight, cut_at) in enumerate(zip(discounts, each_k)):
        check_discount(weight)
        cuts = cutoffs(cut_at, lengths)
        longest = 0 if depends_on_n(weight) else int(cuts.max(initial=0))
        table, decreasing = discount_table(weight, None, longest)
        if decreasing and not extreme and not depends_on_n(weight):
            by_cut.setdefault(cuts.tobytes(), (cuts, {}))[1][i] = table[::-1]  # which comes last rank first
        else:
            options = {"discount": weight, "k": cut_at}
            curves[i] = [ndcg(gains[:n], scores[:n], **options) for n in lengths.tolist()]
    if by_cut and lengths.size:
        total = lengths[-1]
        parts = [(np.array(list(tables.values())), cuts) for cuts, tables in by_cut.values()]
        ratios = _curves(gains[:total], scores[:total], parts, lengths, every=sizes is None)
        for (_, tables), values in zip(by_cut.values(), ratios):
            curves[list(tables)] = values
    curves = curves[:, places]
    return curves if isinstance(discount, (list, tuple)) else curves[0]


def _read_sizes(sizes, total):
    """The distinct sizes in increasing order, and the place of each requested one among them."""
    if sizes is None:
        return np.arange(1, total + 1), slice(None)
    array = read_integers("sizes", sizes, "integers of shape (q,), q >= 1")
    for end in (array.min(), array.max()):
        check_int("sizes", end.item(), 1, total)
    return np.unique(array.astype(np.intp), return_inverse=True)


def _curves(gains, scores, parts, sizes, every):
    """NDCG for non-negative decreasing discounts, in parts of the same cut-offs; see `every_prefix`."""
    grades, codes = grade_codes(gains)
    if not every:
        prefix = np.repeat(
            np.arange(sizes.size, dtype=np.min_scalar_type(sizes.size)), np.diff(sizes, prepend=0)
        )

    def discounted(scores):
        if every:
            return every_prefix(gains, scores, parts)
        return _take_out_latest(ShrinkingRanking(grades, codes, scores, prefix), parts)

    with one_blas_thread(), np.errstate(over="ignore", invalid="ignore"):
        ideals = (
            [_ideal_by_grade(gains, grades, tables, sizes, cuts) for tables, cuts in parts]
            if len(grades) <= _FEW_GRADES
            else discounted(gains)
        )
        actuals = discounted(scores)
    for ideal, actual in zip(ideals, actuals):
        fail_if(
            not (np.isfinite(ideal).all() and np.isfinite(actual).all()),
            "discount: expected sums of discounts within the range of floats",
        )
        yield np.divide(actual, ideal, out=np.full_like(actual, np.nan), where=ideal > 0)


def _ideal_by_grade(gains, grades, tables, sizes, cuts):
    """Ideal DCG of every prefix,
    ``sum over grades g of (g - next lower grade) * S(items of grade g or better)``.

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
    boundaries = np.unique(np.append(0, counts))
    sums = np.zeros((len(tables), boundaries.size))
    # Summed between neighbouring counts first, pairwise: one running sum would gather more rounding. There
    # are two counts or more, as the longest prefix has an item of each grade.
    sums[:, 1:] = np.add.reduceat(tables[:, : boundaries[-1]], boundaries[:-1], axis=1).cumsum(axis=1)
    return sums[:, np.searchsorted(boundaries, counts)]


def _group_starts(values):
    """Mark the first item of each group of equal neighbours."""
    return np.append(True, values[1:] != values[:-1])


def _take_out_latest(ranking, parts):
    """DCG of the chosen prefixes, each got from the next larger one by taking out the later arrivals."""
    curves = [np.empty((len(tables), cuts.size)) for tables, cuts in parts]
    deepest = np.max([cuts for _, cuts in parts], axis=0)
    for i in reversed(range(deepest.size)):
        ranking.keep(i)
        gains = ranking.gains(deepest[i])
        for curve, (tables, cuts) in zip(curves, parts):
            curve[:, i] = tables[:, : cuts[i]] @ gains[: cuts[i]]
    return curves


def one_blas_thread():
    """A context in which products are summed in one order on any number of cores; small ones faster, too."""
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
    prefix : ndarray of int, shape (m,)
        The first prefix each item is in; never decreasing.
    """

    def __init__(self, grades, codes, scores, prefix):
        self.grades = None if isinstance(grades, range) else grades
        # An item is one small integer, its first prefix and below that the code of its grade: the fewer bytes
        # are moved the better, as taking out is bound by memory.
        self.base = 1 << (len(grades) - 1).bit_length()
        self.last = int(prefix[-1])
        kind = np.min_scalar_type((self.last + 1) * self.base)
        items = prefix.astype(kind) * kind.type(self.base)
        items += codes.astype(kind)
        packed = sort_packed(scores[None], items[None])
        if packed is None:
            order = scores.argsort()
            packed = items.take(order), _group_starts(scores.take(order))
        items, tied = packed
        # Only the small items are turned round: turning the order itself would move four times as many bytes.
        self.items = items[::-1].copy()
        self.groups = None if tied is None or tied.all() else tied.cumsum()[::-1].copy()
        self.row = np.empty(scores.size)

    def keep(self, last):
        """Take out the items that are not in prefix number `last`; they do not come back."""
        if last == self.last:
            return
        in_prefix = self.items < (last + 1) * self.base
        self.items = self.items.compress(in_prefix)
        if self.groups is not None:
            self.groups = self.groups.compress(in_prefix)
        self.last = last

    def gains(self, count):
        """Gains of the best `count` items, those of equal scores averaged; overwritten by the next call."""
        if self.groups is None:
            return self._gains(self.items[:count])
        return group_means(self._gains(self.items), _group_starts(self.groups))[:count]

    def latest(self, table, count):
        """Discounts of the latest `count` items, latest first, averaged over ties; item i has prefix i."""
        ranks = np.flatnonzero(self.items >= (self.last + 1 - count) * self.base)
        if self.groups is not None:
            table = group_means(table, _group_starts(self.groups))
        discounts = np.empty(count)
        discounts[self.last - (self.items[ranks] // self.base).astype(np.intp)] = table[ranks]
        return discounts

    def _gains(self, items):
        """Gains of packed items, from the grades that their lowest bits count."""
        codes = items & (self.base - 1)
        if self.grades is not None:
            return self.grades.take(codes)
        row = self.row[: items.size]
        row[:] = codes
        return row
