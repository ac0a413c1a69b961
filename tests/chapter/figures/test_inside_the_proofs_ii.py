"""The figures inside the last proofs: they draw what they were given, and labels can be told apart."""

import numpy as np

from claimbook.style import PALETTE
from ndcg_companion.book.figures import inside_the_proofs_ii as figures

SIZES = 10.0 ** np.arange(2, 16)


def labels_of(axes):
    axes.figure.canvas.draw()
    return {text.get_text(): text.get_window_extent() for text in axes.texts}


def drawn(axes, colour, dashed=False):
    (found,) = [
        line
        for line in axes.lines
        if line.get_color() == colour
        and line.get_marker() == "None"
        and (line.get_linestyle() == "--") == dashed
    ]
    return found.get_xdata(), found.get_ydata()


def test_projections_lie_over_their_target():
    depths, target = np.geomspace(0.01, 1, 50), np.linspace(0.4, -0.2, 50)
    near = {1: target + 0.1, 12: target - 0.05}
    figure = figures.projections(depths, target, near, {1: 0.314, 12: 1e-7})
    (axes,) = figure.axes
    np.testing.assert_array_equal(drawn(axes, "black")[1], target)
    np.testing.assert_array_equal(drawn(axes, PALETTE[0])[1], target + 0.1)
    assert set(labels_of(axes)) == {"power 1", "power 12"}
    assert figure.alt.startswith(
        "On a logarithmic depth axis from 0.01 to 1, a thick line between −0.20 and 0.40,"
    )
    assert figure.alt.endswith("power 1 leaves 31 %, 12 leaves less than a thousandth of a per cent.")


def test_a_wild_approximation_does_not_squeeze_the_target():
    depths, target = np.geomspace(0.01, 1, 50), np.linspace(0.4, -0.2, 50)
    (axes,) = figures.projections(depths, target, {1: 100 * target}, {1: 0.5}).axes
    low, high = axes.get_ylim()
    assert low < target.min() and target.max() < high < 1


def test_errors_below_the_axis_are_left_out_and_named_where_they_leave():
    lines = {"fast": 0.1 ** np.arange(9.0), "slow": np.full(9, 0.5)}
    figure = figures.errors(lines, "power")
    (axes,) = figure.axes
    places, values = drawn(axes, PALETTE[0])
    np.testing.assert_allclose(values, lines["fast"][: len(values)])
    assert 4 <= len(places) < 6
    np.testing.assert_array_equal(drawn(axes, PALETTE[1])[1], lines["slow"])
    boxes, frame = labels_of(axes), axes.get_window_extent()
    assert set(boxes) == {"fast", "slow"}
    assert boxes["fast"].x1 < frame.x1 < boxes["slow"].x0
    assert figure.alt.endswith(
        "where the power is 8, are left less than a thousandth of a per cent (fast), 50 % (slow)."
    )


def test_errors_that_hardly_fall_have_a_linear_axis():
    figure = figures.errors({"blind": np.ones(5)}, "powers", scale="linear")
    low, high = figure.axes[0].get_ylim()
    assert low == 0 and high > 1
    assert figure.alt.endswith("are left 1.000 (blind).")


def test_integrals_run_into_the_diamond():
    log_n = np.log(10) * np.array([3.0, 10.0, 100.0])
    shares = {"k = 0": 1 + 1 / log_n, "k = 1": 1 + 4 / log_n}
    (axes,) = figures.integral_shares(log_n, shares).axes
    places, values = drawn(axes, PALETTE[1])
    np.testing.assert_allclose(places, 1 / log_n)
    np.testing.assert_allclose(values, shares["k = 1"])
    assert axes.figure.alt.endswith("At 1,000 items they stand at 1.14 (k = 0), 1.58 (k = 1).")


def tolerance_axes():
    promised = {"first": SIZES ** (-1 / 3), "border": SIZES ** (-3 / 8), "last": 1 / SIZES}
    seen = (SIZES[:2], np.array([0.5, 0.25]))
    (axes,) = figures.tolerances(SIZES, promised, SIZES**-0.5, 9 * SIZES ** (-3 / 8), seen).axes
    return axes


def test_the_border_is_level():
    axes = tolerance_axes()
    np.testing.assert_allclose(drawn(axes, PALETTE[1])[1], 1.0)
    np.testing.assert_allclose(drawn(axes, PALETTE[0])[1], SIZES ** (1 / 24))
    np.testing.assert_allclose(drawn(axes, "black", dashed=True)[1], 9.0)
    np.testing.assert_allclose(drawn(axes, "black")[1], SIZES ** (-1 / 8))
    assert (
        "first rises, border is level, last falls. The thick line goes from 0.56 to 0.01," in axes.figure.alt
    )
    assert axes.figure.alt.endswith("the dashed one from 9 to 9.")
    (dots,) = [line for line in axes.lines if line.get_marker() == "o"]
    np.testing.assert_allclose(dots.get_ydata(), np.array([0.5, 0.25]) * SIZES[:2] ** (3 / 8))


def test_a_tolerance_that_leaves_the_picture_is_named_where_it_does():
    boxes = labels_of(tolerance_axes())
    assert set(boxes) == {"first", "border", "last", "needed", "proved"}
    inside = tolerance_axes().get_window_extent()
    assert boxes["last"].x0 < inside.x1 < boxes["first"].x0
