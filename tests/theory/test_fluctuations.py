import numpy as np
import pytest

from ndcg_companion.measures import Geometric, Log, Power, Zipf
from ndcg_companion.theory import Population, ndcg_standard_deviation

GRADED = Population({2: lambda s: s**2 / 2, 1: lambda s: s / 2, 0: lambda s: 1 - s / 2 - s**2 / 2})


def simulated(population, discounts, n, replicates, seed):
    rng = np.random.default_rng(seed)
    weights = np.array([discount(np.arange(1, n + 1)) for discount in discounts])
    values = []
    for _ in range(replicates):
        s, x = np.sort(rng.random(n))[::-1], rng.random(n)
        bounds = np.cumsum([population.curve(grade)(s) for grade in population.grades], axis=0)
        labels = np.array(population.grades)[np.minimum((x >= bounds).sum(axis=0), len(bounds) - 1)]
        values.append(weights @ labels / (weights @ np.sort(labels)[::-1]))
    return np.std(values, axis=0)


@pytest.mark.parametrize(
    "population", [Population("constant:0.5"), Population("reversed:1"), Population("step:0.7:0.2:0.8"), GRADED]
)
def test_standard_deviation_against_simulation(population):
    n, replicates = 3000, 2000
    discounts = [Log(), Power(0.1), Power(0.4)]
    observed = simulated(population, discounts, n, replicates, seed=11)
    predicted = [ndcg_standard_deviation(population, discount, n) for discount in discounts]
    # Four standard errors of a standard deviation, and 2 % for the next order.
    np.testing.assert_allclose(predicted, observed, rtol=4 / np.sqrt(2 * replicates) + 0.02)


def test_constant_discount_has_no_fluctuations():
    assert ndcg_standard_deviation(Population("power:1"), Power(0.0), 1000) == pytest.approx(0.0, abs=1e-12)


def test_perfect_rankings_do_not_fluctuate():
    for discount in (Log(), Power(0.3)):
        assert ndcg_standard_deviation(Population("step:0.7:0:1"), discount, 1e4) == pytest.approx(0.0, abs=1e-9)


def test_order_of_magnitude_at_any_length():
    """n**-1/2 / log n for the standard discount, n**-1/2 for a power below one half."""
    lengths = np.array([1e6, 1e20, 1e60, 1e100])
    log_scaled = [ndcg_standard_deviation(Population("power:1"), Log(), n) * np.sqrt(n) * np.log(n) for n in lengths]
    power_scaled = [ndcg_standard_deviation(Population("power:1"), Power(0.25), n) * np.sqrt(n) for n in lengths]
    assert np.ptp(log_scaled) < 0.06 * log_scaled[-1]
    assert np.ptp(power_scaled) < 0.01 * power_scaled[-1]
    # At the next exponents the scaled value would grow: by log n, and by n**0.05.
    assert np.ptp(log_scaled * np.log(lengths)) > log_scaled[-1]
    assert np.ptp(power_scaled * lengths**0.05) > power_scaled[-1]


def test_limit_of_the_scaled_variance_in_closed_form():
    """ybar = 1/2, D = r**-beta, n large: U**-beta terms only.

    With A(u) = (1 - u**-beta) / 2 and N = p**beta the projection is Y U**-beta - U**-beta / 2 - Y up to a constant,
    that is (Y - 1/2)(U**-beta - 1), with variance (1/4) E (U**-beta - 1)**2.
    """
    beta, n = 0.25, 1e100
    second_moment = 1 / (1 - 2 * beta) - 2 / (1 - beta) + 1
    ideal = 0.5 ** (1 - beta) / (1 - beta)
    expected = np.sqrt(second_moment / 4) / ideal
    scaled = ndcg_standard_deviation(Population("constant:0.5"), Power(beta), n) * np.sqrt(n)
    assert scaled == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize(
    "discount, n, message",
    [
        (Power(0.6), 1000, "the top decides"),
        (Zipf(), 1000, "the top decides"),
        (Geometric(0.5), 1000, "the top decides"),
        (Log(), 1.5, "n=1.5"),
        (Log(), float("nan"), "n=nan"),
        (Log(), float("inf"), "n=inf"),
    ],
)
def test_bad_input_is_refused(discount, n, message):
    with pytest.raises(ValueError, match=message):
        ndcg_standard_deviation(Population("constant:0.5"), discount, n)
