"""The figures on feasible discounts: what they draw and say is what they were given."""

import numpy as np

from ndcg_companion.book.figures import which_discounts_are_feasible as figures

SLOW, STEEP = r"$1/(1+\log^*r)$", "$1/r$"
COLUMNS = ["whole list", "top 10"]
CHANCES = {"tops differ": np.array([[0.37, np.nan], [0.0, 0.36]]), "tops equal": np.array([[0.5], [0.1]])}
LAWS = {"tops differ": [["1/2", ""], ["$e^{-cN}$", "constant"]], "tops equal": [["1/2"], ["constant"]]}
BLOCKS = {"tops differ": COLUMNS, "tops equal": COLUMNS[:1]}


def blindness():
    exponents = np.linspace(0, 6, 7)
    paid = {SLOW: np.linspace(1.0, 0.2, 7), STEEP: 10**-exponents}
    share = ([100, 10_000], np.array([0.6, 0.5]), np.array([0.5, 0.4]), np.array([0.7, 0.6]))
    return figures.blindness(exponents, paid, {SLOW: share})


def test_blindness_draws_discounts_above_and_shares_with_their_intervals_below():
    above, below = blindness().axes
    np.testing.assert_allclose(above.lines[1].get_ydata(), 10 ** -np.linspace(0, 6, 7))
    coin, line, dots = below.lines
    assert set(coin.get_ydata()) == {0.5}
    for drawn in (line, dots):
        np.testing.assert_allclose(drawn.get_xydata(), [[2, 0.6], [4, 0.5]])
    bars = [np.array(bar)[:, 1] for bar in below.collections[0].get_segments()]
    np.testing.assert_allclose(bars, [[0.5, 0.7], [0.4, 0.6]])


def test_blindness_says_what_it_shows():
    assert blindness().alt == (
        "Above, discounts; at rank 10^6 they are 0.2 (1/(1+log^*r)), 1e-06 (1/r). Below, the share of lists "
        "on which the first ranker is ahead: under 1/(1+log^*r) from 0.60 at 100 items to 0.50 at 10,000."
    )


def test_the_map_has_a_cell_for_each_number_that_is_asked_for():
    upper, lower = figures.feasibility(BLOCKS, [SLOW, STEEP], CHANCES, LAWS).axes
    assert [cell.get_xy() for cell in upper.patches] == [(0, 0), (0, 1), (1, 1)]
    assert [text.get_text() for text in upper.texts] == [
        "37 %",
        "1/2",
        "0 %",
        "$e^{-cN}$",
        "36 %",
        "constant",
    ]
    assert upper.get_xlim() == lower.get_xlim()
    sure, coin = upper.patches[1].get_facecolor(), lower.patches[0].get_facecolor()
    assert sure[2] > sure[0] and coin[0] > coin[2]  # blue is sure, orange is a coin


def test_the_map_is_described_row_by_row():
    assert figures.feasibility(BLOCKS, [SLOW, STEEP], CHANCES, LAWS).alt == (
        "How often the better ranker is behind, in per cent. Tops differ: 1/(1+log^*r) 37 (whole list); "
        "1/r 0 (whole list), 36 (top 10). Tops equal: 1/(1+log^*r) 50 (whole list); 1/r 10 (whole list)."
    )
