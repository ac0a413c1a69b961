"""The figures beyond the model: what they draw is what they were given."""

import numpy as np

from ndcg_companion.book.figures import beyond_the_model as figures


def test_strips_have_the_colour_of_who_is_ahead():
    leaders = np.array([[1, -1, 1], [-1, -1, -1]])
    figure = figures.drifting(np.array([10, 100, 1000]), leaders, np.array([100]))
    (axes,) = figure.axes
    widths = [len(bars.get_paths()) for bars in axes.collections]
    assert widths == [2, 1, 0, 1]  # first and second of each list; neighbours of one colour are one bar
    assert "100 items, where the other kind" in figure.alt and figure.alt.endswith("on 0.50 of the lists.")


def test_the_price_meets_the_lead():
    share, price, lead = np.array([0.01, 0.02, 0.03]), np.array([0.05, 0.09, 0.2]), np.array([0.1, 0.1, 0.1])
    figure = figures.planted(share, price, lead)
    (axes,) = figure.axes
    drawn = [list(line.get_ydata()) for line in axes.lines]
    assert list(price) in drawn and list(lead) in drawn
    assert any(list(line.get_xdata()) == [0.02, 0.02] for line in axes.lines)
    assert figure.alt.endswith("the lead of 0.10 at a share of 0.0200.")
