import math
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

from ndcg_companion.measures import linear_ndcg, pairwise_loss

# How much a pair of different labels with equal scores counts.
HALF = {"best": Fraction(0), "average": Fraction(1, 2), "worst": Fraction(1)}


def literally(labels, scores, ties):
    """Equation 4, pair by pair."""
    loss = Fraction(0)
    for i, j in combinations(range(len(labels)), 2):
        low, high = sorted((i, j), key=lambda item: labels[item])
        gap = Fraction(labels[high]) - Fraction(labels[low])
        loss += gap * (HALF[ties] if scores[low] == scores[high] else scores[high] < scores[low])
    return loss


@pytest.mark.parametrize("ties", HALF)
@given(st.lists(st.tuples(st.integers(-3, 5), st.integers(0, 3)), max_size=12))
def test_pairwise_loss_counts_pairs_exactly(ties, items):
    labels, scores = [y for y, _ in items], [s for _, s in items]
    assert pairwise_loss(labels, scores, ties=ties) == literally(labels, scores, ties)


@pytest.mark.parametrize("n", range(1, 8))
def test_the_dcg_error_is_the_pairwise_loss_of_every_label_sequence(n):
    # Jin and Geng, theorem 3, exhaustively: the linear DCG written out against the pairs counted one by one.
    for labels in product(range(3), repeat=n):
        dcg = sum(y * (n - r) for r, y in enumerate(labels, 1))
        ideal = sum(y * (n - r) for r, y in enumerate(sorted(labels, reverse=True), 1))
        assert ideal - dcg == literally(labels, range(n, 0, -1), "worst")


@pytest.mark.parametrize("ties", HALF)
@given(st.lists(st.tuples(st.floats(-1e3, 1e3), st.integers(0, 3)), max_size=10))
def test_pairwise_loss_of_real_labels(ties, items):
    labels, scores = [y for y, _ in items], [s for _, s in items]
    expected = float(literally(labels, scores, ties))
    assert pairwise_loss(labels, scores, ties=ties) == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_pairwise_loss_of_a_long_list_stays_exact():
    rng = np.random.default_rng(1)
    labels, scores = rng.integers(0, 2, 40_000), rng.integers(0, 1000, 40_000)
    of = [[np.count_nonzero((scores == s) & (labels == y)) for s in range(1000)] for y in (0, 1)]
    below = np.append(0, np.cumsum(of[1]))[:-1]
    wrong, tied = sum(int(b) * n for b, n in zip(below, of[0])), sum(a * b for a, b in zip(*of))
    assert [pairwise_loss(labels, scores, ties=ties) for ties in HALF] == [
        wrong,
        wrong + tied / 2,
        wrong + tied,
    ]


def test_loss_and_measure_of_two_grades_are_the_area_under_the_curve():
    rng = np.random.default_rng(2)
    labels, scores = rng.integers(0, 2, 60), rng.integers(0, 9, 60)
    relevant, rest = labels.sum(), 60 - labels.sum()
    loss = relevant * rest * (1 - roc_auc_score(labels, scores))
    ideal = relevant * rest + relevant * (relevant - 1) / 2
    assert pairwise_loss(labels, scores) == pytest.approx(loss)
    assert linear_ndcg(labels, scores) == pytest.approx(1 - loss / ideal)


def test_ties_are_flattering_or_not_the_right_way_round():
    labels, scores = [0, 1, 2, 1], [1, 1, 1, 0]
    worst, average, best = (pairwise_loss(labels, scores, ties=ties) for ties in ("worst", "average", "best"))
    assert best < average < worst and average == (best + worst) / 2
    worst, average, best = (linear_ndcg(labels, scores, ties=ties) for ties in ("worst", "average", "best"))
    assert worst < average < best
    assert pairwise_loss([0, 1], [1, 1]) == pairwise_loss([0, 1], [1, 1], ties="average")
    assert (
        pairwise_loss([0, 1], [1, 1], ties="stable") == 1
        and pairwise_loss([1, 0], [1, 1], ties="stable") == 0
    )


def test_a_perfect_ranking_loses_nothing_at_all():
    labels = np.random.default_rng(3).random(1000)
    assert pairwise_loss(labels, labels) == 0 and linear_ndcg(labels, labels) == 1


def test_batches_give_the_values_of_their_lists():
    rng = np.random.default_rng(2)
    labels, scores = rng.integers(0, 3, (8, 6)), rng.integers(0, 3, (8, 6))
    for measure, ties in product((linear_ndcg, pairwise_loss), ("average", "best", "worst", "stable")):
        alone = [measure(y, s, ties=ties) for y, s in zip(labels, scores)]
        assert measure(labels, scores, ties=ties) == pytest.approx(alone, nan_ok=True)
        offsets = [0, 0, 5, 6, 20, 48]
        parts = [
            measure(labels.ravel()[a:b], scores.ravel()[a:b], ties=ties) for a, b in zip(offsets, offsets[1:])
        ]
        together = measure(labels.ravel(), scores.ravel(), ties=ties, offsets=offsets)
        assert together == pytest.approx(parts, nan_ok=True)


def test_lists_without_a_value_and_bad_input():
    assert all(math.isnan(linear_ndcg(labels, labels)) for labels in ([], [1], [0, 0]))
    assert pairwise_loss([], []) == pairwise_loss([1], [1]) == 0
    with pytest.raises(ValueError, match="^labels"):
        linear_ndcg([-1, 1], [1, 2])
    with pytest.raises(ValueError, match="^labels"):
        pairwise_loss([math.nan, 1], [1, 2])
    with pytest.raises(ValueError, match="range of floats"):
        pairwise_loss([1.7e308, -1.7e308], [1, 2])
    assert pairwise_loss([1.7e308, 0], [1, 2]) == 1.7e308
    for measure in (linear_ndcg, pairwise_loss):
        with pytest.raises(ValueError, match="^ties="):
            measure([1, 2], [1, 2], ties="mean")
