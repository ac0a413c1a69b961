"""The standard deviation of NDCG on n items."""

from functools import partial
from math import inf

import numpy as np
from numpy.polynomial import legendre
from scipy.special import ndtr

from ndcg_companion.checks import fail_if, raise_if
from ndcg_companion.measures.cutoffs import Cutoff, cutoff
from ndcg_companion.measures.discounts import Discount, at_ranks

from .curves import ROUNDING
from .exact import cutoff_points, mean_discount, mean_powers, whole_number
from .integrals import NODES, TO_COEFFICIENTS, WEIGHTS
from .limits import known_decay
from .populations import Population, check_population, ideal_sum


def _at_nodes(operation):
    """Return the matrix that maps a function's values at the nodes to those after a linear operation.

    The operation maps the Legendre coefficients of a polynomial to those of another one.
    """
    basis_values = [legendre.legval(NODES, operation(coefficients)) for coefficients in np.eye(16)]
    return np.array(basis_values).T @ TO_COEFFICIENTS


_TO_DERIVATIVES = _at_nodes(legendre.legder)
_TO_INTEGRALS = _at_nodes(partial(legendre.legint, lbnd=-1))  # from -1 to each node


def depth_grid(n, depths, k):
    """Return nodes u and weights du of Gauss's rule: ``(f(u) * du).sum()`` is the integral of f.

    Both have shape (panels, 16). The function f on [0, 1] must be smooth between the given depths. From the
    first ranks on, the widths of the panels double, up to 1/32; towards the bottom they halve. Around the
    cut-off, panels are at most a standard deviation wide.
    """
    doubling = 2.0 ** np.arange(-2.0, np.log2(float(n))) / n
    halving = 1.0 - 2.0 ** -np.arange(6.0, 31.0)
    edges = np.unique([*depths, *doubling, *halving, *np.arange(33.0) / 32.0, *cutoff_points(n, k)])
    middles, half_widths = (edges[1:] + edges[:-1])[:, None] / 2.0, np.diff(edges)[:, None] / 2.0
    return middles + half_widths * NODES, half_widths * WEIGHTS


def on_grid(function, u):
    """Return the values of a function of one-dimensional arrays, in the shape of ``u``."""
    return function(u.ravel()).reshape(u.shape)


def discount_moments(discount, n, u, k):
    """Return mean and variance of D(R) 1(R <= k) for the random rank R of an item at depth u."""
    mean, mean_square = mean_powers(discount, n, u.ravel(), k, (1, 2)).reshape(2, *u.shape)
    variance = mean_square - mean**2
    return mean, np.where(variance > ROUNDING * mean_square, variance, 0.0)


def shift_effect(labels, mean_discounts):
    """Return ``integral_u^1 G db``, the change of DCG if all items below u move down one rank.

    Parameters
    ----------
    labels, mean_discounts : ndarray of shape (panels, 16)
        The mean label ``G(u)`` and the mean discount ``b(u)`` of an item at depth u, on a `depth_grid`.
    """
    # On a panel with the variable t in [-1, 1], db = (db/dt) dt, so the width of the panel cancels.
    integrand = labels * (mean_discounts @ _TO_DERIVATIVES.T)
    panel_integrals = integrand @ WEIGHTS
    # The integral from u to 1 is the one from the start of the panel to 1, minus the one up to u.
    from_panel_start = np.cumsum(panel_integrals[::-1])[::-1]
    return from_panel_start[:, None] - integrand @ _TO_INTEGRALS.T


def above_each(density, du):
    """Return the integral of a density from the top to each node of a `depth_grid` with weights `du`."""
    # The integral over the panels above, plus the one from the start of the panel to the node. With the
    # variable t in [-1, 1], du / WEIGHTS is half of the width of a panel, that is, du/dt.
    per_panel = np.sum(density * du, axis=1)
    return np.cumsum(per_panel)[:, None] - per_panel[:, None] + (density * du / WEIGHTS) @ _TO_INTEGRALS.T


def check_variance(discount, noise_at_depth, n):
    """Raise ValueError if the decay of the discount is unknown or rounding would hide its variance.

    ``noise_at_depth(u)`` is the variance of the label at depth u.
    """
    reach = known_decay(discount).reach
    if reach < inf:
        depths_within_reach = min(1.0, reach / n) * np.linspace(0.0, 1.0, 257)
        raise_if(
            not noise_at_depth(depths_within_reach).max() > 0.0,
            "discount",
            discount,
            "noisy labels at the top (otherwise the standard deviation is exponentially small in n)",
        )


def ideal_change(discount, n, k, width):
    """Return the expected change of the ideal DCG if the best fraction ``width`` gets one more item.

    The change is ``E[S(min(M + 1, k)) - S(min(M, k))] = E[D(M + 1); M < k]`` where M has the distribution
    binomial(n - 1, width).
    """
    return mean_discount(discount, n, np.array([width]), k).item()


def ideal_kink(discount, n, k, steps):
    """Return the variance of the ideal DCG that linearisation misses.

    This variance is noticeable if a grade of the ideal list ends near the cut-off. If M is binomial(n, w),
    ``S(min(M, k))`` has a kink at M = k. If M is normal with standard deviation s and ``z = (k - n w) / s``,
    then Hájek's projection of ``min(M, k)`` has the variance ``Phi(z)**2 s**2``, which is less than the
    variance of ``min(M, k)``.
    """
    if k >= n:
        return 0.0
    discount_at_k = float(at_ranks(discount, float(k), float(n)))
    total = 0.0
    for height, width in steps:
        variance = n * width * (1.0 - width)
        z = (k - n * width) / np.sqrt(variance) if variance > 0.0 else np.inf
        if abs(z) < 9.0:  # further from the kink, the variance is negligible
            # For a standard normal Z with distribution function Phi and density phi,
            # E min(Z, z) = z (1 - Phi(z)) - phi(z), E min(Z, z)**2 = Phi(z) - z phi(z) + z**2 (1 - Phi(z)).
            probability_below, density = ndtr(z), np.exp(-z * z / 2.0) / np.sqrt(2.0 * np.pi)
            mean = z * (1.0 - probability_below) - density
            mean_square = probability_below - z * density + z * z * (1.0 - probability_below)
            # Var min(Z, z) - Phi(z)**2, in units of the variance of M times the squared discount
            missed_variance = mean_square - mean**2 - probability_below**2
            total += (height * discount_at_k) ** 2 * variance * missed_variance
    return total


def ndcg_standard_deviation(population: Population, discount: Discount, n: int, k: Cutoff = None) -> float:
    """Return the standard deviation of NDCG on n items.

    An item at depth u has the rank ``R = 1 + B``, where B has the distribution binomial(n - 1, u). The item
    changes DCG by its own discounted label, which is Y times ``b(u) = E[D(R); R <= k]``. The item also moves
    the items below it down by one rank, which changes DCG by ``A(u) = integral_u^1 G db``. The item changes
    the ideal DCG by ``psi(Y)``, the sum of ``(y - y') b(P(Y >= y))`` over the neighbouring grades y > y' with
    ``y <= Y``. Let I be the mean ideal DCG, let N be the ratio of the mean DCG to I, and let U be a uniform
    depth. Then

        sd(NDCG)**2  ~  n [Var(Y b(U) + A(U) - N psi(Y)) + E[Var(Y | U) Var(D(R) 1(R <= k) | U)]] / I**2.

    The first term is Hájek's projection, and the second term is the label noise that the projection misses.
    Given the order of the items, the two terms together contain the exact variance due to labels, even if
    single items at the top dominate.

    For `Log` the leading terms of Y b(U) and N psi(Y) cancel, and the standard deviation is of order
    ``1 / (sqrt(n) log n)``. For `Power`, the standard deviation is of order ``1 / sqrt(n)`` if beta < 1/2,
    and of order ``n**(beta-1)`` if 1/2 < beta < 1. For `Zipf`, the standard deviation is of order
    ``1 / log n``, and for summable discounts it is of order 1.

    Parameters
    ----------
    population : Population
        Distribution of labels by canonical score.
    discount : Log, Power, Zipf, Geometric or Linear
        A discount with a known decay.
    n : int
        Number of items; the computing time hardly depends on it.
    k : None, int, float or callable
        Cut-off: the whole list, a number of positions, a fraction of the list or a function of n.

    Returns
    -------
    float
        The relative error decreases like 1/n (a few per cent at n = 100). The error results from three
        linearisations: of DCG as a function of the depths of the items, of the ideal DCG, and of the ratio of
        the two. If the cut-off is at the depth at which the relevant items of the ideal list end, the error
        decreases only like ``n**(-1/2)``.

    Raises
    ------
    ValueError
        If the discount is of another kind, if n is not a whole number with ``n P(Y = top grade) > 1``, if k
        is not a cut-off, if the ideal DCG vanishes (negative grades), or, for `Geometric`, if the labels at
        the top are certain.

    Notes
    -----
    The estimate of the relative error does not cover two cases. If the curve jumps at the cut-off, within a
    few times ``sqrt(n c (1 - c))`` ranks of k = c n, an error of a few per cent remains. If all labels within
    the cut-off are certain, as in a completely relevant top, the standard deviation and the result are both
    exponentially small, but their ratio need not be close to 1.

    References
    ----------
    The method is Hájek's projection for linear rank statistics; Wang et al. 2013 do not give the variance.

    Examples
    --------
    >>> from ndcg_companion.measures import Geometric, Log
    >>> from ndcg_companion.theory import Population
    >>> round(ndcg_standard_deviation(Population("constant:0.5"), Log(), 10**4), 6)
    0.002466
    >>> round(ndcg_standard_deviation(Population("constant:0.5"), Geometric(0.5), 10**12), 6)  # sqrt(1/12)
    0.288675
    """

    def label_variance(u):
        """Return Var(Y | depth u) = E[Y**2 | depth u] - G(u)**2."""
        grades = [grade for grade in population.grades if grade]
        squares = sum(grade**2 * population.probability_at_depth(grade, u) for grade in grades)
        return squares - population.mean_at_depth(u) ** 2

    check_population(population)
    given_n, steps = n, population.ideal_steps
    n = whole_number("n", n, 1)
    k = cutoff(k, n)
    top_proportion = next((width for _, width in steps), 0.0)
    fail_if(
        not n * top_proportion > 1.0,
        f"n={given_n!r}: expected n * p > 1 where p = P(Y = top grade) = {top_proportion:.6g}",
    )
    check_variance(discount, label_variance, n)
    u, du = depth_grid(n, (*population.depths, *(width for _, width in steps)), k)
    mean_discounts, rank_variance = discount_moments(discount, n, u, k)
    labels = on_grid(population.mean_at_depth, u)
    # I = n integral Q(u) b(u) du and N = n integral G(u) b(u) du / I
    ideal = n * ideal_sum([height * np.sum(du * mean_discounts * (u < width)) for height, width in steps])
    ratio = n * np.sum(du * labels * mean_discounts) / ideal
    shift_effects = shift_effect(labels, mean_discounts)
    ideal_changes = [height * ideal_change(discount, n, k, width) for height, width in steps]
    densities, effects = [], []
    for grade in population.grades:
        # psi(y) is the sum of (height * b(width)) over the rectangles of this grade and of all lower grades,
        # whose widths are at least P(Y >= y).
        proportion = sum(population.share(higher) for higher in population.grades if higher >= grade)
        # 1e-9 tolerates rounding in the sums of proportions.
        ideal_effect = sum(
            change for change, (_, width) in zip(ideal_changes, steps) if width > proportion - 1e-9
        )
        densities.append(du * on_grid(partial(population.probability_at_depth, grade), u))
        effects.append(grade * mean_discounts + shift_effects - ratio * ideal_effect)
    densities, effects = np.array(densities), np.array(effects)
    # Var(Y b(U) + A(U) - N psi(Y)), and the label noise E[Var(Y | U) Var(D(R) 1(R <= k) | U)] that it misses
    projected_variance = np.sum(densities * (effects - np.sum(densities * effects)) ** 2)
    missed_variance = np.sum(du * on_grid(label_variance, u) * rank_variance)
    variance = n * (projected_variance + missed_variance) + ratio**2 * ideal_kink(discount, n, k, steps)
    return float(np.sqrt(max(0.0, variance)) / abs(ideal))
