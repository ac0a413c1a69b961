"""The commands of this project's README run as pasted and print the shown output."""

import importlib.util
import re
import shlex
from pathlib import Path

import pytest
from report_support import PROJECT

from ranking_report.commands.main import main, read

README = (PROJECT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", README, re.S | re.M)
COMMANDS = [
    line
    for language, text in BLOCKS
    if not language
    for line in text.replace("\\\n", "").splitlines()
    if line.startswith("ranking-report ")
]


def below(text):
    """Return the block that follows the only one with this text."""
    positions = [number for number, (_, block) in enumerate(BLOCKS) if text in block]
    assert len(positions) == 1
    return BLOCKS[positions[0] + 1][1]


@pytest.fixture
def demo(tmp_path, monkeypatch, capsys):
    """Write the files of the example into this folder."""
    monkeypatch.chdir(tmp_path)
    (line,) = (line for line in COMMANDS if " example " in line)
    assert main(shlex.split(line)[1:]) == 0
    capsys.readouterr()


def test_the_first_comparison_prints_what_is_shown(demo, capsys):
    line = next(line for line in COMMANDS if " compare " in line)
    assert main(shlex.split(line)[1:]) == 0
    said, complained = capsys.readouterr()
    assert said == below("ranking-report example demo") and not complained


def test_the_lines_of_python_answer_and_write_the_page(demo, capsys):
    (code,) = (text for language, text in BLOCKS if language == "python")
    exec(code, {})
    assert "dense is significantly better than bm25" in capsys.readouterr().out
    assert Path("report", "index.html").exists()


def test_the_picture_is_that_of_the_example():
    spec = importlib.util.spec_from_file_location("picture", PROJECT / "picture.py")
    picture = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(picture)
    assert picture.picture() == (PROJECT / "picture.svg").read_text(encoding="utf-8")


def test_the_gate_fails_with_the_words_that_are_shown(demo, capsys):
    (line,) = (line for line in COMMANDS if "--fail-if" in line)
    assert main(shlex.split(line)[1:]) == 1
    assert capsys.readouterr().out.startswith(below("--baseline dense"))


def test_the_plan_has_the_numbers_that_the_text_names(capsys):
    text = " ".join(README.split())
    numbers = r"50 queries show a difference of ([\d.]+), and that a difference of 0.1 needs (\d+)"
    difference, queries = re.search(numbers, text).groups()
    (line,) = re.findall(r"`(ranking-report power [^`]*)`", README)
    assert main(shlex.split(line)[1:]) == 0
    row = capsys.readouterr().out.splitlines()[1].split()
    assert row[:2] == ["sd", "0.3"] and row[-1] == difference and row[-3] == queries


def test_every_command_can_be_read():
    assert len(COMMANDS) == 3
    for line in COMMANDS:
        assert callable(read(shlex.split(line)[1:]).command), line
