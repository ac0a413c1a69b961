import numpy as np
import pytest
from scipy.special import zeta
from scipy.stats import binom

from ndcg_companion.measures import Geometric, Linear, Log, Power, Zipf
from ndcg_companion.measures.cutoffs import cutoff
from ndcg_companion.theory import Population, limit_law, ndcg_standard_deviation
from ndcg_companion.theory.fluctuations import above_each, depth_grid, ideal_kink

GRADED = Population({2: lambda s: s**2 / 2, 1: lambda s: s / 2, 0: lambda s: 1 - s / 2 - s**2 / 2})
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


def weights(discount, n, k=None):
    ranks = np.arange(1, n + 1)
    return (discount(ranks, n) if discount == Linear() else discount(ranks)) * (ranks <= cutoff(k, n))


def simulated(population, cases, n, replicates, seed):
    """NDCG of ranked lists: shape (cases, replicates)."""
    rng = np.random.default_rng(seed)
    s, x = np.sort(rng.random((replicates, n)))[:, ::-1], rng.random((replicates, n))
    bounds = np.cumsum([population.curve(grade)(s) for grade in population.grades], axis=0)
    labels = np.array(population.grades)[np.minimum((x >= bounds).sum(axis=0), len(bounds) - 1)]
    ideal = np.sort(labels)[:, ::-1]
    table = np.array([weights(discount, n, k) for discount, k in cases]).T
    return (labels @ table / (ideal @ table)).T


def sampling_error(values):
    """Relative standard error of the standard deviation of a sample: sqrt(2) / 2 / sqrt(size) for a normal
    one.
    """
    centred = values - values.mean()
    return np.sqrt((np.mean(centred**4) / np.mean(centred**2) ** 2 - 1.0) / values.size) / 2.0


@pytest.mark.parametrize(
    "population",
    [Population("constant:0.5"), Population("reversed:1"), Population("step:0.7:0.2:0.8"), GRADED],
)
@pytest.mark.parametrize("n, k", [(60, None), (400, None), (400, 0.2)])
def test_standard_deviation_against_simulation(population, n, k):
    cases = [(discount, k) for discount in DISCOUNTS]
    for (discount, _), values in zip(cases, simulated(population, cases, n, 2000, seed=11)):
        predicted = ndcg_standard_deviation(population, discount, n, k)
        assert predicted == pytest.approx(np.std(values), rel=5.0 * sampling_error(values) + 3.0 / n), (
            discount
        )


def exact_without_information(discount, n, k):
    """ybar = 1/2: given that m items are relevant, they are a random subset, drawn without replacement.

    Then DCG has mean m S / n and variance ``m (n - m) / (n (n - 1)) (sum D**2 - S**2 / n)``.
    """
    w, m = weights(discount, n, k), np.arange(1, n + 1)
    chance = binom.pmf(m, n, 0.5)
    ideal = np.cumsum(w)
    mean = m / n * w.sum() / ideal
    variance = m * (n - m) / (n * (n - 1)) * (np.sum(w**2) - w.sum() ** 2 / n) / ideal**2
    return np.sqrt(chance @ (variance + mean**2) - (chance @ mean) ** 2)


@pytest.mark.parametrize("discount", DISCOUNTS)
@pytest.mark.parametrize("k", [None, 0.3, 10])
def test_error_is_of_the_order_of_one_over_n(discount, k):
    for n in (40, 400, 4000):
        predicted = ndcg_standard_deviation(Population("constant:0.5"), discount, n, k)
        assert predicted == pytest.approx(exact_without_information(discount, n, k), rel=2.0 / n)


def test_cutoff_at_the_last_relevant_item():
    """At k = n p the ideal DCG is not linear in the number of relevant items, nor normal."""
    for discount in (Log(), Power(0.25), Power(0.5)):
        errors = [
            ndcg_standard_deviation(Population("constant:0.5"), discount, n, 0.5)
            / exact_without_information(discount, n, 0.5)
            - 1.0
            for n in (100, 2000)
        ]
        assert abs(errors[0]) < 0.01 and abs(errors[1]) < 0.001


@pytest.mark.parametrize("n", [4, 1000])
def test_constant_discount_has_no_fluctuations(n):
    assert ndcg_standard_deviation(Population("power:1"), Power(0.0), n) == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("n", [100, 10**4, 10**12])
def test_perfect_rankings_do_not_fluctuate(n):
    for discount in (Log(), Power(0.3), Zipf(), Power(2.0)):
        assert ndcg_standard_deviation(Population("step:0.7:0:1"), discount, n) == pytest.approx(
            0.0, abs=1e-9
        )


def test_order_of_magnitude_at_any_length():
    """n**-1/2 / log n for the standard discount, n**-1/2 for a power below one half."""
    lengths = np.array([1e6, 1e20, 1e60, 1e100])
    log_scaled = [
        ndcg_standard_deviation(Population("power:1"), Log(), n) * np.sqrt(n) * np.log(n) for n in lengths
    ]
    power_scaled = [
        ndcg_standard_deviation(Population("power:1"), Power(0.25), n) * np.sqrt(n) for n in lengths
    ]
    assert np.ptp(log_scaled) < 0.06 * log_scaled[-1]
    assert np.ptp(power_scaled) < 0.01 * power_scaled[-1]
    # At the next exponents the scaled value would grow: by log n, and by n**0.05.
    assert np.ptp(log_scaled * np.log(lengths)) > log_scaled[-1]
    assert np.ptp(power_scaled * lengths**0.05) > power_scaled[-1]


def test_limit_of_the_scaled_variance_in_closed_form():
    """ybar = 1/2, D = r**-beta, n large: U**-beta terms only.

    With A(u) = (1 - u**-beta) / 2 and N = p**beta the projection is Y U**-beta - U**-beta / 2 - Y up to a
    constant, that is (Y - 1/2)(U**-beta - 1), with variance (1/4) E (U**-beta - 1)**2.
    """
    beta, n = 0.25, 1e100
    second_moment = 1 / (1 - 2 * beta) - 2 / (1 - beta) + 1
    ideal = 0.5 ** (1 - beta) / (1 - beta)
    expected = np.sqrt(second_moment / 4) / ideal
    scaled = ndcg_standard_deviation(Population("constant:0.5"), Power(beta), n) * np.sqrt(n)
    assert scaled == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("beta", [0.6, 0.75, 0.9])
def test_above_one_half_the_top_decides(beta):
    """``n**(1-beta) sd`` tends to the deviation of ``sum r**-beta (xi_r - g(0))`` over the scaled ideal
    list.
    """
    n = 10**60
    top = np.sqrt(zeta(2 * beta) * 0.7 * 0.3)
    expected = top * (1 - beta) / 0.5 ** (1 - beta)
    deviation = ndcg_standard_deviation(Population("poly:0.7:-0.4"), Power(beta), n)
    assert deviation * 1e60 ** (1 - beta) == pytest.approx(expected, rel=1e-4)


def test_zipf_fluctuates_like_one_over_log_n():
    n = 10**100
    ideal = 100 * np.log(10) + np.log(0.5) + np.euler_gamma
    expected = np.sqrt(zeta(2) * 0.7 * 0.3) / ideal
    assert ndcg_standard_deviation(Population("poly:0.7:-0.4"), Zipf(), n) == pytest.approx(
        expected, rel=1e-3
    )


@pytest.mark.parametrize("discount", [Power(1.5), Power(3.0), Geometric(0.5), Geometric(0.9)])
@pytest.mark.parametrize("population", [Population("poly:0.7:-0.4"), GRADED], ids=["binary", "graded"])
def test_summable_discounts_have_the_variance_of_their_limit_law(discount, population):
    law = limit_law(population, discount)
    values, chances = np.array(law.values), np.array(law.probabilities)
    spread = chances @ values**2 - (chances @ values) ** 2
    ranks = np.arange(1, 10**6)
    tail = zeta(discount.beta, 10**6) if isinstance(discount, Power) else 0.0
    share = np.sum(discount(ranks) ** 2) / (discount(ranks).sum() + tail) ** 2
    expected = np.sqrt(spread * share)
    assert ndcg_standard_deviation(population, discount, 10**15) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize(
    "discount, n, k, message",
    [
        (lambda r: 1.0 / r, 1000, None, "discount="),
        (Log(), 1.5, None, "n=1.5"),
        (Log(), 0, None, "n=0: expected a whole number >= 1"),
        (Log(), 2, None, r"n=2: expected n \* p > 1"),
        (Log(), float("nan"), None, "n=nan"),
        (Log(), float("inf"), None, "n=inf"),
        (Log(), 1000, 0, "k=0"),
        (Log(), 1000, 1.5, "k=1.5"),
    ],
)
def test_bad_input_is_rejected(discount, n, k, message):
    with pytest.raises(ValueError, match=message):
        ndcg_standard_deviation(Population("constant:0.5"), discount, n, k)


def test_labels_whose_ideal_dcg_vanishes_are_rejected():
    with pytest.raises(ValueError, match="noisy labels at the top"):
        ndcg_standard_deviation(Population("step:0.7:0.2:1"), Geometric(0.5), 10**6)
    for population, share in ((GRADED, "0.166667"), (Population("constant:0"), "0")):
        with pytest.raises(ValueError, match=rf"expected n \* p > 1 where p = P\(Y = top grade\) = {share}$"):
            ndcg_standard_deviation(population, Log(), 5)
    with pytest.raises(ValueError, match="ideal DCG different from 0"):
        ndcg_standard_deviation(Population({1: "constant:0.5", -1: "constant:0.5"}), Power(0.0), 1000)


def test_above_each_is_the_integral_from_the_top():
    u, du = depth_grid(100, (), 100)
    assert np.allclose(above_each(3.0 * u**2, du), u**3, rtol=1e-12, atol=1e-14)


def test_panels_double_from_the_top_halve_towards_the_bottom_and_are_never_wider_than_a_32nd():
    n = 10**6
    u, du = depth_grid(n, (0.3,), n)
    widths = du.sum(axis=1)
    starts = np.append(0.0, np.cumsum(widths)[:-1])
    assert widths.sum() == pytest.approx(1.0, rel=1e-14) and np.isclose(starts, 0.3, atol=1e-14).any()
    assert 0.0 < u.min() and u.max() < 1.0
    assert widths[0] == pytest.approx(1 / (4 * n)) and widths[-1] == pytest.approx(2.0**-30)
    assert widths.max() == pytest.approx(1 / 32)
    assert np.all(widths[1:] <= starts[1:] * (1 + 1e-9))
    low = starts >= 31 / 32 - 1e-12
    assert np.all(widths[low][:-1] <= (1 - starts[low][:-1]) / 2 * (1 + 1e-6))


@pytest.mark.parametrize("k", [5, 300, 995])
def test_panels_are_a_standard_deviation_wide_around_the_cutoff(k):
    share, n = k / 1000, 1000
    u, du = depth_grid(n, (), k)
    widths, deviation = du.sum(axis=1), np.sqrt(share * (1 - share) / n)
    middles = np.cumsum(widths) - widths / 2
    assert 0.0 < u.min() and u.max() < 1.0
    assert widths[np.abs(middles - share) < 9 * deviation].max() <= deviation * (1 + 1e-9)


@pytest.mark.parametrize("z", [-1.5, -0.5, 0.0, 0.7, 2.0])
def test_the_kink_is_what_is_left_of_the_variance_of_the_smaller_of_two_numbers(z):
    """Var min(M, k) less that of its projection, for M binomial, against all of its values."""
    n, width = 10**6, 0.4
    k = int(n * width + z * np.sqrt(n * width * (1 - width)))
    m = np.arange(n + 1)
    chance = binom.pmf(m, n, width)
    kept = np.minimum(m, k)
    variance = chance @ (kept - chance @ kept) ** 2
    slope = chance @ ((m - n * width) * kept) / (n * width * (1 - width))
    left = variance - slope**2 * n * width * (1 - width)
    assert ideal_kink(Power(0.0), n, k, [(1, width)]) == pytest.approx(left, rel=0.01)
    kinks = [ideal_kink(Power(0.5), n, k, steps) for steps in ([(3, width)], [(3, width), (1, 1.0)])]
    assert kinks == pytest.approx([9 / k * left] * 2, rel=0.01)


def test_the_kink_of_short_lists_and_of_none_where_the_whole_list_counts():
    """20 items of which one is not relevant, on average: their number has a variance below 1."""
    n, width, k = 20, 0.95, 19
    m = np.arange(n + 1)
    chance = binom.pmf(m, n, width)
    kept = np.minimum(m, k)
    spread = n * width * (1 - width)
    left = chance @ (kept - chance @ kept) ** 2 - (chance @ ((m - n * width) * kept)) ** 2 / spread
    assert ideal_kink(Power(0.0), n, k, [(1, width)]) == pytest.approx(left, rel=0.1)
    assert ideal_kink(Power(0.0), n, n, [(1, width)]) == 0.0


@pytest.mark.parametrize("rank, is_accepted", [(53, True), (54, False)])
def test_labels_are_looked_at_down_to_where_a_geometric_discount_is_lost(rank, is_accepted):
    """``2 ** -53.4`` of the first discount is ``exp(-37)``; before the rank given all labels are certain."""
    population = Population(f"step:{1 - rank / 10**6!r}:0.5:1")
    if is_accepted:
        assert ndcg_standard_deviation(population, Geometric(0.5), 10**6) < 1e-8
    else:
        with pytest.raises(ValueError, match="noisy labels at the top"):
            ndcg_standard_deviation(population, Geometric(0.5), 10**6)


def test_three_items_have_enough_relevant_ones():
    assert ndcg_standard_deviation(Population("constant:0.5"), Log(), 3) > 0.0


def test_values_of_a_curve_below_the_bottom_are_not_noise():
    below = Population(lambda s: np.where(s < 0.0, 0.5, s >= 0.5), breaks=(0.5,))
    with pytest.raises(ValueError, match="noisy labels at the top"):
        ndcg_standard_deviation(below, Geometric(0.5), 20)
