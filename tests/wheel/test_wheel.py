"""The four projects as users get them: built, installed in new environments, used without a checkout.

Needs the package index, as whoever installs them does.
"""

import json
import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest
from support import ROOT, readme_examples

pytestmark = pytest.mark.nightly

TWINE = "twine==7.0.0"  # in an environment of its own, as it brings more packages than the whole core
# The folder of each project to the packages that its wheel holds.
PROJECTS = {
    ".": {"ndcg_companion", "ndcg_book", "companion_command.py"},
    "packages/claimbook": {"claimbook"},
    "packages/ranking-report": {"ranking_report"},
    "packages/ndcg-conformance": {"ndcg_conformance"},
}
CORE = {"ndcg-companion", "numpy", "scipy", "threadpoolctl"}


def run(*command, cwd, expected=0):
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, encoding="utf-8", env=clean)
    assert done.returncode == expected, f"{command}\n{done.stdout}\n{done.stderr}"
    return done


def environment_with(folder, *installed):
    """The folder of programs of an environment that has these, and what they bring."""
    venv.create(folder, with_pip=True)
    programs = folder / ("Scripts" if os.name == "nt" else "bin")
    run(programs / "python", "-m", "pip", "install", "--quiet", *installed, cwd=ROOT)
    run(programs / "python", "-m", "pip", "check", cwd=folder)
    return programs


def names_in(programs, folder):
    listed = run(programs / "python", "-m", "pip", "list", "--format", "json", cwd=folder).stdout
    return {package["name"].lower() for package in json.loads(listed)} - {"pip", "setuptools"}


@pytest.fixture(scope="module")
def archives(tmp_path_factory):
    """Both archives of each project, by its folder."""
    archives_of = {}
    for project in PROJECTS:
        folder = tmp_path_factory.mktemp("archives")
        for build in ("build_sdist", "build_wheel"):
            code = f"from hatchling.build import {build}; {build}({str(folder)!r})"
            run(sys.executable, "-c", code, cwd=ROOT / project)
        archives_of[project] = sorted(folder.iterdir())
    return archives_of


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """What the first line of the guides installs."""
    return environment_with(tmp_path_factory.mktemp("library"), ".")


@pytest.fixture(scope="module")
def reports(tmp_path_factory):
    return environment_with(tmp_path_factory.mktemp("reports"), ".", "./packages/ranking-report")


def test_the_archives_pass_the_strict_check(archives, tmp_path):
    programs = environment_with(tmp_path, TWINE)
    files = [str(path) for paths in archives.values() for path in paths]
    assert len(files) == 8
    assert run(programs / "twine", "check", "--strict", *files, cwd=tmp_path).stdout.count("PASSED") == 8


@pytest.mark.parametrize("project", PROJECTS)
def test_a_wheel_holds_its_own_files_alone(archives, project):
    (wheel,) = (path for path in archives[project] if path.suffix == ".whl")
    with zipfile.ZipFile(wheel) as archive:
        tops = {name.partition("/")[0] for name in archive.namelist()}
    assert {top for top in tops if not top.endswith(".dist-info")} == PROJECTS[project]


def test_the_library_brings_little_and_nothing_of_the_other_projects(library, tmp_path):
    assert names_in(library, tmp_path) == CORE


@pytest.mark.parametrize("package", ["measures", "theory", "simulation", "significance"])
def test_the_library_package_is_complete(library, tmp_path, package):
    code = f"import ndcg_companion.{package} as one; print(*(getattr(one, name) for name in one.__all__))"
    run(library / "python", "-c", code, cwd=tmp_path)


def test_importing_the_measures_costs_little_beside_numpy(library, tmp_path):
    """In time of the processor, the least of several; a new import of something heavy would be far above."""

    def least(module):
        code = f"import time, {module}; print(time.process_time())"
        return min(float(run(library / "python", "-c", code, cwd=tmp_path).stdout) for _ in range(5))

    assert least("ndcg_companion.measures") < 2 * least("numpy")


def test_the_examples_of_the_readme(library, tmp_path):
    for code, printed in readme_examples():
        assert run(library / "python", "-c", code, cwd=tmp_path).stdout == printed


def test_the_command_of_the_book_says_what_it_lacks(library, tmp_path):
    message = run(library / "companion", "list", cwd=tmp_path, expected=2).stderr
    assert message.startswith("companion: claimbook is not installed") and message.count("\n") == 1


def test_reports_need_the_library_and_no_other_project(reports, tmp_path):
    ours = {"claimbook", "ndcg-conformance", "ranking-report", "ndcg-companion"}
    assert names_in(reports, tmp_path) & ours == {"ranking-report", "ndcg-companion"}


def test_the_power_of_an_evaluation(reports, tmp_path):
    curves = ("--curve0", "poly:0.54:-0.08", "--curve1", "poly:0.46:0.08", "--n", "100,1e3")
    printed = run(reports / "ranking-report", "power", *curves, cwd=tmp_path).stdout
    assert "log" in printed and "zipf" in printed
    assert list(tmp_path.iterdir()) == []


def test_a_report_on_own_rankings(reports, tmp_path):
    grades = [f"q{query} 0 d{item} {item % 3}" for query in range(20) for item in range(6)]
    (tmp_path / "qrels").write_text("\n".join(grades) + "\n")
    for name, sign in (("good", 1), ("bad", -1)):
        lines = [
            f"q{query} Q0 d{item} 1 {sign * (item % 3) + (query * item % 7) / 9} {name}"
            for query in range(20)
            for item in range(6)
        ]
        (tmp_path / name).write_text("\n".join(lines) + "\n")
    run(reports / "ranking-report", "compare", "qrels", "good", "bad", "--output", "out", cwd=tmp_path)
    board = (tmp_path / "out" / "leaderboard.csv").read_text(encoding="utf-8").splitlines()
    assert board[1].startswith("good,") and board[2].startswith("bad,")
    assert {"index.html", "pairs.csv", "measures.csv", "scores.csv", "report.json"} <= {
        path.name for path in Path(tmp_path, "out").iterdir()
    }


def test_conformance_needs_the_library_and_templates(tmp_path):
    programs = environment_with(tmp_path / "env", ".", "./packages/ndcg-conformance")
    assert names_in(programs, tmp_path) == CORE | {"ndcg-conformance", "jinja2", "markupsafe"}
    (tmp_path / "mine.py").write_text(
        "import numpy as np\n\n\ndef ndcg(labels, scores, k=None):\n"
        "    from ndcg_companion.measures import ndcg\n\n    return ndcg(labels, scores, k=k)\n"
    )
    help_text = run(programs / "ndcg-conformance", "--help", cwd=tmp_path).stdout
    assert "usage: ndcg-conformance" in help_text


def test_the_engine_makes_a_book_where_nothing_else_of_ours_is(tmp_path):
    programs = environment_with(tmp_path / "env", "./packages/claimbook[build]")
    assert not {"ndcg-companion", "ranking-report"} & names_in(programs, tmp_path)
    run(programs / "claimbook", "new", "primes", cwd=tmp_path)
    run(programs / "claimbook", "build", cwd=tmp_path / "primes")
    assert (tmp_path / "primes" / "_build" / "book" / "html" / "index.html").exists()


def test_the_engine_itself_requires_nothing(tmp_path):
    programs = environment_with(tmp_path / "env", "./packages/claimbook")
    assert names_in(programs, tmp_path) == {"claimbook"}
    run(programs / "python", "-c", "import claimbook.text, claimbook.writing, claimbook.exits", cwd=tmp_path)
