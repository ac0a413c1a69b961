"""Populations: the distribution of labels at every canonical score of a ranker."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from math import inf, isfinite
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ndcg_companion.checks import check_type, fail_if, is_real, raise_if

from .curves import (
    ROUNDING,
    Band,
    UpsideDown,
    all_breaks,
    as_curve,
    at_depth,
    check_range,
    evaluate,
    grid,
    parse_curve,
)
from .integrals import integrate


@dataclass(frozen=True)
class Population:
    """Distribution of an item's label given its canonical score under one ranker.

    Canonical scores are uniform on [0, 1].

    Parameters
    ----------
    ybar : callable, str or mapping
        For binary labels the relevance curve ``ybar(s) = P(Y = 1 | s)``, a vectorised function of the
        canonical score ``s`` in [0, 1] (1 is the top of the list), or its text, such as ``"power:2"`` (see
        `Curve`). For graded labels, a mapping from grades to curves ``P(Y = grade | s)`` that sum to 1.
        Grades may be any finite numbers, but negative grades violate the hypotheses of theorem 4.
    breaks : sequence of float
        Scores in [0, 1] at which a curve is not smooth. The breaks of named curves are known; passing the
        breaks of other curves saves time.

    Attributes
    ----------
    p : float
        ``P(Y > 0)``, the proportion of relevant items; for binary labels ``P(Y = 1)``.
    grades : tuple of float
        The grades in descending order.
    breaks : tuple of float
        All breaks, in ascending order.

    Raises
    ------
    ValueError
        If a curve leaves [0, 1] or grade curves do not sum to 1 (the message says where), if a break is
        outside [0, 1], or if a grade is not a finite number.

    References
    ----------
    Wang et al. 2013, section 2, definition 2 and theorem 6 (``ybar``), theorem 14 (grades).

    Examples
    --------
    >>> Population("power:2").p.__round__(12)
    0.333333333333
    >>> Population({2: "constant:0.1", 1: "constant:0.3", 0: "constant:0.6"}).grades
    (2, 1, 0)
    """

    ybar: Any
    breaks: tuple = ()

    def __post_init__(self):
        is_graded = isinstance(self.ybar, Mapping)
        curves = self.ybar if is_graded else {1: self.ybar}
        fail_if(not curves, f"ybar={self.ybar!r}: expected at least one grade")
        for grade in curves:
            raise_if(not is_real(grade, isfinite), "grade", grade, "a finite number")
        name_of_curve = {grade: f"ybar[{grade!r}]" if is_graded else "ybar" for grade in curves}
        curves = {grade: as_curve(curve, name_of_curve[grade]) for grade, curve in curves.items()}
        breaks = all_breaks(self.breaks, curves.values())
        for grade, curve in curves.items():
            check_range(curve, name_of_curve[grade], breaks)
        if is_graded:
            s = grid(breaks)
            sums = sum(evaluate(curve, s) for curve in curves.values())
            worst_index = np.argmax(np.abs(sums - 1.0))
            fail_if(
                abs(sums[worst_index] - 1.0) > ROUNDING,
                f"ybar: expected grade curves that sum to 1, got a sum of {sums[worst_index]:.6g} at "
                f"s={s[worst_index]:.6g}",
            )
        object.__setattr__(self, "ybar", curves if is_graded else curves[1])
        object.__setattr__(self, "breaks", breaks)

    @cached_property
    def grades(self) -> tuple[float, ...]:
        return tuple(sorted(self.ybar, reverse=True)) if isinstance(self.ybar, Mapping) else (1, 0)

    def curve(self, grade: float) -> Callable[..., Any]:
        """Return the curve ``P(Y = grade | s)``, a function of the canonical score."""
        if grade not in self.grades:
            raise ValueError(f"grade={grade!r}: expected one of {', '.join(map(repr, self.grades))}")
        if isinstance(self.ybar, Mapping):
            return self.ybar[grade]
        return self.ybar if grade == 1 else lambda s: 1.0 - evaluate(self.ybar, s)

    def probability_at_depth(self, grade: float, u: ArrayLike) -> np.ndarray:
        """Return ``P(Y = grade | depth u)``, without rounding ``1 - u`` if the curve is a named one."""
        if not isinstance(self.ybar, Mapping) and grade == 0:
            return 1.0 - at_depth(self.ybar, u)
        return at_depth(self.curve(grade), u)

    def mean(self, s: ArrayLike) -> Any:
        """Return the mean label ``E[Y | s]``, which for binary labels is the relevance curve."""
        return sum(grade * evaluate(self.curve(grade), s) for grade in self.grades if grade)

    def mean_at_depth(self, u: ArrayLike) -> Any:
        """Return the mean label ``G(u) = E[Y | depth u]``.

        The depth ``u = 1 - s`` is the proportion of items ranked above.
        """
        return sum(grade * self.probability_at_depth(grade, u) for grade in self.grades if grade)

    @cached_property
    def depths(self) -> tuple[float, ...]:
        """Depths between which the curves are smooth, from 0 to 1."""
        return tuple(sorted({0.0, 1.0, *(1.0 - point for point in self.breaks)}))

    @cached_property
    def _proportions(self):
        """The proportion of items with each grade."""
        curves = {grade: partial(self.probability_at_depth, grade) for grade in self.grades}
        return {grade: integrate(curve, self.depths) for grade, curve in curves.items()}

    def share(self, grade: float) -> float:
        """Return ``P(Y = grade)``, the proportion of items with this grade."""
        self.curve(grade)  # rejects an unknown grade
        return self._proportions[grade]

    @cached_property
    def p(self) -> float:
        return sum(self._proportions[grade] for grade in self.grades if grade > 0)

    @cached_property
    def expected_label(self) -> float:
        """The mean label ``E[Y]``."""
        return sum(grade * self._proportions[grade] for grade in self.grades)

    @cached_property
    def ideal_steps(self):
        """Rectangles ``(height, width)`` that add up to the ideal list.

        The label at depth u of the ideal list, ``Q(u)``, is the sum of ``height`` over the rectangles with
        ``width > u``. Each pair of neighbouring grades ``y > y'`` gives a rectangle of height ``y - y'`` and
        width ``P(Y >= y)``; the lowest grade has width 1. Grades with probability 0 and rectangles of height
        0 are omitted.

        >>> [(height, round(width, 12)) for height, width in Population("step:0.75:0:1").ideal_steps]
        [(1, 0.25)]
        """
        occurring_grades = [grade for grade in self.grades if self._proportions[grade] > ROUNDING]
        # P(Y >= y) is the sum of the proportions of y and of all higher grades, which precede it.
        widths = np.cumsum([self._proportions[grade] for grade in occurring_grades]).tolist()
        widths[-1] = 1.0  # all proportions together, without rounding
        # The lowest grade is compared with 0.
        heights = [higher - lower for higher, lower in zip(occurring_grades, occurring_grades[1:] + [0])]
        return tuple((height, width) for height, width in zip(heights, widths) if height)

    def rankings(self) -> dict[str, "Population"]:
        """Return populations of the same items: as given, random, reversed and worst.

        Returns
        -------
        dict of str to Population
            ``"by score"``: this population. ``"random"``: the distribution of grades is the same at every
            score. ``"upside down"``: this ranking reversed. ``"reverse-ideal"``: by ascending label.
            `Sample.rankings` of the simulation has the same keys.

        Examples
        --------
        >>> for name, population in Population("power:2").rankings().items():
        ...     print(f"{name:13} {population.mean([0.0, 0.25, 0.5, 1.0]).round(2)}")
        by score      [0.   0.06 0.25 1.  ]
        random        [0.33 0.33 0.33 0.33]
        upside down   [1.   0.56 0.25 0.  ]
        reverse-ideal [1. 1. 0. 0.]
        """
        # The scores between grades in the order by ascending label, in which the highest grade has the lowest
        # scores. The last band is open above, so that it contains s = 1.
        boundaries = np.cumsum([self.share(grade) for grade in self.grades])[:-1]
        # Despite rounding, a grade with probability 0 must not occur at any score, not even at s = 1.
        boundaries = np.where(
            boundaries < ROUNDING, 0.0, np.where(boundaries > 1.0 - ROUNDING, inf, boundaries)
        ).tolist()
        reverse_ideal_curves = dict(zip(self.grades, map(Band, [0.0, *boundaries], [*boundaries, inf])))
        return {
            "by score": self,
            "random": self._with_curves(lambda grade: parse_curve(f"constant:{self.share(grade)!r}"), ()),
            "upside down": self._with_curves(
                lambda grade: UpsideDown(self.curve(grade)), [1.0 - point for point in self.breaks]
            ),
            "reverse-ideal": self._with_curves(
                reverse_ideal_curves.get, [end for end in boundaries if end < inf]
            ),
        }

    def _with_curves(self, curve_of_grade, breaks):
        """Return a population with the same grades and the curves ``curve_of_grade(grade)``."""
        is_graded = isinstance(self.ybar, Mapping)
        return Population(
            {grade: curve_of_grade(grade) for grade in self.grades} if is_graded else curve_of_grade(1),
            breaks,
        )


def ideal_sum(parts):
    """Return the ideal DCG as the sum of its parts; raise ValueError if they cancel."""
    total = sum(parts)
    fail_if(
        abs(total) <= ROUNDING * sum(map(abs, parts)),
        "population: expected an ideal DCG different from 0; too few items have a positive label",
    )
    return total


def check_population(population):
    """Raise ValueError unless the argument is a `Population`."""
    check_type("population", population, Population, "Population('power:2')")
