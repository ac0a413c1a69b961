"""The figures on theorem 8: what they draw and say is what they were given."""

import numpy as np
import pytest
from matplotlib.colors import to_hex

from ndcg_companion.book.figures import when_limits_tie as figures

LENGTHS = [100, 10_000, 10**12]
LINES = {
    "$r^{-1/2}$": (LENGTHS, np.array([0.38, 0.39, 0.4])),
    "steep": (LENGTHS, np.array([0.4, 0.8, 1.0])),
}
SHARES = ([100, 10_000], np.array([0.37, 0.41]), np.array([0.3, 0.35]), np.array([0.45, 0.5]))


def test_chances_are_drawn_over_the_exponent_of_the_length():
    (axes,) = figures.chances(LINES, {"steep": SHARES}, {"steep": SHARES}).axes
    flat, steep, dots, squares = axes.lines
    np.testing.assert_allclose(flat.get_xdata(), [2, 4, 12])
    np.testing.assert_allclose(steep.get_ydata(), LINES["steep"][1])
    np.testing.assert_allclose(dots.get_xydata(), np.transpose([[2, 4], SHARES[1]]))
    assert (squares.get_xdata() > dots.get_xdata()).all()
    bars = [np.array(bar)[:, 1] for bar in axes.collections[0].get_segments()]
    np.testing.assert_allclose(bars, np.transpose(SHARES[2:]))


def test_four_discounts_have_four_colours():
    lines = {name: LINES["steep"] for name in "abcd"}
    (axes,) = figures.chances(lines, {"d": SHARES}).axes
    assert len({line.get_color() for line in axes.lines[:4]}) == 4


def test_the_chances_are_described():
    assert figures.chances(LINES, {"steep": SHARES}).alt == (
        "Probability that the first ranker is ahead: r^(-1/2) from 0.38 at 100 items to 0.40 at 10^12; "
        "steep from 0.40 at 100 items to 1.00 at 10^12. Simulated: steep 0.41 of the lists of 10,000 items."
    )


def test_strips_are_coloured_by_who_is_ahead_and_changes_are_counted():
    leads = {"$r^{-1}$": -np.ones((4, 3)), "other": np.array([[1, -1, 1], [1, 1, 1], [-1, 1, 0], [1, 1, -1]])}
    figure = figures.strips(np.array([100, 1_000, 10_000]), leads)
    upper, lower = figure.axes
    assert upper.get_xlim() == lower.get_xlim() == (2.0, 4.0) and lower.get_ylim() == (4, 0)
    colours, cell = {1: [figures.FIRST], -1: [figures.SECOND], 0: []}, 2 / 3
    for axes, signs in zip(figure.axes, leads.values()):
        for (row, place), sign in np.ndenumerate(signs):
            middle = 2.0 + (place + 0.5) * cell, row + 0.5
            at = [
                bars
                for bars in axes.collections
                if any(path.contains_point(middle) for path in bars.get_paths())
            ]
            assert [to_hex(bars.get_facecolor()[0]) for bars in at] == colours[sign]
    assert figure.alt.startswith(
        "2 panels of 4 strips, coloured by who is ahead at 3 list lengths from 100 to"
    )
    assert (
        "under other the lead changes 1.2 times on the average list and the first ranker is ahead "
        "on 2 of them" in figure.alt
    )


def test_correlated_rankers_stand_beside_their_limit():
    ways = {"ρ = 0": (*LINES["$r^{-1/2}$"], SHARES), "ρ = 0.8": (*LINES["steep"], SHARES)}
    figure = figures.correlated(ways, 0.4, np.array([1e2, 1e12]), np.array([6.0, 0.5]))
    above, below = figure.axes
    limit, *curves = above.lines
    assert set(limit.get_ydata()) == {0.4}
    np.testing.assert_allclose(curves[0].get_ydata(), LINES["$r^{-1/2}$"][1])
    np.testing.assert_allclose(below.lines[0].get_xydata(), [[2, 6.0], [12, 0.5]])
    assert "the limit of both is 0.400" in figure.alt and "from 6.0 at 10^2 items to 0.50" in figure.alt


def test_the_law_is_split_at_zero_and_says_how_much_is_on_either_side():
    edges = np.linspace(-2.0, 1.0, 61)
    samples = {"additive": np.linspace(-2, 1, 500), "label-first": np.linspace(-0.5, 1, 500)}
    figure = figures.law_of_the_gap(edges, np.full(60, 1.0 / 3.0), 1.0 / 3.0, samples)
    (axes,) = figure.axes
    assert {"second ahead\n0.667", "first ahead\n0.333"} < {text.get_text() for text in axes.texts}
    heights = [patch.get_xy()[:, 1].max() for patch in axes.patches]
    assert heights == pytest.approx([1 / 3, 2 / 3], rel=0.05)
    assert "0.333 lies above zero" in figure.alt
    assert "additive, of mean -0.50 and label-first, of mean 0.25" in figure.alt


def test_exponents_mark_where_the_printed_theorem_speaks():
    betas, chance = np.array([0.1, 0.5, 0.9]), np.array([0.5, 0.5, 0.36])
    finite = {"1,000 items": (betas, np.array([0.48, 0.43, 0.35]))}
    figure = figures.exponents(betas, chance, finite)
    (axes,) = figure.axes
    (shade,) = axes.patches
    assert shade.get_x() == pytest.approx(2 / 3) and shade.get_x() + shade.get_width() == pytest.approx(1.0)
    drawn = [line.get_ydata() for line in axes.lines[1:]]
    np.testing.assert_allclose(drawn, [finite["1,000 items"][1], chance])
    assert "0.44 at two thirds and 0.36 in the end" in figure.alt
    assert "for 1,000 items at 0.35" in figure.alt
