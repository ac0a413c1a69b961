"""Provide the shared parts of the commands' parsers: one-line errors and checked values."""

import argparse
import os
import socket
from urllib.parse import urlsplit

from claimbook.parameters import PROFILES

CORES = os.cpu_count() or 1
KNOCK = 2  # seconds within which the port of a scheduler must answer


class Parser(argparse.ArgumentParser):
    """A parser that raises ValueError for errors and for repeated options."""

    def __init__(self, **options):
        super().__init__(**options)
        self.register("action", None, _Once)

    def error(self, message):
        raise ValueError(message)


class _Once(argparse.Action):
    def __call__(self, parser, namespace, values, option_string=None):
        options_seen = vars(namespace).setdefault("seen", set())
        if self.dest in options_seen and option_string:
            parser.error(f"{option_string}: expected one value, got two")
        options_seen.add(self.dest)
        setattr(namespace, self.dest, values)


def count(text):
    """Return an argument as a whole number, which must be at least 1."""
    if not text.isascii() or not text.isdigit() or not 1 <= int(text[:20]) < 2**63:
        raise argparse.ArgumentTypeError(f"{text}: expected a whole number >= 1")
    return int(text)


def address(text):
    """Return an argument as the address of a Dask scheduler that answers.

    Dask itself is not needed for this check.
    """
    try:
        parts = urlsplit(text if "://" in text else f"tcp://{text}")
        if not parts.port:
            raise ValueError("it has no port")
        if parts.scheme in ("tcp", "tls"):
            socket.create_connection((parts.hostname, parts.port), KNOCK).close()
    except (OSError, ValueError) as error:
        expectation = "expected the address of a running Dask scheduler, such as 'tcp://127.0.0.1:8786'"
        raise argparse.ArgumentTypeError(f"{text!r}: {expectation} ({error})") from None
    return text


def chapter_with(help):
    """Return the options of a command that takes one chapter and parameters."""
    return {
        "chapter": {"metavar": "CHAPTER", "help": "the name of a chapter, as the command 'list' prints it"},
        "parameters": {"metavar": "name=value", "nargs": "*", "help": help},
        "--profile": PROFILE | {"help": "the set of values for the other parameters (book)"},
    }


PROFILE = {"choices": PROFILES, "default": "book"}
FOLDER = {"metavar": "DIR"}
JOBS = {"type": count, "metavar": "N"}
DASK = {"type": address, "metavar": "ADDRESS"}


def find_project():
    """Return the book in the present folder or above it."""
    from claimbook.project import Project

    return Project.find()
