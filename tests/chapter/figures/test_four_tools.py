"""The figure of the four tools: it draws the bounds it was given, and says where they are best."""

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


def test_the_best_number_of_ranks_is_told():
    assert figures.bounds(GIVEN_UP, EXPONENTS, 100.0).alt == (
        "Curves that rise and fall over the ranks given up: coarse, highest with 2.0 at m = 10; fine, "
        "highest with 40.0 at m = 10. A line at 100."
    )
