"""Check that the book follows the rules, builds, and has the expected verdicts."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

BOOK = Path(__file__).parents[1]


@pytest.mark.parametrize("words", ["lint", "build --profile quick", "ledger --profile quick"])
def test_the_book_passes(words):
    process = subprocess.run(
        [sys.executable, "-m", "claimbook", *words.split()],
        cwd=BOOK,
        capture_output=True,
        encoding="utf-8",
        env=os.environ | {"PYTHONUTF8": "1"},
    )
    assert process.returncode == 0, f"{process.stdout}\n{process.stderr}"
