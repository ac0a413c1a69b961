"""Shared parts of this project's tests: its folder, its command line, and simulated systems."""

import os
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

import numpy as np
import pandas
import pytest

from ranking_report.commands.main import main

PROJECT = Path(__file__).resolve().parents[1]
POSIX = pytest.mark.skipif(os.name != "posix", reason="the shell of Linux and macOS")


def run(*words, cwd=PROJECT, **options):
    """Run the command line as a user would, in a process of its own."""
    command = [sys.executable, "-m", "ranking_report", *map(str, words)]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, encoding="utf-8", **options)


def called(*words):
    """Run the command line in this process: much sooner, for calls that are refused or answered at once."""
    said, complained = StringIO(), StringIO()
    with redirect_stdout(said), redirect_stderr(complained):
        code = main(words)
    return subprocess.CompletedProcess(words, code, said.getvalue(), complained.getvalue())


def simulated(systems, queries, gaps, seed=0, items=30):
    """Judgments and runs of systems of growing skill on the same queries."""
    rng = np.random.default_rng(seed)
    frames = {}
    labels = rng.integers(0, 3, (queries, items))
    query, item = (index.ravel() for index in np.indices(labels.shape))
    truth = pandas.DataFrame({"query": query, "item": item, "label": labels.ravel()})
    for number in range(systems):
        scores = gaps * number * labels + rng.normal(size=labels.shape)
        frames[f"s{number}"] = pandas.DataFrame({"query": query, "item": item, "score": scores.ravel()})
    return truth, frames


def failing(queries, failures):
    """Judgments, a run, and that run with the worst order on some queries."""
    qrels = {f"q{i}": {"a": 1, "b": 0} for i in range(queries)}
    old = {query: {"a": 2.0, "b": 1.0} for query in qrels}
    bad = {query: {"a": 1.0, "b": 2.0} for query in [*qrels][:failures]}
    return qrels, {"old": old, "new": old | bad}
