"""RankDCG: agreement with a reference that has ties and a heavy bottom (Katerenchuk and Rosenberg 2016)."""

from math import nan

import numpy as np
from numpy.typing import ArrayLike

from .lists import read_lists
from .sums import Weights, actual_sum
from .ties import Ties, check_ties, dense_ranks


def rankdcg(
    reference: ArrayLike, scores: ArrayLike, *, ties: Ties = "worst", offsets: ArrayLike | None = None
) -> float | np.ndarray:
    """RankDCG of predicted scores against reference values.

    An item's gain is the place of its reference value among the K distinct ones, 1 for the lowest; a position
    is divided by the place, 1 for the highest, of the reference value that the sorted reference has there.
    With DCG' the sum of the quotients, ``rankDCG = (DCG' - min) / (max - min)``, the extremes being attained
    by the sorted order and its reverse: 1 is the reference's own order, 0 its opposite.

    Parameters
    ----------
    reference, scores : array_like of shape (n,), (q, n), or (N,) with offsets
        Finite reference values, of which only the order matters; and scores.
    ties : {"worst", "average", "best", "stable"}
        Equal scores: the lowest value, the expectation over their random order, the highest, or the order
        they came in.
    offsets : array_like of shape (q + 1,), optional
        List i holds the items ``offsets[i]:offsets[i + 1]``.

    Returns
    -------
    float or ndarray of shape (q,)
        nan for a list with fewer than two distinct reference values.

    Raises
    ------
    ValueError
        For arguments outside the above, NaN, and unequal lengths.

    Notes
    -----
    The poster prints ``(max - DCG') / (max - min)``, which is 0 for the sorted order; its own table of tests
    is computed with the formula above.

    Examples
    --------
    The poster's second test:

    >>> round(rankdcg([9, 4, 4, 2, 2, 2, 1, 1, 1, 1], [9, 4, 4, 2, 2, 1, 2, 1, 1, 1], ties="average"), 4)
    0.975
    """
    check_ties(ties)
    lists = read_lists(reference, scores, offsets, name="reference")
    gains = dense_ranks(lists, lists.labels).astype(float)
    grades = lists.fold(np.maximum, gains)
    in_order = lists.sort(gains)
    weights = 1 / (np.repeat(grades, lists.sizes) + 1 - in_order)
    lowest, highest = -lists.dot(lists.sort(-gains), weights), lists.dot(in_order, weights)
    above = actual_sum(lists, gains, Weights(weights, True), ties) - lowest
    return lists.to_output(above / np.where(grades < 2, 1, highest - lowest), grades < 2, nan)
