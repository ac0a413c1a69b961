"""The figures on telling rankers apart say what they were given; the tests of `power` see what they draw."""

import numpy as np

from ndcg_companion.book.figures import how_many_items_are_enough as figures


def test_the_map_tells_the_chances():
    figure = figures.chance_map(["$r^{-1/4}$", "log"], [100, 1_500], np.array([[0.6, 0.91], [0.7, 0.99]]))
    assert figure.alt == (
        "A table of colours, a row for each measure. At 100 items the chances are 60 % (r^(-1/4)), 70 % "
        "(log); at 1,500 between 91 % and 99 %."
    )
    labels = [label.get_text() for label in figure.axes[0].get_xticklabels()]
    assert labels == ["$10^{2}$", "1,500"]


def test_signal_over_noise_is_described_at_the_longest_lists():
    ratios = {"log": np.array([1.0, 10.0]), "$1/r$": np.array([0.5, 0.7])}
    figure = figures.signal_to_noise(np.array([1e2, 1e12]), ratios, {"log": "blue", "$1/r$": "red"})
    assert figure.alt.endswith("at 10^12 items they are at 10 (log), 0.7 (1/r).")


def test_the_best_exponents_are_described():
    curves = {"top": np.array([1.0, 3.0, 2.0])}
    figure = figures.efficiencies(np.array([0.1, 0.2, 0.3]), curves, {"top": 1.5}, 1e8)
    assert figure.alt.endswith("the best exponents are 0.20 (top, 3; log discount 1.5).")
    assert "$10^{8}$" in figure.axes[0].get_ylabel()
