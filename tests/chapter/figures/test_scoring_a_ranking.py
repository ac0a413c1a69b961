from fractions import Fraction
from math import log

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgb

from ndcg_companion.book.figures.scoring_a_ranking import (
    all_orders,
    block_ends,
    block_shares,
    weight_by_depth,
)
from ndcg_companion.measures import Geometric, Linear, Log, Zipf

DISCOUNTS = {"log": Log(), "Zipf": Zipf(), "geometric": Geometric(0.5), "linear": Linear()}
VALUES = {"log": np.array([0.4, 0.6, 0.6, 1.0]), "Zipf": np.array([0.1, 0.4, 0.7, 1.0])}
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
    assert block_shares(Geometric(0.5), 3) == pytest.approx([4 / 7, 3 / 7], rel=1e-14)
    logs = [1 / log(1 + r) for r in range(1, 11)]
    assert block_shares(Log(), 10)[0] == pytest.approx(logs[0] / sum(logs), rel=1e-14)
    assert block_shares(Linear(), 4) == pytest.approx([0.5, 0.5, 0.0])


def test_bars_show_the_shares_side_by_side():
    figure = weight_by_depth(DISCOUNTS, (10, 5000))
    for axes, n in zip(figure.axes, (10, 5000), strict=True):
        bars = np.array([[(bar.get_x(), bar.get_width()) for bar in block] for block in axes.containers])
        for row, discount in enumerate(DISCOUNTS.values()):
            starts, widths = bars[:, row].T
            assert widths == pytest.approx(100 * block_shares(discount, n), abs=1e-9)
            assert starts == pytest.approx(np.append(0, widths.cumsum()[:-1]), abs=1e-9)
    shares = [f"{name} {100 * block_shares(d, 5000)[:3].sum():.3g}" for name, d in DISCOUNTS.items()]
    assert figure.alt.endswith(
        f"The first ten ranks of the long list hold, in per cent: {', '.join(shares)}."
    )


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
            behind = blocks[text.get_text()][0].get_facecolor()
            pair = [luminance(text.get_color()), luminance(behind)]
            assert (max(pair) + 0.05) / (min(pair) + 0.05) >= 4.5


def luminance(colour):
    """Relative luminance as WCAG 2 has it."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(colour)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_all_orders_counts_every_value_and_marks_the_ranking():
    figure = all_orders(VALUES, RANKING)
    (axes,) = figure.axes
    dots = [float(line.get_xdata()[0]) for line in axes.lines if line.get_marker() == "o"]
    assert dots == list(RANKING.values())
    for row, (patch, values) in enumerate(zip(axes.patches, VALUES.values(), strict=True)):
        heights, edges, base = patch.get_data()
        counted = np.histogram(values, edges)[0]
        np.testing.assert_allclose(heights + row, 0.72 * counted / counted.max(), atol=1e-12)
        assert base == -row
    assert figure.alt.endswith("are, for log 0.40, 0.65, 0.60; Zipf 0.10, 0.55, 0.70.")
