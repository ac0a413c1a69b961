"""Execute chapters with papermill, side by side, and keep what is still current.

Each chapter runs in a kernel of its own, a process that ends with this one. An executed chapter is one
file, moved into place when it is whole; its metadata hold the key under which it may be reused, what it read
and imported (`inputs`), and a seal that damage breaks. Nothing that failed or was interrupted is ever moved.
"""

# The cache is by hand, because jupyter-cache compares the code of cells alone: parameters, data, modules and
# versions would change behind its back.

import json
import os
import platform
import runpy
import shlex
import tempfile
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, sleep

import nbformat
from jupyter_core.utils import ensure_event_loop
from tqdm import tqdm

from claimbook.execute.failures import Failure, failed, frames_of
from claimbook.execute.fingerprints import engine_folder, fingerprints, folders_of
from claimbook.execute.inputs import changed, look_again, order, recorded
from claimbook.execute.kernels import Kernel, kernels_at_once
from claimbook.execute.limits import Limits
from claimbook.output_metadata import METADATA_KEY, findings_of
from claimbook.writing import checksum, digest, write_whole

MEMORY = Path("_build", "fingerprints.json")  # below the book's folder
FAILED = Path("_build", "failed")  # notebooks of chapters that failed, as far as they came
# Else the C library of Linux gives the memory of each array back at once, to ask for it again page by page:
# a tenth of the time of chapters that draw long lists.
_KEEP_MEMORY = {"MALLOC_MMAP_THRESHOLD_": 2**25, "MALLOC_TRIM_THRESHOLD_": 2**33, "MALLOC_TOP_PAD_": 2**26}


def bases(chapters):
    """For each chapter a digest of all that its execution depends on, but for its parameters.

    That is the code and the tags of its cells, the fingerprint of what they can reach of the package, the
    lock file, Python and, where they could be used, the extras that are installed.
    """
    root = chapters[0].root
    lock = root / "requirements.lock"
    common = [platform.python_version(), lock.read_text(encoding="utf-8") if lock.is_file() else ""]
    sources = ["\n".join(source for source, _ in chapter.code) for chapter in chapters]
    known = zip(chapters, fingerprints(chapters[0].book, sources, root / MEMORY), strict=True)
    return [
        digest([*common, chapter.code, fingerprint, extras and installed_extras(chapter.book)])
        for chapter, (fingerprint, extras) in known
    ]


def installed_extras(book):
    """Versions of the optional packages by name, without importing the book's package around that module."""
    if not book.extras:
        return {}
    first, *parts = book.extras.split(".")
    return runpy.run_path(str(book.folders[first].joinpath(*parts)) + ".py")["installed_extras"]()


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
    with many. ``limits`` change no result, and so no key.
    """

    chapter: object
    parameters: dict
    output: Path
    called: str = ""
    basis: str = ""
    limits: Limits = Limits()

    @property
    def name(self):
        return self.called or self.chapter.name

    @property
    def kept(self):
        """The file that keeps the notebook if the chapter fails."""
        name = ",".join(filter(None, [self.chapter.name, self.called]))
        return self.chapter.root / FAILED / f"{name}.ipynb"

    @property
    def key(self):
        """A digest of all that is known before the chapter runs; what it read is noted when it did."""
        defaults = {parameter.name: parameter.default for parameter in self.chapter.parameters}
        contents = _contents((defaults | self.parameters).values())
        return digest([self.parameters, contents, self.basis or bases([self.chapter])[0]])

    def is_up_to_date(self):
        """Whether the output is whole and made from exactly what is there."""
        return not self.outdated()

    def outdated(self):
        """Why the chapter has to be executed, in words; empty if the output is made from what is there."""
        executed = read_executed(self.output)
        if executed is None or "inputs" not in (noted := executed["metadata"][METADATA_KEY]):
            return "it was not executed"
        if noted["key"] != self.key:
            return "its code or its parameters changed since it was executed"
        for finding in findings_of(executed):
            row = self.chapter.book.registry.get(finding["statement"])
            if row is None or row.expected != finding["expected"]:
                return f"registry.csv expects another verdict on {finding['statement']}"
        return changed(noted["inputs"], self.chapter.root)


def read_executed(path):
    """An executed notebook, as JSON; None if there is none, or it was changed since ``execute`` wrote it."""
    if not Path(path).is_file():  # a pipe would be waited for
        return None
    try:
        content = json.loads(Path(path).read_text(encoding="utf-8"))
        noted = dict(content["metadata"][METADATA_KEY])
        seal = noted.pop("seal")
        return content if seal == digest([noted, content["cells"]]) else None
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return None


def read_metadata(path):
    """The notes of ``execute`` in a notebook: ``key``, ``parameters``, ``seconds``, ``inputs``; or none."""
    content = read_executed(path)
    return content["metadata"][METADATA_KEY] if content else {}


def execute(jobs, workers=2, write=write_whole):
    """Execute the jobs, at most ``workers`` at a time; returns the list of failures.

    There are fewer at a time where a process may not have enough files open (`kernels_at_once`). What was
    executed is handed to ``write``, with the path of the job's output, from several threads.

    The other chapters are finished when one fails. On Ctrl-C the running kernels are stopped, what is
    finished stays, and ``KeyboardInterrupt`` is raised again.
    """
    # Else the debugger inside ipykernel may print into pages.
    os.environ["PYDEVD_DISABLE_FILE_VALIDATION"] = "1"
    for name, value in _KEEP_MEMORY.items():
        os.environ.setdefault(name, str(value))
    running, failures, workers = [], [], kernels_at_once(workers)
    look_again()
    # Modules are preloaded only if some jobs have to wait: where all start together, each kernel is ready
    # sooner with just what it needs.
    in_turn = jobs if len(jobs) > workers else []
    Kernel.preload = [*{name: None for job in in_turn for name in job.chapter.book.preload}]
    layout = "{percentage:3.0f}%|{bar:24}| {elapsed} elapsed, {remaining} remaining · {desc}"
    # disable=None: the bar is drawn on a terminal only; a log has a line for each chapter.
    options = {"disable": None, "bar_format": layout, "dynamic_ncols": True}
    with tqdm(total=sum(map(_cells, jobs)), **options) as bar, ThreadPoolExecutor(workers) as pool:
        due = {pool.submit(_execute_one, job, job.key, running, bar, write): job for job in jobs}
        try:
            while due:
                done, _ = wait(due, timeout=0.2, return_when=FIRST_COMPLETED)
                for future in done:
                    job, failure = due.pop(future), future.result()
                    failures += [failure] if failure else []
                    bar.write(f"{'failed' if failure else 'executed'} {job.name}")
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
            while running:  # a kernel that is about to start is met in the next round
                Kernel.stop_all()
                sleep(0.1)
    return failures


def _cells(job):
    """The number of code cells that a job executes: papermill adds one that sets parameters."""
    return len(job.chapter.code) + bool(job.parameters)


def _execute_one(job, key, running, bar, write):
    """Run one chapter in a kernel of its own; leaves no file behind unless it succeeded."""
    running.append(job.name)
    bar.set_description_str(", ".join(running))
    try:
        text, failure = executed_text(job, key, bar.update)
        if failure:
            return keep(job, failure)
        write(job.output, text)
        job.kept.unlink(missing_ok=True)
        return None
    except OSError as error:
        return failed(job, f"{error.filename or job.output}: {error.strerror}")
    finally:
        ensure_event_loop().close()  # that of this thread, in which papermill waited for the kernel
        running.remove(job.name)


def keep(job, failure):
    """Keep the notebook of a job that failed, as far as it came; returns the message, which says where."""
    if failure.notebook is None:
        return failure.message
    place = os.path.relpath(job.kept, job.chapter.root)
    try:
        write_whole(job.kept, failure.notebook)
    except OSError as error:
        return f"{failure.message}\n    its notebook could not be kept: {place}: {error.strerror}"
    return f"{failure.message}\n    the notebook as far as it came: {place}"


def executed_text(job, key, cell_done=lambda: None):
    """Execute a job in this process; returns the text of the notebook, or None and the `Failure`."""
    import papermill

    from claimbook.execute.engine import NAME, Watch

    os.environ.pop("MPLBACKEND", None)
    started, folders = perf_counter(), folders_of(job.chapter.book)
    watch = Watch(job.limits.output_limit * 1e6)
    with tempfile.TemporaryDirectory(prefix="inputs-") as scratch:
        record = Path(scratch, "record")
        try:
            executed = papermill.execute_notebook(
                nbformat.from_dict(job.chapter.notebook),
                None,
                job.parameters,
                kernel_name="python3",
                progress_bar=False,
                # Else kernels tell the terminal that they talk without encryption, and are stopped.
                extra_arguments=[
                    "--log-level=CRITICAL",
                    *order(record, folders.values(), engine_folder()),
                ],
                kernel_manager_class=Kernel,
                on_cell_executed=lambda **_: cell_done(),
                engine_name=NAME,
                watch=watch,
                timeout=job.limits.timeout,
            )
            inputs = recorded(record, job.chapter.root, folders)
        except Exception as error:
            notebook = watch.notebook and nbformat.writes(strip(watch.notebook))
            return None, Failure(_told(job, watch, error), notebook)
    noted = {"key": key, "parameters": job.parameters, "seconds": round(perf_counter() - started, 1)}
    noted["inputs"] = inputs
    content = json.loads(nbformat.writes(strip(executed)))
    content["metadata"][METADATA_KEY] = noted | {"seal": digest([noted, content["cells"]])}
    return json.dumps(content, indent=1, ensure_ascii=False, sort_keys=True) + "\n", None


def _told(job, watch, error):
    """The message about a job whose execution raised this error."""
    from nbclient.exceptions import CellTimeoutError, DeadKernelError
    from papermill.exceptions import PapermillExecutionError

    limits = job.limits
    if watch.is_full:
        remedy = "show less, or raise 'execute: output_limit' in _config.yml"
        told = f"the outputs of the chapter exceed {limits.output_limit:g} MB; {remedy}"
    elif isinstance(error, CellTimeoutError):
        remedy = "compute less, or raise 'execute: timeout' in _config.yml (-1 for no limit)"
        told = f"the cell took more than {limits.timeout:g} seconds; {remedy}"
    elif isinstance(error, DeadKernelError):
        told = "the kernel ended while the cell ran: it was killed, ran out of memory or crashed"
    elif isinstance(error, PapermillExecutionError):
        frames = frames_of(error.traceback, watch.notebook)
        return failed(job, f"{error.ename}: {error.evalue}", watch.cell, frames)
    else:
        told = f"{type(error).__name__}: {error}"
    return failed(job, told, watch.cell)


def strip(notebook):
    """``notebook`` without papermill's timestamps and paths: with nothing of the machine or the hour."""
    notebook.metadata.pop("papermill", None)
    for cell in notebook.cells:
        cell.metadata.pop("papermill", None)
        cell.metadata.pop("execution", None)
    return notebook
