"""Write output folders without overwriting other files.

A command writes into a folder that is new or empty, or that an earlier call wrote. After a call, the folder
contains a marker, which lists the files of that call with their checksums. New files are written into a
subfolder and are then moved one by one when they are complete. If the program is killed while it moves files,
no file is truncated, but the subfolder remains, and the next call asks the user to remove it.
"""

import hashlib
import json
import os
import shutil
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from ndcg_companion.checks import fail_if
from ndcg_companion.text import check_plain, escaped

MARKER = ".ranking-report.json"
SCRATCH = ".ranking-report.part"
# The most characters of a path in a message, so that its end, which is the file's name, is visible.
_MOST_CHARACTERS = 1000


def write_folder(path: str | Path, kind: str, files: Mapping[str, str]) -> None:
    """Write files into a folder, and remove the files of an earlier call.

    Parameters
    ----------
    path : path
        The folder, which is created if it does not exist.
    kind : str
        The kind of output, such as ``"report"``. A folder of another kind is rejected.
    files : mapping of str to str
        The texts to write, by file name.

    Raises
    ------
    ValueError
        If `check_folder` rejects the folder or a name.
    OSError
        If a file cannot be written. The error always names a file.
    """
    folder, old_sums = check_folder(path, kind, files)
    texts = {name: text.encode("utf-8", "surrogatepass") for name, text in files.items()}
    new_sums = {name: [_checksum(text)] for name, text in texts.items()}
    created_folders = [parent for parent in (folder, *folder.parents) if not parent.exists()]
    scratch = folder / SCRATCH
    scratch.mkdir(parents=True)
    try:
        for name, text in texts.items():
            (scratch / name).write_bytes(text)
        # Until all files are moved, the marker lists both the old and the new files.
        _mark(
            folder,
            kind,
            {name: [*new_sums.get(name, []), *old_sums.get(name, [])] for name in old_sums | new_sums},
        )
        for name in texts:
            os.replace(scratch / name, folder / name)
        for name in old_sums.keys() - texts.keys():
            (folder / name).unlink(missing_ok=True)
        _mark(folder, kind, new_sums)
    except OSError as error:  # the error for a full disk does not name a file
        raise error if error.filename else OSError(error.errno, error.strerror, str(path)) from error
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
        with suppress(OSError):  # a folder that contains files stays
            for parent in created_folders:
                parent.rmdir()


def check_folder(path: str | Path, kind: str, names=()) -> tuple[Path, dict[str, list[str]]]:
    """Return a folder, and the possible checksums of each of our files in it.

    ``names`` are the names of the files that will be written.

    Raises
    ------
    ValueError
        If the folder is not new, empty or ours. If another call is writing there. If a file that we wrote has
        been changed since. If one of ``names`` is the name of a file that we did not write.
    OSError
        If the system rejects the name, for example because it is too long.
    """
    fail_if(not str(path), "output='': expected a name")
    folder = Path(check_plain(str(path), "output"))
    expected = f"{folder}: expected a new or an empty folder, or that of an earlier {kind}"
    existing_parent = next(
        parent for parent in (folder, *folder.absolute().parents) if os.path.lexists(parent)
    )
    with suppress(FileNotFoundError, NotADirectoryError):
        folder.lstat()  # rejects a name that is too long; since Python 3.14, exists() does not
    fail_if(folder.is_symlink(), f"{expected}, got a link")
    fail_if(not existing_parent.is_dir(), f"{expected}, got a file")
    content = sorted(os.listdir(folder)) if folder.exists() else []
    busy = "another call is writing there, or was killed; wait until it ends, or remove this folder"
    fail_if(SCRATCH in content, f"{folder / SCRATCH}: {busy}")
    if not content:
        return folder, {}
    try:
        # Without a marker, the empty text raises a ValueError.
        marker = json.loads(
            (folder / MARKER).read_text(encoding="utf-8") if _is_file(folder / MARKER) else ""
        )
        written_kind = str(marker["kind"])
        sums = {str(name): [*checksums] for name, checksums in marker["files"].items()}
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        raise ValueError(f"{expected}, got one that holds {escaped(content[0])}") from None
    fail_if(written_kind != kind, f"{expected}, got that of another command ({escaped(written_kind)})")
    for name in sums.keys() | set(names):
        file, checksums = folder / name, sums.get(name, ())
        is_ours = file.parent == folder and _is_file(file) and _checksum(file.read_bytes()) in checksums
        reason = "was changed after this program wrote it" if checksums else "was not written by this program"
        message = f"{escaped(file, _MOST_CHARACTERS)}: {reason}; move it away, or write elsewhere"
        fail_if(os.path.lexists(file) and not is_ours, message)
    return folder, sums


def _is_file(path):
    """Return whether a path is a regular file; reading a pipe would block."""
    return path.is_file() and not path.is_symlink()


def _checksum(data):
    return hashlib.sha256(data).hexdigest()


def _mark(folder, kind, sums):
    """Write a marker with checksums in the subfolder, and then move it to its place."""
    text = json.dumps({"kind": kind, "files": sums}, indent=1) + "\n"
    (folder / SCRATCH / MARKER).write_text(text, encoding="utf-8")
    os.replace(folder / SCRATCH / MARKER, folder / MARKER)
