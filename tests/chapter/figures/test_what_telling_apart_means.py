"""The figures on definitions 5 and 18: what they draw and say is what they were given."""

import numpy as np
import pytest

from ndcg_companion.book.figures import what_telling_apart_means as figures

SIZES = np.array([10, 100, 1_000, 10_000])
GAPS = np.array([[0.2, -0.1, 0.05, 0.02], [0.1, 0.1, 0.1, 0.1], [-0.3, -0.2, -0.1, -0.05]])
LAST = np.array([150.0, 0.0, np.inf])


def test_a_bar_begins_at_the_last_failure_and_runs_to_the_edge():
    upper, lower = figures.paths(SIZES, GAPS, LAST).axes
    drawn = [line.get_ydata() for line in upper.lines if len(line.get_ydata()) == 4]
    np.testing.assert_array_equal(drawn, GAPS[[1, 0, 2]])  # settled first, first
    dots = [line.get_xydata()[0].tolist() for line in lower.lines if line.get_marker() == "o"]
    assert dots == [[10, 0], [150, 1]]  # never behind: from the left edge; the third is not settled
    solid = [line for line in lower.lines if (line.get_linestyle(), line.get_marker()) == ("-", "None")]
    np.testing.assert_array_equal([line.get_xdata() for line in solid], [[10, 10_000], [150, 10_000]])


def test_the_paths_are_described():
    assert figures.paths(SIZES, GAPS, LAST).alt == (
        "3 jagged curves around zero from n = 10 to 10,000; at the end they are between -0.050 and 0.100. "
        "Their last failures, in order: none, 150, not yet over."
    )


@pytest.mark.filterwarnings("error")
def test_rankers_that_always_tie_have_an_axis_too():
    upper, _ = figures.paths(SIZES, np.zeros((1, 4)), np.array([np.inf])).axes
    assert upper.get_ylim()[0] < 0 < upper.get_ylim()[1]


def test_a_wedge_lies_between_zero_and_what_is_guaranteed():
    gaps = np.array([0.0, -0.4, 0.5, 0.8, 1.2])
    looks = [(5, 1.2, np.array([1.2, 0.7, 0.1])), (2, -0.4, np.array([0.4])), (1, 0.0, np.array([]))]
    figure = figures.guarantees(gaps, looks)
    (axes,) = figure.axes
    boxes = [path.get_extents() for wedge in axes.collections for path in wedge.get_paths()]
    assert [(box.x0, box.x1) for box in boxes] == [(2, 5), (1, 2)]
    np.testing.assert_allclose([(box.y0, box.y1) for box in boxes], [(0, 1.2), (-0.4, 0)])
    dots = [line.get_xydata().tolist() for line in axes.lines if line.get_marker() == "o"]
    assert dots == [[[5, 1.2]], [[2, -0.4]], [[1, 0.0]]]
    assert "n = 1 to 5, 1.20 at its end, with 3 dots" in figure.alt
    assert figure.alt.endswith("the widest spans 3 items.")


@pytest.mark.filterwarnings("error")
def test_shares_of_zero_leave_a_gap_and_the_axis_stays_logarithmic():
    log, fast = figures.DISCOUNTS
    ever = {log: np.array([0.8, 0.2, 0.0, 0.0]), fast: np.array([1.0, 0.9, 0.8, 0.4])}
    alone = {log: np.array([0.4, 0.1, 0.0, 0.0]), fast: np.full(4, 0.4)}
    bands = {name: (0.5 * shares, shares + 0.1) for name, shares in ever.items()}
    figure = figures.failures(SIZES, ever, alone, bands, np.array([0.4, 0.1, 1e-3, 1e-12]))
    (axes,) = figure.axes
    lines = {
        (line.get_color(), line.get_linestyle(), line.get_marker()): line.get_ydata() for line in axes.lines
    }
    for name, colour in figures.DISCOUNTS.items():
        np.testing.assert_array_equal(
            lines[colour, "-", "None"], np.where(ever[name] > 0, ever[name], np.nan)
        )
        np.testing.assert_array_equal(
            lines[colour, "None", "o"], np.where(alone[name] > 0, alone[name], np.nan)
        )
    np.testing.assert_array_equal(lines[figures.DISCOUNTS[log], "--", "None"], [0.4, 0.1, np.nan, np.nan])
    assert 0 < axes.get_ylim()[0] < 0.05
    assert "log discount from 0.80 to 0.00; discount 2^(-r) from 1.00 to 0.40" in figure.alt
