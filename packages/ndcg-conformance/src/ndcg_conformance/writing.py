"""Files that are replaced whole, so that no reader and no interruption meets half of one."""

import os
import stat
import threading
from pathlib import Path

MARKER = ".ndcg-conformance.json"


def is_regular(path: Path) -> bool:
    """Return whether it is a file and neither a link nor a pipe, which would be waited for.

    Raises
    ------
    FileNotFoundError
        If nothing is there.
    """
    return stat.S_ISREG(path.lstat().st_mode)


def write_whole(path: Path, text: str) -> None:
    """Write ``text`` to ``path`` so that no reader, interruption or loss of power ever meets half of it."""
    part = path.with_name(f"{path.name}.{os.getpid()}-{threading.get_ident()}.part")
    try:
        with open(part, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)
