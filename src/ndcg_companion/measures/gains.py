"""Gains: the value that a measure assigns to a label."""

from collections.abc import Callable
from typing import Any, Literal

import numpy as np

from ndcg_companion.checks import fail_if, raise_if, value_error

Gain = Literal["linear", "exponential"] | Callable[[Any], Any]


def gains_of(labels, gain, *, negative=True, name="labels"):
    """Return the gains of the labels as float64, or as bytes if the labels are the gains.

    Parameters
    ----------
    labels : ndarray
        Finite labels.
    gain : {"linear", "exponential"} or callable
        The label itself ("linear"), ``2 ** label - 1`` ("exponential"), or any function of the array of
        labels.
    negative : bool
        Whether gains may be negative.
    name : str
        Name of the labels in error messages.

    Raises
    ------
    ValueError
        If ``gain`` is invalid, if a gain overflows or is not finite, if the number of gains differs from the
        number of labels, or if float64 cannot represent a label exactly.

    Examples
    --------
    >>> gains_of(np.array([0, 1, 3]), "exponential")
    array([0., 1., 7.])
    """
    is_named = isinstance(gain, str) and gain in ("linear", "exponential")
    raise_if(
        not (is_named or callable(gain)), "gain", gain, "'linear', 'exponential' or a callable of labels"
    )
    if is_named and gain == "linear" and labels.dtype == np.uint8:
        return labels
    values = labels.astype(float, copy=False)
    fail_if(
        _may_round(labels) and (values.astype(object) != labels.astype(object)).any(),
        f"{name} of type {labels.dtype}: expected values that float64 represents exactly",
    )
    if is_named and gain == "exponential":
        return _exponential(values, name)
    if is_named or not values.size:
        return values
    try:
        with np.errstate(all="ignore"):
            gains = np.asarray(gain(values))
    except Exception as error:
        raise value_error("gain", gain, f"a function of an array of labels ({error})") from error
    raise_if(
        gains.dtype.kind not in "biuf" or gains.shape != values.shape,
        "gain",
        gain,
        f"{values.shape} numbers, got {gains.dtype} of shape {gains.shape}",
    )
    gains = gains.astype(float, copy=False)
    # argmin finds the first False, that is, the first gain that is not finite, if there is one.
    suspicious_gain = gains[np.isfinite(gains).argmin()]
    raise_if(not np.isfinite(suspicious_gain), "gain", gain, f"finite gains, got {suspicious_gain}")
    raise_if(not negative and gains.min() < 0, "gain", gain, f"gains >= 0, got {gains.min()}")
    return gains


def _may_round(labels):
    """Return whether conversion to float64 may change a label."""
    is_wide = labels.size and labels.dtype.itemsize >= 8 and labels.dtype != float
    # float64 represents all integers up to 2**53; "f" is a floating-point type that is longer than float64.
    return is_wide and (labels.dtype.kind == "f" or labels.max() > 2**53 or labels.min() < -(2**53))


def _exponential(labels, name="labels"):
    """Return ``2 ** y - 1``, exact for integer labels and accurate to the last digit for tiny labels."""
    highest = labels.max(initial=0)
    fail_if(
        highest >= 1024,
        f"{name}: expected below 1024 with gain='exponential', got {highest}, which overflows",
    )
    # 2**y - 1 = expm1(y log 2), which loses no digits near y = 0, where the difference would.
    return np.where(np.abs(labels) < 0.5, np.expm1(labels * np.log(2)), np.exp2(labels) - 1)
