"""Output folders: a command writes into one that is new, empty or ours, and only over files of ours.

A folder is ours if it holds a marker, which lists the files that we put there with their checksums; it gets a
line for a file before that is written. What a call makes stands in a scratch folder inside until it is whole,
so a kill leaves at most that. The next call removes it, but only where the folder around it is ours and a
marker of ours is in it: what has the name alone is somebody else's.
"""

import hashlib
import json
import os
import re
import shutil
import stat
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep

from ndcg_companion.text import check_plain, escaped

MARKER = ".ranking-report.json"
SCRATCH = ".ranking-report.part"
LOCK = ".ranking-report.lock"
# All that a scratch folder of ours holds; "home" holds what callers do not want kept.
_IN_SCRATCH = {MARKER, "new", "text", "marker", "home"}
# What a marker and a lock hold that a kill left.
_LEFT_OVER = {MARKER: re.compile(""), LOCK: re.compile(r"(process \d+( on .*)? is \w+)?")}
_PATH = 1000  # characters of a path that a refusal shows: its end names the file
_PATIENCE = 0.5  # seconds that another process may take for what is done at once
_UNREADABLE = (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError)


@contextmanager
def output_folder(path: str | Path, kind: str) -> Iterator[Path]:
    """A scratch folder, whose files are moved into ``path`` at the end if nothing was raised.

    What an earlier call wrote there and this one did not is removed; if this one wrote nothing, all stays.

    Parameters
    ----------
    path : path
        Made if it is not there; gone again if the work fails and it is empty.
    kind : str
        What is written, such as ``"run"``: a folder of another kind is refused.

    Raises
    ------
    ValueError
        Before anything is written, if ``path`` is none of new, empty and ours, if a file that we wrote there
        was changed since, or if another process is writing there; at the end, if another's file is there.
    OSError
        If it cannot be written; it always names a file.

    Notes
    -----
    Work files that are not to be kept go into a folder ``home`` beside the scratch folder.
    """
    with open_folder(path, kind, None) as output:
        yield output.scratch
        output.settle()


@contextmanager
def open_folder(path: str | Path, kind: str, names: Iterable[str] | None = ()) -> Iterator["Output"]:
    """A folder into which single files are written at once and whole, by `Output.keep`; none is removed.

    Parameters
    ----------
    path, kind
        As for `output_folder`, which raises the same.
    names : iterable of str, optional
        Of files that will be kept: others' and changed ones are refused at once. None: all that is ours.
    """
    folder = _checked(path)
    _read_marker(folder, kind)
    made = [one for one in (folder, *folder.parents) if not one.exists()]
    try:
        with hold(folder, f"process {os.getpid()} is writing"):
            output = Output(folder, kind, names)
            try:
                output.begin()
                yield output
            finally:
                output.end()
    except OSError as error:
        raise _named(error, path) from error
    finally:
        with suppress(OSError):
            for empty in made:
                empty.rmdir()


class Output:
    """A folder of ours while it is written; ValueError for a file in it that may not be replaced.

    Attributes
    ----------
    scratch : Path
        Where to write what `settle` moves.
    """

    def __init__(self, folder, kind, names):
        """Read and check what is there, and write nothing before `begin`; `names` as for `open_folder`."""
        self._folder, self._kind, self._scratch_folder = folder, kind, folder / SCRATCH
        self._keeping, self.scratch = threading.Lock(), self._scratch_folder / "new"
        self._sums = _read_marker(folder, kind) or {}  # by name the checksums that a file may have
        if os.path.lexists(self._scratch_folder) and not _is_scratch(self._scratch_folder):
            raise ValueError(
                f"{escaped(self._scratch_folder, _PATH)}: not ours to remove; "
                "move it away, or write elsewhere"
            )
        self._check(self._sums if names is None else names)
        # Of a file that somebody removed the marker need not know any longer.
        self._sums = {name: sums for name, sums in self._sums.items() if (folder / name).exists()}

    def begin(self):
        """Make the folder ours, and the scratch folder new."""
        marker = self._folder / MARKER
        if _is_left_over(marker):
            marker.write_text(json.dumps({"kind": self._kind}), encoding="utf-8")
        if self._scratch_folder.exists():
            _remove_scratch(self._scratch_folder)
        self._scratch_folder.mkdir()
        (self._scratch_folder / MARKER).write_text('{"kind": "scratch"}', encoding="utf-8")
        self.scratch.mkdir()
        self._mark()  # a kill may have cut the last line

    def keep(self, path: Path, text: str) -> None:
        """Write one file of the folder at once and whole.

        Raises
        ------
        ValueError
            If a file is there that is not ours, or that was changed since we wrote it.
        """
        name, digest = path.relative_to(self._folder).as_posix(), _digest(text)
        with self._keeping:
            self._check([name])
            if self._sums.get(name) == [digest] and path.exists():
                return
            self._note({name: digest})
            path.parent.mkdir(parents=True, exist_ok=True)
            _replace(self._scratch_folder / "text", path, text)
            self._sums[name] = [digest]

    def settle(self) -> None:
        """Move what is in the scratch folder to where it belongs, if anything is; all else of ours goes."""
        paths = [path for path in self.scratch.rglob("*") if path.is_file()]
        moved = {path.relative_to(self.scratch).as_posix(): checksum(path) for path in paths}
        gone = self._sums.keys() - moved.keys() if moved else set()
        self._check([*moved, *gone])
        self._note(moved)
        for name, digest in moved.items():
            (self._folder / name).parent.mkdir(parents=True, exist_ok=True)
            os.replace(self.scratch / name, self._folder / name)
            self._sums[name] = [digest]
        for name in gone:
            (self._folder / name).unlink(missing_ok=True)
            del self._sums[name]
            with suppress(OSError):
                os.removedirs((self._folder / name).parent)

    def end(self):
        """Write the marker anew, remove the scratch folder, and the marker if nothing is marked."""
        for step in (self._mark, lambda: _remove_scratch(self._scratch_folder)):
            with suppress(OSError):
                step()
        if not self._sums:
            (self._folder / MARKER).unlink(missing_ok=True)

    def _check(self, names):
        """Raise ValueError unless under each name there is nothing, or what we wrote there."""
        for name in names:
            path, sums = self._folder / name, self._sums.get(name, ())
            there = os.path.lexists(path)
            if (
                not _is_within(self._folder, path)
                or there
                and not (is_regular(path) and checksum(path) in sums)
            ):
                what = "was changed since we wrote it" if sums else "not ours to replace"
                raise ValueError(f"{escaped(path, _PATH)}: {what}; move it away, or write elsewhere")

    def _note(self, sums):
        """Add to the marker what is about to be written: a kill may leave the old file or the new one."""
        for name, digest in sums.items():
            self._sums[name] = [*self._sums.get(name, []), digest]
        with open(self._folder / MARKER, "a", encoding="utf-8") as file:
            file.writelines(json.dumps(noted) + "\n" for noted in sums.items())
            file.flush()
            os.fsync(file.fileno())

    def _mark(self):
        text = json.dumps({"kind": self._kind, "files": self._sums}, indent=1)
        _replace(self._scratch_folder / "marker", self._folder / MARKER, text + "\n")


def check_folder(path: str | Path, kind: str, names: Iterable[str] | None = None) -> Path:
    """Raise as `open_folder` does before it writes anything, without names as `output_folder`; the folder."""
    folder = _checked(path)
    if _read_marker(folder, kind) is not None:
        with hold(folder, f"process {os.getpid()} is writing"):
            Output(folder, kind, names)
    return folder


def _checked(path):
    if not str(path):
        raise ValueError("output='': expected a name")
    return Path(check_plain(str(path), "output"))


def _read_marker(folder, kind):
    """The files that the marker of a folder lists: name to the checksums that a file may have.

    None if the folder is not there, or holds nothing.
    """
    wanted = f"expected a new or an empty folder, or that of an earlier {kind}"
    above = next(one for one in (folder, *folder.absolute().parents) if os.path.lexists(one))
    if folder.is_symlink() or not above.is_dir():
        raise ValueError(f"{folder}: {wanted}, got a {'link' if folder.is_symlink() else 'file'}")
    inside = [one.name for one in folder.iterdir() if not _is_left_over(one)] if folder.exists() else []
    if not inside:
        return None
    try:
        text = _text(folder / MARKER)
        marker, end = json.JSONDecoder().raw_decode(text)
        # Earlier versions listed files of two sorts; those without checksums may hold anything: not ours.
        listed, written = marker.get("files", {}) | marker.get("kept", {}), str(marker["kind"])
        sums = {name: [*own] for name, own in listed.items() if own is not None}
        for line in text[end:].splitlines():
            with suppress(ValueError):  # a kill may have cut the last one
                name, digest = json.loads(line)
                sums[name] = [*sums.get(name, []), digest]
    except _UNREADABLE:
        raise ValueError(f"{folder}: {wanted}, got one that holds {escaped(min(inside))}") from None
    if written != kind:
        raise ValueError(f"{folder}: {wanted}, got that of another command ({escaped(written)})")
    return sums


def _is_within(folder, path):
    """Whether each folder between the two is one, or can become one, and none is a link to elsewhere."""
    if not path.is_relative_to(folder) or ".." in path.parts[len(folder.parts) :]:
        return False
    between = [folder / above for above in path.relative_to(folder).parents][:-1]
    return not any(above.is_symlink() or above.exists() and not above.is_dir() for above in between)


def is_regular(path: Path) -> bool:
    """Whether it is a file and neither a link nor a pipe, which would be waited for.

    Raises
    ------
    FileNotFoundError
        If nothing is there: that is no answer about a file, and some callers mean it.
    """
    return stat.S_ISREG(path.lstat().st_mode)


def _is_left_over(path):
    """Whether it is what a kill may leave, an empty marker or a lock, or gone by now."""
    try:
        return path.name in _LEFT_OVER and _LEFT_OVER[path.name].fullmatch(_text(path)) is not None
    except FileNotFoundError:
        return True
    except ValueError:
        return False


def _is_scratch(part):
    """Whether it is a scratch folder of ours and holds nothing else: with our marker, or nothing yet."""
    if part.is_symlink() or not part.is_dir() or {path.name for path in part.iterdir()} - _IN_SCRATCH:
        return False
    try:
        return (
            all(map(_is_left_over, part.iterdir())) or json.loads(_text(part / MARKER))["kind"] == "scratch"
        )
    except _UNREADABLE:
        return False


def _remove_scratch(part):
    """Remove it with its marker last, so that a kill on the way leaves nothing that nobody knows."""
    for entry in sorted(map(part.joinpath, _IN_SCRATCH), key=lambda entry: entry.name == MARKER):
        shutil.rmtree(entry) if entry.is_dir() and not entry.is_symlink() else entry.unlink(missing_ok=True)
    part.rmdir()


def _text(path):
    if not is_regular(path):
        raise ValueError(f"{path}: expected a file")
    return path.read_text(encoding="utf-8")


def checksum(path):
    """The checksum of a file's contents."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _digest(text):
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _named(error, path):
    """An OSError that says where: a full disk names no file."""
    return error if error.filename else OSError(error.errno, error.strerror or str(error), str(path))


@contextmanager
def hold(folder: Path, says: str) -> Iterator[None]:
    """Keep other processes that ask for the same out of a folder, which is made if it is not there.

    It is let go when this process ends, however that ends. ``says``, such as ``"process 7 is writing"``, is
    the message for others meanwhile.

    Raises
    ------
    ValueError
        If another process holds it, or a file of somebody else's has the name of the lock.
    """
    lock, until = folder / LOCK, monotonic() + _PATIENCE
    while (lock_file := _locked(lock, says)) is None:
        if monotonic() > until:
            who = ""
            with suppress(OSError, ValueError):
                who = _text(lock)
            raise ValueError(f"{folder}: {who or 'another process is at work'} there; wait for its end")
        sleep(0.01)
    try:
        yield
    finally:
        if sys.platform == "win32":  # where no open file can be removed
            lock_file.close()
        with suppress(OSError):
            if _is_left_over(lock):
                lock.unlink()
        lock_file.close()


def _locked(path, says):
    """The file of a lock, held; None if another process holds it, or has just removed it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not _is_left_over(path):
        raise ValueError(f"{escaped(path, _PATH)}: not ours to lock; move it away, or write elsewhere")
    with ExitStack() as opened, suppress(BlockingIOError, FileNotFoundError):
        file = opened.enter_context(open(path, "a+", encoding="utf-8"))
        _lock(file.fileno())
        if os.path.samestat(os.fstat(file.fileno()), path.lstat()):
            file.truncate(0)
            file.write(says)
            file.flush()
            opened.pop_all()
            return file
    return None


def _lock(descriptor):
    """Lock an open file, or raise BlockingIOError if another process has it."""
    if sys.platform == "win32":
        import msvcrt

        os.lseek(descriptor, 2**30, os.SEEK_SET)  # no other process can read what is locked
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except PermissionError as error:
            raise BlockingIOError(*error.args) from None
    else:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _replace(part, path, text):
    """Let a file with this text, made as ``part`` on the same disk, take the place of ``path``."""
    with open(part, "w", encoding="utf-8", newline="\n") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.replace(part, path)
