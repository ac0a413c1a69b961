from itertools import product
from math import comb, factorial, log, sqrt

import numpy as np
import pytest
from scipy import stats

from ndcg_companion.simulation import bernstein_interval, proportion_interval, student_interval


def binomial(trials, p):
    return [comb(trials, s) * p**s * (1 - p) ** (trials - s) for s in range(trials + 1)]


def coverage(trials, p, low, high):
    return sum(chance for chance, a, b in zip(binomial(trials, p), low, high) if a <= p <= b)


@pytest.mark.parametrize("trials", [1, 7, 20])
@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
def test_exact_intervals_cover_whatever_the_probability(trials, level):
    low, high = proportion_interval(np.arange(trials + 1), trials, level)
    for p in np.linspace(0, 1, 101):
        assert coverage(trials, p, low, high) >= level


def test_wilson_intervals_cover_on_average_but_not_everywhere():
    low, high = proportion_interval(np.arange(41), 40, 0.95, method="wilson")
    covered = [coverage(40, p, low, high) for p in np.linspace(0.0005, 0.9995, 1000)]
    assert np.mean(covered) == pytest.approx(0.95, abs=0.005)
    assert min(covered) < 0.9


@pytest.mark.parametrize("method", ["exact", "wilson"])
@pytest.mark.parametrize(("trials", "level"), [(1, 0.5), (12, 0.9), (12, 1 - 1e-9), (10**6, 0.99)])
def test_proportions_by_scipy(method, trials, level):
    successes = np.unique(np.linspace(0, trials, 7).astype(int))
    expected = [stats.binomtest(int(s), trials).proportion_ci(level, method=method) for s in successes]
    low, high = proportion_interval(successes, trials, level, method=method)
    assert low == pytest.approx([e.low for e in expected], rel=1e-7, abs=1e-15)
    assert high == pytest.approx([e.high for e in expected], rel=1e-7, abs=1e-15)
    assert low[0] == 0 and high[-1] == 1
    interval = proportion_interval(int(successes[1]), trials, level, method=method)
    assert interval == (low[1], high[1]) and all(type(end) is float for end in interval)


def test_exact_ends_in_closed_form():
    low, high = proportion_interval(50, 50, 0.9)
    assert low == pytest.approx(0.05 ** (1 / 50), rel=1e-14) and high == 1


def test_student_by_scipy():
    values = np.array([[1.0, 5.0], [2.0, 5.5], [6.0, 4.5]])
    low, high = student_interval(values, 0.9)
    expected = stats.t.interval(0.9, 2, values.mean(axis=0), stats.sem(values))
    assert low == pytest.approx(expected[0]) and high == pytest.approx(expected[1])


def zeros_and_ones(successes, trials):
    return np.repeat([1.0, 0.0], [successes, trials - successes])


@pytest.mark.parametrize("trials", [2, 300])
@pytest.mark.parametrize("p", [0.0, 0.003, 0.02, 0.3, 0.5, 1.0])
def test_bernstein_covers_at_every_number_of_replicates(trials, p):
    intervals = [bernstein_interval(zeros_and_ones(s, trials), (0, 1), 0.9) for s in range(trials + 1)]
    assert coverage(trials, p, *zip(*intervals)) >= 0.9


def test_bernstein_covers_three_values():
    """All counts of 0, 0.4 and 1 among 60 outcomes, so that the sample variance is not a function of the
    mean.
    """
    n, probabilities = 60, np.array([0.9, 0.05, 0.05])
    truth, covered = probabilities @ [0, 0.4, 1], 0
    for a in range(n + 1):
        for b in range(n + 1 - a):
            chance = factorial(n) // (factorial(a) * factorial(b) * factorial(n - a - b))
            chance *= np.prod(probabilities ** [a, b, n - a - b])
            low, high = bernstein_interval(np.repeat([0, 0.4, 1], [a, b, n - a - b]), (0, 1), 0.8)
            covered += chance * (low <= truth <= high)
    assert covered >= 0.8


def test_student_does_not_cover_a_rare_event():
    intervals = [student_interval(zeros_and_ones(s, 300), 0.9) for s in range(301)]
    assert coverage(300, 0.003, *zip(*intervals)) < 0.7


def test_bernstein_in_closed_form():
    """n = 8, half at 1/4 and half at 3/4: the sample variance is 8/7 of 1/16."""
    logarithm = log(3 / 0.5)
    margin = sqrt(2 * (8 / 7 / 16) * logarithm / 8) + 7 * 2 * logarithm / (3 * 7)
    low, high = bernstein_interval([0.25, 0.75] * 4, (-1, 1), 0.5)
    assert (low, high) == pytest.approx((max(0.5 - margin, -1), min(0.5 + margin, 1)), rel=1e-14)
    values = np.random.default_rng(1).random((10**5, 2))
    low, high = bernstein_interval(values, (0, 1))
    moved = bernstein_interval(7 * values - 3, (-3, 4))
    assert np.array(moved) == pytest.approx(7 * np.array([low, high]) - 3)
    # it tends to the interval of Bernstein's inequality with the true variance, 1/12
    assert (high - low) / 2 == pytest.approx(sqrt(2 / 12 * log(60) / 10**5), rel=0.04)


@pytest.mark.parametrize(
    "interval",
    [
        lambda level, comparisons: proportion_interval(3, 9, level, comparisons=comparisons),
        lambda level, comparisons: proportion_interval(3, 9, level, method="wilson", comparisons=comparisons),
        lambda level, comparisons: student_interval([1, 2, 5], level, comparisons=comparisons),
        lambda level, comparisons: bernstein_interval(
            np.arange(100), (0, 100), level, comparisons=comparisons
        ),
    ],
)
def test_the_error_is_shared_evenly(interval):
    assert interval(0.8, 4) == pytest.approx(interval(0.95, 1), rel=1e-12)
    with pytest.raises(ValueError, match="comparisons=0"):
        interval(0.8, 0)
    for level in (0, 1, -0.5, np.nan):
        with pytest.raises(ValueError, match="level="):
            interval(level, 1)


def test_shared_error_covers_dependent_comparisons():
    """Counts of three cells among 15: each interval alone holds at 0.7, all together with at least that."""
    n, probabilities = 15, np.array([0.2, 0.3, 0.5])
    together = dict.fromkeys((1, 3), 0.0)
    for comparisons in together:
        low, high = proportion_interval(np.arange(n + 1), n, 0.7, comparisons=comparisons)
        for cells in product(range(n + 1), repeat=2):
            if sum(cells) <= n:
                counts = np.array([*cells, n - sum(cells)])
                chance = (
                    factorial(n) / np.prod([factorial(c) for c in counts]) * np.prod(probabilities**counts)
                )
                covered = (low[counts] <= probabilities) & (probabilities <= high[counts])
                together[comparisons] += chance * covered.all()
    assert together[1] < 0.7 <= together[3]


@pytest.mark.parametrize("successes", [-1, 3, 1.5])
def test_unusable_successes(successes):
    with pytest.raises(ValueError, match="successes="):
        proportion_interval(successes, 2)


def test_unusable_methods():
    with pytest.raises(ValueError, match="method='wald'"):
        proportion_interval(1, 2, method="wald")


@pytest.mark.parametrize("values", [3.0, [3.0]])
def test_one_value_has_no_deviation(values):
    with pytest.raises(ValueError, match="replicates=1"):
        student_interval(values)
    with pytest.raises(ValueError, match="replicates=1"):
        bernstein_interval(values, (0, 5))


@pytest.mark.parametrize(
    "bounds", [None, 1, (1,), (0, 1, 2), (1, 0), (0, 0), (0, np.inf), (-np.inf, 1), (np.nan, 1), ("a", "b")]
)
def test_unusable_bounds(bounds):
    with pytest.raises(ValueError, match="bounds="):
        bernstein_interval([0, 0], bounds)


@pytest.mark.parametrize("value", [-0.1, 1.1])
def test_values_outside_their_bounds(value):
    with pytest.raises(ValueError, match="within the bounds"):
        bernstein_interval([0.5, value], (0, 1))


@pytest.mark.parametrize("values", [[np.nan, 1], [0.5, np.inf], ["a", "b"], [[0.5, 1], [np.nan, 0]]])
def test_values_that_are_not_numbers_have_no_interval(values):
    for interval in (student_interval, lambda outcomes: bernstein_interval(outcomes, (0, 1))):
        with pytest.raises(ValueError, match="^values=.*: expected finite numbers"):
            interval(values)


def test_values_near_the_end_of_the_floats_have_an_interval():
    assert student_interval([1e308] * 4) == (1e308, 1e308)
    low, high = student_interval([1e308, 1.1e308, 1.2e308])
    expected = student_interval([1, 1.1, 1.2])
    assert (low, high) == pytest.approx([1e308 * end for end in expected], rel=1e-12)
