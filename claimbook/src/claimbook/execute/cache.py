"""What is kept between builds: digests of what things are made of, one build at a time."""

import hashlib
import json
import os
import platform
from contextlib import ExitStack, contextmanager

from claimbook.writing import hold, write_whole


def digest(made_of):
    """A digest of what something is made of, given as anything that JSON can hold."""
    return hashlib.sha256(json.dumps(made_of, sort_keys=True).encode()).hexdigest()


@contextmanager
def sole_build(folder):
    """Keep other builds out of ``folder``; ValueError that says who is at work. The dead keep none."""
    builder = folder / "builder"
    with ExitStack() as lock:
        try:
            lock.enter_context(hold(folder))
        except BlockingIOError:
            who = builder.read_text(encoding="utf-8") if builder.exists() else "another process"
            raise ValueError(f"{folder}: {who} is building there; wait for its end") from None
        write_whole(builder, f"process {os.getpid()} on {platform.node()}")
        yield
