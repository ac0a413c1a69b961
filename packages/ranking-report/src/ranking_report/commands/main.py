"""The command line ``ranking-report``.

The exit codes are 0 for success, 1 if a gate failed, 2 for bad input, and 3 for an error of the program
itself, such as an unexpected exception or too little memory.
"""

import argparse
import os
import shlex
import sys
from contextlib import redirect_stdout
from functools import partial
from glob import escape, glob
from importlib import import_module

from ndcg_companion.checks import duplicates, fail_if
from ndcg_companion.exits import Output, complain, open_streams, own_error
from ndcg_companion.text import check_plain, escaped, nearest
from ranking_report.commands.options import COMMANDS
from ranking_report.extras import missing_extra_message
from ranking_report.version import __version__

_PROGRAM = "ranking-report"


class Parser(argparse.ArgumentParser):
    """A parser that raises ValueError for wrong arguments."""

    def error(self, message):
        raise ValueError(message)


def main(arguments=None):
    """Run a command and return the exit code.

    Parameters
    ----------
    arguments : sequence of str, optional
        The words after the name of the program, by default those of this process.
    """
    words = sys.argv[1:] if arguments is None else [str(word) for word in arguments]
    open_streams()
    try:
        return _run(words)
    except Exception as error:  # an exception must not look like the exit code of a failed gate
        return own_error(_PROGRAM, error, words)


def _run(words):
    """Run a command and return its exit code, which is 2 for bad input."""
    with redirect_stdout(Output(sys.stdout)) as output:
        try:
            options = read(words)
            code = options.command(options)
            output.flush()
            return code
        except ValueError as error:
            code, message = 2, str(error)
        except ImportError as error:
            code, message = 2, missing_extra_message(error.name or "")
            if not message:
                raise  # no extra provides this module, so the error is in this program
        except OSError as error:
            code, message = 2, _file_error_message(error)
        except KeyboardInterrupt:
            code, message = 130, "interrupted; nothing was decided"
    complain(_PROGRAM, message)
    return code


def read(words):
    """Return the options that a command line contains.

    Raises
    ------
    ValueError
        If a word, an option or a value is wrong.
    """
    for previous_word, word in zip(["", *words], words):
        check_plain(word, "argument")
        # argparse would silently drop "--".
        has_no_value = word in ("", "--") or word.startswith("-") and word.endswith(("=", "=--"))
        fail_if(has_no_value, f"argument {word or previous_word!r}: expected a value")
    command_names = [word for word in words if not word.startswith("-")][:1]
    if command_names and command_names[0] not in COMMANDS:
        hint = nearest(command_names[0], COMMANDS)
        raise ValueError(
            f"{escaped(command_names[0])}: expected a command, one of {', '.join(COMMANDS)}{hint}"
        )
    options, unknown_words = parser(command_names or COMMANDS).parse_known_args(words)
    options.line = shlex.join([_PROGRAM, *words])
    if hasattr(options, "runs"):  # runs may precede or follow the options
        options.runs = [*options.runs, *(word for word in unknown_words if word[0] != "-")]
        unknown_words = [word for word in unknown_words if word[0] == "-"]
    if unknown_words:
        name, program = unknown_words[0].partition("=")[0], " ".join([_PROGRAM, *command_names])
        hint = nearest(name, options.settings) or f"; {program} --help lists them"
        raise ValueError(f"{name}: expected an option of {program}{hint}")
    for option in duplicates(word.partition("=")[0] for word in words if word.startswith("--")):
        fail_if(
            options.settings.get(option, {}).get("action") != "append", f"{option}: expected this option once"
        )
    return options


def _run_command(name, options):
    """Import only the module of the named command, run it, and return the exit code."""
    return import_module(f"ranking_report.commands.{name}").call(options)


def parser(names):
    """Return the parser for these commands."""
    program = Parser(
        prog=_PROGRAM, description="Which of several rankings is better, and how sure the answer is."
    )
    program.add_argument("--version", action="version", version=f"{_PROGRAM} {__version__}")
    commands = program.add_subparsers(metavar="COMMAND", required=True)
    for name in names:
        summary, description, groups = COMMANDS[name]
        formatter = argparse.RawDescriptionHelpFormatter
        command = commands.add_parser(name, help=summary, description=description, formatter_class=formatter)
        settings_by_argument = {}
        for title, arguments in groups.items():
            group = command.add_argument_group(title)
            for argument, settings in arguments.items():
                group.add_argument(argument, **settings)
            settings_by_argument |= arguments
        # `read` needs the settings to recognize mistyped and repeated options.
        command.set_defaults(command=partial(_run_command, name), settings=settings_by_argument)
    return program


def _file_error_message(error):
    """Return the message for a file error, with a suggestion for a mistyped name."""
    name = str(error.filename or "")
    siblings = glob(os.path.join(escape(os.path.dirname(name)), "*"))
    is_absent = isinstance(error, FileNotFoundError)
    hint = nearest(os.path.basename(name), map(os.path.basename, siblings)) if is_absent else ""
    return f"{name}{': ' if name else ''}{error.strerror or error}{hint}"
