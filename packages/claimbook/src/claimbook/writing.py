"""Let a command write only into its own folder and over its own files.

A folder that is new or empty becomes the command's own. A folder belongs to claimbook if it contains a
marker, which lists the files that commands wrote there, with their checksums. A command writes into a scratch
folder inside the output folder and moves the files when all of them are complete. If the command is killed,
at most the scratch folder remains, under a name that is never used again. If the command is killed while it
moves files, each file is either the old or the new version, and the marker lists both. All other packages may
import this module, because several of them write files.
"""

# Written by hand, except for the lock, which is filelock's. No package protects files that a user has changed
# from being overwritten.

import hashlib
import json
import os
import re
import stat
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from claimbook.text import check_plain, escaped

_OURS = ".claimbook"  # the prefix of the names of files that are ours but not output
MARKER, LOCK = f"{_OURS}.json", f"{_OURS}.lock"
_PATH_LENGTH = 1000  # of a path in a message, which must not lose its end, the name of the file
_LOCK_TIMEOUT = 0.5  # seconds to wait for the lock, which another process may hold briefly
_ERRORS_OF_BAD_MARKERS = (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError)
_PARTIAL_MARKER = re.compile(rf"{re.escape(MARKER)}\.\d+-\d+\.part")  # the name that `write_whole` gives
_SEAL = "\n<!-- written by claimbook, sha256 "  # precedes the checksum at the end of a page


@contextmanager
def output_folder(path: str | Path, kind: str) -> Iterator[Path]:
    """Yield a scratch folder, whose files move into ``path`` if no error is raised.

    Files of an earlier call are removed unless this call writes them again. If this call writes nothing, all
    files stay.

    Parameters
    ----------
    path : path
        The output folder. It is created if needed. If the work fails and the folder is empty, the folder is
        removed again.
    kind : str
        The kind of output, such as ``"run"``. A folder of another kind is rejected.

    Raises
    ------
    ValueError
        If ``path`` is not new, empty or ours, if a file that we wrote there has been changed since, or if
        another process is writing there. These checks are made before anything is written. The error is also
        raised at the end if somebody else's file is in the way.
    OSError
        If the output cannot be written. The error always names a file.
    """
    folder = check_folder(path, kind)
    new_folders = [ancestor for ancestor in (folder, *folder.parents) if not ancestor.exists()]
    try:
        with hold(folder, "writing"):
            checksums = _read_marker(check_folder(path, kind), kind)
            remove_half_markers(folder)
            _write_marker(folder, kind, checksums)
            try:
                with TemporaryDirectory(prefix=f"{_OURS}-", dir=folder) as scratch:
                    yield Path(scratch)
                    _move(Path(scratch), folder, kind, checksums)
            finally:
                if not _read_marker(folder, kind):  # nothing has ever been written here
                    (folder / MARKER).unlink()
    except OSError as error:
        raise _with_name(error, path) from error
    finally:
        with suppress(OSError):  # only empty folders can be removed
            for new_folder in new_folders:
                new_folder.rmdir()


def remove_half_markers(folder: Path) -> None:
    """Remove partial markers of killed calls from a folder that is not in use."""
    for part in filter(_PARTIAL_MARKER.fullmatch, os.listdir(folder) if folder.is_dir() else ()):
        (folder / part).unlink()


def check_folder(path: str | Path, kind: str) -> Path:
    """Return the folder, or raise the same errors as `output_folder` before it writes."""
    folder = _output_path(path)
    checksums = _read_marker(folder, kind)
    _check_ours(folder, checksums, checksums)
    return folder


def is_as_written(path: str | Path, kind: str) -> bool:
    """Return whether a folder has exactly the files that we wrote, all unchanged."""
    folder = Path(path)
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if not path.is_dir()}
    checksums = _read_marker(folder, kind)
    # A file with two possible checksums belongs to an unfinished call.
    return files == {*checksums, MARKER} and all(
        [checksum(folder / name)] == possible for name, possible in checksums.items()
    )


def _move(scratch, folder, kind, checksums):
    """Move the files of the scratch folder into place, and remove our other files.

    ``checksums`` are the possible checksums of the files that the folder has so far, by name. If the scratch
    folder is empty, nothing changes.
    """
    files = [path for path in scratch.rglob("*") if path.is_file()]
    new_checksums = {path.relative_to(scratch).as_posix(): checksum(path) for path in files}
    if not new_checksums:
        return
    _check_ours(folder, checksums, [*checksums, *new_checksums])
    for name in new_checksums:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
    old_and_new_checksums = checksums | {
        name: [*checksums.get(name, []), digest] for name, digest in new_checksums.items()
    }
    _write_marker(folder, kind, old_and_new_checksums)
    for name in new_checksums:
        os.replace(scratch / name, folder / name)
    for name in checksums.keys() - new_checksums.keys():
        (folder / name).unlink(missing_ok=True)
        with suppress(OSError):
            os.removedirs((folder / name).parent)
    _write_marker(folder, kind, {name: [digest] for name, digest in new_checksums.items()})


def _check_ours(folder, checksums, names):
    """Raise ValueError unless each name is free or belongs to a file that we wrote.

    ``checksums`` are the possible checksums of each file that we wrote, by name.
    """
    for name in names:
        path = folder / name
        # The file is elsewhere if a link is on the way, or if a name in the marker leads out of the folder.
        is_inside = path.resolve() == Path(f"{folder.resolve()}/{name}")
        is_free = is_inside and not path.exists()
        is_ours = is_inside and path.is_file() and checksum(path) in checksums.get(name, ())
        if not is_free and not is_ours:
            expected = "unchanged since claimbook wrote it" if name in checksums else "that claimbook wrote"
            location = escaped(path, _PATH_LENGTH)
            raise ValueError(f"{location}: expected a file {expected}; move it away, or write elsewhere")


def _read_marker(folder, kind):
    """Return the possible checksums of each of our files in a folder, by name.

    Raises
    ------
    ValueError
        If the folder belongs to somebody else or to another kind of output.
    OSError
        If the system rejects the name, for example because it is too long.
    """
    expectation = f"expected a new or an empty folder, or that of an earlier {kind}"
    ancestors = (folder, *folder.absolute().parents)
    nearest_existing = next(path for path in ancestors if os.path.lexists(path))
    with suppress(FileNotFoundError, NotADirectoryError):
        folder.lstat()  # rejects a name that is too long; since Python 3.14, exists() does not
    if folder.is_symlink() or not nearest_existing.is_dir():
        raise ValueError(f"{folder}: {expectation}, got a {'link' if folder.is_symlink() else 'file'}")
    names = sorted(path.name for path in folder.iterdir()) if folder.exists() else []
    if MARKER not in names and all(name.startswith(_OURS) for name in names):
        return {}
    try:
        marker = json.loads(_text_of_regular_file(folder / MARKER))
        marked_kind = str(marker["kind"])
        checksums = {name: [*possible] for name, possible in marker["files"].items()}
    except _ERRORS_OF_BAD_MARKERS:
        raise ValueError(f"{folder}: {expectation}, got one that contains {escaped(names[0])}") from None
    if marked_kind != kind:
        raise ValueError(f"{folder}: {expectation}, got that of another command ({escaped(marked_kind)})")
    return checksums


def _write_marker(folder, kind, checksums):
    """Write a folder's kind and the possible checksums of its files into its marker."""
    write_whole(folder / MARKER, json.dumps({"kind": kind, "files": checksums}, indent=1) + "\n")


@contextmanager
def hold(folder: Path, doing: str) -> Iterator[None]:
    """Lock a folder against other processes, and create it if needed.

    Parameters
    ----------
    folder : Path
        The folder to lock.
    doing : str
        The activity that the message to other processes names, such as ``"building"``.

    Raises
    ------
    ValueError
        If another process has the lock, or if somebody else's file has the name of the lock.

    Notes
    -----
    The lock is released when this process ends, for whatever reason.
    """
    # Imported here, so that this module can be imported without any other package.
    from filelock import FileLock, Timeout

    folder.mkdir(parents=True, exist_ok=True)
    lock = folder / LOCK
    with suppress(FileNotFoundError):
        if not _is_regular(lock) or lock.stat().st_size:  # our locks are empty files
            expectation = "expected a lock of claimbook; move it away, or write elsewhere"
            raise ValueError(f"{escaped(lock, _PATH_LENGTH)}: {expectation}")
    try:
        acquired_lock = FileLock(lock, timeout=_LOCK_TIMEOUT).acquire()
    except Timeout:
        raise ValueError(f"{folder}: another process is {doing} there; wait until it ends") from None
    with acquired_lock:
        try:
            yield
        finally:
            with suppress(OSError):  # Windows cannot remove an open file
                lock.unlink()


def write_page(path: str | Path, text: str) -> None:
    """Write an HTML page to a new file, or over an unchanged page of ours.

    Raises
    ------
    ValueError
        If the file has been changed or is somebody else's.
    OSError
        If the file cannot be written.
    """
    check_page(path)
    write_whole(Path(path), f"{text}{_SEAL}{_digest(text)} -->\n")


def check_page(path: str | Path) -> None:
    """Raise the errors that `write_page` would raise, without writing."""
    path = _output_path(path)
    if os.path.lexists(path):
        text, seal, text_after_seal = "", "", ""
        with suppress(ValueError):  # not a regular file, or not UTF-8
            text, seal, text_after_seal = _text_of_regular_file(path).rpartition(_SEAL)
        if not seal or text_after_seal != f"{_digest(text)} -->\n":
            raise ValueError(f"{path}: expected a new file, or an unchanged one that this command wrote")
    elif not path.parent.is_dir():
        raise ValueError(f"{path}: expected a file in a folder that exists")


def folder_name(parameters: Mapping[str, object]) -> str:
    """Return a name for the folder of a run with these parameters.

    A name that is too long or unsafe is shortened, made safe, and extended by a checksum.

    >>> folder_name({"beta": 0.5, "seed": 3})
    'beta=0.5,seed=3'
    """
    full_name = ",".join(f"{name}={value}" for name, value in parameters.items())
    safe_name = re.sub(r"[^a-zA-Z0-9_.,=:+-]+", "_", full_name)
    if safe_name == full_name and len(full_name) <= 120:
        return full_name
    return f"{safe_name[:120]}~{_digest(full_name)[:10]}"


def write_whole(path, text):
    """Write ``text`` to ``path`` such that nobody ever reads only a part of it.

    After an interruption or a loss of power, the file is either the old or the new version.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished_path = path.with_name(f"{path.name}.{os.getpid()}-{threading.get_ident()}.part")
    try:
        with open(unfinished_path, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(unfinished_path, path)
    except OSError as error:
        raise _with_name(error, path) from error
    finally:
        unfinished_path.unlink(missing_ok=True)


def checksum(path):
    """Return the SHA-256 checksum of a file's contents."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def digest(value):
    """Return a digest of any value that JSON can represent."""
    return _digest(json.dumps(value, sort_keys=True))


def _output_path(path):
    """Return a path, or raise ValueError if it is empty or has hidden characters."""
    if not str(path):
        raise ValueError("output='': expected a name")
    return Path(check_plain(str(path), "output"))


def _text_of_regular_file(path):
    """Return the text of a regular file.

    Raises
    ------
    ValueError
        If the path is a link, a folder or a pipe. Reading a pipe would block.
    """
    if not _is_regular(path):
        raise ValueError(f"{path}: expected a file")
    return path.read_text(encoding="utf-8")


def _is_regular(path):
    return stat.S_ISREG(path.lstat().st_mode)


def _digest(text):
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _with_name(error, path):
    """Return an OSError that names a file, because the error of a full disk names none."""
    return error if error.filename else OSError(error.errno, error.strerror or str(error), str(path))
