import tracemalloc
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from fractions import Fraction
from itertools import product
from math import factorial

import numpy as np
import pytest
from scipy import stats

from ndcg_companion.measures import Log, Zipf, dcg, ndcg
from ndcg_companion.simulation import Sample, sample, sample_blocks, sample_pair, sample_top, sampling
from ndcg_companion.theory import Pair, Population

GRADED = {2: "poly:0.6:-0.5", 1: "constant:0.3", 0: "poly:0.1:0.5"}
# Every statistical test has a fixed seed, and was given this probability of failing with a seed chosen
# blindly.
RARE = 1e-4


def uniform(scores):
    return stats.kstest(scores, "uniform").pvalue > RARE


def frequencies(labels, grade, scores, curve, bins=20):
    """Whether the share of `grade` among the items of each bin of scores is the mean of the curve there."""
    edges = np.linspace(0, 1, bins + 1)
    which = np.digitize(scores, edges[1:-1])
    chance = curve(scores)
    excess = np.bincount(which, (labels == grade) - chance, bins)
    variance = np.bincount(which, chance * (1 - chance), bins)
    noisy = variance > 0
    if np.any(excess[~noisy] != 0):
        return False
    return not noisy.any() or stats.chi2.sf((excess[noisy] ** 2 / variance[noisy]).sum(), noisy.sum()) > RARE


@pytest.mark.parametrize("ranked", [False, True])
@pytest.mark.parametrize(
    "population", [Population("power:2"), Population("step:0.7:0:1"), Population(GRADED)]
)
def test_scores_are_uniform_and_labels_follow_their_curves(population, ranked):
    drawn = sample(population, 20_000, seed=1, ranked=ranked)
    assert uniform(drawn.scores)
    assert drawn.labels.dtype.kind == "i"
    for grade in population.grades:
        assert frequencies(drawn.labels, grade, drawn.scores, population.curve(grade))


def test_a_wrong_curve_would_be_noticed():
    drawn = sample(Population("power:2"), 60_000, seed=1)
    assert not frequencies(drawn.labels, 1, drawn.scores, lambda s: s**1.9)
    assert not uniform(drawn.scores**1.05)


def test_ranked_samples_are_in_order_and_arrivals_are_not():
    population = Population("power:1")
    assert np.all(np.diff(sample(population, 1000, seed=2, ranked=True).scores) < 0)
    arrivals = sample(population, 1000, seed=2).scores
    assert abs(stats.spearmanr(arrivals, np.arange(1000)).statistic) < 4 / np.sqrt(1000)


def ranked_labels(polynomials, n):
    """The exact probability of each sequence of labels that n ranked items can have.

    The depths of n ranked items have density n! where 0 < u_1 < ... < u_n < 1; given them, labels are
    independent.
    """
    probabilities = {}
    for labels in product(polynomials, repeat=n):
        integral = [Fraction(1)]
        for label in labels:
            integrand = [Fraction(0)] * (len(integral) + len(polynomials[label]) - 1)
            for (i, a), (j, b) in product(enumerate(integral), enumerate(polynomials[label])):
                integrand[i + j] += a * b
            integral = [Fraction(0), *(c / (i + 1) for i, c in enumerate(integrand))]
        probabilities[labels] = float(factorial(n) * sum(integral))
    return probabilities


def fits(seen, probabilities, draws):
    """Whether the frequencies are those of the probabilities (a chi-squared test; rare outcomes are put
    together).
    """
    common = [outcome for outcome, p in probabilities.items() if p * draws >= 5]
    counts = [seen[outcome] for outcome in common]
    expected = [probabilities[outcome] * draws for outcome in common]
    counts.append(draws - sum(counts))
    expected.append(draws - sum(expected))
    counts, expected = np.array(counts), np.array(expected)
    assert expected[-1] >= 5 or counts[-1] < 15
    return stats.chisquare(counts[expected > 1], expected[expected > 1], sum_check=False).pvalue > RARE


TENTHS = {2: [6, -5], 1: [3], 0: [1, 5]}


class OneByOne(nullcontext):
    """In place of threads, whose start takes longer than drawing a short list."""

    map = staticmethod(map)


@pytest.fixture(params=[False, True], ids=["whole", "cut"])
def cut(request, monkeypatch):
    """Short lists cut as long ones are, for what must not be seen in any distribution."""
    if request.param:
        monkeypatch.setattr(sampling, "_BLOCK", 2)
        monkeypatch.setattr(sampling, "_STRETCH", 4)
        monkeypatch.setattr(sampling, "ThreadPoolExecutor", lambda: OneByOne(OneByOne))


def test_the_labels_of_few_ranked_items_are_those_of_the_exact_distribution(cut):
    population, rng, draws = Population(GRADED), np.random.default_rng(20), 6000
    exact = ranked_labels({grade: [Fraction(c, 10) for c in poly] for grade, poly in TENTHS.items()}, 4)
    assert sum(exact.values()) == pytest.approx(1, abs=1e-14)
    for draw in (
        lambda: sample(population, 4, seed=rng, ranked=True).labels,
        lambda: np.concatenate([block.labels for block in sample_blocks(population, 4, seed=rng, size=3)]),
    ):
        seen = Counter(tuple(draw().tolist()) for _ in range(draws))
        assert fits(seen, exact, draws)
        shuffled = Counter()
        for labels, count in seen.items():
            shuffled[labels[1], labels[0], *labels[2:]] += count
        assert not fits(shuffled, exact, draws)


@pytest.mark.parametrize(("n", "k"), [(4, 1), (4, 3), (5, 2)])
def test_tops_are_those_of_the_exact_distribution(n, k, cut):
    population, rng, draws = Population(GRADED), np.random.default_rng(21), 1500
    polynomials = {grade: [Fraction(c, 10) for c in poly] for grade, poly in TENTHS.items()}

    def tops(n):
        exact = Counter()
        for labels, probability in ranked_labels(polynomials, n).items():
            exact[labels[:k], tuple(sorted(labels, reverse=True)[:k])] += probability
        return exact

    drawn = (sample_top(population, n, k, seed=rng) for _ in range(draws))
    seen = Counter((tuple(top.labels.tolist()), tuple(top.ideal_labels.tolist())) for top in drawn)
    assert fits(seen, tops(n), draws)
    assert not fits(seen, tops(n + 1), draws)


@pytest.mark.parametrize("blocks", [False, True])
def test_ranked_scores_are_the_order_statistics(blocks, cut):
    # The r-th best of n uniform scores has a Beta(n - r + 1, r) distribution (Wang et al. 2013, claim 24).
    population, rng, n = Population("power:1"), np.random.default_rng(3), 7

    def scores():
        if blocks:
            return np.concatenate([block.scores for block in sample_blocks(population, n, seed=rng, size=3)])
        return sample(population, n, seed=rng, ranked=True).scores

    drawn = np.array([scores() for _ in range(4000)])
    for rank in (1, 3, 6, 7):
        of_rank = drawn[:, rank - 1]
        assert stats.kstest(of_rank, stats.beta(n - rank + 1, rank).cdf).pvalue > RARE
        assert stats.kstest(of_rank, stats.beta(n - rank + 1, rank + 1).cdf).pvalue < RARE


def test_neighbouring_ranks_go_together_as_they_should(cut):
    # corr(depth_r, depth_q) = sqrt(r (n + 1 - q) / (q (n + 1 - r))) for order statistics r < q of n uniform
    # depths.
    population, rng, n = Population("power:1"), np.random.default_rng(4), 9
    expected = np.sqrt(3 * (n + 1 - 5) / (5 * (n + 1 - 3)))
    for draw in (
        lambda: sample(population, n, seed=rng, ranked=True).scores,
        lambda: np.concatenate([block.scores for block in sample_blocks(population, n, seed=rng, size=4)]),
    ):
        scores = np.array([draw() for _ in range(3000)])
        gap = np.arctanh(np.corrcoef(scores[:, 2], scores[:, 4])[0, 1]) - np.arctanh(expected)
        assert abs(gap) < 4 / np.sqrt(3000)


def test_blocks_make_up_the_whole_list():
    population = Population(GRADED)
    blocks = list(sample_blocks(population, 50_000, seed=5, size=7_000))
    assert [len(block.scores) for block in blocks] == [7_000] * 7 + [1_000]
    labels = np.concatenate([block.labels for block in blocks])
    scores = np.concatenate([block.scores for block in blocks])
    assert np.all(np.diff(scores) < 0) and uniform(scores)
    for grade in population.grades:
        assert frequencies(labels, grade, scores, population.curve(grade))


@pytest.mark.parametrize("size", [None, 1, 7, 33, 200])
def test_blocks_of_any_size_are_the_ranked_sample_of_the_same_seed(size, monkeypatch):
    monkeypatch.setattr(sampling, "_BLOCK", 16)
    monkeypatch.setattr(sampling, "_STRETCH", 64)
    for population, n in (
        (Population("power:2"), 150),
        (Population(GRADED), 20),
        (Population("power:2"), 128),
    ):
        whole = sample(population, n, seed=16, ranked=True)
        blocks = list(sample_blocks(population, n, seed=16, **({"size": size} if size else {})))
        if size:
            assert [block.labels.size for block in blocks] == [size] * (n // size) + [n % size] * (
                n % size > 0
            )
        assert np.array_equal(whole.labels, np.concatenate([block.labels for block in blocks]))
        assert np.array_equal(whole.scores, np.concatenate([block.scores for block in blocks]))


def test_a_long_ranked_sample_does_not_depend_on_the_number_of_cores(monkeypatch):
    drawn = []
    for cores in (1, 2, 5):
        monkeypatch.setattr(sampling, "ThreadPoolExecutor", lambda cores=cores: ThreadPoolExecutor(cores))
        drawn.append(sample(Population(GRADED), 1_500_000, seed=18, ranked=True))
    for other in drawn[1:]:
        assert np.array_equal(drawn[0].labels, other.labels) and np.array_equal(drawn[0].scores, other.scores)
    assert np.all(np.diff(drawn[0].scores) < 0) and uniform(drawn[0].scores)
    for grade in GRADED:
        assert frequencies(drawn[0].labels, grade, drawn[0].scores, Population(GRADED).curve(grade))


def test_a_list_is_streamed_in_the_memory_of_a_block():
    # Blocks of 40,000 items take 0.6 megabytes each, and some room to draw them; all 10**6 items would take
    # 16.
    tracemalloc.start()
    gains = sum(
        float(block.labels @ block.scores) for block in sample_blocks(Population("power:1"), 10**6, seed=17)
    )
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    # E[label * score] = 1/3, with a variance below 1/4.
    assert abs(gains / 10**6 - 1 / 3) < 4 * 0.5 / 1000
    assert peak < 4 * 10**6


def test_labels_keep_the_grades_as_they_are():
    for ranked in (False, True):
        for best in (2.5, 1):
            both = Population({best: "constant:0.5", -1: "constant:0.5"})
            assert set(sample(both, 100, seed=6, ranked=ranked).labels.tolist()) == {best, -1}
        alone = sample(Population({3: "constant:1"}), 100, seed=6, ranked=ranked).labels
        assert alone.dtype.kind == "i" and alone.tolist() == [3] * 100


@pytest.mark.parametrize("k", [1, 4, 12])
def test_the_top_is_that_of_a_full_sample(k):
    population, rng, n = Population(GRADED), np.random.default_rng(7), 12
    tops = [sample_top(population, n, k, seed=rng) for _ in range(1000)]
    fulls = [sample(population, n, seed=rng) for _ in range(1000)]
    compared = {
        "last score": ([top.scores[-1] for top in tops], [np.sort(full.scores)[n - k] for full in fulls]),
        "dcg": (
            [dcg(top.labels, top.scores, discount=Zipf()) for top in tops],
            [dcg(full.labels, full.scores, discount=Zipf(), k=k) for full in fulls],
        ),
        "ideal": (
            [top.ideal_labels.sum() for top in tops],
            [np.sort(full.labels)[n - k :].sum() for full in fulls],
        ),
        "ndcg": (
            [top.ndcg(Zipf()) for top in tops],
            [ndcg(full.labels, full.scores, discount=Zipf(), k=k) for full in fulls],
        ),
    }
    for name, (first, second) in compared.items():
        assert stats.ks_2samp(first, second, method="asymp").pvalue > RARE, name
    for top in tops[:50]:
        assert np.all(np.diff(top.ideal_labels) <= 0) and np.all(np.diff(top.scores) < 0)
        assert len(top.labels) == len(top.scores) == len(top.ideal_labels) == k


def test_the_whole_list_is_a_top():
    top = sample_top(Population("power:1"), 30, 30, seed=8)
    assert np.array_equal(np.sort(top.labels)[::-1], top.ideal_labels)
    assert top.ndcg(Log()) == pytest.approx(ndcg(top.labels, top.scores, discount=Log()), abs=1e-14)


def test_a_top_without_anything_relevant_has_no_ndcg():
    assert np.isnan(sample_top(Population("constant:0"), 100, 5, seed=9).ndcg(Log()))


def test_the_top_of_a_list_beyond_memory():
    # A step at depth 1e-13 of 10^15 items: near 100 relevant ones, all at the top.
    edge = 1 - 1e-13
    population = Population({1: lambda s: s > edge, 0: lambda s: s <= edge}, breaks=(edge,))
    top = sample_top(population, 10**15, 300, seed=10)
    assert stats.poisson(100).cdf(60) < RARE
    assert 60 < top.labels.sum() < 145
    assert np.all(np.diff(top.labels) <= 0)


PAIRS = [
    Pair("poly:0.7:-0.4", "poly:0.3:0.4"),
    Pair("power:1", "reversed:1", coupling="label-first"),
    Pair("power:4", "constant:0.2", coupling="label-first"),
    Pair(
        lambda s: 0.1 + 0.8 * s,
        lambda s: np.where(s > 0.5, 0.1 + 0.8 * s, 0.1 + 0.8 * (0.5 - s)),
        coupling="shared-top",
        share=0.5,
    ),
    Pair("power:4", "constant:0.2", coupling="correlated:0.8"),
    Pair("step:0.7:0.2:0.8", "poly:0.6:-0.44", coupling="correlated:-0.6"),
]


@pytest.mark.parametrize("pair", PAIRS)
def test_both_rankers_of_a_pair_see_their_own_population(pair):
    drawn = sample_pair(pair, 20_000, seed=11)
    assert uniform(drawn.scores0) and uniform(drawn.scores1)
    assert frequencies(drawn.labels, 1, drawn.scores0, pair.ybar0)
    assert frequencies(drawn.labels, 1, drawn.scores1, pair.ybar1)


def test_additive_scores_are_independent_and_labels_follow_the_sum():
    drawn = sample_pair(PAIRS[0], 20_000, seed=12)
    assert abs(np.corrcoef(drawn.scores0, drawn.scores1)[0, 1]) < 4 / np.sqrt(20_000)
    chance = PAIRS[0].ybar0(drawn.scores0) + PAIRS[0].ybar1(drawn.scores1) - 0.5
    assert frequencies(drawn.labels, 1, chance, lambda chance: chance)


@pytest.mark.parametrize("pair", PAIRS[1:3])
def test_label_first_scores_are_independent_given_the_label(pair):
    drawn = sample_pair(pair, 20_000, seed=13)
    for label in (0, 1):
        mine = drawn.labels == label
        correlation = np.corrcoef(drawn.scores0[mine], drawn.scores1[mine])[0, 1]
        assert abs(correlation) < 4 / np.sqrt(mine.sum())


def test_a_shared_top_is_shared_and_the_rest_is_not():
    drawn = sample_pair(PAIRS[3], 20_000, seed=14)
    top = drawn.scores0 >= 0.5
    assert np.array_equal(drawn.scores0[top], drawn.scores1[top])
    assert drawn.scores1[~top].max() < 0.5
    for label in (0, 1):
        mine = ~top & (drawn.labels == label)
        correlation = np.corrcoef(drawn.scores0[mine], drawn.scores1[mine])[0, 1]
        assert abs(correlation) < 4 / np.sqrt(mine.sum())


def given_label(curve, label, scores):
    """The share of the items with the label that lie above these scores, on a fine grid of its own."""
    grid = np.linspace(0.0, 1.0, 20_001)
    middle = (grid[1:] + grid[:-1]) / 2
    mass = np.append(0.0, np.cumsum(curve(middle) if label else 1.0 - curve(middle)))
    return np.interp(1.0 - scores, grid, (mass[-1] - mass[::-1]) / mass[-1])


@pytest.mark.parametrize("pair", PAIRS[4:])
def test_correlated_scores_are_normal_with_that_correlation_given_the_label(pair):
    drawn = sample_pair(pair, 40_000, seed=14)
    for label in (0, 1):
        mine = drawn.labels == label
        x, y = (
            stats.norm.ppf(given_label(curve, label, scores[mine]))
            for curve, scores in ((pair.ybar0, drawn.scores0), (pair.ybar1, drawn.scores1))
        )
        # What is left of y beyond rho x is normal and independent of x: of its sign and of its size.
        rest = (y - pair.rho * x) / np.sqrt(1 - pair.rho**2)
        assert stats.kstest(rest, "norm").pvalue > RARE
        assert abs(np.corrcoef(x, rest)[0, 1]) < 4 / np.sqrt(mine.sum())
        assert abs(np.corrcoef(x**2, rest**2)[0, 1]) < 4 / np.sqrt(mine.sum())
        assert abs(np.corrcoef(x, y - 0.9 * pair.rho * x)[0, 1]) > 4 / np.sqrt(mine.sum())


def test_correlated_tops_share_as_many_items_as_the_normal_law_says():
    pair = Pair("constant:0.5", "constant:0.5", coupling="correlated:0.8")
    drawn = sample_pair(pair, 400_000, seed=15)
    share = 0.001
    both = np.sum((drawn.scores0 > 1 - share) & (drawn.scores1 > 1 - share))
    quantile = stats.norm.ppf(share)
    chance = stats.multivariate_normal([0, 0], [[1, 0.8], [0.8, 1]]).cdf([quantile, quantile])
    low, high = stats.binom.ppf([RARE / 2, 1 - RARE / 2], 400_000, chance)
    assert low <= both <= high and high < 400_000 * share


def test_a_correlation_of_zero_is_label_first():
    curves = "power:1", "reversed:1"
    zero, first = (sample_pair(Pair(*curves, name), 50, seed=3) for name in ("correlated:0", "label-first"))
    assert np.array_equal(zero.scores1, first.scores1)


def test_rare_labels_are_found():
    drawn = sample_pair(Pair("constant:0.0005", "constant:0.0005", coupling="label-first"), 20_000, seed=15)
    assert uniform(drawn.scores1) and 0 < drawn.labels.sum() < 40


def test_the_same_seed_draws_the_same_items():
    population = Population("power:1")
    for draw in (
        lambda seed: sample(population, 9, seed=seed),
        lambda seed: sample(population, 9, seed=seed, ranked=True),
        lambda seed: sample_top(population, 9, 4, seed=seed),
        lambda seed: next(sample_blocks(population, 9, seed=seed)),
    ):
        assert np.array_equal(draw(1).scores, draw(np.random.default_rng(1)).scores)
        assert not np.array_equal(draw(1).scores, draw(2).scores)


@pytest.mark.parametrize("n", [0, -1, 2.0, True, "3"])
def test_unusable_sizes(n):
    population = Population("power:1")
    for draw in (
        lambda: sample(population, n, seed=1),
        lambda: sample_pair(PAIRS[0], n, seed=1),
        lambda: next(sample_blocks(population, n, seed=1)),
        lambda: sample_top(population, n, 1, seed=1),
    ):
        with pytest.raises(ValueError, match="n="):
            draw()
    with pytest.raises(ValueError, match="size="):
        next(sample_blocks(population, 5, seed=1, size=n))
    with pytest.raises(ValueError, match="k="):
        sample_top(population, 5, n, seed=1)


def test_no_more_than_there_is():
    with pytest.raises(ValueError, match="k=6: expected an integer from 1 to 5"):
        sample_top(Population("power:1"), 5, 6, seed=1)


def test_lists_are_as_long_as_memory_may_hold_and_streams_as_can_be_counted():
    population = Population("power:1")
    for draw in (sample, lambda population, n, seed: sample_pair(PAIRS[0], n, seed=seed)):
        with pytest.raises(ValueError, match=f"n={2**36 + 1}: expected an integer from 1 to {2**36}$"):
            draw(population, 2**36 + 1, seed=1)
    with pytest.raises(ValueError, match=f"k={2**36 + 1}: expected an integer from 1 to {2**36}$"):
        sample_top(population, 2**37, 2**36 + 1, seed=1)
    for draw in (
        lambda n: next(sample_blocks(population, n, seed=1, size=3)),
        lambda n: sample_top(population, n, 3, seed=1),
    ):
        assert draw(2**62).labels.tolist() == [1, 1, 1]
        with pytest.raises(ValueError, match=f"n={2**62 + 1}: expected an integer from 1 to {2**62}$"):
            draw(2**62 + 1)


def test_a_list_may_have_one_item():
    population = Population("constant:1")
    (block,) = sample_blocks(population, 1, seed=1, size=1)
    for drawn in (
        sample(population, 1, seed=1),
        sample(population, 1, seed=1, ranked=True),
        sample_top(population, 1, 1, seed=1),
        sample_pair(Pair("constant:1", "constant:1"), 1, seed=1),
        block,
    ):
        assert drawn.labels.tolist() == [1]


def test_below_the_top_a_chance_may_be_negative_by_rounding():
    curves = {2: lambda s: 0.7 + 0 * s, 1: lambda s: 0.3 + 0 * s, 0: lambda s: 0.3 - 0.1 - 0.2 + 0 * s}
    population = Population(curves)
    assert population.probability_at_depth(0, 0.5) < 0
    assert set(sample_top(population, 100, 5, seed=1).ideal_labels) == {2}


def test_a_seed_is_needed():
    with pytest.raises(ValueError, match="seed=None"):
        sample(Population("power:1"), 5, seed=None)


@pytest.mark.parametrize("count", [200, 300])
def test_all_of_many_grades_are_drawn_as_often_as_they_should(count):
    population = Population({grade: f"constant:{1 / count}" for grade in range(count)})
    labels, seen = np.unique(sample(population, 100 * count, seed=1).labels, return_counts=True)
    assert labels.tolist() == [*range(count)]
    assert np.abs(seen - 100).max() < 60  # six standard deviations


def test_rankings_put_the_items_of_a_sample_into_four_orders():
    items = Sample(np.array([0, 2, 1, 0]), np.array([0.3, 0.9, 0.1, 0.7]))
    orders = {name: (-scores).argsort(kind="stable").tolist() for name, scores in items.rankings().items()}
    assert orders == {
        "by score": [1, 3, 0, 2],
        "random": [0, 1, 2, 3],
        "upside down": [2, 0, 3, 1],
        "reverse-ideal": [0, 3, 2, 1],
    }
    assert list(items.rankings()) == list(Population("power:2").rankings())
