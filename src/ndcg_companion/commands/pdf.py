"""``companion pdf``: the book as one PDF."""

from ndcg_companion.commands import build
from ndcg_companion.commands.options import find_project


def add_parser(commands):
    add = build.add_parser(commands, "pdf", "the same as build, and print it as one PDF")
    add.set_defaults(command=call)
    return add


def call(options):
    from ndcg_companion.press.pdf import print_edition

    return build.tell(print_edition(find_project(), options.profile, options.jobs))
