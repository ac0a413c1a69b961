"""One-sided confidence bounds for a mean of bounded differences, also if few queries decide it."""

import numpy as np
from scipy.special import stdtrit  # the quantiles of Student's distribution

from ndcg_companion.evaluation.family import LEVEL
from ndcg_companion.evaluation.planning import FEWEST_SURE
from ndcg_companion.simulation import intervals

FEWEST_CARRIERS = 12  # so many queries must account for the variance before the standard error is believed
_DRAWS = 20_000


def student_ends(differences, tail):
    """Student's interval of a mean, which lies beyond each end with probability `tail`.

    It is of no use, and infinite, on fewer than six queries.

    >>> [round(float(end), 3) for end in student_ends(np.arange(10.0), 0.025)]
    [2.334, 6.666]
    """
    if len(differences) < FEWEST_SURE:
        return -np.inf, np.inf
    return intervals.student_ends(differences, 2 * tail)


def lower_bound(differences, least, level=LEVEL):
    """A number that the mean difference lies above, but with probability ``level``.

    Parameters
    ----------
    differences : ndarray of shape (q,)
        Of two systems, by query; queries are a random sample.
    least : float
        The least that a difference can be: -1 for measures from 0 to 1.
    level : float in (0, 1/2)

    Returns
    -------
    float
        ``least`` on fewer than six queries; never below it.

    Notes
    -----
    The smallest of these, each of which answers another way to be wrong:

    - Student's bound with Johnson's term for skewed differences (few large losses, many small gains), where
      it lowers the bound.
    - What is left of the mean if the largest share of queries of which none need have been seen,
      ``1 - level ** (1 / q)``, lose as much as they can. It is the exact bound (Clopper and Pearson) where
      all differences seen are the same: a release that fails on one query of thirty, and changes nothing
      else, shows no difference at all on fifty queries in 18 of 100 samples.
    - Where fewer than twelve queries account for the variance, `weighted_bound`, which looks at no standard
      error. Their number is ``(sum of squares) ** 2 / sum of fourth powers`` of the deviations from the mean:
      k if k of many differ, and by the same; a third of all if they are normal.

    Neither the first nor its switch is exact: at the margin such bounds were too high in at most 5 to 6.5 %
    of simulated samples of normal, skewed, discrete and rarely failing laws, on 6 to 400 queries.

    References
    ----------
    Johnson (1978), for the skewness; Clopper and Pearson (1934).

    Examples
    --------
    >>> round(lower_bound(np.zeros(50), -1), 4)
    -0.0584
    >>> round(lower_bound(np.linspace(-0.4, 0.4, 100), -1), 4)
    -0.0389
    """
    q = len(differences)
    if q < FEWEST_SURE:
        return float(least)
    mean = differences.mean()
    deviations = differences - mean
    squares = (deviations**2).sum()
    bounds = [mean - (1 - level ** (1 / q)) * (mean - least)]
    if squares > 0:
        standard_deviation = np.sqrt(squares / (q - 1))
        skewness = min((deviations**3).mean() / standard_deviation**3, 0.0)
        critical = stdtrit(q - 1, 1 - level)
        reach = critical - skewness * (1 + 2 * critical**2) / (6 * np.sqrt(q))
        bounds.append(mean - reach * standard_deviation / np.sqrt(q))
    if carriers(differences) < FEWEST_CARRIERS:
        bounds.append(weighted_bound(differences, least, level))
    return float(max(min(bounds), least))


def carriers(differences):
    """How many queries account for the variance of the differences; 0 if they are all the same.

    >>> round(float(carriers(np.repeat([0.0, 0.5], [96, 4]))), 1), carriers(np.zeros(9))
    (4.3, 0.0)
    """
    squares = (differences - differences.mean()) ** 2
    fourth = (squares**2).sum()
    return squares.sum() ** 2 / fourth if fourth > 0 else 0.0


def weighted_bound(differences, least, level=LEVEL):
    """A lower bound for the mean of any law above ``least``, of the kind of Gaffke (2005).

    One query is added that loses as much as it can, all queries are weighted by the lengths into which as
    many random points cut a stick, and the bound is the quantile of the weighted mean.

    Notes
    -----
    For differences of two values, one of them ``least``, it is the exact bound of Clopper and Pearson. That
    it holds for any law is a conjecture, which no search has refuted (Learned-Miller and Thomas 2019).

    Examples
    --------
    >>> round(weighted_bound(np.repeat([0.0, -1.0], [45, 5]), -1), 2)  # Clopper and Pearson: -0.1995
    -0.2
    """
    values, counts = np.unique(np.append(differences, least), return_counts=True)
    draws = int(np.clip(2e7 / len(values), 2000, _DRAWS))
    lengths = np.random.default_rng(7).standard_gamma(counts, (draws, len(values)))
    means = np.sort(lengths @ values / lengths.sum(axis=1))
    place = int(level * (draws + 1)) - 1  # as with the tests, the draw of the truth itself is counted
    return float(means[place]) if place >= 0 else float(least)
