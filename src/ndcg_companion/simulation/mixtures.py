"""The DCG of every prefix in O(n log n): discounts as mixtures of geometric ones, whose DCGs can be merged.

**Merging.** A geometric DCG of a ranked list follows from those of its better and its worse half, ::

    sum over r of y_r q**r  =  (that of the better half)  +  q**(items in the better half) * (that of the worse half),

and theirs from their halves, down to groups of tied items. A part of the list only changes when an item arrives in it:
each level of halves has one value for each arrival, and those of the whole list are the ones wanted.

**Mixing.** Completely monotone discounts, among them ``1 / log(1 + r)``, ``r**-beta`` and ``1 / r``, are mixtures: D(r)
is the integral of ``exp(-x r)`` with a positive measure of x (Bernstein 1929). A few dozen rates x in geometric
progression stand for the integral to more than twelve digits (Beylkin and Monzón 2005). Their weights are found here by
least squares, for any discount, and how far off they are is computed, not assumed: for a discount that is no such
mixture, it is a lot.

**How far off DCG can be.** Let e(r) be the error of the mixture at rank r, E(m) the sum of the m largest absolute
errors, and ``S(m) = D(1) + ... + D(m)``. Then no DCG is off by more than ``max over m of E(m) / S(m)`` times the ideal
one. *Proof.* The gains are the integral over t > 0 of their layers, the items whose gain is at least t. A layer of m
items adds S(m) to the ideal DCG and at most E(m) to the error, in any order, and so in the mean over orders of tied
items. ∎ To this comes rounding: a power exp(-x c) is off by some x c units in the last place, each product and each sum
of positive terms by one; where weights are negative, all that counts as often as the mixture of the absolute weights
exceeds the discount.
"""

import numpy as np

# Rates differ by a factor of exp(0.3), from 20, which only the first rank notices, to 1 / (20 n) or less.
_FASTEST, _STEP = 20.0, 0.3

# A rate x adds nothing that a float could hold below a rank r with x * r beyond this.
_NEGLIGIBLE = 50.0

# Rates that are merged together: a power of two, as their values lie side by side in memory.
_TOGETHER = 8

_EPS = np.finfo(float).eps


def as_mixture(tables):
    """Discounts as mixtures of geometric ones.

    Parameters
    ----------
    tables : ndarray of shape (d, n)
        Discounts at the ranks 1 to n: non-negative, never increasing, positive at the first rank.

    Returns
    -------
    rates : ndarray of shape (m,)
        Decreasing; the same for all discounts.
    weights : ndarray of shape (d, m)
        ``D(r) / D(1)`` is about ``sum of weights * exp(-rates * r)``.
    errors : ndarray of shape (d,)
        How far any DCG of up to n items can be off, rounding included, in proportion to the ideal one.

    Examples
    --------
    >>> ranks = np.arange(1, 1001)
    >>> rates, weights, errors = as_mixture(np.array([1 / np.log1p(ranks), ranks < 10]))
    >>> (errors < 1e-12).tolist()
    [True, False]
    """
    n, tables = tables.shape[1], tables / tables[:, :1]
    sums = tables.cumsum(axis=1)
    rates = _FASTEST * np.exp(-_STEP * np.arange(np.log(20 * n * _FASTEST) / _STEP + _TOGETHER))
    rates = rates[: rates.size // _TOGETHER * _TOGETHER]
    ranks = np.unique(np.append(np.arange(1, 65), np.geomspace(1, n, 30 * n.bit_length()).astype(int)))
    ranks = ranks[ranks <= n]
    basis = np.exp(-np.outer(ranks, rates))
    # An error at rank r counts as often as there are ranks like it, about r, and against S(r).
    importance = ranks / sums[:, ranks - 1]
    weights = np.array([_fit(basis, *each) for each in zip(tables[:, ranks - 1], importance)])
    off = np.sort(np.abs(_mixtures(rates, weights, n) - tables), axis=1)[:, ::-1]
    rounding = (2 * n.bit_length() + _NEGLIGIBLE + rates.size) * _EPS * _mixtures(rates, np.abs(weights), n)
    return rates, weights, ((off + rounding).cumsum(axis=1) / sums).max(axis=1)


def _fit(basis, table, importance):
    """Weights with which the squares of the errors, times their importance, are least."""
    basis = basis * importance[:, None]
    lengths = np.linalg.norm(basis, axis=0)
    basis /= lengths
    weights, rest = 0.0, table * importance
    for _ in range(2):  # the second time for what rounding left of the first
        # Directions with less of a length than 1e-14 would only add large weights of both signs.
        more = np.linalg.lstsq(basis, rest, rcond=1e-14)[0]
        weights, rest = weights + more, rest - basis @ more
    return weights / lengths


def _mixtures(rates, weights, n):
    """``sum of weights * exp(-rates * r)`` at the ranks 1 to n; with ``r = j + i`` that is one product of matrices."""
    width = int(np.sqrt(n)) + 1
    starts, within = np.arange(0, n, width), np.arange(1, width + 1)
    values = (weights[:, None] * np.exp(-np.outer(starts, rates))) @ np.exp(-np.outer(rates, within))
    return values.reshape(len(weights), -1)[:, :n]


def merged_dcg(groups, equals, means, rates, weights):
    """DCG of every prefix, for discounts that are mixtures of geometric ones.

    Parameters
    ----------
    groups, equals, means : ndarray of shape (n,)
        For each item in order of arrival: the number of its group of tied items, from 0 for the best; how many of them
        arrived before it; and the mean gain of these and itself.
    rates, weights
        See `as_mixture`; DCG is in proportion to D(1).

    Returns
    -------
    ndarray of shape (d, n)

    Examples
    --------
    >>> merged_dcg(np.array([1, 0]), np.zeros(2, int), np.array([3.0, 4.0]), np.log([2.0]), np.array([[1.0]]))
    array([[1.5 , 2.75]])
    """
    n, better = groups.size, count_better(groups)
    curves, start = np.zeros((len(weights), n)), 0
    while start < rates.size:
        some = slice(start, start + _TOGETHER)
        # An item that arrives too far down to count never rises, and all that it pushes down is further down.
        near = np.flatnonzero(better * rates[some][-1] < _NEGLIGIBLE)
        if near.size > n // 2:
            some, near = slice(start, rates.size), np.arange(n)
        merged = _merge(_consecutive(groups[near]), equals[near], means[near], rates[some], weights[:, some])
        curves += np.repeat(merged, np.diff(near, append=n), axis=1)
        start = some.stop
    return curves


def _consecutive(groups):
    """Groups numbered without gaps."""
    present = np.zeros(groups.max() + 1, dtype=bool)
    present[groups] = True
    return (present.cumsum() - 1)[groups]


def _merge(groups, equals, means, rates, weights):
    """Mixtures of the geometric DCGs of every prefix: shape (d, n)."""
    n, parts = groups.size, -(-rates.size // _TOGETHER)
    arrivals = np.argsort(groups * n + np.arange(n))
    rates, weights = np.split(rates, parts), np.split(weights, parts, axis=1)
    # What each part of the list is worth after each arrival in it, part by part; in the last row, an empty part.
    values = [np.zeros((n + 1, some.size)) for some in rates]
    for some, value in zip(rates, values):
        value[:n] = means[arrivals, None] * -np.expm1(-(equals[arrivals, None] + 1) * some) / np.expm1(some)
    one, other = np.empty((2, n, rates[0].size))
    for _, _, better, worse, start, middle in _halves(groups):
        latest_better, latest_worse = start + better - 1, middle + worse - 1
        latest_better[better == 0] = latest_worse[worse == 0] = n
        sizes = np.arange(better.max() + 1)
        for some, value in zip(rates, values):
            value.take(latest_worse, axis=0, out=one, mode="clip")
            one *= np.exp(-np.outer(sizes, some)).take(better, axis=0, out=other, mode="clip")
            np.add(one, value.take(latest_better, axis=0, out=other, mode="clip"), out=value[:n])
    return sum(some @ value[:n].T for some, value in zip(weights, values))


def count_better(groups):
    """For each item, how many items of better groups arrived before it: O(n log n), without a loop over the items.

    Groups are numbered from 0 for the best, as for `merged_dcg`.

    >>> count_better(np.array([1, 0, 0, 1, 2])).tolist()
    [0, 0, 0, 2, 4]
    """
    counts = np.zeros_like(groups)
    for items, late, better, *_ in _halves(groups):
        counts[items] += better * late
    return counts


def _halves(groups):
    """Pairs of neighbouring parts of the list that make up the parts of the next level, from single groups to the list.

    All arrays have shape (n,), with one value for each arrival, pair by pair.

    Yields
    ------
    items, late : ndarray
        The item, and whether it is in the worse half of its pair, as 0 or 1.
    better, worse : ndarray
        How many items are in each half then.
    start, middle : ndarray
        How many items there are in the end before the pair, and before its worse half.
    """
    n, arrivals = groups.size, np.arange(groups.size)
    bits, levels = n.bit_length(), int(groups.max(initial=0)).bit_length()
    first_of_group = np.append(0, np.bincount(groups, minlength=1 << levels).cumsum())
    for level in range(levels):
        # Sorted by pair, then by arrival; the lowest bit tells the half.
        key = groups >> level
        key = np.sort((key >> 1 << (bits + 1)) | (arrivals << 1) | (key & 1))
        group, late = key >> (bits + 1) << (level + 1), key & 1
        start, middle = first_of_group[group], first_of_group[group + (1 << level)]
        so_far = late.cumsum()
        worse = so_far - (so_far - late)[start]
        yield key >> 1 & ((1 << bits) - 1), late, arrivals + 1 - start - worse, worse, start, middle
