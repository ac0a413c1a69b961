"""The RankDCG poster's four constraints, and four more wishes, as properties that a search can refute.

A measure is a function of labels and scores, such as those of `ndcg_companion.measures`. Each search goes through all
references with values 1 to ``top`` and from two to ``longest`` items, the shortest first, then those with the lowest
highest value, then in lexicographic order; a reference is written from its highest value down, an ordering as the
reference values in the order in which they are ranked. What it returns is therefore a smallest counterexample.
"""

from dataclasses import dataclass
from functools import cache, partial
from itertools import combinations_with_replacement, groupby, pairwise, product
from math import nan

import numpy as np

from ndcg_companion.measures import dcg

TOLERANCE = 1e-9  # far below any difference between two values on lists this short, far above rounding


@dataclass(frozen=True)
class Counterexample:
    """Orderings (or, where scores are given, a reference with scores) and the values that break a property."""

    lists: tuple
    values: tuple


@dataclass(frozen=True)
class Search:
    """What a search found: how many cases it examined, and the first counterexample, or None."""

    cases: int
    found: Counterexample | None


def references(longest, top, shortest=2):
    """Non-increasing lists of values 1 to ``top`` with at least two different ones, smallest first.

    >>> [list(each) for each in references(3, 2)]
    [[2, 1], [2, 1, 1], [2, 2, 1]]
    """
    for n in range(shortest, longest + 1):
        multisets = [
            each[::-1] for each in combinations_with_replacement(range(1, top + 1), n) if len(set(each)) > 1
        ]
        yield from sorted(multisets, key=lambda each: (each[0], each))


def orderings(reference):
    """The different orders of a reference's values, in lexicographic order.

    >>> orderings((2, 1, 1))
    [(1, 1, 2), (1, 2, 1), (2, 1, 1)]
    """
    if not reference:
        return [()]
    ordered = []
    for value in sorted(set(reference)):
        place = reference.index(value)
        ordered += [(value, *rest) for rest in orderings(reference[:place] + reference[place + 1 :])]
    return ordered


@cache
def weak_orders(n):
    """Every way to rank n items, ties included, as scores 1, 2, ... without gaps.

    >>> weak_orders(2)
    ((1, 1), (1, 2), (2, 1))
    """
    return tuple(
        each for each in product(range(1, n + 1), repeat=n) if set(each) == set(range(1, max(each) + 1))
    )


def perfect_scores(reference):
    """All scores, as `weak_orders`, that put every higher value of the reference above every lower one.

    >>> perfect_scores((2, 1, 1))
    [(2, 1, 1), (3, 1, 2), (3, 2, 1)]
    """
    groups = [range(len(list(equal))) for _, equal in groupby(reference)]
    chosen = product(*(weak_orders(len(group)) for group in groups))
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


def _listed(measure, ordering):
    return float(measure(ordering, range(len(ordering), 0, -1)))


def _same(one, other):
    return abs(one - other) <= TOLERANCE  # false if either is nan


def handles_ties(measure, longest, top):
    """Constraint 1: scores that put every higher value above every lower one are worth 1, however they treat equals."""
    cases = 0
    for reference in references(longest, top):
        for scores in perfect_scores(reference):
            cases += 1
            if not _same(value := float(measure(reference, scores)), 1):
                return Search(cases, Counterexample((reference, scores), (value,)))
    return Search(cases, None)


def minds_order_only(measure, longest, top):
    """Constraint 2: an ordering keeps its value when the reference's values change and their order does not."""
    cases = 0
    for reference in references(longest, top):
        for ordering in orderings(reference):
            plain = dense(ordering)
            if plain != ordering:
                cases += 1
                values = _listed(measure, plain), _listed(measure, ordering)
                if not _same(*values):
                    return Search(cases, Counterexample((plain, ordering), values))
    return Search(cases, None)


def stresses_the_top(measure, longest, top):
    """Constraint 3: one exchange across the border of two values costs more, the higher the border is."""
    cases = 0
    for reference in references(longest, top):
        borders = [place for place in range(1, len(reference)) if reference[place] < reference[place - 1]]
        exchanged = [
            reference[: p - 1] + (reference[p], reference[p - 1]) + reference[p + 1 :] for p in borders
        ]
        best = _listed(measure, reference)
        losses = [best - _listed(measure, each) for each in exchanged]
        for border in range(len(borders) - 1):
            cases += 1
            upper, lower = losses[border : border + 2]
            if not upper > lower + TOLERANCE:
                return Search(cases, Counterexample(tuple(exchanged[border : border + 2]), (upper, lower)))
    return Search(cases, None)


def spans_zero_to_one(measure, longest, top):
    """Constraint 4: for every reference the worst ordering is worth 0 and the best is worth 1."""
    cases = 0
    for cases, reference in enumerate(references(longest, top), 1):
        values = {each: _listed(measure, each) for each in orderings(reference)}
        ends = min(values, key=values.get), max(values, key=values.get)
        extremes = tuple(values[each] for each in ends)
        if not (_same(extremes[0], 0) and _same(extremes[1], 1)):
            return Search(cases, Counterexample(ends, extremes))
    return Search(cases, None)


def has_one_chance_level(measure, longest, top):
    """A random order is worth the same on every reference."""
    first, cases = None, 0
    for cases, reference in enumerate(references(longest, top), 1):
        level = float(np.mean([_listed(measure, each) for each in orderings(reference)]))
        first = first or (reference, level)
        if not _same(level, first[1]):
            return Search(cases, Counterexample((first[0], reference), (first[1], level)))
    return Search(cases, None)


def notices_every_exchange(measure, longest, top):
    """Two neighbours in the wrong order, exchanged, raise the value."""
    cases = 0
    for reference in references(longest, top):
        for worse in orderings(reference):
            for p, (y, z) in enumerate(pairwise(worse)):
                if y < z:
                    cases += 1
                    better = worse[:p] + (z, y) + worse[p + 2 :]
                    values = _listed(measure, worse), _listed(measure, better)
                    if not values[1] > values[0] + TOLERANCE:
                        return Search(cases, Counterexample((worse, better), values))
    return Search(cases, None)


def survives_a_newcomer(measure, longest, top):
    """A best item of all that two systems both rank first does not exchange the two (``longest`` counts it in)."""
    cases = 0
    for reference in references(longest - 1, top - 1):
        ranked = orderings(reference)
        before = np.array([_listed(measure, each) for each in ranked])
        for newcomer in range(reference[0] + 1, top + 1):
            after = np.array([_listed(measure, (newcomer, *each)) for each in ranked])
            ahead = before[:, None] > before + TOLERANCE
            swapped = np.argwhere(ahead & (after[:, None] < after - TOLERANCE))
            cases += int(ahead.sum())
            if swapped.size:
                pair = swapped[0]
                lists = (*(ranked[p] for p in pair), *((newcomer, *ranked[p]) for p in pair))
                return Search(
                    cases, Counterexample(lists, (*map(float, before[pair]), *map(float, after[pair])))
                )
    return Search(cases, None)


def is_always_defined(measure, longest, top):
    """There is a value for every reference, tied or not, and for all scores, tied or not.

    Scores that differ by an exchange of two items of equal value are one case.
    """
    cases = 0
    for n in range(2, longest + 1):
        multisets = [each[::-1] for each in combinations_with_replacement(range(1, top + 1), n)]
        for reference in sorted(multisets, key=lambda each: (each[0], each)):
            equal = [p for p, (y, z) in enumerate(pairwise(reference)) if y == z]
            for scores in (each for each in weak_orders(n) if all(each[p] >= each[p + 1] for p in equal)):
                cases += 1
                if np.isnan(value := float(measure(reference, scores))):
                    return Search(cases, Counterexample((reference, scores), (value,)))
    return Search(cases, None)


CONSTRAINTS = (handles_ties, minds_order_only, stresses_the_top, spans_zero_to_one)
WISHES = (has_one_chance_level, notices_every_exchange, survives_a_newcomer, is_always_defined)
PARTS = ("shared places", "places for values", "reciprocals", "the subtracted minimum")


def rankdcg_without(part):
    """RankDCG with one of its four ``PARTS`` taken out, in the order of the constraints; ties in scores are averaged.

    Without shared places equal values are given different ones as they arrive; without places the values themselves are
    the gains; without reciprocals the weight falls by equal steps; without the subtracted minimum DCG' is divided by
    its maximum.

    Raises
    ------
    ValueError
        For a part that RankDCG does not have.

    Examples
    --------
    >>> rankdcg_without("the subtracted minimum")([2, 1], [1, 2])
    0.8
    """
    if part not in PARTS:
        raise ValueError(f"part={part!r}: expected one of {', '.join(PARTS)}")
    return partial(_mutilated, part)


def _mutilated(part, labels, scores):
    labels = np.asarray(labels, dtype=float)
    places = np.unique(labels, return_inverse=True)[1] + 1
    if part == "shared places":
        places = np.argsort(np.argsort(-labels, kind="stable"))
        places = places.size - places
    steps = places.max() + 1 - np.sort(places)[::-1]
    weights = steps.max() + 1 - steps if part == "reciprocals" else 1 / steps
    gains = labels if part == "places for values" else places
    best, worst, actual = (
        dcg(gains, each, discount=lambda ranks: weights[np.asarray(ranks, int) - 1])
        for each in (gains, -gains, scores)
    )
    lowest = 0 if part == "the subtracted minimum" else worst
    return (actual - lowest) / (best - lowest) if best > lowest else nan
