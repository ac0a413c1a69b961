"""Helpers for tests of several packages: the command line, and notebooks created on the spot."""

import csv
import os
import re
import subprocess
import sys
from functools import partial
from pathlib import Path
from uuid import uuid4

import samples
from samples import write_notebook

from claimbook.project import Project

ROOT = Path(__file__).resolve().parents[1]
PROJECT = Project(ROOT)  # to be read: its notebooks are parsed once for all tests of a process
PAGE = "from ndcg_book import Page\npage = Page('{name}')\npage.numbers({{'seed': seed}})"
SMALL = """\
from dataclasses import replace
from pathlib import Path

from ndcg_book import BOOK

MOVED = {"chapters/old": "chapters/second#lemma-last"}
BOOK = replace(BOOK, content=Path(__file__).with_name("content"), moved=MOVED)
"""
BUILD = "import sys; from jupyter_book.cli.main import main; sys.exit(main(['build', *sys.argv[1:]]))"


def companion(*arguments, cwd=ROOT, **options):
    """Run the command line as a user would, in a process of its own; that of reports for its commands."""
    module = "ranking_report" if arguments[:1] in (("compare",), ("power",)) else "ndcg_book"
    return samples.run_module(module, *arguments, cwd=cwd, **options)


def called(*words):
    """Run the command line in this process: much sooner, for calls that are refused or answered at once."""
    from ndcg_book.cli import main as book
    from ranking_report.commands.main import main as report

    return samples.called_by(report if words[:1] in (("compare",), ("power",)) else book, *words)


def small_book_in(folder, *statements, pages=None):
    """A book of two chapters, 'first' and 'second', of which the first treats these statements of ours.

    The first is a page; the second imports nothing, so that it is executed in no time. ``pages`` has the
    statements that another page treats, by name.
    """
    from claimbook.book import COLUMNS
    from claimbook.evidence import slug
    from claimbook.reports.errata import COLUMNS as ERRATA
    from claimbook.reports.errata import errata
    from ndcg_book import BOOK

    pages = dict.fromkeys(statements, "first") | (pages or {})
    module = f"small_{uuid4().hex}"  # which a process that makes several such books imports by itself
    (folder / f"{module}.py").write_text(SMALL, encoding="utf-8")
    (folder / "content").mkdir()
    with open(folder / "content" / "registry.csv", "w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, COLUMNS, extrasaction="ignore")
        table.writeheader()
        table.writerows(vars(BOOK.registry[name]) | {"page": page} for name, page in pages.items())
    with open(folder / "content" / "errata.csv", "w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, ERRATA)
        table.writeheader()
        for erratum in errata(BOOK):
            if page := pages.get(erratum.statement):
                table.writerow(vars(erratum) | {"proof": f"{page}#{slug(erratum.statement)}"})
    write_notebook(folder / "chapters" / "first.ipynb", PAGE.format(name="first"))
    write_notebook(folder / "chapters" / "second.ipynb", "2 * seed")
    (folder / "_toc.yml").write_text(
        "format: jb-book\nroot: chapters/first\nchapters:\n- file: chapters/second\n"
    )
    for name in ("_config.yml", "references.bib"):
        text = (ROOT / name).read_text(encoding="utf-8").replace("ndcg_book:BOOK", f"{module}:BOOK")
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "_static").mkdir()
    (folder / "parameters").mkdir()
    (folder / "parameters" / "quick.yml").write_text("first: {}\n", encoding="utf-8")
    return folder


def jupyter_book(root, *options, **environment):
    """The plain command, as a user would call it in the book's folder."""
    return subprocess.run(
        [sys.executable, "-c", BUILD, ".", *options],
        cwd=root,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=os.environ | environment,
        timeout=600,
    )


FOUND_ON = "everything-tends-to-one"
finding = partial(samples.finding, page=FOUND_ON)


def readme_examples():
    """The code of each example of the README, and what is printed below it."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    return re.findall(r"```python\n(.*?)```\n\n```text\n(.*?)```", text, re.DOTALL)
