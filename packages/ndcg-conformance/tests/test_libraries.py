"""The results of libraries: how they are obtained, compared and explained."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from ndcg_companion.measures import dcg, ideal_dcg, ndcg
from ndcg_conformance import cases, classify, libraries, runners
from ndcg_conformance.__main__ import main
from ndcg_conformance.conventions import agrees, recipe
from ndcg_conformance.writing import MARKER

RESULTS = json.loads(libraries.RESULTS.read_text(encoding="utf-8"))
CASES = {case["name"]: case for case in cases()["cases"]}
CALLS = [
    pytest.param(call, id=f"{name}: {call['call']}")
    for name, library in RESULTS["libraries"].items()
    for call in library.get("calls", [])
]


def test_at_least_eight_libraries_were_run_and_all_were_tried():
    assert set(RESULTS["libraries"]) == set(runners.LIBRARIES)
    assert sum("calls" in library for library in RESULTS["libraries"].values()) >= 8


@pytest.mark.parametrize("name", runners.LIBRARIES)
def test_the_results_are_of_the_locked_version(name):
    library, result = runners.LIBRARIES[name], RESULTS["libraries"][name]
    lock = (libraries.HERE / "locks" / f"{library.lock}.lock").read_text(encoding="utf-8")
    assert [call.text for call in library.calls] == [call["call"] for call in result["calls"]]
    assert f"\n{library.package}=={result['version']} " in lock


@pytest.mark.parametrize(
    "lock", sorted((libraries.HERE / "locks").glob("*.lock")), ids=lambda path: path.stem
)
def test_locks_have_hashes_and_no_address_and_no_cuda(lock):
    text = lock.read_text(encoding="utf-8")
    pinned = [line for line in text.splitlines() if line[:1].isalnum()]
    assert pinned and all("==" in line for line in pinned)
    assert text.count("--hash=sha256:") >= len(pinned)
    assert not any(word in text for word in ("http", "--find-links", "index-url", "nvidia", "cuda"))


@pytest.mark.parametrize("call", CALLS)
def test_the_stored_conventions_follow_from_the_stored_answers(call):
    reading = classify(call["answers"])
    assert reading.choices == call["conventions"]
    wrong_axes = {axis for axis, choice in reading.choices.items() if choice is None}
    core_known = not wrong_axes & {"gain", "discount", "ideal"}
    assert call["here"] == (recipe(reading.setting) if core_known else None)


def arrays(query):
    """Return the arrays that a recipe uses."""
    documents, labels, scores = map(list, runners.returned_list(query))
    labels = [0 if label is None else label for label in labels]
    judged = np.array(list(runners.judgements(query).values()), dtype=float)
    return np.array(documents), np.array(labels, dtype=float), np.array(scores, dtype=float), judged


def here(text, query, k):
    """Return the number of a recipe."""
    names, labels, scores, judged = arrays(query)
    space = dict(
        names=names, labels=labels, scores=scores, judged=judged, np=np, dcg=dcg, ideal_dcg=ideal_dcg
    )
    space |= {"ndcg": ndcg, "k": len(query["documents"]) if k is None and "np.ones(k)" in text else k}
    *before, last = text.splitlines()
    exec("\n".join(before), space)
    return eval(last, space)


@pytest.mark.parametrize("call", [call for call in CALLS if call.values[0]["here"]])
def test_the_call_here_gives_the_numbers_of_the_library(call):
    """Every case counts that has a number and that the recipe covers."""
    compared = 0
    for name, answer in call["answers"].items():
        case = CASES[name]
        axis, choice = case["axis"], call["conventions"].get(case["axis"])
        if (
            axis not in ("gain", "discount", "ideal", "ties", "precision", "beyond", "negative")
            or choice is None
        ):
            continue
        if isinstance(answer, float):
            with np.errstate(invalid="ignore"):
                numbers = [here(call["here"], query, case["k"]) for query in case["queries"]]
            if not any(np.isnan(numbers)):  # an empty ideal list: a convention of its own
                assert agrees(answer, np.mean(numbers)), (name, call["here"])
                compared += 1
    assert compared >= 25


FAKE = """
import json, os, sys, time
cases = json.load(sys.stdin)["cases"]
say = lambda row: print(json.dumps(row), flush=True)
say({"version": "1.0"})
print("noise"); print("[1]"); print('{"metric": 0.3}')
for number in range(int(sys.argv[1]), 5):
    if number == 1: os._exit(9)
    if number == 2: time.sleep(60)
    if number == 3: os._exit(0)
    say({"answer": 0.5 if number else {"refused": 'a "}'}})
"""


def test_a_crash_and_a_hang_are_answers(tmp_path):
    script = tmp_path / "fake.py"
    script.write_text(FAKE)
    version, answers = libraries.ask([sys.executable, str(script)], 5, seconds=3)
    assert version == "1.0" and answers == [{"refused": 'a "}'}, "crashed", "hung", "crashed", 0.5]


def test_an_error_in_the_runner_is_not_an_answer(tmp_path):
    script = tmp_path / "fake.py"
    script.write_text("import there_is_no_such_module")
    with pytest.raises(RuntimeError, match="no_such_module"):
        libraries.ask([sys.executable, str(script)], 1)
    script.write_text("import os; os._exit(9)")
    with pytest.raises(RuntimeError, match="crashed before it was asked anything"):
        libraries.ask([sys.executable, str(script)], 1)


def test_what_a_library_answers_is_read_with_its_calls(tmp_path, monkeypatch):
    """scikit-learn is installed here; its own process gives the stored answers."""
    monkeypatch.setattr(libraries, "environment", lambda folder, lock: (sys.executable, None))
    library = libraries.ask_all(tmp_path, ["scikit-learn"])["libraries"]["scikit-learn"]
    stored = RESULTS["libraries"]["scikit-learn"]
    assert [call["call"] for call in library["calls"]] == [call["call"] for call in stored["calls"]]
    for call, before in zip(library["calls"], stored["calls"]):
        assert call["conventions"] == before["conventions"] and call["here"] == before["here"]
        assert list(call["answers"]) == list(before["answers"])
        assert call["refusals"].keys() == before["refusals"].keys()
        assert all(agrees(answer, before["answers"][case]) for case, answer in call["answers"].items())


@pytest.mark.skipif(os.name == "nt", reason="makes a program of a shell's line")
def test_an_environment_that_cannot_be_installed_says_why(tmp_path, monkeypatch):
    """The pip of the tests replaces that of a new environment, which takes seconds."""

    def create(folder, **_):
        (folder / "bin").mkdir()
        (folder / "bin" / "python").write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
        (folder / "bin" / "python").chmod(0o755)

    monkeypatch.setattr(libraries.venv, "create", create)
    lock = tmp_path / "some.lock"
    lock.write_text("./missing.whl\n")
    _, problem = libraries.environment(tmp_path / "environment", lock)
    assert "missing" in problem and "\n" not in problem


def changed(**answers):
    return {"libraries": {"x": {"version": "2", "calls": [{"call": "f()", "answers": answers}]}}}


def test_a_changed_answer_is_a_difference_and_a_changed_version_is_none():
    old = {
        "libraries": {
            "x": {"version": "1", "calls": [{"call": "f()", "answers": {"a": 0.5, "b": "refused"}}]}
        }
    }
    assert libraries.differences(old, changed(a=0.5 + 1e-9, b="refused")) == []
    messages = libraries.differences(old, changed(a=0.25, b=1.0, c=0.0))
    assert messages == [
        "x 1 -> 2, f(), a: 0.5 -> 0.25",
        "x 1 -> 2, f(), b: refused -> 1.0",
        "x 1 -> 2, f(), c: not asked -> 0.0",
    ]
    gone = {"libraries": {"x": {"not run": "it is gone"}}}
    assert libraries.differences(old, gone) == ["x: not run, because it is gone"]
    assert libraries.differences(gone, old) == ["x: runs now"] and libraries.differences(gone, gone) == []


def test_runners_import_nothing_of_the_package():
    source = Path(runners.__file__).read_text(encoding="utf-8")
    assert "ndcg_companion" not in source


def _state(folder):
    return {
        path: os.readlink(path) if path.is_symlink() else path.is_file() and path.read_bytes()
        for path in folder.rglob("*")
    }


NOT_OURS = {
    "a file": lambda path: path.write_text("mine"),
    "a folder with a file": lambda path: (path.mkdir(), (path / "thesis.tex").write_text("mine")),
    "a folder with a folder": lambda path: (path / "below").mkdir(parents=True),
    "a link to an empty folder": lambda path: (path.with_name("real").mkdir(), path.symlink_to("real")),
    "a link to nothing": lambda path: path.symlink_to("nowhere"),
    "somebody's environment": lambda path: (path.mkdir(), (path / "pyvenv.cfg").write_text("home = /")),
    "a marker without end": lambda path: (path.mkdir(), (path / MARKER).write_text("[" * 100_000)),
    "a marker of another command": lambda path: (path.mkdir(), (path / MARKER).write_text('{"kind": "run"}')),
    "a file beside ours": lambda path: (
        path.mkdir(),
        libraries._mark(path, {"bin", "lib"}),
        (path / "thesis.tex").write_text("mine"),
    ),
}


@pytest.mark.parametrize("make_foreign", NOT_OURS.values(), ids=NOT_OURS)
def test_an_environment_never_replaces_foreign_files(make_foreign, tmp_path, capsys):
    make_foreign(tmp_path / "trectools")
    before = _state(tmp_path)
    words = ["--libraries", str(tmp_path), "--only", "trectools", "--output", str(tmp_path / "new.json")]
    assert main(words) == 2 and len(capsys.readouterr().err.splitlines()) == 1
    with pytest.raises(ValueError, match="expected a new or an empty folder"):
        libraries.environment(tmp_path / "trectools", tmp_path / "some.lock")
    assert _state(tmp_path) == before


def test_an_environment_of_ours_is_rebuilt_for_another_lock(tmp_path, monkeypatch):
    """This includes an unfinished environment and an empty folder."""
    lock, folder = tmp_path / "some.lock", tmp_path / "environment"
    create = lambda path, **_: (path / "lib").mkdir()  # fails on what was not emptied
    monkeypatch.setattr(libraries.venv, "create", create)
    installed = lambda command, **_: subprocess.CompletedProcess(command, "bad" in lock.read_text(), "", "")
    monkeypatch.setattr(libraries.subprocess, "run", installed)
    folder.mkdir()
    for text, problem in (
        ("bad", "pip failed"),
        ("bad", "pip failed"),
        ("1", None),
        ("1", None),
        ("2", None),
    ):
        lock.write_text(text)
        assert libraries.environment(folder, lock)[1] == problem
        (folder / "lib" / f"of-{text}.txt").write_text("a package")
    assert [path.name for path in (folder / "lib").iterdir()] == ["of-2.txt"]


SEALED = {"libraries": {"x": {"version": "1", "calls": []}}}
NOT_RESULTS = {
    "text": lambda path: path.write_text("mine"),
    "other JSON": lambda path: path.write_text('{"libraries": {}}\n'),
    "a list without end": lambda path: path.write_text("[" * 100_000),
    "results that were edited": lambda path: (
        libraries.write_results(path, SEALED),
        path.write_text(path.read_text(encoding="utf-8").replace('"1"', '"2"')),
    ),
    "a folder": lambda path: path.mkdir(),
    "a link": lambda path: (
        libraries.write_results(path.with_name("real"), SEALED),
        path.symlink_to("real"),
    ),
    "a pipe": lambda path: os.mkfifo(path),
}


@pytest.mark.skipif(os.name == "nt", reason="makes pipes and links")
@pytest.mark.parametrize("make_foreign", NOT_RESULTS.values(), ids=NOT_RESULTS)
def test_results_replace_only_our_own_files(make_foreign, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(libraries, "ask_all", lambda *_: pytest.fail("asked before it was known where to"))
    make_foreign(tmp_path / "results.json")
    before = [(path, path.is_file() and path.read_bytes()) for path in sorted(tmp_path.iterdir())]
    assert main(["--libraries", str(tmp_path / "new"), "--output", str(tmp_path / "results.json")]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
    assert [(path, path.is_file() and path.read_bytes()) for path in sorted(tmp_path.iterdir())] == before


def test_results_of_ours_are_replaced_unless_no_library_was_asked(tmp_path, monkeypatch, capsys):
    libraries.check_results(libraries.RESULTS)
    output, lacking = tmp_path / "results.json", {"x": {"not run": "it is gone"}}
    call = ["--libraries", str(tmp_path / "new"), "--output", str(output)]
    for version, other_libraries in (("1", {}), ("2", lacking)):
        asked = {"libraries": other_libraries | {"y": {"version": version, "calls": []}}}
        monkeypatch.setattr(libraries, "ask_all", lambda *_, asked=asked: asked)
        assert main(call) == 0
        assert json.loads(output.read_text(encoding="utf-8"))["libraries"]["y"]["version"] == version
    assert "x: it is gone" in capsys.readouterr().err
    before = output.read_bytes()
    monkeypatch.setattr(libraries, "ask_all", lambda *_: {"libraries": lacking})
    assert main(call) == 1 and output.read_bytes() == before
    assert "no library could be asked" in capsys.readouterr().err
