from fractions import Fraction
from functools import reduce
from itertools import product

import numpy as np
import pytest
from scipy.special import ndtr

from ndcg_companion.measures import Linear, Log, Power, Zipf, ndcg
from ndcg_companion.simulation import sample_pair
from ndcg_companion.theory import Pair, ahead_on_average, signal_and_noise, winning_probability

PAIR = Pair("poly:0.54:-0.08", "poly:0.46:0.08")
HALF, THIRD = Fraction(1, 2), Fraction(1, 3)


def law(q0, q1, k):
    """The difference of two pages of k labels under D(r) = 1/r, with its probabilities, in fractions."""
    inverse = [Fraction(1, r) for r in range(1, k + 1)]
    found = {}
    for xi, eta in product(product((0, 1), repeat=k), repeat=2):
        chance = reduce(
            Fraction.__mul__, [q if x else 1 - q for q, page in ((q0, xi), (q1, eta)) for x in page]
        )
        d = sum(weight * (x - y) for weight, x, y in zip(inverse, xi, eta)) / sum(inverse)
        found[d] = found.get(d, 0) + chance
    return found


def tops(q0, q1):
    """Two rankers with these tops and as many relevant items."""
    mean = (q0 + q1) / 2
    curves = [f"poly:{float(q)}:{float(2 * (mean - q))}" for q in (q0, q1)]
    return Pair(*curves, coupling="label-first")


@pytest.mark.parametrize("q0, q1", [(HALF, THIRD), (THIRD, HALF), (Fraction(9, 10), Fraction(4, 5))])
@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_signal_and_noise_are_those_of_all_pages(q0, q1, k):
    found = law(q0, q1, k)
    mean = sum(chance * d for d, chance in found.items())
    variance = sum(chance * (d - mean) ** 2 for d, chance in found.items())
    signal, noise = signal_and_noise(tops(q0, q1), Zipf(), k)
    assert (signal, noise**2) == pytest.approx((float(mean), float(variance)), rel=1e-12)


@pytest.mark.parametrize("k, queries", [(1, 1), (1, 7), (2, 1), (2, 4), (3, 3)])
def test_the_chance_to_be_ahead_on_average_is_that_of_all_pages(k, queries):
    one = law(HALF, THIRD, k)
    sums = {Fraction(0): Fraction(1)}
    for _ in range(queries):
        longer = {}
        for (total, chance), (d, other) in product(sums.items(), one.items()):
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


def test_equal_tops_are_a_coin_whatever_the_number_of_queries():
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


def test_what_has_no_limit_is_refused():
    shared = Pair("step:0.5:0:1", "step:0.5:0:1", "shared-top", share=0.1)
    for arguments, message in (
        ((shared, Log(), 10), "pair="),
        ((PAIR, Linear(), 10), "discount="),
        ((PAIR, lambda ranks: 0.0 * ranks, 10), "discount="),
        ((PAIR, Log(), 20_000), "k=20000"),
        ((PAIR, Log(), 0.2), "k=0.2"),
    ):
        with pytest.raises(ValueError, match=message):
            signal_and_noise(*arguments)
        with pytest.raises(ValueError, match=message):
            ahead_on_average(*arguments, 5)
    with pytest.raises(ValueError, match="queries=0"):
        ahead_on_average(PAIR, Log(), 10, 0)
