"""Measures of a reader who goes down a list and stops: reciprocal rank, and its expectation (ERR)."""

from math import inf

import numpy as np
from numpy.typing import ArrayLike

from ndcg_companion.checks import check_float, fail_if

from .cutoffs import Cutoff, cutoff
from .lists import read_lists
from .ties import Ties, check_ties, ranked, read_relevance

_NONE = 1e-18  # a chance that no sum of floats near 1 notices


def rr(
    labels: ArrayLike,
    scores: ArrayLike,
    *,
    k: Cutoff = None,
    threshold: float = 1,
    ties: Ties = "average",
    offsets: ArrayLike | None = None,
) -> float | np.ndarray:
    """Reciprocal rank: one over the rank of the first relevant item; 0 if none is among the first k.

    The ``recip_rank`` of trec_eval, whose mean over queries is the MRR.

    Parameters
    ----------
    labels, scores, threshold, ties, offsets
        As for `average_precision`.
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
    """Expected reciprocal rank: of the item at which a reader stops who goes down the list.

    At an item with grade y the reader stops with chance ``(2 ** y - 1) / 2 ** max_grade``, and one who never
    stops counts 0 (Chapelle and co-authors 2009). It is not divided by the value of the best order.

    Parameters
    ----------
    labels, scores, ties, offsets
        As for `average_precision`, with labels from 0 to ``max_grade``.
    k : None, int, float or callable
        Positions that count, as for `ndcg`.
    max_grade : float
        The highest grade of the scale, in use or not. 4 is that of gdeval, and so of ir_measures; with 1 a
        relevant item stops every second reader.

    Returns
    -------
    float or ndarray of shape (q,)

    Raises
    ------
    ValueError
        For arguments outside the above, NaN, and unequal lengths.

    Notes
    -----
    Of tied items in random order, the chance to pass the first j is the mean, over their subsets of size j,
    of the product of the chances to pass each.

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
    """The chance that a reader stops at an item: ``(2 ** label - 1) / 2 ** max_grade``.

    >>> stopping(np.array([0, 1, 4]), 4)
    array([0.    , 0.0625, 0.9375])
    """
    return np.exp2(labels - float(max_grade)) - np.exp2(-float(max_grade))


def cascade(lists, chances, k, ties):
    """The expected reciprocal rank at which a reader stops, for each list: shape (q,)."""
    reaching = _reaching(lists, chances, k, ties)
    totals = [
        ((unsatisfied[:-1] - unsatisfied[1:]) / np.arange(1, unsatisfied.size)).sum()
        for unsatisfied in reaching
    ]
    return np.array(totals, dtype=float)


def stopped(lists, chances, k, ties):
    """The chance that a reader stops among the first k items, for each list: shape (q,)."""
    return np.array([1 - unsatisfied[-1] for unsatisfied in _reaching(lists, chances, k, ties)], dtype=float)


def _reaching(lists, chances, k, ties):
    """Yield the chances to be still reading at the first item of a list, the second, and after the last."""
    values, first = ranked(lists, chances, ties)
    cutoff(k, 0)  # refuses a bad k even if there is no list
    averaged = first is not None and ties == "average"
    for start, n in zip(lists.starts, lists.sizes):
        depth = cutoff(k, int(n))
        passing = 1 - values[start : start + n][::-1]
        if averaged:
            # Where groups of equal scores begin, from the top: they are marked at their last ranks.
            group_ends = n - np.append(np.flatnonzero(first[start : start + n]), n)
            for low, high in zip(group_ends[1:], group_ends[:-1]):
                if high - low > 1 and low < depth:
                    passing[low:high] = _in_any_order(passing[low:high], depth - low)
        yield np.append(1.0, np.cumprod(passing[:depth]))


def _in_any_order(passing, depth=inf):
    """The chance to pass each place, given that those before it are passed, over all orders of the items.

    Of the first `most` places.

    >>> _in_any_order(np.array([1.0, 0.0]))
    array([0.5, 0. ])
    """
    depth = int(min(depth, passing.size))
    in_turn, certain = np.sort(passing)[::-1], np.count_nonzero(passing == 1)
    means = np.ones(min(certain, depth) + 1)
    # From the surest on, so that no mean of products ever rises, and one that is nothing remains so.
    for size, chance in enumerate(in_turn[certain:], certain + 1):
        places = np.arange(1, means.size + 1)
        longer = np.append(means, 0.0)
        longer[1:] = ((size - places) * longer[1:] + places * chance * means) / size
        means = longer[: depth + 1][longer[: depth + 1] > _NONE]
    chances = np.zeros(passing.size)
    chances[: means.size - 1] = means[1:] / means[:-1]
    return chances
