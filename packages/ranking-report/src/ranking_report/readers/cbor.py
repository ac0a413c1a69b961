"""Mappings of queries to mappings of items to numbers in CBOR (RFC 8949), as ranx packs them."""

import struct
from collections.abc import Callable

from ndcg_companion.text import escaped

_TEXT, _MAP, _SIMPLE = 3, 5, 7
_FLOATS = {25: ">e", 26: ">f", 27: ">d"}
_ROWS = 2**16  # after so many one looks at how large it has become


def is_mapping(data: bytes) -> bool:
    """Whether bytes begin as a mapping does in CBOR, which no text in UTF-8 does.

    >>> is_mapping(b"\\xa1\\x62q1\\xa0"), is_mapping(b"q1 0 d1 1")
    (True, False)
    """
    return bool(data) and data[0] >> 5 == _MAP


def read_mapping(data: bytes, check: Callable[[int], None]) -> dict[str, dict[str, float]]:
    """What the data hold.

    Parameters
    ----------
    data : bytes
    check : callable
        Told now and then how many numbers there are so far; it may refuse to go on.

    Raises
    ------
    ValueError
        For anything but texts, whole numbers and floats in mappings of known size, for a name twice, and for
        data that are cut short or go on.

    Examples
    --------
    >>> read_mapping(b"\\xa1\\x62q1\\xa1\\x62d1\\xf9\\x3e\\x00", lambda rows: None)
    {'q1': {'d1': 1.5}}
    """
    reader = _Reader(data, check)
    found = reader.mapping(lambda: reader.mapping(reader.number))
    if reader.at != len(data):
        raise ValueError(f"expected its end after {reader.at} bytes, got {len(data)}")
    return found


class _Reader:
    def __init__(self, data, check):
        self.data, self.check, self.at, self.rows = data, check, 0, 0

    def take(self, size):
        self.at += size
        if self.at > len(self.data):
            raise ValueError("expected more, got it cut short")
        return self.data[self.at - size : self.at]

    def head(self):
        """CBOR's major type of what comes, its additional information, and the number that is written so.

        The number is None for a float, whose bytes come next.
        """
        first = self.take(1)[0]
        kind, more = first >> 5, first & 31
        if kind == _SIMPLE and more in _FLOATS:
            return kind, more, None
        if more > 27:  # 31 stands for a size that is not told; 28 to 30 have no meaning
            raise ValueError(f"expected a known size at byte {self.at}, got {first:#04x}")
        return kind, more, more if more < 24 else int.from_bytes(self.take(1 << (more - 24)), "big")

    def mapping(self, value):
        """A mapping from names to what ``value`` reads, each name once."""
        kind, _, size = self.head()
        if kind != _MAP:
            raise ValueError(f"expected a mapping at byte {self.at}, got another kind ({kind})")
        found = {}
        for _ in range(size):
            name = self.name()
            if name in found:
                raise ValueError(f"expected each name once in its mapping, got {escaped(name)} twice")
            found[name] = value()
        return found

    def name(self):
        kind, _, size = self.head()
        if kind != _TEXT:
            raise ValueError(f"expected a text at byte {self.at}, got another kind ({kind})")
        return self.take(size).decode()

    def number(self):
        """A number; the rows read so far are counted for the check of memory."""
        self.rows += 1
        if self.rows % _ROWS == 0:
            self.check(self.rows)
        kind, more, value = self.head()
        if kind in (0, 1):
            return value if kind == 0 else -1 - value
        if kind != _SIMPLE or more not in _FLOATS:
            raise ValueError(f"expected a number at byte {self.at}, got another kind ({kind})")
        form = _FLOATS[more]
        return struct.unpack(form, self.take(struct.calcsize(form)))[0]
