"""Confidence intervals for probabilities and means, and an error budget for several of them.

Every function takes `comparisons`, the number of intervals that are to hold together: each then spends an
equal part of the error probability (Bonferroni), ``(1 - level) / comparisons``, and all cover with at least
the stated level, however they depend on each other. Šidák's ``1 - level**(1 / comparisons)`` needs
independence, which intervals from the same replicates do not have, and would shorten them by a percent or two
at most."""

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
    """Confidence interval for a probability, as (low, high).

    Parameters
    ----------
    successes : int or array of int, from 0 to trials
    trials : int >= 1
    level : float in (0, 1)
    method : {"exact", "wilson"}
        "exact" (Clopper and Pearson 1934) covers the true probability with at least the stated level,
        whatever it is, and is wider than it need be. "wilson" (Wilson 1927, without continuity correction)
        inverts the normal test of a probability: about the stated level on average over probabilities,
        sometimes less.
    comparisons : int >= 1
        The number of intervals that are to hold together.

    Raises
    ------
    ValueError
        For arguments other than the above.

    Examples
    --------
    >>> low, high = proportion_interval(0, 100)
    >>> low, round(high, 6)   # 1 - 0.025 ** (1 / 100)
    (0.0, 0.036217)
    >>> low, high = proportion_interval(0, 100, method="wilson")
    >>> low, round(high, 6)   # z**2 / (100 + z**2) with z = 1.959964
    (0.0, 0.036993)
    """
    tail = _error(level, comparisons) / 2
    trials = check_int("trials", trials)
    counts = numbers_or_none("successes", successes, "iu")
    if counts is None or (counts < 0).any() or (counts > trials).any():
        raise value_error("successes", successes, f"integers from 0 to {trials}")
    check_choice("method", method, ("exact", "wilson"))
    failures = trials - counts
    if method == "wilson":
        square = ndtri(tail) ** 2
        root = np.sqrt(square * (counts * (failures / trials) + square / 4))
        high = np.minimum((counts + square / 2 + root) / (trials + square), 1.0)
        # the ends are the two roots of (trials + z²) p² - (2 counts + z²) p + counts² / trials: taken
        # from their product, the lower one does not suffer from cancellation
        low = counts * (counts / trials) / ((trials + square) * high)
    else:
        # where a count is 0, NaN
        low = np.where(counts == 0, 0.0, betaincinv(counts, failures + 1, tail))
        high = np.where(failures == 0, 1.0, betainccinv(counts + 1, failures, tail))
    return plain(low), plain(high)


def student_interval(values: ArrayLike, level: float = 0.95, *, comparisons: int = 1) -> Interval:
    """Student's t interval for a mean, as (low, high).

    Exact for normal outcomes; for others an approximation that needs many of them, the more so the more
    skewed they are: a rare large outcome that has not been seen yet is not in it.

    Parameters
    ----------
    values : array-like of shape (replicates, ...)
        Independent outcomes; at least two.
    level : float in (0, 1)
    comparisons : int >= 1
        The number of intervals that are to hold together.

    Raises
    ------
    ValueError
        For arguments other than the above.

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
            # A sum on the way left the floats: by shares of the largest value, none does.
            scale = np.abs(values).max()
            low, high = (end * scale for end in student_ends(values / scale, error))
    return plain(low), plain(high)


def student_ends(values, error):
    """The ends of Student's interval, which misses the mean with probability ``error``."""
    count, mean = len(values), values.mean(axis=0)
    margin = -stdtrit(count - 1, error / 2) * values.std(axis=0, ddof=1) / np.sqrt(count)
    return mean - margin, mean + margin


def bernstein_interval(
    values: ArrayLike, bounds: tuple[float, float], level: float = 0.95, *, comparisons: int = 1
) -> Interval:
    """Interval for a mean of outcomes known to lie within bounds, as (low, high), valid for any number.

    The robust alternative to Student's. For means without a known range no interval can have a guaranteed
    level (Bahadur and Savage 1956), hence the bounds; measures such as NDCG and their differences have them.
    With V the sample variance of the n values and L = log(3 / (1 - level)),

        ``margin = sqrt(2 V L / n) + 7 (high - low) L / (3 (n - 1))``

    by Maurer and Pontil 2009, theorem 4. They bound one side, by two events of probability half the error
    each; both sides share the event that the sample variance is too small, which makes three.

    Parameters
    ----------
    values : array-like of shape (replicates, ...)
        Independent outcomes; at least two.
    bounds : pair of float
        The lowest and the highest value an outcome can take, known beforehand and not read off the values.
    level : float in (0, 1)
    comparisons : int >= 1
        The number of intervals that are to hold together.

    Raises
    ------
    ValueError
        For arguments other than the above, and for values outside the bounds.

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
    count, mean, log = len(values), values.mean(axis=0), np.log(3 / error)
    margin = np.sqrt(2 * values.var(axis=0, ddof=1) * log / count) + 7 * (highest - lowest) * log / (
        3 * (count - 1)
    )
    return plain(np.maximum(mean - margin, lowest)), plain(np.minimum(mean + margin, highest))


def plain(values):
    """A float instead of an array without dimensions; other arrays as they are."""
    return float(values) if np.ndim(values) == 0 else values


def _error(level, comparisons):
    check_float("level", level, lambda share: 0 < share < 1, "a number strictly between 0 and 1")
    return (1 - level) / check_int("comparisons", comparisons)


def _at_least_two(values):
    """The outcomes as an array; refused unless there are two or more, all finite numbers."""
    array = numbers_or_none("values", values)
    if array is None or not np.isfinite(array).all():
        raise value_error("values", values, "finite numbers, as many in each outcome, and no NaN among them")
    array = np.atleast_1d(array)
    fail_if(len(array) < 2, f"replicates={len(array)}: expected at least 2, unless they are all 0 or 1")
    return array
