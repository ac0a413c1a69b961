"""``pdf``: build the book and print it as one PDF."""

from claimbook.cli.build import OPTIONS, report
from claimbook.cli.options import find_project

__all__ = ["OPTIONS", "call"]  # the options are those of build


def call(options):
    """Build and print the book, print the problems, and return the exit code."""
    from claimbook.publish.pdf import build_and_print

    return report(build_and_print(find_project(), options.profile, options.jobs))
