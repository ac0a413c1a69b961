"""The changes that make this book's chapters stale. No function that they call is overlooked."""

import ast
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support import PROJECT, ROOT

from claimbook.execute.fingerprints import Packages, engine_folder
from ndcg_book import BOOK

# From below: what each may import stands before it. The last four are projects of their own, or the book.
PARTS = "measures theory simulation significance data".split()
MAY_IMPORT = {
    "ndcg_companion": set(),
    "claimbook": set(),
    "ranking_report": {"ndcg_companion"},
    "ndcg_conformance": {"ndcg_companion"},
    "ndcg_book": {"ndcg_companion", "claimbook", "ranking_report", "ndcg_conformance"},
}


@pytest.fixture(scope="module")
def sources():
    return {chapter.name: "\n".join(source for source, _ in chapter.code) for chapter in PROJECT.notebooks}


@pytest.fixture(scope="module")
def copied(tmp_path_factory):
    folder = tmp_path_factory.mktemp("copy")
    for name, package in BOOK.folders.items():
        shutil.copytree(package, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def fingerprint_of_all(sources, folder):
    package = Packages({name: folder / name for name in BOOK.folders} | {"claimbook": engine_folder()})
    return {name: package.fingerprint(source) for name, source in sources.items()}


FEW = "linear-ndcg", "playground", "other-data-other-pictures", "the-zipfian-border"


# Six looks at every chapter take twenty seconds.
@pytest.mark.parametrize("all_of_them", [False, pytest.param(True, marks=pytest.mark.nightly)])
def test_an_edit_makes_stale_exactly_the_chapters_that_can_reach_it(all_of_them, sources, copied):
    sources = sources if all_of_them else {name: sources[name] for name in FEW}
    before = fingerprint_of_all(sources, copied)

    def stale(*edits):
        texts = {copied / name: (copied / name).read_text(encoding="utf-8") for name, _ in edits}
        for name, edit in edits:
            text = (copied / name).read_text(encoding="utf-8")
            assert edit(text) != text
            (copied / name).write_text(edit(text), encoding="utf-8")
        after = fingerprint_of_all(sources, copied)
        for path, text in texts.items():
            path.write_text(text, encoding="utf-8")
        return {name for name in sources if after[name] != before[name]}

    def formula(function):
        def edit(text):
            tree = ast.parse(text)
            (node,) = (node for node in tree.body if getattr(node, "name", "") == function)
            node.body += ast.parse("edited = 1").body
            return ast.unparse(tree)

        return edit

    docstring = "ndcg_companion/theory/laws.py", lambda text: text.replace('"""', '"""Edited. ', 1)
    comment = (
        "ndcg_companion/theory/laws.py",
        lambda text: text.replace("\nimport ", "\n# A comment.\nimport "),
    )
    table = "ndcg_book/content/registry.csv", lambda text: text.replace(" ", "  ")
    assert stale(docstring, comment, table) == set()
    linear = {"linear-ndcg", "what-linear-ndcg-cannot-see"} & set(sources)
    assert stale(("ndcg_book/figures/linear_ndcg.py", formula("triangle"))) == linear
    assert stale(("ndcg_companion/theory/curves.py", formula("parse_curve"))) == set(sources)
    with_data = stale(("ndcg_companion/data/films.py", formula("load_films")))
    assert "other-data-other-pictures" in with_data and "linear-ndcg" not in with_data


_WITNESS = """
import contextlib, json, os, sys, threading
from IPython.core.interactiveshell import InteractiveShell
cells, values, folder, output = json.loads(sys.stdin.read())
shell, seen = InteractiveShell.instance(), {}

def watch(frame, event, _):
    code = frame.f_code
    if event != "call" or code in seen or code.co_name == "<module>":
        return
    if not (code.co_filename.startswith(folder) and code.co_filename.endswith(".py")):  # a template is data
        return
    above = frame
    while above := above.f_back:
        if above.f_code.co_filename.startswith("<frozen importlib"):
            return  # while modules are loaded: their definitions are made, not used
    seen[code] = [code.co_filename, code.co_firstlineno, code.co_name]

with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):
    threading.setprofile(watch)
    sys.setprofile(watch)
    for cell in cells:
        shell.run_cell(cell, store_history=True).raise_error()
        if values:
            shell.user_ns.update(values)
            values = None
    sys.setprofile(None)
with open(output, "w") as file:
    json.dump(list(seen.values()), file)
"""


# Whole chapters under the eyes of the interpreter take ten seconds each.
@pytest.mark.nightly
@pytest.mark.parametrize("name", ["explorer", "scoring-a-ranking", "the-zipfian-border"])
def test_the_fingerprint_covers_every_function_that_python_calls(name, sources, tmp_path):
    """The interpreter records the calls, so no function that a chapter really calls is overlooked."""
    chapter, values = PROJECT.chapter(name), PROJECT.overrides("quick").get(name, {})
    witness_input = json.dumps(
        [
            [source for source, _ in chapter.code],
            values,
            f"{BOOK.folder}/",
            str(tmp_path / "called.json"),
        ]
    )
    subprocess.run([sys.executable, "-c", _WITNESS], input=witness_input, text=True, check=True, cwd=ROOT)
    called = json.loads((tmp_path / "called.json").read_text())
    reached = Packages(BOOK.folders).reach(sources[name])
    missed = [call for call in called if module_of(call[0]) not in reached]
    assert len(called) > 20 and missed == []


def module_of(file, package=BOOK.folder):
    """The dotted name of a module of a package, by its file."""
    parts = Path(file).relative_to(package.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


FOLDERS = BOOK.folders | {"claimbook": engine_folder()}


def imported_by(path):
    """The dotted names that a module imports, at any depth; relative ones are of its own package."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("project", MAY_IMPORT)
def test_each_project_imports_only_the_projects_it_may_use(project):
    """The mathematics depends on no other project, and only the book depends on the engine."""
    paths = [*FOLDERS[project].rglob("*.py")]
    assert len(paths) > 5
    for path in paths:
        others = {name.partition(".")[0] for name in imported_by(path)} & set(MAY_IMPORT) - {project}
        assert others <= MAY_IMPORT[project], f"{path.name} imports {others - MAY_IMPORT[project]}"


def test_the_parts_of_the_library_import_downhill():
    folder = FOLDERS["ndcg_companion"]
    for height, part in enumerate(PARTS):
        paths = [*(folder / part).rglob("*.py")] or [folder / f"{part}.py"]
        for path in paths:
            inside = {name.split(".")[1] for name in imported_by(path) if name.startswith("ndcg_companion.")}
            above = inside & set(PARTS[height + 1 :])
            assert not above, f"{path.name} of {part} imports {above}"


def test_no_module_of_the_package_is_imported_under_a_computed_name(sources):
    """That could not be followed; imported so are packages behind the extras, and what users name.

    What ``ranking_report`` and ``ndcg_companion.data`` import on demand is listed there for type checkers,
    too, and is followed.
    """
    package = Packages(BOOK.folders)
    reached = set().union(*map(package.reach, sources.values()))
    dynamic = {
        module_of(path, folder)
        for folder in BOOK.folders.values()
        for path in folder.rglob("*.py")
        if re.search(r"\b(import_module|__import__)\(", path.read_text(encoding="utf-8"))
    }
    assert "ranking_report.comparing" in package.reach("from ranking_report import compare")
    assert "ndcg_companion.data.digits" in package.reach("from ndcg_companion.data import Digits")
    assert dynamic & reached <= {
        "ndcg_companion.data",
        "ndcg_companion.extras",
        "ranking_report",
        "ranking_report.extras",
        "ndcg_conformance.__main__",
    }
