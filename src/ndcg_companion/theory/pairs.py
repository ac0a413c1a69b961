"""Pairs of rankers that rank the same items."""

from dataclasses import dataclass
from functools import cached_property
from math import nan
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ndcg_companion.checks import check_choice, check_float, check_length, check_type, fail_if, raise_if

from .curves import ROUNDING, all_breaks, as_curve, at_depth, evaluate, grid
from .populations import Population

COUPLINGS = ("additive", "label-first", "shared-top", "correlated:RHO")


def parse_coupling(coupling: str) -> tuple[str, float]:
    """Return the name and the correlation of a coupling, read from text.

    The correlation is 0 unless the coupling is ``"correlated:RHO"``.

    Raises
    ------
    ValueError
        If the name is unknown (the message suggests the nearest name), or RHO is not strictly between -1 and
        1.

    Examples
    --------
    >>> parse_coupling("correlated:0.8"), parse_coupling("label-first")
    (('correlated', 0.8), ('label-first', 0.0))
    """
    check_length("coupling", coupling)
    is_text = isinstance(coupling, str)  # check_choice below refuses other types
    name, _, number = coupling.partition(":") if is_text else (coupling, "", "")
    if not is_text or name != "correlated":
        return check_choice("coupling", coupling, COUPLINGS), 0.0
    try:
        rho = float(number)
    except ValueError:
        rho = nan
    raise_if(
        not -1.0 < rho < 1.0, "coupling", coupling, "correlated:RHO with -1 < RHO < 1, such as correlated:0.8"
    )
    return name, rho


@dataclass(frozen=True)
class Pair:
    """Two rankers of the same items: relevance curves and the coupling of scores.

    Labels are binary.

    Parameters
    ----------
    ybar0, ybar1 : callable or str
        Relevance curves, as for `Population`. Because the items are the same, both curves must have the same
        ``p = P(Y = 1)``.
    coupling : {"additive", "label-first", "shared-top", "correlated:RHO"}
        Joint distribution of the canonical scores U and V and the label Y.

        * ``"additive"``: U and V are independent and ``P(Y = 1 | u, v) = ybar0(u) + ybar1(v) - p``, which
          must be a probability.
        * ``"label-first"``: U and V are independent given the label; possible for any two curves.
        * ``"shared-top"``: ``V = U`` for the top ``share`` of the items, where the curves must therefore
          agree; below the shared top, U and V are independent given the label.
        * ``"correlated:0.8"``: given the label, U and V are increasing functions of two standard normal
          variables with this correlation, strictly between -1 and 1; possible for any two curves. A
          correlation of 0 is equivalent to ``"label-first"``.
    share : float, optional
        Fraction of the items in the shared top, strictly between 0 and 1; only for ``"shared-top"``.
    breaks : sequence of float
        Scores where a curve is not smooth.

    Raises
    ------
    ValueError
        If `Population` rejects a curve, if the curves have different p, if an additive coupling leaves
        [0, 1], if the coupling is unknown, if ``share`` is missing, superfluous or out of range, or if curves
        differ on the shared top.

    Examples
    --------
    >>> Pair("poly:0.7:-0.4", "poly:0.3:0.4").p.__round__(12)
    0.5
    """

    ybar0: Any
    ybar1: Any
    coupling: str = "additive"
    share: float | None = None
    breaks: tuple = ()

    def __post_init__(self):
        parse_coupling(self.coupling)
        raise_if(
            (self.coupling == "shared-top") != (self.share is not None),
            "share",
            self.share,
            "a number for coupling='shared-top', None for the others",
        )
        if self.share is not None:
            check_float(
                "share", self.share, lambda share: 0.0 < share < 1.0, "a number strictly between 0 and 1"
            )
        share_break = () if self.share is None else (1.0 - self.share,)
        curve0, curve1 = as_curve(self.ybar0, "ybar0"), as_curve(self.ybar1, "ybar1")
        object.__setattr__(self, "ybar0", curve0)
        object.__setattr__(self, "ybar1", curve1)
        object.__setattr__(self, "breaks", all_breaks(self.breaks, (curve0, curve1), share_break))
        p0, p1 = self.population0.p, self.population1.p
        fail_if(
            abs(p0 - p1) > 1e-9,
            f"ybar0, ybar1: expected curves with the same P(Y=1), got {p0:.12g} and {p1:.12g}",
        )
        s = grid(self.breaks)
        values0, values1 = evaluate(curve0, s), evaluate(curve1, s)
        if self.coupling == "additive":
            # The sum is extreme where both curves are.
            for index_of_extreme in (np.argmin, np.argmax):
                i, j = index_of_extreme(values0), index_of_extreme(values1)
                probability = values0[i] + values1[j] - p0
                fail_if(
                    not -ROUNDING <= probability <= 1.0 + ROUNDING,
                    f"coupling='additive': expected ybar0(u) + ybar1(v) - p in [0, 1], got {probability:.6g} "
                    f"at u={s[i]:.6g}, v={s[j]:.6g}; 'label-first' is possible for any two curves",
                )
        if self.coupling == "shared-top":
            # Curves are compared from just above the break on, because 1 - share and their breaks may be
            # rounded differently.
            gap = np.abs(values0 - values1) * (s > 1.0 - self.share + ROUNDING)
            worst_index = np.argmax(gap)
            fail_if(
                gap[worst_index] > ROUNDING,
                f"share={self.share!r}: expected curves that agree on the shared top, "
                f"got a difference of {gap[worst_index]:.6g} at s={s[worst_index]:.6g}",
            )

    @cached_property
    def population0(self) -> Population:
        """Population of the items under the first ranker."""
        return Population(self.ybar0, self.breaks)

    @cached_property
    def population1(self) -> Population:
        """Population of the items under the second ranker."""
        return Population(self.ybar1, self.breaks)

    @property
    def rho(self) -> float:
        """Correlation of the normal variables of a correlated coupling; 0 for other couplings."""
        return parse_coupling(self.coupling)[1]

    @property
    def p(self) -> float:
        """``P(Y = 1)``, the same for both rankers."""
        return self.population0.p

    @cached_property
    def tops(self) -> tuple[float, float]:
        """``g0(0)`` and ``g1(0)``, the limits of relevance at the tops of the two lists."""
        return tops(self)

    @property
    def depths(self) -> tuple[float, ...]:
        """Depths between which both curves are smooth, from 0 to 1."""
        return self.population0.depths

    @cached_property
    def depths_given_label(self) -> tuple[tuple[np.ndarray, np.ndarray, np.ndarray], ...]:
        """Depths, and the proportions of items with label 0 and with label 1 above them.

        The result contains, for each label, an array of depths, and one array of proportions for each ranker.
        Between neighbouring depths, the curves are treated as constant. The depths are closer together at the
        top. The error of the proportions is of the order of the squared steps. A step is 1/4000 in the list
        and 1% of the depth at the top.
        """
        edges = np.unique([*self.depths, *np.geomspace(1e-15, 0.025, 3000), *np.linspace(0.0, 1.0, 4001)])
        middles, widths = (edges[1:] + edges[:-1]) / 2.0, np.diff(edges)
        tables = []
        for label in (0, 1):
            proportions = []
            for ranker in (self.population0, self.population1):
                # The integral of P(Y = label | depth) from the top to each edge, by the midpoint rule,
                # divided by the integral over the whole list.
                panel_masses = np.maximum(ranker.probability_at_depth(label, middles), 0.0) * widths
                mass_above = np.append(0.0, np.cumsum(panel_masses))
                proportions.append(mass_above / max(mass_above[-1], ROUNDING))
            tables.append((edges, *proportions))
        return tuple(tables)

    def depths_between(self, start: float, stop: float) -> list[float]:
        """Return the two given depths and the breaks of the curves between them, in order."""
        return [start, *(depth for depth in self.depths if start < depth < stop), stop]

    def noise_at_depth(self, u: ArrayLike) -> np.ndarray:
        """Return the sum of the two rankers' label variances at depth u.

        The sum is ``g0(u) (1 - g0(u)) + g1(u) (1 - g1(u))``.
        """
        g0, g1 = at_depth(self.ybar0, u), at_depth(self.ybar1, u)
        return g0 * (1.0 - g0) + g1 * (1.0 - g1)

    def gap_at_depth(self, u: ArrayLike) -> np.ndarray:
        """Return ``Delta(u) = ybar0(1 - u) - ybar1(1 - u)``, the difference at depth u."""
        return at_depth(self.ybar0, u) - at_depth(self.ybar1, u)


def tops(pair, depth=0.0):
    """Return ``g0`` and ``g1`` at a depth, by default at the top."""
    means = pair.population0.mean_at_depth(depth), pair.population1.mean_at_depth(depth)
    return tuple(float(np.clip(mean, 0.0, 1.0)) for mean in means)


def refuse_tie(are_tied, pair, k):
    """Raise ValueError for a cut-off within the shared top, that is, if ``are_tied`` is true."""
    raise_if(
        are_tied, "k", k, f"a cut-off below the shared top ({pair.share!r}), within which the rankers tie"
    )


def check_pair(pair):
    """Raise ValueError unless the argument is a `Pair`."""
    check_type("pair", pair, Pair, "Pair('power:1', 'reversed:1')")
