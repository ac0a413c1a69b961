"""Where a command may write: a folder that is new, empty or ours, and there only over what we wrote.

A folder is ours if it holds a marker, which lists the files that we put there with their checksums. All is
made in a scratch folder inside it and moved when it is whole, so a kill leaves at most the scratch folder.
The next call removes that, but only where the folder around it is ours and a marker of ours is in it: what
has the name alone is somebody else's. Below all packages, because several of them write.
"""

import hashlib
import json
import os
import re
import shutil
import stat
import sys
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from errno import EAGAIN
from pathlib import Path
from time import monotonic, sleep

from claimbook.text import check_plain, escaped

MARKER = ".claimbook.json"
SCRATCH = ".claimbook.part"
LOCK = ".claimbook.lock"
_KEPT = "kept"  # in the scratch folder: a line for each file that was kept since the marker was written
# All that a scratch folder of ours holds; "home" holds what callers do not want kept.
_IN_SCRATCH = {MARKER, _KEPT, "new", "text", "marker", "home"}
_PATH = 1000  # characters of a path that a refusal shows: its end names the file
_PATIENCE = 0.5  # seconds that another process may take for what is done at once
_UNREADABLE = (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError)
_SEAL = "\n<!-- written by claimbook, sha256 "


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
    Room for work that is not to be kept is beside the scratch folder, in a folder ``home``.
    """
    with open_folder(path, kind) as output:
        yield output.scratch


@contextmanager
def open_folder(path: str | Path, kind: str, names: Iterable[str] = ()) -> Iterator["Output"]:
    """The `Output` that `output_folder` writes with, for callers that also write while they work.

    ``names`` are those of files that they will `Output.keep`: others' and changed ones are refused at once.
    """
    folder = _checked(path)
    _marked(folder, kind)
    made = [one for one in (folder, *folder.parents) if not one.exists()]
    try:
        with _hold_or_say_who(folder):
            names = list(names)
            files, kept = _own_files(folder, kind, names)
            _check_free(folder, (name for name in names if name not in kept))
            output = Output(folder, kind, files, kept)
            try:
                output.begin()
                yield output
                output.settle()
            finally:
                output.end()
    except OSError as error:
        raise _named(error, path) from error
    finally:
        with suppress(OSError):
            for empty in made:
                empty.rmdir()


class Output:
    """A folder of ours while it is written.

    Attributes
    ----------
    scratch : Path
        Where to write what `settle` moves.
    """

    def __init__(self, folder, kind, files, kept):
        self._folder, self._kind, self._part = folder, kind, folder / SCRATCH
        self._files, self._kept = files, kept  # by name the checksums that a file may have
        self._keeping = threading.Lock()
        self.scratch = self._part / "new"

    def begin(self):
        """Make the folder ours and the scratch folder new."""
        marker = self._folder / MARKER
        if not marker.exists() or _is_hollow(marker):
            marker.write_text(self._marker(), encoding="utf-8")
        if (self._part / _KEPT).exists():  # what a killed call kept, which else only its scratch folder knows
            self._mark()
        if self._part.exists():
            _remove_scratch(self._part)
        self._part.mkdir()
        by = json.dumps({"kind": "scratch", "process": os.getpid()})
        (self._part / MARKER).write_text(by, encoding="utf-8")
        self.scratch.mkdir()

    def keep(self, path: Path, text: str) -> None:
        """Write one file of the folder at once and whole; unlike others it stays whatever later calls write.

        Raises
        ------
        ValueError
            If a file is there that is not ours, or that was changed since we wrote it.
        """
        name, checksums = path.relative_to(self._folder).as_posix(), [_digest(text)]
        with self._keeping:
            known = self._kept.get(name)
            if known is None:
                _check_free(self._folder, [name])
            elif path.exists():
                _check_unchanged(self._folder, self._kind, {name: known})
                if checksum(path) == checksums[0]:
                    return
            with open(self._part / _KEPT, "a", encoding="utf-8") as file:
                file.write(json.dumps([name, *checksums]) + "\n")
                file.flush()
                os.fsync(file.fileno())
            path.parent.mkdir(parents=True, exist_ok=True)
            _replace(self._part / "text", path, text)
            self._kept[name] = checksums

    def settle(self) -> None:
        """Move what is in the scratch folder to where it belongs."""
        paths = [path for path in self.scratch.rglob("*") if path.is_file()]
        moved = {path.relative_to(self.scratch).as_posix(): [checksum(path)] for path in paths}
        if not moved:
            return
        before = self._files
        _check_free(self._folder, [name for name in moved if name not in before])
        _check_unchanged(self._folder, self._kind, before)
        # A kill on the way finds each file listed, whether it is the old one or the new one that is there.
        self._files = before | {name: before.get(name, []) + sums for name, sums in moved.items()}
        self._mark()
        for name in moved:
            (self._folder / name).parent.mkdir(parents=True, exist_ok=True)
            os.replace(self.scratch / name, self._folder / name)
        for name in before.keys() - moved.keys():
            (self._folder / name).unlink(missing_ok=True)
            with suppress(OSError):
                os.removedirs((self._folder / name).parent)
        self._files = moved
        self._mark()

    def end(self):
        """Remove the scratch folder, and the marker if nothing is marked."""
        with suppress(OSError):
            if self._files or self._kept:
                self._mark()
            _remove_scratch(self._part)
        if not self._files and not self._kept:
            (self._folder / MARKER).unlink(missing_ok=True)

    def _marker(self):
        return json.dumps({"kind": self._kind, "files": self._files, "kept": self._kept}, indent=1)

    def _mark(self):
        _replace(self._part / "marker", self._folder / MARKER, self._marker())


def check_folder(path: str | Path, kind: str) -> Path:
    """Raise as `output_folder` does before it writes anything; returns the folder."""
    folder = _checked(path)
    if _marked(folder, kind):
        with _hold_or_say_who(folder):
            _own_files(folder, kind)
    return folder


def write_page(path: str | Path, text: str) -> None:
    """Write one HTML page where there is none, or one that this function wrote and nobody changed.

    Raises
    ------
    ValueError
        If something else is there.
    OSError
        If it cannot be written.
    """
    check_page(path)
    try:
        write_whole(Path(path), f"{text}{_SEAL}{_digest(text)} -->\n")
    except OSError as error:
        raise _named(error, path) from error


def check_page(path: str | Path) -> None:
    """Raise as `write_page` does, without writing."""
    path = _checked(path)
    if not os.path.lexists(path):
        if not path.parent.is_dir():
            raise ValueError(f"{path}: expected a file in a folder that is there")
        return
    text, seal, checksum = "", "", ""
    if is_regular(path):
        with suppress(UnicodeDecodeError):
            text, seal, checksum = path.read_text(encoding="utf-8").rpartition(_SEAL)
    if not seal or checksum != f"{_digest(text)} -->\n":
        raise ValueError(f"{path}: expected a new file, or one that this command wrote and nobody changed")


def folder_name(parameters: Mapping[str, object]) -> str:
    """The name of a folder for values of parameters; with a checksum, if they are long or not safe.

    >>> folder_name({"beta": 0.5, "seed": 3})
    'beta=0.5,seed=3'
    """
    wanted = ",".join(f"{name}={value}" for name, value in parameters.items())
    safe = re.sub(r"[^a-zA-Z0-9_.,=:+-]+", "_", wanted)
    return wanted if safe == wanted and len(wanted) <= 120 else f"{safe[:120]}~{_digest(wanted)[:10]}"


def _checked(path):
    if not str(path):
        raise ValueError("output='': expected a name")
    return Path(check_plain(str(path), "output"))


def _marked(folder, kind):
    """The files that the marker of a folder lists, of two sorts: name to the checksums that they may have.

    None if the folder is not there, or holds nothing.
    """
    wanted = f"expected a new or an empty folder, or that of an earlier {kind}"
    above = next(one for one in (folder, *folder.absolute().parents) if os.path.lexists(one))
    if folder.is_symlink() or not above.is_dir():
        raise ValueError(f"{folder}: {wanted}, got a {'link' if folder.is_symlink() else 'file'}")
    inside = [one.name for one in folder.iterdir() if not _is_hollow(one)] if folder.exists() else []
    if not inside:
        return None
    try:
        marker = json.loads(_text(folder / MARKER))
        written = str(marker["kind"])
        # Without checksums, as sweeps of earlier versions listed them, they may hold anything: not ours.
        files, kept = (
            {name: [*sums] for name, sums in marker.get(sort, {}).items() if sums is not None}
            for sort in ("files", "kept")
        )
    except _UNREADABLE:
        raise ValueError(f"{folder}: {wanted}, got one that holds {escaped(min(inside))}") from None
    if written != kind:
        raise ValueError(f"{folder}: {wanted}, got that of another command ({escaped(written)})")
    return files, kept


def _own_files(folder, kind, names=()):
    """The marked files of the two sorts that are there. The caller holds the folder.

    Those that a call may replace are as we wrote them: all of the first sort, of the second these names.
    """
    files, kept = _marked(folder, kind) or ({}, {})
    part = folder / SCRATCH
    if os.path.lexists(part):
        if not _is_scratch(part):
            raise ValueError(f"{escaped(part, _PATH)}: not ours to remove; move it away, or write elsewhere")
        for name, digest in _kept_since(part):
            kept[name] = [*kept.get(name, []), digest]
    _check_unchanged(folder, kind, files | {name: kept[name] for name in names if name in kept})
    return [{name: sums for name, sums in sort.items() if (folder / name).exists()} for sort in (files, kept)]


def _kept_since(part):
    """Names and checksums of what the owner of a scratch folder kept; a kill may have cut the last line."""
    lines = _text(part / _KEPT).splitlines() if (part / _KEPT).exists() else []
    for line in lines:
        with suppress(ValueError, TypeError):
            name, digest = json.loads(line)
            yield str(name), digest


def _check_unchanged(folder, kind, files):
    """Raise ValueError for a marked file that is no plain file any more, or has another checksum."""
    for name, checksums in files.items():
        path = folder / name
        if not _is_within(folder, path) or os.path.lexists(path) and not is_regular(path):
            raise ValueError(f"{escaped(path, _PATH)}: expected a file that an earlier {kind} wrote")
        if path.exists() and checksum(path) not in checksums:
            raise ValueError(
                f"{escaped(path, _PATH)}: was changed since we wrote it; move it away, or write elsewhere"
            )


def _check_free(folder, names):
    for name in names:
        if os.path.lexists(folder / name) or not _is_within(folder, folder / name):
            raise ValueError(
                f"{escaped(folder / name, _PATH)}: not ours to replace; move it away, or write elsewhere"
            )


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


def _is_hollow(path):
    """Whether it is an empty file with a name of ours, as a kill or a lock leaves it, or gone by now."""
    try:
        return path.name in (MARKER, LOCK) and is_regular(path) and path.lstat().st_size == 0
    except FileNotFoundError:
        return True


def _is_scratch(part):
    """Whether it is a scratch folder of ours and holds nothing else: with our marker, or nothing yet."""
    if part.is_symlink() or not part.is_dir() or {path.name for path in part.iterdir()} - _IN_SCRATCH:
        return False
    try:
        return all(map(_is_hollow, part.iterdir())) or json.loads(_text(part / MARKER))["kind"] == "scratch"
    except _UNREADABLE:
        return False


def _remove_scratch(part):
    """Remove it with its marker last, so that a kill on the way leaves nothing that nobody knows."""
    ours = [entry for entry in part.iterdir() if entry.name in _IN_SCRATCH]
    for entry in sorted(ours, key=lambda entry: entry.name == MARKER):
        shutil.rmtree(entry) if entry.is_dir() and not entry.is_symlink() else entry.unlink()
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
def _hold_or_say_who(folder):
    """`hold` a folder; a ValueError names the process that has it already."""
    with ExitStack() as lock:
        try:
            lock.enter_context(hold(folder))
        except BlockingIOError:
            try:
                who = f"process {int(json.loads(_text(folder / SCRATCH / MARKER))['process'])}"
            except _UNREADABLE:
                who = "another process"
            raise ValueError(f"{folder}: {who} is writing there; wait for its end") from None
        yield


@contextmanager
def hold(folder: Path) -> Iterator[None]:
    """Keep other processes that ask for the same out of a folder, which is made if it is not there.

    It is let go when this process ends, however that ends.

    Raises
    ------
    BlockingIOError
        If another process holds it.
    ValueError
        If a file of somebody else's has the name of the lock.
    """
    lock, until = folder / LOCK, monotonic() + _PATIENCE
    while (descriptor := _locked(lock)) is None:
        if monotonic() > until:
            raise BlockingIOError(EAGAIN, "another process is at work there", str(folder))
        sleep(0.01)
    try:
        yield
    finally:
        if sys.platform != "win32":  # where no open file can be removed
            _remove_lock(lock)
        os.close(descriptor)
        if sys.platform == "win32":
            _remove_lock(lock)


def _locked(path):
    """A descriptor that holds an empty file; None if another process does, or has just removed it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if os.path.lexists(path) and not _is_hollow(path):
        raise ValueError(f"{escaped(path, _PATH)}: not ours to lock; move it away, or write elsewhere")
    with ExitStack() as opened:
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
            opened.callback(os.close, descriptor)
            _lock(descriptor)
            if not os.path.samestat(os.fstat(descriptor), path.lstat()):
                return None
        except (BlockingIOError, FileNotFoundError):
            return None
        opened.pop_all()
    return descriptor


def _remove_lock(path):
    with suppress(OSError):
        if _is_hollow(path):
            path.unlink()


def _lock(descriptor):
    """Lock an open file, or raise BlockingIOError if another process has it."""
    if sys.platform == "win32":
        import msvcrt

        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except PermissionError as error:
            raise BlockingIOError(*error.args) from None
    else:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def write_whole(path, text):
    """Write ``text`` to ``path`` so that no reader, interruption or loss of power ever meets half of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.{os.getpid()}-{threading.get_ident()}.part")
    try:
        _replace(part, path, text)
    finally:
        part.unlink(missing_ok=True)


def _replace(part, path, text):
    """Let a file with this text, made as ``part`` on the same disk, take the place of ``path``."""
    with open(part, "w", encoding="utf-8", newline="\n") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.replace(part, path)
