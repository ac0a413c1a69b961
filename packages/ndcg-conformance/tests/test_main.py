"""The command names each changed convention, and its exit codes are right."""

import json
import os
import shlex
import subprocess
import sys
from importlib import invalidate_caches
from math import log2

import numpy as np
import pytest
from sklearn.metrics import ndcg_score

from ndcg_conformance import __main__ as command
from ndcg_conformance import classify, libraries

TEMPLATE = """
import numpy as np

def ndcg(labels, scores, k=None):
    if (labels < 0).any():
        raise ValueError("negative")
    labels = {labels}
    order = {order}
    ranks = np.arange(1, len(labels) + 1)
    discount = {discount}
    if k is not None:
        discount[k:] = 0
    gains = {gain}
    ideal = (np.sort(gains)[::-1] * discount).sum()
    return (gains[order] * discount).sum() / ideal if ideal else 0.0
"""
PLAIN = {
    "labels": "labels",
    "order": "np.argsort(-scores, kind='stable')",
    "discount": "1 / np.log2(1 + ranks)",
    "gain": "labels.astype(float)",
}
READ = {
    "gain": "linear",
    "discount": "log",
    "ideal": "list",
    "ties": "position",
    "grades": "kept",
    "empty": "0",
}


def read(**slips):
    space = {}
    exec(TEMPLATE.format(**PLAIN | slips), space)
    return classify(command.answers_of(space["ndcg"]))


@pytest.mark.parametrize(
    "slips, named",
    [
        ({}, {}),
        ({"order": "np.argsort(scores, kind='stable')[::-1]"}, {"ties": "reverse"}),
        ({"order": "np.lexsort((-labels, -scores))"}, {"ties": "best"}),
        ({"order": "np.lexsort((labels, -scores))"}, {"ties": "worst"}),
        ({"discount": "1 / np.maximum(1, np.log2(ranks))"}, {"discount": "base-2"}),
        ({"discount": "1 / np.maximum(1, np.log(ranks) / np.log(8))"}, {"discount": "base-8"}),
        ({"discount": "1 / np.log2(2 + ranks)"}, {"discount": "shifted"}),
        ({"labels": "labels.astype(int)"}, {"grades": "truncated"}),
        ({"gain": "2.0**labels - 1"}, {"gain": "exponential"}),
        (
            {
                "labels": "np.trunc(labels)",
                "gain": "2.0**labels - 1",
                "discount": "1 / np.maximum(1, np.log(ranks))",
            },
            {"grades": "truncated", "gain": "exponential", "discount": "base-e"},
        ),
    ],
)
def test_each_changed_convention_is_named_and_no_other(slips, named):
    reading = read(**slips)
    assert {axis: reading.choices[axis] for axis in READ} == READ | named
    assert reading.known or reading.choices["zero"] is None


def test_an_unknown_discount_is_reported_as_unknown():
    assert not read(discount="1 / ranks**0.3").known


@pytest.fixture
def run_apart(tmp_path, monkeypatch, capfd):
    """Run the command in the test's folder; the function still has its own process."""
    monkeypatch.chdir(tmp_path)

    def call(*arguments):
        code = command.main(arguments)
        return subprocess.CompletedProcess(arguments, code, *capfd.readouterr())

    return call


@pytest.fixture
def run(run_apart, monkeypatch):
    """Run the command with the function in this process, for functions that return."""

    def answers(name):
        monkeypatch.delitem(sys.modules, "mine", raising=False)  # that of another test
        invalidate_caches()
        return command.answers_of(command.function_named(name))

    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setattr(command, "_answers_of_process", answers)
    return run_apart


def test_a_function_of_the_working_folder_gets_its_row(tmp_path):
    (tmp_path / "mine.py").write_text(TEMPLATE.format(**PLAIN))
    words = [sys.executable, "-m", "ndcg_conformance", "mine:ndcg"]
    done = subprocess.run(words, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "ties       position instead of average" in done.stdout and "gain       linear\n" in done.stdout


@pytest.mark.parametrize(
    "arguments, said",
    [
        (["mine"], "expected MODULE:FUNCTION"),
        ([], "expected exactly one of MODULE:FUNCTION"),
        (["nowhere\x1b[31m:f"], "expected an importable function"),
        (["mine:nothing"], "expected an importable function"),
        (["mine:number"], "expected a function"),
        (["mine:text"], "expected a number"),
        (["mine:text", "--diff", "a", "b"], "expected exactly one of MODULE:FUNCTION"),
        (["--diff", "mine.py", "mine.py"], "expected a file of results"),
        (["--libraries", "here", "--only", "ranx"], "expected --output"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(arguments, said, run, tmp_path):
    (tmp_path / "mine.py").write_text("number = 3\n\ndef text(labels, scores, k=None):\n    return 'high'\n")
    done = run(*arguments)
    assert done.returncode == 2 and said in done.stderr and done.stderr.count("\n") == 1
    assert "\x1b" not in done.stderr and "Traceback" not in done.stderr


def test_names_and_judgements_reach_a_function_that_asks_for_them():
    def by_name(labels, scores, documents, judged, k=None):
        gain = np.maximum(labels, 0)[
            sorted(range(len(labels)), key=lambda i: (scores[i], documents[i]), reverse=True)
        ]
        best = sorted(np.maximum(judged, 0), reverse=True)
        total = lambda gains: sum(g / log2(2 + i) for i, g in enumerate(gains[:k]))
        return total(gain) / total(best) if total(best) else None

    choices = classify(command.answers_of(by_name)).choices
    assert choices["ties"] == "name-descending" and choices["ideal"] == "judged"
    assert choices["empty"] == "left-out" and choices["negative"] == "clipped"


def test_a_difference_of_results_is_exit_code_1(run, tmp_path):
    results = json.loads(libraries.RESULTS.read_text(encoding="utf-8"))
    (tmp_path / "old.json").write_text(json.dumps(results))
    first = next(iter(results["libraries"].values()))
    first["calls"][0]["answers"]["perfect-order"] = 0.5
    (tmp_path / "new.json").write_text(json.dumps(results))
    same, differs = (run("--diff", "old.json", name) for name in ("old.json", "new.json"))
    assert same.returncode == 0 and "no answer differs" in same.stdout
    assert differs.returncode == 1 and "perfect-order: 1.0 -> 0.5" in differs.stdout


NUMBERS = ["Fraction(1, 2)", "np.float32(0.5)", "np.array(0.5)", "True", "np.array(1)"]
NO_NUMBERS = {
    "10**400": "expected a number",
    "10**5000": "expected a number from the function, got an object of type int",
    "np.array(None)": "expected a number",
    "np.array('1')": "expected a number",
    "np.datetime64('2020')": "expected a number",
    "np.array(np.datetime64('2020'))": "expected a number",
    "np.array([0.5])": "expected a number",
    "0.5j": "expected a number",
    "Silent()": "expected a number from the function, got an object of type Silent",
}
ANSWERS = """
from fractions import Fraction
import numpy as np
class Silent:
    def __repr__(self): raise RuntimeError("no")
"""


@pytest.mark.parametrize("value", [*NUMBERS, *NO_NUMBERS])
def test_a_number_is_any_that_a_float_can_hold(value):
    space = {}
    exec(f"{ANSWERS}\ndef f(labels, scores, k=None):\n    return {value}\n", space)
    if value in NUMBERS:
        assert {*command.answers_of(space["f"]).values()} == {float(eval(value, space))}
    else:
        with pytest.raises(ValueError, match=NO_NUMBERS[value]):
            command.answers_of(space["f"])


LEAVES = ["pytest.skip('no', allow_module_level=True)", "raise asyncio.CancelledError", "raise GeneratorExit"]
ENDS = ["os._exit(0)", "os.kill(os.getpid(), 9)"]


@pytest.mark.parametrize("said", LEAVES)
def test_a_module_that_exits_at_import_gives_no_result(said, run, tmp_path):
    (tmp_path / "mine.py").write_text(f"import asyncio, pytest\n{said}\n")
    done = run("mine:f")
    assert (
        done.returncode == 2
        and "expected an importable function" in done.stderr
        and done.stderr.count("\n") == 1
    )
    assert not done.stdout


@pytest.mark.parametrize("said", LEAVES)
def test_a_function_that_exits_on_every_call_gives_no_result(said, run, tmp_path):
    source = f"import asyncio, pytest\ndef f(labels, scores, k=None):\n    {said}\n"
    (tmp_path / "mine.py").write_text(source)
    done = run("mine:f")
    assert (
        done.returncode == 2
        and "expected a number from some call, got exceptions from all" in done.stderr
        and not done.stdout
    )


@pytest.mark.parametrize("where", ["", "def f(labels, scores, k=None): "], ids=["import", "call"])
@pytest.mark.parametrize("said", ENDS)
def test_a_process_that_ends_early_gives_no_result(said, where, run_apart, tmp_path):
    (tmp_path / "mine.py").write_text(f"import os\n{where}{said}\n")
    done = run_apart("mine:f")
    assert (
        done.returncode == 2 and "got the end of its process" in done.stderr and done.stderr.count("\n") == 1
    )
    assert not done.stdout


def test_the_answers_or_the_reason_for_none_come_from_the_process(run_apart, tmp_path):
    (tmp_path / "mine.py").write_text("def f(labels, scores, k=None):\n    return 0.123\n")
    done = run_apart("mine:f")
    assert done.returncode == 1 and "none that is known" in done.stdout and done.stderr == ""
    done = run_apart("mine:nothing")
    assert (
        done.returncode == 2
        and "expected an importable function" in done.stderr
        and done.stderr.count("\n") == 1
    )


@pytest.mark.parametrize(
    ("raised", "shown"),
    [
        ("RuntimeError('no such model')", "calls, the first RuntimeError: no such model"),
        ("KeyError('k\\x1b[2J')", "calls, the first KeyError: 'k\\x1b[2J'"),
        ("ValueError()", "calls, the first ValueError\n"),
        ("Mute()", "calls, the first Mute\n"),
        ("SystemExit(0)", "calls, the first SystemExit: 0"),
    ],
)
def test_a_function_that_always_raises_shows_its_first_exception(raised, shown, run, tmp_path):
    mute = "class Mute(Exception):\n    def __str__(self): raise TypeError\n"
    (tmp_path / "mine.py").write_text(f"{mute}def f(labels, scores, k=None):\n    raise {raised}\n")
    done = run("mine:f")
    assert done.returncode == 2 and shown in done.stderr and not done.stdout
    assert done.stderr.count("\n") == 1 and "\x1b" not in done.stderr


@pytest.mark.parametrize("parameters", ["y, s", "y, s, k=None", "y, s, k=None, extra=1", "*rest, **others"])
def test_one_call_that_returns_is_enough_to_answer(parameters):
    space = {}
    source = (
        f"calls = []\ndef f({parameters}):\n    calls.append(0)\n    assert len(calls) == when\n    return 1"
    )
    exec(source, space)
    space["when"] = -1
    with pytest.raises(
        ValueError,
        match="expected a number from some call, got exceptions from all [0-9]+ calls, the first Assert",
    ):
        command.answers_of(space["f"])
    space["when"] = 2 * len(space["calls"])  # the last call of the second time
    answers = command.answers_of(space["f"])
    assert {*answers.values()} >= {"refused"} and any(answer != "refused" for answer in answers.values())


def test_a_function_with_other_arguments_shows_the_error(run, tmp_path):
    (tmp_path / "mine.py").write_text("def f(labels, scores, queries):\n    return 1.0\n")
    done = run("mine:f")
    assert done.returncode == 2 and "missing 1 required positional argument: 'queries'" in done.stderr


TRIVIAL = {
    "1.0": ": every number that it returns is 1",
    "0.0": ": every number that it returns is 0",
    "-7": ": every number that it returns is -7",
    "float(max(labels, default=0) > 0)": "",
    "float(len(labels))": "",
    "None": "",
    "float('nan')": "",
}


@pytest.mark.parametrize("value", TRIVIAL)
def test_a_function_that_ignores_the_order_follows_no_convention(value, run, tmp_path):
    """Its answers agree with a convention on most cases, for example 1 down to rank 10."""
    (tmp_path / "mine.py").write_text(f"def f(labels, scores, k=None):\n    return {value}\n")
    done = run("mine:f")
    said = "mine:f: no known gain, discount and ideal explain its answers"
    assert done.returncode == 1 and done.stdout.startswith(said + TRIVIAL[value] + "\n")
    assert "follow the conventions" not in done.stdout and "instead of judged" in done.stdout
    assert not any(axis in done.stdout for axis in ("ties", "empty", "high", "zero"))


def test_refusals_are_counted_separately_from_answers(run, tmp_path):
    """scikit-learn refuses a list of one and a cut-off of 0; `binary` refuses most cases."""
    (tmp_path / "mine.py").write_text(
        "from sklearn.metrics import ndcg_score\n"
        "def f(y, s, k=None):\n    return ndcg_score([y], [s], k=k)\n"
        "def binary(y, s, k=None):\n"
        "    if max(y, default=0) > 1: raise ValueError('binary labels only')\n"
        "    return 1.0\n"
    )
    answers = command.answers_of(lambda y, s, k=None: ndcg_score([y], [s], k=k))
    refused = sum(answer == "refused" for answer in answers.values())
    number = len(answers) - refused
    assert refused > 3
    said = f"mine:f: {number} of {number} answers follow the conventions below; it refused {refused} cases\n"
    assert run("mine:f").stdout.startswith(said)
    binary = run("mine:binary")
    assert binary.returncode == 1 and "to-30" not in binary.stdout and "; it refused" in binary.stdout


NO_RESULTS = [
    '{"libraries": {"a": 5}}',
    '{"libraries": {"a": {}}}',
    '{"libraries": {"a": {"not run": 5}}}',
    '{"libraries": {"a": {"version": "1", "calls": [{}]}}}',
    '{"libraries": {"a": {"version": "1", "calls": 5}}}',
    '{"libraries": {"a": {"version": "1", "calls": [{"call": "f", "answers": {"b": null}}]}}}',
    '{"libraries": [["a", null]]}',
    '[["a", null]]',
    "[" * 100_000,
    "",
]


@pytest.mark.parametrize("text", NO_RESULTS)
def test_a_file_without_results_is_not_compared(text, tmp_path, capsys):
    (tmp_path / "bad.json").write_text(text)
    for pair in ([str(libraries.RESULTS), str(tmp_path / "bad.json")], [str(tmp_path / "bad.json")] * 2):
        assert command.main(["--diff", *pair]) == 2
        printed = capsys.readouterr()
        assert "bad.json: expected a file of results" in printed.err and printed.err.count("\n") == 1
        assert not printed.out


@pytest.mark.skipif(sys.platform == "win32", reason="makes a pipe")
def test_a_pipe_is_rejected_as_a_file_of_results(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    assert command.main(["--diff", str(libraries.RESULTS), str(tmp_path / "pipe")]) == 2


def test_an_interrupt_is_not_an_answer(monkeypatch, capsys):
    def interrupted(name):
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "_print_conventions", interrupted)
    assert command.main(["mine:f"]) == 130
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no disk that is always full")
def test_a_reader_that_has_gone_changes_no_exit_code_and_a_full_disk_does(tmp_path):
    same = ["--diff", str(libraries.RESULTS), str(libraries.RESULTS)]
    words = [sys.executable, "-m", "ndcg_conformance", *same]
    reader, writer = os.pipe()
    os.close(reader)
    gone = subprocess.run(words, stdout=writer, stderr=subprocess.PIPE, text=True)
    os.close(writer)
    assert (gone.returncode, gone.stderr) == (0, "")
    full = subprocess.run(["bash", "-c", f"{shlex.join(words)} >/dev/full"], capture_output=True, text=True)
    assert full.returncode == 2 and "standard output" in full.stderr and full.stderr.count("\n") == 1
