"""The figures on theorem 9: what they draw is what they were given, on the axes they say."""

import numpy as np

from ndcg_companion.book.axes import RANKINGS
from ndcg_companion.book.figures import the_zipfian_border as figures

SIZES = np.array([100, 1_000, 10_000])
LOG_N = np.log(10) * np.array([2.0, 4.0, 16.0, 100.0])
LIMITS = {"by score": 0.9, "random": 0.3, "upside down": 0.0}
SURPLUS = {"by score": -0.27, "random": 0.36, "upside down": 0.45}
EXACT = {name: LIMITS[name] + SURPLUS[name] / LOG_N for name in LIMITS}
MEANS = {name: LIMITS[name] + SURPLUS[name] / np.log(SIZES) for name in LIMITS}
LIMITS_EVERYWHERE = {name: np.full(4, limit) for name, limit in LIMITS.items()}
MARGINS = {name: np.array([0.02, 0.01, 0.005]) for name in LIMITS}


def line(axes, colour, marker="None", style="-", width=None):
    """Data of the one curve of this colour, or of its dots."""
    alike = [each for each in axes.lines if each.get_color() == colour and each.get_marker() == marker]
    alike = [each for each in alike if marker != "None" or each.get_linestyle() == style]
    (found,) = [each for each in alike if width in (None, each.get_linewidth())]
    return found.get_xdata(), found.get_ydata()


def test_paths_mark_every_limit():
    curves = {name: np.linspace(0.5, limit, 3) for name, limit in LIMITS.items()}
    (axes,) = figures.paths(SIZES, curves, LIMITS).axes
    for name, values in curves.items():
        np.testing.assert_allclose(line(axes, RANKINGS[name])[1], values)
        np.testing.assert_allclose(line(axes, RANKINGS[name], style=":")[1], LIMITS[name])
    assert axes.get_xscale() == "log"


def distances(exact):
    (axes,) = figures.distances(LOG_N, exact, exact, SIZES, MEANS, MARGINS, LIMITS).axes
    return axes


def test_distances_are_straight_where_both_axes_are_logarithmic():
    axes = distances(EXACT)
    for name in LIMITS:
        exponents, distance = line(axes, RANKINGS[name])
        np.testing.assert_allclose(np.diff(np.log(distance)) / np.diff(np.log(exponents)), -1.0)
        np.testing.assert_allclose(line(axes, RANKINGS[name], "o")[1], abs(SURPLUS[name]) / np.log(SIZES))
    assert axes.get_xscale() == axes.get_yscale() == "log"


def test_intervals_end_where_they_were_given():
    bars = distances(EXACT).collections
    for bar, name in zip(bars, LIMITS, strict=True):
        ends = np.array(bar.get_segments())[:, :, 1]
        middle = abs(SURPLUS[name]) / np.log(SIZES)
        np.testing.assert_allclose(ends, np.column_stack([middle - MARGINS[name], middle + MARGINS[name]]))


def test_a_ranking_at_its_limit_has_no_place_on_a_logarithmic_axis():
    axes = distances(EXACT | {"by score": np.full(4, 0.9)})
    assert [text.get_text() for text in axes.texts] == ["random", "upside down"]
    assert len(distances(EXACT).texts) == 3


def test_the_border_has_bias_above_and_noise_below():
    x, places, far = np.linspace(-3, 3, 7), np.array([-1.0, 0.0, 1.0]), np.array([0.5])
    bias = {name: surplus * np.exp(x) for name, surplus in SURPLUS.items()}
    noise = {name: abs(surplus) * np.exp(-x) for name, surplus in SURPLUS.items()}
    seen = {name: surplus + places for name, surplus in SURPLUS.items()}
    spreads = {name: abs(surplus) - 0.1 * places for name, surplus in SURPLUS.items()}
    exact = {name: surplus + 0.9 * places for name, surplus in SURPLUS.items()}
    googol = {name: [surplus] for name, surplus in SURPLUS.items()}
    upper, lower = figures.border(x, bias, noise, (places, seen, MARGINS, spreads, exact), (far, googol)).axes
    for name in LIMITS:
        colour = RANKINGS[name]
        np.testing.assert_allclose(line(upper, colour, width=1.8), [x, bias[name]])
        np.testing.assert_allclose(line(upper, colour, width=0.8), [places, exact[name]])
        np.testing.assert_allclose(line(upper, colour, "o"), [places, seen[name]])
        np.testing.assert_allclose(line(upper, colour, "D"), [far, googol[name]])
        np.testing.assert_allclose(line(lower, colour), [x, noise[name]])
        np.testing.assert_allclose(line(lower, colour, "o"), [places, spreads[name]])
    # the names of the two sides stand above everything that is drawn
    upper.figure.canvas.draw()
    sides = [text.get_window_extent() for text in upper.texts if text.get_text().startswith("β")]
    highest = upper.transData.transform((0, max(values.max() for values in bias.values())))[1]
    assert len(sides) == 2 and min(box.y0 for box in sides) > highest


def test_waves_show_relevance_above_and_ndcg_below():
    names = ("settles", "wanders")
    relevance = {name: np.array([0.1, 0.9, 0.5, 0.3]) * (1 + place) / 2 for place, name in enumerate(names)}
    exact = {name: 0.5 + 0.1 * values for name, values in relevance.items()}
    dots = {name: values[:3] + 0.01 for name, values in exact.items()}
    upper, lower = figures.waves(LOG_N, relevance, exact, SIZES, dots).axes
    for name in names:
        np.testing.assert_allclose(line(upper, figures.WAVES[name]), [[2, 4, 16, 100], relevance[name]])
        np.testing.assert_allclose(line(lower, figures.WAVES[name])[1], exact[name])
        np.testing.assert_allclose(line(lower, figures.WAVES[name], "o"), [[2, 3, 4], dots[name]])


def test_the_alternative_texts_have_the_numbers_that_are_drawn():
    curves = {name: np.linspace(0.5, limit, 3) for name, limit in LIMITS.items()}
    alt = figures.paths(SIZES, curves, LIMITS).alt
    assert "0.90 (by score; limit 0.90), 0.30 (random; limit 0.30)" in alt
    alt = figures.distances(LOG_N, EXACT, LIMITS_EVERYWHERE, SIZES, MEANS, MARGINS, LIMITS).alt
    assert "0.00117 (by score), 0.00156 (random), 0.00195 (upside down)" in alt and "within 2e-03" in alt
    waves = {"settles": np.array([0.2, 0.5]), "wanders": np.array([0.4, 0.6])}
    alt = figures.waves(LOG_N[:2], waves, waves, SIZES[:2], waves).alt
    assert alt.endswith("settles ends at 0.500; the other keeps swinging between about 0.40 and 0.60.")
