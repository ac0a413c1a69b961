"""Discounted sums of gains, the basis of the measures; arguments are checked elsewhere."""

from typing import NamedTuple

import numpy as np

from ndcg_companion.checks import fail_if

from .cutoffs import cutoff, cutoffs
from .discounts import depends_on_n, discount_table
from .lists import Lists, is_short
from .ties import group_means, ranked, sort_groups

_BLOCK = 2**17  # number of items that are ranked at once


class Weights(NamedTuple):
    """The weight of each position, last rank first, and whether all weights are >= 0 and never increase."""

    values: np.ndarray
    decreasing: bool


def position_weights(lists, discount, k, query_sizes=None):
    """Return the discount of each position up to the cut-off, as `Weights`.

    Lists of equal size get one common table, which is restricted to the ranks within the cut-off if no other
    ranks are needed. If list sizes differ, each item gets its own weight, which is zero beyond the cut-off.
    If ``query_sizes``, of shape (q,), is given, its values serve as n for cut-offs and discounts that depend
    on n.
    """
    if lists.n is not None and query_sizes is None:
        weights, decreasing = discount_table(discount, lists.n, cutoff(k, lists.n))
        return Weights(
            weights if decreasing else np.append(np.zeros(lists.n - weights.size), weights), decreasing
        )
    cutoff(k, 0)  # rejects an invalid k even if there is no list
    # The arrays `sizes` and `cuts` have one entry for each distinct size; `size_index` finds that of a list.
    sizes, size_index = np.unique(lists.sizes if query_sizes is None else query_sizes, return_inverse=True)
    cuts = cutoffs(k, sizes)
    if depends_on_n(discount):
        tables = [discount_table(discount, int(n), int(cut)) for n, cut in zip(sizes, cuts)]
        table = np.concatenate([np.zeros(0), *(values for values, _ in tables)])
        decreasing = all(table_decreases for _, table_decreases in tables)
        table_ends = np.cumsum(cuts)
    else:
        table, decreasing = discount_table(discount, None, int(cuts.max(initial=0)))
        table_ends = np.full(cuts.size, table.size)
    # A table contains the ranks from the cut-off down to 1, so rank r is r positions before its end.
    ranks = lists.ranks
    is_within_cutoff = ranks <= np.repeat(cuts[size_index], lists.sizes)
    table_positions = np.repeat(table_ends[size_index], lists.sizes) - ranks
    weights = np.zeros(ranks.size)
    weights[is_within_cutoff] = table[table_positions[is_within_cutoff]]
    return Weights(weights, decreasing)


def actual_sum(lists, gains, weights, ties):
    """Return, for each list ranked by decreasing score, the sum of gains times weights."""
    weight_values, decreasing = weights
    if lists.n and gains.size > 2 * _BLOCK and lists.sizes.size > 1:
        # Blocks of lists fit into the cache. Allocating memory for all lists at once costs as much as
        # sorting.
        lists_per_block = max(_BLOCK // lists.n, 1)
        block_sums = []
        for first_list in range(0, lists.sizes.size, lists_per_block):
            items = slice(first_list * lists.n, (first_list + lists_per_block) * lists.n)
            sizes = lists.sizes[first_list : first_list + lists_per_block]
            block = Lists(
                lists.labels[items], lists.scores[items], lists.starts[: sizes.size], sizes, lists.n, False
            )
            # Weights are common to all lists, or there is one for each item.
            block_weights = Weights(
                weight_values if weight_values.size <= lists.n else weight_values[items], decreasing
            )
            block_sums.append(actual_sum(block, gains[items], block_weights, ties))
        return np.concatenate(block_sums)
    # For a short cut-off, items that cannot reach it are removed before sorting.
    if decreasing and lists.n and lists.sizes.size == 1 and is_short(weight_values.size, lists.n):
        lists, gains = lists.keep_candidates(weight_values.size, gains)
    gains, group_start = ranked(lists, gains, ties)
    if group_start is not None and ties == "average":
        gains = group_means(gains, group_start)
    elif group_start is not None and not decreasing:
        # The gains of a tied group are sorted, so the weights of its positions must be sorted as well.
        item_weights = (
            weight_values if weight_values.size == gains.size else np.tile(weight_values, lists.sizes.size)
        )
        weight_values = sort_groups(item_weights, group_start)
    return lists.dot(gains, weight_values)


def highest_sum(lists, gains, weights):
    """Return the highest sum of gains times weights of each list, by sorting both in the same order."""
    weight_values, decreasing = weights
    if not decreasing:
        sorted_weights = (
            lists.sort(weight_values) if weight_values.size == gains.size else np.sort(weight_values)
        )
        return lists.dot(lists.sort(gains), sorted_weights)
    return lists.dot(lists.sort(gains, top=weight_values.size if lists.n else None), weight_values)


def scaled(lists, gains, exponents=None):
    """Return gains, scaled by powers of two so that each list's maximum is near 1, and the exponents."""
    gains = gains.astype(float, copy=False)
    if exponents is None:
        # frexp writes x as f 2**e with 1/2 <= |f| < 1; e is the exponent.
        _, exponents = np.frexp(lists.fold(np.maximum, np.abs(gains)))
    return np.ldexp(gains, -np.repeat(exponents, lists.sizes)), exponents


def within_floats(lists, gains, sum_of_gains):
    """Return ``sum_of_gains(gains)``, of shape (q,), from scaled gains if an intermediate sum overflows."""
    with np.errstate(over="ignore", invalid="ignore"):
        totals = sum_of_gains(gains)
        if not np.isfinite(totals).all():
            # The sum of gains / 2**e is the true sum divided by 2**e, without rounding.
            scaled_gains, exponents = scaled(lists, gains)
            totals = np.ldexp(sum_of_gains(scaled_gains), exponents)
    fail_if(
        not np.isfinite(totals).all(),
        "labels: expected gains whose discounted sum is within the range of floats",
    )
    return totals


def has_no_gain(lists, gains):
    """Return, for each list, whether all gains are zero."""
    return ~lists.fold(np.maximum, gains != 0)
