"""Run independent parts of the work on all cores or on a Dask cluster."""

import operator
import os
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

_MOST_THREADS = 4  # the most threads, because each needs memory for the arrays of its part


@contextmanager
def parallel_map(scheduler=None):
    """Return a function like `map` that runs on all cores or on a Dask cluster.

    The results are in the order of the parts, whichever part finishes first.

    Parameters
    ----------
    scheduler : str, optional
        The address of a Dask scheduler. By default, threads are used.

    Raises
    ------
    ValueError
        If no scheduler answers at the given address.
    """
    if scheduler is None:
        # Threads are enough: NumPy releases the interpreter's lock while it sorts and multiplies.
        with ThreadPoolExecutor(min(os.cpu_count() or 1, _MOST_THREADS)) as pool:
            yield pool.map
        return
    from ndcg_companion.simulation.replication import connect

    with connect(scheduler) as client:

        def map_on_cluster(function, parts):
            # The function and its arrays are scattered, so that each worker gets them only once. Neither
            # they nor the calls are hashed, which would take long.
            remote_function = client.scatter(function, broadcast=True, hash=False)
            remote_parts = client.scatter([*parts], hash=False)
            return client.gather(
                client.map(operator.call, [remote_function] * len(remote_parts), remote_parts, pure=False)
            )

        yield map_on_cluster
