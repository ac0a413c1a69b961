from itertools import pairwise

import numpy as np
import pytest

from ndcg_companion.book.figures.the_papers_experiment import (
    COLOURS,
    Panel,
    four_figures,
    long_road,
    three_rankers,
    two_orders,
)
from ndcg_companion.data import RandomRanker, experiment_curves
from ndcg_companion.data.experiment import last_crossing, random_expectation

N = 200


def panel(seed=1, title="sparse", start=1):
    levels = {"RankSVM": 0.7, "ListNet": 0.69, "random": 0.3}
    rng = np.random.default_rng(seed)
    curves = {name: level + rng.uniform(-0.02, 0.02, size=(10, N)) for name, level in levels.items()}
    curves["random"][3, : start - 1] = np.nan
    return Panel(title, curves, np.linspace(0.4, 0.3, N))


def band_at(band, size):
    vertices = band.get_paths()[0].vertices
    heights = vertices[vertices[:, 0] == size][:, 1]
    return heights.min(), heights.max()


def test_prefixes_without_ndcg_are_before_the_start_and_count_in_no_crossing():
    assert panel().start == 1
    late = panel(start=41)
    assert late.start == 41
    early = 0.3 * (np.arange(N) < 60)
    crossed = Panel("x", late.curves | {"random": late.curves["random"] + early}, late.expected)
    means = [values.mean(axis=0) for values in crossed.curves.values()]
    pairs = [(0, 1), (0, 2), (1, 2)]
    assert crossed.crossing[0] == max(last_crossing(means[i], means[j], 41) for i, j in pairs)


def test_a_query_that_never_has_a_relevant_document_is_refused():
    with pytest.raises(ValueError, match="got one without"):
        _ = panel(start=N + 1).start


def test_lines_are_the_means_over_queries_and_bands_their_middle():
    figure = three_rankers(panel(1), panel(2, "contaminated"))
    for axes, shown in zip(figure.axes, (panel(1), panel(2)), strict=True):
        *means, expected = (line for line in axes.lines if len(line.get_xdata()) > 2)
        for line, band, values in zip(means, axes.collections, shown.curves.values(), strict=True):
            assert line.get_xdata()[-1] == N
            assert line.get_ydata() == pytest.approx(values.mean(axis=0)[line.get_xdata() - 1])
            assert band_at(band, N) == pytest.approx(tuple(np.quantile(values[:, -1], [0.1, 0.9])))
        assert expected.get_ydata() == pytest.approx(shown.expected[expected.get_xdata() - 1])


def test_curves_begin_where_every_query_has_a_relevant_document():
    (axes,) = three_rankers(panel(start=50)).axes
    curves = [line for line in axes.lines if len(line.get_xdata()) > 2]
    assert {line.get_xdata()[0] for line in curves} == {50}
    assert all(np.isfinite(line.get_ydata()).all() for line in curves)


def test_the_last_crossing_is_marked_named_and_described():
    shown = panel()
    shown.curves["ListNet"][:] = shown.curves["RankSVM"] - 0.01
    shown.curves["ListNet"][:, :40] += 0.02
    figure = three_rankers(shown, measure="a discount")
    assert figure.axes[0].get_title(loc="left") == "sparse: last crossing at 40 (RankSVM and ListNet)"
    assert [40, 40] in [list(line.get_xdata()) for line in figure.axes[0].lines]
    ends = ", ".join(f"{name} {values[:, -1].mean():.2f}" for name, values in shown.curves.items())
    assert figure.alt == (
        "Mean NDCG with a discount over 10 queries as documents arrive. sparse, from 1 to 200 documents: at "
        f"the end {ends}; last crossing at 40 (RankSVM and ListNet)."
    )
    shown.curves["ListNet"][:, :40] -= 0.02
    figure = three_rankers(shown)
    assert figure.alt.startswith("Mean NDCG over") and figure.alt.endswith("; no crossing.")
    assert all(len(line.get_xdata()) > 2 for line in figure.axes[0].lines)


def test_rankers_whose_curves_coincide_are_both_seen():
    shown = panel()
    shown.curves["ListNet"] = shown.curves["RankSVM"]
    first, second, *_ = three_rankers(shown).axes[0].lines
    assert (first.get_linestyle(), second.get_linestyle()) == ("-", "--")


def test_names_of_low_curves_are_above_the_axis_and_apart():
    low = panel()
    for values in low.curves.values():
        values[:] = 0.01
    figure = three_rankers(low)
    (axes,) = figure.axes
    figure.canvas.draw()
    boxes = sorted((text.get_window_extent() for text in axes.texts), key=lambda box: box.y0)
    assert len(boxes) == 3 and all(below.y1 <= above.y0 + 1 for below, above in pairwise(boxes))
    assert boxes[0].y0 > axes.xaxis.get_ticklabels()[0].get_window_extent().y0 + 1


def test_three_rankers_draws_a_real_experiment():
    rng = np.random.default_rng(3)
    labels = rng.integers(0, 3, size=(4, 60))
    scores = {name: RandomRanker(rng).score(np.zeros((240, 1))).reshape(4, 60) for name in COLOURS}
    curves = {name: experiment_curves(labels, own)[2] for name, own in scores.items()}
    shown = Panel("made", curves, random_expectation(labels)[2].mean(axis=0))
    assert shown.start == int(np.argmax((labels > 0).cumsum(axis=1).all(axis=0))) + 1
    assert three_rankers(shown).axes[0].get_xlabel() == "documents arrived, n"


def test_the_four_figures_show_a_row_for_each_discount_and_a_column_for_each_log():
    rows = {
        name: [panel(3 * place, "sparse"), panel(3 * place + 1, "other")] for place, name in enumerate("ab")
    }
    figure = four_figures(rows)
    panels = [shown for row in rows.values() for shown in row]
    for axes, shown in zip(figure.axes, panels, strict=True):
        *means, expected = (line.get_ydata()[-1] for line in axes.lines)
        assert means == pytest.approx([values[:, -1].mean() for values in shown.curves.values()])
        assert expected == pytest.approx(shown.expected[-1])
    assert [axes.get_title(loc="left") for axes in figure.axes] == ["a", "", "b", ""]
    last = ", ".join(f"{name} {values[:, -1].mean():.2f}" for name, values in panels[-1].curves.items())
    assert figure.alt.endswith(f"b, other: {last}.")


@pytest.mark.parametrize(
    ("chance", "words"),
    [(0.3, ["learned", "random"]), (0.1, ["learned", "random"]), (0.65, ["learned", "random"])],
)
def test_names_in_a_small_panel_are_apart_and_inside(chance, words):
    shown = panel()
    shown.curves["random"][:] = chance
    figure = four_figures({"a": [shown]})
    figure.canvas.draw()
    (axes,) = figure.axes
    named = [text for text in axes.texts if text.get_text() in words]
    assert [text.get_text() for text in named] == words
    upper, lower = (text.get_window_extent() for text in named)
    assert lower.y1 < upper.y0 and lower.y0 > axes.bbox.y0 and upper.y1 < axes.bbox.y1


def test_curves_that_are_low_and_together_are_named_once():
    shown = panel()
    for values in shown.curves.values():
        values[:] = 0.08
    (axes,) = four_figures({"a": [shown]}).axes
    assert [text.get_text() for text in axes.texts] == ["learned and random", "sparse"]


def test_long_road_draws_observation_and_theory_on_a_logarithmic_axis():
    seen, theory = np.array([0.4, 0.41, 0.42]), np.array([0.42, 0.8, 0.9])
    road = {"RankSVM": (np.arange(100, 103), seen, np.array([102, 1e9, 1e20]), theory)}
    figure = long_road({"sparse": road})
    (axes,) = figure.axes
    assert axes.get_xscale() == "log"
    drawn = [list(line.get_ydata()) for line in axes.lines]
    assert list(seen) in drawn and list(theory) in drawn
    assert figure.alt.endswith("sparse, from 102 to 1e+20 documents: RankSVM from 0.42 to 0.90.")


@pytest.mark.parametrize("shift", [0.1, -0.1])
def test_two_orders_shows_the_range_and_the_mean_of_the_shuffles(shift):
    sizes = np.arange(1, 41) * 5
    shuffled = np.random.default_rng(3).uniform(0.5, 0.6, size=(5, 40))
    arrived = np.full(40, 0.55 + shift)
    figure = two_orders({"$r^{-1/2}$": (sizes, arrived, shuffled)})
    (axes,) = figure.axes
    mean, own = (line.get_ydata() for line in axes.lines)
    assert mean == pytest.approx(shuffled.mean(axis=0)) and own == pytest.approx(arrived)
    assert band_at(axes.collections[0], 200) == pytest.approx((shuffled[:, -1].min(), shuffled[:, -1].max()))
    heights = {text.get_text(): text.xy[1] for text in axes.texts}
    assert (heights["as it arrived"] > heights["shuffled"]) == (shift > 0)
    ends = f"{mean[0]:.3f} and {mean[-1]:.3f}"
    assert figure.alt == (
        f"NDCG of RankSVM as documents arrive. Under r^(-1/2): as it arrived {0.55 + shift:.3f} at 5 "
        f"documents and {0.55 + shift:.3f} at 200; in 5 shuffled orders, on average, {ends}."
    )
