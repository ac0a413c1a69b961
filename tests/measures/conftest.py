"""Measures read literally, in exact fractions, by enumerating rankings."""

from fractions import Fraction
from itertools import groupby, permutations, product
from types import SimpleNamespace

import pytest

from ndcg_companion.measures import definition


def orders(scores):
    """Every ranking by decreasing score: all orders within each group of equal scores."""
    ranked = sorted(range(len(scores)), key=lambda i: scores[i], reverse=True)
    groups = [list(group) for _, group in groupby(ranked, key=lambda i: scores[i])]
    for choice in product(*(permutations(group) for group in groups)):
        yield [i for group in choice for i in group]


def fractions(values):
    return [Fraction(value) for value in values]


def pick(values, ties):
    """The mean, highest or lowest of values of a measure, one for each tie-break."""
    values = list(values)
    return {"average": sum(values) / len(values), "best": max(values), "worst": min(values)}[ties]


def exact_dcg(gains, weights, scores, ties="average"):
    """DCG with ``weights[r - 1]`` at rank r; what is beyond the weights does not count."""
    gains, weights = fractions(gains), fractions(weights)
    ranks = range(len(gains), 0, -1)
    in_order = ([gains[i] for i in order] for order in orders(scores))
    return pick(
        (definition.dcg(row, ranks, lambda r: weights[r - 1], len(weights)) for row in in_order), ties
    )


def exact_ideal(gains, weights):
    """The highest DCG of all rankings."""
    return exact_dcg(gains, weights, [0] * len(gains), "best")


@pytest.fixture(scope="session")
def exact():
    return SimpleNamespace(orders=orders, pick=pick, dcg=exact_dcg, ideal=exact_ideal, fractions=fractions)
