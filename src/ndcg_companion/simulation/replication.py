"""Monte Carlo: an experiment repeated with independent random numbers, and how far its mean may be off."""

from dataclasses import dataclass

import numpy as np
from scipy.special import betaincinv, stdtrit
from threadpoolctl import threadpool_limits

from ndcg_companion.simulation.seeding import checked_count, generator, replicate_seeds


@dataclass(frozen=True, eq=False)
class MonteCarlo:
    """Outcomes of an experiment.

    Attributes
    ----------
    values : ndarray of shape (replicates, ...)
        One outcome for each replicate that finished, in the order of the replicates.
    requested : int
        The number of replicates asked for: more than there are values if the run was interrupted.
    """

    values: np.ndarray
    requested: int

    @property
    def mean(self):
        """Mean over the replicates: a float, or an array of the outcomes' shape."""
        return _plain(self.values.mean(axis=0))

    @property
    def standard_error(self):
        """Standard error of the mean, with the n - 1 divisor; NaN for a single replicate."""
        count = len(self.values)
        if count < 2:
            return _plain(np.full(self.values.shape[1:], np.nan))
        return _plain(self.values.std(axis=0, ddof=1) / np.sqrt(count))

    def interval(self, level=0.95):
        """Confidence interval for the mean of the experiment, as (low, high).

        Exact (Clopper and Pearson) where all outcomes are 0 or 1; else Student's t interval, which is exact for normal
        outcomes and a large-sample approximation for others, and needs at least two replicates.

        Parameters
        ----------
        level : float in (0, 1)

        Raises
        ------
        ValueError
            For another level, or a t interval from a single replicate.
        """
        _check_level(level)
        values, count = self.values, len(self.values)
        binary = ((values == 0) | (values == 1)).all(axis=0)
        if count < 2 and not binary.all():
            raise ValueError(f"replicates={count}: expected at least 2 for an interval of outcomes other than 0 and 1")
        margin = stdtrit(count - 1, (1 + level) / 2) * np.asarray(self.standard_error) if count > 1 else np.nan
        exact = proportion_interval(np.where(binary, values.sum(axis=0), 0).astype(int), count, level)
        return tuple(
            _plain(np.where(binary, bound, self.mean + sign * margin)) for bound, sign in zip(exact, (-1, 1))
        )


def proportion_interval(successes, trials, level=0.95):
    """Exact confidence interval for a probability (Clopper and Pearson 1934), as (low, high).

    Covers the true probability with at least the stated level, whatever it is.

    Parameters
    ----------
    successes : int or array of int, from 0 to trials
    trials : int >= 1
    level : float in (0, 1)

    Raises
    ------
    ValueError
        For arguments other than the above.

    Examples
    --------
    >>> low, high = proportion_interval(0, 100)
    >>> low, round(high, 6)   # 1 - 0.025 ** (1 / 100)
    (0.0, 0.036217)
    """
    _check_level(level)
    trials = checked_count("trials", trials)
    successes = np.asarray(successes)
    if successes.dtype.kind not in "iu" or (successes < 0).any() or (successes > trials).any():
        raise ValueError(f"successes={successes!r}: expected integers from 0 to {trials}")
    tail, failures = (1 - level) / 2, trials - successes
    low = np.where(successes == 0, 0.0, betaincinv(np.maximum(successes, 1), failures + 1, tail))
    high = np.where(failures == 0, 1.0, betaincinv(successes + 1, np.maximum(failures, 1), 1 - tail))
    return _plain(low), _plain(high)


def monte_carlo(experiment, *, replicates, seed, workers=1):
    """Repeat an experiment with independent random numbers.

    Replicate i gets the i-th child that `numpy.random.SeedSequence.spawn` gives for the seed, and all run on one BLAS
    thread, so the values do not depend on the number of workers; and more replicates only add to fewer.

    Parameters
    ----------
    experiment : callable
        ``experiment(rng)`` with a `numpy.random.Generator` returns a number or an array, always of the same shape.
    replicates : int >= 1
    seed : int, SeedSequence or Generator
        A Generator hands out other children the next time; the others give the same ones.
    workers : int >= 1
        Processes. With more than one the experiment travels to them by cloudpickle, so lambdas will do.

    Returns
    -------
    MonteCarlo
        Interrupted (Ctrl-C) after at least one replicate, it holds those that were done: the first ones, in order.

    Raises
    ------
    ValueError
        For arguments outside the above, and for outcomes that are not numbers or change their shape.

    Examples
    --------
    >>> run = monte_carlo(lambda rng: rng.random() < 0.3, replicates=200, seed=1)
    >>> run.mean
    0.305
    >>> low, high = run.interval(0.99)
    >>> bool(low < 0.3 < high)
    True
    """
    if not callable(experiment):
        raise ValueError(f"experiment={experiment!r}: expected a callable of a numpy.random.Generator")
    replicates, workers = checked_count("replicates", replicates), checked_count("workers", workers)
    seeds = replicate_seeds(seed, replicates)
    values = []
    outcomes = _one_process(experiment, seeds) if workers == 1 else _processes(experiment, seeds, workers)
    try:
        for outcome in outcomes:
            values.append(_check_outcome(outcome, values))
    except KeyboardInterrupt:
        if not values:
            raise
    return MonteCarlo(np.array(values), replicates)


def _replicate(experiment, seed):
    return experiment(generator(seed))


def _one_process(experiment, seeds):
    with threadpool_limits(1):
        for seed in seeds:
            yield _replicate(experiment, seed)


def _processes(experiment, seeds, workers):
    from joblib import Parallel, delayed, parallel_config

    with parallel_config(backend="loky", n_jobs=workers, inner_max_num_threads=1):
        yield from Parallel(return_as="generator")(delayed(_replicate)(experiment, seed) for seed in seeds)


def _check_outcome(outcome, values):
    outcome = np.asarray(outcome)
    if outcome.dtype.kind not in "biuf":
        raise ValueError(f"experiment: expected numbers, got {outcome.dtype} from replicate {len(values)}")
    if values and outcome.shape != values[0].shape:
        raise ValueError(
            f"experiment: expected outcomes of shape {values[0].shape}, got {outcome.shape} "
            f"from replicate {len(values)}"
        )
    return outcome


def _check_level(level):
    if not 0 < level < 1:
        raise ValueError(f"level={level!r}: expected a number strictly between 0 and 1")


def _plain(values):
    return float(values) if np.ndim(values) == 0 else values
