"""Output folders: a command writes into one that is new, empty or ours, and only over files of ours.

A folder is ours if it holds a marker, which lists the files that commands wrote there with their checksums.
What a command makes stands in a scratch folder inside until all of it is whole, and is moved then. A kill
leaves at most that folder, under a name that is never used again; after a kill while files are moved, each is
either the old one or the new one, and the marker knows both. Below all packages, because several write.
"""

# By hand but for the lock, which is filelock's: no package refuses to overwrite what a user has changed.

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

_OURS = ".claimbook"  # how the names begin of all that is ours and no output
MARKER, LOCK = f"{_OURS}.json", f"{_OURS}.lock"
_PATH = 1000  # characters of a path that a refusal shows: its end names the file
_PATIENCE = 0.5  # seconds that another process may take for what is done at once
_UNREADABLE = (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError)
_HALF_A_MARKER = re.compile(rf"{re.escape(MARKER)}\.\d+-\d+\.part")  # as `write_whole` names it
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
    """
    folder = check_folder(path, kind)
    missing = [above for above in (folder, *folder.parents) if not above.exists()]
    try:
        with hold(folder, "writing"):
            sums = _read_marker(check_folder(path, kind), kind)
            remove_half_markers(folder)
            _write_marker(folder, kind, sums)
            try:
                with TemporaryDirectory(prefix=f"{_OURS}-", dir=folder) as scratch:
                    yield Path(scratch)
                    _move(Path(scratch), folder, kind, sums)
            finally:
                if not _read_marker(folder, kind):
                    (folder / MARKER).unlink()
    except OSError as error:
        raise _with_name(error, path) from error
    finally:
        with suppress(OSError):
            for empty in missing:
                empty.rmdir()


def remove_half_markers(folder: Path) -> None:
    """Remove what calls that were killed left of a marker, in a folder in which nobody writes now."""
    for part in filter(_HALF_A_MARKER.fullmatch, os.listdir(folder) if folder.is_dir() else ()):
        (folder / part).unlink()


def check_folder(path: str | Path, kind: str) -> Path:
    """Raise as `output_folder` does before it writes anything; the folder."""
    folder = _checked(path)
    sums = _read_marker(folder, kind)
    _check(folder, sums, sums)
    return folder


def is_as_written(path: str | Path, kind: str) -> bool:
    """Whether a folder holds the files that the last call of `output_folder` wrote, as it wrote them."""
    folder = Path(path)
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if not path.is_dir()}
    sums = _read_marker(folder, kind)
    return files == {*sums, MARKER} and all([checksum(folder / name)] == sums[name] for name in sums)


def _move(scratch, folder, kind, sums):
    """Move what is in the scratch folder to where it belongs, if anything is; all else of ours goes."""
    files = [path for path in scratch.rglob("*") if path.is_file()]
    moved = {path.relative_to(scratch).as_posix(): checksum(path) for path in files}
    if not moved:
        return
    _check(folder, sums, [*sums, *moved])
    for name in moved:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
    both = sums | {name: [*sums.get(name, []), digest] for name, digest in moved.items()}
    _write_marker(folder, kind, both)
    for name in moved:
        os.replace(scratch / name, folder / name)
    for name in sums.keys() - moved.keys():
        (folder / name).unlink(missing_ok=True)
        with suppress(OSError):
            os.removedirs((folder / name).parent)
    _write_marker(folder, kind, {name: [digest] for name, digest in moved.items()})


def _check(folder, sums, names):
    """Raise ValueError unless under each name there is nothing, or what we wrote there."""
    for name in names:
        path = folder / name
        # A link on the way, or a name of a marker that leads out of the folder, leads elsewhere.
        inside = path.resolve() == Path(f"{folder.resolve()}/{name}")
        if inside and (not path.exists() or path.is_file() and checksum(path) in sums.get(name, ())):
            continue
        what = "was changed since we wrote it" if name in sums else "not ours to replace"
        raise ValueError(f"{escaped(path, _PATH)}: {what}; move it away, or write elsewhere")


def _read_marker(folder, kind):
    """The checksums that each file of ours may have, by its name; ValueError if a folder is another's."""
    wanted = f"expected a new or an empty folder, or that of an earlier {kind}"
    above = next(path for path in (folder, *folder.absolute().parents) if os.path.lexists(path))
    if folder.is_symlink() or not above.is_dir():
        raise ValueError(f"{folder}: {wanted}, got a {'link' if folder.is_symlink() else 'file'}")
    inside = sorted(path.name for path in folder.iterdir()) if folder.exists() else []
    if MARKER not in inside and all(name.startswith(_OURS) for name in inside):
        return {}
    try:
        marker = json.loads(_text(folder / MARKER))
        written, sums = str(marker["kind"]), {name: [*known] for name, known in marker["files"].items()}
    except _UNREADABLE:
        raise ValueError(f"{folder}: {wanted}, got one that holds {escaped(inside[0])}") from None
    if written != kind:
        raise ValueError(f"{folder}: {wanted}, got that of another command ({escaped(written)})")
    return sums


def _write_marker(folder, kind, sums):
    write_whole(folder / MARKER, json.dumps({"kind": kind, "files": sums}, indent=1) + "\n")


@contextmanager
def hold(folder: Path, doing: str) -> Iterator[None]:
    """Keep other processes that ask for the same out of a folder, which is made if it is not there.

    It is let go when this process ends, however that ends. ``doing``, such as ``"building"``, is what others
    are told meanwhile.

    Raises
    ------
    ValueError
        If another process holds it, or a file of somebody else's has the name of the lock.
    """
    from filelock import FileLock, Timeout  # here, for this module is read without any package

    folder.mkdir(parents=True, exist_ok=True)
    lock = folder / LOCK
    with suppress(FileNotFoundError):
        if not _is_regular(lock) or lock.stat().st_size:
            raise ValueError(f"{escaped(lock, _PATH)}: not ours to lock; move it away, or write elsewhere")
    try:
        held = FileLock(lock, timeout=_PATIENCE).acquire()
    except Timeout:
        raise ValueError(f"{folder}: another process is {doing} there; wait for its end") from None
    with held:
        try:
            yield
        finally:
            with suppress(OSError):  # on Windows, where no open file can be removed
                lock.unlink()


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
    write_whole(Path(path), f"{text}{_SEAL}{_digest(text)} -->\n")


def check_page(path: str | Path) -> None:
    """Raise as `write_page` does, without writing."""
    path = _checked(path)
    if os.path.lexists(path):
        text, seal, rest = "", "", ""
        with suppress(ValueError):
            text, seal, rest = _text(path).rpartition(_SEAL)
        if not seal or rest != f"{_digest(text)} -->\n":
            raise ValueError(
                f"{path}: expected a new file, or one that this command wrote and nobody changed"
            )
    elif not path.parent.is_dir():
        raise ValueError(f"{path}: expected a file in a folder that is there")


def folder_name(parameters: Mapping[str, object]) -> str:
    """The name of a folder for values of parameters; with a checksum, if they are long or not safe.

    >>> folder_name({"beta": 0.5, "seed": 3})
    'beta=0.5,seed=3'
    """
    wanted = ",".join(f"{name}={value}" for name, value in parameters.items())
    safe = re.sub(r"[^a-zA-Z0-9_.,=:+-]+", "_", wanted)
    return wanted if safe == wanted and len(wanted) <= 120 else f"{safe[:120]}~{_digest(wanted)[:10]}"


def write_whole(path, text):
    """Write ``text`` to ``path`` so that no reader, interruption or loss of power ever meets half of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.{os.getpid()}-{threading.get_ident()}.part")
    try:
        with open(part, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    except OSError as error:
        raise _with_name(error, path) from error
    finally:
        part.unlink(missing_ok=True)


def checksum(path):
    """The checksum of a file's contents."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def digest(made_of):
    """A digest of what something is made of, given as anything that JSON can hold."""
    return _digest(json.dumps(made_of, sort_keys=True))


def _checked(path):
    if not str(path):
        raise ValueError("output='': expected a name")
    return Path(check_plain(str(path), "output"))


def _text(path):
    """The text of a file; ValueError for a link, a folder and a pipe, which would be waited for."""
    if not _is_regular(path):
        raise ValueError(f"{path}: expected a file")
    return path.read_text(encoding="utf-8")


def _is_regular(path):
    return stat.S_ISREG(path.lstat().st_mode)


def _digest(text):
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _with_name(error, path):
    """An OSError that says where: a full disk names no file."""
    return error if error.filename else OSError(error.errno, error.strerror or str(error), str(path))
