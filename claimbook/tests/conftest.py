"""What tests of the engine share: its command, called as a user would."""

import os
import subprocess
import sys

import pytest


@pytest.fixture(scope="session")
def claimbook():
    """Function that runs the command in a folder, in a process of its own."""

    def run(*words, cwd):
        # Without what its caller has in its path: a book is found where it stands.
        clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        command = [sys.executable, "-m", "claimbook", *words]
        return subprocess.run(command, cwd=cwd, capture_output=True, text=True, encoding="utf-8", env=clean)

    return run
