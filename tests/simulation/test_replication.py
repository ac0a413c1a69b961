import re
import subprocess
import sys

import numpy as np
import pytest
from scipy import stats
from threadpoolctl import threadpool_info

from ndcg_companion.simulation import (
    MonteCarlo,
    ReplicateError,
    bernstein_interval,
    monte_carlo,
    proportion_interval,
    student_interval,
)
from ndcg_companion.simulation.replication import _batches


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


def test_without_values_there_is_one_nan_for_each_entry():
    for outcome, nothing in (((), "nan"), ((3,), "[nan, nan, nan]")):
        run = MonteCarlo(np.empty((0, *outcome)))
        for summary in (run.mean, run.standard_error):
            assert repr(np.asarray(summary).tolist()) == nothing


def test_two_values_are_the_fewest_with_a_standard_error():
    assert MonteCarlo(np.array([1.0, 3.0])).standard_error == pytest.approx(1.0)
    assert np.isnan(MonteCarlo(np.array([1.0])).standard_error)


def test_scalars_stay_scalars():
    run = monte_carlo(lambda rng: rng.normal(), replicates=10, seed=3)
    low, high = run.interval()
    assert all(type(x) is float for x in (run.mean, run.standard_error, low, high))


def test_zeros_and_ones_get_the_exact_interval_each_for_itself():
    run = MonteCarlo(np.array([[0.0, 1.0, 0.5], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]]))
    low, high = run.interval(0.95)
    for column, successes in ((0, 0), (1, 2)):
        assert (low[column], high[column]) == proportion_interval(successes, 3)
    assert (low[2], high[2]) == pytest.approx(stats.t.interval(0.95, 2, 0.5, stats.sem([0.5, 1, 0])))
    assert monte_carlo(lambda rng: True, replicates=1, seed=0).interval(0.9) == pytest.approx((0.05, 1.0))


def test_intervals_of_each_kind():
    run = MonteCarlo(np.array([[0, 1], [1, 1], [0, 1], [0, 0]]))
    for method in ("exact", "wilson"):
        expected = proportion_interval(np.array([1, 3]), 4, 0.8, method=method, comparisons=2)
        assert np.array_equal(run.interval(0.8, method=method, comparisons=2), expected)
    expected = student_interval(run.values, 0.8, comparisons=2)
    assert np.array_equal(run.interval(0.8, method="t", comparisons=2), expected)
    expected = bernstein_interval(run.values, (-1, 2), 0.8, comparisons=2)
    assert np.array_equal(run.interval(0.8, method="bernstein", bounds=(-1, 2), comparisons=2), expected)
    mixed = MonteCarlo(np.array([[0.0, 0.5], [1.0, 1.0]]))
    low, high = mixed.interval(0.5, comparisons=5)
    assert (low[0], high[0]) == pytest.approx(proportion_interval(1, 2, 0.9))
    assert (low[1], high[1]) == pytest.approx(stats.t.interval(0.9, 1, 0.75, 0.25))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"method": "wald"}, "method='wald'"),
        ({"method": "exact"}, "method='exact'.*0 or 1"),
        ({"method": "wilson"}, "method='wilson'.*0 or 1"),
        ({"method": "bernstein"}, "bounds=None"),
        ({"method": "t", "bounds": (0, 1)}, r"bounds=\(0, 1\)"),
        ({"bounds": (0, 1)}, r"bounds=\(0, 1\)"),
        ({"method": "bernstein", "bounds": (0, 0.4)}, "within the bounds"),
        ({"comparisons": 0}, "comparisons=0"),
    ],
)
def test_unusable_arguments_of_intervals(arguments, message):
    with pytest.raises(ValueError, match=message):
        MonteCarlo(np.array([0.0, 0.5, 0.2])).interval(**arguments)


def test_without_a_value_there_is_no_mean():
    run = MonteCarlo(np.empty((0, 2)))
    assert np.isnan(run.mean).all() and np.isnan(run.standard_error).all()
    with pytest.raises(ValueError, match="replicates=0"):
        run.interval()


@pytest.mark.parametrize("workers", [1, 2])
def test_an_experiment_that_raises_is_named_and_can_be_repeated(workers):
    def experiment(rng):
        return 1 / (rng.random() > 0.02)

    outcomes = [np.random.default_rng(child).random() for child in np.random.SeedSequence(7).spawn(300)]
    failing = [replicate for replicate, outcome in enumerate(outcomes) if outcome <= 0.02]
    with pytest.raises(ReplicateError, match="raised ZeroDivisionError: division by zero") as caught:
        monte_carlo(experiment, replicates=300, seed=7, workers=workers)
    assert (
        int(re.match("replicate ([0-9]+) ", str(caught.value))[1]) in failing[: 1 if workers == 1 else None]
    )
    again = re.search(r"\(to repeat it: (.*)\)$", str(caught.value))[1]
    with pytest.raises(ZeroDivisionError):
        eval(again, {"experiment": experiment, "numpy": np})


def test_batches_hold_every_seed_once_and_in_order():
    for count in (1, 7, 15, 16, 17, 1000):
        for workers in (0, 1, 2, 50):
            batches = _batches([*range(count)], workers)
            assert [seed for batch in batches for seed in batch] == [*range(count)]
            assert len(batches) <= 8 * max(workers, 1)


def test_workers_run_on_one_blas_thread(monkeypatch):
    for library in ("OPENBLAS", "MKL", "OMP"):
        monkeypatch.setenv(f"{library}_NUM_THREADS", "2")  # or joblib might choose one by itself

    def experiment(rng):
        np.linalg.inv(rng.random((3, 3)))
        return max(pool["num_threads"] for pool in threadpool_info())

    before = experiment(np.random.default_rng(1))
    for workers in (1, 2):
        assert monte_carlo(experiment, replicates=3, seed=1, workers=workers).values.tolist() == [1, 1, 1]
    assert experiment(np.random.default_rng(1)) == before


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"replicates": 0}, "replicates=0: expected an integer from 1 to 1000000000$"),
        ({"replicates": 2.0}, "replicates=2.0"),
        ({"replicates": True}, "replicates=True"),
        ({"workers": 0}, "workers=0: expected an integer from 1 to 10000$"),
        ({"scheduler": 8786}, "scheduler=8786"),
        ({"scheduler": "tcp://127.0.0.1:8786", "workers": 2}, "workers=2"),
        ({"scheduler": "http://127.0.0.1:8786"}, "scheduler='http://127.0.0.1:8786'.*unknown address scheme"),
        ({"seed": None}, "seed=None"),
        ({"seed": -1}, "seed=-1"),
    ],
)
def test_unusable_arguments_are_rejected_before_any_work(arguments, message):
    def experiment(rng):
        raise AssertionError("called")

    with pytest.raises(ValueError, match=message):
        monte_carlo(experiment, **({"replicates": 2, "seed": 1} | arguments))


def test_unusable_experiments():
    with pytest.raises(ValueError, match="experiment=3"):
        monte_carlo(3, replicates=1, seed=1)
    with pytest.raises(ValueError, match="expected numbers"):
        monte_carlo(lambda rng: None, replicates=1, seed=1)
    with pytest.raises(ValueError, match="got <U1 from replicate [01]$"):
        monte_carlo(lambda rng: "a", replicates=2, seed=1, workers=2)
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
        MonteCarlo(np.array([1.0, 2.0])).interval(level)


def test_an_outcome_that_is_not_a_number_is_no_outcome():
    with pytest.raises(ValueError, match="^experiment: expected numbers, got NaN from replicate 0$"):
        monte_carlo(lambda rng: np.nan, replicates=3, seed=1)
    run = monte_carlo(lambda rng: np.array([np.nan, rng.random()]), replicates=3, seed=1)
    assert np.isnan(run.mean).tolist() == [True, False]
    with pytest.raises(ValueError, match="^values=.*without NaN"):
        run.interval()


def test_several_workers_say_which_extra_they_need(monkeypatch):
    monkeypatch.setitem(sys.modules, "joblib", None)
    assert monte_carlo(lambda rng: 1, replicates=2, seed=1).mean == 1
    with pytest.raises(
        ImportError, match=r"^workers=2: joblib is not installed, .* pip install '\.\[chapter\]'"
    ):
        monte_carlo(lambda rng: 1, replicates=2, seed=1, workers=2)


def test_importing_the_simulation_takes_the_core_alone():
    heavy = {"joblib", "tqdm", "sklearn", "pandas", "dask"}
    code = f"import sys, ndcg_companion.simulation; print(*{heavy} & set(sys.modules))"
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert printed.strip() == ""
