"""Bounds for finite lists: the error of limits as approximations, and the probability of a wrong sign."""

from math import inf, log, sqrt

import numpy as np

from ndcg_companion.checks import check_float
from ndcg_companion.measures import Power
from ndcg_companion.measures.cutoffs import cutoff
from ndcg_companion.measures.discounts import Discount, at_ranks

from .exact import discounts, expected_gap, stretch_starts, whole_number
from .limits import list_share
from .pairs import Pair

# The number of ranks that are summed one by one; lower ranks are summed in stretches.
_FIRST = 1 << 22


def dcg_error_bound(beta: float, n: int, k: float | None = None) -> float:
    """Return a bound for the distance of expected DCG from its leading term.

    The function bounds ``abs(E DCG@k - n ** (1 - beta) * integral_0^c G(u) u ** -beta du)`` for any curve G.
    Given the depth T of the next item, the first r items are uniform on (0, T), and T has the distribution
    Beta(r + 1, n - r). The expected sum of their labels therefore differs from ``n integral_0^(r/n) G`` by at
    most

        e(r) = r sqrt((n - r) / (n (r - 1))),     e(1) = 1.

    By summation by parts, this difference changes DCG by at most
    ``sum_(r<k) (D(r) - D(r+1)) e(r) + D(k) e(k)``. The difference between the sum over ranks and the integral
    is at most ``(cn) ** (1-beta) / (1-beta) - (D(1) + ... + D(k))``.

    Parameters
    ----------
    beta : float
        Exponent of the discount, ``0 < beta < 1``.
    n : int
        Number of items.
    k : float, optional
        Cut-off as a fraction c of the list, in (0, 1].

    Returns
    -------
    float
        The bound for labels from 0 to 1. For other labels >= 0, multiply the bound by the highest label. The
        bound grows like ``n ** max(0, 1/2 - beta)`` (like log n for beta = 1/2), whereas DCG grows like
        ``n ** (1 - beta)``.

    Raises
    ------
    ValueError
        If an argument is invalid.

    References
    ----------
    The bound is a quantitative version of theorems 7, 13, 14 and 17 of Wang et al. 2013, which do not state
    it.

    Examples
    --------
    >>> round(dcg_error_bound(0.5, 100), 6)
    3.477927
    """
    check_float("beta", beta, lambda exponent: 0.0 < exponent < 1.0, "a number in (0, 1)")
    n, fraction = whole_number("n", n, 2), list_share(k)
    items, cutoff_rank = float(n), float(cutoff(fraction, n))
    single_ranks = int(min(cutoff_rank, _FIRST))
    # Single ranks come first, then stretches of ranks, which overestimate by at most one part in ten
    # thousand.
    starts = np.append(np.arange(1.0, single_ranks), stretch_starts(single_ranks, cutoff_rank))
    stretch_ends = np.append(starts[1:] - 1.0, cutoff_rank)
    weights = Power(beta)(starts)
    # e(r) = r / sqrt(r - 1) * sqrt((n - r) / n) for r >= 2. The first factor increases and is taken at the
    # end of a stretch; the second decreases and is taken at its start.
    label_errors = np.append(
        1.0, stretch_ends[1:] * np.sqrt((items - starts[1:]) / (items * (stretch_ends[1:] - 1.0)))
    )
    # By trapezoids, the sum of a convex function is at least its integral plus half of the end values. For
    # the ranks after m = single_ranks up to k: integral_m^k x**-beta dx + (D(k) - D(m)) / 2.
    sum_beyond = (cutoff_rank ** (1.0 - beta) - single_ranks ** (1.0 - beta)) / (1.0 - beta) + (
        weights[-1] - weights[single_ranks - 1]
    ) / 2.0
    # (c n)**(1-beta) / (1-beta) - (D(1) + ... + D(k))
    integral_excess = (
        (fraction * items) ** (1.0 - beta) / (1.0 - beta) - weights[:single_ranks].sum() - sum_beyond
    )
    # sum over r < k of (D(r) - D(r+1)) e(r); a matrix product would depend on the number of threads.
    by_parts = (-np.diff(weights) * label_errors[:-1]).sum()
    return float(by_parts + weights[-1] * label_errors[-1] + max(integral_excess, 0.0))


def failure_bound(pair: Pair, discount: Discount, n: int) -> float:
    """Return an upper bound for the probability of a wrong sign at n items.

    The sign is wrong if the ranker that is ahead on average is not ahead on the list. Let ``G = |E h|``. The
    proof truncates the discount at m, the largest rank with ``S(m) = D(1) + ... + D(m) <= G / 8``. If there
    is no such rank, m is 1, and the truncation changes nothing. If there is such a rank, the truncation
    changes h by at most S(m). A single item then changes h by at most 2 D(m), so McDiarmid's inequality gives

        P(wrong sign) <= 2 exp(-9 G**2 / (32 n D(m)**2)).

    Parameters
    ----------
    pair : Pair
        The two rankers.
    discount : callable
        A non-increasing discount >= 0.
    n : int
        Number of items.

    Returns
    -------
    float
        A probability bound, at most 1.

    Raises
    ------
    ValueError
        If n is not a whole number >= 1.

    References
    ----------
    The bound proves a step that is called trivial in the proof of theorem 8 (1) of Wang et al. 2013.

    Examples
    --------
    >>> from ndcg_companion.measures import Power
    >>> from ndcg_companion.theory import Pair
    >>> failure_bound(Pair("poly:0.7:-0.4", "poly:0.3:0.4"), Power(0.25), 1_000_000) < 1e-6
    True
    """
    n = whole_number("n", n, 1)
    gap = abs(expected_gap(pair, discount, n))
    single_ranks = min(n, _FIRST)
    weights = discounts(discount, n, single_ranks)
    discount_sums = weights.cumsum()
    if discount_sums[-1] <= gap / 8.0:
        # Further down, an upper bound for the sum is enough. Every rank gets the weight of the first rank of
        # its stretch, which overestimates by at most one part in ten thousand.
        ranks = stretch_starts(single_ranks, n)
        weights = np.broadcast_to(at_ranks(discount, ranks, n), ranks.size)
        discount_sums = discount_sums[-1] + np.append(0.0, np.cumsum(np.diff(ranks) * weights[:-1]))
    m = max(1, int(np.searchsorted(discount_sums, gap / 8.0, side="right")))
    return float(min(1.0, 2.0 * np.exp(-9.0 * gap**2 / (32.0 * n * weights[m - 1] ** 2))))


def bhattacharyya_exponent(q0: float, q1: float) -> float:
    """Return the exponent of the probability that k labels do not identify the better top.

    The exponent is ``2 log(1 / BC)``, where ``BC = sqrt(q0 q1) + sqrt((1 - q0)(1 - q1))`` is the
    Bhattacharyya coefficient of two labels. Let the labels xi_r and eta_r be independent, with
    ``P(xi_r = 1) = q0`` and ``P(eta_r = 1) = q1 < q0``. Then

        P(sum of D(r) (xi_r - eta_r) over r <= k  <=  0)  =  exp(-k (2 log(1 / BC) + o(1))).

    This is true for every slowly varying discount D, including the constant discount. The cut-off
    ``k = B log n`` therefore fails on n items with probability ``n ** (-2 B log(1 / BC) + o(1))``.

    The exponent is the limit of two rates that differ at every finite k. The *saddlepoint rate*,
    ``-min over z of log E exp(-z h) / k``, equals the exponent for a constant discount and converges to it
    from below for the log discount. The rate ``-log P / k`` of the probability itself is larger than the
    saddlepoint rate at every k, by Chernoff's bound.

    Parameters
    ----------
    q0, q1 : float
        Probabilities that an item of the first and of the second top is relevant.

    Returns
    -------
    float
        The exponent. It is infinite if one top is certainly relevant and the other is certainly irrelevant.

    Raises
    ------
    ValueError
        If an argument is not a probability.

    Examples
    --------
    >>> round(bhattacharyya_exponent(0.7, 0.3), 4)
    0.1744
    """
    for name, relevance in (("q0", q0), ("q1", q1)):
        check_float(name, relevance, lambda value: 0.0 <= value <= 1.0, "a probability, from 0 to 1")
    coefficient = sqrt(q0 * q1) + sqrt((1.0 - q0) * (1.0 - q1))
    # For equal tops, rounding may give slightly more than 1.
    return -2.0 * log(min(coefficient, 1.0)) if coefficient else inf
