"""Monte Carlo on a Dask cluster of processes on this machine."""

import asyncio
import json
import logging
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from unittest.mock import MagicMock

import dask
import numpy as np
import pytest
from distributed import LocalCluster
from threadpoolctl import threadpool_info

from claimbook import scheduler
from ndcg_companion.simulation import Interrupted, monte_carlo
from ndcg_companion.simulation.seeding import replicate_seeds

# of the very module that this function comes from: pytest may have imported another for its doctests
SETTINGS = monte_carlo.__globals__


@pytest.fixture(scope="module")
def cluster():
    # two BLAS threads for each worker, so that the limit to one can be seen; Dask's own default is one as
    # well
    two = {"OPENBLAS_NUM_THREADS": "2", "OMP_NUM_THREADS": "2", "MKL_NUM_THREADS": "2"}
    options = {
        "threads_per_worker": 1,
        "dashboard_address": ":0",
        "silence_logs": logging.CRITICAL,
        "env": two,
    }
    # a worker that asks another one for the experiment gives up half a minute after that has died, by default
    with (
        dask.config.set({"distributed.comm.timeouts.connect": "3s"}),
        LocalCluster(n_workers=2, **options) as cluster,
    ):
        yield cluster


@pytest.mark.nightly
def test_same_numbers_as_in_one_process(cluster, capsys):
    def experiment(rng):
        return (rng.random((40, 40)) @ rng.random((40, 40))).sum(axis=0)

    alone = monte_carlo(experiment, replicates=50, seed=2)
    there = monte_carlo(experiment, replicates=50, seed=2, scheduler=cluster.scheduler_address)
    assert np.array_equal(alone.values, there.values)
    assert "no workers" not in capsys.readouterr().err
    more = monte_carlo(experiment, replicates=60, seed=2, scheduler=cluster.scheduler_address, resume=there)
    assert np.array_equal(more.values, monte_carlo(experiment, replicates=60, seed=2).values)


@pytest.mark.nightly
@pytest.mark.parametrize("seconds", [1e-4, 10])
def test_same_numbers_in_batches_of_any_size(cluster, monkeypatch, seconds):
    monkeypatch.setitem(SETTINGS, "BATCH_SECONDS", seconds)
    there = monte_carlo(lambda rng: rng.random(), replicates=500, seed=3, scheduler=cluster.scheduler_address)
    assert np.array_equal(there.values, monte_carlo(lambda rng: rng.random(), replicates=500, seed=3).values)


@pytest.mark.nightly
def test_both_workers_run_on_one_blas_thread(cluster):
    def experiment(rng):
        time.sleep(0.05)
        np.linalg.inv(rng.random((3, 3)))
        return os.getpid(), max(pool["num_threads"] for pool in threadpool_info())

    run = monte_carlo(experiment, replicates=20, seed=1, scheduler=cluster.scheduler_address)
    assert set(run.values[:, 0]) == {worker.pid for worker in cluster.workers.values()}
    assert set(run.values[:, 1]) == {1}


@pytest.mark.nightly
def test_a_killed_worker_changes_nothing(cluster, tmp_path):
    killed = tmp_path / "killed"
    before = {worker.pid for worker in cluster.workers.values()}

    def experiment(rng):
        outcome = rng.random()
        if outcome > 0.95 and not killed.exists():
            killed.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(0.01)
        return outcome

    run = monte_carlo(experiment, replicates=100, seed=5, scheduler=cluster.scheduler_address)
    assert killed.exists() and before != {worker.pid for worker in cluster.workers.values()}
    assert np.array_equal(run.values, monte_carlo(lambda rng: rng.random(), replicates=100, seed=5).values)


@pytest.mark.nightly
def test_an_experiment_that_kills_every_worker_is_named(cluster):
    def experiment(rng):
        outcome = rng.random()
        if outcome == deadly:
            os._exit(1)
        time.sleep(0.05)
        return outcome

    expected = monte_carlo(lambda rng: rng.random(), replicates=20, seed=6).values
    deadly = expected[9]
    with pytest.raises(
        Interrupted, match="replicates [0-9]+ to [0-9]+: KilledWorker.* of 20 replicates"
    ) as caught:
        monte_carlo(experiment, replicates=20, seed=6, scheduler=cluster.scheduler_address)
    first, last = map(int, re.match("replicates ([0-9]+) to ([0-9]+)", str(caught.value)).groups())
    assert first <= 9 <= last
    result = caught.value.result
    assert 0 < len(result.values) <= 9 and np.array_equal(result.values, expected[: len(result.values)])


@pytest.mark.nightly
def test_an_experiment_that_raises_is_named(cluster):
    with pytest.raises(Interrupted, match="replicate 0 raised ZeroDivisionError: .*; 0 of 5") as caught:
        monte_carlo(lambda rng: 1 / 0, replicates=5, seed=6, scheduler=cluster.scheduler_address)
    assert "in <lambda>" in str(caught.value.__cause__)
    with pytest.raises(ValueError, match="expected numbers, got object from replicate 0"):
        monte_carlo(lambda rng: None, replicates=5, seed=6, scheduler=cluster.scheduler_address)


@pytest.mark.nightly
def test_an_experiment_that_cannot_travel_is_named(cluster):
    lock = threading.Lock()
    with pytest.raises(Interrupted, match="pickle|serialize") as caught:
        monte_carlo(lambda rng: lock.locked(), replicates=5, seed=6, scheduler=cluster.scheduler_address)
    assert "went away" not in str(caught.value)


@pytest.mark.nightly
def test_ctrl_c_keeps_what_is_done(cluster, tmp_path, capsys):
    def experiment(rng):
        outcome = rng.random()
        (tmp_path / str(outcome)).touch()
        time.sleep(0.05)
        return outcome

    when(lambda: len(list(tmp_path.iterdir())) > 10, lambda: os.kill(os.getpid(), signal.SIGINT))
    run = monte_carlo(experiment, replicates=1000, seed=7, scheduler=cluster.scheduler_address)
    assert 0 < len(run.values) < 1000
    assert f"interrupted: {len(run.values) + len(run.later)} of 1000 replicates" in capsys.readouterr().err
    rest = monte_carlo(lambda rng: rng.random(), replicates=1000, seed=7, resume=run)
    assert np.array_equal(rest.values, monte_carlo(lambda rng: rng.random(), replicates=1000, seed=7).values)


def when(condition, action):
    def wait():
        while not condition():
            time.sleep(0.05)
        action()

    threading.Thread(target=wait, daemon=True).start()


@pytest.fixture
def start(tmp_path):
    """Starts "scheduler" or "worker" as a process of its own, and ends those that still run."""
    processes = []

    def start(part, *options):
        file = tmp_path / "scheduler.json"
        command = [
            sys.executable,
            "-m",
            f"distributed.cli.dask_{part}",
            "--scheduler-file",
            file,
            "--no-dashboard",
        ]
        processes.append(subprocess.Popen([*command, *options], stderr=subprocess.DEVNULL))
        while not (file.exists() and file.read_text().endswith("}")):
            time.sleep(0.05)
        return processes[-1], json.loads(file.read_text())["address"]

    yield start
    for process in processes:
        process.kill()
        process.wait()


@pytest.mark.nightly
def test_a_scheduler_without_workers_and_one_that_goes_away(start, tmp_path, monkeypatch, capsys):
    begun = tmp_path / "begun"
    begun.mkdir()

    def experiment(rng):
        outcome = rng.random()
        (begun / str(outcome)).touch()
        time.sleep(0.05)
        return outcome

    running, address = start("scheduler", "--port", "0")
    heard, patience = [], time.monotonic() + 10
    told = lambda: (
        heard.append(capsys.readouterr().err) or "no workers" in heard[-1] or time.monotonic() > patience
    )
    when(told, lambda: start("worker", "--no-nanny", "--nthreads", "1"))
    when(lambda: len(list(begun.iterdir())) > 10, running.kill)
    with pytest.raises(
        Interrupted, match=f"scheduler at {address} went away; [0-9]+ of 1000 replicates"
    ) as caught:
        monte_carlo(experiment, replicates=1000, seed=8, scheduler=address)
    assert f"the Dask scheduler at {address} has no workers: waiting for some\n" in heard
    result = caught.value.result
    assert 0 < len(result.values) < 1000
    rest = monte_carlo(lambda rng: rng.random(), replicates=1000, seed=8, resume=result)
    assert np.array_equal(rest.values, monte_carlo(lambda rng: rng.random(), replicates=1000, seed=8).values)

    monkeypatch.setattr(scheduler, "SECONDS", 0.5)
    with pytest.raises(
        ValueError, match=f"scheduler='{address}': expected the address of a running Dask scheduler"
    ):
        monte_carlo(experiment, replicates=10, seed=8, scheduler=address)


def test_an_address_where_something_else_listens(monkeypatch):
    monkeypatch.setattr(scheduler, "SECONDS", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = "tcp://127.0.0.1:{1}".format(*silent.getsockname())
        with pytest.raises(
            ValueError, match=f"scheduler='{address}': expected the address of a running Dask"
        ):
            monte_carlo(lambda rng: 1, replicates=1, seed=1, scheduler=address)


def test_a_scheduler_may_take_a_while_to_answer(monkeypatch):
    class Answer:
        async def close(self):
            pass

    async def slow(address, **options):
        await asyncio.sleep(0.4)
        return Answer()

    monkeypatch.setattr("distributed.comm.connect", slow)
    monkeypatch.setattr("distributed.Client", lambda address, **options: f"client of {address}")
    assert SETTINGS["connect"]("tcp://a:8786") == "client of tcp://a:8786"


def test_a_batch_that_is_lost_is_named_from_its_first_to_its_last_replicate(monkeypatch):
    """Under the number of its first one, and nothing is begun after it."""

    class Lost:
        key = property(id)

        def result(self):
            raise RuntimeError("killed\nagain and again")

    class Pending(list):
        is_empty = lambda self: not self
        add, count, has_ready = list.append, list.__len__, list.__len__
        next_batch = lambda self, block: [self.pop()]

    client = MagicMock(status="running", submit=lambda *task, **options: Lost(), nthreads=lambda: {"one": 1})
    monkeypatch.setattr("distributed.as_completed", lambda loop: Pending())
    run = SETTINGS["_Run"](replicate_seeds(1, 40), {0: np.float64(0.5)})
    run.size = 3
    for outcomes in SETTINGS["_cluster"](None, run, client, "tcp://a:8786"):
        run.collect(outcomes)
    assert {1: "replicates 1 to 3: RuntimeError: killed", 4: "replicates 4 to 6: RuntimeError: killed"} == {
        first: what for first, (_, what, _) in run.failures.items()
    }


def test_without_dask(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ImportError, match=r"scheduler='tcp://a:8786': .*pip install '\.\[cluster\]'"):
        monte_carlo(lambda rng: 1, replicates=1, seed=1, scheduler="tcp://a:8786")
