"""Numbers of queries needed to detect a difference between two systems or to let a harmless release pass."""

import numpy as np
from scipy.special import ndtri  # quantiles of the normal distribution

FEWEST_SURE = 6  # with five queries, sign flips give no p-value below 2 / 2**5 > 0.05
FEWEST_CARRIERS = 12  # the standard error is used only if at least this many queries account for the variance
MOST = 1e9
AT_5_PERCENT = float(ndtri(0.975))  # the critical value of one two-sided test


def effects(means, deviations):
    """Return the paired d, the mean divided by the standard deviation; infinite if the latter is 0."""
    without_deviation = np.where(means == 0, 0.0, np.copysign(np.inf, means))
    return np.divide(means, deviations, out=without_deviation, where=deviations > 0)


def paired_queries(effect, critical=AT_5_PERCENT, power=0.8):
    """Return the number of queries on which a paired test detects an effect.

    The number is ``((critical + z(power)) / d)**2 + critical**2 / 2``, rounded up.

    Parameters
    ----------
    effect : array_like
        Paired d: the mean difference of two systems, divided by the standard deviation of this difference
        between queries.
    critical : float
        Critical value of the test: 1.96 for one test at 5%, more for a family.
    power : float in (1/2, 1)
        Probability of detecting the effect.

    Returns
    -------
    float or ndarray
        A whole number of at least 6; infinite if the effect is 0 or the number exceeds 10**9.

    References
    ----------
    Guenther (1981) adds the last term because the standard deviation is estimated.

    Examples
    --------
    >>> float(paired_queries(0.08 / 0.245))  # difference 0.08, standard deviation 0.245
    76.0
    """
    with np.errstate(divide="ignore", invalid="ignore"):  # the effect is 0, or the critical value is infinite
        needed = np.ceil(((critical + ndtri(power)) / np.abs(effect)) ** 2 + critical**2 / 2)
    return np.where(needed <= MOST, needed.clip(min=FEWEST_SURE), np.inf)[()]


def smallest_effect(queries, critical=AT_5_PERCENT, power=0.8):
    """Return the smallest paired d that a test detects (inverse of `paired_queries`).

    Parameters
    ----------
    queries : array_like
        Number of queries.
    critical, power : float
        As for `paired_queries`.

    Returns
    -------
    float or ndarray
        Infinite for at most ``critical**2 / 2`` queries.

    Examples
    --------
    >>> float(round(smallest_effect(50), 3))
    0.404
    """
    # The inverse of n = ((critical + z(power)) / d)**2 + critical**2 / 2.
    with np.errstate(divide="ignore"):
        return (critical + ndtri(power)) / np.sqrt((np.asarray(queries) - critical**2 / 2).clip(min=0))


def largest_deviation(differences, certainty=0.95):
    """Return an approximate upper confidence bound for a standard deviation.

    The distribution need not be normal. If the differences have heavy tails, the actual coverage of a 95%
    bound is only about 90%. The coverage is lower if most of the differences are zero.

    Parameters
    ----------
    differences : ndarray of shape (q,)
        Differences of two systems by query; at least six values, not all equal.
    certainty : float in (1/2, 1)
        Confidence of the one-sided bound.

    Returns
    -------
    float

    References
    ----------
    Bonett (2006), Approximate confidence interval for standard deviation of nonnormal distributions.
    Computational Statistics & Data Analysis 50(3), 775-782.

    Examples
    --------
    >>> round(largest_deviation(np.arange(20) / 20), 3)  # the sample has 0.296
    0.377
    """
    n, z = len(differences), ndtri(certainty)
    trimmed = int(n / (2 * np.sqrt(n - 4)))  # the kurtosis is centred at a trimmed mean
    trimmed_mean = np.sort(differences)[trimmed : n - trimmed].mean()
    deviation = differences.std(ddof=1)
    # n * sum (x - trimmed mean)**4 / (sum (x - mean)**2)**2, where the latter sum is (n - 1) deviation**2
    kurtosis = n * ((differences - trimmed_mean) ** 4).sum() / ((n - 1) * deviation**2) ** 2
    correction = n / (n - z)
    # Bonett's bound for the variance is c exp(z * error) times the sample variance, with c = n / (n - z) and
    # error = c sqrt((kurtosis - (n - 3) / n) / (n - 1)). The root exists because no kurtosis is below 1.
    error = correction * np.sqrt((kurtosis - (n - 3) / n) / (n - 1))
    return float(deviation * np.sqrt(correction * np.exp(z * error)))


def queries_needed(effect, queries, critical, power=0.8):
    """Return the number of queries needed to detect an observed effect, with a range.

    The numbers are the results of `paired_queries` for the effect and for the ends of its 95% interval.

    Parameters
    ----------
    effect : ndarray of shape (...)
        Observed paired d.
    queries : int
        Number of queries on which the effect was observed.
    critical : float
        Critical value of the test: 1.96 for one test at 5%, more for a family.
    power : float in (1/2, 1)
        Probability of detecting the effect.

    Returns
    -------
    ndarray of shape (3, ...)
        The estimate and the ends of its range; the upper end is infinite if the interval for the effect
        reaches 0.

    Examples
    --------
    >>> queries_needed(np.array(0.5), 100, 1.96).tolist()
    [34.0, 18.0, 94.0]
    """
    size = np.abs(effect)
    low, high = effect_interval(size, queries)
    return paired_queries(np.stack([size, high, low]).clip(min=0), critical, power)


def effect_interval(effect, queries):
    """Return the ends of a 95% confidence interval for the paired d of a single pair.

    The standard error is ``sqrt(1 / q + d**2 / (2 q))``, if there are many queries and the differences are
    normal.

    >>> [float(end.round(2)) for end in effect_interval(np.array(0.5), 100)]
    [0.29, 0.71]
    """
    size = np.where(np.isfinite(effect), effect, 0.0)
    margin = ndtri(0.975) * np.sqrt(1 / queries + size**2 / (2 * queries))
    return effect - margin, effect + margin


def gate_queries(deviations, margin, certainty=0.9, strict=False):
    """Return the number of queries on which all harmless releases pass a gate.

    A harmless release has a mean difference of 0. A release passes if Student's lower confidence bound at 5%
    is above the margin. If ``strict`` is true, or if the difference is the same on every query, a second
    bound must also be above the margin. This bound, about ``mean - log(20) / n``, allows for unseen queries
    with a loss of 1.

    Parameters
    ----------
    deviations : array_like of shape (s,)
        Standard deviation of the differences by query for each release; at least one release is required.
    margin : float
        The gate's margin. If the margin is not below 0, no number of queries is enough.
    certainty : float in (1/2, 1)
        Probability that all releases pass.
    strict : bool
        Whether the gate uses the strict bound.

    Returns
    -------
    float
        A whole number of at least 12; infinite for a margin >= 0.

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
    # Each of s releases may fail with probability (1 - certainty) / s (Bonferroni).
    quantile = ndtri(1 - (1 - certainty) / len(deviations))
    highest_deviation, unseen_loss, critical = deviations.max(), np.log(20), ndtri(0.95)
    # As in `paired_queries`, with the effect -margin / highest_deviation.
    needed = ((critical + quantile) * highest_deviation / -margin) ** 2 + critical**2 / 2
    if strict or highest_deviation == 0:
        # With s = quantile * highest_deviation and L = log(20), this is the n that solves
        # margin = -s / sqrt(n) - L / n, that is, -margin x**2 - s x - L = 0 with x = sqrt(n).
        scaled_deviation = quantile * highest_deviation
        root_of_queries = (scaled_deviation + np.sqrt(scaled_deviation**2 - 4 * unseen_loss * margin)) / (
            -2 * margin
        )
        needed = max(needed, root_of_queries**2)
    return float(np.ceil(max(needed, FEWEST_CARRIERS)))


def swap_rate(rows, first, second, seed):
    """Return, for each pair, how often two random halves of the queries disagree.

    Two halves disagree if different systems of the pair have the higher mean; a tie counts as one half.

    Parameters
    ----------
    rows : ndarray of shape (s, q)
        Values of s systems on q queries.
    first, second : ndarray of int, shape (h,)
        The systems of each pair.
    seed : int
        Seed of the random halves. There are 400 pairs of halves. For many queries there are fewer, but at
        least 100.

    Returns
    -------
    ndarray of shape (h,)
    """
    q, rng = rows.shape[1], np.random.default_rng([seed, 5])
    splits = int(np.clip(2e7 / q, 100, 400))  # fewer for many queries, to limit the time
    sums = rows.sum(axis=1)
    rounding = 1e-12 * q * np.abs(rows).max()  # gaps of at most this size count as ties
    swaps = np.zeros(len(first))
    for _ in range(splits):
        half_sums = rows[:, rng.permutation(q)[: q // 2]].sum(axis=1)
        sign = _sign_of_gap(half_sums, first, second, rounding)
        other_sign = _sign_of_gap(sums - half_sums, first, second, rounding)
        # The product of the signs is -1 if the halves disagree, 0 for a tie and 1 if they agree, so these
        # cases count as 1, 1/2 and 0 swaps.
        swaps += (1 - sign * other_sign) / 2
    return swaps / splits


def _sign_of_gap(sums, first, second, rounding):
    """Return the sign of each pair's difference, or 0 if rounding could explain it."""
    gap = sums[first] - sums[second]
    return np.where(np.abs(gap) <= rounding, 0.0, np.sign(gap))
