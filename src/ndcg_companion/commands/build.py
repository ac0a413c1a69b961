"""The command ``companion build``: execute what changed and render the site."""

import sys

from ndcg_companion.press.build import build
from ndcg_companion.press.project import Project


def call(options, make=build):
    """Carry out the command; returns the exit code."""
    troubles = make(Project.find(), options.profile, options.jobs)
    for trouble in troubles:
        print(trouble, file=sys.stderr)
    return 1 if troubles else 0
