"""Discounted sums of gains, the basis of the measures; arguments are checked elsewhere."""

from typing import NamedTuple

import numpy as np

from ndcg_companion.checks import fail_if

from .cutoffs import cutoff, cutoffs
from .discounts import depends_on_n, discount_table
from .lists import Lists, is_short
from .ties import group_means, ranked, sort_groups

_BLOCK = 2**17


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
    sizes, size_of_list = np.unique(lists.sizes if query_sizes is None else query_sizes, return_inverse=True)
    cuts = cutoffs(k, sizes)
    if depends_on_n(discount):
        tables = [discount_table(discount, int(n), int(m)) for n, m in zip(sizes, cuts)]
        table = np.concatenate([np.zeros(0), *(values for values, _ in tables)])
        decreasing = all(table_decreases for _, table_decreases in tables)
        table_ends = np.cumsum(cuts)
    else:
        table, decreasing = discount_table(discount, None, int(cuts.max(initial=0)))
        table_ends = np.full(cuts.size, table.size)
    ranks = lists.ranks
    within_cutoff = ranks <= np.repeat(cuts[size_of_list], lists.sizes)
    weights = np.zeros(ranks.size)
    weights[within_cutoff] = table[(np.repeat(table_ends[size_of_list], lists.sizes) - ranks)[within_cutoff]]
    return Weights(weights, decreasing)


def actual_sum(lists, gains, weights, ties):
    """Return, for each list ranked by decreasing score, the sum of gains times weights."""
    values, decreasing = weights
    if lists.n and gains.size > 2 * _BLOCK and lists.sizes.size > 1:
        # Blocks of lists fit into the cache. Allocating memory for all lists at once costs as much as
        # sorting.
        step = max(_BLOCK // lists.n, 1)
        parts = []
        for first_list in range(0, lists.sizes.size, step):
            items = slice(first_list * lists.n, (first_list + step) * lists.n)
            sizes = lists.sizes[first_list : first_list + step]
            block = Lists(
                lists.labels[items], lists.scores[items], lists.starts[: sizes.size], sizes, lists.n, False
            )
            block_weights = Weights(values if values.size <= lists.n else values[items], decreasing)
            parts.append(actual_sum(block, gains[items], block_weights, ties))
        return np.concatenate(parts)
    if decreasing and lists.n and lists.sizes.size == 1 and is_short(values.size, lists.n):
        lists, gains = lists.keep_candidates(values.size, gains)
    gains, group_start = ranked(lists, gains, ties)
    if group_start is not None and ties == "average":
        gains = group_means(gains, group_start)
    elif group_start is not None and not decreasing:
        # The gains of a tied group are sorted, so the weights of its positions must be sorted as well.
        values = sort_groups(
            values if values.size == gains.size else np.tile(values, lists.sizes.size), group_start
        )
    return lists.dot(gains, values)


def highest_sum(lists, gains, weights):
    """Return the highest sum of gains times weights of each list, by sorting both in the same order."""
    values, decreasing = weights
    if not decreasing:
        return lists.dot(
            lists.sort(gains), lists.sort(values) if values.size == gains.size else np.sort(values)
        )
    return lists.dot(lists.sort(gains, top=values.size if lists.n else None), values)


def scaled(lists, gains, exponents=None):
    """Return gains, scaled by powers of two so that each list's maximum is near 1, and the exponents."""
    gains = gains.astype(float, copy=False)
    if exponents is None:
        _, exponents = np.frexp(lists.fold(np.maximum, np.abs(gains)))
    return np.ldexp(gains, -np.repeat(exponents, lists.sizes)), exponents


def within_floats(lists, gains, total):
    """Return ``total(gains)``, computed from scaled gains if an intermediate sum overflows."""
    with np.errstate(over="ignore", invalid="ignore"):
        totals = total(gains)
        if not np.isfinite(totals).all():
            smaller, exponents = scaled(lists, gains)
            totals = np.ldexp(total(smaller), exponents)
    fail_if(
        not np.isfinite(totals).all(),
        "labels: expected gains whose discounted sum is within the range of floats",
    )
    return totals


def no_gain(lists, gains):
    """Return, for each list, whether all gains are zero."""
    return ~lists.fold(np.maximum, gains != 0)
