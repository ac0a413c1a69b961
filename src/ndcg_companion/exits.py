"""Exit codes of a command line, and its message for unforeseen errors.

Exit code 0 means success, 1 means that something differs or failed, 2 means invalid input, and 3 means an
internal error. A script can therefore treat exit code 1 as an answer, because a crash never returns this
code.
"""

import io
import os
import shlex
import sys
import traceback
from typing import Any

from ndcg_companion.text import escaped

OWN_ERROR = 3


def open_streams() -> None:
    """Redirect standard streams that are closed to the null device.

    Otherwise, the next file that is opened would get the descriptor of a closed stream and receive the output
    of this stream.
    """
    for name, number, mode in (("stdin", 0, "r"), ("stdout", 1, "w"), ("stderr", 2, "w")):
        if getattr(sys, name) is None:
            try:
                os.fstat(number)
            except OSError:
                os.open(os.devnull, os.O_RDWR)  # takes the lowest free number: the stream's
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))


class Output:
    """Standard output in any encoding; further output is discarded once the reader is gone."""

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

    def _try(self, operation, *arguments):
        """Write or flush; on failure, discard further output, and raise OSError unless the reader is gone."""
        try:
            return operation(*arguments)
        except OSError as error:
            # The null device receives the rest of the buffer.
            os.dup2(os.open(os.devnull, os.O_WRONLY), self.stream.fileno())
            if not isinstance(error, BrokenPipeError):
                raise OSError(error.errno, error.strerror, "standard output") from None


def complain(program: str, message: str) -> None:
    """Print one line to standard error; ignore failures, because the exit code also reports the error."""
    try:
        print(f"{program}: {escaped(' '.join(message.split()), most=1000)}", file=sys.stderr)
    except OSError:  # the disk is full, or the reader is gone
        # The null device takes the text that is still in the buffer, or the exit code would become 120.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())


def own_error(program: str, error: Exception, words: list[str]) -> int:
    """Report an unforeseen error with its traceback and return the exit code 3.

    Parameters
    ----------
    program : str
        Name of the command line.
    error : Exception
        The error. A `MemoryError` is reported in one line that shows the call and therefore its input files.
    words : list of str
        The arguments of the call.

    Returns
    -------
    int
        3
    """
    command_line = shlex.join([*program.split(), *words])
    if isinstance(error, MemoryError):
        size = f" ({error})" if str(error) else ""
        complain(program, f"out of memory{size}, nothing was decided: {command_line}")
        return OWN_ERROR
    try:
        traceback.print_exception(error)
    except (OSError, UnicodeError, MemoryError, RecursionError):
        complain(program, "the traceback could not be written")
    reason = f"{type(error).__name__}, exit code {OWN_ERROR}, nothing was decided"
    complain(
        program,
        f"an error of the program's own ({reason}); please report the lines above and: {command_line}",
    )
    return OWN_ERROR
