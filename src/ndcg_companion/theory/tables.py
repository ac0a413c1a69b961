"""Distribution functions tabulated from their Fourier series, with error estimates."""

from dataclasses import dataclass

import numpy as np
from scipy.fft import irfft
from scipy.ndimage import maximum_filter1d

# The error of a table that remains for any number of terms, and the largest number of points.
_FLOOR, _MOST_POINTS = 2e-12, 1 << 22


@dataclass(frozen=True)
class Table:
    """Distribution function on an even grid from ``low``, with slopes per step and errors.

    ``table(x)`` returns the values at an array x, by cubic interpolation, the errors at x, and the index of
    the wave that contains x. A wave is one period of the last term of the series. Its length is ``wave`` grid
    steps.
    """

    low: float
    step: float
    values: np.ndarray
    slopes: np.ndarray
    errors: np.ndarray
    wave: int

    def __call__(self, x):
        position = np.clip((x - self.low) / self.step, 0.0, len(self.values) - 1.0)
        index = np.minimum(position.astype(int), len(self.values) - 2)
        fraction = position - index
        complement = 1.0 - fraction
        # Cubic Hermite interpolation between neighbouring values F0, F1 with slopes S0, S1 per step, at the
        # fraction f of the step and with c = 1 - f:
        # F = f**2 ((3 - 2 f) F1 - c S1) + c**2 ((3 - 2 c) F0 + f S0).
        values = fraction**2 * (
            (3.0 - 2.0 * fraction) * self.values[index + 1] - complement * self.slopes[index + 1]
        )
        values += complement**2 * (
            (3.0 - 2.0 * complement) * self.values[index] + fraction * self.slopes[index]
        )
        is_below, is_above = x < self.low, x > self.low + self.step * (len(self.values) - 1)
        values[is_below], values[is_above] = 0.0, 1.0
        return values, np.where(is_below | is_above, _FLOOR, self.errors[index]), index // self.wave


def fourier_table(phi, last, low, high, centre):
    """Return a table of a distribution function, computed from its characteristic function.

    The terms of the series are damped smoothly towards the last term. The truncation error is noticeable only
    where the distribution function is rough. The error is estimated by comparing the sum of an eighth of the
    terms with the sum of all terms. The estimate is the largest difference within two waves.

    Parameters
    ----------
    phi : array of shape (terms,)
        ``E exp(i t (T - centre))`` at ``t = 2 pi k / (high - low)``, k = 1, 2, ...
    last : int
        Index at which the damping ends. The index ``last`` is larger than the number of terms if all further
        terms are negligible.
    low, high : float
        Ends of an interval that contains T (almost) surely.
    centre : float
        ``E T``.

    Examples
    --------
    >>> k = np.arange(1, 65)
    >>> normal = fourier_table(np.exp(-((np.pi * k / 9) ** 2) / 2), 1024, -9.0, 9.0, 0.0)
    >>> normal(np.array([-1.0, 0.0]))[0].round(9)
    array([0.15865525, 0.5       ])
    """
    # With P = high - low and t_k = 2 pi k / P, the waves are the periodic part of the distribution function:
    #   F(x) = (x - low) / P - (E T - low) / P + 1/2 - waves(x),
    #   waves(x) = Re sum over k >= 1 of (i / (pi k)) conj(E exp(i t_k (T - low))) exp(i t_k (x - low)).
    k = np.arange(1.0, len(phi) + 1.0)
    phase = np.exp(2j * np.pi * k * ((centre - low) / (high - low)))
    series = 1j * np.conj(phi * phase) / (np.pi * k)
    points = min(max(1 << 15, 4 * last), _MOST_POINTS)

    def sum_of_waves(spectrum):
        """Return Re sum over k of spectrum[k] exp(2 pi i k j / points) for j = 0, 1, ..., points."""
        # irfft returns (2 / points) times this sum.
        period = irfft(np.append(0.0, spectrum), points) * (points / 2.0)
        return np.append(period, period[0])

    # exp(-36) is 2e-16: damping removes the last term, strong_damping all terms beyond an eighth of them.
    damping, strong_damping = np.exp(-36.0 * (k / last) ** 8), np.exp(-36.0 * (8 * k / last) ** 8)
    values = (
        np.arange(points + 1) / points + (high - centre) / (high - low) - 0.5 - sum_of_waves(series * damping)
    )
    # A step of the grid changes the exponent of wave k by 2 pi i k / points.
    slopes = 1.0 / points - sum_of_waves(series * damping * 2j * np.pi * k) / points
    changes = np.abs(sum_of_waves(series * (damping - strong_damping)))
    # A wave of the last term is points / last steps long, so this window reaches two waves in each direction.
    errors = maximum_filter1d(changes, 4 * points // last + 1, mode="wrap")
    return Table(low, (high - low) / points, values, slopes, errors + _FLOOR, max(1, points // last))


def total_error(errors, waves):
    """Return the smaller of three standard deviations and the sum of all errors.

    The result estimates the error of a sum of terms. Errors within one wave of the table are assumed to have
    the same sign, and errors of different waves to have random signs.
    """
    if not len(errors):
        return 0.0
    wave_errors = np.bincount(waves, errors)  # the sum of the errors in each wave
    return min(errors.sum(), 3.0 * np.sqrt(np.sum(wave_errors**2)))


def smallest_errors(errors, budget):
    """Return a mask of the smallest errors, as many as keep three standard deviations within ``budget``."""
    # Errors e_i with random signs have a sum with three standard deviations 3 sqrt(sum of e_i**2).
    order = np.argsort(errors)
    count = np.searchsorted(np.cumsum(errors[order] ** 2), (budget / 3.0) ** 2)
    is_chosen = np.zeros(len(errors), dtype=bool)
    is_chosen[order[:count]] = True
    return is_chosen
