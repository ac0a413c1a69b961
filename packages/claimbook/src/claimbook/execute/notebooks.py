"""Execute chapters with papermill, several at a time, and reuse current results.

Each chapter runs in its own kernel, a process that ends with this one. An executed chapter is one file, which
is moved into place when it is complete. The metadata of this file contain a key that determines whether the
file may be reused, the inputs of the chapter (`inputs`), and a checksum that reveals damage. Failed or
interrupted chapters are never moved into place.
"""

# The cache is written by hand, because jupyter-cache compares only the code of cells. It would miss changes
# of parameters, data, modules and versions.

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

from claimbook.execute.failures import Failure, failure_message, frames_of
from claimbook.execute.fingerprints import engine_folder, fingerprints, folders_of
from claimbook.execute.inputs import change_of_input, forget_installed, prepare_record, recorded_inputs
from claimbook.execute.kernels import Kernel, kernels_at_once
from claimbook.execute.limits import Limits
from claimbook.output_metadata import METADATA_KEY, findings_of
from claimbook.writing import checksum, digest, write_whole

# Paths below the book's folder.
_FINGERPRINTS = Path("_build", "fingerprints.json")  # the cache of `fingerprints`
_FAILED = Path("_build", "failed")  # unfinished notebooks of failed chapters
# Otherwise the C library of Linux returns the memory of each array at once and requests it again page by
# page. In chapters that draw long lists, this takes a tenth of the time.
_MALLOC_SETTINGS = {
    "MALLOC_MMAP_THRESHOLD_": 2**25,
    "MALLOC_TRIM_THRESHOLD_": 2**33,
    "MALLOC_TOP_PAD_": 2**26,
}


def bases(chapters):
    """Return a digest of what affects each chapter, apart from its parameters.

    Notes
    -----
    The digest covers the code and the tags of the cells, the fingerprint of the package code that they can
    reach, the lock file, the Python version and, for chapters that could use them, the installed extras.
    """
    root = chapters[0].root
    lock = root / "requirements.lock"
    common_parts = [platform.python_version(), lock.read_text(encoding="utf-8") if lock.is_file() else ""]
    sources = ["\n".join(source for source, _ in chapter.code) for chapter in chapters]
    chapter_fingerprints = fingerprints(chapters[0].book, sources, root / _FINGERPRINTS)
    return [
        digest([*common_parts, chapter.code, fingerprint, can_use_extras and installed_extras(chapter.book)])
        for chapter, (fingerprint, can_use_extras) in zip(chapters, chapter_fingerprints, strict=True)
    ]


def installed_extras(book):
    """Return the versions of the optional packages by name.

    The module with this information is run on its own; the book's package that contains the module is not
    imported.
    """
    if not book.extras:
        return {}
    package, *parts = book.extras.split(".")
    return runpy.run_path(str(book.folders[package].joinpath(*parts)) + ".py")["installed_extras"]()


def _checksums_of_named_files(values):
    """Return checksums, by path, of files that values name, alone or in words like NAME=FILE."""
    words = set()
    for value in values:
        if isinstance(value, str):
            words |= {value, *value.split()}
            with suppress(ValueError):  # a quotation mark without its partner
                words.update(shlex.split(value))
    paths = words | {word.partition("=")[2] for word in words}
    return {path: checksum(path) for path in paths if os.path.isfile(path)}


@dataclass(frozen=True)
class Job:
    """A chapter to be executed with certain parameters, and the file for the result.

    Attributes
    ----------
    chapter : Chapter
        The chapter.
    parameters : dict
        The parameters that differ from the defaults, by name.
    output : Path
        The file for the executed notebook.
    called : str
        A name that distinguishes jobs with the same chapter.
    basis : str
        The digest from `bases`, for callers with many jobs.
    limits : Limits
        The limits on resources. Limits do not change the results and are therefore not part of the key.
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
    def kept_path(self):
        """Return the file in which the notebook is kept if the chapter fails."""
        name = ",".join(filter(None, [self.chapter.name, self.called]))
        return self.chapter.root / _FAILED / f"{name}.ipynb"

    @property
    def key(self):
        """Return a digest of everything that is known before the chapter runs.

        The chapter's inputs are not known until it has run.
        """
        defaults = {parameter.name: parameter.default for parameter in self.chapter.parameters}
        checksums = _checksums_of_named_files((defaults | self.parameters).values())
        return digest([self.parameters, checksums, self.basis or bases([self.chapter])[0]])

    def is_up_to_date(self):
        """Return whether the output is complete and made from the present sources."""
        return not self.outdated()

    def outdated(self):
        """Return the reason why the chapter has to be executed, or an empty text."""
        executed = read_executed(self.output)
        if executed is None or "inputs" not in (metadata := executed["metadata"][METADATA_KEY]):
            return "it was not executed"
        if metadata["key"] != self.key:
            return "its code or its parameters changed since it was executed"
        for finding in findings_of(executed):
            row = self.chapter.book.registry.get(finding["statement"])
            if row is None or row.expected != finding["expected"]:
                return f"registry.csv expects another verdict on {finding['statement']}"
        return change_of_input(metadata["inputs"], self.chapter.root)


def read_executed(path):
    """Return an executed notebook as JSON, or None if it is missing or was changed."""
    if not Path(path).is_file():  # reading a pipe would block
        return None
    try:
        content = json.loads(Path(path).read_text(encoding="utf-8"))
        metadata = dict(content["metadata"][METADATA_KEY])
        seal = metadata.pop("seal")
        return content if seal == digest([metadata, content["cells"]]) else None
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return None


def read_metadata(path):
    """Return the metadata that ``execute`` stored in a notebook, or an empty dict.

    The entries are ``key``, ``parameters``, ``seconds`` and ``inputs``.
    """
    content = read_executed(path)
    return content["metadata"][METADATA_KEY] if content else {}


def execute(jobs, workers=2, write=write_whole):
    """Execute the jobs and return the list of failures.

    Parameters
    ----------
    jobs : list of Job
        The jobs.
    workers : int
        The maximum number of jobs that run at the same time. Fewer run if the process may not open enough
        files (`kernels_at_once`).
    write : callable
        A function that stores the text of an executed notebook, given the path of the job's output. Several
        threads call it.

    Returns
    -------
    list of str
        A message for each failed job. The other jobs still finish.

    Raises
    ------
    KeyboardInterrupt
        If the user presses Ctrl-C. Running kernels are stopped, and finished notebooks stay.
    """
    # Otherwise the debugger inside ipykernel may print into pages.
    os.environ["PYDEVD_DISABLE_FILE_VALIDATION"] = "1"
    for name, value in _MALLOC_SETTINGS.items():
        os.environ.setdefault(name, str(value))
    running_names, failure_messages, workers = [], [], kernels_at_once(workers)
    forget_installed()
    # Modules are preloaded only if some jobs have to wait. If all jobs start together, each kernel is ready
    # sooner with only the modules that it needs.
    books = [job.chapter.book for job in jobs] if len(jobs) > workers else []
    Kernel.preload = [*dict.fromkeys(module for book in books for module in book.preload)]
    layout = "{percentage:3.0f}%|{bar:24}| {elapsed} elapsed, {remaining} remaining · {desc}"
    # With disable=None only a terminal shows the bar. A log gets a line for each chapter instead.
    bar_options = {"disable": None, "bar_format": layout, "dynamic_ncols": True}
    with tqdm(total=sum(map(_cell_count, jobs)), **bar_options) as bar, ThreadPoolExecutor(workers) as pool:
        job_of = {pool.submit(_execute_one, job, job.key, running_names, bar, write): job for job in jobs}
        try:
            while job_of:
                # On Windows, Ctrl-C cannot interrupt a wait without a timeout.
                finished_futures, _ = wait(job_of, timeout=0.2, return_when=FIRST_COMPLETED)
                for future in finished_futures:
                    job, message = job_of.pop(future), future.result()
                    failure_messages += [message] if message else []
                    bar.write(f"{'failed' if message else 'executed'} {job.name}")
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
            while running_names:  # a kernel that is just starting is stopped in the next round
                Kernel.stop_all()
                sleep(0.1)
    return failure_messages


def _cell_count(job):
    """Return the number of code cells that a job executes.

    The count includes the cell that papermill adds to set parameters.
    """
    return len(job.chapter.code) + bool(job.parameters)


def _execute_one(job, key, running_names, bar, write):
    """Run one chapter in its own kernel, and write its output only if it succeeds.

    The function returns the message about a failure, or None. While the chapter runs, its name is in the list
    ``running_names``, which all threads share.
    """
    running_names.append(job.name)
    bar.set_description_str(", ".join(running_names))
    try:
        text, failure = executed_text(job, key, bar.update)
        if failure:
            return message_with_kept_notebook(job, failure)
        write(job.output, text)
        job.kept_path.unlink(missing_ok=True)
        return None
    except OSError as error:
        return failure_message(job, f"{error.filename or job.output}: {error.strerror}")
    finally:
        ensure_event_loop().close()  # the event loop of this thread, in which papermill waited for the kernel
        running_names.remove(job.name)


def message_with_kept_notebook(job, failure):
    """Keep the notebook of a failed job, and return the failure's message with its path."""
    if failure.notebook is None:
        return failure.message
    path = os.path.relpath(job.kept_path, job.chapter.root)
    try:
        write_whole(job.kept_path, failure.notebook)
    except OSError as error:
        return f"{failure.message}\n    its notebook could not be kept: {path}: {error.strerror}"
    return f"{failure.message}\n    the unfinished notebook: {path}"


def executed_text(job, key, cell_done=lambda: None):
    """Execute a job in this process.

    Parameters
    ----------
    job : Job
        The job.
    key : str
        The job's key, which is stored in the notebook.
    cell_done : callable
        A function to call after each cell.

    Returns
    -------
    text : str or None
        The text of the executed notebook.
    failure : Failure or None
        The failure if there is no text.
    """
    import papermill

    from claimbook.execute.engine import ENGINE_NAME, Watch

    os.environ.pop("MPLBACKEND", None)  # the backend of the caller must not reach the kernel
    start_time, folders = perf_counter(), folders_of(job.chapter.book)
    watch = Watch(max_bytes=job.limits.output_limit * 1e6)
    with tempfile.TemporaryDirectory(prefix="inputs-") as scratch:
        record_file = Path(scratch, "record")
        try:
            executed = papermill.execute_notebook(
                nbformat.from_dict(job.chapter.notebook),
                None,
                job.parameters,
                kernel_name="python3",
                progress_bar=False,
                # Otherwise kernels print on the terminal that they use no encryption and that they stop.
                extra_arguments=[
                    "--log-level=CRITICAL",
                    *prepare_record(record_file, folders.values(), engine_folder()),
                ],
                kernel_manager_class=Kernel,
                on_cell_executed=lambda **_: cell_done(),
                engine_name=ENGINE_NAME,
                watch=watch,
                timeout=job.limits.timeout,
            )
            inputs = recorded_inputs(record_file, job.chapter.root, folders)
        except Exception as error:
            unfinished = watch.notebook and nbformat.writes(without_papermill_metadata(watch.notebook))
            return None, Failure(_message_about(error, job, watch), unfinished)
    seconds = round(perf_counter() - start_time, 1)
    metadata = {"key": key, "parameters": job.parameters, "seconds": seconds, "inputs": inputs}
    content = json.loads(nbformat.writes(without_papermill_metadata(executed)))
    content["metadata"][METADATA_KEY] = metadata | {"seal": digest([metadata, content["cells"]])}
    return json.dumps(content, indent=1, ensure_ascii=False, sort_keys=True) + "\n", None


def _message_about(error, job, watch):
    """Return the message about a job whose execution raised an error."""
    from nbclient.exceptions import CellTimeoutError, DeadKernelError
    from papermill.exceptions import PapermillExecutionError

    limits = job.limits
    if watch.exceeds_limit:
        remedy = "show less, or raise 'execute: output_limit' in _config.yml"
        problem = f"the outputs of the chapter exceed {limits.output_limit:g} MB; {remedy}"
    elif isinstance(error, CellTimeoutError):
        remedy = "compute less, or raise 'execute: timeout' in _config.yml (-1 for no limit)"
        problem = f"the cell took more than {limits.timeout:g} seconds; {remedy}"
    elif isinstance(error, DeadKernelError):
        problem = "the kernel ended while the cell ran: it was killed, ran out of memory or crashed"
    elif isinstance(error, PapermillExecutionError):
        frames = frames_of(error.traceback, watch.notebook)
        return failure_message(job, f"{error.ename}: {error.evalue}", watch.cell_id, frames)
    else:
        problem = f"{type(error).__name__}: {error}"
    return failure_message(job, problem, watch.cell_id)


def without_papermill_metadata(notebook):
    """Remove papermill's timestamps and paths from ``notebook``, and return it."""
    notebook.metadata.pop("papermill", None)
    for cell in notebook.cells:
        cell.metadata.pop("papermill", None)
        cell.metadata.pop("execution", None)
    return notebook
