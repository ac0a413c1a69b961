"""Connection to a Dask scheduler."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

SECONDS = 10  # seconds within which a scheduler must answer


def connect(address):
    """Return a client of the Dask scheduler at the given address.

    Raises
    ------
    ValueError
        If no Dask scheduler answers at this address.
    ImportError
        If Dask is not installed.
    """
    from distributed import Client, Security
    from distributed.comm import connect

    async def exchange_greetings():
        connection = await asyncio.wait_for(
            connect(address, timeout=SECONDS, **Security().get_connection_args("client")), 2 * SECONDS
        )
        await connection.close()

    try:
        # A Client limits the time to connect but not the time for the greeting, which only a scheduler sends.
        # A thread is needed because notebooks already run an event loop.
        with ThreadPoolExecutor(1) as thread:
            thread.submit(lambda: asyncio.run(exchange_greetings())).result()
        return Client(address, timeout=SECONDS, set_as_default=False)
    except Exception as error:
        raise ValueError(
            f"scheduler={address!r}: expected the address of a running Dask scheduler, such as "
            f"'tcp://127.0.0.1:8786' ({str(error) or type(error).__name__})"
        ) from error
