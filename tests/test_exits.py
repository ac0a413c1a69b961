"""The exit code 1 is an answer, so no accident ends with it, whatever the error and its source."""

import errno
import os
import sys

import pytest
from commands.test_output import POSIX, piped
from hypothesis import given
from hypothesis import strategies as st
from support import called

from claimbook.cli.main import CommandLine
from ndcg_book.cli import main as companion
from ndcg_conformance import __main__ as conformance
from ranking_report.commands.main import main as report


def every_kind(kind=Exception):
    """Each exception of the language that an instance can be made of, but for what means bad input."""
    for child in kind.__subclasses__():
        yield from every_kind(child)
        if child.__module__ == "builtins" and not issubclass(child, (ValueError, OSError, Warning)):
            yield child


KINDS = sorted({*every_kind()} - {ExceptionGroup}, key=lambda kind: kind.__name__)


def test_there_are_many_kinds():
    assert {RecursionError, MemoryError, KeyError, AttributeError, ImportError, TypeError} <= {*KINDS}


@pytest.fixture
def failing(monkeypatch):
    """Makes the three command lines end with an error."""

    def fail(error):
        def broken(*_):
            raise error

        monkeypatch.setattr(CommandLine, "read", broken)
        monkeypatch.setattr("ranking_report.commands.main.read", broken)
        monkeypatch.setattr(conformance, "_print_conventions", broken)

    return fail


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_no_unforeseen_error_is_an_answer(failing, capsys, kind):
    failing(kind("on purpose"))
    for main, words in ((companion, ["list"]), (report, ["compare", "q"]), (conformance.main, ["mine:ndcg"])):
        code, error_output = main(words), capsys.readouterr().err
        assert code == 3 and "nothing was decided" in error_output.splitlines()[-1]
        assert ("Traceback" in error_output) == (kind is not MemoryError)


def test_what_was_read_when_memory_ended_is_named_in_one_line(failing, capsys):
    failing(MemoryError("Unable to allocate 2.00 GiB"))
    assert report(["compare", "two words.gz"]) == 3
    (line,) = capsys.readouterr().err.splitlines()
    assert "2.00 GiB" in line and "ranking-report compare 'two words.gz'" in line


def test_a_refusal_stays_a_refusal(failing, capsys):
    for error in (ValueError("k=0: expected more"), OSError(errno.EISDIR, "Is a directory", "qrels")):
        failing(error)
        assert companion(["list"]) == report(["compare", "q"]) == conformance.main(["mine:ndcg"]) == 2
        assert len(capsys.readouterr().err.splitlines()) == 3


def endless(depth=0):
    return endless(depth + 1)


def test_an_endless_recursion_is_reported_at_readable_length(monkeypatch):
    monkeypatch.setattr(CommandLine, "read", lambda *_: endless())
    done = called("list")
    assert done.returncode == 3 and len(done.stderr.splitlines()) < 100


@given(st.text(max_size=20))
def test_a_message_with_any_text_is_reported(text):
    def broken(*_):
        raise KeyError(text)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(CommandLine, "read", broken)
        assert called("list").returncode == 3


def test_a_function_that_ends_the_program_decides_nothing(tmp_path, monkeypatch, capsys):
    """At its import and in every call it is refused, in some calls it is a refusal of the function."""
    said = "raise SystemExit(0)"
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    (tmp_path / "leaves_at_import.py").write_text(said)
    (tmp_path / "leaves_when_called.py").write_text(f"def f(labels, scores, k=None):\n    {said}\n")
    assert conformance.main(["leaves_at_import:f"]) == 2
    assert conformance.main(["leaves_when_called:f"]) == 2
    assert "the first SystemExit: 0" in capsys.readouterr().err
    sometimes = f"def f(labels, scores, k=None):\n    if k: {said}\n    return 1.0\n"
    (tmp_path / "leaves_sometimes.py").write_text(sometimes)
    assert conformance.main(["leaves_sometimes:f"]) == 1
    assert "; it refused" in capsys.readouterr().out


TABLE = "query,item,label,score_a,score_b\n" + "".join(
    f"q{query},d{item},{item % 2},{item},{item * query % 5}\n" for query in range(1, 9) for item in range(6)
)
CALLS = {
    "list": ["list"],
    "report": ["compare", "table.csv"],
    "gate": ["compare", "table.csv", "--baseline", "b", "--fail-if", "nDCG@10 < -0.6"],
    "json": ["compare", "table.csv", "--json"],
}


@pytest.mark.parametrize("words", CALLS.values(), ids=CALLS)
def test_a_stream_that_is_not_there_changes_no_exit_code(small_book, monkeypatch, words):
    """Python has None in the place of a stream that was closed."""
    (small_book.root / "table.csv").write_text(TABLE)
    monkeypatch.chdir(small_book.root)
    streams = ("stdin", "stdout", "stderr")
    for name in streams:
        monkeypatch.setattr(sys, name, None)
    code = (companion if words[0] == "list" else report)(words)
    for name in streams:
        getattr(sys, name).close()
    assert code == 0


@POSIX
def test_what_is_written_beside_a_closed_stream_holds_nothing_that_was_printed(tmp_path):
    (tmp_path / "table.csv").write_text(TABLE)
    out = tmp_path / "out"
    done = piped(f"$report compare {tmp_path}/table.csv --output {out} >&-")
    assert done.returncode == 0 and not done.stderr
    assert all(b"written to" not in path.read_bytes() for path in out.iterdir())


@POSIX
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no disk that is always full")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("call", ["$companion rum", "$report compare missing.run"])
def test_a_refusal_that_nobody_can_read_is_still_one(call, unbuffered, monkeypatch):
    monkeypatch.setenv("PYTHONUNBUFFERED", unbuffered)
    done = piped(f"{call} 2>/dev/full")
    assert done.returncode == 2 and not done.stdout
