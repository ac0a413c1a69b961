"""The parts of a dial: a sentence and marks for each position, on a figure that needs no script."""

import json
import re
from functools import partial

import numpy as np
import pytest
from matplotlib.figure import Figure

from claimbook.output_metadata import FIGURE
from claimbook.palette import GREY, PALETTE
from claimbook.style import as_svg, drawing
from ndcg_book.widgets.dial import Dial, dials, raised

TENS = [10, 100, 1_000]
LENGTH = Dial("Items", [f"10{raised(k)}" for k in (1, 2, 3)], start=1)
NOISE = Dial("Noise <b>", ["low", "high"], start=1)


def figure(**options):
    """Axes of 4 by 2 inches, one from the left and from the bottom of a figure of 6 by 4."""
    page = Figure(figsize=(6, 4))
    page.add_axes((1 / 6, 1 / 4, 4 / 6, 2 / 4)).set(**({"xlim": (0, 4), "ylim": (0, 1)} | options))
    return page


def sentence(i, j):
    return f"{TENS[i]} items & {j}"


def data_of(html):
    """What the script reads."""
    return json.loads(re.search(r'id="dial-data">(.*?)</script>', html)[1])


on_axes = partial(dials, places=[0, 1, 2], says=str, colours={"a": PALETTE[2], "b": "black", "c": GREY})


def test_each_position_has_its_sentence_in_the_order_in_which_the_script_counts():
    html = on_axes(figure(), [LENGTH, NOISE], lines={"a": np.ones((3, 2))}, says=sentence)
    data = data_of(html)
    assert data["told"] == [f"{n} items & {j}" for n in TENS for j in (0, 1)]
    assert [dial["start"] for dial in data["dials"]] == [1, 1]


def test_marks_are_in_points_from_the_left_and_the_top():
    data = data_of(on_axes(figure(), [LENGTH], lines={"a": [0.0, 0.5, 1.0]}))
    assert (data["width"], data["height"]) == (432, 288)
    assert data["x"] == [72, 144, 216] and data["span"] == [216, 72]
    assert data["lines"] == [["colour-2", [216, 144, 72]]]
    logs = figure(xscale="log", yscale="log", xlim=(1, 1e4), ylim=(1, 100))
    data = data_of(on_axes(logs, [LENGTH], places=TENS, lines={"b": [1.0, 10.0, 100.0]}))
    assert data["x"] == [144, 216, 288] and data["lines"] == [["colour-6", [216, 144, 72]]]
    two = np.array([[0.0, 0.5], [0.5, 1.0], [1.0, 0.0]])
    data = data_of(on_axes(figure(), [LENGTH, NOISE], lines={"c": two}, says=sentence))
    assert data["lines"] == [["pst-color-text-muted", [216, 144, 144, 72, 72, 216]]]


def test_a_height_that_is_none_or_outside_of_the_axes_has_no_mark():
    data = data_of(on_axes(figure(ylim=(1, 0)), [LENGTH], lines={"a": [0.5, np.nan, 1.5]}))
    assert data["lines"] == [["colour-2", [144, None, None]]]


def test_marks_lie_on_the_curve_that_is_drawn_after_the_layout():
    @drawing
    def curve():
        page = Figure()
        page.subplots().plot(TENS, [3.0, 1.0, 2.0], gid="curve")
        page.axes[0].set(ylabel="a label\nthat takes room", xscale="log")
        return page, "A curve."

    page = curve()
    data = data_of(on_axes(page, [LENGTH], places=TENS, lines={"a": [3.0, 1.0, 2.0]}))
    path = re.search(r'id="curve">\s*<path d="([^"]*)"', as_svg(page))[1]
    drawn = np.array(re.findall(r"[-\d.]+", path), float).reshape(-1, 2)
    marks = np.column_stack([data["x"], data["lines"][0][1]])
    np.testing.assert_allclose(marks, drawn, atol=0.06)


def test_without_a_script_there_is_the_figure_and_no_text_is_taken_for_markup():
    html = on_axes(figure(), [LENGTH, NOISE], lines={"a": np.ones((3, 2))}, says=sentence)
    assert html.startswith(f'<div class="interactive" id="dial">{FIGURE}</div>')
    assert html.count(FIGURE) == 1 and "Noise &lt;b&gt;" in html


@pytest.mark.parametrize(
    "turned, lines, message",
    [
        ([], {"a": np.ones(3)}, "turned: expected one or two dials, got 0"),
        ([Dial("x", ["1"])], {"a": np.ones(1)}, "turned: expected at most 600 positions and at least two"),
        ([Dial("x", ["1"] * 601)], {"a": np.ones(601)}, "turned: expected at most 600 positions"),
        ([LENGTH], {"a": np.ones(2)}, r"lines\['a'\]: expected the shape \(3,\), got \(2,\)"),
        ([Dial("x", "1234")], {"a": np.ones(4)}, "places: expected 4, one for each position, got 3"),
    ],
)
def test_other_shapes_are_rejected(turned, lines, message):
    with pytest.raises(ValueError, match=message):
        on_axes(figure(), turned, lines=lines)
