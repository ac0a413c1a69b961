"""Execute chapters with papermill, side by side, and keep what is still current.

Each chapter runs in a process of its own, which runs one kernel. An executed chapter is one file, moved
into place when it is whole; its metadata hold the key under which it may be reused, and a seal that
damage breaks. Nothing that failed or was interrupted is ever moved.
"""

import hashlib
import json
import logging
import multiprocessing
import os
import platform
import queue
import runpy
import shlex
import signal
import sys
import tempfile
import threading
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter

import nbformat
from tqdm import tqdm

from ndcg_companion.chapter.records import METADATA_KEY
from ndcg_companion.press.freshness import meanings, package_folder
from ndcg_companion.press.keeping import write_whole

MEMORY = Path("_build", "meanings.json")  # below the book's folder


def bases(chapters):
    """For each chapter what changes with all that its execution depends on, but for its parameters.

    That is the code and the tags of its cells, the meaning of what they can reach of the package, the
    lock file, Python and, where they could be used, the extras that are installed.
    """
    root = chapters[0].root
    lock, found = root / "requirements.lock", []
    locked = lock.read_text(encoding="utf-8") if lock.exists() else ""
    sources = ["\n".join(source for source, _ in chapter.code) for chapter in chapters]
    for chapter, (meaning, extras) in zip(chapters, meanings(sources, root / MEMORY), strict=True):
        made_of = [platform.python_version(), locked, chapter.code, meaning, extras and installed_extras()]
        found.append(_digest(made_of))
    return found


def installed_extras():
    """Version by name of what only some install, without all else that its room imports."""
    return runpy.run_path(str(package_folder() / "data" / "extras.py"))["installed_extras"]()


def _digest(made_of):
    return hashlib.sha256(json.dumps(made_of, sort_keys=True).encode()).hexdigest()


def _contents(values):
    """Checksums of the files that values name, alone or in words such as NAME=FILE."""
    found = {}
    for value in filter(lambda value: isinstance(value, str), values):
        words = [value, *value.split()]
        with suppress(ValueError):
            words += shlex.split(value)
        for path in {part for word in words for part in (word, word.partition("=")[2])}:
            if os.path.isfile(path):
                with open(path, "rb") as file:
                    found[path] = hashlib.file_digest(file, "sha256").hexdigest()
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
        return _digest([self.parameters, contents, self.basis or bases([self.chapter])[0]])

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
        return content if seal == _digest([noted, content["cells"]]) else None
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
    context = multiprocessing.get_context("spawn")
    events, waiting, running, failures = context.Queue(), list(jobs), {}, []
    layout = "{percentage:3.0f}%|{bar:24}| {elapsed} elapsed, {remaining} remaining · {desc}"
    # None: shown on a terminal only, where a log has a line for each chapter.
    shown = {"disable": quiet or None, "bar_format": layout, "dynamic_ncols": True}
    with tqdm(total=sum(map(_cells, jobs)), **shown) as bar:
        try:
            while waiting or running:
                while waiting and len(running) < workers:
                    job = waiting.pop(0)
                    running[job.name] = _start(
                        context.Process(target=_execute_one, args=(job, job.key, events))
                    )
                    bar.set_description_str(", ".join(running))
                for name, kind, detail in _next_events(events, running):
                    if kind == "cell":
                        bar.update(detail)
                        continue
                    running.pop(name).join()
                    bar.set_description_str(", ".join(running))
                    if kind == "failed":
                        failures.append(detail)
                    if not quiet:
                        bar.write(f"{'failed' if kind == 'failed' else 'executed'} {name}")
        finally:
            for process in running.values():
                process.terminate()
            for process in running.values():
                process.join(10)
    return failures


def _cells(job):
    """How many code cells a job executes: papermill adds one that sets parameters."""
    return sum(cell.cell_type == "code" for cell in job.chapter.notebook.cells) + bool(job.parameters)


def _start(process):
    """Start a process that leaves Ctrl-C to us: it is told to stop in an orderly way instead."""
    if threading.current_thread() is threading.main_thread():
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            process.start()
        finally:
            signal.signal(signal.SIGINT, before)
    else:
        process.start()
    return process


def _next_events(events, running):
    """The next event; or, for a process that died without a word, the failure it could not report."""
    try:
        return [events.get(timeout=0.2)]
    except queue.Empty:
        dead = [name for name, process in running.items() if not process.is_alive()]
        if not dead:
            return []
        try:  # it may have spoken between the time-out and its end
            return [events.get(timeout=0.2)]
        except queue.Empty:
            code = running[dead[0]].exitcode
            return [(dead[0], "failed", Failure(dead[0], "?", f"its process ended with exit code {code}"))]


def _execute_one(job, key, events):
    """Run one chapter in this process and report to ``events``; leaves no file behind unless it succeeded."""
    signal.signal(
        signal.SIGTERM, signal.default_int_handler
    )  # so that the kernel is shut down on the way out
    threading.Thread(target=_end_with_parent, daemon=True).start()
    os.environ["PYDEVD_DISABLE_FILE_VALIDATION"] = (
        "1"  # else the debugger inside ipykernel may print into pages
    )
    said = (
        tempfile.TemporaryFile()
    )  # what the kernel says on its own account: told only when the kernel itself fails
    os.dup2(said.fileno(), sys.stderr.fileno())
    try:
        text, failure = executed_text(job, key, lambda: events.put((job.name, "cell", 1)))
        if failure and failure.cell == "?":
            said.seek(0)
            last = said.read().decode(errors="replace").strip().splitlines()[-1:]
            failure = replace(failure, error="\n    ".join([failure.error, *last]))
        elif not failure:
            write_whole(job.output, text)
    except KeyboardInterrupt:
        failure = Failure(job.name, "?", "interrupted")
    except OSError as error:
        failure = Failure(job.name, "?", f"{error.filename or job.output}: {error.strerror}")
    events.put((job.name, "failed" if failure else "done", failure))
    events.close()
    events.join_thread()


def _end_with_parent():
    """Stop this process in an orderly way when the one that started it is gone."""
    multiprocessing.parent_process().join()
    os.kill(os.getpid(), signal.SIGTERM)


def executed_text(job, key, cell_done=lambda: None):
    """Execute a job in this process; returns the text of the notebook, or None and the `Failure`."""
    from papermill.exceptions import PapermillExecutionError

    os.environ.pop("MPLBACKEND", None)
    try:
        started = perf_counter()
        executed = _papermill(job, cell_done)
    except PapermillExecutionError as error:
        return None, _failure(job, error)
    except Exception as error:
        return None, Failure(job.name, "?", f"{type(error).__name__}: {error}")
    seconds = round(perf_counter() - started, 1)
    content = json.loads(nbformat.writes(strip(executed)))
    noted = {"key": key, "parameters": job.parameters, "seconds": seconds}
    content["metadata"][METADATA_KEY] = noted | {"seal": _digest([noted, content["cells"]])}
    return json.dumps(content, indent=1, ensure_ascii=False, sort_keys=True) + "\n", None


def _papermill(job, cell_done):
    import papermill
    from papermill.engines import NBClientEngine, papermill_engines

    class Engine(NBClientEngine):
        """papermill's own engine, which also says when a code cell is done."""

        @classmethod
        def execute_managed_notebook(cls, nb_man, kernel_name, **options):
            complete = nb_man.cell_complete

            def report(cell, *args, **kwargs):
                complete(cell, *args, **kwargs)
                if cell.cell_type == "code":
                    cell_done()

            nb_man.cell_complete = report
            super().execute_managed_notebook(nb_man, kernel_name, **options)

    papermill_engines.register("companion", Engine)
    logging.getLogger("papermill").setLevel(
        logging.ERROR
    )  # it warns of comments in parameters cells that it cannot read
    notebook = nbformat.from_dict(job.chapter.notebook)
    return papermill.execute_notebook(
        notebook,
        None,
        job.parameters,
        engine_name="companion",
        kernel_name="python3",
        progress_bar=False,
        extra_arguments=[
            "--log-level=ERROR"
        ],  # else each kernel warns that it talks to us without encryption
    )


def _failure(job, error):
    cell = next(
        (
            cell
            for cell in job.chapter.notebook.cells
            if cell.cell_type == "code" and cell.source.strip() == str(error.source).strip()
        ),
        None,
    )
    name = f"{cell.id!r}" if cell else str(error.cell_index)
    return Failure(job.name, name, f"{error.ename}: {error.evalue}")


def strip(notebook):
    """``notebook`` without papermill's timestamps and paths: with nothing of the machine or the hour."""
    notebook.metadata.pop("papermill", None)
    for cell in notebook.cells:
        cell.metadata.pop("papermill", None)
        cell.metadata.pop("execution", None)
    return notebook
