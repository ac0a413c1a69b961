"""Confidence intervals for probabilities and means, with correction for multiple comparisons.

Every function takes ``comparisons``, the number of intervals that must cover simultaneously. Each interval
then has the error probability ``(1 - level) / comparisons`` (Bonferroni). All intervals cover simultaneously
with at least the stated level, however they depend on each other. Šidák's ``1 - level**(1 / comparisons)``
requires independence, but intervals from the same replicates are dependent. Šidák's correction would shorten
the intervals by only 1% or 2%.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betainccinv, betaincinv, ndtri, stdtrit

from ndcg_companion.checks import (
    check_choice,
    check_float,
    check_int,
    fail_if,
    numbers_or_none,
    raise_if,
    value_error,
)

Interval = tuple[Any, Any]


def proportion_interval(
    successes: ArrayLike, trials: int, level: float = 0.95, *, method: str = "exact", comparisons: int = 1
) -> Interval:
    """Return a confidence interval (low, high) for a probability.

    Parameters
    ----------
    successes : int or array of int, from 0 to trials
        Number of successes.
    trials : int >= 1
        Number of trials.
    level : float in (0, 1)
        Confidence level.
    method : {"exact", "wilson"}
        "exact" (Clopper and Pearson 1934) covers any true probability with at least the stated level and is
        therefore conservative. "wilson" (Wilson 1927, without continuity correction) inverts the normal test
        of a probability. On average over all true probabilities, the coverage of "wilson" is about the stated
        level. For some probabilities the coverage is lower.
    comparisons : int >= 1
        Number of intervals that must cover simultaneously.

    Raises
    ------
    ValueError
        If an argument is invalid.

    Examples
    --------
    >>> low, high = proportion_interval(0, 100)
    >>> low, round(high, 6)   # 1 - 0.025 ** (1 / 100)
    (0.0, 0.036217)
    >>> low, high = proportion_interval(0, 100, method="wilson")
    >>> low, round(high, 6)   # z**2 / (100 + z**2) with z = 1.959964
    (0.0, 0.036993)
    """
    tail_probability = _error(level, comparisons) / 2
    trials = check_int("trials", trials)
    counts = numbers_or_none("successes", successes, "iu")
    if counts is None or (counts < 0).any() or (counts > trials).any():
        raise value_error("successes", successes, f"integers from 0 to {trials}")
    check_choice("method", method, ("exact", "wilson"))
    failures = trials - counts
    if method == "wilson":
        # The ends are the roots of (trials + z²) p² - (2 counts + z²) p + counts² / trials, which are
        # (counts + z²/2 ± z sqrt(counts failures / trials + z²/4)) / (trials + z²).
        z_squared = ndtri(tail_probability) ** 2
        root = np.sqrt(z_squared * (counts * (failures / trials) + z_squared / 4))
        high = np.minimum((counts + z_squared / 2 + root) / (trials + z_squared), 1.0)
        # The lower root is computed from the product of the roots to avoid cancellation.
        low = counts * (counts / trials) / ((trials + z_squared) * high)
    else:
        # The lower end is a quantile of Beta(counts, failures + 1), the upper end one of
        # Beta(counts + 1, failures). The inverse beta functions return NaN if a count is 0.
        low = np.where(counts == 0, 0.0, betaincinv(counts, failures + 1, tail_probability))
        high = np.where(failures == 0, 1.0, betainccinv(counts + 1, failures, tail_probability))
    return plain(low), plain(high)


def student_interval(values: ArrayLike, level: float = 0.95, *, comparisons: int = 1) -> Interval:
    """Return Student's t interval (low, high) for a mean.

    The interval is exact for normal outcomes and approximate for others. If outcomes are skewed, more
    outcomes are needed, because the interval cannot account for rare large outcomes that have not occurred.

    Parameters
    ----------
    values : array-like of shape (replicates, ...)
        Independent outcomes; at least two.
    level : float in (0, 1)
        Confidence level.
    comparisons : int >= 1
        Number of intervals that must cover simultaneously.

    Raises
    ------
    ValueError
        If an argument is invalid.

    Examples
    --------
    >>> low, high = student_interval([1, 2, 3])
    >>> round(low, 4), round(high, 4)   # 2 -+ 4.3027 / sqrt(3)
    (-0.4841, 4.4841)
    """
    error = _error(level, comparisons)
    values = _at_least_two(values)
    with np.errstate(over="ignore", invalid="ignore"):
        low, high = student_ends(values, error)
        if not (np.isfinite(low) & np.isfinite(high)).all():
            # An intermediate sum overflowed; sums of values divided by the largest one do not.
            scale = np.abs(values).max()
            low, high = (end * scale for end in student_ends(values / scale, error))
    return plain(low), plain(high)


def student_ends(values, error):
    """Return the ends of Student's interval that misses the mean with probability ``error``."""
    # mean -+ t s / sqrt(n), with the (1 - error/2)-quantile t of Student's distribution with n - 1 degrees
    count, mean = len(values), values.mean(axis=0)
    margin = -stdtrit(count - 1, error / 2) * values.std(axis=0, ddof=1) / np.sqrt(count)
    return mean - margin, mean + margin


def bernstein_interval(
    values: ArrayLike, bounds: tuple[float, float], level: float = 0.95, *, comparisons: int = 1
) -> Interval:
    """Return an always valid interval (low, high) for the mean of bounded outcomes.

    This interval is the robust alternative to Student's interval. Without known bounds, no interval for a
    mean can have a guaranteed level (Bahadur and Savage 1956). NDCG, similar measures and their differences
    are bounded. If V is the sample variance of the n values and L = log(3 / (1 - level)), then

        ``margin = sqrt(2 V L / n) + 7 (high - low) L / (3 (n - 1))``

    This margin on both sides of the mean follows from theorem 4 of Maurer and Pontil 2009. Their theorem uses
    two events for one side, each with half of the error probability. One of these events, that the sample
    variance is too small, is common to both sides, so two sides need three events.

    Parameters
    ----------
    values : array-like of shape (replicates, ...)
        Independent outcomes; at least two.
    bounds : pair of float
        The lowest and the highest possible outcome. These bounds must be known in advance. They must not be
        derived from the values.
    level : float in (0, 1)
        Confidence level.
    comparisons : int >= 1
        Number of intervals that must cover simultaneously.

    Raises
    ------
    ValueError
        If an argument is invalid or a value is outside the bounds.

    Examples
    --------
    >>> low, high = bernstein_interval([0.25, 0.75] * 500, (0, 1))
    >>> round(low, 4), round(high, 4)   # Student's: 0.4845, 0.5155
    (0.4678, 0.5322)
    """
    error = _error(level, comparisons)
    try:
        lowest, highest = map(float, bounds)
    except (TypeError, ValueError):
        lowest = highest = np.nan
    raise_if(not -np.inf < lowest < highest < np.inf, "bounds", bounds, "two numbers, the lower one first")
    values = _at_least_two(values)
    fail_if(
        not ((lowest <= values) & (values <= highest)).all(),
        f"values: expected numbers within the bounds {lowest} and {highest}",
    )
    count, mean, log_term = len(values), values.mean(axis=0), np.log(3 / error)
    margin = np.sqrt(2 * values.var(axis=0, ddof=1) * log_term / count) + 7 * (
        highest - lowest
    ) * log_term / (3 * (count - 1))
    return plain(np.maximum(mean - margin, lowest)), plain(np.minimum(mean + margin, highest))


def plain(values):
    """Return a float for an array without dimensions, and any other array unchanged."""
    return float(values) if np.ndim(values) == 0 else values


def _error(level, comparisons):
    """Return the error probability of each of the simultaneous intervals (Bonferroni)."""
    check_float("level", level, lambda number: 0 < number < 1, "a number strictly between 0 and 1")
    return (1 - level) / check_int("comparisons", comparisons)


def _at_least_two(values):
    """Return the outcomes as an array; raise ValueError unless there are at least two and all are finite."""
    array = numbers_or_none("values", values)
    if array is None or not np.isfinite(array).all():
        raise value_error("values", values, "finite numbers without NaN, in outcomes of equal shape")
    array = np.atleast_1d(array)
    fail_if(len(array) < 2, f"replicates={len(array)}: expected at least 2, unless they are all 0 or 1")
    return array
