from itertools import product

import numpy as np
import pytest
from scipy.stats import permutation_test, ttest_1samp

from ndcg_companion.evaluation import family
from ndcg_companion.evaluation.family import Contrasts, flip_signs, pairs_of
from ndcg_companion.measures import Power, dcg, ndcg
from ndcg_companion.simulation import proportion_interval


def naive(values, signs):
    """Westfall and Young's step-down max-T, one pattern and hypothesis after the other, by Student's t."""
    measures, systems, _ = values.shape
    differences = [
        values[m, i] - values[m, j]
        for m in range(measures)
        for i in range(systems)
        for j in range(i + 1, systems)
    ]
    t = lambda x: abs(ttest_1samp(x, 0).statistic)
    seen = np.array([t(d) for d in differences])
    flipped = np.array([[t(s * d) for d in differences] for s in signs])
    order = np.argsort(-seen)
    p, least = np.empty(len(seen)), 0.0
    for place, which in enumerate(order):
        rivals = flipped[:, order[place:]].max(axis=1)
        least = max(least, (rivals >= seen[which] - 1e-9).mean())
        p[which] = least
    return (flipped >= seen - 1e-9).mean(axis=0), p


def test_step_down_is_that_of_a_naive_implementation():
    rng = np.random.default_rng(3)
    values = rng.random((2, 4, 9)) + np.array([0, 0.1, 0.3, 0.5])[:, None]
    signs = np.array([*product([1, -1], repeat=9)])
    alone, together = naive(values, signs)
    flips = flip_signs(pairs_of(values), seed=1)
    assert flips.complete and flips.patterns == 512
    assert flips.p == pytest.approx(alone) and flips.p_family == pytest.approx(together)
    assert 0.01 < np.min(together) < np.max(together) == 1 or np.max(together) > 0.5


def test_one_pair_is_scipys_permutation_test():
    rng = np.random.default_rng(4)
    values = rng.random((1, 2, 10)) + np.array([0, 0.15])[:, None]
    flips = flip_signs(pairs_of(values), seed=1)
    theirs = permutation_test(
        (values[0, 0] - values[0, 1],), np.mean, permutation_type="samples", n_resamples=10**6
    )
    assert flips.p == pytest.approx([theirs.pvalue]) and flips.p_family == pytest.approx(flips.p)


def test_random_patterns_come_near_all_patterns(monkeypatch):
    rng = np.random.default_rng(5)
    values = rng.random((1, 5, 15)) + np.array([0, 0.1, 0.15, 0.2, 0.3])[:, None]
    exact = flip_signs(pairs_of(values), seed=1)
    monkeypatch.setattr(family, "MOST_COMPLETE", 5)
    drawn = flip_signs(pairs_of(values), seed=1)
    noise = 5 * np.sqrt(exact.p_family * (1 - exact.p_family) / drawn.patterns) + 1 / drawn.patterns
    assert not drawn.complete and (np.abs(drawn.p_family - exact.p_family) <= noise).all()
    assert drawn.critical == pytest.approx(exact.critical, rel=0.02)


def test_five_seeds_agree_on_what_is_told_apart():
    rng = np.random.default_rng(6)
    level = np.linspace(0, 0.3, 15)[:, None]
    values = 0.3 * rng.normal(size=(1, 15, 100)) + 0.3 * rng.normal(size=100) + level
    counts = [(flip_signs(pairs_of(values), seed).p_family <= 0.05).sum() for seed in range(5)]
    assert max(counts) - min(counts) <= 2 and 20 < min(counts) < 100


def test_the_numbers_are_the_same_however_the_work_is_cut(monkeypatch):
    values = np.random.default_rng(7).random((2, 4, 40))
    plain = flip_signs(pairs_of(values), seed=3)
    backwards = flip_signs(
        pairs_of(values), seed=3, mapped=lambda work, tasks: [work(task) for task in tasks[::-1]]
    )
    again = flip_signs(pairs_of(values[:, ::-1][:, ::-1]), seed=3)
    for other in (backwards, again):
        assert np.array_equal(plain.p_family, other.p_family) and plain.critical == other.critical


def test_what_no_pattern_reaches_gets_students_tail_and_says_so():
    rng = np.random.default_rng(8)
    values = rng.normal(size=(1, 3, 60)) + np.array([0, 0.1, 5])[:, None]
    flips = flip_signs(pairs_of(values), seed=1)
    assert flips.how.tolist() == ["50,000 sign patterns", "t tail, Bonferroni", "t tail, Bonferroni"]
    difference = values[0, 0] - values[0, 2]
    assert flips.p_family[1] == pytest.approx(3 * ttest_1samp(difference, 0).pvalue, rel=1e-3)
    constant = np.stack([np.ones(30), np.zeros(30)])[None]
    assert flip_signs(pairs_of(constant), seed=1).p_family[0] >= 2.0**-29  # all patterns would not give less


def test_a_floor_never_decides_at_scale():
    rng = np.random.default_rng(9)
    values = 0.2 * rng.normal(size=(1, 12, 3000)) + 0.05 * np.arange(12)[:, None]
    assert (flip_signs(pairs_of(values), seed=1).p_family < 1e-4).all()


def test_identical_systems_and_single_queries_are_told_nothing_of():
    same = np.tile(np.random.default_rng(1).random(30), (1, 3, 1))
    assert (flip_signs(pairs_of(same), seed=1).p_family == 1).all()
    assert (flip_signs(pairs_of(np.array([[[0.1], [0.9]]])), seed=1).p_family == 1).all()


def test_intervals_hold_together():
    """Of 300 families of ten true means, about one in twenty has an interval that misses its own."""
    rng, missed = np.random.default_rng(10), 0
    for _ in range(300):
        rows = rng.normal(size=(10, 25))
        contrasts = Contrasts(rows, np.arange(10), np.full(10, -1))
        t = contrasts.means / contrasts.spreads * 5
        missed += (np.abs(t) > _quick(contrasts).critical).any()
    assert 3 <= missed <= 30  # 15 expected, standard deviation 3.8


def _quick(contrasts):
    few, family._PATTERNS = family._PATTERNS, (2000, 2000)
    try:
        return flip_signs(contrasts, seed=1)
    finally:
        family._PATTERNS = few


def test_one_sided_is_smaller():
    contrasts = Contrasts(np.random.default_rng(2).normal(size=(3, 50)), np.arange(3), np.full(3, -1))
    assert flip_signs(contrasts, 1, one_sided=True).critical < flip_signs(contrasts, 1).critical


@pytest.mark.nightly
@pytest.mark.parametrize(("systems", "queries"), [(6, 50), (15, 25)])
def test_the_family_errs_in_one_comparison_of_twenty_at_most(systems, queries):
    """2,000 comparisons of systems exchanged within topics; the control is uncorrected."""
    rng = np.random.default_rng(20130612)
    alarms = np.zeros(2, dtype=int)
    for run in range(2000):
        labels = (rng.random((queries, 40)) < rng.beta(2, 4, (queries, 1))).astype(int)
        skill = np.linspace(0, 1, systems)
        scores = [rng.normal(size=labels.shape) + by * labels for by in skill]
        values = [[measure(labels, own) for own in scores] for measure in (_ndcg, _precision)]
        order = rng.permuted(np.tile(np.arange(systems)[:, None], queries), axis=0)
        values = np.take_along_axis(np.array(values), order[None], axis=1)
        flips = flip_signs(pairs_of(values), seed=run, patterns=2000)
        alarms += [(flips.p_family <= 0.05).any(), (flips.p <= 0.05).any()]
    low, high = proportion_interval(alarms, 2000, 0.99)
    print(f"{systems} systems, {queries} queries: {alarms / 2000}, 99 % intervals from {low} to {high}")
    assert low[0] <= 0.05 < low[1]


def _ndcg(labels, scores):
    return ndcg(labels, scores, k=10, empty=0)


def _precision(labels, scores):
    return dcg(labels, scores, discount=Power(0), k=5) / 5
