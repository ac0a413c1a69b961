import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from ndcg_companion.writing import MARKER, check_page, folder_name, output_folder, settle, write_page


def write(folder, kind="run", **files):
    with output_folder(folder, kind) as scratch:
        for name, text in files.items():
            path = scratch / name.replace("__", "/")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)


def contents(folder):
    """Name to text of all files below a folder, links as such; without our marker."""
    return {
        path.relative_to(folder).as_posix(): os.readlink(path) if path.is_symlink() else path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if (path.is_symlink() or path.is_file()) and path.name != MARKER
    }


def test_a_new_and_an_empty_folder_are_written_and_written_again(tmp_path):
    for folder in (tmp_path / "new" / "below", tmp_path / "empty"):
        folder.parent.mkdir(exist_ok=True)
        write(folder, page="one", shared__style="a", shared__old="b")
        write(folder, page="two", shared__style="c")
        assert contents(folder) == {"page": b"two", "shared/style": b"c"}
        assert sorted(path.name for path in folder.iterdir()) == [MARKER, "page", "shared"]


def test_a_relative_folder_is_as_good_with_any_python(tmp_path, monkeypatch):
    """From 3.12 on, mkdtemp tells of an absolute path, whatever it was asked for."""
    make = tempfile.mkdtemp
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(tempfile, "mkdtemp", lambda **given: os.path.abspath(make(**given)))
    for text in ("1", "2"):
        write(Path("here"), page=text)
    assert (
        contents(tmp_path / "here") == contents(Path("here"))
        and (tmp_path / "here" / "page").read_text() == "2"
    )


def test_what_the_user_put_beside_our_files_stays(tmp_path):
    write(tmp_path / "out", page="one", shared__style="a")
    (tmp_path / "out" / "shared" / "mine").write_text("mine")
    write(tmp_path / "out", page="two")
    assert contents(tmp_path / "out") == {"page": b"two", "shared/mine": b"mine"}


FOREIGN = {
    "a file": lambda path: path.write_text("mine"),
    "a folder with a file": lambda path: (path.mkdir(), (path / "mine").write_text("mine")),
    "a folder with a folder": lambda path: (path / "below").mkdir(parents=True),
    "a link to an empty folder": lambda path: (path.with_name("real").mkdir(), path.symlink_to("real")),
    "a link to nothing": lambda path: path.symlink_to("nowhere"),
    "a folder of another kind": lambda path: write(path, "sweep", page="theirs"),
    "a page that was edited": lambda path: (write(path, page="one"), (path / "page").write_text("edited")),
    "a marker that is none": lambda path: (path.mkdir(), (path / MARKER).write_text("{}")),
    "a marker without end": lambda path: (path.mkdir(), (path / MARKER).write_text("[" * 100_000)),
    "a marker of numbers": lambda path: (
        path.mkdir(),
        (path / MARKER).write_text('{"kind": "run", "files": {"page": 7}}'),
    ),
    "a marker that names everything": lambda path: (
        path.mkdir(),
        (path / "page").write_text("mine"),
        (path / MARKER).write_text('{"kind": "run", "files": {"page": ["0"], ".": null}}'),
    ),
    "a marker that points out": lambda path: (
        path.with_name("victim").write_text("mine"),
        path.mkdir(),
        (path / MARKER).write_text(json.dumps({"kind": "run", "files": {"../victim": None}})),
    ),
    "a file where a folder is needed": lambda path: (
        write(path, other="one"),
        (path / "shared").write_text("mine"),
    ),
    "a link where a folder is needed": lambda path: (
        write(path, other="one"),
        path.with_name("real").mkdir(),
        (path / "shared").symlink_to(path.with_name("real")),
    ),
    "a file of the same name": lambda path: (write(path, other="one"), (path / "page").write_text("mine")),
}


@pytest.mark.parametrize("prepare", FOREIGN.values(), ids=FOREIGN)
def test_anything_else_is_refused_and_stays_as_it_is(tmp_path, prepare):
    prepare(tmp_path / "out")
    before = contents(tmp_path)
    with pytest.raises(ValueError, match="out"):
        write(tmp_path / "out", page="two", shared__style="a")
    assert contents(tmp_path) == before


def test_work_that_fails_leaves_what_was_there_and_nothing_else(tmp_path):
    with pytest.raises(RuntimeError), output_folder(tmp_path / "a" / "b", "run") as scratch:
        (scratch / "page").write_text("half")
        raise RuntimeError
    assert list(tmp_path.iterdir()) == []
    write(tmp_path / "out", page="one")
    with output_folder(tmp_path / "out", "run"):
        pass
    assert contents(tmp_path / "out") == {"page": b"one"}


def test_claimed_files_are_ours_whatever_became_of_them(tmp_path):
    for text in ("one", "two"):
        with output_folder(tmp_path / "out", "sweep", ["run/book"]) as scratch:
            (tmp_path / "out" / "run").mkdir(exist_ok=True)
            (tmp_path / "out" / "run" / "book").write_text(text)
            (scratch / "table").write_text(text)
            settle(scratch, "sweep")
    assert contents(tmp_path / "out") == {"run/book": b"two", "table": b"two"}
    (tmp_path / "out" / "run" / "other").write_text("mine")
    with pytest.raises(ValueError, match="not ours"), output_folder(tmp_path / "out", "sweep", ["run/other"]):
        pass


KILLED = """\
import os, sys
from ndcg_companion import writing
place = int(sys.argv[2])
def stop(*_, calls=iter(range(9)), replace=os.replace):
    if next(calls) == place:
        os.kill(os.getpid(), 9)
    replace(*_)
os.replace = stop
with writing.output_folder(sys.argv[1], "run") as scratch:
    for name in "abc":
        (scratch / name).write_text(sys.argv[2])
"""


@pytest.mark.skipif(os.name == "nt", reason="kills a process")
def test_a_kill_at_any_step_leaves_a_folder_that_the_next_call_can_use(tmp_path):
    for place in range(5):
        done = subprocess.run([sys.executable, "-c", KILLED, tmp_path / "out", str(place)])
        assert done.returncode == -9 and list((tmp_path / "out").glob("part-*"))
        if place % 2:
            write(tmp_path / "out", b="again", d="more")
            assert contents(tmp_path / "out") == {"b": b"again", "d": b"more"}
            assert not list((tmp_path / "out").glob("part-*"))


def test_two_calls_do_not_write_into_one_folder_at_once(tmp_path):
    holder = """\
import sys
from ndcg_companion.writing import output_folder
with output_folder(sys.argv[1], "run"):
    print("in", flush=True)
    input()"""
    with subprocess.Popen(
        [sys.executable, "-c", holder, tmp_path / "out"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout.readline() == "in\n"
        with pytest.raises(ValueError, match=f"process {process.pid} is writing there"):
            write(tmp_path / "out", page="mine")
        process.communicate("\n")
    write(tmp_path / "out", page="mine")
    assert contents(tmp_path / "out") == {"page": b"mine"}


def test_an_error_without_a_name_gets_that_of_the_folder(tmp_path):
    with pytest.raises(OSError) as caught, output_folder(tmp_path / "out", "run"):
        raise OSError(28, "No space left on device")
    assert caught.value.filename == str(tmp_path / "out")


def test_a_page_replaces_only_itself(tmp_path):
    page = tmp_path / "diff.html"
    for text in ("<p>one</p>", "<p>two</p>"):
        write_page(page, text)
        assert page.read_text().startswith(text)
    for text in (page.read_text().replace("two", "three"), "", "<p>two</p>"):
        page.write_text(text)
        with pytest.raises(ValueError, match="expected a new file"):
            write_page(page, "<p>four</p>")
        assert page.read_text() == text
    page.write_bytes(b"\xff")
    (tmp_path / "link").symlink_to("nowhere")
    for path in (page, tmp_path, tmp_path / "link", tmp_path / "no" / "folder", "", "a\nb"):
        with pytest.raises(ValueError):
            check_page(path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["diff.html", "link"]


def test_names_of_folders_are_short_and_never_the_same_twice():
    names = [
        folder_name({"curves": text}) for text in ("a b", "a/b", "a_b", "é" * 300, "x" * 301, "\udcff", "")
    ]
    assert len(set(names)) == len(names) and all(len(name.encode()) < 140 for name in names)
