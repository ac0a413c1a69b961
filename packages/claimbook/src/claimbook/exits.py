"""Exit codes of a command line, and its message for an error that nobody foresaw.

0 is as expected, 1 something differs or failed, 2 bad input, 3 an error of the program's own. So 1 is an
answer, which a script may act on, and never an accident.
"""

import io
import os
import sys
import traceback
from contextlib import suppress
from typing import Any

from claimbook.text import escaped, shell

OWN_ERROR = 3


def open_streams() -> None:
    """Let standard streams that are closed lead nowhere, as if their reader had gone.

    Otherwise the next file that is opened would get the number of such a stream, and what is printed.
    """
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free, which is this one
            setattr(sys, name, open(os.devnull, "r+", encoding="utf-8"))


class Output:
    """Standard output in any encoding, which takes the rest without a word when its reader has gone."""

    def __init__(self, stream: Any) -> None:
        self.stream = stream
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)

    def write(self, text: str) -> Any:
        return self._try(self.stream.write, text)

    def flush(self) -> None:
        self._try(self.stream.flush)

    def _try(self, act, *arguments):
        """Write or flush; after a failure the rest goes nowhere, silently if only the reader is gone."""
        try:
            return act(*arguments)
        except OSError as error:
            # Takes what is still in the buffer.
            os.dup2(os.open(os.devnull, os.O_WRONLY), self.stream.fileno())
            if not isinstance(error, BrokenPipeError):
                raise OSError(error.errno, error.strerror, "standard output") from None


def complain(program: str, message: str) -> None:
    """One line on standard error, if anybody can still read it: the exit code says the same."""
    with suppress(OSError):  # a full disk, or a reader that has gone
        print(f"{program}: {escaped(' '.join(message.split()), most=1000)}", file=sys.stderr)


def own_error(program: str, error: Exception, words: list[str]) -> int:
    """Say what nobody foresaw, with its traceback, and that it is no fault of the input; the exit code.

    Parameters
    ----------
    program : str
        What the command line is called.
    error : Exception
        A `MemoryError` is one line, which names the call and so the files that it reads.
    words : list of str
        The arguments of the call.

    Returns
    -------
    int
        3
    """
    call = shell(*program.split(), *words)
    if isinstance(error, MemoryError):
        complain(program, f"out of memory ({error}), nothing was decided: {call}")
        return OWN_ERROR
    with suppress(OSError, UnicodeError, MemoryError, RecursionError):
        traceback.print_exception(error)
    reason = f"{type(error).__name__}, exit code {OWN_ERROR}, nothing was decided"
    complain(program, f"an error of the program's own ({reason}); please report the lines above and: {call}")
    return OWN_ERROR
