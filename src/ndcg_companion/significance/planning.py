"""How many queries it would take: to tell two systems apart, and for a harmless release to pass a gate."""

import numpy as np
from scipy.special import ndtri  # the quantiles of the normal distribution

FEWEST_SURE = 6  # flipping the signs of five gives no p-value below 2 / 2**5, which is more than 0.05
FEWEST_CARRIERS = 12  # so many queries must account for the variance before the standard error is believed
MOST = 1e9
AT_5_PERCENT = float(ndtri(0.975))  # the critical value of one two-sided test


def effects(means, deviations):
    """Mean over standard deviation of paired differences; infinite where all differ by the same."""
    moved = np.where(means == 0, 0.0, np.copysign(np.inf, means))
    return np.divide(means, deviations, out=moved, where=deviations > 0)


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


def largest_deviation(differences, certainty=0.95):
    """The upper end of an approximate one-sided confidence interval for a standard deviation.

    It does not take the law to be normal. With heavy tails that of 95 % holds with about 90 % only, and with
    less where few of the differences are not zero.

    Parameters
    ----------
    differences : ndarray of shape (q,)
        Of two systems by query; at least six, not all the same.
    certainty : float in (1/2, 1)

    Returns
    -------
    float

    References
    ----------
    Bonett (2006), Approximate confidence interval for standard deviation of nonnormal distributions.
    Computational Statistics & Data Analysis 50(3), 775-782.

    Examples
    --------
    >>> round(largest_deviation(np.arange(20) / 20), 3)  # where that of the sample is 0.296
    0.377
    """
    n, z = len(differences), ndtri(certainty)
    cut = int(n / (2 * np.sqrt(n - 4)))  # the middle of the kurtosis is a trimmed mean
    middle = np.sort(differences)[cut : n - cut].mean()
    deviation = differences.std(ddof=1)
    kurtosis = n * ((differences - middle) ** 4).sum() / ((n - 1) * deviation**2) ** 2
    widening = n / (n - z)
    error = widening * np.sqrt((kurtosis - (n - 3) / n) / (n - 1))  # no kurtosis is below 1
    return float(deviation * np.sqrt(widening * np.exp(z * error)))


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
    low, high = effect_interval(size, queries)
    return paired_queries(np.stack([size, high, low]).clip(min=0), critical, power)


def effect_interval(effect, queries):
    """The ends of a 95 % interval for a paired d, of one pair by itself.

    Its standard error is ``sqrt(1 / q + d**2 / (2 q))``, for many queries and differences that are normal.

    >>> [float(end.round(2)) for end in effect_interval(np.array(0.5), 100)]
    [0.29, 0.71]
    """
    size = np.where(np.isfinite(effect), effect, 0.0)
    margin = ndtri(0.975) * np.sqrt(1 / queries + size**2 / (2 * queries))
    return effect - margin, effect + margin


def gate_queries(deviations, margin, certainty=0.9, strict=False):
    """Return on how many queries releases that do no harm pass a gate, all of them together.

    A release that does no harm has a mean difference of 0. It passes when its lower end at 5 % is above the
    margin: Student's; with ``strict``, or where no query differs, also that of losses of 1 on queries of
    which none was seen, about ``mean - log(20) / n``.

    Parameters
    ----------
    deviations : array_like of shape (s,)
        Standard deviations of the differences by query, one for each release, of which there is at least one.
    margin : float
        Below 0; otherwise no number of queries is enough.
    certainty : float in (1/2, 1)
        The probability that all pass.
    strict : bool
        Whether the gate's bound is the strict one.

    Returns
    -------
    float
        A whole number, at least 12; infinite for a margin of 0 and above.

    Examples
    --------
    >>> gate_queries([0.1], -0.01), gate_queries([0.1], -0.05), gate_queries([0.1], -0.05, strict=True)
    (858.0, 36.0, 84.0)
    >>> gate_queries([0.0], -0.01)
    300.0
    """
    deviations = np.asarray(deviations, dtype=float)
    if margin >= 0:
        return np.inf
    sure = ndtri(1 - (1 - certainty) / len(deviations))
    widest, unseen, critical = deviations.max(), np.log(20), ndtri(0.95)
    needed = ((critical + sure) * widest / -margin) ** 2 + critical**2 / 2
    if strict or widest == 0:
        # The n that solves margin = -sure * widest / sqrt(n) - log(20) / n.
        chance = sure * widest
        root_of_queries = (chance + np.sqrt(chance**2 - 4 * unseen * margin)) / (-2 * margin)
        needed = max(needed, root_of_queries**2)
    return float(np.ceil(max(needed, FEWEST_CARRIERS)))


def swap_rate(rows, first, second, seed):
    """How often two random halves of the queries disagree on who is ahead, by pair; a tie counts as half.

    Parameters
    ----------
    rows : ndarray of shape (s, q)
        Values of s systems on q queries.
    first, second : ndarray of int, shape (h,)
        The systems of each pair.
    seed : int
        Of the 400 pairs of halves, fewer where queries are many.

    Returns
    -------
    ndarray of shape (h,)
    """
    q, rng = rows.shape[1], np.random.default_rng([seed, 5])
    splits = int(np.clip(2e7 / q, 100, 400))
    totals = rows.sum(axis=1)
    small = 1e-12 * q * np.abs(rows).max()  # what rounding makes of a tie
    swaps = np.zeros(len(first))
    for _ in range(splits):
        half = rows[:, rng.permutation(q)[: q // 2]].sum(axis=1)
        gaps = (part[first] - part[second] for part in (half, totals - half))
        winner, other_winner = (np.where(np.abs(gap) <= small, 0.0, np.sign(gap)) for gap in gaps)
        swaps += (1 - winner * other_winner) / 2
    return swaps / splits
