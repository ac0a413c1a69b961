"""The package as others get it: built, installed in an empty environment, used away from any checkout.

Needs the package index, as whoever installs the package does.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest
from support import ROOT, readme_examples

pytestmark = pytest.mark.nightly

PACKAGES = 10  # at most, ours included
TWINE = "twine==7.0.0"  # in an environment of its own, as it brings more packages than the whole core


def run(*command, cwd, expected=0):
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, encoding="utf-8", env=clean)
    assert done.returncode == expected, f"{command}\n{done.stdout}\n{done.stderr}"
    return done


def empty_environment(folder):
    venv.create(folder, with_pip=True)
    return folder / ("Scripts" if os.name == "nt" else "bin")


@pytest.fixture(scope="module")
def archives(tmp_path_factory):
    folder = tmp_path_factory.mktemp("archives")
    for build in ("build_sdist", "build_wheel"):
        run(
            sys.executable,
            "-c",
            f"from hatchling.build import {build}; {build}({str(folder)!r})",
            cwd=ROOT,
        )
    return folder


@pytest.fixture(scope="module")
def programs(archives, tmp_path_factory):
    """Where the programs of an environment are that has the wheel and what it brings."""
    programs = empty_environment(tmp_path_factory.mktemp("empty"))
    (wheel,) = archives.glob("*.whl")
    run(programs / "python", "-m", "pip", "install", "--quiet", wheel, cwd=archives)
    return programs


def test_the_archives_pass_the_strict_check(archives, tmp_path):
    programs = empty_environment(tmp_path)
    run(programs / "python", "-m", "pip", "install", "--quiet", TWINE, cwd=archives)
    files = sorted(map(str, archives.iterdir()))
    assert len(files) == 2
    assert run(programs / "twine", "check", "--strict", *files, cwd=archives).stdout.count("PASSED") == 2


def test_the_core_brings_few_packages(programs, tmp_path):
    listed = run(programs / "python", "-m", "pip", "list", "--format", "json", cwd=tmp_path).stdout
    names = {package["name"] for package in json.loads(listed)} - {"pip", "setuptools"}
    assert "ndcg-companion" in names and len(names) <= PACKAGES, names
    run(programs / "python", "-m", "pip", "check", cwd=tmp_path)


@pytest.mark.parametrize("package", ["measures", "theory", "simulation", "data", "evaluation"])
def test_a_package_of_the_core_is_whole(programs, tmp_path, package):
    code = f"import ndcg_companion.{package} as one; print(*(getattr(one, name) for name in one.__all__))"
    run(programs / "python", "-c", code, cwd=tmp_path)


def test_importing_the_measures_costs_little_beside_numpy(programs, tmp_path):
    """In time of the processor, the least of several; a new import of something heavy would be far above."""

    def least(module):
        code = f"import time, {module}; print(time.process_time())"
        return min(float(run(programs / "python", "-c", code, cwd=tmp_path).stdout) for _ in range(5))

    assert least("ndcg_companion.measures") < 2 * least("numpy")


def test_the_examples_of_the_readme(programs, tmp_path):
    for code, printed in readme_examples():
        assert run(programs / "python", "-c", code, cwd=tmp_path).stdout == printed


def test_the_power_of_an_evaluation(programs, tmp_path):
    curves = ("--curve0", "poly:0.54:-0.08", "--curve1", "poly:0.46:0.08", "--n", "100,1e3")
    printed = run(programs / "companion", "power", *curves, cwd=tmp_path).stdout
    assert "log" in printed and "zipf" in printed
    assert list(tmp_path.iterdir()) == []


def test_a_report_on_own_rankings(programs, tmp_path):
    grades = [f"q{query} 0 d{item} {item % 3}" for query in range(20) for item in range(6)]
    (tmp_path / "qrels").write_text("\n".join(grades) + "\n")
    for name, sign in (("good", 1), ("bad", -1)):
        lines = [
            f"q{query} Q0 d{item} 1 {sign * (item % 3) + (query * item % 7) / 9} {name}"
            for query in range(20)
            for item in range(6)
        ]
        (tmp_path / name).write_text("\n".join(lines) + "\n")
    systems = ("--system", "good=good", "--system", "bad=bad")
    run(programs / "companion", "report", "--labels", "qrels", *systems, "--output", "out", cwd=tmp_path)
    board = (tmp_path / "out" / "leaderboard.csv").read_text(encoding="utf-8").splitlines()
    assert board[1].startswith("good,") and board[2].startswith("bad,")
    assert {"index.html", "pairs.csv", "measures.csv", "scores.csv", "report.json"} <= {
        path.name for path in Path(tmp_path, "out").iterdir()
    }


@pytest.mark.parametrize("words", [["--help"], ["sweep", "--help"], ["diff", "--help"]])
def test_help_needs_no_extra(programs, tmp_path, words):
    assert "usage: companion" in run(programs / "companion", *words, cwd=tmp_path).stdout


@pytest.mark.parametrize("command", [["build"], ["list"], ["ledger"]])
def test_a_command_of_the_book_names_its_extra(programs, tmp_path, command):
    """In a checkout, as elsewhere it would say that there is none."""
    told = run(programs / "companion", *command, cwd=ROOT, expected=2).stderr
    assert told.count("\n") == 1 and re.search(r"pip install 'ndcg-companion\[(book|chapter)\]'", told)


def test_the_engine_passes_its_tests_where_the_package_is_not_installed(tmp_path):
    engine, alone = tmp_path / "claimbook", tmp_path / "alone"
    shutil.copytree(ROOT / "claimbook", engine, ignore=shutil.ignore_patterns("_build", "__pycache__"))
    run(sys.executable, "-c", "from hatchling.build import build_wheel; build_wheel('..')", cwd=engine)
    venv.create(alone)
    python = alone / ("Scripts" if os.name == "nt" else "bin") / "python"
    installed = sysconfig.get_paths(vars={"base": str(alone), "platbase": str(alone)})["purelib"]
    # In a folder that such a file names packages are found, but not what is installed there as editable.
    Path(installed, "others.pth").write_text(sysconfig.get_paths()["purelib"], encoding="utf-8")
    (wheel,) = tmp_path.glob("*.whl")
    run(
        sys.executable,
        "-m",
        "pip",
        "--python",
        python,
        "install",
        "--no-deps",
        "--no-index",
        wheel,
        cwd=alone,
    )
    assert "No module named" in run(python, "-c", "import ndcg_companion", cwd=alone, expected=1).stderr
    where = run(python, "-c", "import claimbook; print(claimbook.__file__)", cwd=engine).stdout
    assert Path(where.strip()).is_relative_to(alone)
    run(python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests", cwd=engine)
