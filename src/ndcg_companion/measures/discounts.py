"""Discounts: the weight of each position.

A discount is a function of the rank ``r = 1, 2, ...``. The classes below are small frozen values whose repr
can be typed back. Wherever a discount is expected, any other callable of an array of ranks is accepted as
well. A discount that depends on the length of the list sets ``needs_n = True`` and is called as
``discount(ranks, n)``.

The classes below also provide the analytic properties that the theory of long lists needs (`KnownDecay`).

The base of the logarithm cancels in NDCG. DCG uses the natural logarithm, as in Wang et al. 2013.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from math import inf
from typing import Any

import numpy as np

from ndcg_companion.checks import check_choice, check_float, check_length, raise_if, value_error

from .decay import GeometricDecay, KnownDecay

Discount = Callable[..., Any]


@dataclass(frozen=True)
class Log(KnownDecay):
    """The standard discount ``1 / log(1 + r)`` (Wang et al. 2013, section 2).

    >>> Log()(np.array([1, 2, 3])).round(3)
    array([1.443, 0.91 , 0.721])
    """

    decay, log_decay = 0.0, 1.0

    def __call__(self, ranks):
        return 1.0 / np.log1p(ranks)


@dataclass(frozen=True)
class Power(KnownDecay):
    """The polynomial discount ``r ** -beta``, beta >= 0 (Wang et al. 2013, theorem 7).

    >>> Power(0.5)(np.array([1, 4, 16]))
    array([1.  , 0.5 , 0.25])
    """

    beta: float

    def __post_init__(self):
        check_float("beta", self.beta, lambda beta: 0 <= beta < inf, "a finite number >= 0")

    @property
    def decay(self):
        return float(self.beta)

    def __call__(self, ranks):
        return np.asarray(ranks, dtype=float) ** -self.beta


@dataclass(frozen=True)
class Zipf(KnownDecay):
    """The Zipfian discount ``1 / r`` (Wang et al. 2013, theorem 9).

    >>> Zipf()(np.array([1, 2, 4]))
    array([1.  , 0.5 , 0.25])
    """

    decay = 1.0

    def __call__(self, ranks):
        return 1.0 / np.asarray(ranks, dtype=float)


@dataclass(frozen=True)
class Geometric(GeometricDecay):
    """The geometric discount ``ratio ** r`` (Wang et al. 2013, figure 3: ratio 1/2).

    >>> Geometric(0.5)(np.array([1, 2, 3]))
    array([0.5  , 0.25 , 0.125])
    """

    ratio: float = 0.5

    def __post_init__(self):
        check_float("ratio", self.ratio, lambda ratio: 0 < ratio < 1, "a number strictly between 0 and 1")

    def __call__(self, ranks):
        return self.ratio ** np.asarray(ranks, dtype=float)


@dataclass(frozen=True)
class Linear(KnownDecay):
    """The linear discount ``n - r`` (Jin and Geng, equation 1).

    The weight of rank r is the number of items below this rank.

    >>> Linear()(np.array([1, 2, 3]), 3)
    array([2., 1., 0.])
    """

    decay, needs_n = 0.0, True

    def __call__(self, ranks, n):
        return n - np.asarray(ranks, dtype=float)

    def weight(self, depth):
        return 1.0 - depth


# The class of each discount, by the description of its text form, which messages show.
_FORMS = {
    "log": Log,
    "power:BETA (>= 0)": Power,
    "zipf": Zipf,
    "geometric[:RATIO] (between 0 and 1)": Geometric,
    "linear": Linear,
}
# The same classes by name, which is what precedes ":" or "[:" in the form.
NAMED = {form.partition(":")[0].rstrip("["): discount for form, discount in _FORMS.items()}


def parse_discount(text: str) -> Discount:
    """Return the discount that a text such as ``log`` or ``power:0.5`` describes.

    The other forms are ``zipf``, ``geometric:0.5`` and ``linear``.

    Raises
    ------
    ValueError
        If the name is unknown (the message suggests the nearest name), or if a parameter is missing,
        superfluous or out of range.

    Examples
    --------
    >>> parse_discount("power:0.5")
    Power(beta=0.5)
    """
    name, *arguments = str(check_length("discount", text)).strip().split(":")
    check_choice("discount", name, NAMED, source=text)
    try:
        return NAMED[name](*map(float, arguments))
    except (TypeError, ValueError):
        *forms, last = _FORMS
        raise value_error("discount", text, f"{', '.join(forms)} or {last}") from None


def check_discount(discount: Any) -> None:
    """Raise ValueError if the argument is not a discount, for instance if it is only the name of one."""
    raise_if(
        not callable(discount) or isinstance(discount, type),
        "discount",
        discount,
        "a callable of ranks, such as Log() or Power(0.5)",
    )


def discount_table(discount, n, m):
    """Return the discount at ranks m to 1 of n, and whether it is >= 0 and non-increasing.

    The caller must have called `check_discount`.

    Raises
    ------
    ValueError
        If the discount does not return m finite numbers.

    Examples
    --------
    >>> discount_table(Linear(), 4, 3)
    (array([1., 2., 3.]), True)
    """
    if isinstance(discount, KnownDecay) and not discount.needs_n and m <= _LARGEST_CACHED:
        # The next power of two, so that few tables are cached; a table ends with rank 1.
        size = 1 << max(m - 1, 0).bit_length()
        return _cached_table(discount, size)[size - m :], True
    if m == 0:
        return np.zeros(0), True
    with np.errstate(all="ignore"):
        table = np.asarray(at_ranks(discount, np.arange(1.0, m + 1), n))
    raise_if(
        table.shape != (m,) or table.dtype.kind not in "biuf",
        "discount",
        discount,
        f"{m} numbers for {m} ranks, got {table.dtype} {table.shape}",
    )
    table = np.ascontiguousarray(table[::-1], dtype=float)
    if not np.isfinite(table).all():
        # The table ends with rank 1, so the last value that is not finite has the best rank.
        rank = m - int(np.flatnonzero(~np.isfinite(table))[-1])
        raise value_error("discount", discount, f"finite values, got {table[-rank]} at rank {rank}")
    return table, bool((table[1:] >= table[:-1]).all() and table[0] >= 0)


def depends_on_n(discount: Discount) -> bool:
    """Return whether the discount depends on the length of the list."""
    return bool(getattr(discount, "needs_n", False))


def at_ranks(discount: Discount, ranks: Any, n: Any) -> Any:
    """Return the discount at the given ranks of a list of n items, whether or not the discount needs n."""
    try:
        return discount(ranks, n) if depends_on_n(discount) else discount(ranks)
    except Exception as error:
        raise value_error("discount", discount, f"a function of an array of ranks ({error})") from error


_LARGEST_CACHED = 2**20  # the most ranks of a table that is kept, which then takes 8 MB


@lru_cache(maxsize=8)
def _cached_table(discount, size):
    """Return the discount at ranks ``size`` to 1 (cached, because a known discount is immutable)."""
    table = discount(np.arange(float(size), 0.0, -1.0))
    table.flags.writeable = False
    return table
