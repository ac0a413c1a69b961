"""The figures on other measures: what they draw is what they were given."""

import numpy as np

from ndcg_companion.book.figures import which_measures_tell_rankers_apart as figures


def test_shares_are_drawn_and_stated():
    sizes, shares = (
        np.array([30, 300, 3000]),
        {"AP": np.array([0.8, 0.9, 1]), "RR": np.array([0.5, 0.4, 0.5])},
    )
    figure = figures.ahead_by_length(sizes, shares)
    drawn = [list(line.get_ydata()) for line in figure.axes[0].lines]
    assert all(list(values) in drawn for values in shares.values())
    assert figure.alt.endswith("At 3,000 items they are at 1.00 (AP), 0.50 (RR).")


def test_each_measure_has_two_bars_as_long_as_its_worth():
    figure = figures.worth({"P@10": (10, 10), "RR@10": (1.47, 2.6)})
    (axes,) = figure.axes
    assert sorted(bar.get_width() for bar in axes.patches) == [1.47, 2.6, 10, 10]
    assert [text.get_text() for text in axes.get_yticklabels()] == ["P@10", "RR@10"]
    assert figure.alt == "Bars for each measure: P@10 10 and 10; RR@10 1.5 and 2.6."
