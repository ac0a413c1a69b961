"""Which measures tell systems apart on given queries, how surely, and how many queries or items that would take.

Everything here is about differences of two systems on the same queries, which are taken to be a random sample of
queries. Rows are measures (or pairs of systems), columns queries.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import inf, nan

import numpy as np
from scipy.stats import bootstrap, norm, t

from ndcg_companion.data.rankings import Rankings
from ndcg_companion.measures import Log, Power, Zipf, dcg, ideal_dcg
from ndcg_companion.simulation import proportion_interval
from ndcg_companion.theory import Pair, ahead_probability, items_needed

DISCOUNTS = {"log": Log()} | {f"power:{beta}": Power(beta) for beta in (0.25, 0.5, 0.75)} | {"zipf": Zipf()}
CUTOFFS = (5, 10, 20, 100, 0.2)
LEVEL = 0.05
MOST_SYSTEMS = 20
FEWEST_QUERIES = 4  # two to choose on and two to confirm on
FEWEST_SURE = 6  # flipping the signs of five gives no p-value below 2 / 2**5, which is more than 0.05

# Depths between which relevance is taken to be constant: finer where discounts look.
_DEPTHS = np.array([0.0, 0.01, 0.03, 0.1, 0.2, 0.4, 0.7, 1.0])
_MOST_ITEMS = 10**7
_BATCH = 2**22  # entries of a matrix of signs
_NOTHING = 1e-12  # differences of scores below this are rounding


def measures_for(sizes):
    """The measures of the report by name, as (discount, k): those that differ from one another on lists of such sizes.

    >>> list(measures_for([3, 12]))
    ['log', 'power:0.25', 'power:0.5', 'power:0.75', 'zipf', 'log @5', 'log @10', 'log @0.2n']
    """
    longest = max(sizes)
    chosen = {name: (discount, None) for name, discount in DISCOUNTS.items()}
    for k in CUTOFFS:
        if isinstance(k, float) or k < longest:
            chosen[f"log @{k}" + ("n" if isinstance(k, float) else "")] = Log(), k
    return chosen


def query_scores(rankings, measures, gain="linear"):
    """The score of every system on every query: shape (measures, systems, queries).

    ``dcg(what was retrieved) / ideal_dcg(all items)``, ties averaged: an item that a system did not retrieve
    (``-inf``) counts nothing for it, as in trec_eval. NaN for queries without a relevant item.

    Parameters
    ----------
    rankings : Rankings
    measures : mapping of str to (discount, k)
    gain : {"linear", "exponential"}
    """
    labels = rankings.labels
    values = np.empty((len(measures), len(rankings.scores), len(rankings.queries)))
    shared = {"gain": gain, "offsets": rankings.offsets}
    for column, (system, scores) in enumerate(rankings.scores.items()):
        found = rankings.retrieved_labels(system) if np.isneginf(scores.min(initial=0.0)) else labels
        for row, (discount, k) in enumerate(measures.values()):
            values[row, column] = dcg(found, scores, discount=discount, k=k, **shared)
    for row, (discount, k) in enumerate(measures.values()):
        ideal = ideal_dcg(labels, discount=discount, k=k, **shared)
        values[row] /= np.where(ideal > 0, ideal, nan)
    return values


def sign_flip_p(differences, seed, resamples=20_000):
    """Two-sided p-values of paired differences by row, from flipping their signs.

    If two systems are exchangeable, the sign of each query's difference is a coin toss. The p-value is the share of
    sign patterns that give a mean at least as far from 0: of all patterns, if there are at most `resamples`, else of
    so many random ones and the one observed, which keeps the test valid (Phipson and Smyth 2010).

    Parameters
    ----------
    differences : ndarray of shape (rows, q)
    seed : int or SeedSequence
    resamples : int

    Returns
    -------
    ndarray of shape (rows,)

    Examples
    --------
    >>> sign_flip_p(np.array([[1.0, 2.0, 3.0]]), seed=0)
    array([0.25])
    """
    q = differences.shape[1]
    seen = np.abs(differences.sum(axis=1)) - _rounding(differences)
    extreme, patterns = np.zeros(len(differences)), 0
    for signs in _patterns(q, seed, _tries(resamples, q)):
        extreme += (np.abs(signs @ differences.T) >= seen).sum(axis=0)
        patterns += len(signs)
    return extreme / patterns


def _tries(most, q):
    """How often to resample q queries: fewer times where there are so many that it takes long and adds nothing."""
    return min(most, max(most // 20, 100_000_000 // q))


def _rounding(differences):
    return 1e-12 * np.abs(differences).sum(axis=1)


def _patterns(q, seed, resamples):
    """Matrices of signs, (patterns, q): all patterns if there are few, else random ones after one of all ones."""
    if 2**q <= resamples:
        yield 1.0 - 2.0 * (np.arange(2**q)[:, None] >> np.arange(q) & 1)
        return
    rng = np.random.default_rng(seed)
    yield np.ones((1, q))
    at_once = max(1, _BATCH // q)
    for start in range(0, resamples, at_once):
        size = min(at_once, resamples - start), q
        yield 1.0 - 2.0 * rng.integers(0, 2, size, dtype=np.int8)


def holm(p):
    """p-values adjusted for being several (Holm 1979): rejecting those up to 0.05 errs anywhere with that probability.

    >>> holm(np.array([0.01, 0.04, 0.03])).tolist()
    [0.03, 0.06, 0.06]
    """
    order = np.argsort(p)
    adjusted = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1)).clip(max=1.0)
    return adjusted[order.argsort()]


def mean_intervals(differences, level=1 - LEVEL):
    """Student's t intervals for the mean of each row: shape (rows, 2)."""
    q = differences.shape[1]
    half = t.ppf((1 + level) / 2, q - 1) * differences.std(axis=1, ddof=1) / np.sqrt(q)
    return differences.mean(axis=1)[:, None] + half[:, None] * [-1, 1]


def bootstrap_intervals(differences, seed, level=1 - LEVEL, resamples=2000):
    """Percentile intervals for the mean of each row, queries drawn with replacement: shape (rows, 2)."""
    batch, tries = max(1, _BATCH // differences.size), _tries(resamples, differences.shape[1])
    found = bootstrap(
        (differences,),
        np.mean,
        n_resamples=tries,
        batch=batch,
        axis=1,
        confidence_level=level,
        method="percentile",
        rng=np.random.default_rng(seed),
    )
    return np.stack(found.confidence_interval, axis=1)


def halves(q, seed):
    """Two disjoint random halves of q queries, as sorted positions; the second has the odd one."""
    order = np.random.default_rng(seed).permutation(q)
    return np.sort(order[: q // 2]), np.sort(order[q // 2 :])


def separation(differences):
    """``|mean| / standard error`` of each row: what a measure is chosen by. 0 where all differences are 0."""
    mean, error = (
        np.abs(differences.mean(axis=1)),
        differences.std(axis=1, ddof=1) / np.sqrt(differences.shape[1]),
    )
    return np.divide(mean, error, out=np.where(mean > 0, inf, 0.0), where=error > 1e-12 * mean)


def swap_rate(differences, seed, splits=1000):
    """How often two random halves of the queries disagree on who is ahead, by row; a tie counts as half."""
    q, rng = differences.shape[1], np.random.default_rng(seed)
    swaps, splits = np.zeros(len(differences)), _tries(splits, q)
    whole, small = differences.sum(axis=1), _rounding(differences)
    for _ in range(splits):
        one = differences[:, rng.permutation(q)[: q // 2]].sum(axis=1)
        signs = [np.where(np.abs(part) <= small, 0, np.sign(part)) for part in (one, whole - one)]
        swaps += np.where(signs[0] * signs[1] == 0, 0.5, signs[0] != signs[1])
    return swaps / splits


def queries_needed(differences, power):
    """Queries on which a two-sided paired t test at 5 % finds an effect as large as the one seen, with this power.

    ``((z(0.975) + z(power)) / d)**2 + z(0.975)**2 / 2`` with d the mean over the standard deviation (Guenther 1981),
    and the same at the ends of a 95 % interval for d.

    Parameters
    ----------
    differences : ndarray of shape (rows, q)
    power : float in (1/2, 1)

    Returns
    -------
    ndarray of shape (rows, 3)
        The number, and its lower and upper end, infinite if the effect may as well be nothing.
    """
    q, spread = differences.shape[1], differences.std(axis=1, ddof=1)
    mean = np.abs(differences.mean(axis=1))
    effect = np.divide(mean, spread, out=np.where(mean > 0, inf, 0.0), where=spread > 1e-12 * mean)
    margin = norm.ppf(1 - LEVEL / 2) * np.sqrt(
        1 / q + np.where(np.isfinite(effect), effect, 0) ** 2 / (2 * q)
    )
    effects = np.stack([effect, effect + margin, effect - margin], axis=1)
    z = norm.ppf(1 - LEVEL / 2)
    with np.errstate(divide="ignore"):
        return np.ceil(((z + norm.ppf(power)) / effects.clip(min=0)) ** 2 + z**2 / 2)


def _needed(differences):
    """By row, `queries_needed` for powers of 80 and 95 %, by name; as many as can be sure by flipping signs at least."""
    names = [f"queries_{power}{end}" for power in (80, 95) for end in ("", "_low", "_high")]
    numbers = np.hstack([queries_needed(differences, power) for power in (0.8, 0.95)])
    return [dict(zip(names, row)) for row in numbers.clip(min=FEWEST_SURE).tolist()]


def false_alarms(differences, parts, seed, resamples=5000):
    """How often each way of choosing a measure finds a winner between two systems that differ by chance alone.

    The chance is flipping the sign of each query's differences, in all measures together, which keeps everything else
    about the queries. Each pattern is judged among all of them, as in `sign_flip_p`.

    Parameters
    ----------
    differences : ndarray of shape (measures, q)
    parts : two arrays of int
        The queries to choose on, and those to confirm on.

    Returns
    -------
    dict
        Shares of the patterns in which p <= 0.05 for ``"best of all"`` (the smallest p-value, as if it were the only
        one), ``"corrected"`` (the same times the number of measures) and ``"split"`` (measure chosen by `separation` on
        one part, p-value on the other); and the number of ``"patterns"``.
    """
    kept, q = [[], [], []], differences.shape[1]
    for signs in _patterns(q, seed, _tries(resamples, q)):
        for sums, part in zip(kept, (slice(None), *parts)):
            sums.append(signs[:, part] @ differences[:, part].T)
    whole, choosing, confirming = (np.concatenate(sums) for sums in kept)
    p = _ranks(whole, _rounding(differences))
    # Flipping leaves the sum of squares, so that |mean| / standard error rises with |sum| / root of the sum of squares.
    squares = (differences[:, parts[0]] ** 2).sum(axis=1)
    chosen = np.argmax(np.abs(choosing) / np.sqrt(np.where(squares > 0, squares, inf)), axis=1)
    confirmed = _ranks(confirming, _rounding(differences))[np.arange(len(p)), chosen]
    ways = {"best of all": p.min(axis=1), "corrected": p.min(axis=1) * p.shape[1], "split": confirmed}
    return {way: float((values <= LEVEL).mean()) for way, values in ways.items()} | {"patterns": len(p)}


def _ranks(sums, rounding):
    """By column, the share of the entries that are at least as far from 0 as each."""
    sizes = np.abs(sums)
    ranks = np.empty_like(sizes)
    for column, slack in enumerate(rounding):
        ordered = np.sort(sizes[:, column])
        ranks[:, column] = 1 - np.searchsorted(ordered, sizes[:, column] - slack) / len(sizes)
    return ranks


def relevance_steps(rankings, system, seed=0):
    """Share of relevant items (label > 0) between the depths of a system's lists, averaged over queries, ties shuffled.

    Returns
    -------
    depths : ndarray of shape (m + 1,)
        From 0, the top, to 1.
    shares : ndarray of shape (m,)
    """
    order = _ranking(rankings, system, seed)
    found = np.append(0.0, (rankings.labels[order] > 0).cumsum())
    starts, sizes = rankings.offsets[:-1], np.diff(rankings.offsets)
    filled = sizes > 0
    at = starts[filled, None] + sizes[filled, None] * _DEPTHS
    whole = np.minimum(at.astype(np.int64), len(found) - 2)
    reached = found[whole] + (at - whole) * (found[whole + 1] - found[whole])
    shares = np.diff(reached, axis=1).T / sizes[filled]
    return _DEPTHS, (shares.mean(axis=1) / np.diff(_DEPTHS)).clip(0.0, 1.0)


def _ranking(rankings, system, seed):
    """Flat positions of the items query by query, best first, equal scores in random order."""
    number = np.repeat(np.arange(len(rankings.queries), dtype=np.int32), np.diff(rankings.offsets))
    shuffled = np.random.default_rng(seed).permutation(len(number))
    by_score = shuffled[np.argsort(-rankings.scores[system][shuffled], kind="stable")]
    return by_score[np.argsort(number[by_score], kind="stable")]


@dataclass(frozen=True)
class Steps:
    """A relevance curve that is constant between depths.

    >>> Steps((0.0, 0.5, 1.0), (0.8, 0.2))(np.array([0.0, 1.0]))
    array([0.2, 0.8])
    """

    depths: tuple
    shares: tuple

    def __call__(self, s):
        place = np.searchsorted(self.depths, 1.0 - np.asarray(s, dtype=float), side="right") - 1
        return np.array(self.shares)[place.clip(0, len(self.shares) - 1)]


def plug_in_pair(rankings, first, second, seed=0):
    """The two systems as rankers of independent items: curves by `relevance_steps`, coupled label first.

    None if the two curves are the same, and so the model has nothing to say.
    """
    found = [relevance_steps(rankings, system, seed) for system in (first, second)]
    curves = [Steps(tuple(depths), tuple(shares)) for depths, shares in found]
    if np.abs(np.subtract(curves[0].shares, curves[1].shares)).max() < 1e-9:
        return None
    return Pair(*curves, "label-first", breaks=tuple(1.0 - _DEPTHS[1:-1]))


def of_queries(rankings, chosen, position=None):
    """The rankings of some queries, and within them perhaps only of some items.

    Parameters
    ----------
    rankings : Rankings
    chosen : array of int
        Positions of the queries that stay.
    position : callable, optional
        From the size of a query to the items that stay, as positions within it.
    """
    starts, sizes = rankings.offsets[:-1][chosen], np.diff(rankings.offsets)[chosen]
    inside = [
        start + (np.arange(size) if position is None else position(size))
        for start, size in zip(starts, sizes)
    ]
    at = np.concatenate(inside)
    return Rankings(
        queries=rankings.queries[chosen],
        items=rankings.items[at],
        labels=rankings.labels[at],
        judged=rankings.judged[at],
        offsets=np.append(0, np.cumsum([len(part) for part in inside])),
        scores={system: scores[at] for system, scores in rankings.scores.items()},
        times=None if rankings.times is None else rankings.times[at],
        source=rankings.source,
    )


@dataclass(frozen=True, eq=False)
class Growth:
    """Scores of the first n items of each query, as n grows.

    Attributes
    ----------
    sizes : ndarray of shape (m,)
    values : ndarray of shape (m, measures, systems, queries)
        NaN where no item is relevant yet.
    measures : tuple of str
    """

    sizes: np.ndarray
    values: np.ndarray
    measures: tuple

    def system(self, measure, column):
        """Mean over queries at each size, and half the width of its t interval: two arrays of shape (m,)."""
        return band(self.values[:, self.measures.index(measure), column])

    def difference(self, measure, first=0, second=1):
        """The same for the difference of two systems."""
        values = self.values[:, self.measures.index(measure)]
        return band(values[:, first] - values[:, second])

    def last_flip(self, measure, first=0, second=1):
        """The largest size at which the system ahead at the end is not ahead on average.

        None if there is none, and if neither is ahead at the end.
        """
        mean, _ = self.difference(measure, first, second)
        if np.abs(mean[-1]) < _NOTHING:
            return None
        wrong = np.flatnonzero(~(mean * np.sign(mean[-1]) > 0))
        return int(self.sizes[wrong[-1]]) if len(wrong) else None


def band(values):
    """Mean over queries (columns), and half the width of its t interval, by row; NaN where a query has none.

    >>> mean, half = band(np.array([[1.0, 2.0, np.nan]]))
    >>> mean.tolist(), half.round(3).tolist()
    ([1.5], [6.353])
    """
    there = np.isfinite(values)
    count = there.sum(axis=1)
    total = np.where(there, values, 0).sum(axis=1)
    mean = np.divide(total, count, out=np.full(len(values), nan), where=count > 0)
    squares = (np.where(there, values - mean[:, None], 0) ** 2).sum(axis=1)
    error = np.sqrt(np.divide(squares, (count - 1.0) * count, out=np.full(len(values), nan), where=count > 1))
    return mean, t.ppf(1 - LEVEL / 2, np.maximum(count - 1, 1)) * error


def growth(rankings, *, gain="linear", seed=0, timed=False, points=14, most_items=2_000_000):
    """How the whole-list measures move as items arrive: in the order in which they stand, or shuffled.

    Sizes grow geometrically up to the lower quartile of the lists' sizes; only lists that reach it take part, and at
    most so many of them, chosen at random, that there are about `most_items` items (but at least 30). Left out are
    sizes, but for the last, at which fewer than half of the lists have a relevant item yet.

    Returns
    -------
    Growth
    """
    rng = np.random.default_rng(seed)
    sizes = np.diff(rankings.offsets)
    last = int(np.quantile(sizes, 0.25, method="lower"))
    long = np.flatnonzero(sizes >= last)
    most = max(30, most_items // last)
    chosen = np.sort(rng.choice(long, most, replace=False)) if len(long) > most else long
    part = of_queries(
        rankings, chosen, lambda size: (np.arange(size) if timed else rng.permutation(size))[:last]
    )
    steps = np.unique(np.geomspace(min(5, max(1, last // 2)), last, points).round().astype(int))
    measures = measures_for([last])
    grown = []
    for n in steps:
        first_n = (np.arange(len(chosen))[:, None] * last + np.arange(n)).ravel()
        offsets, scores = (
            np.arange(len(chosen) + 1) * n,
            {name: one[first_n] for name, one in part.scores.items()},
        )
        shorter = Rankings(
            part.queries, part.items[:0], part.labels[first_n], part.judged[:0], offsets, scores
        )
        grown.append(query_scores(shorter, measures, gain))
    grown = np.array(grown)
    enough = (np.isfinite(grown[:, 0, 0]).mean(axis=1) >= 0.5) | (steps == last)
    return Growth(steps[enough], grown[enough], tuple(measures))


def traits(rankings, seed=0):
    """What the data are like: counts, shares of labels, and by system the shares of ties and of unjudged items.

    Returns
    -------
    dict
        ``tied`` are retrieved items with the score of another one of the query; ``unjudged_top`` is of the first ten.
    """
    sizes = np.diff(rankings.offsets)
    grades, counts = np.unique(rankings.labels, return_counts=True)
    number = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
    by_system = {}
    for system, scores in rankings.scores.items():
        order = _ranking(rankings, system, seed)
        ranked, rank = scores[order], np.arange(len(order)) - rankings.offsets[:-1][number]
        same = (ranked[1:] == ranked[:-1]) & (number[1:] == number[:-1]) & (ranked[1:] > -np.inf)
        tied, there = np.append(same, False) | np.append(False, same), ranked > -np.inf
        top = there & (rank < 10)
        by_system[system] = {
            "retrieved": float(there.mean()),
            "tied": float(tied.sum() / max(there.sum(), 1)),
            "unjudged_top": float(1 - rankings.judged[order][top].mean()) if top.any() else nan,
        }
    return {
        "queries": len(sizes),
        "items": len(number),
        "smallest": int(sizes.min()),
        "median": float(np.median(sizes)),
        "largest": int(sizes.max()),
        "labels": {
            f"{grade:g}": float(count / counts.sum()) for grade, count in list(zip(grades, counts))[:20]
        },
        "unjudged": float(1 - rankings.judged.mean()),
        "negative": rankings.negative,
        "dropped": list(rankings.dropped),
        "timed": rankings.times is not None,
        "systems": by_system,
    }


@dataclass(frozen=True, eq=False)
class Evaluation:
    """Systems compared on the same queries, with a split into queries for choosing a measure and for confirming.

    Parameters
    ----------
    rankings : Rankings
        With two to twenty systems; queries without a relevant item do not count.
    gain : {"linear", "exponential"}
    pair : pair of str, optional
        The two systems to look at closely. By default the two, or of several those with the highest mean under the log
        discount on the queries for choosing.
    seed : int

    Raises
    ------
    ValueError
        For fewer than two or more than twenty systems, fewer than four queries with a relevant item, and a pair that
        is not one of two of the systems.
    """

    rankings: Rankings
    gain: str = "linear"
    pair: tuple | None = None
    seed: int = 0

    def __post_init__(self):
        source, names = self.rankings.source, list(self.rankings.scores)
        self.rankings.require(systems=2)
        if len(names) > MOST_SYSTEMS:
            raise ValueError(f"{source}: expected at most {MOST_SYSTEMS} systems, got {len(names)}")
        if self.pair is not None and not (
            len(set(self.pair)) == len(self.pair) == 2 and set(self.pair) <= set(names)
        ):
            raise ValueError(
                f"pair={','.join(self.pair)!r}: expected two of {', '.join(names)}, separated by a comma"
            )
        count = len(self.counting)
        if count < FEWEST_QUERIES:
            raise ValueError(
                f"{source}: expected at least {FEWEST_QUERIES} queries with a relevant item, got {count} "
                f"of {len(self.rankings.queries)}"
            )

    @cached_property
    def counting(self):
        """Positions of the queries that have a relevant item."""
        offsets = self.rankings.offsets
        found = np.append(0, (self.rankings.labels > 0).cumsum())
        return np.flatnonzero(found[offsets[1:]] > found[offsets[:-1]])

    @cached_property
    def counted(self):
        """The rankings of the queries that count."""
        whole = len(self.counting) == len(self.rankings.queries)
        return self.rankings if whole else of_queries(self.rankings, self.counting)

    @cached_property
    def alike(self):
        """Whether the two systems score the same on every query under every measure."""
        return bool(np.abs(self.differences()).max() < _NOTHING)

    @cached_property
    def measures(self):
        return measures_for(np.diff(self.rankings.offsets)[self.counting])

    @cached_property
    def values(self):
        """Scores of shape (measures, systems, queries that count)."""
        return query_scores(self.rankings, self.measures, self.gain)[:, :, self.counting]

    @cached_property
    def parts(self):
        """Positions, among the queries that count, of those to choose on and of those to confirm on."""
        return halves(len(self.counting), [self.seed, 1])

    @cached_property
    def names(self):
        """The two systems that are looked at closely."""
        names = list(self.rankings.scores)
        if self.pair is not None:
            return tuple(self.pair)
        if len(names) == 2:
            return tuple(names)
        means = self.values[0][:, self.parts[0]].mean(axis=1)
        best, second = np.argsort(-means, kind="stable")[:2]
        return names[best], names[second]

    def differences(self, first=None, second=None):
        """First minus second on each query, by measure: shape (measures, queries)."""
        names = list(self.rankings.scores)
        one, other = (names.index(name) for name in ((first, second) if first else self.names))
        return self.values[:, one] - self.values[:, other]

    @cached_property
    def chosen(self):
        """Name of the measure that tells the two systems apart best on the queries for choosing."""
        return list(self.measures)[int(np.argmax(separation(self.differences()[:, self.parts[0]])))]

    @cached_property
    def confirmation(self):
        """What the other queries say under the chosen measure: difference, interval, p-value, `queries_needed`."""
        row = list(self.measures).index(self.chosen)
        tried, kept = (self.differences()[row : row + 1, part] for part in self.parts)
        (p,) = sign_flip_p(kept, [self.seed, 2])
        (low, high), mean = mean_intervals(kept)[0], kept.mean()
        agrees = bool(np.sign(mean) == np.sign(tried.mean()))
        confirmed = bool(p <= LEVEL and agrees)
        return {
            "measure": self.chosen,
            "queries_choosing": tried.shape[1],
            "queries_confirming": kept.shape[1],
            "difference_choosing": float(tried.mean()),
            "difference": float(mean),
            "low": float(low),
            "high": float(high),
            "p": float(p),
            "same_sign": agrees,
            "confirmed": confirmed,
        } | _needed(kept)[0]

    @cached_property
    def table(self):
        """For each measure a dict of what all queries say about the two systems: exploring, and said to be."""
        differences = self.differences()
        p = sign_flip_p(differences, [self.seed, 3])
        intervals, resampled = mean_intervals(differences), bootstrap_intervals(differences, [self.seed, 4])
        swaps, adjusted = swap_rate(differences, [self.seed, 5]), holm(p)
        needed = _needed(differences)
        rows = {}
        for i, name in enumerate(self.measures):
            rows[name] = {
                "difference": float(differences[i].mean()),
                "low": float(intervals[i, 0]),
                "high": float(intervals[i, 1]),
                "bootstrap_low": float(resampled[i, 0]),
                "bootstrap_high": float(resampled[i, 1]),
                "p": float(p[i]),
                "p_holm": float(adjusted[i]),
                "swap_rate": float(swaps[i]),
                "ahead_share": float((np.sign(differences[i]) + 1).mean() / 2),
            }
            rows[name] |= needed[i]
        return rows

    @cached_property
    def everything(self):
        """For all pairs of systems and all measures: difference, t interval, p-value, and Holm's over the measures."""
        rows = []
        for place, (first, second) in enumerate(combinations(self.rankings.scores, 2)):
            differences = self.differences(first, second)
            p, intervals = sign_flip_p(differences, [self.seed, 6, place]), mean_intervals(differences)
            for i, name in enumerate(self.measures):
                low, high = intervals[i].tolist()
                mean = float(differences[i].mean())
                rows.append(
                    {
                        "first": first,
                        "second": second,
                        "measure": name,
                        "difference": mean,
                        "low": low,
                        "high": high,
                        "p": float(p[i]),
                    }
                )
            for row, adjusted in zip(rows[-len(self.measures) :], holm(p)):
                row["p_holm"] = float(adjusted)
        return rows

    @cached_property
    def matrix(self):
        """All pairs under the chosen measure on the queries for confirming: differences, and p-values by Holm.

        Two arrays of shape (systems, systems), row minus column; NaN on the diagonal.
        """
        values = self.values[list(self.measures).index(self.chosen)][:, self.parts[1]]
        pairs = list(combinations(range(len(values)), 2))
        p = holm(sign_flip_p(np.array([values[one] - values[other] for one, other in pairs]), [self.seed, 7]))
        gaps, adjusted = np.full((2, len(values), len(values)), nan)
        for (one, other), value in zip(pairs, p):
            gaps[one, other] = values[one].mean() - values[other].mean()
            gaps[other, one], adjusted[one, other], adjusted[other, one] = -gaps[one, other], value, value
        return gaps, adjusted

    @cached_property
    def alarms(self):
        """`false_alarms` of the two systems' queries."""
        return false_alarms(self.differences(), self.parts, [self.seed, 8])

    @cached_property
    def items(self):
        """What the theory says of lists of independent items like these: for each measure a dict.

        ``chance`` that the first is ahead on a list of the median size, ``seen`` the share of queries on which it is,
        ``low`` and ``high`` the ends of a 95 % interval for what that is a sample of, ``fits`` whether the chance lies
        within, ``items_95`` those after which a list names the one ahead in the long run with 95 %.
        """
        q, n = len(self.counting), int(np.median(np.diff(self.counted.offsets)))
        pair = plug_in_pair(self.counted, *self.names, seed=[self.seed, 9])
        known, rows = pair is not None, {}
        for name in ("log", "power:0.25", "power:0.5", "log @0.2n"):
            discount, k = self.measures[name]
            chance, seen = (
                ahead_probability(pair, discount, n, k) if known else 0.5,
                self.table[name]["ahead_share"],
            )
            # Of an odd number of ties a half is left over, which may fall either way.
            won = round(2 * seen * q)
            low, high = proportion_interval(won // 2, q)[0], proportion_interval((won + 1) // 2, q)[1]
            rows[name] = {
                "n": n,
                "chance": chance,
                "seen": seen,
                "low": low,
                "high": high,
                "fits": bool(low <= chance <= high),
                "items_95": float(items_needed(pair, discount, 0.95, k, most=_MOST_ITEMS)) if known else inf,
            }
        return rows

    @cached_property
    def growths(self):
        """`growth` of the two systems: ``"shuffled"``, and ``"in time"`` if there are times."""
        kept = Rankings(
            **vars(self.counted) | {"scores": {name: self.counted.scores[name] for name in self.names}}
        )
        orders = {"shuffled": False} | ({"in time": True} if kept.times is not None else {})
        return {
            name: growth(kept, gain=self.gain, seed=[self.seed, 10], timed=timed)
            for name, timed in orders.items()
        }

    @cached_property
    def drift(self):
        """How the difference under the log discount moves if items come in time order instead of shuffled.

        A dict of ``"sizes"``, the mean ``"gap"`` over the same queries, and ``"half_width"`` of its t interval.
        None without times.
        """
        if "in time" not in self.growths:
            return None
        orders = [self.growths[order] for order in ("in time", "shuffled")]
        sizes = np.intersect1d(*(one.sizes for one in orders))
        values = [one.values[np.isin(one.sizes, sizes), one.measures.index("log")] for one in orders]
        gap, half = band((values[0][:, 0] - values[0][:, 1]) - (values[1][:, 0] - values[1][:, 1]))
        return {"sizes": sizes, "gap": gap, "half_width": half}

    @cached_property
    def control(self):
        """For each measure `separation` as it is (``"seen"``) and after tossing a coin by query for which system is which."""
        seen = self.differences()
        tossed = seen * np.random.default_rng([self.seed, 11]).choice([-1.0, 1.0], seen.shape[1])
        return {
            name: {"seen": float(one), "tossed": float(other)}
            for name, one, other in zip(self.measures, separation(seen), separation(tossed))
        }
