"""Distribution functions tabulated from their Fourier series, with the errors to reckon with."""

from dataclasses import dataclass

import numpy as np
from scipy.fft import irfft
from scipy.ndimage import maximum_filter1d

# What a table may be wrong by whatever the number of its terms, and the most points that it may have.
_FLOOR, _MOST_POINTS = 2e-12, 1 << 22


@dataclass(frozen=True)
class Table:
    """A distribution function on an even grid from `low`: values, slopes per step, and errors.

    ``table(x)`` gives the values at an array x (by cubics through values and slopes), the errors there, and
    the number of the wave that x lies on, where a wave is the shortest of the series, `wave` grid steps long.
    """

    low: float
    step: float
    values: np.ndarray
    slopes: np.ndarray
    errors: np.ndarray
    wave: int

    def __call__(self, x):
        right = np.clip((x - self.low) / self.step, 0.0, len(self.values) - 1.0)
        i = np.minimum(right.astype(int), len(self.values) - 2)
        right -= i
        left = 1.0 - right
        values = right**2 * ((3.0 - 2.0 * right) * self.values[i + 1] - left * self.slopes[i + 1])
        values += left**2 * ((3.0 - 2.0 * left) * self.values[i] + right * self.slopes[i])
        below, above = x < self.low, x > self.low + self.step * (len(self.values) - 1)
        values[below], values[above] = 0.0, 1.0
        return values, np.where(below | above, _FLOOR, self.errors[i]), i // self.wave


def fourier_table(phi, last, low, high, centre):
    """The table of a law on [low, high] from its characteristic function.

    The terms are damped smoothly towards the last one. What the cut leaves out is felt only near where the
    law is rough, and there the change from an eighth of the terms to all of them tells how much, at the worst
    within two waves.

    Parameters
    ----------
    phi : array of shape (terms,)
        ``E exp(i t (T - centre))`` at ``t = 2 pi k / (high - low)``, k = 1, 2, ...
    last : int
        Where the damping ends; more than the number of terms if what follows them is nothing.
    low, high : float
        An interval that T (almost) never leaves.
    centre : float
        ``E T``.

    Examples
    --------
    >>> k = np.arange(1, 65)
    >>> normal = fourier_table(np.exp(-((np.pi * k / 9) ** 2) / 2), 1024, -9.0, 9.0, 0.0)
    >>> normal(np.array([-1.0, 0.0]))[0].round(9)
    array([0.15865525, 0.5       ])
    """
    k = np.arange(1.0, len(phi) + 1.0)
    turn = np.exp(2j * np.pi * k * ((centre - low) / (high - low)))
    series = 1j * np.conj(phi * turn) / (np.pi * k)
    size = min(max(1 << 15, 4 * last), _MOST_POINTS)

    def waves(spectrum):
        around = irfft(np.append(0.0, spectrum), size) * (size / 2.0)
        return np.append(around, around[0])

    damping, stronger = (np.exp(-36.0 * (share * k / last) ** 8) for share in (1, 8))
    values = np.arange(size + 1) / size + (high - centre) / (high - low) - 0.5 - waves(series * damping)
    slopes = 1.0 / size - waves(series * damping * 2j * np.pi * k) / size
    errors = maximum_filter1d(np.abs(waves(series * (damping - stronger))), 4 * size // last + 1, mode="wrap")
    return Table(low, (high - low) / size, values, slopes, errors + _FLOOR, max(1, size // last))


def total_error(errors, waves):
    """How far off the sum of terms with these errors may be: three standard deviations, at most all together.

    Errors within a wave of the table have one sign and add up; those of different waves are as if random.
    """
    return min(errors.sum(), 3.0 * np.sqrt(np.sum(np.bincount(waves, errors) ** 2))) if len(errors) else 0.0


def smallest_errors(errors, budget):
    """Mask of as many of the smallest errors as three standard deviations of their sum fit the budget."""
    order = np.argsort(errors)
    chosen = np.zeros(len(errors), dtype=bool)
    chosen[order[: np.searchsorted(np.cumsum(errors[order] ** 2), (budget / 3.0) ** 2)]] = True
    return chosen
