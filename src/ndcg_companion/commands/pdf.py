"""The command ``companion pdf``: build the book, and print it as one PDF."""

from ndcg_companion.commands.build import call as build
from ndcg_companion.press.pdf import print_edition


def call(options):
    """Carry out the command; returns the exit code."""
    return build(options, print_edition)
