import math
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ndcg_companion.measures import rankdcg

LIST = [9, 4, 4, 2, 2, 2, 1, 1, 1, 1]
# The poster's table of tests: the hypothesis read as scores of the items in the order of LIST, cut to three
# decimals.
TABLE = [
    ([9, 4, 4, 2, 2, 2, 1, 1, 1, 1], "1.0"),
    ([9, 4, 4, 2, 2, 1, 2, 1, 1, 1], "0.975"),
    ([4, 4, 2, 9, 2, 2, 1, 1, 1, 1], "0.65"),
    ([1, 4, 4, 2, 2, 2, 9, 1, 1, 1], "0.325"),
    ([1, 4, 4, 2, 2, 2, 1, 1, 1, 9], "0.325"),
    ([1, 1, 1, 1, 2, 2, 2, 4, 4, 9], "0.0"),
]


def literally(exact, reference, scores, ties):
    """The definition, with the extremes taken over all rankings."""
    grades = sorted(set(reference))
    a = [Fraction(grades.index(value) + 1) for value in reference]
    d = [len(grades) - grades.index(value) for value in sorted(reference, reverse=True)]
    quotients = lambda order: sum(a[i] / d[p] for p, i in enumerate(order))  # noqa: E731
    every = [quotients(order) for order in permutations(range(len(a)))]
    value = exact.pick((quotients(order) for order in exact.orders(scores)), ties)
    return None if len(grades) < 2 else (value - min(every)) / (max(every) - min(every))


@given(
    st.integers(1, 6).flatmap(
        lambda n: st.tuples(*(st.lists(st.integers(-2, 2), min_size=n, max_size=n) for _ in range(2)))
    ),
    st.sampled_from(["average", "best", "worst"]),
)
def test_is_its_definition(exact, drawn, ties):
    reference, scores = drawn
    expected = literally(exact, reference, scores, ties)
    value = rankdcg(reference, scores, ties=ties)
    assert (
        math.isnan(value)
        if expected is None
        else value == pytest.approx(float(expected), rel=1e-12, abs=1e-14)
    )


@pytest.mark.parametrize("scores, printed", TABLE)
def test_reproduces_the_posters_table(scores, printed):
    value = rankdcg(LIST, scores, ties="average")
    assert math.floor(value * 1000 + 1e-9) / 1000 == float(printed)


def test_the_formula_as_printed_would_turn_the_table_around():
    assert [1 - rankdcg(LIST, scores) for scores, _ in (TABLE[0], TABLE[-1])] == [0, 1]
    assert [rankdcg(LIST, scores) for scores, _ in (TABLE[0], TABLE[-1])] == [1, 0]


def test_a_constant_prediction_is_worth_nothing_unless_ties_are_forgiven():
    values = [rankdcg(LIST, [1] * 10, ties=ties) for ties in ("worst", "average", "best")]
    assert values[0] == 0 and 0 < values[1] < 1 and values[2] == 1
    assert rankdcg(LIST, [1] * 10) == values[0]


def test_two_grades_with_a_relevant_minority_are_r_precision():
    rng = np.random.default_rng(4)
    for relevant in range(1, 6):
        reference = np.array([7] * relevant + [-3] * (11 - relevant))
        for scores in rng.random((20, 11)):
            top = np.argsort(-scores)[:relevant]
            assert rankdcg(reference, scores) == pytest.approx(np.mean(reference[top] == 7))


def test_batches_give_the_values_of_their_lists():
    rng = np.random.default_rng(2)
    reference, scores = rng.integers(0, 3, (8, 6)), rng.integers(0, 3, (8, 6))
    reference[3] = 1
    for ties in ("average", "best", "worst"):
        alone = [rankdcg(r, s, ties=ties) for r, s in zip(reference, scores)]
        assert rankdcg(reference, scores, ties=ties) == pytest.approx(alone, nan_ok=True)
        offsets = [0, 0, 5, 6, 20, 48]
        parts = [
            rankdcg(reference.ravel()[a:b], scores.ravel()[a:b], ties=ties)
            for a, b in zip(offsets, offsets[1:])
        ]
        together = rankdcg(reference.ravel(), scores.ravel(), ties=ties, offsets=offsets)
        assert together == pytest.approx(parts, nan_ok=True)


def test_fewer_than_two_grades_have_no_value():
    assert all(math.isnan(rankdcg(reference, reference)) for reference in ([], [3], [3, 3]))


def test_rejects_by_the_name_its_argument_has():
    with pytest.raises(ValueError, match="^reference"):
        rankdcg([1, math.nan], [1, 2])
    with pytest.raises(ValueError, match="the shape of reference"):
        rankdcg([1, 2], [1])
    with pytest.raises(ValueError, match="^ties="):
        rankdcg([1, 2], [1, 2], ties="pessimistic")
