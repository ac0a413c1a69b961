"""How many queries it would take: to tell two systems apart, and for a harmless release to pass a gate."""

import numpy as np
from scipy.special import ndtri  # the quantiles of the normal distribution

FEWEST_SURE = 6  # flipping the signs of five gives no p-value below 2 / 2**5, which is more than 0.05
MOST = 1e9
AT_5_PERCENT = float(ndtri(0.975))  # the critical value of one two-sided test


def effects(means, spreads):
    """Mean over standard deviation of paired differences; infinite where all differ by the same."""
    moved = np.where(means == 0, 0.0, np.copysign(np.inf, means))
    return np.divide(means, spreads, out=moved, where=spreads > 0)


def paired_queries(effect, critical=AT_5_PERCENT, power=0.8):
    """Queries on which a paired test finds an effect, ``((critical + z(power)) / d)**2 + critical**2 / 2``.

    Parameters
    ----------
    effect : array_like
        Paired d: mean over standard deviation, from query to query, of the difference of two systems.
    critical : float
        What the test's statistic must exceed: 1.96 for one test at 5 %, more for a family.
    power : float in (1/2, 1)
        The probability to find it.

    Returns
    -------
    float or ndarray
        A whole number, at least 6; infinite for no effect, and beyond 10**9.

    References
    ----------
    Guenther (1981), who adds the last term for the standard deviation that is not known.

    Examples
    --------
    >>> float(paired_queries(0.08 / 0.245))  # a difference of 0.08, and 0.245 from query to query
    76.0
    """
    with np.errstate(divide="ignore", invalid="ignore"):  # nobody can be as sure as two queries ask for
        needed = np.ceil(((critical + ndtri(power)) / np.abs(effect)) ** 2 + critical**2 / 2)
    return np.where(needed <= MOST, needed.clip(min=FEWEST_SURE), np.inf)[()]


def smallest_effect(queries, critical=AT_5_PERCENT, power=0.8):
    """The smallest paired d that a paired test finds on so many queries: `paired_queries` solved for it.

    Parameters
    ----------
    queries : array_like
    critical, power : float
        As for `paired_queries`.

    Returns
    -------
    float or ndarray
        Infinite for ``critical**2 / 2`` queries and fewer.

    Examples
    --------
    >>> float(round(smallest_effect(50), 3))
    0.404
    """
    with np.errstate(divide="ignore"):
        return (critical + ndtri(power)) / np.sqrt((np.asarray(queries) - critical**2 / 2).clip(min=0))


def queries_needed(effect, queries, critical, power=0.8):
    """Queries on which a paired test finds an effect as large as the one seen, with a range.

    `paired_queries` of the effect, and of the ends of a 95 % interval for it.

    Parameters
    ----------
    effect : ndarray of shape (...)
        The paired d seen.
    queries : int
        On how many it was seen.
    critical : float
        What the test's statistic must exceed: 1.96 for one test at 5 %, more for a family.
    power : float in (1/2, 1)

    Returns
    -------
    ndarray of shape (3, ...)
        The number, and its lower and upper end; infinite where the effect may as well be nothing.

    Examples
    --------
    >>> queries_needed(np.array(0.5), 100, 1.96).tolist()
    [34.0, 18.0, 94.0]
    """
    size = np.abs(effect)
    margin = ndtri(0.975) * np.sqrt(1 / queries + np.where(np.isfinite(size), size, 0.0) ** 2 / (2 * queries))
    ends = np.stack([size, size + margin, size - margin]).clip(min=0)
    return paired_queries(ends, critical, power)


def gate_queries(spreads, margin, critical, certainty=0.9):
    """Queries on which releases that do no harm pass a gate with some certainty, all of them together.

    A release passes when the lower end of its interval, ``mean - critical * spread / sqrt(n)``, lies above
    the margin; one that does no harm has a mean difference of 0.

    Parameters
    ----------
    spreads : array_like of shape (s,)
        Standard deviations of the differences by query, one for each release.
    margin : float
        Below 0; otherwise no number of queries is enough.
    critical : float
        Of the one-sided interval: 1.64 for one release.

    Examples
    --------
    >>> gate_queries([0.1], -0.01, 1.645)
    858.0
    """
    spreads = np.asarray(spreads, dtype=float)
    if margin >= 0:
        return np.inf
    sure = ndtri(1 - (1 - certainty) / max(len(spreads), 1))
    widest = spreads.max(initial=0.0)
    return float(np.ceil(max(((critical + sure) * widest / -margin) ** 2 + critical**2 / 2, FEWEST_SURE)))


def swap_rate(rows, first, second, seed, most=400):
    """How often two random halves of the queries disagree on who is ahead, by pair; a tie counts as half.

    Parameters
    ----------
    rows : ndarray of shape (s, q)
        Values of s systems on q queries.
    first, second : ndarray of int, shape (h,)
        The systems of each pair.
    seed : int
    most : int
        Pairs of halves to draw; fewer where queries are many.

    Returns
    -------
    ndarray of shape (h,)
    """
    q, rng = rows.shape[1], np.random.default_rng([seed, 5])
    splits = int(np.clip(2e7 / q, 100, most))
    whole = rows.sum(axis=1)
    small = 1e-12 * q * np.abs(rows).max(initial=0.0)
    swaps = np.zeros(len(first))
    for _ in range(splits):
        half = rows[:, rng.permutation(q)[: q // 2]].sum(axis=1)
        one, other = (part[first] - part[second] for part in (half, whole - half))
        product = np.where(np.abs(one) <= small, 0.0, one) * np.where(np.abs(other) <= small, 0.0, other)
        swaps += np.where(product == 0, 0.5, product < 0)
    return swaps / splits
