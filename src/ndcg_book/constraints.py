"""The RankDCG poster's four constraints, and four more wishes, as properties that a search can refute.

A measure is a function of labels and scores, such as those of `ndcg_companion.measures`. Each search goes
through all references with values 1 to ``top`` and from two to ``longest`` items, the shortest first, then
those with the lowest highest value, then in lexicographic order; a reference is written from its highest
value down, an ordering as the reference values in the order in which they are ranked. What it returns is
therefore a smallest counterexample.
"""

from dataclasses import dataclass
from functools import cache, partial, wraps
from itertools import combinations_with_replacement, groupby, pairwise, product
from math import nan

import numpy as np

from ndcg_companion.checks import check_choice
from ndcg_companion.measures import dcg

TOLERANCE = 1e-9  # far below any difference between two values on lists this short, far above rounding


@dataclass(frozen=True)
class Counterexample:
    """Orderings (or a reference with scores, where scores are given) and the values that break a property."""

    lists: tuple
    values: tuple


@dataclass(frozen=True)
class Search:
    """What a search found: how many cases it examined, and the first counterexample, or None."""

    cases: int
    found: Counterexample | None


def references(longest, top, shortest=2):
    """Non-increasing lists of values 1 to ``top`` with at least two different ones, smallest first.

    >>> [list(values) for values in references(3, 2)]
    [[2, 1], [2, 1, 1], [2, 2, 1]]
    """
    return (values for values in _non_increasing(longest, top, shortest) if len(set(values)) > 1)


def _non_increasing(longest, top, shortest=2):
    for n in range(shortest, longest + 1):
        multisets = combinations_with_replacement(range(top, 0, -1), n)
        yield from sorted(multisets, key=lambda values: (values[0], values))


def orderings(reference):
    """The different orders of a reference's values, in lexicographic order.

    >>> orderings((2, 1, 1))
    [(1, 1, 2), (1, 2, 1), (2, 1, 1)]
    """
    if not reference:
        return [()]
    places = {value: reference.index(value) for value in sorted(set(reference))}
    return [
        (value, *tail)
        for value, place in places.items()
        for tail in orderings(reference[:place] + reference[place + 1 :])
    ]


@cache
def weak_orders(n):
    """Every way to rank n items, ties included, as scores 1, 2, ... without gaps.

    >>> weak_orders(2)
    ((1, 1), (1, 2), (2, 1))
    """
    every = product(range(1, n + 1), repeat=n)
    return tuple(scores for scores in every if len(set(scores)) == max(scores))


def perfect_scores(reference):
    """All scores, as `weak_orders`, that put every higher value of the reference above every lower one.

    >>> perfect_scores((2, 1, 1))
    [(2, 1, 1), (3, 1, 2), (3, 2, 1)]
    """
    sizes = [len(list(equal)) for _, equal in groupby(reference)]
    chosen = product(*map(weak_orders, sizes))
    n = len(reference)
    return sorted(
        dense([score - n * g for g, part in enumerate(parts) for score in part]) for parts in chosen
    )


def dense(values):
    """Each value's place among the different ones, 1 for the lowest.

    >>> dense((9, 4, 4, 1))
    (3, 2, 2, 1)
    """
    distinct = sorted(set(values))
    return tuple(distinct.index(value) + 1 for value in values)


def _value(measure, ordering):
    return float(measure(ordering, range(len(ordering), 0, -1)))


def _exchanged(ordering, p):
    """The ordering with its items at places p and p + 1 exchanged."""
    return (*ordering[:p], ordering[p + 1], ordering[p], *ordering[p + 2 :])


def _same(first, second):
    return abs(first - second) <= TOLERANCE  # false if either is nan


def _searched(cases_of):
    """Make a search of a generator of cases: lists, their values, and whether they keep the property."""

    @wraps(cases_of)
    def search(measure, longest, top):
        count = 0
        for count, (lists, values, satisfied) in enumerate(cases_of(measure, longest, top), 1):
            if not satisfied:
                return Search(count, Counterexample(lists, values))
        return Search(count, None)

    return search


@_searched
def handles_ties(measure, longest, top):
    """Constraint 1: scores that put every higher value above every lower one are worth 1."""
    for reference in references(longest, top):
        for scores in perfect_scores(reference):
            value = float(measure(reference, scores))
            yield (reference, scores), (value,), _same(value, 1)


@_searched
def minds_order_only(measure, longest, top):
    """Constraint 2: an ordering keeps its value when the reference's values, but not their order, change."""
    for reference in references(longest, top):
        for ordering in orderings(reference):
            plain = dense(ordering)
            if plain != ordering:
                values = _value(measure, plain), _value(measure, ordering)
                yield (plain, ordering), values, _same(*values)


@_searched
def stresses_the_top(measure, longest, top):
    """Constraint 3: one exchange across the border of two values costs more, the higher the border is."""
    for reference in references(longest, top):
        ideal = _value(measure, reference)
        exchanged = [_exchanged(reference, p) for p, (y, z) in enumerate(pairwise(reference)) if z < y]
        losses = [ideal - _value(measure, ordering) for ordering in exchanged]
        for lists, (upper, lower) in zip(pairwise(exchanged), pairwise(losses), strict=True):
            yield lists, (upper, lower), upper > lower + TOLERANCE


@_searched
def spans_zero_to_one(measure, longest, top):
    """Constraint 4: for every reference the worst ordering is worth 0 and the best is worth 1."""
    for reference in references(longest, top):
        values = {ordering: _value(measure, ordering) for ordering in orderings(reference)}
        extremes = min(values, key=values.get), max(values, key=values.get)
        low, high = (values[ordering] for ordering in extremes)
        yield extremes, (low, high), _same(low, 0) and _same(high, 1)


@_searched
def has_one_chance_level(measure, longest, top):
    """A random order is worth the same on every reference."""
    first = None
    for reference in references(longest, top):
        level = float(np.mean([_value(measure, ordering) for ordering in orderings(reference)]))
        first = first or (reference, level)
        yield (first[0], reference), (first[1], level), _same(level, first[1])


@_searched
def notices_every_exchange(measure, longest, top):
    """Two neighbours in the wrong order, exchanged, raise the value."""
    for reference in references(longest, top):
        for worse in orderings(reference):
            for p, (y, z) in enumerate(pairwise(worse)):
                if y < z:
                    better = _exchanged(worse, p)
                    values = _value(measure, worse), _value(measure, better)
                    yield (worse, better), values, values[1] > values[0] + TOLERANCE


def survives_a_newcomer(measure, longest, top):
    """A best item that two systems both rank first does not exchange the two (``longest`` counts it in)."""
    cases = 0
    for reference in references(longest - 1, top - 1):
        ranked = orderings(reference)
        before = np.array([_value(measure, ordering) for ordering in ranked])
        for newcomer in range(reference[0] + 1, top + 1):
            after = np.array([_value(measure, (newcomer, *ordering)) for ordering in ranked])
            ahead = before[:, None] > before + TOLERANCE
            swapped = np.argwhere(ahead & (after[:, None] < after - TOLERANCE))
            cases += int(ahead.sum())
            if swapped.size:
                pair = swapped[0]
                lists = (*(ranked[p] for p in pair), *((newcomer, *ranked[p]) for p in pair))
                values = (*map(float, before[pair]), *map(float, after[pair]))
                return Search(cases, Counterexample(lists, values))
    return Search(cases, None)


@_searched
def is_always_defined(measure, longest, top):
    """There is a value for every reference, tied or not, and for all scores, tied or not.

    Scores that differ by an exchange of two items of equal value are one case.
    """
    for reference in _non_increasing(longest, top):
        equal = [p for p, (y, z) in enumerate(pairwise(reference)) if y == z]
        for scores in weak_orders(len(reference)):
            if all(scores[p] >= scores[p + 1] for p in equal):
                value = float(measure(reference, scores))
                yield (reference, scores), (value,), not np.isnan(value)


CONSTRAINTS = (handles_ties, minds_order_only, stresses_the_top, spans_zero_to_one)
WISHES = (has_one_chance_level, notices_every_exchange, survives_a_newcomer, is_always_defined)
PARTS = ("shared places", "places for values", "reciprocals", "the subtracted minimum")


def rankdcg_without(part):
    """RankDCG without one of its four ``PARTS``, which follow the constraints; ties in scores are averaged.

    Without shared places equal values are given different ones as they arrive; without places the values
    themselves are the gains; without reciprocals the weight falls by equal steps; without the subtracted
    minimum DCG' is divided by its maximum.

    Raises
    ------
    ValueError
        For a part that RankDCG does not have.

    Examples
    --------
    >>> rankdcg_without("the subtracted minimum")([2, 1], [1, 2])
    0.8
    """
    return partial(_mutilated, check_choice("part", part, PARTS))


def _mutilated(part, labels, scores):
    """RankDCG of one list without the part of this name; the four parts are those of `PARTS`."""
    labels = np.asarray(labels, dtype=float)
    places = np.unique(labels, return_inverse=True)[1] + 1
    if part == "shared places":
        places = np.argsort(np.argsort(-labels, kind="stable"))
        places = places.size - places
    steps = places.max() + 1 - np.sort(places)[::-1]
    weights = steps.max() + 1 - steps if part == "reciprocals" else 1 / steps
    gains = labels if part == "places for values" else places
    highest, lowest_value, actual = (
        dcg(gains, by, discount=lambda ranks: weights[np.asarray(ranks, int) - 1])
        for by in (gains, -gains, scores)
    )
    lowest = 0 if part == "the subtracted minimum" else lowest_value
    return (actual - lowest) / (highest - lowest) if highest > lowest else nan
