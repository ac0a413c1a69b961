"""``pdf``: the same as build, and print it as one PDF."""

from claimbook.cli.build import OPTIONS, tell
from claimbook.cli.options import check_profile, find_project

__all__ = ["OPTIONS", "call"]  # the same options


def call(options):
    from claimbook.publish.pdf import build_and_print

    project = find_project()
    check_profile(project, options.profile)
    return tell(build_and_print(project, options.profile, options.jobs))
