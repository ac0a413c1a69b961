"""What a query is worth: against closed forms, and Cramér and Rao."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from ndcg_companion.measures import DCG, RBP, RR, Geometric, Log, Power, Zipf, average_precision, ndcg
from ndcg_companion.theory import effective_labels, query_worth


@pytest.mark.parametrize("q", [0.1, 0.5, 0.8])
def test_closed_forms(q):
    """For weights w the worth is (sum w)^2 / sum w^2, whatever q is; for the first label alone 1."""
    for discount in (Power(0), Log(), Geometric(0.8)):
        weights = discount(np.arange(1, 11))
        expected = weights.sum() ** 2 / (weights**2).sum()
        assert query_worth(DCG(discount=discount), q) == pytest.approx(expected, rel=1e-12)
    assert query_worth(DCG(k=1), q) == pytest.approx(1)
    assert query_worth(RBP(p=0.8, k=4), q) == pytest.approx(query_worth(DCG(discount=Geometric(0.8)), q, 4))


def test_reciprocal_rank_by_hand():
    """Of two labels: 1 with chance q, 1/2 with q (1 - q)."""
    q = 0.3
    mean, square = q + q * (1 - q) / 2, q + q * (1 - q) / 4
    slope = 1 + (1 - 2 * q) / 2
    expected = slope**2 * q * (1 - q) / (square - mean**2)
    assert query_worth(RR(), q, 2) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("q", [0.2, 0.5])
def test_no_measure_is_worth_more_than_its_labels(q):
    rng = np.random.default_rng(1)
    any_values = rng.random(2**6)
    assert query_worth(lambda labels, scores: any_values, q, 6) < 6

    def counted(labels, scores):
        return average_precision(labels, scores, empty=0) * labels.sum(axis=1)

    assert query_worth(counted, q, 6) < 6 == pytest.approx(query_worth(DCG(discount=Power(0)), q, 6))


def test_effective_labels_in_fractions():
    for k in (1, 2, 10):
        paid = [Fraction(1, r) for r in range(1, k + 1)]
        exact = sum(paid) ** 2 / sum(pay * pay for pay in paid)
        assert effective_labels(Zipf(), k) == pytest.approx(float(exact), rel=1e-14)
    assert effective_labels(Power(0), 7) == pytest.approx(7, rel=1e-15)


@pytest.mark.parametrize("discount", [Log(), Zipf(), Geometric(0.8), lambda r: 1 / (3 + r)])
@pytest.mark.parametrize("q", [0.2, 0.5])
def test_effective_labels_make_the_variance_of_ndcg(discount, q):
    """Over all pages of six labels, and an ideal page where all are relevant."""
    pages = np.array([*product((0, 1), repeat=6)])
    chances = (q**pages * (1 - q) ** (1 - pages)).prod(axis=1)
    values = ndcg(pages, -np.tile(np.arange(6), (64, 1)), discount=discount, ideal=np.ones((64, 6)))
    variance = chances @ values**2 - (chances @ values) ** 2
    assert q * (1 - q) / effective_labels(discount, 6) == pytest.approx(variance, rel=1e-12)


def test_effective_labels_of_several_cutoffs_are_those_of_each():
    sizes = [3, 1, 1000, 3]
    label_counts = effective_labels(Log(), sizes)
    assert label_counts.tolist() == [effective_labels(Log(), size) for size in sizes]
    assert effective_labels(Log(), np.array(sizes)).tolist() == label_counts.tolist()


def test_effective_labels_equal_the_worth_of_a_query_for_dcg():
    for k in (1, 5, 16):
        assert effective_labels(Log(), k) == pytest.approx(query_worth(DCG(), 0.3, k), rel=1e-12)
