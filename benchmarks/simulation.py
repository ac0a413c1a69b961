"""Compare the time of simulations with that of simple operations such as sorting.

    python benchmarks/simulation.py [--rounds 21] [--json PATH]

In each round, both functions run in turn on the same data. Every ratio is computed within a round, and the
table shows the median and the quartiles over the rounds. Everything runs on one BLAS thread. The last rows,
with two workers and with a list of 10**8 items, take longest.
"""

import subprocess
import sys
import tracemalloc

import numpy as np
from measures import command, result, seconds
from sklearn.metrics import ndcg_score
from threadpoolctl import threadpool_limits

from ndcg_companion.measures import Geometric, Log, Power, Zipf
from ndcg_companion.simulation import (
    certify_sign,
    monte_carlo,
    ndcg_curve,
    sample,
    sample_blocks,
    sample_pair,
)
from ndcg_companion.theory import Pair, Population

POPULATION = Population("power:1")
PAIR = Pair("poly:0.7:-0.4", "poly:0.3:0.4")
FOUR_DISCOUNTS = [Log(), Power(0.5), Zipf(), Geometric(0.5)]


def draw_items(n, seed):
    """Return labels and scores of n items in arrival order."""
    items = sample(POPULATION, n, seed=seed)
    return items.labels, items.scores


def scikit_learn_curve(labels, scores):
    """Return NDCG of every prefix of at least two items, computed by scikit-learn."""
    return [
        ndcg_score(labels[None, :n], scores[None, :n], ignore_ties=True) for n in range(2, labels.size + 1)
    ]


def short_curves(rounds):
    """Time the curve over every n up to 5,000, and compare with scikit-learn."""
    short_list = draw_items(5000, 1)
    one_times, four_times, scikit_times = seconds(
        [
            lambda: ndcg_curve(*short_list, discount=Log()),
            lambda: ndcg_curve(*short_list, discount=FOUR_DISCOUNTS),
            lambda: scikit_learn_curve(*short_list),
        ],
        max(3, rounds // 4),
    ).T
    work = "every n to 5,000"
    yield result(
        "scikit-learn for " + work, "the curve", scikit_times / one_times, ">= 150", lambda x: x >= 150
    )
    yield result(work + ", four discounts", "one", four_times / one_times, "<= 2", lambda x: x <= 2)
    # scikit-learn returns 0 if nothing is relevant.
    error = np.abs(
        np.nan_to_num(ndcg_curve(*short_list, discount=Log())[1:]) - scikit_learn_curve(*short_list)
    ).max()
    yield result(
        work + ", largest difference", "scikit-learn", [error * 1e15], "<= 100", lambda x: x <= 100, "1e-15"
    )


def chosen_sizes(rounds):
    """Time a curve over 200 sizes in geometric progression up to 1e6."""
    labels, scores = draw_items(10**6, 2)
    sizes = np.geomspace(10, 10**6, 200).round().astype(int)
    our_times, sort_times = seconds(
        [lambda: ndcg_curve(labels, scores, discount=Log(), sizes=sizes), scores.argsort], rounds
    ).T
    yield result(
        "200 log-spaced sizes to 1e6", "argsort of 1e6", our_times / sort_times, "<= 3", lambda x: x <= 3
    )


def long_curves(rounds):
    """Time the curve over every n up to 1e5, and measure how the time grows with n."""
    labels, scores = draw_items(10**5, 3)
    quarter = labels[: 10**5 // 4], scores[: 10**5 // 4]
    list_times, three_discounts_times, quarter_times, sort_times = seconds(
        [
            lambda: ndcg_curve(labels, scores, discount=Log()),
            lambda: ndcg_curve(labels, scores, discount=FOUR_DISCOUNTS[:3]),
            lambda: ndcg_curve(*quarter, discount=Log()),
            scores.argsort,
        ],
        max(5, rounds // 3),
    ).T
    work = "every n to 1e5"
    yield result(work, "argsort of 1e5", list_times / sort_times, "", None)
    yield result(work + ", three discounts", "one", three_discounts_times / list_times, "", None)
    growth = np.log(list_times / quarter_times) / np.log(4)
    yield result(work + ", exponent of n from 25,000 on", "", growth, "<= 2", lambda x: x <= 2, "")
    sizes = np.linspace(10, 10**5, 100).astype(int)
    curves = [ndcg_curve(labels, scores, discount=FOUR_DISCOUNTS, sizes=chosen) for chosen in (None, sizes)]
    error = np.abs(curves[0][:, sizes - 1] - curves[1]).max()
    yield result(
        work + ", largest difference", "sorting", [error * 1e15], "<= 1000", lambda x: x <= 1000, "1e-15"
    )


def certificates(rounds):
    """Time the certificate of the leading ranker at every n from 30 to 1e6."""
    items = sample_pair(PAIR, 10**6, seed=4)

    def certificate():
        return certify_sign(items.labels, items.scores0, items.scores1, discount=Log(), start=30)

    our_times, sort_times = seconds([certificate, items.scores0.argsort], max(5, rounds // 3)).T
    work = "certificate from 30 to 1e6"
    yield result(work, "argsort of 1e6", our_times / sort_times, "<= 60", lambda x: x <= 60)
    yield result(work + ", evaluations", "", [certificate().evaluations], "<= 3,000", lambda x: x <= 3000, "")


def ranked_samples(rounds):
    """Time a ranked sample of 1e7 items, on all cores and on one.

    This time is compared with the time to draw 1e7 uniform numbers, and with the time to draw all random
    numbers that the sample needs.
    """
    n, rng = 10**7, np.random.default_rng(5)

    def draw_random_numbers():
        exponentials = rng.random(n)
        np.log1p(np.negative(exponentials, out=exponentials), out=exponentials)
        return exponentials, rng.random(n)

    def draw_in_blocks():
        for _ in sample_blocks(POPULATION, n, seed=rng):
            pass

    our_times, block_times, uniform_times, ingredient_times = seconds(
        [
            lambda: sample(POPULATION, n, seed=rng, ranked=True),
            draw_in_blocks,
            lambda: rng.random(n),
            draw_random_numbers,
        ],
        max(5, rounds // 3),
    ).T
    work = "ranked sample of 1e7"
    yield result(work, "1e7 uniform numbers", our_times / uniform_times, "<= 3", lambda x: x <= 3)
    yield result(
        work + ", in blocks, on one core", "1e7 uniform numbers", block_times / uniform_times, "", None
    )
    yield result(work, "its random numbers alone", our_times / ingredient_times, "", None)


def streamed_list():
    """Measure peak memory while a ranked list of 1e8 items is scored in blocks."""
    tracemalloc.start()
    total = rank = relevant = 0
    for block in sample_blocks(POPULATION, 10**8, seed=6):
        total += block.labels @ Log()(np.arange(rank + 1, rank + block.labels.size + 1))
        rank += block.labels.size
        relevant += block.labels.sum()
    peak = tracemalloc.get_traced_memory()[1] / 2**20
    tracemalloc.stop()
    yield result(
        "ranked list of 1e8 scored as it comes", "peak memory", [peak], "< 1024", lambda x: x < 1024, "MiB"
    )


def curve_end(rng):
    """Return NDCG of a random list; this experiment takes some milliseconds."""
    items = sample(POPULATION, 3000, seed=rng)
    return ndcg_curve(items.labels, items.scores, discount=Log())[-1]


def count_in_processes(processes):
    """Run a plain loop in several processes at once."""
    command = [sys.executable, "-c", "for i in range(20_000_000): pass"]
    for process in [subprocess.Popen(command) for _ in range(processes)]:
        process.wait()


def workers(rounds):
    """Compare an experiment in one process and in two new processes."""
    runs = {}

    def run(workers):
        runs[workers] = monte_carlo(curve_end, replicates=1000, seed=7, workers=workers)

    one_times, two_times, single_loop_times, double_loop_times = seconds(
        [lambda: run(1), lambda: run(2), lambda: count_in_processes(1), lambda: count_in_processes(2)],
        max(3, rounds // 4),
    ).T
    is_same = np.array_equal(runs[1].values, runs[2].values)
    work, target = "Monte Carlo, 1,000 replicates, one worker", ">= 1.7, same numbers"
    yield result(work, "two workers", one_times / two_times, target, lambda x: is_same and x >= 1.7)
    yield result(
        "what this machine allows two processes", "one", 2 * single_loop_times / double_loop_times, "", None
    )


def measure(rounds):
    """Yield all results; ``rounds`` is the number of rounds of short work."""
    with threadpool_limits(1):
        for work in (short_curves, chosen_sizes, long_curves, certificates, ranked_samples):
            yield from work(rounds)
        yield from streamed_list()
        yield from workers(rounds)


if __name__ == "__main__":
    command(__doc__, measure)
