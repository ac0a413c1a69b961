"""The book follows its rules and builds, and each statement has the verdict that is expected."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

BOOK = Path(__file__).parents[1]


@pytest.mark.parametrize("words", ["lint", "build --profile quick", "ledger --profile quick"])
def test_the_book(words):
    done = subprocess.run(
        [sys.executable, "-m", "claimbook", *words.split()],
        cwd=BOOK,
        capture_output=True,
        encoding="utf-8",
        env=os.environ | {"PYTHONUTF8": "1"},
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
