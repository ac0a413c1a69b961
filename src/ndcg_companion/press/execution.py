"""Execute chapters with papermill, side by side, and keep what is still current.

Each chapter runs in a process of its own, which runs one kernel. An executed chapter is one file, moved
into place when it is whole; its metadata hold the key under which it may be reused, and a seal that
damage breaks. Nothing that failed or was interrupted is ever moved.
"""

import json
import logging
import multiprocessing
import os
import platform
import runpy
import shlex
import signal
import sys
import tempfile
import threading
from contextlib import suppress
from dataclasses import dataclass, replace
from multiprocessing.connection import wait
from pathlib import Path
from time import perf_counter

import nbformat
from tqdm import tqdm

from ndcg_companion.chapter.records import METADATA_KEY
from ndcg_companion.press.freshness import meanings, package_folder
from ndcg_companion.press.keeping import digest, write_whole
from ndcg_companion.writing import checksum

_CELL = "cell"  # what is said of each that was executed
MEMORY = Path("_build", "meanings.json")  # below the book's folder


def bases(chapters):
    """For each chapter what changes with all that its execution depends on, but for its parameters.

    That is the code and the tags of its cells, the meaning of what they can reach of the package, the
    lock file, Python and, where they could be used, the extras that are installed.
    """
    root = chapters[0].root
    lock = root / "requirements.lock"
    common = [platform.python_version(), lock.read_text(encoding="utf-8") if lock.exists() else ""]
    sources = ["\n".join(source for source, _ in chapter.code) for chapter in chapters]
    known = zip(chapters, meanings(sources, root / MEMORY), strict=True)
    return [
        digest([*common, chapter.code, meaning, extras and installed_extras()])
        for chapter, (meaning, extras) in known
    ]


def installed_extras():
    """Version by name of what only some install, without all else that its room imports."""
    return runpy.run_path(str(package_folder() / "data" / "extras.py"))["installed_extras"]()


def _contents(values):
    """Checksums of the files that values name, alone or in words such as NAME=FILE."""
    found = {}
    for value in filter(lambda value: isinstance(value, str), values):
        words = [value, *value.split()]
        with suppress(ValueError):
            words += shlex.split(value)
        for path in {part for word in words for part in (word, word.partition("=")[2])}:
            if os.path.isfile(path):
                found[path] = checksum(path)
    return found


@dataclass(frozen=True)
class Job:
    """A chapter to execute with the given parameters, and the file that will hold the executed notebook.

    ``called`` tells it from other jobs with the same chapter; ``basis`` is that of `bases`, for callers
    with many.
    """

    chapter: object
    parameters: dict
    output: Path
    called: str = ""
    basis: str = ""

    @property
    def name(self):
        return self.called or self.chapter.name

    @property
    def key(self):
        """Changes with everything that the executed chapter depends on; with nothing else."""
        defaults = {parameter.name: parameter.default for parameter in self.chapter.parameters}
        contents = _contents((defaults | self.parameters).values())
        return digest([self.parameters, contents, self.basis or bases([self.chapter])[0]])

    def current(self):
        """What the output holds, as JSON, if it is whole and made from exactly what is there; else None."""
        content = read_executed(self.output)
        return content if content and content["metadata"][METADATA_KEY].get("key") == self.key else None

    def is_current(self):
        return self.current() is not None


@dataclass(frozen=True)
class Failure:
    """A chapter that could not be executed: which cell failed, and how."""

    chapter: str
    cell: str
    error: str

    def __str__(self):
        return f"{self.chapter} failed in cell {self.cell}\n    {self.error}"


def read_executed(path):
    """What ``execute`` wrote, as JSON; None if there is none, or not to the letter what was written."""
    try:
        content = json.loads(Path(path).read_text(encoding="utf-8"))
        noted = dict(content["metadata"][METADATA_KEY])
        seal = noted.pop("seal")
        return content if seal == digest([noted, content["cells"]]) else None
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return None


def read_metadata(path):
    """What ``execute`` noted in a notebook: ``key``, ``parameters``, ``seconds``; nothing if it did not."""
    content = read_executed(path)
    return content["metadata"][METADATA_KEY] if content else {}


def execute(jobs, workers=2, quiet=False):
    """Execute the jobs, at most ``workers`` at a time; returns the list of failures.

    The other chapters are finished when one fails. On Ctrl-C the running kernels are stopped, what is
    finished stays, and ``KeyboardInterrupt`` is raised again.
    """
    waiting, running, failures = list(jobs), {}, []
    layout = "{percentage:3.0f}%|{bar:24}| {elapsed} elapsed, {remaining} remaining · {desc}"
    # None: shown on a terminal only, where a log has a line for each chapter.
    shown = {"disable": quiet or None, "bar_format": layout, "dynamic_ncols": True}
    with tqdm(total=sum(map(_cells, jobs)), **shown) as bar:
        try:
            while waiting or running:
                while waiting and len(running) < workers:
                    job = waiting.pop(0)
                    process, events = _start(job)
                    running[events] = job.name, process
                bar.set_description_str(", ".join(name for name, _ in running.values()))
                for events in wait(list(running)):
                    name, process = running[events]
                    failure = _next_event(events, name, process)
                    if failure == _CELL:
                        bar.update()
                        continue
                    del running[events]
                    failures += [failure] if failure else []
                    if not quiet:
                        bar.write(f"{'failed' if failure else 'executed'} {name}")
        finally:
            for _, process in running.values():
                process.terminate()
            for _, process in running.values():
                process.join(10)
    return failures


def _cells(job):
    """How many code cells a job executes: papermill adds one that sets parameters."""
    return len(job.chapter.code) + bool(job.parameters)


def _start(job):
    """A process that executes a job, and the pipe on which it reports.

    It leaves Ctrl-C to us: it is told to stop in an orderly way instead.
    """
    context = multiprocessing.get_context("spawn")
    events, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_work, args=(job, job.key, theirs))
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        process.start()
    finally:
        signal.signal(signal.SIGINT, before)
    theirs.close()
    return process, events


def _next_event(events, name, process):
    """`_CELL`, or at the end the failure or None; the failure that a process could not report that died."""
    try:
        return events.recv()
    except EOFError:
        process.join()
        return Failure(name, "?", f"its process ended with exit code {process.exitcode}")


def _work(job, key, events):
    """Run one chapter in this process and report to ``events``; leaves no file behind unless it succeeded."""
    # So that the kernel is shut down on the way out.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    # Else the debugger inside ipykernel may print into pages.
    os.environ["PYDEVD_DISABLE_FILE_VALIDATION"] = "1"
    said = (
        tempfile.TemporaryFile()
    )  # by the kernel on its own account: told only when the kernel itself fails
    os.dup2(said.fileno(), sys.stderr.fileno())
    try:
        text, failure = executed_text(job, key, lambda: events.send(_CELL))
        if text:
            write_whole(job.output, text)
        elif failure.cell == "?":
            said.seek(0)
            last = said.read().decode(errors="replace").strip().splitlines()[-1:]
            failure = replace(failure, error="\n    ".join([failure.error, *last]))
    except KeyboardInterrupt:
        failure = Failure(job.name, "?", "interrupted")
    except OSError as error:
        failure = Failure(job.name, "?", f"{error.filename or job.output}: {error.strerror}")
    events.send(failure)


def _end_with_parent():
    """Stop this process in an orderly way when the one that started it is gone."""
    multiprocessing.parent_process().join()
    os.kill(os.getpid(), signal.SIGTERM)


def executed_text(job, key, cell_done=lambda: None):
    """Execute a job in this process; returns the text of the notebook, or None and the `Failure`."""
    import papermill
    from papermill.exceptions import PapermillExecutionError

    os.environ.pop("MPLBACKEND", None)
    # It warns of comments in parameters cells that it cannot read.
    logging.getLogger("papermill").setLevel(logging.ERROR)
    started = perf_counter()
    try:
        executed = papermill.execute_notebook(
            nbformat.from_dict(job.chapter.notebook),
            None,
            job.parameters,
            kernel_name="python3",
            progress_bar=False,
            # Else each kernel warns that it talks to us without encryption.
            extra_arguments=["--log-level=ERROR"],
            on_cell_executed=lambda **_: cell_done(),
        )
    except PapermillExecutionError as error:
        code = [cell for cell in job.chapter.notebook.cells if cell.cell_type == "code"]
        failed = [repr(cell.id) for cell in code if cell.source.strip() == str(error.source).strip()]
        name = failed[0] if failed else str(error.cell_index)
        return None, Failure(job.name, name, f"{error.ename}: {error.evalue}")
    except Exception as error:
        return None, Failure(job.name, "?", f"{type(error).__name__}: {error}")
    noted = {"key": key, "parameters": job.parameters, "seconds": round(perf_counter() - started, 1)}
    content = json.loads(nbformat.writes(strip(executed)))
    content["metadata"][METADATA_KEY] = noted | {"seal": digest([noted, content["cells"]])}
    return json.dumps(content, indent=1, ensure_ascii=False, sort_keys=True) + "\n", None


def strip(notebook):
    """``notebook`` without papermill's timestamps and paths: with nothing of the machine or the hour."""
    notebook.metadata.pop("papermill", None)
    for cell in notebook.cells:
        cell.metadata.pop("papermill", None)
        cell.metadata.pop("execution", None)
    return notebook
