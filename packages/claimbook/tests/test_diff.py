import json
import tracemalloc

import nbformat
import pytest
from samples import DRAWING, called, small_book_in, write_notebook

from claimbook.cli.diff import compare, read_runs
from claimbook.execute.notebooks import Job, execute
from claimbook.project import Project

PARAMETERS = "shift: float = 0.0  # moves what is observed [0 .. 2]\nseed: int = 1  # seed [0 ..]"
SOURCE = (
    DRAWING
    + """\
from plain_book import Page
page = Page("first")
page.numbers({"seed-shown": 7})
page.numbers({"shift-shown": shift})
page.finding("note/claim-1", claim=("low", 0.0, shift, 0.6), control=("high", 2.0, shift, 0.6), risk=0)
page.figure(line(1 + shift), "figure-line")"""
)


SHIFTS = (0.0, 0.5, 1.9)


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Return three runs of a chapter: unchanged, moved within the tolerance and beyond.

    The tests read them and change nothing.
    """
    root = small_book_in(tmp_path_factory.mktemp("swept"))
    write_notebook(root / "chapters" / "first.ipynb", SOURCE, parameters=PARAMETERS)
    book = Project(root)
    chapter, folders = book.chapter("first"), [root / f"shift={shift}" for shift in SHIFTS]
    jobs = [Job(chapter, {"shift": shift}, folder / "first.ipynb") for shift, folder in zip(SHIFTS, folders)]
    assert execute(jobs) == []
    return folders


def test_a_run_equals_itself_and_differs_from_others_only_where_they_differ(runs):
    same, near, far = (compare(read_runs(runs[0]), read_runs(other)) for other in runs)
    assert not same and same.as_text() == "nothing differs"
    assert near.verdicts == near.checks == [] and near.moved == 2
    assert near.numbers == [("first", "shift-shown", "0.0", "0.5")]
    assert near.parameters == [("first", "shift", 0.0, 0.5)]
    assert [row[:2] for row in near.figures] == [("first", "figure-line")]
    assert far.verdicts == [("first", "note/claim-1", "● consistent", "✕ contradicted")]
    assert len(far.checks) == 2 and far.moved == 0
    assert (
        far.as_text().index("1 verdict differs")
        < far.as_text().index("2 checks differ")
        < far.as_text().index("figures")
    )


def test_the_command_says_by_its_exit_code_whether_anything_changed(runs, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert called("diff", str(runs[0]), str(runs[0]), "--output", "a.html").returncode == 0
    done = called("diff", str(runs[0]), str(runs[2] / "first.ipynb"))
    assert done.returncode == 1 and "● consistent -> ✕ contradicted" in done.stdout
    page = (tmp_path / "diff.html").read_text(encoding="utf-8")
    assert page.count("data:image/svg+xml") == 2 and "A line up to 2.9." in page


def test_a_changed_formula_is_seen_between_two_runs_with_equal_parameters(runs, tmp_path):
    text = (runs[2] / "first.ipynb").read_text(encoding="utf-8")
    notebook = json.loads(text)
    records = [output["metadata"].get("claimbook", {}) for output in notebook["cells"][-1]["outputs"]]
    (check,) = (record["finding"] for record in records if "finding" in record)
    check["claim"]["observed"] *= 2
    (tmp_path / "first.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    difference = compare(read_runs(runs[2]), read_runs(tmp_path))
    assert difference and difference.parameters == []
    assert [row[1] for row in difference.checks] == ["note/claim-1, check 1, observed for the claim"]


def test_a_part_missing_on_one_side_is_described(runs, tmp_path):
    notebook = nbformat.read(runs[0] / "first.ipynb", as_version=4)
    notebook.cells[-1].outputs = []
    nbformat.write(notebook, tmp_path / "first.ipynb")
    difference = compare(read_runs(runs[0]), read_runs(tmp_path / "first.ipynb"))
    assert ("first", "note/claim-1", "● consistent", "no verdict") in difference.verdicts
    assert difference.checks == [("first", "note/claim-1, check 1", "there", "not there")]
    assert difference.figures[0][3] is None and "not there" in difference.as_html("a", "b")


def test_bad_input_is_one_clear_message(runs, tmp_path, monkeypatch):
    (tmp_path / "empty").mkdir()
    (tmp_path / "text.ipynb").write_text("no notebook")
    (tmp_path / "other.ipynb").write_text((runs[0] / "first.ipynb").read_text())
    (tmp_path / "findings.json").write_text('{"findings": []}')
    source = runs[0].parent / "chapters" / "second.ipynb"
    cases = [
        (tmp_path / "nowhere", "expected an executed notebook, or a folder"),
        (tmp_path / "empty", "expected an executed notebook, or a folder"),
        (tmp_path / "text.ipynb", "expected a notebook"),
        (tmp_path / "findings.json", "expected a notebook"),
        (source, "that one of the commands run, sweep and build executed"),
        (
            tmp_path / "other.ipynb",
            "expected runs with a chapter in common, got first in one, other in the other",
        ),
    ]
    monkeypatch.chdir(tmp_path)
    for second, words in cases:
        done = called("diff", str(runs[0]), str(second))
        assert done.returncode == 2 and words in done.stderr and "Traceback" not in done.stderr, done.stderr
        assert not (tmp_path / "diff.html").exists()


FINDING = {
    "statement": "note/claim-1",
    "expected": "consistent",
    "verdict": "consistent",
    "basis": "sample",
    "control_rejected": True,
    "control_differs": True,
    "claim": {"observed": 0.1, "tolerance": 0.2},
    "control": {"observed": 1.1, "tolerance": 0.2},
}
DEEP = "[" * 100_000 + "]" * 100_000
DAMAGED = {
    "empty": lambda text: "",
    "cut": lambda text: text[: len(text) // 2],
    "a list": lambda text: "[]",
    "null": lambda text: "null",
    "a number": lambda text: "7",
    "text": lambda text: "no notebook",
    "deep": lambda text: DEEP,
    "deep inside": lambda text: text.replace("0.1", DEEP),
    "not executed": lambda text: text.replace('"claimbook"', '"other"'),
    "metadata a list": lambda text: text.replace('"metadata": {"claim', '"metadata": [], "was": {"claim'),
    "metadata null": lambda text: text.replace('{"parameters": {}}', "null"),
    "no parameters": lambda text: text.replace('"parameters"', '"others"'),
    "parameters a number": lambda text: text.replace('"parameters": {}', '"parameters": 7'),
    "no cells": lambda text: text.replace('"cells"', '"sells"'),
    "cells a number": lambda text: text.replace('"cells": [', '"cells": 7, "were": ['),
    "a cell a word": lambda text: text.replace('"cells": [', '"cells": ["x", '),
    "outputs a number": lambda text: text.replace('"outputs": [', '"outputs": 7, "were": ['),
    "an unknown verdict": lambda text: text.replace('"verdict": "consistent"', '"verdict": "great"'),
    "no claim": lambda text: text.replace('"claim"', '"chaim"'),
    "a claim of words": lambda text: text.replace('{"observed": 0.1, "tolerance": 0.2}', '"x"'),
    "a figure of nothing": lambda text: text.replace('"finding"', '"figure"'),
    **{
        f"a tolerance of {tolerance:.20}": lambda text, tolerance=tolerance: text.replace(
            "0.2}", tolerance + "}"
        )
        for tolerance in (
            *("Infinity", "-Infinity", "NaN", "1e999", '"inf"', '"nan"', "[0.1, Infinity]", "[[NaN]]"),
            *("-1", "[0.1, -1]", '"x"', "null", "{}", "1" + 400 * "0"),
        )
    },
    "a number of nothing": lambda text: text.replace('"finding"', '"number"'),
}


@pytest.mark.parametrize("damage", DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_notebook_is_one_line_that_names_it(tmp_path, monkeypatch, damage):
    monkeypatch.chdir(tmp_path)
    output = {"metadata": {"claimbook": {"finding": FINDING}}}
    cells = [{"cell_type": "code", "source": "", "outputs": [output]}]
    notebook = {"metadata": {"claimbook": {"parameters": {}}}, "cells": cells}
    (tmp_path / "a.ipynb").write_text(json.dumps(notebook))
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "a.ipynb").write_text(damage(json.dumps(notebook)))
    assert called("diff", "a.ipynb", "a.ipynb", "--output", "same.html").returncode == 0
    done = called("diff", "a.ipynb", "b")
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1
    assert "b/a.ipynb: expected a notebook" in done.stderr.replace("\\", "/")
    assert not (tmp_path / "diff.html").exists()
    (tmp_path / "b" / "a.ipynb").write_bytes(b"\xff\xfe")
    assert called("diff", "a.ipynb", "b").returncode == 2


WIDE = [[0.0]] * 40_000, [0.0] * 40_000  # of which NumPy would make a table of 40,000 x 40,000
SHAPES = {
    "a number and one in brackets": (0.5, [0.5], 0.1),
    "one and three": ([0.5], [0.5, 0.5, 0.5], 0.1),
    "nothing and one": ([[]], [5.0], 0.1),
    "nothing and nothing": ([], [[]], 0.1),
    "a row and a column": (*WIDE, 0.1),
    "a row and two": ([0.5, 0.5], [[0.5, 0.5], [0.5, 0.5]], 0.1),
    "a tolerance too many": (0.5, 0.6, [0.2, 0.2]),
}


def executed(observed, tolerance):
    """Return the contents of a chapter with one check, as from `read_runs`."""
    case = {"claim": (observed, tolerance), "control": (0.0, 0.1)}
    none = dict.fromkeys(("parameters", "verdicts", "numbers", "figures"), {})
    return {"a": none | {"checks": {"note/claim-1, check 1": case}}}


@pytest.mark.parametrize(("first", "second", "tolerance"), SHAPES.values(), ids=SHAPES)
def test_observations_of_different_shapes_differ(first, second, tolerance):
    tracemalloc.start()
    for sides in ((first, second), (second, first)):
        difference = compare(*(executed(observed, tolerance) for observed in sides))
        assert len(difference.checks) == 1 and difference.moved == 0
    assert tracemalloc.get_traced_memory()[1] < 2**25
    tracemalloc.stop()


@pytest.mark.parametrize("tolerance", [0.1, [0.1, 0.1]])
def test_observations_of_one_shape_differ_by_what_is_beyond_the_tolerances(tolerance):
    near, far = (
        compare(executed([0.5, 0.6], tolerance), executed([0.5, 0.6 + move], 0.1)) for move in (0.19, 0.21)
    )
    assert near.checks == [] and near.moved == 1
    assert len(far.checks) == 1 and far.moved == 0


def test_a_tolerance_may_serve_each_row_of_observations():
    rows = [[0.5, 0.6], [0.7, 0.8]], [[0.5, 0.6], [0.7, 0.9]]
    for tolerance, checks in (([0.0, 0.1], 0), ([0.1, 0.0], 1)):
        difference = compare(*(executed(observed, tolerance) for observed in rows))
        assert len(difference.checks) == checks and difference.moved == 1 - checks


def test_a_default_is_called_by_its_value_also_where_the_run_was_given_it(runs, tmp_path):
    """A run records the parameter `shift` that it was given; both have the default seed."""
    text = (runs[1] / "first.ipynb").read_text(encoding="utf-8")
    notebook = json.loads(text)
    notebook["metadata"]["claimbook"]["parameters"] = {"seed": 1}  # shift is at its default, 0
    (tmp_path / "first.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    assert compare(read_runs(runs[0]), read_runs(tmp_path)).parameters == []
    printed = compare(read_runs(runs[1]), read_runs(tmp_path)).as_text()
    assert "first: shift is 0.5 in one and 0.0 in the other" in printed and "default" not in printed
