"""How far NDCG deviates from its mean at n items."""

from functools import partial
from math import inf

import numpy as np
from scipy.special import ndtr

from ndcg_companion.checks import fail_if, raise_if
from ndcg_companion.measures.cutoffs import Cutoff, cutoff
from ndcg_companion.measures.discounts import Discount, at_ranks

from .curves import ROUNDING
from .exact import cutoff_points, mean_discount, mean_powers, whole_number
from .integrals import NODES, TO_COEFFICIENTS, WEIGHTS
from .limits import known_decay
from .populations import Population, check_population, ideal_sum

# From values at the nodes to the derivative at the nodes, and to the integral from -1 to each node.
_SLOPE, _RUNNING = (
    np.array([np.polynomial.legendre.legval(NODES, change(row)) for row in np.eye(16)]).T @ TO_COEFFICIENTS
    for change in (np.polynomial.legendre.legder, lambda row: np.polynomial.legendre.legint(row, lbnd=-1))
)


def depth_grid(n, depths, k):
    """Nodes u and weights du of Gauss's rule, of shape (panels, 16): ``(f(u) * du).sum()`` is the integral.

    For functions on [0, 1] that are smooth between the depths given. Panels double from the first ranks on
    and halve towards the bottom, are never wider than 1/32, and a standard deviation wide or less where an
    item may be on either side of the cut-off.
    """
    doubling = 2.0 ** np.arange(-2.0, np.log2(float(n))) / n
    halving = 1.0 - 2.0 ** -np.arange(6.0, 31.0)
    edges = np.unique([*depths, *doubling, *halving, *np.arange(33.0) / 32.0, *cutoff_points(n, k)])
    middle, half = (edges[1:] + edges[:-1])[:, None] / 2.0, np.diff(edges)[:, None] / 2.0
    return middle + half * NODES, half * WEIGHTS


def on_grid(function, u):
    return function(u.ravel()).reshape(u.shape)


def discount_moments(discount, n, u, k):
    """Mean and variance, over its rank, of the discount of an item at depth u that counts up to rank k."""
    mean, square = mean_powers(discount, n, u.ravel(), k, (1, 2)).reshape(2, *u.shape)
    variance = square - mean**2
    return mean, np.where(variance > ROUNDING * square, variance, 0.0)


def pushed(labels, at_depth):
    """``integral_u^1 G db``: how much an item at depth u lowers DCG, as all below it go one rank down.

    Parameters
    ----------
    labels, at_depth : ndarray of shape (panels, 16)
        ``G(u)``, the mean label, and ``b(u)``, the mean discount of an item at depth u, on a `depth_grid`.
    """
    moved = labels * (at_depth @ _SLOPE.T)
    per_panel = moved @ WEIGHTS
    below = np.cumsum(per_panel[::-1])[::-1]
    return below[:, None] - moved @ _RUNNING.T


def above_each(density, du):
    """Integral of a density from the top to each node of a `depth_grid` with the weights `du`."""
    per_panel = np.sum(density * du, axis=1)
    return np.cumsum(per_panel)[:, None] - per_panel[:, None] + (density * du / WEIGHTS) @ _RUNNING.T


def check_variance(discount, noise_at_depth, n):
    """Refuse a discount of which too little is known, and one for which the variance is lost in rounding.

    ``noise_at_depth(u)`` is the variance of the label at depth u.
    """
    reach = known_decay(discount).reach
    if reach < inf:
        raise_if(
            not noise_at_depth(min(1.0, reach / n) * np.linspace(0.0, 1.0, 257)).max() > 0.0,
            "discount",
            discount,
            "noisy labels at the top; without noise the standard deviation is exponentially small in n",
        )


def ideal_change(discount, n, k, width):
    """What one more item of a grade that a share `width` has adds to its discounts in the ideal list.

    ``E[S(min(M + 1, k)) - S(min(M, k))] = E[D(M + 1); M < k]`` with M binomial(n - 1, width).
    """
    return mean_discount(discount, n, np.array([width]), k).item()


def ideal_kink(discount, n, k, steps):
    """What linearity leaves out of the variance of the ideal DCG when the cut-off is where a grade ends.

    With M binomial(n, w), ``S(min(M, k))`` has a kink at M = k. For M normal with standard deviation s and
    ``z = (k - n w) / s``, the projection of ``min(M, k)`` has variance ``Phi(z)**2 s**2``, itself it has
    more."""
    if k >= n:
        return 0.0
    last = float(at_ranks(discount, float(k), float(n)))
    total = 0.0
    for height, width in steps:
        variance = n * width * (1.0 - width)
        z = (k - n * width) / np.sqrt(variance) if variance > 0.0 else np.inf
        if abs(z) < 9.0:
            inside, density = ndtr(z), np.exp(-z * z / 2.0) / np.sqrt(2.0 * np.pi)
            mean, square = z * (1.0 - inside) - density, inside - z * density + z * z * (1.0 - inside)
            total += (height * last) ** 2 * variance * (square - mean**2 - inside**2)
    return total


def ndcg_standard_deviation(population: Population, discount: Discount, n: int, k: Cutoff = None) -> float:
    """Standard deviation of NDCG at n items.

    An item at depth u has rank ``R = 1 + B``, B binomial(n - 1, u). It moves DCG by its own discounted
    label, ``b(u) = E[D(R); R <= k]`` times Y, and, because it pushes the items below it down by one rank,
    by ``A(u) = integral_u^1 G db``. It moves the ideal DCG by ``psi(Y)``, the sum of
    ``(y - y') b(P(Y >= y))`` over the neighbouring grades y > y' with ``y <= Y``. With I the mean ideal
    DCG, N the ratio of the means and U a uniform depth,

        sd(NDCG)**2  ~  n [Var(Y b(U) + A(U) - N psi(Y)) + E[Var(Y | U) Var(D(R) 1(R <= k) | U)]] / I**2.

    The first term is Hájek's projection, the second what it leaves out of the noise of the labels: together,
    the variance of the labels given the order of the items is exact, also when single items at the top
    decide.

    For `Log` the leading terms of Y b(U) and N psi(Y) cancel, and the result is of order
    ``1 / (sqrt(n) log n)``; for `Power` with beta < 1/2 it is of order ``1 / sqrt(n)``, for 1/2 < beta < 1
    of order ``n**(beta-1)``; for `Zipf` it is of order ``1 / log n``, and for summable discounts of order
    1.

    Parameters
    ----------
    population : Population
    discount : Log, Power, Zipf, Geometric or Linear
    n : int
        Number of items; the time hardly depends on it.
    k : None, int, float or callable
        Cut-off: the whole list, a number of positions, a fraction of the list or a function of n.

    Returns
    -------
    float
        Its relative error decreases like 1/n (a few per cent at n = 100): what is not exact is the change of
        DCG with the depths of the items, which is linearised, and so are the ideal DCG and the ratio of the
        two. When the cut-off is where the relevant items end, the error decreases like ``n**(-1/2)``.

    Raises
    ------
    ValueError
        For another discount; unless n is a whole number with ``n P(Y = top grade) > 1`` and k a cut-off; for
        an ideal DCG that vanishes (negative grades); for `Geometric` when the labels at the top are certain.

    Notes
    -----
    Two cases are left out. A curve that jumps where the list is cut off, within a few times
    ``sqrt(n c (1 - c))`` ranks of k = c n, keeps an error of some per cent. And where all labels that count
    are certain, as in a cut-off within a faultless top, the standard deviation is exponentially small, and
    so is the result, but it need not be close.

    References
    ----------
    Hájek's projection for linear rank statistics; the variance is not given in Wang et al. 2013.

    Examples
    --------
    >>> from ndcg_companion.measures import Geometric, Log
    >>> from ndcg_companion.theory import Population
    >>> round(ndcg_standard_deviation(Population("constant:0.5"), Log(), 10**4), 6)
    0.002466
    >>> round(ndcg_standard_deviation(Population("constant:0.5"), Geometric(0.5), 10**12), 6)  # sqrt(1/12)
    0.288675
    """

    def noise(u):
        grades = [grade for grade in population.grades if grade]
        squares = sum(grade**2 * population.probability_at_depth(grade, u) for grade in grades)
        return squares - population.mean_at_depth(u) ** 2

    check_population(population)
    length, steps = n, population.ideal_steps
    n = whole_number("n", n, 1)
    k = cutoff(k, n)
    width = steps[0][1] if steps else 0.0
    fail_if(not n * width > 1.0, f"n={length!r}: expected n * p > 1 where p = P(Y = top grade) = {width:.6g}")
    check_variance(discount, noise, n)
    u, du = depth_grid(n, (*population.depths, *(width for _, width in steps)), k)
    at_depth, rank_variance = discount_moments(discount, n, u, k)
    labels = on_grid(population.mean_at_depth, u)
    ideal = n * ideal_sum([height * np.sum(du * at_depth * (u < width)) for height, width in steps])
    ratio = n * np.sum(du * labels * at_depth) / ideal
    below = pushed(labels, at_depth)
    changes = [height * ideal_change(discount, n, k, width) for height, width in steps]
    chances, values = [], []
    for grade in population.grades:
        # A grade fills the rectangles of itself and of all lower grades, those at least as wide as its own.
        share = sum(population.share(higher) for higher in population.grades if higher >= grade)
        filled = sum(change for change, (_, width) in zip(changes, steps) if width > share - 1e-9)
        chances.append(du * on_grid(partial(population.probability_at_depth, grade), u))
        values.append(grade * at_depth + below - ratio * filled)
    chances, values = np.array(chances), np.array(values)
    projected = np.sum(chances * (values - np.sum(chances * values)) ** 2)
    left_out = np.sum(du * on_grid(noise, u) * rank_variance)
    variance = n * (projected + left_out) + ratio**2 * ideal_kink(discount, n, k, steps)
    return float(np.sqrt(max(0.0, variance)) / abs(ideal))
