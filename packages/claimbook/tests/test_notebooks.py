import json
import os
import shutil
import signal
import subprocess
import sys
import time

import nbformat
import psutil
import pytest
from plain_book import BOOK
from samples import PAGE, claimbook, small_book_in, write_notebook

from claimbook.execute.notebooks import Job, execute, read_metadata
from claimbook.output_metadata import METADATA_KEY
from claimbook.project import Project


def jobs_of(book):
    return [Job(chapter, {}, book.root / "executed" / f"{chapter.name}.ipynb") for chapter in book.notebooks]


@pytest.fixture
def jobs(small_book):
    return jobs_of(small_book)


@pytest.fixture(scope="module")
def executed_once(tmp_path_factory):
    """A book whose two chapters were executed side by side."""
    root = small_book_in(tmp_path_factory.mktemp("executed"))
    assert execute(jobs_of(Project(root)), workers=2) == []
    return root


@pytest.fixture
def executed(executed_once, tmp_path):
    """The jobs of a copy of that book, whose chapters are as current as they were."""
    return jobs_of(Project(shutil.copytree(executed_once, tmp_path / "copy")))


def reread(jobs):
    """The same jobs, after something on disk was edited."""
    return [
        Job(type(job.chapter)(job.chapter.root, job.chapter.file, BOOK), job.parameters, job.output)
        for job in jobs
    ]


def test_executed_chapters_hold_their_numbers_and_nothing_of_the_machine(executed_once):
    jobs = jobs_of(Project(executed_once))
    text = jobs[0].output.read_text(encoding="utf-8")
    notebook = nbformat.reads(text, as_version=4)
    glued = notebook.cells[2].outputs[0].metadata["scrapbook"]["name"]
    assert glued == "seed"
    assert "papermill" not in notebook.metadata and str(jobs[0].chapter.root) not in text
    assert all(
        "papermill" not in cell.metadata and "execution" not in cell.metadata for cell in notebook.cells
    )
    assert read_metadata(jobs[0].output)["parameters"] == {}


def test_a_chapter_stays_current_until_something_it_depends_on_changes(executed):
    jobs = first, second = executed
    root = first.chapter.root
    assert all(job.is_up_to_date() for job in reread(jobs))

    write_notebook(first.chapter.path, PAGE.format(name="first"), "seed + 1")
    assert [job.is_up_to_date() for job in reread(jobs)] == [False, True]
    write_notebook(first.chapter.path, PAGE.format(name="first"), title="Another title")
    assert all(job.is_up_to_date() for job in reread(jobs))

    notebook = nbformat.read(first.chapter.path, as_version=4)
    notebook.cells[2].metadata["tags"] = ["raises-exception"]
    nbformat.write(notebook, first.chapter.path)
    assert [job.is_up_to_date() for job in reread(jobs)] == [False, True]

    assert not Job(second.chapter, {"seed": 2}, second.output).is_up_to_date()

    (root / "requirements.lock").write_text("numpy==0\n")
    assert not any(job.is_up_to_date() for job in reread(jobs))


def test_the_contents_of_a_file_that_a_value_names_count(small_book, tmp_path):
    chapter, file = small_book.chapter("first"), tmp_path / "labels of mine.txt"
    keys = []
    for contents in ("1", "2", None):
        file.write_text(contents) if contents else file.unlink()
        for value in (str(file), f"a='{file}' b=none"):
            keys.append(Job(chapter, {"labels": value}, tmp_path / "x.ipynb").key)
    assert len(set(keys)) == 6


def test_what_was_damaged_is_not_current_and_is_made_again(executed):
    (job, _) = executed
    assert job.is_up_to_date()
    whole = job.output.read_text(encoding="utf-8")
    document = json.loads(whole)
    cells = json.dumps(document | {"cells": document["cells"][:-1]})
    noted = json.dumps(document | {"metadata": {METADATA_KEY: {"key": job.key, "seal": 1}}})
    for damaged in ("", "[]", "null", whole[:-9], '{"metadata": 1}', cells, noted, "[" * 100_000):
        job.output.write_text(damaged, encoding="utf-8")
        assert not job.is_up_to_date() and read_metadata(job.output) == {}, damaged[:20]
    job.output.write_bytes(b"\xff\xfe")
    assert not job.is_up_to_date()
    assert execute([job], workers=1) == [] and job.is_up_to_date()


def test_a_failure_names_chapter_cell_and_error_and_spares_the_rest(jobs, capfd):
    write_notebook(jobs[0].chapter.path, "1 + 1", "1 / 0")
    failures = execute(reread(jobs), workers=1)
    assert failures == ["first failed in cell 'cell-1'\n    ZeroDivisionError: division by zero"]
    assert not jobs[0].output.exists() and jobs[1].output.exists()
    assert {path.suffix for path in jobs[1].output.parent.iterdir()} == {".ipynb"}
    # A log has a line for each chapter and no bar.
    told = capfd.readouterr()
    assert told.out.splitlines() == ["failed first", "executed second"] and told.err == ""


def test_a_kernel_that_dies_is_a_failure_and_not_a_hang(jobs):
    write_notebook(jobs[0].chapter.path, "import os", "os._exit(3)")
    failures = execute(reread(jobs)[:1], workers=1)
    assert len(failures) == 1 and failures[0].startswith("first failed") and not jobs[0].output.exists()


def test_a_parameter_that_papermill_would_take_is_refused_by_the_page_itself(jobs):
    (failure,) = execute([Job(jobs[0].chapter, {"seed": "abc"}, jobs[0].output)], workers=1)
    assert "seed=abc: expected a whole number, 0 .." in failure


@pytest.mark.nightly
@pytest.mark.skipif(os.name == "nt", reason="sends a signal to a process group")
def test_ctrl_c_leaves_a_tree_from_which_the_next_call_continues(small_book):
    write_notebook(
        small_book.root / "chapters" / "second.ipynb",
        "open('started', 'w').close()",
        "import time; time.sleep(60)",
    )
    command = [sys.executable, "-m", "claimbook", "build", "--jobs", "2"]
    build = subprocess.Popen(
        command, cwd=small_book.root, start_new_session=True, stderr=subprocess.PIPE, text=True
    )
    finished = small_book.root / "_build" / "book" / "executed" / "first.ipynb"
    wait_for(lambda: (small_book.root / "started").exists() and finished.exists())
    family = psutil.Process(build.pid).children(recursive=True)
    os.killpg(build.pid, signal.SIGINT)
    _, told = build.communicate(timeout=30)
    assert build.returncode == 130 and "interrupted" in told and "Traceback" not in told
    gone, alive = psutil.wait_procs(family, timeout=10)
    assert not alive, f"still running: {alive}"
    assert [path.name for path in finished.parent.iterdir()] == ["first.ipynb"]

    write_notebook(small_book.root / "chapters" / "second.ipynb", PAGE.format(name="second"))
    done = claimbook("build", cwd=small_book.root)
    assert done.returncode == 0 and "1 of 2 chapters to execute" in done.stdout, done.stderr


def wait_for(condition, seconds=60):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.1)


def test_metadata_of_a_notebook_that_was_never_executed_is_empty(small_book):
    assert read_metadata(small_book.notebooks[0].path) == {}
    assert json.loads(small_book.notebooks[0].path.read_text())["cells"][0]["id"] == "title"
    assert isinstance(Project.find(small_book.root / "chapters"), Project)
