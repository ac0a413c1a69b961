"""How far expectations at a finite number of items can be from their limits, for any relevance curve."""

import numpy as np

from ndcg_companion.measures import Power
from ndcg_companion.measures.checks import real
from ndcg_companion.measures.cutoffs import cutoff

from .exact import stretches, whole_number
from .limits import list_share

# So many ranks are summed one by one.
_FIRST = 1 << 22


def dcg_error_bound(beta: float, n: int, k: float | None = None) -> float:
    """Bound on ``abs(E DCG@k - n ** (1 - beta) * integral_0^c G(u) u ** -beta du)``, whatever the curve G is.

    The first r items, given the depth T of the next one, are uniform on (0, T), and T is Beta(r + 1, n - r).
    So the expected sum of their labels differs from ``n integral_0^(r/n) G`` by at most

        e(r) = r sqrt((n - r) / (n (r - 1))),     e(1) = 1,

    and summation by parts makes of this at most ``sum_(r<k) (D(r) - D(r+1)) e(r) + D(k) e(k)`` for DCG. What
    is then left of the sum over ranks beside the integral is at most ``(cn) ** (1-beta) / (1-beta) - (D(1) +
    ... + D(k))``.

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
        For labels from 0 to 1; in proportion for others, none of them negative. It grows like ``n ** max(0,
        1/2 - beta)`` (with log n at 1/2), against ``n ** (1 - beta)`` of DCG itself.

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
    real("beta", beta, lambda exponent: 0.0 < exponent < 1.0, "a number in (0, 1)")
    n, share = whole_number("n", n, 2), list_share(k)
    items, last = float(n), float(cutoff(share, n))
    first = int(min(last, _FIRST))
    # Every rank, and further down stretches of them that are at most a part in ten thousand too much
    # together.
    starts = np.append(np.arange(1.0, first), stretches(first, last))
    ends = np.append(starts[1:] - 1.0, last)
    weights = Power(beta)(starts)
    # e(r) with r taken at the end of the stretch where it increases and at the start where it decreases.
    counts = np.append(1.0, ends[1:] * np.sqrt((items - starts[1:]) / (items * (ends[1:] - 1.0))))
    # The trapezoids over a convex function are too large, so its sum is at least its integral and half the
    # ends.
    beyond = (last ** (1.0 - beta) - first ** (1.0 - beta)) / (1.0 - beta) + (
        weights[-1] - weights[first - 1]
    ) / 2.0
    cells = (share * items) ** (1.0 - beta) / (1.0 - beta) - weights[:first].sum() - beyond
    # Not a product of matrices, which would depend on the number of threads.
    by_parts = (-np.diff(weights) * counts[:-1]).sum()
    return float(by_parts + weights[-1] * counts[-1] + max(cells, 0.0))
