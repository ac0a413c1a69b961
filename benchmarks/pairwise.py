"""Compare the time of the pair-wise loss with that of a double loop and of sorting.

    python benchmarks/pairwise.py [--rounds 21] [--json PATH]

The loss is a sum over pairs, so a double loop takes O(n^2) time. If the loss is computed as an error of the
linear DCG, the computation takes only the time of a sort. This computation is compared with the double loop,
written as one NumPy expression over all pairs (up to 5,000 items, because the matrix of all pairs must fit
into memory), and with ``numpy.argsort`` as a lower bound. Ratios are computed and reported as in measures.py.
"""

import numpy as np
from measures import command, random_list, result, seconds

from ndcg_companion.measures import pairwise_loss


def double_loop(labels, scores):
    """Return the sum of the label differences of all pairs in the wrong order."""
    gaps = labels[:, None] - labels
    return float((gaps * ((gaps > 0) & (scores[:, None] < scores))).sum())


def all_pairs(rng, rounds):
    """Compare the time of the loss with that of the double loop.

    Notes
    -----
    There is no target, because the ratio decreases like log(n) / n from a value that depends on the machine.
    """
    for n in (100, 1_000, 5_000):
        labels, scores = random_list(rng, n)
        assert pairwise_loss(labels, scores) == double_loop(labels, scores)
        functions = [lambda: pairwise_loss(labels, scores), lambda: double_loop(labels, scores)]
        our_times, loop_times = seconds(functions, rounds if n < 5_000 else max(5, rounds // 3)).T
        yield result(f"pair-wise loss, n = {n:,}", "double loop", our_times / loop_times, "", None)


def long_lists(rng, rounds):
    """Compare the time of the loss on long lists with that of ``argsort``, one of its steps."""
    for n in (10**5, 10**6):
        labels, scores = random_list(rng, n)
        our_times, sort_times = seconds(
            [lambda: pairwise_loss(labels, scores), scores.argsort], max(5, rounds // 3)
        ).T
        yield result(
            f"pair-wise loss, n = {n:,}", "argsort", our_times / sort_times, "<= 4", lambda x: x <= 4
        )


def measure(rounds):
    """Yield all results; ``rounds`` is the number of rounds of short work."""
    rng = np.random.default_rng(20100920)
    yield from all_pairs(rng, rounds)
    yield from long_lists(rng, rounds)


if __name__ == "__main__":
    command(__doc__, measure)
