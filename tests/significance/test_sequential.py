from fractions import Fraction
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ndcg_companion.significance import sequential_test

SHARES = [Fraction(share, 10) for share in (1, 2, 4, 7, 10)]
tenths = st.lists(st.integers(-10, 10), min_size=1, max_size=12)


def purses(values, mean=Fraction(0), population=None):
    """After each query the mean of five purses that bet on more than this mean; None once it is excluded."""
    held, after, total = [Fraction(1)] * 5, [], Fraction(0)
    for seen, value in enumerate(values):
        given = mean if population is None else (population * mean - total) / (population - seen)
        if given > -1:
            held = [
                wealth * (1 + share * (value - given) / (1 + given)) for wealth, share in zip(held, SHARES)
            ]
        total += value
        left = None if population is None else population - seen - 1
        excluded = left is not None and population * mean < total - left
        after.append(None if excluded else sum(held) / 5)
    return after


def lower_end(values, needed, population=None):
    """The least mean, to a millionth, at which the purses hold less than needed after all values."""
    low, high = Fraction(-1), Fraction(1)
    while high - low > Fraction(1, 10**7):
        middle = (low + high) / 2
        held = purses(values, middle, population)[-1]
        if held is None or held >= needed:
            low = middle
        else:
            high = middle
    return float(low)


@settings(deadline=None)
@given(tenths, st.sampled_from([None, 0, 3]), st.sampled_from([0.05, 0.5]))
@example([-3, -10, -10, 3, 10, 0], 0, 0.05)  # in floating point what is left has nearly to be -1
def test_wealth_and_stops_equal_those_of_five_bets_in_fractions(drawn, more, level):
    values = [Fraction(value, 10) for value in drawn]
    population = None if more is None else len(values) + more
    result = sequential_test([float(value) for value in values], level=level, population=population)
    stops = []
    for row, sign in enumerate((1, -1)):
        held = purses([sign * value for value in values], population=population)
        expected = [np.inf if wealth is None else float(wealth) for wealth in held]
        assert result.wealth[row] == pytest.approx(expected, rel=1e-9)
        stops += [(query, sign) for query, wealth in enumerate(expected, 1) if wealth >= 2 / level][:1]
    assert (result.stopped_at, result.winner) == min(stops, default=(None, 0))


@settings(deadline=None, max_examples=25)
@given(tenths, st.sampled_from([None, 2]))
def test_interval_ends_equal_those_of_the_wealth_in_fractions(drawn, more):
    values = [Fraction(value, 10) for value in drawn]
    population = None if more is None else len(values) + more
    result = sequential_test([float(value) for value in values], level=0.5, population=population)
    for seen in range(1, len(values) + 1):
        part = values[:seen]
        assert result.low[seen - 1] == pytest.approx(lower_end(part, 4, population), abs=1e-6)
        other = [-value for value in part]
        assert result.high[seen - 1] == pytest.approx(-lower_end(other, 4, population), abs=1e-6)


def test_of_a_fixed_set_all_is_known_in_the_end():
    for order in permutations([1, -1, 0.3, -0.1]):
        result = sequential_test(order, population=4)
        assert result.winner == 1 and result.low[-1] == pytest.approx(0.05) == result.high[-1]
    for order in permutations([1, -1, 0.5, -0.5]):
        assert sequential_test(order, population=4).stopped_at is None
    # Two of three are known: the third cannot make up for them.
    assert sequential_test([-1, -0.5], population=3).stopped_at == 2
    assert sequential_test([-1, -0.5]).stopped_at is None


@pytest.mark.parametrize("sign", [1, -1])
def test_the_system_named_first_stays_named(sign):
    """Four queries for one system are enough, and what follows would be for the other."""
    for_one, for_both = [sign] * 4, [sign] * 4 + [-sign] * 20
    result = sequential_test(for_both, level=0.5)
    assert (result.winner, result.stopped_at) == (sign, 4)
    assert sequential_test(for_one, level=0.5).winner == sign
    assert (result.wealth[:, -1] >= result.needed).tolist() == [sign < 0, sign > 0]


@pytest.mark.parametrize("chances", [(0.2, 0.3, 0.3, 0.2), (0.3, 0.3, 0.2, 0.2), (0.5, 0.0, 0.1, 0.4)])
def test_wealth_never_grows_in_expectation_if_the_other_system_is_no_worse(chances):
    """What is held after each of six queries, on average over all sequences."""
    support, chances = (-1, -0.5, 0.5, 1), np.array(chances)
    mean = float(chances @ support)
    sequences = [*product(range(4), repeat=6)]
    weights = np.array([chances[list(sequence)].prod() for sequence in sequences])
    held = np.array([sequential_test([support[i] for i in sequence]).wealth[0] for sequence in sequences])
    expected = weights @ held
    assert mean < 1e-12 and (np.diff(np.append(1, expected)) <= 1e-12).all()
    if mean > -1e-12:
        assert expected == pytest.approx(np.ones(6), abs=1e-12)


@pytest.mark.parametrize("chosen", [(0.5, -0.5, 0.25, -0.25, 0, 0), (0.5, -0.5, 0.25, -0.5, 0, 0)])
def test_wealth_on_a_fixed_set_never_grows_in_expectation(chosen):
    held = np.mean(
        [sequential_test(sequence, population=6).wealth[0] for sequence in permutations(chosen)], axis=0
    )
    assert (np.diff(np.append(1, held)) <= 1e-12).all()
    if sum(chosen) == 0:
        assert held == pytest.approx(np.ones(6), abs=1e-12)


@pytest.mark.parametrize("level", [0.1, 0.5])
def test_equal_systems_are_named_no_more_often_than_the_level(level):
    """Exactly, over all 2 ** 12 sequences of heads and tails."""
    named = [sequential_test(sequence, level=level).winner for sequence in product((-1, 1), repeat=12)]
    assert 0 < np.mean(np.array(named) != 0) <= level


def test_looking_after_every_query_raises_few_false_alarms():
    rng = np.random.default_rng(11)
    support, chances = np.array([-0.6, -0.2, 0, 0.1, 0.6]), [0.1, 0.2, 0.2, 0.4, 0.1]
    assert support @ chances == pytest.approx(0)
    studies = [rng.choice(support, 300, p=chances) for _ in range(1000)]
    alarms = np.mean([sequential_test(sequence).winner != 0 for sequence in studies])
    assert alarms <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 1000)


# Studies of twice the length cost the most of this file and miss as seldom: they are for the night.
@pytest.mark.parametrize("queries", [60, pytest.param(120, marks=pytest.mark.nightly)])
@pytest.mark.parametrize("whole", [False, True], ids=["a sample", "all of a population"])
def test_intervals_hold_the_mean_at_all_times(whole, queries):
    rng = np.random.default_rng(12)
    every, population = np.clip(rng.normal(0.1, 0.3, queries), -1, 1), queries if whole else None
    missed = 0
    for _ in range(200):
        order = rng.permutation(every) if whole else rng.choice(every, queries)
        result = sequential_test(order, population=population)
        missed += (result.low > every.mean() + 1e-9).any() or (result.high < every.mean() - 1e-9).any()
        running = np.cumsum(order) / np.arange(1, queries + 1)
        assert (result.low <= running + 1e-9).all() and (running <= result.high + 1e-9).all()
    assert missed / 200 <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 200)


def test_it_takes_no_more_queries_in_the_mean_than_wald_says():
    rng = np.random.default_rng(13)
    support, chances = np.array([-0.3, 0.1, 0.5]), np.array([0.3, 0.4, 0.3])
    stops = [sequential_test(rng.choice(support, 400, p=chances)).stopped_at or 400 for _ in range(300)]
    shares = np.array([0.1, 0.2, 0.4, 0.7, 1])[:, None]
    growth = np.log1p(shares * support) @ chances
    bound = ((np.log(40 * 5) + np.log1p(shares[:, 0])) / growth)[growth > 0].min()
    assert np.mean(stops) + 3 * np.std(stops) / np.sqrt(300) < bound < 3 * np.mean(stops)


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ({"differences": [0.1, 1.2]}, r"differences\[1\]=1.2: expected a number from -1 to 1"),
        ({"differences": [np.nan]}, r"differences\[0\]=nan: expected a number from -1 to 1"),
        ({"differences": []}, r"differences=\[\]: expected numbers from -1 to 1 of shape \(q,\)"),
        ({"differences": [[0.1]]}, "differences=.*: expected numbers"),
        ({"differences": "ab"}, "differences='ab': expected numbers"),
        ({"differences": [[0.1], [0.1, 0.2]]}, "differences=.*: expected numbers"),
        ({"differences": np.ma.masked_array([0.1, 0.2], [True, False])}, "differences=.*: expected numbers"),
        ({"level": 0}, "level=0: expected a number above 0 and below 1"),
        ({"level": 5}, "level=5: expected a number above 0 and below 1"),
        ({"level": "0.05"}, "level='0.05': expected a number"),
        ({"population": 2}, "population=2: expected an integer >= 3"),
        ({"population": 9.0}, "population=9.0: expected an integer >= 3"),
        ({"population": True}, "population=True: expected an integer"),
    ],
)
def test_bad_input_is_rejected_with_its_name(bad, message):
    with pytest.raises(ValueError, match=f"^{message}") as refusal:
        sequential_test(**{"differences": [0.1, 0.2, 0.3], **bad})
    assert "\n" not in str(refusal.value)
