"""A kernel is a copy of a process with the common imports, and a normal kernel."""

import asyncio
import multiprocessing.forkserver
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from uuid import uuid4

import psutil
import pytest
from plain_book import BOOK
from samples import write_notebook

from claimbook.execute.kernels import Kernel, _run, kernels_at_once

if os.name != "nt":
    import resource

POSIX = pytest.mark.skipif(os.name == "nt", reason="there is no such limit")
SAYS = """import os, sys
print("scipy.stats" in sys.modules, os.environ.get("TRIED"), os.getcwd(), os.getpgrp() == os.getpid())
import psutil, signal, time
try:
    os.killpg(0, signal.SIGINT)
    time.sleep(9)
except KeyboardInterrupt:
    time.sleep(0.5)
group = [one for one in psutil.process_iter() if os.getpgid(one.pid) == os.getpid()]
print(len(group), len(psutil.Process().children()))"""
# A kernel that computes, beside a program that it started; a file tells that it does. The second never lets
# another of its threads run.
BUSY = """\
import re, subprocess
subprocess.Popen(["sleep", "300"])
open(f"started-{seed}", "w").close()
while seed == 1:
    sum(range(1_000))
re.match("(a+)+$", 60 * "a" + "b")"""
KILLS = {
    "SIGKILL": (os.kill, "SIGKILL"),
    "SIGTERM": (os.kill, "SIGTERM"),
    "SIGHUP to the group": (getattr(os, "killpg", None), "SIGHUP"),
}


async def answer(code, **options):
    """The words that a kernel prints when it runs the code."""
    kernel, said = Kernel(kernel_name="python3"), []
    await kernel.start_kernel(extra_arguments=["--log-level=CRITICAL"], **options)
    client = kernel.client()
    client.start_channels()
    await client.wait_for_ready(timeout=60)
    await client.execute_interactive(
        code, output_hook=lambda message: said.append(message["content"].get("text", ""))
    )
    client.stop_channels()
    await kernel.shutdown_kernel(now=True)
    return "".join(said).split()


@pytest.mark.skipif(sys.platform != "linux", reason="a kernel is started as usual there")
def test_a_copy_is_a_kernel_like_any_other_with_a_guard_that_no_interrupt_ends(tmp_path, monkeypatch, capfd):
    monkeypatch.setenv("TRIED", "yes")
    monkeypatch.setattr(Kernel, "preload", [*BOOK.preload])
    multiprocessing.forkserver._forkserver._stop()  # a first process that had imported less, for other tests
    with ThreadPoolExecutor(1) as thread:  # a browser's loop may run in this one
        said = thread.submit(asyncio.run, answer(SAYS, cwd=str(tmp_path))).result()
    assert said == ["True", "yes", str(tmp_path.resolve()), "True", "2", "0"]  # a kernel waits for children
    assert "Traceback" not in capfd.readouterr().err


@pytest.fixture
def limits(monkeypatch):
    """Return the limits on open files that the system reports; four files are open."""
    limits = []
    monkeypatch.setattr(os, "listdir", lambda path: range(4))
    monkeypatch.setattr(resource, "getrlimit", lambda _: tuple(limits))
    monkeypatch.setattr(resource, "setrlimit", lambda _, given: limits.__setitem__(slice(2), given))
    return limits


@POSIX
@pytest.mark.parametrize(
    ("soft", "hard", "at_once", "raised"),
    [
        (90, 90, 2, 90),
        (90, 120, 3, 120),
        (80, 999, 6, 20 + 6 * 32),
        (80, -1, 6, 20 + 6 * 32),
        (256, 4096, 6, 256),
        (-1, -1, 6, -1),
    ],
)
def test_there_are_as_many_kernels_as_files_may_be_open(limits, soft, hard, at_once, raised):
    limits += [soft, hard]
    assert kernels_at_once(6) == at_once
    assert limits == [raised, hard]


@POSIX
@pytest.mark.parametrize("limit", [3, 40, 79])
def test_too_few_files_for_one_kernel_are_rejected(limits, limit):
    limits += [limit, limit]
    with pytest.raises(ValueError, match=f"ulimit -n {limit}: expected at least 80 open files"):
        kernels_at_once(6)


# The numbers of files were counted; that they are right only kernels tell.
@pytest.mark.nightly
@POSIX
@pytest.mark.parametrize("limit", [79, 90])
def test_a_limit_on_open_files_ends_nothing(small_book, limit):
    line = f"ulimit -n {limit}; exec {sys.executable} -m claimbook sweep second seed=1..6 --jobs 6"
    done = subprocess.run(["sh", "-c", line], cwd=small_book.root, capture_output=True, text=True)
    if limit == 79:
        assert done.returncode == 2 and done.stderr.startswith("claimbook: ulimit -n 79: expected at least")
        assert done.stderr.count("\n") == 1 and not (small_book.root / "sweeps").exists()
    else:
        assert done.returncode == 0 and "6 of 6 runs are finished" in done.stdout, done.stderr
        assert not done.stderr


def processes_with(variable, value):
    """Return all processes that were started with this environment."""
    processes = []
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            if process.environ().get(variable) == value and process.status() != psutil.STATUS_ZOMBIE:
                processes.append(process)
    return processes


# A command that is killed cannot be tried without killing one. Of the three ways to kill it, the one that no
# program can answer is tried on each push; the others are for the night.
@pytest.mark.skipif(sys.platform != "linux", reason="a kernel is started as usual there")
@pytest.mark.parametrize(
    ("send", "name"),
    [
        pytest.param(*kill, marks=[pytest.mark.nightly] * (key != "SIGKILL"), id=key)
        for key, kill in KILLS.items()
    ],
)
def test_nothing_outlives_a_killed_command(small_book, send, name):
    write_notebook(small_book.root / "chapters" / "first.ipynb", BUSY)
    token, said = uuid4().hex, small_book.root / "said"
    command = [sys.executable, "-m", "claimbook", "sweep", "first", "seed=1,2", "--jobs", "2"]
    with open(said, "w") as file:
        process = subprocess.Popen(
            command,
            cwd=small_book.root,
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=file,
            env=os.environ | {"TRIED": token},
            start_new_session=True,
        )
    try:
        until = time.monotonic() + 60
        while not all((small_book.root / f"started-{seed}").exists() for seed in (1, 2)):
            assert process.poll() is None and time.monotonic() < until, said.read_text()
            time.sleep(0.05)
        # The command, what it starts kernels with, and each kernel with its program.
        assert len(processes_with("TRIED", token)) >= 1 + 2 + 2 * 2
        send(process.pid, getattr(signal, name))
        process.wait(timeout=10)
        until = time.monotonic() + 5
        while (left := processes_with("TRIED", token)) and time.monotonic() < until:
            time.sleep(0.05)
        assert not left, [f"{running.pid} {' '.join(running.cmdline())[:80]}" for running in left]
        assert "Traceback" not in said.read_text(), said.read_text()
    finally:
        for running in processes_with("TRIED", token):
            running.kill()


@pytest.mark.skipif(sys.platform != "linux", reason="a kernel is started as usual there")
def test_a_copy_whose_command_is_gone_ends_silently(capfd):
    context = multiprocessing.get_context("forkserver")
    ready, tell = context.Pipe(duplex=False)
    ready.close()
    copy = context.Process(target=_run, args=([], {}, None, tell))
    copy.start()
    tell.close()
    copy.join(60)
    assert copy.exitcode == 0 and capfd.readouterr().err == ""
