"""The blocks of code in the prose of the pages on comparing systems, each of which runs when pasted."""

import re
import shlex

import pytest
from support import PROJECT

from ranking_report.commands.main import main

CHAPTERS = {chapter.name: chapter.notebook for chapter in PROJECT.notebooks}
CODE, PROSE = "code", "markdown"
WRITES = 'results.to_csv("results.csv", index=False)'  # the file of the commands, as the text says


def blocks(page):
    """The blocks of a page in their order, as kind and text: the cell in sight, and those of the prose."""
    for cell in CHAPTERS[page].cells:
        if cell.cell_type == CODE and cell.metadata.get("in-sight"):
            yield "python", cell.source
        elif cell.cell_type == PROSE and not cell.id.startswith("exercises"):
            yield from re.findall(r"^```(python|bash)\n(.*?)^```", cell.source, re.M | re.S)


def prose(page):
    return "\n".join(cell.source for cell in CHAPTERS[page].cells if cell.cell_type == PROSE)


def code(page):
    return "\n".join(cell.source for cell in CHAPTERS[page].cells if cell.cell_type == CODE)


def test_the_blocks_on_ones_own_rankings_run_one_after_the_other(tmp_path, monkeypatch, capsys):
    """Blocks with the command also run, except for one whose files do not exist."""
    monkeypatch.chdir(tmp_path)
    namespace, commands, three = {}, 0, 0
    for kind, text in blocks("your-own-rankings"):
        if kind == "python":
            three += len(text.splitlines()) <= 3
            exec(text, namespace)
        elif "results.csv" in text:
            exec(WRITES, namespace)
            assert f"`{WRITES}`" in prose("your-own-rankings")
            for line in text.splitlines():
                commands += 1
                assert main(shlex.split(line)[1:]) == 0, line
    assert (three, commands) == (2, 3) and (tmp_path / "out" / "leaderboard.tex").exists()
    assert len(namespace["groups"].table) == 2
    assert "### 2 systems on 50 queries" in capsys.readouterr().out


def test_what_the_page_shows_below_a_block_comes_of_its_code():
    cells = code("your-own-rankings")
    for kind, text in blocks("your-own-rankings"):
        lines = [line.strip() for line in text.splitlines() if line]
        assert kind == "bash" or all(line in cells for line in lines)


def pasted(text):
    """What the last line of a block is worth, alone in a new session."""
    *first, last = text.splitlines()
    namespace = {}
    exec("\n".join(first), namespace)
    return eval(last, namespace)


def test_the_block_with_the_provider_gives_what_is_stated():
    pytest.importorskip("ir_measures", reason="ir_measures is in the lock of the benchmarks")
    (text,) = (text for _, text in blocks("what-your-library-computes") if "provider" in text)
    (value,) = pasted(text).values()
    assert value == pytest.approx((1 + 1 / 1.584962500721156) / 2)
