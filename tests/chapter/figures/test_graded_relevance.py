"""The figures on graded labels: what they draw is what they were given."""

import numpy as np
import pytest

from ndcg_companion.book.figures import graded_relevance as figures

DEPTHS = np.linspace(0, 1, 5)
LAYERS = np.array([1 - DEPTHS, (1 - DEPTHS) ** 2])
SIZES = np.array([1e3, 1e6, 1e9])


def test_layers_are_stacked_under_the_staircase_of_the_ideal_list():
    axes = figures.stack(DEPTHS, LAYERS, np.array([1.0, 2.0]), np.array([0.5, 1 / 3])).axes[0]
    (mean,), (staircase,) = axes.lines, axes.patches
    np.testing.assert_allclose(mean.get_ydata(), LAYERS[0] + 2 * LAYERS[1])
    heights, edges, _ = staircase.get_data()
    assert list(heights) == [3, 1, 0]
    np.testing.assert_allclose(edges, [0, 1 / 3, 1 / 2, 1])
    # The area under the staircase is the mean label of the items: 1 * 1/2 + 2 * 1/3.
    assert heights @ np.diff(edges) == pytest.approx(1 / 2 + 2 / 3)
    lower, upper = (band.get_paths()[0].vertices for band in axes.collections)
    assert upper[:, 1].max() == 3 and lower[:, 1].max() == 1


def test_every_layer_and_the_graded_measure_are_named():
    totals = [LAYERS.mean(axis=0), LAYERS[1]]
    figure = figures.layers_by_exponent(DEPTHS, LAYERS, totals, ("linear", "exponential"))
    for axes, total in zip(figure.axes, totals, strict=True):
        np.testing.assert_array_equal([line.get_ydata() for line in axes.lines], [*LAYERS, total])
        assert [text.get_text() for text in axes.texts] == ["layer ≥ 1", "layer ≥ 2", "graded"]


def test_lists_stand_on_their_sizes_and_distances_below():
    limits = {"14": 0.9, "15": 0.8, "16": 0.7, "17": 0.6}
    expected = {number: value + 1 / np.log(SIZES) for number, value in limits.items()}
    expected["15"] = np.full(3, 0.8)  # at its limit: nothing to show on a logarithmic axis
    dots, seen = SIZES[:2], {number: values[:2] for number, values in expected.items()}
    figure = figures.approach(
        SIZES, expected, limits, dots, seen, {number: [0.01, 0.02] for number in limits}
    )
    upper, lower = figure.axes
    for number, colour in figures.SETTINGS.items():
        drawn = [line for line in lower.lines if line.get_color() == colour]
        if number == "15":
            assert not drawn
        else:
            np.testing.assert_allclose(drawn[0].get_ydata(), 1 / np.log(SIZES))
    bars = [container.lines[2][0].get_segments() for container in upper.containers]
    assert [segment[1][1] - segment[0][1] for segment in bars[0]] == pytest.approx([0.02, 0.04])
    assert {text.get_text() for text in upper.texts} == {f"theorem {number}" for number in limits}


def test_the_rare_grade_fills_the_top_at_the_inverse_square_of_its_share():
    axes = figures.rare_top(SIZES, np.array([0.9, 0.5, 0.3]), 1.0, 0.25, 1e-3).axes[0]
    values, filled, *levels = axes.lines
    assert filled.get_xdata()[0] == pytest.approx(1e6)
    assert {line.get_ydata()[0] for line in levels} == {1.0, 0.25}
    np.testing.assert_array_equal(values.get_ydata(), [0.9, 0.5, 0.3])


def test_the_alternative_texts_have_the_numbers_that_are_drawn():
    stack = figures.stack(DEPTHS, LAYERS, np.array([1.0, 2.0]), np.array([0.5, 1 / 3]))
    assert stack.alt.startswith("A stack of 2 bands over the depth, 3.00 high")
    assert stack.alt.endswith("depths 0.33, 0.50.")
    totals = [LAYERS.mean(axis=0), LAYERS[1]]
    alt = figures.layers_by_exponent(DEPTHS, LAYERS, totals, ("linear", "exponential")).alt
    assert "At β = 0.75 the layers are at 0.250, 0.062, the graded limit at 0.156 with linear" in alt
    alt = figures.rare_top(SIZES, np.array([0.9, 0.5, 0.3]), 1.0, 0.25, 1e-3).alt
    assert "starts at 0.90, is 0.50 at a million items, 0.50 at 1e+06 and 0.300 at the end" in alt
