"""Measures that count correctly ordered pairs: Kendall's tau and the area under the ROC curve."""

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
    """Return Kendall's tau, the normalised excess of concordant over discordant pairs.

    Let n be the number of items, C the number of concordant pairs, and D the number of discordant pairs. Let
    m be the number of distinct labels or of distinct scores, whichever is smaller. Variant ``a`` is
    ``(C - D) / (n (n - 1) / 2)`` (Katerenchuk and Rosenberg 2016). Variant ``b`` divides C - D by the
    geometric mean of the number of pairs whose labels differ and the number of pairs whose scores differ.
    Variant ``c`` is ``2 (C - D) m / (n ** 2 (m - 1))``. The table of tests on the poster of Katerenchuk and
    Rosenberg uses ``b``.

    Parameters
    ----------
    labels, scores : array_like of shape (n,), (q, n), or (N,) with offsets
        Finite labels, of which only the order matters, and scores.
    variant : {"b", "a", "c"}
        The formula to use; the formulas differ in their denominators and therefore in the treatment of ties.
    offsets : array_like of shape (q + 1,), optional
        List i consists of the items ``offsets[i]:offsets[i + 1]``.

    Returns
    -------
    float or ndarray of shape (q,)
        nan if the denominator is zero. This happens if there are fewer than two items and, except for variant
        ``a``, if all labels or all scores are equal.

    Raises
    ------
    ValueError
        If an argument is invalid, a value is NaN, or the lengths differ.

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
    """Return tau of one list; SciPy computes variants b and c, and variant a is derived from c."""
    # Imported here because SciPy takes longer to import than the rest of this package.
    from scipy.stats import kendalltau

    n = labels.size
    if n < 2:
        return nan
    # Dense ranks, because some versions of SciPy convert integers to floats, which merges large neighbours.
    label_ranks, score_ranks = (np.unique(values, return_inverse=True)[1] for values in (labels, scores))
    if variant != "a":
        return kendalltau(label_ranks, score_ranks, variant=variant).statistic
    m = 1 + int(min(max(label_ranks), max(score_ranks)))  # distinct labels or scores; ranks start with 0
    if m == 1:
        return 0.0
    # Variant c is 2 (C - D) m / (n**2 (m - 1)), from which the integer C - D, the excess, is recovered.
    excess = kendalltau(label_ranks, score_ranks, variant="c").statistic * n**2 * (m - 1) / (2 * m)
    return round(excess) / comb(n, 2)


def auc(
    labels: ArrayLike,
    scores: ArrayLike,
    *,
    threshold: float = 1,
    ties: Ties = "average",
    offsets: ArrayLike | None = None,
) -> float | np.ndarray:
    """Return the area under the ROC curve.

    The area is the proportion of pairs of a relevant and an irrelevant item in which the relevant item ranks
    higher. If ties are averaged, a tied pair counts one half, as in scikit-learn.

    Parameters
    ----------
    labels, scores, threshold, ties, offsets
        As for `average_precision`.

    Returns
    -------
    float or ndarray of shape (q,)
        nan if all or none of the items on a list are relevant.

    Raises
    ------
    ValueError
        If an argument is invalid, a value is NaN, or the lengths differ.

    Examples
    --------
    >>> auc([1, 0, 1], [3, 2, 1])
    0.5
    """
    lists, relevant = read_relevance(labels, scores, offsets, threshold, ties)
    relevant_counts = lists.fold(np.add, relevant)
    # With R relevant items, the pairs in the right order are sum over relevant items of (items below it)
    # minus the R (R - 1) / 2 pairs of two relevant items. The sum is a DCG with the discount n - rank.
    items_below = np.repeat(lists.sizes, lists.sizes) - lists.ranks.astype(float)
    relevant_pairs = relevant_counts * (relevant_counts - 1) / 2
    ordered_pairs = actual_sum(lists, relevant, Weights(items_below, decreasing=True), ties) - relevant_pairs
    pairs = relevant_counts * (lists.sizes - relevant_counts)
    return lists.to_output(ordered_pairs / np.maximum(pairs, 1), pairs == 0, nan)
