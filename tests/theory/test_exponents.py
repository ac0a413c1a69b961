"""The exponent of failure by the labels of two tops, against exact binomial laws and Chernoff's bound."""

from math import inf, log

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.stats import binom

from ndcg_companion.measures import Log
from ndcg_companion.theory import bhattacharyya_exponent

TOPS = [(0.7, 0.3), (0.9, 0.2), (0.6, 0.4)]


def saddlepoint_rate(weights, q0, q1):
    """-min over z of log E exp(-z h) / k: what Chernoff's bound gives for each rank."""

    def cumulant(z):
        return np.sum(np.log1p(q0 * np.expm1(-z * weights)) + np.log1p(q1 * np.expm1(z * weights)))

    return -minimize_scalar(cumulant, bounds=(0.0, 60.0), method="bounded").fun / len(weights)


def rate(k, q0, q1):
    """-log P / k for the constant discount: the first has no more relevant items than the second."""
    counts = np.arange(k + 1)
    at_most = np.logaddexp.accumulate(binom.logpmf(counts, k, q0))
    return -np.logaddexp.reduce(binom.logpmf(counts, k, q1) + at_most) / k


@pytest.mark.parametrize(("q0", "q1"), TOPS)
def test_it_is_the_saddlepoint_rate_of_the_constant_discount_at_every_cutoff(q0, q1):
    for k in (1, 110):
        assert saddlepoint_rate(np.ones(k), q0, q1) == pytest.approx(bhattacharyya_exponent(q0, q1), rel=1e-9)


@pytest.mark.parametrize(("q0", "q1"), TOPS)
def test_the_rate_of_the_probability_comes_to_it_from_above(q0, q1):
    rates = [rate(k, q0, q1) for k in (100, 1_000, 10_000)]
    exponent = bhattacharyya_exponent(q0, q1)
    assert rates[0] > rates[1] > rates[2] > exponent
    assert rates[2] == pytest.approx(exponent, abs=1e-3)


def test_under_the_log_discount_the_two_rates_lie_on_either_side():
    weights = Log()(np.arange(1.0, 1_001.0))
    below = [saddlepoint_rate(weights[:k], 0.7, 0.3) for k in (110, 1_000)]
    assert below == pytest.approx([0.1397, 0.1564], abs=1e-4)
    assert [rate(k, 0.7, 0.3) for k in (110, 1_000)] == pytest.approx([0.196, 0.178], abs=1e-3)
    assert below[0] < below[1] < bhattacharyya_exponent(0.7, 0.3) < 0.178


def test_certain_tops_and_equal_tops():
    assert bhattacharyya_exponent(1.0, 0.0) == inf
    for top in np.linspace(0.0, 1.0, 101).tolist():
        assert 0.0 <= bhattacharyya_exponent(top, top) <= 1e-15
    assert bhattacharyya_exponent(1.0, 0.25) == pytest.approx(log(4.0))
    assert bhattacharyya_exponent(0.2, 0.6) == bhattacharyya_exponent(0.6, 0.2)


@pytest.mark.parametrize("q1", [-0.1, 1.1, float("nan"), "0.5", None])
def test_invalid_probabilities_are_rejected(q1):
    with pytest.raises(ValueError, match=r"^q1=.*: expected a probability"):
        bhattacharyya_exponent(0.5, q1)
