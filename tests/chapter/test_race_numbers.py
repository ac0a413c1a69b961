"""The probabilities of the race, compared with simulated lists, and the properties of its curves."""

from itertools import combinations

import numpy as np
import pytest
from scipy.special import ndtr, ndtri

from ndcg_book.widgets.race import (
    BETS,
    CUTOFFS,
    DISCOUNTS,
    LENGTHS,
    MOST_ITEMS,
    QUERIES,
    RANKERS,
    Race,
    curve,
    rivals,
)
from ndcg_companion.measures import Power, ndcg
from ndcg_companion.simulation import sample_pair
from ndcg_companion.theory import (
    ahead_on_average,
    ahead_probability,
    limit,
    parse_curve,
    signal_and_noise,
)

SIZE, LISTS = 300, 600


@pytest.fixture(scope="module")
def race():
    return Race(sizes=(SIZE,))


def test_all_curves_have_as_many_relevant_items_and_are_probabilities():
    depths = np.linspace(0, 1, 2001)
    for name in RANKERS:
        relevance = parse_curve(curve(name)).at_depth(depths)
        assert np.trapezoid(relevance, depths) == pytest.approx(0.5, abs=1e-6)
        assert relevance.min() >= 0 and relevance.max() <= 1


def test_the_tie_is_one_under_one_over_root_r_only():
    pair = rivals("tied", "random")
    tied, apart = (
        [float(limit(population, D)) for population in (pair.population0, pair.population1)]
        for D in (Power(0.5), Power(0.75))
    )
    assert tied[0] == pytest.approx(tied[1], abs=1e-9) and abs(apart[0] - apart[1]) > 1e-3


@pytest.mark.parametrize("first, second", [("clear", "random"), ("tied", "slight")])
def test_the_chances_are_those_of_drawn_lists(race, first, second):
    pair_index = list(combinations(RANKERS, 2)).index(tuple(sorted((first, second), key=list(RANKERS).index)))
    seeds = np.random.SeedSequence(5).spawn(LISTS)
    draws = [sample_pair(rivals(first, second), SIZE, seed=seed) for seed in seeds]
    labels, scores0, scores1 = (
        np.array([getattr(draw, name) for draw in draws]) for name in ("labels", "scores0", "scores1")
    )
    flip = list(RANKERS).index(first) > list(RANKERS).index(second)
    for row, (_, discount) in enumerate(DISCOUNTS.values()):
        for column, (_, k) in enumerate(CUTOFFS.values()):
            gap = ndcg(labels, scores0, discount=discount, k=k) - ndcg(
                labels, scores1, discount=discount, k=k
            )
            share = np.mean(np.sign(gap.round(12)) + 1) / 2
            chance = race.chances[pair_index, row, column, 0]
            assert share == pytest.approx(1 - chance if flip else chance, abs=5 * 0.5 / np.sqrt(LISTS) + 0.02)


def test_a_mean_over_queries_is_ahead_as_exact_sums_of_labels_are(race):
    """On long lists the first ten labels are independent, and the distribution of their sum is known."""
    pair = rivals("fiftieth", "random")
    z = ndtri(ahead_probability(pair, DISCOUNTS["log"][1], 10_000, 10))
    for index, queries in enumerate(QUERIES):
        exact = ahead_on_average(pair, DISCOUNTS["log"][1], 10, queries)
        assert ndtr(z * np.sqrt(queries)) == pytest.approx(exact, abs=2e-3)
        single = race.averaged[..., 0, :]
        assert race.averaged[..., index, :] == pytest.approx(ndtr(ndtri(single) * np.sqrt(queries)))


def test_real_sized_systems_are_0_02_and_0_10_apart_in_ndcg_at_10():
    for name, apart in (("fiftieth", 0.02), ("tenth", 0.10)):
        mean, _ = signal_and_noise(rivals(name, "random"), DISCOUNTS["log"][1], 10)
        assert mean == pytest.approx(apart)


def test_a_bet_is_on_a_race_that_the_page_can_run():
    for bet in BETS:
        assert bet.n in LENGTHS and bet.queries in QUERIES and bet.k in CUTOFFS
        assert bet.n * bet.queries <= MOST_ITEMS


def test_the_page_without_javascript_has_both_bets_and_every_discount():
    race = Race(sizes=(1_000, 10_000))
    race.chances = np.full((15, len(DISCOUNTS), len(CUTOFFS), 2), 0.5)
    assert race.fallback.count("<tr>") == len(BETS) + len(DISCOUNTS) and "1 / r^0.75" in race.fallback
