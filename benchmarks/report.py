"""Compare the time and memory of reports on many systems with other packages.

    python benchmarks/report.py [--rounds 21] [--json PATH]

*Fifteen runs* are TREC runs with 100 queries and 1,000 documents each, compared by three measures in all
pairs. The time for reading, scoring and statistics is measured with and without the page. It is given as a
ratio to the time of ir_measures or pytrec_eval with SciPy's paired t tests, and to that of ranx with Tukey's
test, on the same files in the same round. Times are measured both by the clock and as processor time.
Processor time depends less on other work of the machine. A check at the start ensures that ir_measures
computes the same scores.

*Ten million lines* are ten TREC runs of a million lines each, and each package has its own process. The
results are the ratio of seconds, the peak memory, and the memory for each additional million lines. Ten
million rows of Parquet and the start of the command are also timed.
"""

import itertools
import resource
import subprocess
import sys
import tempfile
import time
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pyarrow as pa
from measures import command, not_installed, result
from pyarrow import parquet
from scipy.stats import ttest_rel

from ranking_report import compare

ir_measures, pytrec_eval, ranx = (
    import_module(name) if find_spec(name) else None for name in ("ir_measures", "pytrec_eval", "ranx")
)

SYSTEMS, QUERIES, RETRIEVED, POOL = 15, 100, 1000, 5000
NAMES = ["nDCG@10", "nDCG", "AP"]
CLOCKS = {"wall": time.perf_counter, "processor": time.process_time}
# The ru_maxrss of a process is at least that of its parent, which wrote the files; VmHWM is its own peak.
USAGE_SCRIPT = """
status = dict(line.split(":", 1) for line in open("/proc/self/status"))
print(time.process_time() - begun, int(status["VmHWM"].split()[0]) / 2**20)
"""
PARQUET_SCRIPT = """
import sys, time
start, begun = time.perf_counter(), time.process_time()
from ranking_report import compare
compare(sys.argv[1], measures=["nDCG@10", "nDCG", "AP"]).answer
print(time.perf_counter() - start)
"""

# Both are timed after their imports, because ir_measures is imported with this file and this file imports
# more.
TREC_SCRIPT = """
import sys, time
from pathlib import Path
folder, (qrels, *runs) = Path(sys.argv[2]), sorted(Path(sys.argv[2]).iterdir())
runs = runs[: int(sys.argv[3])]
if sys.argv[1] == "ours":
    from ranking_report import compare
    begun = time.process_time()
    compare(qrels, {path.name: path for path in runs}, measures=["nDCG@10", "nDCG", "AP"]).answer
else:
    from report import with_ir_measures
    begun = time.process_time()
    with_ir_measures(folder, {path.name: path for path in runs})
"""


def write_runs(folder, rng, systems=SYSTEMS, queries=QUERIES, pool=POOL, judged=400):
    """Write judgments and runs as TREC files; return the paths of the runs."""
    judgments, lines = [], {f"run{system:02d}": [] for system in range(systems)}
    for query in range(301, 301 + queries):
        names = [f"FT{number:06d}" for number in rng.choice(500_000, pool, replace=False)]
        relevance = rng.normal(-2.2, 1, pool)
        grades = (relevance > 0).astype(int) + (relevance > 0.8)
        judgments += [f"{query} 0 {names[i]} {grades[i]}\n" for i in rng.choice(pool, judged, replace=False)]
        for skill, (tag, run) in zip(np.linspace(0.4, 1.2, systems), lines.items(), strict=True):
            scores = skill * relevance + rng.normal(size=pool)
            best = np.argsort(-scores)[:RETRIEVED]
            run += [f"{query} Q0 {names[i]} {r} {scores[i]:.4f} {tag}\n" for r, i in enumerate(best, 1)]
    (folder / "qrels").write_text("".join(judgments))
    for tag, run in lines.items():
        (folder / tag).write_text("".join(run))
    return {tag: folder / tag for tag in lines}


def with_ir_measures(folder, runs):
    """Run paired t tests of all pairs of runs, and return the scores by ir_measures."""
    measures = [ir_measures.parse_measure(name) for name in NAMES]
    qrels = list(ir_measures.read_trec_qrels(str(folder / "qrels")))
    evaluator, values = ir_measures.evaluator(measures, qrels), {}
    for tag, path in runs.items():
        for score in evaluator.iter_calc(ir_measures.read_trec_run(str(path))):
            values.setdefault((score.measure, tag), {})[score.query_id] = score.value
    t_tests(values, measures, runs)
    return np.array([[[*values[measure, tag].values()] for tag in runs] for measure in measures])


def t_tests(values, measures, runs):
    """Run a paired t test of each pair of runs under each measure."""
    for measure in measures:
        for first, second in itertools.combinations(runs, 2):
            queries = sorted(values[measure, first])
            ttest_rel(*([values[measure, tag][query] for query in queries] for tag in (first, second)))


def with_pytrec_eval(folder, runs):
    """Compute the same scores with pytrec_eval, and run the same tests."""
    names = {"ndcg_cut_10": "ndcg_cut.10", "ndcg": "ndcg", "map": "map"}
    with open(folder / "qrels") as file:
        evaluator = pytrec_eval.RelevanceEvaluator(pytrec_eval.parse_qrel(file), {*names.values()})
    values = {}
    for tag, path in runs.items():
        with open(path) as file:
            scores = evaluator.evaluate(pytrec_eval.parse_run(file))
        for name in names:
            values[name, tag] = {query: scores_of_query[name] for query, scores_of_query in scores.items()}
    t_tests(values, names, runs)


def with_ranx(folder, runs):
    """Compare all pairs of runs with ranx and Tukey's test."""
    qrels = ranx.Qrels.from_file(str(folder / "qrels"), kind="trec")
    ranx_runs = [ranx.Run.from_file(str(path), kind="trec") for path in runs.values()]
    ranx.compare(qrels, ranx_runs, metrics=["ndcg@10", "ndcg", "map"], stat_test="tukey")


RIVALS = {"ir_measures, SciPy": with_ir_measures}
RIVALS |= {"pytrec_eval, SciPy": with_pytrec_eval} if pytrec_eval else {}
RIVALS |= {"ranx, Tukey": with_ranx} if ranx else {}


def time_in_turns(functions, rounds):
    """Return the seconds of each function, measured by each clock, in each round.

    In a round, the functions run in turn. The shape is (clocks, rounds, functions). An additional first
    round warms up the functions and is not counted.
    """
    times = np.empty((len(CLOCKS), rounds, len(functions)))
    for number in range(-1, rounds):
        for column, function in enumerate(functions):
            starts = [clock() for clock in CLOCKS.values()]
            function()
            times[:, number, column] = [
                clock() - start for clock, start in zip(CLOCKS.values(), starts, strict=True)
            ]
    return times


def fifteen_runs(rng, rounds):
    """Compare reading, scoring, statistics and the page with ir_measures and SciPy."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        runs = write_runs(folder, rng)
        our_report = lambda **options: compare(folder / "qrels", runs, measures=NAMES, **options)
        functions = [
            lambda: our_report().answer,
            lambda: our_report().save(folder / "out"),
            *(lambda rival=rival: rival(folder, runs) for rival in RIVALS.values()),
        ]
        work = f"{SYSTEMS} runs x {QUERIES} x {RETRIEVED:,}, three measures, all pairs"
        if ir_measures is None:
            yield not_installed(work, "ir_measures")
            return
        assert np.allclose(our_report(ties="trec_eval").values, with_ir_measures(folder, runs), atol=1e-12)
        for clock, times in zip(CLOCKS, time_in_turns(functions, max(5, rounds // 4)), strict=True):
            our_times, page_times, their_times, *all_other_times = times.T
            against = f"ir_measures, SciPy ({clock})"
            yield result(work, against, our_times / their_times, "<= 0.9", lambda x: x <= 0.9)
            yield result(f"{work}, page", against, page_times / their_times, "<= 2", lambda x: x <= 2)
            for name, other_times in zip([*RIVALS][1:], all_other_times, strict=True):
                yield result(work, f"{name} ({clock})", our_times / other_times, "", None)


def ten_million_lines(rng, rounds):
    """Compare the report on ten million lines of TREC runs with ir_measures and SciPy."""
    work = "10 million lines of TREC"
    if ir_measures is None:
        yield not_installed(work, "ir_measures")
        return
    with tempfile.TemporaryDirectory() as name:
        write_runs(Path(name), rng, systems=10, queries=1000, pool=1500, judged=100)
        measurements = {}
        for program, runs in (("ours", 10), ("ir_measures", 10), ("ours", 2)):
            command_line = [sys.executable, "-c", TREC_SCRIPT + USAGE_SCRIPT, program, name, str(runs)]
            completed = subprocess.run(
                command_line, capture_output=True, text=True, check=True, cwd=Path(__file__).parent
            )
            measurements[program, runs] = [*map(float, completed.stdout.split())]
    (our_time, memory), (their_time, their_memory), (_, memory_of_two) = measurements.values()
    growth = 1024 * (memory - memory_of_two) / 8  # in MiB for each of the eight further million lines
    ratio = [our_time / their_time]
    yield result(work, "ir_measures, SciPy (processor)", ratio, "<= 0.7", lambda x: x <= 0.7)
    yield result(work, "memory", [memory], "<= 1 GiB", lambda x: x <= 1, "GiB")
    yield result("each million lines more", "memory", [growth], "<= 40 MiB", lambda x: x <= 40, "MiB")
    yield result(f"{work}, by ir_measures", "memory", [their_memory], "", None, "GiB")


def ten_million_rows(rng, rounds):
    """Time the report on a Parquet file with 10,000 queries x 1,000 items and three systems."""
    queries, items = 10_000, 1000
    labels = rng.integers(0, 3, queries * items).astype(np.int8)
    ids = lambda codes, prefix, count: pa.DictionaryArray.from_arrays(
        codes.astype(np.int32), pa.array([f"{prefix}{i}" for i in range(count)])
    ).cast(pa.string())
    columns = {
        "query": ids(np.repeat(np.arange(queries), items), "q", queries),
        "item": ids(np.tile(np.arange(items), queries), "d", items),
        "label": labels,
    }
    for name, weight in (("a", 0.5), ("b", 0.52), ("c", 0.6)):
        columns[f"score_{name}"] = weight * labels + rng.normal(size=len(labels))
    with tempfile.TemporaryDirectory() as name:
        path = Path(name, "large.parquet")
        parquet.write_table(pa.table(columns), path)
        del columns, labels
        completed = subprocess.run(
            [sys.executable, "-c", PARQUET_SCRIPT + USAGE_SCRIPT, path],
            capture_output=True,
            text=True,
            check=True,
        )
    elapsed, processor_time, memory = map(float, completed.stdout.split())
    yield result("10 million rows of Parquet", "16 seconds", [elapsed / 16], "<= 1", lambda x: x <= 1)
    yield result("10 million rows of Parquet", "processor", [processor_time], "", None, "s")
    yield result("10 million rows of Parquet", "memory", [memory], "<= 3 GiB", lambda x: x <= 3, "GiB")


def start(rng, rounds):
    """Time the start of the command with the option ``--help``."""
    times = []
    for _ in range(rounds):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-m", "ranking_report", "compare", "--help"], capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    yield result("ranking-report compare --help", "processor", times, "<= 0.6 s", lambda x: x <= 0.6, "s")


def measure(rounds):
    """Yield all results; ``rounds`` is the number of rounds of short work."""
    rng = np.random.default_rng(20130612)
    for work in (fifteen_runs, ten_million_lines, ten_million_rows, start):
        yield from work(rng, rounds)


if __name__ == "__main__":
    command(__doc__, measure)
