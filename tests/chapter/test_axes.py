import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.figure import Figure

from claimbook.style import GREY
from ndcg_book.axes import (
    items_axis,
    label_ends,
    set_squaring_axis,
    sheet,
    spread,
    thinned_sizes,
    write_in_corner,
)


def test_ends_are_named_in_their_order_and_apart_on_a_logarithmic_axis():
    figure = Figure()
    axes = figure.subplots()
    axes.set(yscale="log", ylim=(1e-6, 1))
    last_values = {"low": 1e-5, "high": 1e-2, "nearly as high": 0.9e-2}
    label_ends(axes, last_values, dict.fromkeys(last_values, GREY))
    heights = {text.get_text(): text.xy[1] for text in axes.texts}
    assert heights["high"] > heights["nearly as high"] > heights["low"]
    assert heights["low"] == pytest.approx(1 / 6)
    assert heights["high"] - heights["nearly as high"] > 0.03


def test_every_step_of_a_squaring_axis_squares():
    figure = Figure()
    axes = figure.subplots()
    axes.plot([2, 16], [0, 1])
    set_squaring_axis(axes, 16)
    assert list(axes.get_xticks()) == [2, 4, 8, 16, 32, 64]
    assert axes.xaxis.get_major_formatter()(8, 0) == "$10^{8}$"
    places = axes.transData.transform([(2, 0), (4, 0), (8, 0), (16, 0)])[:, 0]
    assert np.diff(places) == pytest.approx(np.diff(places)[0])


@given(st.lists(st.floats(0, 1), min_size=1, max_size=5))
def test_spread_keeps_the_order_and_only_moves_down(heights):
    moved = spread(heights, 0.1, 0.95)
    assert all(new <= old for new, old in zip(moved, heights))
    order = sorted(range(len(heights)), key=lambda index: -heights[index])
    descending = [moved[index] for index in order]
    assert descending[0] <= 0.95
    assert all(upper - lower >= 0.1 - 1e-12 for upper, lower in zip(descending, descending[1:]))


def test_spread_leaves_distant_heights_unchanged():
    assert spread([0.1, 0.9, 0.5], 0.2, 1.0) == [0.1, 0.9, 0.5]


def test_a_sheet_sets_its_axes_and_labels_only_the_lowest_of_those_that_share():
    figure, panels = sheet(2, sharex=True, titles=("above", "below"), **items_axis((10, 1000)), ylabel="NDCG")
    assert [axes.get_xlabel() for axes in panels] == ["", "items, n (log scale)"]
    assert [axes.get_title() for axes in panels] == ["above", "below"]
    assert {(axes.get_ylabel(), axes.get_xscale(), axes.get_xlim()) for axes in panels} == {
        ("NDCG", "log", (10, 1000))
    }
    assert figure.axes == list(panels)


@pytest.mark.parametrize(
    ("position", "sides"), [((0.02, 0.97), ("left", "top")), ((0.9, 0.1), ("right", "bottom"))]
)
def test_words_in_a_corner_stay_inside(position, sides):
    _, axes = sheet()
    write_in_corner(axes, "words", position, GREY)
    (words,) = axes.texts
    assert (words.get_ha(), words.get_va()) == sides
    write_in_corner(axes, "words", position, va="center")
    assert axes.texts[1].get_va() == "center"


@given(st.integers(1, 500), st.integers(1, 100_000), st.integers(4, 400))
def test_a_thinned_curve_has_both_ends_and_not_too_many_points(first, more, most):
    places = thinned_sizes(first, first + more, most)
    assert (places[0], places[-1]) == (first, first + more)
    assert len(places) <= most and (np.diff(places) > 0).all()
    assert np.diff(places).max() <= np.ceil(more / (most // 2 - 1)) + 1
