"""The standard deviation of the difference of two rankers of the same items."""

from math import inf

import numpy as np
from scipy.special import ndtri

from ndcg_companion.checks import fail_if, raise_if
from ndcg_companion.measures.cutoffs import Cutoff, cutoff
from ndcg_companion.measures.discounts import Discount

from .exact import whole_number
from .fluctuations import (
    above_each,
    check_variance,
    depth_grid,
    discount_moments,
    ideal_change,
    ideal_kink,
    on_grid,
    shift_effect,
)
from .limits import known_decay
from .pairs import Pair, check_pair, refuse_tie

# The series of a correlated coupling ends where powers of the correlation are below this number.
_NEGLIGIBLE = 1e-12


def dcg_gap_standard_deviation(pair: Pair, discount: Discount, n: int, k: Cutoff = None) -> float:
    """Return the standard deviation of ``h = DCG(f0) - DCG(f1)`` for n items.

    The mean of h is `expected_gap`. An item at depths u and v changes h by
    ``Z = Y (b(u) - b(v)) + A0(u) - A1(v)``. Here ``b(u) = E[D(R); R <= k]`` with ``R = 1 + Bin(n - 1, u)`` is
    the mean discount of the item, and ``A_i(u) = integral_u^1 g_i db`` is its effect on the items below it.
    Then

        sd(h)**2  ~  n [Var Z + sum over both rankers of E[g_i(U) (1 - g_i(U)) Var(D(R) 1(R <= k) | U)]].

    Given the order of one ranker, the two terms together contain the exact variance due to labels, as in
    `ndcg_standard_deviation`. For items of a shared top, the second term is 0. The standard deviation depends
    on the coupling only through the distribution of (U, V, Y).

    Parameters
    ----------
    pair : Pair
        The two rankers.
    discount : Log, Power, Zipf, Geometric or Linear
        A discount with a known decay.
    n : int
        Number of items; the computing time hardly depends on it.
    k : None, int, float or callable
        Cut-off: the whole list, a number of positions, a fraction of the list or a function of n.

    Returns
    -------
    float
        The relative error decreases like 1/n (about 1% at n = 100), except for a correlated coupling with rho
        > 0. For such a coupling the result is too large as long as the two tops have common items. The
        proportion of common items decreases slowly, like ``n ** -((1 - rho) / (1 + rho))``. At n = 100, the
        result is too large by 4% for rho = 0.8 and by 20% for rho = 0.95.

    Raises
    ------
    ValueError
        If the discount is of another kind, if n is not a whole number >= 1, if k is not a cut-off, or if the
        cut-off is within a shared top, where the rankers tie. For `Geometric`, the error is also raised if
        the labels at both tops are certain or the top is shared, because the standard deviation is then
        exponentially small.

    Notes
    -----
    The estimate of the relative error covers neither the two cases listed for `ndcg_standard_deviation` nor a
    cut-off just below a shared top.

    If h is nearly normal (Log, or Power with beta <= 1/2, and k not constant), f0 is ahead with probability
    ``Phi(E h / sd h)``. If single items determine which ranker is ahead, `winning_probability` returns the
    limit of the probability.

    References
    ----------
    Hájek's projection for linear rank statistics; the variance is not given in Wang et al. 2013.

    Examples
    --------
    >>> from ndcg_companion.measures import Log
    >>> from ndcg_companion.theory import Pair, expected_gap
    >>> pair = Pair("poly:0.52:-0.04", "poly:0.48:0.04")
    >>> ratio = lambda n: expected_gap(pair, Log(), n) / dcg_gap_standard_deviation(pair, Log(), n)
    >>> [round(ratio(n), 3) for n in (100, 10**5)]
    [0.199, 6.738]
    """
    variance, _ = _variance_and_ideal(pair, discount, n, k, normalised=False)
    return float(np.sqrt(variance))


def gap_standard_deviation(pair: Pair, discount: Discount, n: int, k: Cutoff = None) -> float:
    """Return the standard deviation of two rankers' NDCG difference for n items.

    The rankers have the same ideal DCG I. Let c = E h / E I. To leading order, the deviation of h / I from c
    is ``(h - c I) / E I``. A relevant item changes I by ``E[D(1 + B); B < k]``, where B has the distribution
    binomial(n - 1, p). The remaining terms and the parameters are those of `dcg_gap_standard_deviation`.

    Returns
    -------
    float
        The relative error decreases like 1/n (a few per cent at n = 100). To this order, the mean of the NDCG
        difference is ``expected_gap / expected_ideal_dcg``.

    Raises
    ------
    ValueError
        If ``n p <= 1``, or if `dcg_gap_standard_deviation` would raise it.

    Examples
    --------
    >>> from ndcg_companion.measures import Log
    >>> from ndcg_companion.theory import Pair
    >>> round(gap_standard_deviation(Pair("poly:0.7:-0.4", "poly:0.3:0.4"), Log(), 10**4), 6)
    0.002765
    """
    check_pair(pair)
    fail_if(
        not whole_number("n", n, 1) * pair.p > 1.0,
        f"n={n!r}: expected n * p > 1 where p = P(Y = 1) = {pair.p:.6g}",
    )
    variance, ideal = _variance_and_ideal(pair, discount, n, k, normalised=True)
    return float(np.sqrt(variance) / ideal)


def _variance_and_ideal(pair, discount, n, k, normalised):
    """Return the variance of ``h - c I``, with c = E h / E I or 0, and the mean of I."""
    check_pair(pair)
    n = whole_number("n", n, 1)
    given_k, k = k, cutoff(k, n)
    share = pair.share or 0.0
    refuse_tie(share and k <= share * n, pair, given_k)
    raise_if(
        share and known_decay(discount).decay == inf,
        "discount",
        discount,
        "another discount for a shared top, below which Geometric vanishes",
    )
    check_variance(discount, pair.noise_at_depth, n)
    u, du = depth_grid(n, (*pair.depths, pair.p), k)
    mean_discounts, rank_variance = discount_moments(discount, n, u, k)
    g0, g1 = (on_grid(ranker.mean_at_depth, u) for ranker in (pair.population0, pair.population1))
    ideal = n * np.sum(du * mean_discounts * (u < pair.p))
    ratio = n * np.sum(du * on_grid(pair.gap_at_depth, u) * mean_discounts) / ideal if normalised else 0.0
    shift_effects0, shift_effects1 = shift_effect(g0, mean_discounts), shift_effect(g1, mean_discounts)
    # Row 0 is for irrelevant and row 1 for relevant items. An item with the label Y changes h - c I by
    # effects0[Y](u) - effects1[Y](v), where effects0 = Y b(u) + A0(u) - c Y b(p) at its depth u in the first
    # list, and effects1 = Y b(v) + A1(v) at its depth v in the second. Here b is the mean discount at
    # a depth, A_i(u) = integral_u^1 g_i db is the effect on the items below, and c is the ratio.
    label_probabilities0, label_probabilities1 = np.array([1.0 - g0, g0]), np.array([1.0 - g1, g1])
    effects0 = np.array(
        [shift_effects0, shift_effects0 + mean_discounts - ratio * ideal_change(discount, n, k, pair.p)]
    )
    effects1 = np.array([shift_effects1, shift_effects1 + mean_discounts])
    # Both parts are centred, so the variance is the expected square of their difference.
    effects0 -= np.sum(du * label_probabilities0 * effects0)
    effects1 -= np.sum(du * label_probabilities1 * effects1)
    # Within a shared top, the two depths of an item are equal.
    shared_du, unshared_du = du * (u < share), du * (u > share)
    variance = np.sum(shared_du * label_probabilities0 * (effects0 - effects1) ** 2)
    for label in (0, 1):
        for weight, density0, density1 in _products(
            pair, label_probabilities0[label], label_probabilities1[label], unshared_du
        ):
            mass0, mean0, square0 = _mass_and_moments(unshared_du * density0, effects0[label])
            mass1, mean1, square1 = _mass_and_moments(unshared_du * density1, effects1[label])
            # Add E[(effects0 - effects1)**2] for independent depths with these two densities.
            variance += weight * (square0 * mass1 - 2.0 * mean0 * mean1 + mass0 * square1)
    # The label noise that the projection misses, E[g (1 - g) Var(D(R) 1(R <= k) | U)] for both rankers.
    variance += np.sum(unshared_du * on_grid(pair.noise_at_depth, u) * rank_variance)
    steps = pair.population0.ideal_steps
    return max(0.0, n * variance + ratio**2 * ideal_kink(discount, n, k, steps)), ideal


def _mass_and_moments(density, values):
    """Return the total mass, first moment and second moment of values under a density."""
    return [np.sum(density * values**order) for order in range(3)]


def _products(pair, label_probability0, label_probability1, unshared_du):
    """Yield the joint density of the two depths of items with one label, as weighted products.

    Each triple that is yielded consists of a weight and one density for each ranker. The density of
    correlated normal variables is a series in powers of the correlation (Mehler). It is the sum of
    ``rho ** k h_k(x) h_k(y)``, where the Hermite polynomials h_k are orthonormal for the normal distribution.
    """
    mass = np.sum(unshared_du * label_probability0)  # the probability of this label
    if pair.coupling == "additive":
        # The density at the depths u and v is probability0(u) + probability1(v) - mass.
        yield from ((1.0, label_probability0, 1.0), (1.0, 1.0, label_probability1), (-mass, 1.0, 1.0))
    elif mass > 0.0:
        # In the normal scores x and y of the depths u and v, the density is
        # probability0(u) * probability1(v) / mass * sum over k of rho**k h_k(x) h_k(y).
        normal_score0 = _normal_score(label_probability0, unshared_du)
        normal_score1 = _normal_score(label_probability1, unshared_du)
        previous_densities, densities = (
            np.zeros((2, *normal_score0.shape)),
            np.array([label_probability0, label_probability1]),
        )
        # Recursion: sqrt(k + 1) h_(k+1)(x) = x h_k(x) - sqrt(k) h_(k-1)(x); the densities contain h_k.
        k, weight = 0, 1.0 / mass
        while abs(weight) * mass > _NEGLIGIBLE:
            yield weight, *densities
            next_densities = (
                np.array([normal_score0, normal_score1]) * densities - np.sqrt(k) * previous_densities
            ) / np.sqrt(k + 1.0)
            previous_densities, densities = densities, next_densities
            k, weight = k + 1, weight * pair.rho


def _normal_score(label_probability, unshared_du):
    """Return the normal quantile of the proportion of items above each node of a `depth_grid`.

    Only the items with one label are considered, whose probability is given at each node.
    """
    mass_above = above_each(label_probability, unshared_du)
    # At 0 and at 1 the quantile would be infinite.
    return ndtri(np.clip(mass_above / np.sum(unshared_du * label_probability), 1e-300, 1.0 - 1e-16))
