"""The figures on theorems 6 and 19: what they draw is what they were given."""

import numpy as np
import pytest

from ndcg_companion.chapter.figures import the_log_discount_still_decides as figures

SIZES = np.array([100, 1_000, 10_000])
SCORES = np.array([[0.8, 0.85, 0.9], [0.7, 0.8, 0.85]])
EXPECTED, DEVIATIONS = np.array([1.0, 5.0, 40.0]), np.array([1.0, 2.0, 4.0])
GAPS = np.array([[-1.0, 4.0, 41.0], [2.0, 6.0, 39.0]])


def test_the_lead_is_counted_in_standard_deviations():
    upper, lower = figures.race(SIZES, SCORES, GAPS, EXPECTED, DEVIATIONS).axes
    for values, name in zip(SCORES, figures.COLOURS):
        (line,) = [each for each in upper.lines if each.get_color() == figures.COLOURS[name]]
        np.testing.assert_allclose(line.get_ydata(), 1 - values)
    assert [text.get_text() for text in upper.texts] == ["$f_0$", "$f_1$"]
    *rows, mean, zero = [line.get_ydata() for line in lower.lines]
    np.testing.assert_allclose(rows, GAPS / DEVIATIONS)
    np.testing.assert_allclose(mean, [1.0, 2.5, 10.0])
    assert set(zero) == {0.0}


@pytest.mark.filterwarnings("error")
def test_a_perfect_ranker_misses_nothing_and_is_not_drawn():
    upper, _ = figures.race(SIZES, np.array([[1.0, 1.0, 1.0], SCORES[1]]), GAPS, EXPECTED, DEVIATIONS).axes
    assert len(upper.lines) == 1 and [text.get_text() for text in upper.texts] == ["$f_1$"]


def test_curves_run_towards_the_diamond_and_crosses_show_the_print():
    log_n = np.log(10) * np.array([8.0, 20.0, 100.0])
    true, printed = {"a": 0.4, "b": -0.2}, {"a": 0.1, "b": -0.1}
    scaled = {name: value * (1 + 2 / log_n) for name, value in true.items()}
    (axes,) = figures.constants(log_n, scaled, true, printed).axes
    curves = [line for line in axes.lines if len(line.get_xdata()) == 3]
    for curve in curves:
        np.testing.assert_allclose(curve.get_xdata(), 1 / log_n)
        np.testing.assert_allclose(curve.get_ydata(), 1 + 2 / log_n)
    crosses = [line.get_xydata()[0].tolist() for line in axes.lines if line.get_marker() == "x"]
    assert crosses == [[0.0, 0.25], [0.0, 0.5]]
    (diamond,) = [line.get_xydata()[0].tolist() for line in axes.lines if line.get_marker() == "D"]
    assert diamond == [0.0, 1.0] and axes.xaxis_inverted()
    ticks = dict(zip([text.get_text() for text in axes.get_xticklabels()], axes.get_xticks(), strict=True))
    assert ticks["$10^{20}$"] == pytest.approx(1 / (20 * np.log(10))) and ticks["∞"] == 0
    assert {text.get_text() for text in axes.texts} == {"a", "b"}


def test_the_late_change_is_marked_where_the_curve_changes_its_sign():
    log_n = np.log(10) * np.array([2.0, 10.0, 50.0, 100.0])
    gaps = np.array([-0.6, -0.4, -0.1, 0.3])
    (axes,) = figures.late(log_n, gaps, 62.0, 5.0).axes
    (curve,) = [line for line in axes.lines if len(line.get_xdata()) == 4]
    np.testing.assert_allclose(curve.get_xydata(), np.transpose([[2, 10, 50, 100], gaps]))
    (dot,) = [line.get_xydata()[0].tolist() for line in axes.lines if line.get_marker() == "o"]
    assert dot == [62.0, 0.0]
    below, above = (each.get_paths()[0].get_extents() for each in reversed(axes.collections))
    assert below.y1 <= 0 <= above.y0 and above.x1 == pytest.approx(100)
    assert 5.0 in [line.get_xdata()[0] for line in axes.lines if line.get_linestyle() == "--"]
    assert "$10^{62}$ " in {text.get_text() for text in axes.texts}
