"""How far the difference of two rankers of the same items deviates from its mean."""

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
    pushed,
)
from .limits import known_decay
from .pairs import Pair, check_pair, refuse_tie

# The series of a correlated coupling ends where the powers of the correlation are below it.
_NEGLIGIBLE = 1e-12


def dcg_gap_standard_deviation(pair: Pair, discount: Discount, n: int, k: Cutoff = None) -> float:
    """Standard deviation of ``h = DCG(f0) - DCG(f1)`` for n items; `expected_gap` is its mean.

    An item at depths u and v moves h by ``Z = Y (b(u) - b(v)) + A0(u) - A1(v)``, where
    ``b(u) = E[D(R); R <= k]``, ``R = 1 + Bin(n - 1, u)``, is its mean discount and
    ``A_i(u) = integral_u^1 g_i db`` what it does to the items below it:

        sd(h)**2  ~  n [Var Z + sum over both rankers of E[g_i(U) (1 - g_i(U)) Var(D(R) 1(R <= k) | U)]].

    The second term completes the noise of the labels given one ranker's order, which is then exact, as in
    `ndcg_standard_deviation`; on a shared top there is none. The coupling enters through the law of (U, V, Y)
    alone.

    Parameters
    ----------
    pair : Pair
    discount : Log, Power, Zipf, Geometric or Linear
    n : int
        Number of items; the time hardly depends on it.
    k : None, int, float or callable
        Cut-off: the whole list, a number of positions, a fraction of the list or a function of n.

    Returns
    -------
    float
        Its relative error decreases like 1/n (about one per cent at n = 100). Not so for a correlated
        coupling with rho > 0: the result is too large as long as the rankers have items in common on top,
        which end slowly, like ``n ** -((1 - rho) / (1 + rho))`` (by 4 % for rho = 0.8 and n = 100, by 20 %
        for rho = 0.95 there).

    Raises
    ------
    ValueError
        For another discount; unless n is a whole number >= 1 and k a cut-off; for a cut-off within a shared
        top, where the rankers tie; for `Geometric` when the labels at both tops are certain or the top is
        shared, because then the standard deviation is exponentially small.

    Notes
    -----
    What `ndcg_standard_deviation` leaves out is left out here too, and a cut-off just below a shared top.

    Where h is nearly normal (Log, or Power with beta <= 1/2, and not k a constant), f0 is ahead with
    probability ``Phi(E h / sd h)``; where single items decide, `winning_probability` has the limit.

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
    return float(np.sqrt(_moments(pair, discount, n, k, normalised=False)[0]))


def gap_standard_deviation(pair: Pair, discount: Discount, n: int, k: Cutoff = None) -> float:
    """Standard deviation of the difference of two rankers' NDCG for n items.

    The rankers share the ideal DCG I. With c = E h / E I, the difference h / I deviates from c as
    ``(h - c I) / E I`` does, and an item that is relevant moves I by ``E[D(1 + B); B < k]``, B binomial(n -
    1, p). Otherwise, and for the parameters, see `dcg_gap_standard_deviation`.

    Returns
    -------
    float
        Its relative error decreases like 1/n (a few per cent at n = 100). The mean is, to that order,
        ``expected_gap / expected_ideal_dcg``.

    Raises
    ------
    ValueError
        Unless ``n p > 1``; otherwise as for `dcg_gap_standard_deviation`.

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
    variance, ideal = _moments(pair, discount, n, k, normalised=True)
    return float(np.sqrt(variance) / ideal)


def _moments(pair, discount, n, k, normalised):
    """Variance of ``h - c I``, with ``c = E h / E I`` when normalised and 0 otherwise, and the mean of I."""
    check_pair(pair)
    n = whole_number("n", n, 1)
    cut, k = k, cutoff(k, n)
    share = pair.share or 0.0
    refuse_tie(share and k <= share * n, pair, cut)
    raise_if(
        share and known_decay(discount).decay == inf,
        "discount",
        discount,
        "another for a shared top; nothing of it is left below",
    )
    check_variance(discount, pair.noise_at_depth, n)
    u, du = depth_grid(n, (*pair.depths, pair.p), k)
    at_depth, rank_variance = discount_moments(discount, n, u, k)
    g0, g1 = (on_grid(ranker.mean_at_depth, u) for ranker in (pair.population0, pair.population1))
    ideal = n * np.sum(du * at_depth * (u < pair.p))
    ratio = n * np.sum(du * on_grid(pair.gap_at_depth, u) * at_depth) / ideal if normalised else 0.0
    below0, below1 = pushed(g0, at_depth), pushed(g1, at_depth)
    # Of an irrelevant item and of a relevant one: the chance, and what it does to either side of h - c I.
    chances0, chances1 = np.array([1.0 - g0, g0]), np.array([1.0 - g1, g1])
    values0 = np.array([below0, below0 + at_depth - ratio * ideal_change(discount, n, k, pair.p)])
    values1 = np.array([below1, below1 + at_depth])
    values0 -= np.sum(du * chances0 * values0)
    values1 -= np.sum(du * chances1 * values1)
    shared, unshared = du * (u < share), du * (u > share)
    variance = np.sum(shared * chances0 * (values0 - values1) ** 2)
    for label in (0, 1):
        for weight, law0, law1 in _products(pair, chances0[label], chances1[label], unshared):
            mass0, mean0, square0 = (np.sum(unshared * law0 * values0[label] ** order) for order in range(3))
            mass1, mean1, square1 = (np.sum(unshared * law1 * values1[label] ** order) for order in range(3))
            variance += weight * (square0 * mass1 - 2.0 * mean0 * mean1 + mass0 * square1)
    variance += np.sum(unshared * on_grid(pair.noise_at_depth, u) * rank_variance)
    steps = pair.population0.ideal_steps
    return max(0.0, n * variance + ratio**2 * ideal_kink(discount, n, k, steps)), ideal


def _products(pair, chance0, chance1, unshared):
    """The joint law of the two depths of the items with one label, as weights of products of two densities.

    The density of normal variables with a correlation is a series in its powers (Mehler): with h_k the
    Hermite polynomials, orthonormal for the normal law, the sum of ``rho ** k h_k(x) h_k(y)``."""
    share = np.sum(unshared * chance0)
    if pair.coupling == "additive":
        yield from ((1.0, chance0, 1.0), (1.0, 1.0, chance1), (-share, 1.0, 1.0))
    elif share > 0.0:
        x, y = (_normal_score(chance, unshared) for chance in (chance0, chance1))
        before, now = np.zeros((2, *x.shape)), np.array([chance0, chance1])
        k, weight = 0, 1.0 / share
        while abs(weight) * share > _NEGLIGIBLE:
            yield weight, *now
            before, now = now, (np.array([x, y]) * now - np.sqrt(k) * before) / np.sqrt(k + 1.0)
            k, weight = k + 1, weight * pair.rho


def _normal_score(chance, unshared):
    """The normal quantile of the share of these items that lie above each node of a `depth_grid`."""
    above = above_each(chance, unshared)
    return ndtri(np.clip(above / np.sum(unshared * chance), 1e-300, 1.0 - 1e-16))
