from fractions import Fraction
from math import exp

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ndcg_companion.measures import Geometric, Log, Power, Zipf, dcg, ideal_dcg
from ndcg_companion.simulation.mixtures import as_mixture, count_better, merged_dcg

MIXTURES = [
    Log(),
    Power(0),
    Power(0.5),
    Power(0.99),
    Zipf(),
    Power(4),
    lambda r: 1e300 / (7.0 + r),
    Geometric(0.999),
]
OTHERS = [Geometric(0.5), lambda r: 1.0 * (r <= 300), lambda r: 1 / np.minimum(r, 20)]

RATES = np.array([60.0, *np.log([2.0, 1.5])])
BASES = [Fraction(exp(-60.0)), Fraction(1, 2), Fraction(2, 3)]


def table(discount, n):
    return np.asarray(discount(np.arange(1.0, n + 1)))


@given(st.lists(st.integers(0, 9), max_size=30))
def test_counting_what_is_better(groups):
    expected = [sum(earlier < group for earlier in groups[:i]) for i, group in enumerate(groups)]
    assert count_better(np.array(groups, dtype=int)).tolist() == expected


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 5) | st.integers(0, 40), st.integers(0, 3)), min_size=1, max_size=40)
)
def test_geometric_discounts_are_merged_exactly(items):
    equals, means, expected = [], [], []
    for n, (latest, _) in enumerate(items, 1):
        groups = sorted(group for group, _ in items[:n])
        gains = {group: [gain for g, gain in items[:n] if g == group] for group in groups}
        mean = {group: Fraction(sum(theirs), len(theirs)) for group, theirs in gains.items()}
        equals.append(len(gains[latest]) - 1)
        means.append(float(mean[latest]))
        expected.append(
            [float(sum(mean[group] * base**rank for rank, group in enumerate(groups, 1))) for base in BASES]
        )
    arrivals = (
        np.unique([group for group, _ in items], return_inverse=True)[1],
        np.array(equals),
        np.array(means),
    )
    # The fast rate by itself only sees the first rank; among the others, it sees them all.
    for some in ([0], [1], [0, 1, 2]):
        curves = merged_dcg(*arrivals, RATES[some], np.eye(len(some)))
        for curve, i in zip(curves, some):
            assert curve == pytest.approx(np.array(expected)[:, i], rel=1e-13, abs=1e-20 * float(BASES[i]))


@pytest.mark.parametrize("n", [1, 2, 100, 3000])
def test_the_error_of_a_mixture_is_what_it_is_said_to_be(n):
    tables = np.array([table(discount, n) for discount in MIXTURES + OTHERS])
    rates, weights, errors = as_mixture(tables)
    assert errors[: len(MIXTURES)].max() < 5e-13
    assert n < 3000 or errors[len(MIXTURES) :].min() > 1e-9
    powers = np.exp(-np.outer(rates.astype(np.longdouble), np.arange(1, n + 1)))
    for mixture, exact, error in zip(weights.astype(np.longdouble) @ powers, tables, errors):
        off = np.sort(np.abs(mixture - exact / exact[0]))[::-1]
        assert (off.cumsum() / (exact / exact[0]).cumsum()).max() <= error


@pytest.mark.parametrize("discount", OTHERS[1:])
def test_a_list_can_be_as_far_off_as_the_bound_says_but_for_a_factor_of_two(discount):
    n = 500
    ranks = np.arange(n)
    exact = table(discount, n)
    rates, weights, (error,) = as_mixture(exact[None])
    off = (weights @ np.exp(-np.outer(rates, ranks + 1)))[0] - exact / exact[0]
    worst = 0.0
    for sign in (1, -1):
        # The m ranks with the largest error of this sign are relevant, for the m that is worst.
        order = np.argsort(-sign * off)
        m = np.argmax((sign * off)[order].cumsum() / exact.cumsum()) + 1
        labels = np.zeros(n)
        labels[order[:m]] = 1
        merged = exact[0] * merged_dcg(ranks, np.zeros(n, dtype=int), labels, rates, weights)[0, -1]
        ideal = ideal_dcg(labels, discount=discount)
        worst = max(worst, abs(merged - dcg(labels, -ranks, discount=discount)) / ideal)
    assert 0.4 * error < worst <= error
