"""Cut-offs: how many positions of a list of n items count."""

from math import floor, isnan
from numbers import Integral, Real

import numpy as np


def cutoff(k, n):
    """Number of positions of a list of n items that count.

    Parameters
    ----------
    k : None, int, float or callable
        None is the whole list; an int a number of positions (more than n: all of them); a float in (0, 1] that
        fraction of the list, ``max(1, floor(k * n + 1e-9))``; a callable gives the number of positions for n, floored.
    n : int
        The size of the list.

    Raises
    ------
    ValueError
        For any other k, and for a callable that gives NaN or nothing above 0 for a list that is not empty.

    Examples
    --------
    >>> cutoff(None, 50), cutoff(10, 50), cutoff(0.25, 50), cutoff(lambda n: n**0.5, 50), cutoff(10, 5)
    (50, 10, 12, 7, 5)
    """
    if k is None:
        return n
    if isinstance(k, (bool, np.bool_)):
        raise ValueError(f"k={k!r}: expected None, an int, a fraction in (0, 1] or a callable of n")
    if isinstance(k, Integral):
        if k <= 0:
            raise ValueError(f"k={k!r}: expected a number of positions of at least 1")
        return min(int(k), n)
    if isinstance(k, Real):
        if not 0 < k <= 1:
            raise ValueError(f"k={k!r}: expected a fraction in (0, 1], or an int for a number of positions")
        # The 1e-9 makes 0.29 * 100 = 28.999... count 29 positions.
        return min(n, max(1, floor(k * n + 1e-9)))
    if not callable(k):
        raise ValueError(f"k={k!r}: expected None, an int, a fraction in (0, 1] or a callable of n")
    if n == 0:
        return 0
    positions = k(n)
    if (
        isinstance(positions, (bool, np.bool_))
        or not isinstance(positions, Real)
        or isnan(positions)
        or positions <= 0
    ):
        raise ValueError(f"k={k!r}: expected a number above 0 for every n, got {positions!r} for n={n}")
    return max(1, floor(min(positions, n) + 1e-9))
