"""``pdf``: the same as build, and print it as one PDF."""

from claimbook.cli.build import OPTIONS, tell
from claimbook.cli.options import find_project

__all__ = ["OPTIONS", "call"]  # the same options


def call(options):
    from claimbook.publish.pdf import print_edition

    return tell(print_edition(find_project(), options.profile, options.jobs))
