"""``python -m ndcg_companion.conformance``: each slip is named rightly, and the exit codes."""

import json
import subprocess
import sys
from math import log2

import numpy as np
import pytest

from ndcg_companion.conformance import __main__ as command
from ndcg_companion.conformance import classify, libraries

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
def test_each_slip_is_named_rightly_and_nothing_else(slips, named):
    reading = read(**slips)
    assert {axis: reading.choices[axis] for axis in READ} == READ | named
    assert reading.known or reading.choices["zero"] is None


def test_a_discount_nobody_knows_is_none_that_is_known():
    assert not read(discount="1 / ranks**0.3").known


def run(*arguments, cwd):
    command_line = [sys.executable, "-m", "ndcg_companion.conformance", *arguments]
    return subprocess.run(command_line, capture_output=True, text=True, cwd=cwd)


def test_a_function_of_the_working_folder_gets_its_row(tmp_path):
    (tmp_path / "mine.py").write_text(TEMPLATE.format(**PLAIN))
    done = run("mine:ndcg", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "ties       position instead of average" in done.stdout and "gain       linear\n" in done.stdout


def test_agreeing_with_nothing_known_is_exit_code_1(tmp_path):
    (tmp_path / "mine.py").write_text("def f(labels, scores, k=None):\n    return 0.123\n")
    done = run("mine:f", cwd=tmp_path)
    assert done.returncode == 1 and "none that is known" in done.stdout and done.stderr == ""


@pytest.mark.parametrize(
    "arguments, said",
    [
        (["mine"], "expected MODULE:FUNCTION"),
        ([], "expected MODULE:FUNCTION"),
        (["nowhere\x1b[31m:f"], "could not be imported"),
        (["mine:nothing"], "could not be imported"),
        (["mine:number"], "expected a function"),
        (["mine:text"], "expected a number"),
        (["mine:text", "--diff", "a", "b"], "expected MODULE:FUNCTION"),
        (["--diff", "mine.py", "mine.py"], "expected a file of results"),
        (["--libraries", "here", "--only", "ranx"], "expected --output"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(arguments, said, tmp_path):
    (tmp_path / "mine.py").write_text("number = 3\n\ndef text(labels, scores, k=None):\n    return 'high'\n")
    done = run(*arguments, cwd=tmp_path)
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


def test_a_difference_of_results_is_exit_code_1(tmp_path):
    results = json.loads(libraries.RESULTS.read_text(encoding="utf-8"))
    (tmp_path / "old.json").write_text(json.dumps(results))
    first = next(iter(results["libraries"].values()))
    first["calls"][0]["answers"]["perfect-order"] = 0.5
    (tmp_path / "new.json").write_text(json.dumps(results))
    same, differs = (run("--diff", "old.json", name, cwd=tmp_path) for name in ("old.json", "new.json"))
    assert same.returncode == 0 and "no answer differs" in same.stdout
    assert differs.returncode == 1 and "perfect-order: 1.0 -> 0.5" in differs.stdout
