"""Books in new environments with the engine's wheel, without a checkout nearby."""

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest
from samples import made_once

PROJECT = Path(__file__).parents[1]
EXAMPLE = PROJECT / "examples" / "four-data-sets"
PROGRAMS = "Scripts" if os.name == "nt" else "bin"


def run(*command, cwd):
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL"))}
    return subprocess.run(command, cwd=cwd, capture_output=True, encoding="utf-8", env=clean)


def install(home):
    """Create an environment with the engine's wheel, which shares the other packages."""
    code = f"from hatchling.build import build_wheel; build_wheel({str(home)!r})"
    done = run(sys.executable, "-c", code, cwd=PROJECT)
    assert done.returncode == 0, done.stderr
    (wheel,) = home.glob("*.whl")
    venv.create(home / "env", symlinks=os.name != "nt")
    packages_folder = sysconfig.get_path(
        "purelib", vars=dict.fromkeys(("base", "platbase"), str(home / "env"))
    )
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(packages_folder)
    # What a line of a .pth file names is read after the engine, and no .pth file in there is: none of ours.
    lent = {sysconfig.get_path(kind) for kind in ("purelib", "platlib")}
    Path(packages_folder, "lent.pth").write_text("\n".join(sorted(lent)), encoding="utf-8")


@pytest.fixture(scope="module")
def claimbook(tmp_path_factory):
    """Return a function that calls the engine's command line in such an environment."""
    home = made_once(tmp_path_factory, "installed", install)
    python = home / "env" / PROGRAMS / "python"
    printed = run(python, "-c", "import claimbook; print(claimbook.__file__)", cwd=home)
    assert Path(printed.stdout.strip()).is_relative_to(home), printed.stderr
    return lambda *words, cwd: run(python, "-m", "claimbook", *words, cwd=cwd)


def test_the_example_builds_and_fails_when_its_data_change_behind_its_back(claimbook, tmp_path):
    book = tmp_path / EXAMPLE.name
    shutil.copytree(EXAMPLE, book, ignore=shutil.ignore_patterns("_build", "__pycache__"))
    done = claimbook("build", cwd=book)
    assert done.returncode == 0 and "WARNING" not in done.stderr, done.stderr
    rows = json.loads(claimbook("ledger", "--json", cwd=book).stdout)["statements"]
    assert [row["verdict"] for row in rows] == [*["proved here"] * 2, "contradicted", "proved here"]
    assert (book / "_build" / "book" / "html" / "index.html").is_file()
    data = book / "data" / "anscombe.csv"
    data.write_text(data.read_text(encoding="utf-8").replace("III,13,12.74", "III,13,12.75"))
    done = claimbook("build", cwd=book)
    assert done.returncode == 1 and "1 of 1 chapters to execute" in done.stdout
    assert "index: said/equal: expected contradicted, got inconclusive (claim and control both pass)" in (
        done.stderr.splitlines()
    )


def test_the_example_with_fractions_builds_and_a_run_of_it_may_be_too_small(claimbook, tmp_path):
    book = tmp_path / "birthdays"
    shutil.copytree(
        EXAMPLE.with_name("birthdays"), book, ignore=shutil.ignore_patterns("_build", "__pycache__")
    )
    done = claimbook("build", cwd=book)
    assert done.returncode == 0 and "WARNING" not in done.stderr, done.stderr
    done = claimbook("ledger", "--json", cwd=book)
    rows = {row["id"]: row["verdict"] for row in json.loads(done.stdout)["statements"]}
    assert done.returncode == 0 and rows == {
        "said/23": "proved here",
        "said/mine": "contradicted",
        "said/mine-corrected": "proved here",
        "own/uneven": "consistent",
    }
    done = claimbook("run", "index", "groups=2000", cwd=book)
    assert done.returncode == 0 and "own/uneven" in done.stdout, done.stderr
    assert "expected consistent, got undecided (to decide: at least 10,000 groups)" in done.stdout
    assert claimbook("lint", cwd=book).returncode == 0


def test_the_wheel_has_all_that_a_new_book_consists_of(claimbook, tmp_path):
    done = claimbook("new", "a-book", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    written = {
        path.relative_to(tmp_path / "a-book").as_posix() for path in (tmp_path / "a-book").rglob("*.*")
    }
    assert {".gitignore", ".github/workflows/book.yml", "tests/test_book.py", "_config.yml"} <= written
    assert claimbook("lint", cwd=tmp_path / "a-book").returncode == 0


@pytest.mark.nightly  # asks the package index for everything
@pytest.mark.skipif(os.name == "nt", reason="its README has the commands of another shell")
def test_a_new_book_builds_in_an_empty_environment_with_the_commands_of_its_readme(tmp_path):
    done = run(sys.executable, "-m", "claimbook", "new", "primes", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    readme = (tmp_path / "primes" / "README.md").read_text(encoding="utf-8")
    commands = [line.partition("  #")[0].strip() for line in re.findall("^    (.*)$", readme, re.M)]
    assert len(commands) == 10
    script = "\n".join(["set -e", f"PATH={Path(sys.executable).parent}:$PATH", *commands])
    done = run("bash", "-c", script, cwd=tmp_path / "primes")
    assert done.returncode == 0 and "3 passed" in done.stdout, f"{done.stdout}\n{done.stderr}"
