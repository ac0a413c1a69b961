import re
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.special import zeta
from scipy.stats import binom

from ndcg_companion.measures import Geometric, Linear, Log, Power, Zipf
from ndcg_companion.theory import DiscountedSum, LimitLaw, Population, limit_law


def coin(q):
    return Population(f"constant:{q!r}")


def binary_law(discount, q):
    return LimitLaw(discount, (0, 1), (1 - q, q))


def differences(discount, q0, q1):
    """Sum of the differences of independent labels with probabilities q0 and q1."""
    return DiscountedSum(discount, (-1, 0, 1), (q1 * (1 - q0), q0 * q1 + (1 - q0) * (1 - q1), q0 * (1 - q1)))


@given(st.floats(0, 1))
def test_fair_bits_are_uniform(x):
    assert limit_law(coin(0.5), Geometric(0.5)).cdf(x) == pytest.approx(x, abs=1e-14)


@settings(max_examples=50)
@given(st.integers(1, 2**12 - 1), st.floats(0.05, 0.95))
def test_biased_bits_at_dyadic_points(numerator, q):
    """P(0.b1 b2 ... <= 0.x1 ... x12) is the sum over the ones of x of the chance to fall below there."""
    bits = [numerator >> (11 - j) & 1 for j in range(12)]
    exact, prefix = 0.0, 1.0
    for bit in bits:
        exact += prefix * (1 - q) * bit
        prefix *= q if bit else 1 - q
    assert limit_law(coin(q), Geometric(0.5)).cdf(numerator / 2**12) == pytest.approx(exact, abs=1e-12)


@pytest.mark.parametrize("ratio", [Fraction(1, 20), Fraction(2, 5), Fraction(1, 2)])
@pytest.mark.parametrize("q", [0.01, 0.3, 0.8, 0.99])
@pytest.mark.parametrize("x", [0.0005, 0.3, 0.47, 0.85, 0.998])
def test_digits_decide_small_ratios(ratio, q, x):
    """Where a term is at least all that follows, at most one branch is undecided: descended here in
    fractions.
    """
    position, exact, weight = Fraction(x) / (1 - ratio) * ratio, 0.0, 1.0
    for rank in range(1, 400):
        tail = ratio ** (rank + 1) / (1 - ratio)
        if position >= ratio**rank:
            exact, weight, position = exact + weight * (1 - q), weight * q, position - ratio**rank
        else:
            weight *= 1 - q
        if position >= tail:
            exact += weight
            break
    assert binary_law(Geometric(float(ratio)), q).cdf(x) == pytest.approx(exact, abs=1e-12)


def two_uniforms(x, a, b):
    """Distribution function of a U + b V for independent uniforms."""
    square = lambda t: max(t, 0.0) ** 2
    return (square(x) - square(x - a) - square(x - b) + square(x - a - b)) / (2 * a * b)


def test_square_root_of_one_half_is_a_sum_of_two_uniforms():
    """Even ranks make one uniform, odd ranks another, sqrt(2) times as wide: the Fourier series must find
    their sum.
    """
    law, total = binary_law(Geometric(2**-0.5), 0.5), 1 + 2**0.5
    for x in (0.05, 0.2, 0.5, 0.77, 0.99):
        assert law.cdf(x) == pytest.approx(two_uniforms(x * total, 2**0.5, 1.0), abs=1e-10)


@pytest.mark.parametrize(
    "ratio, q",
    [(0.3, 0.2), (0.5, 0.7), (0.6, 0.5), (0.618, 0.3), (0.65, 0.4), (0.75, 0.6), (0.9, 0.3)]
    + [(0.55, 0.01), (0.75, 0.01), (0.75, 0.99), (0.8, 0.05), (0.9, 0.01)],
)
@pytest.mark.parametrize("x", [0.05, 0.31, 0.62])
def test_geometric_laws_are_self_similar(ratio, q, x):
    law = binary_law(Geometric(ratio), q)
    after_first = (1 - q) * law.cdf(x / ratio) + q * law.cdf((x - 1 + ratio) / ratio)
    assert law.cdf(x) == pytest.approx(after_first, abs=1e-9)


@pytest.mark.parametrize("ratio, q0, q1", [(0.6, 0.3, 0.1), (0.75, 0.01, 0.005), (0.9, 0.01, 0.02)])
def test_differences_are_self_similar_at_0(ratio, q0, q1):
    law = differences(Geometric(ratio), q0, q1)
    behind, tied, ahead = law.probabilities
    after_first = behind * law.cdf(1.0) + tied * law.cdf(0.0) + ahead * law.cdf(-1.0)
    assert law.cdf(0.0) == pytest.approx(after_first, abs=1e-9)
    assert law.cdf(0.0) + differences(Geometric(ratio), q1, q0).cdf(0.0) == pytest.approx(1.0, abs=1e-9)


@pytest.mark.parametrize("ratio", [0.6, 0.7])
def test_of_rare_differences_the_first_decides(ratio):
    """Two within reach of each other have a chance of order q squared; a third is behind."""
    assert differences(Geometric(ratio), 2e-10, 1e-10).cdf(0.0) == pytest.approx(1 / 3, abs=1e-9)


@pytest.mark.parametrize(
    "beta, q0, q1", [(1.5, 0.01, 0.02), (2.0, 0.02, 0.05), (3.0, 0.05, 0.03), (4.5, 0.1, 0.1)]
)
def test_differences_mirror_each_other_at_0(beta, q0, q1):
    """The middle of a nearly certain difference is steep, and differences of deep ranks are small."""
    both = [differences(Power(beta), *tops).cdf(0.0) for tops in ((q0, q1), (q1, q0))]
    assert sum(both) == pytest.approx(1.0, abs=1e-9)


@pytest.mark.parametrize("discount", [Geometric(0.8), Geometric(0.9), Power(2.0), Power(3.0)])
@pytest.mark.parametrize("share", [0.02, 0.11, 0.4])
def test_rare_labels_against_their_first_three(discount, share):
    """All that at most three relevant items among the first 60 can do; more, and what follows, bound the
    rest.
    """
    q, ranks = 0.01, 60
    weights = discount(np.arange(1.0, ranks + 1))
    tail = (
        zeta(discount.beta, ranks + 1.0)
        if isinstance(discount, Power)
        else weights[-1] / (1 / discount.ratio - 1)
    )
    x = share * (weights.sum() + tail)
    # Markov's inequality for the rest, which is taken to be at most so large.
    most = tail if isinstance(discount, Power) else min(tail, 0.02)
    chance_of_more = 0.0 if most == tail else q * tail / most
    lower = upper = 0.0
    for relevant in range(4):
        sums = np.array([sum(chosen) for chosen in combinations(weights, relevant)])
        chance = q**relevant * (1 - q) ** (ranks - relevant)
        lower, upper = lower + chance * np.sum(sums + most <= x), upper + chance * np.sum(sums <= x)
    upper += binom.sf(3, ranks, q)
    value = binary_law(discount, q).cdf(share)
    assert lower - chance_of_more <= value <= upper + 1e-9
    assert upper - lower < 0.03


def test_random_harmonic_series():
    """The density of the sum of +-1/r at 2 is 1/8 up to 1e-42 (Schmuland 2003, 'Random harmonic series')."""
    law = DiscountedSum(Zipf(), (-1, 1), (0.5, 0.5), mean=0.0)
    slope = lambda step: (law.cdf(2 + step) - law.cdf(2 - step)) / (2 * step)
    assert (4 * slope(0.01) - slope(0.02)) / 3 == pytest.approx(0.125, abs=1e-8)


def gil_pelaez(x, beta, q, ranks=2000):
    """Brute force: the product over many ranks, a Gaussian factor for the rest, the inversion by
    quadrature.
    """
    discounts = np.arange(1.0, ranks + 1) ** -beta
    rest = q * (1 - q) * zeta(2 * beta, ranks + 1)
    mean = q * zeta(beta)

    def integrand(t):
        phi = np.prod((1 - q) * np.exp(-1j * t * q * discounts) + q * np.exp(1j * t * (1 - q) * discounts))
        return (phi * np.exp(-rest * t**2 / 2 - 1j * t * (x - mean))).imag / t

    edges = np.concatenate([[1e-9], np.arange(10.0, 1500.0, 10.0)])
    return 0.5 - sum(quad(integrand, a, b, epsabs=1e-12)[0] for a, b in zip(edges, edges[1:])) / np.pi


@pytest.mark.parametrize("beta, q, x", [(2.0, 0.5, 0.3), (1.5, 0.3, 0.2), (1.3, 0.6, 0.55)])
def test_power_laws_against_brute_force_inversion(beta, q, x):
    assert binary_law(Power(beta), q).cdf(x) == pytest.approx(gil_pelaez(x * zeta(beta), beta, q), abs=1e-9)


@pytest.mark.parametrize(
    "discount", [Power(1.2), Power(2.0), Power(3.0), Power(6.0), Geometric(0.3), Geometric(0.7)]
)
@pytest.mark.parametrize("q", [0.01, 0.1, 0.5, 0.95])
def test_laws_lie_between_exact_bounds(discount, q):
    """Fifteen labels enumerated; the rest adds between 0 and its sum."""
    law, ranks = binary_law(discount, q), 15
    weights = discount(np.arange(1.0, ranks + 1))
    if isinstance(discount, Power):
        tail, total = zeta(discount.beta, ranks + 1.0), zeta(discount.beta)
    else:
        tail, total = (
            discount.ratio ** (ranks + 1) / (1 - discount.ratio),
            discount.ratio / (1 - discount.ratio),
        )
    labels = np.array(list(product((0, 1), repeat=ranks)))
    sums, chances = labels @ weights, q ** labels.sum(axis=1) * (1 - q) ** (ranks - labels.sum(axis=1))
    points = np.array([0.01, 0.1, 0.31, 0.45, 0.5, 0.62, 0.8, 0.97])
    values = law.cdf(points)
    for x, value in zip(points * total, values):
        assert chances[sums + tail <= x].sum() - 1e-10 <= value <= chances[sums <= x].sum() + 1e-10


def test_graded_law_against_enumeration():
    law = LimitLaw(Geometric(0.25), (0.0, 0.5, 1.0), (0.2, 0.5, 0.3))
    # 4**-r with three values never carries: the first digits decide.
    assert law.cdf(0.37) == pytest.approx(0.2, abs=1e-12)
    assert law.cdf(0.74) == pytest.approx(0.7, abs=1e-12)
    assert law.support[0][0] == 0.0 and law.support[-1][1] == pytest.approx(1.0)
    assert law.mean == pytest.approx(0.55)


def test_law_of_a_graded_population():
    population = Population({4: lambda s: 0.3 * s, 2: lambda s: 0.5 * s, 0: lambda s: 1 - 0.8 * s})
    law = limit_law(population, Geometric(0.25))
    assert law.values == (1.0, 0.5, 0.0)
    assert law.probabilities == pytest.approx((0.3, 0.5, 0.2))


def test_mean_of_the_law_is_the_integral_of_its_tail():
    law = limit_law(Population("poly:0.7:-0.4"), Power(2.0))
    x = (np.arange(200) + 0.5) / 200
    assert law.mean == pytest.approx(0.7)
    assert np.mean(1 - law.cdf(x)) == pytest.approx(0.7, abs=1e-3)


def test_forbidden_band():
    low, high = 1 - 6 / np.pi**2, 6 / np.pi**2
    law = limit_law(coin(0.3), Power(2.0))
    assert law.support == (pytest.approx((0.0, low)), pytest.approx((high, 1.0)))
    assert law.cdf(low + 1e-9) == pytest.approx(0.7, abs=1e-10)
    assert law.cdf(high - 1e-9) == pytest.approx(0.7, abs=1e-10)
    assert law.cdf(low - 0.15) < 0.69
    # zeta(beta) = 2 is the border: below, the first label no longer outweighs the rest.
    assert len(limit_law(coin(0.5), Power(1.72)).support) == 1
    assert len(limit_law(coin(0.5), Power(1.74)).support) == 2


def test_cantor_set():
    support = limit_law(coin(0.5), Geometric(1 / 3)).support
    assert len(support) == 2**12
    assert support[0][1] == pytest.approx(3.0**-12)
    assert sum(high - low for low, high in support) == pytest.approx((2 / 3) ** 12)


def test_intervals_that_touch_are_one():
    assert limit_law(coin(0.5), Geometric(0.5)).support == ((0.0, pytest.approx(1.0)),)
    # The first label is 0, or one of two whose intervals overlap.
    support = np.array(LimitLaw(Geometric(0.25), (0.0, 0.9, 1.0), (0.2, 0.5, 0.3)).support)
    assert len(support) > 2 and np.all(np.diff(support.ravel()) > 0.0)


def test_certain_tops_are_point_masses():
    law = limit_law(Population("power:1"), Power(2.0))
    assert law.support == ((pytest.approx(1.0), pytest.approx(1.0)),)
    assert law.cdf([0.5, 0.999999, 1.1]).tolist() == [0.0, 0.0, 1.0]
    assert law.cdf(law.support[0][1]) == 1.0
    certain = DiscountedSum(Geometric(0.5), (0.0, 3.0), (0.0, 1.0))
    assert [certain.cdf(x) for x in (2.999, 3.0, 3.001)] == [0.0, 1.0, 1.0]
    # Nor does a sum stray whose discounts have no finite sum.
    centred = DiscountedSum(Power(0.75), (0.0, 3.0), (0.0, 1.0), mean=2.0)
    assert [centred.cdf(x) for x in (1.999, 2.0, 2.001)] == [0.0, 1.0, 1.0]


@pytest.mark.parametrize("discount", [Power(1.5), Power(3.0), Geometric(0.4), Geometric(0.8)])
def test_cdf_is_a_distribution_function(discount):
    values = binary_law(discount, 0.5).cdf(np.linspace(-0.5, 1.5, 81))
    assert np.all(np.diff(values) >= -1e-10) and np.all((values >= 0.0) & (values <= 1.0))
    assert values[0] == 0.0 and values[-1] == 1.0
    np.testing.assert_allclose(values + values[::-1], 1.0, atol=1e-9)


@pytest.mark.parametrize("q", [0.1, 0.5])
def test_no_rounding_makes_a_probability_of_less_than_0_or_more_than_1(q):
    points = np.geomspace(1e-3, 0.1, 20)
    values = binary_law(Power(1.5), q).cdf(np.append(points, 1.0 - points))
    assert 0.0 <= values.min() and values.max() <= 1.0


def test_cdf_keeps_the_shape():
    law = binary_law(Geometric(0.5), 0.5)
    assert isinstance(law.cdf(0.5), float)
    assert law.cdf([[0.1, 0.2], [0.3, 0.4]]).shape == (2, 2)


def test_characteristic_function_against_its_product():
    law = DiscountedSum(Power(0.75), (-1, 0, 1), (0.2, 0.5, 0.3), mean=0.0)
    t = np.array([0.3, 2.0, 40.0])
    ranks = np.arange(1.0, 200_001)[:, None]
    centred = t * ranks**-0.75
    factors = 0.2 * np.exp(-1.1j * centred) + 0.5 * np.exp(-0.1j * centred) + 0.3 * np.exp(0.9j * centred)
    rest = np.exp(-0.49 * t**2 * zeta(1.5, 200_001.0) / 2)
    np.testing.assert_allclose(
        law._transform(1j, t, np.zeros(()), 0), np.prod(factors, axis=0) * rest, atol=1e-6
    )


def test_repr_can_be_typed_back():
    law = limit_law(coin(0.5), Power(2.0))
    assert eval(repr(law)) == law


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: DiscountedSum(Power(0.5), (0, 1), (0.5, 0.5), mean=0.0), "squares have a finite sum"),
        (lambda: DiscountedSum(Zipf(), (0, 1), (0.5, 0.5)), "mean=None"),
        (lambda: DiscountedSum(lambda r: 1 / r**2, (0, 1), (0.5, 0.5)), "whose decay is known"),
        (lambda: DiscountedSum(Geometric(0.99991), (0, 1), (0.5, 0.5)), "ratio of at most 0.9999"),
        (lambda: limit_law(coin(0.5), Log()), "summable"),
        (lambda: limit_law(coin(0.5), Zipf()), "summable"),
        (lambda: limit_law(coin(0.5), Linear()), "depends on n"),
        (lambda: limit_law(coin(0.0), Power(2.0)), "positive label"),
        (
            lambda: limit_law(Population({1: "power:1", -1: "reversed:1"}), Power(2.0)),
            "grades >= 0, got -1",
        ),
        (lambda: limit_law(coin(0.5), Power(2.0)).cdf(float("nan")), "NaN"),
    ],
)
def test_bad_input_is_rejected(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.parametrize(
    "values, probabilities, message",
    [
        ((), (), "values=.*finite numbers"),
        ({0, 1}, (0.5, 0.5), "values=.*finite numbers"),
        (((0, 1), (1, 0)), (0.5, 0.5), "values=.*finite numbers"),
        (((0, 1), (1,)), (0.5, 0.5), "values=.*finite numbers"),
        (("0", "1"), (0.5, 0.5), "values=.*finite numbers"),
        ((0, np.inf), (0.5, 0.5), "values=.*finite numbers"),
        ((0, 1), (0.5, np.nan), "probabilities=.*finite numbers"),
        ((0, 1, 2), (0.5, 0.5), "probabilities=.*3 numbers >= 0 that sum to 1"),
        ((0, 1, 2), (0.5, -0.1, 0.6), "probabilities=.*3 numbers >= 0 that sum to 1"),
        ((0, 1), (0.5, 0.5 + 1.5e-9), "probabilities=.*2 numbers >= 0 that sum to 1"),
        ((0, 1), (-1.5e-12, 1.0), "probabilities=.*2 numbers >= 0 that sum to 1"),
        ((0, 1), (0.5, 0.5 - 1e-8), "probabilities=.*2 numbers >= 0 that sum to 1"),
    ],
)
def test_invalid_distributions_are_rejected(values, probabilities, message):
    with pytest.raises(ValueError, match=message):
        DiscountedSum(Geometric(0.5), values, probabilities)
    with pytest.raises(ValueError, match=message):
        LimitLaw(Geometric(0.5), values, probabilities)


@pytest.mark.parametrize(
    "law, x",
    [
        (lambda: binary_law(Geometric(0.75), 0.1), 0.3),
        # Nearly all branches return to 0, and what is wrong with the others counts so much more.
        (lambda: differences(Geometric(0.9), 0.001, 0.002), 0.0),
    ],
)
def test_laws_too_rough_for_the_accuracy_are_rejected(law, x, monkeypatch):
    """With series that are too short; the value and the accuracy that are given instead must be right."""
    expected = law().cdf(x)
    monkeypatch.setattr("ndcg_companion.theory.laws._GEOMETRIC_ATTEMPTS", ((1 << 8, 1 << 8),))
    with pytest.raises(ValueError, match="ratio=0.[79].*above 1e-9") as refusal:
        law().cdf(x)
    value, error = map(
        float, re.search(r"is (\S+) with an estimated error of (\S+),", str(refusal.value)).groups()
    )
    assert 1e-9 < error < 0.1
    assert value == pytest.approx(expected, abs=error)


@pytest.mark.parametrize("errors, tried", [((0.06, 2e-4, 4e-12), 3), ((0.06, 0.06, 4e-12), 2)])
def test_a_third_series_is_tried_unless_the_second_is_as_far_off_as_a_first_may_be(
    errors, tried, monkeypatch
):
    """A power of 3/2 and tops of 0.0003 and 0.0007 have errors like the first; the third takes a minute."""
    attempts = []

    def attempt(self, x, terms, most):
        attempts.append(terms)
        return 0.25, errors[len(attempts) - 1]

    monkeypatch.setattr(DiscountedSum, "_attempt", attempt)
    law = binary_law(Power(1.5), 0.5)
    if tried == 3:
        assert law.cdf(0.3) == 0.25
    else:
        with pytest.raises(ValueError, match="0.25 with an estimated error of 6e-02, above 1e-9"):
            law.cdf(0.3)
    assert len(attempts) == tried and attempts == sorted(set(attempts))


@pytest.mark.parametrize("discount", [Power(3.0), Geometric(0.5)])
@pytest.mark.parametrize("after", [0, 4])
@pytest.mark.parametrize("turn", [1j, -1.0, 1.0])
def test_the_transform_is_a_product_over_the_ranks_that_are_left(discount, after, turn):
    """Of 20,000 ranks, beyond which r ** -3 has squares that add up to less than 1e-22."""
    values, chances = np.array([-1.0, 0.0, 2.0]), np.array([0.2, 0.5, 0.3])
    law = DiscountedSum(discount, tuple(values), tuple(chances))
    t, steps = np.array([0.05, 1.0, 30.0]), np.array([0.0, 0.25, 3.0])
    weights = discount(np.arange(after + 1.0, 20_001.0))
    z = np.add.outer(t, steps)[..., None, None] * weights[:, None] * (values - values @ chances)
    expected = np.prod(np.exp(turn * z) @ chances, axis=-1)
    np.testing.assert_allclose(law._transform(turn, t, steps, after), expected, rtol=1e-9, atol=1e-15)


def test_the_window_of_a_bounded_law_has_a_margin_of_a_64th():
    for after in (0, 3):
        low, high = DiscountedSum(Geometric(0.5), (0.0, 1.0), (0.5, 0.5))._window(after)
        assert (low, high) == pytest.approx((-(2.0**-after) / 64, 2.0**-after * 65 / 64), rel=1e-12)


def test_the_window_of_a_sum_of_coins_is_that_of_the_best_chernoff_bound():
    """Of 1e-15, with a margin of a 64th of the width; ``log cosh x`` is ``x ** 2 / 2`` beyond rank 50,000."""
    weights = np.arange(1.0, 50_001.0) ** -0.75
    rest = zeta(1.5, 50_001.0) / 2
    bounds = [
        (np.sum(np.log(np.cosh(z * weights))) + rest * z**2 + np.log(1e15)) / z
        for z in np.linspace(2, 20, 60)
    ]
    low, high = DiscountedSum(Power(0.75), (-1.0, 1.0), (0.5, 0.5), mean=3.0)._window(0)
    assert low == pytest.approx(-high, rel=1e-9) and high == pytest.approx(min(bounds) * 33 / 32, rel=3e-3)


@pytest.mark.parametrize("shift", [0.0, 50.0, -1000.0])
def test_windows_shrink_with_the_discount_and_move_with_the_values(shift):
    discount, after = Geometric(0.98), 100
    laws = [DiscountedSum(discount, (by, by + 1.0, by + 3.0), (0.2, 0.5, 0.3)) for by in (0.0, shift)]
    moved = shift * 0.98 / (1.0 - 0.98)
    start = [end + moved for end in laws[0]._window(0)]
    assert laws[1]._window(0) == pytest.approx(start, rel=1e-9)
    assert laws[1]._window(after) == pytest.approx([end * 0.98**after for end in start], rel=1e-9)


def test_rounding_at_the_top_leaves_no_probability_outside_the_unit_interval():
    above = limit_law(Population(lambda s: 1.0 + 5e-13 * s), Power(2.0))
    assert above.probabilities == (1.0, 0.0)
    DiscountedSum(Geometric(0.9999), (0, 1), (0.5, 0.5 + 5e-10))
