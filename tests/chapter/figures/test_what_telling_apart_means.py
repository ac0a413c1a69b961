"""The figures on definitions 5 and 18: what they draw is what they were given."""

import numpy as np
import pytest

from ndcg_companion.chapter.figures import what_telling_apart_means as figures

SIZES = np.array([10, 100, 1_000, 10_000])
GAPS = np.array([[0.2, -0.1, 0.05, 0.02], [0.1, 0.1, 0.1, 0.1], [-0.3, -0.2, -0.1, -0.05]])


def coloured(axes, colour, marker="None"):
    return [line for line in axes.lines if line.get_color() == colour and line.get_marker() == marker]


def test_a_bar_begins_at_the_last_failure_and_runs_to_the_edge():
    upper, lower = figures.paths(SIZES, GAPS, np.array([150.0, 0.0, np.inf])).axes
    drawn = [line.get_ydata() for line in upper.lines if len(line.get_ydata()) == 4]
    np.testing.assert_array_equal(drawn, GAPS[[1, 0, 2]])  # settled first, first
    dots = [line.get_xydata()[0].tolist() for line in lower.lines if line.get_marker() == "o"]
    assert dots == [[10, 0], [150, 1]]  # never behind: from the left edge; the third is not settled
    bars = [
        line.get_xdata()
        for line in lower.lines
        if line.get_linestyle() == "-" and line.get_marker() == "None"
    ]
    np.testing.assert_array_equal(bars, [[10, 10_000], [150, 10_000]])


@pytest.mark.filterwarnings("error")
def test_rankers_that_always_tie_have_an_axis_too():
    upper, _ = figures.paths(SIZES, np.zeros((1, 4)), np.array([np.inf])).axes
    assert upper.get_ylim()[0] < 0 < upper.get_ylim()[1]


def test_a_wedge_lies_between_zero_and_what_is_guaranteed():
    gaps = np.array([0.0, -0.4, 0.5, 0.8, 1.2])
    looks = [(5, 1.2, np.array([1.2, 0.7, 0.1])), (2, -0.4, np.array([0.4])), (1, 0.0, np.array([]))]
    (axes,) = figures.guarantees(gaps, looks).axes
    boxes = [path.get_extents() for each in axes.collections for path in each.get_paths()]
    assert [(box.x0, box.x1) for box in boxes] == [(2, 5), (1, 2)]
    np.testing.assert_allclose([(box.y0, box.y1) for box in boxes], [(0, 1.2), (-0.4, 0)])
    for colour, dots in ((figures.AHEAD, [[5, 1.2]]), (figures.BEHIND, [[2, -0.4]]), ("black", [[1, 0.0]])):
        (line,) = coloured(axes, colour, "o")
        np.testing.assert_allclose(line.get_xydata(), dots)
    (line,) = [each for each in axes.lines if len(each.get_xdata()) == 5]
    np.testing.assert_array_equal(line.get_ydata(), gaps)


@pytest.mark.filterwarnings("error")
def test_shares_of_zero_leave_a_gap_and_the_axis_stays_logarithmic():
    log, fast = figures.DISCOUNTS
    ever = {log: np.array([0.8, 0.2, 0.0, 0.0]), fast: np.array([1.0, 0.9, 0.8, 0.4])}
    alone = {log: np.array([0.4, 0.1, 0.0, 0.0]), fast: np.full(4, 0.4)}
    bands = {name: (0.5 * shares, shares + 0.1) for name, shares in ever.items()}
    theory = np.array([0.4, 0.1, 1e-3, 1e-12])
    (axes,) = figures.failures(SIZES, ever, alone, bands, theory).axes
    for name, colour in figures.DISCOUNTS.items():
        (line,) = [each for each in coloured(axes, colour) if each.get_linestyle() == "-"]
        np.testing.assert_array_equal(line.get_ydata(), np.where(ever[name] > 0, ever[name], np.nan))
        (dots,) = coloured(axes, colour, "o")
        np.testing.assert_array_equal(dots.get_ydata(), np.where(alone[name] > 0, alone[name], np.nan))
    (dashed,) = [each for each in axes.lines if each.get_linestyle() == "--"]
    np.testing.assert_array_equal(dashed.get_ydata()[:2], theory[:2])
    assert np.isnan(dashed.get_ydata()[3])
    assert 0 < axes.get_ylim()[0] < 0.05
    assert {text.get_text() for text in axes.texts} == set(figures.DISCOUNTS)
