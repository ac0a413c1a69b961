import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_hex

from ndcg_companion.chapter.figures.index import who_is_ahead
from ndcg_companion.chapter.style import PALETTE

NAMES = ["slow", "fast"]
SIZES = np.geomspace(10, 10_000, 61)


@pytest.fixture
def leads():
    return np.random.default_rng(1).random((2, 4, len(SIZES))) < 0.7


@pytest.fixture
def figure(leads):
    return who_is_ahead(SIZES, leads, NAMES)


def test_a_cell_is_blue_where_the_better_ranker_leads(figure, leads):
    for axes, lead in zip(figure.axes, leads, strict=True):
        mesh = axes.collections[0]
        mesh.update_scalarmappable()
        colours = np.array([to_hex(colour) for colour in mesh.get_facecolors()]).reshape(lead.shape)
        assert set(colours[lead]) == {PALETTE[0]} and PALETTE[0] not in colours[~lead]


def test_each_panel_has_its_name_and_the_label_counts_the_strips(figure):
    assert [axes.get_title(loc="left") for axes in figure.axes] == NAMES
    assert figure.get_supylabel() == "4 data sets, one strip each"


def test_powers_of_ten_stand_in_the_middle_of_their_column(figure):
    axes = figure.axes[-1]
    assert axes.get_xticks() == pytest.approx([0.5, 20.5, 40.5, 60.5])
    assert [label.get_text() for label in axes.get_xticklabels()] == [
        rf"$10^{{{power}}}$" for power in (1, 2, 3, 4)
    ]


def test_the_alternative_text_has_the_shares_at_the_end(figure, leads):
    shares = ", ".join(f"{np.mean(lead[:, -1]):.0%}" for lead in leads)
    assert figure.alt == (
        "2 panels of 4 two-coloured strips; the share of blue at the right-hand end, from the slowest "
        "discount to the "
        f"fastest, is {shares}."
    )


def test_jupyter_does_not_show_it_once_more(figure):
    assert not plt.get_fignums()
