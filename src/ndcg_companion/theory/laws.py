"""Distributions of discounted sums of independent labels, which are limits if only the top matters."""

from dataclasses import dataclass, field
from functools import cached_property
from math import factorial, isfinite, isnan

import numpy as np
from numpy.typing import ArrayLike

from ndcg_companion.checks import check_float, fail_if, raise_if, row_of_numbers
from ndcg_companion.measures.decay import KnownDecay

from .curves import ROUNDING
from .limits import decay_exponent
from .populations import Population, check_population
from .tables import fourier_table, smallest_errors, total_error

_ACCURACY = 1e-9
# The relative rounding error of a number that is computed with a few operations.
_ROUNDING_ERROR = 2e-16
# The probability outside the window of a Fourier series, and the size below which its terms are negligible.
_OUTSIDE_PROBABILITY, _NEGLIGIBLE_TERM = 1e-15, 1e-17
# For each attempt, the number of terms of the series, and the number of branches after which the series must
# settle the rest.
_GEOMETRIC_ATTEMPTS = ((1 << 12, 1 << 17), (1 << 15, 1 << 19), (1 << 18, 1 << 21), (1 << 20, 1 << 24))
_POWER_ATTEMPTS = ((1 << 12, 1 << 17), (1 << 14, 1 << 19), (1 << 16, 1 << 24))
# With at most the first number of branches, the series is not evaluated if it is cheap to go on; with more
# than the second, it is evaluated at once.
_FEW_BRANCHES, _MANY_BRANCHES = 64, 1 << 17
_CUMULANT_COUNT = 24  # number of terms of the cumulant series
_SUPPORT_RANKS = 12  # the ranks whose labels divide the support of a limit law into intervals
_LARGEST_RATIO = 0.9999  # the time, proportional to 1 / (1 - ratio), is two seconds at this ratio


def _check_law(values, probabilities):
    """Raise ValueError unless there are finite values and equally many probabilities with sum 1."""
    for name, numbers in (("values", values), ("probabilities", probabilities)):
        row = row_of_numbers(name, numbers) if isinstance(numbers, (tuple, list, np.ndarray)) else None
        raise_if(row is None or not np.isfinite(row).all(), name, numbers, "a tuple of finite numbers")
    raise_if(
        len(values) != len(probabilities)
        or min(probabilities) < -ROUNDING
        or abs(sum(probabilities) - 1.0) > 1e-9,
        "probabilities",
        probabilities,
        f"{len(values)} numbers >= 0 that sum to 1",
    )


@dataclass(frozen=True)
class DiscountedSum:
    """Distribution of a discounted sum of independent copies of a discrete variable.

    The sum is ``T = sum of D(r) X_r`` over all ranks r, with independent copies X_r of X. If the squares of
    the discounts have a finite sum but the discounts do not, only the centred sum is finite. In this case T
    is ``mean + sum of D(r) (X_r - E X)``, and the mean must be given.

    Parameters
    ----------
    discount : Geometric, Power or Zipf
        Power with beta > 1/2.
    values, probabilities : tuple of float
        The values of X and their probabilities.
    mean : float, optional
        Mean of T; by default ``E X`` times the sum of the discounts, which must then be finite.

    Raises
    ------
    ValueError
        If the squares of the discounts have no finite sum, if a ratio exceeds 0.9999, so that the sum depends
        on too many ranks, or if the mean is missing although the discounts have no finite sum.

    Notes
    -----
    Two methods complement each other, because these distributions can be smooth or rough. A rough
    distribution is singular, or its distribution function is steep at many points.

    *Branches*. If the values of X at the first ranks are given, T <= x if and only if the sum over the
    remaining ranks is at most some number y. The sum over the remaining ranks lies in an interval that
    shrinks with the rank, so most branches are settled soon. For rough distributions, few branches remain at
    every rank, and the answer is exact. For the discount ``2**-r``, for instance, the branches follow the
    binary digits of x.

    *Series*. On a window of width P that contains the remaining sum almost surely (Chernoff), the density of
    this sum is a Fourier series with the coefficients ``phi(2 pi k / P) / P``. Gil-Pelaez's integral for the
    distribution function thus becomes a sum without discretisation error. The characteristic function ``phi``
    is a product over ranks, and its tail is computed analytically. Truncation of the series matters only
    where the distribution is rough, and `fourier_table` estimates the error. With a geometric discount, the
    remaining sum has, up to scale, the same distribution after every rank. A single series is therefore
    enough.

    A branch is settled by the series as soon as its probability times the series' error is small enough. The
    total error of all settled branches is compared with the required accuracy. This total is the sum of the
    errors, or three standard deviations of their sum with random signs if that is smaller. The total error is
    therefore an estimate, not a bound.

    An independent method computed enclosures of the true values for 200 results in ball arithmetic
    (tests/theory/test_laws_enclosed.py). The results are within 1e-9 of the true values. They cover powers
    from 5/8 to 3/2 and geometric ratios up to 1/2, with two and three values of X. For steeper powers, ratios
    above 1/2 and nearly certain labels, the error is only estimated.

    Examples
    --------
    >>> from ndcg_companion.measures import Geometric
    >>> digits = DiscountedSum(Geometric(0.5), (0, 1), (0.5, 0.5))  # binary digits of a uniform variable
    >>> round(digits.cdf(0.3), 12)
    0.3
    """

    discount: KnownDecay
    values: tuple[float, ...]
    probabilities: tuple[float, ...]
    mean: float | None = None
    _tables: dict = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self):
        beta = decay_exponent(self.discount)
        raise_if(beta <= 0.5, "discount", self.discount, "a discount whose squares have a finite sum")
        raise_if(
            (self.discount.ratio or 0.0) > _LARGEST_RATIO,
            "discount",
            self.discount,
            f"a ratio of at most {_LARGEST_RATIO} (the time grows with it)",
        )
        _check_law(self.values, self.probabilities)
        fail_if(
            self.mean is None and beta <= 1.0,
            f"mean=None: expected a number, because {self.discount!r} has no finite sum",
        )
        if self.mean is not None:
            check_float("mean", self.mean, isfinite, "None or a finite number")

    @cached_property
    def _law_on_support(self):
        """Values with positive probability (centred if ``mean`` is given), their probabilities and mean."""
        values, probabilities = np.array(self.values, dtype=float), np.array(self.probabilities, dtype=float)
        values, probabilities = values[probabilities > ROUNDING], probabilities[probabilities > ROUNDING]
        mean = values @ probabilities
        return (values, probabilities, mean) if self.mean is None else (values - mean, probabilities, 0.0)

    @cached_property
    def _cumulants(self):
        """Coefficients of ``log E exp(z (X - E X))`` in powers of z."""
        values, probabilities, mean = self._law_on_support
        # m_j = E (X - E X)**j / j!, the coefficients of the moment-generating function m(z)
        moments = [(values - mean) ** j @ probabilities / factorial(j) for j in range(_CUMULANT_COUNT)]
        # For c(z) = log m(z), comparing coefficients in m' = c' m gives j m_j = j c_j + sum_i i c_i m_(j-i).
        coefficients = np.zeros(_CUMULANT_COUNT)
        for j in range(2, _CUMULANT_COUNT):
            lower_terms = sum(i * coefficients[i] * moments[j - i] for i in range(2, j))
            coefficients[j] = moments[j] - lower_terms / j
        return coefficients

    def _transform(self, direction, t, steps, removed_ranks):
        """Return ``E exp(direction x (T - E T))`` at all ``x = t + step > 0``.

        T is the sum over the ranks beyond ``removed_ranks``, and ``direction`` is a complex number of modulus
        1. The expectation is a product over ranks, in which the ranks with a small ``x D(r)`` are replaced by
        the cumulant series. Sums of this series over ranks are Hurwitz zeta values. Because t and the steps
        are separate arrays, most exponentials need not be computed.
        """
        # With z = direction x and centred X, E exp(z (T - E T)) is the product over ranks of
        # E exp(z D(r) X). Beyond the last rank whose factor is computed, its logarithm is
        # sum over j >= 2 of c_j z**j * sum of D(r)**j, where c_j are the `_cumulants` of X.
        values, probabilities, mean = self._law_on_support
        z = direction * np.add.outer(t, steps)
        product = np.ones_like(z)
        # Within a quarter of the radius of convergence (root test), the omitted terms of the series are below
        # 1e-11.
        powers = np.arange(2, _CUMULANT_COUNT)
        radius = np.min(np.maximum(np.abs(self._cumulants[2:]), 1e-300) ** (-1.0 / powers))
        rank, deviations, largest_argument = removed_ranks, values - mean, t.max() + steps.max()
        while largest_argument * self.discount(rank + 1.0) > radius / 4.0:
            rank += 1
            rates = direction * self.discount(float(rank)) * deviations
            # exp(rate (t + step)) = exp(rate t) exp(rate step), summed over the values
            product *= (probabilities * np.exp(np.multiply.outer(t, rates))) @ np.exp(
                np.multiply.outer(rates, steps)
            )
        # Horner's rule for the same series divided by z**2
        series = np.zeros_like(z)
        for j in powers[::-1]:
            series = series * z + self._cumulants[j] * self.discount.tail_sum(j, rank)
        return product * np.exp(series * z * z)

    def _mean_after(self, removed_ranks):
        """Return the mean of the sum over the ranks beyond ``removed_ranks``."""
        *_, mean = self._law_on_support
        return mean * self.discount.tail_sum(1, removed_ranks) if self.mean is None else 0.0

    def _certain_interval(self, removed_ranks):
        """Return an interval that certainly contains the sum over the ranks beyond ``removed_ranks``."""
        if decay_exponent(self.discount) <= 1.0:
            return -np.inf, np.inf
        (values, *_), discount_sum = self._law_on_support, self.discount.tail_sum(1, removed_ranks)
        return values.min() * discount_sum, values.max() * discount_sum

    def _window(self, removed_ranks):
        """Return an interval that almost surely contains the sum beyond ``removed_ranks`` (Chernoff)."""
        values, _, mean = self._law_on_support
        # Each slope gives a bound, so a grid is enough; its unit is 1 / (largest deviation at the next rank).
        slopes = np.geomspace(1e-3, 50.0, 60) / (
            np.abs(values - mean).max() * self.discount(removed_ranks + 1.0)
        )
        distance_below = self._chernoff_distance(-1.0, slopes, removed_ranks)
        distance_above = self._chernoff_distance(1.0, slopes, removed_ranks)
        (low, high), centre = self._certain_interval(removed_ranks), self._mean_after(removed_ranks)
        low, high = max(low, centre - distance_below), min(high, centre + distance_above)
        # The series is periodic, so a rough end would affect the other end; the margin separates the two.
        return low - (high - low) / 64.0, high + (high - low) / 64.0

    def _chernoff_distance(self, direction, slopes, removed_ranks):
        """Return Chernoff's bound for the distance from the mean in one direction."""
        # P(T - E T >= d) <= E exp(s (T - E T)) exp(-s d), which is eps for
        # d = (log E exp(s (T - E T)) - log eps) / s. The best slope s gives the smallest d.
        with np.errstate(over="ignore"):
            transform = self._transform(direction, slopes, np.zeros(()), removed_ranks)
            return np.min((np.log(transform) - np.log(_OUTSIDE_PROBABILITY)) / slopes)

    def _table(self, removed_ranks, terms):
        """Return the table of the sum beyond ``removed_ranks``, computed from the given number of terms."""
        if (removed_ranks, terms) in self._tables:
            return self._tables[removed_ranks, terms]
        low, high = self._window(removed_ranks)
        lowest_frequency, centre = 2.0 * np.pi / (high - low), self._mean_after(removed_ranks)
        # phi(2 pi k / P) for k = 1, 2, ...: k is the first number of a run of 64 terms plus a step below 64.
        blocks, steps = [], np.arange(64.0)
        # The first block has 64 terms; each further one doubles the number of computed terms.
        while (computed := 32 << len(blocks) if blocks else 0) < terms:
            # At most 64 runs in a row, too few for the linear algebra library to use several threads.
            runs_per_row = min(max(1, computed // 64), 64)
            first_k = 1.0 + np.arange(computed, max(2 * computed, 64), 64).reshape(-1, runs_per_row)
            phi = self._transform(1j, lowest_frequency * first_k, lowest_frequency * steps, removed_ranks)
            blocks.append(phi.ravel())
            if np.abs(phi).max() < _NEGLIGIBLE_TERM * computed:
                break
        phi = np.concatenate(blocks)
        # If all further terms are negligible, the damping ends so late that it changes none of these.
        damping_end = terms if len(phi) == terms else 16 * len(phi)
        self._tables[removed_ranks, terms] = fourier_table(phi, damping_end, low, high, centre)
        return self._tables[removed_ranks, terms]

    def cdf(self, x: float) -> float:
        """Return ``P(T <= x)`` with an estimated absolute error below 1e-9.

        The distribution function can be so steep that it changes between x and the next floating-point
        number. The result is the exact value for some number that differs from x by at most a few units in
        the last digit.

        Raises
        ------
        ValueError
            If the accuracy of 1e-9 cannot be reached; the message contains the value and its accuracy. The
            accuracy may be unreachable for nearly certain labels, for ratios near 1, and for steep powers.
        """
        check_float("x", x, lambda number: not isnan(number), "a number")
        value, error = self._evaluate(float(x))
        fail_if(
            not error <= _ACCURACY,
            f"x={x!r}: expected a smoother distribution than {self!r}; "
            f"P(T <= x) is {value:.12g} with an estimated error of {error:.0e}, above 1e-9",
        )
        return value

    def _evaluate(self, x):
        """Return ``P(T <= x)`` and its estimated error, from the best attempt."""
        centred_x, (values, *_) = x - (self.mean or 0.0), self._law_on_support
        if len(values) == 1:
            return float(centred_x >= self._mean_after(0)), 0.0
        value, error = np.nan, np.inf
        for terms, branch_limit in _GEOMETRIC_ATTEMPTS if self.discount.ratio else _POWER_ATTEMPTS:
            new_value, new_error = self._attempt(centred_x, terms, branch_limit)
            if new_error < error:
                value, error = new_value, new_error
            # After a second attempt with an error above 0.05, a third one takes long and fails as well.
            if error <= _ACCURACY or (error > 0.05 and terms > 1 << 12):
                break
        return float(np.clip(value, 0.0, 1.0)), float(error)

    def _attempt(self, x, terms, branch_limit):
        """Return ``P(T <= x)`` and its estimated error for a given number of terms and of branches."""
        values, label_probabilities, _ = self._law_on_support
        ratio = self.discount.ratio  # None unless the discount is geometric
        # Under a geometric discount, a branch that returns to 0 is the initial problem on another scale.
        is_recurrent = ratio and self.mean is None and x == 0.0
        # A branch is settled once its position, x minus its sum so far, is outside the range of the rest.
        positions, branch_probabilities, position_errors = (
            np.array([x]),
            np.ones(1),
            np.array([_ROUNDING_ERROR * abs(x)]),
        )
        probability_below = error = returned_mass = settled_mass = 0.0
        rank = evaluated_branches = next_series_rank = 0
        while True:
            low, high = self._certain_interval(rank)
            # Above the range, T <= x for certain; below it, T > x.
            is_above, is_below = positions >= high - position_errors, positions <= low + position_errors
            probability_below += branch_probabilities[is_above].sum()
            is_open = ~(is_above | is_below)
            settled_mass += branch_probabilities[~is_open].sum()
            if is_recurrent and rank:
                has_returned = is_open & (np.abs(positions) <= position_errors)
                returned_mass += branch_probabilities[has_returned].sum()
                is_open &= ~has_returned
            positions, branch_probabilities, position_errors = (
                positions[is_open],
                branch_probabilities[is_open],
                position_errors[is_open],
            )
            if not len(positions):
                # P = probability_below + returned_mass * P, and 1 - returned_mass is settled_mass. If labels
                # are nearly certain, nearly all branches return, and the difference would lose digits.
                divisor = settled_mass if is_recurrent else 1.0
                return probability_below / divisor, error / divisor
            # For a power discount, every rank needs its own series, so series are computed rarely.
            if (ratio and len(positions) > _FEW_BRANCHES) or (
                not ratio and (rank >= next_series_rank or len(positions) > _MANY_BRANCHES)
            ):
                next_series_rank = max(8, int(1.6 * rank))
                evaluated_branches += len(positions)
                # Under a geometric discount, the sum beyond a rank is ratio**rank times the whole sum.
                series_rank, scale = (0, ratio**rank) if ratio else (rank, 1.0)
                probabilities_below, errors, waves = self._table(series_rank, terms)(positions / scale)
                errors = errors * branch_probabilities
                error_budget = _ACCURACY * (1.0 - returned_mass) - error
                # The series settles all branches at the end or if their errors permit. Otherwise it settles
                # those with small errors, which use up a small part of the budget.
                is_settled = np.ones(len(errors), dtype=bool)
                if not (
                    evaluated_branches >= branch_limit
                    or error_budget <= 0.0
                    or total_error(errors, waves) <= error_budget
                ):
                    is_settled = smallest_errors(errors, (0.03 if ratio else 0.1) * error_budget)
                # `@` is avoided because it distributes the work to threads that wait for each other.
                probability_below += np.sum(
                    branch_probabilities[is_settled] * probabilities_below[is_settled]
                )
                settled_mass += branch_probabilities[is_settled].sum()
                error += total_error(errors[is_settled], waves[is_settled])
                positions, branch_probabilities, position_errors = (
                    positions[~is_settled],
                    branch_probabilities[~is_settled],
                    position_errors[~is_settled],
                )
            # Each branch is divided by the value of X at the next rank.
            rank += 1
            contributions = self.discount(float(rank)) * values
            positions = np.subtract.outer(positions, contributions).ravel()
            branch_probabilities = np.multiply.outer(branch_probabilities, label_probabilities).ravel()
            position_errors = np.add.outer(position_errors, _ROUNDING_ERROR * np.abs(contributions)).ravel()


@dataclass(frozen=True)
class LimitLaw:
    """Limit distribution of NDCG under a summable discount.

    The limit is the distribution of ``sum of D(r) X_r / sum of D(r)`` with independent X_r.

    Parameters
    ----------
    discount : Geometric or Power
        A summable discount.
    values, probabilities : tuple of float
        The values of the label at the top of the list, divided by the top grade, and their probabilities.

    Attributes
    ----------
    mean : float
        Mean of the distribution.
    support : tuple of (float, float)
        Closed intervals, in ascending order, whose union has probability 1. For `Power`, the intervals are
        the support itself if all gaps are caused by the first 12 ranks. This is the case for ``beta <= 12``
        and two labels. If the support under `Geometric` is a Cantor set, the intervals are those that cover
        this set after 12 ranks.
    """

    discount: KnownDecay
    values: tuple[float, ...]
    probabilities: tuple[float, ...]

    def __post_init__(self):
        raise_if(
            decay_exponent(self.discount) <= 1.0,
            "discount",
            self.discount,
            "a summable discount (otherwise NDCG has a limit, not a limit law)",
        )
        _check_law(self.values, self.probabilities)

    @property
    def mean(self) -> float:
        return float(np.dot(self.values, self.probabilities))

    @cached_property
    def support(self) -> tuple[tuple[float, float], ...]:
        total = self.discount.tail_sum()
        values = np.array(self.values, dtype=float)[np.array(self.probabilities) > 0.0]
        tail_weight = self.discount.tail_sum(1, _SUPPORT_RANKS) / total
        # Start with the range of the sum over lower ranks; each earlier rank adds one of the values.
        low, high = values.min(keepdims=True) * tail_weight, values.max(keepdims=True) * tail_weight
        for rank in range(_SUPPORT_RANKS, 0, -1):
            contributions = values * (float(self.discount(float(rank))) / total)
            low, high = np.add.outer(contributions, low).ravel(), np.add.outer(contributions, high).ravel()
            order = np.argsort(low)
            low, high = low[order], np.maximum.accumulate(high[order])
            # Intervals that touch, up to rounding, are merged.
            starts_interval = low[1:] > high[:-1] + 1e-14
            low, high = low[np.append(True, starts_interval)], high[np.append(starts_interval, True)]
        return tuple(zip(low.tolist(), high.tolist()))

    @cached_property
    def _sum(self):
        return DiscountedSum(self.discount, self.values, self.probabilities)

    def cdf(self, x: ArrayLike) -> float | np.ndarray:
        """Return the distribution function at x, as accurate as `DiscountedSum.cdf`.

        Parameters
        ----------
        x : float or array_like
            Values of NDCG.

        Raises
        ------
        ValueError
            If x contains NaN, or if the accuracy cannot be reached (see `DiscountedSum.cdf`).
        """
        given_x, x = x, np.asarray(x)
        raise_if(x.dtype.kind not in "biuf" or np.isnan(x).any(), "x", given_x, "numbers, and no NaN")
        x = x.astype(float)
        lowest, highest = np.min(self.support), np.max(self.support)
        total = self.discount.tail_sum()
        values = [
            self._sum.cdf(point * total) if lowest <= point < highest else float(point >= highest)
            for point in x.ravel().tolist()
        ]
        return np.array(values).reshape(x.shape) if x.ndim else values[0]


def limit_law(population: Population, discount: KnownDecay) -> LimitLaw:
    """Return the limit distribution of NDCG under a summable discount.

    Only the top of the list matters. The labels at the top are independent and have the distribution of Y at
    s = 1. If Q(0) is the top grade,

        NDCG  ->  sum of D(r) Y_r / (Q(0) sum of D(r))   in law.

    Parameters
    ----------
    population : Population
        A population with curves that are continuous at s = 1 and with labels >= 0.
    discount : Geometric or Power
        Power with beta > 1.

    Returns
    -------
    LimitLaw
        The distribution, with the method ``cdf(x)`` and the attributes ``mean`` and ``support``.

    Raises
    ------
    ValueError
        If the discount is not summable (`limit` returns the limit) or the population has no relevant items.

    References
    ----------
    Wang et al. 2013, theorem 10, states that there is no limit in probability, but not the limit law.

    Examples
    --------
    If labels at the top are 0 or 1 with probability 1/2, the limit distribution is uniform for
    ``D(r) = 2**-r`` and has a gap for ``r**-2``:

    >>> from ndcg_companion.measures import Geometric, Power
    >>> from ndcg_companion.theory import Population
    >>> round(limit_law(Population("constant:0.5"), Geometric(0.5)).cdf(0.3), 12)
    0.3
    >>> law = limit_law(Population("constant:0.5"), Power(2.0))
    >>> [(round(low, 4), round(high, 4)) for low, high in law.support]
    [(0.0, 0.3921), (0.6079, 1.0)]
    """
    check_population(population)
    fail_if(population.grades[-1] < 0, f"population: expected grades >= 0, got {population.grades[-1]!r}")
    top_grade = sum(height for height, _ in population.ideal_steps)
    fail_if(top_grade == 0, "population: expected items with a positive label")
    top_probabilities = [
        float(np.clip(population.probability_at_depth(grade, 0.0), 0.0, 1.0)) for grade in population.grades
    ]
    return LimitLaw(
        discount, tuple(grade / top_grade for grade in population.grades), tuple(top_probabilities)
    )
