"""Measures of a reader who goes down a list and stops: reciprocal rank and expected reciprocal rank."""

import numpy as np
from numpy.typing import ArrayLike

from ndcg_companion.checks import check_float, fail_if

from .cutoffs import Cutoff, cutoff
from .lists import read_lists
from .ties import Ties, check_ties, ranked, read_relevance

_NEGLIGIBLE = 1e-18  # a probability that is too small to change a sum of floats near 1


def rr(
    labels: ArrayLike,
    scores: ArrayLike,
    *,
    k: Cutoff = None,
    threshold: float = 1,
    ties: Ties = "average",
    offsets: ArrayLike | None = None,
) -> float | np.ndarray:
    """Return the reciprocal rank of the first relevant item, or 0 if the top k has none.

    The measure is the ``recip_rank`` of trec_eval; its mean over queries is the MRR.

    Parameters
    ----------
    labels, scores, threshold, ties, offsets
        As for `average_precision`.
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
    >>> rr([0, 1, 0, 1], [4, 3, 2, 1])
    0.5
    >>> rr([0, 1], [1, 1])
    0.75
    """
    lists, relevant = read_relevance(labels, scores, offsets, threshold, ties)
    # An item with relevance 1 stops the reader for certain, so this is the ERR of such a reader.
    return lists.to_output(_expected_reciprocal_rank(lists, relevant, k, ties))


def err(
    labels: ArrayLike,
    scores: ArrayLike,
    *,
    k: Cutoff = None,
    max_grade: float = 4,
    ties: Ties = "average",
    offsets: ArrayLike | None = None,
) -> float | np.ndarray:
    """Return the expected reciprocal rank of the item at which a reader stops.

    The reader goes down the list. At an item with grade y, the reader stops with probability
    ``(2 ** y - 1) / 2 ** max_grade``. A reader who never stops contributes 0 (Chapelle and co-authors 2009).
    The measure is not divided by the value of the best order.

    Parameters
    ----------
    labels, scores, ties, offsets
        As for `average_precision`, with labels from 0 to ``max_grade``.
    k : None, int, float or callable
        Cut-off, as for `ndcg`.
    max_grade : float
        The highest grade of the scale, whether or not an item has it. gdeval, and therefore ir_measures, uses
        a highest grade of 4. If the highest grade is 1, a reader stops at a relevant item with probability
        1/2.

    Returns
    -------
    float or ndarray of shape (q,)

    Raises
    ------
    ValueError
        If an argument is invalid, a value is NaN, or the lengths differ.

    Notes
    -----
    Suppose that tied items are in random order. For each subset of j of them, multiply the probabilities of
    passing its items. The probability of passing the first j items is the mean of these products.

    Examples
    --------
    >>> err([1, 0, 1], [3, 2, 1], max_grade=1)
    0.5833333333333334
    """
    check_ties(ties)
    check_float("max_grade", max_grade, lambda grade: 0 < grade < 1000, "a number above 0 and below 1000")
    lists = read_lists(labels, scores, offsets, negative=False)
    highest = lists.labels.max(initial=0)
    fail_if(
        highest > max_grade, f"labels: expected numbers from 0 to max_grade={max_grade:g}, got {highest:g}"
    )
    return lists.to_output(_expected_reciprocal_rank(lists, _stop_chances(lists.labels, max_grade), k, ties))


def _stop_chances(labels, max_grade):
    """Return the probability that a reader stops at an item with this label.

    >>> _stop_chances(np.array([0, 1, 4]), 4)
    array([0.    , 0.0625, 0.9375])
    """
    # (2**y - 1) / 2**max_grade, as a difference of powers that cannot overflow
    return np.exp2(labels - float(max_grade)) - np.exp2(-float(max_grade))


def _expected_reciprocal_rank(lists, stop_chances, k, ties):
    """Return the mean of 1 / (rank at which the reader stops), 0 beyond rank k, of shape (q,).

    ``stop_chances`` gives, for each item, the probability of stopping there, given that it is reached.
    """
    means = []
    for reach_chances in _reach_chances(lists, stop_chances, k, ties):
        # P(stop at rank r) = P(reach r) - P(reach r + 1), and the mean is the sum of P(stop at r) / r.
        ranks = np.arange(1, reach_chances.size)
        means.append(((reach_chances[:-1] - reach_chances[1:]) / ranks).sum())
    return np.array(means, dtype=float)


def stopped(lists, stop_chances, k, ties):
    """Return the probability of stopping among the first k items of each list, of shape (q,)."""
    chances = [1 - reach_chances[-1] for reach_chances in _reach_chances(lists, stop_chances, k, ties)]
    return np.array(chances, dtype=float)


def _reach_chances(lists, stop_chances, k, ties):
    """Yield, for each list, the probabilities of reaching ranks 1, 2, ..., k and of passing rank k."""
    ranked_chances, group_start = ranked(lists, stop_chances, ties)
    cutoff(k, 0)  # rejects an invalid k even if there is no list
    ties_are_averaged = group_start is not None and ties == "average"
    for start, n in zip(lists.starts, lists.sizes):
        depth = cutoff(k, int(n))
        # Ranked arrays start with the last rank; from here on, rank 1 comes first.
        pass_chances = 1 - ranked_chances[start : start + n][::-1]
        if ties_are_averaged:
            # Positions between tied groups, from n up to 0; `group_start` marks the last rank of each group.
            boundaries = n - np.append(np.flatnonzero(group_start[start : start + n]), n)
            for group_top, group_bottom in zip(boundaries[1:], boundaries[:-1]):
                if group_bottom - group_top > 1 and group_top < depth:
                    pass_chances[group_top:group_bottom] = _pass_chances_in_any_order(
                        pass_chances[group_top:group_bottom], depth - group_top
                    )
        yield np.append(1.0, np.cumprod(pass_chances[:depth]))


def _pass_chances_in_any_order(pass_chances, depth):
    """Return the probability of passing each of the first ``depth`` positions, given that it is reached.

    The items of the group, which are passed with the given probabilities, are in random order. The result
    has one entry for each item, 0 beyond ``depth``.

    >>> _pass_chances_in_any_order(np.array([1.0, 0.0]), 2)
    array([0.5, 0. ])
    """
    depth = int(min(depth, pass_chances.size))
    descending_chances = np.sort(pass_chances)[::-1]
    certain_items = np.count_nonzero(pass_chances == 1)
    # means[j] is the mean product of the chances of j items, over all subsets of j of the items so far.
    means = np.ones(min(certain_items, depth) + 1)
    # Items are added in decreasing order, so no mean of products increases, and negligible ones stay so.
    for count, chance in enumerate(descending_chances[certain_items:], certain_items + 1):
        sizes = np.arange(1, means.size + 1)
        new_means = np.append(means, 0.0)
        # A random subset of j of `count` items contains the new item with probability j / count, so
        # new mean[j] = ((count - j) mean[j] + j chance mean[j - 1]) / count.
        new_means[1:] = ((count - sizes) * new_means[1:] + sizes * chance * means) / count
        means = new_means[: depth + 1][new_means[: depth + 1] > _NEGLIGIBLE]
    # P(pass position j | reach it) = P(pass the first j) / P(pass the first j - 1)
    conditional_chances = np.zeros(pass_chances.size)
    conditional_chances[: means.size - 1] = means[1:] / means[:-1]
    return conditional_chances
