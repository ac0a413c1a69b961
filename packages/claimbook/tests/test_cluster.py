"""A sweep on a Dask cluster of processes on this machine."""

import asyncio
import logging
import os
import random
from concurrent.futures import ThreadPoolExecutor

import pytest
from distributed import LocalCluster
from samples import write_notebook

from claimbook.cli.sweep import carry_out, plan, read_grid
from claimbook.execute import cluster as cluster_module
from claimbook.execute.cluster import execute_on_cluster
from claimbook.execute.notebooks import Job
from claimbook.project import Project

PARAMETERS = "seed: int = 1  # seed [0 ..]"
SOURCE = """\
import os, random, signal, time
from pathlib import Path
from plain_book import Page
page = Page("first")
mark = Path({mark!r})
if seed == {deadly} and not mark.exists():
    mark.touch()
    os.kill(int(mark.with_name("worker").read_text()), signal.SIGKILL)
    time.sleep(60)
page.numbers({{"drawn": random.Random(seed).random()}})
if seed == 4:
    raise RuntimeError("unlucky")"""


OPTIONS = {"threads_per_worker": 1, "dashboard_address": ":0", "silence_logs": logging.CRITICAL}


@pytest.fixture(scope="module")
def cluster():
    with LocalCluster(n_workers=2, **OPTIONS) as cluster:
        yield cluster


def drawn(book, chapter, output, seeds="1..5", **options):
    sweep = plan(book, chapter, read_grid([f"seed={seeds}"], chapter), output=output)
    runs, failures = carry_out(sweep, book, **options)
    return {run.name: run.numbers["drawn"] for run in runs}, failures


def test_a_worker_of_a_cluster_draws_what_its_seed_says(small_book, tmp_path):
    source = SOURCE.format(mark="", deadly=0)
    write_notebook(small_book.root / "chapters" / "first.ipynb", source, parameters=PARAMETERS)
    book = Project(small_book.root)
    chapter = book.chapter("first")
    with LocalCluster(n_workers=1, **OPTIONS) as cluster:
        numbers, failures = drawn(book, chapter, tmp_path / "there", "3", scheduler=cluster.scheduler_address)
    expected = random.Random(3).random()
    assert failures == [] and numbers == {"seed=3": (str(expected), expected)}


def test_a_cluster_is_reached_from_where_an_event_loop_runs(monkeypatch):
    async def connected():
        with pytest.raises(ValueError, match="expected the address of a running Dask scheduler") as caught:
            cluster_module.connect("tcp://127.0.0.1:1")
        assert "event loop" not in str(caught.value)

    monkeypatch.setattr(cluster_module, "SECONDS", 0.1)
    with ThreadPoolExecutor(1) as thread:  # the browser of other tests keeps a loop in this one
        thread.submit(lambda: asyncio.run(connected())).result()


# A worker is killed, and all that it had is executed again: twice as long.
@pytest.mark.nightly
@pytest.mark.skipif(os.name == "nt", reason="kills a process")
def test_a_lost_worker_changes_no_number_and_a_failed_run_is_named(cluster, small_book, tmp_path):
    victim = next(iter(cluster.workers.values())).pid
    (tmp_path / "worker").write_text(str(victim))
    source = SOURCE.format(mark=str(tmp_path / "killed"), deadly=2)
    write_notebook(small_book.root / "chapters" / "first.ipynb", source, parameters=PARAMETERS)
    book = Project(small_book.root)
    chapter = book.chapter("first")

    there = drawn(book, chapter, tmp_path / "there", scheduler=cluster.scheduler_address)
    assert (tmp_path / "killed").exists() and victim not in {
        worker.pid for worker in cluster.workers.values()
    }
    assert list(there[0]) == ["seed=1", "seed=2", "seed=3", "seed=5"]
    (failure,) = there[1]
    assert failure.startswith("seed=4, cell 3 of 3, ") and "RuntimeError: unlucky" in failure
    assert (small_book.root / "_build" / "failed" / "first,seed=4.ipynb").is_file()
    assert there == drawn(book, chapter, tmp_path / "here", workers=1)


@pytest.mark.nightly
def test_a_worker_with_another_package_rejects(cluster, small_book, tmp_path, monkeypatch):
    monkeypatch.setattr(cluster_module, "digest_of", lambda folder: "another")
    chapter = small_book.chapter("first")
    sweep = plan(small_book, chapter, read_grid(["seed=1"], chapter), output=tmp_path / "out")
    (failure,) = execute_on_cluster(sweep.jobs, cluster.scheduler_address)
    assert "the worker has another version of plain-book" in failure and not sweep.jobs[0].output.exists()


def test_a_lost_scheduler_gives_one_message_and_no_traceback(small_book, monkeypatch, caplog):
    """The runs of a lost scheduler give neither a result nor an exception."""
    import distributed

    class Lost:
        status, exception, result = "lost", lambda self: None, None

    class Client:
        loop, map = None, lambda self, function, jobs, *_, **__: [Lost() for _ in jobs]
        __enter__ = lambda self: self

        def __exit__(self, *_):
            for name in ("distributed.client", "asyncio", "tornado.application"):
                logging.getLogger(name).error("Task exception was never retrieved")

    monkeypatch.setattr(cluster_module, "connect", lambda address: Client())
    monkeypatch.setattr(distributed, "as_completed", lambda futures, loop: list(futures))
    jobs = [Job(small_book.chapter("first"), {}, small_book.root / "out.ipynb")]
    (failure,) = execute_on_cluster(jobs, "tcp://there:1")
    assert failure.endswith("the Dask scheduler at tcp://there:1 went away")
    assert not caplog.records
