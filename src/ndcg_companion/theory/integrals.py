"""Numerical integration of functions that are smooth, except at a few points."""

import numpy as np
from numpy.polynomial import legendre

from ndcg_companion.checks import fail_if

# Gauss's rule on [-1, 1], which all modules use for functions that are smooth on panels.
NODES, WEIGHTS = legendre.leggauss(16)
# These matrices map values at the nodes to the interpolating polynomial and to its values next to both ends.
TO_COEFFICIENTS = np.linalg.inv(legendre.legvander(NODES, 15))
_BESIDE_ENDS = np.array([-1.0, 1.0]) * (1.0 - 1e-10)
_TO_ENDS = legendre.legvander(_BESIDE_ENDS, 15) @ TO_COEFFICIENTS
# Functions are probabilities or are scaled to order one, so smaller differences are rounding errors.
_NOISE = 1e-16
_DEEPEST = 64
_MOST_PANELS = 1 << 13


def _panels(function, left, right):
    """Return Gauss integrals over panels, and the error that a jump near the end of a panel may hide."""
    middle, half = (left + right) / 2.0, (right - left) / 2.0
    points = middle[:, None] + half[:, None] * np.concatenate([NODES, _BESIDE_ENDS])
    values = np.broadcast_to(function(points.ravel()), points.size).reshape(points.shape)
    inside, at_ends = values[:, :-2], values[:, -2:]
    hidden = np.abs(inside @ _TO_ENDS.T - at_ends).sum(axis=1) * (1.0 + NODES[0])
    return inside @ WEIGHTS * half, hidden * half


def integrate(function, points, tolerance=1e-14):
    """Return the integral of a bounded function of order one over the range of ``points``.

    Panels between the points are halved until a 16-point Gauss rule gives the same result on a panel and on
    its halves. Halving converges geometrically to a jump or branch point that is not among the points, so
    listing such points saves time but does not change the accuracy.

    Parameters
    ----------
    function : callable
        Function of a one-dimensional array that returns values of the same shape.
    points : array_like
        The ends of the interval and the points at which the function is not smooth, in any order.
    tolerance : float
        Tolerance per panel, relative to the integral of the absolute value; at least 1e-16 absolute.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If the function is too rough for the halving to converge.

    Examples
    --------
    >>> round(integrate(np.sqrt, [0, 1]), 12)
    0.666666666667
    """
    edges = np.unique(np.asarray(points, dtype=float))
    left, right = edges[:-1], edges[1:]
    coarse, _ = _panels(function, left, right)
    total = magnitude = 0.0
    for _ in range(_DEEPEST):
        middle = (left + right) / 2.0
        halves, hidden = _panels(function, np.concatenate([left, middle]), np.concatenate([middle, right]))
        halves, hidden = halves.reshape(2, -1), hidden.reshape(2, -1).sum(axis=0)
        fine = halves.sum(axis=0)
        rough = np.abs(fine - coarse) + hidden > tolerance * (magnitude + np.abs(fine).sum()) + _NOISE
        total += fine[~rough].sum()
        magnitude += np.abs(fine[~rough]).sum()
        if not rough.any():
            return float(total)
        fail_if(
            rough.sum() > _MOST_PANELS,
            "integrate: expected a function that is smooth except at a few points",
        )
        left, right = (
            np.concatenate([left[rough], middle[rough]]),
            np.concatenate([middle[rough], right[rough]]),
        )
        coarse = halves[:, rough].ravel()
    # The omitted panels are 2**-64 as wide as the first ones and surround jumps of a bounded function.
    return float(total)
