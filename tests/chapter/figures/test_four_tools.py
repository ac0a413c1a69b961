"""The figures of the four tools: what they draw and say is what they were given."""

import numpy as np

from ndcg_companion.book.figures import four_tools as figures

GIVEN_UP = np.array([1, 10, 100])
EXPONENTS = {"coarse": np.array([0.5, 2.0, 0.0]), "fine": np.array([3.0, 40.0, 20.0])}


def test_bounds_are_drawn_where_they_say_something():
    (axes,) = figures.bounds(GIVEN_UP, EXPONENTS, 100.0).axes
    normal, coarse, best_coarse, fine, best_fine = axes.lines
    assert set(normal.get_ydata()) == {100.0}
    np.testing.assert_array_equal(coarse.get_xydata(), [[1, 0.5], [10, 2.0]])
    np.testing.assert_array_equal(fine.get_ydata(), EXPONENTS["fine"])
    assert best_coarse.get_xydata().tolist() == [[10, 2.0]] and best_fine.get_xydata().tolist() == [[10, 40]]


def test_the_best_number_of_ranks_is_described():
    assert figures.bounds(GIVEN_UP, EXPONENTS, 100.0).alt == (
        "Curves that rise and fall over the ranks given up: coarse, highest with 2.0 at m = 10; fine, "
        "highest with 40.0 at m = 10. A line at 100."
    )


RANKS = np.arange(1, 7)
PAID = np.array([1.0, 0.5, 0.4, 0.25, 0.2, 0.1])


def test_the_price_is_what_stands_above_the_level_of_rank_m():
    figure = figures.price(RANKS, PAID, 4)
    heights = [bar.get_height() for bar in figure.axes[0].patches]
    np.testing.assert_allclose(heights[:6], [0.25, 0.25, 0.25, 0.25, 0.2, 0.1])
    np.testing.assert_allclose(heights[6:], [0.75, 0.25, 0.15, 0.0, 0.0, 0.0])
    assert "only 0.25 each is left; what is given up adds up to 1.150" in figure.alt


def test_labels_on_top_are_drawn_beside_both_predictions():
    seen = np.array([[0.5, 0.3, 0.1, 0.1], [0.4, 0.3, 0.2, 0.1]])
    free, alike = np.array([0.48, 0.32, 0.12, 0.08]), np.array([0.6, 0.2, 0.0, 0.2])
    figure = figures.top_labels(["11", "10", "01", "00"], seen, free, alike)
    (axes,) = figure.axes
    np.testing.assert_allclose([bar.get_height() for bar in axes.patches], free)
    crosses, *dots = axes.lines
    np.testing.assert_array_equal(crosses.get_ydata(), alike)
    np.testing.assert_array_equal([line.get_ydata() for line in dots], seen)
    assert "01 seen 0.100, 0.200, 0.12 if independent, 0.00 if as alike as can be" in figure.alt


def test_the_other_world_has_more_of_the_failure():
    counts = np.arange(5)
    ours, other = np.array([0.05, 0.1, 0.2, 0.4, 0.25]), np.array([0.2, 0.4, 0.3, 0.08, 0.02])
    figure = figures.tilt(counts, ours, other, 1)
    (axes,) = figure.axes
    np.testing.assert_array_equal([line.get_ydata() for line in axes.lines], [ours, other])
    (shaded,) = axes.patches
    assert shaded.get_x() + shaded.get_width() == 1.5
    assert "the probability 0.15 in our world and 0.60 in the other; the peaks are at 3 and 1" in figure.alt
