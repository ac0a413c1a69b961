"""The figures on proportional cut-offs: what they draw is what they were given."""

import numpy as np
import pytest

from ndcg_companion.book.axes import RANKINGS
from ndcg_companion.book.figures import proportional_cutoffs as figures

SHARES = np.linspace(0.1, 1.0, 10)
LIMITS = {"by score": 0.6 + 0.4 * SHARES, "random": SHARES, "upside down": SHARES**2}
DOTS = np.array([0.2, 0.5])
OBSERVED = {name: np.interp(DOTS, SHARES, values) for name, values in LIMITS.items()}
SIZES = np.array([1e3, 1e4, 1e5])


def drawn(axes, name, marker="None"):
    (found,) = [x for x in axes.lines if (x.get_color(), x.get_marker()) == (RANKINGS[name], marker)]
    return found.get_xdata(), found.get_ydata()


def by_share(lines=LIMITS):
    told = {name: values[[1, 4]] for name, values in lines.items()}
    return figures.by_share(SHARES, lines, DOTS, (told, OBSERVED), 0.3, 0.5, "log")


def test_limits_are_lines_and_lists_are_dots():
    (axes,) = by_share().axes
    for name in LIMITS:
        np.testing.assert_array_equal(drawn(axes, name), (SHARES, LIMITS[name]))
        np.testing.assert_array_equal(drawn(axes, name, "o"), (DOTS, OBSERVED[name]))
    (mark,) = [text for text in axes.texts if text.get_text() == "c = p"]
    heights = sorted([0.0, 1.0, *(np.interp(0.3, SHARES, values) for values in LIMITS.values())])
    assert np.abs(mark.xy[1] - heights).min() >= np.diff(heights).max() / 2 - 1e-9


def test_the_alternative_text_has_the_limits_and_how_far_the_dots_are_off():
    alt = by_share(LIMITS | {"random": SHARES + 0.0125}).alt
    assert "At c = 0.5 the limits are 0.80 (by score), 0.51 (random), 0.25 (upside down)" in alt
    assert "; at c = 1 they are 1.00 (by score), 1.01 (random), 1.00 (upside down)." in alt
    assert alt.endswith("at most 0.013 from the curves.")


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("flat", [False, True])
def test_contours_run_where_the_limit_has_their_value(flat):
    betas = np.linspace(0, 1, 21)
    values = np.full((21, 10), 0.3) if flat else np.tile(SHARES, (21, 1))
    figure = figures.four_edges(SHARES, betas, values, 0.3)
    axes = figure.axes[0]
    lines = axes.collections[-1]
    if flat:
        assert not axes.texts[0].get_text().startswith("0.")
        return
    assert (
        "it is 0.10 on the left and top edges, 1.00 in the bottom right corner, between 0.20 and 1.00"
        in figure.alt
    )
    for level, paths in zip(lines.levels, lines.get_paths(), strict=True):
        np.testing.assert_allclose(paths.vertices[:, 0], level, atol=1e-9)


def test_distances_stand_at_one_over_log_n_and_run_into_their_constants():
    log_n = np.log([1e3, 1e6, 1e12])
    constants = {"by score": 0.2, "random": -0.1, "upside down": -0.4}
    scaled = {name: value + 1 / log_n for name, value in constants.items()}
    missing = {name: abs(value) / SIZES for name, value in constants.items()}
    figure = figures.distances((log_n, scaled, constants), (SIZES, missing, missing), ("a", "b"))
    upper, lower = figure.axes
    for name in constants:
        np.testing.assert_array_equal(drawn(upper, name), (1 / log_n, scaled[name]))
        assert drawn(upper, name, "D") == ([0.0], [constants[name]])
        np.testing.assert_array_equal(drawn(lower, name, "o"), (SIZES, missing[name]))
    assert figure.alt == (
        "Above, three curves end in diamonds at 0.20 (by score), -0.10 (random), -0.40 (upside down). Below, "
        "at 100,000 items the distances are 2e-06 (by score), 1e-06 (random), 4e-06 (upside down)."
    )


def test_what_wanders_is_drawn_over_what_it_follows():
    values, tracked, share = SIZES / 1e6, SIZES / 2e6, np.array([0.1, 0.3, 0.2])
    figure = figures.wandering(SIZES, values, tracked, share, 0.2)
    upper, lower = figure.axes
    assert [list(line.get_ydata()) for line in upper.lines] == [list(tracked), list(values)]
    assert list(lower.lines[0].get_ydata()) == list(share)
    assert lower.lines[1].get_ydata()[0] == 0.2
    assert "between 0.001 and 0.100 for the longest lists, at most 0.05 from" in figure.alt
