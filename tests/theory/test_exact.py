import re
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom

from ndcg_companion.measures import Geometric, Linear, Log, Power, Zipf
from ndcg_companion.theory import (
    Pair,
    Population,
    expected_dcg,
    expected_gap,
    expected_ideal_dcg,
    expected_ndcg,
    pseudo_expectation,
    reverse_ideal_ndcg,
)
from ndcg_companion.theory import exact as exact_module
from ndcg_companion.theory.exact import (
    _half_deviance,
    binomial_mean,
    cutoff_points,
    mean_powers,
    rank_mean,
    stretch_starts,
)

GRADED = Population({2: lambda s: s**2 / 2, 1: lambda s: s / 2, 0: lambda s: 1 - s / 2 - s**2 / 2})
DISCOUNTS = [Log(), Power(0.5), Zipf(), Power(3.0), Geometric(0.9), lambda r: 1.0 / r * (r <= 7)]


@pytest.mark.parametrize("n", [1, 2, 10, 1000, 100_000])
@pytest.mark.parametrize("discount", DISCOUNTS)
def test_expected_dcg_against_moments_of_order_statistics(n, discount):
    """The r-th item is at a Beta(r, n-r+1) depth; for a polynomial curve only its moments are needed."""
    r = np.arange(1, n + 1.0)
    means = 0.9 - 0.8 * r / (n + 1) + 0.3 * r * (r + 1) / (n + 1) / (n + 2)
    assert expected_dcg(Population("poly:0.9:-0.8:0.3"), discount, n) == pytest.approx(
        means @ discount(r), rel=1e-12
    )


@pytest.mark.parametrize("n", [1, 2, 50, 3000])
def test_expected_dcg_with_a_discount_that_needs_n(n):
    # E DCG = n (n-1) integral (1-u) G(u) du for D(r) = n - r
    assert expected_dcg(Population("power:1"), Linear(), n) == pytest.approx(n * (n - 1) / 3, rel=1e-12)


def test_expected_dcg_of_a_jump_against_fractions():
    """P(the r-th of n items is above depth 3/10) is a binomial tail: exact in fractions."""
    n, depth = 40, Fraction(3, 10)
    tail = lambda r: sum(comb(n, j) * depth**j * (1 - depth) ** (n - j) for j in range(r, n + 1))
    exact = sum(Fraction(1, r) * tail(r) for r in range(1, n + 1))
    assert expected_dcg(Population("step:0.7:0:1"), Zipf(), n) == pytest.approx(float(exact), rel=1e-12)


@pytest.mark.parametrize("k", [1, 0.3, lambda n: n**0.5, lambda n: max(1, n - 1)])
@pytest.mark.parametrize("n", [1, 30, 700, pytest.param(5000, marks=pytest.mark.nightly)])
def test_named_discounts_agree_with_sums_over_all_their_values(n, k):
    """A callable is summed value by value; the discounts of the package, beyond a few ranks, are
    integrated.
    """
    population, pair = Population("step:0.7:0.2:0.8"), Pair("poly:0.7:-0.4", "poly:0.3:0.4")
    for discount in (Log(), Power(0.4), Zipf(), Power(4.0), Geometric(0.97), Linear()):
        values = discount(np.arange(1, n + 1), n) if discount == Linear() else discount(np.arange(1, n + 1))
        plain = lambda r: values
        for expected, items in (
            (expected_dcg, population),
            (expected_ideal_dcg, population),
            (expected_gap, pair),
        ):
            assert expected(items, discount, n, k) == pytest.approx(
                expected(items, plain, n, k), rel=1e-12, abs=1e-12
            )


@pytest.mark.parametrize("n", [1, 2, 1000, 10**12])
def test_an_item_at_depth_0_or_1_is_first_or_last_for_certain(n):
    depths = np.array([0.0, 1.0])
    assert rank_mean(np.sqrt, n, depths, n).tolist() == [1.0, np.sqrt(n)]
    assert rank_mean(np.sqrt, n, depths, n - 1).tolist() == [float(n > 1), 0.0]


@pytest.mark.parametrize("k", [None, 1, 5, 11, 12])
@pytest.mark.parametrize("power", [1, 2])
def test_mean_powers_against_their_definition(k, power):
    """A sum over the twelve ranks, also for powers of the discount, as variances need them."""
    n, u, ranks = 12, np.array([0.0, 0.1, 0.5, 0.8, 1.0]), np.arange(1, 13)
    law = binom.pmf(ranks - 1, n - 1, u[:, None])
    for discount in (*DISCOUNTS, Linear()):
        values = discount(ranks, n) if discount == Linear() else discount(ranks)
        exact = law @ (values**power * (ranks <= (k or n)))
        assert mean_powers(discount, n, u, k, (power,))[0] == pytest.approx(exact, rel=1e-12, abs=1e-15)


def test_means_at_many_depths_are_not_kept_and_are_the_same():
    u = np.linspace(0.0, 1.0, exact_module._MOST_CACHED + 1)
    kept = exact_module._known_means.cache_info().currsize
    many = mean_powers(Log(), 1000, u, None, (1, 2))
    assert exact_module._known_means.cache_info().currsize == kept
    few = mean_powers(Log(), 1000, u[::64].copy(), None, (1, 2))
    assert many[:, ::64] == pytest.approx(few, rel=1e-14) and not few.flags.writeable


@pytest.mark.parametrize("n, k", [(10_000, 5000), (10_000, 9990), (10_000, 3), (10**20, 100)])
def test_around_a_cutoff_the_depths_are_a_standard_deviation_apart(n, k):
    points = np.array(cutoff_points(n, k))
    share = k / n
    deviation = (share * (1 - share) / n) ** 0.5
    assert np.diff(points) == pytest.approx(deviation, rel=1e-6)
    assert np.abs(points - share).min() < 1e-9 * deviation
    assert 0.0 < points[0] < max(share - 8.5 * deviation, deviation)
    assert 1.0 > points[-1] > min(share + 8.5 * deviation, 1.0 - deviation)


def power_sum(beta, k):
    """Sum of r ** -beta up to k: term by term, then by Euler and Maclaurin's formula."""
    m = min(k, 1000)
    first_terms = np.sum(np.arange(m, 0.0, -1.0) ** -beta)
    integral = (
        np.log(k / m) if beta == 1.0 else (float(k) ** (1 - beta) - float(m) ** (1 - beta)) / (1 - beta)
    )
    corrections = [
        (
            x**-beta / 2
            - beta * x ** (-beta - 1) / 12
            + beta * (beta + 1) * (beta + 2) * x ** (-beta - 3) / 720
        )
        for x in (float(k), float(m))
    ]
    return first_terms + integral + corrections[0] - corrections[1]


@pytest.mark.parametrize("k", [10, 10**6, 0.1, 0.9, None])
@pytest.mark.parametrize("n", [10**6, 10**12, 10**15, 10**30])
def test_long_lists_against_closed_forms(n, k):
    """The r-th item is at depth r / (n+1) on average, so a line needs only sums of powers."""
    ranks = n if k is None else int(k * n) if isinstance(k, float) else k
    for beta in (0.5, 1.0, 2.0):
        exact = 0.9 * power_sum(beta, ranks) - 0.8 * power_sum(beta - 1.0, ranks) / (n + 1)
        cut = ranks if k is not None else None
        assert expected_dcg(Population("poly:0.9:-0.8"), Power(beta), n, cut) == pytest.approx(
            exact, rel=1e-12
        )


def test_ideal_dcg_with_a_cutoff_is_a_sum_up_to_the_cutoff_or_the_last_relevant_item():
    n, k, p = 30, 12, 0.4
    sums = np.cumsum(np.append(0.0, Log()(np.arange(1, n + 1))))
    exact = sum(comb(n, m) * p**m * (1 - p) ** (n - m) * sums[min(m, k)] for m in range(n + 1))
    assert expected_ideal_dcg(Population("constant:0.4"), Log(), n, k) == pytest.approx(exact, rel=1e-12)
    # Far from either side of the cut-off only one of the two can be the smaller.
    ideal = expected_ideal_dcg(Population("constant:0.4"), Zipf(), 10**12, 1000)
    assert ideal == pytest.approx(power_sum(1.0, 1000), rel=1e-13)


def test_expected_dcg_is_linear_in_the_grades():
    layers = [Population(lambda s: s**2 / 2), Population(lambda s: s / 2 + s**2 / 2)]
    parts = sum(expected_dcg(layer, Log(), 500) for layer in layers)
    assert expected_dcg(GRADED, Log(), 500) == pytest.approx(parts, rel=1e-12)


def test_expected_gap_is_the_difference_and_keeps_small_gaps():
    pair = Pair("poly:0.6:-0.2", "poly:0.4:0.2")
    difference = expected_dcg(pair.population0, Log(), 800) - expected_dcg(pair.population1, Log(), 800)
    assert expected_gap(pair, Log(), 800) == pytest.approx(difference, rel=1e-11)
    tiny = Pair("poly:0.5000000001:-0.0000000002", "poly:0.4999999999:0.0000000002")
    # Only the curves' own sixteen digits limit it: 1e-10 against 1e-16.
    assert expected_gap(tiny, Log(), 800) == pytest.approx(1e-9 * difference, rel=1e-5)


def test_expected_gap_of_zipf_has_the_logarithm_and_its_constant():
    """E h = Delta(0) (log n + gamma) + integral of (Delta(u) - Delta(0)) / u + o(1), for Delta = 0.4 - 0.8
    u.
    """
    n = 10**5
    gap = expected_gap(Pair("poly:0.7:-0.4", "poly:0.3:0.4"), Zipf(), n)
    assert gap == pytest.approx(0.4 * (np.log(n) + np.euler_gamma) - 0.8, abs=1e-4)


@settings(max_examples=60)
@given(st.integers(0, 60), st.floats(0, 1), st.integers(0, 2**32 - 1))
def test_binomial_mean_against_its_definition(trials, u, seed):
    values = np.random.default_rng(seed).random(trials + 1)
    exact = sum(comb(trials, k) * u**k * (1 - u) ** (trials - k) * values[k] for k in range(trials + 1))
    assert binomial_mean(values, u) == pytest.approx(exact, rel=1e-12)


def test_binomial_mean_far_out():
    # E 1/(1+B) = (1 - (1-u)^(n+1)) / ((n+1) u)
    for n, u in ((10**6, 0.3), (10**6, 1e-6), (10**5, 0.99999)):
        exact = -np.expm1((n + 1) * np.log1p(-u)) / ((n + 1) * u)
        assert binomial_mean(1 / np.arange(1.0, n + 2), u) == pytest.approx(exact, rel=1e-12)


def test_expected_ideal_dcg_by_enumeration():
    shares = {2: Fraction(1, 10), 1: Fraction(3, 10), 0: Fraction(6, 10)}
    population = Population({2: "constant:0.1", 1: "constant:0.3", 0: "constant:0.6"})
    n, exact = 5, Fraction(0)
    for labels in product(shares, repeat=n):
        weight = np.prod([shares[label] for label in labels])
        exact += weight * sum(
            Fraction(label, r) for r, label in enumerate(sorted(labels, reverse=True), start=1)
        )
    assert expected_ideal_dcg(population, Zipf(), n) == pytest.approx(float(exact), rel=1e-13)


@given(st.integers(1, 12), st.data())
def test_reverse_ideal_is_the_worst_of_all_rankings(n, data):
    relevant = data.draw(st.integers(1, n))
    order = data.draw(st.permutations([1] * relevant + [0] * (n - relevant)))
    discounts = [Fraction(1, r) for r in range(1, n + 1)]
    value = sum(d for d, label in zip(discounts, order) if label) / sum(discounts[:relevant])
    worst = sum(discounts[n - relevant :]) / sum(discounts[:relevant])
    assert worst <= value
    assert reverse_ideal_ndcg(n, relevant, Zipf()) == pytest.approx(float(worst), rel=1e-14)


def test_reverse_ideal_approaches_its_continuous_analogue():
    n = 10**6
    exact = reverse_ideal_ndcg(n, n // 5)
    assert pseudo_expectation(Population("step:0.2:1:0"), Log(), n) == pytest.approx(exact, rel=1e-4)
    assert pseudo_expectation(Population("step:0.8:0:1"), Log(), n) != pytest.approx(exact, rel=1e-2)


@pytest.mark.parametrize(
    "call, message",
    [
        *(
            (
                lambda expected=expected, items=items, n=n: expected(items, Log(), n),
                f"^n={re.escape(repr(n))}: expected a whole number",
            )
            for expected, items in (
                (expected_dcg, GRADED),
                (expected_ideal_dcg, GRADED),
                (expected_gap, Pair("power:1", "power:1", "label-first")),
            )
            for n in (0, 2e100)
        ),
        (lambda: reverse_ideal_ndcg(0, 1), "n=0: expected a whole number >= 1"),
        (
            lambda: expected_dcg(GRADED, lambda r: 1 / r, 10**8 + 1),
            "n=100000001: expected at most 100,000,000",
        ),
        (lambda: expected_dcg(GRADED, Log(), 10.5), "n=10.5"),
        (lambda: expected_dcg(GRADED, Log(), float("nan")), "n=nan"),
        (lambda: expected_dcg(GRADED, Log(), "10"), "n='10'"),
        (lambda: expected_dcg(GRADED, Log(), 10, k=0), "k=0"),
        (lambda: expected_gap(Pair("power:1", "power:1", "label-first"), Log(), 10, k=1.5), "k=1.5"),
        (lambda: expected_ideal_dcg(GRADED, Log(), 10, k="all"), "k='all'"),
        (lambda: expected_ideal_dcg(GRADED, Log(), -1), "n=-1"),
        (lambda: reverse_ideal_ndcg(3, 4), "relevant=4"),
        (lambda: reverse_ideal_ndcg(3, 0), "relevant=0: expected a whole number >= 1"),
    ],
)
def test_bad_input_is_rejected(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_a_single_item_and_the_longest_lists_have_expectations():
    pair = Pair("power:1", "power:1", "label-first")
    assert expected_dcg(GRADED, Zipf(), 1) == pytest.approx(GRADED.expected_label, rel=1e-14)
    assert expected_ideal_dcg(GRADED, Zipf(), 1) == pytest.approx(GRADED.expected_label, rel=1e-14)
    assert expected_gap(pair, Zipf(), 1) == 0.0 and reverse_ideal_ndcg(1, 1) == 1.0
    assert expected_dcg(Population("constant:0.5"), Power(2.0), 1e100) == pytest.approx(
        np.pi**2 / 12, rel=1e-12
    )


def test_stretches_are_as_few_as_one_part_in_ten_thousand_allows():
    first = 1e9
    for stretches in (2.9999, 3.0001, 50_000.5):
        starts = stretch_starts(first, first * np.exp(stretches * 1e-4))
        assert starts.size - 1 == np.ceil(stretches) and starts[0] == first
        assert np.all(np.diff(starts) <= 1.0001e-4 * starts[:-1])


@pytest.mark.parametrize("relative", [-0.5, -0.031, -0.029, -1e-6, 1e-6, 0.029, 0.031, 0.5])
def test_binomial_exponents_far_from_the_mean_keep_their_digits(relative):
    """``x log(x / mean) - (x - mean)`` by fifty digits."""
    mean, distance = 1e9, 1e9 * relative
    with localcontext() as context:
        context.prec = 50
        x = Decimal(mean) + Decimal(distance)
        expected = float(x * (x / Decimal(mean)).ln() - Decimal(distance))
    assert _half_deviance(np.array([distance]), mean)[0] == pytest.approx(expected, rel=2e-13)


@pytest.mark.parametrize("k", [None, 2, 0.5])
def test_expected_ndcg_over_all_labels_of_four_items(k):
    """Every list of labels with its probability, in fractions of the positions' moments: p(s) = s."""
    n, last = 4, {None: 4, 2: 2, 0.5: 2}[k]
    pay = [1 / np.log2(r + 1) for r in range(1, last + 1)]
    # Of four uniform scores the r-th largest has mean (5 - r) / 5; half of all items are relevant.
    dcg = sum(weight * float(Fraction(5 - r, 5)) for r, weight in enumerate(pay, 1))
    ideal = sum(sum(pay[: min(sum(labels), last)]) for labels in product((0, 1), repeat=n)) / 2**n
    assert expected_ndcg(Population("power:1"), Log(), n, k) == pytest.approx(dcg / ideal, rel=1e-12)


def test_expected_ndcg_of_the_worst_order_against_lists_of_every_number_of_relevant_items():
    """The reverse-ideal of m relevant items in n, weighted by its ideal DCG and the binomial law of m."""
    n, p = 30, 0.3
    pay = 1 / np.arange(1, n + 1)
    law = binom.pmf(np.arange(n + 1), n, p)
    worst = [pay[n - m :].sum() for m in range(n + 1)]
    best = [pay[:m].sum() for m in range(n + 1)]
    assert expected_ndcg(Population("step:0.3:1:0"), Zipf(), n) == pytest.approx(
        law @ worst / (law @ best), rel=1e-12
    )


def test_expected_ndcg_rejects_items_without_a_relevant_one():
    with pytest.raises(ValueError, match="population: expected an ideal DCG different from 0"):
        expected_ndcg(Population("constant:0"), Log(), 10)
