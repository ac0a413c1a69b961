"""The figures on comparing systems say and draw what they were given."""

import numpy as np
import pandas
import pytest

from ndcg_companion.book.figures import your_own_rankings as figures


def test_queries_are_dots_and_an_interval_that_holds_0_has_another_colour():
    rows = {"a": (np.array([0.3, -0.1]), 0.1, 0.05, 0.15), "b": (np.array([-0.2, 0.2, 0.3]), 0.1, -0.1, 0.3)}
    figure = figures.by_query(rows)
    assert "a: 1 of 2 below 0, mean +0.10, interval +0.05 to +0.15; b: 1 of 3 below 0" in figure.alt
    (axes,) = figure.axes
    dots, first, _, others, second, _ = axes.lines[1:]  # after the line at 0
    assert [*dots.get_xdata()] == [-0.1, 0.3] and [*others.get_xdata()] == [-0.2, 0.2, 0.3]
    assert [*first.get_xdata()] == [0.05, 0.15] and first.get_color() != second.get_color()


def test_the_leaderboard_shows_means_intervals_and_letters():
    board = pandas.DataFrame(
        {
            "system": ["b", "$a$"],
            "mean": [0.6, 0.5],
            "low": [0.55, 0.4],
            "high": [0.65, 0.6],
            "group": ["x", "xy"],
        }
    )
    figure = figures.leaderboard(board, {"$a$": 0, "b": 1})
    assert figure.alt.endswith("means and letters: b 0.600 (x), $a$ 0.500 (xy).")
    (axes,) = figure.axes
    assert [label.get_text() for label in axes.get_yticklabels()] == ["b", r"\$a\$"]
    assert [text.get_text() for text in axes.texts] == ["x", "xy"]
    assert [*axes.lines[0].get_xdata()] == [0.55, 0.65] and axes.lines[1].get_xdata() == [0.6]


def test_a_test_that_errs_too_often_has_another_colour():
    alarms = np.array([[0.04, 0.02, 0.07], [0.3, 0.25, 0.35]])
    figure = figures.errors(alarms, np.array([0.5, 0.9]), ["one family", "uncorrected"])
    assert figure.alt.endswith("one family 4.0 % and 50 %; uncorrected 30.0 % and 90 %.")
    left, right = figure.axes
    colours = [line.get_color() for line in left.lines[1::2]]
    assert colours[0] != colours[1] and [line.get_xdata()[1] for line in right.lines] == [0.5, 0.9]


@pytest.mark.parametrize("whole", [3, 12])
def test_splits_are_counted(whole):
    figure = figures.splits(np.array([4, 5, 5, 7]), whole)
    assert "4 random splits tell between 4 and 7 pairs apart, most often 5" in figure.alt
    (axes,) = figure.axes
    assert [bar.get_height() for bar in axes.patches] == [1, 2, 1] and f"stands at {whole}" in figure.alt
    low, high = axes.get_xlim()
    assert low < whole < high
