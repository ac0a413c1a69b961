"""The probability that a ranker is ahead on long lists."""

from math import inf
from numbers import Integral

import numpy as np
from scipy.special import zeta

from ndcg_companion.checks import fail_if, raise_if
from ndcg_companion.measures.decay import KnownDecay
from ndcg_companion.measures.discounts import Discount, depends_on_n

from .curves import ROUNDING
from .exact import discounts
from .expectations import ZERO, agree, first_log_moment
from .integrals import integrate
from .laws import DiscountedSum
from .limits import cutoff_share, is_constant, known_decay, weighted_integral
from .pairs import Pair, check_pair, refuse_tie, tops


def winning_probability(pair: Pair, discount: Discount, k: float | str | None = None) -> float:
    """Return the limit of the probability that the first ranker is strictly ahead.

    The limit is taken as the number of items grows.

    Parameters
    ----------
    pair : Pair
        Two rankers whose curves are continuous at the top. If the limits of the two rankers are equal under
        ``r ** -beta``, the curves must be Hölder continuous.
    discount : Log, Power, Zipf, Geometric or Linear
        A discount with a known decay. If k is an integer, any callable of ranks is accepted.
    k : None, float, "o(n)" or int
        Cut-off: the full list, a fraction of it, any k that grows without bound but more slowly than n, or a
        constant.

    Returns
    -------
    float
        0 or 1 if the pair is consistently distinguished; otherwise accurate to 1e-9, like
        `DiscountedSum.cdf`.

    Raises
    ------
    ValueError
        If no limit is known. The limit is unknown if the rankers always tie, if labels are certain where
        their noise determines the result, if the result depends on the growth of a cut-off "o(n)", if k is a
        constant above 24 (because the sums are enumerated), or if the decay of the discount is unknown. The
        error is also raised if the accuracy of 1e-9 cannot be reached because the labels at the tops are
        nearly certain (see `DiscountedSum.cdf`).

    Notes
    -----
    Let h = DCG(f0) - DCG(f1) and Delta = g0 - g1, where g_i(u) are the curves. Let c be the cut-off divided
    by n.

    * *The limits differ*: the sign of ``integral_0^c Delta(u) u**-beta du`` determines the result almost
      surely (theorem 8, 1). For `Log`, beta = 0. If this integral vanishes, the result is determined by the
      first integral ``integral_0^c Delta(u) log(1/u)**K du`` that does not vanish (theorem 6, lemma 22).
    * *Equal limits, beta <= 1/2*: fluctuations of order ``n**(1/2-beta)``, or of the root of log n for
      beta = 1/2, exceed the mean, so the limit is 1/2. For beta = 1/2 this requires a noisy top.
    * *Equal limits, 1/2 < beta < 1*: the noise of the top and the mean gap are both of order 1, and h tends
      to ``zeta(beta) Delta(0) + sum r**-beta ((xi_r - g0(0)) - (eta_r - g1(0)))`` with independent labels
      xi_r, eta_r of the tops. Theorem 8 (2) is about this case and is false there.
    * *beta = 1, or k = o(n)*: the sign of Delta(0) determines the result, because the weight of the top grows
      without bound. For `Zipf` with Delta(0) = 0,
      ``h -> integral_0^c Delta(u)/u du + sum (xi_r - eta_r) / r``.
    * *Summable discounts and constant k*: ``h -> sum D(r) (xi_r - eta_r)``. For `Geometric` with
      ratio <= 1/2 the first rank with ``xi != eta`` determines the sign, and the limit is
      ``g0 (1-g1) / (g0 (1-g1) + g1 (1-g0))`` at u = 0. In all these cases equal tops give 1/2 by symmetry.
    * *A shared top* cancels in h. Under a power discount the remaining sum is deterministic, and under
      `Geometric` the first ranks below the shared top determine the result.
    * *Curves that agree within the cut-off* give 1/2 if the labels there are noisy.

    References
    ----------
    Wang et al. 2013, theorems 6, 8 and 10 and section 3.3, with corrections.

    Examples
    --------
    >>> from ndcg_companion.measures import Geometric, Log
    >>> from ndcg_companion.theory import Pair
    >>> pair = Pair("poly:0.7:-0.4", "poly:0.3:0.4")
    >>> winning_probability(pair, Log())
    1.0
    >>> round(winning_probability(pair, Geometric(0.5)), 12)  # 0.49 / (0.49 + 0.09)
    0.844827586207
    """
    check_pair(pair)
    if isinstance(k, Integral) and not isinstance(k, bool):
        return _winning_at_constant_cutoff(pair, discount, int(k))
    cutoff, shared_depth = cutoff_share(k), pair.share or 0.0
    checked_discount = known_decay(discount)
    beta = checked_discount.decay
    refuse_tie(shared_depth and cutoff <= shared_depth, pair, k)
    raise_if(
        cutoff == 1.0 and is_constant(checked_discount),
        "discount",
        discount,
        "a discount that decays (otherwise the rankers always tie)",
    )
    if cutoff and agree(pair, 0.0, cutoff):
        return _half_if_noisy(pair, shared_depth, cutoff)
    if beta > 1.0:
        return _winning_if_summable(pair, discount, beta, shared_depth, cutoff)
    if cutoff == 0.0:
        return _winning_at_growing_cutoff(pair)
    if beta == 1.0:
        return _winning_under_zipf(pair, discount, shared_depth, cutoff)
    # This maps a curve to the curve times the weight of its depth.
    times_weight = lambda curve: lambda u: curve(u) * checked_discount.weight(u)
    # integral_0^c Delta(u) w(u) du, with w(u) = weight(u) u**-beta
    gap = _zero_if_rounding(
        pair, lambda curve: weighted_integral(times_weight(curve), pair.depths, beta, cutoff)
    )
    if checked_discount.log_decay and (gap == 0.0 or cutoff == 1.0):
        _, gap = first_log_moment(pair, cutoff)
    if gap:
        return float(gap > 0.0)
    tops_are_certain = (
        all(q * (1.0 - q) <= ROUNDING for q in tops(pair)) and abs(pair.gap_at_depth(0.0)) > ROUNDING
    )
    # Noise and mean are then of the same order, and no distribution of this module covers that case.
    raise_if(
        beta == 0.5 and not shared_depth and tops_are_certain,
        "pair",
        pair,
        "a noisy top where limits tie at beta = 1/2",
    )
    if beta <= 0.5 or shared_depth:
        return _half_if_noisy(pair, shared_depth, cutoff)
    # h tends to a sum over the tops' labels with the mean zeta(beta) Delta(0).
    return _ahead_by_top_labels(pair, discount, zeta(beta) * float(pair.gap_at_depth(0.0)))


def noise_law(pair: Pair, discount: KnownDecay) -> DiscountedSum:
    """Return the limit distribution of ``h - E h`` if squared discounts are summable.

    >>> from ndcg_companion.measures import Power
    >>> law = noise_law(Pair("poly:0.6:-0.2", "poly:0.4:0.2"), Power(2.0))
    >>> [round(chance, 12) for chance in law.probabilities], round(law.cdf(0.0), 3)
    ([0.16, 0.48, 0.36], 0.552)
    """
    values, probabilities = _label_difference(*pair.tops)
    return DiscountedSum(discount, values, probabilities, 0.0)


def _zero_if_rounding(pair, functional):
    """Return the value of a linear functional of Delta, such as an integral, or 0 if it may be rounding."""
    value = functional(pair.gap_at_depth)
    absolute_value = functional(lambda u: np.abs(pair.gap_at_depth(u)))
    return value if abs(value) > max(ROUNDING, ZERO * absolute_value) else 0.0


def _label_difference(q0, q1):
    """Return values and probabilities of ``xi - eta`` for independent labels with means q0 and q1."""
    return (-1.0, 0.0, 1.0), (q1 * (1 - q0), q0 * q1 + (1 - q0) * (1 - q1), q0 * (1 - q1))


def _refuse_certain_labels(are_certain, pair):
    """Raise ValueError if the labels are certain where their noise would determine the result."""
    raise_if(are_certain, "pair", pair, "noisy labels (without noise the curves do not determine the result)")


def _half_if_noisy(pair, start, stop):
    """Return 1/2, by symmetry or a central limit theorem; both require noise between the depths."""
    noise = integrate(pair.noise_at_depth, pair.depths_between(start, stop), tolerance=1e-9)
    _refuse_certain_labels(noise <= ROUNDING, pair)
    return 0.5


def _ahead_by_top_labels(pair, discount, mean=None, depth=0.0):
    """Return ``P(T > 0)`` for T, a discounted sum of differences of the tops' independent labels.

    The tops are the curves' values at the given depth. If ``mean`` is given, it replaces the mean of T.
    """
    values, probabilities = _label_difference(*tops(pair, depth))
    # The probabilities that a label of the first ranker is below, equal to or above one of the second.
    p_behind, p_equal, p_ahead = probabilities
    _refuse_certain_labels(p_equal > 1.0 - ROUNDING and abs(mean or 0.0) <= ROUNDING, pair)
    if mean is None and abs(p_behind - p_ahead) <= ROUNDING * (1.0 - p_equal):
        return 0.5  # by symmetry
    return 1.0 - DiscountedSum(discount, values, probabilities, mean).cdf(0.0)


def _winning_if_summable(pair, discount, beta, shared_depth, cutoff):
    """Return the `winning_probability` under a discount with a finite sum."""
    if shared_depth and beta < inf:
        # Only items below the shared top contribute: integral Delta(u) u**-beta du, up to a constant factor.
        depths_below_top = pair.depths_between(shared_depth, cutoff)
        gap = _zero_if_rounding(
            pair, lambda curve: integrate(lambda u: curve(u) * (u / shared_depth) ** -beta, depths_below_top)
        )
        return float(gap > 0.0) if gap else _half_if_noisy(pair, shared_depth, cutoff)
    # Below a shared top, the weights are again geometric. ROUNDING selects the correct side of the break.
    depth = shared_depth + ROUNDING if shared_depth else 0.0
    q0, q1 = tops(pair, depth)
    # For ratios up to 1/2, a rank outweighs all later ranks, so the first unequal labels decide:
    # q0 (1 - q1) / (q0 (1 - q1) + q1 (1 - q0)).
    if discount.ratio and discount.ratio <= 0.5:
        p_ahead, p_behind = q0 * (1.0 - q1), q1 * (1.0 - q0)
        _refuse_certain_labels(p_ahead + p_behind <= ROUNDING, pair)
        return p_ahead / (p_ahead + p_behind)
    return _ahead_by_top_labels(pair, discount, depth=depth)


def _winning_at_growing_cutoff(pair):
    """Return the `winning_probability` for growing cut-offs k = o(n); it depends on the tops alone."""
    gap = float(pair.gap_at_depth(0.0))
    if abs(gap) > ROUNDING:
        return float(gap > 0.0)
    first_break = pair.depths[1]
    fail_if(
        not agree(pair, 0.0, first_break),
        "k='o(n)': expected curves that differ at the top or agree near it; else the growth of k matters",
    )
    return _half_if_noisy(pair, 0.0, first_break)


def _winning_under_zipf(pair, discount, shared_depth, cutoff):
    """Return the `winning_probability` under 1/r; the tops, the curves below or the noise determine it.

    The two rankers agree down to ``shared_depth``, a proportion of the list.
    """
    gap_at_top = 0.0 if shared_depth > 0 else float(pair.gap_at_depth(0.0))
    if abs(gap_at_top) > ROUNDING:
        return float(gap_at_top > 0.0)
    # integral Delta(u) / u du below the shared top
    depths = pair.depths_between(shared_depth, cutoff)
    gap = _zero_if_rounding(pair, lambda curve: integrate(lambda u: curve(u) / u, depths))
    if shared_depth == 0:
        return _ahead_by_top_labels(pair, discount, gap)
    return float(gap > 0.0) if gap else _half_if_noisy(pair, shared_depth, cutoff)


def _winning_at_constant_cutoff(pair, discount, k):
    """Return the `winning_probability` at a constant k, by enumeration of sums.

    Sums over odd and over even ranks are enumerated separately.
    """
    refuse_tie(pair.share, pair, k)
    raise_if(depends_on_n(discount), "discount", discount, "a function of the rank alone")
    raise_if(not 1 <= k <= 24, "k", k, "a constant cut-off from 1 to 24")
    values, probabilities = _label_difference(*tops(pair))
    weights = discounts(discount, k)

    def enumerate_sums(rank_weights):
        """Return all sums of independent values times the weights, in order, with their probabilities."""
        sums, chances = np.zeros(1), np.ones(1)
        for weight in rank_weights:
            sums = np.add.outer(sums, weight * np.array(values)).ravel()
            chances = np.multiply.outer(chances, probabilities).ravel()
        order = np.argsort(sums)
        return sums[order], chances[order]

    odd_sums, odd_chances = enumerate_sums(weights[::2])
    even_sums, even_chances = enumerate_sums(weights[1::2])
    # The first ranker is ahead if the even sum exceeds minus the odd sum; the positions are those of the
    # first such even sums. Sums that are mathematically equal, such as 1 = 1/2 + 1/3 + 1/6, must count as
    # ties.
    positions = np.searchsorted(even_sums, -odd_sums + 1e-12 * weights.sum(), side="right")
    # For each position, the probability of this and all larger even sums; 0 beyond the last.
    chances_of_larger = np.concatenate([np.cumsum(even_chances[::-1])[::-1], [0.0]])
    return float(odd_chances @ chances_of_larger[positions])
