import json
from math import log2, nan

import numpy as np
import pytest

from ndcg_conformance import rivals
from ndcg_conformance.rivals import (
    ENDS_THE_PROCESS,
    LEFT_OUT,
    Edge,
    agreement,
    answer,
    edge_table,
    package_answer,
    pytrec_eval_answer,
    scikit_learn_answer,
)

SECOND = 1 / log2(3)  # the discount of rank 2


def answers(*question, **options):
    edge = Edge("an edge", *question, "a reason", **options)
    return [ask(edge) for ask in (package_answer, scikit_learn_answer, pytrec_eval_answer)]


def test_all_three_agree_where_there_is_nothing_to_disagree_about():
    expected = (1 + 3 * SECOND) / (3 + SECOND)
    assert answers([1, 3, 0], [3, 2, 1]) == pytest.approx([expected] * 3, rel=1e-12)
    assert answers([1, 3, 0], [3, 2, 1], k=1) == pytest.approx([1 / 3] * 3, rel=1e-12)
    assert answers([1, 2, 0], [3, 2, 1], gain="exponential") == pytest.approx([expected] * 3, rel=1e-12)


def test_the_mean_over_queries_is_the_callers_but_for_scikit_learn():
    ours, mean, theirs = answers([[1, 0], [0, 0]], [[2, 1], [2, 1]])
    assert ours.tolist() == pytest.approx([1, nan], nan_ok=True)
    assert (mean, theirs) == (0.5, [1.0, 0.0])


def test_a_refusal_is_described_in_its_own_words_on_one_line():
    def refuse():
        raise ValueError("first line\nsecond line")

    assert answer(refuse) == "first line"
    *numbers, trec = answers([1.5, 0], [1, 2])
    assert numbers == pytest.approx([SECOND] * 2) and trec == "Expected relevance to be integer."
    ours, sklearn, _ = answers([1, 0], [1, 2], wrapped=False)
    assert ours == pytest.approx(SECOND) and "binary" in sklearn


def test_a_refusal_without_words_is_described_by_its_name():
    def refuse():
        raise KeyError

    assert answer(refuse) == "KeyError()"


def test_a_question_that_ends_the_process_ends_another_one():
    ours, sklearn, trec = answers([1, 0], [2, 1], k=0)
    assert trec == ENDS_THE_PROCESS
    assert ours.startswith("k=0: expected") and "'k'" in sklearn


def test_a_process_that_asked_nothing_raises_an_error(monkeypatch):
    monkeypatch.setattr(rivals, "_CHILD", "import there_is_no_such_module")
    with pytest.raises(RuntimeError, match="no_such_module"):
        answers([1, 0], [2, 1])


def test_a_query_without_documents_is_left_out():
    ours, _, trec = answers([], [])
    assert np.isnan(ours) and trec == LEFT_OUT


def test_a_dictionary_keeps_the_last_of_two_documents_of_one_name():
    assert answers([1, 0, 1], [3, 2, 1], documents=("A", "B", "A"))[2] == pytest.approx(SECOND)


@pytest.mark.parametrize(
    "labels, expected",
    [
        (np.array([8, 7], dtype=np.uint8), [255, 127]),
        (np.array([9, 8], dtype=np.uint8), [255, 255]),
        ([64, 1], [-1, 1]),
        ([3, 0], [7, 0]),
    ],
)
def test_the_libraries_get_exponential_gains_as_numpy_makes_them(labels, expected):
    assert Edge("", labels, [1, 2], "", gain="exponential").gains.tolist() == expected


def test_the_table_has_one_row_for_each_edge_and_shows_all_three_answers():
    edges = [
        Edge("tied", [3, 0, 2], [1, 1, 1], "a mean"),
        Edge("cut", np.array([1, 0], dtype=np.int8), [2, nan], "no order", k=5, documents=("A", "B")),
    ]
    header, rule, *rows = edge_table(edges).splitlines()
    assert header.count("|") == rule.count("|") == 3 and len(rows) == 2
    assert "**tied** <br> labels 3, 0, 2 <br> scores 1, 1, 1 |" in rows[0]
    assert "here **0.8333** <br> scikit-learn **0.8333** <br> pytrec_eval **0.8212** <br> *a mean*" in rows[0]
    assert "labels 1, 0 (int8)" in rows[1] and "documents A, B" in rows[1] and "`k=5`" in rows[1]
    assert "here refuses: `scores: expected no NaN, got one at position 1`" in rows[1]


def test_a_refusal_does_not_break_the_table(monkeypatch):
    monkeypatch.setattr(rivals, "package_answer", lambda edge: "either a | or b")
    assert r"`either a \| or b`" in edge_table([Edge("bars", [1, 0], [2, 1], "none")])


def test_agreement_reports_the_widest_gap_and_the_misses_of_the_control():
    assert agreement([0.5, 1.0, 0.0], [0.5, 0.75, 0.0], [0.0, 1.0, nan], 0.25) == (0.25, 2)


@pytest.mark.parametrize("ours", [[0.5, 0.6], [0.5, nan]])
def test_agreement_fails_where_the_recipe_misses(ours):
    with pytest.raises(AssertionError, match="expected a recipe within"):
        agreement([0.5, 0.5], ours, [0, 0], 1e-12)


def test_agreement_fails_if_the_control_agrees_everywhere():
    with pytest.raises(AssertionError, match="expected a control that differs"):
        agreement([0.5, 0.5], [0.5, 0.5], [0.5, 0.5], 1e-12)


def test_questions_survive_the_way_to_another_process():
    edge = Edge("infinite", [1, 0], [np.inf, -np.inf], "")
    judged, run, measure = json.loads(json.dumps(rivals._trec_question(edge)))
    assert (judged, run, measure) == (
        {"q0": {"d0": 1, "d1": 0}},
        {"q0": {"d0": np.inf, "d1": -np.inf}},
        "ndcg",
    )
