"""An experiment that compares two rankers on one random list."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ndcg_companion.checks import numbers_or_none, value_error
from ndcg_companion.packing import LARGEST_SORTED_BY_INDEX, sort_packed
from ndcg_companion.simulation.sampling import sample_pair
from ndcg_companion.theory import Pair
from ndcg_companion.theory.pairs import check_pair


def gap_experiment(pair: Pair, weights: ArrayLike) -> Callable[[np.random.Generator], Any]:
    """Return an experiment for `monte_carlo`: the DCG difference on one random list.

    Parameters
    ----------
    pair : ndcg_companion.theory.Pair
        The two rankers.
    weights : array-like of shape (n,) or (d, n)
        Weight of a label at ranks 1 to n, for instance a discount that is 0 beyond a cut-off. Several rows
        stand for several discounts, which are applied to the same list.

    Returns
    -------
    callable
        ``experiment(rng)`` draws n items and returns h = DCG(first) - DCG(second): a float, or an array of
        shape (d,).

    Raises
    ------
    ValueError
        If `pair` is not a `Pair`, or `weights` is invalid.

    Examples
    --------
    >>> from ndcg_companion.measures import Log
    >>> from ndcg_companion.simulation import monte_carlo
    >>> from ndcg_companion.theory import expected_gap
    >>> pair = Pair("poly:0.6:-0.2", "poly:0.4:0.2")
    >>> experiment = gap_experiment(pair, Log()(np.arange(1, 101)))
    >>> low, high = monte_carlo(experiment, replicates=200, seed=1).interval(0.99)
    >>> bool(low < expected_gap(pair, Log(), 100) < high)
    True
    """
    check_pair(pair)
    weight_rows = numbers_or_none("weights", weights)
    if (
        weight_rows is None
        or weight_rows.ndim not in (1, 2)
        or not weight_rows.size
        or not np.isfinite(weight_rows).all()
    ):
        raise value_error("weights", weights, "finite numbers, one for each rank, or rows of them")
    n = weight_rows.shape[-1]

    def experiment(rng):
        items = sample_pair(pair, n, seed=rng)
        labels = items.labels.astype(np.int8)
        # h is the sum over ranks of weight times (label of the first ranker - label of the second).
        return weight_rows @ (_labels_by_rank(labels, items.scores0) - _labels_by_rank(labels, items.scores1))

    return experiment


def _labels_by_rank(labels, scores):
    """Return the labels, 0 or 1, in the order of decreasing score."""
    can_pack = labels.size > LARGEST_SORTED_BY_INDEX
    packed = sort_packed(scores[None], labels.view(np.uint8)[None]) if can_pack else None
    if packed is None:
        return labels[np.argsort(-scores)]
    labels_by_increasing_score, _ = packed
    return labels_by_increasing_score.view(np.int8)[::-1]
