import math
from fractions import Fraction

import numpy as np
import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score, fbeta_score

from ndcg_companion.measures import (
    ap,
    average_precision,
    f_measure,
    mean_average_precision,
    r_precision,
    rbp,
    rr,
)
from ndcg_companion.measures.cutoffs import cutoff

lists = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2)), min_size=1, max_size=7)
TIES = ["average", "best", "worst"]


@given(lists, st.sampled_from(TIES), st.sampled_from([1, 2, 0.5]))
def test_average_precision_is_the_mean_highest_or_lowest_over_all_orders(exact, items, ties, threshold):
    labels, scores = [y for y, _ in items], [s for _, s in items]
    relevant = [y >= threshold for y in labels]

    def literally(order):
        hits = [relevant[i] for i in order]
        return sum(Fraction(sum(hits[: p + 1]), p + 1) for p, hit in enumerate(hits) if hit) / sum(hits)

    value = average_precision(labels, scores, threshold=threshold, ties=ties)
    if any(relevant):
        expected = exact.pick(map(literally, exact.orders(scores)), ties)
        assert value == pytest.approx(float(expected), rel=1e-13)
    else:
        assert math.isnan(value)


@given(
    lists,
    st.sampled_from(TIES),
    st.sampled_from([1, 2, 3, 50, 0.5, None, lambda n: n**0.5]),
    st.sampled_from([0, Fraction(1, 2), 1, 3]),
)
def test_f_measure_is_the_mean_highest_or_lowest_over_all_orders(exact, items, ties, k, beta):
    labels, scores = [y for y, _ in items], [s for _, s in items]
    top = cutoff(k, len(labels))

    def literally(order):
        hits = sum(labels[i] >= 1 for i in order[:top])
        precision, recall = Fraction(hits, top), Fraction(hits, sum(y >= 1 for y in labels))
        return (1 + beta**2) * precision * recall / (beta**2 * precision + recall) if hits else Fraction(0)

    value = f_measure(labels, scores, k=k, beta=float(beta), ties=ties)
    if any(labels):
        expected = exact.pick(map(literally, exact.orders(scores)), ties)
        assert value == pytest.approx(float(expected), rel=1e-13)
    else:
        assert math.isnan(value)


@given(lists, st.sampled_from(TIES), st.sampled_from([1, 2, 0.5]))
def test_r_precision_is_the_mean_highest_or_lowest_over_all_orders(exact, items, ties, threshold):
    labels, scores = [y for y, _ in items], [s for _, s in items]
    relevant = [y >= threshold for y in labels]
    total = sum(relevant)
    value = r_precision(labels, scores, threshold=threshold, ties=ties)
    if total:
        shares = (Fraction(sum(relevant[i] for i in order[:total]), total) for order in exact.orders(scores))
        assert value == pytest.approx(float(exact.pick(shares, ties)), rel=1e-13)
    else:
        assert math.isnan(value)


@given(
    lists,
    st.sampled_from(TIES),
    st.sampled_from([1, 3, 0.5, None]),
    st.sampled_from([Fraction(1, 2), Fraction(3, 4)]),
)
def test_rbp_is_the_mean_highest_or_lowest_over_all_orders(exact, items, ties, k, p):
    labels, scores = [y for y, _ in items], [s for _, s in items]
    weights = [(1 - p) * p**rank for rank in range(cutoff(k, len(labels)))]
    expected = exact.dcg([y >= 1 for y in labels], weights, scores, ties)
    assert rbp(labels, scores, p=float(p), k=k, ties=ties) == pytest.approx(float(expected), rel=1e-13)


def test_agree_with_trec_eval_without_ties():
    rng = np.random.default_rng(3)
    labels, scores = rng.integers(0, 3, (30, 40)), rng.random((30, 40))
    qrels, run = (
        {f"q{q}": {f"d{i}": kind(value) for i, value in enumerate(row)} for q, row in enumerate(table)}
        for table, kind in ((labels, int), (scores, float))
    )
    for level in (1, 2):
        names = {"map": ap, "Rprec": r_precision, "recip_rank": rr}
        theirs = pytrec_eval.RelevanceEvaluator(qrels, {*names}, relevance_level=level).evaluate(run)
        for name, measure in names.items():
            expected = [theirs[query][name] for query in qrels]
            assert measure(labels, scores, threshold=level) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_agree_with_scikit_learn_without_ties(seed):
    rng = np.random.default_rng(seed)
    labels, scores = rng.integers(0, 2, 50), rng.permutation(50)
    assert average_precision(labels, scores) == pytest.approx(average_precision_score(labels, scores))
    for k, beta in ((10, 1.0), (25, 2.0)):
        expected = fbeta_score(labels, scores >= 50 - k, beta=beta)
        assert f_measure(labels, scores, k=k, beta=beta) == pytest.approx(expected)


def test_average_precision_of_long_tied_lists_agrees_with_random_orders():
    rng = np.random.default_rng(0)
    labels, scores = rng.integers(0, 2, 300), rng.integers(0, 5, 300)
    runs = [average_precision(labels, scores + 0.5 * rng.random(300)) for _ in range(2000)]
    expected = average_precision(labels, scores)
    assert abs(np.mean(runs) - expected) < 5 * np.std(runs) / math.sqrt(2000)


def test_a_constant_score_gives_the_closed_form():
    # One group of m items, r of them relevant: the mean over places j of (1 + (j - 1)(r - 1)/(m - 1)) / j.
    m, r = 1000, 37
    expected = math.fsum((1 + Fraction((j - 1) * (r - 1), m - 1)) / j for j in range(1, m + 1)) / m
    assert average_precision([1] * r + [0] * (m - r), [0] * m) == pytest.approx(expected, rel=1e-12)


def test_stable_ties_keep_the_order_of_arrival():
    assert average_precision([0, 1, 1], [1, 1, 2], ties="stable") == pytest.approx((1 + 2 / 3) / 2)
    assert (
        f_measure([0, 1], [1, 1], k=1, ties="stable") == 0
        and f_measure([1, 0], [1, 1], k=1, ties="stable") == 1
    )


def test_batches_give_the_values_of_their_lists():
    rng = np.random.default_rng(2)
    labels, scores = rng.integers(0, 2, (8, 6)), rng.integers(0, 3, (8, 6))
    labels[1] = 0
    measures = [average_precision, r_precision, rbp]
    measures += [lambda *a, k=k, **b: f_measure(*a, k=k, **b) for k in (2, 0.4, None)]
    for measure in measures:
        for ties in (*TIES, "stable"):
            alone = [measure(y, s, ties=ties) for y, s in zip(labels, scores)]
            assert measure(labels, scores, ties=ties) == pytest.approx(alone, nan_ok=True)
            offsets = [0, 0, 5, 6, 20, 48]
            parts = [
                measure(labels.ravel()[a:b], scores.ravel()[a:b], ties=ties)
                for a, b in zip(offsets, offsets[1:])
            ]
            together = measure(labels.ravel(), scores.ravel(), ties=ties, offsets=offsets)
            assert together == pytest.approx(parts, nan_ok=True)


def test_the_mean_leaves_no_list_out():
    labels, scores = [[1, 0], [0, 1], [0, 0]], [[2, 1], [2, 1], [2, 1]]
    assert mean_average_precision(labels[:2], scores[:2]) == 0.75
    assert math.isnan(mean_average_precision(labels, scores))
    assert mean_average_precision(labels, scores, empty=0) == 0.5
    with pytest.raises(ValueError, match="list 2"):
        mean_average_precision(labels, scores, empty="raise")
    assert mean_average_precision([1, 0, 0, 1], [2, 1, 2, 1], offsets=[0, 2, 4]) == 0.75
    assert mean_average_precision([0, 1], [2, 1]) == 0.5
    assert math.isnan(mean_average_precision(np.zeros((0, 2)), np.zeros((0, 2))))


def test_lists_without_a_relevant_item():
    for measure in (average_precision, r_precision, lambda *a, **b: f_measure(*a, k=1, **b)):
        assert math.isnan(measure([0, 0], [1, 2])) and math.isnan(measure([], []))
        assert measure([[0, 0], [1, 1]], [[1, 2], [1, 2]], empty=0)[0] == 0
        with pytest.raises(ValueError, match="empty='raise'"):
            measure([0], [1], empty="raise")


def test_extreme_betas_are_precision_and_recall():
    labels, scores = [1, 0, 1, 1], [4, 3, 2, 1]
    assert f_measure(labels, scores, k=2, beta=0) == 1 / 2
    assert f_measure(labels, scores, k=2, beta=1e200) == pytest.approx(1 / 3)


@pytest.mark.parametrize("bad", [{"threshold": math.nan}, {"threshold": "1"}, {"ties": "mean"}, {"empty": 2}])
def test_rejects_bad_arguments_by_name(bad):
    for measure in (average_precision, mean_average_precision, lambda *a, **b: f_measure(*a, k=1, **b)):
        with pytest.raises(ValueError, match=f"^{next(iter(bad))}="):
            measure([1, 0], [1, 2], **bad)


@pytest.mark.parametrize(
    "name, value", [("k", 0), ("k", 1.5), ("beta", -1), ("beta", math.nan), ("beta", math.inf), ("beta", "1")]
)
def test_f_measure_rejects_bad_arguments_by_name(name, value):
    with pytest.raises(ValueError, match=f"^{name}="):
        f_measure([1, 0], [1, 2], **{"k": 1, name: value})
