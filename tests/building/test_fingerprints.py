"""What makes this book's chapters stale, and that no function they call is overlooked."""

import ast
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support import PROJECT, ROOT

from claimbook.execute.fingerprints import Packages, engine_folder
from ndcg_companion.book import BOOK

PACKAGES = "measures theory simulation data evaluation conformance book commands".split()


@pytest.fixture(scope="module")
def sources():
    return {chapter.name: "\n".join(source for source, _ in chapter.code) for chapter in PROJECT.notebooks}


@pytest.fixture(scope="module")
def copied(tmp_path_factory):
    folder = tmp_path_factory.mktemp("copy") / "ndcg_companion"
    shutil.copytree(BOOK.folder, folder, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def test_data_files_that_a_chapter_reads_through_other_modules_are_found(sources):
    package = Packages(BOOK.folders)
    named = package.files(package.reach(sources["what-your-library-computes"]))
    assert {"conformance/cases.json", "conformance/results.json"} <= {
        file.relative_to(BOOK.folder).as_posix() for file in named
    }


def fingerprint_of_all(sources, folder):
    package = Packages({"ndcg_companion": folder, "claimbook": engine_folder()})
    return {name: package.fingerprint(source) for name, source in sources.items()}


FEW = "linear-ndcg", "playground", "other-data-other-pictures", "the-zipfian-border"


# Six looks at every chapter take twenty seconds.
@pytest.mark.parametrize("all_of_them", [False, pytest.param(True, marks=pytest.mark.nightly)])
def test_an_edit_makes_exactly_the_chapters_stale_that_can_see_it(all_of_them, sources, copied):
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

    docstring = "theory/laws.py", lambda text: text.replace('"""', '"""Edited. ', 1)
    comment = "theory/laws.py", lambda text: text.replace("\nimport ", "\n# A comment.\nimport ")
    table = "book/content/errata.csv", lambda text: text.replace(" ", "  ")
    assert stale(docstring, comment, table) == set()
    expected = "book/content/registry.csv", lambda text: text.replace(",proved here,", ",consistent,", 1)
    assert len(stale(expected)) == len(sources)  # findings record the verdict that is expected
    linear = {"linear-ndcg", "what-linear-ndcg-cannot-see", "playground"}
    assert stale(("measures/linear.py", formula("linear_ndcg"))) == linear & set(sources)
    assert stale(("data/films.py", formula("load_films"))) == {"other-data-other-pictures"}
    assert stale(("theory/curves.py", formula("parse_curve"))) == set(sources)


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


# Whole chapters under the eyes of the interpreter take twenty seconds each; one is enough for a push.
@pytest.mark.parametrize(
    "name",
    [
        "explorer",
        *(
            pytest.param(name, marks=pytest.mark.nightly)
            for name in ("scoring-a-ranking", "the-zipfian-border")
        ),
    ],
)
def test_what_python_calls_is_among_what_is_found(name, sources, tmp_path):
    """The interpreter itself is the witness: no function that a chapter really calls is overlooked."""
    chapter, values = PROJECT.chapter(name), PROJECT.overrides("quick").get(name, {})
    told = json.dumps(
        [
            [source for source, _ in chapter.code],
            values,
            f"{BOOK.folder}/",
            str(tmp_path / "called.json"),
        ]
    )
    subprocess.run([sys.executable, "-c", _WITNESS], input=told, text=True, check=True, cwd=ROOT)
    called = json.loads((tmp_path / "called.json").read_text())
    reached = {}
    for statement in Packages(BOOK.folders).reach(sources[name]):
        above = [decorator.lineno for decorator in getattr(statement.node, "decorator_list", ())]
        lines = range(min([statement.node.lineno, *above]), statement.node.end_lineno + 1)
        reached.setdefault(statement.module.path, []).append(lines)
    missed = [
        (Path(file).name, line, function)
        for file, line, function in called
        if not any(line in lines for lines in reached.get(Path(file), ()))
    ]
    assert len(called) > 20 and missed == []


def test_the_real_package_runs_downhill():
    """No package imports one above it, not even inside a function."""
    package = Packages(BOOK.folders)
    for height, name in enumerate(PACKAGES):
        paths = [*(BOOK.folder / name).rglob("*.py")]
        assert paths, name
        for path in paths:
            parts = ("ndcg_companion", *path.relative_to(BOOK.folder).with_suffix("").parts)
            module = package.module(".".join(parts).removesuffix(".__init__"))
            imports = [
                *module.imports,
                *(one for statement in module.statements for one in statement.imports),
            ]
            targets = [target.split(".") for _, target in imports]
            others = {target[1] for target in targets if target[0] == "ndcg_companion" and target[1:]}
            above = others & set(PACKAGES[height + 1 :])
            assert not above, f"{path.name} of {name} imports {above}"


def test_no_module_of_the_package_is_imported_under_a_computed_name(sources):
    """That could not be followed; imported so are packages behind the extras, and what users name."""
    package = Packages(BOOK.folders)
    reached = set().union(*map(package.reach, sources.values()))
    dynamic = {one.module.name for one in reached if {"import_module", "__import__"} & set(one.mentions)}
    assert dynamic <= {"ndcg_companion.data.extras", "ndcg_companion.conformance.__main__"}
