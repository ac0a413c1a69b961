"""Write the lock file of a new book, with the versions that are currently installed."""

# Written by hand, because 'pip freeze' lists every installed package and does not name claimbook's extra.

import json
from collections import defaultdict
from importlib.metadata import PackageNotFoundError, distribution

from claimbook import __version__

ENGINE = "claimbook[build]"
_HEAD = """\
# The packages with which the book is built. To install the same versions:
#   python -m pip install -r requirements.lock
# 'uv pip compile --generate-hashes' makes a lock with the hashes of their files.
"""


def lock():
    """Return the text of a lock file, with a line for each package that a book needs.

    Notes
    -----
    If pytest is not installed, its line has no version, so pip installs the newest.
    """
    versions = _versions_needed_by([ENGINE, "pytest"])
    lines = [_HEAD + engine_line(), *(f"{name}=={versions[name]}" for name in sorted(versions))]
    if "pytest" not in versions:
        lines.append("pytest")
    return "\n".join(lines) + "\n"


def engine_line():
    """Return the line for claimbook: its version, or the source of its installation.

    The source is a repository or a folder.
    """
    try:
        # pip writes this file (PEP 610) for an installation from a repository or a folder.
        origin_json = distribution("claimbook").read_text("direct_url.json")
    except PackageNotFoundError:
        origin_json = None
    if not origin_json:
        return f"{ENGINE}=={__version__}"
    origin = json.loads(origin_json)
    fragment = f"#subdirectory={origin['subdirectory']}" if origin.get("subdirectory") else ""
    if vcs := origin.get("vcs_info"):
        return f"{ENGINE} @ {vcs['vcs']}+{origin['url']}@{vcs['commit_id']}{fragment}"
    return f"{ENGINE} @ {origin['url']}{fragment}"


def _versions_needed_by(requirements):
    """Return the versions of the installed packages that requirements need, by name.

    claimbook itself is left out.
    """
    try:
        from packaging.requirements import Requirement  # installed by the extra 'build'
    except ImportError:
        return {}
    versions, visited_extras = {}, defaultdict(set)
    pending = [Requirement(text) for text in requirements]
    while pending:
        requirement = pending.pop()
        name = requirement.name.lower().replace("_", "-")
        new_extras = {"", *requirement.extras} - visited_extras[name]  # "" stands for no extra
        visited_extras[name] |= new_extras
        try:
            package = distribution(name)
        except PackageNotFoundError:
            continue
        versions[name] = package.version
        for dependency in map(Requirement, package.requires or ()):
            marker = dependency.marker
            if any(not marker or marker.evaluate({"extra": extra}) for extra in new_extras):
                pending.append(dependency)
    versions.pop("claimbook", None)
    return versions
