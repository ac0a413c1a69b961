import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from threadpoolctl import threadpool_limits

from ndcg_companion.measures import Power
from ndcg_companion.theory import Pair, Population, bounds, dcg_error_bound, expected_dcg, failure_bound
from ndcg_companion.theory.limits import weighted_integral


def distance(population, beta, n, c):
    k = max(1, int(np.floor(c * n + 1e-9)))
    mean = expected_dcg(population, lambda r: r**-beta * (r <= k), n)
    return abs(
        mean - n ** (1 - beta) * weighted_integral(population.mean_at_depth, population.depths, beta, c)
    )


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.floats(0.01, 0.99), min_size=1, max_size=4, unique=True),
    st.lists(st.sampled_from([0.0, 1.0, 0.3]), min_size=5, max_size=5),
    st.floats(0.05, 0.9),
    st.integers(2, 60),
    st.sampled_from([0.1, 0.5, 1.0]),
)
def test_no_curve_with_jumps_leaves_the_bound(breaks, heights, beta, n, c):
    breaks = sorted(breaks)
    curve = lambda s: np.array(heights)[np.searchsorted(breaks, s, side="right")]
    assert distance(Population(curve, breaks=breaks), beta, n, c) <= dcg_error_bound(beta, n, c) + 1e-9


@pytest.mark.parametrize("beta", [0.2, 0.5, 0.8])
def test_a_step_at_the_cut_uses_a_good_part_of_the_bound(beta):
    """Nothing much smaller would do: at the cut the curve knows where the bound is attained to a constant
    factor.
    """
    n, c = 10_000, 0.3
    largest_error = max(
        distance(Population(curve), beta, n, c)
        for curve in (f"step:{1 - c}:1:0", f"step:{1 - c}:0:1", "constant:1")
    )
    assert 0.05 * dcg_error_bound(beta, n, c) < largest_error <= dcg_error_bound(beta, n, c)


@pytest.mark.parametrize("beta", [0.2, 0.8])
def test_it_is_small_beside_dcg(beta):
    bounds = np.array([dcg_error_bound(beta, n) for n in (10**4, 10**6)])
    growth = np.log10(bounds[1] / bounds[0]) / 2
    assert growth == pytest.approx(max(0.0, 0.5 - beta), abs=0.06)


def test_it_covers_the_part_above_the_last_whole_position():
    assert dcg_error_bound(0.5, 10, 0.39) > dcg_error_bound(0.5, 10, 0.3)


def test_unusable_arguments():
    for arguments, message in (
        *(((beta, 10), f"beta={beta}") for beta in (-0.5, 0.0, 1.0, 1.5)),
        ((0.5, 1), "n=1: expected a whole number >= 2"),
        ((0.5, 10, "o(n)"), "a fraction of the list"),
    ):
        with pytest.raises(ValueError, match=message):
            dcg_error_bound(*arguments)


def test_the_bound_does_not_depend_on_the_number_of_threads():
    bounds = set()
    for threads in (1, 2):
        with threadpool_limits(threads):
            bounds.add(dcg_error_bound(0.5, 10**6))
    assert len(bounds) == 1


@pytest.mark.parametrize("beta", [0.2, 0.5, 0.8])
@pytest.mark.parametrize("k", [None, 0.3])
def test_long_lists_are_bounded_by_stretches_from_just_above(monkeypatch, beta, k):
    exact = dcg_error_bound(beta, 100_000, k)
    monkeypatch.setattr(bounds, "_FIRST", 1000)
    assert exact <= dcg_error_bound(beta, 100_000, k) <= 1.001 * exact
    assert dcg_error_bound(beta, 10**30) > 0


@pytest.mark.parametrize("beta", [0.25, 0.75])
def test_the_bound_of_very_long_lists_has_its_order(beta):
    ratio = dcg_error_bound(beta, 10**14) / dcg_error_bound(beta, 10**12)
    assert ratio == pytest.approx(100 ** max(0.0, 0.5 - beta), rel=2e-2)


@pytest.mark.parametrize("n", [100_000, 300_000])
def test_the_bound_on_failure_hardly_depends_on_how_many_ranks_are_summed_one_by_one(n, monkeypatch):
    """Ranks of a stretch count like its first: a little too much, never too little.

    From rank 100 on that is at most D(100) too much in a sum over m > 100 ranks, so m is less than four ranks
    too small, D(m) ** 2 = m ** -0.5 at most 2 % too large, and so is the exponent too small.
    """
    pair, discount = Pair("poly:0.7:-0.4", "poly:0.3:0.4"), Power(0.25)
    exact = failure_bound(pair, discount, n)
    monkeypatch.setattr(bounds, "_FIRST", 100)
    assert 0 < exact <= failure_bound(pair, discount, n) <= 2 * (exact / 2) ** 0.98 < 0.9


@pytest.mark.parametrize(
    "beta, n, c", [(0.5, 2, 1.0), (0.5, 10, 1.0), (0.2, 5, 0.1), (0.8, 60, 0.5), (0.2, 999, 0.3)]
)
def test_the_bound_is_its_formula(beta, n, c):
    k = max(1, int(c * n))
    discount = [(r + 1) ** -beta for r in range(n)]
    spread = [1.0] + [r * np.sqrt((n - r) / (n * (r - 1))) for r in range(2, n + 1)]
    by_parts = sum((discount[r] - discount[r + 1]) * spread[r] for r in range(k - 1))
    beside = (c * n) ** (1 - beta) / (1 - beta) - sum(discount[:k])
    exact = by_parts + discount[k - 1] * spread[k - 1] + max(0.0, beside)
    assert dcg_error_bound(beta, n, c) == pytest.approx(exact, rel=1e-12)


def test_sums_in_stretches_are_trapezoids_above_the_sum(monkeypatch):
    """Above the sum of r ** -1/2 from rank 10 on by at most 10 ** -3/2 / 24, and 1 in 10,000 of the rest."""
    exact = dcg_error_bound(0.5, 1000)
    monkeypatch.setattr(bounds, "_FIRST", 10)
    assert exact <= dcg_error_bound(0.5, 1000) <= 1.0001 * exact + 10**-1.5 / 24


def test_a_single_item_has_a_bound_on_failure():
    pair = Pair("poly:0.7:-0.4", "poly:0.3:0.4")
    assert failure_bound(pair, Power(0.5), 1) == 1.0
    with pytest.raises(ValueError, match="^n=0: expected a whole number >= 1"):
        failure_bound(pair, Power(0.5), 0)


def test_a_gap_that_the_first_rank_outweighs_says_nothing():
    """Truncated at the first rank, one item changes the difference by up to 2 D(1)."""
    assert failure_bound(Pair("poly:0.7:-0.4", "poly:0.3:0.4"), Power(1.0), 1000) == 1.0
