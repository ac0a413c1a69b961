"""Break one formula of the package, and the chapters say so: a copy of the package with the bug, and a page run on it."""

import json
import os
import shutil

import pytest
from support import ROOT, companion

BUGS = {
    "log(2 + r) for log(1 + r)": ("discounts.py", "1.0 / np.log1p(ranks)", "1.0 / np.log1p(ranks + 1)"),
    "the normaliser dropped": ("ndcg.py", "return lists.answer(actual / ideal)", "return lists.answer(actual)"),
    "ranks shifted by one": ("discounts.py", "np.arange(float(size), 0.0, -1.0)", "np.arange(size + 1.0, 1.0, -1.0)"),
    "n for k": ("cutoffs.py", "return min(int(k), n)", "return n"),
}


@pytest.mark.parametrize("bug", BUGS)
def test_a_broken_formula_changes_the_verdict(bug, tmp_path):
    module, right, wrong = BUGS[bug]
    package = tmp_path / "src" / "ndcg_companion"
    shutil.copytree(ROOT / "src" / "ndcg_companion", package, ignore=shutil.ignore_patterns("__pycache__"))
    path = package / "measures" / module
    text = path.read_text(encoding="utf-8")
    assert text.count(right) == 1, f"{module} no longer holds {right!r}"
    path.write_text(text.replace(right, wrong), encoding="utf-8")
    arguments = ("run", "scoring-a-ranking", "--profile", "quick", "--output", tmp_path / "out")
    done = companion(*arguments, env=os.environ | {"PYTHONPATH": str(tmp_path / "src")})
    assert done.returncode == 1, done.stdout
    assert "wang/definition-1" in done.stdout and "expected proved here" in done.stdout
    findings = json.loads((tmp_path / "out" / "findings.json").read_text(encoding="utf-8"))["findings"]
    assert any(finding["verdict"] != finding["expected"] for finding in findings)
