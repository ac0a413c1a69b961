"""Limits of NDCG as the number of items grows, by one formula for theorems 4, 7, 9 and 11 to 17.

Let ``u = 1 - s`` be the depth, ``G(u) = E[Y | depth u]``, and ``Q(u)`` the label at depth u of the ideal
list. For a discount that decays like ``r ** -beta`` with ``beta < 1``, the weight of depth u on long lists is
``w(u) = u ** -beta``, and

    NDCG@cn  ->  integral_0^c G(u) w(u) du / integral_0^c Q(u) w(u) du.

For the full list, c = 1. Under a discount that decays like 1/r, or with a cut-off k = o(n), only the top of
the list matters: ``NDCG -> G(0) / Q(0)``. Under a summable discount the limit is a random variable (see
`limit_law`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import factorial
from numbers import Integral

import numpy as np

from ndcg_companion.checks import fail_if, is_real, raise_if
from ndcg_companion.measures.decay import KnownDecay
from ndcg_companion.measures.discounts import Discount

from .curves import ROUNDING
from .integrals import integrate
from .populations import Population, check_population, ideal_sum


@dataclass(frozen=True)
class Limit:
    """Limit of NDCG and the theorem that states it; ``float(limit)`` is the value."""

    value: float
    theorem: str

    def __float__(self):
        return self.value


def known_decay(discount) -> KnownDecay:
    """Return the discount; raise ValueError unless its decay is known."""
    raise_if(
        not isinstance(discount, KnownDecay),
        "discount",
        discount,
        "Log, Power, Zipf, Geometric or Linear, whose decay is known",
    )
    return discount


def decay_exponent(discount):
    """Return ``beta`` such that the discount is ``r ** -beta`` up to a slowly varying factor.

    The exponent beta is 0 for `Log`, 1 for `Zipf` and infinity for `Geometric`. A discount is summable if its
    exponent exceeds 1 (Wang et al. 2013, section 3.2, where 1 is the critical point).

    Raises
    ------
    ValueError
        If the discount is `Linear`, which depends on the length of the list, or its decay is not known.
    """
    return known_decay(discount).of_rank_alone().decay


def weighted_integral(curve, depths, beta, cutoff=1.0):
    """Return ``integral_0^cutoff curve(u) u ** -beta du`` for ``beta < 1``.

    The substitution ``v = u ** (1 - beta)`` removes the singularity at the top of the list; `depths` are the
    breaks of the curve.
    """
    # With u = v ** inverse_exponent, du = inverse_exponent * v ** (beta / (1 - beta)) dv, and the last factor
    # is u ** beta, so u ** -beta du is inverse_exponent * dv.
    inverse_exponent = 1.0 / (1.0 - beta)
    transformed_breaks = np.array([depth for depth in (*depths, 0.0, cutoff) if depth <= cutoff]) ** (
        1.0 - beta
    )
    return inverse_exponent * integrate(lambda v: curve(v**inverse_exponent), transformed_breaks)


def log_moment(curve, depths, order=1, cutoff=1.0):
    """Return ``integral_0^cutoff curve(u) log(1/u) ** order du``.

    The integral is computed by the substitution ``u = exp(-v)``; `depths` are the breaks of the curve.
    """
    # integral_0^c curve(u) log(1/u)**order du = integral_(-log c)^inf curve(exp(-v)) v**order exp(-v) dv
    v_at_cutoff = -np.log(cutoff)
    v_at_breaks = [-np.log(depth) for depth in depths if 0.0 < depth < cutoff]
    # Beyond the last point, exp(-v) v ** order is below 1e-30 of its integral for orders up to 20.
    points = [v_at_cutoff, *v_at_breaks, *(v_at_cutoff + 2.0 ** np.arange(8.0))]
    # The integral is divided by order!, so it has the magnitude of the curve for any order.
    return factorial(order) * integrate(
        lambda v: curve(np.exp(-v)) * v**order * np.exp(-v) / factorial(order), points
    )


def cutoff_share(k):
    """Return the cut-off as a fraction: 1 for the full list, and 0 for ``k = o(n)``."""
    if k is None:
        return 1.0
    if isinstance(k, str) and k.replace(" ", "") == "o(n)":
        return 0.0
    raise_if(
        isinstance(k, Integral) and not isinstance(k, bool),
        "k",
        k,
        "None, a fraction or 'o(n)'; NDCG at a constant cut-off has no limit (theorem 10)",
    )
    raise_if(
        not is_real(k, lambda fraction: 0.0 < fraction <= 1.0),
        "k",
        k,
        "None, a fraction of the list in (0, 1] or 'o(n)'",
    )
    return float(k)


def list_share(k):
    """Return the cut-off as a fraction of the list; raise ValueError for ``k = o(n)``."""
    share = cutoff_share(k)
    raise_if(share == 0.0, "k", k, "None or a fraction of the list in (0, 1]")
    return share


def is_constant(discount):
    """Return whether every rank has the same weight."""
    return discount.decay == discount.log_decay == 0.0 and not discount.needs_n


def _theorem(population, discount, cutoff):
    """Return the name of the theorem that states the limit for these arguments."""
    is_graded, is_full_length = isinstance(population.ybar, Mapping), cutoff == 1.0
    if discount.needs_n or is_constant(discount) and cutoff > 0.0:
        return "beyond the sources"
    if cutoff > 0.0 and discount.decay >= 1.0:
        is_extension = is_graded or not is_full_length
        return "Wang et al. 2013, theorem 9" + (
            " (its extension to grades or to k = cn)" if is_extension else ""
        )
    if cutoff == 0.0:
        binary_theorem, graded_theorem = 11, 15
    elif discount.log_decay:
        binary_theorem, graded_theorem = (4, 4) if is_full_length else (12, 16)
    else:
        binary_theorem, graded_theorem = (7, 14) if is_full_length else (13, 17)
    return f"Wang et al. 2013, theorem {graded_theorem if is_graded else binary_theorem}"


def limit(population: Population, discount: Discount, k: float | str | None = None) -> Limit:
    """Return the limit of NDCG as the number of items grows.

    Parameters
    ----------
    population : Population
        Binary or graded labels for which E[Y | s] is continuous. If the limit depends only on the top of the
        list, it is enough that E[Y | s] is continuous at s = 1.
    discount : Log, Power, Zipf or Linear
        A discount with a known decay and an infinite sum.
    k : None, float or "o(n)"
        Cut-off: the full list, a fraction of it in (0, 1], or any k that grows without bound but more slowly
        than n.

    Returns
    -------
    Limit
        The limit, with the attributes ``value`` and ``theorem``, the name of the theorem that states the
        limit.

    Raises
    ------
    ValueError
        If no limit is known. The message says why: the discount is summable or k is constant (theorem 10),
        the decay of the discount is unknown, the population has no relevant items, or the ideal DCG vanishes
        to leading order (negative grades).

    Notes
    -----
    Let ``G(u) = E[Y | depth u]``, and let ``Q(u)`` be the label at depth u of the ideal list. If the discount
    decays like ``r ** -beta`` with ``beta < 1``, the limit is
    ``integral_0^c G(u) u**-beta du / integral_0^c Q(u) u**-beta du`` for the cut-off k = c n. For `Log`, beta
    = 0, so on the full list the numerator and the denominator are both E[Y], and the limit is 1 for every
    ranker (theorem 4). This limit remains true with negative grades, unless E[Y] = 0. In that case the
    leading terms of DCG and ideal DCG vanish, the next terms of
    ``1 / log(n u) = 1/log n + log(1/u)/log(n)**2 + ...`` remain, and theorem 4 is false:

        NDCG -> integral G(u) log(1/u) du / integral Q(u) log(1/u) du.

    For labels 1 and -1 with equal probability the denominator is log 2.

    For `Linear` (Jin and Geng) the weight of depth u is 1 - u:

        linear NDCG -> integral s ybar(s) ds / integral (1 - u) Q(u) du.

    References
    ----------
    Wang et al. 2013, theorems 4, 7, 9 and 11 to 17.

    Examples
    --------
    >>> from ndcg_companion.measures import Log, Power
    >>> from ndcg_companion.theory import Population
    >>> limit(Population("power:1"), Log()).value
    1.0
    >>> round(float(limit(Population("power:1"), Power(0.5))), 12)
    0.942809041582
    """
    check_population(population)
    cutoff = cutoff_share(k)
    checked_discount = known_decay(discount)
    beta, theorem = checked_discount.decay, _theorem(population, checked_discount, cutoff)
    fail_if(
        beta > 1.0,
        f"discount={discount!r}: expected a discount with an infinite sum; for a summable one "
        "NDCG has a limit law instead of a limit (Wang et al. 2013, theorem 10; see limit_law)",
    )
    if cutoff == 0.0 or beta == 1.0:
        # G(0) / Q(0), where Q(0) is the sum of the heights of all rectangles
        label_at_top = float(population.mean_at_depth(0.0))
        return _ratio(label_at_top, population.ideal_steps, lambda width: 1.0, theorem)
    if cutoff == 1.0 and beta == 0.0 and not checked_discount.needs_n:
        if abs(population.expected_label) > ROUNDING * max(map(abs, population.grades)):
            return Limit(1.0, theorem)
        theorem = "beyond the sources: E[Y] = 0, which theorem 4 does not cover"
        numerator = log_moment(population.mean_at_depth, population.depths)
        # integral_0^R log(1/u) du = R (1 - log R), and height times R adds up to E[Y] = 0.
        return _ratio(numerator, population.ideal_steps, lambda width: -width * np.log(width), theorem)
    # integral_0^c G(u) w(u) du / integral_0^c Q(u) w(u) du, with w(u) = weight(u) u**-beta
    weighted_curve = lambda u: population.mean_at_depth(u) * checked_discount.weight(u)
    # Both integrals are multiplied by 1 - beta; integral_0^R u**-beta du is R**(1-beta) / (1-beta).
    numerator = weighted_integral(weighted_curve, population.depths, beta, cutoff) * (1.0 - beta)

    def rectangle_weight(width):
        """Return (1 - beta) integral_0^depth w(u) du, where the rectangle ends at the width or cut-off."""
        # Weights other than 1 are linear with beta = 0, so their mean is the value at half of the depth.
        depth = min(cutoff, width)
        return depth ** (1.0 - beta) * checked_discount.weight(depth / 2.0)

    return _ratio(numerator, population.ideal_steps, rectangle_weight, theorem)


def _ratio(numerator, ideal_steps, rectangle_weight, theorem):
    """Return the `Limit` ``numerator / ideal``; ``rectangle_weight(R)`` is the weight down to depth R."""
    ideal = ideal_sum([height * rectangle_weight(width) for height, width in ideal_steps])
    return Limit(float(numerator / ideal), theorem)
