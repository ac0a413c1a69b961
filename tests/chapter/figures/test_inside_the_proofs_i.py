"""The figures inside the first proofs: they draw what they were given, and labels can be told apart."""

import numpy as np
import pytest
from matplotlib.colors import to_hex
from scipy.integrate import trapezoid

from claimbook.style import GREY, PALETTE
from ndcg_companion.book.figures import inside_the_proofs_i as figures

SIZES = np.array([10.0, 1e3, 1e6, 1e15])
LINES = {"first": -1.0 / SIZES, "second": 2.0 / SIZES}
RATES = {"printed": SIZES ** (-1 / 3)}


def labels_of(axes):
    axes.figure.canvas.draw()
    return {text.get_text(): text.get_window_extent() for text in axes.texts}


def curve(axes, colour, marker="None", dashed=False):
    """Data of the one curve of this colour, or of the dots."""
    alike = [line for line in axes.lines if (line.get_color(), line.get_marker()) == (colour, marker)]
    (found,) = [line for line in alike if (line.get_linestyle() == "--") == dashed]
    return found.get_xdata(), found.get_ydata()


@pytest.mark.parametrize("n", [2, 8, 30])
def test_bands_have_area_one_and_fill_a_rectangle(n):
    (axes,) = figures.stacked_densities(n).axes
    edges = [line.get_ydata() for line in axes.lines if to_hex(line.get_color()) == PALETTE[0]]
    depths = axes.lines[0].get_xdata()
    assert len(edges) == len(axes.collections) == n
    np.testing.assert_allclose(edges[-1], n)
    for below, above in zip([0.0 * depths, *edges[:-1]], edges, strict=True):
        assert (above >= below - 1e-9).all()
        assert trapezoid(above - below, depths) == pytest.approx(1.0, abs=1e-3)


def test_the_first_band_is_the_law_of_the_highest_of_uniform_scores():
    figure = figures.stacked_densities(5)
    (axes,) = figure.axes
    depths, density = axes.lines[0].get_data()
    np.testing.assert_allclose(density, 5 * (1 - depths) ** 4, atol=1e-12)
    assert "all 5 together: 5 everywhere" in labels_of(axes)
    assert figure.alt.startswith("5 bands") and "to rank 5" in figure.alt
    assert figure.alt.endswith(f"At depth 0.1 the band of rank 1 is {5 * 0.9**4:.2f} high.")


def test_distances_are_drawn_without_their_sign():
    figure = figures.distances(SIZES, LINES, RATES, {"second": (SIZES[:2], np.array([-0.3, 0.004]))})
    (axes,) = figure.axes
    np.testing.assert_allclose(curve(axes, PALETTE[0])[1], 1.0 / SIZES)
    np.testing.assert_allclose(curve(axes, PALETTE[1])[1], 2.0 / SIZES)
    np.testing.assert_allclose(curve(axes, GREY, dashed=True)[1], SIZES ** (-1 / 3))
    places, values = curve(axes, PALETTE[1], "o")
    np.testing.assert_allclose(places, SIZES[:2])
    np.testing.assert_allclose(values, [0.3, 0.004])
    assert figure.alt == (
        "2 falling curves on logarithmic axes. At ten to the 15 items they are at 1.0e-15 (first), 2.0e-15 "
        "(second); a dashed line for printed is at 1.0e-05."
    )


def test_a_distance_of_zero_has_no_place_on_a_logarithmic_axis():
    figure = figures.distances(SIZES, LINES | {"faultless": 0.0 * SIZES}, RATES)
    assert set(labels_of(figure.axes[0])) == {"first", "second", "printed"}
    assert "; faultless is not off at all, and has none;" in figure.alt


def test_a_line_that_passes_through_zero_keeps_its_other_points():
    (axes,) = figures.distances(SIZES, {"crossing": np.array([0.1, 0.0, -1e-3, -1e-9])}, {}).axes
    _, values = curve(axes, PALETTE[0])
    np.testing.assert_array_equal(values, [0.1, np.nan, 1e-3, 1e-9])


def test_scaled_distances_run_into_their_limits():
    log_n = np.log(10) * np.array([2.0, 6.0, 100.0])
    scaled = {"one": -0.5 - 1.0 / log_n, "two": 1.0 / log_n}
    (axes,) = figures.scaled_distances(log_n, scaled, {"one": -0.5, "two": 0.0}).axes
    places, values = curve(axes, PALETTE[0])
    np.testing.assert_allclose(places, 1.0 / log_n)
    np.testing.assert_allclose(values, scaled["one"])
    diamonds = [line.get_ydata()[0] for line in axes.lines if line.get_marker() == "D"]
    assert diamonds == [-0.5, 0.0]
    assert axes.figure.alt.endswith(
        "from 100 items to the diamonds at infinity, which stand at -0.500 (one), 0.000 (two)."
    )
