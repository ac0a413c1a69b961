"""The figures on summable discounts: what they draw is what they were given, and the forbidden band stays
empty.
"""

import numpy as np
import pytest
from matplotlib.colors import to_rgba

from ndcg_companion.book.figures import discounts_that_decay_too_fast as figures

SIZES = np.array([1e3, 1e6, 1e9, 1e12])
EDGES = np.linspace(0.0, 1.0, 5)
BAND = (0.4, 0.6)
NAMES = list(figures.COLOURS)


def curve(axes, colour):
    """Data of the one line of this colour."""
    (found,) = [each for each in axes.lines if each.get_color() == colour]
    return found.get_xdata(), found.get_ydata()


def bands(axes, vertical=False):
    """Edges of the strips that are drawn above everything else."""
    strips = [patch.get_bbox() for patch in axes.patches if patch.get_zorder() == 3]
    return [(strip.x0, strip.x1) if vertical else (strip.y0, strip.y1) for strip in strips]


def wandering():
    rows = ([0.4, 0.6, 0.3, 0.7], [0.1, 0.5, 0.9, 0.2], [0.1, 0.8, 0.2, 0.7])
    paths = {name: np.array(row) for name, row in zip(NAMES, rows, strict=True)}
    rows = ([0.1, 0.4, 0.4, 0.1], [0.2, 0.3, 0.3, 0.2], [0.5, 0.0, 0.0, 0.5])
    shares = {name: np.array(row) for name, row in zip(NAMES, rows, strict=True)}
    intervals = {name: (0.9 * each, 1.1 * each + 0.01) for name, each in shares.items()}
    rows = ([0.05, 0.45, 0.45, 0.05], [0.25] * 4, [0.45, 0.05, 0.05, 0.45])
    exact = {name: np.array(row) for name, row in zip(NAMES, rows, strict=True)}
    forbidden = dict(zip(NAMES, ([], [], [BAND]), strict=True))
    return (
        figures.wandering(SIZES, paths, EDGES, shares, intervals, exact, forbidden),
        paths,
        shares,
        intervals,
        exact,
    )


@pytest.mark.parametrize("row", [0, 1, 2])
def test_each_path_stands_beside_its_law(row):
    figure, paths, shares, intervals, exact = wandering()
    path, law = figure.axes[2 * row : 2 * row + 2]
    name = NAMES[row]
    np.testing.assert_allclose(curve(path, figures.COLOURS[name]), [SIZES, paths[name]])
    assert path.get_xscale() == "log" and name in path.get_ylabel()
    # densities, so that bars and law have the area 1 whatever the bins
    bars = [
        patch.get_bbox()
        for patch in law.patches
        if patch.get_facecolor() == to_rgba(figures.COLOURS[name], 0.45)
    ]
    np.testing.assert_allclose([bar.x1 for bar in bars], 4 * shares[name])
    np.testing.assert_allclose([bar.y0 for bar in bars], EDGES[:-1])
    (stairs,) = [patch for patch in law.patches if hasattr(patch, "get_data")]
    np.testing.assert_allclose(stairs.get_data().values, 4 * exact[name])
    (ends,) = [np.array(each.get_segments())[:, :, 0] for each in law.collections]
    np.testing.assert_allclose(ends, 4 * np.transpose(intervals[name]))
    assert law.get_xlim()[1] > 4 * max(each[1].max() for each in intervals.values())


def test_the_forbidden_band_covers_the_jumps_across_it():
    figure = wandering()[0]
    assert [bands(axes) for axes in figure.axes] == [[], [], [], [], [BAND], [BAND]]
    path = figure.axes[4]
    assert all(line.get_zorder() < 3 for line in path.lines)
    assert [text.get_text() for axes in figure.axes for text in axes.texts] == ["never"]


def test_the_alternative_texts_have_the_numbers_that_are_drawn():
    alt = wandering()[0].alt
    assert alt.startswith("Jagged paths: NDCG@10 goes between 0.30 and 0.70, and travels 0.5 up and down")
    assert "under 2^(-r) NDCG goes between 0.10 and 0.90, and travels 0.8 up and down" in alt
    assert laws()[0].alt.endswith("0 between 0.40 and 0.60; the one for steep climbs to 12 near 0.99.")
    path = np.array([0.1, 0.9, 0.2, 0.8])
    fates = {"by score": [path], "by arrival": [path / 80]}
    alt = figures.two_orders(np.array([1, 20, 30, 100]), fates, BAND).alt
    assert "one of them moves by 0.70" in alt and alt.endswith("none moves by more than 0.009.")


def laws():
    x = np.linspace(0.0, 1.0, 201)
    cantor = np.interp(
        x, [0, 1 / 9, 2 / 9, 1 / 3, 2 / 3, 7 / 9, 8 / 9, 1], [0, 0.25, 0.25, 0.5, 0.5, 0.75, 0.75, 1]
    )
    staircases = {"straight": x, "low": x**4, "steps": cantor}
    middles = (x[1:] + x[:-1]) / 2
    densities = {"even": np.where(abs(middles - 0.27) < 0.1, 2.0, 0.5), "steep": 12 * middles**11}
    return figures.laws(x, staircases, densities, BAND), x, staircases, densities


def test_laws_show_distribution_functions_above_densities():
    figure, x, staircases, densities = laws()
    upper, lower = figure.axes
    np.testing.assert_allclose([line.get_ydata() for line in upper.lines], list(staircases.values()))
    drawn = [patch.get_data() for patch in lower.patches if hasattr(patch, "get_data")]
    np.testing.assert_allclose([each.values for each in drawn], list(densities.values()))
    np.testing.assert_allclose(drawn[0].edges, x)
    assert bands(lower, vertical=True) == [BAND]
    for axes, names in ((upper, staircases), (lower, ["never", *densities])):
        assert [text.get_text() for text in axes.texts] == list(names)


def test_the_names_of_laws_stay_clear_of_every_curve():
    figure, x, staircases, _ = laws()
    figure.canvas.draw()
    upper = figure.axes[0]
    fine = np.linspace(0.0, 1.0, 5000)
    for text in upper.texts:
        box = text.get_window_extent()
        for values in staircases.values():
            points = np.column_stack([fine, np.interp(fine, x, values)])
            assert not box.count_contains(upper.transData.transform(points))
        assert upper.get_window_extent().x0 < box.x0 and box.x1 < upper.get_window_extent().x1


def test_two_orders_draw_the_same_lists_in_the_same_colours():
    fates = {
        "by score": [np.array([0.1, 0.9, 0.2, 0.8]), np.array([0.7, 0.7, 0.3, 0.3])],
        "by arrival": [np.array([0.3, 0.2, 0.2, 0.2]), np.array([0.9, 0.8, 0.8, 0.8])],
    }
    upper, lower = figures.two_orders(SIZES, fates, BAND).axes
    for axes, (name, each) in zip((upper, lower), fates.items()):
        assert axes.get_title(loc="left") == f"ranked {name}"
        np.testing.assert_allclose([line.get_ydata() for line in axes.lines], each)
        assert bands(axes) == [BAND]
    assert [line.get_color() for line in upper.lines] == [line.get_color() for line in lower.lines]


def test_a_pair_that_is_decided_has_no_place_on_a_logarithmic_axis():
    lengths = np.arange(10, 15)
    shares = {
        "independent": np.array([0.9, 0.8, 0.7, 0.6, 0.6]),
        "shared top": np.array([0.5, 0.1, 0.01, 0.0, 0.0]),
    }
    (axes,) = figures.behind(lengths, shares).axes
    assert axes.get_yscale() == "log"
    np.testing.assert_allclose(curve(axes, figures.PAIRS["independent"]), [lengths, shares["independent"]])
    np.testing.assert_allclose(curve(axes, figures.PAIRS["shared top"]), [[10, 11, 12], [0.5, 0.1, 0.01]])
    assert not figures.behind(lengths, {"shared top": np.zeros(5)}).axes[0].lines
    named = {text.get_text().split("\n")[0]: text.xy for text in axes.texts}
    assert named == {"independent": (14, 0.6), "shared top": (12, 0.01)}
