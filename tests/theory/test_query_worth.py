"""What a query is worth: against closed forms, and Cramér and Rao."""

import numpy as np
import pytest

from ndcg_companion.measures import DCG, RBP, RR, Geometric, Log, Power, average_precision
from ndcg_companion.theory import query_worth


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
