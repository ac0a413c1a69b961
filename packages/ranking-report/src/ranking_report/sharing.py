"""Weights of ranks on shared results and on unjudged ones."""

from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np

from ndcg_companion.measures import Geometric, Power
from ndcg_companion.measures.lists import read_lists
from ranking_report.kinds import OF_GAINS, has_grade
from ranking_report.scoring import blocks, retrieved

_DEEPEST = 100  # cut-off down to which unjudged results are kept
_BLOCK = 2**17  # items at once; the ranks and weights of all systems are in memory together


class Unjudged(NamedTuple):
    """Unjudged results of a system: positions among all items, and weights of ranks.

    A grade below 0 counts as unjudged.
    """

    items: np.ndarray
    weights: np.ndarray


def shared_weights(rankings, measures, ties="average", mapped=map):
    """Return the proportion of weight on shared results, and the unjudged results.

    Parameters
    ----------
    rankings : Rankings
    measures : sequence of Measure
    ties : {"average", "trec_eval", "best", "worst"}
        With ``"trec_eval"``, equal scores are in trec_eval's order; with any other value, items with equal
        scores have the mean of their weights.
    mapped : callable
        Applies a function to blocks of queries: `map`, or the map of several threads.

    Returns
    -------
    shares : ndarray of shape (measures, systems, systems)
        NaN for a measure that is no sum of labels weighted by rank (AP, RR, ERR, R-precision and those of
        ir_measures), or that depends on the length of the list.
    unjudged : dict of int to list of Unjudged
        By the row of a measure, for each system; only for DCG and nDCG with a cut-off of at most 100.

    Notes
    -----
    A measure that adds up labels, each times the weight w of its rank, gives the difference of two systems as
    labels times ``w - w'``, where w' is the weight of the same item in the other system (0 if it is not in
    the list). Two systems without a shared result have ``sum of (w - w')**2 = sum of w**2 + w'**2``. Sharing
    reduces this by ``2 * sum of w * w'``; the returned proportion is this reduction, with sums over all
    queries. For lists as long as the cut-off it is the mean over queries of ``sum over shared results of D(r)
    D(r')`` over ``sum of D(r)**2``.
    """
    discounts = {row: _discount(measure) for row, measure in enumerate(measures)}
    summed_discounts = {row: discount for row, discount in discounts.items() if discount}
    system_count = len(rankings.scores)
    sums = np.full((len(measures), system_count, system_count), np.nan)
    sums[[*summed_discounts]] = 0.0
    rules = [(discount, measures[row].k) for row, discount in summed_discounts.items()]
    parts, unjudged, start = [*blocks(rankings, _BLOCK)] if summed_discounts else [], {}, 0
    for part, (products, of_part) in zip(parts, mapped(partial(_in_block, rules, ties), parts)):
        sums[[*summed_discounts]] += products
        for row, of_systems in zip(summed_discounts, of_part):
            if measures[row].kind in OF_GAINS and measures[row].k and measures[row].k <= _DEEPEST:
                shifted = [Unjudged(items + start, weights) for items, weights in of_systems]
                unjudged.setdefault(row, []).append(shifted)
        start += len(part.items)
    squares = np.diagonal(sums, axis1=1, axis2=2)
    total = squares[:, :, None] + squares[:, None, :]
    shares = np.divide(2 * sums, total, out=np.full_like(sums, np.nan), where=total > 0)
    return shares, {row: [*map(_joined, zip(*of_parts))] for row, of_parts in unjudged.items()}


def _joined(parts):
    """Return the `Unjudged` results of a system in all blocks."""
    return Unjudged(*map(np.concatenate, zip(*parts)))


def _in_block(rules, ties, rankings):
    """Return products of weights and unjudged results for one block of queries.

    Returns
    -------
    products : list of ndarray of shape (systems, systems)
        For each discount with its cut-off, the sum over items of the product of the weights in two systems.
    unjudged : list of list of tuple
        For each discount and system, the unjudged items and their weights.
    """
    # Labels are replaced by the numbers of the items, which match the weights of two systems.
    numbered = replace(rankings, labels=np.arange(len(rankings.labels), dtype=np.int32), distinct=True)
    ranked_lists = [
        _ranks(numbered, system, ties) for system in rankings.scores
    ]  # items, ranks, groups of ties
    weights = [[_weights(discount, k, *of_system) for of_system in ranked_lists] for discount, k in rules]
    is_ungraded = ~has_grade(rankings)
    unjudged = [
        [(items[is_ungraded[items]], of_items[is_ungraded[items]]) for items, of_items in of_rule]
        for of_rule in weights
    ]
    return [_products(of_rule, rankings) for of_rule in weights], unjudged


def _discount(measure):
    """Return the measure's weight of each rank, up to a factor.

    It is None for measures that do not add up weighted labels.
    """
    if measure.kind in OF_GAINS and not measure.needs_n:
        return measure.weight
    if measure.kind == "RBP":
        return Geometric(measure.p)
    return Power(0) if measure.kind in ("P", "R") else None


def _ranks(numbered, system, ties):
    """Return a system's items with their ranks and groups of equal scores.

    The labels of ``numbered`` are the numbers of the items. The groups are None if no two scores of a list
    are equal.
    """
    rule = "trec_eval" if ties == "trec_eval" else "average"
    items, _, scores, offsets, *_ = retrieved(numbered, system, rule)
    lists = read_lists(np.zeros(len(scores)), scores, offsets)
    order, number = lists.order(scores), lists.number
    ranked = scores[order]
    is_new = np.append(True, (ranked[1:] != ranked[:-1]) | (number[1:] != number[:-1]))[: len(order)]
    if is_new.all():
        return items[order], lists.ranks, None
    order = lists.order(scores, stable=True)  # twice as slow, and different only if scores tie
    return items[order], lists.ranks, None if rule == "trec_eval" else is_new.cumsum() - 1


def _weights(discount, k, items, ranks, group):
    """Return the items of positive weight and their weights.

    Notes
    -----
    The weight is the discount of the rank, and 0 beyond the cut-off. Items with equal scores have the mean
    weight of their group, also if the cut-off divides it.
    """
    weights = np.where(ranks <= (k or np.inf), discount(ranks.astype(float)), 0.0)
    if group is not None:
        weights = (np.bincount(group, weights) / np.bincount(group))[group]
    return items[weights > 0], weights[weights > 0]


def _products(weights, rankings):
    """Return, for every two systems, the sum over items of both weights' product."""
    by_item = np.zeros((len(rankings.items), len(weights)))
    counts = np.zeros(len(rankings.items), dtype=bool)  # items with a weight: few if there is a cut-off
    for system, (items, of_items) in enumerate(weights):
        by_item[items, system] = of_items
        counts[items] = True
    weighted = by_item[counts]
    return weighted.T @ weighted
