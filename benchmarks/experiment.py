"""Time the replication of the experiment of Wang et al. 2013, appendix A.

    python benchmarks/experiment.py [--rounds 21] [--json PATH]

Three parts are timed on one BLAS thread. *Curves* is the time for NDCG of the first n documents, for 40
queries, 3 rankers, 4 measures and every n up to 5,000, as a ratio to the time of scikit-learn. One call of
scikit-learn for each value would take most of an hour, so its time is extrapolated from evenly spaced sizes
of some queries. *Training* is the time to train both linear rankers on 40 queries, including the choice of
the penalty. *Files* is the time to read 1.5 million lines of TREC runs and a million rows of CSV and Parquet.
"""

import tempfile
import time
import tracemalloc
from pathlib import Path

import numpy as np
import pyarrow as pa
from measures import command, not_installed, result, seconds
from pyarrow import csv, parquet
from sklearn.metrics import ndcg_score
from threadpoolctl import threadpool_limits

from ndcg_companion.data import LambdaMART, ListNet, RankSVM, experiment_curves, held_out_ndcg, missing_extra
from ndcg_companion.data.clicks import REGIMES
from ndcg_companion.data.experiment import MEASURES
from ranking_report.readers import read_table, read_trec

MODEL = REGIMES["contaminated top"]


def train_rankers(train):
    """Yield each ranker, trained with the penalty that is best on held-out queries."""
    data = train.features, train.labels.ravel(), train.offsets
    for ranker_class in (RankSVM, ListNet):
        mean_ndcg_by_ranker = held_out_ndcg([ranker_class(10.0**-power) for power in range(1, 6)], *data)
        yield max(mean_ndcg_by_ranker, key=mean_ndcg_by_ranker.get).fit(*data)


def elapsed(function):
    """Return the time that a function takes, in seconds, and its result."""
    begin = time.perf_counter()
    output = function()
    return time.perf_counter() - begin, output


def experiment():
    """Time the training of the rankers and the computation of all 480 curves."""
    train, test = (MODEL.draw(part, seed=1) for part in ("train", "test"))
    training_time, rankers = elapsed(lambda: list(train_rankers(train)))
    work = "two rankers, five penalties each, four folds"
    yield result(work, "", [training_time], "<= 60", lambda x: x <= 60, "s")
    if missing_extra("lambdamart"):
        yield not_installed("LambdaMART, 100 trees", "lightgbm")
    else:
        tree_time, _ = elapsed(lambda: LambdaMART().fit(train.features, train.labels.ravel(), train.offsets))
        yield result("LambdaMART, 100 trees", "", [tree_time], "<= 60", lambda x: x <= 60, "s")

    labels = test.labels
    scores = [ranker.score(test.features).reshape(labels.shape) for ranker in rankers]
    scores.append(np.random.default_rng(1).uniform(-1, 1, labels.shape))
    curve_time, curves = elapsed(
        lambda: [experiment_curves(labels, ranker_scores) for ranker_scores in scores]
    )
    count = len(curves) * len(labels) * len(MEASURES)
    yield result(f"{count} curves of 5,000 sizes", "", [curve_time], "", None, "s")

    sizes, queries = range(100, 5001, 100), range(0, 40, 10)

    def scikit_learn(cutoff):
        for ranker_scores in scores:
            for q in queries:
                for n in sizes:
                    ndcg_score(
                        labels[q : q + 1, :n], ranker_scores[q : q + 1, :n], k=cutoff(n), ignore_ties=True
                    )

    # scikit-learn has only the log discount, so each of the other two discounts counts like the full list.
    full_time, _ = elapsed(lambda: scikit_learn(lambda n: None))
    cutoff_time, _ = elapsed(lambda: scikit_learn(lambda n: max(1, n // 5)))
    # The timed queries and sizes stand for all 40 queries and 5,000 sizes.
    estimated_time = (3 * full_time + cutoff_time) * 40 / len(queries) * 5000 / len(sizes)
    yield result(
        f"scikit-learn for {count} curves",
        "the curves",
        [estimated_time / curve_time],
        ">= 100",
        lambda x: x >= 100,
    )
    error = max(
        abs(
            curve[row, q, n - 1]
            - ndcg_score(labels[q : q + 1, :n], ranker_scores[q : q + 1, :n], k=k, ignore_ties=True)
        )
        for curve, ranker_scores in zip(curves, scores)
        for q in queries
        for n in (1000, 5000)
        for row, k in ((0, None), (3, n // 5))
    )
    yield result("largest difference", "scikit-learn", [error * 1e15], "<= 100", lambda x: x <= 100, "1e-15")


def files(folder, rounds):
    """Time the readers on 1.5e6 lines of TREC runs and 1e6 rows of tables."""
    rng = np.random.default_rng(2)
    pools = [rng.permutation(5000) for _ in range(100)]
    qrels, runs = folder / "qrels", [folder / f"run{i}" for i in range(15)]
    judged = [f"{q} 0 DOC-{d:07} {rng.integers(3)}\n" for q, pool in enumerate(pools) for d in pool[:200]]
    qrels.write_text("".join(judged))
    for i, path in enumerate(runs):
        lines = [
            f"{q} Q0 DOC-{d:07} {r} {s:.6f} s{i}\n"
            for q, pool in enumerate(pools)
            for r, (d, s) in enumerate(zip(rng.permutation(pool[:3000])[:1000], rng.random(1000)), 1)
        ]
        path.write_text("".join(lines))
    reading_time, rankings = elapsed(lambda: read_trec(qrels, runs))
    work = f"TREC runs of 1.5e6 lines, {len(rankings.items):,} items"
    yield result(work, "", [reading_time], "<= 10", lambda x: x <= 10, "s")

    n = 10**6
    table = pa.table(
        {
            "query": np.char.add("q", rng.integers(0, 1000, n).astype(str)).astype(object),
            "item": np.char.add("doc", rng.permutation(n).astype(str)).astype(object),
            "label": rng.integers(0, 3, n),
            "score_A": rng.random(n),
            "score_B": rng.random(n),
        }
    )
    csv.write_csv(table, folder / "table.csv")
    parquet.write_table(table, folder / "table.parquet")
    for file_format in ("csv", "parquet"):
        path = folder / f"table.{file_format}"
        (our_times,) = seconds([lambda path=path: read_table(path)], max(3, rounds // 7)).T
        yield result(f"{file_format} of 1e6 rows", "", our_times, "<= 10", lambda x: x <= 10, "s")
        tracemalloc.start()
        read_table(path)
        peak = (tracemalloc.get_traced_memory()[1] + pa.default_memory_pool().max_memory()) / 2**20
        tracemalloc.stop()
        yield result(
            f"{file_format} of 1e6 rows, tenfold",
            "peak memory",
            [10 * peak],
            "<= 4096",
            lambda x: x <= 4096,
            "MiB",
        )


def measure(rounds):
    """Yield all results; ``rounds`` is the number of rounds of short tasks."""
    with threadpool_limits(1), tempfile.TemporaryDirectory() as folder:
        yield from experiment()
        yield from files(Path(folder), rounds)


if __name__ == "__main__":
    command(__doc__, measure)
