"""Work that is cut into independent parts, here or on the workers of a Dask scheduler."""

from contextlib import contextmanager


@contextmanager
def mapping(scheduler=None):
    """A function like `map`; with the address of a Dask scheduler, one whose calls run on its workers.

    Raises
    ------
    ValueError
        If no scheduler answers there.
    """
    if scheduler is None:
        yield map
        return
    from ndcg_companion.simulation.replication import connect

    with connect(scheduler) as client:

        def mapped(function, parts):
            # As data of its own the function, with what it holds, travels once to each worker.
            carried = client.scatter(function, broadcast=True, hash=False)
            placed = client.scatter([*parts], hash=False)
            futures = [client.submit(_apply, carried, part, pure=False) for part in placed]
            return client.gather(futures)

        yield mapped


def _apply(function, part):
    return function(part)
