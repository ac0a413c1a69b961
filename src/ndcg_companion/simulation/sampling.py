"""Samples of items from a population, as one ranker sees them or as two do.

Canonical scores are uniform on [0, 1], so ranked lists need no sorting: with E_1, E_2, ... exponential and
``Gamma_r = E_1 + ... + E_r``, the depths ``1 - s`` of the n items in rank order are distributed as
``Gamma_r / Gamma_(n+1)``; and also, without knowing what comes later, as
``1 - exp(-sum over j <= r of E_j / (n - j + 1))`` (Rényi 1953).
"""

from dataclasses import dataclass

import numpy as np

from ndcg_companion.measures import dcg, ideal_dcg
from ndcg_companion.simulation.seeding import checked_count, generator
from ndcg_companion.theory.integrals import integrate


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
        An int or a SeedSequence gives the same numbers again; a Generator goes on where it stands. One seed gives one sample; ranked or not, two different ones.
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
    (array([0.88, 0.85, 0.25, 0.21, 0.2 ]), array([1, 1, 0, 0, 0]))
    """
    n, rng = checked_count("n", n), generator(seed)
    if not ranked:
        scores = rng.random(n)
        return Sample(_labels(rng, population, 1.0 - scores), scores)
    depths = rng.standard_exponential(n + 1).cumsum()
    depths = np.divide(depths[:-1], depths[-1], out=depths[:-1])
    return Sample(_labels(rng, population, depths), 1.0 - depths)


def sample_blocks(population, n, *, seed, size=2**16):
    """Draw n items best first, block by block, for lists that do not fit in memory.

    Parameters
    ----------
    population, n, seed
        As for `sample`.
    size : int >= 1
        Items in a block. It changes the numbers drawn, not their distribution.

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
    """
    n, size, rng = checked_count("n", n), checked_count("size", size), generator(seed)
    exponent = 0.0
    for start in range(0, n, size):
        depths, exponent = _next_depths(rng, n, start, min(start + size, n), exponent)
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
    depths, exponent = _next_depths(rng, n, 0, k, 0.0)
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


def _next_depths(rng, n, start, stop, exponent):
    """Depths of the items of rank start + 1 to stop, given the exponent reached before them; and the one reached."""
    exponents = exponent + np.cumsum(rng.standard_exponential(stop - start) / np.arange(n - start, n - stop, -1.0))
    return -np.expm1(-exponents), exponents[-1]
