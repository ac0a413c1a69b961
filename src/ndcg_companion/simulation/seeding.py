"""Seeds: what is accepted wherever random numbers are drawn."""

from typing import Any, TypeAlias

import numpy as np

from ndcg_companion.checks import check_int, value_error

Seed: TypeAlias = int | np.random.SeedSequence | np.random.Generator


def generator(seed: Seed) -> np.random.Generator:
    """A random generator from a seed.

    Parameters
    ----------
    seed : int >= 0, numpy.random.SeedSequence or numpy.random.Generator
        An integer or a SeedSequence gives the same numbers each time; a Generator is used as it is, and moves
        on. There is no default: nothing here is random without saying so.

    Raises
    ------
    ValueError
        For anything else.

    Examples
    --------
    >>> float(generator(7).random()) == float(generator(np.random.SeedSequence(7)).random())
    True
    """
    if isinstance(seed, np.random.Generator):
        return seed
    return np.random.default_rng(_sequence(seed))


def replicate_seeds(seed: Seed, replicates: int) -> list[Any]:
    """One independent SeedSequence for each replicate, whatever the number of workers that share them.

    They are the children `numpy.random.SeedSequence.spawn` gives. A SeedSequence is taken by its value, so
    the same one gives the same children however often it has been used; a Generator counts the children it
    has handed out, so a second call gives others."""
    if isinstance(seed, np.random.Generator):
        counting: Any = seed.bit_generator.seed_seq
        return counting.spawn(replicates)
    parent = _sequence(seed)
    fresh = np.random.SeedSequence(parent.entropy, spawn_key=parent.spawn_key, pool_size=parent.pool_size)
    return fresh.spawn(replicates)


def _sequence(seed):
    """The SeedSequence of a seed; refused if it is neither that nor an integer >= 0."""
    if isinstance(seed, np.random.SeedSequence):
        return seed
    try:
        return np.random.SeedSequence(check_int("seed", seed, 0))
    except ValueError:
        raise value_error("seed", seed, "an integer >= 0, a SeedSequence or a Generator") from None
