import contextlib
import json
import re
import shutil
import subprocess
import sys

import nbformat
import pytest
from support import ROOT, called, companion, small_book_in, write_notebook

from claimbook import build
from ndcg_book.cli import main
from ndcg_companion.extras import _EXTRAS


def called_in(folder, *words):
    """`called` in a folder: sooner than `companion`, as this process has imported what kernels need."""
    with contextlib.chdir(folder):
        return called(*words)


def book_in(folder, *others):
    small_book_in(folder, "wang/theorem-7", *others)
    beta = "# theorem 7 asks for it\nbeta: float = 0.5  # exponent [0 < beta < 1]"
    parameters = f"{beta}\nseed: int = 1  # seed [0 ..]"
    source = """\
from ndcg_book import Page
page = Page("first")
page.finding("wang/theorem-7", claim=("low", 0.0, beta, 0.8), control=("high", 2.0, beta, 0.8), risk=0);"""
    write_notebook(folder / "chapters" / "first.ipynb", source, parameters=parameters)
    return folder


@pytest.fixture
def book(tmp_path):
    return book_in(tmp_path)


@pytest.fixture
def built(example, tmp_path):
    """A copy of the built example, whose chapters are as current as they were."""
    return shutil.copytree(example / "kept", tmp_path / "copy")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["rum", "first"], ["rum: expected a command", "did you mean 'run'"]),
        (["run", "frist"], ["chapter='frist': expected the name of a chapter", "did you mean 'first'"]),
        (["run", "first", "sed=3"], ["sed: expected a parameter", "did you mean 'seed'"]),
        (["run", "first", "seed=abc"], ["seed=abc: expected a whole number", "0 .."]),
        (["run", "first", "seed=-1"], ["seed=-1: expected a whole number, 0 .."]),
        (["run", "first", "beta=1.5"], ["beta=1.5: expected a number, 0 < beta < 1 (theorem 7 asks for it)"]),
        (["run", "first", "seed"], ["seed: expected name=value"]),
        (["run", "first", "seed=1", "seed=2"], ["seed: expected one value, got two"]),
        (["run", "first", "--profile", "quik"], ["--profile: invalid choice: 'quik'", "quick"]),
        (["run", "first", "--profile", "quick", "seed=-1"], ["seed=-1: expected a whole number"]),
        (
            ["run", "first", "--profile", "quick", "--profile", "book"],
            ["--profile: expected one value, got two"],
        ),
        (["run", "first", "--outptu", "x"], ["unrecognized arguments: --outptu", "did you mean '--output'"]),
        (["run", "first", "\x1b[31m"], ["argument '\\x1b[31m': expected no control characters"]),
        (["run", "first", "\udcff=1"], ["argument '\\udcff=1'"]),
        (
            ["run", "first", "--output", "chapters"],
            ["chapters: expected a folder outside of the book's own chapters"],
        ),
        (["ledger", "seed=1"], ["unrecognized arguments: seed=1"]),
        (["build", "--jobs", "0"], ["0: expected a whole number >= 1"]),
        (["ledger"], ["expected the findings of a build", "companion build"]),
    ],
)
def test_a_refusal_says_what_was_expected(book, monkeypatch, arguments, words):
    monkeypatch.chdir(book)
    done = called(*arguments)
    assert done.returncode == 2 and all(word in done.stderr for word in words), done.stderr


@pytest.mark.parametrize("command", [*main.commands])
def test_every_command_has_its_help(book, monkeypatch, capsys, command):
    monkeypatch.chdir(book)
    with pytest.raises(SystemExit) as left:
        main([command, "--help"])
    assert left.value.code == 0 and f"companion {command}" in capsys.readouterr().out


CORE_ALONE = """
import sys
class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in set(sys.argv[1].split()):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Refuse())
from ndcg_book.cli import main
for words in (["--help"], *([name, "--help"] for name in main.commands)):
    try:
        raise AssertionError(main(words))
    except SystemExit as left:
        assert left.code == 0, words
sys.exit(main([]) + main(["list"]))
"""


def test_help_needs_nothing_but_the_core(tmp_path):
    """Every command is listed and explained; what it lacks it says when it is called."""
    ours = {"claimbook", "ranking_report", "ndcg_conformance"}  # of which the first brings the commands
    beyond = " ".join(name for names, _ in _EXTRAS.values() for name in names if name not in ours)
    done = subprocess.run(
        [sys.executable, "-c", CORE_ALONE, f"{beyond} jupyter_core"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    for name in main.commands:
        assert len(re.findall(rf"^    {name}\s", done.stdout, re.M)) == 1
        assert f"usage: companion {name} " in done.stdout
    assert f"expected a command, one of {', '.join(main.commands)}; companion --help" in done.stderr
    assert done.returncode == 4 and "pip install '.[book]'" in done.stderr, done.stderr


def test_outside_a_book_a_message_says_where_to_go(tmp_path):
    done = called_in(tmp_path, "list")
    assert done.returncode == 2 and "_toc.yml" in done.stderr


def test_list_shows_type_default_range_reason_and_help(book):
    done = called_in(book, "list")
    assert done.returncode == 0
    assert (
        "    beta: float = 0.5  [0 < beta < 1] (theorem 7 asks for it)  exponent" in done.stdout.splitlines()
    )
    assert called_in(book, "list", "--names").stdout.split() == ["first", "second"]


def test_run_writes_notebook_page_and_findings(tmp_path):
    """Of theorem 9 nothing is found in this run: the box in short leaves it out."""
    book = book_in(tmp_path, "wang/theorem-9")
    path = book / "chapters" / "first.ipynb"
    box = ":::{in-short}\n:statements: wang/theorem-7 wang/theorem-9\n\n*Answer.* It holds.\n:::"
    notebook = nbformat.read(path, as_version=4)
    notebook.cells.insert(1, nbformat.v4.new_markdown_cell(box, id="in-short"))
    nbformat.write(notebook, path)
    done = companion("run", "first", "seed=7", "--output", tmp_path / "out", cwd=book)
    assert done.returncode == 0, done.stderr
    assert "● consistent" in done.stdout and "wang/theorem-7" in done.stdout
    out = tmp_path / "out"
    document = json.loads((out / "findings.json").read_text(encoding="utf-8"))
    (finding,) = document["findings"]
    assert finding["verdict"] == "consistent" and finding["parameters"] == {"beta": 0.5, "seed": 7}
    assert "seed = 7" in (out / "first.ipynb").read_text(encoding="utf-8")
    page = (out / "chapters" / "first.html").read_text(encoding="utf-8")
    assert "consistent" in page and "The chapter first" in page
    assert "Theorem 7</a> · " in page and "Theorem 9" not in page
    assert "chapters/first.html" in (out / "first.html").read_text(encoding="utf-8")
    assert not [path for path in out.iterdir() if path.name.startswith("part-")]


def rendered(project, executed, folder, log, strict):
    """Stands for the renderer: a page with nothing on it."""
    site = folder / "_build" / "html"
    site.mkdir(parents=True)
    (site / "first.html").touch()


def test_run_says_which_verdict_differs_and_writes_its_page_all_the_same(book, monkeypatch):
    monkeypatch.setattr(build, "render", rendered)
    done = called_in(book, "run", "first", "beta=0.9")
    assert done.returncode == 1 and "inconclusive" in done.stdout and "expected consistent" in done.stdout
    assert (book / "runs" / "first" / "beta=0.9" / "first.html").exists()


FAILURE = "chapters/second.ipynb, cell 3 of 3: ZeroDivisionError: on purpose"


def test_a_failing_run_leaves_nothing_that_looks_complete(book, monkeypatch):
    monkeypatch.setattr(build, "execute", lambda *_: [FAILURE])
    done = called_in(book, "run", "second")
    assert done.returncode == 1 and FAILURE in done.stderr
    assert not list((book / "runs").rglob("*.ipynb"))


def test_an_output_that_cannot_be_written_is_stated(book):
    done = called_in(book, "run", "first", "--output", str(book / "_toc.yml" / "below"))
    assert done.returncode == 2 and "_toc.yml" in done.stderr and "Traceback" not in done.stderr


def test_build_says_what_it_does_and_does_nothing_twice(example):
    root = example / "kept"
    said = (example / "own").read_text(encoding="utf-8").splitlines()
    assert said[-1] == f"open {example / 'book' / '_build' / 'book' / 'html' / 'index.html'}"
    (root / "chapters" / "second.ipynb").touch()
    again = called_in(root, "build")
    assert again.returncode == 0, again.stderr
    assert "0 of 3 chapters to execute" in again.stdout and "rendering" not in again.stdout


def test_the_ledger_reads_the_findings_of_the_build(example):
    ledger = called_in(example / "kept", "ledger", "--json")
    rows = {row["id"]: row for row in json.loads(ledger.stdout)["statements"]}
    assert ledger.returncode == 0 and rows["wang/theorem-7"]["verdict"] == "consistent"
    assert rows["wang/theorem-7"]["checks"] == 1
    assert rows["wang/theorem-7"]["controls_rejected"] == rows["wang/theorem-7"]["controls_differ"] == 1


def test_a_failed_build_keeps_the_site_that_was_there(built, monkeypatch):
    site = built / "_build" / "book" / "html"
    before = {path: path.read_bytes() for path in site.rglob("*.html")}
    write_notebook(built / "chapters" / "second.ipynb", "1 / 0")
    monkeypatch.setattr(build, "execute", lambda *_: [FAILURE])
    done = called_in(built, "build")
    assert done.returncode == 1 and FAILURE in done.stderr and "1 of 3 chapters to execute" in done.stdout
    assert before and {path: path.read_bytes() for path in site.rglob("*.html")} == before


def test_a_verdict_that_differs_fails_the_ledger(built):
    findings = built / "_build" / "book" / "findings.json"
    document = json.loads(findings.read_text(encoding="utf-8"))
    (finding,) = (
        candidate for candidate in document["findings"] if candidate["statement"] == "wang/theorem-7"
    )
    finding["verdict"] = "contradicted"
    findings.write_text(json.dumps(document), encoding="utf-8")
    done = called_in(built, "ledger")
    assert done.returncode == 1 and "<- differs" in done.stdout


# A kernel and a whole site; on each push the engine's tests give its build such a renderer.
@pytest.mark.nightly
def test_a_warning_of_the_renderer_fails_the_build(built):
    shutil.rmtree(built / "_build" / "book" / "html")
    write_notebook(
        built / "chapters" / "second.ipynb",
        "from IPython.display import Markdown\nMarkdown('[x](nowhere.md)')",
    )
    done = called_in(built, "build")
    assert done.returncode == 1 and "WARNING" in done.stderr and "second" in done.stderr
    assert not (built / "_build" / "book" / "html").exists()


def test_the_module_and_the_script_are_the_same_command():
    assert companion("--version", cwd=ROOT).stdout.startswith("ndcg-companion ")
