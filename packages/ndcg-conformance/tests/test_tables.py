"""The tables of libraries are made from the results and from nothing else."""

import copy

import numpy as np
import pytest

from ndcg_conformance import standard, value
from ndcg_conformance import tables as tables


@pytest.fixture
def results():
    return tables.results()


def rows(table):
    return {line.split("**")[1]: line for line in table.splitlines() if line.startswith("| **")}


def test_the_matrix_says_what_a_library_does_instead(results):
    axes = tables.axes("gain", "ties", "empty")
    table = tables.library_table(results, axes)
    assert {line.count("|") for line in table.splitlines()} == {len(axes) + 2}
    assert rows(table)["scikit-learn"].endswith("| ✓ | ✓ | 0 |")
    assert rows(table)["LightGBM"].endswith("| exponential | position | 1 |")
    assert rows(table)["MLflow"].endswith("| binary | *the caller's* | 0 |")


def test_the_matrix_follows_the_results(results):
    changed = copy.deepcopy(results)
    changed["libraries"]["LightGBM"]["calls"][0]["conventions"]["ties"] = None
    changed["libraries"]["LightGBM"]["calls"][0]["answers"]["all-tied"] = 0.25
    changed["libraries"]["XGBoost"] = {"package": "x", "lock": "y", "not run": "its wheel | is <b>gone</b>"}
    table = tables.library_table(changed, tables.axes("ties", "gain"))
    assert "none known |" in rows(table)["LightGBM"]
    assert "none known: crashed |" in rows(tables.library_table(results, tables.axes("zero")))["trec_eval"]
    assert "not run, because its wheel" in rows(table)["XGBoost"] and "<b>" not in table
    assert {line.count("|") for line in table.splitlines()} == {4}


def test_each_convention_lists_the_first_call_that_computes_it(results):
    table = tables.convention_table(results, tables.axes("gain", "discount"))
    exponential = rows(table)["gain: exponential"]
    assert (
        "ndcg&#95;burges" in exponential and "scikit-learn: " in exponential and "CatBoost: " in exponential
    )
    assert rows(table)["discount: base-2"].endswith("| none of them |")
    assert {line.count("|") for line in table.splitlines()} == {3}


def test_a_version_is_that_of_the_package_that_was_asked(results):
    table = rows(tables.library_table(results, tables.axes("gain")))
    assert table["trec_eval"].startswith("| **trec_eval**, pytrec-eval-terrier ")
    assert table["LightGBM"].startswith("| **LightGBM** ")


def test_an_option_names_what_it_changes_and_nothing_else(results):
    table = tables.option_table(results)
    others = sum(len(library["calls"]) - 1 for library in results["libraries"].values() if "calls" in library)
    assert len(table.splitlines()) == 2 + others
    assert {line.count("|") for line in table.splitlines()} == {4}
    lines = {line.split(" | ")[1]: line for line in table.splitlines()[2:]}
    (linear,) = (line for call, line in lines.items() if "label&#95;gain" in call)
    assert linear.startswith("| LightGBM |") and linear.endswith("| gain: linear, high: counted |")
    (unasked,) = (line for call, line in lines.items() if "ignore&#95;ties" in call)
    assert unasked.endswith("| ties: not asked |")


def test_the_way_back_has_a_call_for_each_call(results):
    text = tables.way_back(results)
    calls = [call for library in results["libraries"].values() for call in library["calls"]]
    assert text.count("```python\n") == len(calls) and all(call["here"] in text for call in calls)


def test_a_surprise_names_two_numbers_and_changes_one_axis(results):
    text = tables.surprise(results, "CatBoost", "all-tied", "ties")
    assert "**0.648**" in text and "*ties: average*: **0.8333**" in text
    assert text.count("b, c, a, labels 3, 0, 2") == 2  # in the section and in the draft
    refused = tables.surprise(results, "scikit-learn", "one-document", "short")
    assert (
        "**refused**, in its words <code>Computing NDCG" in refused and "*short: counted*: **1**" in refused
    )
    assert "unjudged" in tables.surprise(results, "trec_eval", "unjudged-first", "unjudged", "removed")


def test_distances_are_those_of_the_settings(results):
    labels, scores = np.array([[1, 3, 0], [2, 1, 1]]), np.array([[1, 1, 1], [3, 2, 2]])
    distances = tables.mean_distances(results, labels, scores, 2)
    assert set(distances) == set(results["libraries"])
    assert distances["scikit-learn"] == 0 < distances["CatBoost"]
    numbers = [
        value(
            {"k": 2, "queries": [{"documents": ["a", "b", "c"], "labels": y, "scores": s}]},
            standard() | {"ties": t},
        )
        for t in ("worst", "average")
        for y, s in zip(labels.tolist(), scores.tolist())
    ]
    worst, average = np.reshape(numbers, (2, 2))
    assert distances["CatBoost"] == pytest.approx(np.abs(worst - average).mean(), abs=1e-15)


def test_means_count_lists_with_nothing_to_find_as_each_library_does(results):
    labels, scores = np.array([[1, 0], [0, 0]]), np.array([[2.0, 1.0], [2.0, 1.0]])
    averages = tables.means(results, labels, scores, 2)
    assert averages["scikit-learn"] == averages["trec_eval"] == 0.5  # 0 and 1, by hand
    assert averages["LightGBM"] == averages["XGBoost"] == 1.0
