"""Monte Carlo: experiments repeated with independent random numbers, and intervals for their mean."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from ndcg_companion.checks import check_int, fail_if, raise_if
from ndcg_companion.extras import lacking
from ndcg_companion.simulation.intervals import (
    Interval,
    bernstein_interval,
    plain,
    proportion_interval,
    student_interval,
)
from ndcg_companion.simulation.scheduler import connect
from ndcg_companion.simulation.seeding import Seed, generator, replicate_seeds

_MOST_WORKERS = 10_000  # largest number of processes on one machine
# Number of batches per worker. Few batches are cheap to send, but with too few, workers finish at different
# times.
_BATCHES = 8


@dataclass(frozen=True, eq=False)
class MonteCarlo:
    """Outcomes of a repeated experiment.

    Attributes
    ----------
    values : ndarray of shape (replicates, ...)
        One outcome for each replicate, in order.
    """

    values: np.ndarray

    @property
    def mean(self) -> Any:
        """Mean of the outcomes, with the shape of one outcome; NaN if there are none."""
        return plain(self.values.mean(axis=0) if len(self.values) else np.full(self.values.shape[1:], np.nan))

    @property
    def standard_error(self) -> Any:
        """Standard error of the mean, with divisor n - 1; NaN for fewer than two values."""
        n = len(self.values)
        if n < 2:
            return plain(np.full(self.values.shape[1:], np.nan))
        return plain(self.values.std(axis=0, ddof=1) / np.sqrt(n))

    def interval(
        self,
        level: float = 0.95,
        *,
        method: str | None = None,
        bounds: tuple[float, float] | None = None,
        comparisons: int = 1,
    ) -> Interval:
        """Return a confidence interval (low, high) for the mean or each of its entries.

        Parameters
        ----------
        level : float in (0, 1)
            Confidence level.
        method : {None, "exact", "wilson", "t", "bernstein"}
            "exact" and "wilson" require outcomes that are all 0 or 1 (`proportion_interval`), "t" is for
            other outcomes (`student_interval`), and "bernstein" is for outcomes within known bounds and for
            any number of replicates (`bernstein_interval`). None selects "exact" for entries that are all 0
            or 1, and "t" for all others.
        bounds : pair of float, optional
            The lowest and the highest possible outcome, for "bernstein".
        comparisons : int >= 1
            Number of intervals that must cover simultaneously (Bonferroni). To get a simultaneous band over
            the entries of an array, pass the number of entries.

        Raises
        ------
        ValueError
            If an argument is invalid, if the outcomes do not suit the method, or if there are fewer than two
            replicates for "t" or "bernstein".

        Examples
        --------
        >>> run = MonteCarlo(np.repeat([0, 1], [90, 10]))
        >>> [round(end, 3) for end in run.interval()], [round(end, 3) for end in run.interval(comparisons=20)]
        ([0.049, 0.176], [0.031, 0.222])
        """
        raise_if(
            method not in (None, "exact", "wilson", "t", "bernstein"),
            "method",
            method,
            "None, 'exact', 'wilson', 't' or 'bernstein'",
        )
        fail_if(
            (bounds is not None) != (method == "bernstein"),
            f"bounds={bounds!r}, method={method!r}: expected bounds if and only if method='bernstein'",
        )
        values, n = self.values, len(self.values)
        fail_if(n == 0, "replicates=0: expected at least 1 for an interval")
        if bounds is not None:
            return bernstein_interval(values, bounds, level, comparisons=comparisons)
        if method == "t":
            return student_interval(values, level, comparisons=comparisons)
        is_binary = ((values == 0) | (values == 1)).all(axis=0)
        fail_if(method and not is_binary.all(), f"method={method!r}: expected outcomes that are all 0 or 1")
        # Entries that are not binary get 0 successes, and their interval is not used.
        successes = np.where(is_binary, values.sum(axis=0), 0).astype(int)
        binary_interval = proportion_interval(
            successes, n, level, method=method or "exact", comparisons=comparisons
        )
        if is_binary.all():
            return binary_interval
        other_interval = student_interval(values, level, comparisons=comparisons)
        return tuple(
            plain(np.where(is_binary, binary_end, other_end))
            for binary_end, other_end in zip(binary_interval, other_interval)
        )


class ReplicateError(RuntimeError):
    """Error of a failed experiment; it names the replicate and says how to repeat it."""


def monte_carlo(
    experiment: Callable[[np.random.Generator], Any],
    *,
    replicates: int,
    seed: Seed,
    workers: int = 1,
    scheduler: str | None = None,
) -> MonteCarlo:
    """Return the outcomes of an experiment repeated with independent random numbers.

    Replicate i gets the i-th child of the seed, as returned by `numpy.random.SeedSequence.spawn`, and all
    replicates run on one BLAS thread. If the experiment depends only on its argument, the values therefore do
    not depend on the number or the location of workers. If you add replicates, the earlier values do not
    change.

    Parameters
    ----------
    experiment : callable
        ``experiment(rng)`` with a `numpy.random.Generator` returns a number or an array, always of the same
        shape. The experiment is sent to other processes by cloudpickle, so it may be a lambda. If the outcome
        is an array, NaN marks an entry without a value, and no interval can be computed for this entry. An
        outcome that is a single number must not be NaN.
    replicates : int >= 1
        Number of repetitions.
    seed : int, SeedSequence or Generator
        An int or a SeedSequence always gives the same numbers; a Generator gives new ones at each call.
    workers : int >= 1
        Number of processes on this machine; more than one process requires joblib, which the extra
        ``chapter`` installs.
    scheduler : str, optional
        Address of a Dask scheduler, such as ``"tcp://127.0.0.1:8786"``. The replicates run on the workers of
        this scheduler, where this package must be installed, and `workers` must be 1.

    Returns
    -------
    MonteCarlo

    Raises
    ------
    ValueError
        If an argument is invalid or no scheduler answers, before any replicate runs; or if an outcome is not
        a number, is NaN, or differs in shape from the others.
    ReplicateError
        If the experiment raises an exception.
    ImportError
        If a scheduler is given but Dask is not installed, or if several workers are requested but joblib is
        not installed.

    Examples
    --------
    >>> run = monte_carlo(lambda rng: rng.random() < 0.3, replicates=200, seed=1)
    >>> run.mean
    0.305
    >>> low, high = run.interval(0.99)
    >>> bool(low < 0.3 < high)
    True
    """
    raise_if(not callable(experiment), "experiment", experiment, "a callable of a numpy.random.Generator")
    replicates = check_int("replicates", replicates, 1, 10**9)
    workers = check_int("workers", workers, 1, _MOST_WORKERS)
    raise_if(
        scheduler is not None and (not isinstance(scheduler, str) or workers > 1),
        "scheduler",
        scheduler,
        f"an address, and workers=1 with it, got workers={workers}",
    )
    numbered_seeds = [*enumerate(replicate_seeds(seed, replicates))]
    if scheduler is not None:
        batches = _on_cluster(experiment, numbered_seeds, scheduler)
    elif workers > 1:
        batches = _in_processes(experiment, numbered_seeds, workers)
    else:
        batches = [_outcomes(experiment, numbered_seeds)]
    outcomes = [outcome for batch in batches for outcome in batch]
    shape = outcomes[0].shape
    for replicate, outcome in enumerate(outcomes):
        if outcome.shape != shape:
            raise ValueError(
                f"experiment: expected outcomes of shape {shape}, "
                f"got {outcome.shape} from replicate {replicate}"
            )
    return MonteCarlo(np.array(outcomes))


def _in_processes(experiment, numbered_seeds, workers):
    """Return the outcomes by batch, computed in processes on this machine."""
    try:
        from joblib import Parallel, delayed
    except ImportError as error:
        raise ImportError(f"workers={workers}: {lacking('joblib')}") from error
    batches = _batches(numbered_seeds, workers)
    return Parallel(workers, batch_size=1)(delayed(_outcomes)(experiment, batch) for batch in batches)


def _on_cluster(experiment, numbered_seeds, address):
    """Return the outcomes by batch, computed by the workers of a Dask cluster."""
    try:
        client = connect(address)
    except ImportError as error:
        raise ImportError(f"scheduler={address!r}: {lacking('distributed')}") from error
    with client:
        batches = _batches(numbered_seeds, sum(client.nthreads().values()))
        # With pure=False, Dask does not return cached outcomes of an experiment that was edited in place.
        return client.gather(client.map(_outcomes, [experiment] * len(batches), batches, pure=False))


def _batches(numbered_seeds, workers):
    """Return the numbered seeds in batches of nearly equal size, several for each worker."""
    size = -(-len(numbered_seeds) // (_BATCHES * max(workers, 1)))  # rounded up
    return [numbered_seeds[start : start + size] for start in range(0, len(numbered_seeds), size)]


def _outcomes(experiment, numbered_seeds):
    """Return the outcomes of several replicates as arrays, computed on one BLAS thread."""
    with threadpool_limits(1):
        return [_outcome(experiment, replicate, seed) for replicate, seed in numbered_seeds]


def _outcome(experiment, replicate, seed):
    """Return the outcome of one replicate as an array."""
    try:
        outcome = np.array(experiment(generator(seed)))
    except Exception as error:
        seed_text = "".join(repr(seed).split())  # in one line
        call_to_repeat = f"experiment(numpy.random.default_rng(numpy.random.{seed_text}))"
        raise ReplicateError(
            f"replicate {replicate} raised {type(error).__name__}: {error} (to repeat it: {call_to_repeat})"
        ) from error
    if outcome.dtype.kind not in "biuf" or (not outcome.ndim and np.isnan(outcome)):
        kind = "NaN" if outcome.dtype.kind == "f" else outcome.dtype
        raise ValueError(f"experiment: expected numbers, got {kind} from replicate {replicate}")
    return outcome
