"""What the tests of this project share: its folder, and its command line."""

import os
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

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
