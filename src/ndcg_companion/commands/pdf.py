"""``companion pdf``: the same as build, and print it as one PDF."""

from ndcg_companion.commands.build import add_options, tell  # noqa: F401 - the options are the same
from ndcg_companion.commands.options import find_project


def call(options):
    from ndcg_companion.press.pdf import print_edition

    return tell(print_edition(find_project(), options.profile, options.jobs))
