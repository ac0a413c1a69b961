"""One-sided confidence bounds for the mean of bounded differences.

The bounds are valid even for samples in which few queries differ.
"""

import numpy as np
from scipy.special import stdtrit  # the quantiles of Student's distribution

from ndcg_companion.significance.family import LEVEL
from ndcg_companion.significance.planning import FEWEST_CARRIERS, FEWEST_SURE
from ranking_report.wording import EQUAL

_DRAWS = 20_000


def student_ends(differences, tail):
    """Return Student's interval for a mean, with probability ``tail`` at each end.

    With fewer than six queries the interval is infinite.

    >>> [round(float(end), 3) for end in student_ends(np.arange(10.0), 0.025)]
    [2.334, 6.666]
    """
    if len(differences) < FEWEST_SURE:
        return -np.inf, np.inf
    # Imported here, because it is slow and loads all simulations.
    from ndcg_companion.simulation.intervals import student_ends as two_sided_ends

    return two_sided_ends(differences, 2 * tail)


def lower_bound(differences, least, level=LEVEL, strict=False):
    """Return a lower bound for the mean difference with confidence ``1 - level``.

    Parameters
    ----------
    differences : ndarray of shape (q,)
        The differences between two systems by query. The queries must be a random sample.
    least : float
        The smallest possible difference, which is -1 for measures from 0 to 1.
    level : float in (0, 1/2)
        The probability with which the bound may exceed the true mean.
    strict : bool
        Whether the bound must also account for large losses on kinds of queries that the sample does not
        contain.

    Returns
    -------
    float
        The bound, which is never below ``least``. With fewer than six queries, the bound is ``least``.

    Notes
    -----
    The usual bound is `skewed_bound`, which is Student's bound with a correction for skewness. The usual
    bound is used if the standard error is reliable according to `enough_differ`. This bound assumes that
    other queries have no losses that are rarer and larger than those of the sample. In simulations with the
    true mean at the margin, samples of 25, 50 and 100 queries passed in 3 to 6 % of cases with normal
    differences, and in at most 8 % with skewed distributions. The exceptions are mixtures in which at most
    one query in ten has a large loss. A sample of 25 queries may contain none of these losses, and such
    mixtures passed in 8.5 % of samples or more.

    If few queries differ, or with ``strict``, the bound is the smallest of up to three values:

    - `skewed_bound`.
    - The mean that remains if the queries that the sample may have missed lose as much as possible. Such
      queries are at most a proportion of ``1 - level ** (1 / q)``. If all observed differences are equal,
      this mean is the exact bound (Clopper and Pearson). For example, a release that fails on one query in
      thirty and changes nothing else shows no difference on any of fifty queries in 18 of 100 samples.
    - `weighted_bound`, which uses no standard error, if fewer than twelve queries account for the variance.

    The strict bound exceeds the true mean with a probability of at most about ``level``, and usually far less
    often. In simulations with 50 normal differences and a standard deviation of 0.07, a system at a margin of
    -0.05 never passed.

    References
    ----------
    Hall (1992) for the skewness, and Clopper and Pearson (1934) for the exact bound.

    Examples
    --------
    >>> round(lower_bound(np.zeros(50), -1), 4)
    -0.0584
    >>> spread = np.linspace(-0.1, 0.1, 100)
    >>> round(lower_bound(spread, -1), 4), round(lower_bound(spread, -1, strict=True), 4)
    (-0.0097, -0.0295)
    """
    q = len(differences)
    if q < FEWEST_SURE:
        return float(least)
    if not strict and enough_differ(differences):
        return float(max(skewed_bound(differences, level), least))
    mean = differences.mean()
    # A sample of q queries misses a proportion of 1 - level**(1/q) of all queries with probability level.
    bounds = [mean - (1 - level ** (1 / q)) * (mean - least), skewed_bound(differences, level)]
    if carriers(differences) < FEWEST_CARRIERS:
        bounds.append(weighted_bound(differences, least, level))
    return float(max(min(bounds), least))


def enough_differ(differences):
    """Return whether enough queries differ for a reliable standard error.

    At least twelve queries must differ. In addition, at least twelve queries must account for the variance
    (`carriers`), or a fifth of all queries if there are fewer than sixty.

    >>> enough_differ(np.linspace(-0.2, 0.2, 25)), enough_differ(np.repeat([0.0, -0.5], [95, 5]))
    (True, False)
    """
    differing_count = np.count_nonzero(np.abs(differences) > EQUAL)
    # If differences are normal, about a third of the queries account for the variance, so a fifth is enough.
    enough_carriers = min(FEWEST_CARRIERS, len(differences) / 5)
    return bool(differing_count >= FEWEST_CARRIERS and carriers(differences) >= enough_carriers)


def skewed_bound(differences, level=LEVEL):
    """Return Student's lower bound for a mean, lowered if rare losses are large.

    Notes
    -----
    The correction is Hall's transformation of Student's statistic, which is a monotone cubic. With the
    sample's skewness k and Student's quantile t, the bound is ``mean - T * standard error``, where ``(1 + a *
    T / 3) ** 3 = 1 + a * (t - a / 6)`` and ``a = k / sqrt(q)``. If the differences have a long tail of gains,
    Student's bound is returned without correction, although this bound is then too low.

    References
    ----------
    Hall (1992), On the removal of skewness by transformation. Journal of the Royal Statistical Society B 54.

    Examples
    --------
    >>> losses = -np.arange(30.0) ** 3
    >>> student = losses.mean() - 1.699 * losses.std(ddof=1) / np.sqrt(30)
    >>> round(float(student)), round(float(skewed_bound(losses)))
    (-8596, -8995)
    """
    q = len(differences)
    deviations = differences - differences.mean()
    standard_deviation = np.sqrt((deviations**2).sum() / (q - 1))
    if standard_deviation == 0:
        return differences.mean()
    # The adjusted third moment (Fisher and Pearson), which is k in the notes; `slope` is a there, and
    # `student_quantile` and `quantile` are t and T.
    skewness = q**2 / ((q - 1) * (q - 2)) * (deviations**3).mean() / standard_deviation**3
    slope = min(skewness, 0.0) / np.sqrt(q)
    quantile = student_quantile = stdtrit(q - 1, 1 - level)
    if slope < -1e-9:  # in the limit a = 0, T = t, and the formula would divide by 0
        quantile = 3 / slope * (np.cbrt(1 + slope * (student_quantile - slope / 6)) - 1)
    return differences.mean() - quantile * standard_deviation / np.sqrt(q)


def carriers(differences):
    """Return how many queries account for the variance, or 0 if all differences are equal.

    Notes
    -----
    The number is ``(sum of squares) ** 2 / sum of fourth powers`` of the deviations from the mean. If k of
    many queries differ, all by the same amount, this number is about k. If differences are normal, the number
    is a third of the number of queries. Deviations of at most 1e-12 count as rounding errors.

    Examples
    --------
    >>> round(float(carriers(np.repeat([0.0, 0.5], [96, 4]))), 1), carriers(np.full(9, 0.1))
    (4.3, 0.0)
    """
    deviations = differences - differences.mean()
    squares = np.where(np.abs(deviations) > EQUAL, deviations, 0.0) ** 2
    sum_of_fourth_powers = (squares**2).sum()
    return squares.sum() ** 2 / sum_of_fourth_powers if sum_of_fourth_powers > 0 else 0.0


def weighted_bound(differences, least, level=LEVEL):
    """Return a lower bound for the mean of any distribution whose smallest possible value is ``least``.

    Notes
    -----
    This is a bound of the kind introduced by Gaffke (2005). A query with the largest possible loss is added
    to the sample. All queries are weighted by the lengths of the parts into which random points divide an
    interval. The bound is a quantile of the weighted mean.

    If differences have only two values, one of which is ``least``, this bound is the exact one of Clopper and
    Pearson. The validity of the bound for every distribution is a conjecture, which no search has refuted
    (Learned-Miller and Thomas 2019).

    Examples
    --------
    >>> round(weighted_bound(np.repeat([0.0, -1.0], [45, 5]), -1), 2)  # Clopper and Pearson: -0.1995
    -0.2
    """
    values, counts = np.unique(np.append(differences, least), return_counts=True)
    # At most 2e7 weights of 8 bytes take 160 MB. For more than 10,000 distinct differences, 2,000 draws take
    # more.
    draws = int(np.clip(2e7 / len(values), 2000, _DRAWS))
    # Gamma variables divided by their sum are the lengths of the parts (a Dirichlet distribution). The seed
    # is fixed so that a gate is repeatable.
    weights = np.random.default_rng(7).standard_gamma(counts, (draws, len(values)))
    means = np.sort(weights @ values / weights.sum(axis=1))
    # With the rank level * (draws + 1), the level also holds for a finite number of draws.
    position = int(level * (draws + 1)) - 1
    return float(means[position]) if position >= 0 else float(least)
