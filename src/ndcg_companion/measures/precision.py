"""Measures of binary relevance: average precision, F, R-precision and RBP, exact over ties."""

from math import hypot, isfinite, nan

import numpy as np
from numpy.typing import ArrayLike

from ndcg_companion.checks import check_float

from .cutoffs import Cutoff
from .discounts import Geometric, Power
from .lists import Empty, check_empty
from .sums import Weights, actual_sum, position_weights
from .ties import Ties, ranked, read_relevance


def average_precision(
    labels: ArrayLike,
    scores: ArrayLike,
    *,
    threshold: float = 1,
    ties: Ties = "average",
    empty: Empty = nan,
    offsets: ArrayLike | None = None,
) -> float | np.ndarray:
    """Average precision: the mean, over the relevant items, of the precision at their ranks.

    ``AP = sum over ranks of P(rank) * (R(rank) - R(rank - 1))`` (Katerenchuk and Rosenberg 2016), divided by
    the relevant items of the list itself: the ``map`` of trec_eval, if the list holds all that is relevant.
    `ap` is the same function.

    Parameters
    ----------
    labels, scores : array_like of shape (n,), (q, n), or (N,) with offsets
        Finite labels; and scores.
    threshold : float
        Labels from here on are relevant.
    ties : {"average", "best", "worst", "stable"}
        Equal scores: the exact expectation over their random order, the highest or lowest value, or the order
        they came in.
    empty : {nan, 0, 1, "raise"}
        What a list without a relevant item gets.
    offsets : array_like of shape (q + 1,), optional
        List i holds the items ``offsets[i]:offsets[i + 1]``.

    Returns
    -------
    float or ndarray of shape (q,)

    Raises
    ------
    ValueError
        For arguments outside the above, NaN, and unequal lengths.

    Notes
    -----
    In a group of m tied items, r of them relevant, below a items with h relevant ones, the item at place j
    is relevant with probability r/m, and if it is, each of the j - 1 before it in the group is with
    probability (r - 1)/(m - 1). Its expected share of the sum is therefore
    ``r/m * (h + 1 + (j - 1) * (r - 1)/(m - 1)) / (a + j)``.

    Examples
    --------
    >>> average_precision([1, 0, 1], [3, 2, 1])
    0.8333333333333333
    >>> average_precision([1, 0], [1, 1])
    0.75
    """
    check_empty(empty)
    lists, relevant = read_relevance(labels, scores, offsets, threshold, ties)
    total = lists.fold(np.add, relevant)
    precisions = sum_of_precisions(lists, relevant, ties)
    return lists.to_output(precisions / np.maximum(total, 1), total == 0, empty)


def sum_of_precisions(lists, relevant, ties, k=None):
    """The sum of the precisions at the ranks of relevant items, of the first k if it is given: shape (q,)."""
    relevant, first = ranked(lists, relevant, ties)
    total = lists.fold(np.add, relevant)
    shares = _shares(lists, relevant, total, first if ties == "average" else None)
    # What a place of a tied group counts is expected at that place, so that the cut may go through the group.
    return lists.fold(np.add, shares if k is None else np.where(lists.ranks <= k, shares, 0.0))


def _shares(lists, relevant, total, first):
    """The expected share of each position in the sum of precisions, where items between marks are tied."""
    starts = np.arange(relevant.size) if first is None else np.flatnonzero(first)
    sizes = np.diff(starts, append=relevant.size)
    group_hits = np.add.reduceat(relevant, starts) if starts.size else relevant
    above = np.cumsum(total)[lists.number[starts]] - np.cumsum(group_hits)
    density = (group_hits - 1) / np.maximum(sizes - 1, 1)
    ranks = lists.ranks
    ahead = ranks - np.repeat(ranks[starts + sizes - 1], sizes)
    hits = np.repeat(above + 1, sizes) + ahead * np.repeat(density, sizes)
    return np.repeat(group_hits / sizes, sizes) * hits / ranks


def mean_average_precision(
    labels: ArrayLike,
    scores: ArrayLike,
    *,
    threshold: float = 1,
    ties: Ties = "average",
    empty: Empty = nan,
    offsets: ArrayLike | None = None,
) -> float:
    """Mean over the lists of `average_precision`, whose arguments and errors it has.

    The MAP of Katerenchuk and Rosenberg 2016.

    A list without a relevant item makes the mean nan unless ``empty`` says what it counts: none is left out
    silently. The mean over no list is nan.

    >>> mean_average_precision([[1, 0], [0, 1]], [[2, 1], [2, 1]])
    0.75
    """
    values = average_precision(labels, scores, threshold=threshold, ties=ties, empty=empty, offsets=offsets)
    return float(np.mean(values)) if np.size(values) else nan


def f_measure(
    labels: ArrayLike,
    scores: ArrayLike,
    *,
    k: Cutoff,
    threshold: float = 1,
    beta: float = 1.0,
    ties: Ties = "average",
    empty: Empty = nan,
    offsets: ArrayLike | None = None,
) -> float | np.ndarray:
    """F measure of the first k items: the harmonic mean of precision and recall, weighted by ``beta``.

    ``F = (1 + beta ** 2) * P * R / (beta ** 2 * P + R)`` (Katerenchuk and Rosenberg 2016, with ``beta = 1``).

    Parameters
    ----------
    labels, scores, threshold, ties, empty, offsets
        As for `average_precision`.
    k : None, int, float or callable
        Items that are retrieved: all, that many, that fraction in (0, 1], or a function of n, as for `ndcg`.
    beta : float
        Finite, not negative; 0 is precision alone.

    Returns
    -------
    float or ndarray of shape (q,)

    Raises
    ------
    ValueError
        For arguments outside the above, NaN, and unequal lengths.

    Examples
    --------
    >>> f_measure([1, 0, 1, 1], [4, 3, 2, 1], k=2)
    0.4
    """
    check_empty(empty)
    check_float("beta", beta, lambda weight: isfinite(weight) and weight >= 0, "a finite number >= 0")
    lists, relevant = read_relevance(labels, scores, offsets, threshold, ties)
    weights = position_weights(lists, Power(0), k)
    # With h hits among k items and m relevant ones in all, P = h/k and R = h/m, so that
    # F = (1 + b^2) h / (b^2 m + k) is linear in h. The expectation of F over ties is therefore F at the
    # expected h, which is a DCG whose discount is 1.
    hits = actual_sum(lists, relevant, weights, ties)
    total = lists.fold(np.add, relevant)
    retrieved = lists.dot(np.ones(relevant.size), weights.values)
    share = (beta / hypot(1, beta)) ** 2
    blank = total == 0
    return lists.to_output(hits / np.where(blank, 1, share * total + (1 - share) * retrieved), blank, empty)


def r_precision(
    labels: ArrayLike,
    scores: ArrayLike,
    *,
    threshold: float = 1,
    ties: Ties = "average",
    empty: Empty = nan,
    offsets: ArrayLike | None = None,
) -> float | np.ndarray:
    """R-precision: the share of relevant items among the first R, where R items of the list are relevant.

    The ``Rprec`` of trec_eval, if the list holds all that is relevant.

    Parameters
    ----------
    labels, scores, threshold, ties, empty, offsets
        As for `average_precision`.

    Returns
    -------
    float or ndarray of shape (q,)

    Raises
    ------
    ValueError
        For arguments outside the above, NaN, and unequal lengths.

    Examples
    --------
    >>> r_precision([1, 0, 1], [3, 2, 1])
    0.5
    """
    check_empty(empty)
    lists, relevant = read_relevance(labels, scores, offsets, threshold, ties)
    total = lists.fold(np.add, relevant)
    hits = hits_among_first(lists, relevant, total, ties)
    return lists.to_output(hits / np.maximum(total, 1), total == 0, empty)


def hits_among_first(lists, relevant, counts, ties):
    """How many of the first items of each list are relevant, with a count of items for each: shape (q,)."""
    counted = (lists.ranks <= np.repeat(counts, lists.sizes)).astype(float)
    return actual_sum(lists, relevant, Weights(counted, True), ties)


def rbp(
    labels: ArrayLike,
    scores: ArrayLike,
    *,
    p: float = 0.8,
    k: Cutoff = None,
    threshold: float = 1,
    ties: Ties = "average",
    offsets: ArrayLike | None = None,
) -> float | np.ndarray:
    """Rank-biased precision: ``(1 - p)`` times the sum of ``p ** (rank - 1)`` over the relevant items.

    Of a reader who goes from each item to the next with chance p (Moffat and Zobel 2008). It is not divided
    by the value of the best order: with few relevant items, or k of them shown, no list reaches 1.

    Parameters
    ----------
    labels, scores, threshold, ties, offsets
        As for `average_precision`.
    p : float
        Persistence, above 0 and below 1.
    k : None, int, float or callable
        Positions that count, as for `ndcg`.

    Returns
    -------
    float or ndarray of shape (q,)

    Raises
    ------
    ValueError
        For arguments outside the above, NaN, and unequal lengths.

    Examples
    --------
    >>> rbp([1, 0, 1], [3, 2, 1], p=0.5)
    0.625
    """
    check_float("p", p, lambda chance: 0 < chance < 1, "a number above 0 and below 1")
    lists, relevant = read_relevance(labels, scores, offsets, threshold, ties)
    # A geometric discount begins with p at rank 1.
    weights = position_weights(lists, Geometric(p), k)
    return lists.to_output((1 - p) * actual_sum(lists, relevant, weights, ties) / p)


ap = average_precision
