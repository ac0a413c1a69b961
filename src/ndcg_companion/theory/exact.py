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

# Binomial distributions are summed together that are about as wide; those with a larger standard deviation
# than the last of these are integrated instead.
_SUMMED = (4.0, 12.0, 30.0)
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(40)
# Four terms at the edge of a sum that has become an integral up to half a step beyond its last term.
_AT_EDGE, _EDGE_WEIGHTS = np.array([-2.0, -1.0, 0.0, 1.0]), np.array([-17.0, 291.0, -291.0, 17.0]) / 5760.0
# Longer lists leave the floats, and of so many discounts the sum leaves the memory.
_LONGEST, _MOST_SUMMED = 1e100, 10**8
_CELLS = 1 << 15  # numbers in a table of distributions
_MOST_KEPT = 1 << 13  # depths of which a mean discount is kept
_EXCESS_SERIES = 1.0 / (np.arange(2.0, 13.0) * np.arange(1.0, 12.0))


def whole_number(name, value, lowest, highest=_LONGEST):
    """The value as an int, refused unless it is whole, 1e6 for one, and from the lowest to the highest."""
    fits = is_real(value, lambda number: lowest <= number <= highest and number == number // 1)
    raise_if(not fits, name, value, f"a whole number >= {lowest}, of at most {highest:g}")
    return int(value)


def discounts(discount, n, count=None):
    """The discounts of the first `count` of n ranks (all if None), whether or not the discount needs n."""
    check_discount(discount)
    count = n if count is None else count
    check_summable("n", n, count)
    return discount_table(discount, n, count)[0][::-1].copy()


def check_summable(name, value, count):
    """Refuse an argument that asks for the sum of more values of a discount than memory holds."""
    expected = f"at most {_MOST_SUMMED:,} where all values of a discount are summed"
    raise_if(count > _MOST_SUMMED, name, value, expected)


def stretch_starts(first, last):
    """Where ranks from the first to the last begin a stretch, each longer than the one before by 1 in 10,000.

    >>> stretch_starts(1, 3), stretch_starts(5, 5)
    (array([1., 2., 3.]), array([5.]))
    """
    return np.unique(np.geomspace(float(first), float(last), int(1e4 * np.log(last / first)) + 2).round())


def binomial_mean(values, u):
    """``E values[B]`` with B binomial(len(values) - 1, u) for each u: the values' Bernstein polynomials."""
    trials, depths = len(values) - 1, np.ravel(u)
    deviation = np.sqrt(trials * depths * (1.0 - depths))
    means = np.empty((depths.size, *values.shape[1:]))
    # Distributions of about the same width together, in parts that stay in the processor's cache.
    order = deviation.argsort()
    together = int(_CELLS / (18.0 * deviation.max(initial=0.0) + 80.0) / max(values[0].size, 1)) + 1
    for start in range(0, depths.size, together):
        rows = order[start : start + together]
        ranks, weights = _summed(float(trials), depths[rows], deviation[rows], inf)
        within = np.minimum(ranks - 1.0, trials).astype(int)
        # Not BLAS, whose sums depend on the number of threads.
        means[rows] = np.einsum("ri,ri...->r...", weights, values[within])
    return means.reshape((*np.shape(u), *values.shape[1:]))


def mean_discount(discount, n, u, k=None):
    """``E[D(R); R <= k]`` for the rank ``R = 1 + Bin(n - 1, u)`` of an item at each of the depths u.

    For the discounts of this package the time does not depend on n; any other callable is summed over its n
    values."""
    return mean_powers(discount, n, u, k, (1,))[0]


def mean_powers(discount, n, u, k, powers):
    """``E[D(R) ** power; R <= k]`` for several powers: an array (powers, depths), not to be written into."""
    k = n if k is None else k
    if isinstance(discount, KnownDecay):
        means = _known_means if u.size <= _MOST_KEPT else _known_means.__wrapped__
        return means(discount, n, k, powers, u.tobytes())
    values, counted = discounts(discount, n), np.arange(n) < k
    return np.array([binomial_mean(values**power * counted, u) for power in powers])


@lru_cache(maxsize=512)  # they do not depend on the rankers, of which many are compared under one discount
def _known_means(discount, n, k, powers, depths):
    """`mean_powers` for the bytes of the depths."""
    means = discount.mean_powers(powers, n, np.frombuffer(depths), k, rank_mean)
    means.setflags(write=False)
    return means


def rank_mean(function, n, u, k):
    """``E[f(R); R <= k]`` for a smooth f of the rank ``R = 1 + Bin(n - 1, u)``, at each of the depths u.

    Of several functions, which f returns one after the other, the means are returned so as well."""
    trials = float(n - 1)
    deviation = np.sqrt(trials * u * (1.0 - u))
    width, means = np.searchsorted(_SUMMED, deviation), []
    for table in np.unique(width):
        rows, law = width == table, _summed if table < len(_SUMMED) else _integrated
        ranks, weights = law(trials, u[rows], deviation[rows], k)
        means.append((rows, (weights * function(ranks)).sum(axis=-1)))
    result = np.empty((*means[0][1].shape[:-1], len(u)))
    for rows, mean in means:
        result[..., rows] = mean
    return result


def _summed(trials, u, deviation, k):
    """Ranks at which a binomial variable is found, and their probabilities up to rank k.

    The probabilities are products of their ratios, from far below the mean or from 0, over their sum;
    differences of log-gamma functions would lose a digit for every power of ten. They are those of the number
    of items above or of items below, whichever are fewer, so that nothing overflows."""
    rare, swapped = np.minimum(u, 1.0 - u)[:, None], (u > 0.5)[:, None]
    # Beyond nine standard deviations (forty items where the law is like Poisson's) all are below 1e-18.
    reach = (9.0 * deviation + 40.0)[:, None]
    first = np.floor(np.maximum(0.0, trials * rare - reach))
    count = first + np.arange(np.ceil(2.0 * reach.max()))
    before, weights = count[:, :-1], np.ones_like(count)
    # In place, as the arrays are large: weights hold 1 and the ratios, then their running products.
    # Beyond all trials the ratios are negative, but follow one that is 0.
    ratios = np.subtract(trials, before, out=weights[:, 1:])
    ratios /= before + 1.0
    ratios *= rare / (1.0 - rare)
    np.cumprod(weights, axis=1, out=weights)
    weights /= weights.sum(axis=1, keepdims=True)
    if swapped.any():
        count = np.where(swapped, np.maximum(trials - count, 0.0), count)
    if k <= trials:
        weights[count >= k] = 0.0
    count += 1.0
    return count, weights


def _integrated(trials, u, deviation, k):
    """Nodes and weights for which a sum over a wide binomial distribution, up to rank k, is an integral.

    The sum over the numbers below k is the integral up to k - 1/2 and, with the differences for the
    derivatives in Euler and Maclaurin's formula, four terms at the edge: to 1e-12 for deviations above 30.
    """
    mean, failures = (trials * u)[:, None], (trials * (1.0 - u))[:, None]
    reach = 9.0 * deviation[:, None]
    edge = np.clip(k - 0.5 - mean, -reach, reach) if k <= trials else reach
    middle, half = (edge - reach) / 2.0, (edge + reach) / 2.0
    distance, weights = middle + half * _NODES, half * _WEIGHTS
    if k <= trials:
        distance = np.concatenate([distance, k + _AT_EDGE - mean], axis=1)
        weights = np.concatenate([weights, np.broadcast_to(_EDGE_WEIGHTS, (len(u), 4))], axis=1)
    # Nothing is found that far from the mean, and the formula below need not hold there.
    distance = np.clip(distance, -0.9 * mean, 0.9 * failures)
    above, below = mean + distance, failures - distance
    log_probability = 0.5 * np.log(trials / above / below / (2.0 * np.pi)) - _excess(distance, mean)
    log_probability += _stirling(trials) - _stirling(above) - _stirling(below) - _excess(-distance, failures)
    return 1.0 + above, weights * np.exp(log_probability)


def _excess(distance, mean):
    """``x log(x / mean) - (x - mean)``, x = mean + distance; near the mean by its series, to all digits."""
    relative = distance / mean
    close = np.abs(relative) < 0.03
    series = np.polynomial.polynomial.polyval(-np.where(close, relative, 0.0), _EXCESS_SERIES)
    direct = (mean + distance) * np.log1p(relative) - distance
    return np.where(close, distance * relative * series, direct)


def _stirling(x):
    """What Stirling's formula for ``log x!`` leaves out, to 1e-11 from x = 600 on."""
    return 1.0 / (12.0 * x)


def cutoff_points(n, k):
    """Depths on both sides of which an item is within the cut-off or beyond, a standard deviation apart."""
    if k is None:
        return []
    share = k / n
    points = share + np.sqrt(share * (1.0 - share) / n) * np.arange(-9.0, 10.0)
    return [point for point in points.tolist() if 0.0 < point < 1.0]


def mean_dcg(curve, depths, discount, n, k=None):
    """``n integral curve(u) E[D(R); R <= k] du`` down to the last of the depths, R = 1 + Bin(n - 1, u).

    The curve is the mean label at depth u, or a difference of two.
    """
    doubling = 2.0 ** np.arange(-2.0, np.log2(float(n))) / n
    points = [0.0, *depths, *doubling, *cutoff_points(n, k)]
    if not isinstance(discount, KnownDecay):
        points += [*(1.0 - doubling)]  # its last values may be anything
    points = np.unique([point for point in points if point <= max(depths)])
    size = np.abs(points * mean_discount(discount, n, points, k)).max() or 1.0

    def integrand(u):
        return curve(u) * mean_discount(discount, n, u, k) / size

    return float(n * size * integrate(integrand, points))


def expected_dcg(population: Population, discount: Discount, n: int, k: Cutoff = None) -> float:
    """Exact expectation of DCG for n items.

    An item at depth u has rank 1 + B, where B, the number of items above it, is binomial(n - 1, u), so

        E DCG@k = n integral_0^1 G(u) E[D(1 + B); B < k] du,     G(u) = E[Y | depth u].

    Parameters
    ----------
    population : Population
    discount : callable
        Any discount.
    n : int
        Number of items. The time hardly depends on it for the discounts of this package; for other callables,
        all n values are needed, and the time grows like the square root of n.
    k : None, int, float or callable
        Cut-off: the whole list, a number of positions, a fraction of the list or a function of n.

    Returns
    -------
    float
        Relative accuracy about 1e-12.

    Raises
    ------
    ValueError
        Unless n is a whole number >= 1 and k a cut-off.

    References
    ----------
    Wang et al. 2013, claim 25, with the sum over ranks carried out.

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
    """Exact expectation of ``h = DCG(f0) - DCG(f1)``: ``n integral Delta(u) E[D(R); R <= k] du``.

    Two rankers of the same items share the ideal DCG, so the sign of h decides who is ahead. The two
    expectations are not subtracted, so a small gap keeps its digits. Arguments as for `expected_dcg`.

    Raises
    ------
    ValueError
        Unless n is a whole number >= 1 and k a cut-off.

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
    """Exact expectation of the ideal DCG for n items.

    An ideal list is a ranking by the labels, so it is a sum over neighbouring grades y > y' of rectangles of
    height ``y - y'`` and width ``w = P(Y >= y)``, each ``n integral_0^w E[D(1 + B); B < k] du`` with B
    binomial(n - 1, u); that is ``E S(min(M, k))`` with ``S(m) = D(1) + ... + D(m)`` and M binomial(n, w).
    Arguments as for `expected_dcg`.

    Raises
    ------
    ValueError
        Unless n is a whole number >= 1 and k a cut-off.

    References
    ----------
    Wang et al. 2013, definition 1; claim 27 replaces this by ``F(n p)``.

    Examples
    --------
    >>> from ndcg_companion.measures import Zipf
    >>> from ndcg_companion.theory import Population
    >>> round(expected_ideal_dcg(Population("constant:0.5"), Zipf(), 3, k=1), 12)
    0.875
    """
    return float(sum(_ideal_parts(population, discount, n, k)))


def _ideal_parts(population, discount, n, k):
    """What each rectangle of the ideal list adds to the expected ideal DCG."""
    check_population(population)
    n = whole_number("n", n, 1)
    k = cutoff(k, n)
    steps = population.ideal_steps
    return [height * mean_dcg(np.ones_like, (width,), discount, n, k) for height, width in steps]


def expected_ndcg(population: Population, discount: Discount, n: int, k: Cutoff = None) -> float:
    """Expected DCG of n items over their expected ideal DCG: the mean NDCG, weighted by ideal DCGs.

    Lists with a larger ideal DCG count for more. The plain mean differs from this by no more than the
    standard deviation of NDCG times that of the ideal DCG over its mean, since E DCG is
    ``E(NDCG * IDCG)``. Arguments as for `expected_dcg`.

    Raises
    ------
    ValueError
        Unless n is a whole number >= 1 and k a cut-off; when the expected ideal DCG vanishes.

    See Also
    --------
    pseudo_expectation : its continuous analogue, for lists of any length.

    References
    ----------
    Wang et al. 2013, definition 20 and lemma 21, there with integrals in place of the sums.

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
    """NDCG of the worst ranking of n items: every relevant item below every irrelevant one. Exact sums.

    For lists too long to sum, the continuous analogue ``integral_{n-m}^n D / integral_1^m D`` with
    ``m = p n`` is ``pseudo_expectation(Population("step:P:1:0"), discount, n)``.

    Parameters
    ----------
    n : int
        Number of items.
    relevant : int
        Number of relevant items, from 1 to n.
    discount : callable

    Raises
    ------
    ValueError
        Unless n and relevant are whole numbers with ``1 <= relevant <= n``.

    References
    ----------
    Wang et al. 2013, theorem 4: the lower bound in its proof, equation 40.

    Examples
    --------
    >>> round(reverse_ideal_ndcg(3, 1), 12)
    0.5
    """
    n, relevant = whole_number("n", n, 1), whole_number("relevant", relevant, 1)
    raise_if(relevant > n, "relevant", relevant, f"at most n={n}")
    weights = discounts(discount, n)
    return float(weights[n - relevant :].sum() / weights[:relevant].sum())
