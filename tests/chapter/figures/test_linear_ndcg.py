"""The figures on linear NDCG: what they draw is what they were given."""

from itertools import permutations, product

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Annotation

from claimbook.style import style
from ndcg_companion.book.figures import linear_ndcg as figures


def test_the_cells_of_the_triangle_add_up_to_the_dcg_and_to_the_loss():
    labels = [1, 0, 2, 0]
    axes = figures.triangle(labels).axes[0]
    cells = {
        text.get_position(): text.get_text()
        for text in axes.texts
        if text.get_gid() is None and text.get_text() != "paid"
    }
    assert cells == {(1, 0): "1", (2, 0): "1+1", (3, 0): "1", (2, 1): "0+2", (3, 1): "0", (3, 2): "2"}
    assert sum(int(text.split("+")[0]) for text in cells.values()) == 1 * 3 + 0 * 2 + 2 * 1
    assert sum(int(text.split("+")[1]) for text in cells.values() if "+" in text) == 3
    assert [text.get_text() for text in axes.texts if text.get_gid() == "row"][::2] == ["1 · 3", "2 · 1"]
    assert axes.figure.alt == (
        "A triangle of 6 cells, of which 2 are misordered; the rows are paid 3, 0, 2, 0."
    )


def test_the_label_of_the_axis_fits_beside_a_list_of_two():
    figure = figures.triangle([1, 0])
    canvas = FigureCanvasAgg(figure)
    with style():
        canvas.draw()
    label = figure.axes[0].yaxis.label.get_window_extent(canvas.get_renderer())
    assert 0 <= label.y0 and label.y1 <= figure.bbox.height


@pytest.mark.parametrize("length", [2, 3, 4, 5])
def test_exchanges_lead_from_the_ideal_order_to_every_list_as_fast_as_can_be(length):
    for target in product(range(3), repeat=length):
        current, way = sorted(target, reverse=True), figures.fewest_exchanges(target)
        cost = 0
        for i, j in way:
            assert i < j and current[i] > current[j]
            cost += (current[i] - current[j]) * (j - i)
            current[i], current[j] = current[j], current[i]
        assert tuple(current) == target
        assert cost == sum(max(b - a, 0) for i, a in enumerate(target) for b in target[i + 1 :])
        if set(target) <= {0, 1}:
            relevant = sum(target)
            assert len(way) == relevant - sum(target[:relevant])


def test_three_grades_may_need_one_exchange_less_than_items_out_of_place():
    # The ideal order is 2 1 0; its six orders are 0, 1 or 2 exchanges away, as their cycles say.
    assert sorted(len(figures.fewest_exchanges(order)) for order in permutations((2, 1, 0))) == [
        0,
        1,
        1,
        1,
        2,
        2,
    ]


def test_rows_of_discs_have_their_arrows_and_costs():
    figure = figures.exchanges([(1, 0, 0, 1, 1, 0), (0, 1)])
    costs = [text.get_text() for text in figure.axes[0].texts if isinstance(text, Annotation)]
    assert costs == ["2 + 2", "1"]
    arrows = [patch for patch in figure.axes[0].patches if hasattr(patch, "get_connectionstyle")]
    ends = sorted((arrow._posA_posB[0][0], arrow._posA_posB[1][0]) for arrow in arrows)
    assert ends == [(0, 1), (1, 3), (2, 4)]
    assert figure.alt == "2 rows of discs: 1 0 0 1 1 0; 0 1."


def test_rows_fill_one_column_after_the_other():
    lists = [(1, 0, 2), (0, 2, 1), (1, 0)]
    panels = figures.exchanges(lists, columns=2).axes
    drawn = [
        [(text.get_position()[1], text.get_text()) for text in axes.texts if not isinstance(text, Annotation)]
        for axes in panels
    ]
    assert drawn == [[(0, "1"), (0, "0"), (0, "2"), (1, "0"), (1, "2"), (1, "1")], [(0, "1"), (0, "0")]]


def test_lines_start_at_their_floors_and_end_at_one():
    shares, lists = (
        {"few": 0.1, "many": 0.9},
        {"few": np.array([[0.5], [0.55]]), "many": np.array([[0.2], [0.92]])},
    )
    axes = figures.against_auc(shares, lists).axes[0]
    assert [line.get_ydata()[0] for line in axes.lines[::2]] == [0.1, 0.9]
    assert all(line.get_ydata()[-1] == 1 for line in axes.lines[::2])
    assert [(*line.get_xdata(), *line.get_ydata()) for line in axes.lines[1::2]] == [(0.5, 0.55), (0.2, 0.92)]
    assert axes.figure.alt == (
        "Four straight lines that end in the corner where both are 1; at AUC 0 they start at "
        "0.10 for few, 0.90 for many."
    )


def test_a_limit_is_drawn_with_each_list():
    sizes, values = np.array([100, 1000]), {"one": np.array([0.5, 0.6]), "two": np.array([0.9, 0.8])}
    figure = figures.approach(sizes, values, {"one": 0.61, "two": 0.79})
    heights = [np.array(line.get_ydata()).tolist() for line in figure.axes[0].lines]
    assert heights == [[0.5, 0.6], [0.9, 0.8], [0.61, 0.61], [0.79, 0.79]]
    assert figure.alt == (
        "Four curves with their limits: one ends at 0.600, limit 0.610; two ends at 0.800, limit 0.790."
    )


def test_one_curve_is_drawn_on_two_scales():
    depths = np.array([0.01, 0.1, 0.5, 1.0])
    lead = np.array([0.1, 0.2, -0.2, 0.0])
    figure = figures.two_areas(depths, lead, (-0.025, 0.05))
    even, logarithmic = figure.axes
    for axes, scale, title in ((even, "linear", "net area −0.025"), (logarithmic, "log", "net area +0.050")):
        assert axes.get_xscale() == scale and axes.get_title(loc="left") == title
        zero, curve = axes.lines
        assert list(zero.get_ydata()) == [0, 0]
        np.testing.assert_array_equal(curve.get_ydata(), lead)
        above, below = (band.get_paths()[0].vertices[:, 1] for band in axes.collections)
        assert above.min() >= 0 and below.max() <= 0
    assert "crosses it at depth 0.30," in figure.alt
    assert figure.alt.endswith("Net area -0.025 on the even scale, 0.050 on the logarithmic one.")


def test_the_shade_begins_where_the_certificates_do():
    sizes = np.array([100, 1000, 10_000])
    gaps = {"linear": np.array([-0.1, -0.05, -0.06]), "log": np.array([0.1, 0.08, 0.05])}
    axes = figures.disagreement(sizes, gaps, 1000).axes[0]
    assert axes.patches[0].get_x() == 1000 and axes.patches[0].get_width() == 9000
    for line, curve in zip(axes.lines[1:], gaps.values(), strict=True):
        np.testing.assert_array_equal(line.get_ydata(), curve)
    assert axes.figure.alt.endswith(
        "from 100 to 10,000 items; they end at -0.0600 for linear, +0.0500 for log."
    )


def test_the_family_is_shaded_where_the_measures_disagree():
    odds = {"linear": np.array([9.0, 0.0, -9.0]), "log": np.array([8.0, 4.0, -5.0])}
    axes = figures.family(np.array([3.0, 7.5, 12.0]), odds, {"linear": 6.0, "log": 9.0}).axes[0]
    assert (axes.patches[0].get_x(), axes.patches[0].get_width()) == (6, 3)
    dots = [float(line.get_xdata()[0]) for line in axes.lines if line.get_marker() == "o"]
    assert dots == [6, 9]
    assert axes.figure.alt == (
        "Three falling curves; at b = 3, 7.5 and 12 they are at 9, 0 and -9 for linear; 8, 4 and -5 for log."
    )


def test_the_bounds_of_the_two_distances_enclose_every_row():
    exchanged, misordered = np.array([0, 1, 1, 2]), np.array([0, 1, 3, 4])
    axes = figures.two_distances(exchanged, misordered, np.array([1, 1, 1, 1]), 2, 2).axes[0]
    band, dots = axes.collections
    np.testing.assert_array_equal(dots.get_offsets(), np.column_stack([exchanged, misordered]))
    corners = {tuple(vertex) for vertex in band.get_paths()[0].vertices}
    assert {(0, 0), (1, 1), (1, 3), (2, 4)} <= corners and max(y for _, y in corners) == 4
    assert axes.figure.alt == (
        "Columns of dots at 0 to 2 exchanges; the misordered pairs reach from 0 to 0 at 0, from 1 to 3 at 1, "
        "from 4 to 4 at 2."
    )
