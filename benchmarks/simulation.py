"""How long simulating takes, as ratios to something everyone can time: run ``python benchmarks/simulation.py``.

In every round the two sides of a ratio are timed one after the other, so that a busy machine slows both. Printed are
the median ratio over the rounds, then the smallest and the largest one and the median times.
"""

from statistics import median
from time import perf_counter

import numpy as np
from sklearn.metrics import ndcg_score
from threadpoolctl import threadpool_limits

from ndcg_companion.measures import Geometric, Log, Power, Zipf
from ndcg_companion.simulation import certify_sign, ndcg_curve, sample, sample_pair
from ndcg_companion.theory import Pair, Population

POPULATION = Population("power:1")
PAIR = Pair("poly:0.7:-0.4", "poly:0.3:0.4")
FOUR = [Log(), Power(0.5), Zipf(), Geometric(0.5)]


def seconds(run):
    start = perf_counter()
    run()
    return perf_counter() - start


def compare(title, numerator, denominator, rounds):
    """Print how many times as long `numerator` takes as `denominator`."""
    numerator(), denominator()
    times = [(seconds(numerator), seconds(denominator)) for _ in range(rounds)]
    ratios = [a / b for a, b in times]
    above, below = (median(side) for side in zip(*times))
    spread = f"{min(ratios):.3g} to {max(ratios):.3g}"
    print(f"{title:<66} {median(ratios):8.3g}  ({spread}; {above * 1e3:.4g} ms / {below * 1e3:.4g} ms)", flush=True)


def scikit_learn_curve(labels, scores):
    for n in range(2, labels.size + 1):
        ndcg_score(labels[None, :n], scores[None, :n], ignore_ties=True)


def main():
    drawn = sample(POPULATION, 5000, seed=1)
    short = drawn.labels, drawn.scores
    compare(
        "scikit-learn for each n to 5000 / every n to 5000",
        lambda: scikit_learn_curve(*short),
        lambda: ndcg_curve(*short, discount=Log()),
        rounds=5,
    )
    compare(
        "four discounts / one, every n to 5000",
        lambda: ndcg_curve(*short, discount=FOUR),
        lambda: ndcg_curve(*short, discount=Log()),
        rounds=31,
    )
    drawn = sample(POPULATION, 10**6, seed=2)
    long = drawn.labels, drawn.scores
    sizes = np.geomspace(10, 10**6, 200).round().astype(int)
    compare(
        "200 log-spaced sizes to 1e6 / argsort of 1e6",
        lambda: ndcg_curve(*long, discount=Log(), sizes=sizes),
        lambda: np.argsort(long[1]),
        rounds=15,
    )
    middle = long[0][: 10**5], long[1][: 10**5]
    compare(
        "every n to 1e5 / argsort of 1e5",
        lambda: ndcg_curve(*middle, discount=Log()),
        lambda: np.argsort(middle[1]),
        rounds=3,
    )
    rng = np.random.default_rng(3)
    compare(
        "ranked sample of 1e7 / 1e7 uniform numbers",
        lambda: sample(POPULATION, 10**7, seed=rng, ranked=True),
        lambda: rng.random(10**7),
        rounds=7,
    )
    items = sample_pair(PAIR, 10**6, seed=4)
    compare(
        "certificate from 30 to 1e6 / argsort of 1e6",
        lambda: certify_sign(items.labels, items.scores0, items.scores1, discount=Log(), start=30),
        lambda: np.argsort(items.scores0),
        rounds=7,
    )


if __name__ == "__main__":
    with threadpool_limits(1):
        main()
