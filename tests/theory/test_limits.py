from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import beta as beta_function
from scipy.special import betainc, factorial, gammaincc

from ndcg_companion.measures import Geometric, Linear, Log, Power, Zipf
from ndcg_companion.theory import Population, limit
from ndcg_companion.theory.limits import list_share, log_moment, weighted_integral

GRADED = Population({2: lambda s: s**2 / 2, 1: lambda s: s / 2, 0: lambda s: 1 - s / 2 - s**2 / 2})


def signed(curve):
    return Population({1: curve, -1: lambda s: 1 - curve(s)})


@settings(max_examples=40)
@given(st.floats(0.2, 8), st.floats(0.0, 0.99))
def test_theorem_7_against_the_beta_function(exponent, beta):
    p = 1 / (1 + exponent)
    forward = (1 - beta) * beta_function(1 + exponent, 1 - beta) / p ** (1 - beta)
    backward = (1 - beta) / (1 + exponent - beta) / p ** (1 - beta)
    assert float(limit(Population(f"power:{exponent!r}"), Power(beta))) == pytest.approx(forward, abs=1e-12)
    assert float(limit(Population(f"reversed:{exponent!r}"), Power(beta))) == pytest.approx(
        backward, abs=1e-12
    )


def test_a_plain_function_has_the_same_limit_as_its_name():
    plain, named = Population(lambda s: s**2), Population("power:2")
    for beta in (0.1, 0.5, 0.9, 0.95):
        assert float(limit(plain, Power(beta))) == pytest.approx(float(limit(named, Power(beta))), abs=1e-12)


@settings(max_examples=40)
@given(st.floats(0.2, 8), st.floats(0.01, 0.95), st.floats(0.01, 1.0))
def test_theorem_13_against_the_incomplete_beta_function(exponent, beta, c):
    p = 1 / (1 + exponent)
    inside = beta_function(1 - beta, 1 + exponent) * betainc(1 - beta, 1 + exponent, c)
    expected = (1 - beta) / min(c, p) ** (1 - beta) * inside
    assert float(limit(Population(f"power:{exponent!r}"), Power(beta), k=c)) == pytest.approx(
        expected, abs=1e-12
    )


@settings(max_examples=40)
@given(st.floats(0.2, 8), st.floats(0.01, 1.0))
def test_theorem_12(exponent, c):
    p = 1 / (1 + exponent)
    relevant_on_top = (1 - (1 - c) ** (1 + exponent)) / (1 + exponent) / c
    expected = c / min(c, p) * relevant_on_top
    assert float(limit(Population(f"power:{exponent!r}"), Log(), k=c)) == pytest.approx(expected, abs=1e-12)


def quantile_integral(c, beta):
    """Theorems 14, 16 and 17 as printed, for the population GRADED: R_1 = 1/6, R_2 = 5/12, R_3 = 1."""
    grades, bounds = [2, 1, 0], [0, 1 / 6, 5 / 12, 1]
    return sum(
        y * (min(bounds[j + 1], c) ** (1 - beta) - min(bounds[j], c) ** (1 - beta))
        for j, y in enumerate(grades)
    )


@pytest.mark.parametrize("beta", [0.0, 0.2, 0.5, 0.8, 0.95])
@pytest.mark.parametrize("c", [0.05, 1 / 6, 0.3, 0.5, 1.0])
def test_theorems_14_16_and_17(beta, c):
    # E[Y | s] = s^2 + s/2 = (1-u)^2 + (1-u)/2
    top = (1 - beta) * sum(
        weight * beta_function(1 - beta, 1 + a) * betainc(1 - beta, 1 + a, c)
        for a, weight in ((2, 1.0), (1, 0.5))
    )
    discount = Power(beta) if beta else Log()
    assert float(limit(GRADED, discount, k=c)) == pytest.approx(top / quantile_integral(c, beta), abs=1e-12)


@pytest.mark.parametrize(
    "discount, k",
    [(Zipf(), None), (Power(1.0), 0.3), (Log(), "o(n)"), (Power(0.3), "o(n)"), (Zipf(), "o(n)")],
)
def test_only_the_top_is_left(discount, k):
    assert float(limit(Population("poly:0.7:-0.4"), discount, k=k)) == pytest.approx(0.7, abs=1e-15)
    assert float(limit(GRADED, discount, k=k)) == pytest.approx(1.5 / 2, abs=1e-15)


def test_a_jump_keeps_the_digits():
    population = Population("step:0.7:0.2:0.8")
    b = 0.95
    expected = (0.8 * 0.3 ** (1 - b) + 0.2 * (1 - 0.3 ** (1 - b))) / 0.38 ** (1 - b)
    assert float(limit(population, Power(b))) == pytest.approx(expected, abs=1e-12)


@given(st.sampled_from(["power:1", "reversed:3", "step:0.2:1:0", "constant:0.01"]))
def test_theorem_4(text):
    assert limit(Population(text), Log()).value == 1.0
    assert limit(GRADED, Log()).value == 1.0


def test_signed_labels_with_mean_zero_leave_theorem_4():
    # G(u) = 2 (1-u) - 1 = 1 - 2u: integral of (1 - 2u) log(1/u) is 1 - 2/4; the ideal list has log 2.
    result = limit(signed(lambda s: s), Log())
    assert result.value == pytest.approx(0.5 / np.log(2), abs=1e-12)
    assert "does not cover" in result.theorem
    assert limit(signed(lambda s: 1 - s), Log()).value == pytest.approx(-0.5 / np.log(2), abs=1e-12)
    assert limit(signed(lambda s: 1.0 * (s > 0.5)), Log()).value == pytest.approx(1.0, abs=1e-12)


def test_signed_labels_with_another_mean_do_not():
    assert limit(signed(lambda s: s**2), Log()).value == 1.0


@pytest.mark.parametrize("n", [4000, 40000])
def test_signed_limit_against_exact_sums(n):
    """Expected labels at their ranks, an independent route: the distance to the limit shrinks like 1 / log
    n.
    """
    ranks = np.arange(1, n + 1)
    discounts = 1 / np.log1p(ranks)
    dcg = np.sum((1 - 2 * ranks / (n + 1)) * discounts)
    ideal = discounts[: n // 2].sum() - discounts[n // 2 :].sum()
    distance = abs(dcg / ideal - 0.5 / np.log(2))
    assert distance < 1.2 / np.log(n)
    assert distance < abs(dcg / ideal - 1.0)


def test_linear_discount_against_fractions():
    # integral s * s = 1/3; ideal p - p^2 / 2 with p = 1/2; with k = n/4: integral of (1-u)^2 up to 1/4 over
    # 1/4 - 1/32
    full = Fraction(1, 3) / Fraction(3, 8)
    assert limit(Population("power:1"), Linear()).value == pytest.approx(float(full), abs=1e-14)
    cut = (1 - Fraction(27, 64)) / 3 / (Fraction(1, 4) - Fraction(1, 32))
    assert limit(Population("power:1"), Linear(), k=0.25).value == pytest.approx(float(cut), abs=1e-14)
    assert limit(Population("power:1"), Linear()).theorem == "beyond the sources"


@pytest.mark.parametrize(
    "population, discount, k, number",
    [
        (Population("power:1"), Log(), None, "4"),
        (Population("power:1"), Power(0.5), None, "7"),
        (Population("power:1"), Zipf(), None, "9"),
        (Population("power:1"), Log(), "o(n)", "11"),
        (Population("power:1"), Log(), 0.3, "12"),
        (Population("power:1"), Power(0.5), 0.3, "13"),
        (GRADED, Log(), None, "4"),
        (GRADED, Power(0.5), None, "14"),
        (GRADED, Log(), "o(n)", "15"),
        (GRADED, Log(), 0.3, "16"),
        (GRADED, Power(0.5), 0.3, "17"),
        (Population("power:1"), Power(0.5), 1.0, "7"),
        (Population("power:1"), Zipf(), "o(n)", "11"),
        (Population("power:1"), Power(0.0), "o(n)", "11"),
        (GRADED, Zipf(), "o(n)", "15"),
        (Population("power:1"), Zipf(), 0.3, "9 (its extension to grades or to k = cn)"),
        (GRADED, Power(1.0), None, "9 (its extension to grades or to k = cn)"),
    ],
)
def test_the_theorem_is_named(population, discount, k, number):
    assert limit(population, discount, k=k).theorem == f"Wang et al. 2013, theorem {number}"


@pytest.mark.parametrize(
    "population, discount, k, message",
    [
        (Population("power:1"), Power(2.0), None, "theorem 10"),
        (Population("power:1"), Geometric(0.5), 0.5, "theorem 10"),
        (Population("power:1"), Log(), 10, "k=10.*theorem 10"),
        (Population("power:1"), Log(), 1.5, "k=1.5"),
        (Population("power:1"), Log(), 0.0, "k=0.0"),
        (Population("power:1"), Log(), float("nan"), "k=nan"),
        (Population("power:1"), Log(), "n", "k='n'"),
        (Population("power:1"), Log(), lambda n: n**0.5, "k=<function"),
        (Population("power:1"), lambda r: r**-0.5, None, "whose decay is known"),
        (Population("constant:0"), Log(), None, "ideal DCG"),
        (Population("constant:0"), Power(0.5), None, "ideal DCG"),
        (Population({0: "power:1", -1: "reversed:1"}), Zipf(), None, "ideal DCG"),
    ],
)
def test_no_limit_is_explained(population, discount, k, message):
    with pytest.raises(ValueError, match=message):
        limit(population, discount, k=k)


@pytest.mark.parametrize(
    "discount, k", [(Linear(), 0.25), (Linear(), "o(n)"), (Power(0.0), None), (Power(0.0), 0.25)]
)
def test_limits_beyond_the_theorems_are_named_as_such(discount, k):
    assert limit(Population("power:1"), discount, k).theorem == "beyond the sources"


def test_a_constant_discount_counts_relevant_items():
    assert limit(Population("power:1"), Power(0.0)).value == 1.0
    # Of the top quarter 7/8 are relevant, ideally all.
    assert limit(Population("power:1"), Power(0.0), 0.25).value == pytest.approx(7 / 8, abs=1e-14)


@pytest.mark.parametrize("unit", [1e-6, 1.0, 1e6])
def test_the_unit_of_the_grades_does_not_matter(unit):
    def labels(surplus):
        return Population(
            {unit: lambda s: s * (1 - surplus) + surplus, -unit: lambda s: (1 - s) * (1 - surplus)}
        )

    assert limit(labels(0.0), Log()).value == pytest.approx(0.5 / np.log(2), abs=1e-9)
    assert limit(labels(1e-10), Log()).value == 1.0


@pytest.mark.parametrize("order", [1, 2, 5, 20])
@pytest.mark.parametrize("cutoff", [1.0, 0.3, 1e-50])
def test_log_moments_against_the_incomplete_gamma_function(order, cutoff):
    """The moment of 1 up to depth c is ``K! Q(K + 1, log(1/c))``; a step takes what it cuts off."""
    upto = lambda depth: factorial(order) * gammaincc(order + 1, -np.log(depth))
    assert log_moment(np.ones_like, (0.0, 1.0), order, cutoff) == pytest.approx(upto(cutoff), rel=1e-12)
    edge = cutoff / 8
    step = log_moment(lambda u: 1.0 * (u < edge), (0.0, edge, 1.0), order, cutoff)
    assert step == pytest.approx(upto(edge), rel=1e-12)


def test_weighted_integrals_start_at_the_top_and_may_have_no_breaks():
    assert weighted_integral(np.ones_like, (), 0.5) == pytest.approx(2.0, rel=1e-14)
    assert weighted_integral(np.ones_like, (), 0.5, 0.25) == pytest.approx(1.0, rel=1e-14)


def test_a_share_of_the_list_is_a_number_above_0():
    assert list_share(None) == 1.0 and list_share(0.3) == 0.3
    with pytest.raises(ValueError, match="^k='o\\(n\\)': expected None or a fraction"):
        list_share("o(n)")
