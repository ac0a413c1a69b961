"""How likely one list of n items, or the mean over many queries, names the better of two rankers."""

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

_PER_DECADE = 3
_FEWEST = 10

_LARGEST_CUTOFF = 10_000
# Terms of the Fourier series, and how far its window reaches beyond the mean, in units of the root of the
# queries times the sum of w**2: what is outside has probability below 1e-17 by Hoeffding's inequality.
# The mean of T over a query is never above 1 in size. The last term is damped to exp(-9).
_TERMS, _WINDOW, _MOST, _DAMPING = 1 << 14, 6.5, 1.01, 3.0


def ahead_probability(pair: Pair, discount: Discount, n: int, k: Cutoff = None) -> float:
    """Probability that the first ranker is ahead on n items: ``Phi(E h / sd h)``, h = DCG(f0) - DCG(f1).

    Good where many items share in the decision: for `Log` and for `Power` with beta up to about 1/2. Where
    the first few ranks decide, h is not normal, and `winning_probability` has the limit.

    Parameters
    ----------
    pair : Pair
    discount : Log, Power, Zipf, Geometric or Linear
    n : int
        Number of items; the time does not depend on it.
    k : None, int, float or callable
        Cut-off, as for `ndcg_companion.measures.ndcg`.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        As `dcg_gap_standard_deviation`, and for rankers that always tie.

    Examples
    --------
    >>> from ndcg_companion.measures import Log
    >>> from ndcg_companion.theory import Pair
    >>> round(ahead_probability(Pair("poly:0.54:-0.08", "poly:0.46:0.08"), Log(), 1000), 3)
    0.864
    """
    mean, deviation = expected_gap(pair, discount, n, k), dcg_gap_standard_deviation(pair, discount, n, k)
    raise_if(
        not (deviation or mean), "pair", pair, "rankers whose DCGs differ on some list; these always tie"
    )
    with np.errstate(divide="ignore"):  # without a deviation nothing is left to chance
        return float(ndtr(np.divide(mean, deviation)))


def items_needed(
    pair: Pair, discount: Discount, certainty: float = 0.95, k: Cutoff = None, most: float = 10**15
) -> float:
    """The smallest n from which on a list names, with that certainty, the ranker ahead in the long run.

    Parameters
    ----------
    pair, discount, k
        As for `ahead_probability`, which is evaluated at three list lengths in every power of ten.
    certainty : float in (1/2, 1)
    most : int
        The longest lists that are considered, and what "in the long run" means.

    Returns
    -------
    float
        To a part in a thousand; infinite if even lists of `most` items do not name it with that certainty.

    Raises
    ------
    ValueError
        For another certainty, for ``most < 10``, for `most` above 100,000,000 with a discount that is not of
        this package, and as `ahead_probability`.

    Examples
    --------
    >>> from ndcg_companion.measures import Log
    >>> from ndcg_companion.theory import Pair
    >>> pair = Pair("poly:0.54:-0.08", "poly:0.46:0.08")
    >>> [items_needed(pair, Log(), certainty) for certainty in (0.95, 0.99)]
    [2229.0, 4292.0]
    """
    check_float("certainty", certainty, lambda share: 0.5 < share < 1.0, "a number in (1/2, 1)")
    check_float("most", most, lambda n: _FEWEST <= n <= 1e100, f"a number from {_FEWEST} to 1e100")
    if not isinstance(discount, KnownDecay):
        discounts(discount, 1)  # refuses what is no discount before it is called too long
        check_summable("most", most, most)
    ahead = ahead_probability(pair, discount, int(most), k) > 0.5

    def suffices(n):
        chance = ahead_probability(pair, discount, int(n), k)
        return (chance if ahead else 1.0 - chance) >= certainty

    decades = np.log10(most / _FEWEST)
    sizes = np.unique(np.rint(np.geomspace(_FEWEST, most, int(np.ceil(_PER_DECADE * decades)) + 1)))[::-1]
    short = next((i for i, n in enumerate(sizes) if not suffices(n)), None)
    if short is None:
        return float(sizes[-1])
    if short == 0:
        return inf
    low, high = sizes[short], sizes[short - 1]
    while high - low > max(1.0, 1e-3 * high):
        middle = np.floor((low + high) / 2.0)
        low, high = (low, middle) if suffices(middle) else (middle, high)
    return float(high)


def signal_and_noise(pair: Pair, discount: Discount, k: int, n: int | None = None) -> tuple[float, float]:
    """Mean and standard deviation, from query to query, of the difference of two rankers' NDCG@k.

    On long lists the first k labels of both rankers are 2k independent labels, relevant with probability q0
    and q1, the values of the curves at the top, and the ideal DCG@k is ``S(k) = D(1) + ... + D(k)``. With the
    weights ``w_r = D(r) / S(k)``, which sum to 1,

        signal = q0 - q1,        noise**2 = (q0 (1 - q0) + q1 (1 - q1)) * sum of w_r**2.

    Parameters
    ----------
    pair : Pair
        Its curves continuous at the top.
    discount : callable
        Of the rank alone where n is None; otherwise as for `gap_standard_deviation`.
    k : int
        The cut-off, from 1 to 10,000.
    n : int, optional
        Items on the list of each query; None is the limit of long lists.

    Returns
    -------
    signal, noise : float
        Exact where n is None. For an n they are the ratio of the means and `gap_standard_deviation`, good to
        some per cent where the list has more than k relevant items, ``n P(Y = 1) > 2 k`` for one.

    Raises
    ------
    ValueError
        Unless k is a whole number from 1 to 10,000; for a shared top in the limit, where the rankers tie; as
        `gap_standard_deviation` for an n.

    References
    ----------
    Not in Wang et al. 2013, which is about one list.

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
    """Limit, for long lists, of the probability that the first ranker has the larger mean NDCG@k.

    The sum T of the differences over the queries is one of independent terms, ``w_r`` times a label, whose
    characteristic function phi is a product. On a window (-A, A) that T does not leave the sign of T is a
    square wave, so that no density is needed and a tie counts as half:

        P(T > 0) + P(T = 0) / 2 = 1/2 + (2 / pi) * sum over odd j of Im phi(pi j / A) / j.

    Parameters
    ----------
    pair, discount, k
        As for `signal_and_noise` in the limit.
    queries : int
        Independent queries, on all of which both rankers are scored.

    Returns
    -------
    float
        Absolute accuracy 1e-5.

    Raises
    ------
    ValueError
        Unless queries is a whole number >= 1; as `signal_and_noise` in the limit.

    Notes
    -----
    At least ``1 - exp(-queries (q0 - q1)**2 / sum of w_r**2)`` if ``q0 > q1``, by Hoeffding's inequality, and
    1/2 if ``q0 = q1``, by symmetry.

    Examples
    --------
    >>> from ndcg_companion.measures import Log
    >>> pair = Pair("poly:0.54:-0.08", "poly:0.46:0.08")
    >>> [round(ahead_on_average(pair, Log(), 10, queries), 3) for queries in (1, 10, 50)]
    [0.627, 0.849, 0.989]
    """
    q0, q1, weights = _tops_and_weights(pair, discount, k)
    queries = whole_number("queries", queries, 1)
    deviation = _WINDOW * np.sqrt(queries * np.sum(weights**2))
    reach = min(queries * abs(q0 - q1) + deviation, _MOST * queries)
    odd = 2.0 * np.arange(_TERMS) + 1.0
    phi = np.ones(_TERMS, dtype=complex)
    for weight in weights:
        turn = np.exp(1j * np.pi * odd / reach * weight)
        phi *= (1.0 - q0 + q0 * turn) * (1.0 - q1 + q1 / turn)
    # Where few labels are in doubt phi does not die out, and terms that end at once would ring.
    damped = np.exp(-((_DAMPING * odd / odd[-1]) ** 2))
    chance = 0.5 + 2.0 / np.pi * np.sum(damped * (phi**queries).imag / odd)
    return float(np.clip(chance, 0.0, 1.0))


def _tops_and_weights(pair, discount, k):
    """The chances of a relevant item at either top, and what each rank counts for."""
    check_pair(pair)
    raise_if(depends_on_n(discount), "discount", discount, "a function of the rank alone")
    weights = discounts(discount, whole_number("k", k, 1, _LARGEST_CUTOFF))
    raise_if(pair.share, "pair", pair, "rankers that do not share their top; within it they tie")
    raise_if(not weights.sum() > 0.0, "discount", discount, "a positive sum over the first k ranks")
    return *tops(pair), weights / weights.sum()
