"""The cases agree with an exact enumeration, and the package agrees with both."""

import json
import re
import subprocess
import sys
from decimal import Decimal
from itertools import combinations
from math import log2
from pathlib import Path

import jsonschema
import pytest

from ndcg_conformance import cases, classify, standard, value
from ndcg_conformance.conventions import agrees, recipe

FOLDER = Path(__file__).parents[1] / "src" / "ndcg_conformance"
ENUMERATION = Path(__file__).with_name("enumeration.py")
DATA = json.loads((FOLDER / "cases.json").read_text(encoding="utf-8"))
BY_NAME = {case["name"]: case for case in DATA["cases"]}


def load_enumeration():
    space = {"__name__": "enumeration", "__file__": str(ENUMERATION)}
    exec(compile(ENUMERATION.read_text(encoding="utf-8"), ENUMERATION, "exec"), space)
    return space


EXACT = load_enumeration()
NAMED = EXACT["conventions_of"](DATA)


def test_the_file_is_as_its_schema_says_and_small():
    jsonschema.validate(DATA, json.loads((FOLDER / "cases.schema.json").read_text(encoding="utf-8")))
    assert len(BY_NAME) == len(DATA["cases"]) >= 60
    assert {case["axis"] for case in DATA["cases"]} == set(DATA["axes"])
    assert all(set(case["values"]) == set(NAMED) for case in DATA["cases"])
    for case in DATA["cases"]:
        for query in case["queries"]:
            assert len(query["documents"]) == len(query["labels"]) == len(query["scores"])
    assert (FOLDER / "cases.json").stat().st_size < 1_000_000


def test_the_enumeration_does_not_use_the_package():
    assert "ndcg_companion" not in re.sub(
        r'"ndcg_companion"|""".*?"""', "", ENUMERATION.read_text(), flags=re.S
    )
    done = subprocess.run(
        [
            sys.executable,
            "-I",
            "-S",
            "-c",
            f"exec(open({str(ENUMERATION)!r}).read(), {{'__name__': 'x', '__file__': {str(ENUMERATION)!r}}})",
        ]
    )
    assert done.returncode == 0  # nor anything else that is installed


def test_every_value_is_what_enumeration_says():
    for case, values in zip(DATA["cases"], EXACT["values_of"](DATA)):
        assert case["values"] == values, case["name"]


def test_the_file_is_written_as_the_enumeration_writes_it():
    assert (FOLDER / "cases.json").read_text(encoding="utf-8") == EXACT["text_of"](DATA)


def evaluated(formula):
    """Return the value of a formula with 50 digits."""
    ln = lambda x: Decimal(x).ln()
    names = {f"log{base}": lambda x, b=base: ln(x) / ln(b) for base in (2, 3, 4, 5, 10)} | {
        "ln": ln,
        "D": Decimal,
    }
    wrapped = re.sub(r"(?<![\w.])\d+", lambda number: f"D({number[0]})", formula).replace("^", "**")
    return eval(wrapped, {"__builtins__": {}}, names)


def test_every_formula_gives_its_value_to_15_digits():
    formulas = {
        (e["formula"], e["value"]) for c in DATA["cases"] for e in c["values"].values() if "formula" in e
    }
    assert len(formulas) > 300
    for formula, number in formulas:
        assert float(f"{evaluated(formula):.15g}") == number, formula


SECOND, THIRD = 1 / log2(3), 1 / 2


@pytest.mark.parametrize(
    "name, convention, by_hand",
    [
        ("all-tied", "standard", (5 / 3) * (1 + SECOND + THIRD) / (3 + 2 * SECOND)),
        ("all-tied", "ties=worst", (2 * SECOND + 3 * THIRD) / (3 + 2 * SECOND)),
        ("relevant-at-rank-3", "discount=base-2", SECOND),
        ("relevant-at-rank-10", "discount=base-10", 1),
        ("best-beyond-the-cut", "ideal=list-uncut", 1 / (3 + SECOND)),
        ("best-beyond-the-cut", "ideal=first-k", 1),
        ("fractional-grades", "grades=truncated", 1 / 2),
        ("one-of-two-empty", "empty=left-out", (1 + 2 * SECOND) / (2 + SECOND)),
        ("one-of-two-empty", "empty=-1", ((1 + 2 * SECOND) / (2 + SECOND) - 1) / 2),
        ("unjudged-first", "unjudged=removed", 1),
        ("negative-at-the-top", "negative=clipped", (SECOND + 3 * THIRD) / (3 + SECOND)),
        ("a-billionth-behind", "precision=single", (1 + SECOND) / 2),
    ],
)
def test_values_that_were_worked_out_by_hand(name, convention, by_hand):
    assert BY_NAME[name]["values"][convention]["value"] == pytest.approx(by_hand, rel=1e-14)


def entry(name, convention):
    stored = BY_NAME[name]["values"][convention]
    return stored.get("why") or stored["value"]


def test_the_package_gives_every_value():
    for case in DATA["cases"]:
        for convention, setting in NAMED.items():
            given, stored = value(case, setting), entry(case["name"], convention)
            if isinstance(stored, str):
                assert given == stored, (case["name"], convention)
            else:
                assert given == pytest.approx(stored, rel=1e-12, abs=1e-12), (case["name"], convention)


@pytest.mark.parametrize("axis", DATA["axes"])
def test_every_two_choices_differ_on_a_case_of_the_axis(axis):
    for first, second in combinations(DATA["axes"][axis]["choices"], 2):
        settings = standard() | {axis: first}, standard() | {axis: second}
        cases_of_axis = [case for case in cases()["cases"] if case["axis"] == axis]
        assert any(not agrees(*(value(case, setting) for setting in settings)) for case in cases_of_axis), (
            first,
            second,
        )


@pytest.mark.parametrize("convention", NAMED)
def test_the_answers_of_a_convention_are_read_as_that_convention(convention):
    reading = classify({case["name"]: entry(case["name"], convention) for case in DATA["cases"]})
    assert reading.known and reading.agree == reading.asked == len(DATA["cases"])
    # What never divides by 0 gives such a query 0, whatever it would say of 0/0.
    never = {"empty": "0"} if convention == "ideal=undivided" else {}
    assert reading.choices == NAMED[convention] | never


def test_answers_of_several_changed_conventions_are_read_rightly():
    setting = standard() | {
        "gain": "exponential", "discount": "base-7", "ideal": "list", "ties": "reverse", "grades": "truncated"
    }  # fmt: skip
    reading = classify({case["name"]: value(case, setting) for case in cases()["cases"]})
    assert reading.known and reading.choices == setting


def test_a_function_that_refuses_every_case_follows_no_convention():
    reading = classify(dict.fromkeys((case["name"] for case in cases()["cases"]), "refused"))
    assert {*reading.choices.values()} == {None} and not reading.known


def test_the_cases_that_are_not_explained_are_named():
    answers = {case["name"]: value(case, standard()) for case in cases()["cases"]}
    assert classify(answers).unexplained == frozenset()
    assert classify(answers | {"all-tied": 0.123}).unexplained == {"all-tied"}


def test_an_unknown_convention_gets_no_name():
    answers = {case["name"]: entry(case["name"], "standard") for case in DATA["cases"]}
    ties = classify(answers | {"all-tied": 0.123}).choices
    assert ties["ties"] is None and ties["gain"] == "linear" and ties["precision"] == "double"
    core = classify(answers | {"perfect-order": 0.9})
    assert not core.known and [core.choices[axis] for axis in ("gain", "discount", "ideal")] == [None] * 3


def test_conventions_without_a_line_have_no_recipe():
    assert recipe(standard() | {"discount": "base-2"}) is None
    assert recipe(standard()) == "dcg(labels, scores, k=k) / ideal_dcg(judged, k=k)"
