"""The inputs of a chapter are recorded while it runs, and outdate it if they change."""

import gzip
import json
import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from plain_book import BOOK
from samples import as_executed, finding, small_book_in, write_notebook

from claimbook.execute import inputs
from claimbook.execute.notebooks import Job, execute, read_metadata
from claimbook.output_metadata import METADATA_KEY
from claimbook.project import Project
from claimbook.writing import digest

READS = """\
import csv, gzip, json, os, shutil, sqlite3, tempfile
from pathlib import Path
import numpy as np, scipy
import odd, helper
os.chdir(odd.HERE)
for name in ("text.txt", "text.txt"):
    Path("files", name).read_text()
list(csv.reader(open("files/table.csv"))), np.load("files/array.npy"), gzip.open("files/packed.gz").read()
sqlite3.connect("files/base.db").execute("select * from t").fetchall()
os.read(os.open("files/raw.bin", os.O_RDONLY), 9)
sorted(Path("files/many").glob("*.txt"))
Path(odd.OUTSIDE).read_text()
try:
    open("files/not-yet.txt")
except FileNotFoundError:
    pass"""
WRITES = """\
Path("files/made.txt").write_text("made"), Path("files/made.txt").read_text()
Path("files/part").write_text("made"), os.replace("files/part", "files/moved.txt")
Path("files/moved.txt").read_text()
Path("files/many/made.txt").write_text("made")
with tempfile.NamedTemporaryFile() as file:
    shutil.copy("files/text.txt", file.name), Path(file.name).read_text()
open("files/log.txt", "a").write("more");"""
STARTS = """\
import subprocess, sys
code = "import calendar; open('files/of-a-program.txt').read(); print(sys.path)"
ran = subprocess.run([sys.executable, "-c", f"import sys; {code}"], capture_output=True, text=True)
assert ran.returncode == 0 and not ran.stderr and "started" not in ran.stdout, ran"""
FORKS = """\
if hasattr(os, "fork"):
    if not (child := os.fork()):
        Path("files/of-a-child.txt").read_text()
        os._exit(0)
    os.waitpid(child, 0)"""
MANIFEST = "Metadata-Version: 2.1\nName: odd-numbers\nVersion: {version}\n"


@pytest.fixture(scope="module")
def read_once(tmp_path_factory):
    """Return a book whose first chapter reads many kinds of files and imports a package."""
    root = small_book_in(tmp_path_factory.mktemp("reads"))
    outside = root.parent / "outside.txt"
    outside.write_text("outside", encoding="utf-8")
    (root / "files" / "many").mkdir(parents=True)
    for name in (
        "text.txt",
        "of-a-child.txt",
        "of-a-program.txt",
        "never.txt",
        "raw.bin",
        "many/one.txt",
        "log.txt",
    ):
        (root / "files" / name).write_text(name, encoding="utf-8")
    (root / "files" / "table.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    np.save(root / "files" / "array.npy", np.arange(3))
    with gzip.open(root / "files" / "packed.gz", "wb") as file:
        file.write(b"packed")
    with closing(sqlite3.connect(root / "files" / "base.db")) as base, base:
        base.execute("create table t (x)")
    (root / "helper.py").write_text("answer = 42\n", encoding="utf-8")
    (root / "odd.py").write_text(f"HERE, OUTSIDE = {str(root)!r}, {str(outside)!r}\n", encoding="utf-8")
    manifest = root / "odd_numbers-1.0.dist-info"
    manifest.mkdir()
    (manifest / "METADATA").write_text(MANIFEST.format(version="1.0"), encoding="utf-8")
    (manifest / "RECORD").write_text("odd.py,,\n", encoding="utf-8")
    write_notebook(root / "chapters" / "first.ipynb", READS, WRITES, STARTS, FORKS)
    assert execute([job_of(root)], workers=1) == []
    return root


@pytest.fixture
def inputs_of(read_once):
    return read_metadata(job_of(read_once).output)["inputs"]


@pytest.fixture
def read(read_once, monkeypatch):
    """Return that book; its files are restored at the end."""
    kept = read_once.parent / "kept"
    shutil.copytree(read_once, kept)
    inputs.forget_installed()
    yield read_once
    inputs.forget_installed()
    shutil.rmtree(read_once)
    kept.rename(read_once)


def job_of(root):
    return Job(Project(root).chapter("first"), {}, root / "executed" / "first.ipynb")


def test_every_file_that_was_read_is_recorded_and_none_that_the_chapter_wrote(read_once, inputs_of):
    outside = str(read_once.parent / "outside.txt")
    names = {"text.txt", "table.csv", "array.npy", "packed.gz", "base.db", "raw.bin", "not-yet.txt"}
    names |= {"of-a-program.txt"}
    assert set(inputs_of["files"]) - {"files/of-a-child.txt"} == {
        *(f"files/{name}" for name in names),
        "helper.py",
        "odd.py",
        outside,
    }
    assert inputs_of["files"]["files/not-yet.txt"] is None
    assert [*inputs_of["lists"]] == ["files/many"]


def test_a_registry_makes_a_chapter_stale_where_it_expects_another_verdict(small_book, tmp_path):
    content = shutil.copytree(BOOK.content, tmp_path / "content")

    def job():
        chapter = replace(Project(small_book.root).chapter("first"), book=replace(BOOK, content=content))
        return Job(chapter, {}, tmp_path / "first.ipynb")

    record = finding("note/claim-1") | {"expected": "consistent"}
    job().output.write_text(as_executed(job(), {"finding": record}), encoding="utf-8")
    assert job().outdated() == ""
    table = content / "registry.csv"
    text = table.read_text(encoding="utf-8")
    first, *others = text.splitlines()[1:]
    assert first.startswith("note/claim-1,")
    table.write_text(text.replace(others[0], others[0] + " or so"), encoding="utf-8")
    assert job().outdated() == ""
    table.write_text(text.replace(first, first.replace("consistent", "not testable")), encoding="utf-8")
    assert job().outdated() == "registry.csv expects another verdict on note/claim-1"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes cannot be copied there")
def test_a_file_that_a_forked_process_read_is_recorded(inputs_of):
    assert "files/of-a-child.txt" in inputs_of["files"]


def test_the_versions_of_imported_packages_are_recorded_and_no_others(inputs_of):
    packages = inputs_of["packages"]
    assert packages["odd-numbers"] == "1.0" and {"numpy", "scipy"} <= packages.keys()
    assert not packages.keys() & {"claimbook", "plain-book", "sphinx", "papermill"}


def overwrite(name):
    return lambda root: (root / name).write_text("other", encoding="utf-8")


CHANGES = {
    "a data file": (overwrite("files/text.txt"), "files/text.txt has other contents"),
    "a data file that is gone": (lambda root: (root / "files/raw.bin").unlink(), "files/raw.bin is gone"),
    "a file that was not there": (overwrite("files/not-yet.txt"), "files/not-yet.txt is there"),
    "a database": (overwrite("files/base.db"), "files/base.db has other contents"),
    "a module beside the book": (overwrite("helper.py"), "helper.py has other contents"),
    "a new file in a folder that was listed": (overwrite("files/many/two.txt"), "files/many contains other"),
    "the version of a package": (
        lambda root: (root / "odd_numbers-1.0.dist-info" / "METADATA").write_text(
            MANIFEST.format(version="1.1"), encoding="utf-8"
        ),
        "odd-numbers 1.0 is now 1.1",
    ),
    "a package that is gone": (
        lambda root: shutil.rmtree(root / "odd_numbers-1.0.dist-info"),
        "odd-numbers 1.0 is now not installed",
    ),
}


@pytest.mark.parametrize(("change", "reason"), CHANGES.values(), ids=CHANGES)
def test_a_chapter_is_stale_once_what_it_read_or_imported_has_changed(read, change, reason):
    job = job_of(read)
    assert job.is_up_to_date()
    change(read)
    inputs.forget_installed()
    assert not job.is_up_to_date()
    assert inputs.change_of_input(read_metadata(job.output)["inputs"], read).startswith(reason)


def test_a_file_outside_of_the_book_counts(read):
    outside = read.parent / "outside.txt"
    outside.write_text("other", encoding="utf-8")
    assert not job_of(read).is_up_to_date()
    outside.write_text("outside", encoding="utf-8")
    assert job_of(read).is_up_to_date()


@pytest.mark.parametrize("name", ["files/never.txt", "files/made.txt", "files/many/made.txt", "new.txt"])
def test_a_file_that_was_not_read_or_that_the_chapter_wrote_changes_nothing(read, name):
    overwrite(name)(read)
    assert job_of(read).is_up_to_date()


def test_a_chapter_that_was_executed_without_a_record_is_stale(read):
    job = job_of(read)
    content = json.loads(job.output.read_text(encoding="utf-8"))
    noted = content["metadata"][METADATA_KEY]
    del noted["inputs"], noted["seal"]
    noted["seal"] = digest([noted, content["cells"]])
    job.output.write_text(json.dumps(content), encoding="utf-8")
    assert read_metadata(job.output)["key"] == job.key and not job.is_up_to_date()


def test_a_folder_whose_name_begins_like_one_that_does_not_count_does(tmp_path):
    for name in ("engine", "engine-data", "book", "book-data"):
        (tmp_path / name).mkdir()
        for file in ("data.csv", "code.py"):
            (tmp_path / name / file).write_text("x", encoding="utf-8")
    file = tmp_path / "record"
    inputs.prepare_record(file, [tmp_path / "book"], tmp_path / "engine")
    record = inputs._Record(str(file), [str(tmp_path / name) for name in ("engine", "book")])
    for path in sorted(tmp_path.glob("*/*")):
        record("open", (str(path), "r", os.O_RDONLY))
    files = inputs.recorded_inputs(file, tmp_path, ())["files"]
    assert [*files] == [
        "book-data/code.py",
        "book-data/data.csv",
        "book/data.csv",
        "engine-data/code.py",
        "engine-data/data.csv",
    ]


def test_a_kernel_that_records_nothing_is_a_failure(small_book, monkeypatch):
    monkeypatch.setattr(inputs, "__name__", "no_such_module")
    job = Job(small_book.chapter("second"), {}, small_book.root / "executed" / "second.ipynb")
    (failure,) = execute([job], workers=1)
    assert "the kernel could not record the inputs of the chapter" in failure and not job.output.exists()


def test_a_program_that_a_chapter_starts_keeps_the_settings_of_its_own_site(tmp_path):
    (tmp_path / "sitecustomize.py").write_text("print('settings of the site')", encoding="utf-8")
    started = Path(inputs.__file__).with_name("started")
    for file in ("", str(tmp_path / "gone")):  # without a kernel, and after its end
        places = {"PYTHONPATH": os.pathsep.join(map(str, (started, tmp_path))), "CLAIMBOOK_INPUTS": file}
        ran = subprocess.run(
            [sys.executable, "-c", "import sitecustomize; print(sitecustomize.__file__)"],
            env=os.environ | places,
            capture_output=True,
            text=True,
        )
        assert ran.stdout.splitlines() == ["settings of the site", str(tmp_path / "sitecustomize.py")]
        assert not ran.stderr
