"""A command line: it reads the words, calls the command's module, says what went wrong.

Exit codes: 0 all is well, 1 a gate failed, 2 bad input, 3 an error of the program itself, such as an
exception that nobody foresaw, or too little memory.
"""

import argparse
import os
import sys
from collections.abc import Callable, Mapping
from contextlib import redirect_stdout
from dataclasses import dataclass
from glob import escape, glob
from importlib import import_module

from ndcg_companion.checks import duplicates
from ndcg_companion.exits import Output, complain, open_streams, own_error
from ndcg_companion.text import check_plain, escaped, nearest


class Parser(argparse.ArgumentParser):
    """A parser that refuses with ValueError."""

    def error(self, message):
        raise ValueError(message)


def whole(least):
    """A type of argument: a whole number, at least this one."""

    def number(text):
        if not text.isascii() or not text.isdigit() or not least <= int(text[:20]) < 2**63:
            raise argparse.ArgumentTypeError(f"{text}: expected a whole number >= {least}")
        return int(text)

    return number


@dataclass(frozen=True)
class CommandLine:
    """A command line, which is called with the words after its name, or takes those of the process.

    Parameters
    ----------
    name : str
    description, version : str
        What ``--help`` and ``--version`` say.
    commands : mapping of str
        The name of each command to its module: with a first line that says what the command does, a table
        ``OPTIONS`` of the arguments of argparse, and a function ``call`` of the options that returns the exit
        code.
    lacking : callable
        Takes the name of a package that could not be imported; returns what to install, or an empty text if
        nothing that a user could install brings it.
    """

    name: str
    description: str
    version: str
    commands: Mapping[str, str]
    lacking: Callable[[str], str]

    def __call__(self, arguments=None):
        words = sys.argv[1:] if arguments is None else [str(word) for word in arguments]
        open_streams()
        # No command opens a window, and one that is not there would end it.
        os.environ.pop("MPLBACKEND", None)
        try:
            return self._run(words)
        except Exception as error:  # whatever it is, it is no verdict and no gate
            return own_error(self.name, error, words)

    def _run(self, words):
        """The exit code of a call, which is refused in one line where the input is bad."""
        with redirect_stdout(Output(sys.stdout)) as output:
            try:
                options = self.read(words)
                code = options.command(options)
                output.flush()
                return code
            except ValueError as error:
                code, message = 2, str(error)
            except ImportError as error:
                code, message = 2, self.lacking(error.name or "")
                if not message:
                    raise  # nothing that can be installed brings it, so it is a fault of ours
            except OSError as error:
                code, message = 2, _of_file(error)
            except KeyboardInterrupt:
                code, message = 130, "interrupted; nothing was decided"
        complain(self.name, message)
        return code

    def parser(self, names=None):
        """The parser of these commands, or of all."""
        parser = Parser(prog=self.name, description=self.description)
        parser.add_argument("--version", action="version", version=self.version)
        commands = parser.add_subparsers(metavar="COMMAND", required=True)
        for name in self.commands if names is None else names:
            module = import_module(self.commands[name])
            says, _, more = module.__doc__.partition(": ")[2].partition(".\n")
            add = commands.add_parser(
                name,
                help=says,
                description=more.strip(),
                formatter_class=argparse.RawDescriptionHelpFormatter,
            )
            for option, settings in module.OPTIONS.items():
                add.add_argument(option, **settings)
            add.set_defaults(command=module.call, settings=module.OPTIONS)
        return parser

    def read(self, words):
        """The options of a call; ValueError for a wrong one."""
        for before, word in zip(["", *words], words):
            check_plain(word, "argument")
            # argparse drops --
            if word in ("", "--") or word.startswith("-") and word.endswith(("=", "=--")):
                raise ValueError(f"argument {word or before!r}: expected a value")
        called = [word for word in words if not word.startswith("-")][:1]
        if called and called[0] not in self.commands:
            hint = nearest(called[0], self.commands) or f" (there are: {', '.join(self.commands)})"
            raise ValueError(f"{escaped(called[0])}: no command has that name{hint}")
        # The modules of other commands need not be imported.
        options, rest = self.parser(called or None).parse_known_args(words)
        if hasattr(options, "runs"):  # which may follow options as well as precede them
            options.runs += [word for word in rest if word[0] != "-"]
            rest = [word for word in rest if word[0] == "-"]
        if rest:
            raise ValueError(f"unrecognized arguments: {' '.join(rest)}{nearest(rest[0], options.settings)}")
        for twice in duplicates(word.partition("=")[0] for word in words if word.startswith("--")):
            if options.settings.get(twice, {}).get("action") != "append":
                raise ValueError(f"{twice}: given twice")
        return options


def _of_file(error):
    """What an error says of a file, with the name of one that is nearly the same."""
    name = str(error.filename or "")
    beside = (
        glob(os.path.join(escape(os.path.dirname(name)), "*")) if isinstance(error, FileNotFoundError) else []
    )
    hint = nearest(os.path.basename(name), map(os.path.basename, beside))
    return f"{name}{': ' if name else ''}{error.strerror or error}{hint}"
