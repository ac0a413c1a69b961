"""Execute a chapter with papermill's engine and a limit on outputs.

Engines are papermill's extension point. This engine records which cell is running and keeps the unfinished
notebook, because papermill returns neither after a timeout or the death of a kernel. The engine also measures
outputs as they arrive, because a cell that prints without end would fill the memory before its timeout.
"""

import asyncio
from dataclasses import dataclass

from jupyter_client.utils import ensure_async
from papermill.clientwrap import PapermillNotebookClient
from papermill.engines import Engine, papermill_engines
from papermill.log import logger

ENGINE_NAME = "claimbook"
_OUTPUT_MESSAGES = ("stream", "display_data", "execute_result", "update_display_data", "error")


@dataclass
class Watch:
    """The state of an execution while it runs and after it failed.

    Attributes
    ----------
    max_bytes : float
        The maximum number of bytes of outputs. A chapter that exceeds this number is stopped.
    output_bytes : int
        The number of bytes of outputs so far.
    notebook : NotebookNode or None
        The notebook with the outputs so far.
    cell_id : str or None
        The id of the running cell.
    """

    max_bytes: float
    output_bytes: int = 0
    notebook: object = None
    cell_id: str | None = None

    @property
    def exceeds_limit(self):
        return self.output_bytes > self.max_bytes

    def check_limit(self):
        """Raise RuntimeError if a cell exceeded the limit on outputs and still finished."""
        if self.exceeds_limit:
            raise RuntimeError("too many outputs")


class _Client(PapermillNotebookClient):
    """papermill's client, which stops a cell with too much output."""

    def __init__(self, manager, watch, **options):
        super().__init__(manager, **options)
        self.watch = watch
        watch.notebook = self.nb
        self.on_cell_start = self._note_start

    def _note_start(self, cell, cell_index):
        self.watch.check_limit()
        self.watch.cell_id = cell.get("id")

    def process_message(self, message, cell, cell_index):
        """Add a message from the kernel to the outputs of its cell."""
        if message["msg_type"] in _OUTPUT_MESSAGES:
            if not self.watch.exceeds_limit:
                self.watch.output_bytes += _output_size(message["content"])
                if self.watch.exceeds_limit:  # interrupt the kernel only once
                    asyncio.ensure_future(ensure_async(self.km.interrupt_kernel()))
            if self.watch.exceeds_limit:
                return None  # drop this output, and all later ones
        return super().process_message(message, cell, cell_index)


def _output_size(content):
    """Return the size in bytes of the output in a message, in all its formats."""
    outputs = [content.get("text", ""), *content.get("data", {}).values(), *content.get("traceback", [])]
    return sum(len(str(output).encode("utf-8", "surrogatepass")) for output in outputs)


class _Engine(Engine):
    @classmethod
    def execute_managed_notebook(cls, nb_man, kernel_name, watch, start_timeout=60, **options):
        """Execute the notebook of papermill's manager.

        The other options are those of nbclient.
        """
        # papermill passes these options too, but nbclient does not know them.
        for option in ("input_path", "log_output", "stdout_file", "stderr_file"):
            options.pop(option, None)
        options |= {"kernel_name": kernel_name, "startup_timeout": start_timeout, "log": logger}
        _Client(nb_man, watch, **options).execute()
        watch.check_limit()


papermill_engines.register(ENGINE_NAME, _Engine)
