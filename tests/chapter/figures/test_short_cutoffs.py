"""The figures on theorem 11: what they draw is what they were given, on the axes they say."""

from io import BytesIO

import numpy as np
import pytest

from ndcg_companion.book.figures import short_cutoffs as figures

SIZES = np.array([1e2, 1e4, 1e6])
NAMES = list(figures.COLOURS)


def line(axes, colour, marker="None"):
    """Data of the one curve of this colour, or of its dots."""
    (found,) = [line for line in axes.lines if (line.get_color(), line.get_marker()) == (colour, marker)]
    return found.get_xdata(), found.get_ydata()


def boxes(axes, texts):
    axes.figure.canvas.draw()
    return [text.get_window_extent() for text in axes.texts if text.get_text() in texts]


def test_bands_are_drawn_beside_their_length_and_as_wide_as_given():
    lists = {name: np.array([SIZES, 0.5 - 0.1 / SIZES, 0 * SIZES + 0.6, 0.7 + 0.1 / SIZES]) for name in NAMES}
    expected = {name: np.array([SIZES, 0.6 + 0.01 * place + 0 * SIZES]) for place, name in enumerate(NAMES)}
    (axes,) = figures.bands(lists, expected, 0.62).axes
    for name, bars in zip(NAMES, axes.collections, strict=True):
        ends = np.array(bars.get_segments())
        np.testing.assert_allclose(ends[:, :, 1], lists[name][[1, 3]].T)
        assert (np.abs(np.log10(ends[:, 0, 0] / SIZES)) < 0.5).all()
        np.testing.assert_allclose(line(axes, figures.COLOURS[name], "o")[1], 0.6)
        np.testing.assert_allclose(line(axes, figures.COLOURS[name]), expected[name])
    assert axes.figure.alt.count("0.202 to 0.200 (k = ") == 4


def test_the_valley_has_a_line_for_each_length_and_a_path_for_each_cutoff():
    k = np.array([1.0, 10.0, 100.0])
    errors = {power: np.array([k, 1 / np.sqrt(k) + k / 10.0**power]) for power in (2, 4)}
    paths = {name: np.array([k, 1 / (k * (2 + place))]) for place, name in enumerate(NAMES)}
    dots = {name: path[:, :2] * 1.1 for name, path in paths.items()}
    dots["n^0.9"] = np.empty((2, 0))  # a top that is too long to be drawn
    (axes,) = figures.valley(errors, paths, dots).axes
    for name in NAMES:
        np.testing.assert_allclose(line(axes, figures.COLOURS[name]), paths[name])
        np.testing.assert_allclose(line(axes, figures.COLOURS[name], "o"), dots[name])
    for drawn, error in zip(axes.lines, errors.values(), strict=False):
        np.testing.assert_allclose([drawn.get_xdata(), drawn.get_ydata()], error)
    assert "smallest is at k = 10 (n = 10 to the 2), k = 100 (n = 10 to the 4)." in axes.figure.alt
    assert axes.figure.alt.endswith(
        "0.005 (k = constant), 0.0033 (k = log n), 0.0025 (k = √n), 0.002 (k = n^0.9)."
    )


@pytest.mark.filterwarnings("error")
def test_a_certain_top_has_no_error_to_draw():
    path = np.array([[1.0, 10.0], [0.0, 0.0]])
    errors = {2: path, 4: np.array([[1.0, 10.0], [0.0, 0.1]])}  # one point is no line
    dots = dict.fromkeys(NAMES, path) | {"n^0.9": np.empty((2, 0))}
    (axes,) = figures.valley(errors, dict.fromkeys(NAMES, path), dots).axes
    axes.figure.savefig(BytesIO(), format="svg")
    assert not any(len(drawn.get_ydata()) for drawn in axes.lines)
    assert [text.get_text() for text in axes.texts] == ["no error at all"]


def test_counts_are_drawn_on_logarithmic_scales():
    k = np.array([1.0, 10.0, 100.0])
    counts = {name: k ** (1 / (1 + place)) for place, name in enumerate(figures.DISCOUNTS)}
    (axes,) = figures.counted(k, counts).axes
    for name, colour in figures.DISCOUNTS.items():
        np.testing.assert_allclose(line(axes, colour), [k, counts[name]])
    assert "at k = 100 they are at 100.0 (1/log(1+r)), 10.0 (r^−1/2)," in axes.figure.alt


def test_laws_step_where_the_lists_and_the_limit_do():
    seen = {"by score": np.array([1.0, 0.6, 1.0, 0.4]), "random": np.array([0.0, 0.4, 0.6, 0.0])}
    exact = {name: np.array([[0.0, 0.4, 0.6, 1.0], [0.25, 0.5, 0.75, 1.0]]) for name in seen}
    (axes,) = figures.laws(seen, exact).axes
    for name, values in seen.items():
        (drawn,) = [step for step in axes.lines if step.get_color() == figures.RANKINGS[name]]
        x, y = drawn.get_xdata(), drawn.get_ydata()
        for value in (0.2, 0.5, 0.8):
            assert y[np.searchsorted(x, value, side="right") - 1] == np.mean(values <= value)
    assert list(axes.lines[0].get_ydata()[1:-1]) == [0.25, 0.5, 0.75, 1.0]
    assert "at most 0.25 apart in height" in axes.figure.alt
    assert axes.figure.alt.endswith("at most 0.80 (by score), 0.20 (random).")
