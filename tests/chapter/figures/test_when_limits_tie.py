"""The figures on theorem 8: what they draw is what they were given."""

import numpy as np
import pytest
from matplotlib.colors import to_hex

from ndcg_companion.chapter.figures import when_limits_tie as figures

LENGTHS = [100, 10_000, 10**12]
LINES = {"flat": (LENGTHS, np.array([0.38, 0.39, 0.4])), "steep": (LENGTHS, np.array([0.4, 0.8, 1.0]))}
SHARES = ([100, 10_000], np.array([0.37, 0.41]), np.array([0.3, 0.35]), np.array([0.45, 0.5]))


def texts(axes):
    return {text.get_text() for text in axes.texts}


def fill(axes, colour):
    """Vertices of the one shaded area of this colour."""
    (area,) = [each for each in axes.collections if to_hex(each.get_facecolor()[0]) == colour]
    return area.get_paths()[0].vertices


def test_chances_are_drawn_over_the_exponent_of_the_length():
    (axes,) = figures.chances(LINES, {"flat": SHARES}).axes
    line, other, dots = axes.lines
    np.testing.assert_allclose(line.get_xdata(), [2, 4, 12])
    np.testing.assert_allclose(other.get_ydata(), LINES["steep"][1])
    np.testing.assert_allclose(dots.get_xdata(), [2, 4])
    np.testing.assert_allclose(dots.get_ydata(), SHARES[1])
    bars = [np.array(bar)[:, 1] for bar in axes.collections[0].get_segments()]
    np.testing.assert_allclose(bars, np.transpose(SHARES[2:]))
    assert dots.get_color() == line.get_color() != other.get_color()
    assert axes.xaxis.get_major_formatter()(6, None) == "$10^{6}$"
    assert texts(axes) == {"flat", "steep"}


def test_a_second_coupling_has_squares_beside_the_dots():
    (axes,) = figures.chances(LINES, {"flat": SHARES}, {"flat": SHARES}).axes
    dots, squares = axes.lines[2:]
    assert (dots.get_marker(), squares.get_marker()) == ("o", "s")
    assert (squares.get_xdata() > dots.get_xdata()).all()
    np.testing.assert_allclose(squares.get_ydata(), SHARES[1])


def test_the_race_shades_who_is_ahead():
    sizes, gap = np.array([100, 1_000, 10_000]), np.array([2.0, -1.0, 3.0])
    upper, lower = figures.race(sizes, {"one": -np.ones(3), "other": gap}).axes
    assert upper.get_title(loc="left") == "one" and lower.get_title(loc="left") == "other"
    assert fill(lower, figures.FIRST)[:, 1].max() == 3.0 and fill(lower, figures.FIRST)[:, 1].min() == 0.0
    assert fill(lower, figures.SECOND)[:, 1].min() == -1.0
    assert fill(upper, figures.FIRST)[:, 1].max() == 0.0


@pytest.mark.parametrize("panels", [1, 3])
def test_the_race_has_a_panel_for_every_discount(panels):
    sizes = np.array([100, 1_000])
    figure = figures.race(sizes, {str(panel): np.array([1.0, -1.0]) for panel in range(panels)})
    assert len(figure.axes) == panels


def test_the_law_is_split_at_zero_and_says_how_much_is_on_either_side():
    edges = np.linspace(-2.0, 1.0, 61)
    density = np.full(60, 1.0 / 3.0)
    samples = {"additive": np.linspace(-2, 1, 500), "label-first": np.linspace(-1, 1, 500)}
    (axes,) = figures.law_of_the_gap(edges, density, 1.0 / 3.0, samples).axes
    assert fill(axes, figures.FIRST)[:, 0].min() == 0.0 and fill(axes, figures.SECOND)[:, 0].max() == 0.0
    assert {"second ahead\n0.667", "first ahead\n0.333", "additive", "label-first"} == texts(axes)
    np.testing.assert_allclose(axes.lines[0].get_ydata(), density)
    heights = [patch.get_xy()[:, 1] for patch in axes.patches]
    assert len(heights) == 2 and heights[0].max() == pytest.approx(1 / 3, rel=0.05)
    assert heights[1].max() == pytest.approx(1 / 2, rel=0.05)


def test_exponents_mark_where_the_printed_theorem_speaks():
    betas, chance = np.array([0.1, 0.5, 0.9]), np.array([0.5, 0.5, 0.36])
    finite = {"1,000 items": (betas, np.array([0.48, 0.43, 0.35]))}
    (axes,) = figures.exponents(betas, chance, finite).axes
    (shade,) = axes.patches
    assert shade.get_x() == pytest.approx(2 / 3) and shade.get_x() + shade.get_width() == pytest.approx(1.0)
    drawn = [line.get_ydata() for line in axes.lines[1:]]
    np.testing.assert_allclose(drawn, [finite["1,000 items"][1], chance])
    assert axes.get_ylim()[0] < 0.35 and {"endless", "1,000 items"} < texts(axes)
