from dataclasses import dataclass
from math import inf

import numpy as np
import pytest

from ndcg_companion.measures import Geometric, Linear, Log, Power, Zipf
from ndcg_companion.measures.decay import KnownDecay
from ndcg_companion.measures.discounts import discount_table

OF_RANK_ALONE = [Log(), Power(0), Power(0.3), Power(2.5), Zipf(), Geometric(0.5), Geometric(0.9)]


@pytest.mark.parametrize("discount", OF_RANK_ALONE)
def test_a_discount_has_its_stated_decay(discount):
    r = np.arange(1.0, 30.0)
    if discount.ratio:
        assert discount(r + 1) / discount(r) == pytest.approx(discount.ratio, rel=1e-13)
        assert discount.decay == inf
    else:
        factor = np.log1p(r) ** discount.log_decay
        assert discount(r) * r**discount.decay * factor == pytest.approx(1.0, rel=1e-13)
    assert not discount.needs_n and discount.weight(0.3) == 1.0
    assert discount.of_rank_alone() is discount


def test_the_linear_discount_weights_a_depth_by_the_items_below():
    u = np.linspace(0.0, 1.0, 11)
    assert Linear()(u * 1e9, 1e9) / 1e9 == pytest.approx(Linear().weight(u), abs=1e-15)
    assert (Linear().decay, Linear().log_decay, Linear().ratio, Linear().needs_n) == (0.0, 0.0, None, True)


@pytest.mark.parametrize("discount", [*OF_RANK_ALONE, Linear()])
def test_only_a_geometric_discount_has_a_rank_beyond_which_it_is_nothing(discount):
    if discount.ratio:
        assert discount(discount.reach) == pytest.approx(np.exp(-37.0), rel=1e-12)
        assert discount(discount.reach) < 1e-16 < discount(discount.reach - 2)
    else:
        assert discount.reach == inf


@pytest.mark.parametrize("discount", OF_RANK_ALONE)
@pytest.mark.parametrize("power, after", [(1, 0), (1, 7), (2, 0), (3, 2)])
def test_sums_of_discounts_are_those_of_all_ranks(discount, power, after):
    ranks = np.arange(10.0**6, after, -1.0)
    if not discount.ratio and power * discount.decay <= 1:
        assert discount.tail_sum(power, after) == inf
        if power * discount.decay < 1:  # the last half of a million ranks alone
            assert np.sum(discount(ranks[: ranks.size // 2]) ** power) > 1.0
        return
    exponent = power * discount.decay
    # Beyond the last rank, by the integral and half the first term.
    rest = 0.0 if discount.ratio else 1e6 ** (1 - exponent) / (exponent - 1) - 1e6**-exponent / 2
    expected = np.sum(discount(ranks) ** power) + rest
    assert discount.tail_sum(power, after) == pytest.approx(expected, rel=1e-11)


@pytest.mark.parametrize("discount", OF_RANK_ALONE)
def test_one_sum_over_all_ranks_is_meant_where_nothing_is_said(discount):
    assert discount.tail_sum() == discount.tail_sum(1, 0)


@pytest.mark.parametrize("discount", OF_RANK_ALONE)
def test_the_change_of_the_logarithm_is_that_of_the_values(discount):
    log_rank, offset = np.log([1.0, 2.0, 5.0, 300.0]), np.log([1.0, 3.0, 10.0, 0.01])
    before, after = discount(np.exp(log_rank)), discount(np.exp(log_rank + offset))
    assert discount.log_change(log_rank, offset) == pytest.approx(np.log(after / before), rel=1e-12)


@pytest.mark.parametrize("discount", OF_RANK_ALONE)
def test_the_change_of_the_logarithm_is_known_where_no_float_holds_the_rank(discount):
    change = discount.log_change(0.0, np.array([1e3, 1e6]))
    if discount.ratio:
        assert change[0] == change[1] < -1e300
    else:
        assert change + discount.decay * np.array([1e3, 1e6]) == pytest.approx(
            discount.log_decay * (np.log(np.log(2.0)) - np.log([1e3, 1e6])), rel=1e-9, abs=1e-9
        )


@pytest.mark.parametrize("ask", [lambda d: d.tail_sum(2), lambda d: d.log_change(0.0, 1.0)])
def test_discounts_that_depend_on_the_length_have_no_tail_sum_or_change(ask):
    with pytest.raises(ValueError, match=r"^discount=Linear\(\): expected a discount of the rank alone"):
        ask(Linear())


def by_enumeration(function, n, u, k):
    """The mean over all ranks up to k, each with its binomial chance."""
    chances = np.zeros((n, len(u)))
    chances[0] = 1.0
    for _ in range(n - 1):  # one more item is above with chance u
        chances[1:], chances[0] = chances[1:] * (1 - u) + chances[:-1] * u, chances[0] * (1 - u)
    return function(np.arange(1.0, k + 1)) @ chances[:k]


@pytest.mark.parametrize("discount", [*OF_RANK_ALONE, Linear()])
@pytest.mark.parametrize("n, k", [(1, 1), (6, 6), (6, 2), (40, 40), (40, 13)])
def test_means_at_a_random_rank_are_those_over_all_ranks(discount, n, k):
    u, powers = np.array([0.0, 0.1, 0.5, 0.99, 1.0]), (1, 2, 3)
    means = discount.mean_powers(powers, n, u, k, by_enumeration)
    assert means.shape == (3, 5)
    for power, mean in zip(powers, means):
        values = lambda r: (discount(r, n) if discount.needs_n else discount(r)) ** power
        assert mean == pytest.approx(by_enumeration(values, n, u, k), rel=1e-11, abs=1e-60)


@dataclass(frozen=True)
class Steep(KnownDecay):
    """A discount that is no function of this package, with an analysis that it inherits."""

    decay = 3.0

    def __call__(self, ranks):
        return np.asarray(ranks, dtype=float) ** -3


def test_a_new_discount_inherits_its_analysis():
    assert Steep().tail_sum(2, 4) == Power(3).tail_sum(2, 4)
    assert Steep().log_change(2.0, 1.0) == Power(3).log_change(2.0, 1.0)
    table, decreasing = discount_table(Steep(), 9, 5)
    assert decreasing and table.tolist() == discount_table(Power(3), 9, 5)[0].tolist()
    assert not table.flags.writeable  # kept for the next call
