"""Measures of a reader who goes down a list and stops: reciprocal rank and expected reciprocal rank."""

from math import inf

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
    return lists.to_output(cascade(lists, relevant, k, ties))


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
    return lists.to_output(cascade(lists, stopping(lists.labels, max_grade), k, ties))


def stopping(labels, max_grade):
    """Return the probability that a reader stops at an item with this label.

    >>> stopping(np.array([0, 1, 4]), 4)
    array([0.    , 0.0625, 0.9375])
    """
    return np.exp2(labels - float(max_grade)) - np.exp2(-float(max_grade))


def cascade(lists, chances, k, ties):
    """Return the expected reciprocal rank at which a reader stops on each list, of shape (q,)."""
    reaching = _reaching(lists, chances, k, ties)
    totals = [
        ((unsatisfied[:-1] - unsatisfied[1:]) / np.arange(1, unsatisfied.size)).sum()
        for unsatisfied in reaching
    ]
    return np.array(totals, dtype=float)


def stopped(lists, chances, k, ties):
    """Return the probability of stopping among the first k items of each list, of shape (q,)."""
    return np.array([1 - unsatisfied[-1] for unsatisfied in _reaching(lists, chances, k, ties)], dtype=float)


def _reaching(lists, chances, k, ties):
    """Yield, for each list, the probabilities of reaching each item and of passing the last item."""
    ranked_chances, group_start = ranked(lists, chances, ties)
    cutoff(k, 0)  # rejects an invalid k even if there is no list
    ties_are_averaged = group_start is not None and ties == "average"
    for start, n in zip(lists.starts, lists.sizes):
        depth = cutoff(k, int(n))
        passing_probabilities = 1 - ranked_chances[start : start + n][::-1]
        if ties_are_averaged:
            # Boundaries of tied groups, from the top; `group_start` marks the last rank of each group.
            group_ends = n - np.append(np.flatnonzero(group_start[start : start + n]), n)
            for start_of_group, end_of_group in zip(group_ends[1:], group_ends[:-1]):
                if end_of_group - start_of_group > 1 and start_of_group < depth:
                    passing_probabilities[start_of_group:end_of_group] = _in_any_order(
                        passing_probabilities[start_of_group:end_of_group], depth - start_of_group
                    )
        yield np.append(1.0, np.cumprod(passing_probabilities[:depth]))


def _in_any_order(passing, depth=inf):
    """Return the probability of passing each of the first ``depth`` positions, given that it is reached.

    Items are in random order.

    >>> _in_any_order(np.array([1.0, 0.0]))
    array([0.5, 0. ])
    """
    depth = int(min(depth, passing.size))
    descending_chances, certain_items = np.sort(passing)[::-1], np.count_nonzero(passing == 1)
    means = np.ones(min(certain_items, depth) + 1)
    # Items are added in decreasing order, so no mean of products increases, and negligible ones stay so.
    for count, chance in enumerate(descending_chances[certain_items:], certain_items + 1):
        positions = np.arange(1, means.size + 1)
        new_means = np.append(means, 0.0)
        # A random subset of size j of `count` items contains the new item with probability j / count.
        new_means[1:] = ((count - positions) * new_means[1:] + positions * chance * means) / count
        means = new_means[: depth + 1][new_means[: depth + 1] > _NEGLIGIBLE]
    chances = np.zeros(passing.size)
    chances[: means.size - 1] = means[1:] / means[:-1]
    return chances
