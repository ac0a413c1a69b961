"""Samples of items from a population, as one ranker sees them or as two do.

Canonical scores are uniform on [0, 1], so ranked lists need no sorting: with E_1, E_2, ... exponential and
``Gamma_r = E_1 + ... + E_r``, the depths ``1 - s`` of the n items in rank order are distributed as
``Gamma_r / Gamma_(n+1)`` (Rényi 1953). They can be drawn block by block, without knowing what comes later: the depth of
the m-th best of n items is Beta(m, n - m + 1) distributed; given it, the r-th best is ``Gamma_r / Gamma_m`` of the way
down to it, and the n - m items below are independent and uniform in what is left.
"""

from dataclasses import dataclass

import numpy as np

from ndcg_companion.measures import dcg, ideal_dcg
from ndcg_companion.simulation.seeding import checked_count, generator
from ndcg_companion.theory.integrals import integrate

# Items drawn at a time: enough to make up for the calls, few enough to stay in the processor's cache, and for the
# system not to be asked for fresh memory each time.
_BLOCK = 2**14

# Rows in which partial sums are taken: a running sum waits for every addition, rows are added to each other at once.
_ROWS = 8


@dataclass(frozen=True, eq=False)
class Sample:
    """Items as one ranker sees them: ``labels`` and canonical ``scores``, both of shape (n,)."""

    labels: np.ndarray
    scores: np.ndarray


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

    def ndcg(self, discount, gain="linear"):
        """NDCG@k of the n items; NaN if none of them is relevant."""
        ideal = ideal_dcg(self.ideal_labels, discount=discount, gain=gain)
        return dcg(self.labels, self.scores, discount=discount, gain=gain) / ideal if ideal > 0 else float("nan")


def sample(population, n, *, seed, ranked=False):
    """Draw n independent items from a population.

    Parameters
    ----------
    population : ndcg_companion.theory.Population
    n : int >= 1
    seed : int, SeedSequence or Generator
        An int or a SeedSequence gives the same numbers again; a Generator goes on where it stands. One seed gives one
        sample; ranked or not, two different ones.
    ranked : bool
        False: in arrival order. True: best first, without sorting.

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
    (array([0.91, 0.55, 0.53, 0.17, 0.12]), array([1, 1, 1, 0, 0]))
    """
    n, rng = checked_count("n", n), generator(seed)
    if not ranked:
        scores = rng.random(n)
        return Sample(_labels(rng, population, 1.0 - scores), scores)
    labels, scores = np.empty(n, dtype=np.array(population.grades).dtype), np.empty(n)
    for start, block in zip(range(0, n, _BLOCK), sample_blocks(population, n, seed=rng)):
        labels[start : start + _BLOCK], scores[start : start + _BLOCK] = block.labels, block.scores
    return Sample(labels, scores)


def sample_blocks(population, n, *, seed, size=_BLOCK):
    """Draw n items best first, block by block, for lists that do not fit in memory.

    Parameters
    ----------
    population, n, seed
        As for `sample`.
    size : int >= 1
        Items in a block. It changes the numbers drawn, not their distribution; unless it is given, the blocks make up
        the ranked `sample` of the same seed.

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
    41044
    """
    n, size, rng = checked_count("n", n), checked_count("size", size), generator(seed)
    edge = 0.0
    for start in range(0, n, size):
        depths = _next_depths(rng, n, start, min(start + size, n), edge)
        edge = depths[-1]
        yield Sample(_labels(rng, population, depths), 1.0 - depths)


def sample_top(population, n, k, *, seed):
    """Draw the best k of n items, and how many of each grade there are in all: exact, in O(k) whatever n.

    Below depth d of the k-th item, the other n - k items are independent and uniform on (d, 1), so their grades are
    multinomial with probabilities ``integral of P(Y = grade | depth u) over u in (d, 1) / (1 - d)``.

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
    n, k, rng = checked_count("n", n), checked_count("k", k), generator(seed)
    if k > n:
        raise ValueError(f"k={k!r}: expected an integer from 1 to n={n}")
    depths = _next_depths(rng, n, 0, k, 0.0)
    labels = _labels(rng, population, depths)
    grades = np.array(population.grades)
    counts = (labels == grades[:, None]).sum(axis=1)
    edge = depths[-1]
    if n > k:
        breaks = [edge, *(depth for depth in population.depths if depth > edge)]
        shares = [integrate(lambda u: population.probability_at_depth(grade, u), breaks) for grade in population.grades]
        shares = np.clip(shares, 0.0, None)
        counts = counts + rng.multinomial(n - k, shares / shares.sum())
    ideal = np.repeat(grades, np.diff(np.minimum(counts.cumsum(), k), prepend=0))
    return Top(labels, 1.0 - depths, ideal)


def sample_pair(pair, n, *, seed):
    """Draw n independent items as two rankers see them, in arrival order.

    The joint distribution is the coupling of the pair: *additive*, scores U and V independent and
    ``P(Y = 1 | u, v) = ybar0(u) + ybar1(v) - p``; *label-first*, U and V independent given the label; *shared-top*,
    V = U on the top `share`, and independent given the label below.

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
    n, rng = checked_count("n", n), generator(seed)
    scores0 = rng.random(n)
    if pair.coupling == "additive":
        scores1 = rng.random(n)
        chance = pair.population0.mean(scores0) + pair.population1.mean(scores1) - pair.p
        return PairSample((rng.random(n) < chance).astype(np.int64), scores0, scores1)
    labels = _labels(rng, pair.population0, 1.0 - scores0)
    edge = 1.0 if pair.coupling == "label-first" else 1.0 - pair.share
    apart = np.flatnonzero(scores0 < edge)
    scores1 = scores0.copy()
    scores1[apart] = _scores_given_labels(rng, pair.population1, labels[apart], edge)
    return PairSample(labels, scores0, scores1)


def _labels(rng, population, depths):
    """A label for every depth: the grade at which the cumulative probability first exceeds a uniform number."""
    uniform = rng.random(depths.size)
    if population.grades == (1, 0):
        return (uniform < population.probability_at_depth(1, depths)).astype(np.int64)
    cumulative = np.zeros(depths.size)
    place = np.zeros(depths.size, dtype=np.int8 if len(population.grades) < 128 else np.intp)
    for grade in population.grades[:-1]:
        cumulative += population.probability_at_depth(grade, depths)
        place += uniform >= cumulative
    return np.array(population.grades).take(place)


def _scores_given_labels(rng, population, labels, edge):
    """Scores uniform on [0, edge) given that the items there have these labels.

    Rejection: fresh items are drawn with labels of their own, and the next one with the label that is wanted is taken.
    Their labels have the same frequencies, so a little more than one fresh item is drawn for each wanted one.
    """
    scores = np.empty(labels.size)
    wanted = {grade: np.flatnonzero(labels == grade) for grade in population.grades}
    while any(places.size for places in wanted.values()):
        fresh = edge * rng.random(max(labels.size, 1024))
        theirs = _labels(rng, population, 1.0 - fresh)
        for grade, places in wanted.items():
            found = fresh[theirs == grade][: places.size]
            scores[places[: found.size]] = found
            wanted[grade] = places[found.size :]
    return scores


def _next_depths(rng, n, start, stop, edge):
    """Depths of the items of rank start + 1 to stop, given that of rank `start`."""
    count = stop - start
    # Exponential numbers in the order of columns; that their sign is turned is faster, and cancels.
    sums = rng.random((_ROWS, -(-count // _ROWS)))
    np.log1p(np.negative(sums, out=sums), out=sums)
    for row, above in zip(sums[1:], sums):
        row += above
    sums[:, 1:] += sums[-1, :-1].cumsum()
    column, row = divmod(count - 1, _ROWS)
    width = (1.0 - edge) * rng.beta(count, n + 1 - stop)
    depths = (sums.T * (width / sums[row, column])).ravel()[:count]
    depths += edge
    return depths
