"""What one query is worth to a measure that sees the first few labels of its list."""

from collections.abc import Callable, Sequence

import numpy as np

from ndcg_companion.checks import all_true, check_float, check_int, raise_if, row_of_numbers, value_error
from ndcg_companion.measures.discounts import Discount, depends_on_n

from .exact import discounts

_MOST = 16  # labels, of which all patterns are looked at
_LONGEST = 10**7  # ranks whose discounts are summed


def effective_labels(discount: Discount, k: int | Sequence[int] | np.ndarray) -> float | np.ndarray:
    """Effective sample size of the labels in DCG@k: ``(D(1) + ... + D(k))**2 / (D(1)**2 + ... + D(k)**2)``.

    So many independent labels that all count alike are as noisy as the first k under the discount. If each of
    these is relevant with chance q, NDCG@k over an ideal list of k relevant items has variance
    ``q * (1 - q)`` over this number. It is at most k, where all count alike.

    Parameters
    ----------
    discount : callable
        Of the rank alone, and positive at rank 1.
    k : int, or sequence of int
        Cut-offs, from 1 to 10,000,000.

    Returns
    -------
    float, or an array with one for each k

    Raises
    ------
    ValueError
        For arguments outside the above.

    See Also
    --------
    query_worth : The same for any measure, by looking at all patterns of at most 16 labels.

    References
    ----------
    Kish 1965, *Survey Sampling*, for weights in general.

    Examples
    --------
    >>> from ndcg_companion.measures import Log, Zipf
    >>> round(effective_labels(Log(), 10), 2), effective_labels(Zipf(), [1, 10, 1000]).round(2).tolist()
    (8.27, [1.0, 5.54, 34.08])
    """
    single = isinstance(k, (int, np.integer))
    sizes = row_of_numbers("k", [k] if single else k, "iu")
    if sizes is None or not all_true((sizes >= 1) & (sizes <= _LONGEST)):
        raise value_error("k", k, f"integers from 1 to {_LONGEST:,}")
    raise_if(depends_on_n(discount), "discount", discount, "a function of the rank alone")
    paid = discounts(discount, int(sizes.max()))
    raise_if(not paid[0] > 0, "discount", discount, "one that is positive at rank 1")
    labels = (paid.cumsum() ** 2 / (paid**2).cumsum())[sizes - 1]
    return float(labels[0]) if single else labels


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
    values = _measured(measure, labels)
    hits = labels.sum(axis=1)
    chances = q**hits * (1.0 - q) ** (size - hits)
    off = values - chances @ values
    variance = chances @ off**2
    raise_if(not variance > 0, "measure", measure, "one that is not the same, and a number, for all labels")
    slope = chances @ (off * hits) / (q * (1 - q))
    return float(slope**2 * q * (1 - q) / variance)


def _measured(measure, labels):
    """The measure of each row of labels, ranked as they stand; refused unless it is a number for each."""
    scores = np.broadcast_to(-np.arange(labels.shape[1]), labels.shape)
    try:
        values = np.asarray(measure(labels, scores), dtype=float)
    except Exception as error:
        raise value_error("measure", measure, f"a function of labels and scores ({error})") from error
    raise_if(values.shape != (len(labels),), "measure", measure, "one number for each list")
    return values
