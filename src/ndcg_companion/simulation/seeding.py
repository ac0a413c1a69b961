"""Seeds and counts: what is accepted wherever random numbers are drawn."""

from numbers import Integral

import numpy as np


def generator(seed):
    """A random generator from a seed.

    Parameters
    ----------
    seed : int >= 0, numpy.random.SeedSequence or numpy.random.Generator
        An integer or a SeedSequence gives the same numbers each time; a Generator is used as it is, and moves on.
        There is no default: nothing here is random without saying so.

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


def replicate_seeds(seed, replicates):
    """One independent SeedSequence for each replicate, whatever the number of workers that share them.

    They are the children `numpy.random.SeedSequence.spawn` gives. A SeedSequence is taken by its value, so the same
    one gives the same children however often it has been used; a Generator counts the children it has handed out, so
    a second call gives others.
    """
    if isinstance(seed, np.random.Generator):
        return seed.bit_generator.seed_seq.spawn(replicates)
    parent = _sequence(seed)
    fresh = np.random.SeedSequence(parent.entropy, spawn_key=parent.spawn_key, pool_size=parent.pool_size)
    return fresh.spawn(replicates)


def checked_count(name, value):
    """The value as an int, refused unless it is an integer of at least 1."""
    if not isinstance(value, Integral) or isinstance(value, bool) or value < 1:
        raise ValueError(f"{name}={value!r}: expected an integer >= 1")
    return int(value)


def _sequence(seed):
    if isinstance(seed, np.random.SeedSequence):
        return seed
    if isinstance(seed, Integral) and not isinstance(seed, bool) and seed >= 0:
        return np.random.SeedSequence(int(seed))
    raise ValueError(f"seed={seed!r}: expected an integer >= 0, a SeedSequence or a Generator")
