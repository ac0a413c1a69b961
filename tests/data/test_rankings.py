"""Rankings that a caller creates. Arguments that do not fit together are rejected by name."""

import numpy as np
import pandas
import pytest

from ndcg_companion.data import Rankings
from ranking_report import compare

GOOD = {
    "queries": ["p", "q"],
    "items": ["a", "b", "a"],
    "labels": np.array([1, 0, 2]),
    "judged": np.array([True, True, False]),
    "offsets": np.array([0, 2, 3]),
    "scores": {"bm25": np.array([1.0, 2.0, 3.0])},
}
NUMBERS = GOOD["scores"]["bm25"]


@pytest.mark.parametrize(
    ("argument", "value", "message"),
    [
        ("queries", ["p"], "offsets: expected 2 numbers"),
        ("items", ["a", "b"], "items: expected 3, one for each label, got 2"),
        ("items", None, "items: expected 3, one for each label, got 1"),
        ("items", ["a", "a", "a"], "items: expected each item once per query, got a twice for p"),
        ("judged", np.array([True]), "judged: expected 3, one for each label, got 1"),
        ("labels", [1, [2], 3], "labels: expected numbers in a row"),
        ("labels", ["1", "0", "2"], "labels: expected numbers in a row, got <U1"),
        ("labels", np.ones((3, 1)), "labels: expected numbers in a row"),
        ("labels", [1, -1, 2], "labels: expected finite numbers >= 0, got -1 at position 1"),
        ("offsets", [0.0, 2.0, 3.0], "offsets: expected integers in a row, got float64"),
        ("offsets", None, "offsets: expected integers in a row"),
        ("offsets", [], "offsets: expected integers in a row"),
        ("offsets", [0, 3, 2], "offsets: expected 3 numbers that rise from 0 to 3"),
        ("scores", None, "scores: expected a mapping of system to scores, got NoneType"),
        ("scores", [NUMBERS], "scores: expected a mapping of system to scores, got list"),
        ("scores", {7: NUMBERS}, "system 7: expected a text as a name"),
        ("scores", {"": NUMBERS}, "system '': expected a name that is not blank"),
        ("scores", {"\u3000": NUMBERS}, "system '\u3000': expected a name that is not blank"),
        ("scores", {"\u3164": NUMBERS}, "system '.u3164': expected no control characters"),
        ("scores", {"bm\u200d25": NUMBERS}, "system 'bm.u200d25': expected no control characters"),
        ("scores", {"\u00e9": NUMBERS, "e\u0301": NUMBERS}, "expected a name that does not look like"),
        ("scores", {"bm25": NUMBERS[:2]}, "scores of bm25: expected 3 numbers, got 2"),
        ("scores", {"bm25": None}, "scores of bm25: expected numbers in a row, got object"),
        ("scores", {"bm25": NUMBERS * 1j}, "scores of bm25: expected numbers in a row, got complex128"),
    ],
)
def test_arrays_that_do_not_fit_are_rejected_by_name(argument, value, message):
    with pytest.raises(ValueError, match=message):
        Rankings(**(GOOD | {argument: value}))
    assert len(Rankings(**GOOD).items) == 3


LABELS, ONE = {"q": {"a": 1, "b": 0}}, {"q": {"a": 1.0, "b": 2.0}}
FRAME = pandas.DataFrame({"query": ["q", "q"], "item": ["a", "b"], "score": [1.0, 2.0]})


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        ({"q": {"a": 10**400}}, "system x, row 1 .*: expected a number as score, got 1000"),
        ({"q": {"a": 1j}}, "system x, row 1 .*: expected a number as score, got 1j"),
        (
            {"q": {"a": np.datetime64("2024-05-07")}},
            "row 1 .*: expected a number as score, got datetime.date",
        ),
        ({"q": {"a": np.timedelta64(3, "s")}}, "row 1 .*: expected a number as score, got datetime.time"),
        ({"q": {"a": [1.0]}}, r"row 1 .*: expected a number as score, got \[1.0\]"),
        ({"q": {("a", "b"): 1.0}}, "expected a text or a number as item, got tuple"),
        ({"q": {b"a": 1.0}}, "expected a text or a number as item, got bytes"),
        ({("q", 1): {"a": 1.0}}, "expected a text or a number as query, got tuple"),
        (FRAME.assign(item=[["a"], ["b"]]), "row 1: expected a text or a number as item, got list"),
        (FRAME.assign(query=[{}, {}]), "row 1: expected a text or a number as query, got dict"),
        (pandas.concat([FRAME, FRAME[["item"]]], axis=1), "expected each column once, got item twice"),
        (
            FRAME.assign(score=pandas.to_datetime("2024-05-07")),
            "row 1: expected a number as score, got Timestamp",
        ),
    ],
)
def test_scores_that_numpy_would_cast_or_misread_are_rejected(scores, message):
    with pytest.raises(ValueError, match=message):
        compare(LABELS, {"x": scores})


def test_a_frame_of_all_systems_has_each_column_once():
    frame = FRAME.rename(columns={"score": "score_x"})
    with pytest.raises(ValueError, match="runs: expected each column once, got score_x twice"):
        compare(LABELS, pandas.concat([frame, frame[["score_x"]]], axis=1))
    with pytest.raises(
        ValueError, match="the table, row 2|qrels, row 2: expected a text or a number as item"
    ):
        compare(frame.assign(label=[1, 0], item=["a", ["b"]]))


def test_a_gain_may_be_a_series_and_has_each_label_once():
    expected = compare(LABELS, {"x": ONE}, gain={0: 0, 1: 5}).scores["score"].tolist()
    assert (
        compare(LABELS, {"x": ONE}, gain=pandas.Series([5, 0], index=[1, 0])).scores["score"].tolist()
        == expected
    )
    for gain in (pandas.Series([0, 1, 2], index=[0, 0, 1]), {0: 0, "0": 3, 1: 1}):
        with pytest.raises(ValueError, match="gain=.*: expected each label once"):
            compare(LABELS, {"x": ONE}, gain=gain)
    with pytest.raises(ValueError, match="gain=.*: expected a finite gain for each label"):
        compare(LABELS, {"x": ONE}, gain={0: 0, 1: 10**400})


ALIKE = [
    ("d\u00e9", "de\u0301"),
    ("LA-1", "la-1"),
    ("d1", "d\u200b1"),
    ("d1", " d1"),
    ("d1", "\uff441"),
    ("d1", "d1\ufeff"),
]


@pytest.mark.parametrize(("judged", "retrieved"), ALIKE, ids=ascii)
def test_ids_that_miss_a_judgment_for_their_spelling_alone_are_stated(judged, retrieved):
    labels = {f"q{q}": {judged: 1, "other": 0} for q in range(8)}
    good = {query: {judged: 2.0, "other": 1.0} for query in labels}
    lost = {query: {retrieved: 2.0, "other": 1.0} for query in labels}
    notes = "".join(compare(labels, {"good": good, "lost": lost}).notes)
    assert "Beware: 8 documents of lost are not judged, though a judged one has the same id" in notes
    assert f"such as {ascii(retrieved)} beside {ascii(judged)}" in notes and "documents of good" not in notes
    mapped = {query.upper(): items for query, items in good.items()} | good
    notes = "".join(compare(labels, {"good": good, "both": mapped}).notes)
    assert "Beware: 8 queries of both are not judged" in notes and "'Q0' beside 'q0'" in notes


def test_ids_that_differ_are_not_reported_as_similar():
    labels = {"q": {"d1": 1, "D2": 0}, "r": {"d3": 1, "e": 0}}
    runs = {"x": {"q": {"d1": 1.0, "d4": 2.0, "D3": 3.0}, "r": {"D1": 1.0, "e": 2.0, "\u00e9": 0.5}}}
    notes = "".join(compare(labels, runs).notes)
    assert "Beware: one" not in notes and "same id" not in notes
