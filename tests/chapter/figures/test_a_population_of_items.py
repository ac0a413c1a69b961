"""The figures on the population model: what they draw is what they were given, and nothing covers a name."""

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_hex
from matplotlib.text import Text

from ndcg_companion.book.figures import a_population_of_items as figures
from ndcg_companion.simulation import sample_pair
from ndcg_companion.theory import Pair

EDGES = np.array([0.0, 0.25, 1.0])
RELEVANCE = np.array([0.125, 0.625])
TURNED = Pair("poly:0.7:-0.4", "poly:0.3:0.4")
NAMES = ("additive", "label-first", "shared top")


def texts_of(figure):
    """Every text with letters in it, and its box once the figure is laid out."""
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    texts = figure.findobj(
        lambda artist: isinstance(artist, Text) and any(map(str.isalpha, artist.get_text()))
    )
    return {text.get_text(): text.get_window_extent(canvas.get_renderer()) for text in texts}


def check_texts(figure):
    boxes = texts_of(figure)
    names = list(boxes)
    assert not [(a, b) for i, a in enumerate(names) for b in names[i + 1 :] if boxes[a].overlaps(boxes[b])]
    page = figure.bbox
    assert not [
        name for name, box in boxes.items() if not (page.contains(*box.min) and page.contains(*box.max))
    ]
    return boxes


def line(axes, colour, marker="None"):
    (found,) = [curve for curve in axes.lines if (curve.get_color(), curve.get_marker()) == (colour, marker)]
    return found.get_xdata(), found.get_ydata()


def ties(edges=EDGES, relevance=RELEVANCE, curve=lambda s: s):
    scores = (np.arange(4_800) + 0.5) / 4_800
    # within every tie each fourth item or so is relevant, evenly spread
    tie = np.searchsorted(edges[1:], scores)
    labels = (np.arange(4_800) % 8 < 8 * relevance[tie]).astype(int)
    return figures.ties_and_tosses(edges, relevance, curve, scores, labels, 1e-4)


def test_as_printed_the_distribution_has_a_stair_for_each_tie():
    upper, _ = ties().axes
    x, y = line(upper, figures.PRINTED)
    (stairs,) = [curve for curve in upper.lines if curve.get_color() == figures.PRINTED]
    assert stairs.get_drawstyle() == "steps-post"
    at = lambda t: y[np.searchsorted(x, t, side="right") - 1]
    assert [at(t) for t in (0.1, 0.25, 0.9)] == [0.0, 0.25, 0.25] and y[-1] == 1.0


def test_tossed_scores_show_their_own_distribution():
    scores = np.linspace(0, 0.5, 1001)
    half = figures.ties_and_tosses(EDGES, RELEVANCE, lambda s: s, scores, np.ones(1001), 0.5)
    x, y = line(half.axes[0], figures.REPAIRED)
    np.testing.assert_allclose(x, y / 2, atol=1e-3)
    assert "within 0.5000 of the diagonal" in half.alt


def test_relevance_is_counted_in_bins_and_printed_as_points():
    figure = ties()
    x, y = line(figure.axes[1], figures.REPAIRED, "o")
    assert len(x) == 24
    np.testing.assert_allclose(y, np.where(x < 0.25, 0.125, 0.625))
    points = line(figure.axes[1], figures.PRINTED, "D")
    np.testing.assert_array_equal(points, (EDGES[1:], RELEVANCE))
    assert figure.alt.startswith(
        "Above, a staircase with 2 steps that lies below the diagonal by up to 0.75,"
    )
    assert "steps at the heights 0.12, 0.62 with dots" in figure.alt


@pytest.mark.parametrize("curve", [lambda s: s**30, lambda s: 0.3 + 0 * s, lambda s: 1.0 - s])
@pytest.mark.parametrize("stars", [2, 20])
def test_names_beside_the_ties_stay_apart(curve, stars):
    edges = np.cumsum(np.arange(stars + 1)) / (stars * (stars + 1) / 2)
    figure = ties(edges, curve((edges[1:] + edges[:-1]) / 2), curve)
    check_texts(figure)
    upper = figure.axes[0]
    t = np.linspace(0.0, 1.0, 4_001)
    for heights in (t, edges[np.searchsorted(edges, t, side="right") - 1]):
        drawn = upper.transData.transform(np.column_stack([t, heights]))
        assert not any(text.get_window_extent().count_contains(drawn) for text in upper.texts)


def test_dots_above_the_curves_stay_in_the_picture():
    scores = np.linspace(0.0, 1.0, 4_800)
    lower = figures.ties_and_tosses(EDGES, RELEVANCE, lambda s: 0.1 * s, scores, np.ones(4_800), 0.5).axes[1]
    assert lower.get_ylim()[1] > 1.0


def test_an_empty_bin_has_no_dot():
    scores = np.linspace(0, 0.49, 99)
    figure = figures.ties_and_tosses(EDGES, RELEVANCE, lambda s: s, scores, np.ones(99), 0.51)
    x, y = line(figure.axes[1], figures.REPAIRED, "o")
    assert np.array_equal(x < 0.5, np.isfinite(y)) and np.isfinite(y).sum() == 12


def test_the_curves_cross_and_the_areas_between_them_are_equal():
    figure = figures.crossing_curves(TURNED, 0.9, (0.1, 0.1001))
    (axes,) = figure.axes
    s, first = line(axes, figures.FIRST)
    _, second = line(axes, figures.SECOND)
    np.testing.assert_allclose(first, 0.3 + 0.4 * s)
    np.testing.assert_allclose(second, 0.7 - 0.4 * s)
    areas = {}
    for area in axes.collections:
        (path,) = area.get_paths()
        x, y = path.vertices.T
        areas[to_hex(area.get_facecolor()[0])] = abs(x @ np.roll(y, 1) - y @ np.roll(x, 1)) / 2
    assert set(areas) == {figures.FIRST, figures.SECOND}
    np.testing.assert_allclose(list(areas.values()), 0.1, rtol=1e-2)
    assert "one on the other from 0.90 on;" in figure.alt
    assert "are 0.1000 where the solid one is higher and 0.1001 where" in figure.alt


def test_a_jump_is_drawn_on_both_sides():
    (axes,) = figures.crossing_curves(Pair("step:0.7:0.2:0.8", "constant:0.38"), 1, (0, 0)).axes
    s, first = line(axes, figures.FIRST)
    (jump,) = np.flatnonzero(np.diff(first) > 0.5)
    assert s[jump + 1] == 0.7 and s[jump + 1] - s[jump] < 1e-15


def test_each_coupling_shows_its_items_in_the_colour_of_their_label():
    drawn = {name: sample_pair(TURNED, 200, seed=seed) for seed, name in enumerate(NAMES)}
    figure = figures.couplings(drawn, dict(zip(NAMES, (0.5, 0.516, 0.7512), strict=True)))
    titles = [axes.get_title(loc="left") for axes in figure.axes]
    assert titles == ["additive\nagree: 50 %", "label-first\nagree: 52 %", "shared top\nagree: 75 %"]
    for axes, items in zip(figure.axes, drawn.values(), strict=True):
        (dots,) = axes.collections
        np.testing.assert_array_equal(dots.get_offsets(), np.column_stack([items.scores0, items.scores1]))
        relevant = [to_hex(colour) == figures.FIRST for colour in dots.get_facecolors()]
        np.testing.assert_array_equal(relevant, items.labels == 1)
    check_texts(figure)
    assert figure.alt.endswith("50 % (additive), 52 % (label-first), 75 % (shared top).")


def test_duels_count_who_is_ahead():
    values = [np.array([-0.2, 0.0, 0.1, 0.3]), np.array([0.1, 0.2]), np.array([-1e-3, -1e-3])]
    figure = figures.duels(dict(zip(NAMES, values, strict=True)), -0.05)
    (axes,) = figure.axes
    written = [text.get_text() for text in axes.texts]
    assert written == [
        f"{name}: first ahead on {share} %" for name, share in zip(NAMES, (50, 100, 0), strict=True)
    ]
    dots = [dots.get_xdata() for dots in axes.lines if dots.get_marker() == "."]
    np.testing.assert_array_equal(np.sort(np.concatenate(dots)), np.sort(np.concatenate(values)))
    check_texts(figure)
    assert figure.alt.endswith(
        "at −0.0500, with standard deviations 0.21 (additive), 0.071 (label-first), 0 (shared top)."
    )


@pytest.mark.parametrize("count", [50, 400, 5_000])
def test_no_dot_meets_the_name_of_a_strip(count):
    values = np.linspace(-1.0, 1.0, count)
    figure = figures.duels(dict.fromkeys(NAMES, values), 0.0)
    boxes, (axes,) = texts_of(figure), figure.axes
    strips = [strip for strip in axes.lines if strip.get_marker() == "."]
    dots = [axes.transData.transform(np.column_stack(strip.get_data())) for strip in strips]
    for name in NAMES:
        (box,) = [box for text, box in boxes.items() if text.startswith(name)]
        assert not any(box.count_contains(strip) for strip in dots)
