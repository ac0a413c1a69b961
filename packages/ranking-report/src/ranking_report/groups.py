"""Systems that do not differ significantly: letters and ranges of ranks."""

import numpy as np

_MOST = 1000


def letters(apart):
    """Letters for systems, best first: two share one exactly if they do not differ; numbers beyond z.

    Insert and absorb (Piepho 2004): start with one group of all, split it for each pair that differs, and
    drop what lies in another group. Where that takes more than a thousand groups, which nobody reads and of
    which there may be ``2 ** (s / 2)``, no system gets a letter.

    Parameters
    ----------
    apart : ndarray of bool, shape (s, s)
        Symmetric.

    Returns
    -------
    list of str

    Examples
    --------
    >>> letters(np.array([[0, 0, 1], [0, 0, 0], [1, 0, 0]], dtype=bool))
    ['a', 'ab', 'b']
    """
    size = len(apart)
    groups = [2**size - 1]
    for first, second in zip(*np.nonzero(np.triu(apart))):
        two_bits = 1 << int(first) | 1 << int(second)
        split = [group for group in groups if group & two_bits == two_bits]
        remaining = [group for group in groups if group & two_bits != two_bits]
        for part in [group ^ 1 << int(system) for group in split for system in (first, second)]:
            # None of them lies in the part: it would have lain in the group that was split.
            if not any(part & ~group == 0 for group in remaining):
                remaining.append(part)
        groups = remaining
        if len(groups) > _MOST:
            return [""] * size
    members = sorted([[system for system in range(size) if group >> system & 1] for group in groups])
    few = len(members) <= 26
    names = [chr(97 + number) if few else str(number + 1) for number in range(len(members))]
    separator = "" if few else ","
    return [
        separator.join(name for name, group in zip(names, members) if system in group)
        for system in range(size)
    ]


def rank_ranges(means, apart):
    """The first and the last rank that each system may have, all together with the certainty of the pairs.

    Those that differ significantly from it and are better, or worse, are counted.

    >>> alone = np.array([[0, 0, 1], [0, 0, 1], [1, 1, 0]], dtype=bool)
    >>> rank_ranges(np.array([0.5, 0.4, 0.1]), alone).tolist()
    [[1, 2], [1, 2], [3, 3]]
    """
    better = means[:, None] < means[None, :]
    worse = means[:, None] > means[None, :]
    return np.stack([1 + (apart & better).sum(axis=1), len(means) - (apart & worse).sum(axis=1)], axis=1)
