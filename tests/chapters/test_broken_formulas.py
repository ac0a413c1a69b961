"""A page that runs on a copy of the package with one broken formula changes its verdicts."""

import os
import shutil
import subprocess
import sys

import nbformat
import pytest
from support import PROJECT, ROOT

from claimbook.output_metadata import findings_of
from claimbook.reports.ledger import ledger
from ndcg_book import BOOK

SHIFTED = ("discounts.py", "1.0 / np.log1p(ranks)", "1.0 / np.log1p(ranks + 1)")
BUGS = {
    "log(2 + r) for log(1 + r)": SHIFTED,
    "the normaliser dropped": (
        "ndcg.py",
        "return lists.to_output(dcg_sum / ideal_sum)",
        "return lists.to_output(dcg_sum)",
    ),
    "ranks shifted by one": (
        "discounts.py",
        "np.arange(float(size), 0.0, -1.0)",
        "np.arange(size + 1.0, 1.0, -1.0)",
    ),
    "n for k": ("cutoffs.py", "return min(int(k), n)", "return n"),
}
# The pages with evidence on a statement of theirs that rests on the log discount. On others it serves an
# example, or the statement holds for every discount of a kind.
ON_THE_LOG_DISCOUNT = """
a-population-of-items cutoffs-that-cannot-see discounts-that-decay-too-fast everything-tends-to-one four-tools
graded-relevance how-many-items-are-enough how-many-queries-are-enough inside-the-proofs-i
inside-the-proofs-ii scoring-a-ranking short-cutoffs the-log-discount-still-decides
the-papers-experiment what-linear-ndcg-cannot-see what-telling-apart-means which-discounts-are-feasible
""".split()


def broken(bug):
    """The module of the measures that has the bug, and its source with the bug in it."""
    module, right, wrong = bug
    source = ROOT.joinpath("src", "ndcg_companion", "measures", module).read_text(encoding="utf-8")
    assert source.count(right) == 1, f"measures/{module} holds {right!r} {source.count(right)} times"
    return module, source.replace(right, wrong)


# On each push, as the night's tests are the only ones that put most of the bugs into a package.
@pytest.mark.parametrize("bug", BUGS.values(), ids=BUGS)
def test_a_bug_changes_one_place_of_its_module(bug):
    module, source = broken(bug)
    compile(source, module, "exec")


def run_on(bug, page, folder):
    """What a page found on a package with the bug, and what it said if it stopped; executed, not rendered."""
    package = folder / "src" / "ndcg_companion"
    shutil.copytree(ROOT / "src" / "ndcg_companion", package, ignore=shutil.ignore_patterns("__pycache__"))
    module, source = broken(bug)
    (package / "measures" / module).write_text(source, encoding="utf-8")
    values = PROJECT.overrides("quick").get(page, {})
    words = [word for name, value in values.items() for word in ("-p", name, str(value))]
    done = subprocess.run(
        [sys.executable, "-m", "papermill", f"chapters/{page}.ipynb", folder / "out.ipynb", *words],
        cwd=ROOT,
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": str(folder / "src")},
    )
    return findings_of(nbformat.read(folder / "out.ipynb", as_version=4)), done.stderr * (
        done.returncode != 0
    )


def surprises(findings):
    """Statements whose verdict is not the expected one (a check may be stronger than all checks together)."""
    return [row.id for row in ledger(BOOK, findings) if row.differs]


# One bug tells whether pages notice; that the tests of the measures notice each is for those tests.
@pytest.mark.parametrize(
    "bug", [pytest.param(bug, marks=() if BUGS[bug] is SHIFTED else pytest.mark.nightly) for bug in BUGS]
)
def test_a_broken_formula_changes_the_verdict(bug, tmp_path):
    findings, _ = run_on(BUGS[bug], "scoring-a-ranking", tmp_path)
    assert "wang/definition-1" in surprises(findings)


@pytest.mark.nightly
@pytest.mark.parametrize("page", ON_THE_LOG_DISCOUNT)
def test_a_page_on_the_log_discount_notices_another_logarithm(page, tmp_path):
    findings, stopped = run_on(SHIFTED, page, tmp_path)
    assert surprises(findings) or stopped, (
        "every verdict is as expected although the discount is 1 / log(2 + r)"
    )
