"""Files that are replaced completely, so that nobody ever reads a part of one."""

import os
import stat
import threading
from pathlib import Path

MARKER = ".ndcg-conformance.json"


def is_regular(path: Path) -> bool:
    """Return whether a path is a regular file.

    Raises
    ------
    FileNotFoundError
        If the path does not exist.

    Notes
    -----
    Links and pipes are not regular files; reading a pipe would block.
    """
    return stat.S_ISREG(path.lstat().st_mode)


def write_whole(path: Path, text: str) -> None:
    """Write ``text`` to ``path`` so that nobody ever reads a part of it.

    An interruption or a loss of power leaves the old file or the new one.
    """
    part = path.with_name(f"{path.name}.{os.getpid()}-{threading.get_ident()}.part")
    try:
        with open(part, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)
