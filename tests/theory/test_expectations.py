from decimal import Decimal, localcontext
from math import comb, factorial, log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.special import expi, zeta

from ndcg_companion.measures import Geometric, Linear, Log, Power, Zipf
from ndcg_companion.theory import (
    Pair,
    Population,
    discount_integral,
    expectations,
    expected_dcg,
    expected_ideal_dcg,
    kappa,
    leading_term,
    limit,
    pseudo_dcg,
    pseudo_expectation,
    second_order_term,
)

GRADED = Population({2: lambda s: s**2 / 2, 1: lambda s: s / 2, 0: lambda s: 1 - s / 2 - s**2 / 2})


def log_monomial(k, n):
    """``integral_1^n (x/n)^k / log(1+x) dx`` by t = 1 + x and the exponential integral."""
    span = lambda j: expi((j + 1) * np.log1p(n)) - expi((j + 1) * log(2))
    return sum((-1) ** (k - j) * comb(k, j) * span(j) * np.exp(-k * np.log(n)) for j in range(k + 1))


@pytest.mark.parametrize("n", [10, 1e3, 1e6, 1e12, 1e50, 1e100])
@pytest.mark.parametrize(
    "text, p, terms",
    [("power:1", 1 / 2, {0: 1, 1: -1}), ("reversed:2", 1 / 3, {2: 1}), ("constant:0.3", 0.3, {0: 0.3})],
)
def test_standard_discount_against_the_exponential_integral(n, text, p, terms):
    exact = sum(weight * log_monomial(k, n) for k, weight in terms.items()) / log_monomial(0, n * p)
    assert pseudo_expectation(Population(text), Log(), n) == pytest.approx(exact, rel=1e-12)


def test_breaks_above_the_first_rank_are_not_seen():
    """Of four items none lies in the top fifth: 0.2 of the integral of x ** -1/2 from 1 to 4."""
    assert pseudo_dcg(Population("step:0.8:0.2:0.6"), Power(0.5), 4) == pytest.approx(0.4, rel=1e-12)
    assert pseudo_dcg(Population("constant:0.5"), Power(0.5), 1.44) == pytest.approx(0.2, rel=1e-12)


def power_integral(a, t):
    return t.ln() if a == -1 else (t ** (a + 1) - 1) / (a + 1)


@pytest.mark.parametrize("n", [10, 1e3, 1e12, 1e100, 1e300])
@pytest.mark.parametrize("beta", ["0", "0.3", "0.5", "0.9", "0.99", "1", "1.5", "3"])
def test_power_discount_against_sixty_digits(n, beta):
    with localcontext() as context:
        context.prec = 60
        b, length = Decimal(beta), Decimal(n)
        exact = (power_integral(-b, length) - power_integral(1 - b, length) / length) / power_integral(
            -b, length / 2
        )
    assert pseudo_expectation(Population("power:1"), Power(float(beta)), n) == pytest.approx(
        float(exact), rel=1e-12
    )


@pytest.mark.parametrize("n", [3, 40, 1e3])
@pytest.mark.parametrize("ratio", [0.3, 0.5, 0.9, 0.99])
def test_geometric_discount_against_its_primitives(ratio, n):
    rate = -log(ratio)
    plain = (ratio - ratio**n) / rate
    # By parts: x times the discount has this integral from 1 to n.
    weighted = (ratio - n * ratio**n) / rate + (ratio - ratio**n) / rate**2
    assert discount_integral(Geometric(ratio), n) == pytest.approx(plain, rel=1e-12)
    assert pseudo_dcg(Population("power:1"), Geometric(ratio), n) == pytest.approx(
        plain - weighted / n, rel=1e-11
    )


def test_zipf_is_power_one():
    for n in (10, 1e100):
        power = pseudo_expectation(GRADED, Power(1.0), n)
        assert pseudo_expectation(GRADED, Zipf(), n) == pytest.approx(power, rel=1e-14)


@pytest.mark.parametrize("discount", [Log(), Power(0.5), Power(1.0), Geometric(0.5)])
def test_graded_labels_superpose(discount):
    """The graded measure is a weighted sum of the binary ones of P(Y >= 2 | s) and P(Y >= 1 | s)."""
    n = 1e4
    layers = [Population(lambda s: s**2 / 2), Population(lambda s: s / 2 + s**2 / 2)]
    tops = [pseudo_dcg(layer, discount, n) for layer in layers]
    ideals = [discount_integral(discount, n * layer.p) for layer in layers]
    assert pseudo_dcg(GRADED, discount, n) == pytest.approx(sum(tops), rel=1e-12)
    assert pseudo_expectation(GRADED, discount, n) == pytest.approx(sum(tops) / sum(ideals), rel=1e-12)


def test_a_step_against_the_offset_logarithmic_integral():
    """The worst ranking: Li(1+n) - Li(1+n(1-p)) over Li(1+np), as in the proof of theorem 4."""
    for n in (100, 1e6):
        li = lambda t: expi(np.log1p(t)) - expi(log(2))
        exact = (li(n) - li(0.7 * n)) / li(0.3 * n)
        assert pseudo_expectation(Population("step:0.3:1:0"), Log(), n) == pytest.approx(exact, rel=1e-12)


@given(st.floats(1, 1e8))
@settings(max_examples=30)
def test_discount_integral_is_the_offset_logarithmic_integral(t):
    assert discount_integral(Log(), t) == pytest.approx(
        expi(np.log1p(t)) - expi(log(2)), rel=1e-11, abs=1e-12
    )


def test_logarithm_of_the_length_continues_the_length():
    for discount in (Log(), Power(0.5), Zipf(), Power(2.0), Geometric(0.3)):
        by_length = pseudo_expectation(Population("power:1"), discount, 1e300)
        by_logarithm = pseudo_expectation(Population("power:1"), discount, log_n=300 * log(10))
        assert by_logarithm == pytest.approx(by_length, rel=1e-13)
    # On endless lists only the first ranks have a geometric discount.
    endless = pseudo_expectation(Population("power:1"), Geometric(0.3), log_n=1e4)
    assert endless == pytest.approx(by_length, rel=1e-12)


def test_kappa_is_the_rate():
    for population in (Population("power:1"), Population("step:0.3:1:0"), Population("reversed:0.5"), GRADED):
        rates = [(1 - pseudo_expectation(population, Log(), log_n=length)) * length for length in (1e3, 1e5)]
        assert rates[1] == pytest.approx(kappa(population), rel=1e-4)
        assert abs(rates[1] - kappa(population)) < abs(rates[0] - kappa(population)) / 50


@given(st.floats(0.1, 10))
def test_kappa_of_powers_in_closed_form(a):
    # for g(u) = u^a: integral of u^a log(1/u) is 1 / (1+a)^2, so kappa = 1 + log(1+a) - 1/(1+a)
    assert kappa(Population(f"reversed:{a!r}")) == pytest.approx(1 + log(1 + a) - 1 / (1 + a), rel=1e-12)


def test_kappa_of_a_perfect_ranking_is_zero():
    assert kappa(Population("step:0.75:0:1")) == pytest.approx(0.0, abs=1e-13)


@pytest.mark.parametrize("population", [Population("power:1"), Population("cosine:0.4:0.3"), GRADED])
@pytest.mark.parametrize("beta", [0.25, 0.5, 0.75])
def test_second_order_term_against_exact_expectations(population, beta):
    """The surplus over the limit, in units of the term, tends to 1; the error decays like n**-min(beta,
    1-beta).
    """
    discount = Power(beta)

    def ratio(n):
        mean = expected_dcg(population, discount, n) / expected_ideal_dcg(population, discount, n)
        return (mean - float(limit(population, discount))) / second_order_term(population, discount, n)

    shrink = 10 ** min(beta, 1 - beta)
    extrapolated = (shrink * ratio(200_000) - ratio(20_000)) / (shrink - 1)
    assert extrapolated == pytest.approx(1.0, abs=0.02)
    # The pseudo-expectation has -1/(1-beta) where the expectation has zeta(beta).
    assert extrapolated * zeta(beta) != pytest.approx(-1 / (1 - beta), rel=0.1)


@pytest.mark.parametrize("c", [0.1, 0.25, 0.5, 1.0])
@pytest.mark.parametrize("beta", [0.3, 0.7, 1.0])
def test_pseudo_expectation_with_a_cut_off_against_closed_forms(beta, c):
    """``power:1``: integral_1^(cn) (1 - x/n) x^-beta dx over F(n min(c, 1/2)), both in closed form."""
    n = 1e4
    primitive = lambda a, x: np.log(x) if a == -1 else x ** (a + 1) / (a + 1)
    between = lambda a, x: primitive(a, x) - primitive(a, 1.0)
    exact = (between(-beta, c * n) - between(1 - beta, c * n) / n) / between(-beta, n * min(c, 0.5))
    assert pseudo_expectation(Population("power:1"), Power(beta), n, k=c) == pytest.approx(exact, rel=1e-12)
    assert pseudo_expectation(Population("power:1"), Power(beta), log_n=log(n), k=c) == pytest.approx(
        exact, rel=1e-11
    )


@pytest.mark.parametrize("c", [0.1, 0.4])
def test_pseudo_expectation_with_a_cut_off_by_plain_quadrature(c):
    broken, n = Population("step:0.7:0.2:0.8"), 1e5
    weight = lambda start, stop: quad(lambda x: 1 / np.log1p(x), start, stop, epsrel=1e-12, limit=500)[0]
    edge = min(0.3, c) * n
    top, ideal = 0.8 * weight(1, edge) + 0.2 * weight(edge, c * n), weight(1, min(c, broken.p) * n)
    assert pseudo_expectation(broken, Log(), n, k=c) == pytest.approx(top / ideal, rel=1e-8)


@pytest.mark.parametrize("c", [0.1, 0.4, 0.8, 1.0])
@pytest.mark.parametrize("population", [Population("power:2"), Population("cosine:0.5:0.3"), GRADED])
def test_second_order_term_of_the_log_discount(population, c):
    """What is left of log(n) (N - limit) - coefficient is of order 1 / log(n)."""
    log_n = np.array([1e4, 1e5])
    value = float(limit(population, Log(), c))
    surplus = [(pseudo_expectation(population, Log(), log_n=x, k=c) - value) * x for x in log_n]
    coefficient = second_order_term(population, Log(), np.e, k=c)
    assert surplus[1] == pytest.approx(coefficient, abs=1e-3)
    assert abs(surplus[1] - coefficient) < 0.2 * abs(surplus[0] - coefficient) + 1e-6


@pytest.mark.parametrize("n", [np.e, 100, 1e300])
def test_second_order_term_of_the_log_discount_is_kappa_on_the_full_list(n):
    assert second_order_term(Population("power:2"), Log(), n) == pytest.approx(
        -kappa(Population("power:2")) / log(n), rel=1e-12
    )


@pytest.mark.parametrize("beta, c", [(0.5, 0.2), (0.5, 0.7), (0.7, 0.4)])
def test_second_order_term_with_a_cut_off_against_exact_expectations(beta, c):
    population, discount = Population("power:2"), Power(beta)
    n = 100_000
    kept = lambda r: discount(r) * (r <= round(c * n))
    mean = expected_dcg(population, kept, n) / expected_ideal_dcg(population, kept, n)
    surplus = mean - float(limit(population, discount, c))
    assert surplus / second_order_term(population, discount, n, k=c) == pytest.approx(1.0, abs=0.05)


# Lemma 22 for Delta(u) = c * polynomial; the moments of u^k log(1/u)^K are K! / (k+1)^(K+1).
SIGNS = {1: [1, -2], 2: [1, -8, 9], 3: [1, -24, 81, -64]}


def with_gap(gap, size=0.01):
    coefficients = [size * c for c in gap]
    curve = lambda sign: lambda s: 0.5 + sign / 2 * np.polynomial.polynomial.polyval(1 - s, coefficients)
    return Pair(curve(1), curve(-1))


@pytest.mark.parametrize("order", SIGNS)
def test_leading_term(order):
    pair = with_gap(SIGNS[order])
    moment = 0.01 * sum(c * factorial(order) / (k + 1) ** (order + 1) for k, c in enumerate(SIGNS[order]))
    computed_order, coefficient = leading_term(pair)
    assert computed_order == order
    assert coefficient == pytest.approx(moment / 0.5, rel=1e-10)
    if order == 1:  # beyond, the gap drowns in the rounding of N
        ahead, behind = (
            pseudo_expectation(p, Log(), log_n=1e4) for p in (pair.population0, pair.population1)
        )
        assert (ahead - behind) * 1e4 == pytest.approx(coefficient, rel=1e-3)


@pytest.mark.parametrize("order", SIGNS)
def test_leading_term_against_the_gap_itself(order):
    """N0 - N1, its vanishing moments taken out of 1 / (L - v) = 1/L + v/L**2 + ...: what is left keeps its
    digits.
    """
    pair = with_gap(SIGNS[order])
    length = 1e4
    v = np.linspace(0, 60, 600_001)
    left = pair.gap_at_depth(np.exp(-v)) * np.exp(-v) * (v / length) ** order / (length - v)
    assert np.trapezoid(left, v) / (0.5 / length) == pytest.approx(
        leading_term(pair)[1] / length**order, rel=0.02
    )


def test_leading_term_of_equal_curves_is_rejected():
    with pytest.raises(ValueError, match="curves that differ"):
        leading_term(Pair("constant:0.5", "poly:0.5"))
    with pytest.raises(ValueError, match="curves that differ"):
        leading_term(Pair("constant:0.5", lambda s: np.where(s > 1.0, 0.1, 0.5)))


def test_a_first_moment_above_rounding_leads_however_small():
    """Beside one of order 0.01 of the absolute values: 1e-11 is more than rounding, 1e-14 is not."""
    for surplus, order in ((2e-9, 1), (2e-12, 2)):
        computed_order, _ = leading_term(with_gap([1 + surplus, -8 - 2 * surplus, 9]))
        assert computed_order == order


def test_moments_are_tried_up_to_an_order(monkeypatch):
    monkeypatch.setattr(expectations, "_HIGHEST_ORDER", 3)
    assert leading_term(with_gap(SIGNS[3]))[0] == 3
    monkeypatch.setattr(expectations, "_HIGHEST_ORDER", 2)
    with pytest.raises(ValueError, match="a log moment of order at most 2 that is not 0"):
        leading_term(with_gap(SIGNS[3]))


@pytest.mark.parametrize("unit", [1e-6, 1.0, 1e6])
def test_kappa_does_not_depend_on_the_unit_of_the_grades(unit):
    nearly = 1e-10
    population = Population(
        {unit: lambda s: s * (1 - nearly) + nearly, -unit: lambda s: (1 - s) * (1 - nearly)}
    )
    # (log 2 - 1/2) / E[Y], with E[Y] = 1e-10 to six digits.
    assert kappa(population) == pytest.approx((log(2) - 0.5) / nearly, rel=1e-4)


def test_the_integral_up_to_rank_one_is_nothing():
    assert discount_integral(Log(), 1) == 0.0
    assert discount_integral(Power(0.5), 1.44) == pytest.approx(0.4, rel=1e-12)


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: pseudo_expectation(Population("constant:0.1"), Log(), 10), r"n=10: expected n \* p > 1"),
        (lambda: pseudo_expectation(Population("constant:0"), Log(), 10), r"n \* p > 1 where p = .* = 0$"),
        (lambda: pseudo_expectation(GRADED, Log(), 5), r"where p = P\(Y = top grade\) = 0.166667$"),
        *(
            (
                lambda length=length: pseudo_expectation(Population("power:1"), Log(), log_n=length),
                f"log_n={length}: expected a finite number > 0",
            )
            for length in (-1.0, 0.0, float("inf"))
        ),
        (
            lambda: pseudo_expectation(Population("power:1"), Log(), float("inf")),
            "n=inf: expected a number > 1",
        ),
        (lambda: discount_integral(Log(), float("inf")), "t=inf"),
        (
            lambda: pseudo_expectation(Population("power:1"), Log(), log_n=0.5),
            r"log_n=0.5: expected n \* p > 1",
        ),
        (
            lambda: pseudo_expectation(Population("power:1"), Log()),
            "n=None: expected a number > 1 .* pass log_n",
        ),
        (
            lambda: pseudo_expectation(Population("power:1"), Log(), 10, log_n=3),
            "expected None if n is given",
        ),
        (lambda: pseudo_expectation(Population("power:1"), Log(), 1), "n=1: expected a number > 1"),
        (lambda: pseudo_expectation(Population("power:1"), Log(), float("nan")), "n=nan"),
        (lambda: pseudo_expectation(Population("power:1"), Linear(), 10), r"discount=Linear\(\)"),
        (lambda: discount_integral(Log(), 0.5), "t=0.5"),
        (lambda: pseudo_dcg(Population("power:1"), Log(), 0), "n=0"),
        (lambda: kappa(Population("constant:0")), r"E\[Y\]"),
        (lambda: kappa(Population({1: "power:1", -1: "reversed:1"})), r"E\[Y\]"),
        (
            lambda: second_order_term(Population("power:1"), Power(0.5), 10, k="o(n)"),
            "a fraction of the list",
        ),
        (lambda: second_order_term(Population("power:1"), Power(0.0), 10), "Power.beta. with 0 < beta < 1"),
        (lambda: pseudo_expectation(Population("power:1"), Log(), 10, k=0.05), "k=0.05, = 0.05"),
        (
            lambda: pseudo_expectation(Population("power:1"), Log(), 10, k=3),
            "NDCG at a constant cut-off has no limit",
        ),
        (lambda: second_order_term(Population("power:1"), Zipf(), 10), "0 < beta < 1"),
    ],
)
def test_bad_input_is_rejected(call, message):
    with pytest.raises(ValueError, match=message):
        call()
