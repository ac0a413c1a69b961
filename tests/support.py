"""What tests of several rooms call: the command line, and notebooks made on the spot."""

import io
import subprocess
import sys
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

ROOT = Path(__file__).resolve().parents[1]
PAGE = "from ndcg_companion.chapter import Page\npage = Page('{name}')\npage.number('seed', seed)"


def companion(*arguments, cwd=ROOT, **options):
    """Run the command line as a user would, in a process of its own."""
    command = [sys.executable, "-m", "ndcg_companion", *map(str, arguments)]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, encoding="utf-8", **options)


def call(*arguments, cwd=ROOT):
    """The same in this process, ten times as fast: for calls that are refused before anything starts."""
    from ndcg_companion.commands.main import main

    said, told = io.StringIO(), io.StringIO()
    with chdir(cwd), redirect_stdout(said), redirect_stderr(told):
        try:
            code = main([*map(str, arguments)])
        except SystemExit as end:
            code = end.code
    return subprocess.CompletedProcess(arguments, code, said.getvalue(), told.getvalue())


def write_notebook(path, *sources, parameters="seed: int = 1  # seed [seed >= 0]"):
    """A chapter whose first code cell declares ``parameters`` and whose others run ``sources``."""
    cells = [new_markdown_cell(f"# The chapter {path.stem}", id="title")]
    cells.append(new_code_cell(parameters, id="parameters", metadata={"tags": ["parameters"]}))
    cells += [new_code_cell(source, id=f"cell-{place}") for place, source in enumerate(sources)]
    notebook = new_notebook(cells=cells)
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    notebook.metadata["language_info"] = {"name": "python"}
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(notebook, path)
