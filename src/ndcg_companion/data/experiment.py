"""The four measures of the experiment of Wang et al. 2013, appendix A, on every prefix of every query."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expi

from ndcg_companion.checks import fail_if
from ndcg_companion.measures import Geometric, Log, Power
from ndcg_companion.measures.cutoffs import cutoff
from ndcg_companion.measures.discounts import Discount
from ndcg_companion.simulation import ndcg_curve

#: The discount and the cut-off of each figure.
MEASURES: dict[str, tuple[Discount, float | None]] = {
    "figure-1": (Log(), None),
    "figure-2": (Power(0.5), None),
    "figure-3": (Geometric(0.5), None),
    "figure-4": (Log(), 0.2),
}


def experiment_curves(labels: ArrayLike, scores: ArrayLike, *, sizes: ArrayLike | None = None) -> np.ndarray:
    """Return NDCG of the first n documents under each of the four `MEASURES`.

    Parameters
    ----------
    labels, scores : array_like of shape (q, n)
        Labels and scores of the documents of each query, in arrival order.
    sizes : array_like of int, shape (m,), optional
        Numbers n of documents, as for `ndcg_curve`; by default every possible number.

    Returns
    -------
    ndarray of shape (4, q, m)
        One curve for each measure and query; NaN for prefixes without a relevant document.

    Examples
    --------
    >>> experiment_curves([[0, 1, 2, 0]], [[0.9, 0.1, 0.5, 0.2]])[:, 0, 1:].round(2)
    array([[0.63, 0.67, 0.64],
           [0.71, 0.74, 0.71],
           [0.5 , 0.5 , 0.45],
           [0.  , 0.  , 0.  ]])
    """
    labels, scores = np.asarray(labels), np.asarray(scores)
    fail_if(
        labels.ndim != 2 or labels.shape != scores.shape,
        f"labels and scores of shapes {labels.shape} and {scores.shape}: expected one shape (q, n)",
    )
    discounts, cutoffs = zip(*MEASURES.values())
    curves = [ndcg_curve(*query, discount=discounts, k=cutoffs, sizes=sizes) for query in zip(labels, scores)]
    return np.stack(curves, axis=1)


def last_crossing(curve, other_curve, start=1):
    """Return the last size at which the finally better curve is not ahead.

    Only sizes from ``start`` on are considered. If the better curve is ahead at all of them, the result is 0.
    If the curves end with the same value, the result is the last size.

    >>> last_crossing([0.5, 0.6, 0.4, 0.7], [0.4, 0.5, 0.5, 0.5])
    3
    """
    gap = np.asarray(curve) - np.asarray(other_curve)
    # Position i of this array belongs to size start + i.
    positions_behind = np.flatnonzero(gap[start - 1 :] * np.sign(gap[-1]) <= 0)
    return start + int(positions_behind[-1]) if positions_behind.size else 0


def random_expectation(labels):
    """Return the expected NDCG of random scores under each of the `MEASURES`.

    Labels are fixed, and random scores put the first n documents in a uniformly random order. The expectation
    is therefore the mean label times the sum of the discounts, divided by the ideal DCG.

    Parameters
    ----------
    labels : array of int >= 0, shape (q, n)
        Labels of the documents of each query, in arrival order.

    Returns
    -------
    ndarray of shape (4, q, n)
        NaN for prefixes without a relevant document.
    """
    labels = np.asarray(labels)
    sizes = np.arange(1, labels.shape[1] + 1)
    counts_of_better = [(labels >= grade).cumsum(axis=1) for grade in range(1, int(labels.max()) + 1)]
    means = labels.cumsum(axis=1) / sizes
    expected_ndcg = np.full((len(MEASURES), *labels.shape), np.nan)
    for curves, (discount, k) in zip(expected_ndcg, MEASURES.values()):
        cutoff_ranks = np.array([cutoff(k, int(n)) for n in sizes])
        # Entry m is D(1) + ... + D(m).
        discount_sums = np.append(0.0, discount(sizes).cumsum())
        # In the ideal order, an item with label y counts in y of these sums, one for each grade from 1 to y.
        ideal = sum(discount_sums[np.minimum(counts, cutoff_ranks)] for counts in counts_of_better)
        # `curves` is a view of a row of `expected_ndcg`, which remains NaN where the ideal DCG is 0.
        np.divide(means * discount_sums[cutoff_ranks], ideal, out=curves, where=ideal > 0)
    return expected_ndcg


def continued(labels, scores, measure, sizes):
    """Return NDCG of longer lists on which the same labels are spread evenly.

    The result is the pseudo-expectation of Wang et al. 2013, definition 20, for a piecewise constant
    relevance curve. The values of this curve on the N intervals ((i - 1)/N, i/N] of depth are the labels of
    the list, best score first. The integral F(t) of the discounts is replaced by their sum,
    ``F(t) + D(t)/2 + constant``, so that the result for n = N is the NDCG of the list.

    Parameters
    ----------
    labels, scores : arrays of shape (q, N)
        Labels, of which at least one is above 0 in every query, and scores without ties.
    measure : {"figure-1", "figure-2", "figure-4"}
        Key of `MEASURES`.
    sizes : array of shape (m,), of numbers >= N
        Numbers of documents of the longer lists.

    Returns
    -------
    ndarray of shape (q, m)
    """
    discount, cutoff_fraction = MEASURES[measure]
    integral = _INTEGRALS.get(discount)
    length = labels.shape[1]
    fail_if(
        integral is None or not np.min(sizes) >= length,
        f"measure={measure!r}, sizes={sizes!r}: expected figure-1, -2 or -4, and sizes >= {length}",
    )
    ranks = np.arange(1, length + 1)
    # With S(t) = F(t) + D(t)/2 + constant, S(N) must be the sum of the first N discounts.
    constant = discount(ranks).sum() - integral(float(length)) - discount(float(length)) / 2
    interval_ends = (
        np.minimum(ranks / length, cutoff_fraction or 1.0) * np.asarray(sizes, dtype=float)[:, None]
    )
    # For n items, the i-th label has the weight S(i n / N) - S((i - 1) n / N), or less beyond the cut-off.
    weights = np.diff(integral(interval_ends) + discount(interval_ends) / 2 + constant, axis=1, prepend=0.0)
    ranked_labels = np.take_along_axis(labels, np.argsort(-scores, axis=1), axis=1)
    ideal_labels = np.sort(labels, axis=1)[:, ::-1]
    return (ranked_labels @ weights.T) / (ideal_labels @ weights.T)


# F(t) = integral_1^t D: Ei(log(1 + t)) - Ei(log 2) for 1 / log(1 + x), and 2 (sqrt(t) - 1) for x**-0.5.
# These are functions of arrays, whereas `discount_integral` of the theory takes a single number.
_INTEGRALS = {
    Log(): lambda t: expi(np.log1p(t)) - expi(np.log(2.0)),
    Power(0.5): lambda t: 2 * (np.sqrt(t) - 1),
}
