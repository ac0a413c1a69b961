"""The figures on pairs under summable discounts: strips, clouds, chances and counts show what they were
given.
"""

import numpy as np
import pytest
from matplotlib.colors import to_rgba

from ndcg_companion.chapter.figures import summable_discounts as figures

CASES = {
    "one": [[(1, 20, 0), (20, 50, None), (50, 100, 1)], [(1, 100, 1)]],
    "other": [[(3, 7, 1), (7, 100, 0)]],
}


def strips(axes, colour):
    """(left, right, height of the middle) of the pieces of this colour."""
    found = []
    for each in axes.collections:
        if to_rgba(each.get_facecolor()[0]) == to_rgba(colour) if len(each.get_facecolor()) else False:
            for path in each.get_paths():
                (x0, y0), (x1, y1) = path.vertices.min(axis=0), path.vertices.max(axis=0)
                found.append((x0, x1, round((y0 + y1) / 2, 6)))
    return found


def test_each_list_is_a_strip_of_its_leaders_and_a_tie_is_a_gap():
    (axes,) = figures.leads(CASES, 10, 100).axes
    assert axes.get_xscale() == "log" and axes.get_xlim() == (10, 100)
    first, second = strips(axes, figures.FIRST), strips(axes, figures.SECOND)
    # clipped at 10; what is over before that is not drawn, and nobody's colour fills a tie
    assert [each[:2] for each in first] == [(10, 20), (10, 100)]
    assert [each[:2] for each in second] == [(50, 100), (10, 100)]
    heights = [first[0][2], second[0][2], second[1][2], first[1][2]]
    assert heights[0] == heights[1] < heights[2] < heights[3]
    assert heights[3] - heights[2] > 2 * (heights[2] - heights[1])
    assert axes.yaxis_inverted()


def test_the_strips_are_named_above_their_block_and_the_colours_by_whose_they_are():
    (axes,) = figures.leads(CASES, 10, 100).axes
    texts = {text.get_text(): text for text in axes.texts}
    assert list(texts) == ["one", "other", "$f_0$ ahead", "$f_1$ ahead"]
    assert texts["$f_0$ ahead"].get_color() == figures.FIRST
    assert texts["$f_1$ ahead"].get_color() == figures.SECOND
    tops = {each[2] for each in strips(axes, figures.FIRST) + strips(axes, figures.SECOND)}
    low, high = sorted(axes.get_ylim())
    for name in ("one", "other"):
        height = texts[name].get_position()[1]
        assert low < height < high and all(abs(height - each) > 0.5 for each in tops)


def test_clouds_are_coloured_by_who_is_ahead_and_ties_are_left_to_the_diagonal():
    scores = {
        "left": np.array([[0.2, 0.9, 0.5], [0.8, 0.1, 0.5]]),
        "right": np.array([[0.3, 0.4], [0.2, 0.3]]),
    }
    figure = figures.two_clouds(scores)
    for axes, (title, each) in zip(figure.axes, scores.items(), strict=True):
        assert axes.get_title(loc="left") == title and axes.get_aspect() == 1
        diagonal, first, second = axes.lines
        np.testing.assert_array_equal(diagonal.get_xdata(), diagonal.get_ydata())
        np.testing.assert_array_equal(first.get_xydata().T, each[:, each[0] > each[1]])
        np.testing.assert_array_equal(second.get_xydata().T, each[:, each[0] < each[1]])
        assert (first.get_color(), second.get_color()) == (figures.FIRST, figures.SECOND)


def test_chances_draw_a_line_for_each_discount_and_dots_in_its_colour():
    tops = np.linspace(0, 1, 5)
    lines = {"fast": tops, "slow": tops**0.5, "slowest": tops**0.1}
    where = np.array([0.25, 0.75])
    dots = {"fast": (where, where, where - 0.1, where + 0.1), "slow": (where, where / 2, where / 3, where)}
    (axes,) = figures.chances(tops, lines, dots, 0.4).axes
    drawn = [line for line in axes.lines if line.get_linestyle() == "-" and len(line.get_xdata()) == 5]
    np.testing.assert_allclose([line.get_ydata() for line in drawn], list(lines.values()))
    colours = {text.get_text(): text.get_color() for text in axes.texts}
    assert list(colours.values()) == [line.get_color() for line in drawn] and list(colours) == list(lines)
    marks = [line for line in axes.lines if line.get_marker() in ("o", "s")]
    for mark, bars, (name, (_, shares, low, high)) in zip(marks, axes.collections, dots.items(), strict=True):
        assert mark.get_color() == colours[name]
        np.testing.assert_allclose(mark.get_ydata(), shares)
        np.testing.assert_allclose(mark.get_xdata(), where, atol=0.013)
        np.testing.assert_allclose(np.array(bars.get_segments())[:, :, 1], np.transpose([low, high]))


def test_passes_grow_like_the_logarithm_where_theory_says_how_fast():
    sizes = np.array([100.0, 1_000.0, 10_000.0])
    means = {"a": np.array([0.0, 2.0, 4.5]), "b": np.array([0.0, 0.1, 0.1])}
    (axes,) = figures.passes(sizes, means, {"a": 0.5}).axes
    straight = [line for line in axes.lines if line.get_color() == "black"]
    assert len(straight) == 1
    np.testing.assert_allclose(straight[0].get_ydata(), [0.0, 0.5 * np.log(10), np.log(10)])
    np.testing.assert_allclose(
        [line.get_ydata() for line in axes.lines if line not in straight], list(means.values())
    )
    assert axes.get_xscale() == "log" and "100" in axes.get_ylabel()
    heights = {text.get_text(): text.xy[1] for text in axes.texts}
    assert heights["a"] > heights["b"]


@pytest.mark.parametrize("name", ["leads", "two_clouds", "chances", "passes"])
def test_a_figure_knows_what_drew_it(name):
    tops = np.array([0.0, 1.0])
    arguments = {
        "leads": (CASES, 10, 100),
        "two_clouds": ({"a": np.eye(2), "b": np.eye(2)},),
        "chances": (tops, {"a": tops}, {}, 0.5),
        "passes": (np.array([1.0, 10.0]), {"a": tops}, {}),
    }
    figure = getattr(figures, name)(*arguments[name])
    assert figure.drawn_by == f"ndcg_companion.chapter.figures.summable_discounts.{name}"
