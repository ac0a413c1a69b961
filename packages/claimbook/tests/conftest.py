"""Shared fixtures of the engine's tests: a book small enough to break."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import settings
from samples import made_once, run_module, small_book_in

from claimbook.build import note_printed
from claimbook.project import Project, book_of

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
    """Return the plain book with two chapters that treat none of its statements."""
    return Project(small_book_in(tmp_path))


FALSE = "id,sentence\nnote/claim-2,The polynomial misses primes.\n"
MORE = ("preface", "thanks")  # of more than five pages Sphinx reads several at a time
ALL_OF_IT = "\n## What was found\n\n### All of it\n\n```{generated} highlights\n```\n"


@pytest.fixture(scope="session")
def built_book(tmp_path_factory):
    """Return the folder of a new, built book with one more chapter, to read or to copy."""
    return made_once(tmp_path_factory, "built", _build) / "first-words"


def _build(home):
    folder = home / "first-words"
    # Without what its caller has in its path: a book is found where it stands.
    alone = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}

    def claimbook(*words, cwd=folder):
        done = run_module("claimbook", *words, cwd=cwd, env=alone)
        assert done.returncode == 0 and "WARNING" not in done.stderr, done.stderr
        return done

    claimbook("new", folder.name, cwd=home)
    (folder / "first_words" / "content" / "highlights.csv").write_text(FALSE, encoding="utf-8")
    with open(folder / "chapters" / "statements.md", "a", encoding="utf-8") as page:
        page.write(ALL_OF_IT)  # what is generated may stand below a heading of any level
    with open(folder / "_toc.yml", "a", encoding="utf-8") as toc:
        for name in MORE:
            (folder / "chapters" / f"{name}.md").write_text(
                f"# The {name}\n\nIt is short.\n", encoding="utf-8"
            )
            toc.write(f"      - file: chapters/{name}\n")
    claimbook("new-chapter", "my-question")
    identity = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    for command in (("init", "-q"), ("add", "."), (*identity, "commit", "-q", "-m", "Begin")):
        subprocess.run(["git", *command], cwd=folder, check=True)
    claimbook("build")
    pdf = folder / "_build" / "book" / "first-words.pdf"
    pdf.write_bytes(b"printed")  # stands for a printed one
    note_printed(pdf)


@pytest.fixture
def copied_book(built_book, tmp_path, monkeypatch):
    """Return a copy of the built book, whose module is that of the original."""
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setenv("PYTHONPATH", os.environ.get("PYTHONPATH", ""))
    book_of("first_words:BOOK", built_book)
    folder = shutil.copytree(built_book, tmp_path / built_book.name)
    monkeypatch.chdir(folder)
    return folder
