"""How likely a list of n items names the better of two rankers, and how many items that takes."""

from math import inf

import numpy as np
from scipy.special import ndtr

from ndcg_companion.measures.checks import real, refuse
from ndcg_companion.measures.cutoffs import Cutoff
from ndcg_companion.measures.discounts import Discount

from .exact import expected_gap
from .gaps import dcg_gap_standard_deviation
from .pairs import Pair

_PER_DECADE = 3
_FEWEST = 10


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
    mean, spread = expected_gap(pair, discount, n, k), dcg_gap_standard_deviation(pair, discount, n, k)
    refuse(not (spread or mean), "pair", pair, "rankers whose DCGs differ on some list; these always tie")
    return float(ndtr(mean / spread)) if spread > 0.0 else 0.5 + 0.5 * float(np.sign(mean))


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
        For another certainty, for ``most < 10``, and as `ahead_probability`.

    Examples
    --------
    >>> from ndcg_companion.measures import Log
    >>> from ndcg_companion.theory import Pair
    >>> pair = Pair("poly:0.54:-0.08", "poly:0.46:0.08")
    >>> [items_needed(pair, Log(), certainty) for certainty in (0.95, 0.99)]
    [2229.0, 4292.0]
    """
    real("certainty", certainty, lambda share: 0.5 < share < 1.0, "a number in (1/2, 1)")
    real("most", most, lambda n: _FEWEST <= n <= 1e100, f"a number from {_FEWEST} to 1e100")
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
