"""``archive``: copy the built and printed book into one folder to keep."""

from claimbook.cli.options import find_project

OPTIONS: dict[str, dict] = {}


def call(options):
    """Write the archive of the finished book, and return the exit code."""
    from claimbook.publish.archive import archive

    root = find_project().root
    folder = root / "_build" / "archive"
    archive(root, folder)
    print(f"wrote {folder}")
    return 0
