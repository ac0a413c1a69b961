"""Numbers as places on a line of a drawing."""

import numpy as np


class Scale:
    """Numbers on a line of so many pixels, with about five round ticks.

    >>> scale = Scale(0.12, 0.48, 100)
    >>> [round(tick, 10) for tick in scale.ticks], round(scale(0.3))
    ([0.2, 0.3, 0.4], 50)
    """

    def __init__(self, low, high, width, start=0):
        low, high = (low, high) if high > low else (low - 0.5, high + 0.5)
        step = 10.0 ** np.floor(np.log10((high - low) / 3))
        step = next(step * by for by in (1, 2, 5) if (high - low) / (step * by) <= 6)
        self.low, self.high, self.width, self.start = low, high, width, start
        self.digits = max(0, -int(np.floor(np.log10(step))))
        self.ticks = (np.arange(np.ceil(low / step), np.floor(high / step) + 1) * step).tolist()

    def __call__(self, value):
        return round(self.start + (value - self.low) / (self.high - self.low) * self.width, 1)

    def write(self, value):
        return f"{value + 0.0:.{self.digits}f}".replace("-", "−")
