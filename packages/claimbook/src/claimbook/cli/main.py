"""Parse the arguments of the command line, call commands and report errors.

The exit code is 0 if everything is as expected, 1 if something differs or failed, 2 for bad input and 3 for
an error in the program, such as an unforeseen exception or too little memory.
"""

# argparse parses the arguments. Written by hand is only what it lacks: a hint at the nearest command or
# option, errors of one line, and exit codes that distinguish bad input from accidents.

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
    for name in "list run sweep diff build pdf ledger lint archive new new-chapter".split()
}


@dataclass(frozen=True)
class CommandLine:
    """A command line, which is called with given arguments or with those of the process.

    Parameters
    ----------
    name : str
        The name of the command line.
    description, version : str
        The texts for ``--help`` and ``--version``.
    commands : mapping of str
        The module of each command, by the command's name. The first line of the module's docstring says what
        the command does, the table ``OPTIONS`` contains arguments for argparse, and the function ``call``
        takes the options and returns the exit code.
    lacking : callable
        A function that takes the name of a package that could not be imported. The function returns
        instructions for the installation, or an empty text if the user cannot install the package.
    """

    name: str
    description: str
    version: str
    commands: Mapping[str, str]
    lacking: Callable[[str], str]

    def __call__(self, arguments=None):
        """Run a command, and return its exit code."""
        arguments_given = sys.argv[1:] if arguments is None else [str(word) for word in arguments]
        open_streams()
        # No command opens a window. A backend of Matplotlib that the caller has set could require a display.
        os.environ.pop("MPLBACKEND", None)
        with redirect_stdout(Output(sys.stdout)) as output:
            try:
                options = self.read(arguments_given)
                code = options.command(options)
                output.flush()
                return code
            except ValueError as error:
                code, message = 2, str(error)
            except OSError as error:
                code, message = 2, f"{error.filename or self.name}: {error.strerror or error}"
            except KeyboardInterrupt:
                code, message = 130, "interrupted; finished work is kept, and the same call continues"
            except Exception as error:  # an accident must not look like exit code 1, which is an answer
                missing_package = error.name if isinstance(error, ImportError) else None
                code, message = 2, self.lacking(missing_package or "")
                if not message:
                    return own_error(self.name, error, arguments_given)
        complain(self.name, message)
        return code

    def parser(self, names):
        """Return the parser for the named commands, whose modules it imports."""
        from claimbook.cli.options import Parser

        parser = Parser(prog=self.name, description=self.description)
        parser.add_argument("--version", action="version", version=self.version)
        commands = parser.add_subparsers(metavar="COMMAND", required=True)
        for name in names:
            module = import_module(self.commands[name])
            # The docstring is "``NAME``: help text.", and below it the description.
            _, _, text = module.__doc__.partition(": ")
            help_text, _, details = text.partition(".\n")
            command = commands.add_parser(
                name,
                help=help_text.rstrip(".\n"),
                description=details.strip() or None,
                formatter_class=RawDescriptionHelpFormatter,
            )
            for option, settings in module.OPTIONS.items():
                command.add_argument(option, **settings)
            command.set_defaults(command=module.call, option_names=[*module.OPTIONS])
        return parser

    def read(self, words):
        """Return the options of a call of the command line.

        Raises
        ------
        ValueError
            If the call is wrong.
        """
        if sys.flags.optimize > 1:
            raise ValueError("PYTHONOPTIMIZE=2: expected 0 or 1, because Matplotlib needs docstrings")
        for word in words:
            check_plain(word, "argument")
            # argparse would drop "--" and accept empty values.
            if word in ("", "--") or (word.startswith("-") and word.endswith(("=", "=--"))):
                raise ValueError(f"argument {word!r}: expected a value")
        command_list = ", ".join(self.commands)
        if not words:
            raise ValueError(f"expected a command, one of {command_list}; {self.name} --help explains them")
        given_command = next((word for word in words if not word.startswith("-")), None)
        if given_command and given_command not in self.commands:
            hint = nearest(given_command, self.commands) or f", one of {command_list}"
            raise ValueError(f"{escaped(given_command)}: expected a command{hint}")
        if given_command:
            parser = self.parser([given_command])
        else:  # --version needs no command, and --help needs all
            parser = self.parser([] if "--version" in words else self.commands)
        options, unrecognized = parser.parse_known_args(words)
        if hasattr(options, "parameters"):  # name=value may precede or follow the options
            options.parameters += [word for word in unrecognized if "=" in word and not word.startswith("-")]
            unrecognized = [word for word in unrecognized if word not in options.parameters]
        if unrecognized:
            hint = nearest(unrecognized[0], options.option_names)
            raise ValueError(f"unrecognized arguments: {' '.join(unrecognized)}{hint}")
        return options


# For each extra: the names of the packages that it installs, and what needs them.
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
    """Return the message about a missing package, or an empty text if no extra has it."""
    for extra, (packages, what_needs_them) in EXTRAS.items():
        if package.partition(".")[0] in packages:
            remedy = f"in a clone pip install './packages/claimbook[{extra}]' brings it"
            return f"{package} is not installed, which {what_needs_them}: {remedy}"
    return ""


main = CommandLine(
    "claimbook", "Make a book whose claims are checked.", f"claimbook {__version__}", COMMANDS, _lacking
)
