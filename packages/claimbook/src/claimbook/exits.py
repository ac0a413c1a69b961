"""Define the exit codes of a command line and the message for an unforeseen error.

The exit code is 0 if everything is as expected, 1 if something differs or failed, 2 for bad input and 3 for
an error in the program. A script can rely on exit code 1, because bad input and errors in the program have
codes of their own.
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
    """Redirect closed standard streams to the null device.

    Notes
    -----
    Otherwise the next file that is opened would get the file descriptor of the closed stream, and printed
    text would be written to that file.
    """
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:
            # The system gives a new file the lowest free descriptor, which is that of this stream.
            os.open(os.devnull, os.O_RDWR)
            setattr(sys, name, open(os.devnull, "r+", encoding="utf-8"))


class Output:
    """Standard output that accepts any encoding and ignores a closed pipe."""

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

    def _try(self, write_or_flush, *arguments):
        """Write or flush; after a failure, send all further text to the null device.

        Raises
        ------
        OSError
            If the failure is anything other than a closed pipe.
        """
        try:
            return write_or_flush(*arguments)
        except OSError as error:
            # The null device also takes the text that is still in the buffer.
            os.dup2(os.open(os.devnull, os.O_WRONLY), self.stream.fileno())
            if not isinstance(error, BrokenPipeError):
                raise OSError(error.errno, error.strerror, "standard output") from None


def complain(program: str, message: str) -> None:
    """Print one line on standard error, and ignore a full disk or a closed pipe.

    Notes
    -----
    The exit code gives the same information.
    """
    try:
        print(f"{program}: {escaped(' '.join(message.split()), most=1000)}", file=sys.stderr)
    except OSError:
        # The null device takes the text that is still in the buffer, or the exit code would become 120.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())


def own_error(program: str, error: Exception, words: list[str]) -> int:
    """Report an unforeseen error with its traceback, and return the exit code 3.

    Parameters
    ----------
    program : str
        The name of the command line.
    error : Exception
        The error. A `MemoryError` is reported in one line, which gives the call and therefore the files that
        the call reads.
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
