"""Execute chapters on a Dask cluster, with the same results as on one machine."""

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor

from tqdm import tqdm

from claimbook.execute.failures import Failure, failure_message
from claimbook.execute.fingerprints import digest_of, folders_of
from claimbook.execute.inputs import forget_installed
from claimbook.execute.notebooks import executed_text, message_with_kept_notebook
from claimbook.writing import write_whole

SECONDS = 10  # seconds to connect


def execute_on_cluster(jobs, address, write=write_whole):
    """Execute jobs on the workers of a Dask scheduler, and return messages of failures.

    Parameters
    ----------
    jobs : list of Job
        The jobs.
    address : str
        The address of the scheduler.
    write : callable
        A function that stores the text of an executed notebook, given the path of the job's output.

    Raises
    ------
    ValueError
        If no Dask scheduler answers at ``address``.
    ImportError
        If Dask is not installed.

    Notes
    -----
    If a worker is lost, another one repeats its jobs. A worker with another version of the book's package
    refuses its jobs, because the numbers could differ.
    """
    from distributed import as_completed

    # Otherwise Dask would print tracebacks when a scheduler goes away, although each lost run has a message
    # here. Most of Dask's loggers have levels of their own.
    for name in list(logging.root.manager.loggerDict):
        if name.partition(".")[0] in ("distributed", "asyncio", "tornado"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
    failure_messages, code_digest = [], digest_of(folders_of(jobs[0].chapter.book))
    # The key depends on the notebook, which is read here because a worker may not have the file.
    keys = [job.key for job in jobs]
    with connect(address) as client, tqdm(total=len(jobs), unit="run", dynamic_ncols=True) as progress_bar:
        # With pure=True, Dask would return an earlier result instead of executing a job again.
        futures = client.map(_execute_on_worker, jobs, keys, code_digest=code_digest, pure=False, retries=1)
        job_of = dict(zip(futures, jobs, strict=True))
        for future in as_completed(futures, loop=client.loop):
            progress_bar.update()
            job, text = job_of[future], None
            if future.status == "finished":
                text, failure = future.result()
            elif error := future.exception():
                failure = Failure(failure_message(job, f"{type(error).__name__}: {error}"))
            else:
                failure = Failure(failure_message(job, f"the Dask scheduler at {address} went away"))
            if text:
                write(job.output, text)
            else:
                failure_messages.append(message_with_kept_notebook(job, failure))
    return failure_messages


def connect(address):
    """Return a client connected to the Dask scheduler at an address.

    Raises
    ------
    ValueError
        If no scheduler answers there.
    """
    from distributed import Client, Security
    from distributed.comm import connect as open_connection

    async def greet():
        security_options = Security().get_connection_args("client")
        opening = open_connection(address, timeout=SECONDS, **security_options)
        connection = await asyncio.wait_for(opening, 2 * SECONDS)
        await connection.close()

    try:
        # A Client limits the time for the connection but not for the greeting, and a server of another kind
        # never sends a greeting. The client runs in a thread of its own because the caller's thread may have
        # an event loop, as in a notebook.
        with ThreadPoolExecutor(1) as thread:
            thread.submit(lambda: asyncio.run(greet())).result()
        return Client(address, timeout=SECONDS, set_as_default=False)
    except Exception as error:
        raise ValueError(
            f"scheduler={address!r}: expected the address of a running Dask scheduler, such as "
            f"'tcp://127.0.0.1:8786' ({str(error) or type(error).__name__})"
        ) from error


def _execute_on_worker(job, key, code_digest):
    """Execute a job on a worker; return the notebook's text or None, and the failure."""
    book = job.chapter.book
    if digest_of(folders_of(book)) != code_digest:
        problem = f"the worker has another version of {book.name}; install this version there"
        return None, Failure(failure_message(job, problem))
    forget_installed()  # packages may have changed since the worker started
    return executed_text(job, key)
