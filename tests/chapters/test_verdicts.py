"""The chapters, executed at the quick profile: every verdict as expected, every control rejected, nothing on
stderr.
"""

import json

import nbformat
import pytest
from support import PROJECT, companion

from claimbook import RISK_BUDGET
from claimbook.evidence import SHAPES
from claimbook.reports.ledger import far_controls, ledger
from ndcg_book import BOOK

STANDING = {chapter.name for chapter in PROJECT.chapters}
OWED = [statement.id for statement in BOOK.registry.values() if statement.page in STANDING]


@pytest.fixture(scope="module")
def findings(quick_build):
    return json.loads((quick_build / "findings.json").read_text(encoding="utf-8"))["findings"]


@pytest.fixture(scope="module")
def rows(findings):
    return {row.id: row for row in ledger(BOOK, findings)}


def test_every_verdict_is_the_one_expected(rows):
    verdicts = {name: (rows[name].verdict, bool(rows[name].checks)) for name in OWED}
    assert verdicts == {name: (rows[name].expected, True) for name in OWED} and len(OWED) > 100


def test_every_control_came_out_the_other_way(findings):
    for finding in findings:
        assert finding["control_differs"], (finding["statement"], finding["claim"]["says"])


def test_every_control_is_near_or_the_page_says_why_not(findings):
    assert far_controls(findings) == []


def test_the_risks_fit_the_budget(findings):
    assert 0 < sum(finding["risk"] for finding in findings) <= RISK_BUDGET


def outputs(quick_build):
    """The page, the cell's id and each output of the executed chapters."""
    paths = [*(quick_build / "executed").glob("*.ipynb")]
    assert len(paths) == len(PROJECT.notebooks)
    for path in paths:
        for cell in nbformat.read(path, as_version=4).cells:
            yield from ((path.stem, cell.id, output) for output in cell.get("outputs", []))


def test_nothing_is_printed_to_stderr(quick_build):
    assert [row for row in outputs(quick_build) if row[2].get("name") == "stderr"] == []


def test_no_cell_shows_its_verdict_as_a_string(quick_build):
    """The last call of a cell returns the verdict, which the page shows in words, so it ends with ``;``."""
    verdicts = {repr(verdict) for verdict in SHAPES}
    shown = [row for row in outputs(quick_build) if row[2].get("data", {}).get("text/plain") in verdicts]
    assert shown == []


def test_the_ledger_command_agrees(quick_build, findings):
    done = companion("ledger", "--profile", "quick", "--json")
    assert done.returncode == 0
    statements = json.loads(done.stdout)["statements"]
    assert {row["id"] for row in statements} == set(BOOK.registry)
    assert sum(row["checks"] for row in statements) == len(findings)
