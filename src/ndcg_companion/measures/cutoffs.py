"""Cut-offs: how many positions of a list a measure takes into account."""

from collections.abc import Callable
from math import floor
from numbers import Integral, Real

import numpy as np

from ndcg_companion.checks import is_real, raise_if, value_error

Cutoff = int | float | Callable[[int], float] | None


def cutoff(k: Cutoff, n: int) -> int:
    """Return the number of positions of a list of n items within the cut-off.

    Parameters
    ----------
    k : None, int, float or callable
        None stands for the whole list, an int for a number of positions (all of them if k exceeds n), and a
        float in (0, 1] for that fraction of the list, which has ``max(1, floor(k * n + 1e-9))`` positions. A
        callable maps n to the number of positions, which is rounded down.
    n : int
        Number of items on the list.

    Returns
    -------
    int
        From 1 to n, or 0 for an empty list.

    Raises
    ------
    ValueError
        If k has none of these forms, or if it is a callable that returns NaN or a number <= 0 for a list that
        is not empty.

    Examples
    --------
    >>> cutoff(None, 50), cutoff(10, 50), cutoff(0.25, 50), cutoff(lambda n: n**0.5, 50), cutoff(10, 5)
    (50, 10, 12, 7, 5)
    """
    if k is None:
        return n
    if callable(k):
        return _positions(k, n) if n else 0
    raise_if(
        isinstance(k, bool) or not isinstance(k, Real),
        "k",
        k,
        "None, an int, a fraction in (0, 1] or a callable of n",
    )
    if isinstance(k, Integral):
        raise_if(k <= 0, "k", k, "a number of positions of at least 1")
        return min(int(k), n)
    raise_if(not 0 < k <= 1, "k", k, "a fraction in (0, 1], or an int for a number of positions")
    # The 1e-9 makes 0.29 * 100 = 28.999... count as 29 positions.
    return min(n, max(1, floor(k * n + 1e-9)))


def cutoffs(k: Cutoff, sizes: np.ndarray) -> np.ndarray:
    """Return the cut-off of each of several list sizes; see `cutoff`.

    >>> cutoffs(0.25, np.array([1, 8, 11]))
    array([1, 2, 2])
    """
    if k is None:
        return sizes
    if type(k) is float:
        cutoff(k, 0)  # rejects an invalid fraction
        # For each size n, the formula of `cutoff`: min(n, max(1, floor(k n + 1e-9))).
        return np.minimum(sizes, np.maximum(1, np.floor(k * sizes + 1e-9))).astype(np.intp)
    return np.array([cutoff(k, n) for n in sizes.tolist()], dtype=np.intp)


def _positions(k, n):
    """Return the number of positions that the function k gives for n, rounded down."""
    try:
        positions = k(n)
    except Exception as error:
        raise value_error("k", k, f"a function of n ({error})") from error
    raise_if(
        not is_real(positions, lambda count: count > 0),
        "k",
        k,
        f"a number above 0 for every n, got {positions!r} for n={n}",
    )
    # The 1e-9 makes 2.999..., a rounded 3, count as 3 positions.
    return max(1, floor(min(positions, n) + 1e-9))
