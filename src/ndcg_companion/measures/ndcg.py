"""DCG, ideal DCG and NDCG for any discount, gain and cut-off, exact over ties (Wang 2013, definition 1).

Implementations differ in several conventions. In this module, higher scores rank first, the logarithm is
natural, and the ideal ranking is cut off at the same k as the list. By default, the gain is the label itself,
tied scores are averaged over their orders, and the NDCG of a list without a relevant item is undefined.
"""

from math import nan

import numpy as np
from numpy.typing import ArrayLike

from ndcg_companion.checks import all_true, fail_if, raise_if

from .cutoffs import Cutoff
from .discounts import Discount, Log, check_discount
from .gains import Gain, gains_of
from .lists import Empty, check_empty, read_labels, read_lists
from .sums import actual_sum, has_no_gain, highest_sum, position_weights, scaled, within_floats
from .ties import Ties, check_ties

# If the ideal DCG is outside this range, the gains are first scaled by a power of two.
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
    """Return the discounted cumulative gain of items ranked by decreasing score.

    ``DCG = sum over ranks r <= k of gain(label at r) * discount(r)`` (Wang et al. 2013, definition 1).

    Parameters
    ----------
    labels, scores : array_like of shape (n,), (q, n), or (N,) with offsets
        Finite relevance labels, and scores, which may be infinite. Neither is rounded to another type.
    discount : callable
        Function of an array of ranks 1, 2, ..., or of the ranks and n if it has ``needs_n = True``.
    gain : {"linear", "exponential"} or callable
        The label itself ("linear"), ``2 ** label - 1`` ("exponential"), or any function of the array of
        labels.
    k : None, int, float or callable
        Cut-off: all positions, a number of positions, a fraction of the list in (0, 1] (rounded down, at
        least one position), or a function of n.
    ties : {"average", "best", "worst", "stable"}
        Treatment of equal scores: the expectation over a random order ("average"), the highest DCG ("best"),
        the lowest DCG ("worst"), or the input order ("stable").
    empty : {nan, 0, 1, "raise"}
        The value that a list gets if all its gains are zero.
    offsets : array_like of shape (q + 1,), optional
        List i consists of the items ``offsets[i]:offsets[i + 1]``.
    ideal : array_like of shape (m,), (q, m), or (M,) with ideal_offsets, optional
        The labels of *all* judged items of each query, in any order, including those of the list. These
        labels are needed for rankers that return only some of the judged items. Whether all gains are zero
        depends on these labels. If there are more judged items than items on the list, the number of judged
        items serves as n for a fractional or callable k and for a discount that needs n. The sum itself
        contains only the items of the list.
    ideal_offsets : array_like of shape (q + 1,), optional
        The judged labels of list i are ``ideal[ideal_offsets[i]:ideal_offsets[i + 1]]``.

    Returns
    -------
    float or ndarray of shape (q,)
        A float for a single list.

    Raises
    ------
    ValueError
        If an argument is invalid, a value is NaN, the lengths differ, or a sum overflows.

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
    # If all gains are zero, the sum is already 0, so empty=0 needs no mask.
    return lists.to_output(total, has_no_gain(judged, judged_gains) if empty != 0 else None, empty)


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
    """Return the highest discounted cumulative gain of any ranking of the items.

    Gains and discounts are sorted in the same order, which gives the maximum by the rearrangement inequality.
    For a decreasing discount, the best ranking sorts the items by decreasing label. The arguments, the result
    and the errors are those of `dcg`; ``scores`` and ``ties`` do not affect the result.

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
    # If all gains are zero, the sum is already 0, so empty=0 needs no mask.
    return lists.to_output(total, has_no_gain(lists, gains) if empty != 0 else None, empty)


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
    """Return the normalised discounted cumulative gain, DCG divided by ideal DCG.

    ``NDCG = DCG / IDCG``, where both are taken at the cut-off (Wang et al. 2013, definition 1). The
    arguments, the result and the errors are those of `dcg`, with three differences. First, labels, gains and
    the ideal DCG must not be negative. Second, a list has the value ``empty`` if its ideal DCG is zero,
    because it has no relevant item or all its positions have weight zero. Third, if ``ideal`` is given, the
    ideal DCG is computed from the labels in ``ideal``, so a ranker that returns few of the relevant items
    gets a lower NDCG.

    Raises
    ------
    ValueError
        If `dcg` would raise it, or if ``ideal`` has a lower DCG than the list. The labels in ``ideal`` must
        include those of the list.

    Examples
    --------
    >>> from ndcg_companion.measures import Zipf
    >>> ndcg([3, 0, 2], [0.3, 0.2, 0.1], discount=Zipf())
    0.9166666666666666
    >>> ndcg([[3, 0, 2], [0, 0, 0]], [[0.3, 0.2, 0.1], [0.3, 0.2, 0.1]], k=1, empty=0)
    array([1., 0.])

    Here are two results for a query with four relevant items, first without and then with all judged labels:

    >>> ndcg([1, 1], [2, 1], k=10), round(ndcg([1, 1], [2, 1], k=10, ideal=[1, 1, 1, 1]), 4)
    (1.0, 0.6367)

    For the first of two queries, the ranker returns all judged items, and for the second one of three:

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
        is_in_range = (ideal_sum >= _SMALLEST) & (ideal_sum <= _LARGEST)
        all_in_range = all_true(is_in_range)
        if not all_in_range and not (is_in_range | has_no_gain(judged, judged_gains)).all():
            # Both sums of a list are scaled by the same power of two, which does not change their ratio.
            judged_gains, exponents = scaled(judged, judged_gains)
            gains = judged_gains if ideal is None else scaled(lists, gains, exponents)[0]
            ideal_sum = highest_sum(judged, judged_gains, judged_weights)
        dcg_sum = actual_sum(lists, gains, weights, ties)
    raise_if(
        not (all_true(np.isfinite(dcg_sum)) and (all_in_range or all_true(np.isfinite(ideal_sum)))),
        "discount",
        discount,
        "sums of discounts within the range of floats",
    )
    # 1e-9 tolerates rounding in the two sums, which may be equal.
    if ideal is not None and (dcg_sum > ideal_sum + 1e-9 * np.abs(ideal_sum)).any():
        worst_list = int(np.argmax(dcg_sum - ideal_sum))
        raise ValueError(
            f"ideal: expected the labels of all judged items, got fewer or lower labels for list {worst_list}"
        )
    if all_in_range:
        return lists.to_output(dcg_sum / ideal_sum)
    raise_if((ideal_sum < 0).any(), "discount", discount, f"an ideal DCG >= 0, got {ideal_sum.min()}")
    return lists.to_output(dcg_sum / np.where(ideal_sum == 0, 1, ideal_sum), ideal_sum == 0, empty)


def _read_ideal(lists, ideal, offsets, negative=True):
    """Return the lists of all judged items and the number of items per query; None without `ideal`."""
    if ideal is None:
        raise_if(offsets is not None, "ideal_offsets", offsets, "None without ideal")
        return lists, None
    judged = read_labels(ideal, offsets, name="ideal", negative=negative)
    fail_if(
        judged.sizes.size != lists.sizes.size,
        f"ideal: expected labels for {lists.sizes.size} lists, got labels for {judged.sizes.size}",
    )
    return judged, np.maximum(lists.sizes, judged.sizes)
