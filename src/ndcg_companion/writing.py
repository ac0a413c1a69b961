"""Where a command may write: a folder that is new, empty or ours, and there only over what we wrote.

A folder is ours if it holds a marker, which lists the files that we put there with their checksums. All
is made in a scratch folder inside it and moved when it is whole, so that a kill leaves at most the scratch
folder, which the next call removes. Below all rooms, because several of them write.
"""

import hashlib
import json
import os
import re
import shutil
import sqlite3
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from errno import EACCES, EAGAIN
from pathlib import Path

from ndcg_companion.text import check_plain, shown

MARKER = ".ndcg-companion.json"
_SEAL = "\n<!-- written by ndcg-companion, sha256 "


@contextmanager
def output_folder(path: str | Path, kind: str, claims: Sequence[str] = ()) -> Iterator[Path]:
    """A scratch folder, whose files are moved into ``path`` at the end if nothing was raised.

    What an earlier call wrote there and this one did not is removed; if this one wrote nothing, all stays.

    Parameters
    ----------
    path : path
        Made if it is not there; gone again if the work fails and it is empty.
    kind : str
        What is written, such as ``"run"``: a folder of another kind is refused.
    claims : sequence of str
        Names of files below ``path`` that the caller writes there by itself, at any time, each in one step.

    Raises
    ------
    ValueError
        Before anything is written, if ``path`` is none of new, empty and ours, if a file that we wrote there
        was changed since, or if another process is writing there; at the end, if a foreign file is there.
    OSError
        If it cannot be written; it always names a file.

    Notes
    -----
    Room for work that is not to be kept is beside the scratch folder, in its parent.
    """
    folder = _checked(path)
    files = _own_files(folder, kind)
    _refuse_foreign(folder, [name for name in claims if name not in files])
    made = [one for one in (folder, *folder.parents) if not one.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with _scratch(folder) as part:
            (part / "new").mkdir()
            if claims:
                _mark(part, kind, files | dict.fromkeys(claims))
            yield part / "new"
            settle(part / "new", kind)
    except OSError as error:
        raise _named(error, path) from error
    finally:
        with suppress(OSError):
            if made and os.listdir(folder) == [MARKER]:
                (folder / MARKER).unlink()
            for empty in made:
                empty.rmdir()


def check_folder(path: str | Path, kind: str) -> Path:
    """Raise as `output_folder` does before it writes anything; returns the folder."""
    folder = _checked(path)
    _own_files(folder, kind)
    return folder


def settle(scratch: Path, kind: str) -> None:
    """Move what is in the scratch folder of an `output_folder` to where it belongs, as ours."""
    part, folder = scratch.parent, scratch.parents[1]
    paths = [path for path in scratch.rglob("*") if path.is_file()]
    moved = {path.relative_to(scratch).as_posix(): [checksum(path)] for path in paths}
    if not moved:
        return
    before = _own_files(folder, kind)
    _refuse_foreign(folder, [name for name in moved if name not in before])
    # A kill on the way finds each file noted, whether it is the old one or the new one that is there.
    _mark(part, kind, before | {name: [*(before.get(name) or []), *sums] for name, sums in moved.items()})
    for name in moved:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        os.replace(scratch / name, folder / name)
    claimed = {name: sums for name, sums in before.items() if sums is None and name not in moved}
    for name in before.keys() - moved.keys() - claimed.keys():
        (folder / name).unlink(missing_ok=True)
        with suppress(OSError):
            os.removedirs((folder / name).parent)
    _mark(part, kind, claimed | moved)


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
    if path.is_file() and not path.is_symlink():
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


def _own_files(folder, kind):
    """The files that we wrote into ``folder``, with the checksums they may have (None: any)."""
    wanted = f"expected a new or an empty folder, or that of an earlier {kind}"
    above = next(one for one in (folder, *folder.absolute().parents) if os.path.lexists(one))
    if folder.is_symlink() or not above.is_dir():
        raise ValueError(f"{folder}: {wanted}, got a {'link' if folder.is_symlink() else 'file'}")
    inside = [one.name for one in folder.iterdir() if not _is_scratch(one)] if folder.exists() else []
    if not inside:
        return {}
    try:
        marker = json.loads((folder / MARKER).read_text(encoding="utf-8"))
        written = str(marker["kind"])
        files = {name: sums if sums is None else [*sums] for name, sums in marker["files"].items()}
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        raise ValueError(f"{folder}: {wanted}, got one that holds {shown(min(inside))}") from None
    if written != kind:
        raise ValueError(f"{folder}: {wanted}, got that of another command ({shown(written)})")
    for name, checksums in files.items():
        path = folder / name
        if (
            not _is_within(folder, path)
            or os.path.lexists(path)
            and (path.is_symlink() or not path.is_file())
        ):
            raise ValueError(f"{shown(path)}: expected a file that an earlier {kind} wrote")
        if checksums is not None and path.exists() and checksum(path) not in checksums:
            raise ValueError(
                f"{shown(path)}: was changed since we wrote it; move it away, or write elsewhere"
            )
    return files


def _refuse_foreign(folder, names):
    for name in names:
        if os.path.lexists(folder / name) or not _is_within(folder, folder / name):
            raise ValueError(f"{shown(folder / name)}: not ours to replace; move it away, or write elsewhere")


def _is_within(folder, path):
    """Whether each folder between the two is one, or can become one, and none is a link to elsewhere."""
    if not path.is_relative_to(folder) or ".." in path.parts[len(folder.parts) :]:
        return False
    between = [folder / above for above in path.relative_to(folder).parents][:-1]
    return not any(above.is_symlink() or above.exists() and not above.is_dir() for above in between)


def _mark(part, kind, files):
    """Replace the marker of the folder that the scratch folder ``part`` is in."""
    (part / MARKER).write_text(json.dumps({"kind": kind, "files": files}, indent=1), encoding="utf-8")
    os.replace(part / MARKER, part.parent / MARKER)


def checksum(path):
    """Changes with the contents of a file."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _digest(text):
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _named(error, path):
    """An OSError that says where: a full disk names no file."""
    return error if error.filename else OSError(error.errno, error.strerror or str(error), str(path))


@contextmanager
def _scratch(folder):
    """A folder of this process inside ``folder``; those of processes that are gone are removed first."""
    try:
        part = Path(tempfile.mkdtemp(prefix=f"part-{os.getpid()}-", dir=folder))
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(folder)) from None
    try:
        with closing(hold(part)):
            for other in folder.glob("part-*-*"):
                if other.name != part.name and _is_scratch(other):  # newer Pythons tell of an absolute path
                    _remove_abandoned(other)
            yield part
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _is_scratch(path):
    return path.name.startswith("part-") and not path.is_symlink() and (path / "lock").is_file()


def hold(folder):
    """A connection that holds a folder until it is closed; BlockingIOError if another process does.

    Of all locks this is the one that ends with its process on every system.
    """
    connection = None
    try:
        connection = sqlite3.connect(folder / "lock", timeout=0)
        connection.execute("BEGIN EXCLUSIVE")
    except sqlite3.Error as error:
        if connection:
            connection.close()
        number = EAGAIN if error.sqlite_errorcode == sqlite3.SQLITE_BUSY else EACCES
        raise OSError(number, f"cannot be locked ({error})", str(folder)) from None
    return connection


def _remove_abandoned(part):
    try:
        hold(part).close()
    except BlockingIOError:
        process = part.name.split("-")[1]
        raise ValueError(f"{part.parent}: process {process} is writing there; wait for its end") from None
    shutil.rmtree(part, ignore_errors=True)


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
    finally:
        part.unlink(missing_ok=True)
