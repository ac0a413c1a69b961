"""The figures on cut-offs that cannot see: what they draw is what they were given."""

import numpy as np
import pytest
from matplotlib.colors import to_hex
from scipy.stats import norm

from ndcg_companion.chapter.figures import cutoffs_that_cannot_see as figures
from ndcg_companion.chapter.style import PALETTE

DEPTHS = np.linspace(0.0, 1.0, 11)
CURVES = [0.7 - 0.4 * DEPTHS + sign * 0.1 * (DEPTHS == 0.5) for sign in (1, -1)]
SHARES = np.array([0.1, 0.5, 1.0])
LINES = {100: (SHARES, np.array([0.5, 0.7, 0.6])), 10_000: (SHARES, np.array([0.5, 1.0, 0.9]))}
SEEN = (SHARES, np.array([0.49, 0.99, 0.91]), np.array([0.4, 0.9, 0.8]), np.array([0.6, 1.0, 0.95]))


def texts(axes):
    return {text.get_text() for text in axes.texts}


def test_what_is_seen_stands_below_what_there_is():
    above, below = figures.seen(DEPTHS, CURVES, 0.3, LINES, SEEN, SEEN).axes
    for line, curve in zip(above.lines, CURVES, strict=True):
        np.testing.assert_allclose(line.get_xydata(), np.transpose([DEPTHS, curve]))
    assert [to_hex(line.get_color()) for line in above.lines] == list(PALETTE[:2])
    assert texts(above) == {"first ranker", "second ranker"}
    assert above.get_shared_x_axes().joined(above, below)
    for axes in (above, below):
        (shade,) = axes.patches
        assert (shade.get_x(), shade.get_width()) == (0.0, pytest.approx(0.3))
    first, second, dots, squares = below.lines
    np.testing.assert_allclose(first.get_xydata(), np.transpose(LINES[100]))
    np.testing.assert_allclose(second.get_xydata(), np.transpose(LINES[10_000]))
    assert (dots.get_marker(), squares.get_marker()) == ("o", "s")
    for marks, bars in zip((dots, squares), below.collections, strict=True):
        np.testing.assert_allclose(marks.get_ydata(), SEEN[1])
        ends = np.array(bars.get_segments())
        np.testing.assert_allclose(ends[:, :, 1], np.transpose(SEEN[2:]))
        np.testing.assert_allclose(ends[:, 0, 0], marks.get_xdata())
    assert (dots.get_xdata() < SHARES).all() and (squares.get_xdata() > SHARES).all()
    assert squares.get_xdata().max() < below.get_xlim()[1]
    assert {"100\nitems", "10,000\nitems", "a fair coin"} == texts(below)


def test_the_higher_curve_has_its_name_above_it():
    above, _ = figures.seen(DEPTHS, CURVES[::-1], 0.3, LINES, SEEN, SEEN).axes
    sides = {text.get_text(): text.get_verticalalignment() for text in above.texts}
    assert sides == {"first ranker": "top", "second ranker": "bottom"}


def test_failures_are_powers_of_ten_and_a_line_that_leaves_is_named_where_it_does():
    exponents = np.array([2.0, 6.0, 10.0])
    lines = {
        "short": (exponents, np.array([-1.0, -2.0, -3.0])),
        "long": (exponents, np.array([-3.0, -20.0, -50.0])),
    }
    band = np.array([-2.0, -4.0, -6.0]), np.array([0.2, -1.0, -2.0])
    (axes,) = figures.failures(lines, {"short": band}).axes
    for line, (_, values) in zip(axes.lines, lines.values(), strict=True):
        np.testing.assert_allclose(line.get_xydata(), np.transpose([exponents, values]))
    assert axes.get_xlim() == (2.0, 10.0) and axes.get_ylim()[0] == -30.0
    corners = axes.collections[0].get_paths()[0].vertices
    assert corners[:, 1].min() == -6.0 and corners[:, 1].max() == 0.0  # no probability above 1
    assert (
        axes.xaxis.get_major_formatter()(6, None) == "$10^{6}$" == axes.yaxis.get_major_formatter()(6, None)
    )
    (left,) = [text for text in axes.texts if text.get_text() == "long"]
    np.testing.assert_allclose(
        left.xy, (6.0 + 4.0 * 7.0 / 30.0, -27.0)
    )  # on the line, a tenth above the edge
    assert texts(axes) == {"short", "long"}


def test_failures_within_the_picture_are_named_at_their_ends():
    exponents = np.array([2.0, 8.0])
    lines = {"one": (exponents, np.array([-1.0, -4.0])), "other": (exponents, np.array([-2.0, -9.0]))}
    (axes,) = figures.failures(lines, {}).axes
    assert axes.get_ylim()[0] == -9.0
    assert {text.xy[0] for text in axes.texts} == {1} and texts(axes) == {"one", "other"}


def test_the_border_is_where_it_was_said_to_be():
    sizes = np.tile(np.linspace(2.0, 12.0, 6), (8, 1))
    cutoffs = np.linspace(0.1, 1.0, 8)[:, None] * sizes
    scores = 10 ** (1.5 * cutoffs - sizes)  # 1 at k = n^(2/3)
    (axes,) = figures.border(sizes, cutoffs, scores, 2 / 3, 0.4).axes
    full, dashed = axes.lines
    np.testing.assert_allclose(full.get_xydata(), np.transpose([sizes[0], sizes[0]]))
    np.testing.assert_allclose(dashed.get_ydata(), 0.4 + np.array([2.0, 12.0]) * 2 / 3)
    assert dashed.get_linestyle() == "--"
    places = {text.get_text(): text.get_position() for text in axes.texts}
    for level in (55, 75, 95):
        n, k = places[f"{level} %"]
        assert k == pytest.approx((n + np.log10(norm.ppf(level / 100))) / 1.5, abs=1e-9)
    assert axes.get_xlim() == (2.0, 12.0) and axes.get_ylim() == (0.0, 12.0)


def test_every_level_is_shaded():
    sizes = np.tile(np.array([2.0, 4.0, 6.0, 8.0]), (4, 1))
    cutoffs = np.linspace(0.25, 1.0, 4)[:, None] * sizes
    (axes,) = figures.border(sizes, cutoffs, 10 ** (1.5 * cutoffs - sizes), 2 / 3, 0.0).axes
    drawn = {to_hex(colour) for each in axes.collections for colour in each.get_facecolor()}
    assert {"#ffffff", "#dbe7f9", "#adc8f1", "#6f9fe4", PALETTE[0]} == drawn
