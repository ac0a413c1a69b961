"""``ranking-report compare``: from files to an answer, a page and tables, or to a single message."""

import csv
import html
import json
import os
import subprocess
import sys
import threading
import time

import numpy as np
import pandas
import pyarrow as pa
import pyarrow.parquet
import pytest
from report_support import run

from ranking_report import comparing, measure_names
from ranking_report.commands import compare
from ranking_report.commands.main import main
from ranking_report.measure_names import Measure
from ranking_report.readers import tables

QUERIES, ITEMS = 24, 30


def labels_and_scores(seed=0):
    """Labels and scores of two systems, in the order of the items."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 3, (QUERIES, ITEMS))
    scores = {
        name: (weight * labels + rng.normal(size=labels.shape)).round(4)
        for name, weight in (("good", 2.0), ("poor", 0.2))
    }
    return labels, scores


def write_trec(folder):
    labels, scores = labels_and_scores()
    lines = [f"q{q} 0 d{i} {labels[q, i]}\n" for q in range(QUERIES) for i in range(ITEMS)]
    (folder / "qrels").write_text("".join(lines))
    for name, values in scores.items():
        lines = [f"q{q} Q0 d{i} 1 {values[q, i]} {name}\n" for q in range(QUERIES) for i in range(ITEMS)]
        (folder / f"{name} run").write_text("".join(lines))


def write_letor(folder):
    labels, scores = labels_and_scores()
    order = np.random.default_rng(1).permutation(QUERIES * ITEMS)
    rows = [f"{labels.ravel()[number]} qid:{number // ITEMS} 1:0.5 100000000:1\n" for number in order]
    (folder / "letor").write_text("# a comment\n" + "".join(rows))
    for name, values in scores.items():
        (folder / f"{name} scores").write_text("".join(f"{values.ravel()[number]}\n" for number in order))


def table():
    labels, scores = labels_and_scores()
    columns = {
        "query": np.repeat([f"q{q}" for q in range(QUERIES)], ITEMS),
        "item": np.tile([f"d{i}" for i in range(ITEMS)], QUERIES),
        "label": labels.ravel(),
    }
    return columns | {f"score_{name}": values.ravel() for name, values in scores.items()}


@pytest.fixture
def files(tmp_path, monkeypatch):
    for write in (write_trec, write_letor):
        write(tmp_path)
    with open(tmp_path / "table.csv", "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(table())
        writer.writerows(zip(*table().values()))
    pyarrow.parquet.write_table(pa.table(table()), tmp_path / "table.parquet")
    monkeypatch.chdir(tmp_path)
    return tmp_path


RUNS = ["qrels", "good run", "poor run"]
SCORES = ["letor", "--run", "good=good scores", "--run", "poor=poor scores"]


def reported(capsys, *words):
    assert main(["compare", *words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_all_formats_give_the_same_numbers(files, capsys):
    calls = (RUNS, SCORES, ["table.csv"], ["table.parquet"])
    boards = [reported(capsys, *words, "--measure", "AP")["leaderboard"] for words in calls]
    for board in boards[1:]:
        assert [row["system"] for row in board] == ["good", "poor"]
        assert [row["mean"] for row in board] == pytest.approx([row["mean"] for row in boards[0]], abs=1e-14)


def test_the_answer_is_printed_and_the_page_written(files, capsys):
    assert main(["compare", *RUNS, "--output", "out"]) == 0
    printed = capsys.readouterr()
    assert (
        printed.out.startswith("In mean nDCG@10 over 24 queries, good is significantly better than poor")
        and not printed.err
    )
    assert "written to out: index.html, leaderboard.csv" in printed.out
    assert printed.out.endswith("The page also has a methods section and references for a paper.\n")
    page, record = (
        (files / "out" / "index.html").read_text(),
        json.loads((files / "out" / "report.json").read_text()),
    )
    assert (
        html.escape(record["answer"][0]) in page
        and (files / "out" / "scores.csv").read_text().count("\n") == 2 * QUERIES + 1
    )


def test_it_works_anywhere_from_a_process_of_its_own(files):
    done = run("compare", "table.csv", cwd=files)
    assert done.returncode == 0 and done.stderr == "" and "good is significantly better" in done.stdout
    assert sorted(path.name for path in files.iterdir() if path.is_dir()) == []


def test_a_gate_decides_the_exit_code(files, capsys):
    gate = ["--baseline", "good", "--fail-if", "nDCG@10 < -0.01"]
    assert main(["compare", *RUNS, *gate]) == 1
    assert capsys.readouterr().out.startswith("Gate failed: poor loses more than 0.01 in nDCG@10 to good.\n")
    assert main(["compare", *RUNS, "--baseline", "poor", "--fail-if", "nDCG@10 < -0.01"]) == 0
    assert capsys.readouterr().out.startswith("Gate passed: ")


def test_measures_gains_ties_and_seeds(files, capsys):
    words = [
        "--measure",
        "nDCG(discount=power:0.5)@15",
        "--measure",
        "RankDCG",
        "--ties",
        "trec_eval",
        "--seed",
        "7",
    ]
    record = reported(capsys, *RUNS, *words, "--gain", "0=0,1=1,2=7")
    assert [row["measure"] for row in record["measures"]] == ["nDCG(discount=power:0.5)@15", "RankDCG"]
    assert record["settings"]["seed"] == 7 and record["settings"]["ties"] == "trec_eval"


def test_a_cluster_gives_the_same_answer(files, capsys):
    distributed = pytest.importorskip("distributed")
    here = reported(capsys, *RUNS)
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None, protocol="tcp"
    ) as cluster:
        there = reported(capsys, *RUNS, "--dask", cluster.scheduler_address)
    assert "--dask" in there.pop("command") and here.pop("command") and there == here


def test_patterns_are_filled_in_where_the_shell_does_not(files, capsys):
    words = ["qrels", "*run"]
    assert [row["system"] for row in reported(capsys, *words)["leaderboard"]] == ["good", "poor"]
    (files / "[gp]* run").write_text((files / "good run").read_text())  # a file goes before a pattern
    assert [row["system"] for row in reported(capsys, *words[:1], "[gp]* run")["leaderboard"]] == ["good"]


def test_pipes_are_read_once(files, capsys):
    for name in ("qrels", "good run", "table.csv"):
        os.mkfifo(files / f"pipe {name}")
        write = threading.Thread(
            target=lambda name=name: (files / f"pipe {name}").write_bytes((files / name).read_bytes())
        )
        write.start()
        if name == "table.csv":
            report = reported(capsys, f"pipe {name}")
        elif name == "qrels":
            report = reported(capsys, f"pipe {name}", *RUNS[1:])
        else:
            report = reported(capsys, "qrels", "--run", f"good=pipe {name}", "--run", "poor=poor run")
        write.join()
        assert report["leaderboard"][0]["system"] == "good"


def lose(name, line):
    """Without the lines of a file that hold a text."""

    def change(folder):
        path = folder / name
        path.write_text("".join(row for row in path.read_text().splitlines(True) if line not in row))

    return change


def write(name, text):
    return lambda folder: (folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())


@pytest.mark.parametrize(
    ("words", "change", "message"),
    [
        (["none"], None, "none: No such file"),
        (["qrels"], None, "qrels: expected the scores of some systems, as this file has none"),
        (["table.csv", "--run", "a=b"], None, "expected no systems beside a table"),
        (
            ["letor", *RUNS[1:]],
            None,
            "good run, line 1: expected 1 field (score), got 6",
        ),
        (["qrels", "--run", "a"], None, "--run 'a': expected NAME=FILE"),
        (["qrels", "--run", "a=good run", "--run", "a=x"], None, "a is given twice"),
        ([*RUNS, "--run", "good=good run"], None, "expected a name of its own, got good, which is given"),
        (["qrels", "--run", "a\x1b=good run"], None, r"a\x1b=good run': expected no control"),
        (
            RUNS,
            lose("good run", "q3 "),
            "query q3 is not in good run; missing='zero' counts it 0 (--missing zero",
        ),
        (
            ["qrels", "x*.gz"],
            None,
            "'x*.gz': expected a pattern that matches a file",
        ),
        (["qrel", *RUNS[1:]], None, "qrel: No such file or directory; did you mean 'qrels'?"),
        (
            ["good run", "qrels"],
            None,
            "good run, line 1: expected 4 fields (query iteration document grade), got 6, as runs have: are",
        ),
        (
            ["qrels", "qrels"],
            None,
            "as judgments have: are labels and runs swapped?",
        ),
        ([*RUNS, "--measure", "nDGC@10"], None, "did you mean 'nDCG'?"),
        (
            [*RUNS, "--measure", "nDCG@10,AP"],
            None,
            "give each measure its own option (--measure A --measure B)",
        ),
        (
            [*RUNS, "--history", "past"],
            None,
            "--history: expected an option of ranking-report compare; ranking-report compare --help lists",
        ),
        ([*RUNS, "--outptu=x"], None, "compare; did you mean '--output'?"),
        ([*RUNS, "--baseline", "x"], None, "baseline='x': expected one of good, poor"),
        ([*RUNS, "--fail-if", "AP < 0"], None, "--fail-if: expected one --baseline NAME beside it"),
        (
            [*RUNS, "--baseline", "good", "--fail-if", "nDCG@10 < -0.1", "--missing", "drop"],
            None,
            "--missing drop: expected raise or zero beside --fail-if",
        ),
        (
            [*RUNS, "--baseline", "good", "--fail-if", "nDCG@10 < -5"],
            None,
            "expected a margin between -1 and 1",
        ),
        ([*RUNS, "--baseline", "good", "--fail-if", "AP < 0"], None, "expected a measure that is compared"),
        ([*RUNS, "--gain", "1=x"], None, "--gain '1=x': expected LABEL=GAIN"),
        ([*RUNS, "--gain", "1=nan"], None, "--gain '1=nan': expected LABEL=GAIN"),
        ([*RUNS, "--gain", "cubic"], None, "--gain 'cubic': expected LABEL=GAIN"),
        ([*RUNS, "--gain", "0=0,1=1"], None, "gain: expected a gain for each label, got none for 2"),
        ([*RUNS, "--dask", "nonsense"], None, "'nonsense': expected the address of a running Dask scheduler"),
        (
            ["comments"],
            write("comments", "# a\n#b\n"),
            "comments, line 2: expected TREC judgments",
        ),
        (["bom"], write("bom", b"\xef\xbb\xbf\n"), "bom: expected TREC judgments"),
        (
            SCORES,
            write("good scores", "1\nnan\n2\n"),
            "good scores, line 2: expected a number as score, got nan",
        ),
        (SCORES, write("good scores", "1\nx\n"), "good scores, line 2: expected a number as score, got 'x'"),
        (
            SCORES,
            write("good scores", "1\n2\n"),
            "good scores: expected 720 scores, one for each item of letor, got 2",
        ),
        (
            [*RUNS, "--output", "mine"],
            lambda folder: (folder / "mine").write_text(""),
            "mine: expected a new or an",
        ),
        (
            ["bad.csv"],
            write("bad.csv", "query,item,label,score_a\nq,\x1b]0;x\x07,y,1\n"),
            "bad.csv, line 2: expected a number as label, got 'y'",
        ),
    ],
)
def test_bad_input_is_one_line_and_leaves_nothing(files, capsys, words, change, message):
    if change:
        change(files)
    before = sorted(files.rglob("*"))
    assert main(["compare", *words]) == 2
    said = capsys.readouterr()
    assert (
        message in said.err and said.err.count("\n") == 1 and said.err.strip().isprintable() and not said.out
    )
    assert sorted(files.rglob("*")) == before


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--measure", "nDGC@10"], "did you mean 'nDCG'?"),
        (["--gain", "1=x"], "--gain '1=x'"),
        (["--baseline", "good", "--fail-if", "nDCG@10"], "gate='nDCG@10': expected 'MEASURE < MARGIN'"),
        (["--baseline", "good", "--fail-if", "AP < 0"], "expected a measure that is compared"),
        (["--dask", "tcp://127.0.0.1:9"], "expected the address of a running Dask scheduler"),
        (["--output", "qrels"], "qrels: expected a new or an empty folder"),
    ],
)
def test_what_needs_no_file_is_rejected_before_any_is_read(files, capsys, monkeypatch, words, message):
    for name in ("gather", "compare"):
        monkeypatch.delattr(f"ranking_report.commands.compare.{name}")
    assert main(["compare", *RUNS, *words]) == 2
    assert message in capsys.readouterr().err


def test_a_folder_of_the_users_is_left_alone(files):
    (files / "mine").mkdir()
    (files / "mine" / "index.html").write_text("mine")
    assert main(["compare", *RUNS, "--output", "mine"]) == 2
    assert (files / "mine" / "index.html").read_text() == "mine"


def test_a_long_wait_is_announced_on_standard_error_alone(files, monkeypatch, capsys):
    monkeypatch.setattr(compare, "_MOST_WITHOUT_WARNING", 1)
    assert main(["compare", *RUNS, "--measure", "AP", "--measure", "P@5", "--json"]) == 0
    printed = capsys.readouterr()
    json.loads(printed.out)
    assert printed.err == (
        "ranking-report: 2 systems, so up to 1 pairs, under 2 measures: this may take minutes\n"
    )
    monkeypatch.undo()
    monkeypatch.chdir(files)
    assert main(["compare", *RUNS]) == 0 and not capsys.readouterr().err


@pytest.mark.parametrize("baseline", [[], ["--baseline", "0"]])
def test_too_many_comparisons_are_rejected_at_once(tmp_path, monkeypatch, capsys, baseline):
    names = [str(number) for number in range(50)]
    header = "query,item,label," + ",".join(f"score_{name}" for name in names)
    rows = "".join(f"{query},d,1,{','.join(names)}\n" for query in range(3))
    (tmp_path / "t.csv").write_text(f"{header}\n{rows}")
    words = ["compare", str(tmp_path / "t.csv"), *baseline]
    pairs = 49 if baseline else 50 * 49 // 2
    monkeypatch.setattr(comparing, "_MOST", pairs)
    assert main(words) == 0
    capsys.readouterr()
    monkeypatch.setattr(comparing, "_MOST", pairs - 1)
    assert main(words) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert f"50 systems: expected at most {pairs - 1:,} comparisons, got {pairs:,} pairs; " in line
    assert ("--baseline" in line) != bool(baseline)
    assert main([*words, "--measure", "AP", "--measure", "RR"]) == 2


MANY = 30_000  # names, of which to look for each among all takes ten seconds and more


@pytest.mark.parametrize(
    "check",
    [
        lambda names: tables._check_header("t", ["query", "item", "label", *names]),
        lambda names: measure_names.parse_measures([Measure(name, "nDCG") for name in names]),
    ],
)
def test_many_names_are_checked_in_little_time(check):
    names = [f"score_{number}" for number in range(MANY)]
    began = time.process_time()
    check(names)
    assert time.process_time() - began < 4
    with pytest.raises(ValueError, match="twice"):
        check([*names, names[7]])


def test_the_queries_in_turn_say_when_judging_could_have_stopped(files, capsys, tmp_path):
    """Compares with five bets on the differences of the scores, in the order of the judgments."""
    words = "qrels --run good=good~run --run poor=poor~run --sequential --json --output out"
    assert main(["compare", *(word.replace("~", " ") for word in words.split())]) == 0
    (entry,) = json.loads(capsys.readouterr().out)["sequential"]
    scores = pandas.read_csv("out/scores.csv").pivot(index="query", columns="system", values="score")
    order = [f"q{q}" for q in range(QUERIES)]
    held, stopped = np.ones(5), None
    for number, gap in enumerate((scores["good"] - scores["poor"])[order], start=1):
        held = held * (1 + np.array([0.1, 0.2, 0.4, 0.7, 1]) * gap)
        if stopped is None and held.mean() >= 40:
            stopped = number
    assert stopped and (entry["winner"], entry["stopped_at"]) == ("good", stopped)
    rows = pandas.read_csv("out/sequential.csv")
    assert rows["query"].tolist() == order and rows["wealth_first"].iloc[-1] == pytest.approx(held.mean())
    assert rows["low"].iloc[-1] == pytest.approx(entry["low"]) and entry["low"] > 0
    with open("out/index.html", encoding="utf-8") as page:
        text = page.read()
    assert f"named as better than poor after {stopped} of {QUERIES} queries" in text
    assert "in the order of the judgments" in text and 'aria-label="Two panels over 24 queries' in text


def test_one_system_alone_cannot_be_followed(files, capsys):
    assert main(["compare", "qrels", "--run", "good=good run", "--sequential"]) == 2
    assert "sequential: expected from 1 to 300 pairs of systems, got 0" in capsys.readouterr().err


def test_an_answer_waits_for_no_import_that_it_does_not_use(tmp_path):
    """Templates and simulations are not imported, nor is more of SciPy than its special functions."""
    folder = tmp_path / "demo"
    run("example", folder, check=True)
    script = (
        "import sys; from ranking_report.commands.main import main; code = main(sys.argv[1:]); "
        "print(code, *sorted(sys.modules), file=sys.stderr)"
    )
    words = [sys.executable, "-c", script, "compare", folder / "qrels.txt", *sorted(folder.glob("*.run"))]
    code, *modules = subprocess.run(words, capture_output=True, text=True, check=True).stderr.split()
    assert code == "0" and "pandas" in modules
    unused = ("jinja2", "scipy.sparse", "scipy.stats", "ndcg_companion.simulation", "ndcg_companion.theory")
    assert not [name for name in modules if name.startswith(unused)]
