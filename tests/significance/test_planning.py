import numpy as np
import pytest
from scipy.stats import nct, norm, t, trim_mean

from ndcg_companion.significance.planning import (
    effects,
    gate_queries,
    largest_deviation,
    paired_queries,
    queries_needed,
    smallest_effect,
    swap_rate,
)
from ranking_report.bounds import lower_bound


@pytest.mark.parametrize("effect", [0.2, 0.5, 1.0])
def test_so_many_queries_have_the_power(effect):
    n, _, _ = queries_needed(np.array(effect), 100, 1.96)
    bound = t.ppf(0.975, n - 1)
    power = nct.sf(bound, n - 1, effect * np.sqrt(n))
    assert 0.78 < power < 0.84


@pytest.mark.parametrize("queries", [8, 50, 1000])
def test_the_smallest_effect_is_detected_by_exactly_this_many_queries(queries):
    effect = smallest_effect(queries)
    assert paired_queries(1.0001 * effect) == queries < paired_queries(0.999 * effect)
    power = nct.sf(t.ppf(0.975, queries - 1), queries - 1, effect * np.sqrt(queries))
    assert power == pytest.approx(0.8, abs=0.03)


@pytest.mark.parametrize("queries, least", [(10, 0.94), (20, 0.94), (60, 0.93)])
def test_the_upper_end_of_a_pilot_is_rarely_too_small(queries, least):
    """Of normal differences, and of those of nDCG@10 on labels that are fair coins."""
    rng, weights = np.random.default_rng(4), 1 / np.log2(np.arange(2, 12))
    coins = rng.integers(0, 2, (2, 1500, queries, 10)) @ (weights / weights.sum())
    for drawn, deviation in (
        (rng.normal(size=(1500, queries)), 1.0),
        (coins[0] - coins[1], np.sqrt((weights**2).sum() / 2) / weights.sum()),
    ):
        upper = np.array([largest_deviation(differences) for differences in drawn])
        assert least < (upper >= deviation).mean() and (drawn.std(axis=1, ddof=1) >= deviation).mean() < 0.6
        assert np.median(upper) < 2 * deviation


def test_the_upper_end_of_a_pilot_holds_less_often_with_heavy_tails():
    """About 90 % for Laplace's law and Student's with 5 degrees, fewer where one query in ten differs."""
    rng, shape = np.random.default_rng(0), (1500, 50)
    laws = [
        (rng.laplace(size=shape), np.sqrt(2)),
        (rng.standard_t(5, shape), np.sqrt(5 / 3)),
        (rng.normal(size=shape) * (rng.random(shape) < 0.1), np.sqrt(0.1)),
    ]
    laws[2][0][:, :2] += 1e-9  # a pilot without any difference is refused: it has no deviation
    laplace, student, rare = (
        np.mean([largest_deviation(differences) >= deviation for differences in drawn])
        for drawn, deviation in laws
    )
    assert 0.86 < student < 0.92 and 0.88 < laplace < 0.93 and rare < 0.86


def test_few_queries_show_nothing_at_a_great_certainty():
    assert smallest_effect(6, critical=4.0) == np.inf
    assert paired_queries(np.array([0.0, 1e-9, 9.0])).tolist() == [np.inf, np.inf, 6]


def test_a_billion_queries_are_the_most_that_is_named():
    """At 1,000,000,000 queries and at one more: two effects that differ in the tenth digit."""
    size = lambda queries: (1.96 + norm.ppf(0.8)) / np.sqrt(queries - 0.5 - 1.96**2 / 2)
    query_counts = paired_queries(np.array([size(1e9), size(1e9 + 1)]), 1.96)
    assert query_counts.tolist() == [1e9, np.inf]


def test_an_effect_within_its_margin_of_nothing_has_no_upper_end():
    """0.1 on 50 queries may as well be 0 or -0.17, of which the size would be found on fewer than 400."""
    number, low, high = queries_needed(np.array(0.1), 50, 1.96)
    assert low < number < high == np.inf


@pytest.mark.parametrize("queries", [6, 9, 40])
def test_the_upper_end_is_that_of_bonett(queries):
    """Written anew, of skewed differences: c = n / (n - z), exp(log(c s^2) + z se) and a trimmed mean."""
    drawn = np.random.default_rng(queries).exponential(size=queries)
    z = norm.ppf(0.9)
    centred = drawn - trim_mean(drawn, 1 / (2 * np.sqrt(queries - 4)))
    kurtosis = queries * (centred**4).sum() / ((drawn - drawn.mean()) ** 2).sum() ** 2
    c = queries / (queries - z)
    se = c * np.sqrt((kurtosis - (queries - 3) / queries) / (queries - 1))
    upper = np.exp((np.log(c * drawn.var(ddof=1)) + z * se) / 2)
    assert largest_deviation(drawn, 0.9) == pytest.approx(upper, rel=1e-12)


def test_an_effect_of_zero_needs_infinitely_many_queries_and_an_infinite_one_six():
    assert queries_needed(np.array([0.0, np.inf]), 50, 1.96)[0].tolist() == [np.inf, 6]
    means, deviations = np.array([0.0, 1.0, -2.0, 1.0]), np.array([0.0, 0.0, 4.0, 0.5])
    assert effects(means, deviations).tolist() == [0, np.inf, -0.5, 2]


@pytest.mark.parametrize(("deviation", "margin"), [(0.1, -0.02), (0.3, -0.1), (0.25, -0.05)])
def test_a_harmless_release_passes_as_often_as_planned(deviation, margin):
    rng, n = np.random.default_rng(1), int(gate_queries([deviation], margin))
    passed = np.mean([lower_bound(rng.normal(0, deviation, n), -1) > margin for _ in range(1500)])
    assert 0.87 < passed < 0.94


def test_releases_that_pass_together_need_more_queries_and_those_that_never_differ_some():
    assert gate_queries([0.1], -0.01) < gate_queries([0.1] * 15, -0.01) < 2.1 * gate_queries([0.1], -0.01)
    assert gate_queries([0.1], 0.0) == np.inf and gate_queries([0.0], -0.9) == 12
    n = int(gate_queries([0.0], -0.03))
    assert lower_bound(np.zeros(n + 1), -1) > -0.03 > lower_bound(np.zeros(n - 3), -1)


def test_halves_disagree_as_often_as_chance():
    rng = np.random.default_rng(2)
    rows = np.stack([np.zeros(200), np.zeros(200), np.full(200, -1.0), rng.normal(size=200)])
    rates = swap_rate(rows, np.array([0, 0, 3]), np.array([1, 2, 0]), seed=1)
    assert rates[0] == 0.5 and rates[1] == 0 and 0 < rates[2] < 1


def test_halves_are_halves_and_ties_up_to_rounding_are_ties():
    """One query against another is two halves; a quarter of four would be the query that is lost."""
    rates = swap_rate(np.array([[1.0, -1.0], [0.0, 0.0]]), np.array([0]), np.array([1]), seed=1)
    assert rates.tolist() == [1]
    mixed = np.array([[3.0, 3.0, 3.0, -1.0], [0.0, 0.0, 0.0, 0.0]])
    assert swap_rate(mixed, np.array([0]), np.array([1]), seed=1).tolist() == [0]
    for scale in (1e-13, 1.0):
        rows = scale * np.stack([np.full(200, 0.1 + 0.2), np.full(200, 0.3), np.full(200, 0.4)])
        assert rows[0, 0] != rows[1, 0]
        assert swap_rate(rows, np.array([0, 0]), np.array([1, 2]), seed=1).tolist() == [0.5, 0]
