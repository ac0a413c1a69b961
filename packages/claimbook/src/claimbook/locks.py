"""Write the lock file of a new book, with the versions that are currently installed."""

# Written by hand, because 'pip freeze' lists every installed package and does not name claimbook's extra.

import json
from importlib.metadata import PackageNotFoundError, distribution

from claimbook import __version__

ENGINE = "claimbook[build]"
_HEAD = """\
# The packages with which the book is built. To install the same versions:
#   python -m pip install -r requirements.lock
# 'uv pip compile --generate-hashes' makes a lock with the hashes of their files.
"""


def lock(wanted=(ENGINE, "pytest")):
    """Return the text of a lock file, with a line for each package that is needed.

    Parameters
    ----------
    wanted : sequence of str
        The requirements of the book.

    Notes
    -----
    A package that is not installed is listed only if it is wanted. Its line has no version, so pip installs
    the newest.
    """
    pins = _pins(wanted)
    return (
        "\n".join([_HEAD + engine_line(), *(f"{name}=={pins[name]}" for name in sorted(pins))])
        + "\n"
        + ("" if "pytest" in pins else "pytest\n")
    )


def engine_line():
    """Return the line for claimbook: its version, or the source of its installation.

    The source is a repository or a folder.
    """
    try:
        origin = distribution("claimbook").read_text("direct_url.json")
    except PackageNotFoundError:
        origin = None
    if not origin:
        return f"{ENGINE}=={__version__}"
    origin = json.loads(origin)
    fragment = f"#subdirectory={origin['subdirectory']}" if origin.get("subdirectory") else ""
    if vcs := origin.get("vcs_info"):
        return f"{ENGINE} @ {vcs['vcs']}+{origin['url']}@{vcs['commit_id']}{fragment}"
    return f"{ENGINE} @ {origin['url']}{fragment}"


def is_local(line):
    """Return whether the line for claimbook names a folder of this machine."""
    return " @ file:" in line


def _pins(requirements):
    """Return the versions of the installed packages that requirements need, by name.

    claimbook itself is left out.
    """
    try:
        from packaging.requirements import Requirement  # installed by the extra 'build'
    except ImportError:
        return {}
    pins, visited, pending = {}, set(), [Requirement(text) for text in requirements]
    while pending:
        requirement = pending.pop()
        name, extras = requirement.name.lower().replace("_", "-"), requirement.extras or {""}
        unvisited = {(name, extra) for extra in {"", *extras}} - visited
        try:
            installed = distribution(name)
        except PackageNotFoundError:
            continue
        if not unvisited:
            continue
        visited |= unvisited
        pins[name] = installed.version
        for text in installed.requires or ():
            dependency = Requirement(text)
            if not dependency.marker or any(
                dependency.marker.evaluate({"extra": extra}) for _, extra in unvisited
            ):
                pending.append(dependency)
    pins.pop("claimbook", None)
    return pins
