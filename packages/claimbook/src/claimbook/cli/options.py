"""Parts that the commands' parsers share: refusals in one line, options given once, checked values."""

import argparse
import os
import socket
from urllib.parse import urlsplit

from claimbook.parameters import PROFILES

CORES = os.cpu_count() or 1
KNOCK = 2  # seconds that the port of a scheduler may take to answer


class Parser(argparse.ArgumentParser):
    """A parser that refuses with ValueError, and takes no option twice."""

    def __init__(self, **options):
        super().__init__(**options)
        self.register("action", None, _Once)

    def error(self, message):
        raise ValueError(message)


class _Once(argparse.Action):
    def __call__(self, parser, namespace, values, option_string=None):
        given = vars(namespace).setdefault("given", set())
        if self.dest in given and option_string:
            parser.error(f"{option_string}: given twice")
        given.add(self.dest)
        setattr(namespace, self.dest, values)


def count(text):
    """A type of argument: a whole number, at least one."""
    if not text.isascii() or not text.isdigit() or not 1 <= int(text[:20]) < 2**63:
        raise argparse.ArgumentTypeError(f"{text}: expected a whole number >= 1")
    return int(text)


def address(text):
    """A type of argument: the address of a Dask scheduler, at which somebody listens; without Dask."""
    try:
        parts = urlsplit(text if "://" in text else f"tcp://{text}")
        if not parts.port:
            raise ValueError("it has no port")
        if parts.scheme in ("tcp", "tls"):
            socket.create_connection((parts.hostname, parts.port), KNOCK).close()
    except (OSError, ValueError) as error:
        wanted = "expected the address of a running Dask scheduler, such as 'tcp://127.0.0.1:8786'"
        raise argparse.ArgumentTypeError(f"{text!r}: {wanted} ({error})") from None
    return text


def chapter_with(help):
    """The arguments of a command for one chapter with parameters."""
    return {
        "chapter": {"metavar": "CHAPTER", "help": "a name that the command 'list' knows"},
        "parameters": {"metavar": "name=value", "nargs": "*", "help": help},
        "--profile": PROFILE | {"help": "what the other parameters are (book)"},
    }


PROFILE = {"choices": PROFILES, "default": "book"}
FOLDER = {"metavar": "DIR"}
JOBS = {"type": count, "metavar": "N"}
DASK = {"type": address, "metavar": "ADDRESS"}


def find_project():
    """The book that the command was called in."""
    from claimbook.project import Project

    return Project.find()
