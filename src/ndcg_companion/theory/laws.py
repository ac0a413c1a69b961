"""Laws of discounted sums of independent labels: what is left of NDCG when only the top of the list counts."""

from dataclasses import dataclass
from functools import cached_property
from math import inf, log

import numpy as np
from scipy.special import zeta

from ndcg_companion.measures import Geometric
from .curves import ROUNDING
from .decay import decay_exponent

# Probability outside the window on which a law is expanded, and size of the Fourier terms that are left out.
_OUTSIDE, _LEFT_OUT = 1e-13, 1e-10
_NEGLIGIBLE = _ROUNDED = 1e-16
_MOST_BRANCHES = 1 << 17
_MOST_TERMS = 1 << 20
_CUMULANTS = 24


def discount_sum(discount, power=1, after=0):
    """``sum of D(r) ** power over r > after``, for `Geometric`, `Power` and `Zipf`."""
    if isinstance(discount, Geometric):
        return discount.ratio ** (power * (after + 1)) / (1.0 - discount.ratio**power)
    return float(zeta(power * decay_exponent(discount), after + 1.0))


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
        For a discount whose squares have no finite sum; for a missing mean when the discounts have none.

    Notes
    -----
    The first ranks are expanded into branches: given their X's, the rest lies in an interval, and only the branches
    whose interval holds x are still undecided. For discounts whose terms exceed what follows them, that is one branch
    or a few, at every depth. What remains undecided is settled by the characteristic function: on a window of width P
    outside of which the rest is (almost) never found, the density is a Fourier series with the coefficients
    ``phi(2 pi k / P) / P``, so Gil-Pelaez's integral becomes a sum without discretisation error. ``phi`` is a product
    over ranks; where ``t D(r)`` is small it is continued by the cumulant series, whose sums over ranks are Hurwitz
    zeta values.

    Examples
    --------
    >>> round(DiscountedSum(Geometric(0.5), (0, 1), (0.5, 0.5)).cdf(0.3), 12)  # binary digits of a uniform variable
    0.3
    """

    discount: object
    values: tuple
    probabilities: tuple
    mean: float | None = None

    def __post_init__(self):
        beta = decay_exponent(self.discount)
        if beta <= 0.5:
            raise ValueError(f"discount={self.discount!r}: expected a discount whose squares have a finite sum")
        if self.mean is None and beta <= 1.0:
            raise ValueError(f"mean=None: expected a number, because {self.discount!r} has no finite sum")

    @cached_property
    def _law(self):
        """Values that occur, their probabilities, and the mean of X."""
        values, probabilities = np.array(self.values, dtype=float), np.array(self.probabilities, dtype=float)
        values, probabilities = values[probabilities > ROUNDING], probabilities[probabilities > ROUNDING]
        return values, probabilities, values @ probabilities

    @cached_property
    def _cumulants(self):
        """Coefficients of ``log E exp(z (X - E X))`` in powers of z."""
        values, probabilities, mean = self._law
        moments = [1.0]  # divided by factorials
        powers = np.ones_like(values)
        for j in range(1, _CUMULANTS):
            powers = powers * (values - mean) / j
            moments.append(powers @ probabilities)
        coefficients = np.zeros(_CUMULANTS)
        for j in range(1, _CUMULANTS):
            known = sum(i * coefficients[i] * moments[j - i] for i in range(1, j))
            coefficients[j] = moments[j] - known / j
        return coefficients

    def characteristic_function(self, t, after=0):
        """``E exp(i t (T - E T))`` at t > 0, for the ranks beyond `after`."""
        values, probabilities, mean = self._law
        t = np.asarray(t, dtype=float)
        product = np.ones(t.shape, dtype=complex)
        # A quarter of the radius of convergence of the cumulant series, by the root test, leaves terms below 1e-14.
        powers = np.arange(_CUMULANTS)[2:]
        radius = np.min(np.maximum(np.abs(self._cumulants[2:]), 1e-300) ** (-1.0 / powers))
        rank, shift = after, 0.0
        while t.max() * self.discount(rank + 1.0) > radius / 4.0:
            rank += 1
            discount = float(self.discount(float(rank)))
            # The phase of the first value is common to all and collected, which saves one exponential in two.
            shift += discount * (values[0] - mean)
            phases = np.exp(1j * np.multiply.outer(t * discount, values[1:] - values[0]))
            product *= probabilities[0] + phases @ probabilities[1:]
        series = 1j * t * shift
        for j in powers:
            series += self._cumulants[j] * (1j * t) ** j * discount_sum(self.discount, j, rank)
        return product * np.exp(series)

    def _tail(self, after):
        return discount_sum(self.discount, 1, after) if decay_exponent(self.discount) > 1.0 else inf

    def _window(self, after):
        """Half-width around the mean of an interval that the ranks beyond `after` never, or almost never, leave."""
        values, _, mean = self._law
        hoeffding = np.ptp(values) * np.sqrt(-log(_OUTSIDE / 2.0) / 2.0 * discount_sum(self.discount, 2, after))
        return min(hoeffding, np.abs(values - mean).max() * self._tail(after))

    @cached_property
    def _branched(self):
        """How many ranks are branched, unless the branches become too many."""
        if isinstance(self.discount, Geometric):
            # The branches grow like (2 ratio) ** rank while what they leave undecided decays like ratio ** rank. Near 1
            # they only grow, and the characteristic function is quick.
            return int(log(_ROUNDED) / log(self.discount.ratio)) if self.discount.ratio < 0.8 else 0
        # A power exceeds all that follows up to rank beta or so; three times as many ranks keep both the branches few
        # and the remaining window narrow, which saves Fourier terms. Nearly certain labels need more of them.
        noise = 1.0 - np.sum(self._law[1] ** 2)
        return min(1 + int(3.0 * decay_exponent(self.discount) - np.log2(noise)), 50) if self.mean is None else 0

    @cached_property
    def _known_series(self):
        return {}

    def _series(self, after, tolerance):
        """Half-width of the window and Fourier coefficients of the ranks beyond `after`, up to a tolerance."""
        known_tolerance, half, coefficients = self._known_series.get(after, (inf, None, None))
        if known_tolerance > tolerance:
            half = self._window(after) * 1.01
            blocks, first, size = [], 1, 256
            # The phases are as good as random, so the terms add up like their squares.
            while not blocks or 4.0 * np.linalg.norm(blocks[-1]) > tolerance:
                if first > _MOST_TERMS:
                    raise ValueError(
                        f"discount={self.discount!r}: expected a law whose characteristic function dies out; "
                        "this one is too rough for 1e-9"
                    )
                k = np.arange(first, first + size)
                blocks.append(self.characteristic_function(np.pi / half * k, after) / (np.pi * k))
                first, size = first + size, first // 2 + size
            coefficients = np.concatenate(blocks)
            self._known_series[after] = tolerance, half, coefficients
        return half, coefficients

    def _rest(self, x, after, tolerance):
        """Distribution function of the ranks beyond `after`, at distances x from their mean."""
        if isinstance(self.discount, Geometric) and after:
            return self._rest(x / self.discount.ratio**after, 0, tolerance)  # the same law on another scale
        half, coefficients = self._series(after, tolerance)
        k = np.arange(1, len(coefficients) + 1)
        # At the lower end of the window the exponential is (-1)^k and the distribution function 0.
        lower_end = np.where(k % 2, -1.0, 1.0) * coefficients
        x = np.clip(x, -half, half)
        if len(x) < 512:
            waves = np.array([coefficients @ np.exp(-1j * np.pi / half * k * y) for y in x])
        else:
            # So many branches weigh little each: interpolation in a fine table is exact enough for them.
            size = max(1 << 18, 4 << len(k).bit_length())
            table = np.fft.fft(np.concatenate([[0.0], lower_end]), size)
            waves = np.interp(x, np.linspace(-half, half, size + 1), np.append(table, table[0]).imag) * 1j
        return (x + half) / (2.0 * half) + lower_end.sum().imag - waves.imag

    def cdf(self, x):
        """``P(T <= x)`` for a number x, absolute accuracy 1e-9.

        Raises
        ------
        ValueError
            When 1e-9 is out of reach: a geometric ratio near 0.8 or X nearly certain.
        """
        values, probabilities, mean = self._law
        if len(values) == 1:
            return float(x >= (self.mean if self.mean is not None else mean * self._tail(0)))
        positions, weights, decided, rank = np.array([float(x)]), np.ones(1), 0.0, 0
        while rank < self._branched and 0 < len(positions) < _MOST_BRANCHES:
            rank += 1
            positions = np.subtract.outer(positions, values * self.discount(float(rank))).ravel()
            weights = np.multiply.outer(weights, probabilities).ravel()
            low, high = values.min() * self._tail(rank), values.max() * self._tail(rank)
            decided += weights[positions >= high].sum()
            live = (positions > low) & (positions < high) & (weights > _NEGLIGIBLE)
            positions, weights = positions[live], weights[live]
        if not len(positions):
            return float(decided)
        distances = positions - (self.mean if self.mean is not None else mean * self._tail(rank))
        if rank and self._tail(rank) < _ROUNDED * self._tail(0):
            rest = distances >= 0.0
        else:
            rest = self._rest(distances, rank, _LEFT_OUT / weights.sum())
        return float(np.clip(decided + weights @ rest, 0.0, 1.0))


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
        Closed intervals, in ascending order, that hold the law; between them it is never found. For `Power` the
        support itself, as long as gaps end within the first 12 ranks (``beta <= 12`` and two labels). For `Geometric`
        with a Cantor set for its support, the intervals that cover it after 12 ranks.
    """

    discount: object
    values: tuple
    probabilities: tuple

    @property
    def mean(self):
        return float(np.dot(self.values, self.probabilities))

    @cached_property
    def support(self):
        total = discount_sum(self.discount)
        values = [value for value, probability in zip(self.values, self.probabilities) if probability > 0]
        tail = discount_sum(self.discount, 1, 12) / total
        intervals = [(min(values) * tail, max(values) * tail)]
        for rank in range(12, 0, -1):
            step = float(self.discount(float(rank))) / total
            shifted = [(low + value * step, high + value * step) for low, high in intervals for value in values]
            merged = []
            for low, high in sorted(shifted):
                # Touching intervals, up to rounding, are one.
                if merged and low <= merged[-1][1] + 1e-14:
                    merged[-1] = merged[-1][0], max(merged[-1][1], high)
                else:
                    merged.append((low, high))
            intervals = merged
        return tuple(intervals)

    @cached_property
    def _sum(self):
        return DiscountedSum(self.discount, self.values, self.probabilities)

    def cdf(self, x):
        """``P(law <= x)`` for a number or an array, absolute accuracy 1e-9.

        Raises
        ------
        ValueError
            For NaN; when 1e-9 is out of reach: a geometric ratio near 0.8 or nearly certain labels.
        """
        x = np.asarray(x, dtype=float)
        if np.isnan(x).any():
            raise ValueError(f"x={x!r}: expected numbers, found NaN")
        low, high = self.support[0][0], self.support[-1][1]
        total = discount_sum(self.discount)

        def at(point):
            if point < low or point >= high:
                return float(point >= high)
            return self._sum.cdf(point * total)

        values = np.array([at(point) for point in x.ravel().tolist()]).reshape(x.shape)
        return values if values.ndim else float(values)


def limit_law(population, discount):
    """What NDCG tends to in law when the discount is summable: not a number, but a random variable.

    Only the top of the list counts, and its labels are independent with the law of Y at s = 1. With Q(0) the top grade,

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

    >>> from ndcg_companion.measures import Power
    >>> from ndcg_companion.theory import Population
    >>> round(limit_law(Population("constant:0.5"), Geometric(0.5)).cdf(0.3), 12)
    0.3
    >>> [(round(low, 4), round(high, 4)) for low, high in limit_law(Population("constant:0.5"), Power(2.0)).support]
    [(0.0, 0.3921), (0.6079, 1.0)]
    """
    if decay_exponent(discount) <= 1.0:
        raise ValueError(f"discount={discount!r}: expected a summable discount; this one has a limit, not a limit law")
    if population.grades[-1] < 0:
        raise ValueError(f"population: expected grades >= 0, found {population.grades[-1]!r}")
    best = sum(height for height, _ in population.ideal_steps)
    if best == 0:
        raise ValueError("population: expected items with a positive label")
    at_top = [float(np.clip(population.probability_at_depth(grade, 0.0), 0.0, 1.0)) for grade in population.grades]
    return LimitLaw(discount, tuple(grade / best for grade in population.grades), tuple(at_top))
