"""The information in one query, for a measure that depends on the first few labels of its list."""

from collections.abc import Callable, Sequence

import numpy as np

from ndcg_companion.checks import all_true, check_float, check_int, raise_if, row_of_numbers, value_error
from ndcg_companion.measures.discounts import Discount, depends_on_n

from .exact import discounts

_MOST_LABELS = 16  # the most labels for which all patterns are enumerated
_MOST_RANKS = 10**7  # the most ranks over which discounts are summed


def effective_labels(discount: Discount, k: int | Sequence[int] | np.ndarray) -> float | np.ndarray:
    """Return the effective number of labels in DCG@k.

    The effective number is ``(D(1) + ... + D(k))**2 / (D(1)**2 + ... + D(k)**2)``. The mean of as many
    independent labels with equal weights has the same variance as the discounted mean of the first k labels.
    Suppose that each label is relevant with probability q, and that the ideal list has k relevant items. Then
    the variance of NDCG@k is ``q * (1 - q)`` divided by the effective number. The effective number is at most
    k, with equality for a constant discount.

    Parameters
    ----------
    discount : callable
        Function of the rank alone, positive at rank 1.
    k : int, or sequence of int
        Cut-offs, from 1 to 10,000,000.

    Returns
    -------
    float or ndarray
        An array if k is a sequence.

    Raises
    ------
    ValueError
        If an argument is invalid.

    See Also
    --------
    query_worth : The analogue for any measure, by enumeration of all patterns of at most 16 labels.

    References
    ----------
    Kish 1965, *Survey Sampling*, for weights in general.

    Examples
    --------
    >>> from ndcg_companion.measures import Log, Zipf
    >>> round(effective_labels(Log(), 10), 2), effective_labels(Zipf(), [1, 10, 1000]).round(2).tolist()
    (8.27, [1.0, 5.54, 34.08])
    """
    is_single = isinstance(k, (int, np.integer))
    cutoffs = row_of_numbers("k", [k] if is_single else k, "iu")
    if cutoffs is None or not all_true((cutoffs >= 1) & (cutoffs <= _MOST_RANKS)):
        raise value_error("k", k, f"integers from 1 to {_MOST_RANKS:,}")
    raise_if(depends_on_n(discount), "discount", discount, "a function of the rank alone")
    weights = discounts(discount, int(cutoffs.max()))
    raise_if(not weights[0] > 0, "discount", discount, "a discount that is positive at rank 1")
    # (D(1) + ... + D(k))**2 / (D(1)**2 + ... + D(k)**2) for every k, of which the requested ones are selected
    effective_numbers = (weights.cumsum() ** 2 / (weights**2).cumsum())[cutoffs - 1]
    return float(effective_numbers[0]) if is_single else effective_numbers


def query_worth(measure: Callable, q: float, positions: int = 10) -> float:
    """Return the number of independent labels to which the measure of one query is equivalent.

    Labels are independent and relevant with probability q. The worth is that for detecting a small change of
    q. If the measure has the mean ``mu(q)``, the worth of the measure is
    ``mu'(q) ** 2 * q * (1 - q) / variance``. The worth is at most the number of positions, with equality only
    for P@k and affine functions of it (Cramér and Rao). Consider two systems with independent pages whose
    probabilities q differ by a small difference. The number of queries needed to detect it is
    ``z ** 2 * 2 * q * (1 - q) / (worth * difference ** 2)``.

    Parameters
    ----------
    measure : callable
        Function of labels and scores, both of shape (lists, positions), such as the measures of
        ``ndcg_companion.measures``.
    q : float
        Probability that a label is relevant, strictly between 0 and 1.
    positions : int
        Number of labels, from 1 to 16; all patterns of the labels are enumerated.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If an argument is invalid, or if the measure is the same for all labels.

    Examples
    --------
    >>> from ndcg_companion.measures import DCG, RR
    >>> round(query_worth(DCG(), 0.5), 2), round(query_worth(RR(), 0.5), 2)
    (8.27, 1.47)
    """
    raise_if(not callable(measure), "measure", measure, "a callable of labels and scores")
    check_float("q", q, lambda number: 0 < number < 1, "a number above 0 and below 1")
    count = check_int("positions", positions, 1, _MOST_LABELS)
    # Each row consists of the binary digits of a number, so all patterns of labels occur.
    labels = np.arange(2**count)[:, None] >> np.arange(count) & 1
    # A pattern with h hits among k labels has the probability q**h (1 - q)**(k - h).
    values = _evaluate_rows(measure, labels)
    hits = labels.sum(axis=1)
    probabilities = q**hits * (1.0 - q) ** (count - hits)
    deviations = values - probabilities @ values
    variance = probabilities @ deviations**2
    raise_if(not variance > 0, "measure", measure, "a finite measure that depends on the labels")
    # mu'(q) = sum of probability * value * (h - q k) / (q (1 - q)), because the last factor times the
    # probability is the derivative of the probability. Deviations may replace the values, because the factor
    # has mean 0; then q k contributes nothing, because the deviations have mean 0.
    slope = probabilities @ (deviations * hits) / (q * (1 - q))
    return float(slope**2 * q * (1 - q) / variance)


def _evaluate_rows(measure, labels):
    """Return the measure of each row of labels; raise ValueError unless it is one number per row."""
    _, positions = labels.shape
    scores = np.broadcast_to(-np.arange(positions), labels.shape)  # in decreasing order in each row
    try:
        values = np.asarray(measure(labels, scores), dtype=float)
    except Exception as error:
        raise value_error("measure", measure, f"a function of labels and scores ({error})") from error
    raise_if(values.shape != (len(labels),), "measure", measure, "one number for each list")
    return values
