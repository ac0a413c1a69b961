"""Parts that the commands' parsers share: refusals in one line, options given once, checked values."""

import argparse
import re
import socket

from ndcg_companion.text import nearest

KNOCK = 2  # seconds that the port of a scheduler may take to answer


Help = argparse.RawDescriptionHelpFormatter


class Parser(argparse.ArgumentParser):
    """A parser that refuses with ValueError, and takes no option twice."""

    def __init__(self, **options):
        super().__init__(**options)
        self.register("action", None, _Once)

    def error(self, message):
        raise ValueError(message)


class _Once(argparse.Action):
    def __call__(self, parser, namespace, values, option_string=None):
        given = namespace.__dict__.setdefault("given", set())
        if self.dest in given and option_string:
            parser.error(f"{option_string}: given twice")
        given.add(self.dest)
        setattr(namespace, self.dest, values)


def whole(least):
    """A type of argument: a whole number, at least this one."""

    def number(text):
        if not text.isascii() or not text.isdigit() or not least <= int(text[:20]) < 2**63:
            raise argparse.ArgumentTypeError(f"{text}: expected a whole number >= {least}")
        return int(text)

    return number


def address(text):
    """A type of argument: the address of a Dask scheduler at which somebody listens; without Dask."""
    wanted = f"{text!r}: expected the address of a running Dask scheduler, such as 'tcp://127.0.0.1:8786'"
    parts = re.fullmatch(r"(?:(\w+)://)?(\[[\w:.]+\]|[\w.-]+):(\d{1,5})", text, re.ASCII)
    if not parts:
        raise argparse.ArgumentTypeError(wanted)
    if parts[1] in (None, "tcp", "tls"):
        try:
            socket.create_connection((parts[2].strip("[]"), int(parts[3])), KNOCK).close()
        except (OSError, OverflowError) as error:
            raise argparse.ArgumentTypeError(f"{wanted} ({error})") from None
    return text


def choice(words, help, default=None):
    """The settings for argparse of an option that takes one of these words, by default the first."""
    default = default or words[0]

    def word(text):
        if text not in words:
            hint = nearest(text, words)
            raise argparse.ArgumentTypeError(f"{text!r}: expected one of {', '.join(words)}{hint}")
        return text

    return {"type": word, "default": default, "metavar": "|".join(words), "help": f"{help} ({default})"}


FOLDER = {"metavar": "DIR"}
DASK = {"type": address, "metavar": "ADDRESS"}
