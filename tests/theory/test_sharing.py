"""Shared tops: ranks in closed form and drawn, the law against draws and against the law of tops apart."""

from math import factorial

import numpy as np
import pytest

from ndcg_companion.measures import Geometric, Log, Power, Zipf
from ndcg_companion.theory import DiscountedSum, MixtureTail, SharedTopLaw


def expected(chi, r, s):
    """By the number a of shared items before: all orders of these and of those alone in either list."""
    shared, alone = chi / (2 - chi), (1 - chi) / (2 - chi)
    return shared * sum(
        factorial(r + s - 2 - a)
        / (factorial(a) * factorial(r - 1 - a) * factorial(s - 1 - a))
        * shared**a
        * alone ** (r + s - 2 - 2 * a)
        for a in range(min(r, s))
    )


@pytest.mark.parametrize("chi", [0.0, 0.3, 0.8, 1.0])
def test_ranks_by_counting_orders(chi):
    table = MixtureTail(chi).ranks(6)
    closed = [[expected(chi, r, s) for s in range(1, 7)] for r in range(1, 7)]
    np.testing.assert_allclose(table, closed, atol=1e-15)
    assert table[0, 0] == pytest.approx(MixtureTail(chi).same_first)


def test_shares_of_short_and_long_pages():
    assert (
        MixtureTail(1).overlap(7) == pytest.approx(1) == pytest.approx(MixtureTail(1).shared_weight(Log(), 7))
    )
    assert MixtureTail(0).overlap(7) == 0
    overlaps = [MixtureTail(0.5).overlap(k) for k in (1, 10, 100, 500)]
    assert overlaps == sorted(overlaps) and 0.48 < overlaps[-1] < 0.5
    # For equal weights it is the overlap.
    assert MixtureTail(0.5).shared_weight(Power(0), 10) == pytest.approx(overlaps[1])


def drawn(chi, q, discount, lists=20_000, m=400, seed=5):
    """Draws of the centred sum over the first m ranks of two lists that are merged item by item."""
    rng = np.random.default_rng(seed)
    sums = []
    for _ in range(lists // 1_000):
        kind = rng.random((1_000, 2 * m))
        shared = kind < chi / (2 - chi)
        first_alone = ~shared & (rng.random(kind.shape) < 0.5)
        pays = []
        for on in (shared | first_alone, ~first_alone):
            ranks = np.cumsum(on, axis=1)
            pays.append(np.where(on & (ranks <= m), discount(np.maximum(ranks, 1)), 0.0))
        labels = rng.random(kind.shape) < q
        sums.append(((labels - q) * (pays[0] - pays[1])).sum(axis=1))
    return np.concatenate(sums)


@pytest.mark.parametrize(("chi", "q", "discount"), [(0.5, 0.5, Zipf()), (0.8, 0.2, Power(0.75))])
def test_the_law_is_that_of_merged_lists(chi, q, discount):
    law, values = SharedTopLaw(MixtureTail(chi), discount, q, 0.2), drawn(chi, q, discount)
    error = 4.5 * np.sqrt(0.25 / len(values))
    assert abs((values + 0.2 > 0).mean() - law.ahead) < error + 0.01
    assert values.var() == pytest.approx(law.variance, rel=0.07)
    assert abs(SharedTopLaw(MixtureTail(0), discount, q, 0.2).ahead - (values + 0.2 > 0).mean()) > 2 * error


def test_tops_apart_have_the_law_of_independent_labels():
    """Two lists that share nothing: a sum over ranks of differences of two labels."""
    q = 0.3
    law = DiscountedSum(Zipf(), (-1, 0, 1), (q * (1 - q), 1 - 2 * q * (1 - q), q * (1 - q)), mean=0.4)
    assert SharedTopLaw(MixtureTail(0), Zipf(), q, 0.4).ahead == pytest.approx(1 - law.cdf(0), abs=2e-4)


def test_equal_means_give_one_half_and_sharing_makes_a_lead_more_likely():
    assert SharedTopLaw(MixtureTail(0.6), Zipf(), 0.5).ahead == pytest.approx(0.5, abs=1e-9)
    chances = [SharedTopLaw(MixtureTail(chi), Zipf(), 0.5, 0.5).ahead for chi in (0, 0.9)]
    assert chances[0] < chances[1] < 1


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: MixtureTail(1.5), "chi=1.5: expected a number from 0 to 1"),
        (lambda: MixtureTail(0.5).ranks(0), "k=0"),
        (lambda: SharedTopLaw(0.5, Zipf(), 0.5), "tail=0.5: expected a MixtureTail"),
        (lambda: SharedTopLaw(MixtureTail(1), Zipf(), 0.5), "a chi below 1"),
        (lambda: SharedTopLaw(MixtureTail(0.5), Power(0.5), 0.5), "1/2 < beta <= 1"),
        (lambda: SharedTopLaw(MixtureTail(0.5), Geometric(0.5), 0.5), "1/2 < beta <= 1"),
        (lambda: SharedTopLaw(MixtureTail(0.5), Zipf(), 1.0), "q=1.0"),
        (lambda: SharedTopLaw(MixtureTail(0.5), Zipf(), 0.5, float("inf")), "mean=inf"),
    ],
)
def test_what_is_rejected(call, words):
    with pytest.raises(ValueError, match="expected") as error:
        call()
    assert words in str(error.value)
