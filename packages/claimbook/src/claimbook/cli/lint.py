"""``lint``: list the rules that the sources of the chapters break, one per line.

Nothing is executed. The exit code is 1 if a rule is broken.
"""

import os

from claimbook.text import escaped

OPTIONS = {
    "folder": {
        "metavar": "FOLDER",
        "nargs": "?",
        "default": ".",
        "help": "the folder of the book (the present folder)",
    }
}


def call(options):
    """Print the broken rules, and return 1 if there are any."""
    from claimbook.lint import offences
    from claimbook.project import Project

    if not os.path.isdir(options.folder):
        raise ValueError(f"{escaped(options.folder)}: expected the folder of a book")
    lines = list(offences(Project.find(options.folder)))
    print("\n".join(lines) or "all chapters follow the rules")
    return 1 if lines else 0
