"""Laws of discounted sums of independent labels: what is left of NDCG when only the top counts."""

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
# Relative rounding of a number that was computed with a few operations.
_ROUNDED = 2e-16
# Probability outside the window of a Fourier series, and size of its terms that are nothing.
_OUTSIDE, _NOTHING = 1e-15, 1e-17
# Attempts: terms of the series, and branches after which it must do for those that are left.
_GEOMETRIC_ATTEMPTS = ((1 << 12, 1 << 17), (1 << 15, 1 << 19), (1 << 18, 1 << 21), (1 << 20, 1 << 24))
_POWER_ATTEMPTS = ((1 << 12, 1 << 17), (1 << 14, 1 << 19), (1 << 16, 1 << 24))
# A series is not asked about so few branches if it costs nothing to go on, and at once about so many.
_FEW, _CROWD = 64, 1 << 17
_CUMULANTS = 24


_FLATTEST = 0.9999  # the law takes a time in proportion to 1 / (1 - ratio): two seconds here


def _check_law(values, probabilities):
    """Refuse what is not a law: finite values and as many probabilities, which sum to one."""
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
    """Law of ``T = sum of D(r) X_r`` over all ranks r, for independent copies X_r of a discrete variable X.

    When the discounts have no finite sum, but their squares have, only the centred sum is finite, and T is
    ``mean + sum of D(r) (X_r - E X)`` with a mean that must be given.

    Parameters
    ----------
    discount : Geometric, Power or Zipf
        Power with beta > 1/2.
    values, probabilities : tuple of float
        The law of X.
    mean : float, optional
        Of T; by default ``E X`` times the sum of the discounts, which must then be finite.

    Raises
    ------
    ValueError
        For a discount whose squares have no finite sum; for a ratio above 0.9999, which spreads the sum over
        more ranks than can be gone through; for a missing mean when the discounts have none.

    Notes
    -----
    Two methods complement each other, because these laws can be smooth or rough (singular, or steep at many
    places).

    *Branches*. Given the X's of the first ranks, T <= x asks whether the rest is below a number y. The rest
    lies in an interval that shrinks with the rank, so most branches are decided soon. For rough laws few
    remain at every rank, and the answer is exact: with ``2**-r`` it reads the binary digits of x.

    *Series*. On a window that the rest almost never leaves (Chernoff), of width P, its density is a Fourier
    series with the coefficients ``phi(2 pi k / P) / P``, so Gil-Pelaez's integral for the distribution
    function becomes a sum without discretisation error. ``phi`` is a product over ranks with an analytic
    tail. The cut of the series is felt only near where the law is rough, and `fourier_table` estimates how
    much. With a geometric discount, the rest is the same law after every rank, on another scale: one series
    does for all.

    The branches are left to the series as soon as their probabilities times its errors there are small
    enough. All that was left to it together is the error held against the accuracy: the sum, or three
    standard deviations of a sum with random signs. That is an estimate, not a bound.

    What was enclosed: 200 answers in ball arithmetic, by other means, all within 1e-9 of the truth
    (tests/theory/test_laws_enclosed.py): powers from 5/8 to 3/2, geometric ratios up to 1/2, two and three
    values. What is only estimated: steeper powers, ratios above 1/2 and nearly certain labels.

    Examples
    --------
    >>> from ndcg_companion.measures import Geometric
    >>> digits = DiscountedSum(Geometric(0.5), (0, 1), (0.5, 0.5))  # of a uniform variable, in base 2
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
        flat = (self._ratio or 0.0) > _FLATTEST
        raise_if(flat, "discount", self.discount, f"a ratio of at most {_FLATTEST}, for the time it takes")
        _check_law(self.values, self.probabilities)
        fail_if(
            self.mean is None and beta <= 1.0,
            f"mean=None: expected a number, because {self.discount!r} has no finite sum",
        )
        if self.mean is not None:
            check_float("mean", self.mean, isfinite, "None or a finite number")

    @property
    def _ratio(self):
        """The scale on which the ranks after the first have the law of all, under a geometric discount."""
        return self.discount.ratio

    @cached_property
    def _law(self):
        """Values that occur (less E X, if the sum is centred), their probabilities, and their mean."""
        values, probabilities = np.array(self.values, dtype=float), np.array(self.probabilities, dtype=float)
        values, probabilities = values[probabilities > ROUNDING], probabilities[probabilities > ROUNDING]
        mean = values @ probabilities
        return (values, probabilities, mean) if self.mean is None else (values - mean, probabilities, 0.0)

    @cached_property
    def _cumulants(self):
        """Coefficients of ``log E exp(z (X - E X))`` in powers of z."""
        values, probabilities, mean = self._law
        moments = [(values - mean) ** j @ probabilities / factorial(j) for j in range(_CUMULANTS)]
        coefficients = np.zeros(_CUMULANTS)
        for j in range(2, _CUMULANTS):
            lower_terms = sum(i * coefficients[i] * moments[j - i] for i in range(2, j))
            coefficients[j] = moments[j] - lower_terms / j
        return coefficients

    def _transform(self, turn, t, steps, after):
        """``E exp(turn x (T - E T))`` for the ranks beyond `after`, at every ``x = t + step > 0``.

        A product over ranks; where ``x D(r)`` is small it is continued by the cumulant series, whose sums
        over ranks are Hurwitz zeta values. An array of steps, next to one of t, saves most of the
        exponentials."""
        values, probabilities, mean = self._law
        z = turn * np.add.outer(t, steps)
        product = np.ones_like(z)
        # A quarter of the cumulant series' radius of convergence, by the root test, leaves terms below 1e-11.
        powers = np.arange(2, _CUMULANTS)
        radius = np.min(np.maximum(np.abs(self._cumulants[2:]), 1e-300) ** (-1.0 / powers))
        rank, values, largest = after, values - mean, t.max() + steps.max()
        while largest * self.discount(rank + 1.0) > radius / 4.0:
            rank += 1
            turns = turn * self.discount(float(rank)) * values
            product *= (probabilities * np.exp(np.multiply.outer(t, turns))) @ np.exp(
                np.multiply.outer(turns, steps)
            )
        series = np.zeros_like(z)
        for j in powers[::-1]:
            series = series * z + self._cumulants[j] * self.discount.tail_sum(j, rank)
        return product * np.exp(series * z * z)

    def _mean_after(self, rank):
        *_, mean = self._law
        return mean * self.discount.tail_sum(1, rank) if self.mean is None else 0.0

    def _range(self, after):
        """The interval that the ranks beyond `after` never leave."""
        if decay_exponent(self.discount) <= 1.0:
            return -np.inf, np.inf
        (values, *_), tail = self._law, self.discount.tail_sum(1, after)
        return values.min() * tail, values.max() * tail

    def _window(self, after):
        """An interval that the ranks beyond `after` almost never leave, by Chernoff's bound."""
        values, _, mean = self._law
        slopes = np.geomspace(1e-3, 50.0, 60) / (np.abs(values - mean).max() * self.discount(after + 1.0))
        with np.errstate(over="ignore"):
            below, above = (
                np.min(
                    (np.log(self._transform(turn, slopes, np.zeros(()), after)) - np.log(_OUTSIDE)) / slopes
                )
                for turn in (-1.0, 1.0)
            )
        (low, high), centre = self._range(after), self._mean_after(after)
        low, high = max(low, centre - below), min(high, centre + above)
        # With a margin, so that what is rough at one end is not felt at the other: the series is periodic.
        return low - (high - low) / 64.0, high + (high - low) / 64.0

    def _table(self, after, terms):
        """Distribution function of the sum over the ranks beyond `after`, from so many Fourier terms."""
        if (after, terms) in self._tables:
            return self._tables[after, terms]
        low, high = self._window(after)
        unit, centre = 2.0 * np.pi / (high - low), self._mean_after(after)
        blocks, steps = [], np.arange(64.0)
        while (computed := 32 << len(blocks) if blocks else 0) < terms:
            # In pieces that are too small for the linear algebra library to share them out among threads.
            k = 1.0 + np.arange(computed, max(2 * computed, 64), 64).reshape(
                -1, min(max(1, computed // 64), 64)
            )
            blocks.append(self._transform(1j, unit * k, unit * steps, after).ravel())
            if np.abs(blocks[-1]).max() < _NOTHING * computed:
                break
        phi = np.concatenate(blocks)
        # Terms that are nothing have no share in the damping.
        table = fourier_table(phi, terms if len(phi) == terms else 16 * len(phi), low, high, centre)
        self._tables[after, terms] = table
        return table

    def cdf(self, x: float) -> float:
        """``P(T <= x)`` for a number x, absolute accuracy 1e-9 by an estimate of the error.

        A law can be so steep that the probability changes between x and the next floating-point number. The
        answer is right for a number that differs from x by no more than a few units in the last digit.

        Raises
        ------
        ValueError
            When 1e-9 is out of reach, with the value and the accuracy that it has. The laws that are that
            rough belong to labels that are nearly certain, and to ratios near 1 or steep powers.
        """
        check_float("x", x, lambda number: not isnan(number), "a number")
        value, error = self._evaluate(float(x))
        fail_if(
            not error <= _ACCURACY,
            f"x={x!r}: expected a smoother law than {self!r}, whose labels are too nearly certain; "
            f"P(T <= x) is {value:.12g} up to {error:.0e}, which is not the 1e-9 promised",
        )
        return value

    def _evaluate(self, x):
        """``P(T <= x)`` and its error."""
        position, (values, *_) = x - (self.mean or 0.0), self._law
        if len(values) == 1:
            return float(position >= self._mean_after(0)), 0.0
        value, error = np.nan, np.inf
        for terms, branch_limit in _GEOMETRIC_ATTEMPTS if self._ratio else _POWER_ATTEMPTS:
            value, error = min(
                (value, error), self._attempt(position, terms, branch_limit), key=lambda attempt: attempt[1]
            )
            # With a second attempt that is so far off, a third takes long and fails as well.
            if error <= _ACCURACY or (error > 0.05 and terms > 1 << 12):
                break
        return float(np.clip(value, 0.0, 1.0)), float(error)

    def _attempt(self, x, terms, branch_limit):
        """``P(T <= x)`` and its error."""
        values, probabilities, _ = self._law
        ratio = self._ratio
        # Under a geometric discount a branch that returns to 0 is back at the question, on another scale.
        recurrent = ratio and self.mean is None and x == 0.0
        # The rounding that positions have gathered.
        positions, weights, doubts = np.array([x]), np.ones(1), np.array([_ROUNDED * abs(x)])
        decided, error, returned, stayed, rank, branches, pause = 0.0, 0.0, 0.0, 0.0, 0, 0, 0
        while True:
            low, high = self._range(rank)
            above, below = positions >= high - doubts, positions <= low + doubts
            decided += weights[above].sum()
            live = ~(above | below)
            stayed += weights[~live].sum()
            if recurrent and rank:
                back = live & (np.abs(positions) <= doubts)
                returned += weights[back].sum()
                live &= ~back
            positions, weights, doubts = positions[live], weights[live], doubts[live]
            if not len(positions):
                # Of nearly certain labels nearly all return: what stayed away keeps the digits of what did.
                away = stayed if recurrent else 1.0
                return decided / away, error / away
            # For a power every rank needs a series of its own, so they are made rarely.
            if len(positions) > _FEW if ratio else rank >= pause or len(positions) > _CROWD:
                pause = max(8, int(1.6 * rank))
                branches += len(positions)
                series, scale = (0, ratio**rank) if ratio else (rank, 1.0)
                chances, errors, waves = self._table(series, terms)(positions / scale)
                errors = errors * weights
                spare = _ACCURACY * (1.0 - returned) - error
                if branches >= branch_limit or spare <= 0.0 or total_error(errors, waves) <= spare:
                    settled = np.ones(len(errors), dtype=bool)
                else:
                    settled = smallest_errors(errors, (0.03 if ratio else 0.1) * spare)
                # Not `@`, which shares work out among threads that then wait for each other.
                decided += np.sum(weights[settled] * chances[settled])
                stayed += weights[settled].sum()
                error += total_error(errors[settled], waves[settled])
                positions, weights, doubts = positions[~settled], weights[~settled], doubts[~settled]
            rank += 1
            moves = self.discount(float(rank)) * values
            positions = np.subtract.outer(positions, moves).ravel()
            weights = np.multiply.outer(weights, probabilities).ravel()
            doubts = np.add.outer(doubts, _ROUNDED * np.abs(moves)).ravel()


@dataclass(frozen=True)
class LimitLaw:
    """Law of ``sum of D(r) X_r / sum of D(r)`` with independent X_r: what NDCG tends to when D is summable.

    Parameters
    ----------
    discount : Geometric or Power
        Summable.
    values, probabilities : tuple of float
        The law of the label at the top of the list, in units of the top grade.

    Attributes
    ----------
    mean : float
    support : tuple of (float, float)
        Closed intervals, in ascending order, that hold the law; between them it is never found. For `Power`
        the support itself, as long as gaps end within the first 12 ranks (``beta <= 12`` and two labels). For
        `Geometric` with a Cantor set for its support, the intervals that cover it after 12 ranks.
    """

    discount: KnownDecay
    values: tuple[float, ...]
    probabilities: tuple[float, ...]

    def __post_init__(self):
        raise_if(
            decay_exponent(self.discount) <= 1.0,
            "discount",
            self.discount,
            "a summable discount; this one has a limit, not a limit law",
        )
        _check_law(self.values, self.probabilities)

    @property
    def mean(self) -> float:
        return float(np.dot(self.values, self.probabilities))

    @cached_property
    def support(self) -> tuple[tuple[float, float], ...]:
        total = self.discount.tail_sum()
        values = np.array(self.values, dtype=float)[np.array(self.probabilities) > 0.0]
        tail = self.discount.tail_sum(1, 12) / total
        low, high = values.min(keepdims=True) * tail, values.max(keepdims=True) * tail
        for rank in range(12, 0, -1):
            steps = values * (float(self.discount(float(rank))) / total)
            low, high = np.add.outer(steps, low).ravel(), np.add.outer(steps, high).ravel()
            order = np.argsort(low)
            low, high = low[order], np.maximum.accumulate(high[order])
            # Touching intervals, up to rounding, are one.
            begins_anew = low[1:] > high[:-1] + 1e-14
            low, high = low[np.append(True, begins_anew)], high[np.append(begins_anew, True)]
        return tuple(zip(low.tolist(), high.tolist()))

    @cached_property
    def _sum(self):
        return DiscountedSum(self.discount, self.values, self.probabilities)

    def cdf(self, x: ArrayLike) -> float | np.ndarray:
        """``P(law <= x)`` for a number or an array, with the accuracy of `DiscountedSum.cdf`.

        Raises
        ------
        ValueError
            For NaN; when the accuracy is out of reach, see `DiscountedSum.cdf`.
        """
        argument, x = x, np.asarray(x)
        raise_if(x.dtype.kind not in "biuf" or np.isnan(x).any(), "x", argument, "numbers, and no NaN")
        x = x.astype(float)
        low, high = self.support[0][0], self.support[-1][1]
        total = self.discount.tail_sum()
        values = [
            self._sum.cdf(point * total) if low <= point < high else float(point >= high)
            for point in x.ravel().tolist()
        ]
        return np.array(values).reshape(x.shape) if x.ndim else values[0]


def limit_law(population: Population, discount: KnownDecay) -> LimitLaw:
    """What NDCG tends to in law when the discount is summable: not a number, but a random variable.

    Only the top of the list counts, and its labels are independent with the law of Y at s = 1. With Q(0) the
    top grade,

        NDCG  ->  sum of D(r) Y_r / (Q(0) sum of D(r))   in law.

    Parameters
    ----------
    population : Population
        Its curves continuous at s = 1, its labels not negative.
    discount : Geometric or Power
        Power with beta > 1.

    Returns
    -------
    LimitLaw
        ``.cdf(x)``, ``.mean``, ``.support``.

    Raises
    ------
    ValueError
        For a discount that is not summable (`limit` gives its limit) or a population without a relevant item.

    References
    ----------
    Wang et al. 2013, theorem 10, says that there is no limit in probability; the law is not stated there.

    Examples
    --------
    With ``D(r) = 2**-r`` and a fair coin at the top the law is uniform; with ``r**-2`` a band is forbidden.

    >>> from ndcg_companion.measures import Geometric, Power
    >>> from ndcg_companion.theory import Population
    >>> round(limit_law(Population("constant:0.5"), Geometric(0.5)).cdf(0.3), 12)
    0.3
    >>> law = limit_law(Population("constant:0.5"), Power(2.0))
    >>> [(round(low, 4), round(high, 4)) for low, high in law.support]
    [(0.0, 0.3921), (0.6079, 1.0)]
    """
    check_population(population)
    fail_if(population.grades[-1] < 0, f"population: expected grades >= 0, found {population.grades[-1]!r}")
    ideal = sum(height for height, _ in population.ideal_steps)
    fail_if(ideal == 0, "population: expected items with a positive label")
    at_top = [
        float(np.clip(population.probability_at_depth(grade, 0.0), 0.0, 1.0)) for grade in population.grades
    ]
    return LimitLaw(discount, tuple(grade / ideal for grade in population.grades), tuple(at_top))
