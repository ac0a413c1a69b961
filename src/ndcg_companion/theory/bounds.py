"""How far expectations at a finite number of items can be from their limits, for any relevance curve."""

import numpy as np

from ndcg_companion.measures import Power
from ndcg_companion.measures.cutoffs import cutoff

from .exact import whole_number
from .limits import cutoff_share


def dcg_error_bound(beta, n, k=None):
    """Bound on ``abs(E DCG@k - n ** (1 - beta) * integral_0^c G(u) u ** -beta du)``, whatever the curve G is.

    The first r items, given the depth T of the next one, are uniform on (0, T), and T is Beta(r + 1, n - r). So the
    expected sum of their labels differs from ``n integral_0^(r/n) G`` by at most

        e(r) = r sqrt((n - r) / (n (r - 1))),     e(1) = 1,

    and summation by parts makes of this at most ``sum_(r<k) (D(r) - D(r+1)) e(r) + D(k) e(k)`` for DCG. What is then
    left of the sum over ranks beside the integral is at most ``(cn) ** (1-beta) / (1-beta) - (D(1) + ... + D(k))``.

    Parameters
    ----------
    beta : float
        Exponent of the discount, ``0 < beta < 1``.
    n : int
        Number of items.
    k : float, optional
        The cut-off as a share c of the list, in (0, 1].

    Returns
    -------
    float
        For labels from 0 to 1; in proportion for others, none of them negative. It grows like ``n ** max(0, 1/2 - beta)``
        (with log n at 1/2), against ``n ** (1 - beta)`` of DCG itself.

    Raises
    ------
    ValueError
        For other arguments.

    References
    ----------
    Makes theorems 7, 13, 14 and 17 of Wang et al. 2013 quantitative; not stated there.

    Examples
    --------
    >>> round(dcg_error_bound(0.5, 100), 6)
    3.477927
    """
    if not 0.0 < beta < 1.0:
        raise ValueError(f"beta={beta!r}: expected a number in (0, 1)")
    n, share = whole_number("n", n, 2), cutoff_share(k)
    if share == 0.0:
        raise ValueError(f"k={k!r}: expected None or a share of the list in (0, 1]")
    weights = Power(beta)(np.arange(1, cutoff(share, n) + 1))
    ranks = np.arange(2, weights.size + 1)
    counts = np.append(1.0, ranks * np.sqrt((n - ranks) / (n * (ranks - 1.0))))
    cells = (share * n) ** (1.0 - beta) / (1.0 - beta) - weights.sum()
    by_parts = (
        -np.diff(weights) * counts[:-1]
    ).sum()  # a product of matrices would depend on the number of threads
    return float(by_parts + weights[-1] * counts[-1] + max(cells, 0.0))
