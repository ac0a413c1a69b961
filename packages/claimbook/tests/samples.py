"""Helpers of the engine's tests: its command line, a small book, and notebooks."""

import json
import os
import shutil
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from functools import partial
from io import StringIO
from pathlib import Path

import nbformat
from filelock import FileLock
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from claimbook.output_metadata import METADATA_KEY
from claimbook.writing import digest

SKELETON = Path(__file__).parents[1] / "src" / "claimbook" / "skeleton"
PAGE = "from plain_book import Page\npage = Page('{name}')\npage.numbers({{'seed': seed}})"
DRAWING = """\
from matplotlib.figure import Figure
from claimbook.style import drawing

@drawing
def line(end):
    figure = Figure()
    figure.subplots().plot([0, 1], [0, end])
    return figure, f"A line up to {end}."
"""
TOC = "format: jb-book\nroot: chapters/first\nchapters:\n- file: chapters/second\n"


def run_module(module, *arguments, cwd, **options):
    """Run a command line as a user would, in its own process."""
    command = [sys.executable, "-m", module, *map(str, arguments)]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, encoding="utf-8", **options)


def called_by(main, *words):
    """Run a command line in this process, which is faster for calls that end at once."""
    said, complained = StringIO(), StringIO()
    with redirect_stdout(said), redirect_stderr(complained):
        code = main(words)
    return subprocess.CompletedProcess(words, code, said.getvalue(), complained.getvalue())


claimbook = partial(run_module, "claimbook")


def called(*words):
    """Run the engine's own command line in this process."""
    from claimbook.cli.main import main

    return called_by(main, *words)


def made_once(factory, name, make):
    """Return a folder that ``make`` fills once for all tests.

    The first of several workers that needs it fills it.
    """
    shared = factory.getbasetemp()
    shared = shared.parent if "PYTEST_XDIST_WORKER" in os.environ else shared
    folder, whole = shared / name, shared / f"{name}-is-whole"
    with FileLock(shared / f"{name}.lock"):
        if not whole.exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            make(folder)
            whole.touch()
    return folder


def write_notebook(path, *sources, parameters="seed: int = 1  # seed [0 ..]", title=""):
    """Write a chapter whose first code cell declares ``parameters``.

    The other cells run ``sources``.
    """
    cells = [new_markdown_cell(f"# {title or f'The chapter {path.stem}'}", id="title")]
    cells.append(new_code_cell(parameters, id="parameters", metadata={"tags": ["parameters"]}))
    cells += [new_code_cell(source, id=f"cell-{index}") for index, source in enumerate(sources)]
    notebook = new_notebook(cells=cells)
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    notebook.metadata["language_info"] = {"name": "python"}
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(notebook, path)


def small_book_in(folder):
    """Write the plain book with two chapters that treat none of its statements.

    The first is a page; the second imports nothing, so that it is executed in no time.
    """
    write_notebook(folder / "chapters" / "first.ipynb", PAGE.format(name="first"))
    write_notebook(folder / "chapters" / "second.ipynb", "2 * seed")
    (folder / "_toc.yml").write_text(TOC, encoding="utf-8")
    for name in ("_config.yml", "references.bib"):
        text = (SKELETON / name).read_text(encoding="utf-8")
        text = text.replace("my_book:BOOK", "plain_book:SMALL").replace("My book", "The plain book")
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "_static").mkdir()
    (folder / "parameters").mkdir()
    (folder / "parameters" / "quick.yml").write_text("first: {}\n", encoding="utf-8")
    return folder


def as_executed(job, *records):
    """Return the text of a notebook with these outputs, as if a job had executed it."""
    outputs = [new_output("display_data", metadata={METADATA_KEY: record}) for record in records]
    notebook = new_notebook(cells=[new_code_cell("pass", id="made", outputs=outputs)])
    noted = {"key": job.key, "parameters": job.parameters, "seconds": 1.0}
    noted["inputs"] = {"files": {}, "lists": {}, "packages": {}}
    cells = json.loads(nbformat.writes(notebook))["cells"]
    notebook.metadata[METADATA_KEY] = noted | {"seal": digest([noted, cells])}
    return nbformat.writes(notebook)


def finding(
    statement, verdict="consistent", differs=True, risk=0.0, worst=2.0, far="", page="first", basis="sample"
):
    """Return a finding as a build stores it."""
    case = {"says": "something", "predicted": 1, "observed": 1, "tolerance": 0}
    at_entry = {"entry": 0, "entries": 1, "outside": 0} | {key: case[key] for key in [*case][1:]}
    return {
        "statement": statement,
        "verdict": verdict,
        "control_rejected": differs != (verdict == "contradicted"),
        "control_differs": differs,
        "risk": risk,
        "rule": "within",
        "basis": basis,
        "far": far,
        "needs": "",
        "page": page,
        "claim": case | {"margin": at_entry | {"worst": 0.5}},
        "control": case | {"margin": at_entry | {"worst": worst}},
    }
