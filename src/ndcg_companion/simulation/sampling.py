"""Samples of items from a population, as one ranker sees them or as two do.

Canonical scores are uniform on [0, 1], so ranked lists need no sorting: with E_1, E_2, ... exponential and
``Gamma_r = E_1 + ... + E_r``, the depths ``1 - s`` of the n items in rank order are distributed as
``Gamma_r / Gamma_(n+1)`` (Rényi 1953). They can be drawn block by block, without knowing what comes later:
the depth of the m-th best of n items is Beta(m, n - m + 1) distributed; given it, the r-th best is
``Gamma_r / Gamma_m`` of the way down to it, and the n - m items below are independent and uniform in what
is left. Long lists are cut into stretches in this way, each with a generator of its own, so that they can
be drawn side by side."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import nan

import numpy as np
from scipy.special import ndtr, ndtri

from ndcg_companion.checks import check_int
from ndcg_companion.measures import dcg, ideal_dcg
from ndcg_companion.measures.discounts import Discount
from ndcg_companion.measures.gains import Gain
from ndcg_companion.simulation.seeding import Seed, generator
from ndcg_companion.theory import Pair, Population
from ndcg_companion.theory.integrals import integrate
from ndcg_companion.theory.pairs import check_pair
from ndcg_companion.theory.populations import check_population

# Rows in which partial sums are taken: a running sum waits for every addition, rows are added at once.
_ROWS = 8

# Items drawn at a time: enough to make up for the calls, few enough to stay in the processor's cache and not
# to need fresh memory each time. Rows a power of two apart would push each other out of the cache.
_BLOCK = 5000 * _ROWS

# Items drawn from one generator: enough to make up for starting one.
_STRETCH = 16 * _BLOCK

# Items that are held in memory at once, and that can be counted.
_MOST, _COUNTABLE = 2**36, 2**62


@dataclass(frozen=True, eq=False)
class Sample:
    """Items as one ranker sees them: ``labels`` and canonical ``scores``, both of shape (n,)."""

    labels: np.ndarray
    scores: np.ndarray

    def rankings(self) -> dict[str, np.ndarray]:
        """Scores that rank the same items in four orders, named as by `Population.rankings`.

        Returns
        -------
        dict of str to ndarray of shape (n,)
            ``"by score"``: the scores. ``"random"``: the order of arrival, which is random unless the sample
            is a ranked one. ``"upside down"``: the scores from the bottom up. ``"reverse-ideal"``: by
            ascending label.

        Examples
        --------
        >>> from ndcg_companion.measures import ndcg
        >>> from ndcg_companion.theory import Population
        >>> items = sample(Population("power:2"), 10_000, seed=4)
        >>> {name: round(ndcg(items.labels, scores), 2) for name, scores in items.rankings().items()}
        {'by score': 0.97, 'random': 0.87, 'upside down': 0.78, 'reverse-ideal': 0.77}
        """
        return {
            "by score": self.scores,
            "random": -np.arange(self.scores.size),
            "upside down": -self.scores,
            "reverse-ideal": -self.labels,
        }


@dataclass(frozen=True, eq=False)
class PairSample:
    """Items as two rankers see them: ``labels`` and canonical ``scores0``, ``scores1``, all of shape (n,)."""

    labels: np.ndarray
    scores0: np.ndarray
    scores1: np.ndarray


@dataclass(frozen=True, eq=False)
class Top:
    """The best k of n items, best first, beside the k labels an ideal ranking of all n would have there.

    Attributes
    ----------
    labels, scores, ideal_labels : ndarray of shape (k,)
    """

    labels: np.ndarray
    scores: np.ndarray
    ideal_labels: np.ndarray

    def ndcg(self, discount: Discount, gain: Gain = "linear") -> float:
        """NDCG@k of the n items; NaN if none of them is relevant."""
        ideal = ideal_dcg(self.ideal_labels, discount=discount, gain=gain)
        actual = dcg(self.labels, self.scores, discount=discount, gain=gain)
        return float(actual / ideal) if ideal > 0 else nan


def sample(population: Population, n: int, *, seed: Seed, ranked: bool = False) -> Sample:
    """Draw n independent items from a population.

    Parameters
    ----------
    population : ndcg_companion.theory.Population
    n : int >= 1
    seed : int, SeedSequence or Generator
        An int or a SeedSequence gives the same numbers again; a Generator goes on where it stands. A seed
        gives one ranked and one unranked sample; they differ.
    ranked : bool
        False: in arrival order. True: best first, without sorting; a list of more than 640,000 items on all
        cores, with the same numbers on any number of them. Functions given as curves are then called from
        several threads.

    Returns
    -------
    Sample
        Labels are integers if all grades are.

    Raises
    ------
    ValueError
        For an n or a seed other than the above.

    Examples
    --------
    >>> from ndcg_companion.theory import Population
    >>> drawn = sample(Population("step:0.5:0:1"), 5, seed=1, ranked=True)
    >>> drawn.scores.round(2), drawn.labels
    (array([0.53, 0.47, 0.38, 0.1 , 0.01]), array([1, 0, 0, 0, 0]))
    """
    check_population(population)
    n, rng = check_int("n", n, 1, _MOST), generator(seed)
    if not ranked:
        scores = rng.random(n)
        return Sample(_labels(rng, population, 1.0 - scores), scores)
    labels, scores = np.empty(n, dtype=np.array(population.grades).dtype), np.empty(n)

    def draw(stretch):
        for start, depths, stream in _blocks(*stretch):
            labels[start : start + depths.size] = _labels(stream, population, depths)
            np.subtract(1.0, depths, out=scores[start : start + depths.size])

    stretches = _stretches(rng, n)
    if n <= _STRETCH:
        draw(next(stretches))  # there is one only
    else:  # NumPy lets go of the interpreter while it draws and computes
        with ThreadPoolExecutor() as threads:
            list(threads.map(draw, stretches))
    return Sample(labels, scores)


def sample_blocks(population: Population, n: int, *, seed: Seed, size: int = _BLOCK) -> Iterator[Sample]:
    """Draw n items best first, block by block, for lists that do not fit in memory.

    Parameters
    ----------
    population, n, seed
        As for `sample`.
    size : int >= 1
        Items in a block. Whatever it is, the blocks make up the ranked `sample` of the same seed.

    Yields
    ------
    Sample
        The next `size` items of the ranked list; what remains in the last block.

    Raises
    ------
    ValueError
        As `sample`, when the first block is asked for.

    Examples
    --------
    >>> from ndcg_companion.theory import Population
    >>> [len(block.labels) for block in sample_blocks(Population("power:1"), 10, seed=1, size=4)]
    [4, 4, 2]

    A list scored as it comes:

    >>> dcg, best_rank = 0.0, 1
    >>> for block in sample_blocks(Population("power:1"), 10**6, seed=1):
    ...     dcg += block.labels @ (1 / np.log1p(np.arange(best_rank, best_rank + len(block.labels))))
    ...     best_rank += len(block.labels)
    >>> round(dcg)
    40999
    """
    check_population(population)
    n, size, rng = check_int("n", n, 1, _COUNTABLE), check_int("size", size), generator(seed)
    labels, scores = np.empty(0, dtype=np.array(population.grades).dtype), np.empty(0)
    for stretch in _stretches(rng, n):
        for _, depths, stream in _blocks(*stretch):
            labels = np.append(labels, _labels(stream, population, depths))
            scores = np.append(scores, 1.0 - depths)
            for _ in range(scores.size // size):
                yield Sample(labels[:size], scores[:size])
                labels, scores = labels[size:], scores[size:]
    if scores.size:
        yield Sample(labels, scores)


def sample_top(population: Population, n: int, k: int, *, seed: Seed) -> Top:
    """Draw the best k of n items, and how many of each grade there are in all: exact, in O(k) whatever n.

    Below depth d of the k-th item, the other n - k items are independent and uniform on (d, 1), so their
    grades are multinomial with probabilities
    ``integral of P(Y = grade | depth u) over u in (d, 1) / (1 - d)``.

    Parameters
    ----------
    population, n, seed
        As for `sample`.
    k : int from 1 to n

    Returns
    -------
    Top

    Raises
    ------
    ValueError
        For arguments other than the above.

    Examples
    --------
    >>> from ndcg_companion.measures import Log
    >>> from ndcg_companion.theory import Population
    >>> top = sample_top(Population("power:2"), 10**12, 10, seed=1)
    >>> top.ndcg(Log())   # the best ten of 10**12 items are all but surely relevant
    1.0
    """
    check_population(population)
    n, rng = check_int("n", n, 1, _COUNTABLE), generator(seed)
    k = check_int("k", k, 1, min(n, _MOST))
    depths = np.concatenate([block for _, block, _ in _blocks(0, k, 0.0, rng.beta(k, n + 1 - k), rng)])
    labels = _labels(rng, population, depths)
    grades = np.array(population.grades)
    counts = (labels == grades[:, None]).sum(axis=1)
    edge = depths[-1]
    if n > k:
        breaks = [edge, *(depth for depth in population.depths if depth > edge)]
        shares = [
            integrate(lambda u, grade=grade: population.probability_at_depth(grade, u), breaks)
            for grade in population.grades
        ]
        shares = np.clip(shares, 0.0, None)
        counts = counts + rng.multinomial(n - k, shares / shares.sum())
    ideal = np.repeat(grades, np.diff(np.minimum(counts.cumsum(), k), prepend=0))
    return Top(labels, 1.0 - depths, ideal)


def sample_pair(pair: Pair, n: int, *, seed: Seed) -> PairSample:
    """Draw n independent items as two rankers see them, in arrival order.

    The joint distribution is the coupling of the pair: *additive*, scores U and V independent and
    ``P(Y = 1 | u, v) = ybar0(u) + ybar1(v) - p``; *label-first*, U and V independent given the label;
    *shared-top*, V = U on the top `share`, and independent given the label below; *correlated:RHO*, U and V
    are increasing functions, given the label, of two standard normal variables with the correlation RHO.

    Parameters
    ----------
    pair : ndcg_companion.theory.Pair
    n : int >= 1
    seed : int, SeedSequence or Generator
        An int or a SeedSequence gives the same numbers again; a Generator goes on where it stands.

    Returns
    -------
    PairSample

    Raises
    ------
    ValueError
        For an n or a seed other than the above.

    Examples
    --------
    >>> from ndcg_companion.theory import Pair
    >>> drawn = sample_pair(Pair("power:1", "reversed:1", coupling="label-first"), 4, seed=1)
    >>> drawn.labels, drawn.scores0.round(2), drawn.scores1.round(2)
    (array([1, 1, 0, 1]), array([0.51, 0.95, 0.14, 0.95]), array([0.03, 0.75, 0.55, 0.33]))
    """
    check_pair(pair)
    n, rng = check_int("n", n, 1, _MOST), generator(seed)
    scores0 = rng.random(n)
    if pair.coupling == "additive":
        scores1 = rng.random(n)
        chance = pair.population0.mean(scores0) + pair.population1.mean(scores1) - pair.p
        return PairSample((rng.random(n) < chance).astype(np.int64), scores0, scores1)
    labels = _labels(rng, pair.population0, 1.0 - scores0)
    if pair.rho:
        return PairSample(labels, scores0, _correlated(rng, pair, labels, 1.0 - scores0))
    edge = 1.0 - (pair.share or 0.0)
    below_edge = np.flatnonzero(scores0 < edge)
    scores1 = scores0.copy()
    scores1[below_edge] = _scores_given_labels(rng, pair.population1, labels[below_edge], edge)
    return PairSample(labels, scores0, scores1)


def _labels(rng, population, depths):
    """A label for every depth."""
    return _by_chance(rng.random(depths.size), population, depths)


def _by_chance(uniform, population, depths):
    """For every depth the grade whose cumulative probability first exceeds a uniform number."""
    if population.grades == (1, 0):
        return (uniform < population.probability_at_depth(1, depths)).astype(np.int64)
    cumulative = np.zeros(depths.size)
    grade_index = np.zeros(depths.size, dtype=np.min_scalar_type(len(population.grades)))
    for grade in population.grades[:-1]:
        cumulative += population.probability_at_depth(grade, depths)
        grade_index += uniform >= cumulative
    return np.array(population.grades).take(grade_index)


def _scores_given_labels(rng, population, labels, edge):
    """Scores uniform on [0, edge) given that the items there have these labels.

    Rejection: fresh items are drawn with labels of their own, and the next one with the label that is wanted
    is taken. Their labels have the same frequencies, so few are missing after one fresh item for each wanted
    one. As many again are drawn then, but only the first are looked at."""
    scores, size = np.empty(labels.size), max(labels.size, 1024)
    open_places = {grade: np.flatnonzero(labels == grade) for grade in population.grades}
    used, missing = size, labels.size
    while missing:
        if used >= size:
            fresh, uniform, used = edge * rng.random(size), rng.random(size), 0
        looked_at = slice(used, used + max(8 * missing, 1024))
        candidates = fresh[looked_at]
        theirs = _by_chance(uniform[looked_at], population, 1.0 - candidates)
        for grade, places in open_places.items():
            # Much sooner than candidates[theirs == grade].
            accepted = candidates.compress(theirs == grade)[: places.size]
            scores[places[: accepted.size]] = accepted
            open_places[grade] = places[accepted.size :]
        used, missing = looked_at.stop, sum(places.size for places in open_places.values())
    return scores


def _correlated(rng, pair, labels, depths):
    """The other ranker's scores of items with these labels, at these depths in the list of the first."""
    scores, noise = np.empty(labels.size), rng.standard_normal(labels.size)
    for label, (edges, above0, above1) in enumerate(pair.depths_given_label):
        mine = np.flatnonzero(labels == label)
        normal = ndtri(_interpolated(depths[mine], edges, above0))
        correlated = pair.rho * normal + np.sqrt(1.0 - pair.rho**2) * noise[mine]
        scores[mine] = 1.0 - _interpolated(ndtr(correlated), above1, edges)
    return scores


def _interpolated(x, grid, values):
    """``np.interp(x, grid, values)`` by increasing x: finding the neighbours in a long grid, out of order,
    takes five times as long as sorting and finding them.
    """
    order, interpolated = x.argsort(), np.empty_like(x)
    interpolated[order] = np.interp(x[order], grid, values)
    return interpolated


def _stretches(rng, n):
    """Arguments of `_blocks` for the stretches that make up n ranked items: to be drawn in any order."""
    above = 0.0
    for start in range(0, n, _STRETCH):
        count = min(_STRETCH, n - start)
        last = above + (1.0 - above) * rng.beta(count, n + 1 - start - count)
        single = n <= _STRETCH
        yield start, count, above, last, rng if single else np.random.default_rng(rng.integers(2**63, size=4))
        above = last


def _blocks(start, count, above, last, stream):
    """Place of each block's first item, and its items' depths: `count` in all, from `above` to `last`."""
    while count:
        size = min(_BLOCK, count)
        edge = last if size == count else above + (last - above) * stream.beta(size, count - size)
        yield start, _depths(stream, size, above, edge), stream
        start, count, above = start + size, count - size, edge


def _depths(rng, count, above, last):
    """Ordered depths of `count` items, the last of them given, the others uniform between it and `above`."""
    # Partial sums of exponential numbers, down each column and on to the next. All are negative, which saves
    # a pass; the quotient is not.
    sums = rng.random((_ROWS, -(-count // _ROWS)))
    np.log1p(np.negative(sums, out=sums), out=sums)
    for row, before in zip(sums[1:], sums):
        row += before
    sums[:, 1:] += sums[-1, :-1].cumsum()
    last_column, last_row = divmod(count - 1, _ROWS)
    depths = (sums.T * ((last - above) / sums[last_row, last_column])).ravel()[:count]
    depths += above
    return depths
