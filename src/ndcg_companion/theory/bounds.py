"""Bounds at a finite number of items: how far expectations are from their limits, and how rare failure is."""

from math import inf, log, sqrt

import numpy as np

from ndcg_companion.checks import check_float
from ndcg_companion.measures import Power
from ndcg_companion.measures.cutoffs import cutoff
from ndcg_companion.measures.discounts import Discount, at_ranks

from .exact import discounts, expected_gap, stretch_starts, whole_number
from .limits import list_share
from .pairs import Pair

# So many ranks are summed one by one.
_FIRST = 1 << 22


def dcg_error_bound(beta: float, n: int, k: float | None = None) -> float:
    """Bound on ``abs(E DCG@k - n ** (1 - beta) * integral_0^c G(u) u ** -beta du)``, whatever the curve G is.

    The first r items, given the depth T of the next one, are uniform on (0, T), and T is Beta(r + 1, n - r).
    So the expected sum of their labels differs from ``n integral_0^(r/n) G`` by at most

        e(r) = r sqrt((n - r) / (n (r - 1))),     e(1) = 1,

    and summation by parts makes of this at most ``sum_(r<k) (D(r) - D(r+1)) e(r) + D(k) e(k)`` for DCG. What
    is then left of the sum over ranks beside the integral is at most
    ``(cn) ** (1-beta) / (1-beta) - (D(1) + ... + D(k))``.

    Parameters
    ----------
    beta : float
        Exponent of the discount, ``0 < beta < 1``.
    n : int
        Number of items.
    k : float, optional
        The cut-off as a share c of the list, in (0, 1].

    Returns
    -------
    float
        For labels from 0 to 1; in proportion for others, none of them negative. It grows like
        ``n ** max(0, 1/2 - beta)`` (with log n at 1/2), against ``n ** (1 - beta)`` of DCG itself.

    Raises
    ------
    ValueError
        For other arguments.

    References
    ----------
    Makes theorems 7, 13, 14 and 17 of Wang et al. 2013 quantitative; not stated there.

    Examples
    --------
    >>> round(dcg_error_bound(0.5, 100), 6)
    3.477927
    """
    check_float("beta", beta, lambda exponent: 0.0 < exponent < 1.0, "a number in (0, 1)")
    n, share = whole_number("n", n, 2), list_share(k)
    items, last = float(n), float(cutoff(share, n))
    first = int(min(last, _FIRST))
    # Every rank, and further down stretches of them, together at most a part in ten thousand too much.
    starts = np.append(np.arange(1.0, first), stretch_starts(first, last))
    stretch_ends = np.append(starts[1:] - 1.0, last)
    weights = Power(beta)(starts)
    # e(r) with r taken at the end of the stretch where it increases and at the start where it decreases.
    counts = np.append(
        1.0, stretch_ends[1:] * np.sqrt((items - starts[1:]) / (items * (stretch_ends[1:] - 1.0)))
    )
    # Trapezoids over a convex function are too large: its sum is at least its integral and half the ends.
    beyond = (last ** (1.0 - beta) - first ** (1.0 - beta)) / (1.0 - beta) + (
        weights[-1] - weights[first - 1]
    ) / 2.0
    cells = (share * items) ** (1.0 - beta) / (1.0 - beta) - weights[:first].sum() - beyond
    # Not a product of matrices, which would depend on the number of threads.
    by_parts = (-np.diff(weights) * counts[:-1]).sum()
    return float(by_parts + weights[-1] * counts[-1] + max(cells, 0.0))


def failure_bound(pair: Pair, discount: Discount, n: int) -> float:
    """Upper bound on the probability that the ranker ahead on average is not ahead at n items.

    Truncate the discount at m, the largest with ``S(m) = D(1) + ... + D(m) <= G / 8``, ``G = |E h|`` (at 1 if
    there is none, which changes nothing). That moves h by at most S(m), and then one item changes h by at
    most 2 D(m), so McDiarmid's inequality gives

        P(wrong sign) <= 2 exp(-9 G**2 / (32 n D(m)**2)).

    Parameters
    ----------
    pair : Pair
    discount : callable
        Decreasing, not negative.
    n : int
        Number of items.

    Returns
    -------
    float
        At most 1.

    Raises
    ------
    ValueError
        Unless n is a whole number >= 1.

    References
    ----------
    Fills in "trivially" in the proof of Wang et al. 2013, theorem 8 (1).

    Examples
    --------
    >>> from ndcg_companion.measures import Power
    >>> from ndcg_companion.theory import Pair
    >>> failure_bound(Pair("poly:0.7:-0.4", "poly:0.3:0.4"), Power(0.25), 1_000_000) < 1e-6
    True
    """
    n = whole_number("n", n, 1)
    gap = abs(expected_gap(pair, discount, n))
    count = min(n, _FIRST)
    weights = discounts(discount, n, count)
    sums = weights.cumsum()
    if sums[-1] <= gap / 8.0:
        # Further down no sum is needed, only one that is at least as large: every rank counts like the first
        # of its stretch, which is at most one part in ten thousand too much.
        ranks = stretch_starts(count, n)
        weights = np.broadcast_to(at_ranks(discount, ranks, n), ranks.size)
        sums = sums[-1] + np.append(0.0, np.cumsum(np.diff(ranks) * weights[:-1]))
    m = max(1, int(np.searchsorted(sums, gap / 8.0, side="right")))
    return float(min(1.0, 2.0 * np.exp(-9.0 * gap**2 / (32.0 * n * weights[m - 1] ** 2))))


def bhattacharyya_exponent(q0: float, q1: float) -> float:
    """The exponent ``2 log(1 / BC)`` at which k labels of either top fail to name the better one.

    With ``BC = sqrt(q0 q1) + sqrt((1 - q0)(1 - q1))``, the Bhattacharyya coefficient of two labels, and
    independent labels xi_r, eta_r that are 1 with probability q0 > q1,

        P(sum of D(r) (xi_r - eta_r) over r <= k  <=  0)  =  exp(-k (2 log(1 / BC) + o(1)))

    for every slowly varying discount D, the constant one included. So the cut-off ``k = B log n`` fails on n
    items with probability ``n ** (-2 B log(1 / BC) + o(1))``.

    This is the limit of two rates that differ at every finite k. The *saddlepoint rate*,
    ``-min over z of log E exp(-z h) / k``, equals it for a constant discount and comes to it from below for
    the logarithm. The rate ``-log P / k`` of the probability itself is larger than the saddlepoint rate at
    every k, for Chernoff's bound is one.

    Parameters
    ----------
    q0, q1 : float
        Relevance at the two tops, between 0 and 1.

    Returns
    -------
    float
        Infinite where one top is certain to be relevant and the other certain not to be.

    Raises
    ------
    ValueError
        For what is not a probability.

    Examples
    --------
    >>> round(bhattacharyya_exponent(0.7, 0.3), 4)
    0.1744
    """
    for name, relevance in (("q0", q0), ("q1", q1)):
        check_float(name, relevance, lambda value: 0.0 <= value <= 1.0, "a probability, from 0 to 1")
    coefficient = sqrt(q0 * q1) + sqrt((1.0 - q0) * (1.0 - q1))
    # Of equal tops rounding may leave a little more than 1.
    return -2.0 * log(min(coefficient, 1.0)) if coefficient else inf
