"""Discounts: how much a position counts.

A discount is a function of the rank ``r = 1, 2, ...``. The ones below are small frozen values whose repr can be typed
back; any other callable of an array of ranks will do wherever a discount is expected. A discount that depends on the
length of the list sets ``needs_n = True`` and is called as ``discount(ranks, n)``.

The base of the logarithm cancels in NDCG; DCG itself uses the natural logarithm, as Wang et al. (2013) do.
"""

from dataclasses import dataclass
from difflib import get_close_matches
from math import isfinite

import numpy as np


@dataclass(frozen=True)
class Log:
    """The standard discount ``1 / log(1 + r)`` (Wang et al. 2013, section 2).

    >>> Log()(np.array([1, 2, 3])).round(3)
    array([1.443, 0.91 , 0.721])
    """

    def __call__(self, ranks):
        return 1.0 / np.log1p(ranks)


@dataclass(frozen=True)
class Power:
    """The polynomial discount ``r ** -beta`` with ``beta >= 0`` (Wang et al. 2013, theorem 7).

    >>> Power(0.5)(np.array([1, 4, 16]))
    array([1.  , 0.5 , 0.25])
    """

    beta: float

    def __post_init__(self):
        if not (isfinite(self.beta) and self.beta >= 0):
            raise ValueError(f"beta={self.beta!r}: expected a finite number >= 0")

    def __call__(self, ranks):
        return np.asarray(ranks, dtype=float) ** -self.beta


@dataclass(frozen=True)
class Zipf:
    """The Zipfian discount ``1 / r`` (Wang et al. 2013, theorem 9).

    >>> Zipf()(np.array([1, 2, 4]))
    array([1.  , 0.5 , 0.25])
    """

    def __call__(self, ranks):
        return 1.0 / np.asarray(ranks, dtype=float)


@dataclass(frozen=True)
class Geometric:
    """The geometric discount ``ratio ** r`` with ``0 < ratio < 1`` (Wang et al. 2013, figure 3, has ratio 1/2).

    >>> Geometric(0.5)(np.array([1, 2, 3]))
    array([0.5  , 0.25 , 0.125])
    """

    ratio: float = 0.5

    def __post_init__(self):
        if not 0 < self.ratio < 1:
            raise ValueError(f"ratio={self.ratio!r}: expected a number strictly between 0 and 1")

    def __call__(self, ranks):
        return self.ratio ** np.asarray(ranks, dtype=float)


@dataclass(frozen=True)
class Linear:
    """The linear discount ``n - r``: the number of items below rank r (Jin and Geng, equation 1).

    >>> Linear()(np.array([1, 2, 3]), 3)
    array([2., 1., 0.])
    """

    needs_n = True

    def __call__(self, ranks, n):
        return n - np.asarray(ranks, dtype=float)


_NAMED = {"log": Log, "power": Power, "zipf": Zipf, "geometric": Geometric, "linear": Linear}


def parse_discount(text):
    """Read a discount from text: ``log``, ``power:0.5``, ``zipf``, ``geometric:0.5`` or ``linear``.

    Raises
    ------
    ValueError
        For an unknown name (with the nearest known one), a missing, superfluous or inadmissible parameter.

    >>> parse_discount("power:0.5")
    Power(beta=0.5)
    """
    name, *arguments = str(text).strip().split(":")
    if name not in _NAMED:
        nearest = get_close_matches(name, _NAMED, n=1)
        hint = f"; did you mean {nearest[0]!r}?" if nearest else ""
        raise ValueError(f"discount={text!r}: expected one of {', '.join(_NAMED)}{hint}")
    try:
        return _NAMED[name](*map(float, arguments))
    except TypeError:
        raise ValueError(f"discount={text!r}: expected log, power:BETA, zipf, geometric[:RATIO] or linear") from None
    except ValueError as error:
        raise ValueError(f"discount={text!r}: {error}") from None
