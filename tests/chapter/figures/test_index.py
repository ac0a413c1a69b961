import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_hex

from claimbook.style import PALETTE
from ndcg_companion.book.figures.index import promised_and_found, queries_or_items, who_is_ahead

NAMES = ["slow", "fast"]
SIZES = np.geomspace(10, 10_000, 61)


@pytest.fixture
def leads():
    return np.random.default_rng(1).random((2, 4, len(SIZES))) < 0.7


@pytest.fixture
def figure(leads):
    return who_is_ahead(SIZES, leads, NAMES)


def drawn(bars):
    """The places on the scale of sizes that a row of bars covers."""
    inside = np.zeros(len(SIZES), dtype=bool)
    for path in bars.get_paths():
        left, right = path.vertices[:, 0].min(), path.vertices[:, 0].max()
        inside |= (SIZES >= left * (1 - 1e-9)) & (SIZES < right * (1 - 1e-9))
    return inside


def test_a_strip_is_blue_where_the_better_ranker_leads_and_orange_elsewhere(figure, leads):
    for axes, lead in zip(figure.axes, leads, strict=True):
        blue, orange = axes.collections[::2], axes.collections[1::2]
        assert {to_hex(bars.get_facecolor()) for bars in blue} == {PALETTE[0]}
        assert {to_hex(bars.get_facecolor()) for bars in orange} == {PALETTE[1]}
        for strip, ahead, behind in zip(lead, blue, orange, strict=True):
            assert (drawn(ahead) == strip).all() and (drawn(behind) == ~strip).all()
        middles = [np.mean(bars.get_paths()[0].vertices[:-1, 1]) for bars in blue]
        assert axes.yaxis_inverted() and (np.diff(middles) > 0).all()  # the first is the highest


def test_the_two_are_distinguished_without_colour(figure):
    heights = [np.ptp(bars.get_paths()[0].vertices[:, 1]) for bars in figure.axes[0].collections]
    assert min(heights[::2]) > 2 * max(heights[1::2])
    (legend,) = figure.legends
    named = dict(zip([text.get_text() for text in legend.get_texts()], legend.get_patches()))
    assert to_hex(named["A is ahead"].get_facecolor()) == PALETTE[0]
    assert to_hex(named["B is ahead"].get_facecolor()) == PALETTE[1]


def test_a_strip_without_a_change_is_whole():
    figure = who_is_ahead(SIZES, np.ones((2, 1, len(SIZES)), dtype=bool), NAMES)
    assert [len(bars.get_paths()) for bars in figure.axes[0].collections] == [1, 0]


def test_each_panel_has_its_name_and_the_label_counts_the_strips(figure):
    assert [axes.get_title(loc="left") for axes in figure.axes] == NAMES
    assert figure.get_supylabel() == "4 data sets, one strip each"


def test_sizes_stand_on_a_logarithmic_scale(figure):
    axes = figure.axes[-1]
    assert axes.get_xscale() == "log" and axes.get_xlim() == pytest.approx((10, 10_000 * 1000 ** (1 / 60)))


def test_the_alternative_text_has_the_shares_at_the_end(figure, leads):
    shares = ", ".join(f"{np.mean(lead[:, -1]):.0%}" for lead in leads)
    assert figure.alt == (
        "2 panels of 4 two-coloured strips; the share of blue at the right-hand end, from the slowest "
        "discount to the "
        f"fastest, is {shares}."
    )


def test_jupyter_does_not_show_it_once_more(figure):
    assert not plt.get_fignums()


def test_queries_and_lengths_share_their_heights_and_the_line_is_at_the_queries_at_hand():
    x = np.geomspace(1, 1_000, 7)
    rising, flat = {"0.02": np.linspace(0.5, 0.9, 7)}, {"0.02": np.full(7, 0.7)}
    figure = queries_or_items(x, rising, 100 * x, flat, 50)
    left, right = figure.axes
    assert left.get_ylim() == right.get_ylim() == (0.5, 1.0)
    curve, at_hand = left.lines[1], left.lines[0]
    assert list(at_hand.get_xdata()) == [50, 50] and list(curve.get_ydata()) == list(rising["0.02"])
    assert list(right.lines[0].get_ydata()) == list(flat["0.02"])
    assert "1,000 queries: 0.90 (0.02)" in figure.alt and "100,000 items and 50 queries: 0.70" in figure.alt


def test_what_was_promised_and_what_was_found_are_two_heights():
    sizes, share = np.array([100, 10_000]), np.array([0.4, 0.41])
    figure = promised_and_found(sizes, share, share - 0.03, share + 0.03, 1.0, 0.405)
    (axes,) = figure.axes
    assert [line.get_ydata()[0] for line in axes.lines[:2]] == [1.0, 0.405]
    assert list(axes.lines[2].get_ydata()) == list(share)
    assert "0.40 at 100, 0.41 at 10,000 items; 1 is promised" in figure.alt
