"""Files that are never half written, digests of what they are made of, and one build at a time in a place."""

import csv
import hashlib
import json
import os
import platform
import threading
from contextlib import closing, contextmanager
from importlib.resources import files

from ndcg_companion.writing import hold


def digest(made_of):
    """Changes with what something is made of: anything that JSON can hold."""
    return hashlib.sha256(json.dumps(made_of, sort_keys=True).encode()).hexdigest()


def table_of(name):
    """The rows of a table of the press, by the names of their columns."""
    with files("ndcg_companion.press").joinpath(name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def write_whole(path, text):
    """Write ``text`` to ``path`` so that no reader, interruption or loss of power ever meets half of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.{os.getpid()}-{threading.get_ident()}.part")
    try:
        with open(part, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


@contextmanager
def sole_build(folder):
    """Keep other builds out of ``folder``; ValueError that says who is at work. The dead keep none."""
    folder.mkdir(parents=True, exist_ok=True)
    builder = folder / "builder"
    try:
        held = hold(folder)
    except BlockingIOError:
        who = builder.read_text(encoding="utf-8") if builder.exists() else "another process"
        raise ValueError(f"{folder}: {who} is building there; wait for its end") from None
    with closing(held):
        write_whole(builder, f"process {os.getpid()} on {platform.node()}")
        yield
