"""The figures on the Zipfian question: what they draw is what they were given."""

import numpy as np
import pytest

from ndcg_companion.chapter.figures import the_zipfian_question as figures

EXPONENTS = np.array([2.0, 8.0, 64.0])
LINES = {"tie": (EXPONENTS, np.full(3, 0.62)), "apart": (EXPONENTS, np.array([0.4, 0.8, 1.0]))}
SHARES = (np.array([2.0, 4.0]), np.array([0.6, 0.63]), np.array([0.5, 0.6]), np.array([0.7, 0.66]))


def texts(axes):
    return {text.get_text() for text in axes.texts}


def test_the_outlook_is_drawn_over_exponents_that_double():
    (axes,) = figures.outlook(LINES, {"tie": SHARES}).axes
    tie, apart, dots = axes.lines[1:]
    np.testing.assert_allclose(tie.get_xdata(), EXPONENTS)
    np.testing.assert_allclose(apart.get_ydata(), LINES["apart"][1])
    np.testing.assert_allclose(dots.get_ydata(), SHARES[1])
    bars = [np.array(bar)[:, 1] for bar in axes.collections[0].get_segments()]
    np.testing.assert_allclose(bars, np.transpose(SHARES[2:]))
    assert dots.get_color() == tie.get_color() != apart.get_color()
    to_axes = (axes.transData + axes.transAxes.inverted()).transform
    places = [to_axes((exponent, 0.5))[0] for exponent in (4, 8, 16, 32)]
    np.testing.assert_allclose(np.diff(places), np.diff(places)[0])
    assert axes.get_xlim()[1] == 64.0 and texts(axes) == {"tie", "apart"}


def test_a_second_coupling_has_squares_beside_the_dots():
    (axes,) = figures.outlook(LINES, {"tie": SHARES}, {"tie": SHARES}).axes
    dots, squares = axes.lines[-2:]
    assert (dots.get_marker(), squares.get_marker()) == ("o", "s")
    assert (squares.get_xdata() > dots.get_xdata()).all()
    np.testing.assert_allclose(squares.get_ydata(), SHARES[1])


def test_an_outlook_without_a_theory_shows_the_lists():
    (axes,) = figures.outlook({}, {"yours": SHARES}).axes
    np.testing.assert_allclose(axes.lines[-1].get_ydata(), SHARES[1])
    assert texts(axes) == set() and axes.get_xlim()[1] == 4.0


def test_slow_failure_has_the_chance_above_and_its_power_below():
    curves = {
        "wide": (EXPONENTS, np.array([-0.5, -2.0, -90.0]), np.array([0.1, 1.0, 5e4])),
        "near": (EXPONENTS, np.array([-0.3, -0.4, -0.9]), np.array([1e-3, 0.1, 0.2])),
    }
    upper, lower = figures.slow_failure(curves, 10.0).axes
    assert [line.get_ydata().tolist() for line in upper.lines] == [
        curves[name][1].tolist() for name in curves
    ]
    drawn = [line for line in lower.lines if len(line.get_xdata()) == 3]
    assert [line.get_ydata().tolist() for line in drawn] == [curves[name][2].tolist() for name in curves]
    for axes in (upper, lower):
        (beyond,) = axes.patches
        assert beyond.get_x() == 10.0 and beyond.get_x() + beyond.get_width() == pytest.approx(64.0)
    assert texts(lower) == {"wide", "near"}
    heights = {text.get_text(): text.xy[1] for text in lower.texts}
    assert heights["near"] < heights["wide"] <= 1.0  # also where the curve has left the picture
    assert upper.yaxis.get_major_formatter()(-6, None) == "$10^{-6}$"


def test_the_price_grows_to_the_right():
    differences = np.array([0.4, 0.2, 0.1])
    needed = {"Zipf": np.array([2.0, 4.0, 8.0]), "log": np.array([2.0, 2.6, 3.2])}
    (axes,) = figures.price(differences, needed).axes
    zipf, logarithm = axes.lines
    np.testing.assert_allclose(zipf.get_ydata(), needed["Zipf"])
    np.testing.assert_allclose(logarithm.get_xdata(), differences)
    left, right = axes.get_xlim()
    assert left > 0.4 > 0.1 > right
    assert [label.get_text() for label in axes.get_xticklabels()] == ["0.4", "0.2", "0.1"]
    assert texts(axes) == {"Zipf", "log"}
