import pickle

import numpy as np
import pytest

from ndcg_companion.theory import Population
from ndcg_companion.theory.populations import ideal_sum

GRADED = Population({2: lambda s: s**2 / 2, 1: lambda s: s / 2, 0: lambda s: 1 - s / 2 - s**2 / 2})
SIGNED = Population({1: lambda s: s, -1: lambda s: 1 - s})


def test_binary_population():
    population = Population(lambda s: s**2)
    s = np.linspace(0, 1, 5)
    assert population.p == population.expected_label == pytest.approx(1 / 3, abs=1e-15)
    assert population.grades == (1, 0)
    np.testing.assert_array_equal(population.mean(s), s**2)
    np.testing.assert_array_equal(population.curve(0)(s), 1 - s**2)
    assert population.share(0) == pytest.approx(2 / 3, abs=1e-15)
    ((height, width),) = population.ideal_steps
    assert height == 1 and width == pytest.approx(1 / 3, abs=1e-15)


def test_graded_population():
    assert GRADED.grades == (2, 1, 0)
    assert GRADED.share(2) == pytest.approx(1 / 6, abs=1e-15)
    assert GRADED.p == pytest.approx(1 / 6 + 1 / 4, abs=1e-15)
    assert GRADED.expected_label == pytest.approx(1 / 3 + 1 / 4, abs=1e-15)
    s = np.array([0.0, 0.5, 1.0])
    np.testing.assert_allclose(GRADED.mean(s), s**2 + s / 2)
    np.testing.assert_allclose(GRADED.mean_at_depth(1 - s), GRADED.mean(s))
    assert GRADED.ideal_steps == ((1, GRADED.share(2)), (1, pytest.approx(GRADED.p)))


def test_ideal_steps_are_the_quantile_function_of_the_labels():
    population = Population({3: "constant:0.1", 0.5: "constant:0.2", 0: "constant:0", -2: "constant:0.7"})
    labels = sorted([3] * 10 + [0.5] * 20 + [-2] * 70, reverse=True)
    depths = (np.arange(100) + 0.5) / 100
    rebuilt = sum(height * (depths < width) for height, width in population.ideal_steps)
    np.testing.assert_allclose(rebuilt, labels)


def test_signed_labels():
    assert SIGNED.p == pytest.approx(0.5)
    assert SIGNED.expected_label == pytest.approx(0.0, abs=1e-15)
    assert SIGNED.ideal_steps == ((2, pytest.approx(0.5)), (-1, 1.0))


def test_breaks_of_named_curves_are_known_and_merged():
    assert Population("step:0.7:0.2:0.8", breaks=[0.9, 0.7]).breaks == (0.7, 0.9)


def test_either_label_keeps_the_digits_of_a_depth():
    population = Population("reversed:0.5")
    assert population.probability_at_depth(1, 1e-20) == 1e-10
    assert population.probability_at_depth(0, 1e-20) == 1.0 - 1e-10


def test_depths_of_breaks_are_counted_from_the_top():
    population = Population("step:0.75:0.2:0.8", breaks=[0.5, 1.0])
    assert population.depths == (0.0, 0.25, 0.5, 1.0)
    assert population.p == pytest.approx(0.2 * 0.75 + 0.8 * 0.25, abs=1e-15)


def test_an_unnamed_break_costs_no_digits():
    hidden = Population(lambda s: np.where(s < 0.7, 0.2, 0.8))
    assert hidden.p == pytest.approx(0.2 * 0.7 + 0.8 * 0.3, abs=1e-13)


def test_scalar_curves_are_repeated():
    assert Population(lambda s: 0.25).mean(np.zeros((2, 3))).shape == (2, 3)


def test_text_populations_are_values():
    population = Population("power:2")
    assert eval(repr(population), {"Population": Population, "Curve": type(population.ybar)}) == population
    assert pickle.loads(pickle.dumps(population)) == population


@pytest.mark.parametrize(
    "ybar, breaks, message",
    [
        (lambda s: 2 * s, (), r"ybar: .*got 2 at s=1"),
        (lambda s: s - 0.25, (), r"got -0.25 at s=0"),
        (lambda s: np.where(s == 0.123456, 7.0, s), [0.123456], r"got 7 at s=0.123456"),
        (lambda s: s / 0 if np.ndim(s) == 0 else np.full_like(s, np.nan), (), "got NaN"),
        (lambda s: 0.1 if s > 0.5 else 0.2, (), "function of an array"),
        (0.3, (), "expected a function"),
        ("power:-1", (), "exponent >= 0"),
        ("power:1", [1.5], r"breaks=\[1.5\]"),
        ("power:1", ["x"], "breaks"),
        ({}, (), "at least one grade"),
        ({1: "power:1", 0: "power:1"}, (), "sum of 0 at s=0|sum of 2 at s=1"),
        ({1: lambda s: 2 * s, 0: lambda s: 1 - 2 * s}, (), r"ybar\[1\]: .*got 2"),
        ({"1": "power:1", 0: "reversed:1"}, (), "grade='1'"),
        ({np.inf: "power:1", 0: "reversed:1"}, (), "grade=inf"),
    ],
)
def test_bad_populations_are_rejected(ybar, breaks, message):
    with pytest.raises(ValueError, match=message):
        Population(ybar, breaks)


def test_unknown_grades_are_rejected():
    for ask in (GRADED.share, GRADED.curve, Population("power:1").share):
        with pytest.raises(ValueError, match="grade=7"):
            ask(7)


@pytest.mark.parametrize("lowest, total", [("constant:0.4", "0.9"), ("constant:0.6", "1.1")])
def test_grade_curves_that_sum_to_less_or_more_than_one_are_rejected(lowest, total):
    with pytest.raises(
        ValueError, match=f"^ybar: expected grade curves that sum to 1, got a sum of {total} at s="
    ):
        Population({1: "constant:0.5", 0: lowest})
    assert Population({1: "constant:0.5", 0: lambda s: 0.5 + 1e-13}).p == pytest.approx(0.5)


def test_grade_curves_are_checked_where_their_sum_is_furthest_from_one():
    with pytest.raises(ValueError, match="got a sum of 0.8 at s=1"):
        Population({1: "constant:0.5", 0: lambda s: 0.5 - 0.2 * s})


def test_an_ideal_list_without_parts_or_with_parts_that_cancel_is_rejected():
    for parts in ([], [0.5, -0.5], [3e6, 1e-9 - 3e6]):
        with pytest.raises(ValueError, match="ideal DCG different from 0"):
            ideal_sum(parts)
    assert ideal_sum([0.5, -0.25]) == 0.25 and ideal_sum([4e-6, -3e-6]) == pytest.approx(1e-6)


@pytest.mark.parametrize("level", [-1.5e-12, 1.0 + 1.5e-12])
def test_no_more_than_rounding_may_leave_the_unit_interval(level):
    inside = 0.5 + (level - 0.5) * (1.0 - 1e-12)
    with pytest.raises(ValueError, match=r"^ybar: expected values in \[0, 1\]"):
        Population(lambda s: np.full_like(s, level))
    assert Population(lambda s: np.full_like(s, inside)).p == pytest.approx(round(level))


@pytest.mark.parametrize(
    "curve, upside_down",
    [
        ("power:2", "reversed:2"),
        ("step:0.7:0.2:0.8", "step:0.3:0.8:0.2"),
        ("cosine:0.5:0.3", "cosine:0.5:-0.3"),
    ],
)
def test_rankings_of_a_curve_against_the_curves_that_they_are(curve, upside_down):
    rankings = Population(curve).rankings()
    p = Population(curve).p
    depths = np.array([0.0, 1e-30, 0.1, 0.45, 0.9, 1.0])
    expected = {
        "by score": curve,
        "random": f"constant:{p}",
        "upside down": upside_down,
        "reverse-ideal": f"step:{p}:1:0",
    }
    assert list(rankings) == list(expected)
    for name, text in expected.items():
        ranking, text_population = rankings[name], Population(text)
        np.testing.assert_allclose(
            ranking.mean_at_depth(depths), text_population.mean_at_depth(depths), atol=1e-15
        )
        np.testing.assert_allclose(ranking.mean(1 - depths), text_population.mean(1 - depths), atol=1e-15)
        assert ranking.breaks == pytest.approx(text_population.breaks)
        assert ranking.p == pytest.approx(p, abs=1e-14)


def test_rankings_keep_the_items_and_their_grades():
    """A large list of items, sorted in each of the four ways, has these grades at these places."""
    shares = {grade: round(GRADED.share(grade) * 120_000) for grade in (2, 1, 0)}
    ascending = np.repeat([2, 1, 0], list(shares.values()))  # by canonical score: the worst order
    places = (np.arange(120_000) + 0.5) / 120_000
    rankings = GRADED.rankings()
    np.testing.assert_array_equal(rankings["reverse-ideal"].mean(places), ascending)
    np.testing.assert_allclose(rankings["upside down"].mean(places), GRADED.mean(1 - places))
    np.testing.assert_allclose(rankings["random"].mean(places), ascending.mean(), atol=1e-12)
    for ranking in rankings.values():
        assert ranking.grades == (2, 1, 0)
        assert [ranking.share(grade) for grade in (2, 1, 0)] == pytest.approx(
            [share / 120_000 for share in shares.values()], abs=1e-12
        )


@pytest.mark.parametrize("p", [0, 1])
def test_items_with_equal_labels_have_the_same_rankings(p):
    for ranking in Population(f"constant:{p}").rankings().values():
        np.testing.assert_allclose(ranking.mean(np.linspace(0, 1, 9)), p, atol=1e-15)


def test_rankings_are_values_that_travel():
    rankings = Population("power:2").rankings()
    assert pickle.loads(pickle.dumps(rankings)) == rankings


def test_signed_labels_turn_with_their_curves():
    assert SIGNED.rankings()["upside down"].mean(np.array([0.0, 0.25, 1.0])).tolist() == [1.0, 0.5, -1.0]
    assert SIGNED.rankings()["reverse-ideal"].mean(np.array([0.0, 0.4, 0.6, 1.0])).tolist() == [1, 1, -1, -1]
