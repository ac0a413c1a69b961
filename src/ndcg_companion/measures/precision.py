"""Measures of binary relevance, exact over ties: average precision, F measure, R-precision and RBP."""

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
    """Return the average precision, which is the mean precision at the ranks of relevant items.

    ``AP = sum over ranks of P(rank) * (R(rank) - R(rank - 1))`` (Katerenchuk and Rosenberg 2016), divided by
    the number of relevant items on the list. The measure is the ``map`` of trec_eval if the list contains all
    relevant items. `ap` is the same function.

    Parameters
    ----------
    labels, scores : array_like of shape (n,), (q, n), or (N,) with offsets
        Finite labels, and scores.
    threshold : float
        Items with a label of at least `threshold` are relevant.
    ties : {"average", "best", "worst", "stable"}
        Treatment of equal scores: the exact expectation over a random order ("average"), the highest value
        ("best"), the lowest value ("worst"), or the input order ("stable").
    empty : {nan, 0, 1, "raise"}
        Value of a list without a relevant item.
    offsets : array_like of shape (q + 1,), optional
        List i consists of the items ``offsets[i]:offsets[i + 1]``.

    Returns
    -------
    float or ndarray of shape (q,)

    Raises
    ------
    ValueError
        If an argument is invalid, a value is NaN, or the lengths differ.

    Notes
    -----
    Consider a group of m tied items, of which r are relevant. Let ``a`` be the number of items above the
    group, and let h of these items be relevant. The j-th item of the group is relevant with probability r/m.
    Given that it is relevant, each of the j - 1 items before it in the group is relevant with probability
    ``(r - 1)/(m - 1)``. The expected contribution of the j-th item to the sum is therefore
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
    relevant_counts = lists.fold(np.add, relevant)
    precision_sums = sum_of_precisions(lists, relevant, ties)
    return lists.to_output(precision_sums / np.maximum(relevant_counts, 1), relevant_counts == 0, empty)


def sum_of_precisions(lists, relevant, ties, k=None):
    """Return the sum, of shape (q,), of the precisions at relevant ranks, up to rank k if given."""
    ranked_relevance, group_start = ranked(lists, relevant, ties)
    terms = _expected_terms(lists, ranked_relevance, group_start if ties == "average" else None)
    # Each term is the expectation at its own position, so the cut-off may split a group of ties.
    return lists.fold(np.add, terms if k is None else np.where(lists.ranks <= k, terms, 0.0))


def _expected_terms(lists, ranked_relevance, group_start):
    """Return the expected precision times relevance at each position of ranked arrays.

    Ranked arrays start with the last rank. ``group_start`` marks the first item of each tied group in this
    order; None stands for groups of one item.
    """
    item_count = ranked_relevance.size
    starts = np.arange(item_count) if group_start is None else np.flatnonzero(group_start)
    group_sizes = np.diff(starts, append=item_count)
    group_hits = np.add.reduceat(ranked_relevance, starts) if starts.size else ranked_relevance
    # Let a group have m items, r of which are hits, and let h hits be above it. The term of its j-th item is
    # r/m * (h + 1 + (j - 1) (r - 1) / (m - 1)) / rank   (see `average_precision`).
    # h: the items above come later in the array, so h is the hits up to the list's end minus those up to the
    # group's end.
    relevant_counts = lists.fold(np.add, ranked_relevance)
    hits_above = np.cumsum(relevant_counts)[lists.number[starts]] - np.cumsum(group_hits)
    pair_probability = (group_hits - 1) / np.maximum(group_sizes - 1, 1)  # (r - 1) / (m - 1)
    # j - 1: the last item of a group in the array has the best rank of the group.
    ranks = lists.ranks
    best_ranks = ranks[starts + group_sizes - 1]
    ahead_in_group = ranks - np.repeat(best_ranks, group_sizes)
    expected_hits = np.repeat(hits_above + 1, group_sizes) + ahead_in_group * np.repeat(
        pair_probability, group_sizes
    )
    return np.repeat(group_hits / group_sizes, group_sizes) * expected_hits / ranks


def mean_average_precision(
    labels: ArrayLike,
    scores: ArrayLike,
    *,
    threshold: float = 1,
    ties: Ties = "average",
    empty: Empty = nan,
    offsets: ArrayLike | None = None,
) -> float:
    """Return the mean of `average_precision` over the lists.

    This mean is the MAP of Katerenchuk and Rosenberg 2016. The arguments and the errors are those of
    `average_precision`. No list is silently omitted. If a list has no relevant item, the mean is nan, unless
    ``empty`` gives the value of such a list. The mean over an empty batch is nan.

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
    """Return the F measure of the first k items, which is a weighted mean of precision and recall.

    The F measure is the weighted harmonic mean ``F = (1 + beta ** 2) * P * R / (beta ** 2 * P + R)``
    (Katerenchuk and Rosenberg 2016, with ``beta = 1``).

    Parameters
    ----------
    labels, scores, threshold, ties, empty, offsets
        As for `average_precision`.
    k : None, int, float or callable
        Number of retrieved items, given as a cut-off as for `ndcg`.
    beta : float
        Weight of recall, finite and >= 0; 0 gives the precision.

    Returns
    -------
    float or ndarray of shape (q,)

    Raises
    ------
    ValueError
        If an argument is invalid, a value is NaN, or the lengths differ.

    Examples
    --------
    >>> f_measure([1, 0, 1, 1], [4, 3, 2, 1], k=2)
    0.4
    """
    check_empty(empty)
    check_float("beta", beta, lambda weight: isfinite(weight) and weight >= 0, "a finite number >= 0")
    lists, relevant = read_relevance(labels, scores, offsets, threshold, ties)
    weights = position_weights(lists, Power(0), k)
    # With h hits among k items and m relevant items on the list, P = h/k and R = h/m. Therefore
    # F = (1 + b^2) h / (b^2 m + k) is linear in h, and the expectation of F over ties is F at the
    # expected h, which is a DCG with discount 1. With w = b^2 / (1 + b^2), F = h / (w m + (1 - w) k).
    hits = actual_sum(lists, relevant, weights, ties)
    relevant_counts = lists.fold(np.add, relevant)
    retrieved_counts = lists.dot(np.ones(relevant.size), weights.values)
    recall_weight = (beta / hypot(1, beta)) ** 2  # w; hypot(1, b) = sqrt(1 + b^2) does not overflow
    divisor = recall_weight * relevant_counts + (1 - recall_weight) * retrieved_counts
    is_blank = relevant_counts == 0
    return lists.to_output(hits / np.where(is_blank, 1, divisor), is_blank, empty)


def r_precision(
    labels: ArrayLike,
    scores: ArrayLike,
    *,
    threshold: float = 1,
    ties: Ties = "average",
    empty: Empty = nan,
    offsets: ArrayLike | None = None,
) -> float | np.ndarray:
    """Return the R-precision: the precision of the first R items of a list with R relevant items.

    The measure is the ``Rprec`` of trec_eval if the list contains all relevant items.

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
        If an argument is invalid, a value is NaN, or the lengths differ.

    Examples
    --------
    >>> r_precision([1, 0, 1], [3, 2, 1])
    0.5
    """
    check_empty(empty)
    lists, relevant = read_relevance(labels, scores, offsets, threshold, ties)
    relevant_counts = lists.fold(np.add, relevant)
    hits = hits_among_first(lists, relevant, relevant_counts, ties)
    return lists.to_output(hits / np.maximum(relevant_counts, 1), relevant_counts == 0, empty)


def hits_among_first(lists, relevant, counts, ties):
    """Return the number, of shape (q,), of relevant items among the first ``counts[i]`` items of list i."""
    is_counted = (lists.ranks <= np.repeat(counts, lists.sizes)).astype(float)
    return actual_sum(lists, relevant, Weights(is_counted, decreasing=True), ties)


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
    """Return the rank-biased precision, which has the discount ``p ** (rank - 1)``.

    RBP is ``(1 - p)`` times the sum of the discounts at the ranks of relevant items. RBP models a reader who
    continues from each item to the next with probability p (Moffat and Zobel 2008). The measure is not
    divided by the value of the best order, so it stays below 1 if few items are relevant or k is small.

    Parameters
    ----------
    labels, scores, threshold, ties, offsets
        As for `average_precision`.
    p : float
        Persistence, the probability of continuing, strictly between 0 and 1.
    k : None, int, float or callable
        Cut-off, as for `ndcg`.

    Returns
    -------
    float or ndarray of shape (q,)

    Raises
    ------
    ValueError
        If an argument is invalid, a value is NaN, or the lengths differ.

    Examples
    --------
    >>> rbp([1, 0, 1], [3, 2, 1], p=0.5)
    0.625
    """
    check_float("p", p, lambda persistence: 0 < persistence < 1, "a number above 0 and below 1")
    lists, relevant = read_relevance(labels, scores, offsets, threshold, ties)
    # The sum is divided by p, because a geometric discount starts with p at rank 1.
    weights = position_weights(lists, Geometric(p), k)
    return lists.to_output((1 - p) * actual_sum(lists, relevant, weights, ties) / p)


ap = average_precision
