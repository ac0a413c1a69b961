"""Pairs of rankers that are used in several chapters and have relevance around 1/2."""

import numpy as np

from ndcg_companion.theory import Pair


def around_half(half, coupling="additive"):
    """Return the pair with curves 1/2 + w and 1/2 - w, where w is a parabola in the depth."""
    curves = ([0.5, 0.0, 0.0] + sign * np.array(half) for sign in (1, -1))
    return Pair(*("poly:" + ":".join(map(repr, curve.tolist())) for curve in curves), coupling)


def widest(parabola, coupling="additive"):
    """Return `around_half` of a parabola scaled to a range of almost 1/2, the largest additive range."""
    values = np.polynomial.polynomial.polyval(np.linspace(0, 1, 1001), parabola)
    # 0.499 instead of 1/2, because extremes may lie between the points of the grid.
    return around_half(0.499 * parabola / np.ptp(values), coupling)


def tied_at(b, coupling="additive"):
    """Return a pair whose limits tie under ``r**-b``.

    Delta, the gap of the two curves, is a scaled parabola ``1 + c u + d u**2``. The integral of
    ``Delta(u) u**-b`` is 0, so the limits tie. The integral of ``Delta(u)`` is 0, because the proportion of
    relevant items is the same for both rankers. For b = 0 all limits tie, and the first condition becomes its
    limit for small b, ``integral Delta(u) log(1/u) du = 0``.
    """
    # The integrals are 0 if 1/(1 - b) + c/(2 - b) + d/(3 - b) = 0 and 1 + c/2 + d/3 = 0.
    c, d = -4 * (2 - b) / (1 - b), 3 * (3 - b) / (1 - b)
    return widest(np.array([1.0, c, d]), coupling)
