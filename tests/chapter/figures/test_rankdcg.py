import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_hex

from claimbook.style import GREY, PALETTE
from ndcg_companion.book.figures.rankdcg import (
    bills,
    placements,
    report_card,
    scales,
    switchboard,
    two_measures,
    two_readings,
)


def drawn(figure):
    """Lay the figure out, as saving it would; returns the renderer that measures its texts."""
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    return canvas.get_renderer()


def texts(axes):
    return [text.get_text() for text in axes.texts]


def test_scales_begin_at_the_worst_order_and_mark_chance():
    ranges = {
        "first": {"few": (0.25, 0.5), "many": (0.75, 0.875)},
        "second": {"few": (0.0, 0.125), "many": (0.0, 0.5)},
    }
    figure = scales(ranges)
    drawn(figure)
    for axes, rows in zip(figure.axes, ranges.values(), strict=True):
        (bars,), (diamonds,) = axes.collections, axes.lines
        ends = [[(worst, depth), (1, depth)] for depth, (worst, _) in enumerate(rows.values())]
        np.testing.assert_array_equal(bars.get_segments(), ends)
        np.testing.assert_array_equal(
            diamonds.get_xydata(), [(chance, depth) for depth, (_, chance) in enumerate(rows.values())]
        )
        assert axes.get_xlim()[0] < 0 and 1 < axes.get_xlim()[1]
    assert [text.get_text() for text in figure.axes[0].get_yticklabels()] == ["few", "many"]
    assert figure.alt == (
        "first: bars that end at 1 and begin at 0.25 (few), 0.75 (many); chance at 0.50 (few), 0.88 (many). "
        "second: bars that end at 1 and begin at 0.00 (few), 0.00 (many); chance at 0.12 (few), 0.50 (many)."
    )


def test_the_switchboard_counts_the_cells_that_come_out():
    printed = (("1.0", "0.5"), ("0.2", "0.3"), ("0.1", "0.9"))
    other = (("1.0", "0.5"), ("0.7", "0.3"), ("0.1", "0.8"))
    figure = switchboard({"as printed": printed, "one switch": other}, printed, ("left", "right"))
    drawn(figure)
    (axes,) = figure.axes
    wrong = [patch for patch in axes.patches if to_hex(patch.get_facecolor()) == PALETTE[1]]
    assert len(axes.patches) == 12
    assert sorted((patch.get_x(), round(patch.get_y() + 0.36)) for patch in wrong) == [(1.0, 1), (6.2, 1)]
    assert texts(axes) == ["6", "4", "left", "right", "of 6"]
    assert figure.alt == "Cells that come out as printed: as printed 6 of 6; one switch 4 of 6."


def test_placements_count_values_in_blocks():
    reference = (9, 4, 4, 2)
    assert placements(reference, reference).tolist() == [[1, 0, 0], [0, 2, 0], [0, 0, 1]]
    assert placements((4, 2, 9, 4), reference).tolist() == [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    listing = (2, 9, 4, 4)
    counts = placements(listing, reference)
    assert counts.sum(axis=0).tolist() == counts.sum(axis=1).tolist() == [1, 2, 1]


def test_two_readings_write_every_count():
    one = np.array([[0, 1], [1, 3]])
    figure = two_readings({"as a list": one, "as scores": one.T}, (2, 1), ("0.5", "0.6"))
    drawn(figure)
    for axes, result in zip(figure.axes, ("0.5", "0.6"), strict=True):
        assert result in axes.get_xlabel() and texts(axes) == ["0", "1", "1", "3"]
    assert figure.alt == (
        "Two tables of 2 by 2 counts. Read as a list, the item of value 2 stands in block 2; read as scores, "
        "in block 2. One is the transpose of the other."
    )
    one = two_readings({"as a list": one, "as scores": np.eye(2, dtype=int)}, (2, 1), ("", ""))
    assert one.alt.endswith("read as scores, in block 1.")


def test_the_report_card_ticks_what_passes():
    passes = {
        "one": {"A": True, "B": False},
        "two": {"A": False, "B": False},
        "three": {"A": True, "B": True},
    }
    figure = report_card(passes, {"first": 1, "second": 2})
    drawn(figure)
    (axes,) = figure.axes
    marks = [text for text in axes.texts if text.get_text() in "✓✗"]
    rows = dict(zip(axes.get_yticks(), (label.get_text() for label in axes.get_yticklabels()), strict=True))
    columns = [label.get_text() for label in axes.get_xticklabels()]
    read = {
        (rows[m.get_position()[1]], columns[int(m.get_position()[0])]): m.get_text() == "✓" for m in marks
    }
    assert read == {(name, measure): good for name, row in passes.items() for measure, good in row.items()}
    assert [text for text in texts(axes) if text not in "✓✗"] == ["first", "second"]
    assert figure.alt == "A grid of ticks and crosses. Ticks: A: one, three; B: three."


def test_strokes_span_the_range_at_each_level():
    figure = two_measures(
        np.array([0.0, 0.5, 0.5 + 1e-12, 1.0]),
        np.array([0.2, 0.5, 0.4, 1.0]),
        {"7": (0.5, 0.5), "8": (0.5, 0.4)},
    )
    renderer = drawn(figure)
    (axes,) = figure.axes
    strokes = [path.vertices.tolist() for path in axes.collections[0].get_paths()]
    assert strokes == [[[0.0, 0.2], [0.0, 0.2]], [[0.5, 0.4], [0.5, 0.5]], [[1.0, 1.0], [1.0, 1.0]]]
    assert [(line.get_xdata()[0], line.get_ydata()[0]) for line in axes.lines] == [(0.5, 0.5), (0.5, 0.4)]
    one, other = (text.get_window_extent(renderer) for text in axes.texts)
    assert texts(axes) == ["7", "8"] and not one.overlaps(other)
    assert figure.alt == (
        "Vertical strokes at 3 values of RankDCG from 0 to 1; together they rise from 0.20 to 1. Near the "
        "middle the stroke reaches from 0.40 to 0.50."
    )


def test_bills_are_shares_of_the_highest():
    figure = bills({"A": np.array([0.4, 0.0, 0.1]), "nothing": np.zeros(3)}, (3, 2, 2, 1))
    drawn(figure)
    (axes,) = figure.axes
    some, nothing = axes.collections
    assert some.get_offsets().tolist() == [[1.5, 0], [2.5, 0], [3.5, 0]]
    assert some.get_sizes().tolist() == pytest.approx([355.0, 9, 25 + 330 / 4])
    assert [to_hex(dot) for dot in some.get_facecolor()] == [PALETTE[0], GREY, PALETTE[0]]
    assert nothing.get_sizes().tolist() == [9, 9, 9]
    assert [to_hex(dot) for dot in nothing.get_facecolor()] == [GREY] * 3
    assert texts(axes) == ["3", "2", "2", "1"]
    assert figure.alt == "Which exchanges cost something: A: 3|2, 2|1; nothing: none."
