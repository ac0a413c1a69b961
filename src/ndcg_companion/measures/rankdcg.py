"""RankDCG, the agreement with a reference ranking that has many ties (Katerenchuk and Rosenberg 2016)."""

from math import nan

import numpy as np
from numpy.typing import ArrayLike

from .lists import read_lists
from .sums import Weights, actual_sum
from .ties import Ties, check_ties, dense_ranks


def rankdcg(
    reference: ArrayLike, scores: ArrayLike, *, ties: Ties = "worst", offsets: ArrayLike | None = None
) -> float | np.ndarray:
    """Return RankDCG, the agreement of predicted scores with reference values.

    The gain of an item is the rank of its reference value among the K distinct values; the lowest value has
    rank 1. The divisor of a position is the rank of the value at this position of the sorted reference; the
    highest value has rank 1. If DCG' is the sum of the quotients, ``rankDCG = (DCG' - min) / (max - min)``.
    The order of the reference has the maximum of DCG' and therefore the value 1. The reverse order has the
    minimum and therefore the value 0.

    Parameters
    ----------
    reference, scores : array_like of shape (n,), (q, n), or (N,) with offsets
        Finite reference values, of which only the order matters, and scores.
    ties : {"worst", "average", "best", "stable"}
        Treatment of equal scores: the lowest value ("worst"), the expectation over a random order
        ("average"), the highest value ("best"), or the input order ("stable").
    offsets : array_like of shape (q + 1,), optional
        List i consists of the items ``offsets[i]:offsets[i + 1]``.

    Returns
    -------
    float or ndarray of shape (q,)
        nan for a list with fewer than two distinct reference values.

    Raises
    ------
    ValueError
        If an argument is invalid, a value is NaN, or the lengths differ.

    Notes
    -----
    The formula on the poster is ``(max - DCG') / (max - min)``, which is 0 for the sorted order. The table of
    tests on the poster, however, agrees with the formula above.

    Examples
    --------
    The poster's second test:

    >>> round(rankdcg([9, 4, 4, 2, 2, 2, 1, 1, 1, 1], [9, 4, 4, 2, 2, 1, 2, 1, 1, 1], ties="average"), 4)
    0.975
    """
    check_ties(ties)
    lists = read_lists(reference, scores, offsets, name="reference")
    gains = dense_ranks(lists, lists.labels).astype(float)
    distinct_counts = lists.fold(np.maximum, gains)  # K
    sorted_gains = lists.sort(gains)
    # The value with rank g from below has rank K + 1 - g from above, which is the divisor of its position.
    weights = 1 / (np.repeat(distinct_counts, lists.sizes) + 1 - sorted_gains)
    # Ranked arrays begin with the last rank, so sorted gains are the best order and -sort(-gains) the worst.
    lowest, highest = -lists.dot(lists.sort(-gains), weights), lists.dot(sorted_gains, weights)
    excess = actual_sum(lists, gains, Weights(weights, decreasing=True), ties) - lowest
    is_undefined = distinct_counts < 2
    return lists.to_output(excess / np.where(is_undefined, 1, highest - lowest), is_undefined, nan)
