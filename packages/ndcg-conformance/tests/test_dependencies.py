"""An installation of this project alone has everything that its command needs."""

import ast
import re
import sys
import tomllib
from pathlib import Path

PROJECT = Path(__file__).parents[1]
PACKAGE = PROJECT / "src" / "ndcg_conformance"
FOR_CHAPTERS = {"rivals.py"}  # what it asks, scikit-learn and trec_eval, comes with the extra of the book


def imported(path):
    """Return the packages that a module imports at once."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Import):
            yield from (name.name.partition(".")[0] for name in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield node.module.partition(".")[0]


def test_what_is_imported_at_once_is_declared():
    declared = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
        "dependencies"
    ]
    names = {re.match(r"[\w-]+", text)[0].replace("-", "_") for text in declared}
    imported_names = {
        name for path in PACKAGE.glob("*.py") if path.name not in FOR_CHAPTERS for name in imported(path)
    }
    assert (
        {"numpy", "ndcg_companion"} <= imported_names - set(sys.stdlib_module_names) <= names | {PACKAGE.name}
    )
