from math import inf

import numpy as np
import pytest

from ndcg_companion.measures import Geometric, Linear, Log, Power, Zipf
from ndcg_companion.measures.decay import KnownDecay
from ndcg_companion.theory import (
    Pair,
    Population,
    expected_dcg,
    limit,
    pseudo_expectation,
    second_order_term,
    winning_probability,
)
from ndcg_companion.theory.limits import decay_exponent


@pytest.mark.parametrize(
    "discount, exponent", [(Log(), 0.0), (Power(0.3), 0.3), (Zipf(), 1.0), (Power(2), 2.0)]
)
def test_exponent_is_the_slope_on_logarithmic_axes(discount, exponent):
    assert decay_exponent(discount) == exponent
    slope = np.log(discount(1e100) / discount(1e90)) / np.log(1e10)
    assert -slope == pytest.approx(exponent, abs=6e-3)


def test_geometric_decays_faster_than_every_power():
    assert decay_exponent(Geometric(0.99)) == inf


@pytest.mark.parametrize("discount", [Linear(), lambda r: 1 / r, None])
def test_unknown_decay_is_rejected(discount):
    with pytest.raises(ValueError, match="discount="):
        decay_exponent(discount)


class SquaredLog(KnownDecay):
    """A discount that nothing else in the package has heard of."""

    decay, log_decay = 0.0, 2.0

    def __call__(self, ranks):
        return 1.0 / np.log1p(ranks) ** 2


def test_theory_asks_a_discount_and_not_for_its_name():
    population, n = Population("poly:0.5:-0.2"), 2000
    assert limit(population, SquaredLog()).value == 1.0
    plain = expected_dcg(population, lambda r: SquaredLog()(r), n)
    assert expected_dcg(population, SquaredLog(), n) == pytest.approx(plain, rel=1e-11)
    # The term decreases like 1 / log n, what it leaves out like its square.
    expected = 1e6 * (pseudo_expectation(population, SquaredLog(), log_n=1e6) - 1.0)
    term = np.log(n) * second_order_term(population, SquaredLog(), n)
    assert term == pytest.approx(expected, rel=1e-5)
    assert term == pytest.approx(2.0 * np.log(n) * second_order_term(population, Log(), n), rel=1e-12)
    assert winning_probability(Pair("poly:0.7:-0.4", "poly:0.3:0.4"), SquaredLog()) == 1.0
