"""Numerical integration of functions that are smooth, except at a few points."""

import numpy as np
from numpy.polynomial import legendre

from ndcg_companion.checks import fail_if

# Gauss's rule on [-1, 1], which all modules use for functions that are smooth on panels.
NODES, WEIGHTS = legendre.leggauss(16)
# These matrices map values at the nodes to the interpolating polynomial and to its values next to both ends.
TO_COEFFICIENTS = np.linalg.inv(legendre.legvander(NODES, 15))
_NEAR_ENDS = np.array([-1.0, 1.0]) * (1.0 - 1e-10)
_TO_ENDS = legendre.legvander(_NEAR_ENDS, 15) @ TO_COEFFICIENTS
# Functions are probabilities or are scaled to order one, so smaller differences are rounding errors.
_ROUNDING_ERROR = 1e-16
_MOST_HALVINGS = 64
_MOST_PANELS = 1 << 13


def _panel_integrals(function, left, right):
    """Return Gauss integrals over panels, and the error that a jump near a panel's end may cause."""
    middle, half_width = (left + right) / 2.0, (right - left) / 2.0
    points = middle[:, None] + half_width[:, None] * np.concatenate([NODES, _NEAR_ENDS])
    values = np.broadcast_to(function(points.ravel()), points.size).reshape(points.shape)
    at_nodes, at_ends = values[:, :-2], values[:, -2:]
    # A jump between an end and the nearest node, 1 + NODES[0] away, shows only in the value next to the end,
    # which then differs from the value that the interpolating polynomial has there.
    hidden_error = np.abs(at_nodes @ _TO_ENDS.T - at_ends).sum(axis=1) * (1.0 + NODES[0])
    return at_nodes @ WEIGHTS * half_width, hidden_error * half_width


def integrate(function, points, tolerance=1e-14):
    """Return the integral of a bounded function with values of about 1 over the range of ``points``.

    Panels between the points are halved until a 16-point Gauss rule gives the same result on a panel and on
    its halves. If a jump or a branch point is not among the points, halving converges geometrically to it.
    Listing such points therefore saves time but does not change the accuracy.

    Parameters
    ----------
    function : callable
        Function of a one-dimensional array that returns values of the same shape.
    points : array_like
        The ends of the interval and the points at which the function is not smooth, in any order.
    tolerance : float
        Tolerance per panel, relative to the integral of the absolute value, but at least 1e-16 in absolute
        terms.

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
    coarse_integrals, _ = _panel_integrals(function, left, right)
    total = magnitude = 0.0
    for _ in range(_MOST_HALVINGS):
        middle = (left + right) / 2.0
        half_integrals, jump_errors = _panel_integrals(
            function, np.concatenate([left, middle]), np.concatenate([middle, right])
        )
        half_integrals = half_integrals.reshape(2, -1)  # row 0: left halves, row 1: right halves
        jump_errors = jump_errors.reshape(2, -1).sum(axis=0)
        fine_integrals = half_integrals.sum(axis=0)
        is_rough = (
            np.abs(fine_integrals - coarse_integrals) + jump_errors
            > tolerance * (magnitude + np.abs(fine_integrals).sum()) + _ROUNDING_ERROR
        )
        total += fine_integrals[~is_rough].sum()
        magnitude += np.abs(fine_integrals[~is_rough]).sum()
        if not is_rough.any():
            return float(total)
        fail_if(
            is_rough.sum() > _MOST_PANELS,
            "integrate: expected a function that is smooth except at a few points",
        )
        left, right = (
            np.concatenate([left[is_rough], middle[is_rough]]),
            np.concatenate([middle[is_rough], right[is_rough]]),
        )
        coarse_integrals = half_integrals[:, is_rough].ravel()
    # The omitted panels are 2**-64 as wide as the first ones and surround jumps of a bounded function.
    return float(total)
