"""The four constraints of the RankDCG poster and four other properties, as searches for counterexamples.

A measure is a function of labels and scores, such as those of `ndcg_companion.measures`. Each search examines
all references with values 1 to ``top`` and two to ``longest`` items. References are ordered by length, then
by highest value, then lexicographically, so the result is a smallest counterexample. A reference is written
from its highest value down. An ordering is written as the reference values in ranked order.
"""

from dataclasses import dataclass
from functools import cache, partial, wraps
from itertools import combinations_with_replacement, groupby, pairwise, product
from math import nan

import numpy as np

from ndcg_companion.checks import check_choice
from ndcg_companion.measures import dcg

TOLERANCE = 1e-9  # far below the differences of values on such short lists, and far above rounding errors


@dataclass(frozen=True)
class Counterexample:
    """A counterexample: orderings, or a reference and scores, on which a measure violates a property."""

    lists: tuple
    values: tuple


@dataclass(frozen=True)
class Search:
    """Result of a search: the number of cases, and the first counterexample or None."""

    cases: int
    breach: Counterexample | None


def references(longest, top, shortest=2):
    """Yield non-increasing lists of values from 1 to ``top``, not all equal, smallest first.

    >>> [list(values) for values in references(3, 2)]
    [[2, 1], [2, 1, 1], [2, 2, 1]]
    """
    return (values for values in _non_increasing(longest, top, shortest) if len(set(values)) > 1)


def _non_increasing(longest, top, shortest=2):
    """Yield non-increasing tuples of values up to ``top``, as `references` does."""
    for n in range(shortest, longest + 1):
        multisets = combinations_with_replacement(range(top, 0, -1), n)
        yield from sorted(multisets, key=lambda values: (values[0], values))


def orderings(reference):
    """Return the different orders of a reference's values, in lexicographic order.

    >>> orderings((2, 1, 1))
    [(1, 1, 2), (1, 2, 1), (2, 1, 1)]
    """
    if not reference:
        return [()]
    # Each different value comes first once, before all orders of the other values.
    positions = {value: reference.index(value) for value in sorted(set(reference))}
    return [
        (value, *tail)
        for value, position in positions.items()
        for tail in orderings(reference[:position] + reference[position + 1 :])
    ]


@cache
def weak_orders(n):
    """Return all rankings of n items with possible ties, as scores 1, 2, ... without gaps.

    >>> weak_orders(2)
    ((1, 1), (1, 2), (2, 1))
    """
    candidates = product(range(1, n + 1), repeat=n)
    return tuple(scores for scores in candidates if len(set(scores)) == max(scores))


def perfect_scores(reference):
    """Return all scores from `weak_orders` that rank higher reference values above lower values.

    >>> perfect_scores((2, 1, 1))
    [(2, 1, 1), (3, 1, 2), (3, 2, 1)]
    """
    group_sizes = [len(list(equal_values)) for _, equal_values in groupby(reference)]
    orders_in_groups = product(*map(weak_orders, group_sizes))
    n = len(reference)
    # Scores are between 1 and n, so that n less for each group puts all its items below the group above.
    return sorted(
        dense([score - n * index for index, scores in enumerate(scores_by_group) for score in scores])
        for scores_by_group in orders_in_groups
    )


def dense(values):
    """Return the rank of each value among the distinct values, with rank 1 for the lowest value.

    >>> dense((9, 4, 4, 1))
    (3, 2, 2, 1)
    """
    distinct = sorted(set(values))
    return tuple(distinct.index(value) + 1 for value in values)


def _value_of(measure, ordering):
    """Return the measure of reference values ranked in this order, without ties."""
    return float(measure(ordering, range(len(ordering), 0, -1)))


def _exchange_neighbours(ordering, position):
    """Return the ordering with the item at a position and the next exchanged."""
    upper, lower = ordering[position : position + 2]
    return (*ordering[:position], lower, upper, *ordering[position + 2 :])


def _are_equal(value, other_value):
    return abs(value - other_value) <= TOLERANCE  # False if one of the two is NaN


def _search_through(cases_of):
    """Turn a generator of cases into a function that returns a `Search`.

    A case is a tuple of lists, a tuple of values, and whether these satisfy the property. The search stops
    at the first case that does not.
    """

    @wraps(cases_of)
    def search(measure, longest, top):
        count = 0  # stays 0 if there are no cases
        for count, (lists, values, is_satisfied) in enumerate(cases_of(measure, longest, top), 1):
            if not is_satisfied:
                return Search(count, Counterexample(lists, values))
        return Search(count, None)

    return search


@_search_through
def handles_ties(measure, longest, top):
    """Search for violations of constraint 1, by which a perfect ranking, even with ties, scores 1."""
    for reference in references(longest, top):
        for scores in perfect_scores(reference):
            value = float(measure(reference, scores))
            yield (reference, scores), (value,), _are_equal(value, 1)


@_search_through
def minds_order_only(measure, longest, top):
    """Search for violations of constraint 2, by which only the order of reference values matters."""
    for reference in references(longest, top):
        for ordering in orderings(reference):
            ranks = dense(ordering)
            if ranks != ordering:
                values = _value_of(measure, ranks), _value_of(measure, ordering)
                yield (ranks, ordering), values, _are_equal(*values)


@_search_through
def stresses_the_top(measure, longest, top):
    """Search for violations of constraint 3, by which exchanges between higher values cost more."""
    for reference in references(longest, top):
        ideal = _value_of(measure, reference)
        orderings_after_exchange = [
            _exchange_neighbours(reference, position)
            for position, (value, next_value) in enumerate(pairwise(reference))
            if next_value < value
        ]
        losses = [ideal - _value_of(measure, ordering) for ordering in orderings_after_exchange]
        # An exchange is compared with the next one down the list, which should cost less.
        neighbours = zip(pairwise(orderings_after_exchange), pairwise(losses), strict=True)
        for lists, (upper_loss, lower_loss) in neighbours:
            yield lists, (upper_loss, lower_loss), upper_loss > lower_loss + TOLERANCE


@_search_through
def spans_zero_to_one(measure, longest, top):
    """Search for violations of constraint 4, by which the worst ordering scores 0 and the best 1."""
    for reference in references(longest, top):
        values = {ordering: _value_of(measure, ordering) for ordering in orderings(reference)}
        worst, best = min(values, key=values.get), max(values, key=values.get)
        low, high = values[worst], values[best]
        yield (worst, best), (low, high), _are_equal(low, 0) and _are_equal(high, 1)


@_search_through
def has_one_chance_level(measure, longest, top):
    """Search for references on which random orders have different mean scores."""
    first_case = None
    for reference in references(longest, top):
        mean_value = float(np.mean([_value_of(measure, ordering) for ordering in orderings(reference)]))
        first_case = first_case or (reference, mean_value)  # all others are compared with it
        first_reference, first_mean = first_case
        yield (first_reference, reference), (first_mean, mean_value), _are_equal(mean_value, first_mean)


@_search_through
def notices_every_exchange(measure, longest, top):
    """Search for exchanges of two misordered neighbours that do not raise the score."""
    for reference in references(longest, top):
        for worse in orderings(reference):
            for position, (value, next_value) in enumerate(pairwise(worse)):
                if value < next_value:
                    better = _exchange_neighbours(worse, position)
                    worse_score, better_score = _value_of(measure, worse), _value_of(measure, better)
                    is_raised = better_score > worse_score + TOLERANCE
                    yield (worse, better), (worse_score, better_score), is_raised


def survives_a_newcomer(measure, longest, top):
    """Search for two systems whose order changes if both rank a new best item first.

    ``longest`` includes the new item.
    """
    cases = 0
    for reference in references(longest - 1, top - 1):
        old_orderings = orderings(reference)
        old_values = np.array([_value_of(measure, ordering) for ordering in old_orderings])
        # Row i and column j: whether ordering i scores more than ordering j.
        is_ahead = old_values[:, None] > old_values + TOLERANCE
        highest_value = reference[0]
        for newcomer in range(highest_value + 1, top + 1):
            new_values = np.array([_value_of(measure, (newcomer, *ordering)) for ordering in old_orderings])
            is_behind = new_values[:, None] < new_values - TOLERANCE
            swapped_pairs = np.argwhere(is_ahead & is_behind)
            cases += int(is_ahead.sum())
            if swapped_pairs.size:
                pair = swapped_pairs[0]
                old_lists = [old_orderings[index] for index in pair]
                lists = (*old_lists, *((newcomer, *ordering) for ordering in old_lists))
                values = (*map(float, old_values[pair]), *map(float, new_values[pair]))
                return Search(cases, Counterexample(lists, values))
    return Search(cases, None)


@_search_through
def is_always_defined(measure, longest, top):
    """Search for references and scores, with or without ties, that make the measure undefined.

    Scores that differ only by an exchange of two items of equal value count as one case.
    """
    for reference in _non_increasing(longest, top):
        neighbours = enumerate(pairwise(reference))
        positions_before_equal = [position for position, (upper, lower) in neighbours if upper == lower]
        for scores in weak_orders(len(reference)):
            # Of the scores that differ only by an exchange of equal items, the non-increasing ones remain.
            if all(scores[position] >= scores[position + 1] for position in positions_before_equal):
                value = float(measure(reference, scores))
                yield (reference, scores), (value,), not np.isnan(value)


CONSTRAINTS = (handles_ties, minds_order_only, stresses_the_top, spans_zero_to_one)
WISHES = (has_one_chance_level, notices_every_exchange, survives_a_newcomer, is_always_defined)
PARTS = ("shared places", "places for values", "reciprocals", "the subtracted minimum")


def rankdcg_without(part):
    """Return a variant of RankDCG without one of its four ``PARTS``.

    Each part implements one of the constraints. Without shared places, equal values get different places, in
    the order of arrival. Without places, the values themselves are the gains. Without reciprocals, weights
    decrease by equal steps. Without the subtracted minimum, DCG' is divided by its maximum. Ties in scores
    are averaged.

    Raises
    ------
    ValueError
        If `part` is not one of ``PARTS``.

    Examples
    --------
    >>> rankdcg_without("the subtracted minimum")([2, 1], [1, 2])
    0.8
    """
    return partial(_rankdcg_without, check_choice("part", part, PARTS))


def _rankdcg_without(part, labels, scores):
    """Return RankDCG of one list without the given part."""
    labels = np.asarray(labels, dtype=float)
    discount, lowest_dcg, highest_dcg = _scale_without(part, tuple(np.sort(labels)))
    actual_dcg = dcg(_gains_without(part, labels), scores, discount=discount)
    return (actual_dcg - lowest_dcg) / (highest_dcg - lowest_dcg) if highest_dcg > lowest_dcg else nan


@cache
def _scale_without(part, sorted_labels):
    """Return the discount, and the lowest and highest DCG', which all orders of the labels share."""
    labels = np.array(sorted_labels)
    places, gains = _places_without(part, labels), _gains_without(part, labels)
    # By rank in the ideal order: 1 for the highest place, 2 for the next, and so on.
    steps = places.max() + 1 - np.sort(places)[::-1]
    weights = steps.max() + 1 - steps if part == "reciprocals" else 1 / steps

    def discount(ranks):
        return weights[np.asarray(ranks, int) - 1]

    lowest_dcg = 0 if part == "the subtracted minimum" else dcg(gains, -gains, discount=discount)
    return discount, lowest_dcg, dcg(gains, gains, discount=discount)


def _gains_without(part, labels):
    """Return the gains, which are the places of the labels, except without the places."""
    return labels if part == "places for values" else _places_without(part, labels)


def _places_without(part, labels):
    """Return the place of each label; the highest label has the highest place, and equal labels share one."""
    if part == "shared places":
        ranks_from_zero = np.argsort(np.argsort(-labels, kind="stable"))
        return labels.size - ranks_from_zero
    _, value_indices = np.unique(labels, return_inverse=True)
    return value_indices + 1
