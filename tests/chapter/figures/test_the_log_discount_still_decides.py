"""The figures on theorems 6 and 19: what they draw and say is what they were given."""

import numpy as np
import pytest

from ndcg_companion.book.figures import the_log_discount_still_decides as figures

SIZES = np.array([100, 1_000, 10_000])
SCORES = np.array([[0.8, 0.85, 0.9], [0.7, 0.8, 0.85]])
LEAD = np.array([1.0, 2.5, 10.0])
GAPS = np.array([[-1.0, 2.0, 10.25], [2.0, 3.0, 9.75]])


def test_the_lead_is_counted_in_standard_deviations():
    figure = figures.race(SIZES, SCORES, GAPS, LEAD)
    upper, lower = figure.axes
    np.testing.assert_allclose([line.get_ydata() for line in upper.lines], 1 - SCORES)
    *rows, mean, _ = [line.get_ydata() for line in lower.lines]
    np.testing.assert_allclose(rows, GAPS)
    np.testing.assert_allclose(mean, LEAD)
    assert figure.alt == (
        "Above, two curves from n = 100 to 10,000, at 0.100 and 0.150 in the end. Below, a band of 2 grey "
        "lines around a thick one that goes from 1.0 to 10 standard deviations."
    )


@pytest.mark.filterwarnings("error")
def test_a_perfect_ranker_misses_nothing_and_is_not_drawn():
    upper, _ = figures.race(SIZES, np.array([[1.0, 1.0, 1.0], SCORES[1]]), GAPS, LEAD).axes
    assert len(upper.lines) == 1 and [text.get_text() for text in upper.texts] == ["$f_1$"]


def test_curves_run_towards_the_diamond_and_crosses_show_the_print():
    log_n = np.log(10) * np.array([8.0, 20.0, 100.0])
    true, printed = {"$K=1$": 0.4, "b": -0.2}, {"$K=1$": 0.1, "b": -0.1}
    scaled = {name: value * (1 + 2 / log_n) for name, value in true.items()}
    figure = figures.constants(log_n, scaled, true, printed)
    (axes,) = figure.axes
    for curve in (line for line in axes.lines if len(line.get_xdata()) == 3):
        np.testing.assert_allclose(curve.get_xydata(), np.transpose([1 / log_n, 1 + 2 / log_n]))
    marks = {line.get_marker(): [] for line in axes.lines}
    for line in axes.lines:
        marks[line.get_marker()].append(line.get_xydata()[0].tolist())
    assert marks["x"] == [[0.0, 0.25], [0.0, 0.5]] and marks["D"] == [[0.0, 1.0]]
    assert "at 10^100 items they stand at 1.01 (K=1), 1.01 (b). Crosses at 0.25, 0.50." in figure.alt


def test_the_late_change_is_marked_where_the_curve_changes_its_sign():
    log_n = np.log(10) * np.array([2.0, 10.0, 50.0, 100.0])
    gaps = np.array([-0.6, -0.4, -0.1, 0.3])
    figure = figures.late(log_n, gaps, 62.0, 5.0)
    (axes,) = figure.axes
    (curve,) = [line for line in axes.lines if len(line.get_xdata()) == 4]
    np.testing.assert_allclose(curve.get_xydata(), np.transpose([[2, 10, 50, 100], gaps]))
    (dot,) = [line.get_xydata()[0].tolist() for line in axes.lines if line.get_marker() == "o"]
    assert dot == [62.0, 0.0]
    above, below = (area.get_paths()[0].get_extents() for area in axes.collections)
    assert below.y1 <= 0 <= above.y0 and above.x1 == pytest.approx(100)
    assert figure.alt == (
        "A curve at -0.60 at 10^2 items, which crosses zero at 10^62 and is at 0.30 at 10^100; a dashed "
        "line at 10^5, up to which lists were simulated."
    )
