"""The figures on many queries show the numbers they were given, and say them."""

import numpy as np
import pytest

from ndcg_companion.book.figures import how_many_queries_are_enough as figures

QUERIES = np.array([1.0, 10.0, 100.0])
SIZES = np.array([20.0, 100.0, 1e4])


def texts(axes):
    return [text.get_text() for text in axes.texts]


def test_chances_rise_to_the_certainty_or_the_sentence_says_not():
    chances = {3: np.array([0.6, 0.7, 0.94]), 10: np.array([0.7, 0.95, 1.0])}
    seen = {10: ([10], [0.93], [0.9], [0.97])}
    figure = figures.chance_by_queries(QUERIES, chances, seen, 0.95)
    (axes,) = figure.axes
    sure, three, ten, dots = axes.lines
    assert sure.get_ydata()[0] == 0.95
    np.testing.assert_array_equal([three.get_ydata(), ten.get_ydata()], list(chances.values()))
    assert dots.get_ydata().tolist() == [0.93] and dots.get_color() == ten.get_color()
    assert texts(axes) == ["@3", "@10", "95% sure"]
    assert figure.alt.endswith("They reach 95% not by 100 for @3, at 10 for @10.")


def test_a_line_that_leaves_is_named_where_it_does():
    needed = {"flat": np.array([np.nan, 80.0, 76.0]), "worse": np.array([30.0, 2e4, np.inf])}
    seen = {"flat": ([20], [140.0])}
    figure = figures.more_documents(SIZES, needed, seen, ("no cut-off", np.array([170.0, 50.0, 6.0])))
    (axes,) = figure.axes
    names = {text.get_text(): text for text in axes.texts}
    assert set(names) == {"flat", "worse", "no cut-off"}
    assert names["worse"].xy[0] == 100 and axes.get_xscale() == axes.get_yscale() == "log"
    assert figure.alt.endswith(
        "From 20 to 10,000 documents the queries needed go from 140 to 76 (flat), from 30 to more than a "
        "billion (worse), from 170 to 6 (no cut-off)."
    )


@pytest.mark.parametrize("several", [1, 9])
def test_differences_are_described_at_fifty_queries(several):
    queries = np.geomspace(10, 1000, 61)
    names = [f"log @{k}" for k in range(several)]
    figure = figures.differences_seen(queries, {name: 0.7 / np.sqrt(queries) for name in names})
    (axes,) = figure.axes
    assert texts(axes) == names and len(axes.lines) == several
    assert "On 50 queries the differences are 0.099 (log @0)" in figure.alt
