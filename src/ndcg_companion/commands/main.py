"""The command ``companion``: it reads the command line, calls the command's module, says what went wrong.

Exit codes: 0 as expected, 1 something differs or failed, 2 bad input, 3 an error of the program itself, such
as an exception that nobody foresaw, or too little memory.
"""

import os
import sys
from contextlib import redirect_stdout
from glob import escape, glob
from importlib import import_module

from ndcg_companion import __version__
from ndcg_companion.exits import Output, complain, open_streams, own_error
from ndcg_companion.text import check_plain, shown

COMMANDS = ("list", "run", "sweep", "diff", "build", "pdf", "ledger", "power", "report")


def main(arguments=None):
    """Run the command line; returns the exit code."""
    words = sys.argv[1:] if arguments is None else [str(word) for word in arguments]
    open_streams()
    os.environ.pop("MPLBACKEND", None)  # no command opens a window, and one that is not there would end it
    try:
        return _run(words)
    except Exception as error:  # whatever it is, it is no verdict and no gate
        return own_error("companion", error, words)


def _run(words):
    """The exit code of a call, which is refused in one line where the input is bad."""
    # Here, because NumPy cannot be imported with too little memory, which is no answer either.
    from ndcg_companion.chapter.parameters import nearest

    with redirect_stdout(Output(sys.stdout)) as output:
        try:
            options = read(words)
            code = options.command(options)
            output.flush()
            return code
        except ValueError as error:
            code, message = 2, str(error)
        except ImportError as error:
            from ndcg_companion.data.extras import lacking  # here, for its room brings SciPy

            code, message = 2, lacking(error.name or "")
            if not message:
                raise  # no extra brings it, so it is a fault of ours
        except OSError as error:
            name = str(error.filename or "")
            missing = isinstance(error, FileNotFoundError)
            beside = glob(os.path.join(escape(os.path.dirname(name)), "*")) if missing else []
            hint = nearest(os.path.basename(name), map(os.path.basename, beside))
            code, message = 2, f"{name}{': ' if name else ''}{error.strerror or error}{hint}"
        except KeyboardInterrupt:
            code, message = 130, "interrupted; what was finished is kept, the same call carries on"
    complain("companion", message)
    return code


def parser_of(names=COMMANDS):
    """The parser of these commands: each is a module, whose first line says what it does."""
    from ndcg_companion.commands.options import Help, Parser

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
    from ndcg_companion.chapter.parameters import nearest

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
