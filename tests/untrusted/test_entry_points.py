"""Every entry point has a row in ``entry_points.py``, and the row is right."""

import inspect
import re

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from support import called

import ndcg_companion.data
import ranking_report.readers
from claimbook.text import is_plain
from ndcg_book.cli import main as book
from ndcg_companion.theory import parse_curve
from ranking_report.commands import main as report
from untrusted.bad_calls import GOOD
from untrusted.entry_points import ARGUMENTS, PARAMETERS, READERS
from untrusted.strings import CONTROLS, printable
from untrusted.test_bad_calls import folder  # noqa: F401 - a fixture


def arguments():
    """Each argument of each command of the book and of the report, with its action."""
    for commands, parser in ((book.commands, book.parser), (report.COMMANDS, report.parser)):
        for command in commands:
            for action in parser([command])._subparsers._group_actions[0].choices[command]._actions:
                if action.dest != "help":
                    yield (command, (action.option_strings or [action.dest])[-1]), action


FOUND = dict(arguments())
CLOSED = [entry for entry in FOUND if ARGUMENTS.get(entry) == "closed"]


def test_each_argument_of_the_command_line_has_a_row():
    assert len(FOUND) > 30 and not FOUND.keys() - ARGUMENTS.keys()


def test_each_parameter_of_free_text_has_a_row(project):
    text_parameters = {
        (chapter.name, parameter.name)
        for chapter in project.notebooks
        for parameter in chapter.parameters
        if parameter.type is str and parameter.allowed in ("", "any text")
    }
    assert not text_parameters - PARAMETERS.keys()


def test_each_reader_has_a_row():
    readers = set()
    for package in (ndcg_companion.data, ranking_report, ranking_report.readers):
        for name in getattr(package, "__all__", []):
            value = getattr(package, name)
            takes = set(inspect.signature(value).parameters) if inspect.isfunction(value) else set()
            if name.startswith(("read_", "load_")) or takes & {"path", "labels_path", "file", "runs"}:
                readers.add(name)
    assert readers >= {"read_table", "read_trec"} and not readers - READERS.keys()


def words(entry, text):
    """A call that is good but for ``text`` at this entry point."""
    command, option = entry
    good = GOOD[command]
    if option == "parameters":
        return [*good, f"curve={text}"]
    if not option.startswith("-"):
        index = 1 + [
            argument
            for argument in ("chapter", "first", "second", "folder", "name", "qrels", "runs")
            if (command, argument) in FOUND
        ].index(option)
        return [*good[:index], text, *good[index + 1 :]]
    if option in good:
        index = good.index(option)
        return [*good[:index], f"{option}={text}", *good[index + 2 :]]
    return [*good, f"{option}={text}"]


def is_good(entry, text):
    """Whether a text that should be bad is by chance a number, a curve, or the name of a new page."""
    if entry == ("new-chapter", "name"):
        return re.fullmatch("[a-z][a-z0-9-]*", text)
    for read in (float, lambda text: [float(part) for part in text.split(",")], parse_curve):
        try:
            read(text)
        except ValueError:
            continue
        return True
    return False


def refused(done):
    lines = done.stderr.splitlines()
    return done.returncode == 2 and not done.stdout and len(lines) == 1 and is_plain(lines[0])


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(entry=st.sampled_from(CLOSED), text=printable)
def test_a_closed_entry_point_rejects_in_one_line(folder, entry, text):  # noqa: F811
    assume(not is_good(entry, text))
    done = called(*words(entry, text))
    assert refused(done), (done.returncode, done.stdout, done.stderr)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(entry=st.sampled_from([entry for entry in FOUND if ARGUMENTS.get(entry) == "file"]), text=printable)
def test_a_file_that_is_not_there_is_rejected_in_one_line(folder, entry, text):  # noqa: F811
    done = called(*words(entry, text))
    assert refused(done), (done.returncode, done.stdout, done.stderr)


@pytest.mark.parametrize("entry", FOUND, ids="-".join)
def test_no_entry_point_lets_controls_in(folder, entry):  # noqa: F811
    for control in CONTROLS:
        done = called(*words(entry, f"a{control}b"))
        assert refused(done) and "expected no control characters" in done.stderr
