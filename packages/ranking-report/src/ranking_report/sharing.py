"""The weights of ranks that belong to shared results and to unjudged results."""

from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np

from ndcg_companion.measures import Geometric, Power
from ndcg_companion.measures.lists import read_lists
from ranking_report.kinds import OF_GAINS, has_grade
from ranking_report.scoring import blocks, retrieved

_DEEPEST = 100  # the largest cut-off for which unjudged results are recorded
# The number of items at once, because the ranks and weights of all systems are in memory together.
_BLOCK = 2**17


class Unjudged(NamedTuple):
    """Unjudged results of a system: positions among all items, and weights of ranks.

    Results with a grade below 0 count as unjudged.
    """

    items: np.ndarray
    weights: np.ndarray


def shared_weights(rankings, measures, ties="average", map_function=map):
    """Return the proportion of weight on shared results, and the unjudged results.

    Parameters
    ----------
    rankings : Rankings
    measures : sequence of Measure
    ties : {"average", "trec_eval", "best", "worst"}
        The treatment of equal scores. With ``"trec_eval"``, items with equal scores are in trec_eval's order.
        With any other value, items with equal scores have the mean of their weights.
    map_function : callable
        Applies a function to blocks of queries: `map`, or the map of several threads.

    Returns
    -------
    shares : ndarray of shape (measures, systems, systems)
        The proportions, which are NaN for a measure that is not a sum of labels weighted by rank (AP, RR,
        ERR, R-precision and measures of ir_measures), or that depends on the length of the list.
    unjudged : dict of int to list of Unjudged
        The unjudged results of each system, by the position of a measure in ``measures``. Only the positions
        of DCG and nDCG with a cut-off of at most 100 occur.

    Notes
    -----
    If a measure adds up labels, each times the weight w of its rank, then the difference of two systems is a
    sum of labels times ``w - w'``. Here w' is the weight of the same item in the other system (0 if it is not
    in the list). For two systems without a shared result, ``sum of (w - w')**2 = sum of w**2 + w'**2``.
    Sharing reduces this by ``2 * sum of w * w'``. The returned proportion is this reduction relative to the
    sum without sharing, with sums over all queries. If all lists reach the cut-off, the proportion is the
    mean over queries of ``sum over shared results of D(r) D(r')`` divided by ``sum of D(r)**2``.
    """
    discounts = {number: _discount(measure) for number, measure in enumerate(measures)}
    # The numbers of the measures that add up labels, weighted by rank.
    measure_numbers = [number for number, discount in discounts.items() if discount]
    rules = [(discounts[number], measures[number].k) for number in measure_numbers]
    system_count = len(rankings.scores)
    product_sums = np.full((len(measures), system_count, system_count), np.nan)
    product_sums[measure_numbers] = 0.0
    parts = [*blocks(rankings, _BLOCK)] if measure_numbers else []
    results = map_function(partial(_products_of_block, rules, ties), parts)
    unjudged, start = {}, 0
    for part, (products, unjudged_of_part) in zip(parts, results):
        product_sums[measure_numbers] += products
        for measure_number, unjudged_of_systems in zip(measure_numbers, unjudged_of_part):
            measure = measures[measure_number]
            if measure.kind in OF_GAINS and measure.k and measure.k <= _DEEPEST:
                # A block numbers its items from 0, and begins at the item ``start``.
                renumbered = [Unjudged(items + start, weights) for items, weights in unjudged_of_systems]
                unjudged.setdefault(measure_number, []).append(renumbered)
        start += len(part.items)
    # For two systems, the sum of w**2 + w'**2 in the notes.
    squares = np.diagonal(product_sums, axis1=1, axis2=2)
    square_sums = squares[:, :, None] + squares[:, None, :]
    shares = np.divide(
        2 * product_sums, square_sums, out=np.full_like(product_sums, np.nan), where=square_sums > 0
    )
    # For each measure, from lists of systems by block to one list of systems.
    return shares, {number: [*map(_joined, zip(*parts))] for number, parts in unjudged.items()}


def _joined(parts):
    """Return the `Unjudged` results of a system, given those of each block."""
    return Unjudged(*map(np.concatenate, zip(*parts)))


def _products_of_block(rules, ties, rankings):
    """Return the products of weights and the unjudged results for a block of queries.

    Returns
    -------
    products : list of ndarray of shape (systems, systems)
        For each discount with its cut-off, the sum over items of the product of the weights that the item has
        in two systems.
    unjudged : list of list of tuple
        For each discount and system, the unjudged items and their weights.
    """
    # Labels are replaced by the numbers of the items, by which the weights of two systems are matched.
    numbered = replace(rankings, labels=np.arange(len(rankings.labels), dtype=np.int32), distinct=True)
    # For each system, the items, their ranks and their groups of ties.
    ranked_lists = [_ranks(numbered, system, ties) for system in rankings.scores]
    weights = [[_weights(discount, k, *ranked_list) for ranked_list in ranked_lists] for discount, k in rules]
    is_ungraded = ~has_grade(rankings)
    unjudged = [
        [
            (items[is_ungraded[items]], item_weights[is_ungraded[items]])
            for items, item_weights in weights_of_rule
        ]
        for weights_of_rule in weights
    ]
    return [_products(weights_of_rule, rankings) for weights_of_rule in weights], unjudged


def _discount(measure):
    """Return the discount that is proportional to a measure's rank weights, or None.

    The result is None for measures that do not add up weighted labels.
    """
    if measure.kind in OF_GAINS and not measure.needs_n:
        return measure.weight
    if measure.kind == "RBP":
        return Geometric(measure.p)
    return Power(0) if measure.kind in ("P", "R") else None


def _ranks(numbered, system, ties):
    """Return a system's items with their ranks and groups of equal scores.

    The labels in ``numbered`` are the numbers of the items. The groups are None if no list has equal scores.
    """
    rule = "trec_eval" if ties == "trec_eval" else "average"
    items, _, scores, offsets, *_ = retrieved(numbered, system, rule)
    lists = read_lists(np.zeros(len(scores)), scores, offsets)
    order, list_number = lists.order(scores), lists.number
    ranked_scores = scores[order]
    is_new = (ranked_scores[1:] != ranked_scores[:-1]) | (list_number[1:] != list_number[:-1])
    begins_group = np.append(True, is_new)[: len(order)]  # empty if there is no item
    if begins_group.all():
        return items[order], lists.ranks, None
    order = lists.order(scores, stable=True)  # this is twice as slow, and differs only if scores tie
    return items[order], lists.ranks, None if rule == "trec_eval" else begins_group.cumsum() - 1


def _weights(discount, k, items, ranks, group):
    """Return the items with positive weight, and their weights.

    ``items``, ``ranks`` and ``group`` are those that `_ranks` returns.

    Notes
    -----
    The weight is the discount at the rank, and 0 beyond the cut-off. Items with equal scores have the mean
    weight of their group, even if the cut-off divides the group.
    """
    weights = np.where(ranks <= (k or np.inf), discount(ranks.astype(float)), 0.0)
    if group is not None:
        weights = (np.bincount(group, weights) / np.bincount(group))[group]
    return items[weights > 0], weights[weights > 0]


def _products(weights, rankings):
    """Return the sum over items of the product of weights, for every two systems."""
    weight_matrix = np.zeros((len(rankings.items), len(weights)))
    # The items with a weight, which are few if there is a cut-off.
    has_weight = np.zeros(len(rankings.items), dtype=bool)
    for system, (items, item_weights) in enumerate(weights):
        weight_matrix[items, system] = item_weights
        has_weight[items] = True
    nonzero_rows = weight_matrix[has_weight]
    return nonzero_rows.T @ nonzero_rows
