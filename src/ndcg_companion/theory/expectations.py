"""Pseudo-expectations of NDCG for any list length, and the rate at which they converge."""

from math import inf, log

import numpy as np
from scipy.special import zeta

from ndcg_companion.checks import check_float, fail_if, raise_if
from ndcg_companion.measures.discounts import Discount

from .curves import ROUNDING
from .integrals import integrate
from .limits import decay_exponent, known_decay, limit, list_share, log_moment
from .pairs import Pair, check_pair
from .populations import Population, check_population, ideal_sum

# An integral of Delta counts as 0 if it is below this fraction of the integral of the absolute value.
ZERO = 1e-11
_HIGHEST_ORDER = 20  # the highest order of log moments that are tried


def _heaviest_log_rank(discount, log_n):
    """Return the logarithm of that end of [1, n] at which ``x D(x)`` is larger."""
    # log(n D(n)) - log(1 D(1)) > 0
    return log_n if known_decay(discount).log_change(0.0, log_n) + log_n > 0.0 else 0.0


def _scaled_integral(discount, curve, log_n, log_width=0.0, log_depths=()):
    """Return ``integral_1^(n width) curve(x / n) D(x) dx`` as a multiple of `_unit`.

    The curve is a function of the depth x / n, and ``log_depths`` are the logarithms of the depths at which
    it is not smooth. The variable of integration is the logarithm of x, with D(x) dx = x D(x) d(log x). It is
    measured from 1 in the lower half and from the end in the upper half, so that neither end loses digits if
    log n is large. The widths of the panels double with the distance from both ends.
    """
    # The logarithms of the rank with the unit weight, and of the rank between the two halves
    reference, log_middle_rank = _heaviest_log_rank(discount, log_n), (log_n + log_width) / 2.0

    def log_weight(offset):
        """Return the log of ``x D(x)`` at ``log x = reference + offset``, relative to the reference."""
        return discount.log_change(reference, offset) + offset

    # The largest weight on [1, n width], at the same end as the reference
    log_largest = log_weight(log_width) if reference else 0.0

    def integrand(log_rank, log_depth):
        """Return the curve times x D(x) / largest weight; log_depth = log_rank - log_n, without rounding."""
        offset = log_depth if reference else log_rank  # log x - reference
        return curve(np.exp(log_depth)) * np.exp(log_weight(offset) - log_largest)

    def panel_edges(breaks):
        """Return the ends of panels from 0 to log_middle_rank, at doubling distances and at the breaks."""
        doubling = 2.0 ** np.arange(-2.0, max(0.0, np.log2(log_middle_rank)))
        points = (0.0, *doubling, *breaks, log_middle_rank)
        return [point for point in points if 0.0 <= point <= log_middle_rank]

    lower_half = integrate(
        lambda log_x: integrand(log_x, log_x - log_n), panel_edges([log_n + depth for depth in log_depths])
    )
    upper_half = integrate(
        lambda from_end: integrand(log_n + (log_width - from_end), log_width - from_end),
        panel_edges([log_width - depth for depth in log_depths]),
    )
    return float((lower_half + upper_half) * np.exp(log_largest))


def _unit(discount, log_n):
    """Return ``x D(x)`` at the `_heaviest_log_rank` end of [1, n]."""
    heaviest = _heaviest_log_rank(discount, log_n)
    return float(np.exp(discount.log_change(0.0, heaviest) + heaviest) * discount(1.0))


def _log_length(n, log_n):
    """Return the natural logarithm of the list length; exactly one of the two arguments must be given."""
    raise_if(n is not None and log_n is not None, "log_n", log_n, "None if n is given")
    if log_n is not None:
        return float(check_float("log_n", log_n, lambda number: 0 < number < inf, "a finite number > 0"))
    return log(
        check_float(
            "n",
            n,
            lambda number: 1 < number < inf,
            "a number > 1 within the range of floats; for longer lists pass log_n",
        )
    )


def _log_depths(population):
    """Return the logarithms of the depths at which the curves of a population are not smooth."""
    return [log(depth) for depth in population.depths if depth > 0.0]


def discount_integral(discount: Discount, t: float) -> float:
    """Return ``F(t) = integral_1^t D(x) dx``, the analogue of a sum of discounts.

    For `Log` the integral is ``Li(1 + t)``, the offset logarithmic integral (Wang et al. 2013, definition 20
    and lemma 21).

    Raises
    ------
    ValueError
        If ``t < 1``, or the discount is not Log, Power, Zipf or Geometric.

    Examples
    --------
    >>> from ndcg_companion.measures import Power
    >>> round(discount_integral(Power(0.5), 4), 12)
    2.0
    """
    check_float("t", t, lambda number: 1 <= number < inf, "a finite number >= 1")
    return _scaled_integral(discount, np.ones_like, log(t)) * _unit(discount, log(t)) if t > 1 else 0.0


def pseudo_dcg(population: Population, discount: Discount, n: float) -> float:
    """Return the pseudo-expectation of DCG.

    The pseudo-expectation is ``integral_1^n G(x / n) D(x) dx`` with ``G(u) = E[Y | depth u]``.

    Raises
    ------
    ValueError
        If ``n <= 1``, or the discount is not Log, Power, Zipf or Geometric.

    References
    ----------
    Wang et al. 2013, definition 20.

    Examples
    --------
    >>> from ndcg_companion.measures import Power
    >>> from ndcg_companion.theory import Population
    >>> round(pseudo_dcg(Population("constant:0.5"), Power(0.5), 4), 12)
    1.0
    """
    check_population(population)
    log_n = _log_length(n, None)
    scaled = _scaled_integral(discount, population.mean_at_depth, log_n, log_depths=_log_depths(population))
    return scaled * _unit(discount, log_n)


def pseudo_expectation(
    population: Population,
    discount: Discount,
    n: float | None = None,
    *,
    log_n: float | None = None,
    k: float | None = None,
) -> float:
    """Return the pseudo-expectation of NDCG, which is a ratio of integrals.

    The rank of each item is replaced by its expectation, and the sums in DCG and ideal DCG are replaced by
    integrals.

    Parameters
    ----------
    population : Population
        Distribution of labels by canonical score.
    discount : Log, Power, Zipf or Geometric
        A discount that is defined for every real rank.
    n : float, optional
        Number of items.
    log_n : float, optional
        ``log(n)``, instead of n, for lists whose length exceeds the range of floats.
    k : float, optional
        Cut-off as a fraction c of the list, in (0, 1].

    Returns
    -------
    float
        ``integral_1^(cn) G(x/n) D(x) dx / integral_1^(cn) Q(x/n) D(x) dx``, with a relative accuracy of about
        1e-12. With ``F(t) = integral_1^t D``, the denominator is ``F(n min(c, p))`` for binary labels. For
        grades, the denominator is the sum of ``(y - y') F(n min(c, P(Y >= y)))`` over neighbouring grades y >
        y'.

    Raises
    ------
    ValueError
        If n and log_n are both given or both missing, if n <= 1 or ``n min(c, P(Y = top grade)) <= 1`` (F
        would be negative), if k is not a fraction, or if the discount is not a function of a real rank.

    References
    ----------
    Wang et al. 2013, definition 20, without a cut-off; lemma 21 bounds the distance from the expectation of
    NDCG.

    Notes
    -----
    For the worst ranking, with all relevant items at the bottom, use ``Population("step:P:1:0")``;
    `reverse_ideal_ndcg` computes the exact sums.

    Examples
    --------
    >>> from ndcg_companion.measures import Log
    >>> from ndcg_companion.theory import Population
    >>> round(pseudo_expectation(Population("power:1"), Log(), 1e6), 6)
    0.985899
    >>> round(pseudo_expectation(Population("power:1"), Log(), log_n=1e4), 6)
    0.999981
    """
    check_population(population)
    given_length = f"n={n!r}" if n is not None else f"log_n={log_n!r}"
    log_n, cutoff = _log_length(n, log_n), list_share(k)
    rectangles = [(height, min(cutoff, width)) for height, width in population.ideal_steps]
    top_proportion = next((width for _, width in rectangles), 0.0)
    if not top_proportion or log_n + log(top_proportion) <= ROUNDING:
        meaning = "P(Y = top grade)" if cutoff == 1.0 else f"min(k, P(Y = top grade)), k={k!r},"
        raise ValueError(f"{given_length}: expected n * p > 1 where p = {meaning} = {top_proportion:.6g}")
    depths = [depth for depth in _log_depths(population) if depth < log(cutoff)]
    numerator = _scaled_integral(discount, population.mean_at_depth, log_n, log(cutoff), depths)
    # A rectangle of height 1 and this width contributes F(n width). All integrals have the same unit.
    integral_to = lambda width: _scaled_integral(discount, np.ones_like, log_n, log(width))
    parts = [height * integral_to(width) for height, width in rectangles]
    return float(numerator / ideal_sum(parts))


def kappa(population: Population) -> float:
    """Return the rate at which the standard NDCG approaches 1.

    The pseudo-expectation is ``N = 1 - kappa / log(n) + O(1 / log(n)**2)``. Inserting
    ``1 / log(n u) = 1/log n + log(1/u)/log(n)**2 + ...`` in the numerator (with G) and the denominator (with
    Q) gives

        kappa = (integral Q(u) log(1/u) du - integral G(u) log(1/u) du) / E[Y].

    For binary labels, kappa is ``1 - log p - (1/p) integral g(u) log(1/u) du``. For labels >= 0, kappa is at
    least 0, because Q has the labels in decreasing order. Kappa is zero only for a perfect ranking.

    Raises
    ------
    ValueError
        If E[Y] = 0, where theorem 4 does not apply.

    References
    ----------
    Wang et al. 2013, theorem 4, which does not state the rate.

    Examples
    --------
    >>> from ndcg_companion.theory import Population
    >>> round(kappa(Population("constant:0.25")), 12)  # -log(p)
    1.38629436112
    """
    check_population(population)
    fail_if(
        abs(population.expected_label) <= ROUNDING * max(map(abs, population.grades)),
        "population: expected E[Y] different from 0",
    )
    # integral Q(u) log(1/u) du, where integral_0^w log(1/u) du = w (1 - log w) for a rectangle of width w
    ideal_moment = sum(height * width * (1.0 - log(width)) for height, width in population.ideal_steps)
    actual_moment = log_moment(population.mean_at_depth, population.depths)
    return float((ideal_moment - actual_moment) / population.expected_label)


def second_order_term(population: Population, discount: Discount, n: float, k: float | None = None) -> float:
    """Return the leading term of the difference between E NDCG and its limit.

    The result is the second-order term of theorems 4, 7, 12 and 13. For `Power` with cut-off ``k = cn``, let
    ``A = integral_0^c Q(u) u**-beta du``. Then
    ``DCG = n**(1-beta) integral_0^c G(u) u**-beta du + zeta(beta) G(0) + o(1)`` in expectation. The same is
    true for the ideal DCG with Q instead of G, and

        E NDCG - limit  ~  zeta(beta) (G(0) - Q(0) limit) / (A n**(1-beta)).

    For binary labels, the right-hand side is
    ``zeta(beta) (1-beta) (n min(c, p))**(beta-1) (ybar(1) - limit)``. Because ``zeta(beta) < 0``, the NDCG of
    a ranker whose relevance at the top exceeds the limit approaches this limit from below. If c is P(Y >= y)
    for a grade y and ``beta < 1/2``, the fluctuations of the ideal list are larger, of order ``n**-1/2``.

    For `Log`, because ``1 / log(n u) = 1/log n + log(1/u)/log(n)**2 + ...``, with
    ``A = integral_0^c Q(u) du``,

        E NDCG - limit  ~  integral_0^c (G(u) - limit Q(u)) log(1/u) du / (A log n).

    On the full list, the right-hand side is ``-kappa / log n``.

    Parameters
    ----------
    population : Population
        Distribution of labels by canonical score.
    discount : Log or Power
        For `Power`, ``0 < beta < 1`` is required.
    n : float
        Number of items.
    k : float, optional
        Cut-off as a fraction of the list, in (0, 1].

    Raises
    ------
    ValueError
        If the discount is neither Log nor such a Power, if k is not a fraction, or if ``n <= 1``.

    References
    ----------
    The term refines Wang et al. 2013, theorems 4, 7, 12 to 14, 16 and 17, which do not state it.

    Examples
    --------
    >>> from ndcg_companion.measures import Power
    >>> from ndcg_companion.theory import Population
    >>> round(second_order_term(Population("power:1"), Power(0.5), 1e4), 6)
    -0.000591
    """
    check_population(population)
    beta, cutoff, log_n = decay_exponent(discount), list_share(k), _log_length(n, None)
    log_decay = known_decay(discount).log_decay
    raise_if(
        not (0.0 < beta < 1.0 or log_decay),
        "discount",
        discount,
        "Log, or Power(beta) with 0 < beta < 1",
    )
    rectangles = [(height, min(cutoff, width)) for height, width in population.ideal_steps]
    limit_value = float(limit(population, discount, cutoff))
    if log_decay:
        # The integrals of G(u) log(1/u) and of Q(u) log(1/u) up to c, and A = integral_0^c Q(u) du.
        actual_moment = log_moment(population.mean_at_depth, population.depths, cutoff=cutoff)
        # For a rectangle of width w, integral_0^w log(1/u) du = w (1 - log w).
        ideal_moment = sum(height * width * (1.0 - log(width)) for height, width in rectangles)
        ideal_area = sum(height * width for height, width in rectangles)
        return float(log_decay * (actual_moment - limit_value * ideal_moment) / (ideal_area * log_n))
    # A n**(1-beta): a rectangle of width w contributes its height times (n w)**(1-beta) / (1-beta).
    ideal_scale = sum(
        height * np.exp((1.0 - beta) * (log_n + log(width))) for height, width in rectangles
    ) / (1.0 - beta)
    # G(0) - Q(0) limit, where Q(0) is the sum of the heights
    top_surplus = float(population.mean_at_depth(0.0)) - limit_value * sum(height for height, _ in rectangles)
    return float(zeta(beta) * top_surplus / ideal_scale)


def leading_term(pair: Pair) -> tuple[int, float]:
    """Return the leading term of the difference of two rankers' pseudo-expectations.

    Under the standard discount, ``N0 - N1 = (a_K / p) / log(n)**K + O(1 / log(n)**(K+1))``. Here
    ``a_K = integral Delta(u) log(1/u)**K du = (-1)**K integral Delta(u) log(u)**K du``, and K is the smallest
    order for which this integral is not 0. Two rankers of the same items have the same p, so K >= 1. The
    proof of the printed lemma has the constant ``a_K``, but division by ``F(n p) ~ n p / log n`` gives
    ``a_K / p``.

    Parameters
    ----------
    pair : Pair
        The two rankers.

    Returns
    -------
    order : int
        The order K.
    coefficient : float
        ``a_K / p``; positive if the first ranker is ahead for all large n.

    Raises
    ------
    ValueError
        If the curves agree, or all moments up to order 20 vanish within rounding.

    References
    ----------
    Wang et al. 2013, lemma 22, with the constant corrected.

    Examples
    --------
    >>> from ndcg_companion.theory import Pair
    >>> order, coefficient = leading_term(Pair("poly:0.7:-0.4", "poly:0.3:0.4"))
    >>> order, round(coefficient, 12)
    (1, 0.4)
    """
    check_pair(pair)
    order, moment = first_log_moment(pair)
    return order, moment / pair.p


def first_log_moment(pair, cutoff=1.0):
    """Return the smallest K >= 1 for which the log moment of Delta is not 0, and this moment.

    The moment is ``integral_0^cutoff Delta(u) log(1/u)**K du``.
    """
    fail_if(agree(pair, 0.0, cutoff), "pair: expected curves that differ")
    for order in range(1, _HIGHEST_ORDER + 1):
        moment = log_moment(pair.gap_at_depth, pair.depths, order, cutoff)
        absolute_moment = log_moment(lambda u: np.abs(pair.gap_at_depth(u)), pair.depths, order, cutoff)
        if abs(moment) > ZERO * absolute_moment:  # rounding is proportional to the moment of |Delta|
            return order, moment
    raise ValueError(
        f"pair: expected curves with a log moment of order at most {_HIGHEST_ORDER} that is not 0"
    )


def agree(pair, start, stop):
    """Return whether the two curves are equal from depth `start` to depth `stop`."""
    depths = pair.depths_between(start, stop)
    return integrate(lambda u: np.abs(pair.gap_at_depth(u)), depths, tolerance=1e-9) <= ROUNDING
