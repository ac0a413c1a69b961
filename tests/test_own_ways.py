"""Other ways to use the book: stock papermill, the workflow for a chapter, conda, and a fresh clone."""

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import nbformat
import pytest
import yaml
from packaging.requirements import Requirement
from support import PROJECT, ROOT, called

from claimbook import build

FIRST_CELLS = 3  # of code: the parameters, the imports, and the first that computes


def run(*command, cwd, **options):
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, encoding="utf-8", **options)
    assert done.returncode == 0, f"{command}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    return done


# ---- papermill ----


@pytest.mark.nightly
@pytest.mark.parametrize("name", [chapter.name for chapter in PROJECT.notebooks])
def test_stock_papermill_runs_the_first_cells_of_every_chapter(name, tmp_path):
    notebook = nbformat.read(ROOT / "chapters" / f"{name}.ipynb", as_version=4)
    executed = [index for index, cell in enumerate(notebook.cells) if is_executed(cell)]
    notebook.cells = notebook.cells[: executed[:FIRST_CELLS][-1] + 1]
    nbformat.write(notebook, tmp_path / "in.ipynb")
    run(sys.executable, "-m", "papermill", "in.ipynb", "out.ipynb", "-p", "seed", "7", cwd=tmp_path)
    cells = nbformat.read(tmp_path / "out.ipynb", as_version=4).cells
    injected = [cell.source for cell in cells if "injected-parameters" in cell.metadata.get("tags", [])]
    assert len(injected) == 1 and "seed = 7" in injected[0]
    assert all(cell.execution_count for cell in cells if is_executed(cell))


def is_executed(cell):
    """Whether it holds code, and is not the one that fetches the package where it is missing."""
    return cell.cell_type == "code" and "skip-execution" not in cell.metadata.get("tags", [])


# ---- the workflow ----


@pytest.mark.skipif(os.name == "nt", reason="the workflow runs on Linux")
@pytest.mark.parametrize("parameters", ["seed=7", "seed=7 $(touch${IFS}taken) `touch\ttaken` ; touch taken"])
def test_a_chapter_is_run_as_the_workflow_runs_it(small_book, parameters, monkeypatch):
    """The very lines of the workflow, with what somebody typed into its form, give the command its words."""
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "run.yml").read_text(encoding="utf-8"))
    job = workflow["jobs"]["run"]
    (script,) = [step["run"] for step in job["steps"] if "companion run" in step.get("run", "")]
    assert set(job["env"]) == {"CHAPTER", "PARAMETERS", "PROFILE"}
    programs, words = small_book.root / ".venv" / "bin", small_book.root / "words"
    programs.mkdir(parents=True)
    (programs / "companion").write_text(f"#!/bin/sh\nprintf '%s\\0' \"$@\" > '{words}'\n")
    (programs / "companion").chmod(0o755)
    typed = {"CHAPTER": "first", "PARAMETERS": parameters, "PROFILE": "quick"}
    run("bash", "-e", "-c", script, cwd=small_book.root, env=os.environ | typed)
    assert not (small_book.root / "taken").exists()

    runs = []
    monkeypatch.chdir(small_book.root)
    monkeypatch.setattr(
        build,
        "run",
        lambda project, chapter, *given: (runs.append((chapter.name, *given)), (given[-1], [], []))[1],
    )
    done = called(*words.read_text(encoding="utf-8").split("\0")[:-1])
    if parameters == "seed=7":
        assert done.returncode == 0 and runs == [("first", {"seed": 7}, "quick", "run")], done.stderr
    else:
        assert done.returncode == 2 and runs == []


# ---- conda, and a fresh clone ----


@pytest.fixture(scope="module")
def clone(tmp_path_factory):
    """What git holds of the last commit, in a folder that was never there before."""
    folder = tmp_path_factory.mktemp("fresh") / "companion"
    if subprocess.run(["git", "clone", "--quiet", ROOT, folder], capture_output=True).returncode:
        pytest.skip("not a git checkout")
    return folder


def locked_versions():
    entries = (ROOT / "requirements.lock").read_text(encoding="utf-8").replace("\\\n", "").splitlines()
    requirements = [Requirement(line.split(" --hash")[0]) for line in entries if line[:1].isalnum()]
    return {
        requirement.name: str(requirement.specifier).removeprefix("==")
        for requirement in requirements
        if requirement.marker is None or requirement.marker.evaluate()
    }


@pytest.mark.nightly
@pytest.mark.skipif(os.name == "nt", reason="postBuild is for Binder, which is Linux")
def test_conda_and_binder_install_what_the_lock_has(clone, tmp_path):
    """With pip's part of it, as conda calls it: the list as a file beside environment.yml; then postBuild."""
    *_, pip = yaml.safe_load((clone / "environment.yml").read_text(encoding="utf-8"))["dependencies"]
    (clone / "condaenv.requirements.txt").write_text("\n".join(pip["pip"]) + "\n")
    venv.create(tmp_path, with_pip=True)
    programs = tmp_path / "bin"
    python = programs / "python"
    run(python, "-m", "pip", "install", "--quiet", "-r", "condaenv.requirements.txt", cwd=clone)
    run("./postBuild", cwd=clone, env=os.environ | {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"})
    listed = run(python, "-m", "pip", "list", "--format", "freeze", cwd=clone).stdout
    installed = {
        name.lower().replace("_", "-"): version
        for name, version in (line.split("==") for line in listed.split())
    }
    projects = {"ndcg-companion", "claimbook", "ranking-report", "ndcg-conformance"}
    assert projects <= set(installed)
    assert locked_versions().items() <= installed.items()
    assert set(installed) - set(locked_versions()) - projects <= {"pip", "setuptools"}
    chapters = run(programs / "companion", "list", "--names", cwd=clone).stdout.split()
    assert chapters == [chapter.name for chapter in PROJECT.notebooks]


@pytest.mark.nightly
@pytest.mark.skipif(not shutil.which("make"), reason="no make")
def test_the_two_commands_in_a_fresh_clone(clone):
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "MAKE"))}
    python = f"PYTHON={Path(sys.base_prefix) / 'bin' / 'python3'}"
    for target in ("book", "test"):
        run("make", target, python, cwd=clone, env=clean)
    assert (clone / "_build" / "book" / "html" / "index.html").is_file()
    assert run("git", "status", "--porcelain", cwd=clone).stdout.split("\n")[:-1] in (
        [],
        ["?? condaenv.requirements.txt"],
    )
