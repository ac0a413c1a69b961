"""How far NDCG strays from its mean at n items."""

from math import inf, log

import numpy as np

from ndcg_companion.measures import Log
from .decay import decay_exponent

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(16)
_DEGREES = np.arange(16)
# From values at the nodes to the integral of the interpolating polynomial from -1 to each node.
_RUNNING = np.array(
    [np.polynomial.legendre.legval(_NODES, np.polynomial.legendre.legint(row, lbnd=-1)) for row in np.eye(16)]
).T @ ((_DEGREES + 0.5)[:, None] * np.polynomial.legendre.legvander(_NODES, 15).T * _WEIGHTS)


def ndcg_standard_deviation(population, discount, n):
    """Standard deviation of NDCG at n items, to first order, by Hájek's projection.

    One item moves DCG by its own discounted label and, because it pushes the items below it down by one rank, by
    ``A(u) = integral_u^1 G dD``. It moves the ideal DCG by ``psi(Y)``, the sum of ``(y - y') D(n P(Y >= y))`` over the
    neighbouring grades y > y' with ``y <= Y``. With I the ideal DCG, N the ratio of the means and U a uniform depth,

        sd(NDCG)**2  ~  n Var(Y D(n U) + A(U) - N psi(Y)) / I**2.

    For `Log` the leading terms of Y D(n U) and N psi(Y) cancel, and the result is of order ``1 / (sqrt(n) log n)``;
    for `Power` with beta < 1/2 it is of order ``1 / sqrt(n)``. For beta > 1/2 single items at the top decide and no
    such formula holds.

    Parameters
    ----------
    population : Population
    discount : Log or Power
        Power with beta <= 1/2.
    n : float
        Number of items.

    Returns
    -------
    float
        Its error is of smaller order than itself, as n grows.

    Raises
    ------
    ValueError
        For another discount, or ``n P(Y = top grade) <= 1``.

    References
    ----------
    Hájek's projection for linear rank statistics; the variance is not given in Wang et al. 2013.

    Examples
    --------
    >>> from ndcg_companion.theory import Population
    >>> round(ndcg_standard_deviation(Population("constant:0.5"), Log(), 1e4), 6)
    0.002444
    """
    beta = decay_exponent(discount)
    if beta > 0.5:
        raise ValueError(f"discount={discount!r}: expected Log or Power(beta) with beta <= 1/2; above, the top decides")
    rectangles = population.ideal_steps
    width = rectangles[0][1] if rectangles else 0.0
    if not 1.0 < n * width < inf:
        raise ValueError(f"n={n!r}: expected n * p > 1 where p = P(Y = top grade) = {width:.6g}")
    # Panels in v = log(1/u), one unit wide, finer at the bottom of the list; beyond log n there is less than one item.
    breaks = [-log(depth) for depth in population.depths if depth > 0.0]
    widths = [-log(width) for _, width in rectangles]
    kinks = [*breaks, *widths, log(2.0 * n)]
    edges = np.unique([0.0, *2.0 ** np.arange(-30.0, 0.0), *np.arange(1.0, log(n) + 40.0), *kinks])
    middle, half = (edges[1:] + edges[:-1])[:, None] / 2.0, np.diff(edges)[:, None] / 2.0
    v = middle + half * _NODES
    u = np.exp(-v)
    items = half * _WEIGHTS * u  # du
    # Half a rank is the midpoint rule, which makes a sum over ranks an integral over x; no item has a rank below 1.
    x = np.maximum(0.5 + n * u, 1.0)
    slope = -n / ((1.0 + x) * np.log1p(x) ** 2) if isinstance(discount, Log) else -beta * n * x ** (-beta - 1.0)
    slope = np.where(x > 1.0, slope, 0.0)
    at_depth = discount(x)
    mean = population.mean_at_depth(u.ravel()).reshape(u.shape)
    moved = mean * slope * u
    per_panel = (moved * half * _WEIGHTS).sum(axis=1)
    pushed = np.concatenate([[0.0], np.cumsum(per_panel)[:-1]])[:, None] + half * (moved @ _RUNNING.T)
    ideal_label = sum(height * (u < width) for height, width in rectangles)
    ideal = np.sum(items * ideal_label * at_depth)
    ratio = np.sum(items * mean * at_depth) / ideal
    first = second = 0.0
    for grade in population.grades:
        chance = items * population.probability_at_depth(grade, u.ravel()).reshape(u.shape)
        # A grade fills the rectangles of itself and of all lower grades, those at least as wide as its own.
        share = sum(population.share(other) for other in population.grades if other >= grade)
        ideal_moved = sum(height * discount(0.5 + n * width) for height, width in rectangles if width > share - 1e-9)
        value = grade * at_depth + pushed - ratio * ideal_moved
        first, second = first + np.sum(chance * value), second + np.sum(chance * value**2)
    return float(np.sqrt(max(0.0, second - first**2) / n) / ideal)
