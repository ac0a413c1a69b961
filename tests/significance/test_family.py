from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom, permutation_test, ttest_1samp

from ndcg_companion.measures import Power, dcg, ndcg
from ndcg_companion.significance import family
from ndcg_companion.significance.family import Contrasts, Flips, flip_signs, in_turn, pairs_of
from ndcg_companion.simulation import proportion_interval


def naive(gaps, signs):
    """Max-T, one hypothesis after the other, by Student's t of every pattern.

    Of differences with other signs, and of their deviations from the mean: the larger p-value, and the larger
    critical value at 5 %.
    """
    q = gaps.shape[1]
    t = lambda rows: np.abs(ttest_1samp(rows, 0, axis=-1).statistic)
    seen = t(gaps)
    alone = np.array([t(signs * row) for row in gaps]).T
    centred = gaps - gaps.mean(axis=1, keepdims=True)
    share = np.abs(signs @ centred.T) / np.sqrt((centred**2).sum(axis=1))
    deviations = share * np.sqrt((q - 1) / (q - share**2))
    maxima = np.array([np.nanmax(alone, axis=1), deviations.max(axis=1)])
    p_family = (maxima[:, :, None] >= seen - 1e-9).mean(axis=1).max(axis=0)
    critical = np.sort(maxima, axis=1)[:, int(np.ceil(0.95 * len(signs))) - 1].max()
    return (alone >= seen - 1e-9).mean(axis=0), p_family, critical


def differences(contrasts):
    return np.array([contrasts.differences(which) for which in range(len(contrasts.first))])


@pytest.mark.parametrize("baseline", [None, 2])
@pytest.mark.parametrize("seed", [3, 4])
def test_max_t_is_that_of_a_naive_implementation(baseline, seed):
    rng = np.random.default_rng(seed)
    values = rng.random((2, 4, 9)) + np.array([0, 0.1, 0.3, 0.5])[:, None]
    signs = np.array([*product([1, -1], repeat=9)])
    contrasts = pairs_of(values, baseline)
    assert len(contrasts.first) == (12 if baseline is None else 6)
    alone, together, critical = naive(differences(contrasts), signs)
    flips = flip_signs(contrasts, seed=1)
    assert flips.complete and flips.patterns == 512
    assert flips.p == pytest.approx(alone) and flips.p_family == pytest.approx(together)
    assert flips.critical == pytest.approx(critical)
    assert np.min(together) < 0.3 < np.max(together)


def test_pairs_with_a_baseline_are_each_other_system_minus_it():
    values = np.random.default_rng(1).random((2, 3, 7))
    gaps = differences(pairs_of(values, 1))
    expected = [values[m, i] - values[m, 1] for m in (0, 1) for i in (0, 2)]
    assert np.array_equal(gaps, expected)


@settings(max_examples=150)
@given(st.data())
def test_an_interval_leaves_out_0_exactly_where_the_p_value_says_so(data):
    """Also on few queries, with few values, with ties, and where scores never vary."""
    measures, systems, queries = (data.draw(st.integers(1, most)) for most in (2, 4, 24))
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    kind = data.draw(st.sampled_from(["few values", "ordinary", "constant", "far apart"]))
    shape = (measures, systems, queries)
    values = {
        "few values": lambda: rng.integers(0, 3, shape) / 2,
        "ordinary": lambda: rng.random(shape) + 0.2 * np.arange(systems)[:, None],
        "constant": lambda: np.broadcast_to(rng.random((measures, systems, 1)), shape),
        "far apart": lambda: 1e-3 * rng.random(shape) + np.arange(systems)[:, None],
    }[kind]()
    contrasts = pairs_of(values)
    flips = flip_signs(contrasts, seed=1, patterns=500)
    with np.errstate(invalid="ignore", divide="ignore"):
        t = np.abs(contrasts.means) / contrasts.standard_deviations * np.sqrt(queries)
    is_significant = flips.p_family <= 0.05
    assert (t[is_significant] > flips.critical).all()
    assert (
        (t[~is_significant] <= flips.critical * (1 + 1e-4))
        | (contrasts.standard_deviations[~is_significant] == 0)
        | (queries == 1)
    ).all()


def test_families_in_turn_hold_the_later_to_all_of_the_earlier():
    """Where the first measure tells every pair apart, its p-values are those of it alone."""
    rng = np.random.default_rng(11)
    values = 0.2 * rng.normal(size=(3, 3, 60)) + np.array([0, 0.3, 0.6])[:, None]
    values[2] = 0.2 * rng.normal(size=(3, 60))
    first, rest = (flip_signs(pairs_of(part), seed=1) for part in (values[:1], values[1:]))
    _, p_family, _, critical = in_turn([first, rest])
    assert np.array_equal(
        p_family, np.concatenate([first.p_family, np.maximum(rest.p_family, first.p_family.max())])
    )
    assert (p_family[:6] < 0.01).all() and (p_family[6:] > 0.05).all()
    assert critical[0] == first.critical < rest.critical == critical[3]
    values[0, 2] = values[0, 1]
    first = flip_signs(pairs_of(values[:1]), seed=1)
    _, p_family, _, _ = in_turn([first, rest])
    assert (p_family[:2] < 0.01).all() and (p_family[2:] == 1).all()


@pytest.mark.parametrize(("p", "how"), [(0.05, "all"), (0.051, "not tested")])
def test_a_family_whose_largest_p_value_is_5_percent_lets_the_next_be_tested(p, how):
    first, second = (Flips(np.array([p]), np.array([p]), np.array(["all"]), 2.0, 9, True) for p in (p, 0.01))
    assert in_turn([first, second])[2].tolist() == ["all", how]


def test_one_pair_is_scipys_permutation_test():
    rng = np.random.default_rng(4)
    values = rng.random((1, 2, 10)) + np.array([0, 0.15])[:, None]
    flips = flip_signs(pairs_of(values), seed=1)
    theirs = permutation_test(
        (values[0, 0] - values[0, 1],), np.mean, permutation_type="samples", n_resamples=10**6
    )
    assert flips.p == pytest.approx([theirs.pvalue])
    assert flips.p_family >= flips.p and flips.p_family == pytest.approx(flips.p, abs=0.05)


def test_random_patterns_come_near_all_patterns(monkeypatch):
    rng = np.random.default_rng(5)
    values = rng.random((1, 5, 15)) + np.array([0, 0.1, 0.15, 0.2, 0.3])[:, None]
    exact = flip_signs(pairs_of(values), seed=1)
    monkeypatch.setattr(family, "MOST_COMPLETE", 5)
    drawn = flip_signs(pairs_of(values), seed=1)
    noise = 5 * np.sqrt(exact.p_family * (1 - exact.p_family) / drawn.patterns) + 1 / drawn.patterns
    assert not drawn.complete and (np.abs(drawn.p_family - exact.p_family) <= noise).all()
    assert drawn.critical == pytest.approx(exact.critical, rel=0.02)


def test_five_seeds_agree_on_what_is_distinguished():
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


def test_statistics_beyond_all_patterns_get_students_tail():
    rng = np.random.default_rng(8)
    values = rng.normal(size=(1, 3, 60)) + np.array([0, 0.1, 1.5])[:, None]
    flips = flip_signs(pairs_of(values), seed=1)
    assert flips.how.tolist() == ["50,000 permutations", "t tail, Bonferroni", "t tail, Bonferroni"]
    difference = values[0, 0] - values[0, 2]
    tail = ttest_1samp(difference, 0).pvalue
    assert 1e-12 < tail < 1e-6
    assert [flips.p[1], flips.p_family[1]] == pytest.approx([tail, 3 * tail], rel=1e-3, abs=0)
    constant = np.stack([np.ones(30), np.zeros(30)])[None]
    assert flip_signs(pairs_of(constant), seed=1).p_family[0] == 2.0**-29  # all patterns would not give less


def test_a_tail_counts_only_where_it_is_smaller():
    """Ten times the same hypothesis: Bonferroni's bound is above 1/20, the least of 19 patterns."""
    row = np.random.default_rng(20).normal(0.6, 1, (1, 25))
    flips = flip_signs(Contrasts(row, np.zeros(10, int), np.full(10, -1)), seed=1, patterns=19)
    assert 0.005 < ttest_1samp(row[0], 0).pvalue < 0.05
    assert flips.p_family.tolist() == [0.05] * 10 and set(flips.how) == {"19 permutations"}


def test_a_tie_but_for_rounding_is_one():
    """Scores in tenths, whose sums are counted in whole numbers as well."""
    tenths = np.random.default_rng(13).integers(-2, 4, (6, 11))
    signs = np.array([*product([1, -1], repeat=11)])
    seen = np.abs(tenths.sum(axis=1))
    reached = (np.abs(signs @ tenths.T) >= seen).mean(axis=0)
    assert (np.abs(signs @ tenths.T) == seen).mean() > 0.05  # ties decide
    flips = flip_signs(Contrasts(tenths / 10, np.arange(6), np.full(6, -1)), seed=1)
    assert flips.p.tolist() == reached.tolist()


@pytest.mark.parametrize("power", [-20, 21])
def test_the_unit_of_the_scores_is_no_matter(power):
    values = np.random.default_rng(14).random((1, 3, 40)) * 0.9
    plain, scaled = (flip_signs(pairs_of(values * 2.0**by), seed=1) for by in (0, power))
    assert plain.p_family.tolist() == scaled.p_family.tolist() and plain.critical == scaled.critical


def test_two_queries_are_the_fewest_with_a_standard_deviation():
    deviations = lambda row: Contrasts(np.array([row]), np.array([0]), np.array([-1])).standard_deviations
    assert deviations([0.2, 0.8]) == pytest.approx([0.6 / np.sqrt(2)]) and np.isnan(deviations([0.2])).all()


def test_scores_of_zero_have_p_values_of_1():
    flips = flip_signs(pairs_of(np.zeros((1, 3, 30))), seed=1)
    assert flips.p.tolist() == flips.p_family.tolist() == [1, 1, 1] and flips.critical == 0


@pytest.mark.parametrize(("queries", "complete"), [(16, True), (17, False)])
def test_all_patterns_are_tried_on_sixteen_queries(queries, complete):
    flips = flip_signs(pairs_of(np.random.default_rng(15).random((1, 2, queries))), seed=1)
    assert flips.complete == complete and flips.patterns == (2**16 if complete else 50_000)


def test_patterns_are_as_many_as_are_cheap(monkeypatch):
    """By the multiplications of a pattern: one a score, and thirty a hypothesis."""
    values = np.random.default_rng(16).random((1, 3, 40))
    monkeypatch.setattr(family, "_WORK", 20_000 * (3 * 40 + 30 * 3))
    assert flip_signs(pairs_of(values), seed=1).patterns == 20_000
    monkeypatch.setattr(family, "_WORK", 1)
    assert flip_signs(pairs_of(values), seed=1).patterns == 10_000


def test_random_signs_are_independent_with_probability_one_half():
    """Of eight all fall alike in one pattern of 128; and of sixty any two do in one of two."""
    few = flip_signs(Contrasts(np.ones((1, 20)) * (np.arange(20) < 8), np.array([0]), np.array([-1])), seed=1)
    assert few.p[0] == pytest.approx(1 / 128, abs=5 * np.sqrt(1 / 128 / few.patterns))
    rows = np.eye(60) + np.roll(np.eye(60), 1, axis=1)
    two = flip_signs(Contrasts(rows, np.arange(60), np.full(60, -1)), seed=1)
    assert two.p == pytest.approx(0.5, abs=2.5 / np.sqrt(two.patterns))


def test_with_nineteen_patterns_the_largest_is_the_critical_value():
    """So many are the fewest random ones by which anything is told apart at 5 %."""
    rng, between = np.random.default_rng(18), 0
    for seed in range(60):
        contrasts = Contrasts(rng.normal(0.3, 1, (1, 25)), np.array([0]), np.array([-1]))
        flips = flip_signs(contrasts, seed, patterns=19)
        t = abs(contrasts.means[0]) / contrasts.standard_deviations[0] * 5
        assert (t > flips.critical) == (flips.p_family[0] <= 0.05)
        between += flips.p_family[0] == 0.1
    assert between  # one pattern reached the statistic, which a smaller critical value would overlook
    assert flip_signs(contrasts, 1, patterns=5).p_family[0] >= 1 / 6


def test_a_floor_never_decides_at_scale():
    rng = np.random.default_rng(9)
    values = 0.2 * rng.normal(size=(1, 12, 3000)) + 0.05 * np.arange(12)[:, None]
    assert (flip_signs(pairs_of(values), seed=1).p_family < 1e-4).all()


def test_identical_systems_and_single_queries_have_p_values_of_1():
    same = np.tile(np.random.default_rng(1).random(30), (1, 3, 1))
    assert (flip_signs(pairs_of(same), seed=1).p_family == 1).all()
    assert (flip_signs(pairs_of(np.array([[[0.1], [0.9]]])), seed=1).p_family == 1).all()


def test_intervals_hold_together():
    """Of 300 families of ten true means, about one in twenty has an interval that misses its own."""
    rng, missed = np.random.default_rng(10), 0
    for _ in range(300):
        rows = rng.normal(size=(10, 25))
        contrasts = Contrasts(rows, np.arange(10), np.full(10, -1))
        t = contrasts.means / contrasts.standard_deviations * 5
        missed += (np.abs(t) > _quick(contrasts).critical).any()
    assert 3 <= missed <= 30  # 15 expected, standard deviation 3.8


def _quick(contrasts):
    few, family._PATTERNS = family._PATTERNS, (2000, 2000)
    try:
        return flip_signs(contrasts, seed=1)
    finally:
        family._PATTERNS = few


def test_another_seed_moves_nothing_where_all_patterns_are_tried():
    rows = np.random.default_rng(11).normal(size=(1, 20))
    tried, drawn = (
        flip_signs(Contrasts(some, np.zeros(1, int), np.full(1, -1)), 1) for some in (rows[:, :9], rows)
    )
    low, high = binom.interval(0.95, drawn.patterns, 0.05)
    assert tried.noise == 0 and drawn.noise == pytest.approx((high - low) / 2 / drawn.patterns, rel=0.02)


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
        values = [
            [measure(labels, system_scores) for system_scores in scores] for measure in (_ndcg, _precision)
        ]
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


@pytest.mark.nightly
def test_claims_and_intervals_hold_together_where_some_systems_differ():
    """Of 1,500 comparisons: even one wrong claim or direction, and even one interval without its truth."""
    rng = np.random.default_rng(17)
    skill = np.array([0, 0, 0.05, 0.05, 0.2, 0.5])
    wrong, missed, trials = 0, 0, 1500
    for run in range(trials):
        values = (rng.normal(size=50) + 0.2 * rng.normal(size=(6, 50)) + skill[:, None])[None]
        contrasts = pairs_of(values)
        truth = skill[contrasts.first] - skill[contrasts.second]
        flips = flip_signs(contrasts, seed=run, patterns=2000)
        is_significant = flips.p_family <= 0.05
        wrong += (is_significant & (np.sign(contrasts.means) != np.sign(truth))).any()
        half = flips.critical * contrasts.standard_deviations / np.sqrt(50)
        missed += (np.abs(contrasts.means - truth) > half).any()
    print(f"wrong claims {wrong / trials:.3f}, intervals that miss {missed / trials:.3f}")
    for count in (wrong, missed):
        assert proportion_interval(count, trials, 0.999)[0] <= 0.05
