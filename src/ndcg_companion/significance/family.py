"""Many comparisons held together: sign flips on all queries, and their largest statistic (max-T).

If two systems are exchangeable, the sign of each query's difference is a coin toss. Tossing one coin a query
for all pairs at once keeps how the pairs hang together (Westfall and Young 1993). That all pairs change signs
together is exact if scores are symmetric about each query's mean; exchangeable systems need not be. Scores
are rounded to a grid so fine that it does not matter and so coarse that every sum of them is exact: the
counts are the same on any machine, in any order, for any number of threads. With all pairs this is the
randomised Tukey HSD test of the field (Carterette 2012; Sakai 2018), on studentised differences.

One critical value makes p-values and intervals, so that a pair is told apart exactly if its interval leaves
out 0, and the interval says in which direction and by how much at least. Stepping down, with a smaller
critical value once a pair is told apart, tells one to eight in a hundred pairs more apart (measured on made
systems), but its intervals end at 0 for all that are told apart unless every pair is, and that its claims
about who is ahead hold together is not proved.
"""

from dataclasses import dataclass
from functools import partial

import numpy as np
from scipy.special import stdtr  # Student's distribution
from threadpoolctl import threadpool_limits

LEVEL = 0.05
NOT_TESTED = "not tested"  # because an earlier family was not told apart as a whole
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

    def differences(self, contrast):
        """The differences of one hypothesis, by query."""
        second = self.second[contrast]
        return self.rows[self.first[contrast]] - (self.rows[second] if second >= 0 else 0.0)

    @property
    def standard_deviations(self):
        """Standard deviation of each hypothesis' differences, with the n - 1 divisor; NaN for one query."""
        q = self.rows.shape[1]
        centred = [self.differences(contrast) - mean for contrast, mean in enumerate(self.means)]
        squares = np.array([(row * row).sum() for row in centred])
        deviations = np.sqrt(squares / (q - 1)) if q > 1 else np.full(len(squares), np.nan)
        return np.where(deviations > 1e-12 * np.abs(self.means), deviations, 0.0) if q > 1 else deviations


@dataclass(frozen=True)
class Flips:
    """What sign flips say of a family of hypotheses.

    Attributes
    ----------
    p : ndarray of shape (h,)
        Of each hypothesis by itself, two-sided.
    p_family : ndarray of shape (h,)
        Adjusted for the family, two-sided: up to 0.05 exactly where the statistic exceeds ``critical``.
    how : ndarray of str, shape (h,)
        Where ``p_family`` comes from.
    critical : float
        What the largest of all studentised deviations exceeds with probability 0.05 at most.
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
        """How far another seed may move a p-value near 0.05: 1.96 standard errors of its simulation."""
        return 0.0 if self.complete else 1.96 * np.sqrt(LEVEL * (1 - LEVEL) / self.patterns)


def each_alone(rows):
    """The mean of each row of scores, as `Contrasts`."""
    return Contrasts(rows, np.arange(len(rows)), np.full(len(rows), -1))


def pairs_of(values, baseline=None):
    """Pairs of systems under all measures, as `Contrasts`, measure by measure.

    Parameters
    ----------
    values : ndarray of shape (measures, systems, queries)
    baseline : int or sequence of int, optional
        Each other system minus this one, or minus each of these, instead of all pairs.
    """
    measures, systems, queries = values.shape
    first, second = np.triu_indices(systems, 1)
    if baseline is not None:
        baselines = np.atleast_1d(baseline)
        others = np.setdiff1d(np.arange(systems), baselines)
        first, second = np.tile(others, len(baselines)), np.repeat(baselines, len(others))
    starts = np.arange(measures)[:, None] * systems
    return Contrasts(values.reshape(-1, queries), (starts + first).ravel(), (starts + second).ravel())


def flip_signs(contrasts, seed, mapped=map, patterns=None):
    """Sign-flip tests of a family, adjusted by the maximum over it.

    Parameters
    ----------
    contrasts : Contrasts
    seed : int
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
    |t| and whose denominator no flip changes. A p-value is the share of patterns whose statistic is at least
    as large, with one added above and below where patterns are random (Phipson and Smyth 2010).

    In the family each pattern gives two maxima: of the differences, as they are if systems are exchangeable,
    and of their deviations from the means, as they are around whatever the true means may be. The larger
    p-value, and the larger critical value c, counts. By the first, even one false claim has a probability of
    at most 5 % if all sign patterns of the differences of those that do not differ are equally likely,
    whatever the number of queries: the maximum over those is at most that over all. By the second, the
    intervals ``mean -+ c * standard error`` hold together with 95 %, as far as flipped deviations fall out
    as the deviations of other queries would; then every claim has the right direction too, since one that
    is false lies outside its interval. That takes many queries, and more where rare queries have large
    differences.

    A hypothesis that no random pattern reaches gets Student's tail times the size of the family (Bonferroni),
    if that is smaller, but no less than all patterns would give.

    Examples
    --------
    >>> flips = flip_signs(Contrasts(np.array([[1.0, 2.0, 3.0]]), np.array([0]), np.array([-1])), seed=0)
    >>> flips.p_family, flips.complete
    (array([0.25]), True)
    """
    rows, q = contrasts.rows, contrasts.rows.shape[1]
    largest = np.abs(rows).max()
    grid = _GRID * 2.0 ** np.ceil(np.log2(largest)) if largest > 0 else _GRID
    exact = Contrasts(np.round(rows / grid), contrasts.first, contrasts.second)
    size = len(exact.first)
    squares = np.array([(exact.differences(contrast) ** 2).sum() for contrast in range(size)])
    sums = exact.sums
    centred = squares - sums**2 / q
    scale = 1 / np.sqrt(np.where(squares > 0, squares, np.inf))
    centred_scale = 1 / np.sqrt(np.where(centred > 1e-20 * squares, centred, np.inf))
    observed = np.abs(sums) * scale
    thresholds = observed - q * scale
    complete = q <= MOST_COMPLETE
    affordable = int(np.clip(_WORK / (rows.size + 30 * size), *_PATTERNS))
    patterns = 2**q if complete else patterns or affordable
    batch = int(np.clip(_BATCH // q, 64, 8192))
    starts = range(0, patterns, batch)
    seeds = np.random.SeedSequence([seed, 19]).spawn(len(starts))
    tasks = [
        (None if complete else draw, start, min(batch, patterns - start))
        for draw, start in zip(seeds, starts)
    ]
    work = partial(_flip_batch, exact, thresholds, scale, sums / q, centred_scale)
    # The products are so small that other threads of BLAS would mostly wait, at full load.
    with threadpool_limits(1, user_api="blas"):
        reached_alone, *maxima = zip(*mapped(work, tasks))
    maxima = [np.sort(np.concatenate(parts)) for parts in maxima]
    more = 0 if complete else 1
    reached = np.sum(reached_alone, axis=0)
    reached_by_any = np.max([patterns - np.searchsorted(part, thresholds) for part in maxima], axis=0)
    p, p_family = (reached + more) / (patterns + more), (reached_by_any + more) / (patterns + more)
    how = np.full(size, f"{'all ' if complete else ''}{patterns:,} permutations")
    # Of all patterns one changes no sign and reaches every statistic, so that what follows changes nothing.
    tail = np.maximum(2 * stdtr(q - 1, -_as_t(observed, q)), 2.0 ** (1 - q))
    p = np.where(reached == 0, np.minimum(p, tail), p)
    beyond = (reached_by_any == 0) & (tail * size < p_family)
    p_family = np.where(beyond, tail * size, p_family)
    how[beyond] = "t tail, Bonferroni"
    # The order statistic that a new deviation exceeds with probability LEVEL at most.
    index = min(int(np.ceil((1 - LEVEL) * (patterns + more))), patterns) - 1
    critical = max(part[index] for part in maxima)
    return Flips(p, p_family, how, float(_as_t(critical, q)), patterns, complete)


def in_turn(families):
    """Families of hypotheses, one after the other: what `Flips` of each say of all of them together.

    A later family is tested only if all of the earlier ones are rejected: its adjusted p-values are at least
    the largest of theirs. A false rejection is then one in the first family that has a true hypothesis, so
    that each family may spend the whole 5 %. No procedure gives the first family its 5 % undiminished and
    tests another before all of the first is rejected: where just one of its hypotheses is true, that one
    takes 5 % by itself.

    Parameters
    ----------
    families : sequence of Flips

    Returns
    -------
    p, p_family, how, critical : ndarray of shape (h,)
        As in `Flips`, but with a critical value for each hypothesis, that of its family; ``how`` is
        ``"not tested"`` in a family that an earlier one holds back.

    Examples
    --------
    >>> family = lambda p: Flips(np.array([p]), np.array([p]), np.array(["all"]), 2.0, 9, True)
    >>> in_turn([family(0.2), family(0.1)])[1:3]
    (array([0.2, 0.2]), array(['all', 'not tested'], dtype='<U10'))
    """
    floor, adjusted, how = 0.0, [], []
    for flips in families:
        how.append(flips.how if floor <= LEVEL else np.full(len(flips.how), NOT_TESTED))
        adjusted.append(np.maximum(flips.p_family, floor))
        floor = adjusted[-1].max(initial=floor)
    return (
        np.concatenate([flips.p for flips in families]),
        np.concatenate(adjusted),
        np.concatenate(how),
        np.concatenate([np.full(len(flips.p), flips.critical) for flips in families]),
    )


def _as_t(statistic, q):
    """Student's t of a hypothesis, from its statistic in `flip_signs` and the number of queries."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return statistic * np.sqrt((q - 1) / np.maximum(q - statistic**2, 0.0))


def _flip_batch(exact, thresholds, scale, means, centred_scale, task):
    """What one batch of sign patterns adds to `flip_signs`.

    How many patterns reach the statistic of each hypothesis, and of each pattern the largest statistic and
    the largest deviation over all hypotheses.
    """
    seed, start, count = task
    q = exact.rows.shape[1]
    if seed is None:
        flipped = (np.arange(start, start + count) >> np.arange(q)[:, None] & 1).astype(float)
    else:
        bits = np.random.default_rng(seed).integers(0, 256, ((q + 7) // 8, count), dtype=np.uint8)
        flipped = np.unpackbits(bits, axis=0, count=q).astype(float)
    # Sums of whole numbers below 2**53: exact, in whatever order they are taken.
    sums = exact.rows.sum(axis=1)[:, None] - 2 * (exact.rows @ flipped)
    sums = np.vstack([sums, np.zeros(count)])
    balance = q - 2 * flipped.sum(axis=0)
    reached = np.zeros(len(thresholds), dtype=np.int64)
    highest, extreme = np.zeros(count), np.zeros(count)
    for contrast, threshold in enumerate(thresholds):
        total = sums[exact.first[contrast]] - sums[exact.second[contrast]]
        statistic = np.abs(total) * scale[contrast]
        reached[contrast] = np.count_nonzero(statistic >= threshold)
        np.maximum(highest, statistic, out=highest)
        deviation = np.abs((total - means[contrast] * balance) * centred_scale[contrast])
        np.maximum(extreme, deviation, out=extreme)
    return reached, highest, extreme
