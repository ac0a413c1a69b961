import numpy as np
import pytest

from ndcg_companion.measures import Log, Power, dcg
from ndcg_companion.simulation import gap_experiment, monte_carlo, sample_pair
from ndcg_companion.theory import Pair, dcg_gap_standard_deviation, expected_gap

PAIR = Pair("poly:0.6:-0.2", "poly:0.4:0.2", coupling="label-first")
RANKS = np.arange(1, 51)


def test_the_gap_is_that_of_two_dcgs_of_one_list():
    drawn = sample_pair(PAIR, 50, seed=3)
    two_dcgs = [dcg(drawn.labels, scores) for scores in (drawn.scores0, drawn.scores1)]
    gap = gap_experiment(PAIR, Log()(RANKS))(np.random.default_rng(3))
    assert gap == pytest.approx(two_dcgs[0] - two_dcgs[1], abs=1e-12)
    turned = gap_experiment(Pair(PAIR.ybar1, PAIR.ybar0), Log()(RANKS))(np.random.default_rng(3))
    assert abs(gap - turned) > 1e-3


def test_several_discounts_and_cutoffs_see_the_same_list():
    rows = [Log()(RANKS), Power(0.5)(RANKS) * (RANKS <= 10)]
    together = gap_experiment(PAIR, rows)(np.random.default_rng(4))
    alone = [gap_experiment(PAIR, row)(np.random.default_rng(4)) for row in rows]
    np.testing.assert_allclose(together, alone, atol=1e-12)


def test_mean_and_deviation_are_those_of_the_theory():
    run = monte_carlo(gap_experiment(PAIR, Log()(RANKS)), replicates=4_000, seed=5)
    low, high = run.interval(1 - 1e-4)
    assert low < expected_gap(PAIR, Log(), 50) < high
    assert not low < expected_gap(PAIR, Log(), 100) < high
    # its exact value is an approximation on lists as short as these
    assert run.values.std() == pytest.approx(dcg_gap_standard_deviation(PAIR, Log(), 50), rel=0.06)


@pytest.mark.parametrize("weights", [1.0, np.ones((2, 2, 2)), [], np.ones((2, 0)), ["a"], [1j], [1, np.nan]])
def test_weights_are_finite_numbers_in_rows(weights):
    with pytest.raises(ValueError, match="^weights=.*: expected finite numbers, one for each rank"):
        gap_experiment(PAIR, weights)
