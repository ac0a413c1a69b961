"""NDCG of every prefix of a list in arrival order (Wang et al. 2013, figures 1 to 4).

Sorting each prefix separately would repeat almost all of the work. If every prefix is requested, items are
inserted into the ranked list of the earlier items (see `prefixes`). If only some prefixes are requested, all
items are sorted once and the latest arrivals are removed, size by size.
"""

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

# Up to this many grades, the ideal DCG is summed over grades; otherwise items are ranked by gain.
_FEW_GRADES = 32

# Sums of gains in this range neither overflow nor lose digits by underflow.
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
    """Return NDCG of the first n items, for every n or for selected sizes.

    The value for n items equals ``ndcg(labels[:n], scores[:n], ...)`` with averaged ties, up to an error of
    about 1e-14.

    Parameters
    ----------
    labels, scores : array_like of shape (m,)
        Labels and scores in arrival order; labels are finite and >= 0, and scores are not NaN.
    discount : callable, or a list or tuple of them
        One or several discounts, as for `ndcg_companion.measures.ndcg`.
    gain : {"linear", "exponential"} or callable
        The label itself ("linear"), ``2 ** label - 1`` ("exponential"), or any function that maps the array
        of labels element by element.
    k : None, int, float or callable, or a list or tuple of them
        Cut-off, which is evaluated for each n, or one cut-off for each of several discounts.
    sizes : array_like of int, shape (q,), optional
        Requested prefix lengths, each from 1 to m, in any order; by default all lengths.

    Returns
    -------
    ndarray of shape (m,) or (q,), with a first axis for the discounts if they came in a list or tuple
        The values of NDCG. A prefix whose ideal DCG is 0 has the value NaN, in particular a prefix without a
        relevant item.

    Raises
    ------
    ValueError
        If `ndcg` raises it, if there is more than one list, if a size is out of range, or if the numbers of
        cut-offs and discounts differ.

    Notes
    -----
    All prefixes together take O(m K) time, where K is the last rank with a positive weight. The time is a few
    microseconds for each of the first few thousand prefixes, and some seconds in total for 100,000 items.
    Selected prefixes take O(sum of sizes) time after one sort. Several discounts share one ranking. For a
    discount that depends on n, is negative or increases somewhere, the prefixes are sorted one by one.

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
    lengths, positions = _read_sizes(sizes, gains.size)
    # The sums of extreme gains may overflow although NDCG does not; `ndcg` handles this case.
    is_extreme = gains.any() and not _SMALLEST < gains.max() < _LARGEST
    discounts: list[Any] = list(discount) if isinstance(discount, (list, tuple)) else [discount]
    each_k: list[Any] = list(k) if isinstance(k, (list, tuple)) else [k] * len(discounts)
    fail_if(len(each_k) != len(discounts), f"k: expected {len(discounts)} cut-offs, got {len(each_k)}")
    curves = np.empty((len(discounts), lengths.size))
    # Tables with the same cut-offs are summed together. Each value is a pair: the cut-offs of the prefixes,
    # and a dictionary from the position of a discount to its table.
    groups_by_cutoffs: dict[bytes, Any] = {}
    for i, (single_discount, single_k) in enumerate(zip(discounts, each_k)):
        check_discount(single_discount)
        cuts = cutoffs(single_k, lengths)
        largest_cutoff = 0 if depends_on_n(single_discount) else int(cuts.max(initial=0))
        table, decreasing = discount_table(single_discount, None, largest_cutoff)
        if decreasing and not is_extreme and not depends_on_n(single_discount):
            # The table starts with the last rank.
            _, tables_of_group = groups_by_cutoffs.setdefault(cuts.tobytes(), (cuts, {}))
            tables_of_group[i] = table[::-1]
        else:
            options = {"discount": single_discount, "k": single_k}
            curves[i] = [ndcg(gains[:n], scores[:n], **options) for n in lengths.tolist()]
    if groups_by_cutoffs and lengths.size:
        longest = lengths[-1]
        groups = [(np.array(list(tables.values())), cuts) for cuts, tables in groups_by_cutoffs.values()]
        ratios = _curves(gains[:longest], scores[:longest], groups, lengths, for_every_prefix=sizes is None)
        for (_, tables), curves_of_group in zip(groups_by_cutoffs.values(), ratios):
            curves[list(tables)] = curves_of_group
    curves = curves[:, positions]
    return curves if isinstance(discount, (list, tuple)) else curves[0]


def _read_sizes(sizes, total):
    """Return the distinct sizes in increasing order, and the position of each requested size among them."""
    if sizes is None:
        return np.arange(1, total + 1), slice(None)
    array = read_integers("sizes", sizes, "integers of shape (q,), q >= 1")
    for end in (array.min(), array.max()):
        check_int("sizes", end.item(), 1, total)
    return np.unique(array.astype(np.intp), return_inverse=True)


def _curves(gains, scores, groups, sizes, for_every_prefix):
    """Yield NDCG for non-negative decreasing discounts, one array of shape (d, sizes) for each group.

    The groups are the ``parts`` of `every_prefix`: pairs of d tables of discounts and common cut-offs.
    """
    grades, codes = grade_codes(gains)
    if not for_every_prefix:
        # For each item, the number of the smallest selected prefix that contains it.
        first_prefix = np.repeat(
            np.arange(sizes.size, dtype=np.min_scalar_type(sizes.size)), np.diff(sizes, prepend=0)
        )

    def dcg_by_group(scores):
        """Return, for each group, the DCG of every prefix of the items ranked by these scores."""
        if for_every_prefix:
            return every_prefix(gains, scores, groups)
        return _remove_latest(ShrinkingRanking(grades, codes, scores, first_prefix), groups)

    # Many different gains are ranked by gain for the ideal DCG.
    with one_blas_thread(), np.errstate(over="ignore", invalid="ignore"):
        ideal_dcgs = (
            [_ideal_by_grade(gains, grades, tables, sizes, cuts) for tables, cuts in groups]
            if len(grades) <= _FEW_GRADES
            else dcg_by_group(gains)
        )
        actual_dcgs = dcg_by_group(scores)
    for ideal_dcg, actual_dcg in zip(ideal_dcgs, actual_dcgs):
        fail_if(
            not (np.isfinite(ideal_dcg).all() and np.isfinite(actual_dcg).all()),
            "discount: expected sums of discounts within the range of floats",
        )
        yield np.divide(actual_dcg, ideal_dcg, out=np.full_like(actual_dcg, np.nan), where=ideal_dcg > 0)


def _ideal_by_grade(gains, grades, tables, sizes, cuts):
    """Return the ideal DCG of every prefix as a sum over grades.

    The ideal DCG is ``sum over grades g of (g - next lower grade) * S(items of grade g or better)``, where
    S(c) is the sum of the first c discounts. All terms are >= 0, so no digits are lost by cancellation.
    """
    grades = np.array(grades, dtype=float)
    steps = np.diff(grades, prepend=0.0)
    grades, steps = grades[steps > 0], steps[steps > 0]
    # An increment consists of the items that a prefix adds to the previous one.
    starts_of_increments = np.append(0, sizes[:-1])
    counts_of_better = [
        np.add.reduceat(gains >= grade, starts_of_increments, dtype=np.intp).cumsum() for grade in grades
    ]
    if not counts_of_better:
        return np.zeros((len(tables), sizes.size))
    # Shape (tables, grades, sizes); the axis of the grades is summed with the steps as weights.
    discount_sums = _sums_of_first(tables, np.minimum(counts_of_better, cuts))
    return np.tensordot(discount_sums, steps, axes=(1, 0))


def _sums_of_first(tables, counts):
    """Return the sums, of shape (rows, *counts.shape), of the first c values of each row."""
    # Column i of `sums` is the sum of the first boundaries[i] values.
    boundaries = np.unique(np.append(0, counts))
    sums = np.zeros((len(tables), boundaries.size))
    # Values between neighbouring counts are summed first (pairwise), because a single running sum has larger
    # rounding errors. There are at least two counts, because the longest prefix has an item of each grade.
    sums[:, 1:] = np.add.reduceat(tables[:, : boundaries[-1]], boundaries[:-1], axis=1).cumsum(axis=1)
    return sums[:, np.searchsorted(boundaries, counts)]


def _group_starts(values):
    """Return a mask of the first item of each group of equal neighbours."""
    return np.append(True, values[1:] != values[:-1])


def _remove_latest(ranking, groups):
    """Return the DCG of each selected prefix, computed by removing late arrivals from the longest."""
    curves = [np.empty((len(tables), cuts.size)) for tables, cuts in groups]
    largest_cuts = np.max([cuts for _, cuts in groups], axis=0)
    for prefix in reversed(range(largest_cuts.size)):
        ranking.keep(prefix)
        gains = ranking.gains(largest_cuts[prefix])
        for curve, (tables, cuts) in zip(curves, groups):
            cut = cuts[prefix]
            curve[:, prefix] = tables[:, :cut] @ gains[:cut]
    return curves


def one_blas_thread():
    """Return a context with one BLAS thread, so that sums do not depend on the number of cores."""
    return _BLAS.limit(limits=1)


def grade_codes(gains):
    """Return the grades, and the index of each gain among them; the index is the gain itself if possible."""
    if gains.max() < _FEW_GRADES and (gains == np.floor(gains)).all():
        return range(int(gains.max()) + 1), gains
    return np.unique(gains, return_inverse=True)


class ShrinkingRanking:
    """Items ranked by decreasing score, from which the latest arrivals can be removed.

    Parameters
    ----------
    grades, codes
        See `grade_codes`.
    scores : ndarray of shape (m,)
        Scores in arrival order.
    prefix : ndarray of int, shape (m,)
        Number of the first prefix that contains each item; non-decreasing.
    """

    def __init__(self, grades, codes, scores, prefix):
        self.gain_of_code = None if isinstance(grades, range) else grades
        # An item is one small integer, prefix * base + code, where the base is a power of two above every
        # code. It should have few bytes, because memory bandwidth limits the removal of items.
        self.base = 1 << (len(grades) - 1).bit_length()
        self.last = int(prefix[-1])
        item_type = np.min_scalar_type((self.last + 1) * self.base)
        items = prefix.astype(item_type) * item_type.type(self.base)
        items += codes.astype(item_type)
        items_and_starts = sort_packed(scores[None], items[None])
        if items_and_starts is None:
            order = scores.argsort()
            items_and_starts = items.take(order), _group_starts(scores.take(order))
        items, is_group_start = items_and_starts
        # Only the small items are reversed. Reversing the order itself would move four times as many bytes.
        self.items = items[::-1].copy()
        self.groups = (
            None if is_group_start is None or is_group_start.all() else is_group_start.cumsum()[::-1].copy()
        )
        self.gain_buffer = np.empty(scores.size)

    def keep(self, last):
        """Permanently remove the items that are not in prefix number ``last``."""
        if last == self.last:
            return
        is_kept = self.items < (last + 1) * self.base  # items of prefixes up to `last`, with any code
        self.items = self.items.compress(is_kept)
        if self.groups is not None:
            self.groups = self.groups.compress(is_kept)
        self.last = last

    def gains(self, count):
        """Return the gains of the best ``count`` items, averaged over ties; the next call overwrites them."""
        if self.groups is None:
            return self._gains(self.items[:count])
        return group_means(self._gains(self.items), _group_starts(self.groups))[:count]

    def latest(self, table, count):
        """Return the discounts of the latest ``count`` items, latest first, averaged over ties.

        Item i must have prefix i.
        """
        # Positions, in the ranked list, of the items with the prefixes last - count + 1 to last.
        (ranks,) = (self.items >= (self.last + 1 - count) * self.base).nonzero()
        if self.groups is not None:
            table = group_means(table, _group_starts(self.groups))
        prefixes = (self.items[ranks] // self.base).astype(np.intp)
        discounts = np.empty(count)
        discounts[self.last - prefixes] = table[ranks]
        return discounts

    def _gains(self, items):
        """Return the gains of packed items, from the grade codes in their lowest bits."""
        codes = items & (self.base - 1)
        if self.gain_of_code is not None:
            return self.gain_of_code.take(codes)
        gains = self.gain_buffer[: items.size]  # reused, because allocating memory takes longer
        gains[:] = codes
        return gains
