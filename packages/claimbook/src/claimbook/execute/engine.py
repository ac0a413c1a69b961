"""The engine that executes a chapter for papermill: papermill's own, with a limit on outputs.

papermill offers engines as its extension point. This one notes which cell runs and keeps the notebook as far
as it came, because papermill hands out neither when a cell takes too long or the kernel ends. It counts what
cells show while they show it: a cell that prints without end would fill the memory before it is timed out.
"""

import asyncio
from dataclasses import dataclass

from jupyter_client.utils import ensure_async
from papermill.clientwrap import PapermillNotebookClient
from papermill.engines import Engine, papermill_engines
from papermill.log import logger

NAME = "claimbook"
_SHOWS = ("stream", "display_data", "execute_result", "update_display_data", "error")


@dataclass
class Watch:
    """What is known of an execution while it runs, and after it failed.

    Attributes
    ----------
    most : float
        Bytes of outputs beyond which the chapter is stopped.
    shown : int
        Bytes of outputs so far.
    notebook : NotebookNode or None
        With the outputs so far.
    cell : str or None
        The id of the cell that runs.
    """

    most: float
    shown: int = 0
    notebook: object = None
    cell: str | None = None

    @property
    def is_full(self):
        return self.shown > self.most

    def check(self):
        """Raise RuntimeError if a cell that was stopped for its outputs came to an end all the same."""
        if self.is_full:
            raise RuntimeError("too many outputs")


class _Client(PapermillNotebookClient):
    """papermill's client, which stops a cell that shows too much and drops what it shows beyond."""

    def __init__(self, manager, watch, **options):
        super().__init__(manager, **options)
        self.watch = watch
        watch.notebook = self.nb
        self.on_cell_start = self._note

    def _note(self, cell, cell_index):
        self.watch.check()
        self.watch.cell = cell.get("id")

    def process_message(self, message, cell, cell_index):
        """Take a message of the kernel into the outputs of its cell."""
        if message["msg_type"] in _SHOWS and not self.watch.is_full:
            self.watch.shown += _size(message["content"])
            if self.watch.is_full:
                asyncio.ensure_future(ensure_async(self.km.interrupt_kernel()))
        if message["msg_type"] in _SHOWS and self.watch.is_full:
            return None
        return super().process_message(message, cell, cell_index)


def _size(content):
    """The bytes of what a message shows: its text, or all forms of what it displays."""
    shown = [content.get("text", ""), *content.get("data", {}).values(), *content.get("traceback", [])]
    return sum(len(str(part).encode("utf-8", "surrogatepass")) for part in shown)


class _Engine(Engine):
    @classmethod
    def execute_managed_notebook(cls, nb_man, kernel_name, watch, start_timeout=60, **options):
        """Execute the notebook of a manager of papermill's; other options are those of nbclient."""
        for own in ("input_path", "log_output", "stdout_file", "stderr_file"):
            options.pop(own, None)
        options |= {"kernel_name": kernel_name, "startup_timeout": start_timeout, "log": logger}
        client = _Client(nb_man, watch, **options)
        client.execute()
        watch.check()


papermill_engines.register(NAME, _Engine)
