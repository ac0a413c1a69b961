"""Discounted sums of gains: the mathematics behind the measures, for arguments that have been checked."""

from typing import NamedTuple

import numpy as np

from ndcg_companion.checks import fail_if

from .cutoffs import cutoff, cutoffs
from .discounts import depends_on_n, discount_table
from .lists import Lists, is_short
from .ties import group_means, ranked, sort_groups

_BLOCK = 2**17


class Weights(NamedTuple):
    """What each position counts, last rank first; whether it is >= 0 and never less for a better rank."""

    values: np.ndarray
    decreasing: bool


def position_weights(lists, discount, k, query_sizes=None):
    """The discount of each position up to the cut-off.

    For lists of one size one table for all, of the ranks that count if that suffices; otherwise one weight
    per item, zero beyond the cut-off. Cut-offs and discounts that depend on n take it from `query_sizes`, of
    shape (q,), if given."""
    if lists.n is not None and query_sizes is None:
        weights, decreasing = discount_table(discount, lists.n, cutoff(k, lists.n))
        return Weights(
            weights if decreasing else np.append(np.zeros(lists.n - weights.size), weights), decreasing
        )
    cutoff(k, 0)  # rejects a bad k even if there is no list
    sizes, size_of_list = np.unique(lists.sizes if query_sizes is None else query_sizes, return_inverse=True)
    cuts = cutoffs(k, sizes)
    if depends_on_n(discount):
        tables = [discount_table(discount, int(n), int(m)) for n, m in zip(sizes, cuts)]
        table = np.concatenate([np.zeros(0), *(values for values, _ in tables)])
        decreasing = all(table_decreases for _, table_decreases in tables)
        ends = np.cumsum(cuts)
    else:
        table, decreasing = discount_table(discount, None, int(cuts.max(initial=0)))
        ends = np.full(cuts.size, table.size)
    ranks = lists.ranks
    counted = ranks <= np.repeat(cuts[size_of_list], lists.sizes)
    weights = np.zeros(ranks.size)
    weights[counted] = table[(np.repeat(ends[size_of_list], lists.sizes) - ranks)[counted]]
    return Weights(weights, decreasing)


def actual_sum(lists, gains, weights, ties):
    """Sum of gains times weights of each list, ranked by decreasing score."""
    values, decreasing = weights
    if lists.n and gains.size > 2 * _BLOCK and lists.sizes.size > 1:
        # In blocks of lists that stay in the cache: fresh memory for all at once costs as much as sorting.
        step = max(_BLOCK // lists.n, 1)
        parts = []
        for first in range(0, lists.sizes.size, step):
            items, sizes = slice(first * lists.n, (first + step) * lists.n), lists.sizes[first : first + step]
            block = Lists(
                lists.labels[items], lists.scores[items], lists.starts[: sizes.size], sizes, lists.n, False
            )
            block_weights = Weights(values if values.size <= lists.n else values[items], decreasing)
            parts.append(actual_sum(block, gains[items], block_weights, ties))
        return np.concatenate(parts)
    if decreasing and lists.n and lists.sizes.size == 1 and is_short(values.size, lists.n):
        lists, gains = lists.keep_candidates(values.size, gains)
    gains, first = ranked(lists, gains, ties)
    if first is not None and ties == "average":
        gains = group_means(gains, first)
    elif first is not None and not decreasing:
        values = sort_groups(
            values if values.size == gains.size else np.tile(values, lists.sizes.size), first
        )
    return lists.dot(gains, values)


def highest_sum(lists, gains, weights):
    """Highest sum of gains times weights of each list over all rankings: both in the same order."""
    values, decreasing = weights
    if not decreasing:
        return lists.dot(
            lists.sort(gains), lists.sort(values) if values.size == gains.size else np.sort(values)
        )
    return lists.dot(lists.sort(gains, top=values.size if lists.n else None), values)


def scaled(lists, gains, exponents=None):
    """Gains with the largest of each list brought near 1 by a power of two, and exponents that undo it."""
    gains = gains.astype(float, copy=False)
    if exponents is None:
        _, exponents = np.frexp(lists.fold(np.maximum, np.abs(gains)))
    return np.ldexp(gains, -np.repeat(exponents, lists.sizes)), exponents


def within_floats(lists, gains, total):
    """``total(gains)``, of scaled gains where a sum on the way leaves the floats but the result may not."""
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
    """Whether each list has no gain but zero."""
    return ~lists.fold(np.maximum, gains != 0)
