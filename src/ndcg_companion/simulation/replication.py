"""Monte Carlo: an experiment repeated with independent random numbers, and how far its mean may be off."""

import sys
from collections import deque
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from itertools import count, islice
from math import ceil
from time import monotonic, perf_counter, sleep
from traceback import format_exception
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from ndcg_companion.checks import check_int, fail_if, raise_if
from ndcg_companion.extras import lacking
from ndcg_companion.simulation import scheduler as dask_scheduler
from ndcg_companion.simulation.intervals import (
    Interval,
    bernstein_interval,
    plain,
    proportion_interval,
    student_interval,
)
from ndcg_companion.simulation.seeding import Seed, generator, replicate_seeds

BATCH_SECONDS = 0.5  # long against the milliseconds a transfer costs, short enough to be lost with a worker
_MOST_WORKERS = 10_000  # processes of one machine


@dataclass(frozen=True, eq=False)
class MonteCarlo:
    """Outcomes of an experiment.

    Attributes
    ----------
    values : ndarray of shape (replicates, ...)
        One outcome for each replicate, from the first on, in order: all of them, or after an interruption
        those before the first one missing.
    requested : int
        The number of replicates asked for: more than there are values if the run was interrupted.
    later : dict of int to outcome
        After an interruption, the outcomes of replicates behind the first missing one, by number. They count
        neither in the mean nor in the intervals, because which replicates finish early may depend on how they
        come out; `monte_carlo` with ``resume`` need not repeat them.
    seed : numpy.random.SeedSequence, optional
        The seed of the first replicate.
    """

    values: np.ndarray
    requested: int
    later: dict[int, Any] = field(default_factory=dict, repr=False)
    seed: np.random.SeedSequence | None = field(default=None, repr=False)

    @property
    def mean(self) -> Any:
        """Mean over the values: a float, or an array of the outcomes' shape; NaN if there are none."""
        return plain(self.values.mean(axis=0) if len(self.values) else np.full(self.values.shape[1:], np.nan))

    @property
    def standard_error(self) -> Any:
        """Standard error of the mean, with the n - 1 divisor; NaN for fewer than two values."""
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
        """Confidence interval for the mean of the experiment, as (low, high); for arrays, one for each entry.

        Parameters
        ----------
        level : float in (0, 1)
        method : {None, "exact", "wilson", "t", "bernstein"}
            "exact" and "wilson" are for outcomes that are all 0 or 1 (see `proportion_interval`); "t" for
            others (`student_interval`); "bernstein" for outcomes within known bounds, at whatever number of
            replicates (`bernstein_interval`). None takes "exact" for the entries that are all 0 or 1, and "t"
            elsewhere.
        bounds : pair of float, optional
            The lowest and the highest possible outcome, for "bernstein".
        comparisons : int >= 1
            The number of intervals that are to hold together, by Bonferroni: for a band that holds at every
            entry of an array at once, the number of entries.

        Raises
        ------
        ValueError
            For arguments other than the above, for outcomes that do not suit the method, and for "t" and
            "bernstein" from fewer than two replicates.

        Examples
        --------
        >>> run = MonteCarlo(np.repeat([0, 1], [90, 10]), 100)
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
            f"bounds={bounds!r}, method={method!r}: expected bounds with 'bernstein' and only there",
        )
        values, n = self.values, len(self.values)
        fail_if(n == 0, "replicates=0: expected at least 1 for an interval")
        if bounds is not None:
            return bernstein_interval(values, bounds, level, comparisons=comparisons)
        if method == "t":
            return student_interval(values, level, comparisons=comparisons)
        binary = ((values == 0) | (values == 1)).all(axis=0)
        fail_if(method and not binary.all(), f"method={method!r}: expected outcomes that are all 0 or 1")
        successes = np.where(binary, values.sum(axis=0), 0).astype(int)
        ends = proportion_interval(successes, n, level, method=method or "exact", comparisons=comparisons)
        if binary.all():
            return ends
        others = student_interval(values, level, comparisons=comparisons)
        return tuple(plain(np.where(binary, end, other)) for end, other in zip(ends, others))


class Interrupted(RuntimeError):
    """A run that ended before all its replicates were done.

    Attributes
    ----------
    result : MonteCarlo
        What is done: `monte_carlo` with ``resume=error.result`` goes on from there.
    """

    def __init__(self, message: str, result: MonteCarlo | None = None) -> None:
        super().__init__(message)
        self.result = result


class UnusableOutcome(Interrupted, ValueError):
    """An experiment whose outcomes are not numbers, or change their shape."""


def monte_carlo(
    experiment: Callable[[np.random.Generator], Any],
    *,
    replicates: int,
    seed: Seed,
    workers: int = 1,
    scheduler: str | None = None,
    resume: MonteCarlo | None = None,
    progress: bool | None = None,
) -> MonteCarlo:
    """Repeat an experiment with independent random numbers.

    Replicate i gets the i-th child that `numpy.random.SeedSequence.spawn` gives for the seed, and all run on
    one BLAS thread. So the values do not depend on the number of workers, on how replicates travel to them,
    or on what was done in an earlier run, as long as the experiment depends on its argument alone; and more
    replicates only add to fewer.

    Parameters
    ----------
    experiment : callable
        ``experiment(rng)`` with a `numpy.random.Generator` returns a number or an array, always of the same
        shape. It travels to other processes by cloudpickle, so lambdas will do. In an array NaN marks an
        entry without a value, which no interval admits; a number must not be NaN.
    replicates : int >= 1
    seed : int, SeedSequence or Generator
        A Generator hands out other children the next time; the others give the same ones.
    workers : int >= 1
        Processes on this machine; more than one need joblib, which the extra ``chapter`` brings.
    scheduler : str, optional
        The address of a Dask scheduler, such as ``"tcp://127.0.0.1:8786"``: the replicates run on its
        workers, which need this package too. `workers` is then left alone.
    resume : MonteCarlo, optional
        Outcomes of an earlier run with the same experiment and seed, interrupted or shorter: they are not
        repeated.
    progress : bool, optional
        Whether stderr counts the replicates that are done; by default, if that is a terminal.

    Returns
    -------
    MonteCarlo
        After Ctrl-C, what is done until then, with a word on stderr (KeyboardInterrupt if that is nothing).

    Raises
    ------
    ValueError
        For arguments outside the above, including a scheduler that does not answer, before any replicate
        runs; and for outcomes that are not numbers, or NaN, or change their shape, as an `Interrupted` too.
    Interrupted
        If the experiment raises (the message names the replicate; those under way are waited for), if a
        worker process is killed, or if the Dask scheduler goes away. `Interrupted.result` holds what is done.
        Dask itself repeats elsewhere what a killed worker had.
    ImportError
        For a scheduler without Dask, and for workers without joblib.

    Examples
    --------
    >>> run = monte_carlo(lambda rng: rng.random() < 0.3, replicates=200, seed=1)
    >>> run.mean
    0.305
    >>> low, high = run.interval(0.99)
    >>> bool(low < 0.3 < high)
    True
    >>> longer = monte_carlo(lambda rng: rng.random() < 0.3, replicates=400, seed=1, resume=run)
    >>> bool((longer.values[:200] == run.values).all())
    True
    """
    raise_if(not callable(experiment), "experiment", experiment, "a callable of a numpy.random.Generator")
    replicates, workers = (
        check_int("replicates", replicates, 1, 10**9),
        check_int("workers", workers, 1, _MOST_WORKERS),
    )
    raise_if(
        scheduler is not None and (not isinstance(scheduler, str) or workers > 1),
        "scheduler",
        scheduler,
        f"an address, and workers=1 with it, got workers={workers}",
    )
    seeds = replicate_seeds(seed, replicates)
    run = _Run(seeds, _finished(resume, seeds))
    if scheduler is not None:
        outcomes = _cluster(experiment, run, connect(scheduler), scheduler)
    else:
        outcomes = _one_process(experiment, run) if workers == 1 else _processes(experiment, run, workers)
    show_progress = sys.stderr.isatty() if progress is None else progress
    try:
        with closing(outcomes):
            for batch in outcomes:
                run.collect(batch)
                if show_progress:
                    print(
                        f"\r{len(run.finished)}/{replicates} replicates", end="", file=sys.stderr, flush=True
                    )
        if show_progress:
            print(file=sys.stderr)
    except ImportError:
        raise
    except KeyboardInterrupt:
        if not run.finished:
            raise
        print(f"interrupted: {run.state()}", file=sys.stderr)
    except Exception as error:
        run.failures[replicates] = Interrupted, _headline(error), error
    if run.failures:
        kind, what, cause = run.failures[min(run.failures)]
        raise kind(f"{what}; {run.state()}", run.result()) from cause
    return run.result()


class _Run:
    """The replicates of a run: an iterator of batches of those to do, until one fails; what others gave."""

    def __init__(self, seeds, finished):
        self.first_seed, self.requested = seeds[0], len(seeds)
        self.tasks = deque((i, seed) for i, seed in enumerate(seeds) if i not in finished)
        self.finished, self.failures = finished, {}
        self.shape = next(map(np.shape, finished.values()), None)
        self.size, self.slots = 1, 1

    def __iter__(self):
        return self

    def __next__(self):
        if self.failures or not self.tasks:
            raise StopIteration
        # smaller ones towards the end, so that not all wait for the worker that got the last one
        fair = ceil(len(self.tasks) / (4 * self.slots))
        size = min(self.size, max(fair, self.size // 20), len(self.tasks))
        return [self.tasks.popleft() for _ in range(size)]

    def pace(self, replicates, seconds):
        """Make the next batches last about BATCH_SECONDS, judging by one that is done."""
        most = max(self.size, 4 * replicates)
        self.size = int(np.clip(replicates * BATCH_SECONDS / max(seconds, 1e-9), 1, most))

    def collect(self, batch):
        """Take the outcomes of a batch; one of another shape is a failure."""
        for replicate, outcome, failure in batch:
            if failure is None and self.shape not in (None, outcome.shape):
                failure = (
                    UnusableOutcome,
                    f"experiment: expected outcomes of shape {self.shape}, "
                    f"got {outcome.shape} from replicate {replicate}",
                    None,
                )
            if failure is None:
                self.finished[replicate], self.shape = outcome, outcome.shape
            else:
                self.failures[replicate] = failure

    def state(self):
        how = ", and monte_carlo(..., resume=result) with the same experiment and seed does the others"
        return f"{len(self.finished)} of {self.requested} replicates are done" + (
            how if self.finished else ""
        )

    def result(self):
        first_missing = next(i for i in count() if i not in self.finished)
        values = np.array([self.finished[i] for i in range(first_missing)])
        later = {i: outcome for i, outcome in self.finished.items() if i > first_missing}
        return MonteCarlo(values, self.requested, later, self.first_seed)


def _headline(error):
    """What an exception says, without its second thoughts: the traceback has them."""
    return ": ".join([type(error).__name__, *str(error).strip().splitlines()[:1]])


def _finished(resume, seeds):
    """Outcomes of an earlier run by replicate; refused if they are of another seed, or of more replicates."""
    if resume is None:
        return {}
    raise_if(not isinstance(resume, MonteCarlo), "resume", resume, "a MonteCarlo")
    finished = dict(enumerate(resume.values)) | resume.later
    enough = max(finished, default=0) + 1
    fail_if(
        len(seeds) < enough,
        f"replicates={len(seeds)}: expected at least {enough}, so far has the run come already",
    )
    fail_if(
        resume.seed is not None and (resume.seed.generate_state(4) != seeds[0].generate_state(4)).any(),
        f"resume: expected outcomes of the same seed, got those of {resume.seed!r}",
    )
    return finished


def _attempt(experiment, replicate, seed, remote=False):
    """The number of a replicate, its outcome and, if there is none, the reason."""
    try:
        outcome = np.array(experiment(generator(seed)))
    except Exception as error:
        again = "experiment(numpy.random.default_rng(numpy.random.{}))".format("".join(repr(seed).split()))
        what = f"replicate {replicate} raised {type(error).__name__}: {error} (to repeat it: {again})"
        # not every exception survives the transfer between processes, but its text does
        cause = RuntimeError("\n" + "".join(format_exception(error))) if remote else error
        return replicate, None, (Interrupted, what, cause)
    if outcome.dtype.kind not in "biuf" or (not outcome.ndim and np.isnan(outcome)):
        found = "NaN" if outcome.dtype.kind == "f" else outcome.dtype
        what = f"experiment: expected numbers, got {found} from replicate {replicate}"
        return replicate, None, (UnusableOutcome, what, None)
    return replicate, outcome[()], None


def _batch(experiment, batch):
    start = perf_counter()
    outcomes = [_attempt(experiment, replicate, seed, remote=True) for replicate, seed in batch]
    return outcomes, perf_counter() - start


def _one_process(experiment, run):
    with threadpool_limits(1):
        for batch in run:
            yield [_attempt(experiment, replicate, seed) for replicate, seed in batch]


def _processes(experiment, run, workers):
    """Outcomes by batch from processes of this machine, as they come."""
    try:
        from joblib import Parallel, delayed, parallel_config
    except ImportError as error:
        raise ImportError(f"workers={workers}: {lacking('joblib')}") from error
    run.slots = workers
    # Only the construction reads the configuration. The loop stands outside, because a generator waits inside
    # it while its caller works, who would compute under that configuration, too.
    with parallel_config(backend="loky", n_jobs=workers, inner_max_num_threads=1):
        parallel = Parallel(batch_size=1, return_as="generator_unordered")
    for outcomes, seconds in parallel(delayed(_batch)(experiment, batch) for batch in run):
        run.pace(len(outcomes), seconds)
        yield outcomes


def connect(address):
    """A client of the Dask scheduler at ``address``; ValueError if none answers, ImportError without Dask."""
    try:
        return dask_scheduler.connect(address)
    except ImportError as error:
        raise ImportError(f"scheduler={address!r}: {lacking('distributed')}") from error


def _cluster(experiment, run, client, address):
    """Outcomes by batch from the workers of a Dask cluster, as they come; ConnectionError if it goes away."""
    from distributed import as_completed
    from distributed.comm import CommClosedError

    with client:
        try:
            # as a task of its own it travels once to each worker, and is made again if that worker dies
            carried = client.submit(_itself, experiment, pure=False)
            pending, batches, no_workers = as_completed(loop=client.loop), {}, False
            while True:
                threads = sum(client.nthreads().values())
                if not threads and not no_workers:
                    print(
                        f"the Dask scheduler at {address} has no workers: waiting for some", file=sys.stderr
                    )
                run.slots, no_workers = max(threads, 1), not threads
                for batch in islice(run, max(0, 2 * run.slots - pending.count())):
                    future = client.submit(partial(_cluster_batch, batch=batch), carried, pure=False)
                    batches[future.key] = batch
                    pending.add(future)
                if pending.is_empty():
                    return
                look_again = monotonic() + 1
                while not pending.has_ready() and monotonic() < look_again:
                    sleep(0.01)
                for future in pending.next_batch(block=False):
                    batch = batches.pop(future.key)
                    try:
                        outcomes, seconds = future.result()
                    except Exception as error:
                        if client.status != "running" or isinstance(error, CommClosedError):
                            raise
                        what = f"replicates {batch[0][0]} to {batch[-1][0]}: {_headline(error)}"
                        outcomes = [(batch[0][0], None, (Interrupted, what, error))]
                    else:
                        run.pace(len(outcomes), seconds)
                    yield outcomes
        except Exception as error:
            # a request may notice the loss before the client does
            if client.status == "running" and not isinstance(error, CommClosedError):
                raise
            raise ConnectionError(f"the Dask scheduler at {address} went away") from error


def _itself(experiment):
    return experiment


def _cluster_batch(experiment, batch):
    # Set, and not entered by "with": threads of a worker share the limit, and one that leaves would lift it
    # for the others.
    threadpool_limits(1)
    return _batch(experiment, batch)
