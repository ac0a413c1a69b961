"""Packing of small integers into the lowest bytes of scores, so that no indices have to be sorted.

Sorting numbers takes at most a third of the time of sorting indices. The grades or the arrival numbers of
items are therefore written over the lowest bytes of the scores, and after sorting they are read from these
bytes. Scores that differ only in these lowest bytes then look tied. If there are apparent ties and the exact
scores use these bytes, the resulting order is compared with the order of the exact scores. If the two orders
disagree, the caller must sort indices.
"""

import numpy as np

from ndcg_companion.checks import all_true

# Floats have 53 bits. Among n random floats, few agree in all but the lowest w bits if w + 2 log2(n) is less
# than this.
_BITS = 52

# Up to this size, sorting indices is faster than packing codes into scores and unpacking them.
LARGEST_SORTED_BY_INDEX = 512


def sort_packed(scores: np.ndarray, codes: np.ndarray) -> tuple[np.ndarray, np.ndarray | None] | None:
    """Sort codes row by row in the order of scores, by packing the codes into the lowest bytes of the scores.

    Parameters
    ----------
    scores : ndarray of shape (q, n)
        Numbers without NaN.
    codes : ndarray of unsigned integers, shape (q, n)
        Small integers, one for each score; there must be at least one.

    Returns
    -------
    codes : ndarray of shape (q * n,)
        The codes in the order of increasing scores; codes of equal scores are in any order.
    first : ndarray of bool, shape (q * n,), or None
        Marks the first score of each group of equal scores; None if no two scores of a row are equal.

    If packing is not exact, the function returns None instead of the two arrays.

    Examples
    --------
    >>> sort_packed(np.array([[0.5, 0.1, 0.5]]), np.array([[2, 1, 0]], dtype=np.uint8))
    (array([1, 0, 2], dtype=uint8), array([ True,  True, False]))
    """
    code_bits = 8 * codes.itemsize
    _, n = scores.shape
    # Another type of eight bytes may hold values that are not floats.
    if (scores.dtype != float and scores.dtype.itemsize >= 8) or code_bits + 2 * n.bit_length() > _BITS:
        return None
    keys = np.add(scores, 0.0, dtype="<f8")  # adding 0.0 turns -0.0 into 0.0; little-endian floats
    bits, low_bits = keys.view("<i8"), (1 << code_bits) - 1  # `bits` shares the memory of `keys`
    # In units of a code, the lowest bytes of each key come first; the codes are written over them.
    keys.view(codes.dtype)[:, :: 8 // codes.itemsize] = codes
    keys.sort(axis=1)
    # The first and the last key of each row are the extremes.
    if not all_true(np.isfinite(keys[:, :: max(n - 1, 1)])):
        return None  # an infinite score with changed bits is NaN
    sorted_codes, is_group_start = bits.astype(codes.dtype).ravel(), np.empty(codes.size, dtype=bool)
    # The codes are removed from the keys, so that equal keys are apparent ties. In place, because allocating
    # eight bytes per item would cost as much as everything else here.
    bits &= ~low_bits
    flat_keys = keys.ravel()
    np.not_equal(flat_keys[1:], flat_keys[:-1], out=is_group_start[1:])
    is_group_start[::n] = True
    if all_true(is_group_start):
        return sorted_codes, None
    # If some exact scores use the lowest bits, their true ties may be other than the apparent ones.
    keys[:] = scores
    if np.bitwise_or.reduce(bits, axis=None) & low_bits:
        keys.sort(axis=1)
        if not np.array_equal(keys[:, 1:] != keys[:, :-1], is_group_start.reshape(codes.shape)[:, 1:]):
            return None
    return sorted_codes, is_group_start
