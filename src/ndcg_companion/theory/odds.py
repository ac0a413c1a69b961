"""The probability that one list of n items, or a mean over queries, identifies the better ranker."""

from math import inf

import numpy as np
from scipy.special import ndtr

from ndcg_companion.checks import check_float, raise_if
from ndcg_companion.measures.cutoffs import Cutoff
from ndcg_companion.measures.decay import KnownDecay
from ndcg_companion.measures.discounts import Discount, depends_on_n

from .exact import check_summable, discounts, expected_gap, expected_ideal_dcg, whole_number
from .gaps import dcg_gap_standard_deviation, gap_standard_deviation
from .pairs import Pair, check_pair, tops

_LENGTHS_PER_DECADE = 3
_SHORTEST_LIST = 10

_LARGEST_CUTOFF = 10_000
_TERMS = 1 << 14  # number of terms of the Fourier series
# The half-width of its window around the mean, in units of sqrt(queries * sum of w**2). By Hoeffding's
# inequality, the probability outside is below 1e-17.
_WINDOW_DEVIATIONS = 6.5
_BEYOND_LARGEST_TERM = 1.01  # the contribution of a query to T is at most 1 in absolute value
_DAMPING_ROOT = 3.0  # the last term is damped to exp(-3**2)


def ahead_probability(pair: Pair, discount: Discount, n: int, k: Cutoff = None) -> float:
    """Return the approximate probability that the first ranker is ahead on n items.

    The value is the normal approximation ``Phi(E h / sd h)`` with h = DCG(f0) - DCG(f1). This approximation
    is accurate if many items contribute to h: for `Log` and for `Power` with beta up to about 1/2. If the
    first few ranks determine the result, h is not normal; in this case, `winning_probability` returns the
    limit of the probability.

    Parameters
    ----------
    pair : Pair
        The two rankers.
    discount : Log, Power, Zipf, Geometric or Linear
        A discount with a known decay.
    n : int
        Number of items; the computing time hardly depends on it.
    k : None, int, float or callable
        Cut-off, as for `ndcg_companion.measures.ndcg`.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If `dcg_gap_standard_deviation` would raise it, or if the rankers always tie.

    Examples
    --------
    >>> from ndcg_companion.measures import Log
    >>> from ndcg_companion.theory import Pair
    >>> round(ahead_probability(Pair("poly:0.54:-0.08", "poly:0.46:0.08"), Log(), 1000), 3)
    0.864
    """
    mean, deviation = expected_gap(pair, discount, n, k), dcg_gap_standard_deviation(pair, discount, n, k)
    raise_if(
        not (deviation or mean), "pair", pair, "rankers whose DCGs differ on some list (these always tie)"
    )
    with np.errstate(divide="ignore"):  # if the standard deviation is 0, the result is 0 or 1
        return float(ndtr(np.divide(mean, deviation)))


def items_needed(
    pair: Pair, discount: Discount, certainty: float = 0.95, k: Cutoff = None, most: float = 10**15
) -> float:
    """Return the list length at which the better ranker is ahead with high probability.

    The better ranker is the one that is ahead in the long run. On a list of at least the returned length, the
    better ranker is ahead with probability at least ``certainty``.

    Parameters
    ----------
    pair, discount, k
        As for `ahead_probability`, which is evaluated at three list lengths per power of ten.
    certainty : float in (1/2, 1)
        Required probability.
    most : int
        Length of the longest lists considered. The ranker that is ahead in the long run is the one that is
        ahead at this length.

    Returns
    -------
    float
        Accurate to one part in a thousand; infinite if even lists of ``most`` items are too short.

    Raises
    ------
    ValueError
        If ``certainty`` is out of range, if ``most < 10``, if ``most`` exceeds 100,000,000 for a discount
        that is not from this package, or if `ahead_probability` would raise it.

    Examples
    --------
    >>> from ndcg_companion.measures import Log
    >>> from ndcg_companion.theory import Pair
    >>> pair = Pair("poly:0.54:-0.08", "poly:0.46:0.08")
    >>> [items_needed(pair, Log(), certainty) for certainty in (0.95, 0.99)]
    [2229.0, 4292.0]
    """
    check_float("certainty", certainty, lambda number: 0.5 < number < 1.0, "a number in (1/2, 1)")
    check_float(
        "most", most, lambda n: _SHORTEST_LIST <= n <= 1e100, f"a number from {_SHORTEST_LIST} to 1e100"
    )
    if not isinstance(discount, KnownDecay):
        discounts(discount, 1)  # rejects an invalid discount before checking `most`
        check_summable("most", most, most)
    first_is_better = ahead_probability(pair, discount, int(most), k) > 0.5

    def suffices(n):
        """Return whether the better ranker is ahead on n items with the required probability."""
        probability = ahead_probability(pair, discount, int(n), k)
        return (probability if first_is_better else 1.0 - probability) >= certainty

    # From the longest list down, find the first length that is too short; then bisect up to the next one.
    decades = np.log10(most / _SHORTEST_LIST)
    lengths = np.unique(
        np.rint(np.geomspace(_SHORTEST_LIST, most, int(np.ceil(_LENGTHS_PER_DECADE * decades)) + 1))
    )[::-1]
    index_too_short = next((i for i, n in enumerate(lengths) if not suffices(n)), None)
    if index_too_short is None:
        return float(lengths[-1])
    if index_too_short == 0:
        return inf
    # In decreasing order, the length before the first that is too short suffices.
    low, high = lengths[index_too_short], lengths[index_too_short - 1]
    while high - low > max(1.0, 1e-3 * high):
        middle = np.floor((low + high) / 2.0)
        low, high = (low, middle) if suffices(middle) else (middle, high)
    return float(high)


def signal_and_noise(pair: Pair, discount: Discount, k: int, n: int | None = None) -> tuple[float, float]:
    """Return mean and standard deviation, over queries, of the NDCG@k difference.

    On long lists, the first k labels of the two rankers are 2k independent labels. They are relevant with
    probabilities q0 and q1, which are the values of the two curves at the top. The ideal DCG@k is
    ``S(k) = D(1) + ... + D(k)``. With the weights ``w_r = D(r) / S(k)``, which sum to 1,

        signal = q0 - q1,        noise**2 = (q0 (1 - q0) + q1 (1 - q1)) * sum of w_r**2.

    Parameters
    ----------
    pair : Pair
        Two rankers whose curves are continuous at the top.
    discount : callable
        Function of the rank alone if n is None; otherwise as for `gap_standard_deviation`.
    k : int
        The cut-off, from 1 to 10,000.
    n : int, optional
        Number of items on the list of each query; None stands for the limit of long lists.

    Returns
    -------
    signal, noise : float
        Mean and standard deviation, exact if n is None. For finite n, the signal is the ratio of the means,
        and the noise is the result of `gap_standard_deviation`. Both values are accurate to a few per cent if
        the list has more than k relevant items, for instance if ``n P(Y = 1) > 2 k``.

    Raises
    ------
    ValueError
        If k is not a whole number from 1 to 10,000, if the rankers tie because n is None and the top is
        shared, or if `gap_standard_deviation` raises ValueError for a finite n.

    References
    ----------
    The result is not in Wang et al. 2013, which treats a single list.

    Examples
    --------
    >>> from ndcg_companion.measures import Log
    >>> pair = Pair("poly:0.54:-0.08", "poly:0.46:0.08")
    >>> [tuple(round(part, 4) for part in signal_and_noise(pair, Log(), 10, n)) for n in (1000, None)]
    [(0.0793, 0.244), (0.08, 0.245)]
    """
    if n is None:
        q0, q1, weights = _tops_and_weights(pair, discount, k)
        noise = np.sqrt((q0 * (1.0 - q0) + q1 * (1.0 - q1)) * np.sum(weights**2))
        return q0 - q1, float(noise)
    k = whole_number("k", k, 1, _LARGEST_CUTOFF)
    noise = gap_standard_deviation(pair, discount, n, k)
    return expected_gap(pair, discount, n, k) / expected_ideal_dcg(pair.population0, discount, n, k), noise


def ahead_on_average(pair: Pair, discount: Discount, k: int, queries: int) -> float:
    """Return the probability that the first ranker is ahead in mean NDCG@k.

    The probability is for long lists. Let T be the sum of the differences over the queries. T is a sum of
    independent terms, and each term is a label times ``w_r``. The characteristic function phi of T is
    therefore a product. On a window (-A, A) that contains T, the sign of T is a square wave. Therefore no
    density is needed. A tie counts as one half:

        P(T > 0) + P(T = 0) / 2 = 1/2 + (2 / pi) * sum over odd j of Im phi(pi j / A) / j.

    Parameters
    ----------
    pair, discount, k
        As for `signal_and_noise` with n = None.
    queries : int
        Number of independent queries on which both rankers are scored.

    Returns
    -------
    float
        Absolute accuracy 1e-5.

    Raises
    ------
    ValueError
        If ``queries`` is not a whole number >= 1, or if `signal_and_noise` raises it for n = None.

    Notes
    -----
    If ``q0 > q1``, the result is at least ``1 - exp(-queries (q0 - q1)**2 / sum of w_r**2)``, by Hoeffding's
    inequality. If ``q0 = q1``, the result is 1/2, by symmetry.

    Examples
    --------
    >>> from ndcg_companion.measures import Log
    >>> pair = Pair("poly:0.54:-0.08", "poly:0.46:0.08")
    >>> [round(ahead_on_average(pair, Log(), 10, queries), 3) for queries in (1, 10, 50)]
    [0.627, 0.849, 0.989]
    """
    q0, q1, weights = _tops_and_weights(pair, discount, k)
    queries = whole_number("queries", queries, 1)
    # A in the formula above: |E T| = queries |q0 - q1| plus a distance that T - E T does not exceed, or a
    # bound for |T| itself
    window_around_mean = _WINDOW_DEVIATIONS * np.sqrt(queries * np.sum(weights**2))
    half_width = min(queries * abs(q0 - q1) + window_around_mean, _BEYOND_LARGEST_TERM * queries)
    odd_numbers = 2.0 * np.arange(_TERMS) + 1.0
    # For one query, phi is the product of the characteristic functions of w_r xi_r and -w_r eta_r at
    # t = pi * odd / A, which are 1 - q0 + q0 exp(i t w_r) and 1 - q1 + q1 exp(-i t w_r).
    phi = np.ones(_TERMS, dtype=complex)
    for weight in weights:
        label_factor = np.exp(1j * np.pi * odd_numbers / half_width * weight)
        phi *= (1.0 - q0 + q0 * label_factor) * (1.0 - q1 + q1 / label_factor)
    # If few labels are uncertain, phi does not tend to 0, and without damping the series would oscillate
    # (Gibbs).
    damping = np.exp(-((_DAMPING_ROOT * odd_numbers / odd_numbers[-1]) ** 2))
    probability = 0.5 + 2.0 / np.pi * np.sum(damping * (phi**queries).imag / odd_numbers)
    return float(np.clip(probability, 0.0, 1.0))


def _tops_and_weights(pair, discount, k):
    """Return the probabilities that an item of either top is relevant, and the normalised weights."""
    check_pair(pair)
    raise_if(depends_on_n(discount), "discount", discount, "a function of the rank alone")
    weights = discounts(discount, whole_number("k", k, 1, _LARGEST_CUTOFF))
    raise_if(pair.share, "pair", pair, "rankers that do not share their top (within it they tie)")
    raise_if(not weights.sum() > 0.0, "discount", discount, "a positive sum over the first k ranks")
    return *tops(pair), weights / weights.sum()
