"""Time of the pair-wise loss through the linear DCG, as ratios: python benchmarks/pairwise.py [--rounds 21]
[--json PATH]

The loss sums over pairs, so a double loop takes O(n^2); as an error of the linear DCG it takes a sort. The
rivals are that double loop as one NumPy expression over all pairs (up to 5,000 items, where a square of
floats still fits), and ``numpy.argsort``, the floor. Ratios are taken within a round and reported as in
measures.py.
"""

import numpy as np
from measures import command, one_list, result, seconds

from ndcg_companion.measures import pairwise_loss


def double_loop(labels, scores):
    """The loss as its definition says: label gaps of all pairs in the wrong order."""
    gaps = labels[:, None] - labels
    return float((gaps * ((gaps > 0) & (scores[:, None] < scores))).sum())


def all_pairs(rng, rounds):
    """The double loop beside the sort: no target, as the ratio falls like log(n) / n, from whatever it is at
    first.
    """
    for n in (100, 1_000, 5_000):
        labels, scores = one_list(rng, n)
        assert pairwise_loss(labels, scores) == double_loop(labels, scores)
        rivals = [lambda: pairwise_loss(labels, scores), lambda: double_loop(labels, scores)]
        ours, theirs = seconds(rivals, rounds if n < 5_000 else max(5, rounds // 3)).T
        yield result(f"pair-wise loss, n = {n:,}", "double loop", ours / theirs, "", None)


def long_lists(rng, rounds):
    """Beside a sort, which it cannot do without."""
    for n in (10**5, 10**6):
        labels, scores = one_list(rng, n)
        ours, floor = seconds([lambda: pairwise_loss(labels, scores), scores.argsort], max(5, rounds // 3)).T
        yield result(f"pair-wise loss, n = {n:,}", "argsort", ours / floor, "<= 4", lambda x: x <= 4)


def measure(rounds):
    rng = np.random.default_rng(20100920)
    yield from all_pairs(rng, rounds)
    yield from long_lists(rng, rounds)


if __name__ == "__main__":
    command(__doc__, measure)
