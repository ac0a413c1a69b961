"""The searches against an enumeration that shares no code with them, in exact fractions (for nDCG, in
floats).
"""

from fractions import Fraction
from functools import partial
from itertools import combinations, permutations, product
from math import isnan, log2

import pytest

from ndcg_book import constraints as c
from ndcg_companion.measures import average_precision, kendall_tau, ndcg, rankdcg

LONGEST, TOP = 4, 5
PACKAGE = {
    "tau": partial(kendall_tau, variant="a"),
    "ap": partial(average_precision, threshold=2),
    "ndcg": ndcg,
    "rankdcg": partial(rankdcg, ties="average"),
}


def tau(y):
    pairs = list(combinations(y, 2))
    return Fraction(sum((a > b) - (a < b) for a, b in pairs), len(pairs))


def ap(y):
    hits = [r for r, x in enumerate(y, 1) if x >= 2]
    return sum(Fraction(h, r) for h, r in enumerate(hits, 1)) / len(hits)


def by_log(y):
    total = lambda z: sum(x / log2(r + 1) for r, x in enumerate(z, 1))
    return total(y) / total(sorted(y, reverse=True))


def ladder(y):
    levels = sorted(set(y))
    gains = [levels.index(x) + 1 for x in y]
    total = lambda z: sum(Fraction(a, len(levels) + 1 - b) for a, b in zip(z, sorted(gains, reverse=True)))
    values = [total(z) for z in set(permutations(gains))]
    return (total(gains) - min(values)) / (max(values) - min(values))


ALOUD = {"tau": tau, "ap": ap, "ndcg": by_log, "rankdcg": ladder}


def lists(longest=LONGEST, top=TOP):
    """All lists with two values or more, shortest first, then by highest value."""
    for n in range(2, longest + 1):
        every = [y for y in product(range(1, top + 1), repeat=n) if len(set(y)) > 1]
        yield from sorted(every, key=lambda y: (max(y), tuple(sorted(y, reverse=True)), y))


def differ(a, b):
    return abs(a - b) > 1e-9


def pattern(y):
    return tuple(sorted(set(y)).index(x) + 1 for x in y)


def broken_order_only(value):
    return next((y for y in lists() if differ(value(y), value(pattern(y)))), None)


def bills(value, best):
    swap = lambda p: best[: p - 1] + (best[p], best[p - 1]) + best[p + 1 :]
    return [value(best) - value(swap(p)) for p in range(1, len(best)) if best[p] < best[p - 1]]


def broken_top_first(value):
    best = (y for y in lists() if list(y) == sorted(y, reverse=True))
    return next(
        (y for y in best if any(a <= b + 1e-9 for a, b in zip(bills(value, y), bills(value, y)[1:]))), None
    )


def broken_range(value):
    for y in lists():
        values = [value(z) for z in set(permutations(y))]
        if differ(min(values), 0) or differ(max(values), 1):
            return tuple(sorted(y, reverse=True))


def broken_chance(value):
    level = lambda y: sum(map(value, permutations(y))) / len(list(permutations(y)))
    best = [y for y in lists(3) if list(y) == sorted(y, reverse=True)]
    return next((y for y in best if differ(level(y), level(best[0]))), None)


def broken_exchange(value):
    for y in lists():
        for p in range(len(y) - 1):
            if y[p] < y[p + 1] and value(y[:p] + (y[p + 1], y[p]) + y[p + 2 :]) <= value(y) + 1e-9:
                return tuple(sorted(y, reverse=True))


def broken_newcomer(value, longest=LONGEST):
    for y in lists(longest - 1, TOP - 1):
        for z, new in product(sorted(set(permutations(y))), range(max(y) + 1, TOP + 1)):
            if value(y) > value(z) + 1e-9 and value((new, *y)) < value((new, *z)) - 1e-9:
                return tuple(sorted(y, reverse=True))


SEARCHES = {
    c.minds_order_only: broken_order_only,
    c.stresses_the_top: broken_top_first,
    c.spans_zero_to_one: broken_range,
    c.has_one_chance_level: broken_chance,
    c.notices_every_exchange: broken_exchange,
    c.survives_a_newcomer: broken_newcomer,
}


def reference_of(search, counterexample):
    """The multiset of the refuting case."""
    which = 1 if search in (c.minds_order_only, c.has_one_chance_level) else 0
    return tuple(sorted(counterexample.lists[which], reverse=True))


@pytest.mark.parametrize("measure", PACKAGE)
@pytest.mark.parametrize("search", SEARCHES, ids=lambda search: search.__name__)
def test_a_search_finds_the_counterexample_of_an_enumeration(search, measure):
    counterexample, aloud = search(PACKAGE[measure], LONGEST, TOP).breach, SEARCHES[search](ALOUD[measure])
    assert (counterexample is None) == (aloud is None)
    if counterexample:
        assert reference_of(search, counterexample) == tuple(sorted(aloud, reverse=True))


@pytest.mark.parametrize("measure", PACKAGE)
def test_the_values_of_counterexamples_are_right(measure):
    value = ALOUD[measure]
    for search in (c.minds_order_only, c.spans_zero_to_one, c.notices_every_exchange, c.survives_a_newcomer):
        if counterexample := search(PACKAGE[measure], LONGEST, TOP).breach:
            assert counterexample.values == pytest.approx(
                [float(value(y)) for y in counterexample.lists], abs=1e-12
            )
    if counterexample := c.stresses_the_top(PACKAGE[measure], LONGEST, TOP).breach:
        best = tuple(sorted(counterexample.lists[0], reverse=True))
        assert counterexample.values == pytest.approx(
            [float(value(best) - value(y)) for y in counterexample.lists], abs=1e-12
        )


def test_rankdcg_exchanges_two_systems_at_five_items_and_no_fewer():
    assert broken_newcomer(ladder) is None and c.survives_a_newcomer(PACKAGE["rankdcg"], 4, 5).breach is None
    counterexample = c.survives_a_newcomer(PACKAGE["rankdcg"], 5, 5).breach
    before, after = counterexample.lists[:2], counterexample.lists[2:]
    assert [(5, *y) for y in before] == [*after]
    assert ladder(before[0]) > ladder(before[1]) and ladder(after[0]) < ladder(after[1])


@pytest.mark.parametrize("variant, cases", [("a", 11), ("b", 12), ("c", 11)])
def test_no_tau_gives_a_perfect_order_its_due(variant, cases):
    search = c.handles_ties(partial(kendall_tau, variant=variant), 3, 2)
    reference, scores = search.breach.lists
    assert reference == (2, 1, 1) and scores[0] > max(scores[1:]) and search.breach.values[0] < 1
    every = c.handles_ties(PACKAGE["rankdcg"], 3, 2)
    assert every.breach is None and every.cases == 1 + 3 + 3


def test_scores_are_perfect_exactly_if_no_higher_value_is_reached_from_below():
    for reference in c.references(4, 3):
        perfect = [
            s
            for s in c.weak_orders(len(reference))
            if all(s[i] > s[j] for i, j in product(range(len(s)), repeat=2) if reference[i] > reference[j])
        ]
        assert c.perfect_scores(reference) == sorted(perfect)
    assert [len(c.weak_orders(n)) for n in (1, 2, 3, 4)] == [1, 3, 13, 75]  # Fubini's numbers


def test_undefined_values_are_found():
    for measure in ("ap", "rankdcg"):
        counterexample = c.is_always_defined(PACKAGE[measure], 3, 2).breach
        assert counterexample.lists == ((1, 1), (1, 1)) and isnan(counterexample.values[0])
    assert c.is_always_defined(PACKAGE["tau"], 3, 2).breach is None is c.is_always_defined(ndcg, 3, 2).breach
    # undefined only where some scores are tied and others are not, and not in the first such case
    fussy = lambda labels, scores: float("nan") if (labels, scores) == ((2, 1, 1), (2, 2, 1)) else 1.0
    search = c.is_always_defined(fussy, 3, 2)
    assert search.breach.lists == ((2, 1, 1), (2, 2, 1))
    # up to an exchange of equal items: 2 weak orders of (1, 1), all 3 of (2, 1), 4 of three equal items, 8 of
    # (2, 1, 1)
    assert c.is_always_defined(ndcg, 3, 2).cases == 2 * 2 + 3 + 2 * 4 + 2 * 8


def test_an_undefined_value_breaks_every_property():
    nothing = lambda labels, scores: float("nan")
    for search in (*c.CONSTRAINTS, c.has_one_chance_level, c.notices_every_exchange, c.is_always_defined):
        assert search(nothing, 3, 3).breach


def test_each_part_is_needed_for_its_constraint():
    for part, constraint in zip(c.PARTS, c.CONSTRAINTS):
        assert constraint(c.rankdcg_without(part), 3, TOP).breach
        assert constraint(PACKAGE["rankdcg"], 3, TOP).breach is None


def test_rankdcg_without_a_part_by_hand():
    y, upside_down = (5, 2, 1), (1, 2, 3)
    # places 3, 2, 1; weights 1, 1/2, 1/3; reversed 1 + 1 + 1 = 3, sorted 3 + 1 + 1/3 = 13/3
    assert c.rankdcg_without("the subtracted minimum")(y, upside_down) == pytest.approx(9 / 13)
    # weights 3, 2, 1: of 2, 3, 1 the sum is 6 + 6 + 1 = 13, between 10 and 14
    assert c.rankdcg_without("reciprocals")((2, 5, 1), (3, 2, 1)) == pytest.approx(3 / 4)
    # gains 5, 2, 1: of 2, 5, 1 it is 2 + 5/2 + 1/3 = 29/6, between 1 + 1 + 5/3 = 22/6 and 5 + 1 + 1/3 = 38/6
    assert c.rankdcg_without("places for values")((2, 5, 1), (3, 2, 1)) == pytest.approx(7 / 16)
    # two equal items have places 2 and 1 as they arrive: the second first is not perfect
    assert c.rankdcg_without("shared places")((5, 1, 1), (3, 1, 2)) < 1
    assert isnan(c.rankdcg_without("reciprocals")((1, 1), (1, 2)))
    with pytest.raises(ValueError, match="part"):
        c.rankdcg_without("ties")
