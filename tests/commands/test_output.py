"""The output of the command line with any encoding, a closed pipe or a full disk."""

import os
import subprocess
import sys

import pytest
from support import ROOT, called, companion, write_notebook

POSIX = pytest.mark.skipif(os.name == "nt", reason="a shell's pipes")


def piped(line, cwd=ROOT, **environment):
    """What a line of a POSIX shell does, with ``$companion`` and ``$report`` for the commands."""
    commands = {"companion": "ndcg_book", "report": "ranking_report"}
    variables = os.environ | {name: f"{sys.executable} -m {module}" for name, module in commands.items()}
    variables |= environment
    return subprocess.run(["sh", "-c", line], cwd=cwd, capture_output=True, env=variables)


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-16", "utf-8"])
def test_a_pipe_in_any_encoding_gets_all_its_lines(encoding, small_book, monkeypatch):
    title = "Łukasiewicz – and others"  # of which cp1252 has the dash and not the first letter
    write_notebook(small_book.root / "chapters" / "first.ipynb", "seed", title=title)
    monkeypatch.chdir(small_book.root)
    lines = called("list").stdout.splitlines()
    variables = os.environ | {"PYTHONIOENCODING": encoding}
    done = subprocess.run([sys.executable, "-m", "ndcg_book", "list"], capture_output=True, env=variables)
    assert done.returncode == 0 and not done.stderr
    said = done.stdout.decode(encoding).splitlines()
    assert title in lines[0] and len(said) == len(lines) > 3
    assert said == [line.encode(encoding, "backslashreplace").decode(encoding) for line in lines]


@POSIX
def test_a_reader_that_leaves_early_hears_nothing_more():
    done = piped('{ $companion list; echo "code $?" >&2; } | head -n 1')
    assert len(done.stdout.splitlines()) == 1 and done.stderr == b"code 0\n"


@POSIX
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no disk that is always full")
def test_a_full_disk_has_a_name(small_book):
    done = piped("$companion list > /dev/full", cwd=small_book.root)
    assert done.returncode == 2
    assert done.stderr == b"companion: standard output: No space left on device\n"


@POSIX
def test_a_pipe_for_a_run_is_rejected_and_not_waited_for():
    done = subprocess.run(
        ["bash", "-c", f"{sys.executable} -m ndcg_book diff <(cat) <(cat)"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 2 and "expected an executed notebook" in done.stderr


def test_an_odd_environment_changes_nothing(tmp_path):
    variables = {"MPLBACKEND": "nope", "HOME": "", "PATH": "", "PYTHONIOENCODING": "ascii"}
    curves = ["--curve0", "poly:0.7:-0.4", "--curve1", "poly:0.3:0.4", "--discount", "log", "--n", "100"]
    done = companion("power", *curves, "--output", "out", cwd=tmp_path, env=os.environ | variables)
    assert done.returncode == 0 and not done.stderr
    assert ">98<" in (tmp_path / "out" / "power.svg").read_text(encoding="utf-8")  # per cent, as printed


def test_without_docstrings_nothing_starts():
    done = companion("list", env=os.environ | {"PYTHONOPTIMIZE": "2"})
    assert done.returncode == 2 and done.stderr.startswith("companion: PYTHONOPTIMIZE=2: expected 0 or 1")


def test_a_name_that_is_not_utf8_is_one_line(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "ndcg_book", "diff", b"a\xff", "b"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2 and done.stderr.splitlines() == [
        r"companion: argument 'a\udcff': expected no control characters and no line ends"
    ]
