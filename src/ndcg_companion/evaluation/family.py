"""Many comparisons held together: sign flips on all queries, max-T, step-down (Westfall and Young 1993).

If two systems are exchangeable, the sign of each query's difference is a coin toss. Tossing one coin a query
for all pairs at once keeps how the pairs hang together. Scores are rounded to a grid so fine that it does not
matter and so coarse that every sum of them is exact: the counts are the same on any machine, in any order,
for any number of threads.
"""

from dataclasses import dataclass
from functools import partial

import numpy as np
from scipy.special import stdtr  # Student's distribution
from threadpoolctl import threadpool_limits

LEVEL = 0.05
MOST_COMPLETE = 16  # queries up to which all sign patterns are tried
_PATTERNS = (10_000, 50_000)
_WORK = 2e10  # multiplications beyond which there are fewer patterns
_BATCH = 2**22  # signs at a time
_GRID = 2.0**-30


@dataclass(frozen=True)
class Contrasts:
    """Sums over queries of rows, or of differences of two rows, under sign flips.

    Parameters
    ----------
    rows : ndarray of shape (r, q)
        Scores; all finite.
    first, second : ndarray of int, shape (h,)
        Hypothesis i is about the mean of ``rows[first[i]] - rows[second[i]]``, or of ``rows[first[i]]`` where
        ``second[i]`` is -1.
    """

    rows: np.ndarray
    first: np.ndarray
    second: np.ndarray

    @property
    def sums(self):
        sums = np.append(self.rows.sum(axis=1), 0.0)
        return sums[self.first] - sums[self.second]

    @property
    def means(self):
        return self.sums / self.rows.shape[1]

    def differences(self, which):
        """Of one hypothesis, by query."""
        second = self.second[which]
        return self.rows[self.first[which]] - (self.rows[second] if second >= 0 else 0.0)

    @property
    def spreads(self):
        """Standard deviation of each hypothesis' differences, with the n - 1 divisor; NaN for one query."""
        q = self.rows.shape[1]
        centred = [self.differences(which) - mean for which, mean in enumerate(self.means)]
        squares = np.array([(one * one).sum() for one in centred])
        spreads = np.sqrt(squares / (q - 1)) if q > 1 else np.full(len(squares), np.nan)
        return np.where(spreads > 1e-12 * np.abs(self.means), spreads, 0.0) if q > 1 else spreads


@dataclass(frozen=True)
class Flips:
    """What sign flips say of a family of hypotheses.

    Attributes
    ----------
    p : ndarray of shape (h,)
        Of each hypothesis by itself, two-sided.
    p_family : ndarray of shape (h,)
        Adjusted for the family: rejecting those up to 0.05 errs anywhere with at most that probability.
    how : ndarray of str, shape (h,)
        Where ``p_family`` comes from.
    critical : float
        What the largest of all studentised deviations exceeds with probability 0.05.
    patterns : int
    complete : bool
        Whether these are all sign patterns there are.
    """

    p: np.ndarray
    p_family: np.ndarray
    how: np.ndarray
    critical: float
    patterns: int
    complete: bool

    @property
    def noise(self):
        """By how much another seed would move a p-value near 0.05."""
        return 0.0 if self.complete else 1.96 * np.sqrt(LEVEL * (1 - LEVEL) / self.patterns)


def pairs_of(values):
    """All pairs of systems under all measures, as `Contrasts`, measure by measure.

    Parameters
    ----------
    values : ndarray of shape (measures, systems, queries)
    """
    measures, systems, queries = values.shape
    one, other = np.triu_indices(systems, 1)
    starts = np.arange(measures)[:, None] * systems
    return Contrasts(values.reshape(-1, queries), (starts + one).ravel(), (starts + other).ravel())


def flip_signs(contrasts, seed, one_sided=False, mapped=map, patterns=None):
    """Sign-flip tests of a family, adjusted by the maximum over it, step by step.

    Parameters
    ----------
    contrasts : Contrasts
    seed : int
    one_sided : bool
        Whether ``critical`` is of the largest deviation upwards instead of either way.
    patterns : int, optional
        How many to draw; by default from 10,000 to 50,000, as many as are cheap. All there are for few
        queries.
    mapped : callable
        Applies a function to seeds: `map`, or that of a cluster. The numbers are the same.

    Returns
    -------
    Flips

    Notes
    -----
    The statistic is ``|sum of differences| / root of the sum of their squares``, which rises with Student's
    |t| and whose denominator no flip changes. The p-value is the share of patterns whose statistic is at
    least as large, with one added above and below where patterns are random (Phipson and Smyth 2010). A
    hypothesis that no random pattern reaches gets Student's tail times the size of the family (Bonferroni),
    if that is smaller, but no less than all patterns would give.

    Examples
    --------
    >>> flips = flip_signs(Contrasts(np.array([[1.0, 2.0, 3.0]]), np.array([0]), np.array([-1])), seed=0)
    >>> flips.p_family, flips.complete
    (array([0.25]), True)
    """
    rows, q = contrasts.rows, contrasts.rows.shape[1]
    largest = np.abs(rows).max(initial=0.0)
    grid = _GRID * 2.0 ** np.ceil(np.log2(largest)) if largest > 0 else _GRID
    exact = Contrasts(np.round(rows / grid), contrasts.first, contrasts.second)
    squares = np.array([(exact.differences(which) ** 2).sum() for which in range(len(exact.first))])
    sums = exact.sums
    centred = np.maximum(squares - sums**2 / q, 0.0)
    scale = 1 / np.sqrt(np.where(squares > 0, squares, np.inf))
    centred_scale = 1 / np.sqrt(np.where(centred > 1e-20 * squares, centred, np.inf))
    seen = np.abs(sums) * scale
    order = seen.argsort(kind="stable")
    complete = q <= MOST_COMPLETE
    affordable = int(np.clip(_WORK // (rows.size + 30 * len(order)), *_PATTERNS))
    patterns = 2**q if complete else patterns or affordable
    size = int(np.clip(_BATCH // q, 64, 8192))
    starts = range(0, patterns, size)
    seeds = np.random.SeedSequence([seed, 19]).spawn(len(starts))
    tasks = [
        (None if complete else draw, start, min(size, patterns - start)) for draw, start in zip(seeds, starts)
    ]
    work = partial(
        _flip_batch, exact, order, seen - q * scale, scale, sums / q, centred_scale, one_sided=one_sided
    )
    # The products are so small that other threads of BLAS would mostly wait, at full load.
    with threadpool_limits(1, user_api="blas"):
        alone, stepped, extremes = zip(*mapped(work, tasks))
    more = 0 if complete else 1
    p = (np.sum(alone, axis=0) + more) / (patterns + more)
    step = (np.sum(stepped, axis=0) + more) / (patterns + more)
    p_family = np.empty(len(order))
    p_family[order] = np.maximum.accumulate(step[order][::-1])[::-1]
    how = np.full(len(order), f"{'all ' if complete else ''}{patterns:,} sign patterns")
    if not complete and len(order):
        tail = np.maximum(2 * stdtr(q - 1, -_as_t(seen, q)), 2.0 ** (1 - q))
        p = np.where(np.sum(alone, axis=0) == 0, np.minimum(p, tail), p)
        beyond = (np.sum(stepped, axis=0) == 0) & (tail * len(order) < p_family)
        p_family = np.where(beyond, tail * len(order), p_family)
        p_family[order] = np.maximum.accumulate(p_family[order][::-1])[::-1]
        how[beyond] = "t tail, Bonferroni"
    # The order statistic that a new deviation exceeds with probability LEVEL at most.
    highest = np.sort(np.concatenate(extremes))
    place = min(int(np.ceil((1 - LEVEL) * (patterns + more))), patterns) - 1
    return Flips(p, p_family, how, float(_as_t(highest[place], q)), patterns, complete)


def _as_t(statistic, q):
    """Student's t from the statistic of the flips."""
    with np.errstate(divide="ignore", invalid="ignore"):
        t = statistic * np.sqrt((q - 1) / np.maximum(q - statistic**2, 0.0))
    return np.where(statistic > 0, t, 0.0)


def _flip_batch(exact, order, thresholds, scale, means, centred_scale, task, one_sided):
    """How many patterns reach each hypothesis alone, and stepping down.

    And each pattern's largest deviation.
    """
    seed, start, count = task
    q = exact.rows.shape[1]
    if seed is None:
        flipped = (np.arange(start, start + count) >> np.arange(q)[:, None] & 1).astype(float)
    else:
        drawn = np.random.default_rng(seed).integers(0, 256, ((q + 7) // 8, count), dtype=np.uint8)
        flipped = np.unpackbits(drawn, axis=0, count=q).astype(float)
    # Sums of whole numbers below 2**53: exact, in whatever order they are taken.
    sums = exact.rows.sum(axis=1)[:, None] - 2 * (exact.rows @ flipped)
    sums = np.vstack([sums, np.zeros(count)])
    balance = q - 2 * flipped.sum(axis=0)
    alone, stepped = np.zeros(len(order), dtype=np.int64), np.zeros(len(order), dtype=np.int64)
    highest, extreme = np.zeros(count), np.zeros(count)
    for which in order:
        total = sums[exact.first[which]] - sums[exact.second[which]]
        statistic = np.abs(total) * scale[which]
        alone[which] = np.count_nonzero(statistic >= thresholds[which])
        np.maximum(highest, statistic, out=highest)
        stepped[which] = np.count_nonzero(highest >= thresholds[which])
        deviation = (total - means[which] * balance) * centred_scale[which]
        np.maximum(extreme, deviation if one_sided else np.abs(deviation), out=extreme)
    return alone, stepped, extreme
