"""Pairs of items in the right order: Kendall's rank correlation, and the area under the ROC curve."""

from math import comb, nan
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from ndcg_companion.checks import check_choice

from .lists import read_lists
from .sums import Weights, actual_sum
from .ties import Ties, read_relevance


def kendall_tau(
    labels: ArrayLike,
    scores: ArrayLike,
    *,
    variant: Literal["a", "b", "c"] = "b",
    offsets: ArrayLike | None = None,
) -> float | np.ndarray:
    """Kendall's tau: concordant minus discordant pairs of items, as a share of the pairs.

    With C and D pairs, n items, and m the smaller number of distinct values among labels and scores: ``a``
    is ``(C - D) / (n (n - 1) / 2)`` (Katerenchuk and Rosenberg 2016); ``b`` divides by the geometric mean
    of the pairs whose labels differ and those whose scores differ; ``c`` is
    ``2 (C - D) m / (n ** 2 (m - 1))``. The variant in the poster's table of tests is ``b``.

    Parameters
    ----------
    labels, scores : array_like of shape (n,), (q, n), or (N,) with offsets
        Finite labels, of which only the order matters; and scores.
    variant : {"b", "a", "c"}
        What ties make of the denominator.
    offsets : array_like of shape (q + 1,), optional
        List i holds the items ``offsets[i]:offsets[i + 1]``.

    Returns
    -------
    float or ndarray of shape (q,)
        nan where the denominator is zero: fewer than two items, or, but for ``a``, labels or scores all
        equal.

    Raises
    ------
    ValueError
        For arguments outside the above, NaN, and unequal lengths.

    Examples
    --------
    >>> kendall_tau([1, 2, 3, 4], [1, 2, 4, 3], variant="a")
    0.6666666666666666
    """
    check_choice("variant", variant, ("a", "b", "c"))
    lists = read_lists(labels, scores, offsets)
    taus = [
        _tau(lists.labels[start : start + n], lists.scores[start : start + n], variant)
        for start, n in zip(lists.starts, lists.sizes)
    ]
    return lists.to_output(np.array(taus, dtype=float))


def _tau(labels, scores, variant):
    """Tau of one list: SciPy's for b and c; for a, C - D regained from c, whose denominator is known."""
    # When it is used: SciPy takes longer to import than the rest of this package.
    from scipy.stats import kendalltau

    n = labels.size
    if n < 2:
        return nan
    # As dense ranks: some versions of SciPy turn whole numbers into floats, which merges large neighbours.
    ranks = [np.unique(x, return_inverse=True)[1] for x in (labels, scores)]
    if variant != "a":
        return kendalltau(*ranks, variant=variant).statistic
    m = 1 + int(min(max(ranks[0]), max(ranks[1])))
    excess = kendalltau(*ranks, variant="c").statistic * n**2 * (m - 1) / (2 * m) if m > 1 else 0
    return round(excess) / comb(n, 2)


def auc(
    labels: ArrayLike,
    scores: ArrayLike,
    *,
    threshold: float = 1,
    ties: Ties = "average",
    offsets: ArrayLike | None = None,
) -> float | np.ndarray:
    """Area under the ROC curve: the share of pairs of a relevant item and another one that it is above.

    With averaged ties, as in scikit-learn, a tied pair counts a half.

    Parameters
    ----------
    labels, scores, threshold, ties, offsets
        As for `average_precision`.

    Returns
    -------
    float or ndarray of shape (q,)
        nan for a list all or none of whose items are relevant.

    Raises
    ------
    ValueError
        For arguments outside the above, NaN, and unequal lengths.

    Examples
    --------
    >>> auc([1, 0, 1], [3, 2, 1])
    0.5
    """
    lists, relevant = read_relevance(labels, scores, offsets, threshold, ties)
    total = lists.fold(np.add, relevant)
    # How many items stand below each relevant one is a DCG; of these pairs the relevant ones go.
    below = np.repeat(lists.sizes, lists.sizes) - lists.ranks.astype(float)
    ordered = actual_sum(lists, relevant, Weights(below, True), ties) - total * (total - 1) / 2
    pairs = total * (lists.sizes - total)
    return lists.to_output(ordered / np.maximum(pairs, 1), pairs == 0, nan)
