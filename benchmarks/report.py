"""How long a comparison of many systems takes, and how much memory: run ``python benchmarks/report.py``.

Fifteen TREC runs with 100 queries and 1,000 documents each, three measures, all pairs: reading, scoring and
statistics as a ratio to what ir_measures or pytrec_eval with SciPy's paired t tests, and ranx with Tukey's
test, take for the same files in the same round, with and without the page, by the clock and in time of the
processor (which a busy machine disturbs less). ir_measures computes the same scores, which is checked first.
And ten million lines of TREC, ten runs of a million, each by a process of its own: seconds as a ratio, the
most memory it ever held, and what each million lines more add to that. And ten million rows of Parquet, and
the start of the command.
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
from measures import absent, command, result
from pyarrow import parquet
from scipy.stats import ttest_rel

from ranking_report import compare

ir_measures, pytrec_eval, ranx = (
    import_module(name) if find_spec(name) else None for name in ("ir_measures", "pytrec_eval", "ranx")
)

SYSTEMS, QUERIES, RETRIEVED, POOL = 15, 100, 1000, 5000
NAMES = ["nDCG@10", "nDCG", "AP"]
CLOCKS = {"wall": time.perf_counter, "processor": time.process_time}
# A program's ru_maxrss is never below that of whoever started it, who made the files; its own is VmHWM.
USED = """
status = dict(line.split(":", 1) for line in open("/proc/self/status"))
print(time.process_time() - begun, int(status["VmHWM"].split()[0]) / 2**20)
"""
LARGE = """
import sys, time
start, begun = time.perf_counter(), time.process_time()
from ranking_report import compare
compare(sys.argv[1], measures=["nDCG@10", "nDCG", "AP"]).answer
print(time.perf_counter() - start)
"""

# Both are timed from after their imports: the rival's come with those of this file, which are not its own.
TEXT = """
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
    """Judgments and runs of systems of growing skill, in the layout of TREC."""
    told, lines = [], {f"run{system:02d}": [] for system in range(systems)}
    for query in range(301, 301 + queries):
        names = [f"FT{number:06d}" for number in rng.choice(500_000, pool, replace=False)]
        relevance = rng.normal(-2.2, 1, pool)
        grades = (relevance > 0).astype(int) + (relevance > 0.8)
        told += [f"{query} 0 {names[at]} {grades[at]}\n" for at in rng.choice(pool, judged, replace=False)]
        for skill, (tag, run) in zip(np.linspace(0.4, 1.2, systems), lines.items(), strict=True):
            scores = skill * relevance + rng.normal(size=pool)
            best = np.argsort(-scores)[:RETRIEVED]
            run += [f"{query} Q0 {names[at]} {r} {scores[at]:.4f} {tag}\n" for r, at in enumerate(best, 1)]
    (folder / "qrels").write_text("".join(told))
    for tag, run in lines.items():
        (folder / tag).write_text("".join(run))
    return {tag: folder / tag for tag in lines}


def with_ir_measures(folder, runs):
    """The same scores by ir_measures, and a paired t test of each pair under each measure."""
    measures = [ir_measures.parse_measure(name) for name in NAMES]
    qrels = list(ir_measures.read_trec_qrels(str(folder / "qrels")))
    evaluator, values = ir_measures.evaluator(measures, qrels), {}
    for tag, path in runs.items():
        for found in evaluator.iter_calc(ir_measures.read_trec_run(str(path))):
            values.setdefault((found.measure, tag), {})[found.query_id] = found.value
    t_tests(values, measures, runs)
    return np.array([[[*values[measure, tag].values()] for tag in runs] for measure in measures])


def t_tests(values, measures, runs):
    """A paired t test of each pair of runs under each measure."""
    for measure in measures:
        for first, second in itertools.combinations(runs, 2):
            queries = sorted(values[measure, first])
            ttest_rel(*([values[measure, tag][query] for query in queries] for tag in (first, second)))


def with_pytrec_eval(folder, runs):
    """The same scores by pytrec_eval, and the same tests."""
    names = {"ndcg_cut_10": "ndcg_cut.10", "ndcg": "ndcg", "map": "map"}
    with open(folder / "qrels") as file:
        evaluator = pytrec_eval.RelevanceEvaluator(pytrec_eval.parse_qrel(file), {*names.values()})
    values = {}
    for tag, path in runs.items():
        with open(path) as file:
            scores = evaluator.evaluate(pytrec_eval.parse_run(file))
        for name in names:
            values[name, tag] = {query: of_query[name] for query, of_query in scores.items()}
    t_tests(values, names, runs)


def with_ranx(folder, runs):
    """ranx's own comparison, by its test for all pairs."""
    qrels = ranx.Qrels.from_file(str(folder / "qrels"), kind="trec")
    read = [ranx.Run.from_file(str(path), kind="trec") for path in runs.values()]
    ranx.compare(qrels, read, metrics=["ndcg@10", "ndcg", "map"], stat_test="tukey")


RIVALS = {"ir_measures, SciPy": with_ir_measures}
RIVALS |= {"pytrec_eval, SciPy": with_pytrec_eval} if pytrec_eval else {}
RIVALS |= {"ranx, Tukey": with_ranx} if ranx else {}


def alternating(contestants, rounds):
    """Seconds by each clock of each contestant in each round, every one run in turn.

    The shape is (clocks, rounds, contestants); the round that comes first only warms up.
    """
    times = np.empty((len(CLOCKS), rounds, len(contestants)))
    for at in range(-1, rounds):
        for place, run in enumerate(contestants):
            begin = [clock() for clock in CLOCKS.values()]
            run()
            times[:, at, place] = [
                clock() - start for clock, start in zip(CLOCKS.values(), begin, strict=True)
            ]
    return times


def fifteen_runs(rng, rounds):
    """Reading, scoring and statistics, and the page, as ratios to ir_measures with SciPy."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        runs = write_runs(folder, rng)
        compared = lambda **options: compare(folder / "qrels", runs, measures=NAMES, **options)
        contestants = [
            lambda: compared().answer,
            lambda: compared().save(folder / "out"),
            *(lambda rival=rival: rival(folder, runs) for rival in RIVALS.values()),
        ]
        work = f"{SYSTEMS} runs x {QUERIES} x {RETRIEVED:,}, three measures, all pairs"
        if ir_measures is None:
            yield absent(work, "ir_measures")
            return
        assert np.allclose(compared(ties="trec_eval").values, with_ir_measures(folder, runs), atol=1e-12)
        for clock, times in zip(CLOCKS, alternating(contestants, max(5, rounds // 4)), strict=True):
            mine, page, theirs, *others = times.T
            against = f"ir_measures, SciPy ({clock})"
            yield result(work, against, mine / theirs, "<= 0.9", lambda x: x <= 0.9)
            yield result(f"{work}, page", against, page / theirs, "<= 2", lambda x: x <= 2)
            for name, other in zip([*RIVALS][1:], others, strict=True):
                yield result(work, f"{name} ({clock})", mine / other, "", None)


def ten_million_lines(rng, rounds):
    """TREC's text: ten runs of 1,000 queries with 1,000 documents, by us and by ir_measures with SciPy."""
    work = "10 million lines of TREC"
    if ir_measures is None:
        yield absent(work, "ir_measures")
        return
    with tempfile.TemporaryDirectory() as name:
        write_runs(Path(name), rng, systems=10, queries=1000, pool=1500, judged=100)
        found = {}
        for who, runs in (("ours", 10), ("ir_measures", 10), ("ours", 2)):
            command_line = [sys.executable, "-c", TEXT + USED, who, name, str(runs)]
            done = subprocess.run(
                command_line, capture_output=True, text=True, check=True, cwd=Path(__file__).parent
            )
            found[who, runs] = [*map(float, done.stdout.split())]
    (worked, memory), (their_work, their_memory), (_, of_two) = found.values()
    growth = 1024 * (memory - of_two) / 8
    ratio = [worked / their_work]
    yield result(work, "ir_measures, SciPy (processor)", ratio, "<= 0.7", lambda x: x <= 0.7)
    yield result(work, "memory", [memory], "<= 1 GiB", lambda x: x <= 1, "GiB")
    yield result("each million lines more", "memory", [growth], "<= 40 MiB", lambda x: x <= 40, "MiB")
    yield result(f"{work}, by ir_measures", "memory", [their_memory], "", None, "GiB")


def ten_million_rows(rng, rounds):
    """Parquet of 10,000 queries with 1,000 items and three systems."""
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
        done = subprocess.run(
            [sys.executable, "-c", LARGE + USED, path], capture_output=True, text=True, check=True
        )
    taken, worked, memory = map(float, done.stdout.split())
    yield result("10 million rows of Parquet", "16 seconds", [taken / 16], "<= 1", lambda x: x <= 1)
    yield result("10 million rows of Parquet", "processor", [worked], "", None, "s")
    yield result("10 million rows of Parquet", "memory", [memory], "<= 3 GiB", lambda x: x <= 3, "GiB")


def start(rng, rounds):
    """What the command takes before it does anything, by its help."""
    taken = []
    for _ in range(rounds):
        begun = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-m", "ranking_report", "compare", "--help"], capture_output=True)
        ended = resource.getrusage(resource.RUSAGE_CHILDREN)
        taken.append(ended.ru_utime + ended.ru_stime - begun.ru_utime - begun.ru_stime)
    yield result("ranking-report compare --help", "processor", taken, "<= 0.6 s", lambda x: x <= 0.6, "s")


def measure(rounds):
    rng = np.random.default_rng(20130612)
    for work in (fifteen_runs, ten_million_lines, ten_million_rows, start):
        yield from work(rng, rounds)


if __name__ == "__main__":
    command(__doc__, measure)
