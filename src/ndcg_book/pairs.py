"""Pairs of rankers around relevance 1/2 that several chapters are about."""

import numpy as np

from ndcg_companion.theory import Pair


def around_half(half, coupling="additive"):
    """The curves 1/2 + w and 1/2 - w, where w is the parabola in the depth with these three coefficients."""
    curves = ([0.5, 0.0, 0.0] + sign * np.array(half) for sign in (1, -1))
    return Pair(*("poly:" + ":".join(map(repr, curve.tolist())) for curve in curves), coupling)


def widest(parabola, coupling="additive"):
    """`around_half` of a parabola stretched to the range 1/2, the most that an additive coupling admits."""
    values = np.polynomial.polynomial.polyval(np.linspace(0, 1, 1001), parabola)
    return around_half(0.499 * parabola / np.ptp(values), coupling)


def tied_at(b, coupling="additive"):
    """A pair with ``integral Delta(u) u**-b du = 0``: limits that tie under ``r**-b``.

    Delta is the gap of the two curves: the parabola ``1 + c u + d u**2``, stretched, for which this integral
    and ``integral Delta(u) du`` are 0, as both rankers find the same share of items relevant. For b = 0,
    where all limits tie, ``integral Delta(u) log(1/u) du = 0``, the limit of small b.
    """
    return widest(np.array([1.0, -4 * (2 - b) / (1 - b), 3 * (3 - b) / (1 - b)]), coupling)
