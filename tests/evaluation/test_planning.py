import numpy as np
import pytest
from scipy.stats import nct, norm, t

from ndcg_companion.evaluation.planning import (
    effects,
    gate_queries,
    paired_queries,
    queries_needed,
    smallest_effect,
    swap_rate,
)


@pytest.mark.parametrize("effect", [0.2, 0.5, 1.0])
def test_so_many_queries_have_the_power(effect):
    n, _, _ = queries_needed(np.array(effect), 100, 1.96)
    bound = t.ppf(0.975, n - 1)
    power = nct.sf(bound, n - 1, effect * np.sqrt(n))
    assert 0.78 < power < 0.84


@pytest.mark.parametrize("queries", [8, 50, 1000])
def test_the_smallest_effect_is_found_on_just_so_many_queries(queries):
    effect = smallest_effect(queries)
    assert paired_queries(1.0001 * effect) == queries < paired_queries(0.999 * effect)
    power = nct.sf(t.ppf(0.975, queries - 1), queries - 1, effect * np.sqrt(queries))
    assert power == pytest.approx(0.8, abs=0.03)


def test_few_queries_show_nothing_at_a_great_certainty():
    assert smallest_effect(6, critical=4.0) == np.inf
    assert paired_queries(np.array([0.0, 1e-9, 9.0])).tolist() == [np.inf, np.inf, 6]


def test_nothing_takes_for_ever_and_certainty_six():
    assert queries_needed(np.array([0.0, np.inf]), 50, 1.96)[0].tolist() == [np.inf, 6]
    assert effects(np.array([0.0, 1.0, -2.0]), np.array([0.0, 0.0, 4.0])).tolist() == [0, np.inf, -0.5]


def test_a_harmless_release_passes_as_often_as_planned():
    rng, spread, margin = np.random.default_rng(1), 0.1, -0.02
    n = int(gate_queries([spread], margin, norm.ppf(0.95)))
    means = rng.normal(0, spread / np.sqrt(n), 20_000)
    passed = (means - norm.ppf(0.95) * spread / np.sqrt(n) > margin).mean()
    assert passed == pytest.approx(0.9, abs=0.012)
    assert gate_queries([0.1], 0.0, 1.645) == np.inf and gate_queries([0.0], -0.1, 1.645) == 6


def test_halves_disagree_as_often_as_chance():
    rng = np.random.default_rng(2)
    rows = np.stack([np.zeros(200), np.zeros(200), np.full(200, -1.0), rng.normal(size=200)])
    found = swap_rate(rows, np.array([0, 0, 3]), np.array([1, 2, 0]), seed=1)
    assert found[0] == 0.5 and found[1] == 0 and 0 < found[2] < 1
