"""Linear NDCG, and the pair-wise loss that equals its DCG deficit (Jin and Geng)."""

import numpy as np
from numpy.typing import ArrayLike

from .discounts import Linear
from .gains import gains_of
from .lists import read_lists
from .ndcg import ndcg
from .sums import position_weights, within_floats
from .ties import Ties, check_ties, ranked


def linear_ndcg(
    labels: ArrayLike, scores: ArrayLike, *, ties: Ties = "average", offsets: ArrayLike | None = None
) -> float | np.ndarray:
    """Return NDCG with the linear discount (Jin and Geng, equation 1).

    Linear NDCG is the sum of ``label * (n - rank)``, divided by the largest such sum of any order.

    Parameters
    ----------
    labels, scores : array_like of shape (n,), (q, n), or (N,) with offsets
        Finite labels >= 0, and scores.
    ties : {"average", "best", "worst", "stable"}
        Treatment of equal scores: the expectation over a random order ("average"), the highest value
        ("best"), the lowest value ("worst"), or the input order ("stable").
    offsets : array_like of shape (q + 1,), optional
        List i consists of the items ``offsets[i]:offsets[i + 1]``.

    Returns
    -------
    float or ndarray of shape (q,)
        nan for a list without a relevant item, and for a list of one item, because its only position has
        weight 0.

    Raises
    ------
    ValueError
        If an argument is invalid, a value is NaN, or the lengths differ.

    Examples
    --------
    >>> linear_ndcg([1, 0, 1], [3, 2, 1])
    0.6666666666666666
    """
    return ndcg(labels, scores, discount=Linear(), ties=ties, offsets=offsets)


def pairwise_loss(
    labels: ArrayLike, scores: ArrayLike, *, ties: Ties = "average", offsets: ArrayLike | None = None
) -> float | np.ndarray:
    """Return the sum of the label differences of all pairs in the wrong order.

    The loss is ``R = sum over pairs with labels a < b of (b - a) * [score of b < score of a]`` (Jin and Geng,
    equation 4, which sums over grades). The computation takes O(n log n) time. Without ties, the loss is the
    ideal linear DCG minus the linear DCG (their theorem 3). The reason is that the weight of position r is
    the number n - r of items below it, so the DCG is the sum, over all pairs, of the label of the upper item.

    Parameters
    ----------
    labels, scores : array_like of shape (n,), (q, n), or (N,) with offsets
        Finite labels of any sign, and scores.
    ties : {"average", "best", "worst", "stable"}
        Treatment of pairs with equal scores. Such pairs contribute half of their label difference
        ("average"), nothing ("best", the lowest loss) or their full difference ("worst", the highest loss),
        or they are ordered as in the input ("stable").
    offsets : array_like of shape (q + 1,), optional
        List i consists of the items ``offsets[i]:offsets[i + 1]``.

    Returns
    -------
    float or ndarray of shape (q,)
        The loss is exact for integer labels if ``n ** 2`` times the range of the labels is below ``2 ** 53``.

    Raises
    ------
    ValueError
        If an argument is invalid, a value is NaN, the lengths differ, or the loss overflows.

    Examples
    --------
    >>> pairwise_loss([2, 0, 1], [0.1, 0.2, 0.2], ties="worst"), pairwise_loss([2, 0, 1], [0.1, 0.2, 0.2])
    (4.0, 3.5)
    """
    check_ties(ties)
    lists = read_lists(labels, scores, offsets)
    weights, _ = position_weights(lists, Linear(), None)

    def loss(gains):
        """Return the ideal linear DCG minus the linear DCG of each list, for labels that may be scaled."""
        # The mean of the two extremes is exact, whereas mean gains of tied groups would be rounded.
        treatments = ("best", "worst") if ties == "average" else (ties,)
        ideal_gains, total = lists.sort(gains), 0
        for treatment in treatments:
            ranked_gains, _ = ranked(lists, gains, treatment)
            total = total + lists.dot(ideal_gains - ranked_gains, weights)
        return total / len(treatments)

    gains = gains_of(lists.labels, "linear").astype(float, copy=False)
    return lists.to_output(within_floats(lists, gains, loss))
