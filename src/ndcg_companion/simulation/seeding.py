"""Seeds of random numbers."""

from typing import Any, TypeAlias

import numpy as np

from ndcg_companion.checks import check_int, value_error

Seed: TypeAlias = int | np.random.SeedSequence | np.random.Generator


def generator(seed: Seed) -> np.random.Generator:
    """Return a random generator for a seed.

    Parameters
    ----------
    seed : int >= 0, numpy.random.SeedSequence or numpy.random.Generator
        An integer or a SeedSequence always gives the same numbers; a Generator is returned unchanged. The
        seed has no default, so no result is random by accident.

    Raises
    ------
    ValueError
        If `seed` is anything else.

    Examples
    --------
    >>> float(generator(7).random()) == float(generator(np.random.SeedSequence(7)).random())
    True
    """
    if isinstance(seed, np.random.Generator):
        return seed
    return np.random.default_rng(_sequence(seed))


def replicate_seeds(seed: Seed, replicates: int) -> list[Any]:
    """Return independent SeedSequences, one for each replicate.

    These SeedSequences are the children that `numpy.random.SeedSequence.spawn` returns. A SeedSequence always
    gives the same children, however often it has been used. A Generator counts the children that it has
    produced, so a second call gives different children.
    """
    if isinstance(seed, np.random.Generator):
        counting_sequence: Any = seed.bit_generator.seed_seq
        return counting_sequence.spawn(replicates)
    parent = _sequence(seed)
    unused_copy = np.random.SeedSequence(
        parent.entropy, spawn_key=parent.spawn_key, pool_size=parent.pool_size
    )
    return unused_copy.spawn(replicates)


def _sequence(seed):
    """Return the SeedSequence of a seed; raise ValueError unless it is one or an integer >= 0."""
    if isinstance(seed, np.random.SeedSequence):
        return seed
    try:
        return np.random.SeedSequence(check_int("seed", seed, 0))
    except ValueError:
        raise value_error("seed", seed, "an integer >= 0, a SeedSequence or a Generator") from None
