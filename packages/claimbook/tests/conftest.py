"""What tests of the engine share: a book small enough to break."""

import os
import signal
from pathlib import Path

import pytest
from hypothesis import settings
from samples import small_book_in

from claimbook.project import Project

# In a job that a shell started in the background Ctrl-C is ignored, under nohup the end of the terminal, and
# would be by every process that tests start. These find the plain book here.
signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP"):
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
os.environ["PYTHONPATH"] = os.pathsep.join(
    filter(None, [str(Path(__file__).parent), os.environ.get("PYTHONPATH")])
)

# A busy machine is no counterexample.
settings.register_profile("patient", deadline=None)
settings.load_profile("patient")


@pytest.fixture
def small_book(tmp_path):
    """The plain book with two chapters, 'first' and 'second', that treat none of its statements."""
    return Project(small_book_in(tmp_path))
