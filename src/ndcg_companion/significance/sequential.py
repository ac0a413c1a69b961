"""When may I stop judging queries? A test of the mean difference that may be looked at after every query."""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from ndcg_companion.checks import check_float, check_int, raise_if, row_of_numbers

PURSES = np.array([0.1, 0.2, 0.4, 0.7, 1.0])  # the share of each purse that every query puts at stake
_ROUNDING = 1e-9  # of a sum of differences: nothing is certain that could be due to it


@dataclass(frozen=True, eq=False)
class SequentialTest:
    """What `sequential_test` found, query by query.

    Attributes
    ----------
    winner : int
        1 if the first system was named, -1 if the second was, 0 if neither.
    stopped_at : int or None
        After how many queries, counted from 1; None if no system was named.
    wealth : ndarray of shape (2, q)
        After each query the mean of the purses that bet on the first system, and of those on the second.
    needed : float
        What one of the two has to reach, 2 / level.
    low, high : ndarray of shape (q,)
        After each query the ends of an interval for the mean difference. With probability 1 - level all of
        them hold it at once, and so does what they have in common.
    """

    winner: int
    stopped_at: int | None
    wealth: np.ndarray
    needed: float
    differences: np.ndarray = field(repr=False)
    population: int | None = None

    @cached_property
    def low(self) -> np.ndarray:
        return _lower_ends(self.differences, self.population, self.needed)

    @cached_property
    def high(self) -> np.ndarray:
        return -_lower_ends(-self.differences, self.population, self.needed)


def sequential_test(
    differences: ArrayLike, *, level: float = 0.05, population: int | None = None
) -> SequentialTest:
    """Anytime-valid test of a mean difference: look after every query, and stop at the first clear one.

    Five purses with one unit each bet on the first system, five on the second. A purse stakes a fixed share
    of itself, 0.1, 0.2, 0.4, 0.7 or all, on every query, and becomes ``1 + share * difference`` times as much
    (``1 - share * difference``, if it bets on the second). A system is named when the mean of its purses
    reaches 2 / level.

    Parameters
    ----------
    differences : array_like of shape (q,)
        First system minus second, one number from -1 to 1 for each query, in the order in which the queries
        were judged: a random one, chosen before any result was seen.
    level : float
        If the mean difference is 0, a system is ever named with at most this probability, however often one
        looks; if it is not, the wrong one with at most half of it.
    population : int, optional
        The number of queries, these among them, of a fixed set that is judged in random order. What is tested
        is then the mean of that set, which is known when all are judged. By default queries are drawn
        independently, and the mean is that of all queries there may be.

    Returns
    -------
    SequentialTest

    Raises
    ------
    ValueError
        For anything that is not such numbers, a level outside (0, 1), and a population below q.

    Notes
    -----
    If the mean difference is 0 or less, no bet on the first system gains in expectation: the purses are a
    supermartingale, which ever reaches c times its start with probability 1 / c at most (Ville 1939). A fixed
    set of N queries: given the first t - 1, of sum S, the next has the mean ``m = -S / (N - t + 1)`` if the
    whole set has the mean 0, and a purse becomes ``1 + share * (difference - m) / (1 + m)`` times as much. A
    mean that what is left could not reach any more is excluded. Of bets for intervals: Waudby-Smith and
    Ramdas (2024), Estimating means of bounded random variables by betting.

    No purse stakes less than 0.1. A mean difference below about a twentieth of the mean squared difference
    is therefore not found, however many queries there are.

    Examples
    --------
    >>> test = sequential_test([0.4, 0.1, 0.3, -0.1, 0.5, 0.3] * 4)
    >>> test.winner, test.stopped_at, float(test.low[-1].round(3)), float(test.high[-1].round(3))
    (1, 24, 0.002, 0.41)
    """
    check_float("level", level, lambda share: 0 < share < 1, "a number above 0 and below 1")
    values = _read_differences(differences)
    if population is not None:
        check_int("population", population, values.size)
    logs = np.stack([_log_wealth(sign * values, population) for sign in (1, -1)])
    with np.errstate(over="ignore"):
        wealth = np.exp(logs)
    named = logs >= np.log(2 / level)
    stops = np.flatnonzero(named.any(axis=0))
    winner, stopped_at = 0, None
    if stops.size:
        stopped_at = int(stops[0]) + 1
        winner = 1 if named[0, stops[0]] else -1
    return SequentialTest(winner, stopped_at, wealth, 2 / level, values, population)


def _read_differences(differences):
    """The differences as floats, refused unless they are numbers from -1 to 1 in a row, at least one."""
    masked = isinstance(differences, np.ma.MaskedArray)
    array = row_of_numbers("differences", differences, "iuf")
    expected = "numbers from -1 to 1 of shape (q,), at least one"
    raise_if(array is None or masked, "differences", differences, expected)
    values = array.astype(float)
    outside = np.flatnonzero(~(np.abs(values) <= 1 + _ROUNDING))
    if outside.size:
        raise_if(True, f"differences[{outside[0]}]", float(values[outside[0]]), "a number from -1 to 1")
    return values.clip(-1, 1)


def _line(values, population):
    """Slope and intercept of the mean that each query has given those before it, by the mean of them all."""
    if population is None:
        return np.ones(values.size), np.zeros(values.size)
    remaining = population - np.arange(values.size)
    return population / remaining, -(np.cumsum(values) - values) / remaining


def _least(values, population):
    """The least mean that all queries can have after each: known for sure only of a fixed set."""
    if population is None:
        return np.full(values.size, -1.0)
    remaining = population - np.arange(1, values.size + 1)
    return (np.cumsum(values) - remaining) / population


def _log_wealth(values, population):
    """The logarithm of the mean purse that bets on a mean above 0, after each query."""
    sure = np.zeros(values.size, dtype=bool)
    if population is not None:
        sure = _least(values, population) * population > _ROUNDING
        values = np.where(sure, 0.0, values)
    _, means = _line(values, population)
    # Where all that is left has to be -1, a query of -1 changes no purse, and any other pays without end.
    means = np.where(1 + means <= _ROUNDING, -1.0, means)
    gains = ((values - means) / (1 + means).clip(min=_ROUNDING)).clip(min=-1)
    with np.errstate(divide="ignore"):
        logs = np.cumsum(np.log1p(np.outer(PURSES, gains)), axis=1)
    return np.where(sure, np.inf, np.logaddexp.reduce(logs, axis=0) - np.log(PURSES.size))


def _lower_ends(values, population, needed):
    """After each query the mean at which the purses that bet on a larger one hold just what is needed.

    They hold less, the larger the mean that they are paid for, and the logarithm of what they hold is convex
    in it. So Newton's method from below rises to the root, and from above its first step leads below.
    """
    slopes, intercepts = _line(values, population)
    lowest_means = _least(values, population)
    ends, end = np.empty(values.size), -1.0
    for count in range(1, values.size + 1):
        lowest = lowest_means[count - 1]
        excess_at = _ExcessWealth(values[:count], slopes[:count], intercepts[:count], np.log(needed))
        nearest = lowest + 1e-12
        if count == population or excess_at(nearest)[0] < 0:
            end = lowest
        else:
            end = max(end, nearest)
            for _ in range(200):
                excess, slope = excess_at(end)
                step = -excess / slope
                end = max(end + step, nearest)
                if abs(step) < 1e-13:
                    break
        ends[count - 1] = min(end, 1.0)
    return ends


class _ExcessWealth:
    """How far the logarithm of the mean purse is above what is needed, and its derivative in the mean."""

    def __init__(self, values, slopes, intercepts, needed):
        self.stakes = PURSES[:, None] * (1 + values)
        self.slopes, self.intercepts, self.needed = slopes, 1 + intercepts, needed

    def __call__(self, mean):
        against = self.slopes * mean + self.intercepts
        factors = 1 - PURSES[:, None] + self.stakes / against
        with np.errstate(divide="ignore", invalid="ignore"):
            logs = np.log(factors).sum(axis=1)
            parts = np.where(self.stakes > 0, self.stakes * self.slopes / against**2 / factors, 0.0)
        total = np.logaddexp.reduce(logs)
        shares = np.exp(logs - total)
        return total - np.log(PURSES.size) - self.needed, -(shares * parts.sum(axis=1)).sum()
