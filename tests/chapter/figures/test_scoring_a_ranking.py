from fractions import Fraction
from math import log

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_hex, to_rgb

from ndcg_companion.chapter.figures.scoring_a_ranking import (
    all_orders,
    block_ends,
    block_shares,
    weight_by_depth,
)
from ndcg_companion.chapter.style import GREY, PALETTE
from ndcg_companion.measures import Geometric, Linear, Log, Zipf

DISCOUNTS = {"log": Log(), "Zipf": Zipf(), "geometric": Geometric(0.5), "linear": Linear()}
VALUES = {"log": [0.4, 0.6, 0.6, 1.0], "Zipf": [0.1, 0.4, 0.7, 1.0]}
RANKING = {"log": 0.6, "Zipf": 0.7}


def drawn(figure):
    """Lay the figure out, as saving it would; returns the renderer that measures its texts."""
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    return canvas.get_renderer()


def overlapping(figure):
    """Pairs of visible texts whose boxes meet, and texts that leave the figure."""
    renderer = drawn(figure)
    texts = [text for axes in figure.axes for text in (*axes.texts, axes.xaxis.label)]
    boxes = {text.get_text(): text.get_window_extent(renderer) for text in texts if text.get_text()}
    names = list(boxes)
    pairs = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :] if boxes[a].overlaps(boxes[b])]
    page = figure.bbox
    outside = [n for n, box in boxes.items() if not (page.contains(*box.min) and page.contains(*box.max))]
    return pairs + outside


@pytest.mark.parametrize(
    "n, ends",
    [(2, [1, 2]), (3, [1, 3]), (10, [1, 3, 10]), (11, [1, 3, 10, 11]), (5000, [1, 3, 10, 100, 1000, 5000])],
)
def test_blocks_end_at_1_3_and_the_powers_of_ten(n, ends):
    assert block_ends(n) == ends


def test_shares_are_the_exact_fractions():
    weights = [Fraction(1, r) for r in range(1, 13)]
    blocks = [weights[0:1], weights[1:3], weights[3:10], weights[10:12]]
    exact = [float(sum(block) / sum(weights)) for block in blocks]
    assert block_shares(Zipf(), 12) == pytest.approx(exact, rel=1e-14)
    assert block_shares(lambda r: 1 / r, 12) == pytest.approx(exact, rel=1e-14)
    assert block_shares(Geometric(0.5), 3) == pytest.approx([4 / 7, 3 / 7], rel=1e-14)
    assert block_shares(Log(), 10)[0] == pytest.approx(
        (1 / log(2)) / sum(1 / log(1 + r) for r in range(1, 11)), rel=1e-14
    )


def test_bars_show_the_shares_side_by_side():
    figure = weight_by_depth(DISCOUNTS, (10, 5000))
    drawn(figure)
    for axes, n in zip(figure.axes, (10, 5000)):
        assert f"{n:,}" in axes.get_title(loc="left")
        assert [label.get_text() for label in axes.get_yticklabels()] == list(DISCOUNTS)
        widths = np.array([[bar.get_width() for bar in block] for block in axes.containers]).T
        starts = np.array([[bar.get_x() for bar in block] for block in axes.containers]).T
        for row, discount in enumerate(DISCOUNTS.values()):
            assert widths[row] == pytest.approx(100 * block_shares(discount, n), abs=1e-9)
            assert starts[row] == pytest.approx(np.append(0, widths[row].cumsum()[:-1]), abs=1e-9)
        assert axes.get_xlim() == (0, 100)
    assert "%" in figure.axes[-1].get_xlabel()


@pytest.mark.parametrize("sizes", [(10, 1000), (10, 10_000), (10, 1_000_000)])
def test_names_of_blocks_stay_inside_their_blocks(sizes):
    figure = weight_by_depth(DISCOUNTS, sizes)
    renderer = drawn(figure)
    for axes in figure.axes:
        assert axes.texts
        blocks = {block.get_label(): block for block in axes.containers}
        for text in axes.texts:
            inside = text.get_window_extent(renderer)
            bars = [bar.get_window_extent(renderer) for bar in blocks[text.get_text()]]
            assert any(bar.x0 <= inside.x0 and inside.x1 <= bar.x1 and bar.y0 <= inside.y0 for bar in bars)
    assert not overlapping(figure)


def test_names_of_blocks_can_be_read():
    for axes in weight_by_depth(DISCOUNTS, (10, 1_000_000)).axes:
        blocks = {block.get_label(): block for block in axes.containers}
        for text in axes.texts:
            pair = [
                luminance(colour) for colour in (text.get_color(), blocks[text.get_text()][0].get_facecolor())
            ]
            assert (max(pair) + 0.05) / (min(pair) + 0.05) >= 4.5


def luminance(colour):
    """Relative luminance as WCAG 2 has it."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(colour)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("discounts, sizes", [({}, (10,)), (DISCOUNTS, ()), (DISCOUNTS, (10, 1))])
def test_weight_by_depth_refuses_nothing_to_draw(discounts, sizes):
    with pytest.raises(ValueError, match="sizes"):
        weight_by_depth(discounts, sizes)


def test_weight_by_depth_refuses_weights_without_a_sum():
    with pytest.raises(ValueError, match="positive sum"):
        weight_by_depth({"none": lambda r: 0 * r}, (10,))


def test_all_orders_marks_mean_and_ranking_of_every_row():
    axes = all_orders(VALUES, RANKING).axes[0]
    dots = [line for line in axes.lines if line.get_marker() == "o"]
    assert [float(line.get_xdata()[0]) for line in dots] == list(RANKING.values())
    assert all(to_hex(line.get_color()) == PALETTE[1] for line in dots)
    means = [line.get_xdata() for line in axes.lines if to_hex(line.get_color()) == PALETTE[0]]
    assert [x[0] for x in means] == pytest.approx([0.65, 0.55]) and all(x[0] == x[1] for x in means)
    reach = [list(line.get_xdata()) for line in axes.lines if to_hex(line.get_color()) == GREY]
    assert reach == [[0.4, 1], [0.1, 1]]
    assert [label.get_text() for label in axes.get_yticklabels()] == list(VALUES)


def test_all_orders_counts_every_value_once():
    axes = all_orders(VALUES, RANKING).axes[0]
    for row, (patch, values) in enumerate(zip(axes.patches, VALUES.values())):
        heights, edges, base = patch.get_data()
        relative = heights - base
        assert relative.max() == pytest.approx(0.72)
        assert np.count_nonzero(relative > 1e-9) == len(set(values))
        filled = {float(edges[i]) for i in np.flatnonzero(relative > 1e-9)}
        assert all(any(left - 1e-9 <= min(v, 0.999) < left + 0.02 + 1e-9 for left in filled) for v in values)
        assert np.allclose(base, -row)


@pytest.mark.parametrize("ranking", [0.05, 0.45, 0.65, 0.999, 1.0])
@pytest.mark.parametrize("low", [0.0, 0.2, 0.5])
def test_names_of_marks_stay_apart(ranking, low):
    values = {name: np.linspace(low, 1, 60) for name in ("log", "root", "Zipf", "geometric", "linear")}
    assert not overlapping(all_orders(values, dict.fromkeys(values, ranking)))


def test_all_orders_shows_what_lies_outside_0_and_1():
    values = {"signed": [-1.0, 0.5, 1.0], "unnormalised": [0.0, 2.0, 4.5]}
    figure = all_orders(values, {"signed": 0.5, "unnormalised": 2})
    left, right = figure.axes[0].get_xlim()
    assert left == -1 and right > 4.5
    assert [patch.get_data()[0].size for patch in figure.axes[0].patches] == [50, 50]


@pytest.mark.parametrize(
    "values, ranking",
    [
        ({}, {}),
        (VALUES, {"log": 0.6}),
        (VALUES, RANKING | {"log": np.inf}),
        (VALUES | {"log": []}, RANKING),
        (VALUES | {"log": [0.5, np.nan]}, RANKING),
    ],
)
def test_all_orders_refuses_what_it_cannot_draw(values, ranking):
    with pytest.raises(ValueError, match="ranker|values"):
        all_orders(values, ranking)
