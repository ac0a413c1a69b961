"""Monte Carlo on a Dask cluster of processes on this machine."""

import asyncio
import logging
import os
import socket
import sys
import time

import numpy as np
import pytest
from distributed import LocalCluster
from threadpoolctl import threadpool_info

from ndcg_companion.simulation import ReplicateError, monte_carlo, scheduler

# Of the very module that `monte_carlo` comes from: pytest may have imported another one for its doctests.
SETTINGS = monte_carlo.__globals__["connect"].__globals__


@pytest.fixture(scope="module")
def address():
    """A cluster whose workers have two BLAS threads, so that the limit to one can be seen."""
    two = {"OPENBLAS_NUM_THREADS": "2", "OMP_NUM_THREADS": "2", "MKL_NUM_THREADS": "2"}
    options = {
        "threads_per_worker": 1,
        "dashboard_address": ":0",
        "silence_logs": logging.CRITICAL,
        "env": two,
    }
    with LocalCluster(n_workers=2, **options) as cluster:
        yield cluster.scheduler_address


def test_two_workers_of_a_cluster_give_the_numbers_of_one_process(address):
    def experiment(rng):
        return (rng.random((40, 40)) @ rng.random((40, 40))).sum(axis=0)

    for replicates in (1, 50):
        alone = monte_carlo(experiment, replicates=replicates, seed=2)
        there = monte_carlo(experiment, replicates=replicates, seed=2, scheduler=address)
        assert np.array_equal(alone.values, there.values)


def test_all_workers_of_a_cluster_take_part_on_one_blas_thread(address):
    def experiment(rng):
        time.sleep(0.05)
        np.linalg.inv(rng.random((3, 3)))
        return os.getpid(), max(pool["num_threads"] for pool in threadpool_info())

    run = monte_carlo(experiment, replicates=20, seed=1, scheduler=address)
    assert len(set(run.values[:, 0])) == 2 and os.getpid() not in run.values[:, 0]
    assert set(run.values[:, 1]) == {1}


def test_a_cluster_names_the_replicate_that_fails(address):
    with pytest.raises(ReplicateError, match="replicate [0-4] raised ZeroDivisionError: division by zero"):
        monte_carlo(lambda rng: 1 / 0, replicates=5, seed=6, scheduler=address)
    with pytest.raises(ValueError, match="expected numbers, got object from replicate [0-4]"):
        monte_carlo(lambda rng: None, replicates=5, seed=6, scheduler=address)


def test_an_experiment_that_kills_every_worker_ends_the_run(address):
    with pytest.raises(Exception, match="KilledWorker|died"):
        monte_carlo(lambda rng: os._exit(1), replicates=2, seed=6, scheduler=address)


def test_an_address_where_something_else_listens_is_rejected(monkeypatch):
    monkeypatch.setitem(SETTINGS, "SECONDS", 0.3)
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
    assert scheduler.connect("tcp://a:8786") == "client of tcp://a:8786"


def test_without_dask_the_message_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ImportError, match=r"scheduler='tcp://a:8786': .*pip install '\.\[cluster\]'"):
        monte_carlo(lambda rng: 1, replicates=1, seed=1, scheduler="tcp://a:8786")
