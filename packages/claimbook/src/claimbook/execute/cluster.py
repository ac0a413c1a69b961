"""Execute chapters on the workers of a Dask cluster: the same notebooks, the same numbers."""

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor

from tqdm import tqdm

from claimbook.execute.failures import Failure, failed
from claimbook.execute.fingerprints import digest_of, folders_of
from claimbook.execute.inputs import look_again
from claimbook.execute.notebooks import executed_text, keep
from claimbook.writing import write_whole

SECONDS = 10  # to connect


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
    failures, digest = [], digest_of(folders_of(jobs[0].chapter.book))
    # A key needs the notebook, which is so read here, for a worker that has no such file.
    keys = [job.key for job in jobs]
    with connect(address) as client, tqdm(total=len(jobs), unit="run", dynamic_ncols=True) as bar:
        futures = client.map(_execute_there, jobs, keys, digest=digest, pure=False, retries=1)
        job_of = dict(zip(futures, jobs, strict=True))
        for future in as_completed(futures, loop=client.loop):
            bar.update()
            job, text = job_of[future], None
            if future.status == "finished":
                text, failure = future.result()
            elif error := future.exception():
                failure = Failure(failed(job, f"{type(error).__name__}: {error}"))
            else:
                failure = Failure(failed(job, f"the Dask scheduler at {address} went away"))
            if text:
                write(job.output, text)
            else:
                failures.append(keep(job, failure))
    return failures


def connect(address):
    """A client of the Dask scheduler at an address; ValueError if none answers there."""
    from distributed import Client, Security
    from distributed.comm import connect

    async def greet():
        keys = Security().get_connection_args("client")
        comm = await asyncio.wait_for(connect(address, timeout=SECONDS, **keys), 2 * SECONDS)
        await comm.close()

    try:
        # A Client bounds the time to connect but not the time to be greeted, by a server that is no scheduler
        # for one. In a thread, because the caller's may have an event loop of its own, as a notebook's has.
        with ThreadPoolExecutor(1) as thread:
            thread.submit(lambda: asyncio.run(greet())).result()
        return Client(address, timeout=SECONDS, set_as_default=False)
    except Exception as error:
        raise ValueError(
            f"scheduler={address!r}: expected the address of a running Dask scheduler, such as "
            f"'tcp://127.0.0.1:8786' ({str(error) or type(error).__name__})"
        ) from error


def _execute_there(job, key, digest):
    """Runs on a worker: the text of the executed notebook, or the failure."""
    book = job.chapter.book
    if digest_of(folders_of(book)) != digest:
        wanted = f"the worker has another version of {book.name}; install this one there"
        return None, Failure(failed(job, wanted))
    look_again()  # a worker lives longer than what was installed when it began
    return executed_text(job, key)
