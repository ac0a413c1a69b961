import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_hex

from claimbook.style import PALETTE
from ndcg_companion.book.figures.index import who_is_ahead

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


def test_the_two_are_told_apart_without_colour(figure):
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
