"""Exact expectations and extremes of DCG at a finite number of items."""

from functools import lru_cache
from math import inf

import numpy as np

from ndcg_companion.checks import is_real, raise_if
from ndcg_companion.measures import Log
from ndcg_companion.measures.cutoffs import Cutoff, cutoff
from ndcg_companion.measures.decay import KnownDecay
from ndcg_companion.measures.discounts import Discount, check_discount, discount_table

from .integrals import integrate
from .pairs import Pair, check_pair
from .populations import Population, check_population, ideal_sum

# Binomial distributions whose standard deviations are between two of these are summed together. Above the
# last one, sums are replaced by integrals.
_DEVIATION_LIMITS = (4.0, 12.0, 30.0)
_GAUSS_NODES, _GAUSS_WEIGHTS = np.polynomial.legendre.leggauss(40)
# Four terms at the edge of a sum over a < k that is replaced by an integral up to k - 1/2 (Euler-Maclaurin):
#   sum of f(a) = integral of f - f'/24 + 7 f'''/5760, derivatives at k - 1/2.
# With the differences d1 = f(k) - f(k-1) and d3 = f(k+1) - 3 f(k) + 3 f(k-1) - f(k-2), f' = d1 - d3/24 and
# f''' = d3, so the correction is -d1/24 + 17 d3/5760.
_EDGE_OFFSETS = np.array([-2.0, -1.0, 0.0, 1.0])
_EDGE_WEIGHTS = np.array([-17.0, 291.0, -291.0, 17.0]) / 5760.0
# Longer lists exceed the range of floats, and sums of more discounts do not fit into memory.
_LONGEST, _MOST_SUMMED = 1e100, 10**8
_TABLE_CELLS = 1 << 15  # about the most numbers in a table of distributions that are summed together
_MOST_CACHED = 1 << 13  # mean discounts are cached for at most this many depths
# 1 / (j (j - 1)) for j = 2, 3, ..., 12; see `_half_deviance`
_HALF_DEVIANCE_SERIES = 1.0 / (np.arange(2.0, 13.0) * np.arange(1.0, 12.0))


def whole_number(name, value, lowest, highest=_LONGEST):
    """Return a value such as 1e6 as an int; raise ValueError unless it is whole and in the range."""
    is_valid = is_real(value, lambda number: lowest <= number <= highest and number == number // 1)
    raise_if(not is_valid, name, value, f"a whole number >= {lowest}, of at most {highest:g}")
    return int(value)


def discounts(discount, n, count=None):
    """Return the discounts of the first ``count`` of n ranks, or of all ranks if ``count`` is None."""
    check_discount(discount)
    count = n if count is None else count
    check_summable("n", n, count)
    table, _ = discount_table(discount, n, count)
    return table[::-1].copy()  # the table starts with the last rank


def check_summable(name, value, count):
    """Raise ValueError if an argument requires a sum of so many discounts that they exceed the memory."""
    expected = f"at most {_MOST_SUMMED:,} for a discount whose values are all summed"
    raise_if(count > _MOST_SUMMED, name, value, expected)


def stretch_starts(first, last):
    """Return the first ranks of stretches whose lengths are about 1/10,000 of their ranks.

    >>> stretch_starts(1, 3), stretch_starts(5, 5)
    (array([1., 2., 3.]), array([5.]))
    """
    return np.unique(np.geomspace(float(first), float(last), int(1e4 * np.log(last / first)) + 2).round())


def binomial_mean(values, u):
    """Return ``E values[B]`` for each u, where B is binomial(len(values) - 1, u): a Bernstein polynomial.

    The result has the shape of u, followed by the shape of one value.
    """
    trials, depths = len(values) - 1, np.ravel(u)
    deviation = np.sqrt(trials * depths * (1.0 - depths))
    means = np.empty((depths.size, *values.shape[1:]))
    # Distributions of similar width are summed together in parts that fit into the processor's cache.
    order = deviation.argsort()
    # The table of a distribution has about 18 standard deviations + 80 columns (see `_binomial_terms`).
    rows_at_once = int(_TABLE_CELLS / (18.0 * deviation.max(initial=0.0) + 80.0) / max(values[0].size, 1)) + 1
    for start in range(0, depths.size, rows_at_once):
        rows = order[start : start + rows_at_once]
        ranks, weights = _binomial_terms(float(trials), depths[rows], deviation[rows], inf)
        # Numbers above `trials` have probability 0, so any value may stand there.
        indices = np.minimum(ranks - 1.0, trials).astype(int)
        # BLAS is avoided because its sums depend on the number of threads.
        means[rows] = np.einsum("ri,ri...->r...", weights, values[indices])
    return means.reshape((*np.shape(u), *values.shape[1:]))


def mean_discount(discount, n, u, k=None):
    """Return ``E[D(R); R <= k]`` for the rank ``R = 1 + Bin(n - 1, u)`` of an item at each depth u.

    For the discounts of this package the computing time does not depend on n. For any other callable, all n
    values are summed.
    """
    (means,) = mean_powers(discount, n, u, k, (1,))
    return means


def mean_powers(discount, n, u, k, powers):
    """Return ``E[D(R) ** power; R <= k]`` as a read-only array of shape (powers, depths)."""
    k = n if k is None else k
    if isinstance(discount, KnownDecay):
        means_of_powers = _known_means if u.size <= _MOST_CACHED else _known_means.__wrapped__
        return means_of_powers(discount, n, k, powers, u.tobytes())
    values, within_cutoff = discounts(discount, n), np.arange(n) < k
    return np.array([binomial_mean(values**power * within_cutoff, u) for power in powers])


@lru_cache(maxsize=512)  # all rankers that are compared under one discount share these means
def _known_means(discount, n, k, powers, depths):
    """Return `mean_powers` for depths that are given as bytes, which are hashable."""
    means = discount.mean_powers(powers, n, np.frombuffer(depths), k, rank_mean)
    means.setflags(write=False)
    return means


def rank_mean(function, n, u, k):
    """Return ``E[f(R); R <= k]`` for a smooth f of the rank ``R = 1 + Bin(n - 1, u)``, at each depth u.

    If f returns the values of several functions along a first axis, the result has the same first axis.
    """
    trials = float(n - 1)
    deviation = np.sqrt(trials * u * (1.0 - u))
    # Class i contains the distributions whose deviations are between the limits i - 1 and i.
    width_class_of_depth = np.searchsorted(_DEVIATION_LIMITS, deviation)
    means, masks = [], []
    for width_class in np.unique(width_class_of_depth):
        in_class = width_class_of_depth == width_class
        weigh_ranks = _binomial_terms if width_class < len(_DEVIATION_LIMITS) else _binomial_quadrature
        ranks, weights = weigh_ranks(trials, u[in_class], deviation[in_class], k)
        means.append((weights * function(ranks)).sum(axis=-1))
        masks.append(in_class)
    # If f returns several values, the means have a first axis for them, which is known only now.
    result = np.empty((*means[0].shape[:-1], len(u)))
    for in_class, means_of_class in zip(masks, means):
        result[..., in_class] = means_of_class
    return result


def _binomial_terms(trials, u, deviation, k):
    """Return the ranks on which a binomial distribution is summed, and their probabilities.

    Beyond rank k, the probabilities are set to 0. The probabilities are normalised products of the ratios of
    neighbouring probabilities, starting far below the mean or at 0. Differences of log-gamma functions would
    instead lose a digit for every factor of ten in the number of items. To avoid overflow, the products are
    computed for the number of items above or for the number of items below, whichever is smaller.
    """
    # Rows are depths and columns numbers of items: those above, or those below where `is_swapped`.
    rare_probability, is_swapped = np.minimum(u, 1.0 - u)[:, None], (u > 0.5)[:, None]
    # Beyond nine standard deviations, or forty items in the Poisson regime, all probabilities are below
    # 1e-18.
    half_width = (9.0 * deviation + 40.0)[:, None]
    first_count = np.floor(np.maximum(0.0, trials * rare_probability - half_width))
    counts = first_count + np.arange(np.ceil(2.0 * half_width.max()))
    previous_counts, weights = counts[:, :-1], np.ones_like(counts)
    # The arrays are large, so the work is done in place: weights contain 1 and the ratios, then their running
    # products. The ratio of P(B = b + 1) and P(B = b) is (trials - b) / (b + 1) * p / (1 - p). Beyond the
    # number of trials, ratios are negative, but a ratio of 0 comes before them.
    ratios = np.subtract(trials, previous_counts, out=weights[:, 1:])
    ratios /= previous_counts + 1.0
    ratios *= rare_probability / (1.0 - rare_probability)
    np.cumprod(weights, axis=1, out=weights)
    weights /= weights.sum(axis=1, keepdims=True)
    if is_swapped.any():
        counts = np.where(is_swapped, np.maximum(trials - counts, 0.0), counts)
    if k <= trials:
        weights[counts >= k] = 0.0  # an item with `count` items above it has rank count + 1
    counts += 1.0  # in place, now ranks
    return counts, weights


def _binomial_quadrature(trials, u, deviation, k):
    """Return nodes and weights that replace the sum, up to rank k, over a wide binomial distribution.

    The nodes are real ranks; each row belongs to one depth. The sum over the numbers below k is the integral
    up to k - 1/2 plus four terms at the edge, in which differences replace the derivatives of the
    Euler-Maclaurin formula. The error is about 1e-12 if the standard deviation of the binomial distribution
    is above 30.
    """
    mean, failures = (trials * u)[:, None], (trials * (1.0 - u))[:, None]
    # Gauss's rule from -half_range to upper_end; both are distances from the mean number of items above. The
    # probability beyond nine standard deviations is negligible.
    half_range = 9.0 * deviation[:, None]
    upper_end = np.clip(k - 0.5 - mean, -half_range, half_range) if k <= trials else half_range
    middles, half_widths = (upper_end - half_range) / 2.0, (upper_end + half_range) / 2.0
    distance, weights = middles + half_widths * _GAUSS_NODES, half_widths * _GAUSS_WEIGHTS
    if k <= trials:
        distance = np.concatenate([distance, k + _EDGE_OFFSETS - mean], axis=1)
        weights = np.concatenate([weights, np.broadcast_to(_EDGE_WEIGHTS, (len(u), 4))], axis=1)
    # So far from the mean the probability is negligible, and the formula below may be inaccurate.
    distance = np.clip(distance, -0.9 * mean, 0.9 * failures)
    items_above, items_below = mean + distance, failures - distance
    # log P(B = a) by Stirling's formula, for a items above and b items below with means m and f:
    # log sqrt(trials / (2 pi a b)) - (a log(a / m) + b log(b / f)) + remainders. Because a + b = m + f, the
    # bracket is the sum of the two half deviances a log(a / m) - (a - m) and b log(b / f) - (b - f).
    log_probability = 0.5 * np.log(trials / items_above / items_below / (2.0 * np.pi)) - _half_deviance(
        distance, mean
    )
    # The remainder of log(trials! / (a! b!)), minus the second half deviance.
    log_probability += (
        _stirling_remainder(trials)
        - _stirling_remainder(items_above)
        - _stirling_remainder(items_below)
        - _half_deviance(-distance, failures)
    )
    return 1.0 + items_above, weights * np.exp(log_probability)


def _half_deviance(distance, mean):
    """Return ``x log(x / mean) - (x - mean)`` at x = mean + distance, by a series near the mean."""
    # With t = distance / mean, this is mean * ((1 + t) log(1 + t) - t), and for small t
    # mean * t**2 * sum over j >= 2 of (-t)**(j - 2) / (j (j - 1)).
    t = distance / mean
    is_near = np.abs(t) < 0.03
    series = np.polynomial.polynomial.polyval(-np.where(is_near, t, 0.0), _HALF_DEVIANCE_SERIES)
    by_logarithm = (mean + distance) * np.log1p(t) - distance
    return np.where(is_near, distance * t * series, by_logarithm)


def _stirling_remainder(x):
    """Return the remainder of Stirling's formula for ``log x!``, accurate to 1e-11 for x >= 600."""
    return 1.0 / (12.0 * x)


def cutoff_points(n, k):
    """Return depths around the cut-off that are one standard deviation of the rank apart."""
    if k is None:
        return []
    # At the depth c = k / n, the rank has a standard deviation of sqrt(n c (1 - c)), which is
    # sqrt(c (1 - c) / n) in units of depth.
    fraction = k / n
    points = fraction + np.sqrt(fraction * (1.0 - fraction) / n) * np.arange(-9.0, 10.0)
    return [point for point in points.tolist() if 0.0 < point < 1.0]


def mean_dcg(curve, depths, discount, n, k=None):
    """Return ``n integral curve(u) E[D(R); R <= k] du``, R = 1 + Bin(n - 1, u).

    The integral ends at the last of the given depths. The curve is the mean label at depth u, or a difference
    of two such means.
    """
    # Near the top the mean discount changes from rank to rank, so the first panel is a quarter of a rank wide
    # and the next ones double.
    doubling_depths = 2.0 ** np.arange(-2.0, np.log2(float(n))) / n
    points = [0.0, *depths, *doubling_depths, *cutoff_points(n, k)]
    if not isinstance(discount, KnownDecay):
        points += [*(1.0 - doubling_depths)]  # the values of the curve at the last ranks are arbitrary
    points = np.unique([point for point in points if point <= max(depths)])
    # `integrate` expects values of about 1. If all discounts are 0, the scale is 1.
    scale = np.abs(points * mean_discount(discount, n, points, k)).max() or 1.0

    def integrand(u):
        return curve(u) * mean_discount(discount, n, u, k) / scale

    return float(n * scale * integrate(integrand, points))


def expected_dcg(population: Population, discount: Discount, n: int, k: Cutoff = None) -> float:
    """Return the exact expectation of DCG for n items.

    An item at depth u has rank 1 + B, where B, the number of items above it, is binomial(n - 1, u), so

        E DCG@k = n integral_0^1 G(u) E[D(1 + B); B < k] du,     G(u) = E[Y | depth u].

    Parameters
    ----------
    population : Population
        Distribution of labels by canonical score.
    discount : callable
        Any discount.
    n : int
        Number of items. For the discounts of this package, the computing time hardly depends on n. Other
        callables are evaluated at all n ranks, and the rest of the computing time grows like the square root
        of n.
    k : None, int, float or callable
        Cut-off: the whole list, a number of positions, a fraction of the list or a function of n.

    Returns
    -------
    float
        Relative accuracy about 1e-12.

    Raises
    ------
    ValueError
        If n is not a whole number >= 1 or k is not a cut-off.

    References
    ----------
    The expectation is that of Wang et al. 2013, claim 25, with the sum over ranks carried out.

    Examples
    --------
    >>> from ndcg_companion.measures import Zipf
    >>> from ndcg_companion.theory import Population
    >>> round(expected_dcg(Population("power:1"), Zipf(), 9, k=1), 12)  # E max of nine uniforms
    0.9
    >>> round(expected_dcg(Population("power:1"), Zipf(), 10**12), 9)  # log n + 0.577... - 1
    27.208236781
    """
    check_population(population)
    n = whole_number("n", n, 1)
    return mean_dcg(population.mean_at_depth, population.depths, discount, n, cutoff(k, n))


def expected_gap(pair: Pair, discount: Discount, n: int, k: Cutoff = None) -> float:
    """Return the exact expectation of ``h = DCG(f0) - DCG(f1)``.

    The expectation is ``n integral Delta(u) E[D(R); R <= k] du``. Two rankers of the same items have the same
    ideal DCG, so the sign of h determines which ranker is ahead. The integrand contains the difference of the
    curves, so a small gap loses no digits. The arguments are those of `expected_dcg`.

    Raises
    ------
    ValueError
        If n is not a whole number >= 1 or k is not a cut-off.

    Examples
    --------
    >>> from ndcg_companion.measures import Zipf
    >>> from ndcg_companion.theory import Pair
    >>> round(expected_gap(Pair("poly:0.7:-0.4", "poly:0.3:0.4"), Zipf(), 9, k=1), 12)
    0.32
    """
    check_pair(pair)
    n = whole_number("n", n, 1)
    return mean_dcg(pair.gap_at_depth, pair.depths, discount, n, cutoff(k, n))


def expected_ideal_dcg(population: Population, discount: Discount, n: int, k: Cutoff = None) -> float:
    """Return the exact expectation of the ideal DCG for n items.

    An ideal list is sorted by decreasing label. The ideal DCG is therefore a sum over neighbouring grades y >
    y'. A rectangle of height ``y - y'`` and width ``w = P(Y >= y)`` contributes its height times
    ``n integral_0^w E[D(1 + B); B < k] du`` with B binomial(n - 1, u). This integral is ``E S(min(M, k))``
    where ``S(m) = D(1) + ... + D(m)`` and M has the distribution binomial(n, w). The arguments are those of
    `expected_dcg`.

    Raises
    ------
    ValueError
        If n is not a whole number >= 1 or k is not a cut-off.

    References
    ----------
    The ideal DCG is that of Wang et al. 2013, definition 1; claim 27 replaces its expectation by ``F(n p)``.

    Examples
    --------
    >>> from ndcg_companion.measures import Zipf
    >>> from ndcg_companion.theory import Population
    >>> round(expected_ideal_dcg(Population("constant:0.5"), Zipf(), 3, k=1), 12)
    0.875
    """
    return float(sum(_ideal_parts(population, discount, n, k)))


def _ideal_parts(population, discount, n, k):
    """Return the contribution of each rectangle of the ideal list to the expected ideal DCG."""
    check_population(population)
    n = whole_number("n", n, 1)
    k = cutoff(k, n)
    steps = population.ideal_steps
    return [height * mean_dcg(np.ones_like, (width,), discount, n, k) for height, width in steps]


def expected_ndcg(population: Population, discount: Discount, n: int, k: Cutoff = None) -> float:
    """Return the expected DCG of n items divided by their expected ideal DCG.

    Because E DCG is ``E(NDCG * IDCG)``, the result is the mean NDCG, weighted by the ideal DCGs. The weighted
    mean differs from the unweighted mean by at most the standard deviation of NDCG times that of the ideal
    DCG, divided by the mean ideal DCG. The arguments are those of `expected_dcg`.

    Raises
    ------
    ValueError
        If n is not a whole number >= 1, k is not a cut-off, or the expected ideal DCG is 0.

    See Also
    --------
    pseudo_expectation : The continuous analogue, for lists of any length.

    References
    ----------
    Wang et al. 2013, definition 20 and lemma 21, with integrals instead of sums.

    Examples
    --------
    >>> from ndcg_companion.measures import Log
    >>> from ndcg_companion.theory import Population
    >>> for name, ranking in Population("power:2").rankings().items():
    ...     print(f"{name:13} {expected_ndcg(ranking, Log(), 1000):.3f}")
    by score      0.961
    random        0.799
    upside down   0.686
    reverse-ideal 0.669
    """
    ideal = ideal_sum(_ideal_parts(population, discount, n, k))
    return float(expected_dcg(population, discount, n, k) / ideal)


def reverse_ideal_ndcg(n: int, relevant: int, discount: Discount = Log()) -> float:
    """Return the exact NDCG of the worst ranking of n items.

    The worst ranking puts every relevant item below every irrelevant item. For lists that are too long to
    sum, use the continuous analogue ``integral_{n-m}^n D / integral_1^m D`` with ``m = p n``. This is the
    value of ``pseudo_expectation(Population("step:P:1:0"), discount, n)``.

    Parameters
    ----------
    n : int
        Number of items.
    relevant : int
        Number of relevant items, from 1 to n.
    discount : callable
        Any discount.

    Raises
    ------
    ValueError
        If n and relevant are not whole numbers with ``1 <= relevant <= n``.

    References
    ----------
    The value is the lower bound in the proof of Wang et al. 2013, theorem 4, equation 40.

    Examples
    --------
    >>> round(reverse_ideal_ndcg(3, 1), 12)
    0.5
    """
    n, relevant = whole_number("n", n, 1), whole_number("relevant", relevant, 1)
    raise_if(relevant > n, "relevant", relevant, f"at most n={n}")
    weights = discounts(discount, n)
    return float(weights[n - relevant :].sum() / weights[:relevant].sum())
