"""The figure of two rivals' difference: its areas are the integrals, and its words say what it draws."""

import numpy as np
import pytest

from ndcg_companion.book.figures.rival_curves import areas, rival_curves

DEPTHS = np.linspace(0, 1, 1001)[1:] ** 8
TIED = 0.09 * (1 - 20 * DEPTHS + 27 * DEPTHS**2)


@pytest.mark.parametrize(
    ("power", "integral"), [(0.0, 0.0), (0.75, 0.0), (0.5, 0.09 * (2 - 40 / 3 + 54 / 5))]
)
def test_the_areas_make_the_integral_also_where_the_weight_peaks(power, integral):
    above, below = areas(DEPTHS, TIED * DEPTHS**-power)
    assert above - below == pytest.approx(integral, abs=1e-4)


def test_both_curves_are_drawn_and_described():
    figure = rival_curves(DEPTHS, TIED, TIED * DEPTHS**-0.75, r"$u^{-3/4}$")
    for axes, curve in zip(figure.axes, (TIED, TIED * DEPTHS**-0.75), strict=True):
        np.testing.assert_array_equal(axes.lines[-1].get_ydata(), curve)
    assert figure.axes[1].get_ylim()[1] < 2.0  # the peak at the top leaves the picture
    assert figure.alt == (
        "Two curves over the depth, one below the other: Delta(u) from 0.09 at the top to 0.72 at the "
        "bottom, area above 0.103, below 0.103; Delta(u) u^(-3/4) from above the picture at the top to 0.72 "
        "at the bottom, area above 0.246, below 0.246."
    )


def test_a_curve_that_stays_in_the_picture_is_described_by_where_it_starts():
    assert (
        "Delta(u) /u from 1.2 at the top to -0.6"
        in rival_curves(DEPTHS, 0.6 * DEPTHS * (2 - 3 * DEPTHS), 0.6 * (2 - 3 * DEPTHS), "$/u$").alt
    )


def test_a_steep_weight_leaves_the_difference_in_sight():
    depths = np.geomspace(1e-3, 1.0, 1001)
    figure = rival_curves(depths, 0.2 - 0.4 * depths, (0.2 - 0.4 * depths) / depths**2, "$u^{-2}$")
    assert figure.axes[0].get_ylim()[1] < 0.5 and figure.axes[1].get_ylim()[1] < 1.5
    assert "area above 197, below 0.0773" in figure.alt
