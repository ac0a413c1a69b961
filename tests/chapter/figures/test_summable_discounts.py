"""The figures on pairs under summable discounts show and say what they were given."""

import numpy as np
from matplotlib.colors import to_rgba

from ndcg_companion.book.figures import summable_discounts as figures

CASES = {
    "one": [[(1, 20, 0), (20, 50, None), (50, 100, 1)], [(1, 100, 1)]],
    "$r^{-2}$": [[(3, 7, 1), (7, 100, 0)]],
}
TOPS = np.linspace(0, 1, 5)
LINES = {"fast": TOPS, "$r^{-2}$": TOPS**0.5, "slowest": TOPS**0.1}
WHERE = np.array([0.25, 0.75])
DOTS = {"fast": (WHERE, WHERE, WHERE - 0.1, WHERE + 0.1), "$r^{-2}$": (WHERE, WHERE / 2, WHERE / 3, WHERE)}


def strips(axes, colour):
    """(left, right, height of the middle) of the pieces of this colour."""
    boxes = [
        path.get_extents()
        for pieces in axes.collections
        if len(pieces.get_facecolor()) and to_rgba(pieces.get_facecolor()[0]) == to_rgba(colour)
        for path in pieces.get_paths()
    ]
    return [(box.x0, box.x1, round((box.y0 + box.y1) / 2, 6)) for box in boxes]


def test_each_list_is_a_strip_of_its_leaders_and_a_tie_is_a_gap():
    (axes,) = figures.leads(CASES, 10, 100).axes
    first, second = strips(axes, figures.FIRST), strips(axes, figures.SECOND)
    # clipped at 10; what is over before that is not drawn, and nobody's colour fills a tie
    assert [strip[:2] for strip in first] == [(10, 20), (10, 100)]
    assert [strip[:2] for strip in second] == [(50, 100), (10, 100)]
    heights = [first[0][2], second[0][2], second[1][2], first[1][2]]
    assert heights[0] == heights[1] < heights[2] < heights[3]
    assert heights[3] - heights[2] > 2 * (heights[2] - heights[1])


def test_the_strips_are_named_beside_and_not_upon_them():
    (axes,) = figures.leads(CASES, 10, 100).axes
    texts = {text.get_text(): text for text in axes.texts}
    drawn = {strip[2] for strip in strips(axes, figures.FIRST) + strips(axes, figures.SECOND)}
    low, high = sorted(axes.get_ylim())
    for name in CASES:
        height = texts[name].get_position()[1]
        assert low < height < high and all(abs(height - strip) > 0.5 for strip in drawn)


def test_the_strips_are_described():
    assert figures.leads(CASES, 10, 100).alt == (
        "Who is ahead from 10 to 100 items, as strips in two colours. one: 2 strips, on which the lead "
        "passes over 0.5 times on average and at whose end f_0 is ahead on 0 and f_1 on 2; r^(-2): 1 "
        "strips, on which the lead passes over 0.0 times on average and at whose end f_0 is ahead on 1 and "
        "f_1 on 0."
    )


def test_clouds_are_coloured_by_who_is_ahead_and_ties_are_left_to_the_diagonal():
    left, right = np.array([[0.2, 0.9, 0.5], [0.8, 0.1, 0.5]]), np.array([[0.3, 0.4], [0.2, 0.3]])
    figure = figures.two_clouds({"left": left, "right": right})
    for axes, scores in zip(figure.axes, (left, right), strict=True):
        _, first, second = axes.lines
        np.testing.assert_array_equal(first.get_xydata().T, scores[:, scores[0] > scores[1]])
        np.testing.assert_array_equal(second.get_xydata().T, scores[:, scores[0] < scores[1]])
    assert "left: 2 of 3 points on or above the diagonal, none further from it than 0.8" in figure.alt
    assert "right: 0 of 2 points" in figure.alt and "from 0.30 to 0.40" in figure.alt


def test_chances_draw_a_line_for_each_discount_and_dots_in_its_colour():
    figure = figures.chances(TOPS, LINES, DOTS, 0.4)
    (axes,) = figure.axes
    drawn = [line for line in axes.lines if line.get_linestyle() == "-" and len(line.get_xdata()) == 5]
    np.testing.assert_allclose([line.get_ydata() for line in drawn], list(LINES.values()))
    marks = [line for line in axes.lines if line.get_marker() in ("o", "s")]
    for mark, line, (_, shares, *_) in zip(marks, drawn, DOTS.values(), strict=False):
        assert mark.get_color() == line.get_color()
        np.testing.assert_allclose(mark.get_ydata(), shares)
    assert f"At 0.8 they are at 0.80 (fast), {np.interp(0.8, TOPS, TOPS**0.5):.2f} (r^(-2))" in figure.alt
    assert f"off by at most {0.75**0.5 - 0.375:.3f}." in figure.alt


def test_passes_grow_like_the_logarithm_where_theory_says_how_fast():
    sizes = np.array([100.0, 1_000.0, 10_000.0])
    means = {"a,\nb": np.array([0.0, 2.0, 4.5]), "b": np.array([0.0, 0.1, 0.1])}
    figure = figures.passes(sizes, means, {"a,\nb": 0.5})
    straight, *counted = figure.axes[0].lines
    np.testing.assert_allclose(straight.get_ydata(), [0.0, 0.5 * np.log(10), np.log(10)])
    np.testing.assert_allclose([line.get_ydata() for line in counted], list(means.values()))
    assert figure.alt.endswith("reach 4.50 (a, b); 0.10 (b). Dashed straight lines have the slopes 0.50.")
