"""``build``: execute what changed and render the site."""

import sys

from claimbook.cli.options import CORES, JOBS, PROFILE, find_project

OPTIONS = {
    "--profile": PROFILE | {"help": "the set of parameter values (book)"},
    "--jobs": JOBS | {"default": CORES, "help": "chapters executed at a time (one for each core)"},
}


def call(options):
    """Build the book, print the problems, and return the exit code."""
    from claimbook.build import build

    return report(build(find_project(), options.profile, options.jobs))


def report(troubles):
    """Print the problems on standard error; return the exit code."""
    for trouble in troubles:
        print(trouble, file=sys.stderr)
    return 1 if troubles else 0
