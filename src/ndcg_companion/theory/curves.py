"""Relevance curves: the probability that an item is relevant, given its canonical score.

A curve is a function of the canonical score ``s`` in [0, 1] (1 at the top of the list). The depth
``u = 1 - s`` is the proportion of items ranked above. Near the top, ``1 - s`` loses digits, so the curves of
the named families can also be evaluated at the depth itself.
"""

from dataclasses import dataclass, field
from math import inf, isfinite, isnan
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ndcg_companion.checks import check_choice, check_fits, check_length, raise_if
from ndcg_companion.text import escaped

# Tolerance for rounding in a curve that should be within [0, 1], or in curves that should sum to 1.
ROUNDING = 1e-12


def _power_holder(exponent):
    """Return the Hölder exponent of ``s ** exponent`` on [0, 1], as in `Curve.holder`."""
    return inf if exponent == 0 else min(exponent, 1.0)


def _polynomial(u, coefficients):
    """Return the sum of coefficients times u**0, u**1, ..., computed in place in one array."""
    # Horner's rule: c0 + c1 u + c2 u**2 = c0 + u (c1 + u c2).
    value = np.full(np.shape(u), coefficients[-1])
    for coefficient in coefficients[-2::-1]:
        value *= u
        value += coefficient
    return value


# The default parameters, used if a text such as "cosine" has only the name of the family.
_DEFAULT_PARAMETERS = {
    "constant": (0.3,),
    "power": (2.0,),
    "reversed": (2.0,),
    "step": (0.7, 0.2, 0.8),
    "cosine": (0.5, 0.3),
    "poly": (0.5, -0.2),
}

# For each name: the formula in the score s, the depth u and the parameters; the names of the parameters; and
# the Hölder exponent as a function of the parameters.
_FAMILIES: dict[str, tuple[Any, tuple[str, ...], Any]] = {
    "constant": (lambda s, u, level: np.full(np.shape(s), level), ("LEVEL",), lambda level: inf),
    "power": (lambda s, u, exponent: s**exponent, ("EXPONENT",), _power_holder),
    "reversed": (lambda s, u, exponent: u**exponent, ("EXPONENT",), _power_holder),
    "step": (
        lambda s, u, position, below, above: np.where(s < position, below, above),
        ("BREAK", "BELOW", "ABOVE"),
        lambda position, below, above: inf if below == above else 0.0,
    ),
    "cosine": (
        lambda s, u, mean, amplitude: mean + amplitude * np.cos(np.pi * u),
        ("MEAN", "AMPLITUDE"),
        lambda mean, amplitude: inf if amplitude == 0 else 1.0,
    ),
    "poly": (
        lambda s, u, *coefficients: _polynomial(u, coefficients),
        ("C0", "C1..."),
        lambda *coefficients: 1.0 if any(coefficients[1:]) else inf,
    ),
}


@dataclass(frozen=True)
class Curve:
    """A relevance curve of a named family, read from text.

    ===================  ======================================  ====================================
    text                 curve                                   example
    ===================  ======================================  ====================================
    ``constant:LEVEL``   ``LEVEL``                               ``constant:0.3``
    ``power:A``          ``s ** A``                              ``power:2``
    ``reversed:A``       ``(1 - s) ** A``                        ``reversed:2``
    ``step:B:LOW:HIGH``  ``LOW`` for ``s < B``, else ``HIGH``    ``step:0.7:0.2:0.8``
    ``cosine:M:A``       ``M + A * cos(pi * (1 - s))``           ``cosine:0.5:0.3`` (best at the top)
    ``poly:C0:C1:...``   ``C0 + C1 * u + ...``, ``u = 1 - s``    ``poly:0.5:-0.2``
    ===================  ======================================  ====================================

    A name without parameters stands for the example in the last column.

    Attributes
    ----------
    text : str
        Name and parameters, in the form that `parse_curve` reads.
    breaks : tuple of float
        Scores at which the curve is not smooth.
    holder : float
        The largest exponent ``alpha <= 1`` for which the curve is Hölder continuous on [0, 1]. The exponent
        is 0 for a curve with a jump. It is infinity for a constant curve, which satisfies the condition with
        every exponent.

    Raises
    ------
    ValueError
        If the name is unknown (the message suggests the nearest name), if the number of parameters is wrong,
        if a parameter is not a finite number, or if the curve leaves [0, 1].

    Examples
    --------
    >>> Curve("cosine")
    Curve(text='cosine:0.5:0.3')
    >>> Curve("step:0.7:0.2:0.8")(np.array([0.0, 0.7, 1.0]))
    array([0.2, 0.8, 0.8])
    """

    text: str
    name: str = field(init=False, repr=False, compare=False)
    parameters: tuple = field(init=False, repr=False, compare=False)

    def __post_init__(self):
        name, *numbers = (part.strip() for part in str(check_length("curve", self.text)).split(":"))
        check_choice("curve", name, _FAMILIES, source=self.text)
        _, parameter_names, _ = _FAMILIES[name]
        form = ":".join((name, *parameter_names))
        # The last name of "poly" stands for any number of parameters; no numbers stand for the default ones.
        count_is_right = parameter_names[-1].endswith("...") or len(numbers) in (0, len(parameter_names))
        try:
            parameters = tuple(float(number) for number in numbers or _DEFAULT_PARAMETERS[name])
        except ValueError:
            parameters = (inf,)  # fails the next check
        raise_if(
            not (count_is_right and all(isfinite(parameter) for parameter in parameters)),
            "curve",
            self.text,
            f"{form} with finite numbers",
        )
        exponent_or_break = parameters[0]  # of the two kinds of families below
        raise_if(
            name in ("power", "reversed") and exponent_or_break < 0, "curve", self.text, "an exponent >= 0"
        )
        raise_if(
            name == "step" and not 0 < exponent_or_break < 1,
            "curve",
            self.text,
            "a break strictly between 0 and 1",
        )
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "parameters", parameters)
        number_texts = [repr(parameter).removesuffix(".0") for parameter in parameters]
        object.__setattr__(self, "text", ":".join((name, *number_texts)))
        check_range(self, f"curve={self.text!r}", self.breaks)

    def __str__(self):
        return self.text

    def __call__(self, s: ArrayLike) -> np.ndarray:
        s = np.asarray(s, dtype=float)
        formula, _, _ = _FAMILIES[self.name]
        return formula(s, 1.0 - s, *self.parameters)

    def at_depth(self, u: ArrayLike) -> np.ndarray:
        """Return the values at the depths ``u = 1 - s``, without rounding ``1 - u``."""
        u = np.asarray(u, dtype=float)
        formula, _, _ = _FAMILIES[self.name]
        return formula(1.0 - u, u, *self.parameters)

    @property
    def breaks(self) -> tuple[float, ...]:
        if self.name != "step":
            return ()
        position, _, _ = self.parameters
        return (position,)

    @property
    def holder(self) -> float:
        _, _, holder_exponent = _FAMILIES[self.name]
        return float(holder_exponent(*self.parameters))


def parse_curve(text: str) -> Curve:
    """Return the relevance curve that a text describes; see `Curve` for the forms.

    Raises
    ------
    ValueError
        If the name is unknown (the message suggests the nearest name), or if a parameter is out of range.

    Examples
    --------
    >>> parse_curve("power:2.0")
    Curve(text='power:2')
    >>> parse_curve("powr:2")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    ValueError: curve='powr:2': expected one of constant, power, reversed, ...; did you mean 'power'?
    """
    return Curve(text)


def as_curve(curve, name):
    """Return a curve given as text or as a function; a function is returned unchanged."""
    if isinstance(curve, str):
        return Curve(curve)
    raise_if(not callable(curve), name, curve, "a function of the canonical score, or text such as 'power:2'")
    return curve


def evaluate(curve, s):
    """Return the values of a curve at the scores ``s``, in the shape of ``s``; a constant is repeated."""
    s = np.asarray(s, dtype=float)
    return np.broadcast_to(np.asarray(curve(s), dtype=float), s.shape)


def at_depth(curve, u):
    """Return the values of a curve at the depths ``u``; a plain function is evaluated at 1 - u."""
    if isinstance(curve, (Curve, UpsideDown)):
        return curve.at_depth(u)
    return evaluate(curve, 1.0 - np.asarray(u, dtype=float))


@dataclass(frozen=True)
class UpsideDown:
    """Reversal of a curve; its value at score s is the value of the curve at depth s.

    >>> UpsideDown(Curve("power:2"))([0.0, 0.75, 1.0])
    array([1.    , 0.0625, 0.    ])
    """

    curve: Any

    def __call__(self, s):
        return at_depth(self.curve, s)

    def at_depth(self, u):
        return evaluate(self.curve, u)


@dataclass(frozen=True)
class Band:
    """Indicator curve of an interval: 1 for ``low <= s < high``, and 0 elsewhere.

    >>> Band(0.25, 0.5)([0.0, 0.25, 0.5])
    array([0., 1., 0.])
    """

    low: float
    high: float

    def __call__(self, s):
        s = np.asarray(s, dtype=float)
        return np.where((self.low <= s) & (s < self.high), 1.0, 0.0)


def grid(breaks=()):
    """Return the scores at which curves are checked: a fine grid, all breaks, and both sides of each."""
    breaks = np.asarray(breaks, dtype=float)
    both_sides = np.concatenate([np.nextafter(breaks, 0.0), breaks, np.nextafter(breaks, 1.0)])
    return np.unique(np.concatenate([np.linspace(0.0, 1.0, 4097), both_sides]))


def check_range(curve, name, breaks=()):
    """Raise ValueError if a curve is not vectorised or leaves [0, 1] on the `grid`."""
    s = grid(breaks)
    try:
        values = evaluate(curve, s)
    except Exception as error:
        raise ValueError(
            f"{name}: expected a function of an array of canonical scores ({escaped(error)})"
        ) from error
    is_outside = ~((values >= -ROUNDING) & (values <= 1.0 + ROUNDING))
    if is_outside.any():
        # NaN counts as the worst value; otherwise it is the one that is farthest outside.
        worst_index = np.argmax(np.where(np.isnan(values), inf, np.abs(values - 0.5)))
        value = "NaN" if isnan(values[worst_index]) else f"{values[worst_index]:.6g}"
        raise ValueError(f"{name}: expected values in [0, 1], got {value} at s={s[worst_index]:.6g}")


def all_breaks(breaks, curves=(), further_breaks=()):
    """Return all breaks, including those of curves, in order; raise ValueError if one is outside [0, 1]."""
    if isinstance(breaks, np.ndarray):
        check_fits("breaks", breaks)
    curve_breaks = (point for curve in curves for point in getattr(curve, "breaks", ()))
    try:
        all_points = tuple(sorted({float(point) for point in (*breaks, *curve_breaks, *further_breaks)}))
    except (TypeError, ValueError):
        all_points = (inf,)  # fails the next check
    raise_if(not all(0.0 <= point <= 1.0 for point in all_points), "breaks", breaks, "scores in [0, 1]")
    return all_points
