"""The figures on theorem 7: what they draw is what they were given, and their labels can be told apart."""

import numpy as np
import pytest

from claimbook.style import GREY, PALETTE
from ndcg_companion.book.axes import RANKINGS
from ndcg_companion.book.figures import polynomial_discounts_keep_the_difference as figures

LENGTHS = np.array([1e2, 1e6, 1e10])
SIZES = np.array([1e2, 1e4])
LIMITS = {"by score": 0.8, "random": 0.6, "upside down": 0.4}
EXPECTED = {name: value + value / np.sqrt(LENGTHS) for name, value in LIMITS.items()}
OBSERVED = {name: value + 0.5 / np.sqrt(SIZES) for name, value in LIMITS.items()}
MARGINS = {name: np.array([0.03, 0.01]) for name in LIMITS}
BETAS = np.linspace(0.0, 1.0, 11)


def settling():
    return figures.settling(LENGTHS, EXPECTED, LIMITS, SIZES, OBSERVED, MARGINS)


def closing_in(**changes):
    predicted = {name: value / np.sqrt(LENGTHS) for name, value in LIMITS.items()}
    return figures.closing_in(LENGTHS, EXPECTED | changes, LIMITS, predicted, 1 / np.sqrt(LENGTHS))


def lines(axes, colour, style="-", marker="None"):
    return [
        x
        for x in axes.lines
        if x.get_color() == colour and x.get_linestyle() == style and x.get_marker() == marker
    ]


def test_rankings_run_into_their_limits():
    (axes,) = settling().axes
    for name in LIMITS:
        colour = RANKINGS[name]
        (expectation,) = lines(axes, colour)
        np.testing.assert_array_equal(expectation.get_ydata(), EXPECTED[name])
        (level,) = lines(axes, colour, ":")
        assert level.get_ydata()[0] == LIMITS[name]
    assert axes.get_xscale() == "log" and axes.get_yscale() == "linear"


def test_distances_lie_on_the_lines_that_predict_them():
    (axes,) = closing_in().axes
    for name in LIMITS:
        (prediction,) = lines(axes, RANKINGS[name])
        (dots,) = lines(axes, RANKINGS[name], "None", "o")
        np.testing.assert_allclose(dots.get_ydata(), prediction.get_ydata())
    assert axes.get_xscale() == axes.get_yscale() == "log"
    (bound,) = lines(axes, GREY, "--")
    np.testing.assert_allclose(bound.get_ydata(), [0.1, 1e-3, 1e-5])


def test_simulated_values_have_intervals():
    (axes,) = settling().axes
    drawn = [container for container in axes.containers]
    for (dots, _, bars), name in zip(drawn, LIMITS, strict=True):
        np.testing.assert_array_equal(dots.get_ydata(), OBSERVED[name])
        ends = np.array([segment[:, 1] for segment in bars[0].get_segments()])
        np.testing.assert_allclose(np.diff(ends)[:, 0], 2 * MARGINS[name])


def test_distances_below_the_limit_are_drawn_without_their_sign():
    (axes,) = closing_in(random=0.6 - 0.6 / np.sqrt(LENGTHS)).axes
    (dots,) = lines(axes, RANKINGS["random"], "None", "o")
    np.testing.assert_allclose(dots.get_ydata(), 0.6 / np.sqrt(LENGTHS))


def test_the_fan_has_a_tangent_and_names_that_do_not_overlap():
    names = {"a": 1.0 - BETAS / 2, "b": 1.0 - BETAS / 2, "this page": 1.0 - 0.5 * BETAS + 0.1 * BETAS**2}
    (axes,) = figures.fan(BETAS, names, "this page", -0.5).axes
    (tangent,) = lines(axes, PALETTE[6], "--")
    np.testing.assert_allclose(tangent.get_ydata(), 1.0 - 0.5 * tangent.get_xdata())
    (strongest,) = [line for line in axes.lines if line.get_linewidth() > 2]
    np.testing.assert_array_equal(strongest.get_ydata(), names["this page"])
    axes.figure.canvas.draw()
    boxes = sorted((text.get_window_extent() for text in axes.texts), key=lambda box: box.y0)
    assert len(boxes) == 3 and all(low.y1 <= high.y0 + 1 for low, high in zip(boxes, boxes[1:]))
    titles = [axes._left_title.get_window_extent(), axes._right_title.get_window_extent()]
    assert titles[0].x1 < titles[1].x0


@pytest.mark.parametrize("flat", [False, True])
def test_contours_run_where_the_limit_has_their_value(flat):
    kept = np.linspace(-1.0, 1.0, 5)
    values = np.full((5, 11), 0.33) if flat else np.tile(1.0 - 0.7 * BETAS, (5, 1))
    (axes,) = figures.signal(BETAS, kept, values).axes
    contours = [each for each in axes.collections if each.get_linewidth()[0] == 0.7]
    assert len(contours) == (0 if flat else 1)
    for drawn in contours:
        for level, path in zip(drawn.levels, drawn.get_paths(), strict=True):
            np.testing.assert_allclose(1.0 - 0.7 * path.vertices[:, 0], level, atol=1e-9)


def test_rounding_errors_of_a_faultless_ranking_make_no_contour():
    values = np.outer(np.linspace(0.0, 1.0, 5), BETAS) + 1.0 - BETAS
    values[-1, ::2] += 1e-15
    (axes,) = figures.signal(BETAS, np.linspace(-1.0, 1.0, 5), values).axes
    (contours,) = [each for each in axes.collections if each.get_linewidth()[0] == 0.7]
    assert 0.9 < contours.levels.max() < 0.99


def test_the_lowest_name_keeps_clear_of_the_first_exponent():
    (axes,) = figures.signal(BETAS, np.linspace(-1.0, 1.0, 5), np.tile(1.0 - 0.7 * BETAS, (5, 1))).axes
    axes.figure.canvas.draw()
    name, number = axes.get_yticklabels()[-1], axes.get_xticklabels()[0]
    assert name.get_text() == "upside down"
    assert not name.get_window_extent().overlaps(number.get_window_extent())


def test_constants_of_all_lengths_are_in_the_picture():
    zetas = -0.5 - 0.5 * BETAS
    measured = {10**2: (BETAS, zetas + 0.7), 10**8: (BETAS, zetas + 0.01)}
    (axes,) = figures.constants(BETAS, zetas, measured).axes
    names = [text.get_text() for text in axes.get_legend().get_texts()]
    assert names == ["$10^{2}$ items", "$10^{8}$ items"]
    dots = [line for line in axes.lines if line.get_marker() in ("v", "s")]
    for line, (_, found) in zip(dots, measured.values(), strict=True):
        np.testing.assert_array_equal(line.get_ydata(), found)
    assert axes.get_ylim()[1] > 0.2


def test_histograms_are_densities_of_all_values():
    places = np.linspace(-1.0, 1.0, 201)
    values = np.linspace(-1.0, 3.0, 1_000)  # half of them outside of the picture
    upper, lower = figures.two_noises(
        values, places, places, places, np.linspace(-4.5, 4.5, 1_000), ("a", "b")
    ).axes
    for axes, inside in ((upper, 0.5), (lower, 1.0)):
        area = sum(bar.get_width() * bar.get_height() for bar in axes.patches)
        assert area == pytest.approx(inside, abs=0.002)
    assert lines(upper, PALETTE[0]) and lines(upper, GREY, "--")
    (bell,) = lines(lower, PALETTE[1])
    assert np.trapezoid(bell.get_ydata(), bell.get_xdata()) == pytest.approx(1.0, abs=1e-4)


def test_lists_part_for_two_levels():
    sizes = np.array([1e2, 1e3, 1e4])
    kinds = {"rich": [np.full(3, 0.8), np.full(3, 0.79)], "poor": [np.full(3, 0.5)]}
    restless = np.array([[0.1, 0.9, 0.4], [0.2, 0.3, 0.8]])
    upper, lower = figures.broken(sizes, kinds, {"rich": 0.8, "poor": 0.5}, 0.66, restless, ("a", "b")).axes
    assert [line.get_ydata()[-1] for line in upper.lines] == [0.8, 0.79, 0.5, 0.66]
    np.testing.assert_array_equal([line.get_ydata() for line in lower.lines], restless)
    assert {text.get_text() for text in upper.texts} == {"rich", "poor", "theorem 7"}


def test_the_alternative_texts_have_the_numbers_that_are_drawn():
    alt = settling().alt
    assert alt.endswith("dotted lines at 0.800 (by score), 0.600 (random), 0.400 (upside down).")
    alt = closing_in().alt
    assert "at 8e-06 (by score), at 6e-06 (random), at 4e-06 (upside down) for the longest lists" in alt
    lines = {"a": 1.0 - BETAS / 2, "this page": 1.0 - BETAS / 4}
    alt = figures.fan(BETAS, lines, "this page", -0.25).alt
    assert alt.endswith("they are at 0.50 (a), 0.75 (this page).")
    measured = {100: (BETAS[1:3], -0.5 - BETAS[1:3] / 2 + 0.03)}
    alt = figures.constants(BETAS, -0.5 - BETAS / 2, measured).alt
    assert "from −0.5 at β = 0 to −1.0 at β = 1" in alt and "those for 100 items within 0.03 of it." in alt
