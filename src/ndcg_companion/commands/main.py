"""The command ``companion``: it reads the command line, calls the command's module, says what went wrong.

Exit codes: 0 as expected, 1 something differs or failed, 2 bad input.
"""

import io
import os
import sys
from contextlib import redirect_stdout
from glob import escape, glob
from importlib import import_module

from ndcg_companion import __version__
from ndcg_companion.chapter.parameters import nearest
from ndcg_companion.commands.options import Help, Parser
from ndcg_companion.text import check_plain, shown

COMMANDS = ("list", "run", "sweep", "diff", "build", "pdf", "ledger", "power", "report")


def main(arguments=None):
    """Run the command line; returns the exit code."""
    words = sys.argv[1:] if arguments is None else [str(word) for word in arguments]
    os.environ.pop("MPLBACKEND", None)  # no command opens a window, and one that is not there would end it
    with redirect_stdout(_Output(sys.stdout)) as output:
        try:
            options = read(words)
            code = options.command(options)
            output.flush()
            return code
        except ValueError as error:
            code, message = 2, str(error)
        except ImportError as error:
            from ndcg_companion.data.extras import lacking  # here, for its room brings SciPy

            missing = lacking(error.name or "")
            if isinstance(error, ModuleNotFoundError) and not missing:
                raise  # no extra brings it, so it is a fault of ours
            code, message = 2, missing or str(error)
        except OSError as error:
            name = str(error.filename or "")
            missing = isinstance(error, FileNotFoundError)
            beside = glob(os.path.join(escape(os.path.dirname(name)), "*")) if missing else []
            hint = nearest(os.path.basename(name), map(os.path.basename, beside))
            code, message = 2, f"{name}{': ' if name else ''}{error.strerror or error}{hint}"
        except KeyboardInterrupt:
            code, message = 130, "interrupted; what was finished is kept, the same call carries on"
    print(f"companion: {shown(' '.join(message.split()), most=1000)}", file=sys.stderr)
    return code


class _Output:
    """Standard output in any encoding, which takes the rest without a word when its reader has gone."""

    def __init__(self, stream):
        self.stream = stream
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")

    def __getattr__(self, name):
        return getattr(self.stream, name)

    def write(self, text):
        return self._try(self.stream.write, text)

    def flush(self):
        self._try(self.stream.flush)

    def _try(self, act, *arguments):
        try:
            return act(*arguments)
        except OSError as error:
            os.dup2(
                os.open(os.devnull, os.O_WRONLY), self.stream.fileno()
            )  # takes what is still in the buffer
            if not isinstance(error, BrokenPipeError):
                raise OSError(error.errno, error.strerror, "standard output") from None


def parser_of(names=COMMANDS):
    """The parser of these commands: each is a module, whose first line says what it does."""
    parser = Parser(prog="companion", description="Re-run, build and question the NDCG companion.")
    parser.add_argument("--version", action="version", version=f"ndcg-companion {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for name in names:
        module = import_module(f"ndcg_companion.commands.{name}")
        says, _, more = module.__doc__.partition(": ")[2].partition(".\n")
        add = commands.add_parser(
            name, help=says.rstrip(".\n"), description=more.strip() or None, formatter_class=Help
        )
        for option, told in module.OPTIONS.items():
            add.add_argument(option, **told)
        known = [option for action in add._actions for option in action.option_strings]
        add.set_defaults(command=module.call, known=known)
    return parser


def read(words):
    """The options of a command line; ValueError for a wrong one."""
    if sys.flags.optimize > 1:
        raise ValueError("PYTHONOPTIMIZE=2 takes away the docstrings that Matplotlib needs; use 0 or 1")
    if not words:
        raise ValueError(f"expected a command, one of {', '.join(COMMANDS)}; companion --help explains them")
    for before, word in zip(["", *words], words):
        check_plain(word, "argument")
        if word in ("", "--") or word.startswith("-") and word.endswith(("=", "=--")):  # argparse drops --
            raise ValueError(f"argument {word or before!r}: expected a value")
    called = [word for word in words if not word.startswith("-")][:1]
    if called and called[0] not in COMMANDS:
        hint = nearest(called[0], COMMANDS) or f" (there are: {', '.join(COMMANDS)})"
        raise ValueError(f"{shown(called[0])}: no command has that name{hint}")
    names = called or (() if "--version" in words else COMMANDS)
    options, rest = parser_of(names).parse_known_args(words)
    if hasattr(options, "parameters"):  # name=value may follow options as well as precede them
        options.parameters += [word for word in rest if "=" in word and word[0] != "-"]
        rest = [word for word in rest if word not in options.parameters]
    if rest:
        raise ValueError(f"unrecognized arguments: {' '.join(rest)}{nearest(rest[0], options.known)}")
    return options
