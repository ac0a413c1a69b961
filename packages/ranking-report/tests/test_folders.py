"""Output folders: other people's files stay unchanged, and our files are complete."""

import json
import os

import pytest
from report_support import POSIX

from ranking_report import folders
from ranking_report.folders import MARKER, SCRATCH, check_folder, write_folder


def contents(folder):
    return {path.name: path.read_text() for path in folder.iterdir() if path.is_file()}


def test_a_new_folder_holds_the_files_and_their_marker(tmp_path):
    write_folder(tmp_path / "a" / "b", "report", {"x.txt": "one", "y.txt": "ä\n"})
    assert {path.name for path in (tmp_path / "a" / "b").iterdir()} == {"x.txt", "y.txt", MARKER}
    assert (tmp_path / "a" / "b" / "y.txt").read_bytes() == "ä\n".encode()


def test_of_an_earlier_call_what_is_not_written_again_goes_and_what_a_user_added_stays(tmp_path):
    folder = tmp_path / "out"
    write_folder(folder, "report", {"x.txt": "one", "y.txt": "two"})
    (folder / "notes.txt").write_text("mine")
    write_folder(folder, "report", {"x.txt": "three"})
    assert {name: text for name, text in contents(folder).items() if name != MARKER} == {
        "x.txt": "three",
        "notes.txt": "mine",
    }


@pytest.mark.parametrize(
    ("prepare", "message"),
    [
        (
            lambda folder: (folder / "mine.txt").write_text("mine"),
            "expected a new or an empty folder, or that of",
        ),
        (lambda folder: write_folder(folder, "power", {"a": ""}), "got that of another command .power."),
        (lambda folder: (folder / MARKER).write_text("{}"), "got one that holds .ranking-report.json"),
        (
            lambda folder: (folder / MARKER).write_text("[" * 100_000),
            "got one that holds .ranking-report.json",
        ),
        (lambda folder: (folder / SCRATCH).mkdir(), "another call is writing there, or was killed"),
    ],
)
def test_a_folder_that_is_not_ours_is_rejected_and_stays_as_it_is(tmp_path, prepare, message):
    folder = tmp_path / "out"
    folder.mkdir()
    prepare(folder)
    before = contents(folder)
    for attempt in (check_folder, lambda *words: write_folder(*words, {"x.txt": "one"})):
        with pytest.raises(ValueError, match=message):
            attempt(folder, "report")
    assert contents(folder) == before


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda file: file.write_text("edited"),
            "x.txt: was changed after this program wrote it; move it away",
        ),
        (
            lambda file: file.with_name("new.txt").write_text("mine"),
            "new.txt: was not written by this program",
        ),
    ],
)
def test_an_edited_file_and_one_of_the_users_with_our_name_are_not_overwritten(tmp_path, change, message):
    folder = tmp_path / "out"
    write_folder(folder, "report", {"x.txt": "one"})
    change(folder / "x.txt")
    before = contents(folder)
    with pytest.raises(ValueError, match=message):
        write_folder(folder, "report", {"x.txt": "two", "new.txt": "three"})
    assert contents(folder) == before


@POSIX
def test_links_and_pipes_are_never_followed(tmp_path):
    (tmp_path / "theirs").mkdir()
    (tmp_path / "link").symlink_to("theirs")
    with pytest.raises(ValueError, match="link: expected a new or an empty folder, .*, got a link"):
        write_folder(tmp_path / "link", "report", {"x.txt": "one"})
    write_folder(tmp_path / "out", "report", {"x.txt": "one"})
    (tmp_path / "out" / "x.txt").unlink()
    (tmp_path / "out" / "x.txt").symlink_to(tmp_path / "theirs" / "x.txt")
    with pytest.raises(ValueError, match="was changed after this program wrote it"):
        write_folder(tmp_path / "out", "report", {"x.txt": "two"})
    (tmp_path / "pipe").mkdir()
    os.mkfifo(tmp_path / "pipe" / MARKER)
    with pytest.raises(ValueError, match="got one that holds"):
        write_folder(tmp_path / "pipe", "report", {"x.txt": "two"})
    assert not [*(tmp_path / "theirs").iterdir()]


@pytest.mark.parametrize("name", ["../theirs.txt", "sub/theirs.txt"])
def test_a_marker_leads_to_no_other_folder(tmp_path, name):
    folder = tmp_path / "out"
    write_folder(folder, "report", {"x.txt": "one"})
    (folder / "sub").mkdir()
    theirs = folder / name
    theirs.write_text("mine")
    marker = json.loads((folder / MARKER).read_text())
    marker["files"][name] = [folders._checksum(b"mine")]
    (folder / MARKER).write_text(json.dumps(marker))
    with pytest.raises(ValueError, match="was changed after this program wrote it"):
        write_folder(folder, "report", {"x.txt": "two"})
    assert theirs.read_text() == "mine" and (folder / "x.txt").read_text() == "one"


def test_after_a_failure_the_earlier_files_are_complete_and_can_be_written_again(tmp_path, monkeypatch):
    """After each move, a file is either the old one or the new one, and the marker lists both."""
    old, new = ({name: f"{name} {word}" for name in ("x.txt", "y.txt")} for word in ("old", "new"))
    for moves in range(4):
        folder = tmp_path / str(moves)
        write_folder(folder, "report", old)
        left = [moves]

        def replace(source, target, left=left):
            left[0] -= 1
            if left[0] < 0:
                raise OSError(28, "No space left on device")
            os.rename(source, target)

        with monkeypatch.context() as patch:
            patch.setattr(folders.os, "replace", replace)
            with pytest.raises(OSError, match=f"No space left on device: .*{moves}"):
                write_folder(folder, "report", new)
        listing = contents(folder)
        assert all(listing[name] in (old[name], new[name]) for name in old)
        write_folder(folder, "report", new)
        assert {name: contents(folder)[name] for name in new} == new


def test_a_folder_that_could_not_be_written_is_not_left_behind(tmp_path, monkeypatch):
    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(folders.os, "replace", fail)
    with pytest.raises(OSError, match="a/b"):
        write_folder(tmp_path / "a" / "b", "report", {"x.txt": "one"})
    assert not [*tmp_path.iterdir()]
