import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ndcg_companion.measures import Linear, Zipf
from ndcg_companion.measures.cutoffs import cutoff
from ndcg_companion.measures.lists import read_labels, read_lists
from ndcg_companion.measures.sums import Weights, actual_sum, position_weights, scaled


@given(st.lists(st.integers(0, 6), max_size=6), st.sampled_from([None, 2, 0.5, lambda n: n**0.5]))
def test_every_list_of_a_batch_has_its_own_cutoff_and_length(sizes, k):
    labels = np.zeros(sum(sizes))
    lists = read_lists(labels, labels, np.cumsum([0, *sizes]))
    for discount in (Zipf(), Linear()):
        values = position_weights(lists, discount, k).values
        for n, start in zip(sizes, lists.starts) if lists.n is None else [(lists.n, 0)] if sizes else []:
            discounts = [discount(r, n) if discount == Linear() else discount(r) for r in range(1, n + 1)]
            expected = discounts[: cutoff(k, n)]
            list_weights = values[start : start + n][::-1] if lists.n is None else values[::-1]
            assert (
                list_weights[: len(expected)].tolist() == expected and not list_weights[len(expected) :].any()
            )


def test_a_function_of_n_is_asked_for_the_sizes_that_there_are():
    lists = read_lists([0] * 5, [0] * 5, [0, 2, 5])
    assert position_weights(lists, Zipf(), lambda n: n - 1).values.tolist() == [0, 1, 0, 1 / 2, 1]
    with pytest.raises(ValueError, match="^k=0"):
        position_weights(read_lists([], [], [0]), Zipf(), 0)


@pytest.mark.parametrize("q", [2, 3])
def test_of_several_long_lists_each_has_its_own_top(q):
    rng = np.random.default_rng(q)
    labels, scores = rng.integers(0, 3, (q, 2000)), rng.random((q, 2000))
    lists = read_lists(labels, scores)
    top = np.take_along_axis(labels, np.argsort(-scores, axis=1), axis=1)[:, :10]
    sums = actual_sum(lists, lists.labels, position_weights(lists, Zipf(), 10), "average")
    assert sums == pytest.approx(top @ (1 / np.arange(1, 11)), rel=1e-13)


@given(st.lists(st.lists(st.floats(allow_nan=False, allow_infinity=False), max_size=4), max_size=4))
def test_scaling_is_exact_and_brings_the_largest_gain_of_each_list_near_one(batch):
    gains = np.array([g for row in batch for g in row], dtype=float)
    lists = read_labels(gains, np.cumsum([0] + [len(row) for row in batch]))
    smaller, exponents = scaled(lists, gains)
    largest = lists.fold(np.maximum, np.abs(smaller))
    assert all(size == 0 or 0.5 <= size < 1 for size in largest)
    big = np.abs(smaller) > 2.0**-900
    assert (np.ldexp(smaller, np.repeat(exponents, lists.sizes)) == gains)[big].all()


def test_weights_that_fall_below_zero_are_known_to_need_the_whole_list():
    lists = read_lists([1, 2, 3], [1, 2, 3])
    assert position_weights(lists, lambda r: 1.5 - r, 2).values.tolist() == [0, -0.5, 0.5]
    assert position_weights(lists, lambda r: 2 - r, 2).values.tolist() == pytest.approx([0, 1])
    assert math.isclose(position_weights(lists, Zipf(), 1).values.sum(), 1)


@pytest.mark.parametrize("q, n", [(3, 120_000), (2, 140_000), (700, 500), (1, 300_000)])
@pytest.mark.parametrize("flat", [False, True])
def test_large_batches_are_summed_as_their_lists_are(q, n, flat):
    rng = np.random.default_rng(q)
    labels, scores = rng.integers(0, 3, (q, n)), rng.integers(0, n, (q, n))
    lists = read_lists(labels, scores)
    weights = position_weights(lists, Zipf(), None)
    if flat:
        weights = Weights(np.tile(weights.values, q) * np.repeat(np.arange(1, q + 1), n), True)
    together = actual_sum(lists, labels.ravel().astype(float), weights, "average")
    for i in {0, q // 2, q - 1}:
        list_weights = Weights(weights.values[-n:], True)  # of the last list, where each has its own
        alone = actual_sum(read_lists(labels[i], scores[i]), labels[i].astype(float), list_weights, "average")
        assert together[i] == pytest.approx(alone[0] * ((i + 1) / q if flat else 1), rel=1e-12)


@pytest.mark.parametrize("k", [1, 300, 999, 1000])
def test_few_groups_are_cut_where_all_others_are(k):
    rng = np.random.default_rng(k)
    labels, scores = rng.integers(0, 3, 1000), np.sort(rng.integers(0, 4, 1000))[::-1]
    lists = read_lists(labels, scores)
    weights = position_weights(lists, Zipf(), k)
    means = np.array([labels[scores == score].mean() for score in scores])
    expected = (means[:k] / np.arange(1, k + 1)).sum()
    assert actual_sum(lists, lists.labels, weights, "average") == pytest.approx([expected], rel=1e-13)


@pytest.mark.parametrize("sizes", [[30], [20, 30], [30, 0], [10, 40, 20]])
def test_lists_of_few_groups_are_summed_one_by_one(sizes):
    """A single list of long ties is summed by group; several, of different lengths, must not run together."""
    rng = np.random.default_rng(len(sizes))
    parts = [(rng.integers(0, 3, size), rng.integers(0, 2, size)) for size in sizes]
    labels, scores = (np.concatenate(part) for part in zip(*parts))
    lists = read_lists(labels, scores, np.append(0, np.cumsum(sizes)))
    expected = []
    for own_labels, own_scores in parts:
        ranked = np.sort(own_scores)[::-1]
        means = [own_labels[own_scores == score].mean() for score in ranked]
        expected.append(sum(mean / rank for rank, mean in enumerate(means, 1)))
    sums = actual_sum(lists, labels.astype(float), position_weights(lists, Zipf(), None), "average")
    assert sums == pytest.approx(expected, rel=1e-13)
