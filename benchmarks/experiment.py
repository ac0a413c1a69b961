"""How long the re-made experiment of Wang et al. 2013, appendix A, takes: run ``python
benchmarks/experiment.py``.

The curves: NDCG of the first n documents for 40 queries, 3 rankers, 4 measures and every n to 5,000, as a
ratio to calling scikit-learn for each. That would take the better part of an hour, so it is timed on some
sizes, spread evenly, of some queries, and multiplied. The training: both linear rankers on 40 queries, with
the choice of how much to regularise. The files: 1.5 million lines of TREC runs, and a million rows of CSV and
Parquet. Everything runs on one BLAS thread.
"""

import tempfile
import time
import tracemalloc
from pathlib import Path

import numpy as np
import pyarrow as pa
from measures import absent, command, result, seconds
from pyarrow import csv, parquet
from sklearn.metrics import ndcg_score
from threadpoolctl import threadpool_limits

from ndcg_companion.data import LambdaMART, ListNet, RankSVM, experiment_curves, held_out_ndcg, missing_extra
from ndcg_companion.data.clicks import REGIMES
from ndcg_companion.data.experiment import MEASURES
from ranking_report.readers import read_table, read_trec

MODEL = REGIMES["contaminated top"]


def trained(train):
    """Each ranker with the best of five penalties on held-out training queries."""
    data = train.features, train.labels.ravel(), train.offsets
    for kind in (RankSVM, ListNet):
        table = held_out_ndcg([kind(10.0**-power) for power in range(1, 6)], *data)
        yield max(table, key=table.get).fit(*data)


def elapsed(run):
    """Seconds of one run, and what it gave."""
    begin = time.perf_counter()
    given = run()
    return time.perf_counter() - begin, given


def experiment():
    """Training, and all 480 curves in one run."""
    train, test = (MODEL.draw(part, seed=1) for part in ("train", "test"))
    taken, rankers = elapsed(lambda: list(trained(train)))
    work = "two rankers, five penalties each, four folds"
    yield result(work, "", [taken], "<= 60", lambda x: x <= 60, "s")
    if missing_extra("lambdamart"):
        yield absent("LambdaMART, 100 trees", "lightgbm")
    else:
        taken, _ = elapsed(lambda: LambdaMART().fit(train.features, train.labels.ravel(), train.offsets))
        yield result("LambdaMART, 100 trees", "", [taken], "<= 60", lambda x: x <= 60, "s")

    labels = test.labels
    scores = [ranker.score(test.features).reshape(labels.shape) for ranker in rankers]
    scores.append(np.random.default_rng(1).uniform(-1, 1, labels.shape))
    taken, curves = elapsed(lambda: [experiment_curves(labels, each) for each in scores])
    count = len(curves) * len(labels) * len(MEASURES)
    yield result(f"{count} curves of 5,000 sizes", "", [taken], "", None, "s")

    sizes, queries = range(100, 5001, 100), range(0, 40, 10)

    def theirs(k):
        for each in scores:
            for q in queries:
                for n in sizes:
                    ndcg_score(labels[q : q + 1, :n], each[q : q + 1, :n], k=k(n), ignore_ties=True)

    # It has the logarithm alone: the other two discounts are counted at what that takes in full.
    full, cut = (elapsed(lambda k=k: theirs(k))[0] for k in (lambda n: None, lambda n: max(1, n // 5)))
    estimate = (3 * full + cut) * 40 / len(queries) * 5000 / len(sizes)
    yield result(
        f"scikit-learn for {count} curves", "the curves", [estimate / taken], ">= 100", lambda x: x >= 100
    )
    error = max(
        abs(
            curve[row, q, n - 1]
            - ndcg_score(labels[q : q + 1, :n], each[q : q + 1, :n], k=k, ignore_ties=True)
        )
        for curve, each in zip(curves, scores)
        for q in queries
        for n in (1000, 5000)
        for row, k in ((0, None), (3, n // 5))
    )
    yield result("largest difference", "scikit-learn", [error * 1e15], "<= 100", lambda x: x <= 100, "1e-15")


def files(folder, rounds):
    """100 topics x 1,000 documents x 15 systems of TREC text; 1e6 rows of a table with two systems."""
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
    taken, rankings = elapsed(lambda: read_trec(qrels, runs))
    work = f"TREC runs of 1.5e6 lines, {len(rankings.items):,} items"
    yield result(work, "", [taken], "<= 10", lambda x: x <= 10, "s")

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
    for kind in ("csv", "parquet"):
        path = folder / f"table.{kind}"
        (ours,) = seconds([lambda path=path: read_table(path)], max(3, rounds // 7)).T
        yield result(f"{kind} of 1e6 rows", "", ours, "<= 10", lambda x: x <= 10, "s")
        tracemalloc.start()
        read_table(path)
        peak = (tracemalloc.get_traced_memory()[1] + pa.default_memory_pool().max_memory()) / 2**20
        tracemalloc.stop()
        yield result(
            f"{kind} of 1e6 rows, tenfold", "peak memory", [10 * peak], "<= 4096", lambda x: x <= 4096, "MiB"
        )


def measure(rounds):
    with threadpool_limits(1), tempfile.TemporaryDirectory() as folder:
        yield from experiment()
        yield from files(Path(folder), rounds)


if __name__ == "__main__":
    command(__doc__, measure)
