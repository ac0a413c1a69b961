"""The lock file of a new book: the versions that are installed when it is begun."""

# By hand, because 'pip freeze' lists all that is installed, and claimbook is to be named with its extra.

import json
from importlib.metadata import PackageNotFoundError, distribution

from claimbook import __version__

ENGINE = "claimbook[build]"
_HEAD = """\
# The packages that the book is built with. Others build it with the same:
#   python -m pip install -r requirements.lock
# 'uv pip compile --generate-hashes' makes a lock with the hashes of their files.
"""


def lock(wanted=(ENGINE, "pytest")):
    """The text of a lock file: a line for what is wanted, and one for each package that it needs.

    A package that is not installed has no version, and no line unless it is wanted: pip takes the newest.
    """
    pins = _pins(wanted)
    return (
        "\n".join([_HEAD + engine_line(), *(f"{name}=={pins[name]}" for name in sorted(pins))])
        + "\n"
        + ("" if "pytest" in pins else "pytest\n")
    )


def engine_line():
    """The line for claimbook: its version, or the repository or the folder from which it was installed."""
    try:
        origin = distribution("claimbook").read_text("direct_url.json")
    except PackageNotFoundError:
        origin = None
    if not origin:
        return f"{ENGINE}=={__version__}"
    origin = json.loads(origin)
    inside = f"#subdirectory={origin['subdirectory']}" if origin.get("subdirectory") else ""
    if vcs := origin.get("vcs_info"):
        return f"{ENGINE} @ {vcs['vcs']}+{origin['url']}@{vcs['commit_id']}{inside}"
    return f"{ENGINE} @ {origin['url']}{inside}"


def is_local(line):
    """Whether the line for claimbook names a place that only this machine has."""
    return " @ file:" in line


def _pins(wanted):
    """The version of each installed package that the wanted ones need, by its name, but for claimbook."""
    try:
        from packaging.requirements import Requirement  # which the extra 'build' brings
    except ImportError:
        return {}
    pins, known, due = {}, set(), [Requirement(text) for text in wanted]
    while due:
        requirement = due.pop()
        name, extras = requirement.name.lower().replace("_", "-"), requirement.extras or {""}
        new = {(name, extra) for extra in {"", *extras}} - known
        try:
            found = distribution(name)
        except PackageNotFoundError:
            continue
        if not new:
            continue
        known |= new
        pins[name] = found.version
        for text in found.requires or ():
            needed = Requirement(text)
            if not needed.marker or any(needed.marker.evaluate({"extra": extra}) for _, extra in new):
                due.append(needed)
    pins.pop("claimbook", None)
    return pins
