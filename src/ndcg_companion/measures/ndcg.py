"""DCG, ideal DCG and NDCG for any discount, gain and cut-off, exact over ties (Wang 2013, definition 1).

Conventions that implementations disagree about, as they are here: higher scores rank first; the logarithm is
natural; the gain is the label itself unless said otherwise; tied scores are averaged over their orders; the
ideal ranking is cut off at the same k; a list without a relevant item has no NDCG."""

from math import nan

import numpy as np
from numpy.typing import ArrayLike

from ndcg_companion.checks import all_true, fail_if, raise_if

from .cutoffs import Cutoff
from .discounts import Discount, Log, check_discount
from .gains import Gain, gains_of
from .lists import Empty, check_empty, read_labels, read_lists
from .sums import actual_sum, highest_sum, no_gain, position_weights, scaled, within_floats
from .ties import Ties, check_ties

# Sums of gains are trusted while the ideal DCG lies in here; else a power of two scales the gains first.
_SMALLEST, _LARGEST = 2.0**-900, 2.0**900


def dcg(
    labels: ArrayLike,
    scores: ArrayLike,
    *,
    discount: Discount = Log(),
    gain: Gain = "linear",
    k: Cutoff = None,
    ties: Ties = "average",
    empty: Empty = 0.0,
    offsets: ArrayLike | None = None,
    ideal: ArrayLike | None = None,
    ideal_offsets: ArrayLike | None = None,
) -> float | np.ndarray:
    """Discounted cumulative gain of ranking items by decreasing score.

    ``DCG = sum over ranks r <= k of gain(label at r) * discount(r)`` (Wang et al. 2013, definition 1).

    Parameters
    ----------
    labels, scores : array_like of shape (n,), (q, n), or (N,) with offsets
        Relevance labels, finite; and scores, infinite ones included. Their types are kept: nothing is
        rounded.
    discount : callable
        Of an array of ranks 1, 2, ...; or of ranks and n, if it has ``needs_n = True``.
    gain : {"linear", "exponential"} or callable
        The label, ``2 ** label - 1``, or any function of the array of labels.
    k : None, int, float or callable
        Positions that count: all, that many, that fraction in (0, 1] (rounded down, at least one), or a
        function of n.
    ties : {"average", "best", "worst", "stable"}
        Equal scores: the expectation over their random order, the highest or the lowest DCG, or the order
        they came in.
    empty : {nan, 0, 1, "raise"}
        What a list with no gain but zero gets.
    offsets : array_like of shape (q + 1,), optional
        List i holds the items ``offsets[i]:offsets[i + 1]``.
    ideal : array_like of shape (m,), (q, m), or (M,) with ideal_offsets, optional
        Where a ranker returns only some of the judged items: the labels of *all* judged items of each list,
        those of the list included, in any order. It decides whether a list has no gain but zero; and a
        fraction or a callable k, or a discount that needs n, takes for n the number of judged items if that
        is larger. The sum itself is over the items of the list.
    ideal_offsets : array_like of shape (q + 1,), optional
        List i is judged by ``ideal[ideal_offsets[i]:ideal_offsets[i + 1]]``.

    Returns
    -------
    float or ndarray of shape (q,)
        One number for one list.

    Raises
    ------
    ValueError
        For arguments outside the above, NaN, unequal lengths, and sums beyond the floats.

    Examples
    --------
    >>> from ndcg_companion.measures import Zipf
    >>> dcg([3, 0, 2], [0.3, 0.2, 0.1], discount=Zipf())
    3.6666666666666665
    """
    check_ties(ties)
    check_empty(empty)
    check_discount(discount)
    lists = read_lists(labels, scores, offsets)
    judged, query_sizes = _read_ideal(lists, ideal, ideal_offsets)
    gains = gains_of(lists.labels, gain)
    weights = position_weights(lists, discount, k, query_sizes)
    total = within_floats(lists, gains, lambda gains: actual_sum(lists, gains, weights, ties))
    judged_gains = gains if ideal is None else gains_of(judged.labels, gain, name="ideal")
    return lists.to_output(total, no_gain(judged, judged_gains) if empty != 0 else None, empty)


def ideal_dcg(
    labels: ArrayLike,
    scores: ArrayLike | None = None,
    *,
    discount: Discount = Log(),
    gain: Gain = "linear",
    k: Cutoff = None,
    ties: Ties = "average",
    empty: Empty = 0.0,
    offsets: ArrayLike | None = None,
) -> float | np.ndarray:
    """Highest discounted cumulative gain of any ranking of the items.

    Gains and discounts paired in the same order (rearrangement inequality), which for a decreasing discount
    is the order of the labels. Arguments, result and errors are those of `dcg`; the scores and the ties
    change nothing.

    >>> from ndcg_companion.measures import Zipf
    >>> ideal_dcg([3, 0, 2], discount=Zipf())
    4.0
    """
    check_ties(ties)
    check_empty(empty)
    check_discount(discount)
    lists = read_labels(labels, offsets) if scores is None else read_lists(labels, scores, offsets)
    gains = gains_of(lists.labels, gain)
    weights = position_weights(lists, discount, k)
    total = within_floats(lists, gains, lambda gains: highest_sum(lists, gains, weights))
    return lists.to_output(total, no_gain(lists, gains) if empty != 0 else None, empty)


def ndcg(
    labels: ArrayLike,
    scores: ArrayLike,
    *,
    discount: Discount = Log(),
    gain: Gain = "linear",
    k: Cutoff = None,
    ties: Ties = "average",
    empty: Empty = nan,
    offsets: ArrayLike | None = None,
    ideal: ArrayLike | None = None,
    ideal_offsets: ArrayLike | None = None,
) -> float | np.ndarray:
    """Normalised discounted cumulative gain: the DCG as a share of the ideal DCG.

    ``NDCG = DCG / IDCG``, both at the cut-off (Wang et al. 2013, definition 1). Arguments, result and errors
    are those of `dcg`, and moreover: labels and gains must not be negative, nor the ideal DCG; ``empty`` is
    what a list gets whose ideal DCG is zero, which has no relevant item or only worthless positions; and the
    ideal DCG is that of the labels in `ideal`, if they are given, so that a ranker that returns few of the
    relevant items is not flattered.

    Raises
    ------
    ValueError
        Also for an `ideal` whose DCG is below that of the list: it must hold the labels of the list.

    Examples
    --------
    >>> from ndcg_companion.measures import Zipf
    >>> ndcg([3, 0, 2], [0.3, 0.2, 0.1], discount=Zipf())
    0.9166666666666666
    >>> ndcg([[3, 0, 2], [0, 0, 0]], [[0.3, 0.2, 0.1], [0.3, 0.2, 0.1]], k=1, empty=0)
    array([1., 0.])

    Two results where four items are relevant, by themselves and beside all that was judged:

    >>> ndcg([1, 1], [2, 1], k=10), round(ndcg([1, 1], [2, 1], k=10, ideal=[1, 1, 1, 1]), 4)
    (1.0, 0.6367)

    Two queries: of the first all judged items are returned, of the second one of three.

    >>> ndcg([2, 0, 1], [3, 2, 1], offsets=[0, 2, 3], ideal=[2, 0, 1, 1, 0], ideal_offsets=[0, 2, 5]).round(4)
    array([1.    , 0.6131])
    """
    check_ties(ties)
    check_empty(empty)
    check_discount(discount)
    lists = read_lists(labels, scores, offsets, negative=False)
    judged, query_sizes = _read_ideal(lists, ideal, ideal_offsets, negative=False)
    gains = gains_of(lists.labels, gain, negative=False)
    weights = position_weights(lists, discount, k, query_sizes)
    judged_gains, judged_weights = gains, weights
    if ideal is not None:
        judged_gains = gains_of(judged.labels, gain, negative=False, name="ideal")
        judged_weights = position_weights(judged, discount, k, query_sizes)
    with np.errstate(over="ignore", invalid="ignore"):
        ideal_sum = highest_sum(judged, judged_gains, judged_weights)
        in_range = (ideal_sum >= _SMALLEST) & (ideal_sum <= _LARGEST)
        ordinary = all_true(in_range)
        if not ordinary and not (in_range | no_gain(judged, judged_gains)).all():
            judged_gains, exponents = scaled(judged, judged_gains)
            gains = judged_gains if ideal is None else scaled(lists, gains, exponents)[0]
            ideal_sum = highest_sum(judged, judged_gains, judged_weights)
        actual = actual_sum(lists, gains, weights, ties)
    raise_if(
        not (all_true(np.isfinite(actual)) and (ordinary or all_true(np.isfinite(ideal_sum)))),
        "discount",
        discount,
        "sums of discounts within the range of floats",
    )
    if ideal is not None and (actual > ideal_sum + 1e-9 * np.abs(ideal_sum)).any():
        position = int(np.argmax(actual - ideal_sum))
        raise ValueError(
            f"ideal: expected the labels of all judged items, got too few or too low ones for list {position}"
        )
    if ordinary:
        return lists.to_output(actual / ideal_sum)
    raise_if((ideal_sum < 0).any(), "discount", discount, f"an ideal DCG >= 0, got {ideal_sum.min()}")
    return lists.to_output(actual / np.where(ideal_sum == 0, 1, ideal_sum), ideal_sum == 0, empty)


def _read_ideal(lists, ideal, offsets, negative=True):
    """The lists of all judged items, and how many items each query has; None where the lists hold all."""
    if ideal is None:
        raise_if(offsets is not None, "ideal_offsets", offsets, "None without ideal")
        return lists, None
    judged = read_labels(ideal, offsets, name="ideal", negative=negative)
    fail_if(
        judged.sizes.size != lists.sizes.size,
        f"ideal: expected labels for {lists.sizes.size} lists, got them for {judged.sizes.size}",
    )
    return judged, np.maximum(lists.sizes, judged.sizes)
