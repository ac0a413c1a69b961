"""papermill, 'companion run' and the build give the same numbers, as do one worker and two."""

import json
import subprocess
import sys

import nbformat
import pytest
from support import PROJECT, ROOT, companion

from claimbook.execute.notebooks import Job, execute
from claimbook.output_metadata import findings_of

CHAPTER = "everything-tends-to-one"
VALUES = PROJECT.overrides("quick").get(CHAPTER, {})


def numbers(findings):
    """Everything a finding says but how long it took."""
    return [{key: value for key, value in finding.items() if key != "seconds"} for finding in findings]


def glued(notebook):
    return [
        (output.metadata["scrapbook"]["name"], output.data["application/papermill.record/text/plain"])
        for cell in notebook.cells
        for output in cell.get("outputs", [])
        if "scrapbook" in output.get("metadata", {})
    ]


@pytest.fixture(scope="module")
def built(quick_build):
    return nbformat.read(quick_build / "executed" / f"{CHAPTER}.ipynb", as_version=4)


def test_stock_papermill_gives_the_numbers_of_the_build(built, tmp_path):
    values = [word for name, value in VALUES.items() for word in ("-p", name, str(value))]
    command = [
        sys.executable,
        "-m",
        "papermill",
        f"chapters/{CHAPTER}.ipynb",
        tmp_path / "out.ipynb",
        *values,
    ]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    executed = nbformat.read(tmp_path / "out.ipynb", as_version=4)
    assert numbers(findings_of(executed)) == numbers(findings_of(built))
    assert glued(executed) == glued(built)


# It executes as the build does, and what it does with a small chapter is tested on each push.
@pytest.mark.nightly
def test_companion_run_gives_the_numbers_of_the_build(built, tmp_path):
    done = companion("run", CHAPTER, "--profile", "quick", "--output", tmp_path)
    assert done.returncode == 0, done.stderr
    findings = json.loads((tmp_path / "findings.json").read_text(encoding="utf-8"))["findings"]
    assert numbers(findings) == numbers(findings_of(built))
    assert glued(nbformat.read(tmp_path / f"{CHAPTER}.ipynb", as_version=4)) == glued(built)


# The chapter above is alone as well when papermill runs it.
@pytest.mark.nightly
@pytest.mark.parametrize("name", [chapter.name for chapter in PROJECT.notebooks[::5]])
def test_one_worker_gives_the_numbers_of_two(quick_build, tmp_path, name):
    """The build executed two chapters at a time; here each is alone."""
    job = Job(PROJECT.chapter(name), PROJECT.overrides("quick").get(name, {}), tmp_path / f"{name}.ipynb")
    assert execute([job], workers=1) == []
    alone, together = (
        nbformat.read(path, as_version=4) for path in (job.output, quick_build / "executed" / job.output.name)
    )
    assert numbers(findings_of(alone)) == numbers(findings_of(together))
    assert glued(alone) == glued(together)
