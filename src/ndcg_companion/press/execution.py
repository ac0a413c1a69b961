"""Execute chapters with papermill, side by side, and keep what is still current.

Each chapter runs in a process of its own, which runs one kernel. An executed chapter is one file, moved into place when
it is whole; its metadata hold the key under which it may be reused. Nothing that failed or was interrupted is ever moved.
"""

import hashlib
import json
import logging
import multiprocessing
import os
import platform
import queue
import signal
import sys
import tempfile
import threading
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter

import nbformat
from tqdm import tqdm

from ndcg_companion.chapter.records import METADATA_KEY
from ndcg_companion.press.freshness import package_folder, reachable_files


def basis(chapter):
    """Changes with all that an executed ``chapter`` depends on: files, Python, extras; takes a moment to find out."""
    source = "\n".join(cell.source for cell in chapter.notebook.cells if cell.cell_type == "code")
    package, lock = package_folder(), chapter.root / "requirements.lock"
    digest = hashlib.sha256(platform.python_version().encode())
    files = reachable_files(source, package)
    for path in [chapter.path, *files, *([lock] if lock.exists() else [])]:
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    if package / "data" / "extras.py" in files:
        from ndcg_companion.data import extras

        digest.update(json.dumps(extras.installed_extras()).encode())
    return digest.hexdigest()


@dataclass(frozen=True)
class Job:
    """A chapter to execute with the given parameters, and the file that will hold the executed notebook.

    ``called`` tells it from other jobs with the same chapter; ``basis`` is that of the chapter, for callers with many.
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
        made_of = [self.parameters, self.basis or basis(self.chapter)]
        return hashlib.sha256(json.dumps(made_of, sort_keys=True).encode()).hexdigest()

    def is_current(self):
        """Whether the output exists and was made from exactly what is there now."""
        return self.output.exists() and read_metadata(self.output).get("key") == self.key


@dataclass(frozen=True)
class Failure:
    """A chapter that could not be executed: which cell failed, and how."""

    chapter: str
    cell: str
    error: str

    def __str__(self):
        return f"{self.chapter} failed in cell {self.cell}\n    {self.error}"


def read_metadata(path):
    """What ``execute`` noted in an executed notebook: ``key``, ``parameters`` and ``seconds``."""
    return json.loads(Path(path).read_text(encoding="utf-8"))["metadata"].get(METADATA_KEY, {})


def execute(jobs, workers=2, quiet=False):
    """Execute the jobs, at most ``workers`` at a time; returns the list of failures.

    The other chapters are finished when one fails. On Ctrl-C the running kernels are stopped, what is finished stays, and
    ``KeyboardInterrupt`` is raised again.
    """
    context = multiprocessing.get_context("spawn")
    events, waiting, running, failures = context.Queue(), list(jobs), {}, []
    layout = "{percentage:3.0f}%|{bar:24}| {elapsed} elapsed, {remaining} remaining · {desc}"
    with tqdm(total=sum(map(_cells, jobs)), bar_format=layout, disable=quiet, dynamic_ncols=True) as bar:
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
    executed.metadata[METADATA_KEY] = {"key": key, "parameters": job.parameters, "seconds": seconds}
    return nbformat.writes(strip(executed)), None


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
    """``notebook`` without papermill's timestamps and paths, so that it holds nothing of the machine or the hour."""
    notebook.metadata.pop("papermill", None)
    for cell in notebook.cells:
        cell.metadata.pop("papermill", None)
        cell.metadata.pop("execution", None)
    return notebook


def write_whole(path, text):
    """Write ``text`` to ``path`` so that no reader, and no interruption, ever sees half of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.{os.getpid()}-{threading.get_ident()}.part")
    try:
        part.write_text(text, encoding="utf-8")
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)
