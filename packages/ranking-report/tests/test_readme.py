"""The README of this project: what it shows to paste runs, and prints what stands below it."""

import re
import shlex
from pathlib import Path

import pytest

import ranking_report
from ranking_report.commands.main import main, read

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", README, re.S | re.M)
COMMANDS = [
    line
    for language, text in BLOCKS
    if not language
    for line in text.replace("\\\n", "").splitlines()
    if line.startswith("ranking-report ")
]


def below(text):
    """The block that follows the one with this text."""
    (at,) = (number for number, (_, block) in enumerate(BLOCKS) if text in block)
    return BLOCKS[at + 1][1]


@pytest.fixture
def simulated(tmp_path, monkeypatch, capsys):
    """What the first example in Python prints; its judgments and runs are files in this folder now."""
    given = []

    def recorded(qrels, runs):
        given.append((qrels, runs))
        return compare(qrels, runs)

    compare = ranking_report.compare
    monkeypatch.setattr(ranking_report, "compare", recorded)
    monkeypatch.chdir(tmp_path)
    (code,) = (text for language, text in BLOCKS if language == "python" and "comparison.save" in text)
    exec(code, {})
    ((qrels, runs),) = given
    write = lambda name, lines: Path(name).write_text("\n".join(lines), encoding="utf-8")
    write("qrels.txt", (f"{q} 0 {d} {label}" for q, own in qrels.items() for d, label in own.items()))
    Path("runs").mkdir()
    for name, run in runs.items():
        rows = ((q, d, score) for q, own in run.items() for d, score in own.items())
        write(f"runs/{name}.run", (f"{q} Q0 {d} 1 {score!r} {name}" for q, d, score in rows))
    return capsys.readouterr().out


def test_the_first_example_prints_what_is_shown_and_writes_the_page(simulated):
    assert simulated == below("comparison.save") and Path("report", "index.html").exists()


def test_the_first_command_prints_what_is_shown(simulated, capsys):
    assert main(["compare", "qrels.txt", "runs/*.run"]) == 0
    said, complained = capsys.readouterr()
    assert said == below("pip install . ./packages/ranking-report\n") and not complained


def test_the_gate_fails_with_the_words_that_are_shown(simulated, capsys):
    (line,) = (line for line in COMMANDS if "--fail-if" in line)
    assert main(shlex.split(line)[1:]) == 1
    assert capsys.readouterr().out.startswith(below("runs/*.run --baseline"))


def test_the_table_with_everything_is_read(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (table,) = (text for _, text in BLOCKS if text.startswith("query,item,label"))
    Path("table.csv").write_text(table, encoding="utf-8")
    assert main(["compare", "table.csv"]) == 0
    assert "bm25 and dense" in capsys.readouterr().out


def test_the_plan_has_the_numbers_that_the_text_names(capsys):
    text = " ".join(README.split())
    difference, queries = re.search(
        r"50 queries show a difference of ([\d.]+), .*? takes (\d+)", text
    ).groups()
    (line,) = (line for line in COMMANDS if "--sd" in line)
    assert main(shlex.split(line)[1:]) == 0
    row = capsys.readouterr().out.splitlines()[1].split()
    assert row[:2] == ["sd", "0.3"] and row[-1] == difference and row[-3] == queries


def test_every_command_can_be_read():
    assert len(COMMANDS) >= 5
    for line in COMMANDS:
        assert read(shlex.split(line)[1:]).command in line, line
