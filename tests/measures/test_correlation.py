import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau
from sklearn.metrics import roc_auc_score

from ndcg_companion.measures import auc, kendall_tau

LIST = [9, 4, 4, 2, 2, 2, 1, 1, 1, 1]
TABLE = [
    ([9, 4, 4, 2, 2, 2, 1, 1, 1, 1], 1.0),
    ([9, 4, 4, 2, 2, 1, 2, 1, 1, 1], 0.8),
    ([4, 4, 2, 9, 2, 2, 1, 1, 1, 1], 0.742),
    ([1, 4, 4, 2, 2, 2, 9, 1, 1, 1], 0.285),
    ([1, 4, 4, 2, 2, 2, 1, 1, 1, 9], 0.285),
    ([1, 1, 1, 1, 2, 2, 2, 4, 4, 9], -0.8),
]

items = st.lists(st.tuples(st.integers(-3, 3), st.integers(0, 4)), min_size=2, max_size=20)


@given(items)
def test_variant_a_counts_all_pairs(drawn):
    sign = lambda x: (x > 0) - (x < 0)  # noqa: E731
    excess = sum(sign(y - v) * sign(s - t) for (y, s), (v, t) in combinations(drawn, 2))
    value = kendall_tau(*zip(*drawn), variant="a")
    assert value == pytest.approx(excess / math.comb(len(drawn), 2), rel=1e-15)


@pytest.mark.parametrize("variant", "bc")
@given(items)
def test_variants_b_and_c_are_scipys(variant, drawn):
    labels, scores = zip(*drawn)
    expected = kendalltau(labels, scores, variant=variant).statistic
    assert kendall_tau(labels, scores, variant=variant) == pytest.approx(
        expected, rel=1e-13, abs=1e-15, nan_ok=True
    )


@pytest.mark.parametrize(
    "n, grades, levels", [(5000, 5, 10**9), (5000, 10**9, 10**9), (100_000, 1000, 100), (70_000, 2, 2)]
)
def test_long_lists_are_scipys(n, grades, levels):
    rng = np.random.default_rng(1)
    labels = rng.integers(0, grades, n)
    scores = np.round((labels / grades + rng.random(n)) * levels)
    for variant in "bc":
        expected = kendalltau(labels, scores, variant=variant, method="asymptotic").statistic
        assert kendall_tau(labels, scores, variant=variant) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("scores, printed", TABLE)
def test_variant_b_reproduces_the_posters_table(scores, printed):
    assert math.trunc(kendall_tau(LIST, scores) * 1000 + 1e-9 * np.sign(printed)) / 1000 == printed


def test_the_printed_formula_does_not_reproduce_the_table():
    assert kendall_tau(LIST, LIST, variant="a") < 0.8


def test_perfect_agreement_is_exactly_one_and_its_reverse_minus_one():
    labels = np.array([5, 1, 1, 3, 2, 2, 2])
    for variant in "bc":
        reached = 1 if variant == "b" else kendall_tau(labels, labels, variant="c")
        assert kendall_tau(labels, labels, variant=variant) == reached
        assert kendall_tau(labels, -labels, variant=variant) == -reached


def test_batches_give_the_values_of_their_lists():
    rng = np.random.default_rng(2)
    labels, scores = rng.integers(0, 3, (8, 6)), rng.integers(0, 4, (8, 6))
    labels[1] = 0
    for variant in "abc":
        alone = [kendall_tau(y, s, variant=variant) for y, s in zip(labels, scores)]
        assert kendall_tau(labels, scores, variant=variant).tolist() == pytest.approx(alone, nan_ok=True)
        offsets = [0, 0, 5, 6, 20, 48]
        parts = [
            kendall_tau(labels.ravel()[a:b], scores.ravel()[a:b], variant=variant)
            for a, b in zip(offsets, offsets[1:])
        ]
        together = kendall_tau(labels.ravel(), scores.ravel(), variant=variant, offsets=offsets)
        assert together == pytest.approx(parts, nan_ok=True)


def test_lists_without_a_value_and_bad_input():
    for variant in "abc":
        assert math.isnan(kendall_tau([], [], variant=variant)) and math.isnan(
            kendall_tau([1], [1], variant=variant)
        )
    assert math.isnan(kendall_tau([1, 1], [1, 2])) and math.isnan(kendall_tau([1, 2], [1, 1], variant="c"))
    assert kendall_tau([1, 1], [1, 2], variant="a") == 0
    with pytest.raises(ValueError, match="^variant="):
        kendall_tau([1, 2], [1, 2], variant="d")
    with pytest.raises(ValueError, match="^scores"):
        kendall_tau([1, 2], [1, math.nan])


def test_neighbouring_integers_beyond_the_floats_are_distinguished():
    assert kendall_tau([0, 1], [2**53, 2**53 + 1]) == kendall_tau([2**53, 2**53 + 1], [0, 1]) == 1


@given(items, st.sampled_from([-1, 0, 2]))
def test_auc_is_scikit_learns_which_counts_a_tied_pair_a_half(drawn, threshold):
    labels, scores = zip(*drawn)
    relevant = [y >= threshold for y in labels]
    value = auc(labels, scores, threshold=threshold)
    if any(relevant) and not all(relevant):
        assert value == pytest.approx(roc_auc_score(relevant, scores), rel=1e-13)
    else:
        assert math.isnan(value)


@given(items)
def test_the_best_and_worst_auc_count_tied_pairs_wholly_or_not_at_all(drawn):
    pairs = [(s > t, s >= t) for y, s in drawn for v, t in drawn if y >= 1 > v]
    labels, scores = zip(*drawn)
    for ties, counted in (("worst", 0), ("best", 1)):
        expected = sum(pair[counted] for pair in pairs) / len(pairs) if pairs else math.nan
        assert auc(labels, scores, ties=ties) == pytest.approx(expected, rel=1e-13, nan_ok=True)


def test_auc_of_ragged_lists():
    labels, scores = [1, 0, 1, 0, 1, 1], [3, 2, 1, 5, 5, 5]
    assert auc(labels, scores, offsets=[0, 3, 3, 6]) == pytest.approx([0.5, math.nan, 0.5], nan_ok=True)
    assert auc([1, 0], [1, 1], ties="stable") == 1 and auc([0, 1], [1, 1], ties="stable") == 0
