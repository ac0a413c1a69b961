"""``companion report``: run the chapter on a reader's own rankings, keep what it finds."""

import argparse
import json
import os
import re
import shlex
import shutil
import sys
import tempfile
import textwrap
from errno import ENOSPC
from pathlib import Path

import nbformat

from ndcg_companion.chapter.own_rankings import kept
from ndcg_companion.commands.options import add_output, one_of, some, whole
from ndcg_companion.evaluation.account import as_csv, prepare
from ndcg_companion.press.build import run
from ndcg_companion.press.execution import write_whole
from ndcg_companion.press.freshness import package_folder
from ndcg_companion.press.project import Chapter, Project

CHAPTER = "your-own-rankings"
_ELSEWHERE = re.compile(r'<a class="reference internal" href="#[^"]+\.ipynb[^"]*">(.*?)</a>', re.DOTALL)
# In the folder beside the chapter's own page and notebook.
WRITTEN = {
    "_images",
    "_sources",
    "_static",
    "vendor",
    ".buildinfo",
    "genindex.html",
    "index.html",
    "measures.csv",
    "objects.inv",
    "previews.js",
    "report.json",
    "search.html",
    "searchindex.js",
    "sources.html",
}
ROOM = 100 * 2**20  # bytes free that a page with its shared files may take


def report(values, output, quiet=False):
    """Check everything, run the chapter on it, and write page and numbers into the folder ``output``.

    Parameters
    ----------
    values : dict
        The chapter's parameters.
    output : path
        Made if it is not there; untouched unless all has gone well.

    Returns
    -------
    answer, failures : lists of str
        What the data say, as the page has it; and why the page could not be made, if so.

    Raises
    ------
    ValueError, OSError
        For input that cannot be read or compared, and for a folder that cannot be written, before a kernel starts.
    """
    output, project = Path(output), own_project()
    above = next(folder for folder in (output.absolute(), *output.absolute().parents) if folder.exists())
    if not above.is_dir():
        raise ValueError(f"{output}: expected a folder to write into, got a file")
    taken = (
        []
        if (output / f"{CHAPTER}.html").exists()
        else sorted(name for name in WRITTEN if (output / name).exists())
    )
    if taken:
        wanted = "a new folder, or that of an earlier report"
        raise ValueError(
            f"{output}: expected {wanted}, got one with a {taken[0]} of its own, which would be lost"
        )
    if values["labels"] == "made":  # a file of that name, which the chapter would take for its example
        values = values | {"labels": os.path.join(".", "made")}
    try:
        folder = tempfile.TemporaryDirectory(dir=above, prefix="part-")
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(output)) from None
    with folder as scratch:
        if shutil.disk_usage(scratch).free < ROOM:
            raise OSError(ENOSPC, os.strerror(ENOSPC), str(above))
        chapter, folder = Chapter(project.root, f"chapters/{CHAPTER}"), Path(scratch) / "report"
        prepare(**{{"format": "form"}.get(name, name): value for name, value in values.items()})
        _, _, failures = run(project, chapter, values, output=folder, quiet=quiet)
        if failures:
            return [], failures
        numbers = kept(nbformat.read(folder / f"{CHAPTER}.ipynb", as_version=4))
        write_whole(folder / "measures.csv", as_csv(numbers.pop("all_pairs")))
        write_whole(folder / "report.json", json.dumps(numbers, indent=1, ensure_ascii=False))
        (folder / "findings.json").unlink()
        page = folder / f"{CHAPTER}.html"
        # Links to the book's other pages, which are not here.
        page.write_text(_ELSEWHERE.sub(r"\1", page.read_text(encoding="utf-8")), encoding="utf-8")
        output.mkdir(parents=True, exist_ok=True)
        for item in folder.iterdir():
            if (output / item.name).is_dir():
                shutil.rmtree(output / item.name)
            os.replace(item, output / item.name)
    return numbers["answer"], []


def own_project():
    """The checkout of the book that this package belongs to."""
    root = package_folder().parents[1]
    if not (root / "_toc.yml").is_file():
        remedy = "install the package from its checkout (pip install -e)"
        raise ValueError(f"{root}: expected the book's folder, with _toc.yml: {remedy}")
    return Project(root)


_HELP = """\
Compare your own systems on the same queries: who is ahead, under which measure, how surely, and how many more
queries or items it would take. Prints the answer, and writes a page, report.json and measures.csv.

  companion report --labels qrels.txt --system bm25=bm25.run --system dense=dense.run.gz
  companion report --labels letor.txt --system a=a.scores --system b=b.scores
  companion report --labels table.csv        (query,item,label,score_A,score_B; label or clicks, perhaps time)"""


def add_parser(commands):
    says = "which measures tell your own systems apart, and how surely"
    layout = argparse.RawDescriptionHelpFormatter
    add = commands.add_parser("report", help=says, description=_HELP, formatter_class=layout)
    add.add_argument(
        "--labels",
        required=True,
        type=some("a file"),
        metavar="FILE",
        help="TREC qrels, LETOR, or a table with the scores",
    )
    add.add_argument(
        "--system",
        action="append",
        default=[],
        type=some("NAME=FILE"),
        metavar="NAME=FILE",
        help="once for each: a TREC run, or for LETOR a file with one score a line; none for a table",
    )
    for name, words, says in (
        ("--format", ("auto", "trec", "letor", "table"), "of the labels (auto: recognised)"),
        ("--gain", ("linear", "exponential"), "of a label: itself or 2**label - 1 (linear)"),
        ("--unmatched", ("raise", "drop"), "queries that not all files have: refuse, leave out (raise)"),
    ):
        add.add_argument(name, default=words[0], type=one_of(*words), metavar="|".join(words), help=says)
    for name, form, says in (
        ("--time", "COLUMN", "of a table: the column of arrival times (time, if there)"),
        ("--pair", "A,B", "of several systems, the two to look at closely (the best)"),
    ):
        add.add_argument(name, default="auto", metavar=form, help=says)
    add.add_argument(
        "--seed", default=1, type=whole(0), metavar="N", help="of splits, resampling and shuffling (1)"
    )
    add_output(add, "where to write (report)", default="report")
    add.set_defaults(command=call)
    return add


def call(options):
    values = {"labels": options.labels} | ({"systems": shlex.join(options.system)} if options.system else {})
    values |= {
        name: getattr(options, name) for name in ("format", "time", "pair", "gain", "unmatched", "seed")
    }
    answer, failures = report(values, options.output)
    for failure in failures:
        print(failure, file=sys.stderr)
    if failures:
        return 1
    for line in answer:
        said = line.replace("**", "").replace("`", "")
        print(textwrap.fill(said, 100, initial_indent="- ", subsequent_indent="  "))
    print(f"written to {options.output}: your-own-rankings.html, report.json, measures.csv")
    return 0
