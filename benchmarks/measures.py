"""Compare the speed and memory of NDCG with sorting and with other libraries.

    python benchmarks/measures.py [--rounds 21] [--json PATH]

In each round, all functions run in turn on the same data. Every ratio is computed within a round, and the
table shows the median and the quartiles over the rounds. The time of ``numpy.argsort`` is the lower bound,
because every ranking measure has to sort a full list. All numbers are float64, and ties are averaged.
pytrec_eval (the package pytrec-eval-terrier) and ranx are compared if they are installed.
"""

import argparse
import json
import platform
import subprocess
import sys
import time
import tracemalloc

import numpy as np
from sklearn.metrics import ndcg_score

from ndcg_companion.measures import discounts, ndcg

try:
    import pytrec_eval
except ImportError:
    pytrec_eval = None
try:
    import ranx
except ImportError:
    ranx = None


def seconds(functions, rounds):
    """Return the seconds of each function in each round, with shape (rounds, functions)."""
    repeats = []
    for function in functions:
        function()
        begin = time.perf_counter()
        function()
        # Short calls are timed in a loop of about 10 ms, and long calls are timed once.
        repeats.append(max(1, min(1000, int(0.01 / max(time.perf_counter() - begin, 1e-7)))))
    times = np.empty((rounds, len(functions)))
    for row in times:
        for i, function in enumerate(functions):
            begin = time.perf_counter()
            for _ in range(repeats[i]):
                function()
            row[i] = (time.perf_counter() - begin) / repeats[i]
    return times


def result(work, against, values, target, reached, unit="x"):
    """Return one line of the table.

    Parameters
    ----------
    work : str
        What is timed.
    against : str
        What the work is compared with.
    values : sequence of float
        The value in each round; the line shows the median and the quartiles.
    target : str
        The target in words.
    reached : callable or None
        Function that returns whether a median reaches the target, or None if there is no target.
    unit : str
        The unit of the values.
    """
    low, middle, high = (float(q) for q in np.quantile(values, [0.25, 0.5, 0.75]))
    return {
        "work": work,
        "against": against,
        "median": middle,
        "quartiles": [low, high],
        "unit": unit,
        "target": target,
        "reached": None if reached is None else bool(reached(middle)),
    }


def not_installed(work, package):
    """Return the line of the table for a package that is not installed."""
    return {
        "work": work,
        "against": package,
        "median": None,
        "target": "",
        "reached": None,
        "note": "not installed",
    }


def random_list(rng, n):
    """Return n labels in five grades and n scores without ties."""
    return rng.integers(0, 5, n).astype(float), rng.standard_normal(n)


def single_lists(rng, rounds):
    """Time lists of 1e3, 1e5 and 1e6 items, without a cut-off and with a cut-off at 10."""
    for n, speedup in ((10**3, None), (10**5, 15), (10**6, 3)):
        labels, scores = random_list(rng, n)
        assert np.isclose(ndcg(labels, scores), ndcg_score(labels[None], scores[None]), rtol=1e-9)
        our_times, sort_times, scikit_times, cutoff_times = seconds(
            [
                lambda: ndcg(labels, scores),
                scores.argsort,
                lambda: ndcg_score(labels[None], scores[None]),
                lambda: ndcg(labels, scores, k=10),
            ],
            rounds if n < 10**6 else max(5, rounds // 3),
        ).T
        work = f"one list, n = {n:.0e}".replace("e+0", "e")
        if n == 10**3:
            overhead, target = (our_times - sort_times) * 1e6, "<= 30 us, or the next"
            yield result(work, "beyond argsort", overhead, target, lambda x: x <= 30, "us")
            yield result(
                work,
                "scikit-learn",
                our_times / scikit_times,
                "<= 1/10, or the one before",
                lambda x: x <= 0.1,
            )
            continue
        yield result(work, "argsort", our_times / sort_times, "<= 1.4", lambda x: x <= 1.4)
        yield result(
            work,
            "scikit-learn",
            our_times / scikit_times,
            f"<= 1/{speedup}",
            lambda x, speedup=speedup: x <= 1 / speedup,
        )
        if n == 10**6:
            yield result(
                work + ", NDCG@10", "argsort", cutoff_times / sort_times, "<= 0.4", lambda x: x <= 0.4
            )


def compare_with_sort(rng, rounds):
    """Compare NDCG with ``np.sort`` and, on short lists, with scikit-learn."""
    for n, largest_ratio in ((10**4, 2.2), (10**5, 1.5), (10**6, 1.4)):
        labels, scores = random_list(rng, n)
        yield ratio_to_sort(
            f"one list, n = {n:.0e}".replace("e+0", "e"), labels, scores, largest_ratio, rounds
        )
    for score_kind, values in (("whole", np.arange(1000.0)), ("real", rng.random(1000))):
        scores = values[rng.integers(0, 1000, 10**6)]
        yield ratio_to_sort(f"one list, n = 1e6, 1,000 {score_kind} score levels", labels, scores, 3, rounds)
    shape = 10**4, 100
    yield ratio_to_sort(
        "10,000 queries x 100 items",
        rng.integers(0, 5, shape).astype(float),
        rng.standard_normal(shape),
        5,
        rounds,
    )
    for n, smallest_ratio in ((10, 9), (1000, 7)):
        labels, scores = random_list(rng, n)
        labels[0] = 1
        functions = [lambda: ndcg(labels, scores), lambda: ndcg_score(labels[None], scores[None])]
        our_times, scikit_times = seconds(functions, rounds).T
        yield result(
            f"scikit-learn, one list, n = {n}",
            "ours",
            scikit_times / our_times,
            f">= {smallest_ratio}",
            lambda x: x >= smallest_ratio,
        )


def ratio_to_sort(work, labels, scores, largest_ratio, rounds):
    """Return the ratio of the time of NDCG to that of ``np.sort``, with the target ``<= most``."""
    functions = [lambda: ndcg(labels, scores), lambda: np.sort(scores, axis=-1)]
    our_times, sort_times = seconds(functions, max(5, rounds // 3)).T
    return result(work, "sort", our_times / sort_times, f"<= {largest_ratio}", lambda x: x <= largest_ratio)


def many_grades(rng, rounds):
    """Time a list in which all labels differ; there is no target."""
    labels, scores = rng.random(10**6), rng.standard_normal(10**6)
    our_times, sort_times = seconds([lambda: ndcg(labels, scores), scores.argsort], max(5, rounds // 3)).T
    yield result("one list, n = 1e6, all labels different", "argsort", our_times / sort_times, "", None)


def matrix(rng, rounds):
    """Time 10,000 queries of 100 items."""
    labels, scores = rng.integers(0, 5, (10**4, 100)).astype(float), rng.standard_normal((10**4, 100))
    our_times, sort_times, scikit_times = seconds(
        [lambda: ndcg(labels, scores), lambda: scores.argsort(axis=1), lambda: ndcg_score(labels, scores)],
        max(5, rounds // 3),
    ).T
    work = "10,000 queries x 100 items"
    yield result(work, "argsort(axis=1)", our_times / sort_times, "<= 3", lambda x: x <= 3)
    yield result("scikit-learn, " + work, "ours", scikit_times / our_times, ">= 30", lambda x: x >= 30)


def ragged(rng, rounds):
    """Time 1,000 queries of 10 to 200 items, and compare with pytrec_eval and ranx."""
    sizes = rng.integers(10, 201, 1000)
    offsets = np.append(0, np.cumsum(sizes))
    labels, scores = rng.integers(0, 5, offsets[-1]), rng.standard_normal(offsets[-1])
    values, work = labels.astype(float), "1,000 ragged queries, flat"
    qrel, run = (
        {
            f"q{i}": {f"d{j}": convert(x) for j, x in enumerate(data[offsets[i] : offsets[i + 1]])}
            for i in range(1000)
        }
        for data, convert in ((labels, int), (scores, float))
    )
    our_ndcg = lambda: ndcg(values, scores, offsets=offsets)  # noqa: E731
    if pytrec_eval is None:
        yield not_installed(work, "pytrec_eval")
    else:
        evaluator = pytrec_eval.RelevanceEvaluator(qrel, {"ndcg"})
        their_values = evaluator.evaluate(run)
        assert np.allclose(our_ndcg(), [their_values[f"q{i}"]["ndcg"] for i in range(1000)], rtol=1e-6)
        our_times, their_times = seconds([our_ndcg, lambda: evaluator.evaluate(run)], rounds).T
        yield result(
            work, "pytrec_eval, evaluator built", our_times / their_times, "<= 0.35", lambda x: x <= 0.35
        )
    if ranx is None:
        yield not_installed(work, "ranx")
    else:
        judged, ranking = ranx.Qrels(qrel), ranx.Run(run)
        assert np.isclose(our_ndcg().mean(), ranx.evaluate(judged, ranking, "ndcg"), rtol=1e-6)
        our_times, their_times = seconds([our_ndcg, lambda: ranx.evaluate(judged, ranking, "ndcg")], rounds).T
        yield result(work, "ranx, Qrels and Run built", our_times / their_times, "", None)


def ties(rng, rounds):
    """Compare lists with many ties and lists without ties."""
    for n in (10**3, 10**5, 10**6):
        labels, scores = random_list(rng, n)
        for levels_name, values in (
            ("5 whole", np.arange(5.0)),
            ("100 whole", np.arange(100.0)),
            ("100 real", rng.random(100)),
        ):
            tied = values[rng.integers(0, values.size, n)]
            times_with_ties, times_without_ties = seconds(
                [lambda: ndcg(labels, tied), lambda: ndcg(labels, scores)],
                rounds if n < 10**6 else max(5, rounds // 3),
            ).T
            work = f"one list, n = {n:.0e}, {levels_name} score levels".replace("e+0", "e")
            yield result(work, "untied", times_with_ties / times_without_ties, "<= 1", lambda x: x <= 1)
    labels, scores = rng.integers(0, 5, (10**4, 100)).astype(float), rng.standard_normal((10**4, 100))
    tied = rng.integers(0, 5, scores.shape).astype(float)
    times_with_ties, times_without_ties = seconds(
        [lambda: ndcg(labels, tied), lambda: ndcg(labels, scores)], max(5, rounds // 3)
    ).T
    yield result(
        "10,000 queries x 100 items, 5 score levels",
        "untied",
        times_with_ties / times_without_ties,
        "<= 1",
        lambda x: x <= 1,
    )


def memory(rng):
    """Measure the peak memory, which includes the table of discounts but not the input."""
    n = 10**6
    labels, scores = random_list(rng, n)
    for name, data in (("untied", scores), ("100 score levels", rng.integers(0, 100, n).astype(float))):
        discounts._cached_table.cache_clear()
        tracemalloc.start()
        ndcg(labels, data)
        peak = tracemalloc.get_traced_memory()[1] / (8 * n)
        tracemalloc.stop()
        yield result(
            f"peak memory, n = 1e6, {name}", "arrays of n float64", [peak], "<= 4", lambda x: x <= 4, "arrays"
        )


def imports(rounds):
    """Time the import of the measures, without that of NumPy, in new processes."""
    script = "import time; t = time.perf_counter(); import {}; print(time.perf_counter() - t)"

    def milliseconds(name):
        """Return the milliseconds that the import of a module takes."""
        process = subprocess.run([sys.executable, "-c", script.format(name)], capture_output=True, check=True)
        return 1e3 * float(process.stdout)

    differences = [milliseconds("ndcg_companion.measures") - milliseconds("numpy") for _ in range(rounds)]
    yield result(
        "import ndcg_companion.measures", "beyond NumPy's", differences, "<= 50 ms", lambda x: x <= 50, "ms"
    )


def instructions():
    """Return the vector instructions that NumPy uses to sort (X86_V3 is AVX2)."""
    simd = np.show_config(mode="dicts")["SIMD Extensions"]
    return [*simd["baseline"], *simd["found"]]


def show(results):
    """Print the table, below a line with NumPy's vector instructions."""
    print(
        f"NumPy {np.__version__} sorts with the last of these instruction sets: {', '.join(instructions())}"
    )
    width = max(len(line["work"]) for line in results)
    for line in results:
        if line["median"] is None:
            value = line["note"]
        else:
            low, high = line["quartiles"]
            value = f"{line['median']:8.3f} {line['unit']:6} [{low:.3f}, {high:.3f}]"
        verdict = {True: "reached", False: "MISSED", None: ""}[line["reached"]]
        print(f"{line['work']:{width}}  {line['against']:28}  {value:34}  {line['target']:36}  {verdict}")


def command(description, measure):
    """Run a benchmark from the command line, and print or write its results.

    Parameters
    ----------
    description : str
        Text whose first line describes the command.
    measure : callable
        Function that takes the number of rounds and returns an iterable of results.
    """
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    parser.add_argument(
        "--rounds", type=int, default=21, help="rounds of short work (long work has fewer rounds, or one)"
    )
    parser.add_argument("--json", metavar="PATH", help="also write the results to this file")
    arguments = parser.parse_args()
    results = list(measure(arguments.rounds))
    show(results)
    if arguments.json:
        about = {
            "python": platform.python_version(),
            "numpy": np.__version__,
            "simd": instructions(),
            "rounds": arguments.rounds,
        }
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump({**about, "results": results}, file, indent=1)


def measure(rounds):
    """Yield all results; ``rounds`` is the number of rounds of short work."""
    rng = np.random.default_rng(20130612)
    for work in (compare_with_sort, single_lists, many_grades, matrix, ragged, ties):
        yield from work(rng, rounds)
    yield from memory(rng)
    yield from imports(max(5, rounds // 2))


if __name__ == "__main__":
    command(__doc__, measure)
