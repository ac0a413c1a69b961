"""Edge cases of every measure: those of the page on conventions, and those of scikit-learn.

What one measure alone does at its edges is in the tests of its module.
"""

import math
from dataclasses import fields
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sklearn.metrics import ndcg_score

from ndcg_companion.measures import (
    AUC,
    DCG,
    ERR,
    NDCG,
    RBP,
    RR,
    AveragePrecision,
    FMeasure,
    Geometric,
    IdealDCG,
    KendallTau,
    LinearNDCG,
    MeanAveragePrecision,
    PairwiseLoss,
    Power,
    RankDCG,
    RPrecision,
    Zipf,
    dcg,
    ideal_dcg,
    ndcg,
)
from ndcg_companion.measures.values import Measure

EVERY = [
    DCG(),
    NDCG(),
    NDCG(discount=Power(0.5), k=2),
    IdealDCG(),
    RankDCG(),
    LinearNDCG(),
    PairwiseLoss(),
    AveragePrecision(),
    MeanAveragePrecision(),
    KendallTau(),
    FMeasure(k=2),
    RPrecision(),
    RBP(),
    RR(),
    ERR(),
    AUC(),
]
AVERAGED = [
    NDCG(),
    NDCG(k=1),
    NDCG(k=0.5, gain="exponential"),
    NDCG(discount=Geometric(0.3), k=lambda n: n - 1 or 1),
    DCG(gain=lambda y: y**2 - 1),
    RankDCG(ties="average"),
    LinearNDCG(),
    PairwiseLoss(),
    AveragePrecision(threshold=2),
    FMeasure(k=2, beta=0.5),
    RPrecision(threshold=2),
    RBP(p=0.3, k=3),
    RR(k=3),
    RR(threshold=2),
    ERR(max_grade=3),
    ERR(k=0.5),
    AUC(),
]
NOT_NEGATIVE = (NDCG, LinearNDCG, ERR)

items = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2)), min_size=1, max_size=6)
measures = pytest.mark.parametrize("measure", EVERY, ids=repr)


def test_every_measure_is_here():
    assert {type(measure) for measure in EVERY} == set(Measure.__subclasses__())


@pytest.mark.parametrize("measure", AVERAGED, ids=lambda measure: type(measure).__name__)
@settings(deadline=None)
@example([(3, 1), (0, 1), (2, 1), (1, 1), (0, 1), (0, 1)])
@example([(1, 1)])
@given(items)
def test_averaged_ties_are_the_mean_over_all_orders(exact, measure, drawn):
    labels, scores = np.array(drawn).T
    ranked = labels[list(exact.orders(scores))]
    untied = measure(ranked, np.broadcast_to(-np.arange(labels.size), ranked.shape))
    assert measure(labels, scores) == pytest.approx(untied.mean(), rel=1e-12, abs=1e-12, nan_ok=True)


def test_averaged_ties_are_the_exact_mean_to_the_last_digit(exact):
    labels, scores = [0, 2, 1, 0, 0, 2, 0, 3, 1, 1], [0.8, 0.5, 0.4, 0.5, 0.2, 0.8, 0.4, 0.8, 0.9, 0.3]
    weights = [Fraction(1, r) for r in range(1, 11)]
    mean = exact.dcg(labels, weights, scores) / exact.ideal(sorted(labels)[4:], weights)
    assert abs(Fraction(ndcg(labels, scores, discount=Zipf())) - mean) <= Fraction(1, 10**15)


@pytest.mark.parametrize("scores", [[0, 0, 0, 0], [7.5] * 4, [math.inf] * 4, [-math.inf] * 4])
def test_all_tied_is_chance_whatever_the_score(scores):
    assert ndcg([3, 0, 2, 0], scores) == pytest.approx(ndcg_score([[3, 0, 2, 0]], [[1, 1, 1, 1]]), rel=1e-12)
    assert KendallTau(variant="a")([3, 0, 2, 0], scores) == 0
    assert RankDCG()([3, 0, 2, 0], scores) == 0


def test_an_empty_query_is_seen_in_the_mean_and_not_taken_for_a_bad_ranking():
    labels, scores = [[3, 1, 0], [0, 0, 0]], [[3, 2, 1], [3, 2, 1]]
    assert ndcg_score(labels, scores) == 0.5
    assert ndcg(labels, scores).tolist() == pytest.approx([1, math.nan], nan_ok=True)
    assert [ndcg(labels, scores, empty=value).mean() for value in (0, 1)] == [0.5, 1]


@pytest.mark.parametrize(
    "measure, expected",
    [
        (DCG(), 2 / math.log(2)),
        (IdealDCG(), 2 / math.log(2)),
        (NDCG(), 1),
        (NDCG(k=5), 1),
        (RankDCG(), math.nan),
        (LinearNDCG(), math.nan),
        (PairwiseLoss(), 0),
        (AveragePrecision(), 1),
        (MeanAveragePrecision(), 1),
        (KendallTau(), math.nan),
        (FMeasure(k=1), 1),
        (RPrecision(), 1),
        (RBP(p=0.75), 0.25),
        (RR(), 1),
        (ERR(), 3 / 16),
        (AUC(), math.nan),
    ],
    ids=repr,
)
def test_one_item(measure, expected):
    assert measure([2], [0.3]) == pytest.approx(expected, rel=1e-15, nan_ok=True)


@measures
def test_a_query_without_items_has_a_value_only_where_sums_do(measure):
    expected = 0 if isinstance(measure, (DCG, IdealDCG, PairwiseLoss, RBP, RR, ERR)) else math.nan
    assert measure([], []) == pytest.approx(expected, nan_ok=True)


@measures
def test_negative_labels_are_rejected_only_where_they_make_no_sense(measure):
    if isinstance(measure, NOT_NEGATIVE):
        with pytest.raises(ValueError, match="^labels: expected numbers >= 0, got -2"):
            measure([1, -2, 0], [1, 2, 3])
    else:
        assert math.isfinite(measure([1, -2, 0], [1, 2, 3]))


@pytest.mark.parametrize("kind", [np.float64, np.float32, np.float16])
def test_fractional_labels_are_not_truncated(kind):
    labels = np.array([1.5, 0.5, 0], dtype=kind)
    assert ndcg(labels, [1, 2, 3], discount=Zipf()) == pytest.approx(
        float(Fraction(3, 4) / Fraction(7, 4)), rel=1e-15
    )
    assert ndcg(labels, [1, 2, 3], discount=Zipf()) != ndcg([1, 0, 0], [1, 2, 3], discount=Zipf())
    assert AveragePrecision(threshold=0.5)(labels, [1, 2, 3]) == pytest.approx((1 / 2 + 2 / 3) / 2, rel=1e-15)


@measures
@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_labels_that_are_not_finite_are_rejected(measure, bad):
    with pytest.raises(ValueError, match="^(labels|reference): expected"):
        measure([1.0, bad, 0.0], [1, 2, 3])


@measures
def test_a_score_that_is_not_a_number_is_rejected(measure):
    with pytest.raises(ValueError, match="^scores: expected no NaN, got one at position 1"):
        measure([1, 2, 0], [1, math.nan, 3])


@measures
@pytest.mark.parametrize("scores", [[-math.inf, 0, math.inf, 1], [math.inf, math.inf, 0, -math.inf]])
def test_infinite_scores_are_first_and_last(measure, scores):
    assert measure([1, 0, 2, 0], scores) == measure([1, 0, 2, 0], np.clip(scores, -9, 9))


@measures
def test_scores_a_billionth_apart_are_apart_in_double_and_tied_in_single_precision(measure):
    labels, near = [0, 2, 1, 0], np.array([1.0, 1.0 + 1e-9, 1.0 - 1e-9, 0.5])
    assert measure(labels, near) == measure(labels, [3, 4, 2, 1])
    assert measure(labels, near.astype(np.float32)) == measure(labels, [2, 2, 2, 1])


CUT = [kind for kind in Measure.__subclasses__() if "k" in {field.name for field in fields(kind)}]


@pytest.mark.parametrize("kind", CUT)
@pytest.mark.parametrize("k", [5, 6, 10**9, np.int64(100), 1.0, lambda n: 2.0 * n])
def test_a_cutoff_beyond_the_list_counts_the_complete_list(kind, k):
    question = [1, 3, 2, 0, 0], [1, 2, 2, 3, 4]
    assert kind(k=k)(*question) == kind(k=None)(*question)
    assert kind(k=k)(*question) != kind(k=2)(*question)


@pytest.mark.parametrize("kind", CUT)
@pytest.mark.parametrize("k", [0, 0.0, -3])
def test_a_cutoff_of_no_position_is_rejected(kind, k):
    with pytest.raises(ValueError, match=f"^k={k}: expected"):
        kind(k=k)


def test_a_document_listed_twice_is_two_documents():
    # The mechanism by which others exceed 1: the ideal knows the document once, the run twice.
    assert dcg([3, 3, 2], [3, 2, 1]) / ideal_dcg([3, 2]) > 1
    assert ndcg([3, 3, 2], [3, 2, 1]) == 1
    assert ndcg([3, 0, 3], [3, 2, 1], discount=Zipf()) == pytest.approx(4 / 4.5, rel=1e-15)


@pytest.mark.parametrize("size", [3, 40_000])  # bytes take a way of their own in long lists
@pytest.mark.parametrize(
    "labels, kind",
    [([9, 8, 0], np.uint8), ([7, 6, 0], np.int8), ([40, 33, 0], np.int32), ([64, 63, 0], np.int64)],
)
def test_exponential_gains_do_not_wrap_round(size, labels, kind):
    filled = np.zeros(size, dtype=kind)
    filled[: len(labels)] = labels
    scores = np.append([1, 2, 3], np.zeros(size - 3))
    first, second = (Fraction(2**y - 1) for y in labels[:2])
    expected = (first / 3 + second / 2) / (first + second / 2)
    assert ndcg(filled, scores, gain="exponential", discount=Zipf()) == pytest.approx(
        float(expected), rel=1e-14
    )


@pytest.mark.parametrize("kind", [DCG, IdealDCG, NDCG])
def test_exponential_gains_beyond_the_floats_are_rejected_and_those_within_are_not(kind):
    measure = kind(gain="exponential")
    with pytest.raises(ValueError, match="^labels: expected below 1024"):
        measure([1024, 3, 0], [1, 2, 3])
    assert math.isfinite(measure([1023, 3, 0], [1, 2, 3]))


@measures
def test_one_list_gives_a_number_and_a_matrix_one_for_each_row(measure):
    labels, scores = [[1, 0, 2], [0, 2, 1]], [[1, 2, 2], [3, 1, 2]]
    alone = [measure(y, s) for y, s in zip(labels, scores)]
    assert all(isinstance(value, float) for value in alone)
    if isinstance(measure, MeanAveragePrecision):
        assert measure(labels, scores) == pytest.approx(np.mean(alone), rel=1e-15)
    else:
        assert measure(labels, scores) == pytest.approx(alone, rel=1e-12)
        assert measure(labels[:1], scores[:1]).shape == (1,)
