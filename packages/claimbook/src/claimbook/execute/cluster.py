"""Execute chapters on the workers of a Dask cluster: the same notebooks, the same numbers."""

import logging

from tqdm import tqdm

from claimbook.execute.fingerprints import digest_of, folders_of
from claimbook.execute.inputs import look_again
from claimbook.execute.notebooks import executed_text, failed
from claimbook.scheduler import connect
from claimbook.writing import write_whole


def execute_on_cluster(jobs, address, write=write_whole):
    """Execute the jobs on the workers of the Dask scheduler at ``address``; returns the list of failures.

    What was executed is handed to ``write``, with the path of the job's output.

    What a lost worker had is done again by another. A worker whose package is not this one's refuses, because
    its numbers would be those of another package.

    Raises
    ------
    ValueError
        If no Dask scheduler answers at ``address``.
    ImportError
        Without Dask.
    """
    from distributed import as_completed

    # Else Dask prints tracebacks when a scheduler goes away; here each lost run has a message. It
    # gives most of its loggers levels of their own.
    for name in list(logging.root.manager.loggerDict):
        if name.partition(".")[0] in ("distributed", "asyncio", "tornado"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
    failures, book = [], jobs[0].chapter.book
    digest = digest_of(folders_of(book))
    with (
        connect(address) as client,
        tqdm(total=len(jobs), unit="run", dynamic_ncols=True) as bar,
    ):
        by_future = {}
        for job in jobs:
            job.chapter.notebook  # noqa: B018 - read here, for a worker that has no such file
            by_future[client.submit(_execute_there, job, job.key, digest, pure=False, retries=1)] = job
        for future in as_completed(by_future, loop=client.loop):
            job = by_future[future]
            bar.update()
            if future.status == "finished":
                text, failure = future.result()
            elif error := future.exception():
                text, failure = None, failed(job, "?", f"{type(error).__name__}: {error}")
            else:
                text, failure = None, failed(job, "?", f"the Dask scheduler at {address} went away")
            if failure:
                failures.append(failure)
            else:
                write(job.output, text)
    return failures


def _execute_there(job, key, digest):
    """Runs on a worker: the text of the executed notebook, or the failure."""
    book = job.chapter.book
    if digest_of(folders_of(book)) != digest:
        return None, failed(
            job, "?", f"the worker has another version of {book.name}; install this one there"
        )
    look_again()  # a worker lives longer than what was installed when it began
    return executed_text(job, key)
