"""Work that is cut into independent parts, for the cores here or the workers of a Dask scheduler."""

import operator
import os
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

_MOST_THREADS = 4  # each holds the arrays of a part


@contextmanager
def parallel_map(scheduler=None):
    """A function like `map`, whose calls run on all cores, or on the workers of a Dask scheduler.

    What it gives stands in the order of the parts, and so does not depend on who is done first.

    Raises
    ------
    ValueError
        If no scheduler answers there.
    """
    if scheduler is None:
        # NumPy sorts and multiplies beside other threads.
        with ThreadPoolExecutor(min(os.cpu_count() or 1, _MOST_THREADS)) as pool:
            yield pool.map
        return
    from ndcg_companion.simulation.replication import connect

    with connect(scheduler) as client:

        def mapped(function, parts):
            # Scattered, the function and the arrays that it holds travel once to each worker.
            carried = client.scatter(function, broadcast=True, hash=False)
            placed = client.scatter([*parts], hash=False)
            return client.gather(client.map(operator.call, [carried] * len(placed), placed, pure=False))

        yield mapped
