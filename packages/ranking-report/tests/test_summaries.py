"""A comparison in a notebook, and in Markdown for a pull request."""

import os
import re
import subprocess
import sys
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pytest
import yaml
from markdown_it import MarkdownIt
from report_support import PROJECT

from ndcg_companion.significance.family import pairs_of
from ranking_report import compare
from ranking_report.commands.main import main
from ranking_report.summaries import as_markdown

HOSTILE = ["<img src=x onerror=alert(1)>", "a|b@octocat #1 $x$", "[x](http://e.org) `_*~", "{{ 7*7 }} ![](y)"]


@pytest.fixture(scope="module")
def hostile():
    rng = np.random.default_rng(1)
    qrels = {f"q{i}": {f"d{j}": int(rng.integers(0, 3)) for j in range(9)} for i in range(20)}
    runs = {
        name: {q: {d: index * g + rng.normal() for d, g in of.items()} for q, of in qrels.items()}
        for index, name in enumerate(HOSTILE)
    }
    return compare(qrels, runs, measures=["nDCG@10", "AP"], baseline=HOSTILE[0])


class Reader(HTMLParser):
    """The tags of a page, its text, and that part of the text which stands in code."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.text, self.code, self.depth = set(), [], [], 0
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        self.depth += tag == "code"

    def handle_endtag(self, tag):
        self.depth -= tag == "code"

    def handle_data(self, data):
        (self.code if self.depth else self.text).append(data)


def rendered(text):
    return Reader(MarkdownIt("gfm-like", {"linkify": False}).render(text))


def test_a_notebook_shows_answer_and_means_with_names_escaped(hostile):
    page = Reader(hostile._repr_html_())
    assert page.tags <= {"div", "p", "table", "caption", "thead", "tbody", "tr", "th", "td", "strong", "code"}
    text = "".join(page.text)
    assert all(name in text for name in HOSTILE) and hostile.answer.split("\n")[0] in text
    for row in hostile.means.itertuples(index=False):
        assert f"{row[1]:.4f}" in text and f"{row[2]:.4f}" in text
    assert "mathjax_ignore" in hostile._repr_html_()


def test_names_in_markdown_are_escaped_and_mention_no_user(hostile):
    page = rendered(as_markdown(hostile))
    allowed = {"h3", "ul", "li", "p", "table", "thead", "tbody", "tr", "th", "td", "strong", "code"}
    assert page.tags <= allowed | {"details", "summary"}
    assert not re.search("[@#]", "".join(page.text)) and "@octocat" in "".join(page.code)


def test_markdown_has_the_numbers_of_the_tables(hostile):
    text = as_markdown(hostile)
    rows = [line for line in text.splitlines() if line.startswith("| <code>")]
    assert len(rows) == len(HOSTILE) and len({line.count("|") for line in rows}) == 1
    pairs = hostile.pairs[hostile.pairs["measure"] == "nDCG@10"].set_index("first")
    board = hostile.leaderboard["system"].tolist()
    for line, name in zip(rows, board):
        cells = [cell.strip().replace("−", "-").strip("*") for cell in line.split("|")[1:-1]]
        assert float(cells[1]) == pytest.approx(hostile.means.set_index("system")["nDCG@10"][name], abs=5e-5)
        if name == HOSTILE[0]:
            assert cells[3:] == ["", "", ""]
        else:
            pair = pairs.loc[name]
            assert float(cells[3]) == pytest.approx(pair["difference"], abs=5e-5)
            low, high = cells[4].split(" to ")
            assert [float(low), float(high)] == pytest.approx([pair["low"], pair["high"]], abs=5e-5)
            assert cells[5] == f"{pair['wins']}, {pair['ties']}, {pair['losses']}"


def test_of_two_systems_the_second_is_turned_where_it_leads():
    qrels = {f"q{i}": {"a": 1, "b": 0} for i in range(9)}
    good = {q: {"a": 2, "b": 1} for q in qrels}
    poor = {q: {"a": 1, "b": 2} for q in qrels} | {"q0": {"a": 2, "b": 1}}
    text = as_markdown(compare(qrels, {"poor": poor, "good": good}, measures=["P@1"]))
    (line,) = [line for line in text.splitlines() if line.startswith("| <code>good")]
    assert "| +0.8889 |" in line and line.endswith("| 8, 1, 0 |")


def test_effects_have_the_interval_that_resampling_gives():
    """The interval of a single pair is compared with resampled effects, of which it contains 95 %."""
    rng = np.random.default_rng(3)
    differences = rng.normal(0.05, 0.1, 400)
    qrels = {f"q{i}": {"a": 1} for i in range(400)}
    comparison = compare(qrels, {name: {q: {"a": 1} for q in qrels} for name in "xy"}, measures=["RR"])
    values = np.stack([0.5 + differences, np.full(400, 0.5)])[None]
    comparison = replace(comparison, values=values, contrasts=pairs_of(values))
    (row,) = comparison.pairs.to_dict("records")
    drawn = rng.choice(differences, (4000, 400))
    low, high = np.quantile(drawn.mean(axis=1) / drawn.std(axis=1, ddof=1), [0.025, 0.975])
    assert (row["effect_low"], row["effect_high"]) == pytest.approx((low, high), abs=0.02)
    assert row["wins"] == (differences > 0).sum() and row["wins"] + row["ties"] + row["losses"] == 400


# ---- the step of a workflow ----


def write_files(folder):
    rng = np.random.default_rng(2)
    grades = rng.integers(0, 3, (60, 20))
    rows = [(q, d) for q in range(60) for d in range(20)]
    (folder / "qrels.txt").write_text("".join(f"{q} 0 d{d} {grades[q, d]}\n" for q, d in rows))
    for name, weight in (("live", 1.0), ("new", 4.0)):
        scores = weight * grades + rng.normal(size=grades.shape)
        text = "".join(f"{q} Q0 d{d} 1 {scores[q, d]} {name}\n" for q, d in rows)
        (folder / f"{name}.run").write_text(text)


@pytest.mark.skipif(os.name == "nt", reason="the step is for the shell of GitHub's Linux")
@pytest.mark.parametrize("baseline", ["live", "new"])
def test_the_step_of_the_readme_runs_and_fails_where_the_gate_does(baseline, tmp_path):
    """Runs exactly the lines of the README in the way in which GitHub's runner calls them."""
    (block,) = re.findall(r"```yaml\n(.*?)```", (PROJECT / "README.md").read_text(encoding="utf-8"), re.S)
    (step,) = yaml.safe_load(block)
    write_files(tmp_path)
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "ranking-report"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m ranking_report "$@"\n')
    program.chmod(0o755)
    summary = tmp_path / "summary.md"
    summary.write_text("before\n")
    added = {
        "PATH": f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "GITHUB_STEP_SUMMARY": str(summary),
    }
    script = step["run"].replace("--baseline live", f"--baseline {baseline}")
    done = subprocess.run(
        ["bash", "-e", "-c", script], cwd=tmp_path, env=os.environ | added, capture_output=True, text=True
    )
    passed = baseline == "live"
    assert done.returncode == (0 if passed else 1), done.stderr
    text = summary.read_text(encoding="utf-8")
    assert text.startswith(f"before\n### {'✅ 1' if passed else '❌ 0'} of 1 gate passed") and not done.stdout


def test_markdown_and_json_are_one_or_the_other(tmp_path, monkeypatch, capsys):
    write_files(tmp_path)
    monkeypatch.chdir(tmp_path)
    words = ["compare", "qrels.txt", "live.run", "new.run"]
    assert main([*words, "--markdown", "--json"]) == 2
    assert "--markdown: expected no --json beside it" in capsys.readouterr().err
    assert main([*words, "--markdown"]) == 0
    assert capsys.readouterr().out.startswith("### 2 systems on 60 queries\n")
