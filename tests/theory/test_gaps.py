import numpy as np
import pytest
from scipy.special import ndtr, ndtri, zeta
from scipy.stats import binom

from ndcg_companion.measures import Geometric, Linear, Log, Power, Zipf
from ndcg_companion.measures.cutoffs import cutoff
from ndcg_companion.theory import (
    Pair,
    dcg_gap_standard_deviation,
    expected_gap,
    expected_ideal_dcg,
    gap_standard_deviation,
    ndcg_standard_deviation,
)
from ndcg_companion.theory.fluctuations import depth_grid
from ndcg_companion.theory.gaps import _products

DISCOUNTS = [
    Log(),
    Power(0.25),
    Power(0.5),
    Power(0.75),
    Zipf(),
    Power(2.0),
    Geometric(0.5),
    Geometric(0.9),
    Linear(),
]
LINE = ("poly:0.7:-0.4", "poly:0.3:0.4")
# Curves that agree on the top 30 % and have the same mean.
FLAT_TOP = (lambda s: np.where(s > 0.7, 0.6, 0.8 * s), lambda s: np.where(s > 0.7, 0.6, 0.56 - 0.8 * s))
PAIRS = {
    "additive": Pair(*LINE),
    "label-first": Pair("power:1", "reversed:1", "label-first"),
    "shared-top": Pair(*FLAT_TOP, "shared-top", share=0.3, breaks=(0.7,)),
    "correlated": Pair(*LINE, "correlated:-0.6"),
}


def weights(discount, n, k=None):
    ranks = np.arange(1, n + 1)
    return (discount(ranks, n) if discount == Linear() else discount(ranks)) * (ranks <= cutoff(k, n))


def given_label(pair, labels, u):
    """The share of the items with the label that the first ranker puts above depth u."""
    depth = np.linspace(0.0, 1.0, 20_001)
    middle = (depth[1:] + depth[:-1]) / 2
    share = np.empty_like(u)
    for label, chance in ((1, pair.ybar0(1 - middle)), (0, 1 - pair.ybar0(1 - middle))):
        cumulative = np.append(0.0, np.cumsum(chance)) / chance.sum()
        share = np.where(labels == label, np.interp(u, depth, cumulative), share)
    return share


def drawn(pair, n, replicates, seed):
    """Labels in the order of both rankers: two arrays (replicates, n), straight from the definition of the
    coupling.
    """
    rng = np.random.default_rng(seed)
    u, x, v = rng.random((3, replicates, n))
    if pair.coupling == "additive":
        labels = x < pair.ybar0(1 - u) + pair.ybar1(1 - v) - pair.p
    else:
        labels = x < pair.ybar0(1 - u)
        apart = u > (pair.share or 0.0)
        # Depths of the second ranker by inversion of their distribution given the label, on a fine grid.
        if pair.rho:
            v = ndtr(pair.rho * ndtri(given_label(pair, labels, u)) + np.sqrt(1 - pair.rho**2) * ndtri(v))
        depth = np.linspace(pair.share or 0.0, 1.0, 20_001)
        middle = (depth[1:] + depth[:-1]) / 2
        for label, chance in ((1, pair.ybar1(1 - middle)), (0, 1 - pair.ybar1(1 - middle))):
            cumulative = np.append(0.0, np.cumsum(chance)) / chance.sum()
            v = np.where(apart & (labels == label), np.interp(v, cumulative, depth), v)
        v = np.where(apart, v, u)
    return [np.take_along_axis(labels, np.argsort(depths, axis=1), axis=1).astype(float) for depths in (u, v)]


def sampling_error(values):
    """Relative standard error of the standard deviation of a sample: sqrt(2) / 2 / sqrt(size) for a normal
    one.
    """
    centred = values - values.mean()
    return np.sqrt((np.mean(centred**4) / np.mean(centred**2) ** 2 - 1.0) / values.size) / 2.0


@pytest.mark.parametrize("coupling", PAIRS)
@pytest.mark.parametrize(
    "n, k",
    [
        (60, None),
        (60, 0.6),
        (400, lambda n: 0.4 * n),
        pytest.param(400, None, marks=pytest.mark.nightly),
    ],
)
def test_standard_deviation_against_simulation(coupling, n, k):
    pair, replicates = PAIRS[coupling], 2000
    first, second = drawn(pair, n, replicates, seed=5)
    for discount in DISCOUNTS:
        if coupling == "shared-top" and isinstance(discount, Geometric):
            continue
        w = weights(discount, n, k)
        gaps = (first - second) @ w
        normalised = gaps / np.cumsum(w)[first.sum(axis=1).astype(int) - 1]
        for observed, predicted in (
            (gaps, dcg_gap_standard_deviation(pair, discount, n, k)),
            (normalised, gap_standard_deviation(pair, discount, n, k)),
        ):
            assert predicted == pytest.approx(
                np.std(observed), rel=5.0 * sampling_error(observed) + 3.0 / n
            ), discount
        mean = expected_gap(pair, discount, n, k)
        assert np.mean(gaps) == pytest.approx(mean, abs=5.0 * np.std(gaps) / np.sqrt(replicates))


@pytest.mark.parametrize("discount", DISCOUNTS)
@pytest.mark.parametrize("k", [None, 0.3, 7])
@pytest.mark.parametrize("coupling", ["additive", "label-first"])
def test_independent_rankings_are_exact(discount, k, coupling):
    """Constant curves: ``h = sum Y_i (D(R_i) - D(R'_i))`` has variance ``p (1-p) (2 sum D**2 - 2 S**2 /
    n)``.
    """
    for n in (10, 1000, 50_000):
        w = weights(discount, n, k)
        exact = np.sqrt(0.3 * 0.7 * 2.0 * (w @ w - w.sum() ** 2 / n))
        pair = Pair("constant:0.3", "constant:0.3", coupling)
        assert dcg_gap_standard_deviation(pair, discount, n, k) == pytest.approx(exact, rel=1e-9)


def test_perfect_against_random_is_exact_but_for_the_ideal_dcg():
    """``h = S(M) - sum D(r) Y_r``, and by Stein's identity ``Cov(S(M), Y_r) = p (1-p) E D(1 + M')``, M' one
    item fewer.

    The projection has ``n p (1-p) (E D(1 + M'))**2`` for the variance of S(M); everything else is exact.
    """
    pair, p = Pair("step:0.6:0:1", "constant:0.4", "label-first"), 0.4
    for discount in (Log(), Power(0.5), Zipf(), Power(2.0), Linear()):
        for n in (20, 500):
            w = weights(discount, n)
            sums = np.append(0.0, np.cumsum(w))
            chance = binom.pmf(np.arange(n + 1), n, p)
            change = binom.pmf(np.arange(n), n - 1, p) @ w
            spread = chance @ sums**2 - (chance @ sums) ** 2
            variance = spread + p * (1 - p) * (w @ w - 2 * w.sum() * change)
            linear = n * p * (1 - p) * change**2
            predicted = dcg_gap_standard_deviation(pair, discount, n) ** 2
            assert predicted + spread - linear == pytest.approx(variance, rel=1e-9)
            assert linear == pytest.approx(spread, rel=20 / n)
            # A perfect ranking has NDCG 1, so that the difference is 1 - NDCG(f1).
            other = ndcg_standard_deviation(pair.population1, discount, n)
            assert gap_standard_deviation(pair, discount, n) == pytest.approx(other, rel=1e-9)


def test_shared_top_takes_its_items_out():
    """Constant curves, K items at the shared top: below it the two rankings are independent."""
    pair = Pair("constant:0.3", "constant:0.3", "shared-top", share=0.25)
    for discount in (Log(), Power(0.5), Zipf(), Power(1.5), Linear()):
        for n in (200, 2000):
            w, shared = weights(discount, n), np.arange(n)
            squares, sums = np.cumsum(w[::-1] ** 2)[::-1], np.cumsum(w[::-1])[::-1]
            given = 2.0 * (squares - sums**2 / (n - shared))
            exact = np.sqrt(0.3 * 0.7 * (binom.pmf(shared, n, 0.25) @ given))
            assert dcg_gap_standard_deviation(pair, discount, n) == pytest.approx(exact, rel=5.0 / n)


def test_where_the_top_decides_the_variances_of_the_two_rankers_add():
    """The tops of two rankers have, in the end, no items in common: each adds ``p (1-p) sum D**2``, p at its
    top.
    """
    pair = Pair(*LINE)
    for discount in (Geometric(0.5), Power(1.5), Zipf(), Power(0.75)):
        exact = np.sqrt(
            2 * 0.21 * (1 / 3 if discount == Geometric(0.5) else zeta(2 * getattr(discount, "beta", 1.0)))
        )
        assert dcg_gap_standard_deviation(pair, discount, 10**40) == pytest.approx(exact, rel=1e-8)
    # The normalised gap of a summable discount is that over the sum of the discounts.
    expected = np.sqrt(0.42 * zeta(6)) / zeta(3)
    assert gap_standard_deviation(pair, Power(3.0), 10**15) == pytest.approx(expected, rel=1e-9)


def test_under_a_constant_cutoff_the_tops_are_independent():
    n, k = 10**15, 10
    for discount in (Log(), Power(0.5), Power(2.0)):
        w = weights(discount, k)
        exact = np.sqrt(0.42 * (w @ w))
        assert dcg_gap_standard_deviation(Pair(*LINE), discount, n, k) == pytest.approx(exact, rel=1e-9)


def test_order_of_magnitude_at_any_length():
    """sqrt(n) / log(n)**2 for the standard discount, n**(1/2 - beta) for a power below one half."""
    lengths = [1e20, 1e60, 1e100]
    for coupling, pair in PAIRS.items():
        for discount, scale in (
            (Log(), lambda n: np.sqrt(n) / np.log(n) ** 2),
            (Power(0.25), lambda n: n**0.25),
        ):
            scaled = [dcg_gap_standard_deviation(pair, discount, n) / scale(n) for n in lengths]
            assert np.ptp(scaled) < 0.12 * scaled[-1], (coupling, discount)
            normalised = [gap_standard_deviation(pair, discount, n) * np.sqrt(n) for n in lengths]
            growth = np.log(lengths) if discount == Log() else np.ones(3)
            assert np.ptp(normalised * growth) < 0.12 * (normalised * growth)[-1]


def test_limit_of_the_scaled_variance_in_closed_form():
    """Constant curves p, D = r**-beta: ``sd(h) ~ n**(1/2-beta) sqrt(2 p (1-p) (1/(1-2 beta) -
    1/(1-beta)**2))``.
    """
    beta, n = 0.25, 10**80
    expected = np.sqrt(2 * 0.25 * (1 / (1 - 2 * beta) - 1 / (1 - beta) ** 2))
    for coupling in ("additive", "label-first"):
        pair = Pair("constant:0.5", "constant:0.5", coupling)
        assert dcg_gap_standard_deviation(pair, Power(beta), n) / 1e20 == pytest.approx(expected, rel=1e-6)


def test_probability_of_the_right_sign_is_nearly_normal():
    pair, n = Pair("poly:0.56:-0.12", "poly:0.44:0.12"), 400
    first, second = drawn(pair, n, 4000, seed=8)
    for discount, k in ((Log(), None), (Power(0.5), None), (Log(), 0.25)):
        ahead = np.mean((first - second) @ weights(discount, n, k) > 0.0)
        predicted = ndtr(
            expected_gap(pair, discount, n, k) / dcg_gap_standard_deviation(pair, discount, n, k)
        )
        assert 0.6 < predicted < 0.95
        # Five standard errors of a share, and 1 % for the skewness.
        assert ahead == pytest.approx(predicted, abs=5 * np.sqrt(0.25 / 4000) + 0.01)


def test_normalised_gap_is_the_gap_over_the_ideal_where_the_ideal_is_certain():
    n, k = 10**6, 100
    ideal = expected_ideal_dcg(Pair(*LINE).population0, Log(), n, k)
    gap = dcg_gap_standard_deviation(Pair(*LINE), Log(), n, k)
    assert gap_standard_deviation(Pair(*LINE), Log(), n, k) == pytest.approx(gap / ideal, rel=1e-12)


def test_cutoff_at_the_last_relevant_item():
    """Counting relevant items among the best half, p = 1/2: ``I = min(M, n/2)`` is not linear in M.

    The curves are their own mirror images, so h stays and M becomes n - M when the list and the labels are
    turned round: h and M are uncorrelated, and ``sd(h - c I)**2 = sd(h)**2 + c**2 Var I``.
    """
    pair, n = Pair("cosine:0.5:0.5", "cosine:0.5:-0.5", "label-first"), 10_000
    m = np.arange(n + 1)
    chance, ideal = binom.pmf(m, n, 0.5), np.minimum(m, n // 2)
    mean = chance @ ideal
    spread = chance @ (ideal - mean) ** 2
    c = expected_gap(pair, Power(0.0), n, 0.5) / mean
    added = (mean * gap_standard_deviation(pair, Power(0.0), n, 0.5)) ** 2
    added -= dcg_gap_standard_deviation(pair, Power(0.0), n, 0.5) ** 2
    assert c > 0.5 and added == pytest.approx(c**2 * spread, rel=0.01)


def test_a_single_item_has_no_gap():
    assert dcg_gap_standard_deviation(Pair(*LINE), Log(), 1) == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("deviation", [dcg_gap_standard_deviation, gap_standard_deviation])
@pytest.mark.parametrize(
    "pair, discount, n, k, message",
    [
        (PAIRS["additive"], lambda r: 1.0 / r, 100, None, "discount="),
        (PAIRS["additive"], Log(), 0, None, "^n=0: expected a whole number >= 1"),
        (PAIRS["additive"], Log(), 10.5, None, "n=10.5"),
        (PAIRS["additive"], Log(), "10", None, "n='10'"),
        (PAIRS["additive"], Log(), 100, 0, "k=0"),
        (PAIRS["additive"], Log(), 100, 1.01, "k=1.01"),
        (PAIRS["shared-top"], Log(), 100, 30, "k=30: expected a cut-off below the shared top"),
        (PAIRS["shared-top"], Log(), 100, 0.2, "k=0.2: expected a cut-off below the shared top"),
        (PAIRS["shared-top"], Geometric(0.5), 100, None, "discount="),
        (
            Pair("step:0.5:0:1", "step:0.5:1:0", "label-first"),
            Geometric(0.5),
            10**6,
            None,
            "noisy labels at the top",
        ),
    ],
)
def test_bad_input_is_rejected(deviation, pair, discount, n, k, message):
    with pytest.raises(ValueError, match=message):
        deviation(pair, discount, n, k)


def test_constant_discounts_leave_no_gap_nor_do_labels_that_are_all_the_same():
    for n in (1, 2, 3, 10, 50):
        for pair in (PAIRS["additive"], Pair("constant:0.3", "constant:0.3")):
            assert dcg_gap_standard_deviation(pair, Power(0.0), n) == pytest.approx(0.0, abs=1e-6)
        for label in (0, 1):
            pair = Pair(f"constant:{label}", f"constant:{label}", "correlated:0.5")
            assert dcg_gap_standard_deviation(pair, Log(), n) == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize("rho", [-0.8, 0.3, 0.6])
def test_the_products_add_up_to_the_law_of_correlated_depths(rho):
    """Of two uniform depths with a normal copula: their covariance is ``arcsin(rho / 2) / (2 pi)``."""
    u, du = depth_grid(10**6, (), 10**6)
    pair, half = Pair("constant:0.5", "constant:0.5", f"correlated:{rho}"), np.full_like(u, 0.5)
    laws = [(weight, du * law0, du * law1) for weight, law0, law1 in _products(pair, half, half, du)]
    assert sum(weight * law0.sum() * law1.sum() for weight, law0, law1 in laws) == pytest.approx(
        0.5, rel=1e-9
    )
    product = sum(weight * np.sum(law0 * u) * np.sum(law1 * u) for weight, law0, law1 in laws)
    assert product / 0.5 == pytest.approx(0.25 + np.arcsin(rho / 2) / (2 * np.pi), rel=1e-6)


def test_three_items_have_enough_relevant_ones():
    assert gap_standard_deviation(PAIRS["additive"], Log(), 3) > 0.0


def test_too_few_relevant_items_are_rejected():
    with pytest.raises(ValueError, match=r"n=2: expected n \* p > 1"):
        gap_standard_deviation(PAIRS["additive"], Log(), 2)


def test_items_in_common_on_top_make_it_too_large_and_less_so_on_longer_lists():
    pair = Pair(*LINE, "correlated:0.8")
    for n, allowed in ((60, 0.08), (240, 0.04)):
        first, second = drawn(pair, n, 2000, 5)
        gaps = (first - second) @ weights(Power(0.75), n)
        excess = dcg_gap_standard_deviation(pair, Power(0.75), n) / gaps.std() - 1.0
        assert -4 * sampling_error(gaps) < excess < allowed + 4 * sampling_error(gaps)
