"""Samples of items from a population, with the canonical scores of one ranker or of two.

Canonical scores are uniform on [0, 1], so ranked lists need no sorting. If E_1, E_2, ... are independent
exponential variables and ``Gamma_r = E_1 + ... + E_r``, the depths ``1 - s`` of the n items in rank order are
distributed as ``Gamma_r / Gamma_(n+1)`` (Rényi 1953). The depths can be drawn block by block from the top.
The depth of the m-th best of n items has the distribution Beta(m, n - m + 1). Given this depth, the depth of
the r-th best item is ``Gamma_r / Gamma_m`` times the given depth, for r < m. The n - m items below are
independent and uniform on the remaining depths. Long lists are divided into stretches in this way. Each
stretch has its own generator, so the stretches can be drawn in parallel.
"""

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

# Number of rows for partial sums. A running sum is sequential, whereas a row is added in one operation.
_ROWS = 8

# Number of items that are drawn at once. It is large enough to amortise the calls, and small enough to fit
# into the processor's cache and to reuse memory. Rows whose distance is a power of two would evict each other
# from the cache.
_BLOCK = 5000 * _ROWS

# Number of items that are drawn from one generator, large enough to amortise its creation.
_STRETCH = 16 * _BLOCK

# The largest number of items in memory at once, and the largest number that can be counted.
_MOST, _COUNTABLE = 2**36, 2**62


@dataclass(frozen=True, eq=False)
class Sample:
    """Items with ``labels`` and canonical ``scores`` of one ranker, of shape (n,)."""

    labels: np.ndarray
    scores: np.ndarray

    def rankings(self) -> dict[str, np.ndarray]:
        """Return the scores of the items for the four orders of `Population.rankings`.

        Returns
        -------
        dict of str to ndarray of shape (n,)
            ``"by score"``: the canonical scores. ``"random"``: the order of arrival, which is random unless
            the sample is ranked. ``"upside down"``: the reverse of the canonical scores.
            ``"reverse-ideal"``: by ascending label.

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
    """Items with ``labels`` and canonical ``scores0`` and ``scores1`` of two rankers.

    All arrays have the shape (n,).
    """

    labels: np.ndarray
    scores0: np.ndarray
    scores1: np.ndarray


@dataclass(frozen=True, eq=False)
class Top:
    """The best k of n items, and the first k labels of an ideal ranking of all n items.

    Attributes
    ----------
    labels, scores : ndarray of shape (k,)
        Labels and canonical scores of the items, best first.
    ideal_labels : ndarray of shape (k,)
        Labels at the first k ranks of an ideal ranking.
    """

    labels: np.ndarray
    scores: np.ndarray
    ideal_labels: np.ndarray

    def ndcg(self, discount: Discount, gain: Gain = "linear") -> float:
        """Return NDCG@k of the n items, or NaN if none of them is relevant."""
        ideal = ideal_dcg(self.ideal_labels, discount=discount, gain=gain)
        actual = dcg(self.labels, self.scores, discount=discount, gain=gain)
        return float(actual / ideal) if ideal > 0 else nan


def sample(population: Population, n: int, *, seed: Seed, ranked: bool = False) -> Sample:
    """Return n independent items drawn from a population.

    Parameters
    ----------
    population : ndcg_companion.theory.Population
        Distribution of labels by canonical score.
    n : int >= 1
        Number of items.
    seed : int, SeedSequence or Generator
        An int or a SeedSequence always gives the same numbers; a Generator continues from its state. A ranked
        and an unranked sample differ even if their seeds are the same.
    ranked : bool
        If false, items are in arrival order. If true, items are drawn best first, without sorting. Ranked
        lists of more than 640,000 items are drawn on all cores, with the same numbers for any number of
        cores. If the curves are given as functions, these functions are then called from several threads.

    Returns
    -------
    Sample
        Labels are integers if all grades are integers.

    Raises
    ------
    ValueError
        If `n` or `seed` is invalid.

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

    def draw_stretch(stretch):
        """Write the labels and scores of a stretch, given the arguments of `_blocks`, into the arrays."""
        for start, depths, stream in _blocks(*stretch):
            labels[start : start + depths.size] = _labels(stream, population, depths)
            np.subtract(1.0, depths, out=scores[start : start + depths.size])

    stretches = _stretches(rng, n)
    if n <= _STRETCH:
        draw_stretch(next(stretches))  # a short list has a single stretch
    else:  # threads run in parallel because NumPy releases the interpreter lock
        with ThreadPoolExecutor() as threads:
            list(threads.map(draw_stretch, stretches))  # the list raises the errors of the threads
    return Sample(labels, scores)


def sample_blocks(population: Population, n: int, *, seed: Seed, size: int = _BLOCK) -> Iterator[Sample]:
    """Yield n items in blocks, best first, for lists that are larger than memory.

    Parameters
    ----------
    population, n, seed
        As for `sample`.
    size : int >= 1
        Number of items in a block. Blocks of any size together form the ranked `sample` of the same seed.

    Yields
    ------
    Sample
        The next `size` items of the ranked list; the last block may be smaller.

    Raises
    ------
    ValueError
        If `sample` would raise it. The ValueError is raised when the first block is requested.

    Examples
    --------
    >>> from ndcg_companion.theory import Population
    >>> [len(block.labels) for block in sample_blocks(Population("power:1"), 10, seed=1, size=4)]
    [4, 4, 2]

    This computes the DCG of a list block by block:

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
            # The number of complete blocks is computed once, before the arrays become shorter.
            for _ in range(scores.size // size):
                yield Sample(labels[:size], scores[:size])
                labels, scores = labels[size:], scores[size:]
    if scores.size:
        yield Sample(labels, scores)


def sample_top(population: Population, n: int, k: int, *, seed: Seed) -> Top:
    """Return the best k of n items and the first k labels of an ideal ranking.

    The distribution is exact, and the time is O(k) for any n.

    Below the depth d of the k-th item, the other n - k items are independent and uniform on (d, 1), so the
    numbers of items with each grade are multinomial with probabilities ``(integral of P(Y = grade | depth u)
    over u in (d, 1)) / (1 - d)``.

    Parameters
    ----------
    population, n, seed
        As for `sample`.
    k : int from 1 to n
        Number of items to draw.

    Returns
    -------
    Top

    Raises
    ------
    ValueError
        If an argument is invalid.

    Examples
    --------
    >>> from ndcg_companion.measures import Log
    >>> from ndcg_companion.theory import Population
    >>> top = sample_top(Population("power:2"), 10**12, 10, seed=1)
    >>> top.ndcg(Log())   # the best ten of 10**12 items are almost certainly relevant
    1.0
    """
    check_population(population)
    n, rng = check_int("n", n, 1, _COUNTABLE), generator(seed)
    k = check_int("k", k, 1, min(n, _MOST))
    depth_of_kth = rng.beta(k, n + 1 - k)
    depths = np.concatenate([block_depths for _, block_depths, _ in _blocks(0, k, 0.0, depth_of_kth, rng)])
    labels = _labels(rng, population, depths)
    grades = np.array(population.grades)
    counts = (labels == grades[:, None]).sum(axis=1)
    last_depth = depths[-1]
    if n > k:
        breaks = [last_depth, *(depth for depth in population.depths if depth > last_depth)]
        probabilities = [
            integrate(lambda u, grade=grade: population.probability_at_depth(grade, u), breaks)
            for grade in population.grades
        ]
        probabilities = np.clip(probabilities, 0.0, None)
        counts = counts + rng.multinomial(n - k, probabilities / probabilities.sum())
    # Grades are in descending order, so the ideal ranking has the items of one grade after the other.
    grade_ends = np.minimum(counts.cumsum(), k)
    ideal_labels = np.repeat(grades, np.diff(grade_ends, prepend=0))
    return Top(labels, 1.0 - depths, ideal_labels)


def sample_pair(pair: Pair, n: int, *, seed: Seed) -> PairSample:
    """Return n independent items with the scores of two rankers, in arrival order.

    The joint distribution of the scores U and V and the label is the coupling of the pair. Under *additive*,
    U and V are independent and ``P(Y = 1 | u, v) = ybar0(u) + ybar1(v) - p``. Under *label-first*, U and V
    are independent given the label. Under *shared-top*, V = U on the top ``share``; below the shared top, U
    and V are independent given the label. Under *correlated:RHO*, given the label, U and V are increasing
    functions of two standard normal variables with the correlation RHO.

    Parameters
    ----------
    pair : ndcg_companion.theory.Pair
        The two rankers and their coupling.
    n : int >= 1
        Number of items.
    seed : int, SeedSequence or Generator
        An int or a SeedSequence always gives the same numbers; a Generator continues from its state.

    Returns
    -------
    PairSample

    Raises
    ------
    ValueError
        If `n` or `seed` is invalid.

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
        probability = pair.population0.mean(scores0) + pair.population1.mean(scores1) - pair.p
        return PairSample((rng.random(n) < probability).astype(np.int64), scores0, scores1)
    labels = _labels(rng, pair.population0, 1.0 - scores0)
    if pair.rho:
        return PairSample(labels, scores0, _correlated(rng, pair, labels, 1.0 - scores0))
    share_edge = 1.0 - (pair.share or 0.0)
    below_share = np.flatnonzero(scores0 < share_edge)
    scores1 = scores0.copy()
    scores1[below_share] = _scores_given_labels(rng, pair.population1, labels[below_share], share_edge)
    return PairSample(labels, scores0, scores1)


def _labels(rng, population, depths):
    """Return a label drawn for every depth."""
    return _grades_of_uniform(rng.random(depths.size), population, depths)


def _grades_of_uniform(uniform_numbers, population, depths):
    """Return, for each depth, the first grade whose cumulative probability exceeds a uniform number."""
    if population.grades == (1, 0):
        return (uniform_numbers < population.probability_at_depth(1, depths)).astype(np.int64)
    cumulative_probability = np.zeros(depths.size)
    # The number of cumulative probabilities that the uniform number reaches is the index of the grade.
    grade_index = np.zeros(depths.size, dtype=np.min_scalar_type(len(population.grades)))
    for grade in population.grades[:-1]:
        cumulative_probability += population.probability_at_depth(grade, depths)
        grade_index += uniform_numbers >= cumulative_probability
    return np.array(population.grades).take(grade_index)


def _scores_given_labels(rng, population, labels, edge):
    """Return scores drawn uniformly from [0, edge), given the labels of the items in this interval.

    This is rejection sampling. Candidates are drawn with labels of their own, and each item gets the score of
    the next candidate that has the label of the item. Labels have the same frequencies among candidates and
    items, so only a few items remain after one candidate per item has been drawn. For the remaining items,
    the same number of candidates is drawn again, but usually only the first few of them are used.
    """
    scores, candidate_count = np.empty(labels.size), max(labels.size, 1024)
    positions_to_fill = {grade: np.flatnonzero(labels == grade) for grade in population.grades}
    used_count, missing_count = candidate_count, labels.size
    while missing_count:
        if used_count >= candidate_count:
            candidate_scores = edge * rng.random(candidate_count)
            uniform_numbers, used_count = rng.random(candidate_count), 0
        # Not every candidate has a label that is needed, so a batch has several candidates per missing score.
        batch = slice(used_count, used_count + max(8 * missing_count, 1024))
        candidates = candidate_scores[batch]
        candidate_labels = _grades_of_uniform(uniform_numbers[batch], population, 1.0 - candidates)
        for grade, positions in positions_to_fill.items():
            # This is much faster than candidates[candidate_labels == grade].
            accepted_scores = candidates.compress(candidate_labels == grade)[: positions.size]
            scores[positions[: accepted_scores.size]] = accepted_scores
            positions_to_fill[grade] = positions[accepted_scores.size :]
        used_count = batch.stop
        missing_count = sum(positions.size for positions in positions_to_fill.values())
    return scores


def _correlated(rng, pair, labels, depths):
    """Return the second ranker's scores, given labels and depths in the first list."""
    scores, noise = np.empty(labels.size), rng.standard_normal(labels.size)
    for label, (edges, proportion_above0, proportion_above1) in enumerate(pair.depths_given_label):
        items = np.flatnonzero(labels == label)
        # The proportion t of items with its label above an item is uniform, so x = Phi^-1(t) is normal. With
        # independent normal noise z, y = rho x + sqrt(1 - rho**2) z is normal with correlation rho, and
        # Phi(y) is the proportion of items with its label above the item in the second list.
        normal_score = ndtri(_interpolated(depths[items], edges, proportion_above0))
        correlated_score = pair.rho * normal_score + np.sqrt(1.0 - pair.rho**2) * noise[items]
        scores[items] = 1.0 - _interpolated(ndtr(correlated_score), proportion_above1, edges)
    return scores


def _interpolated(x, grid, values):
    """Return ``np.interp(x, grid, values)``, evaluated in the order of increasing x.

    Searching a long grid out of order takes five times as long as sorting x first.
    """
    order, interpolated = x.argsort(), np.empty_like(x)
    interpolated[order] = np.interp(x[order], grid, values)
    return interpolated


def _stretches(rng, n):
    """Yield the arguments of `_blocks` for each stretch of n ranked items.

    Given the depths between them, the stretches are independent.
    """
    depth_above = 0.0
    for start in range(0, n, _STRETCH):
        stretch_size = min(_STRETCH, n - start)
        # Of m items that are uniform below depth_above, the depth of the j-th, as a fraction of the remaining
        # depths, has the distribution Beta(j, m - j + 1), with m = n - start and j = stretch_size.
        last_depth = depth_above + (1.0 - depth_above) * rng.beta(stretch_size, n + 1 - start - stretch_size)
        is_single = n <= _STRETCH
        stream = rng if is_single else np.random.default_rng(rng.integers(2**63, size=4))
        yield start, stretch_size, depth_above, last_depth, stream
        depth_above = last_depth


def _blocks(start, count, depth_above, last_depth, stream):
    """Yield (position of the first item, depths, stream) for each block of a stretch of ``count`` items.

    The stream is the generator of the stretch, from which the caller draws labels. The depths lie below
    ``depth_above``; the last of them is ``last_depth``.
    """
    while count:
        block_size = min(_BLOCK, count)
        # The last item lies at last_depth, and the other count - 1 are uniform above it. Of m uniform items,
        # the j-th has a depth with distribution Beta(j, m - j + 1); m = count - 1 and j = block_size.
        block_end = last_depth
        if block_size < count:
            block_end = depth_above + (last_depth - depth_above) * stream.beta(block_size, count - block_size)
        yield start, _depths(stream, block_size, depth_above, block_end), stream
        start, count, depth_above = start + block_size, count - block_size, block_end


def _depths(rng, count, depth_above, last_depth):
    """Return the ordered depths of ``count`` items: the last is given, the others are uniform above it."""
    # With Gamma_r = E_1 + ... + E_r for exponential E_i, depth r is
    # depth_above + (last_depth - depth_above) * Gamma_r / Gamma_count.
    # E = -log(1 - uniform). The sums run down each column and on to the next column. They have a negative
    # sign, which saves a pass and cancels in the quotient.
    sums = rng.random((_ROWS, -(-count // _ROWS)))
    np.log1p(np.negative(sums, out=sums), out=sums)
    for row, row_above in zip(sums[1:], sums):
        row += row_above  # changes `sums`, of which the row is a view
    sums[:, 1:] += sums[-1, :-1].cumsum()
    # Items are numbered down the columns, so the last one is at this row and column.
    last_column, last_row = divmod(count - 1, _ROWS)
    depths = (sums.T * ((last_depth - depth_above) / sums[last_row, last_column])).ravel()[:count]
    depths += depth_above
    return depths
