import math
import time
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ndcg_companion.measures import err, rr
from ndcg_companion.measures.cutoffs import cutoff

lists = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2)), min_size=1, max_size=7)
TIES = ["average", "best", "worst"]
CUTOFFS = [1, 2, 3, 50, 0.5, None, lambda n: n**0.5]


def stopped(chances, k=None):
    """Of a reader who stops at each rank with its chance: the expectation of one over the rank."""
    going, total = Fraction(1), Fraction(0)
    for rank, chance in enumerate(chances[:k], start=1):
        total += going * chance / rank
        going *= 1 - chance
    return total


@given(lists, st.sampled_from(TIES), st.sampled_from(CUTOFFS), st.sampled_from([3, 4]))
def test_err_is_the_mean_highest_or_lowest_over_all_orders(exact, items, ties, k, highest):
    labels, scores = [y for y, _ in items], [s for _, s in items]
    chances = [Fraction(2**y - 1, 2**highest) for y in labels]
    top = cutoff(k, len(labels))
    values = [stopped([chances[i] for i in order], top) for order in exact.orders(scores)]
    value = err(labels, scores, k=k, max_grade=highest, ties=ties)
    assert value == pytest.approx(float(exact.pick(values, ties)), rel=1e-12, abs=1e-15)


@given(lists, st.sampled_from(TIES), st.sampled_from(CUTOFFS), st.sampled_from([1, 2, 0.5]))
def test_rr_is_the_mean_highest_or_lowest_over_all_orders(exact, items, ties, k, threshold):
    labels, scores = [y for y, _ in items], [s for _, s in items]
    top = cutoff(k, len(labels))

    def literally(order):
        ranks = [rank for rank, i in enumerate(order[:top], start=1) if labels[i] >= threshold]
        return Fraction(1, ranks[0]) if ranks else Fraction(0)

    expected = exact.pick(map(literally, exact.orders(scores)), ties)
    value = rr(labels, scores, k=k, threshold=threshold, ties=ties)
    assert value == pytest.approx(float(expected), rel=1e-13)


def test_err_is_that_of_gdeval():
    """By hand from its formula, with its scale from 0 to 4, whatever grades a list has."""
    expected = 1 / 16 + (15 / 16) * (3 / 16) / 2 + (15 / 16) * (13 / 16) * (15 / 16) / 4
    assert err([1, 2, 0, 4], [4, 3, 2, 1]) == pytest.approx(expected, rel=1e-14)
    assert err([1, 2, 0, 4], [4, 3, 2, 1], k=3) == pytest.approx(1 / 16 + (15 / 16) * (3 / 16) / 2, rel=1e-14)


def test_a_reader_whom_the_first_relevant_item_stops_has_the_reciprocal_rank():
    labels = np.random.default_rng(1).integers(0, 2, (50, 12))
    scores = np.random.default_rng(2).integers(0, 5, (50, 12))
    nearly = err(900 * labels, scores, max_grade=900)
    assert rr(labels, scores) == pytest.approx(nearly, abs=1e-12)


@pytest.mark.parametrize("relevant", [1, 30, 999])
def test_of_equal_scores_alone_the_reciprocal_rank_has_a_closed_form(relevant):
    """The first of m relevant places among n is at j with chance C(n - j, m - 1) / C(n, m)."""
    n, every = 1000, math.comb(1000, relevant)
    expected = sum(Fraction(math.comb(n - j, relevant - 1), j * every) for j in range(1, n + 1))
    value = rr([1] * relevant + [0] * (n - relevant), [0] * n)
    assert value == pytest.approx(float(expected), rel=1e-12)


def test_long_ties_take_no_time():
    labels = np.random.default_rng(3).integers(0, 4, 100_000)
    began = time.perf_counter()
    tied = err(labels, np.zeros(100_000))
    assert time.perf_counter() - began < 30
    # Nobody reads beyond rank 1,000: the chance is below 1e-30.
    rng, ranks = np.random.default_rng(4), -np.arange(1000)
    drawn = [err(rng.permutation(labels)[:1000], ranks) for _ in range(400)]
    assert abs(np.mean(drawn) - tied) < 5 * np.std(drawn) / 20


def test_stable_ties_keep_the_order_of_arrival():
    assert rr([0, 1], [1, 1], ties="stable") == 0.5 and rr([1, 0], [1, 1], ties="stable") == 1
    assert err([0, 1], [1, 1], ties="stable", max_grade=1) == 0.25


def test_batches_give_the_values_of_their_lists():
    rng = np.random.default_rng(2)
    labels, scores = rng.integers(0, 3, (8, 6)), rng.integers(0, 3, (8, 6))
    offsets = [0, 0, 5, 6, 20, 48]
    for measure in (rr, err):
        for ties in (*TIES, "stable"):
            alone = [measure(y, s, ties=ties, k=0.5) for y, s in zip(labels, scores)]
            assert measure(labels, scores, ties=ties, k=0.5) == pytest.approx(alone)
            flat = labels.ravel(), scores.ravel()
            parts = [measure(*(x[a:b] for x in flat), ties=ties) for a, b in zip(offsets, offsets[1:])]
            assert measure(*flat, ties=ties, offsets=offsets) == pytest.approx(parts)


def test_nothing_relevant_is_worth_nothing():
    assert rr([0, 0], [1, 2]) == err([0, 0], [1, 2]) == rr([], []) == err([], []) == 0


@pytest.mark.parametrize(
    "labels, bad, message",
    [
        ([5, 0], {}, "labels: expected numbers from 0 to max_grade=4, got 5"),
        ([-1, 0], {}, "labels: expected numbers >= 0, got -1"),
        ([1, 0], {"max_grade": 0}, "max_grade=0: expected a number above 0"),
        ([1, 0], {"max_grade": "4"}, "max_grade='4': expected a number above 0"),
    ],
)
def test_err_rejects_grades_off_its_scale(labels, bad, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        err(labels, [1, 2], **bad)
