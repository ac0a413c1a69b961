"""Letters and rank ranges that show which systems do not differ significantly."""

from string import ascii_lowercase

import numpy as np

_MOST = 1000  # the most groups


def letters(apart):
    """Return letters such that two systems share a letter if they do not differ.

    If there are more than 26 groups, numbers take the place of letters. The systems are ordered from best to
    worst.

    Parameters
    ----------
    apart : ndarray of bool, shape (s, s)
        Whether two systems differ significantly; the array is symmetric.

    Returns
    -------
    list of str
        The letters of each system, which are empty if more than a thousand groups would be needed.

    Notes
    -----
    The method is insert-and-absorb (Piepho 2004). The method starts with one group of all systems, splits
    groups for each pair that differs, and drops each group that is contained in another one. There may be ``2
    ** (s / 2)`` groups, but nobody reads more than a thousand.

    Examples
    --------
    >>> letters(np.array([[0, 0, 1], [0, 0, 0], [1, 0, 0]], dtype=bool))
    ['a', 'ab', 'b']
    """
    size = len(apart)
    groups = [2**size - 1]  # bit i of a group says whether system i belongs to it
    for first, second in zip(*np.nonzero(np.triu(apart))):
        pair_bits = 1 << int(first) | 1 << int(second)
        groups_with_pair = [group for group in groups if group & pair_bits == pair_bits]
        new_groups = [group for group in groups if group & pair_bits != pair_bits]
        # Each group with both systems is split into one without the first and one without the second.
        for part in [group ^ (1 << int(system)) for group in groups_with_pair for system in (first, second)]:
            # No group that was kept is contained in the part, because the group that was split would have
            # contained it.
            if not any(part & ~group == 0 for group in new_groups):
                new_groups.append(part)
        groups = new_groups
        if len(groups) > _MOST:
            return [""] * size
    members = sorted([[system for system in range(size) if group >> system & 1] for group in groups])
    names, separator = ascii_lowercase, ""
    if len(members) > len(ascii_lowercase):
        names, separator = [str(number) for number in range(1, len(members) + 1)], ","
    return [
        separator.join(name for name, group in zip(names, members) if system in group)
        for system in range(size)
    ]


def rank_ranges(means, apart):
    """Return the first and the last rank that each system may have.

    The ranges follow from the numbers of systems that are significantly better or worse. The ranges are
    simultaneous, with the confidence level of the tests of the pairs.

    >>> alone = np.array([[0, 0, 1], [0, 0, 1], [1, 1, 0]], dtype=bool)
    >>> rank_ranges(np.array([0.5, 0.4, 0.1]), alone).tolist()
    [[1, 2], [1, 2], [3, 3]]
    """
    better = means[:, None] < means[None, :]
    worse = means[:, None] > means[None, :]
    return np.stack([1 + (apart & better).sum(axis=1), len(means) - (apart & worse).sum(axis=1)], axis=1)
