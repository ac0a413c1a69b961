import os
import re
import signal
import subprocess
import sys
import time
from collections import deque

import numpy as np
import psutil
import pytest
from scipy import stats
from threadpoolctl import threadpool_info

from ndcg_companion.simulation import (
    Interrupted,
    MonteCarlo,
    bernstein_interval,
    monte_carlo,
    proportion_interval,
    student_interval,
)
from ndcg_companion.simulation.replication import _Run


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
        run = MonteCarlo(np.empty((0, *outcome)), 5)
        for summary in (run.mean, run.standard_error):
            assert repr(np.asarray(summary).tolist()) == nothing


def test_two_values_are_the_fewest_with_a_standard_error():
    assert MonteCarlo(np.array([1.0, 3.0]), 2).standard_error == pytest.approx(1.0)
    assert np.isnan(MonteCarlo(np.array([1.0]), 2).standard_error)


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


def test_intervals_of_each_kind():
    run = MonteCarlo(np.array([[0, 1], [1, 1], [0, 1], [0, 0]]), 4)
    for method in ("exact", "wilson"):
        expected = proportion_interval(np.array([1, 3]), 4, 0.8, method=method, comparisons=2)
        assert np.array_equal(run.interval(0.8, method=method, comparisons=2), expected)
    expected = student_interval(run.values, 0.8, comparisons=2)
    assert np.array_equal(run.interval(0.8, method="t", comparisons=2), expected)
    expected = bernstein_interval(run.values, (-1, 2), 0.8, comparisons=2)
    assert np.array_equal(run.interval(0.8, method="bernstein", bounds=(-1, 2), comparisons=2), expected)
    mixed = MonteCarlo(np.array([[0.0, 0.5], [1.0, 1.0]]), 2)
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
        MonteCarlo(np.array([0.0, 0.5, 0.2]), 3).interval(**arguments)


def test_without_a_value_there_is_no_mean():
    run = MonteCarlo(np.empty((0, 2)), 3)
    assert np.isnan(run.mean).all() and np.isnan(run.standard_error).all()
    with pytest.raises(ValueError, match="replicates=0"):
        run.interval()


def test_an_interruption_keeps_what_is_done(capsys):
    calls = []

    def experiment(rng):
        if len(calls) == 4:
            raise KeyboardInterrupt
        calls.append(rng)
        return rng.random()

    run = monte_carlo(experiment, replicates=10, seed=4)
    assert run.requested == 10
    assert "interrupted: 4 of 10 replicates" in capsys.readouterr().err
    calls.clear()
    assert run.values.tolist() == monte_carlo(experiment, replicates=4, seed=4).values.tolist()


def test_an_interruption_with_nothing_done_is_passed_on():
    def experiment(rng):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        monte_carlo(experiment, replicates=10, seed=4)


INTERRUPTED = """
import sys, time
from pathlib import Path
from ndcg_companion.simulation import monte_carlo

def experiment(rng):
    outcome = rng.random()
    time.sleep(0.1)
    Path(sys.argv[1], str(outcome)).touch()
    return outcome

run = monte_carlo(experiment, replicates=1000, seed=9, workers=2)
print(*run.values, *run.later.values())
"""


@pytest.mark.nightly
@pytest.mark.parametrize("send", [os.kill, os.killpg])
def test_ctrl_c_ends_two_workers_and_keeps_what_is_done(send, tmp_path):
    """As from a terminal, where the workers get the signal as well, and for the main process alone."""
    command = [sys.executable, "-c", INTERRUPTED, tmp_path]
    with subprocess.Popen(command, stdout=-1, stderr=-1, text=True, start_new_session=True) as process:
        wait_until(lambda: len(list(tmp_path.iterdir())) >= 12 or process.poll() is not None)
        children = psutil.Process(process.pid).children(recursive=True)
        send(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=30)
    kept = [float(x) for x in out.split()]
    everything = [np.random.default_rng(child).random() for child in np.random.SeedSequence(9).spawn(1000)]
    assert 0 < len(kept) == len(set(kept) & set(everything))
    # at most four batches are on their way, of no more than five replicates of 0.1 s
    assert len(list(tmp_path.iterdir())) - 20 <= len(kept)
    assert err.count("\n") == 1 and f"interrupted: {len(kept)} of 1000 replicates are done" in err
    assert len(children) >= 2 and not psutil.wait_procs(children, timeout=10)[1]


def wait_until(condition):
    for _ in range(600):
        if condition():
            return
        time.sleep(0.05)
    raise AssertionError("waited in vain")


@pytest.mark.nightly
def test_a_killed_worker_is_named_and_the_finished_replicates_are_kept():
    def experiment(rng):
        outcome = rng.random()
        if outcome > 0.97:
            os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(0.02)
        return outcome

    with pytest.raises(
        Interrupted, match="TerminatedWorkerError.* of 200 replicates are done.*resume="
    ) as caught:
        monte_carlo(experiment, replicates=200, seed=1, workers=2)
    result = caught.value.result
    assert 0 < len(result.values) < 200 == result.requested and "\n" not in str(caught.value)
    rest = monte_carlo(lambda rng: rng.random(), replicates=200, seed=1, workers=2, resume=result)
    assert np.array_equal(rest.values, monte_carlo(lambda rng: rng.random(), replicates=200, seed=1).values)


@pytest.mark.parametrize("workers", [1, 2])
def test_an_experiment_that_raises_is_named_and_the_finished_replicates_are_kept(workers):
    def experiment(rng):
        outcome = rng.random()
        time.sleep(0.001)
        return 1 / (outcome > 0.02)

    outcomes = [np.random.default_rng(child).random() for child in np.random.SeedSequence(7).spawn(300)]
    guilty = next(i for i, outcome in enumerate(outcomes) if outcome <= 0.02)
    with pytest.raises(
        Interrupted, match=f"replicate {guilty} raised ZeroDivisionError: division by zero"
    ) as caught:
        monte_carlo(experiment, replicates=300, seed=7, workers=workers)
    error, result = caught.value, caught.value.result
    assert isinstance(error.__cause__, ZeroDivisionError) or "in experiment" in str(error.__cause__)
    assert result.values.tolist() == [1] * guilty and guilty not in result.later
    assert workers > 1 or not result.later
    assert f"; {guilty + len(result.later)} of 300 replicates are done" in str(error)
    again = re.search(r"\(to repeat it: (.*)\); ", str(error))[1]
    with pytest.raises(ZeroDivisionError):
        eval(again, {"experiment": experiment, "numpy": np})


def test_a_run_goes_on_where_another_ended():
    calls = []

    def experiment(rng):
        calls.append(rng)
        return rng.random(2)

    whole = monte_carlo(experiment, replicates=9, seed=6)
    gap = MonteCarlo(whole.values[:3], 9, {5: whole.values[5], 8: whole.values[8]}, whole.seed)
    for resume, missing in ((whole, 0), (monte_carlo(experiment, replicates=4, seed=6), 5), (gap, 4)):
        calls.clear()
        run = monte_carlo(experiment, replicates=9, seed=6, resume=resume)
        assert np.array_equal(run.values, whole.values) and len(calls) == missing and not run.later


def test_outcomes_behind_a_missing_one_do_not_count():
    def experiment(rng):
        if rng.random() == first:
            raise OSError
        return 1.0

    first = np.random.default_rng(np.random.SeedSequence(2).spawn(1)[0]).random()
    with pytest.raises(Interrupted) as caught:
        monte_carlo(experiment, replicates=3, seed=2, workers=2)
    assert caught.value.result.values.size == 0 and set(caught.value.result.later.values()) == {1.0}
    assert np.isnan(caught.value.result.mean)


def test_progress_is_drawn_where_it_is_wanted(capsys):
    monte_carlo(lambda rng: 1, replicates=5, seed=1, progress=True)
    assert "5/5" in capsys.readouterr().err
    monte_carlo(lambda rng: 1, replicates=5, seed=1)
    monte_carlo(lambda rng: 1, replicates=5, seed=1, progress=False)
    assert capsys.readouterr() == ("", "")


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
        ({"resume": [0.5]}, r"resume=\[0.5\]"),
        ({"resume": MonteCarlo(np.zeros(3), 3)}, "replicates=2: expected at least 3"),
        ({"resume": MonteCarlo(np.zeros(1), 5, {3: 0.5})}, "replicates=2: expected at least 4"),
        ({"resume": MonteCarlo(np.zeros(1), 2, seed=np.random.SeedSequence(5))}, "resume: .* same seed"),
        ({"seed": None}, "seed=None"),
        ({"seed": -1}, "seed=-1"),
    ],
)
def test_unusable_arguments_are_refused_before_any_work(arguments, message):
    def experiment(rng):
        raise AssertionError("called")

    with pytest.raises(ValueError, match=message):
        monte_carlo(experiment, **({"replicates": 2, "seed": 1} | arguments))


def test_batches_grow_until_they_last_half_a_second_and_shrink_towards_the_end():
    run = _Run([*range(1000)], {0: 0.0})
    take = lambda: [number for number, _ in next(run)]
    assert take() == [1]  # of which nobody knows how long one takes
    run.pace(1, 0.01)
    assert take() == [2, 3, 4, 5]  # fifty by that one, but four times as many are enough at once
    run.pace(4, 0.04)
    assert len(take()) == 16
    run.pace(100, 2.0)
    assert len(take()) == 25
    run.pace(1, 0.01)
    assert len(take()) == 25  # a small batch does not say that larger ones last too long
    run.pace(3, 60.0)
    assert len(take()) == 1
    run.pace(25, 0.0)
    run.slots = 5
    assert len(take()) == 47  # of 928 each of five has four more to come
    run.pace(50, 0.01)
    run.tasks = deque([*run.tasks][:30])
    assert [len(batch) for batch in run] == [10, 10, 10]  # no less than a twentieth of 200
    assert run.size == 200


def test_unusable_experiments():
    with pytest.raises(ValueError, match="experiment=3"):
        monte_carlo(3, replicates=1, seed=1)
    with pytest.raises(ValueError, match="expected numbers"):
        monte_carlo(lambda rng: None, replicates=1, seed=1)
    with pytest.raises(Interrupted, match="got <U1 from replicate 0; 0 of 2 replicates are done$"):
        monte_carlo(lambda rng: "a", replicates=2, seed=1, workers=2)
    shapes = iter([np.zeros(2), np.zeros(3)])
    with pytest.raises(ValueError, match=r"shape \(2,\), got \(3,\) from replicate 1"):
        monte_carlo(lambda rng: next(shapes), replicates=2, seed=1)
    shapes = iter([np.zeros(2), np.zeros(3)])
    with pytest.raises(Interrupted) as caught:
        monte_carlo(lambda rng: next(shapes), replicates=2, seed=1)
    assert caught.value.result.values.tolist() == [[0, 0]]


def test_a_generator_cannot_go_back():
    rng = np.random.default_rng(1)
    run = monte_carlo(lambda rng: rng.random(), replicates=2, seed=rng)
    with pytest.raises(ValueError, match="resume: .* same seed"):
        monte_carlo(lambda rng: rng.random(), replicates=3, seed=rng, resume=run)
    fresh = monte_carlo(lambda rng: rng.random(), replicates=3, seed=np.random.default_rng(1), resume=run)
    assert fresh.values[:2].tolist() == run.values.tolist()


def test_one_replicate_has_no_t_interval():
    run = monte_carlo(lambda rng: 0.5, replicates=1, seed=1)
    assert np.isnan(run.standard_error)
    with pytest.raises(ValueError, match="replicates=1"):
        run.interval()


@pytest.mark.parametrize("level", [0, 1, -0.5, np.nan])
def test_unusable_levels(level):
    with pytest.raises(ValueError, match="level="):
        MonteCarlo(np.array([1.0, 2.0]), 2).interval(level)


def test_an_outcome_that_is_not_a_number_is_no_outcome():
    with pytest.raises(ValueError, match="^experiment: expected numbers, got NaN from replicate 0; 0 of 3"):
        monte_carlo(lambda rng: np.nan, replicates=3, seed=1)
    run = monte_carlo(lambda rng: np.array([np.nan, rng.random()]), replicates=3, seed=1)
    assert np.isnan(run.mean).tolist() == [True, False]
    with pytest.raises(ValueError, match="^values=.*no NaN"):
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
