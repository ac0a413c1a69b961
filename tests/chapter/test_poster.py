from fractions import Fraction
from itertools import combinations, permutations
from math import log2

import pytest

from ndcg_book.poster import (
    HYPOTHESES,
    K_INDEX,
    MEASURES,
    REDDIT,
    REFERENCE,
    TESTS,
    Convention,
    agreement,
    as_printed,
    tied_lists,
)

GRADE = {9: 4, 4: 3, 2: 2, 1: 1}


def excess(h):
    """Concordant minus discordant pairs of the reference and h."""
    pairs = [(REFERENCE[i] - REFERENCE[j], h[i] - h[j]) for i, j in combinations(range(10), 2)]
    return sum((a * b > 0) - (a * b < 0) for a, b in pairs)


def staircase(listing):
    """RankDCG of a list of reference values, exact; the extremes are 10 and 20/3."""
    raw = sum(Fraction(GRADE[x], 5 - GRADE[y]) for x, y in zip(listing, REFERENCE))
    return (raw - Fraction(20, 3)) / (10 - Fraction(20, 3))


def matched(h):
    return sum(Fraction(sum(x == y for x, y in zip(h[:k], REFERENCE)), k) for k in range(1, 11)) / 10


def printed_ap(relevant):
    hits = [rank for rank, here in enumerate(relevant, 1) if here]
    return sum(Fraction(h, rank) for h, rank in enumerate(hits, 1)) / len(hits)


def in_base_2(h):
    return sum(x / log2(i + 2) for i, x in enumerate(h)) / sum(
        x / log2(i + 2) for i, x in enumerate(REFERENCE)
    )


def order_of_scores(h):
    return [x for _, x in sorted(zip(h, REFERENCE), key=lambda pair: -pair[0])]


def test_the_lists_are_the_posters():
    assert all(sorted(h) == sorted(REFERENCE) for h in HYPOTHESES) and HYPOTHESES[0] == REFERENCE
    assert HYPOTHESES[5] == REFERENCE[::-1] and len(set(HYPOTHESES)) == len(TESTS) == 6
    assert {len(row) for row in (*TESTS, *REDDIT)} == {len(MEASURES)}
    assert len(K_INDEX) == 17


def test_all_24_cells_in_exact_arithmetic():
    assert Convention().table() == TESTS and Convention().matches() == 24
    for h, row in zip(HYPOTHESES, TESTS):
        exact = Fraction(excess(h), 35), matched(h), in_base_2(h), staircase(order_of_scores(h))
        assert Convention().values(h) == pytest.approx([float(x) for x in exact], abs=1e-14)
        assert all(0 <= abs(x) - abs(float(cell)) + 1e-12 < 1e-3 for x, cell in zip(exact, row))


@pytest.mark.parametrize("h", HYPOTHESES)
def test_each_switch_changes_its_measure_and_no_other(h):
    usual = Convention().values(h)
    changed = {
        0: (Convention(tau="a"), Fraction(excess(h), 45)),
        1: (Convention(average_precision="matches"), printed_ap([x == y for x, y in zip(h, REFERENCE)])),
        3: (Convention(reading="list"), staircase(h)),
    }
    for column, (convention, exact) in changed.items():
        values = convention.values(h)
        assert values[column] == pytest.approx(float(exact), abs=1e-14)
        assert all(values[other] == usual[other] for other in range(4) if other != column)
    tau_c = Convention(tau="c").values(h)[0]
    assert tau_c == pytest.approx(float(Fraction(2 * 4 * excess(h), 100 * 3)), abs=1e-14)
    assert Convention(log_base=10.0).values(h) == pytest.approx(usual, abs=1e-14)


@pytest.mark.parametrize("threshold", [2, 4, 9])
def test_the_printed_average_precision_as_a_list(threshold):
    for h in HYPOTHESES:
        value = Convention(average_precision="printed", threshold=threshold).values(h)[1]
        assert value == pytest.approx(float(printed_ap([x >= threshold for x in h])), abs=1e-14)


@pytest.mark.parametrize(
    "ties, pick", [("best", max), ("worst", min), ("average", lambda x: sum(x) / len(x))]
)
def test_scores_leave_every_tied_order_open(ties, pick):
    h = HYPOTHESES[4]
    groups = [[x for x, s in zip(REFERENCE, h) if s == score] for score in (9, 4, 2, 1)]
    orders = [
        a + b + c + d
        for a in permutations(groups[0])
        for b in permutations(groups[1])
        for c in permutations(groups[2])
        for d in permutations(groups[3])
    ]
    values = Convention(reading="scores", ties=ties).values(h)
    assert values[1] == pytest.approx(float(pick([matched(order) for order in orders])), abs=1e-14)
    assert values[2] == pytest.approx(float(pick([in_base_2(order) for order in orders])), abs=1e-14)
    assert set(tied_lists(REFERENCE, h)) == set(orders)


def test_a_stable_order_is_the_order_of_arrival():
    for h in HYPOTHESES:
        listing = order_of_scores(h)
        values = Convention(reading="scores", ties="stable").values(h)
        assert values[1:3] == pytest.approx([agreement(listing), in_base_2(listing)], abs=1e-14)


def test_no_one_other_choice_gives_the_table_but_the_base():
    wrong = [
        {"tau": "a"},
        {"tau": "c"},
        {"average_precision": "matches"},
        {"average_precision": "printed"},
        {"reading": "list"},
        {"reading": "scores"},
        {"digits": "round"},
    ]
    assert all(Convention(**choice).matches() < 24 for choice in wrong)
    assert Convention(reading="list").matches() == 23  # row 3 alone tells the two readings apart
    assert Convention(log_base=2.718).matches() == 24


def test_digits():
    assert [as_printed(x) for x in (1 - 1e-12, 0.0007, -0.0007, -0.9999)] == ["1.0", "0.0", "0.0", "-0.999"]
    assert [as_printed(x, "round") for x in (0.0007, -0.9999)] == ["0.001", "-1.0"]


@pytest.mark.parametrize(
    "bad",
    [
        {"tau": "d"},
        {"average_precision": "AP"},
        {"reading": ""},
        {"ties": "none"},
        {"digits": "cut"},
        {"log_base": 1.0},
        {"log_base": float("inf")},
        {"threshold": float("nan")},
    ],
)
def test_unknown_conventions_are_rejected_by_name(bad):
    with pytest.raises(ValueError, match=next(iter(bad))):
        Convention(**bad)
    for short_or_foreign in ((1, 2), (1,) * 10, (9, 4, 4, 2, 2, 2, 1, 1, 1, float("nan"))):
        with pytest.raises(ValueError, match="hypothesis"):
            Convention().values(short_or_foreign)
