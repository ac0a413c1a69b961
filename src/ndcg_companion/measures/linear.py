"""Linear NDCG and the pair-wise loss that its DCG error is (Jin and Geng)."""

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
    """NDCG with the linear discount (Jin and Geng, equation 1).

    The sum of ``label * (n - rank)`` as a share of its maximum.

    Parameters
    ----------
    labels, scores : array_like of shape (n,), (q, n), or (N,) with offsets
        Labels, finite and not negative; and scores.
    ties : {"average", "best", "worst", "stable"}
        Equal scores: the expectation over their random order, the highest or lowest value, or the order they
        came in.
    offsets : array_like of shape (q + 1,), optional
        List i holds the items ``offsets[i]:offsets[i + 1]``.

    Returns
    -------
    float or ndarray of shape (q,)
        nan for a list without a relevant item, and for a list of one item, whose only position counts
        nothing.

    Raises
    ------
    ValueError
        For arguments outside the above, NaN, and unequal lengths.

    Examples
    --------
    >>> linear_ndcg([1, 0, 1], [3, 2, 1])
    0.6666666666666666
    """
    return ndcg(labels, scores, discount=Linear(), ties=ties, offsets=offsets)


def pairwise_loss(
    labels: ArrayLike, scores: ArrayLike, *, ties: Ties = "average", offsets: ArrayLike | None = None
) -> float | np.ndarray:
    """Unnormalised pair-wise loss: the label gaps of all pairs that the scores put in the wrong order.

    ``R = sum over pairs with labels a < b of (b - a) * [score of b < score of a]`` (Jin and Geng, equation 4,
    which sums over grades), in O(n log n): without ties it is the ideal linear DCG minus the linear DCG
    (their theorem 3), because position r discounts by the n - r items below it, so that the DCG is the sum of
    the upper label of every pair.

    Parameters
    ----------
    labels, scores : array_like of shape (n,), (q, n), or (N,) with offsets
        Finite labels, of any sign; and scores.
    ties : {"average", "best", "worst", "stable"}
        Pairs with equal scores count half, not at all, in full, or as the order they came in says: "best" is
        the lowest loss, and "worst" the highest.
    offsets : array_like of shape (q + 1,), optional
        List i holds the items ``offsets[i]:offsets[i + 1]``.

    Returns
    -------
    float or ndarray of shape (q,)
        Exact for whole labels while ``n ** 2`` times their range is below ``2 ** 53``.

    Raises
    ------
    ValueError
        For arguments outside the above, NaN, unequal lengths, and a loss beyond the floats.

    Examples
    --------
    >>> pairwise_loss([2, 0, 1], [0.1, 0.2, 0.2], ties="worst"), pairwise_loss([2, 0, 1], [0.1, 0.2, 0.2])
    (4.0, 3.5)
    """
    check_ties(ties)
    lists = read_lists(labels, scores, offsets)
    weights, _ = position_weights(lists, Linear(), None)

    def loss(gains):
        # Half the sum of the extremes, not the mean gains of groups, whose thirds and sevenths are rounded.
        treatments = ("best", "worst") if ties == "average" else (ties,)
        misplaced = (lists.sort(gains) - ranked(lists, gains, treatment)[0] for treatment in treatments)
        return sum(lists.dot(gaps, weights) for gaps in misplaced) / len(treatments)

    return lists.to_output(
        within_floats(lists, gains_of(lists.labels, "linear").astype(float, copy=False), loss)
    )
