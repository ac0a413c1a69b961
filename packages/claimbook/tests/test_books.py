"""New books build at once, false claims fail, and archives have matching parts."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest
import yaml
from samples import called, claimbook

from claimbook import build
from claimbook.cli.main import main
from claimbook.project import Project
from claimbook.publish import metadata
from claimbook.sphinxext.labels import check_places

# ---- a new book ----


def site_page(book, name):
    return (book / "_build" / "book" / "html" / "chapters" / f"{name}.html").read_text(encoding="utf-8")


def test_it_has_its_verdicts_its_figure_its_errata_and_its_search(built_book):
    site, page = built_book / "_build" / "book" / "html", site_page(built_book, "index")
    assert "A note, Claim 2, corrected" in page and "✕ contradicted" in page and "<img" in page
    assert 'id="erratum-note-claim-2"' in site_page(built_book, "statements")
    assert (site / "search.js").is_file() and "First words" in page
    assert "note-claim-2-corrected" in (site / "search-entries.js").read_text(encoding="utf-8")


def test_its_verdicts_are_the_expected_ones_also_that_of_a_new_chapter(copied_book):
    done = called("ledger", "--json")
    verdicts = {row["id"]: row["verdict"] for row in json.loads(done.stdout)["statements"]}
    assert done.returncode == 0 and verdicts == {
        "note/claim-1": "proved here",
        "note/claim-2": "contradicted",
        "note/claim-2-corrected": "proved here",
        "own/my-question": "proved here",
    }


def test_a_new_book_contains_no_placeholder_names(built_book):
    built_folders = {"_build", ".git", "__pycache__"}
    files = [path for path in built_book.rglob("*") if path.is_file() and not built_folders & {*path.parts}]
    assert (built_book / "first_words" / "__init__.py") in files
    for path in files:
        text = path.read_text(encoding="utf-8")
        for word in ("my_book", "my-book", "My book", "THE AUTHORS", "THE-"):
            assert word not in text, path


def test_it_has_the_fields_that_pages_and_archives_need(built_book):
    assert metadata.missing(built_book) == ""
    project = tomllib.loads((built_book / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["name"] == "first-words" and project["dependencies"] == ["claimbook[build]"]


def test_its_lock_names_claimbook_and_the_versions_that_are_installed(built_book):
    lines = (built_book / "requirements.lock").read_text(encoding="utf-8").splitlines()
    lines = [line for line in lines if not line.startswith("#")]
    assert lines[0].startswith("claimbook[build]") and f"sphinx=={version('sphinx')}" in lines
    assert f"pytest=={version('pytest')}" in lines and len({*lines}) == len(lines) > 50


def test_its_workflow_does_what_its_readme_says(built_book):
    workflow = yaml.safe_load((built_book / ".github/workflows/book.yml").read_text(encoding="utf-8"))
    commands = [step["run"] for step in workflow["jobs"]["book"]["steps"] if "run" in step]
    readme = (built_book / "README.md").read_text(encoding="utf-8")
    assert len(commands) == 4 and all(command in readme for command in commands)


@pytest.mark.nightly  # it builds the book at another profile, which takes as long as the build above
def test_its_own_test_passes(copied_book):
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run(command, cwd=copied_book, capture_output=True, encoding="utf-8")
    assert done.returncode == 0 and "3 passed" in done.stdout, done.stdout


def test_git_ignores_the_output_of_builds_and_runs(built_book):
    assert {"_build/", "runs/", "sweeps/"} <= {*(built_book / ".gitignore").read_text().split()}


@pytest.mark.parametrize(
    ("text", "heading"), [("What is false, the most important first", "h4"), ("The table", "h2")]
)
def test_generated_headings_are_one_level_below_the_heading_above(built_book, text, heading):
    assert f"<{heading}>{text}" in site_page(built_book, "statements")


def test_the_errata_explain_the_kinds_that_occur(built_book):
    text = site_page(built_book, "statements")
    assert text.count("<em>false as printed</em>") + text.count("<em>false as meant</em>") == 1
    assert "<em>misprint</em>" not in text and "<em>wrong number</em>" not in text


def test_no_address_of_another_repository_is_on_a_page(built_book):
    """Jupyter Book's default address is its own."""
    for page in (built_book / "_build" / "book" / "html" / "chapters").glob("*.html"):
        assert "github.com" not in page.read_text(encoding="utf-8"), page.name


@pytest.mark.skipif(os.name == "nt", reason="Sphinx reads one by one there")
@pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="one core reads one by one")
def test_pages_read_in_parallel_equal_those_read_one_by_one(built_book, tmp_path, monkeypatch):
    home, log = built_book / "_build" / "book", tmp_path / "log"
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setenv("PYTHONPATH", os.environ.get("PYTHONPATH", ""))
    monkeypatch.setattr(build, "_START", f"import os; os.cpu_count = lambda: 1\n{build._START}")
    assert build.render(Project(built_book), home / "executed", tmp_path / "work", log) == []
    logs = [path.read_text(encoding="utf-8") for path in (home / "render.log", log)]
    assert [" .. chapters/" in text for text in logs] == [True, False]
    sites = [
        {path.relative_to(site): path.read_bytes() for path in site.rglob("[!.]*.*")}
        for site in (home / "html", tmp_path / "work" / "_build" / "html")
    ]
    assert sites[0] == sites[1] and len(sites[0]) > 20


# What Sphinx makes of a directive only Sphinx tells.
def test_a_figure_without_its_caption_fails_the_build(copied_book):
    chapter = copied_book / "chapters" / "index.ipynb"
    document = json.loads(chapter.read_text(encoding="utf-8"))
    (cell,) = (cell for cell in document["cells"] if cell["id"] == "caption")
    cell["source"] = "```{glue:figure} figure-primes\n:name: figure-primes\n```"
    chapter.write_text(json.dumps(document), encoding="utf-8")
    done = called("build")
    message = "chapters/index.ipynb: figure-primes: expected a caption, the text of its {glue:figure}"
    assert done.returncode == 1 and message in done.stderr, done.stderr


def test_a_warning_of_the_renderer_names_the_cell_and_the_line(copied_book):
    edited("chapters/index.ipynb", "At $n=40$ it is", "{ref}`nowhere` At $n=40$ it is")(copied_book)
    done = called("build")
    (line,) = (line for line in done.stderr.splitlines() if "nowhere" in line)
    assert done.returncode == 1 and "0 of 2 chapters to execute" in done.stdout
    assert re.match(r'chapters/index\.ipynb, cell \d+ of \d+, "A claim that is false", line 9: WARNING', line)


def test_words_of_the_registry_execute_no_chapter_again(copied_book):
    edited("first_words/content/registry.csv", "add up to n²", "have the sum n²")(copied_book)
    jobs = build._jobs(Project(copied_book), "book")
    assert [job.outdated() for job in jobs] == ["", ""]


@pytest.mark.parametrize("name", ["a b", "1st", "x" * 80, "böse"])
def test_a_name_that_is_no_package_is_rejected(tmp_path, monkeypatch, capsys, name):
    monkeypatch.chdir(tmp_path)
    assert main(["new", name]) == 2 and not any(tmp_path.iterdir())
    assert "expected a name of letters" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("class", "not a Python keyword"),
        ("numpy", "'import numpy' finds another"),
        ("json", "'import json' finds another"),
        ("tests", "a book has a folder with this name"),
    ],
)
def test_a_name_that_the_book_could_not_be_imported_by_is_rejected(tmp_path, monkeypatch, name, message):
    monkeypatch.chdir(tmp_path)
    done = called("new", name)
    assert done.returncode == 2 and message in done.stderr and not any(tmp_path.iterdir())


@pytest.mark.parametrize(("engine", "is_local"), [("claimbook==1.0", False), ("claimbook @ file:///x", True)])
def test_a_lock_with_a_folder_of_this_machine_is_announced(tmp_path, monkeypatch, capsys, engine, is_local):
    monkeypatch.setattr("claimbook.cli.new.engine_line", lambda: engine)
    assert main(["new", str(tmp_path / "primes")]) == 0
    assert ("other machines need another one" in capsys.readouterr().out) == is_local


@pytest.mark.parametrize("name", ["MIT", "BSD-3-Clause", "CC-BY-4.0"])
def test_the_licence_and_the_author_are_those_that_were_chosen(tmp_path, name):
    folder = tmp_path / "a-book"
    assert called("new", str(folder), "--license", name, "--author", "Ann Ö'Hara").returncode == 0
    text = (folder / "LICENSE").read_text(encoding="utf-8")
    project = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert "Ann Ö'Hara" in text and project["authors"] == [{"name": "Ann Ö'Hara"}]
    assert (
        project["license"] == name and "THE-YEAR" not in text and "THE AUTHORS OR" in text + "THE AUTHORS OR"
    )
    assert yaml.safe_load((folder / "_config.yml").read_text(encoding="utf-8"))["author"] == "Ann Ö'Hara"


@pytest.mark.parametrize("author", ['A "B"', "a\nb", "{a}", "<a>", "$a"])
def test_an_author_that_would_break_a_file_is_rejected(tmp_path, author):
    assert called("new", str(tmp_path / "a-book"), "--author", author).returncode == 2
    assert not any(tmp_path.iterdir())


def test_a_new_book_never_overwrites_files(tmp_path, capsys):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "README.md").write_text("mine")
    assert main(["new", str(tmp_path / "mine")]) == 2
    assert [path.read_text() for path in (tmp_path / "mine").iterdir()] == ["mine"]
    assert "expected a new or an empty folder" in capsys.readouterr().err


# ---- an archive is of one state ----


def edited(name, old, new):
    """Return a function that edits a file of the book."""

    def edit(folder):
        text = (folder / name).read_text(encoding="utf-8")
        assert text.count(old) == 1
        (folder / name).write_text(text.replace(old, new), encoding="utf-8")

    return edit


CHAPTER, MADE = "chapters/index.ipynb", "_build/book"
UNLIKE = {
    "edited code": (
        edited(CHAPTER, "lengths**2, sums", "lengths**2 + 2, sums"),
        "its code or its parameters",
    ),
    "edited prose": (
        edited(CHAPTER, "The first claim is true", "The claim is true"),
        "html: expected a site made from the present sources",
    ),
    "findings of another profile": (
        edited(f"{MADE}/findings.json", '"profile": "book"', '"profile": "quick"'),
        "findings.json: expected the findings of the executed chapters",
    ),
    "findings of another build": (
        edited(f"{MADE}/findings.json", '"the first n odd numbers add up to n² + 1"', '"it is another"'),
        "findings.json: expected the findings of the executed chapters",
    ),
    "a page that is gone": (
        lambda folder: (folder / MADE / "html" / "chapters" / "statements.html").unlink(),
        "html: expected a site made from the present sources",
    ),
    "an old PDF": (
        lambda folder: (folder / MADE / "first-words.pdf").write_bytes(b"old"),
        "first-words.pdf: expected a print of the site",
    ),
}


@pytest.mark.parametrize(("change", "message"), UNLIKE.values(), ids=UNLIKE)
def test_an_archive_of_mismatched_parts_is_rejected(copied_book, change, message):
    change(copied_book)
    done = called("archive")
    assert done.returncode == 2 and message in done.stderr and done.stderr.count("\n") == 1, done.stderr
    assert not (copied_book / "_build" / "archive").exists()


def test_a_claim_that_becomes_false_fails_the_build_and_no_archive_is_written(copied_book):
    edited(CHAPTER, "2 * lengths - 1", "2 * lengths - 2")(copied_book)
    done = called("build")
    assert done.returncode == 1 and "note/claim-1: expected proved here, got inconclusive" in done.stderr
    done = called("archive")
    assert done.returncode == 2 and done.stderr.count("\n") == 1
    assert (
        "the book cannot be published: index: " in done.stderr
        and "note/claim-1: expected proved here, got inconclusive" in done.stderr
    )
    assert not (copied_book / "_build" / "archive").exists()


def test_an_archive_of_matching_parts_is_written(copied_book):
    done = called("archive")
    assert done.returncode == 0, done.stderr
    assert (copied_book / "_build" / "archive" / "SHA256SUMS").is_file()


# ---- the example ----

EXAMPLE = Path(__file__).parents[1] / "examples" / "first-digits"


def test_the_tables_of_the_example_lead_to_its_pages(monkeypatch):
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setenv("PYTHONPATH", os.environ.get("PYTHONPATH", ""))
    check_places(Project(EXAMPLE))


# All that it uses is in the book above; that its numbers are right only its chapters tell.
@pytest.mark.nightly
def test_the_example_builds_and_one_of_its_statements_is_false(tmp_path):
    folder = tmp_path / EXAMPLE.name
    shutil.copytree(EXAMPLE, folder, ignore=shutil.ignore_patterns("_build", "__pycache__"))
    done = claimbook("build", cwd=folder)
    assert done.returncode == 0 and "WARNING" not in done.stderr, done.stderr
    done = claimbook("ledger", "--json", cwd=folder)
    rows = json.loads(done.stdout)["statements"]
    assert done.returncode == 0 and len(rows) >= 5
    assert [row["verdict"] for row in rows].count("contradicted") == 1
    for name in ("first-and-second-digits", "ratios-of-ratios"):
        assert "<figure" in site_page(folder, name)
    assert "erratum-newcomb-ratios" in site_page(folder, "statements")


def test_its_only_python_is_its_chapters_and_its_book():
    assert [path.name for path in EXAMPLE.rglob("*.py") if "_build" not in path.parts] == ["__init__.py"]
