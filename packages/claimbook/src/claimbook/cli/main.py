"""A command line: it reads the words, calls the command's module, says what went wrong.

Exit codes: 0 as expected, 1 something differs or failed, 2 bad input, 3 an error of the program itself, such
as an exception that nobody foresaw, or too little memory.
"""

# argparse reads the words. By hand is what it does not say: the nearest command or option, one line for each
# refusal, exit codes that tell bad input from an accident.

import os
import sys
from argparse import RawDescriptionHelpFormatter
from collections.abc import Callable, Mapping
from contextlib import redirect_stdout
from dataclasses import dataclass
from importlib import import_module

from claimbook import __version__
from claimbook.exits import Output, complain, open_streams, own_error
from claimbook.text import check_plain, escaped, nearest

COMMANDS = {
    name: f"claimbook.cli.{name.replace('-', '_')}"
    for name in (
        "list",
        "run",
        "sweep",
        "diff",
        "build",
        "pdf",
        "ledger",
        "lint",
        "archive",
        "new",
        "new-chapter",
    )
}


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
        with redirect_stdout(Output(sys.stdout)) as output:
            try:
                options = self.read(words)
                code = options.command(options)
                output.flush()
                return code
            except ValueError as error:
                code, message = 2, str(error)
            except OSError as error:
                code, message = 2, f"{error.filename or self.name}: {error.strerror or error}"
            except KeyboardInterrupt:
                code, message = 130, "interrupted; what was finished is kept, the same call carries on"
            except Exception as error:  # whatever it is, it is no verdict and no gate
                missing = error.name if isinstance(error, ImportError) else None
                code, message = 2, self.lacking(missing or "")
                if not message:
                    return own_error(self.name, error, words)
        complain(self.name, message)
        return code

    def parser(self, names=None):
        """The parser of these commands, or of all."""
        from claimbook.cli.options import Parser

        parser = Parser(prog=self.name, description=self.description)
        parser.add_argument("--version", action="version", version=self.version)
        commands = parser.add_subparsers(metavar="COMMAND", required=True)
        for name in self.commands if names is None else names:
            module = import_module(self.commands[name])
            says, _, more = module.__doc__.partition(": ")[2].partition(".\n")
            command = commands.add_parser(
                name,
                help=says.rstrip(".\n"),
                description=more.strip() or None,
                formatter_class=RawDescriptionHelpFormatter,
            )
            for option, settings in module.OPTIONS.items():
                command.add_argument(option, **settings)
            command.set_defaults(command=module.call, known=[*module.OPTIONS])
        return parser

    def read(self, words):
        """The options of a call; ValueError for a wrong one."""
        if sys.flags.optimize > 1:
            raise ValueError("PYTHONOPTIMIZE=2 takes away the docstrings that Matplotlib needs; use 0 or 1")
        for word in words:
            check_plain(word, "argument")
            # argparse drops --
            if word in ("", "--") or word.startswith("-") and word.endswith(("=", "=--")):
                raise ValueError(f"argument {word!r}: expected a value")
        known = ", ".join(self.commands)
        if not words:
            raise ValueError(f"expected a command, one of {known}; {self.name} --help explains them")
        called = [word for word in words if not word.startswith("-")][:1]
        if called and called[0] not in self.commands:
            hint = nearest(called[0], self.commands) or f" (there are: {known})"
            raise ValueError(f"{escaped(called[0])}: no command has that name{hint}")
        names = called or ([] if "--version" in words else None)
        options, rest = self.parser(names).parse_known_args(words)
        if hasattr(options, "parameters"):  # name=value may follow options as well as precede them
            options.parameters += [word for word in rest if "=" in word and word[0] != "-"]
            rest = [word for word in rest if word not in options.parameters]
        if rest:
            raise ValueError(f"unrecognized arguments: {' '.join(rest)}{nearest(rest[0], options.known)}")
        return options


# By extra: the names under which what it brings is imported, and what needs it.
EXTRAS = {
    "cluster": ({"dask", "distributed"}, "a Dask cluster needs"),
    "page": ({"numpy", "scipy", "matplotlib", "IPython", "threadpoolctl"}, "chapters need"),
    "build": (
        {
            "papermill",
            "nbclient",
            "nbformat",
            "filelock",
            "ipykernel",
            "jupyter_client",
            "jupyter_core",
            "joblib",
            "tqdm",
        }
        | {"jinja2", "yaml", "bs4", "lxml", "docutils", "sphinx", "jupyter_book", "myst_nb", "pikepdf"},
        "builds need",
    ),
}


def _lacking(package):
    for extra, (names, needs) in EXTRAS.items():
        if package.partition(".")[0] in names:
            how = f"in a clone pip install './packages/claimbook[{extra}]' brings it"
            return f"{package} is not installed, which {needs}: {how}"
    return ""


main = CommandLine(
    "claimbook", "Make a book whose claims are checked.", f"claimbook {__version__}", COMMANDS, _lacking
)
