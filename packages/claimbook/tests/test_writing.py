import hashlib
import json
import os
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from claimbook.writing import (
    LOCK,
    MARKER,
    check_page,
    folder_name,
    hold,
    is_as_written,
    output_folder,
    write_page,
    write_whole,
)


def digest_of(content):
    return hashlib.sha256(content).hexdigest()


def write(folder, kind="run", **files):
    with output_folder(folder, kind) as scratch:
        for name, text in files.items():
            path = scratch / name.replace("__", "/")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)


def contents(folder):
    """Return the text of all files below a folder by name, without our marker.

    A link appears as a link.
    """
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


def test_files_that_a_user_puts_beside_ours_stay(tmp_path):
    write(tmp_path / "out", page="one", shared__style="a")
    (tmp_path / "out" / "shared" / "mine").write_text("mine")
    write(tmp_path / "out", page="two")
    assert contents(tmp_path / "out") == {"page": b"two", "shared/mine": b"mine"}


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
    "a marker with a place of its own": lambda path: (
        path.with_name("victim").write_text("mine"),
        path.mkdir(),
        (path / MARKER).write_text(
            json.dumps({"kind": "run", "files": {str(path.with_name("victim")): [digest_of(b"mine")]}})
        ),
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


@pytest.mark.parametrize("prepare", NOT_OURS.values(), ids=NOT_OURS)
def test_a_foreign_path_is_rejected_and_left_unchanged(tmp_path, prepare):
    prepare(tmp_path / "out")
    before = contents(tmp_path)
    with pytest.raises((ValueError, FileExistsError), match="out|victim"):
        write(tmp_path / "out", page="two", shared__style="a")
    assert contents(tmp_path) == before


def test_work_that_fails_leaves_the_earlier_files_and_nothing_else(tmp_path):
    with pytest.raises(RuntimeError), output_folder(tmp_path / "a" / "b", "run") as scratch:
        (scratch / "page").write_text("half")
        raise RuntimeError
    assert list(tmp_path.iterdir()) == []
    write(tmp_path / "out", page="one")
    with output_folder(tmp_path / "out", "run"):
        pass
    assert contents(tmp_path / "out") == {"page": b"one"}


def test_a_folder_is_as_written_until_a_file_in_it_is_changed_added_or_removed(tmp_path):
    folder = tmp_path / "out"
    write(folder, page="one", shared__style="a")
    assert is_as_written(folder, "run")
    for change in (
        lambda: (folder / "shared" / "style").write_text("b"),
        lambda: (folder / "shared" / "style").unlink(),
        lambda: (folder / "mine").write_text("mine"),
    ):
        change()
        assert not is_as_written(folder, "run")
        (folder / "mine").unlink(missing_ok=True)
        (folder / "shared" / "style").write_text("a")
    assert is_as_written(folder, "run")


def test_a_file_that_is_edited_while_others_are_written_stays(tmp_path):
    write(tmp_path / "out", page="one")
    with pytest.raises(ValueError, match="page: expected a file unchanged since claimbook wrote it"):
        with output_folder(tmp_path / "out", "run") as scratch:
            (scratch / "page").write_text("two")
            (tmp_path / "out" / "page").write_text("mine")
    assert contents(tmp_path / "out") == {"page": b"mine"}


@pytest.mark.skipif(os.name == "nt", reason="makes pipes and links")
@pytest.mark.parametrize("marked", [True, False], ids=["ours", "not ours"])
@pytest.mark.parametrize(
    "prepare",
    [lambda path: path.write_text("mine"), os.mkfifo, lambda path: path.symlink_to("x"), Path.mkdir],
    ids=["a file", "a pipe", "a link", "a folder"],
)
@pytest.mark.parametrize("name", [MARKER, LOCK])
def test_foreign_files_named_like_a_marker_or_a_lock_stay(tmp_path, name, prepare, marked):
    folder = tmp_path / "out"
    folder.mkdir()
    if marked:
        write(folder, page="one")
        (folder / name).unlink(missing_ok=True)
    prepare(folder / name)
    before = sorted(folder.rglob("*"))
    with pytest.raises(ValueError, match="expected a new or an empty folder|expected a lock of claimbook"):
        write(folder, page="two")
    assert sorted(folder.rglob("*")) == before


def test_a_folder_that_a_user_created_stays_whatever_its_name(tmp_path):
    """This includes a folder that is named like a scratch folder."""
    folder = tmp_path / "out"
    write(folder, page="one")
    (folder / ".claimbook-mine").mkdir()
    (folder / ".claimbook-mine" / "thesis.tex").write_text("mine")
    write(folder, page="two")
    assert contents(folder) == {"page": b"two", ".claimbook-mine/thesis.tex": b"mine"}


# A folder for each step on the disk, which is written when a call is killed before that step; the last one is
# written without a kill.
KILLED = """\
import itertools, os, sys
from pathlib import Path
from claimbook.writing import output_folder

STEPS = {"open", "os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.scandir", "shutil.rmtree"}

def work(folder, names, text):
    with output_folder(folder / "run", "run") as scratch:
        (scratch / "below").mkdir()
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
    assert len(folders) > 20 and contents(folders[-1])["run/below/a"] == b"killed"
    for folder in folders:
        killed = {name: text for name, text in contents(folder).items() if "/.claimbook" not in name}
        assert set(killed.values()) <= {b"before", b"killed"}
        write(folder / "run", "run", below__b="again")
        left = {path.name for path in (folder / "run").iterdir()} - {"below"}
        assert MARKER in left and all(name.startswith(".claimbook") for name in left)
        assert not any(name.endswith(".part") for name in left)
        assert contents(folder / "run" / "below") == {"b": b"again"}


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
        with pytest.raises(ValueError, match="out: another process is writing there; wait until it ends"):
            write(tmp_path / "out", page="mine")
        process.communicate("\n")
    write(tmp_path / "out", page="mine")
    assert contents(tmp_path / "out") == {"page": b"mine"}


HOLDER = """
import sys, time
from pathlib import Path
from claimbook.writing import hold
with hold(Path(sys.argv[1]), "building"):
    print("held", flush=True)
    time.sleep(60)
"""


def test_a_second_build_is_rejected_until_the_first_one_is_dead(tmp_path):
    command = [sys.executable, "-c", HOLDER, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(ValueError, match="another process is building there"):
            with hold(tmp_path, "building"):
                pass
        holder.kill()
        holder.wait()
        with hold(tmp_path, "building"):
            assert (tmp_path / LOCK).exists()
    assert not (tmp_path / LOCK).exists()


MANY = """\
import sys
from claimbook.writing import check_folder, output_folder
print("ready", flush=True)
for line in sys.stdin:
    try:
        check_folder(sys.argv[1], "report")
        with output_folder(sys.argv[1], "report") as scratch:
            for name in "abc":
                (scratch / name).write_text(sys.argv[2])
        print("written", flush=True)
    except ValueError as error:
        print(error, flush=True)
"""


def test_of_many_calls_at_once_one_succeeds_and_the_others_say_why(tmp_path):
    # In processes, which are what the lock tells apart.
    options = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with ExitStack() as processes:
        calls = [
            processes.enter_context(
                subprocess.Popen([sys.executable, "-c", MANY, tmp_path / "out", str(number)], **options)
            )
            for number in range(5)
        ]
        assert [call.stdout.readline() for call in calls] == 5 * ["ready\n"]
        for _ in range(4):
            for call in calls:
                call.stdin.write("\n")
                call.stdin.flush()
            said = [call.stdout.readline() for call in calls]
            assert "written\n" in said
            busy = "is writing there; wait until it ends"
            assert all(line == "written\n" or busy in line for line in said), said
            assert len(set(contents(tmp_path / "out").values())) == 1
            assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [MARKER, "a", "b", "c"]
        for call in calls:
            call.stdin.close()


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


def test_a_write_that_fails_leaves_the_file_that_was_there_and_names_it(tmp_path, monkeypatch):
    path = tmp_path / "kept.json"
    write_whole(path, "old")
    monkeypatch.setattr(os, "replace", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left")))
    with pytest.raises(OSError, match="No space left") as caught:
        write_whole(path, "new")
    assert caught.value.filename == str(path)
    assert path.read_text() == "old" and [entry.name for entry in tmp_path.iterdir()] == ["kept.json"]


def test_a_new_file_is_on_the_disk_before_it_replaces_the_old_one(tmp_path, monkeypatch):
    done, fsync, replace = [], os.fsync, os.replace
    monkeypatch.setattr(os, "fsync", lambda *given: (done.append("fsync"), fsync(*given)))
    monkeypatch.setattr(os, "replace", lambda *given: (done.append("replace"), replace(*given)))
    write_whole(tmp_path / "file", "text")
    assert done == ["fsync", "replace"]
