from inspect import signature

import numpy as np
import pytest

from ndcg_companion.measures import Log, Power, Zipf, dcg
from ndcg_companion.simulation import monte_carlo, sample_pair
from ndcg_companion.theory import Pair, ahead_probability, items_needed

PAIR = Pair("poly:0.54:-0.08", "poly:0.46:0.08")


def at_top(pair):
    return pair.gap_at_depth(0.0) > 0.0


@pytest.mark.parametrize(
    "discount, k", [(Log(), None), (Power(0.25), None), (Power(0.5), None), (Log(), 0.2)]
)
def test_rankers_are_ahead_as_often_as_it_says(discount, k):
    def ahead(rng):
        both = sample_pair(PAIR, 500, seed=rng)
        first, second = (
            dcg(both.labels, scores, discount=discount, k=k) for scores in (both.scores0, both.scores1)
        )
        return first > second

    low, high = monte_carlo(ahead, replicates=3000, seed=3).interval(1 - 1e-6)
    # Half a per cent for what is not normal at this size.
    assert low - 0.005 < ahead_probability(PAIR, discount, 500, k) < high + 0.005


def test_the_probabilities_of_both_rankers_add_up_to_one():
    turned = Pair(PAIR.ybar1, PAIR.ybar0)
    assert ahead_probability(turned, Log(), 1000) == pytest.approx(
        1 - ahead_probability(PAIR, Log(), 1000), abs=1e-9
    )


def test_equal_rankers_lead_with_probability_one_half():
    assert ahead_probability(Pair("constant:0.3", "constant:0.3"), Log(), 100) == pytest.approx(0.5, abs=1e-9)


@pytest.mark.parametrize("discount", [Log(), Power(0.6)])
@pytest.mark.parametrize("certainty", [0.75, 0.8, 0.9, 0.95])
def test_the_items_needed_are_where_certainty_is_reached(discount, certainty):
    """To a part in a thousand, which is exact for fewer than a thousand items."""
    for pair in (PAIR, Pair(PAIR.ybar1, PAIR.ybar0), Pair("poly:0.64:-0.28", "poly:0.36:0.28")):
        n = items_needed(pair, discount, certainty, most=10**6)
        sure = [ahead_probability(pair, discount, int(m)) for m in (n, n - max(1, np.ceil(n / 1000)))]
        chance_with_n, before = sure if at_top(pair) else [1 - chance for chance in sure]
        assert chance_with_n >= certainty > before


def test_items_needed_of_a_late_winner_are_those_of_its_late_win():
    """Few items of short lists reach the small top at which the first ranker is better."""
    pair = Pair("step:0.98:0.49:0.99", "step:0.5:0.4:0.6", "label-first")
    chances = [ahead_probability(pair, Power(0.5), 10**power) for power in range(1, 8)]
    assert chances[0] < 0.5 < chances[-1]
    n = items_needed(pair, Power(0.5), 0.9, most=10**8)
    assert ahead_probability(pair, Power(0.5), int(n)) >= 0.9
    assert n > 10 ** (1 + np.flatnonzero(np.array(chances) < 0.5)[-1])


def test_items_needed_may_be_infinite_or_few():
    assert items_needed(PAIR, Zipf(), 0.99, most=10**6) == np.inf
    perfect = Pair("step:0.5:0:1", "step:0.5:1:0", "label-first")
    assert items_needed(perfect, Log(), 0.99, most=10**4) == items_needed(perfect, Log(), 0.99, most=10) == 10


def test_unusable_arguments():
    for arguments, message in (
        ((0.5,), "certainty=0.5"),
        ((1.0,), "certainty=1.0"),
        ((0.9, None, 5), "most=5"),
        ((0.9, None, 9), "most=9: expected a number from 10"),
        ((0.9, None, 2e100), "most=2e.100"),
        ((1.5,), "certainty=1.5"),
    ):
        with pytest.raises(ValueError, match=message):
            items_needed(PAIR, Log(), *arguments)


def test_where_nothing_is_left_to_chance_the_answer_is_certain():
    """The first ranker puts all that is relevant on top, the second at the bottom."""
    first, second = "step:0.5:0:1", "step:0.5:1:0"
    for n, k in [*((n, 1) for n in range(100, 200)), (100, None), (10**6, None)]:
        assert ahead_probability(Pair(first, second, "label-first"), Zipf(), n, k) == 1.0
        assert ahead_probability(Pair(second, first, "label-first"), Zipf(), n, k) == 0.0


def test_rankers_that_always_tie_are_rejected():
    with pytest.raises(ValueError, match="^pair=.*: expected rankers whose DCGs differ"):
        ahead_probability(Pair("constant:0", "constant:0"), Log(), 100)


def test_by_default_95_lists_in_100_must_name_the_winner_and_the_longest_has_1e15_items():
    parameters = signature(items_needed).parameters
    assert parameters["certainty"].default == 0.95 and parameters["most"].default == 10**15
