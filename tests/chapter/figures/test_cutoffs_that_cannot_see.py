"""The figures on cut-offs that cannot see: what they draw and say is what they were given."""

import numpy as np
import pytest
from scipy.stats import norm

from ndcg_companion.book.figures import cutoffs_that_cannot_see as figures

DEPTHS = np.linspace(0.0, 1.0, 11)
CURVES = [0.7 - 0.4 * DEPTHS + sign * 0.1 * (DEPTHS == 0.5) for sign in (1, -1)]
SHARES = np.array([0.1, 0.5, 1.0])
LINES = {100: (SHARES, np.array([0.5, 0.7, 0.6])), 10_000: (SHARES, np.array([0.5, 1.0, 0.9]))}
SEEN = (SHARES, np.array([0.49, 0.99, 0.91]), np.array([0.4, 0.9, 0.8]), np.array([0.6, 1.0, 0.95]))
EXPONENTS = np.array([2.0, 6.0, 10.0])
FAILING = {
    "short": (EXPONENTS, np.array([-1.0, -2.0, -3.0])),
    "$\\log^2n$": (EXPONENTS, np.array([-3.0, -20.0, -50.0])),
}
LIMIT = np.array([-2.0, -4.0, -6.0])


def test_what_is_seen_stands_below_what_there_is():
    above, below = figures.seen(DEPTHS, CURVES, 0.3, LINES, SEEN, SEEN).axes
    for line, curve in zip(above.lines, CURVES, strict=True):
        np.testing.assert_allclose(line.get_xydata(), np.transpose([DEPTHS, curve]))
    first, second, dots, squares = below.lines
    np.testing.assert_allclose(first.get_xydata(), np.transpose(LINES[100]))
    np.testing.assert_allclose(second.get_xydata(), np.transpose(LINES[10_000]))
    for marks, bars in zip((dots, squares), below.collections, strict=True):
        np.testing.assert_allclose(marks.get_ydata(), SEEN[1])
        np.testing.assert_allclose(np.array(bars.get_segments())[:, :, 1], np.transpose(SEEN[2:]))
    assert (dots.get_xdata() < SHARES).all() and (squares.get_xdata() > SHARES).all()
    assert squares.get_xdata().max() < below.get_xlim()[1]


def test_what_is_seen_is_described():
    assert figures.seen(DEPTHS, CURVES, 0.3, LINES, SEEN, SEEN).alt == (
        "Above, two curves that coincide down to depth 0.3. Below, the chance of the first ranker: from the "
        "share 0.3 to the full list it goes from 0.60 to 0.60 (100 items), from 0.75 to 0.90 (10,000 "
        "items). Simulated: 0.49 at the share 0.1 and 0.91 on the full list."
    )


@pytest.mark.parametrize("order", [1, -1])
def test_the_higher_curve_has_its_name_above_it(order):
    above, _ = figures.seen(DEPTHS, CURVES[::order], 0.3, LINES, SEEN, SEEN).axes
    first, second = (text.get_verticalalignment() for text in above.texts)
    assert (first, second)[::order] == ("bottom", "top")


def test_failures_are_powers_of_ten_and_a_line_that_leaves_is_named_where_it_does():
    figure = figures.failures(FAILING, {"short": LIMIT})
    (axes,) = figure.axes
    drawn = [LIMIT, *(values for _, values in FAILING.values())]
    for line, values in zip(axes.lines, drawn, strict=True):
        np.testing.assert_allclose(line.get_xydata(), np.transpose([EXPONENTS, values]))
    assert axes.get_ylim()[0] == -30.0
    named = {text.get_text(): text.xy for text in axes.texts}
    assert named["short"][0] == 1
    # on the line, a tenth above the edge
    np.testing.assert_allclose(named["$\\log^2n$"], (6.0 + 4.0 * 7.0 / 30.0, -27.0))
    assert figure.alt.endswith("at 10^10 items they are 10^-3 (k = short), 10^-50 (k = log^2n).")


def test_the_border_is_as_given():
    sizes = np.tile(np.linspace(2.0, 12.0, 6), (8, 1))
    cutoffs = np.linspace(0.1, 1.0, 8)[:, None] * sizes
    scores = 10 ** (1.5 * cutoffs - sizes)  # 1 at k = n^(2/3)
    figure = figures.border(sizes, cutoffs, scores, 2 / 3, 0.4)
    (axes,) = figure.axes
    full, dashed = axes.lines
    np.testing.assert_allclose(full.get_xydata(), np.transpose([sizes[0], sizes[0]]))
    np.testing.assert_allclose(dashed.get_ydata(), 0.4 + sizes[0] * 2 / 3)
    places = {text.get_text(): text.get_position() for text in axes.texts}
    for level in (55, 75, 95):
        n, k = places[f"{level} %"]
        assert k == pytest.approx((n + np.log10(norm.ppf(level / 100))) / 1.5, abs=1e-9)
    assert "slope 0.67" in figure.alt and f"At 10^{sizes[0, 3]:g} items" in figure.alt
    assert f"{norm.cdf(scores[3, 3]):.2f} at k = 10^{cutoffs[3, 3]:.1f}" in figure.alt
