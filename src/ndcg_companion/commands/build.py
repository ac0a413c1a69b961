"""``companion build``: execute what changed and render the site."""

import sys

from ndcg_companion.commands.options import add_jobs, add_profile, find_project


def add_parser(commands, name="build", says="execute what changed and render the site"):
    add = commands.add_parser(name, help=says)
    add_profile(add, "how large the runs are (book)")
    add_jobs(add, "chapters at a time (as many as there are cores)")
    add.set_defaults(command=call)
    return add


def call(options):
    from ndcg_companion.press.build import build

    return tell(build(find_project(), options.profile, options.jobs))


def tell(troubles):
    """Say what went wrong; returns the exit code."""
    for trouble in troubles:
        print(trouble, file=sys.stderr)
    return 1 if troubles else 0
