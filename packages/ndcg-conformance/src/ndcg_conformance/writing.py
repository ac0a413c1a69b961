"""Replace files as a whole, so that nobody ever reads only a part of them."""

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
    """Write ``text`` to ``path`` such that nobody ever reads only a part of it.

    After an interruption or a loss of power, the file is either the old one or the new one.
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
