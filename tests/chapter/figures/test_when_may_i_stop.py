"""The figures on stopping: what they draw is what they were given."""

import numpy as np

from ndcg_companion.book.figures import when_may_i_stop as figures
from ndcg_companion.evaluation import sequential_test


def test_alarms_are_drawn_to_their_ends_and_stated():
    shares = {"t test": np.array([0.05, 0.2]), "tenth": np.array([0.0, 0.1]), "purses": np.array([0.0, 0.01])}
    figure = figures.false_alarms(np.array([6, 1000]), shares, 0.05)
    (axes,) = figure.axes
    drawn = [curve.get_ydata() for curve in axes.lines if len(curve.get_xdata()) == 2]
    assert all(any(np.array_equal(values, one) for one in drawn) for values in shares.values())
    assert "0.20 (t test), 0.10 (tenth), 0.01 (purses)" in figure.alt and axes.get_ylim()[1] < 0.25


def test_a_study_says_where_judging_may_stop():
    test = sequential_test([0.5, 0.4, 0.3] * 8)
    figure = figures.one_study(test, 0.4)
    above, below = figure.axes
    assert f"reaches 40 at query {test.stopped_at}" in figure.alt
    for axes in (above, below):
        assert any(np.array_equal(line.get_xdata(), [test.stopped_at] * 2) for line in axes.lines)
    assert any(np.array_equal(line.get_ydata(), test.wealth[1]) for line in above.lines)
    assert "not by query 3" in figures.one_study(sequential_test([0.1, -0.1, 0.1]), 0).alt
