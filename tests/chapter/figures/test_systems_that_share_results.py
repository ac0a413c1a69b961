"""The figures on shared results: what they draw is what they were given."""

import numpy as np
import pytest

from ndcg_companion.book.figures import systems_that_share_results as figures

WEIGHTS = np.array([1.0, 0.6, 0.5])


def test_common_documents_are_joined_and_each_has_its_bar():
    figure = figures.two_pages("ABC", "BAD", WEIGHTS)
    pages, bars = figure.axes
    # In the order of the first page, so that the picture is the same each time it is made.
    assert [tuple(line.get_ydata()) for line in pages.lines] == [(1, 2), (2, 1)]
    widths = dict(
        zip([text.get_text() for text in bars.get_yticklabels()], [bar.get_width() for bar in bars.patches])
    )
    assert widths == pytest.approx({"A": 0.16, "B": 0.16, "C": 0.25, "D": 0.25})
    assert "between the 2 that both show" in figure.alt and "alone add 0.50, those of both 0.32" in figure.alt


def test_what_is_at_one_rank_on_both_pages_adds_nothing():
    _, bars = figures.two_pages("ABC", "ACB", WEIGHTS).axes
    assert bars.patches[0].get_width() == 0 and bars.patches[1].get_width() == pytest.approx(0.01)


def test_the_band_and_the_dots_are_stated():
    figure = figures.weight_beside_overlap(
        np.arange(3),
        np.array([1, 0.4, 0]),
        np.array([1, 0.9, 0.2]),
        np.array([1, 0.6, 0.1]),
        {"top": (1, 0.5)},
    )
    assert "with 1 common results" in figure.alt and "may be 0.40 to 0.90, 0.60 with ranks" in figure.alt
    (axes,) = figure.axes
    assert any(list(line.get_xydata()[0]) == [1, 0.5] for line in axes.lines if len(line.get_xdata()) == 1)


def test_curves_and_lists_are_drawn():
    curves = {"same": np.array([0.6, 0.9]), "alike": np.array([0.9, 0.7])}
    seen = np.array([[0.88], [0.86], [0.9]])
    figure = figures.ahead_by_sharing(np.array([0, 0.9]), curves, np.array([0.0]), seen)
    drawn = [list(line.get_ydata()) for line in figure.axes[0].lines]
    assert all(list(values) in drawn for values in curves.values()) and [0.88] in drawn
    assert figure.alt.endswith("0.90 (same), 0.70 (alike); lists that were drawn: 0.88.")
