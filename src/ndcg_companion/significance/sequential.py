"""A sequential test of a mean difference that remains valid if you look at it after every query."""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from ndcg_companion.checks import check_float, check_int, raise_if, row_of_numbers, value_error

# The fraction of its wealth that each strategy bets per query.
BET_FRACTIONS = np.array([0.1, 0.2, 0.4, 0.7, 1.0])
_ROUNDING = 1e-9  # rounding error of a sum of differences; a gap this small does not count as certain


@dataclass(frozen=True, eq=False)
class SequentialTest:
    """Result of `sequential_test`, query by query.

    Attributes
    ----------
    winner : int
        1 if the test named the first system, -1 if it named the second, 0 if it named neither.
    stopped_at : int or None
        Number of queries after which a system was named; None if no system was named.
    wealth : ndarray of shape (2, q)
        Mean wealth, after each query, of the strategies that bet on the first and on the second system.
    needed : float
        The mean wealth at which a system is named, 2 / level.
    low, high : ndarray of shape (q,)
        Ends of a confidence interval for the mean difference after each query. With probability 1 - level,
        all these intervals contain the mean difference simultaneously, so their intersection contains it as
        well.
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
    """Return a test of a mean difference that stays valid if you stop early.

    Five betting strategies with initial wealth 1 bet on the first system, and five others bet on the second
    system. On every query, a strategy bets a fixed fraction of its wealth. The five fractions are 0.1, 0.2,
    0.4, 0.7 and 1. A bet on the first system multiplies the wealth by ``1 + fraction * difference``, and a
    bet on the second system multiplies it by ``1 - fraction * difference``. A system is named when the mean
    wealth of the strategies that bet on this system reaches 2 / level.

    Parameters
    ----------
    differences : array_like of shape (q,)
        Score of the first system minus score of the second, from -1 to 1, for each query, in the order in
        which the queries were judged. This order must be random, and it must be chosen before any result is
        seen.
    level : float
        If the mean difference is 0, the probability that the test ever names a system is at most `level`,
        however often you look. If the mean difference is not 0, the probability that the test names the worse
        system is at most half of `level`.
    population : int, optional
        Size of a fixed set of queries that is judged in random order. The set includes the queries given
        here. The test is then about the mean of this fixed set. This mean is known once all queries of the
        set are judged. By default, queries are independent draws, and the test is about the mean of their
        distribution.

    Returns
    -------
    SequentialTest

    Raises
    ------
    ValueError
        If a difference is not a number from -1 to 1, `level` is outside (0, 1), or `population` is below q.

    Notes
    -----
    If the mean difference is at most 0, no bet on the first system gains in expectation, so the wealth of
    these bets is a supermartingale. The probability that this wealth ever reaches c times its initial value
    is at most 1 / c (Ville 1939). For a fixed set of N queries with mean 0, let S be the sum of the
    differences before the t-th difference. Given these, the t-th difference has mean
    ``m = -S / (N - t + 1)``, and the wealth is multiplied by ``1 + fraction * (difference - m) / (1 + m)``.
    Means that no scores of the remaining queries could produce are excluded. For intervals by betting see
    Waudby-Smith and Ramdas (2024), Estimating means of bounded random variables by betting.

    No strategy bets less than a tenth of its wealth. A mean difference below about a twentieth of the mean
    squared difference is therefore not detected, however many queries there are.

    Examples
    --------
    >>> test = sequential_test([0.4, 0.1, 0.3, -0.1, 0.5, 0.3] * 4)
    >>> test.winner, test.stopped_at, float(test.low[-1].round(3)), float(test.high[-1].round(3))
    (1, 24, 0.002, 0.41)
    """
    check_float("level", level, lambda number: 0 < number < 1, "a number above 0 and below 1")
    values = _read_differences(differences)
    if population is not None:
        check_int("population", population, values.size)
    # Row 0 is for the bets on the first system, row 1 for those on the second.
    log_wealth = np.stack([_log_wealth(sign * values, population) for sign in (1, -1)])
    with np.errstate(over="ignore"):
        wealth = np.exp(log_wealth)
    is_reached = log_wealth >= np.log(2 / level)
    stopping_positions = np.flatnonzero(is_reached.any(axis=0))
    winner, stopped_at = 0, None
    if stopping_positions.size:
        stopped_at = int(stopping_positions[0]) + 1
        winner = 1 if is_reached[0, stopping_positions[0]] else -1
    return SequentialTest(winner, stopped_at, wealth, 2 / level, values, population)


def _read_differences(differences):
    """Return the differences as floats; raise ValueError unless they are a row of numbers from -1 to 1."""
    is_masked = isinstance(differences, np.ma.MaskedArray)
    array = row_of_numbers("differences", differences, "iuf")
    expected = "numbers from -1 to 1 of shape (q,), at least one"
    raise_if(array is None or is_masked, "differences", differences, expected)
    values = array.astype(float)
    invalid_positions = np.flatnonzero(~(np.abs(values) <= 1 + _ROUNDING))
    if invalid_positions.size:
        position = invalid_positions[0]
        raise value_error(f"differences[{position}]", float(values[position]), "a number from -1 to 1")
    return values.clip(-1, 1)


def _conditional_mean_line(values, population):
    """Return, for each query, the slope and intercept of its conditional mean m = slope * M + intercept.

    M is the overall mean, and m is the mean of the query's difference, given the earlier differences.
    """
    if population is None:
        return np.ones(values.size), np.zeros(values.size)
    # If N values have the mean M, the remaining ones have the mean (N M - sum so far) / remaining.
    remaining = population - np.arange(values.size)
    sums_before = np.cumsum(values) - values
    return population / remaining, -sums_before / remaining


def _lowest_means(values, population):
    """Return the lowest overall mean possible after each query; -1 unless the set is fixed."""
    if population is None:
        return np.full(values.size, -1.0)
    # The mean is lowest if all remaining differences are -1.
    remaining = population - np.arange(1, values.size + 1)
    return (np.cumsum(values) - remaining) / population


def _log_wealth(values, population):
    """Return, after each query, the log of the mean wealth of the bets on a mean above 0."""
    # If even the lowest possible mean is above 0, the mean is certainly above 0.
    is_certain = np.zeros(values.size, dtype=bool)
    if population is not None:
        is_certain = _lowest_means(values, population) * population > _ROUNDING
        values = np.where(is_certain, 0.0, values)
    # On a query with the difference x and the conditional mean m, a bet of the fraction f multiplies the
    # wealth by 1 + f (x - m) / (1 + m). Under the overall mean 0, m is the intercept alone.
    _, means = _conditional_mean_line(values, population)
    # If all remaining queries must be -1, a value of -1 leaves the wealth unchanged, and any other makes it
    # practically infinite.
    means = np.where(1 + means <= _ROUNDING, -1.0, means)
    returns_per_stake = ((values - means) / (1 + means).clip(min=_ROUNDING)).clip(min=-1)
    with np.errstate(divide="ignore"):
        log_wealths = np.cumsum(np.log1p(np.outer(BET_FRACTIONS, returns_per_stake)), axis=1)
    log_mean_wealth = np.logaddexp.reduce(log_wealths, axis=0) - np.log(BET_FRACTIONS.size)
    return np.where(is_certain, np.inf, log_mean_wealth)


def _lower_ends(values, population, needed):
    """Return the mean, after each query, at which bets on a larger mean reach ``needed``.

    The wealth is a decreasing function of the mean that is tested, and its logarithm is a convex function of
    this mean. If Newton's method starts below the root, it therefore increases to the root. If it starts
    above the root, its first step leads below the root.
    """
    slopes, intercepts = _conditional_mean_line(values, population)
    lowest_means = _lowest_means(values, population)
    lower_ends, end = np.empty(values.size), -1.0
    for count in range(1, values.size + 1):
        lowest = lowest_means[count - 1]
        excess_wealth = _ExcessWealth(values[:count], slopes[:count], intercepts[:count], np.log(needed))
        # The search starts just above the lowest possible mean, where the wealth may be infinite.
        start = lowest + 1e-12
        excess_at_start, _ = excess_wealth(start)
        if count == population or excess_at_start < 0:
            end = lowest  # the mean of a completely judged set, or no mean is excluded yet
        else:
            # Newton's method from the previous end; the next point is end - excess / slope.
            end = max(end, start)
            for _ in range(200):
                excess, slope = excess_wealth(end)
                step = -excess / slope
                end = max(end + step, start)
                if abs(step) < 1e-13:
                    break
        lower_ends[count - 1] = min(end, 1.0)
    return lower_ends


class _ExcessWealth:
    """Log of the mean wealth minus the log of the needed wealth, and its derivative in the mean.

    An instance is called with the overall mean of the differences that is tested, and it returns both.
    """

    def __init__(self, values, slopes, intercepts, log_needed):
        # Row i belongs to the strategy that bets the i-th fraction f: f (1 + x) for each difference x.
        self.stakes = BET_FRACTIONS[:, None] * (1 + values)
        self.slopes, self.intercepts_plus_one, self.log_needed = slopes, 1 + intercepts, log_needed

    def __call__(self, mean):
        # With m the conditional mean of a query, the factor 1 + f (x - m) / (1 + m) of the wealth is
        # 1 - f + f (1 + x) / (1 + m).
        means_plus_one = self.slopes * mean + self.intercepts_plus_one
        wealth_factors = 1 - BET_FRACTIONS[:, None] + self.stakes / means_plus_one
        with np.errstate(divide="ignore", invalid="ignore"):
            log_wealths = np.log(wealth_factors).sum(axis=1)
            # Minus the derivative of log(factor) in the overall mean, in which m has the given slope:
            # f (1 + x) slope / (1 + m)**2 / factor.
            slope_terms = np.where(
                self.stakes > 0, self.stakes * self.slopes / means_plus_one**2 / wealth_factors, 0.0
            )
        # The log of a sum of wealths has the derivative sum of (share of the total) * (log wealth)'.
        log_total = np.logaddexp.reduce(log_wealths)
        weights = np.exp(log_wealths - log_total)
        derivative = -(weights * slope_terms.sum(axis=1)).sum()
        return log_total - np.log(BET_FRACTIONS.size) - self.log_needed, derivative
