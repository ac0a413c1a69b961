"""The figures on the Zipfian question: what they draw and say is what they were given."""

import numpy as np
from matplotlib.colors import to_hex

from ndcg_companion.book.figures import the_zipfian_question as figures

EXPONENTS = np.array([2.0, 8.0, 64.0])
LINES = {"tie": (EXPONENTS, np.full(3, 0.62)), "apart": (EXPONENTS, np.array([0.4, 0.8, 1.0]))}
SHARES = (np.array([2.0, 4.0]), np.array([0.6, 0.63]), np.array([0.5, 0.6]), np.array([0.7, 0.66]))
CURVES = {
    "wide": (EXPONENTS, np.array([-0.5, -2.0, -90.0])),
    "near": (EXPONENTS, np.array([-0.3, -0.4, -0.9])),
}
GAP = np.array([2.0, -1.0, 3.0])


def fill(axes, colour):
    """Heights of the one shaded area of this colour."""
    (area,) = [patch for patch in axes.collections if to_hex(patch.get_facecolor()[0]) == colour]
    return area.get_paths()[0].vertices[:, 1]


def test_the_race_shades_who_is_ahead_and_counts_how_often_that_changes():
    figure = figures.race(np.array([100, 1_000, 10_000]), {"$r^{-1}$": -np.ones(3), "other": GAP})
    upper, lower = figure.axes
    assert (fill(lower, figures.FIRST).min(), fill(lower, figures.FIRST).max()) == (0.0, 3.0)
    assert fill(lower, figures.SECOND).min() == -1.0 and fill(upper, figures.FIRST).max() == 0.0
    assert figure.alt == (
        "2 panels of the difference h at 3 list lengths from 100 to 10,000; under r^(-1) the lead changes 0 "
        "times and h ends at -1.00; under other the lead changes 2 times and h ends at 3.00."
    )


def test_ahead_by_length_is_drawn_over_exponents_that_double():
    (axes,) = figures.ahead_by_length(LINES, {"tie": SHARES}, {"tie": SHARES}).axes
    tie, apart, dots, squares = axes.lines[1:]
    np.testing.assert_allclose(tie.get_xdata(), EXPONENTS)
    np.testing.assert_allclose(apart.get_ydata(), LINES["apart"][1])
    np.testing.assert_allclose(dots.get_ydata(), SHARES[1])
    assert (squares.get_xdata() > dots.get_xdata()).all()
    to_axes = (axes.transData + axes.transAxes.inverted()).transform
    places = [to_axes((exponent, 0.5))[0] for exponent in (4, 8, 16, 32)]
    np.testing.assert_allclose(np.diff(places), np.diff(places)[0])


def test_ahead_by_length_is_described():
    assert figures.ahead_by_length(LINES, {"tie": SHARES}).alt == (
        "Probability that the first ranker is ahead: tie from 0.62 at 10^2 items to 0.62 at 10^64; apart "
        "from 0.40 at 10^2 items to 1.00 at 10^64. Simulated: tie 0.60, 0.63 on lists of up to 10^4 items."
    )


def test_ahead_by_length_without_a_theory_shows_the_lists():
    figure = figures.ahead_by_length({}, {"yours": SHARES})
    (axes,) = figure.axes
    np.testing.assert_allclose(axes.lines[-1].get_ydata(), SHARES[1])
    assert axes.get_xlim()[1] == 4.0 and not axes.texts
    assert figure.alt.startswith("Simulated: yours 0.60, 0.63")


def test_slow_failure_has_every_chance_beside_one_over_n():
    figure = figures.slow_failure(CURVES, 10.0)
    (axes,) = figure.axes
    reference, *drawn = axes.lines
    np.testing.assert_array_equal(reference.get_ydata(), -reference.get_xdata())
    for line, (exponents, chances) in zip(drawn, CURVES.values(), strict=True):
        np.testing.assert_array_equal(line.get_xdata(), exponents)
        np.testing.assert_array_equal(line.get_ydata(), chances)
    (beyond,) = axes.patches
    assert (beyond.get_x(), beyond.get_x() + beyond.get_width()) == (10.0, 64.0)
    heights = {text.get_text(): text.xy[1] for text in axes.texts if text.get_text() in CURVES}
    assert heights["near"] == -0.9 and -12.0 < heights["wide"] < -2.0  # where the curve leaves the picture


def test_slow_failure_tells_the_chances_on_the_longest_lists():
    between = -2.0 - 88.0 * 2.0 / 56.0  # of "wide" at 10, on the straight line from 8 to 64
    assert figures.slow_failure(CURVES, 10.0).alt.endswith(
        f"at 10^10 items it is 10^{between:.1f} (wide), 10^-0.4 (near)."
    )


def test_the_price_grows_to_the_right():
    differences = np.array([0.4, 0.2, 0.1])
    needed = {"Zipf": np.array([2.0, 4.0, 8.0]), "log": np.array([2.0, 2.6, 3.2])}
    figure = figures.price(differences, needed)
    (axes,) = figure.axes
    zipf, logarithm = axes.lines
    np.testing.assert_allclose(zipf.get_ydata(), needed["Zipf"])
    np.testing.assert_allclose(logarithm.get_xdata(), differences)
    left, right = axes.get_xlim()
    assert left > 0.4 > 0.1 > right
    assert figure.alt.endswith("which end at 10^8.0 (Zipf) and 10^3.2 (log) items for δ = 0.1.")
