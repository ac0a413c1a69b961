"""``companion pdf``: the same as build, and print it as one PDF."""

from ndcg_companion.commands.build import OPTIONS, tell
from ndcg_companion.commands.options import find_project

__all__ = ["OPTIONS", "call"]  # the same options


def call(options):
    from ndcg_companion.press.pdf import print_edition

    return tell(print_edition(find_project(), options.profile, options.jobs))
