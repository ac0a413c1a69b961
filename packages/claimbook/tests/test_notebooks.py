import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import nbformat
import psutil
import pytest
from plain_book import BOOK
from samples import PAGE, claimbook, small_book_in, write_notebook

from claimbook.execute.engine import Watch
from claimbook.execute.limits import Limits
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
    """Return a book whose two chapters were executed in parallel."""
    root = small_book_in(tmp_path_factory.mktemp("executed"))
    assert execute(jobs_of(Project(root)), workers=2) == []
    return root


@pytest.fixture
def executed(executed_once, tmp_path):
    """Return the jobs of a copy of that book, whose chapters are still current."""
    return jobs_of(Project(shutil.copytree(executed_once, tmp_path / "copy")))


def reread(jobs):
    """Return the same jobs, read again from the disk."""
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


def test_a_damaged_output_is_not_current_and_is_executed_again(executed):
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


def test_a_failure_deep_in_code_that_a_cell_calls_still_shows_the_line_of_the_cell(jobs):
    checked = "page.finding(\n    'note/claim-1', claim=('a', 1, 1), control=('b', 2, 1), basis='prof'\n)"
    page = PAGE.format(name="first").replace("SMALL", "BOOK")
    write_notebook(jobs[0].chapter.path, page, checked)
    (failure,) = execute(reread(jobs)[:1], workers=1)
    first, *frames = failure.splitlines()
    assert first.startswith("chapters/first.ipynb, cell 4 of 4, \"page.finding(\": ValueError: basis='prof'")
    assert "did you mean 'proof'?" in first and "exhaustive, proof, sample, mechanism" in first
    assert frames[0] == "    cell 4, line 1" and frames[1].strip() == "----> 1 page.finding("
    assert len(frames) == 7 and "check_word" in frames[4]


def test_a_failure_names_chapter_cell_and_error_and_spares_the_rest(jobs, capfd):
    write_notebook(jobs[0].chapter.path, "def part(n):\n    return 1 / n", "part(0)")
    (failure,) = execute(reread(jobs), workers=1)
    assert failure.splitlines() == [
        'chapters/first.ipynb, cell 4 of 4, "part(0)": ZeroDivisionError: division by zero',
        "    cell 4, line 1",
        "    ----> 1 part(0)",
        "    cell 3, line 2, in part(n)",
        "    ----> 2     return 1 / n",
        f"    the unfinished notebook: {Path('_build', 'failed', 'first.ipynb')}",
    ]
    assert not jobs[0].output.exists() and jobs[1].output.exists()
    assert {path.suffix for path in jobs[1].output.parent.iterdir()} == {".ipynb"}
    # A log has a line for each chapter and no bar.
    printed = capfd.readouterr()
    assert printed.out.splitlines() == ["failed first", "executed second"] and printed.err == ""


def test_the_notebook_of_a_chapter_that_fails_is_kept_until_it_succeeds(jobs):
    job = reread(jobs)[0]
    write_notebook(job.chapter.path, "print('so far')", "1 / 0", "2")
    execute([job], workers=1)
    cells = nbformat.read(job.kept_path, as_version=4).cells
    outputs = [output for cell in cells for output in cell.get("outputs", [])]
    assert outputs[0].text == "so far\n" and outputs[1].ename == "ZeroDivisionError" and len(outputs) == 2
    write_notebook(job.chapter.path, "print('so far')")
    assert execute(reread([job]), workers=1) == [] and not job.kept_path.exists()


def test_what_is_wrong_with_a_line_that_is_no_python_is_shown(jobs):
    write_notebook(jobs[0].chapter.path, "a b")
    (failure,) = execute(reread(jobs)[:1], workers=1)
    lines = failure.splitlines()
    assert lines[0].startswith('chapters/first.ipynb, cell 3 of 3, "a b": SyntaxError: ')
    assert lines[1] == "    cell 3, line 1" and "    a b" in lines[2] and "^" in lines[3]


def test_a_cell_that_takes_too_long_fails_with_what_to_change(jobs):
    write_notebook(jobs[0].chapter.path, "print('begun')", "import time; time.sleep(60)")
    job, started = replace(reread(jobs)[0], limits=Limits(timeout=1)), time.monotonic()
    (failure,) = execute([job], workers=1)
    first, kept = failure.splitlines()
    assert first.startswith("chapters/first.ipynb, cell 4 of 4, ") and time.monotonic() - started < 30
    assert "the cell took more than 1 seconds; compute less, or raise 'execute: timeout' in" in first
    assert "begun" in job.kept_path.read_text(encoding="utf-8") and "failed" in kept


def test_outputs_may_have_the_largest_size_that_is_permitted():
    assert [Watch(max_bytes=3, output_bytes=size).exceeds_limit for size in (3, 4)] == [False, True]


@pytest.mark.parametrize("source", ["while True:\n    print(10_000 * 'x')", "print(20_000_000 * 'x')"])
def test_a_chapter_that_shows_too_much_is_stopped_with_what_to_change(jobs, source):
    write_notebook(jobs[0].chapter.path, source)
    job = replace(reread(jobs)[0], limits=Limits(output_limit=0.5))
    (failure,) = execute([job], workers=1)
    message = "the outputs of the chapter exceed 0.5 MB; show less, or raise 'execute: output_limit' in"
    assert 'cell 3 of 3, "' in failure and message in failure
    assert job.kept_path.stat().st_size < 1e6


def test_a_kernel_that_dies_is_a_failure_and_not_a_hang(jobs):
    write_notebook(jobs[0].chapter.path, "import os", "os._exit(3)")
    (failure,) = execute(reread(jobs)[:1], workers=1)
    assert 'cell 4 of 4, "os._exit(3)": the kernel ended while the cell ran' in failure
    assert not jobs[0].output.exists()


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("timeout: 0", "timeout=0: expected seconds for a cell, or -1 for no limit"),
        ("timeout: soon", "timeout='soon': expected seconds"),
        ("output_limit: -1", "output_limit=-1: expected MB, more than 0"),
    ],
)
def test_what_is_no_limit_is_rejected_before_anything_runs(small_book, written, message):
    config = small_book.root / "_config.yml"
    text = config.read_text(encoding="utf-8")
    name = written.partition(":")[0]
    config.write_text(re.sub(rf"  {name}: .*", f"  {written}", text), encoding="utf-8")
    done = claimbook("build", cwd=small_book.root)
    assert done.returncode == 2 and message in done.stderr and "to execute" not in done.stdout


def test_a_parameter_that_papermill_would_take_is_rejected_by_the_page_itself(jobs):
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
    _, errors = build.communicate(timeout=30)
    assert build.returncode == 130 and "interrupted" in errors and "Traceback" not in errors
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
