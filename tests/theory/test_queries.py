from bisect import bisect_left
from fractions import Fraction
from functools import reduce
from itertools import product

import numpy as np
import pytest
from scipy.special import ndtr, ndtri
from scipy.stats import binom

from ndcg_companion.measures import Linear, Log, Power, Zipf, ndcg
from ndcg_companion.significance.planning import paired_queries
from ndcg_companion.simulation import sample_pair
from ndcg_companion.theory import Pair, ahead_on_average, signal_and_noise, winning_probability

PAIR = Pair("poly:0.54:-0.08", "poly:0.46:0.08")
HALF, THIRD = Fraction(1, 2), Fraction(1, 3)


def law(q0, q1, k):
    """The difference of two pages of k labels under D(r) = 1/r, with its probabilities, in fractions."""
    inverse = [Fraction(1, r) for r in range(1, k + 1)]
    chances = {}
    for xi, eta in product(product((0, 1), repeat=k), repeat=2):
        chance = reduce(
            Fraction.__mul__, [q if x else 1 - q for q, page in ((q0, xi), (q1, eta)) for x in page]
        )
        d = sum(weight * (x - y) for weight, x, y in zip(inverse, xi, eta)) / sum(inverse)
        chances[d] = chances.get(d, 0) + chance
    return chances


def tops(q0, q1):
    """Two rankers with these tops and as many relevant items."""
    mean = (q0 + q1) / 2
    curves = [f"poly:{float(q)}:{float(2 * (mean - q))}" for q in (q0, q1)]
    return Pair(*curves, coupling="label-first")


@pytest.mark.parametrize("q0, q1", [(HALF, THIRD), (THIRD, HALF), (Fraction(9, 10), Fraction(4, 5))])
@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_signal_and_noise_are_those_of_all_pages(q0, q1, k):
    chances = law(q0, q1, k)
    mean = sum(chance * d for d, chance in chances.items())
    variance = sum(chance * (d - mean) ** 2 for d, chance in chances.items())
    signal, noise = signal_and_noise(tops(q0, q1), Zipf(), k)
    assert (signal, noise**2) == pytest.approx((float(mean), float(variance)), rel=1e-12)


@pytest.mark.parametrize("k, queries", [(1, 1), (1, 7), (2, 1), (2, 4), (3, 3)])
def test_the_chance_to_be_ahead_on_average_is_that_of_all_pages(k, queries):
    single_list = law(HALF, THIRD, k)
    sums = {Fraction(0): Fraction(1)}
    for _ in range(queries):
        longer = {}
        for (total, chance), (d, other) in product(sums.items(), single_list.items()):
            longer[total + d] = longer.get(total + d, 0) + chance * other
        sums = longer
    ahead = sum(chance for total, chance in sums.items() if total > 0) + sums.get(0, 0) / 2
    assert ahead_on_average(tops(HALF, THIRD), Zipf(), k, queries) == pytest.approx(float(ahead), abs=1e-5)


def test_one_query_is_the_law_that_is_known():
    turned = Pair(PAIR.ybar1, PAIR.ybar0)
    ahead, behind = (winning_probability(pair, Log(), 10) for pair in (PAIR, turned))
    assert ahead_on_average(PAIR, Log(), 10, 1) == pytest.approx(ahead + (1 - ahead - behind) / 2, abs=1e-5)


@pytest.mark.parametrize("discount", [Log(), Power(0.5), Power(2.0)])
def test_many_queries_are_normal_and_above_the_bound(discount):
    signal, noise = signal_and_noise(PAIR, discount, 10)
    weights = discount(np.arange(1, 11)) / discount(np.arange(1, 11)).sum()
    for queries in (25, 100, 400):
        chance = ahead_on_average(PAIR, discount, 10, queries)
        assert chance == pytest.approx(ndtr(np.sqrt(queries) * signal / noise), abs=0.003)
        assert chance >= 1 - np.exp(-queries * signal**2 / np.sum(weights**2))


def test_the_smallest_of_leads_shows_in_ten_billion_queries():
    """One result a query, 10**-5 apart: the mean lead is the root of 2 times its standard deviation."""
    pair = Pair("poly:0.500005:-0.00001", "poly:0.499995:0.00001")
    assert ahead_on_average(pair, Log(), 1, 10**10) == pytest.approx(ndtr(np.sqrt(2)), abs=1e-5)


def test_long_pages_of_rare_items_are_distinguished_by_a_million_queries():
    """Their mean deviates by far less than a page of one result: the window must be as narrow."""
    pair, queries = tops(0.001001, 0.000999), 10**6
    signal, noise = signal_and_noise(pair, Power(0.0), 300)
    chance = ahead_on_average(pair, Power(0.0), 300, queries)
    assert chance == pytest.approx(ndtr(1000 * signal / noise), abs=2e-5) and 0.7 < chance < 0.9


@pytest.mark.parametrize("unit", [2.0**-20, 2.0**20])
def test_the_unit_of_the_discount_does_not_matter(unit):
    discount = lambda ranks: unit / ranks
    assert signal_and_noise(PAIR, discount, 5) == pytest.approx(signal_and_noise(PAIR, Zipf(), 5))
    assert ahead_on_average(PAIR, discount, 5, 3) == pytest.approx(ahead_on_average(PAIR, Zipf(), 5, 3))


def test_equal_tops_give_probability_one_half_whatever_the_number_of_queries():
    pair = Pair("poly:0.5:0.6:-0.9", "poly:0.5:-0.6:0.9")
    assert signal_and_noise(pair, Log(), 10)[0] == 0
    for queries in (1, 100, 10**6):
        assert ahead_on_average(pair, Log(), 10, queries) == pytest.approx(0.5, abs=1e-12)


def test_certain_tops_make_no_noise():
    pair = tops(Fraction(1), Fraction(0))
    assert signal_and_noise(pair, Log(), 5) == (1.0, 0.0)
    assert ahead_on_average(pair, Log(), 5, 3) == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize("coupling", ["additive", "label-first"])
def test_lists_of_some_length_have_this_signal_and_noise(coupling):
    pair, n, lists = Pair("poly:0.7:-0.4", "poly:0.3:0.4", coupling), 100, 8000
    drawn = sample_pair(pair, lists * n, seed=4)
    labels = drawn.labels.reshape(lists, n)
    first, second = (ndcg(labels, s.reshape(lists, n), k=10) for s in (drawn.scores0, drawn.scores1))
    signal, noise = signal_and_noise(pair, Log(), 10, n)
    assert (first - second).mean() == pytest.approx(signal, abs=5 * noise / np.sqrt(lists))
    assert (first - second).std() == pytest.approx(noise, rel=0.04)
    # The limit is another: the check can tell.
    assert abs((first - second).mean() - signal_and_noise(pair, Log(), 10)[0]) > 5 * noise / np.sqrt(lists)


def test_long_lists_tend_to_the_limit():
    for part, limit in zip(signal_and_noise(PAIR, Log(), 10, 10**6), signal_and_noise(PAIR, Log(), 10)):
        assert part == pytest.approx(limit, rel=1e-4)


def test_arguments_without_a_limit_are_rejected():
    shared = Pair("step:0.5:0:1", "step:0.5:0:1", "shared-top", share=0.1)
    for arguments, message in (
        ((shared, Log(), 10), "pair="),
        ((PAIR, Linear(), 10), "discount="),
        ((PAIR, lambda ranks: 0.0 * ranks, 10), "discount="),
        ((PAIR, Log(), 10_001), "k=10001"),
        ((PAIR, Log(), 0), "k=0: expected a whole number >= 1"),
        ((PAIR, Log(), 0.2), "k=0.2"),
    ):
        with pytest.raises(ValueError, match=message):
            signal_and_noise(*arguments)
        with pytest.raises(ValueError, match=message):
            ahead_on_average(*arguments, 5)
    for k in (0, 10_001):
        with pytest.raises(ValueError, match=f"^k={k}: expected a whole number >= 1, of at most 10000"):
            signal_and_noise(PAIR, Log(), k, 10**6)
    with pytest.raises(ValueError, match="queries=0"):
        ahead_on_average(PAIR, Log(), 10, 0)


@pytest.mark.parametrize("k", [1, 2, 10, 50])
@pytest.mark.parametrize("top", [0.001, 0.05, 0.4])
def test_a_system_that_shows_nothing_relevant_is_behind_as_soon_as_the_other_shows_one(top, k):
    pair = Pair(f"constant:{top}", f"poly:0:{2 * top}", "label-first")
    for queries in (1, 10, 767, 3_000):
        none = (1 - top) ** (k * queries)
        chance = ahead_on_average(pair, Log(), k, queries)
        assert chance == pytest.approx(1 - none / 2, abs=1e-5) and chance <= 1.0
        turned = ahead_on_average(Pair(pair.ybar1, pair.ybar0, "label-first"), Log(), k, queries)
        assert turned == pytest.approx(none / 2, abs=1e-5) and turned >= 0.0


def fewest(pair, k, sure=0.95):
    """The fewest queries after which the first ranker is ahead on average with probability ``sure``."""
    most = next(2**power for power in range(40) if ahead_on_average(pair, Log(), k, 2**power) >= sure)
    return (
        bisect_left(
            range(most), True, key=lambda queries: ahead_on_average(pair, Log(), k, queries + 1) >= sure
        )
        + 1
    )


def by_the_square(pair, k, sure=0.95):
    signal, noise = signal_and_noise(pair, Log(), k)
    return (ndtri(sure) * noise / signal) ** 2


@pytest.mark.parametrize("k", [1, 10])
def test_close_tops_away_from_0_and_1_need_queries_by_the_square(k):
    for middle, apart, within in ((0.5, 0.05, 0.1), (0.5, 0.01, 0.01), (0.2, 0.01, 0.03)):
        pair = tops(middle + apart / 2, middle - apart / 2)
        assert fewest(pair, k) == pytest.approx(by_the_square(pair, k), rel=within)


@pytest.mark.parametrize("k", [1, 3, 10])
def test_tops_near_0_need_another_number_however_close_they_are(k):
    """One relevant document decides: the difference is not small beside the squared noise of a label."""
    ratios = []
    for top in (0.02, 0.005, 0.001):
        pair = Pair(f"constant:{top}", f"poly:0:{2 * top}", "label-first")
        needed = np.log(2 * 0.05) / (k * np.log(1 - top))
        assert fewest(pair, k) == np.ceil(needed)
        ratios.append(by_the_square(pair, k) / needed)
    weights = Log()(np.arange(1, k + 1)) / Log()(np.arange(1, k + 1)).sum()
    limit = ndtri(0.95) ** 2 * k * np.sum(weights**2) / np.log(10)
    assert ratios[-1] == pytest.approx(limit, rel=0.01) and limit > 1.15


def test_a_full_page_is_not_yet_a_long_list():
    """Curves that differ down to depth 1/20: every page is full, and ten times the documents help."""

    def apart(s):
        depth = 1 - np.asarray(s)
        return 0.2 * np.maximum(1 - 20 * depth, 0) - 0.005 / 0.95 * (depth > 0.05)

    pair = Pair(lambda s: 0.5 + apart(s) / 2, lambda s: 0.5 - apart(s) / 2, breaks=(0.95,))
    assert binom.cdf(9, 100, pair.p) < 1e-16
    needed = {}
    for n in (100, 1_000):
        drawn = sample_pair(pair, 4_000 * n, seed=n)
        labels = drawn.labels.reshape(-1, n)
        first, second = (ndcg(labels, s.reshape(-1, n), k=10) for s in (drawn.scores0, drawn.scores1))
        signal, noise = signal_and_noise(pair, Log(), 10, n)
        assert (first - second).mean() == pytest.approx(signal, abs=5 * noise / np.sqrt(len(first)))
        needed[n] = paired_queries(signal / noise)
    assert needed[100] > 5 * needed[1_000]
    assert paired_queries(0.2 / signal_and_noise(pair, Log(), 10)[1]) == pytest.approx(needed[1_000], abs=3)


def test_queries_with_different_distributions_are_noisier_than_the_worst_identical_ones():
    """All pages of three results, in fractions: 0.3 for the first on half of the queries, else -0.1."""
    mean, square = Fraction(0), Fraction(0)
    for gap in (Fraction(3, 10), Fraction(-1, 10)):
        chances = law(HALF + gap / 2, HALF - gap / 2, 3)
        mean += sum(chance * d for d, chance in chances.items()) / 2
        square += sum(chance * d**2 for d, chance in chances.items()) / 2
    weights = [Fraction(6, 11), Fraction(3, 11), Fraction(2, 11)]
    alike = sum(weight**2 for weight in weights) / 2
    labels = (HALF - (Fraction(9, 100) + Fraction(1, 100)) / 4) * 2 * alike
    assert mean == Fraction(1, 10) and square - mean**2 == labels + Fraction(4, 100) > alike


def test_one_and_ten_thousand_results_are_cutoffs():
    for k in (1, 10_000):
        assert signal_and_noise(PAIR, Log(), k)[0] == pytest.approx(0.08)
        assert signal_and_noise(PAIR, Log(), k, 10**12)[0] == pytest.approx(0.08, rel=1e-3)
