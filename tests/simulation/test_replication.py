from math import comb

import numpy as np
import pytest
from scipy import stats

from ndcg_companion.simulation import MonteCarlo, monte_carlo, proportion_interval


def test_each_replicate_has_its_own_stream():
    run = monte_carlo(lambda rng: rng.random(), replicates=5, seed=1)
    expected = [np.random.default_rng(child).random() for child in np.random.SeedSequence(1).spawn(5)]
    assert run.values.tolist() == expected
    assert monte_carlo(lambda rng: rng.random(), replicates=3, seed=1).values.tolist() == expected[:3]


def test_numbers_do_not_depend_on_the_workers():
    def experiment(rng):
        return (rng.random((40, 40)) @ rng.random((40, 40))).sum(axis=0)

    alone = monte_carlo(experiment, replicates=7, seed=2)
    together = monte_carlo(experiment, replicates=7, seed=2, workers=2)
    assert np.array_equal(alone.values, together.values)


def test_mean_and_standard_error_of_arrays():
    values = np.array([[1.0, 5.0], [2.0, 5.5], [6.0, 4.5]])
    replay = iter(values)
    run = monte_carlo(lambda rng: next(replay), replicates=3, seed=0)
    assert run.mean.tolist() == [3.0, 5.0]
    assert run.standard_error == pytest.approx(stats.sem(values))
    low, high = run.interval(0.9)
    expected = stats.t.interval(0.9, 2, values.mean(axis=0), stats.sem(values))
    assert low == pytest.approx(expected[0]) and high == pytest.approx(expected[1])


def test_scalars_stay_scalars():
    run = monte_carlo(lambda rng: rng.normal(), replicates=10, seed=3)
    low, high = run.interval()
    assert all(type(x) is float for x in (run.mean, run.standard_error, low, high))


def test_zeros_and_ones_get_the_exact_interval_each_for_itself():
    run = MonteCarlo(np.array([[0.0, 1.0, 0.5], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]]), 3)
    low, high = run.interval(0.95)
    for column, successes in ((0, 0), (1, 2)):
        assert (low[column], high[column]) == proportion_interval(successes, 3)
    assert (low[2], high[2]) == pytest.approx(stats.t.interval(0.95, 2, 0.5, stats.sem([0.5, 1, 0])))
    assert monte_carlo(lambda rng: True, replicates=1, seed=0).interval(0.9) == pytest.approx((0.05, 1.0))


@pytest.mark.parametrize("trials", [1, 7, 20])
@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
def test_exact_intervals_cover_whatever_the_probability(trials, level):
    low, high = proportion_interval(np.arange(trials + 1), trials, level)
    for p in np.linspace(0, 1, 101):
        chance = [comb(trials, s) * p**s * (1 - p) ** (trials - s) for s in range(trials + 1)]
        assert sum(c for c, a, b in zip(chance, low, high) if a <= p <= b) >= level


@pytest.mark.parametrize("successes", range(0, 13, 3))
def test_exact_intervals_by_scipy(successes):
    expected = stats.binomtest(successes, 12).proportion_ci(0.9, method="exact")
    assert proportion_interval(successes, 12, 0.9) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_an_interruption_keeps_what_is_done():
    calls = []

    def experiment(rng):
        if len(calls) == 4:
            raise KeyboardInterrupt
        calls.append(rng)
        return rng.random()

    run = monte_carlo(experiment, replicates=10, seed=4)
    assert run.requested == 10
    calls.clear()
    assert run.values.tolist() == monte_carlo(experiment, replicates=4, seed=4).values.tolist()


def test_an_interruption_with_nothing_done_is_passed_on():
    def experiment(rng):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        monte_carlo(experiment, replicates=10, seed=4)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"replicates": 0}, "replicates=0"),
        ({"replicates": 2.0}, "replicates=2.0"),
        ({"replicates": True}, "replicates=True"),
        ({"workers": 0}, "workers=0"),
        ({"seed": None}, "seed=None"),
        ({"seed": -1}, "seed=-1"),
    ],
)
def test_unusable_arguments_are_refused_before_any_work(arguments, message):
    def experiment(rng):
        raise AssertionError("called")

    with pytest.raises(ValueError, match=message):
        monte_carlo(experiment, **({"replicates": 2, "seed": 1} | arguments))


def test_unusable_experiments():
    with pytest.raises(ValueError, match="experiment=3"):
        monte_carlo(3, replicates=1, seed=1)
    with pytest.raises(ValueError, match="expected numbers"):
        monte_carlo(lambda rng: None, replicates=1, seed=1)
    shapes = iter([np.zeros(2), np.zeros(3)])
    with pytest.raises(ValueError, match=r"shape \(2,\), got \(3,\) from replicate 1"):
        monte_carlo(lambda rng: next(shapes), replicates=2, seed=1)


def test_one_replicate_has_no_t_interval():
    run = monte_carlo(lambda rng: 0.5, replicates=1, seed=1)
    assert np.isnan(run.standard_error)
    with pytest.raises(ValueError, match="replicates=1"):
        run.interval()


@pytest.mark.parametrize("level", [0, 1, -0.5, np.nan])
def test_unusable_levels(level):
    with pytest.raises(ValueError, match="level="):
        MonteCarlo(np.array([1.0, 2.0]), 2).interval(level)
    with pytest.raises(ValueError, match="level="):
        proportion_interval(1, 2, level)


@pytest.mark.parametrize("successes", [-1, 3, 1.5])
def test_unusable_successes(successes):
    with pytest.raises(ValueError, match="successes="):
        proportion_interval(successes, 2)
