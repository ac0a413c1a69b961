import matplotlib.pyplot as plt
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ndcg_companion.book.figures.experiment import arrival_orders, contaminated_tops, long_road, three_rankers

N = 200
PAIR = ("RankSVM", "random")


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


def curves(seed=1):
    levels = {"RankSVM": 0.97, "ListNet": 0.96, "random": 0.3}
    rng = np.random.default_rng(seed)
    return {name: level + rng.uniform(-0.02, 0.02, size=(10, N)) for name, level in levels.items()}


def texts(axes):
    return {text.get_text(): text for text in axes.texts}


def draw(**changes):
    expectation = (np.array([10, N]), np.array([0.5, 0.3]))
    arguments = {"expectation": expectation, "measure": "r^(-0.5)", "crossing": (40, PAIR), "limit": 0.25} | changes
    return three_rankers(curves(), **arguments).axes[0]


def lines_of(axes):
    return [(line.get_xdata(), line.get_ydata()) for line in axes.lines]


def test_lines_are_the_means_over_tasks_and_end_at_the_last_item():
    axes = draw()
    for (sizes, heights), values in zip(lines_of(axes), curves().values(), strict=False):
        assert sizes[-1] == N and sizes[0] >= 10
        assert heights == pytest.approx(values.mean(axis=0)[sizes - 1])


def test_bands_run_from_the_worst_task_to_the_best():
    band = draw().collections[2].get_paths()[0].vertices
    end = band[band[:, 0] == N][:, 1]
    assert (end.min(), end.max()) == pytest.approx((curves()["random"][:, -1].min(), curves()["random"][:, -1].max()))


def test_prefixes_in_which_a_task_is_undefined_are_not_drawn():
    unknown = curves()
    unknown["random"][:, :9] = np.nan
    axes = three_rankers(unknown, expectation=([10, N], [0.5, 0.3]), measure="log", crossing=(0, PAIR)).axes[0]
    assert all(np.isfinite(heights).all() for _, heights in lines_of(axes))


def test_last_crossing_is_marked_only_if_it_is_in_the_drawing():
    marked, unmarked = draw(), draw(crossing=(9, PAIR))
    assert marked.get_title(loc="left") == "RankSVM and random last cross at n = 40"
    assert any(list(sizes) == [40, 40] for sizes, _ in lines_of(marked))
    assert unmarked.get_title(loc="left") == "no two curves cross from n = 10 on"
    assert len(unmarked.lines) == len(marked.lines) - 1


@pytest.mark.parametrize(("limit", "side"), [(0.25, "top"), (0.35, "bottom")])
def test_limit_is_labelled_on_the_side_where_the_curve_is_not(limit, side):
    label = texts(draw(limit=limit))[f"limit for random: {limit:.3f}"]
    assert label.get_va() == side


def test_names_at_the_ends_do_not_overlap():
    axes = draw()
    axes.figure.canvas.draw()
    boxes = sorted((texts(axes)[name].get_window_extent() for name in curves()), key=lambda box: box.y0)
    assert all(below.y1 <= above.y0 for below, above in zip(boxes, boxes[1:]))


def test_axes_say_what_they_show():
    axes = draw(measure="2^(-r)")
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("items arrived, n", "NDCG, 2^(-r)")


def test_long_road_draws_observation_and_theory_on_a_logarithmic_axis():
    theory = (np.array([1e2, 1e9, 1e20]), np.array([0.5, 0.8, 0.9]))
    axes = long_road(np.arange(100, 103), np.array([0.4, 0.41, 0.42]), *theory).axes[0]
    assert axes.get_xscale() == "log"
    drawn = [list(heights) for _, heights in lines_of(axes)]
    assert [0.4, 0.41, 0.42] in drawn and [0.5, 0.8, 0.9] in drawn


def test_contaminated_tops_has_one_panel_for_each_measure():
    figure = contaminated_tops(curves(1), curves(2), titles=("one", "two"))
    assert [axes.get_title(loc="left") for axes in figure.axes] == ["one", "two"]
    for axes, values in zip(figure.axes, (curves(1), curves(2)), strict=True):
        ends = [own[:, -1].mean() for own in values.values()]
        assert [heights[-1] for _, heights in lines_of(axes)] == pytest.approx(ends)


def test_arrival_orders_shows_the_range_and_the_mean_of_the_shuffles():
    shuffled = np.random.default_rng(3).uniform(0.9, 1, size=(5, N))
    axes = arrival_orders(np.linspace(1, 0.9, N), shuffled).axes[0]
    (_, mean), (sizes, own) = lines_of(axes)
    assert sizes[0] >= 100 and sizes[-1] == N
    assert mean == pytest.approx(shuffled.mean(axis=0)[sizes - 1])
    assert own == pytest.approx(np.linspace(1, 0.9, N)[sizes - 1])
    band = axes.collections[0].get_paths()[0].vertices
    end = band[band[:, 0] == N][:, 1]
    assert (end.min(), end.max()) == pytest.approx((shuffled[:, -1].min(), shuffled[:, -1].max()))
