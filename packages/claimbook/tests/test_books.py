"""A new book and the example build at once; a claim that is made false turns a build red."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from claimbook.build import RENDERED, note_printed
from claimbook.cli.main import main


def claimbook(*words, cwd):
    # Without what its caller has in its path: a book is found where it stands.
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    command = [sys.executable, "-m", "claimbook", *words]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, encoding="utf-8", env=clean)


# ---- a new book ----


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    """The folder of a new book that was built."""
    folder = tmp_path_factory.mktemp("new") / "first-words"
    assert claimbook("new", folder.name, cwd=folder.parent).returncode == 0
    done = claimbook("build", cwd=folder)
    assert done.returncode == 0 and "WARNING" not in done.stderr, done.stderr
    return folder


def test_it_has_its_verdicts_its_figure_its_errata_and_its_search(book):
    site = book / "_build" / "book" / "html"
    page = (site / "chapters" / "index.html").read_text(encoding="utf-8")
    assert "A note, Claim 2, corrected" in page and "✕ contradicted" in page and "<img" in page
    assert 'id="erratum-note-claim-2"' in (site / "chapters" / "errata.html").read_text(encoding="utf-8")
    assert (site / "search.js").is_file() and "First words" in page
    done = claimbook("ledger", cwd=book)
    assert done.returncode == 0 and done.stdout.count("proved here   ■ proved here") == 2


def test_nothing_of_the_skeleton_keeps_its_name(book):
    files = [path for path in book.rglob("*") if path.is_file() and "_build" not in path.parts]
    assert (book / "first_words" / "__init__.py") in files
    for path in files:
        if path.suffix != ".pyc":
            assert "my_book" not in path.read_text(encoding="utf-8"), path


def test_git_passes_over_what_builds_and_runs_write(book):
    assert {"_build/", "runs/", "sweeps/"} <= {*(book / ".gitignore").read_text().split()}


# What Sphinx makes of a directive only Sphinx tells.
@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (
            '    "page.figure(primes(values, composite), \\"figure-primes\\")"\n',
            '    "pass"\n',
            "no cell drew it",
        ),
        ("Up to $n=$", "%", "expected a caption, the text of its {glue:figure}"),
    ],
    ids=["drawing", "caption"],
)
def test_a_figure_without_its_drawing_or_its_caption_fails_the_build(book, tmp_path, old, new, told):
    folder = shutil.copytree(book, tmp_path / book.name)
    chapter = folder / "chapters" / "index.ipynb"
    text = chapter.read_text(encoding="utf-8")
    assert text.count(old) == 1
    lines = [line for line in text.replace(old, new).splitlines(keepends=True) if '"%' not in line]
    chapter.write_text("".join(lines), encoding="utf-8")
    done = claimbook("build", cwd=folder)
    assert done.returncode == 1 and f"chapters/index.ipynb: figure-primes: {told}" in done.stderr, done.stderr


def test_a_chapter_in_a_format_without_ids_of_cells_is_built(book, tmp_path):
    folder = shutil.copytree(book, tmp_path / book.name)
    chapter = folder / "chapters" / "index.ipynb"
    document = json.loads(chapter.read_text(encoding="utf-8")) | {"nbformat_minor": 4}
    for cell in document["cells"]:
        del cell["id"]
    chapter.write_text(json.dumps(document), encoding="utf-8")
    done = claimbook("build", cwd=folder)
    assert done.returncode == 0 and "WARNING" not in done.stderr, done.stderr
    assert 'id="cell-' in (folder / "_build/book/html/chapters/index.html").read_text(encoding="utf-8")


def test_a_claim_that_is_made_false_fails_the_build(book):
    chapter = book / "chapters" / "index.ipynb"
    text = chapter.read_text(encoding="utf-8")
    chapter.write_text(text.replace("2 * lengths - 1", "2 * lengths - 2", 1), encoding="utf-8")
    done = claimbook("build", cwd=book)
    assert done.returncode == 1 and "note/claim-1" in done.stderr


@pytest.mark.parametrize("name", ["a b", "1st", "x" * 80, "böse"])
def test_a_name_that_is_no_package_is_refused(tmp_path, monkeypatch, capsys, name):
    monkeypatch.chdir(tmp_path)
    assert main(["new", name]) == 2 and not any(tmp_path.iterdir())
    assert "expected a name of letters" in capsys.readouterr().err


def test_what_stands_in_a_folder_is_not_overwritten(tmp_path, capsys):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "README.md").write_text("mine")
    assert main(["new", str(tmp_path / "mine")]) == 2
    assert [path.read_text() for path in (tmp_path / "mine").iterdir()] == ["mine"]
    assert "expected a new or an empty folder" in capsys.readouterr().err


# ---- an archive is of one state ----

PROJECT = """[project]
name = "first-words"
version = "1.0"
description = "One chapter."
license = "MIT"
requires-python = ">=3.11"
keywords = ["words"]
authors = [{name = "A", email = "a@example.org"}]
"""


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A new book in a checkout, built, with a PDF that stands for a printed one."""
    folder = tmp_path_factory.mktemp("finished") / "first-words"
    assert claimbook("new", folder.name, cwd=folder.parent).returncode == 0
    (folder / "pyproject.toml").write_text(PROJECT, encoding="utf-8")
    (folder / "requirements.lock").write_text("", encoding="utf-8")
    identity = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    for command in (("init", "-q"), ("add", "."), (*identity, "commit", "-q", "-m", "Begin")):
        subprocess.run(["git", *command], cwd=folder, check=True)
    assert claimbook("build", cwd=folder).returncode == 0
    pdf = folder / "_build" / "book" / "claimbook.pdf"
    pdf.write_bytes(b"printed")
    note_printed(pdf)
    return folder


def edited(name, old, new):
    """What edits a file of the book."""

    def edit(folder):
        text = (folder / name).read_text(encoding="utf-8")
        assert text.count(old) == 1
        (folder / name).write_text(text.replace(old, new), encoding="utf-8")

    return edit


def failed_since(folder):
    edited("chapters/index.ipynb", "lengths**2, sums", "lengths**2 + 2, sums")(folder)
    assert claimbook("build", cwd=folder).returncode == 1


CHAPTER, MADE = "chapters/index.ipynb", "_build/book"
UNLIKE = {
    "edited code": (
        edited(CHAPTER, "lengths**2, sums", "lengths**2 + 2, sums"),
        "its code or its parameters",
    ),
    "edited prose": (
        edited(CHAPTER, "The first claim is true", "The claim is true"),
        "html: not made of what",
    ),
    "a failed build since": (failed_since, "the book does not stand: index: note/claim-1 is void"),
    "findings of another profile": (
        edited(f"{MADE}/findings.json", '"profile": "book"', '"profile": "quick"'),
        "findings.json: not of the executed chapters",
    ),
    "findings of another build": (
        edited(f"{MADE}/findings.json", '"the first n odd numbers add up to n² + 1"', '"it is another"'),
        "findings.json: not of the executed chapters",
    ),
    "a page that is gone": (
        lambda folder: (folder / MADE / "html" / "chapters" / "ledger.html").unlink(),
        "html: not made of what",
    ),
    "an old PDF": (
        lambda folder: (folder / MADE / "claimbook.pdf").write_bytes(b"old"),
        "claimbook.pdf: not printed from the site",
    ),
}


@pytest.mark.parametrize(("change", "told"), UNLIKE.values(), ids=UNLIKE)
def test_an_archive_of_several_states_is_refused(finished, tmp_path, change, told):
    folder = shutil.copytree(finished, tmp_path / finished.name)
    change(folder)
    done = claimbook("archive", cwd=folder)
    assert done.returncode == 2 and told in done.stderr and done.stderr.count("\n") == 1, done.stderr
    assert not (folder / "_build" / "archive").exists()


def test_an_archive_of_one_state_is_written(finished, tmp_path):
    folder = shutil.copytree(finished, tmp_path / finished.name)
    done = claimbook("archive", cwd=folder)
    assert done.returncode == 0 and (folder / "_build" / "archive" / "SHA256SUMS").is_file(), done.stderr


# ---- the example ----

HIGHLIGHTS, BELOW = "```{generated} highlights", "### All of it"
EXAMPLE = Path(__file__).parents[1] / "examples" / "first-digits"


@pytest.fixture(scope="module")
def example(tmp_path_factory):
    """The folder of the example, copied without what builds leave there, and built."""
    folder = tmp_path_factory.mktemp("example") / EXAMPLE.name
    shutil.copytree(EXAMPLE, folder, ignore=shutil.ignore_patterns("_build", "__pycache__"))
    front = folder / "chapters" / "index.md"  # what is generated may stand below a heading of any level
    front.write_text(
        front.read_text(encoding="utf-8").replace(HIGHLIGHTS, f"{BELOW}\n\n{HIGHLIGHTS}"), encoding="utf-8"
    )
    done = claimbook("build", cwd=folder)
    assert done.returncode == 0 and "WARNING" not in done.stderr, done.stderr
    return folder


def test_every_verdict_is_the_expected_one_and_one_statement_is_false(example):
    done = claimbook("ledger", "--json", cwd=example)
    assert done.returncode == 0
    rows = json.loads(done.stdout)["statements"]
    assert len(rows) >= 5 and [row["verdict"] for row in rows].count("contradicted") == 1


def test_the_site_has_figures_errata_and_a_search(example):
    site = example / "_build" / "book" / "html"
    for name in ("first-and-second-digits", "ratios-of-ratios"):
        assert "<figure" in (site / "chapters" / f"{name}.html").read_text(encoding="utf-8")
    assert "erratum-newcomb-ratios" in (site / "chapters" / "errata.html").read_text(encoding="utf-8")
    assert "newcomb-ratios-corrected" in (site / "search-entries.js").read_text(encoding="utf-8")


RENDER = """
import os, sys
os.cpu_count = lambda: int(sys.argv[1])
from claimbook.sphinx_alone import main
sys.exit(main(["build", ".", "-W", "-n", "--path-output", sys.argv[2]]))
"""


@pytest.mark.skipif(os.name == "nt", reason="Sphinx reads one by one there")
def test_pages_that_are_read_side_by_side_are_those_that_are_read_one_by_one(example, tmp_path):
    sites = []
    for cores in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", RENDER, cores, tmp_path / cores],
            cwd=example,
            capture_output=True,
            text=True,
            env=os.environ | {RENDERED: str(example / "_build" / "book" / "executed")},
        )
        assert done.returncode == 0, done.stderr
        assert ("chapters/errata .. chapters/" in done.stdout) == (cores == "2")
        site = tmp_path / cores / "_build" / "html"
        sites.append({path.relative_to(site): path.read_bytes() for path in site.rglob("*.*")})
    assert sites[0] == sites[1] and len(sites[0]) > 20


@pytest.mark.parametrize(("page", "heading"), [("index", "h4"), ("errata", "h2")])
def test_headings_of_what_is_generated_are_one_level_below_the_one_above_it(example, page, heading):
    text = (example / "_build" / "book" / "html" / "chapters" / f"{page}.html").read_text(encoding="utf-8")
    told = {"index": "What is false, the heaviest first", "errata": "Newcomb"}[page]
    assert f"<{heading}>{told}" in text


def test_the_errata_explain_the_kinds_that_occur(example):
    text = (example / "_build" / "book" / "html" / "chapters" / "errata.html").read_text(encoding="utf-8")
    assert text.count("<em>false as printed</em>") + text.count("<em>false as meant</em>") == 1
    assert "<em>misprint</em>" not in text and "<em>wrong number</em>" not in text


def test_no_address_of_another_repository_is_on_a_page(example):
    """Jupyter Book's default address is its own."""
    for page in (example / "_build" / "book" / "html" / "chapters").glob("*.html"):
        assert "github.com" not in page.read_text(encoding="utf-8"), page.name


def test_its_only_python_is_its_chapters_and_its_book():
    assert [path.name for path in EXAMPLE.rglob("*.py") if "_build" not in path.parts] == ["__init__.py"]
