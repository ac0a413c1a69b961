import csv
import json
import os
import signal
import subprocess
import sys
import time

import nbformat
import pytest
from plain_book import BOOK
from samples import as_executed, called, claimbook, finding, write_notebook

from claimbook.cli import sweep as sweeping
from claimbook.cli.sweep import _estimate, _values, carry_out, in_words, plan, read_grid
from claimbook.execute.notebooks import read_metadata
from claimbook.parameters import parse_parameters
from claimbook.project import Project
from claimbook.writing import folder_name, output_folder

PARAMETERS = """\
beta: float = 0.5  # exponent [0 < beta < 1]
shape: str = "flat:0.3"  # outline [a shape]
seed: int = 1  # seed [0 ..]"""
SOURCE = """\
from plain_book import Page
page = Page("first")
page.numbers({"twice": 2 * seed})
page.numbers({"share": f"{beta:.0%}"})
page.numbers({"words": "some words"})
page.finding("note/claim-1", claim=("low", 0.0, beta, 0.6), control=("high", 2.0, beta, 0.6), risk=0);
if seed == 13:
    raise RuntimeError("unlucky")"""


@pytest.fixture
def book(small_book):
    """Return the small book with the plain book's statements; one chapter treats one."""
    write_notebook(small_book.root / "chapters" / "first.ipynb", SOURCE, parameters=PARAMETERS)
    config = small_book.root / "_config.yml"
    text = config.read_text(encoding="utf-8")
    config.write_text(text.replace("plain_book:SMALL", "plain_book:BOOK"), encoding="utf-8")
    return Project(small_book.root)


def rows(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def executed_at_once(jobs, _workers, _scheduler, keep):
    """Replace kernels: each run is stored with its parameters and without findings."""
    for job in jobs:
        keep(job.output, as_executed(job))
    return []


def test_runs_that_are_too_small_to_decide_are_listed_and_are_no_failure(book, monkeypatch):
    source = SOURCE.replace("risk=0", "risk=0, needs='a beta of at most 0.6'")
    write_notebook(
        book.root / "chapters" / "first.ipynb", source.replace("2.0", "1.0"), parameters=PARAMETERS
    )
    monkeypatch.chdir(book.root)
    done = called("sweep", "first", "beta=0.1,0.6", "--output", "out")
    assert done.returncode == 0, done.stderr
    assert "note/claim-1: expected consistent; ● consistent in 1, ? undecided in 1 of 2 runs" in done.stdout
    done = called("run", "first", "beta=0.6", "--output", "alone")
    assert done.returncode == 0 and "<- a beta of at most 0.6" in done.stdout, done.stderr
    assert "expected consistent, got undecided (to decide: a beta of at most 0.6)" in done.stdout
    write_notebook(book.root / "chapters" / "first.ipynb", SOURCE, parameters=PARAMETERS)
    assert called("sweep", "first", "beta=0.7", "--output", "out").returncode == 1


def test_a_grid_is_typed_and_ranges_include_both_ends(book):
    axes = read_grid(["beta=0.1,0.3", "seed=1..3,7", "shape=flat:0.3,power:2"], book.chapter("first"))
    assert axes == {"beta": [0.1, 0.3], "seed": [1, 2, 3, 7], "shape": ["flat:0.3", "power:2"]}
    sweep = plan(book, book.chapter("first"), axes)
    assert len(sweep.jobs) == 16 and len({job.output for job in sweep.jobs}) == 16


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], ["expected name=value,value", "got none"]),
        (["beta"], ["beta: expected name=value"]),
        (["beta="], ["beta: expected a value before and after each comma"]),
        (["beta=0.1,1.5"], ["beta=1.5: expected a number, 0 < beta < 1"]),
        (["beta=0.1,0.1"], ["beta: expected different values, got 0.1 twice"]),
        (["seed=1,1..3"], ["seed: expected different values, got 1 twice"]),
        (["seed=5..1"], ["seed=5..1: expected first..last with first <= last"]),
        (["seed=0..1000000000"], ["at most 100,000 values"]),
        (
            ["seed=1..1000", "beta=0.1,0.2", "shape=" + ",".join(f"flat:0.{i:03}" for i in range(1, 60))],
            ["expected at most 100,000 combinations, got 118,000"],
        ),
        (["sed=1..3"], ["sed: expected a parameter", "did you mean 'seed'"]),
        (["shape=flatt"], ["shape=flatt", "did you mean"]),
        (["seed=1..3", "--jobs", "0"], ["0: expected a whole number >= 1"]),
        (["seed=1..3", "--jobs", "2", "--dask", "ucx://there:1"], ["--dask: expected no --jobs beside it"]),
        (["seed=1", "--dask", "127.0.0.1:1"], ["expected the address of a running Dask scheduler"]),
        (
            ["seed=1", "--output", "chapters"],
            ["chapters: expected a folder outside of the book's own chapters"],
        ),
        (["seed=1", "--output", "_config.yml"], ["_config.yml: expected a new or an empty folder"]),
    ],
)
def test_a_refusal_says_what_was_expected(book, monkeypatch, arguments, words):
    monkeypatch.chdir(book.root)
    done = called("sweep", "first", *arguments)
    assert done.returncode == 2 and all(word in done.stderr for word in words), done.stderr


def test_a_sweep_runs_the_grid_reports_what_failed_and_continues(book, monkeypatch):
    monkeypatch.chdir(book.root)
    arguments = ["sweep", "first", "beta=0.7", "seed=3,13", "--output", "out"]
    done = called(*arguments)
    assert done.returncode == 1
    planned = "2 runs of first: 0 finished before, 2 to execute; the time of one run is not known yet"
    assert planned in done.stdout
    assert "beta=0.7,seed=13, cell 3 of 3" in done.stderr and "unlucky" in done.stderr
    assert "1 of 2 runs failed" in done.stderr and "1 of 2 runs are finished" in done.stdout
    assert "note/claim-1: expected consistent" in done.stdout and "! inconclusive in 1" in done.stdout

    out = book.root / "out"
    findings, numbers = rows(out / "findings.csv"), rows(out / "numbers.csv")
    assert [(row["beta"], row["seed"], row["verdict"]) for row in findings] == [("0.7", "3", "inconclusive")]
    assert {(row["run"], row["number"], row["value"]) for row in numbers} >= {
        ("beta=0.7,seed=3", "twice", "6.0"),
        ("beta=0.7,seed=3", "share", "0.7"),
        ("beta=0.7,seed=3", "words", ""),
    }
    kept = json.loads((out / "beta=0.7,seed=3" / "findings.json").read_text(encoding="utf-8"))
    assert kept["findings"][0]["statement"] == "note/claim-1"
    assert "note/claim-1" in (out / "index.html").read_text(encoding="utf-8")

    first = out / "beta=0.7,seed=3" / "first.ipynb"
    before = first.stat().st_mtime_ns
    monkeypatch.setattr(sweeping, "_execute", lambda *_: [])
    again = called(*arguments)
    assert "2 runs of first: 1 finished before, 1 to execute, about" in again.stdout
    assert first.stat().st_mtime_ns == before


def test_findings_of_runs_are_in_the_order_of_the_grid(book, monkeypatch):
    def executed(jobs, _workers, _scheduler, keep):
        for job in reversed(jobs):
            record = finding("note/claim-1", "consistent" if job.parameters["beta"] < 0.5 else "inconclusive")
            record |= {"expected": "consistent", "needs": "", "seconds": 0.1}
            keep(job.output, as_executed(job, {"finding": record}))
        return []

    monkeypatch.chdir(book.root)
    monkeypatch.setattr(sweeping, "_execute", executed)
    done = called("sweep", "first", "beta=0.2,0.7", "seed=3,4", "--output", "out")
    assert "note/claim-1: expected consistent; ● consistent in 2, ! inconclusive in 2" in done.stdout
    assert [(row["beta"], row["seed"], row["verdict"]) for row in rows(book.root / "out/findings.csv")] == [
        ("0.2", "3", "consistent"),
        ("0.2", "4", "consistent"),
        ("0.7", "3", "inconclusive"),
        ("0.7", "4", "inconclusive"),
    ]


def test_a_run_is_done_again_when_its_chapter_changed_and_other_grids_share_it(book, monkeypatch):
    monkeypatch.chdir(book.root)
    monkeypatch.setattr(sweeping, "_execute", executed_at_once)
    assert called("sweep", "first", "seed=1").returncode == 0
    wider = called("sweep", "first", "seed=1..2")
    assert "2 runs of first: 1 finished before, 1 to execute" in wider.stdout
    runs = [book.root / "sweeps" / "first" / f"seed={seed}" / "first.ipynb" for seed in (1, 2)]
    keys = [read_metadata(path)["key"] for path in runs]
    write_notebook(
        book.root / "chapters" / "first.ipynb", SOURCE.replace("2 * seed", "3 * seed"), parameters=PARAMETERS
    )
    changed = called("sweep", "first", "seed=1..2")
    assert "2 runs of first: 0 finished before, 2 to execute" in changed.stdout
    assert not {*keys} & {read_metadata(path)["key"] for path in runs}


# Kills are for the night; that an unfinished sweep carries on is tested above.
@pytest.mark.nightly
@pytest.mark.skipif(os.name == "nt", reason="kills a process group")
def test_a_killed_sweep_leaves_only_complete_runs_and_continues(book):
    slow = SOURCE.replace("page.number", "import time; time.sleep(0.5)\npage.number", 1)
    write_notebook(book.root / "chapters" / "first.ipynb", slow, parameters=PARAMETERS)
    command = [
        sys.executable,
        "-m",
        "claimbook",
        "sweep",
        "first",
        "seed=1..6",
        "--output",
        "out",
        "--jobs",
        "1",
    ]
    for runs in (1, 3):
        process = subprocess.Popen(
            command,
            cwd=book.root,
            start_new_session=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        until = time.monotonic() + 120
        while len(list(book.root.glob("out/*/first.ipynb"))) < runs and time.monotonic() < until:
            time.sleep(0.01)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        whole = list(book.root.glob("out/*/first.ipynb"))
        assert len(whole) >= runs
        assert all(nbformat.read(path, as_version=4).cells and "key" in read_metadata(path) for path in whole)
    done = claimbook(*command[3:], cwd=book.root)
    assert done.returncode == 0, done.stderr
    assert f"6 runs of first: {len(whole)} finished before" in done.stdout
    assert [row["value"] for row in rows(book.root / "out/numbers.csv") if row["number"] == "twice"] == [
        f"{2 * i}.0" for i in range(1, 7)
    ]
    assert [*book.root.rglob("*.part")] == []


@pytest.mark.parametrize("name", ["first.ipynb", "findings.json"])
def test_a_file_of_a_run_that_was_edited_is_not_overwritten(book, monkeypatch, name):
    monkeypatch.chdir(book.root)
    monkeypatch.setattr(sweeping, "_execute", executed_at_once)
    assert called("sweep", "first", "seed=1", "--output", "out").returncode == 0
    edited = book.root / "out" / "seed=1" / name
    before = edited.read_text() + " "
    edited.write_text(before)
    write_notebook(book.root / "chapters" / "first.ipynb", SOURCE, "beta", parameters=PARAMETERS)
    for seeds in ("1,2", "2", "1"):
        done = called("sweep", "first", f"seed={seeds}", "--output", "out")
        if "1" in seeds:
            assert (
                done.returncode == 2
                and f"{name}: expected a file unchanged since claimbook wrote it" in done.stderr
            )
        else:  # another run
            assert done.returncode == 0, done.stderr
        assert edited.read_text() == before and (book.root / "out" / "seed=2").exists() == (seeds != "1,2")


def test_names_of_runs_are_folders_on_any_machine_and_never_the_same_twice():
    assert folder_name({"shape": "power:-0.2:3", "seed": 1}) == "shape=power:-0.2:3,seed=1"
    strange = [folder_name({"shapes": text}) for text in ("a b", "a/b", "a_b", "x" * 300, "x" * 301)]
    assert len(set(strange)) == 5 and all(
        "/" not in name and " " not in name and len(name) < 140 for name in strange
    )


def test_the_time_it_takes_and_ranges_in_words(book):
    sweep = plan(book, book.chapter("first"), read_grid(["seed=1..7"], book.chapter("first")))
    message = "7 runs of first: 2 finished before, 5 to execute"
    assert _estimate(sweep, [], 1.0, 2, None) == "7 runs of first: 7 finished before, 0 to execute"
    five = sweep.jobs[2:]
    assert (
        _estimate(sweep, five, 750.2, 2, None)
        == f"{message}, about 0:12:31 each and 0:31:16 in all, 2 at a time"
    )
    assert (
        _estimate(sweep, five, 0.1, 9, None)
        == f"{message}, about 0:00:01 each and 0:00:01 in all, 5 at a time"
    )
    shared = "shared by the workers of tcp://there:1"
    assert (
        _estimate(sweep, five, 2, 9, "tcp://there:1")
        == f"{message}, about 0:00:02 each and 0:00:10 in all, {shared}"
    )
    assert _values("seed", "-2..1") == ["-2", "-1", "0", "1"] and _values("beta", "0.5") == ["0.5"]
    assert parse_parameters(PARAMETERS, BOOK.values)[0].name == "beta"


def test_the_words_around_a_number_are_complete():
    long = "some words " * 10 + "before {glue:text}`n`% after " + "others " * 20
    (words,) = in_words(long).values()
    assert words.startswith("some words ") or words.startswith("words ")
    assert words.endswith(" others") and "▢% after" in words and len(words) < 125
    assert in_words("a" * 99 + "{glue:text}`n`") == {"n": "a" * 99 + "▢"}


def test_without_a_cluster_nothing_is_written_or_lost(book, monkeypatch):
    def no_scheduler(*_):
        raise ValueError("scheduler='tcp://x:1': expected the address")

    axes = read_grid(["seed=1,2"], book.chapter("first"))
    monkeypatch.setattr(sweeping, "_execute", no_scheduler)
    with pytest.raises(ValueError):
        carry_out(plan(book, book.chapter("first"), axes, output=book.root / "a" / "out"), book)
    assert not (book.root / "a").exists()
    monkeypatch.setattr(sweeping, "_execute", lambda *_: [])
    sweep = plan(book, book.chapter("first"), axes, output=book.root / "out")
    carry_out(sweep, book)
    monkeypatch.setattr(sweeping, "_execute", no_scheduler)
    with pytest.raises(ValueError):
        carry_out(sweep, book)
    assert (sweep.folder / "index.html").is_file() and (sweep.folder / "findings.csv").is_file()


def test_an_interrupted_sweep_has_the_tables_of_what_is_finished(book, monkeypatch):
    def interrupted(due, *given):
        executed_at_once(due[:1], *given)
        raise KeyboardInterrupt

    axes = read_grid(["seed=1,2"], book.chapter("first"))
    monkeypatch.setattr(sweeping, "_execute", interrupted)
    with pytest.raises(KeyboardInterrupt):
        carry_out(plan(book, book.chapter("first"), axes, output=book.root / "out"), book)
    page = (book.root / "out" / "index.html").read_text(encoding="utf-8")
    assert '"run": "seed=1"' in page and '"run": "seed=2"' not in page


def test_on_a_full_disk_the_message_names_which_runs_failed_and_where_there_is_no_space(
    book, monkeypatch, capsys
):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(sweeping, "_execute", lambda *_: ["seed=1 failed in cell c\n    unlucky"])
    monkeypatch.setattr(sweeping, "_page", full)
    sweep = plan(book, book.chapter("first"), {"seed": [1]}, output=book.root / "out")
    with pytest.raises(OSError) as caught:
        carry_out(sweep, book)
    assert caught.value.filename == str(book.root / "out") and "unlucky" in capsys.readouterr().err


def test_a_chapter_may_be_swept_again_and_another_persons_folder_not(book, monkeypatch):
    monkeypatch.setattr(sweeping, "_execute", lambda *_: [])
    chapter = book.chapter("first")
    for seed in (1, 2):
        carry_out(plan(book, chapter, {"seed": [seed]}), book)
    (book.root / "sweeps" / "first" / "seed=3").mkdir()
    (book.root / "sweeps" / "first" / "seed=3" / "first.ipynb").write_text("mine")
    with pytest.raises(ValueError, match="run of a sweep, got one that contains first.ipynb"):
        carry_out(plan(book, chapter, {"seed": [3]}), book)
    for name in ("run", "report"):
        with output_folder(book.root / name, name) as scratch:
            (scratch / "index.html").write_text("theirs")
        with pytest.raises(ValueError, match="got that of another command"):
            plan(book, chapter, {"seed": [1]}, output=book.root / name)
