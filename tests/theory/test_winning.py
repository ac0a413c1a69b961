from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.special import zeta

from ndcg_companion.measures import Geometric, Linear, Log, Power, Zipf
from ndcg_companion.theory import (
    DiscountedSum,
    Pair,
    bounds,
    expected_gap,
    failure_bound,
    winning_probability,
)
from ndcg_companion.theory.winning import noise_law


def with_gap(coefficients, size, breaks=(), **coupling):
    """Curves 1/2 +- Delta/2 with Delta = size * polynomial in the depth (or a function of it)."""
    gap = (
        coefficients
        if callable(coefficients)
        else lambda u: np.polynomial.polynomial.polyval(u, coefficients)
    )
    return Pair(
        lambda s: 0.5 + size / 2 * gap(1 - s),
        lambda s: 0.5 - size / 2 * gap(1 - s),
        breaks=breaks,
        **coupling,
    )


LINE = with_gap([1, -2], 0.4)  # 0.7 - 0.4 u against 0.3 + 0.4 u
BETTER_AT_THE_TOP = with_gap([1, -20, 27], 0.09)  # equal limits at beta = 3/4


def simulated(pair, discount, n, replicates, seed, k=None):
    """Share of the replicates in which the first ranker is ahead, ties counting half."""
    rng = np.random.default_rng(seed)
    ranks = np.arange(1, n + 1)
    weights = discount(ranks) * (ranks <= (k or n))
    wins = 0.0
    for _ in range(replicates):
        u, v = rng.random((2, n))
        chance = 0.5 + pair.gap_at_depth(u) / 2 - pair.gap_at_depth(v) / 2
        labels = rng.random(n) < chance
        wins += 0.5 * (1 + np.sign(weights @ labels[np.argsort(u)] - weights @ labels[np.argsort(v)]))
    return wins / replicates


def test_theorem_8_2_fails_on_its_example():
    probability = winning_probability(BETTER_AT_THE_TOP, Power(0.75))
    assert BETTER_AT_THE_TOP.gap_at_depth(0.0) > 0
    assert 0.39 < probability < 0.41
    share = simulated(BETTER_AT_THE_TOP, Power(0.75), 2000, 3000, seed=20)
    assert share == pytest.approx(probability, abs=4 * np.sqrt(0.24 / 3000))


def test_the_noise_law_moved_by_the_mean_gives_the_probability():
    mean = zeta(0.75) * BETTER_AT_THE_TOP.gap_at_depth(0.0)
    ahead = 1 - noise_law(BETTER_AT_THE_TOP, Power(0.75)).cdf(-mean)
    assert ahead == pytest.approx(winning_probability(BETTER_AT_THE_TOP, Power(0.75)), abs=1e-8)
    assert abs(1 - noise_law(LINE, Power(0.75)).cdf(-mean) - ahead) > 1e-3


def test_its_probability_against_brute_force_inversion():
    """P(zeta(beta) Delta(0) + sum r^-beta (xi - eta - Delta(0)) > 0) with four thousand explicit factors."""
    beta, q0, q1 = 0.75, 0.545, 0.455
    discounts = np.arange(1.0, 4001.0) ** -beta
    variance = q0 * (1 - q0) + q1 * (1 - q1)
    third = q0 * (1 - q0) * (1 - 2 * q0) - q1 * (1 - q1) * (1 - 2 * q1)

    def integrand(t):
        first = (1 - q0) * np.exp(-1j * t * q0 * discounts) + q0 * np.exp(1j * t * (1 - q0) * discounts)
        second = (1 - q1) * np.exp(1j * t * q1 * discounts) + q1 * np.exp(-1j * t * (1 - q1) * discounts)
        rest = np.exp(-variance * t**2 * zeta(1.5, 4001.0) / 2 - 1j * third * t**3 * zeta(2.25, 4001.0) / 6)
        return (np.prod(first * second) * rest * np.exp(1j * t * zeta(beta) * (q0 - q1))).imag / t

    exact = 0.5 + sum(quad(integrand, a, a + 2, epsabs=1e-12)[0] for a in np.arange(1e-9, 30, 2)) / np.pi
    assert winning_probability(BETTER_AT_THE_TOP, Power(0.75)) == pytest.approx(exact, abs=1e-8)


@given(st.floats(0.02, 0.98), st.floats(0.02, 0.98))
@settings(max_examples=30)
def test_geometric_is_decided_by_the_first_difference(q0, q1):
    p = 0.5
    # a line from the top value to whatever gives p
    line = lambda q: lambda s: np.where(s > 0.9, q, (p - 0.1 * q) / 0.9)
    pair = Pair(line(q0), line(q1), coupling="label-first", breaks=[0.9])
    exact = q0 * (1 - q1) / (q0 * (1 - q1) + q1 * (1 - q0))
    for ratio in (0.5, 0.2):
        assert winning_probability(pair, Geometric(ratio)) == pytest.approx(exact, abs=1e-12)


def test_the_general_law_finds_the_geometric_formula():
    """Just above one half the closed form no longer holds, but is still near."""
    below, above = (winning_probability(LINE, Geometric(ratio)) for ratio in (0.5, 0.5 + 1e-9))
    assert above == pytest.approx(below, abs=1e-7)
    assert winning_probability(LINE, Geometric(0.6)) != pytest.approx(below, abs=1e-3)


@pytest.mark.parametrize("discount", [Power(2.0), Power(3.0), Geometric(0.7)])
def test_summable_discounts_against_simulation(discount):
    probability = winning_probability(LINE, discount)
    share = simulated(LINE, discount, 500, 3000, seed=5)
    assert share == pytest.approx(probability, abs=4 * np.sqrt(0.25 / 3000) + 2e-3)


@pytest.mark.parametrize(
    "discount, k", [(Zipf(), 1), (Zipf(), 6), (Log(), 5), (lambda r: 1.0 / r**2, 7), (Power(0.0), 4)]
)
def test_constant_cutoffs_by_enumeration(discount, k):
    """All label sequences of both tops, with sums in fractions where the discount allows it."""
    weights = (
        [Fraction(1, r) for r in range(1, k + 1)]
        if discount == Zipf()
        else list(discount(np.arange(1, k + 1)))
    )
    q0, q1 = 0.7, 0.3
    exact = 0.0
    for labels in product((0, 1), repeat=2 * k):
        top0, top1 = labels[:k], labels[k:]
        h = sum(w * (a - b) for w, a, b in zip(weights, top0, top1))
        if h > 1e-12:
            exact += (
                q0 ** sum(top0) * (1 - q0) ** (k - sum(top0)) * q1 ** sum(top1) * (1 - q1) ** (k - sum(top1))
            )
    assert winning_probability(LINE, discount, k=k) == pytest.approx(exact, abs=1e-12)


def test_constant_cutoffs_approach_the_summable_law():
    for discount in (Power(3.0), Geometric(0.4)):
        full = winning_probability(LINE, discount)
        assert winning_probability(LINE, discount, k=24) == pytest.approx(full, abs=2e-3)


@pytest.mark.parametrize(
    "pair, discount, k, expected",
    [
        (LINE, Log(), None, 1.0),  # K = 1
        (with_gap([-1, 2], 0.4), Log(), None, 0.0),
        (with_gap([1, -8, 9], 0.1), Log(), None, 1.0),  # K = 2: 1 - 8/8 + 9/27 doubled
        (with_gap([-1, 24, -81, 64], 0.02), Log(), None, 0.0),  # K = 3
        (LINE, Log(), 0.3, 1.0),
        (LINE, Power(0.5), None, 1.0),
        (LINE, Power(0.5), 0.2, 1.0),
        (LINE, Zipf(), None, 1.0),
        (LINE, Zipf(), 0.2, 1.0),
        (LINE, Log(), "o(n)", 1.0),
        (LINE, Power(0.75), "o(n)", 1.0),
        (LINE, Linear(), None, 1.0),
        (BETTER_AT_THE_TOP, Linear(), None, 0.0),  # 1/2 - 20/6 + 27/12 < 0
        (with_gap([4, -26, 27], 0.1), Linear(), 0.5, 1.0),  # 7/192 > 0, though with weight 2 - u -17/192
        (BETTER_AT_THE_TOP, Zipf(), None, 1.0),  # only the top counts
        (with_gap([1, -6, 6], 0.2), Linear(), None, 0.5),  # symmetric in the depth: equal means
        (with_gap([1, -12, 15], 0.1), Power(0.5), None, 0.5),  # 2 - 24/3 + 30/5 = 0
    ],
)
def test_some_pairs_have_probability_zero_one_half_or_one(pair, discount, k, expected):
    assert pair.p == pytest.approx(0.5, abs=0.2)
    assert winning_probability(pair, discount, k=k) == expected
    assert winning_probability(Pair(pair.ybar1, pair.ybar0), discount, k=k) == 1.0 - expected


def test_the_truncated_moment_decides_when_the_truncated_integral_vanishes():
    """Delta = 1 - 5u integrates to 0 over the top 40 %; there, the log moment is positive."""
    gap = lambda u: np.where(u < 0.4, 1 - 5 * u, 0.0)
    pair = with_gap(gap, 0.2, breaks=[0.6])
    assert quad(lambda u: (1 - 5 * u) * np.log(1 / u), 0, 0.4)[0] > 0
    assert winning_probability(pair, Log(), k=0.4) == 1.0
    assert winning_probability(pair, Log(), k=0.2) == 1.0


def test_blind_cutoffs_give_probability_one_half():
    """Remark 3.3 fails: equal on the top 30 %, different below."""
    # What curves do above the top, at negative depths, is nobody's business.
    gap = lambda u: np.where((u >= 0.0) & (u < 0.3), 0.0, np.sin(2 * np.pi * (u - 0.3) / 0.7))
    pair = with_gap(gap, 0.4, breaks=[0.7])
    for discount in (Log(), Power(0.25), Power(0.75), Zipf(), Linear()):
        assert winning_probability(pair, discount, k=0.3) == 0.5
        assert winning_probability(pair, discount, k=0.2) == 0.5
        if discount != Zipf():
            assert winning_probability(pair, discount) == 1.0
            assert winning_probability(pair, discount, k=0.4) == 1.0
    assert winning_probability(pair, Log(), k="o(n)") == 0.5


def test_zipf_with_equal_tops_is_not_decided():
    pair = with_gap([0, 1, -1.5], 0.5)
    probability = winning_probability(pair, Zipf())
    assert 0.5 < probability < 0.65
    # P(c + T > 0) for a symmetric T is 1/2 + c f(0) to first order, c = 0.5 (1 - 0.75)
    law = DiscountedSum(Zipf(), (-1, 0, 1), (0.25, 0.5, 0.25), mean=0.0)
    assert probability == pytest.approx(law.cdf(0.125), abs=1e-10)
    share = simulated(pair, Zipf(), 1000, 3000, seed=8)
    assert share == pytest.approx(probability, abs=4 * np.sqrt(0.25 / 3000))


def shared(coupling="shared-top"):
    first = lambda s: 0.1 + 0.8 * s
    second = lambda s: np.where(s > 0.5, 0.1 + 0.8 * s, 0.1 + 0.8 * (0.5 - s))
    return Pair(
        first, second, coupling=coupling, share=0.5 if coupling == "shared-top" else None, breaks=[0.5]
    )


def test_a_shared_top_refutes_the_last_sentence_of_theorem_10():
    assert winning_probability(shared(), Power(2.0)) == 1.0
    assert winning_probability(shared("label-first"), Power(2.0)) == pytest.approx(0.5, abs=1e-10)
    assert winning_probability(shared(), Zipf()) == 1.0
    assert winning_probability(shared(), Log()) == 1.0
    turned = Pair(shared().ybar1, shared().ybar0, "shared-top", 0.5, (0.5,))
    for discount in (Power(2.0), Zipf(), Log()):
        assert winning_probability(turned, discount) == 0.0
    # just below the top, 0.5 against 0.1
    assert winning_probability(shared(), Geometric(0.5)) == pytest.approx(0.45 / (0.45 + 0.05), abs=1e-9)


def test_equal_tops_give_probability_one_half():
    """By symmetry, however rare the relevant items at the top, and though the curves differ below."""
    pair = Pair("poly:0.01:0.4", lambda s: 0.01 + 0.6 * (1 - s) ** 2, coupling="label-first")
    for discount in (Geometric(0.5), Geometric(0.95), Power(1.1), Power(5.0)):
        assert winning_probability(pair, discount) == 0.5


@pytest.mark.parametrize("q0, q1", [(3e-12, 2.5e-12), (1e-10, 2e-10)])
@pytest.mark.parametrize("ratio", [0.5, 0.7])
def test_the_first_of_two_rare_items_decides(q0, q1, ratio):
    """It outweighs any other below it; that two within reach answer it has a chance of order q squared."""
    line, square = lambda s: q0 + (0.4 - 2 * q0) * (1 - s), lambda s: q1 + (0.6 - 3 * q1) * (1 - s) ** 2
    pair = Pair(line, square, coupling="label-first")
    ahead, behind = q0 * (1 - q1), q1 * (1 - q0)
    assert winning_probability(pair, Geometric(ratio)) == pytest.approx(ahead / (ahead + behind), abs=1e-9)


@pytest.mark.parametrize("discount", [Geometric(0.9), Power(2.0)])
def test_nearly_certain_tops_against_simulation(discount):
    """The first ranks that differ, drawn from their geometric gaps."""
    q0, q1, replicates, draws = 0.02, 0.01, 20_000, 40
    pair = Pair(f"poly:{q0}:0.4", f"poly:{q1}:0.42", coupling="label-first")
    ahead, behind = q0 * (1 - q1), q1 * (1 - q0)
    rng = np.random.default_rng(11)
    ranks = np.cumsum(rng.geometric(ahead + behind, (replicates, draws)), axis=1)
    signs = np.where(rng.random(ranks.shape) < ahead / (ahead + behind), 1.0, -1.0)
    share = np.mean(np.sum(signs * discount(ranks), axis=1) > 0)
    assert winning_probability(pair, discount) == pytest.approx(share, abs=4 * np.sqrt(0.25 / replicates))


def test_equal_curves_give_probability_one_half():
    pair = Pair("cosine:0.5:0.2", "cosine:0.5:0.2")
    for discount in (Log(), Power(0.3), Power(0.8), Zipf(), Power(2.0), Geometric(0.5), Linear()):
        assert winning_probability(pair, discount) == 0.5


@pytest.mark.parametrize("discount", [Power(0.75), Power(2.0), Geometric(0.5), Geometric(0.7), Zipf(), Log()])
def test_swapping_the_rankers_swaps_the_answer(discount):
    swapped = Pair(BETTER_AT_THE_TOP.ybar1, BETTER_AT_THE_TOP.ybar0)
    total = winning_probability(BETTER_AT_THE_TOP, discount) + winning_probability(swapped, discount)
    assert total == pytest.approx(1.0, abs=1e-9)


@pytest.mark.parametrize(
    "call, message",
    [
        (
            lambda: winning_probability(Pair("step:0.5:0:1", "step:0.5:0:1", coupling="label-first"), Log()),
            "noisy",
        ),
        (lambda: winning_probability(LINE, lambda r: 1 / r), "whose decay is known"),
        (lambda: winning_probability(LINE, Power(0.0)), "always tie"),
        *(
            (
                lambda k=k: winning_probability(LINE, Log(), k=k),
                f"k={k}: expected a constant cut-off from 1 to 24",
            )
            for k in (-1, 0, 25, 30)
        ),
        (lambda: winning_probability(LINE, Linear(), k=3), "rank alone"),
        (lambda: winning_probability(LINE, Log(), k=True), "k=True"),
        (lambda: winning_probability(shared(), Log(), k=0.4), "within which the rankers tie"),
        (lambda: winning_probability(shared(), Geometric(0.5), k=0.5), "within which the rankers tie"),
        (lambda: winning_probability(shared(), Log(), k=3), "within which the rankers tie"),
        (
            lambda: winning_probability(with_gap([0, 1, -1.5], 0.5), Log(), k="o(n)"),
            "the growth of k matters",
        ),
    ],
)
def test_pairs_without_a_known_limit_are_rejected(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_failure_bound_is_its_formula():
    n, discount = 200_000, Power(0.25)
    gap = abs(expected_gap(LINE, discount, n))
    sums = np.cumsum(discount(np.arange(1, n + 1)))
    m = int(np.sum(sums <= gap / 8))
    assert m > 100
    exact = min(1.0, 2 * np.exp(-9 * gap**2 / (32 * n * m**-0.5)))
    assert failure_bound(LINE, discount, n) == pytest.approx(exact, rel=1e-9)


def test_failure_bound_becomes_negligible():
    bounds = [failure_bound(LINE, Log(), n) for n in (10**4, 10**5, 10**6)]
    assert bounds[0] == 1.0 > bounds[1] > 1e-3 > 1e-9 > bounds[2]
    assert failure_bound(BETTER_AT_THE_TOP, Power(0.75), 10**6) == 1.0


def test_failure_bound_of_equal_curves_says_nothing():
    assert failure_bound(Pair("constant:0.5", "constant:0.5"), Log(), 100) == 1.0


def test_with_certain_tops_and_tied_limits_at_one_half_the_mean_matters():
    """Mean and noise are then of one size; lists of 20,000 items have the first ranker ahead in 9 of 100."""
    knots = np.array([0, 0.03, 0.06, 0.4, 0.6, 1])
    shapes = np.array([[1, 0, 0, 0, 0, 0], [0, 0, 1, 1, 0, 0], [0, 0, 0, 0, 1, 1]])

    def integral(values, beta):
        return quad(
            lambda u: 2 * u * np.interp(u**2, knots, values) * u ** (-2 * beta),
            0,
            1,
            points=np.sqrt(knots[1:-1]),
        )[0]

    system = [[integral(shape, beta) for shape in shapes] for beta in (0, 0.5)]
    weights = np.linalg.solve(np.array(system)[:, 1:], -np.array(system)[:, 0])
    values = shapes[0] + weights @ shapes[1:]
    assert np.abs(values).max() <= 1
    pair = with_gap(lambda u: np.interp(u, knots, values), 1, tuple(1 - knots[1:-1]), coupling="label-first")
    with pytest.raises(ValueError, match="expected a noisy top where limits tie at beta = 1/2"):
        winning_probability(pair, Power(0.5))
    noisy = with_gap(
        lambda u: np.interp(u, knots, values), 0.9, tuple(1 - knots[1:-1]), coupling="label-first"
    )
    assert winning_probability(noisy, Power(0.5)) == 0.5


def test_the_failure_bound_of_long_lists_is_just_above_its_formula(monkeypatch):
    exact = [failure_bound(LINE, discount, 10**6) for discount in (Log(), Power(0.45))]
    monkeypatch.setattr(bounds, "_FIRST", 1 << 12)
    hasty = [failure_bound(LINE, discount, 10**6) for discount in (Log(), Power(0.45))]
    for bound, first in zip(hasty, exact):
        assert first <= bound <= first * (1 + 1e-3) * max(1.0, -np.log(first))


def test_the_failure_bound_of_endless_lists_takes_neither_time_nor_memory():
    assert failure_bound(LINE, Log(), 10**12) == 0.0 == failure_bound(LINE, Power(0.4), 10**30)


@pytest.mark.parametrize("discount", [Geometric(0.5), Geometric(0.9), Power(2.0)])
def test_two_perfect_tops_are_rejected_and_nearly_perfect_ones_give_one_half(discount):
    faultless = Pair("poly:1:-1", "cosine:0.5:0.5", coupling="label-first")
    with pytest.raises(ValueError, match="^pair=.*: expected noisy labels"):
        winning_probability(faultless, discount)
    nearly = Pair("poly:0.99:-0.98", "cosine:0.5:0.49", coupling="label-first")
    assert winning_probability(nearly, discount) == pytest.approx(0.5, abs=1e-9)


def test_ties_are_ties_in_any_unit():
    """1 = 1/2 + 1/3 + 1/6, and the same of millions and of millionths."""
    exact = winning_probability(LINE, Zipf(), k=6)
    for unit in (1e6, 1e-6):
        probability = winning_probability(LINE, lambda r, unit=unit: unit / r, k=6)
        assert probability == pytest.approx(exact, abs=1e-12)


@pytest.mark.parametrize("surplus, expected", [(3e-10, 1.0), (-3e-10, 0.0), (3e-12, 0.5)])
def test_limits_tie_when_they_differ_by_rounding(surplus, expected):
    """At beta = 1/2 the limits differ by 2/3 of the surplus times 0.1; 1e-12 counts as rounding."""
    pair = with_gap([1 + surplus, -12 - 2 * surplus, 15], 0.1)
    assert winning_probability(pair, Power(0.5)) == expected


def test_shares_that_are_rounded_differently_decide_nothing_on_the_full_list():
    """The second has 8e-10 more relevant items, as curves given in nine digits may; the first is better."""
    pair = Pair("poly:0.7:-0.4", "poly:0.3000000008:0.4")
    assert winning_probability(pair, Log()) == winning_probability(pair, Log(), k=1.0) == 1.0


def test_equal_certain_tops_leave_the_tie_to_lower_labels():
    """Two perfect tops: Delta vanishes at the top, in the mean and under the weight u ** -1/2."""
    system = [[1 / 3, 1 / 4], [1 / 2.5, 1 / 3.5]]
    second, third = np.linalg.solve(system, [-1 / 2, -1 / 1.5])
    gap = lambda u: 0.1 * u * (1 + second * u + third * u**2)
    pair = Pair(
        lambda s: 1 - (1 - s) / 2 + gap(1 - s), lambda s: 1 - (1 - s) / 2 - gap(1 - s), coupling="label-first"
    )
    assert winning_probability(pair, Power(0.5)) == 0.5


def test_where_two_certain_tops_tie_under_zipf_the_rest_of_the_lists_decides():
    """The integral of Delta(u) / u is 0.1 (1 - 3/4), and no label is in doubt where its rank counts."""
    gap = lambda u: 0.1 * u * (1 - 1.5 * u)
    curves = [lambda s, sign=sign: 0.5 + s / 2 + sign * gap(1 - s) / 2 for sign in (1, -1)]
    assert winning_probability(Pair(*curves, "label-first"), Zipf()) == 1.0
    assert winning_probability(Pair(*curves[::-1], "label-first"), Zipf()) == 0.0


def test_certain_labels_within_the_cutoff_are_rejected():
    # What curves do above the top, where these are noisy, is nobody's business.
    certain = lambda below: lambda s: np.select([s > 1.0, s > 0.7], [0.5, 1.0], below(s))
    pair = Pair(
        certain(lambda s: 0.5 + 0.0 * s), certain(lambda s: 0.15 + s), coupling="label-first", breaks=(0.7,)
    )
    for k in (0.3, "o(n)"):
        with pytest.raises(ValueError, match="^pair=.*: expected noisy labels"):
            winning_probability(pair, Log(), k)


@pytest.mark.parametrize("discount", [Power(2.0), Zipf()])
def test_below_a_shared_top_items_weigh_as_the_discount_says(discount):
    """A gap symmetric about its middle: weights that are linear in the depth tie, convex ones do not."""
    part = lambda s: np.clip(2 * s, 0.0, 1.0)
    gap = lambda s: np.where(s > 0.5, 0.0, 0.2 * (1 - 6 * part(s) + 6 * part(s) ** 2))
    curves = [lambda s, sign=sign: 0.5 + sign * gap(s) for sign in (1, -1)]
    pair = Pair(*curves, "shared-top", share=0.5, breaks=(0.5,))
    assert winning_probability(pair, discount) == 1.0
    assert winning_probability(Pair(*curves[::-1], "shared-top", share=0.5, breaks=(0.5,)), discount) == 0.0
