"""Lines of a few fields between blanks, as TREC's: their columns without a Python object for each field."""

import numpy as np

_CHUNK = 2**22  # bytes of text at a time, which a processor's cache about holds
_LONGEST = 64  # bytes of a field; one that is longer would take this space in every row
_DIGITS = 15  # which a float holds exactly, as it does the powers of ten up to 22
_KEPT = np.array([(1 << 8 * count) - 1 for count in range(9)], dtype="<u8")  # the first so many bytes
_POWERS = 10.0 ** np.arange(_DIGITS + 1)


def split_columns(data, count, numbers, passed_over=()):
    """The columns of a text whose lines all have so many fields, or None if one of them is anything else.

    Parameters
    ----------
    data : bytes
        ASCII, without blank lines; fields stand between blanks or tabs.
    count : int
        Fields on a line.
    numbers : collection of int
        Columns of plain decimal numbers.
    passed_over : collection of int
        Columns of which nothing is wanted.

    Returns
    -------
    list of ndarray, or None
        Of each other column its texts as bytes, or its numbers: integers if no field of it has a point.

    Examples
    --------
    >>> split_columns(b"q1 d1 1.5\\nq1 d20\\t-2", 3, {2})
    [array([b'q1', b'q1'], dtype='|S8'), array([b'd1', b'd20'], dtype='|S8'), array([ 1.5, -2. ])]
    """
    if not data.isascii() or any(mark in data for mark in (b"\0", b"\x0b", b"\x0c")):
        return None
    if b"\r" in data and data.count(b"\r") != data.count(b"\r\n"):  # which ends a line for some
        return None
    parts, start = [], 0
    while start < len(data):
        stop = data.find(b"\n", min(start + _CHUNK, len(data)))
        stop = len(data) if stop < 0 else stop
        part = _split(data[start:stop], count, numbers, passed_over)
        if part is None:
            return None
        parts.append(part)
        start = stop + 1
    if not parts or data.endswith(b"\n"):
        return None
    columns = []
    for at in range(len(parts[0])):
        columns.append(np.concatenate([part[at] for part in parts]))
        for part in parts:
            part[at] = None  # so that one column at most is there twice
    return columns


def _split(text, count, numbers, passed_over):
    """What `split_columns` does, for one chunk of whole lines: the columns, or None."""
    padded = np.frombuffer(text + b"\n" + b"\0" * _LONGEST, dtype=np.uint8)
    marks = padded[: len(text) + 1]
    outside = (marks == 32) | (marks == 10) | (marks == 9) | (marks == 13)
    edges = np.flatnonzero(outside[1:] != outside[:-1]) + 1
    edges = edges if outside[0] else np.append(0, edges)
    lines = np.flatnonzero(marks == 10)
    if len(edges) != 2 * count * len(lines):
        return None
    starts, ends = edges[::2].reshape(-1, count), edges[1::2].reshape(-1, count)
    # As many fields as there should be, and each line's last one before its end, its first behind the last.
    if (ends[:, -1] > lines).any() or (starts[1:, 0] < lines[:-1]).any():
        return None
    columns = []
    for at in sorted({*range(count)} - {*passed_over}):
        column = _texts(padded, starts[:, at], ends[:, at])
        if column is not None and at in numbers:
            column = as_numbers(column)
        if column is None:
            return None
        columns.append(column)
    return columns


def _texts(padded, starts, ends):
    """The fields between these starts and ends as an array of bytes; None if one is over `_LONGEST`."""
    sizes = ends - starts
    words = -(-int(sizes.max()) // 8)
    if words * 8 > _LONGEST:
        return None
    # Eight bytes from each place on, as one number.
    windows = np.ndarray(len(padded) - 7, dtype="<u8", buffer=padded, strides=(1,))
    texts = np.empty((len(starts), words), dtype="<u8")
    for word in range(words):
        texts[:, word] = windows[starts + 8 * word] & _KEPT[np.clip(sizes - 8 * word, 0, 8)]
    return texts.view(f"S{8 * words}").ravel()


def as_numbers(texts):
    """Numbers of decimal texts, each the nearest there is; None if one is none, or in another notation.

    >>> as_numbers(np.array([b"12", b"-3"])), as_numbers(np.array([b"0.1", b"1e-3"]))
    (array([12, -3]), array([0.1  , 0.001]))
    >>> as_numbers(np.array([b"1_0"]))
    """
    signs = texts.view(np.uint8).reshape(len(texts), -1)
    whole, digits, behind = (np.zeros(len(texts), dtype=np.int64) for _ in range(3))
    point, plain = (np.zeros(len(texts), dtype=bool) for _ in range(2))
    plain[:] = True
    negative = signs[:, 0] == 45
    for at in range(signs.shape[1]):
        sign = signs[:, at].copy()
        if not sign.any():  # all of them have ended
            break
        digit = (sign >= 48) & (sign <= 57)
        dot = sign == 46
        plain &= digit | (sign == 0) | dot & ~point | (negative if at == 0 else False)
        point |= dot
        whole = np.where(digit & (digits < _DIGITS), 10 * whole + sign - 48, whole)
        digits += digit
        behind += digit & point
    plain &= (digits > 0) & (digits <= _DIGITS)
    whole = np.where(negative, -whole, whole)
    if plain.all() and not point.any():
        return whole
    # A quotient of two numbers that floats hold exactly is rounded once. Minus zero is as good as zero.
    values = whole / _POWERS[np.minimum(behind, _DIGITS)]
    others = texts[~plain]
    if len(others):
        known = np.isin(others.view(np.uint8), np.frombuffer(b"0123456789.+-eE\0", dtype=np.uint8))
        if not known.all():
            return None
        try:
            values[~plain] = others.astype(float)
        except ValueError:
            return None
        whole_ones = not point.any() and not np.isin(others.view(np.uint8), [69, 101]).any()
        if whole_ones or not np.isfinite(values).all():
            return None  # beyond what floats hold, of which some columns know more
    return values
