"""Exact expectations and extremes of DCG at a finite number of items."""

from math import inf
from numbers import Integral

import numpy as np

from ndcg_companion.measures import Log
from .integrals import integrate


def whole_number(name, value, lowest):
    number = isinstance(value, (Integral, float, np.floating)) and not isinstance(value, bool)
    if not (number and value == value // 1 and lowest <= value < inf):
        raise ValueError(f"{name}={value!r}: expected a whole number >= {lowest}")
    return int(value)


def discounts(discount, n):
    """The discounts of ranks 1 to n, whether or not the discount needs n."""
    ranks = np.arange(1, n + 1)
    values = discount(ranks, n) if getattr(discount, "needs_n", False) else discount(ranks)
    return np.broadcast_to(np.asarray(values, dtype=float), n)


def binomial_mean(values, u):
    """``E values[B]`` with B binomial(len(values) - 1, u): the Bernstein polynomial of the values.

    The probabilities are built up from their ratios and normalised by their sum; differences of log-gamma functions
    would lose a digit for every power of ten in n.
    """
    trials = len(values) - 1
    if not 0.0 < u < 1.0:
        return values[0] if u <= 0.0 else values[trials]
    # Probabilities beyond nine standard deviations (forty where the binomial is Poisson-like) are below 1e-18.
    reach = 9.0 * np.sqrt(trials * u * (1.0 - u)) + 40.0
    first, last = int(max(0.0, trials * u - reach)), int(min(trials, trials * u + reach))
    k = np.arange(first, last)
    log_ratios = np.log((trials - k) / (k + 1.0)) + (np.log(u) - np.log1p(-u))
    log_odds = np.concatenate([[0.0], np.cumsum(log_ratios)])
    weights = np.exp(log_odds - log_odds.max())
    return weights @ values[first : last + 1] / weights.sum()


def mean_dcg(curve, depths, discount, n):
    """``n integral_0^1 curve(u) E D(1 + Bin(n - 1, u)) du``, for the mean label (or a difference of two) at depth u."""
    weights = discounts(discount, n)
    doubling = 2.0 ** np.arange(-2.0, np.log2(n)) / n
    points = [*depths, *doubling, *(1.0 - doubling)]

    size = float(weights.mean()) or 1.0

    def integrand(u):
        return curve(u) * np.array([binomial_mean(weights, depth) for depth in u]) / size

    return n * size * integrate(integrand, points)


def expected_dcg(population, discount, n):
    """Exact expectation of DCG for n items.

    An item at depth u has rank 1 + B, where B, the number of items above it, is binomial(n - 1, u), so

        E DCG = n integral_0^1 G(u) E D(1 + B) du,     G(u) = E[Y | depth u].

    Parameters
    ----------
    population : Population
    discount : callable
        Any discount; for a cut-off at k, ``lambda r: discount(r) * (r <= k)``.
    n : int
        Number of items; the time grows like the square root of n.

    Returns
    -------
    float
        Relative accuracy about 1e-12.

    Raises
    ------
    ValueError
        Unless n is a whole number >= 1.

    References
    ----------
    Wang et al. 2013, claim 25, with the sum over ranks carried out.

    Examples
    --------
    >>> from ndcg_companion.theory import Population
    >>> round(expected_dcg(Population("power:1"), lambda r: 1.0 * (r == 1), 9), 12)  # E max of nine uniforms
    0.9
    """
    return mean_dcg(population.mean_at_depth, population.depths, discount, whole_number("n", n, 1))


def expected_gap(pair, discount, n):
    """Exact expectation of ``h = DCG(f0) - DCG(f1)`` for n items: ``n integral Delta(u) E D(1 + Bin(n - 1, u)) du``.

    Two rankers of the same items share the ideal DCG, so the sign of h decides who is ahead. The two expectations are
    not subtracted, so a small gap keeps its digits.

    Raises
    ------
    ValueError
        Unless n is a whole number >= 1.

    Examples
    --------
    >>> from ndcg_companion.theory import Pair
    >>> round(expected_gap(Pair("poly:0.7:-0.4", "poly:0.3:0.4"), lambda r: 1.0 * (r == 1), 9), 12)
    0.32
    """
    return mean_dcg(pair.gap_at_depth, pair.depths, discount, whole_number("n", n, 1))


def expected_ideal_dcg(population, discount, n):
    """Exact expectation of the ideal DCG for n items.

    With ``S(m) = D(1) + ... + D(m)`` and M the number of items with grade y or better, which is binomial(n, P(Y >=
    y)), it is the sum of ``(y - y') E S(M)`` over neighbouring grades y > y'; for binary labels ``E S(M)``, M
    binomial(n, p).

    Raises
    ------
    ValueError
        Unless n is a whole number >= 1.

    References
    ----------
    Wang et al. 2013, definition 1; claim 27 replaces this by ``F(n p)``.

    Examples
    --------
    >>> from ndcg_companion.theory import Population
    >>> round(expected_ideal_dcg(Population("constant:0.5"), lambda r: 1.0 * (r == 1), 3), 12)
    0.875
    """
    sums = np.concatenate([[0.0], np.cumsum(discounts(discount, whole_number("n", n, 1)))])
    return float(sum(height * binomial_mean(sums, width) for height, width in population.ideal_steps))


def reverse_ideal_ndcg(n, relevant, discount=Log()):
    """NDCG of the worst ranking of n items: every relevant item below every irrelevant one. Exact sums.

    For lists too long to sum, the continuous analogue ``integral_{n-m}^n D / integral_1^m D`` with ``m = p n`` is
    ``pseudo_expectation(Population("step:P:1:0"), discount, n)``.

    Parameters
    ----------
    n : int
        Number of items.
    relevant : int
        Number of relevant items, from 1 to n.
    discount : callable

    Raises
    ------
    ValueError
        Unless n and relevant are whole numbers with ``1 <= relevant <= n``.

    References
    ----------
    Wang et al. 2013, theorem 4: the lower bound in its proof, equation 40.

    Examples
    --------
    >>> round(reverse_ideal_ndcg(3, 1), 12)
    0.5
    """
    n, relevant = whole_number("n", n, 1), whole_number("relevant", relevant, 1)
    if relevant > n:
        raise ValueError(f"relevant={relevant!r}: expected at most n={n}")
    weights = discounts(discount, n)
    return float(weights[n - relevant :].sum() / weights[:relevant].sum())
