"""Pairs of rankers with relevance around 1/2 that several chapters use."""

import numpy as np

from ndcg_companion.theory import Pair


def around_half(half, coupling="additive"):
    """Return the pair with curves 1/2 + w and 1/2 - w, w a parabola in the depth."""
    curves = ([0.5, 0.0, 0.0] + sign * np.array(half) for sign in (1, -1))
    return Pair(*("poly:" + ":".join(map(repr, curve.tolist())) for curve in curves), coupling)


def widest(parabola, coupling="additive"):
    """Return `around_half` of a parabola scaled to the largest additive range, 1/2."""
    values = np.polynomial.polynomial.polyval(np.linspace(0, 1, 1001), parabola)
    return around_half(0.499 * parabola / np.ptp(values), coupling)


def tied_at(b, coupling="additive"):
    """Return a pair whose limits tie under ``r**-b``.

    Delta, the gap of the two curves, is a scaled parabola ``1 + c u + d u**2`` for which the integrals of
    ``Delta(u) u**-b`` and ``Delta(u)`` are 0, because the proportion of relevant items is the same for both
    rankers. For b = 0, where all limits tie, ``integral Delta(u) log(1/u) du = 0``, which is the limit for
    small b.
    """
    return widest(np.array([1.0, -4 * (2 - b) / (1 - b), 3 * (3 - b) / (1 - b)]), coupling)
