import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from claimbook.writing import (
    LOCK,
    MARKER,
    SCRATCH,
    check_folder,
    check_page,
    folder_name,
    is_regular,
    open_folder,
    output_folder,
    write_page,
)


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


def test_a_relative_folder_is_as_good(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for text in ("1", "2"):
        write(Path("here") / "below", page=text)
        assert contents(tmp_path) == {"here/below/page": text.encode()}


def test_what_the_user_put_beside_our_files_stays(tmp_path):
    write(tmp_path / "out", page="one", shared__style="a")
    (tmp_path / "out" / "shared" / "mine").write_text("mine")
    write(tmp_path / "out", page="two")
    assert contents(tmp_path / "out") == {"page": b"two", "shared/mine": b"mine"}


def append(path, line):
    with open(path, "a", encoding="utf-8") as file:
        file.write(f"{line}\n")


NOT_OURS = {
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
        (path / MARKER).write_text(json.dumps({"kind": "run", "files": {"../victim": ["0"]}})),
    ),
    "a line of a marker that points out": lambda path: (
        path.with_name("victim").write_text("mine"),
        write(path, page="one"),
        append(path / MARKER, '["../victim", "0"]'),
    ),
    "a line of a marker that claims a file": lambda path: (
        write(path, other="one"),
        (path / "page").write_text("mine"),
        append(path / MARKER, '["page", "0"]'),
    ),
    "a line of a marker that is a number": lambda path: (write(path, page="one"), append(path / MARKER, "7")),
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


@pytest.mark.parametrize("prepare", NOT_OURS.values(), ids=NOT_OURS)
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


def keep(folder, name, text):
    with open_folder(folder, "sweep", [name]) as output:
        output.keep(folder / name, text)


def test_files_that_were_kept_stay_whatever_is_written_later(tmp_path):
    folder = tmp_path / "out"
    for text in ("one", "two"):
        with open_folder(folder, "sweep", ["run/book", "table"]) as output:
            output.keep(folder / "run" / "book", text)
            assert (folder / "run" / "book").read_text() == text
            output.keep(folder / "table", text)
    keep(folder, "run/other", "three")
    assert contents(folder) == {"run/book": b"two", "run/other": b"three", "table": b"two"}
    (folder / "run" / "book").unlink()
    keep(folder, "run/book", "four")
    assert contents(folder)["run/book"] == b"four"


@pytest.mark.parametrize("of_ours", [True, False], ids=["edited", "another's"])
@pytest.mark.parametrize("before", [True, False], ids=["before", "meanwhile"])
def test_a_kept_file_is_no_more_overwritten_than_another(tmp_path, of_ours, before):
    folder = tmp_path / "out"
    if of_ours:
        keep(folder, "run/book", "one")

    def edit():
        (folder / "run").mkdir(parents=True, exist_ok=True)
        (folder / "run" / "book").write_text("mine")

    if before:
        edit()
    with pytest.raises(ValueError, match="was changed since we wrote it|not ours to replace|holds run"):
        with open_folder(folder, "sweep", ["run/book"]) as output:
            assert not before
            edit()
            output.keep(folder / "run" / "book", "two")
    assert contents(folder) == {"run/book": b"mine"}


def test_a_marker_of_an_earlier_version_is_read_and_a_line_that_a_kill_cut_counts_for_nothing(tmp_path):
    folder = tmp_path / "out"
    with open_folder(folder, "sweep") as output:
        for name in ("kept", "table"):
            output.keep(folder / name, "one")
    marker = json.loads((folder / MARKER).read_text())
    files = marker["files"]
    earlier = {"kind": "sweep", "files": {"table": files["table"]}, "kept": {"kept": files["kept"]}}
    (folder / MARKER).write_text(json.dumps(earlier, indent=1) + '\n["table", "00"]\n["kept", "a')
    for name in ("kept", "table"):
        keep(folder, name, "two")
    assert contents(folder) == {"kept": b"two", "table": b"two"}
    assert json.loads((folder / MARKER).read_text())["files"].keys() == {"kept", "table"}


def test_a_file_edited_while_others_are_made_stays(tmp_path):
    write(tmp_path / "out", page="one")
    with pytest.raises(ValueError, match="page: was changed since we wrote it"):
        with output_folder(tmp_path / "out", "run") as scratch:
            (scratch / "page").write_text("two")
            (tmp_path / "out" / "page").write_text("mine")
    assert contents(tmp_path / "out") == {"page": b"mine"}


# ---- scratch folders ----

OTHERS = {
    "a file": lambda path: path.write_text("mine"),
    "a file beside an empty one": lambda path: (
        path.mkdir(),
        (path / "lock").touch(),
        (path / "file").write_text("mine"),
    ),
    "a link to a folder": lambda path: (
        path.with_name("real").mkdir(),
        (path.with_name("real") / "file").write_text("mine"),
        path.symlink_to("real"),
    ),
    "a marker of a folder": lambda path: write(path, "run", page="mine"),
    "a marker of nothing": lambda path: (
        path.mkdir(),
        (path / MARKER).touch(),
        (path / "file").write_text("mine"),
    ),
    "a marker that is a pipe": lambda path: (path.mkdir(), os.mkfifo(path / MARKER)),
}
NAMES = ["part-2024-01", "part-1-x", "part-9999-abcdefgh", SCRATCH]


@pytest.mark.skipif(os.name == "nt", reason="makes pipes and links")
@pytest.mark.parametrize("marked", [True, False], ids=["ours", "not ours"])
@pytest.mark.parametrize("prepare", OTHERS.values(), ids=OTHERS)
@pytest.mark.parametrize("name", NAMES)
def test_what_only_looks_like_scratch_stays(tmp_path, name, prepare, marked):
    folder = tmp_path / "out"
    folder.mkdir()
    if marked:
        write(folder, page="one")
    prepare(folder / name)
    before = contents(tmp_path)
    if marked and name != SCRATCH:  # what the user put beside our files
        write(folder, page="two")
        assert contents(tmp_path) == before | {"out/page": b"two"}
    else:
        with pytest.raises(
            ValueError, match="not ours to remove" if marked else "expected a new or an empty"
        ):
            write(folder, page="two")
        with pytest.raises(ValueError):
            check_folder(folder, "run")
        assert contents(tmp_path) == before


@pytest.mark.skipif(os.name == "nt", reason="makes pipes and links")
@pytest.mark.parametrize("marked", [True, False], ids=["ours", "not ours"])
@pytest.mark.parametrize(
    "prepare",
    [lambda path: path.write_text("mine"), os.mkfifo, lambda path: path.symlink_to("x"), Path.mkdir],
    ids=["a file", "a pipe", "a link", "a folder"],
)
@pytest.mark.parametrize("name", [MARKER, LOCK])
def test_what_has_the_name_of_a_marker_or_a_lock_stays(tmp_path, name, prepare, marked):
    folder = tmp_path / "out"
    folder.mkdir()
    if marked:
        write(folder, page="one")
        (folder / name).unlink(missing_ok=True)
    prepare(folder / name)
    before = sorted(folder.rglob("*"))
    for call in (lambda: write(folder, page="two"), lambda: check_folder(folder, "run")):
        with pytest.raises(ValueError, match="expected a new or an empty folder|not ours to lock"):
            call()
    assert sorted(folder.rglob("*")) == before


@pytest.mark.parametrize(
    "names", [[MARKER], [LOCK], [MARKER, LOCK], [MARKER, SCRATCH], [LOCK, MARKER, SCRATCH]]
)
def test_empty_files_that_a_kill_left_do_not_count(tmp_path, names):
    """Between a file's making and its writing there is no step at which a test could kill."""
    folder = tmp_path / "out"
    folder.mkdir()
    for name in names:
        (folder / name).touch()
    if SCRATCH in names:
        (folder / SCRATCH).unlink()
        (folder / MARKER).write_text('{"kind": "run", "files": {}, "kept": {}}')
        (folder / SCRATCH).mkdir()
        (folder / SCRATCH / MARKER).touch()
    write(folder, page="one")
    assert sorted(path.name for path in folder.iterdir()) == [MARKER, "page"]


# Two folders for each step on the disk, of which one is written when a call is killed before that step; the
# last two are written without a kill.
KILLED = """\
import itertools, os, sys
from pathlib import Path
from claimbook.writing import open_folder, output_folder

STEPS = {"open", "os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.scandir", "shutil.rmtree"}

def work(folder, names, text):
    with open_folder(folder / "sweep", "sweep") as output:
        output.keep(folder / "sweep" / "kept" / names, text)
        output.keep(folder / "sweep" / "table", text)
    with output_folder(folder / "run", "run") as scratch:
        (scratch / "below").mkdir()
        (scratch.parent / "home").mkdir()
        (scratch.parent / "home" / "log").write_text(text)
        for name in names:
            (scratch / "below" / name).write_text(text)

def kill_at(step, passed=itertools.count()):
    sys.addaudithook(lambda event, _: event in STEPS and next(passed) == step and os.kill(os.getpid(), 9))

for step in itertools.count():
    folder = Path(sys.argv[1], str(step))
    for names in sys.argv[2:]:
        work(folder, names, "before")
    if not (process := os.fork()):
        kill_at(step)
        work(folder, "ab", "killed")
        os._exit(0)
    if os.waitpid(process, 0)[1] == 0:
        break
"""


# That no step leaves what blocks the folder cannot be seen without a kill at each.
@pytest.mark.skipif(os.name == "nt", reason="kills a process")
@pytest.mark.parametrize("earlier", [[], ["bc"]], ids=["new", "ours"])
def test_a_kill_at_any_step_leaves_a_folder_that_the_next_call_can_use(tmp_path, earlier):
    subprocess.run([sys.executable, "-c", KILLED, tmp_path, *earlier], check=True)
    folders = sorted(tmp_path.iterdir(), key=lambda folder: int(folder.name))
    assert len(folders) > 40 and contents(folders[-1])["sweep/kept/ab"] == b"killed"
    for folder in folders:
        with open_folder(folder / "sweep", "sweep", ["kept/ab", "kept/b", "table"]) as output:
            output.keep(folder / "sweep" / "kept" / "b", "again")
            output.keep(folder / "sweep" / "table", "again")
        write(folder / "run", "run", below__b="again")
        found = contents(folder)
        assert found.pop("sweep/kept/ab", b"killed") == b"killed"
        assert found == {"run/below/b": b"again", "sweep/kept/b": b"again", "sweep/table": b"again"} | {
            f"sweep/kept/{one}": b"before" for one in earlier
        }
        assert {path.name for path in (folder / "run").iterdir()} == {MARKER, "below"}
        assert {path.name for path in (folder / "sweep").iterdir()} == {MARKER, "table", "kept"}


def test_two_calls_do_not_write_into_one_folder_at_once(tmp_path):
    holder = """\
import sys
from claimbook.writing import output_folder
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
        for attempt in (
            lambda: write(tmp_path / "out", page="mine"),
            lambda: check_folder(tmp_path / "out", "run"),
        ):
            with pytest.raises(ValueError, match=f"process {process.pid} is writing there"):
                attempt()
        process.communicate("\n")
    write(tmp_path / "out", page="mine")
    assert contents(tmp_path / "out") == {"page": b"mine"}


MANY = """\
import sys
from claimbook.writing import check_folder, output_folder
print("ready", flush=True)
input()
check_folder(sys.argv[1], "report")
with output_folder(sys.argv[1], "report") as scratch:
    for name in "abc":
        (scratch / name).write_text(sys.argv[2])
"""


def test_of_many_calls_at_once_one_succeeds_and_the_others_say_why(tmp_path):
    # In processes, which are what the lock tells apart.
    for _ in range(4):
        calls = [
            subprocess.Popen(
                [sys.executable, "-c", MANY, tmp_path / "out", str(number)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
            for number in range(5)
        ]
        for call in calls:
            assert call.stdout.readline() == "ready\n"
        for call in calls:
            call.stdin.write("\n")
            call.stdin.flush()
        said = [(call.communicate()[1], call.returncode) for call in calls]
        assert any(code == 0 for _, code in said)
        assert all(code == 0 or "is writing there; wait for its end" in error for error, code in said), said
        assert len(set(contents(tmp_path / "out").values())) == 1
        assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [MARKER, "a", "b", "c"]


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
        folder_name({"shapes": text}) for text in ("a b", "a/b", "a_b", "é" * 300, "x" * 301, "\udcff", "")
    ]
    assert len(set(names)) == len(names) and all(len(name.encode()) < 140 for name in names)


def test_what_somebody_put_into_a_scratch_folder_of_ours_stays(tmp_path):
    write(tmp_path / "out", page="one")
    part = tmp_path / "out" / SCRATCH
    (part / "new").mkdir(parents=True)
    (part / MARKER).write_text('{"kind": "scratch", "process": 1}')  # as a kill leaves it
    (part / "thesis.tex").write_text("mine")
    before = contents(tmp_path)
    with pytest.raises(ValueError, match="not ours to remove"):
        write(tmp_path / "out", page="two")
    assert contents(tmp_path) == before
    (part / "thesis.tex").unlink()
    write(tmp_path / "out", page="two")
    assert not part.exists()


def test_only_a_file_itself_is_regular(tmp_path):
    """Links, folders and pipes are not; of what is not there nothing is said."""
    (tmp_path / "file").write_text("")
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to("file")
    (tmp_path / "dead").symlink_to("nowhere")
    os.mkfifo(tmp_path / "pipe")
    regular = {path.name for path in tmp_path.iterdir() if is_regular(path)}
    assert regular == {"file"}
    with pytest.raises(FileNotFoundError):
        is_regular(tmp_path / "nothing")
