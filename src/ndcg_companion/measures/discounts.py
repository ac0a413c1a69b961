"""Discounts: how much a position counts.

A discount is a function of the rank ``r = 1, 2, ...``. The ones below are small frozen values whose repr can be typed
back; any other callable of an array of ranks will do wherever a discount is expected. A discount that depends on the
length of the list sets ``needs_n = True`` and is called as ``discount(ranks, n)``.

The base of the logarithm cancels in NDCG; DCG itself uses the natural logarithm, as Wang et al. (2013) do.
"""

from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
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

    Examples
    --------
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
        raise ValueError(
            f"discount={text!r}: expected log, power:BETA, zipf, geometric[:RATIO] or linear"
        ) from None
    except ValueError as error:
        raise ValueError(f"discount={text!r}: {error}") from None


def discount_table(discount, n, m):
    """The discount at ranks m to 1 of n, and whether it is non-negative and never less for a better rank.

    Raises
    ------
    ValueError
        For anything but a callable that gives m finite numbers.

    Examples
    --------
    >>> discount_table(Linear(), 4, 3)
    (array([1., 2., 3.]), True)
    """
    if not callable(discount) or isinstance(discount, type):
        raise ValueError(f"discount={discount!r}: expected a callable of ranks, such as Log() or Power(0.5)")
    if type(discount) in (Log, Power, Zipf, Geometric) and m <= _LARGEST_KEPT:
        size = 1 << max(m - 1, 0).bit_length()
        return _kept(discount, size)[size - m :], True
    if m == 0:
        return np.zeros(0), True
    ranks = np.arange(1.0, m + 1)
    with np.errstate(all="ignore"):
        table = np.asarray(discount(ranks, n) if getattr(discount, "needs_n", False) else discount(ranks))
    if table.shape != (m,) or table.dtype.kind not in "biuf":
        raise ValueError(
            f"discount={discount!r}: expected {m} numbers for {m} ranks, got {table.dtype} {table.shape}"
        )
    table = np.ascontiguousarray(table[::-1], dtype=float)
    if not np.isfinite(table).all():
        rank = m - int(np.flatnonzero(~np.isfinite(table))[-1])
        raise ValueError(f"discount={discount!r}: expected finite values, got {table[-rank]} at rank {rank}")
    return table, bool((table[1:] >= table[:-1]).all() and table[0] >= 0)


_LARGEST_KEPT = 2**20


@lru_cache(maxsize=8)
def _kept(discount, size):
    """Ranks size to 1 of a named discount, whose values cannot change from call to call."""
    table = discount(np.arange(float(size), 0.0, -1.0))
    table.flags.writeable = False
    return table
