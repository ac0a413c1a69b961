"""What one query is worth to a measure that sees the first few labels of its list."""

from collections.abc import Callable

import numpy as np

from ndcg_companion.checks import check_float, check_int, raise_if

_MOST = 16  # labels, of which all patterns are looked at


def query_worth(measure: Callable, q: float, positions: int = 10) -> float:
    """How many independent labels the measure of one query is worth, for seeing a small change in relevance.

    Labels are independent and relevant with chance q. With the mean ``mu(q)`` of the measure this is
    ``mu'(q) ** 2 * q * (1 - q) / variance``: at most the number of positions, and that for P@k alone, or what
    is affine in it (Cramér and Rao). To see a small difference of q in two systems with independent pages
    takes ``z ** 2 * 2 * q * (1 - q) / (worth * difference ** 2)`` queries.

    Parameters
    ----------
    measure : callable
        Of labels and scores, both of shape (lists, positions), such as those of
        ``ndcg_companion.measures``.
    q : float
        Above 0 and below 1.
    positions : int
        How many labels there are, from 1 to 16: all their patterns are looked at.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        For arguments outside the above, and for a measure that is the same for all labels.

    Examples
    --------
    >>> from ndcg_companion.measures import DCG, RR
    >>> round(query_worth(DCG(), 0.5), 2), round(query_worth(RR(), 0.5), 2)
    (8.27, 1.47)
    """
    raise_if(not callable(measure), "measure", measure, "a callable of labels and scores")
    check_float("q", q, lambda chance: 0 < chance < 1, "a number above 0 and below 1")
    size = check_int("positions", positions, 1, _MOST)
    labels = np.arange(2**size)[:, None] >> np.arange(size) & 1
    values = np.asarray(measure(labels, np.broadcast_to(-np.arange(size), labels.shape)), dtype=float)
    hits = labels.sum(axis=1)
    chances = q**hits * (1.0 - q) ** (size - hits)
    off = values - chances @ values
    variance = chances @ off**2
    raise_if(not variance > 0, "measure", measure, "one that is not the same, and a number, for all labels")
    slope = chances @ (off * hits) / (q * (1 - q))
    return float(slope**2 * q * (1 - q) / variance)
