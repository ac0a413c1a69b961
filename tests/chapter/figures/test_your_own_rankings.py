"""What the figures of a report show, read back from their axes."""

from types import SimpleNamespace

import numpy as np
import pytest

from ndcg_companion.chapter.figures.your_own_rankings import (
    growing,
    orders,
    pairs,
    separations,
    shown,
    tosses,
)
from ndcg_companion.chapter.style import GREY, PALETTE

ROWS = {
    "log": {"difference": 0.02, "low": 0.01, "high": 0.03, "p_holm": 0.01},
    "zipf": {"difference": -0.05, "low": -0.07, "high": -0.03, "p_holm": 0.02},
    "log @5": {"difference": 0.01, "low": -0.05, "high": 0.07, "p_holm": 1.0},
}
CONFIRMED = {"difference": 0.015, "low": -0.01, "high": 0.04}


class Growing(SimpleNamespace):
    """The curves of a growth, made up."""

    sizes = np.array([10, 100])

    def system(self, measure, column):
        return np.array([0.4, 0.6]) + column, np.array([0.1, 0.05])

    def difference(self, measure):
        return {"log": np.array([-0.1, 0.2]), "zipf": np.array([0.3, 0.1])}[measure], np.array([0.2, 0.1])


def test_each_measure_has_its_interval_and_the_chosen_one_another():
    axes = separations(ROWS, "zipf", CONFIRMED, ("A", "B")).axes[0]
    zero, log, log_dot, zipf, zipf_dot, again, diamond, five, five_dot = axes.lines
    assert [list(line.get_xdata()) for line in (log, zipf, again, five)] == [
        [0.01, 0.03],
        [-0.07, -0.03],
        [-0.01, 0.04],
        [-0.05, 0.07],
    ]
    assert [line.get_color() for line in (log, zipf, five)] == [PALETTE[0], PALETTE[1], GREY]
    assert [dot.get_markerfacecolor() for dot in (log_dot, zipf_dot, five_dot)] == [
        PALETTE[0],
        PALETTE[1],
        "white",
    ]
    assert list(diamond.get_xdata()) == [0.015] and 1 < diamond.get_ydata()[0] < 1.5
    assert [label.get_text() for label in axes.get_yticklabels()] == list(ROWS)
    bottom, top = axes.get_ylim()
    assert bottom > top  # the first measure on top
    assert axes.get_title("center").startswith("← B ahead") and axes.get_title("center").endswith("A ahead →")


def test_lists_grow_in_both_panels():
    figure = growing(Growing(), ("A", "B"), ["log", "zipf"])
    upper, lower = figure.axes
    np.testing.assert_allclose([line.get_ydata() for line in upper.lines], [[0.4, 0.6], [1.4, 1.6]])
    np.testing.assert_allclose([line.get_ydata() for line in lower.lines[1:]], [[-0.1, 0.2], [0.3, 0.1]])
    assert len(upper.collections) == 2 and len(lower.collections) == 1
    assert {text.get_text() for text in upper.texts} == {"A", "B"}
    assert {text.get_text() for text in lower.texts} == {"log", "zipf"}
    assert lower.get_xscale() == "log"


def test_a_single_size_is_a_point_in_the_middle():
    grown = Growing()
    grown.sizes = np.array([10])
    grown.system = lambda measure, column: (np.array([0.5]), np.array([0.1]))
    grown.difference = lambda measure: (np.array([0.0]), np.array([np.nan]))
    upper, _ = growing(grown, ("A", "B"), ["log"]).axes
    low, high = upper.get_xlim()
    assert low < 10 < high and [line.get_marker() for line in upper.lines] == ["o", "o"]


def test_only_pairs_beyond_chance_have_a_number():
    gaps = np.array([[np.nan, 0.1, -0.02], [-0.1, np.nan, 0.3], [0.02, -0.3, np.nan]])
    p = np.array([[np.nan, 0.01, 0.5], [0.01, np.nan, 0.04], [0.5, 0.04, np.nan]])
    axes = pairs(gaps, p, ["A", "B", "C"]).axes[0]
    assert sorted(text.get_text() for text in axes.texts if text.get_text()) == ["10", "30", "−10", "−30"]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["A", "B", "C"]


def test_a_table_of_equal_systems_is_drawn_too():
    gaps = np.array([[np.nan, 0.0], [0.0, np.nan]])
    assert not [text for text in pairs(gaps, np.abs(gaps) + 1, ["A", "B"]).axes[0].texts if text.get_text()]


def test_tosses_stand_beside_what_was_seen():
    axes = tosses({"log": {"seen": 4.0, "tossed": 0.5}, "zipf": {"seen": 1.0, "tossed": 2.0}}, 1.98).axes[0]
    bound, _, log_tossed, log_seen, _, zipf_tossed, zipf_seen = axes.lines
    assert bound.get_xdata()[0] == 1.98
    assert [dot.get_xdata()[0] for dot in (log_tossed, log_seen, zipf_tossed, zipf_seen)] == [
        0.5,
        4.0,
        2.0,
        1.0,
    ]
    assert [dot.get_markerfacecolor() for dot in (log_tossed, log_seen)] == ["white", PALETTE[0]]


def test_two_orders_are_told_apart():
    axes = orders({"shuffled": Growing(), "in time": Growing()}, "zipf").axes[0]
    assert [line.get_color() for line in axes.lines[1:]] == [GREY, PALETTE[3]]
    assert {text.get_text() for text in axes.texts} == {"shuffled", "in time"} and len(axes.collections) == 2


@pytest.mark.parametrize(
    ("name", "expected"), [("bm25", "bm25"), ("x" * 40, "x" * 15 + "…"), ("cost$", r"cost\$")]
)
def test_names_are_short_and_no_formulas(name, expected):
    assert shown(name) == expected
