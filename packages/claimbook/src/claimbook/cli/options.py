"""Provide the shared parts of the commands' parsers: one-line errors and checked values."""

import argparse
import os
import socket
from urllib.parse import urlsplit

from claimbook.parameters import PROFILES

CORES = os.cpu_count() or 1
_SECONDS_TO_ANSWER = 2  # for the port of a scheduler


class Parser(argparse.ArgumentParser):
    """A parser that raises ValueError for errors and for repeated options."""

    def __init__(self, **options):
        super().__init__(**options)
        self.register("action", None, _StoreOnce)  # the action of arguments that name none

    def error(self, message):
        raise ValueError(message)


class _StoreOnce(argparse.Action):
    """Store the value of an argument, and reject a second value of an option."""

    def __call__(self, parser, namespace, values, option_string=None):
        stored_names = vars(namespace).setdefault("seen", set())
        if self.dest in stored_names and option_string:  # a positional argument has no option string
            parser.error(f"{option_string}: expected one value, got two")
        stored_names.add(self.dest)
        setattr(namespace, self.dest, values)


def count(text):
    """Return an argument as a whole number, which must be at least 1."""
    # Twenty digits are already too many, and Python refuses to convert thousands of them.
    if not text.isascii() or not text.isdigit() or not 1 <= int(text[:20]) < 2**63:
        raise argparse.ArgumentTypeError(f"{text}: expected a whole number >= 1")
    return int(text)


def address(text):
    """Return an argument as the address of a Dask scheduler that answers.

    Dask itself is not needed for this check.
    """
    try:
        url = urlsplit(text if "://" in text else f"tcp://{text}")
        if not url.port:
            raise ValueError("it has no port")
        if url.scheme in ("tcp", "tls"):
            socket.create_connection((url.hostname, url.port), _SECONDS_TO_ANSWER).close()
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
JOBS = {"type": count, "metavar": "N"}


def find_project():
    """Return the book in the present folder or above it."""
    from claimbook.project import Project

    return Project.find()
