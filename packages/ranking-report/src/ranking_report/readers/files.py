"""Files of text as bytes: unpacked, within a limit, in UTF-8; their comments; the words for a line of one."""

import bz2
import gzip
import lzma
import os
import re
import stat
import zlib
from io import BytesIO

from ndcg_companion.checks import fail_if, machine_memory
from ndcg_companion.text import escaped
from ranking_report.extras import import_extra

PARQUET = b"PAR1"  # what such files begin with
# What begins so is no text, and has a name.
_OTHERS = {
    re.escape(PARQUET): "Parquet",
    rb"\x1f[\x9d\xa0]": "data packed by compress; unpack it first",
    rb"PK(\x03\x04|\x05\x06)": "a ZIP archive; unpack it first",
    rb"7z\xbc\xaf\x27\x1c": "a 7-Zip archive; unpack it first",
    rb"\x04\x22\x4d\x18": "data packed by LZ4; unpack it first, or let ranx save it as JSON",
    rb"\x89HDF\r\n": "HDF5",
    rb"SQLite format 3\0": "an SQLite database",
    # A byte-order mark, or a sign of ASCII with zeros beside it.
    rb"\xff\xfe\0\0|\0\0\xfe\xff|\0\0\0[^\0]|[^\0]\0\0\0": "UTF-32; save the file as UTF-8",
    rb"\xff\xfe|\xfe\xff|\0[^\0]\0[^\0]|[^\0]\0[^\0]\0": "UTF-16; save the file as UTF-8",
}
_UTF8_MARK = b"\xef\xbb\xbf"

LIMIT = "COMPANION_MEMORY"  # the variable that says how much memory one file may take, such as 32G
_ROW = 250  # bytes of memory that a row takes beside its text, somewhat more than measured
_CHUNK = 2**24
_DAMAGED = (EOFError, OSError, zlib.error, lzma.LZMAError)


def _open_zstandard(file):
    return import_extra("parquet").input_stream(file, compression="zstd")


# By name what packed data begin with, and what unpacks them.
_PACKED = {
    "gzip": (rb"\x1f\x8b", gzip.open),
    "bzip2": (rb"BZh[1-9](1AY&SY|\x17rE8P\x90)", bz2.open),
    "xz": (rb"\xfd7zXZ\0", lzma.open),
    "Zstandard": (rb"\x28\xb5\x2f\xfd", _open_zstandard),
}


def memory_limit():
    """How many bytes of memory one file may take: what ``COMPANION_MEMORY`` says, else half of all there is.

    Raises
    ------
    ValueError
        If the variable is no number of bytes.

    Examples
    --------
    >>> memory_limit() > 0
    True
    """
    given = os.environ.get(LIMIT, "")
    parts = re.fullmatch(r"([0-9]{1,15}(?:\.[0-9]{1,3})?)([KMGT]?)", given)
    fail_if(given and not parts, f"{LIMIT}={escaped(given)}: expected a number of bytes, such as 32G")
    if parts:
        return int(float(parts[1]) * 1024 ** " KMGT".index(parts[2] or " "))
    return (machine_memory() or 8 * 2**30) // 2


def check_size(path, size, rows=0, row=_ROW):
    """Refuse a file that would take too much memory.

    Parameters
    ----------
    path : path
    size : int
        Bytes of what it holds, unpacked, as far as they are known.
    rows : int
        And its rows, or whatever else takes memory beside the bytes.
    row : int
        Bytes of memory that each of them takes.
    """
    limit = memory_limit()
    if size + row * rows > limit:
        got = f"{_size(size)}" + (f" in {rows:,} rows" if rows else "")
        raise ValueError(
            f"{named(path)}: expected a file that takes at most {_size(limit)} of memory, got one with {got} "
            f"or more; the variable {LIMIT}={_size(4 * limit, '')} raises the limit"
        )


def _size(count, unit="B"):
    """A number of bytes in words.

    >>> _size(3 * 2**30), _size(3 * 2**30, ""), _size(10)
    ('3 GB', '3G', '10 B')
    """
    power = max(min((int(count).bit_length() - 1) // 10, 4), 0)
    number = count / 1024**power
    number = f"{number:.3g}" if number < 999 else f"{number:.0f}"
    return f"{number}{' ' if unit else ''}{' KMGT'[power].strip()}{unit}"


def named(path):
    """A file's name for messages, whatever is in it."""
    return escaped(path, most=300)


def line_of(path, start=1):
    """The words for a row, counted from 0, of a file that has one row a line."""
    return lambda row: f"{named(path)}, line {row + start}"


def read_opening(path):
    """What is in a file, which is opened once and so may be a pipe; of Parquet on a disk only its mark."""
    with open(path, "rb") as file:
        if file.peek(len(PARQUET)).startswith(PARQUET) and file.seekable():
            return PARQUET
        about = os.fstat(file.fileno())
        if not stat.S_ISREG(about.st_mode):  # nobody knows how much a pipe holds
            return _read(path, file)
        check_size(path, about.st_size)
        return file.read()


def _read(path, file):
    """All bytes of an open file; refused as soon as they are too many."""
    data = BytesIO()
    while chunk := file.read(_CHUNK):
        data.write(chunk)
        check_size(path, data.tell())
    return data.getvalue()


def _unpacked(path, data):
    """The bytes as they were before they were packed, if they are packed."""
    for name, (mark, opened) in _PACKED.items():
        if re.match(mark, data):
            try:
                with opened(BytesIO(data)) as file:
                    data = _read(path, file)
            except _DAMAGED as error:
                expected = f"expected whole {name} data, got it cut short or damaged"
                raise ValueError(f"{named(path)}: {expected} ({error})") from None
            fail_if(re.match(mark, data), f"{named(path)}: expected data packed once, got {name} in {name}")
            break
    return data


def read_bytes(path, expected, data=None):
    r"""The text of a file, unpacked, its lines ended by ``\n``; refused if it is empty or not UTF-8.

    And if it would take more memory than `memory_limit`.

    Parameters
    ----------
    path : path
    expected : str
        What it should hold, for messages.
    data : bytes, optional
        What `read_opening` gave of the file, if that was done already.
    """
    data = _unpacked(path, read_opening(path) if data is None else data)
    other = next((what for mark, what in _OTHERS.items() if re.match(mark, data)), None)
    if other:
        raise ValueError(f"{named(path)}: expected {expected}, got {other}")
    data = data.removeprefix(_UTF8_MARK)
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    fail_if(not data or data.isspace(), f"{named(path)}: expected {expected}, got an empty file")
    check_size(path, len(data), data.count(b"\n"))
    try:
        if b"\0" in data or not data.isascii():
            data.replace(b"\0", b"\xff").decode()  # a zero is no text either
    except UnicodeDecodeError as error:
        line = line_of(path)(data.count(b"\n", 0, error.start))
        raise ValueError(f"{line}: expected UTF-8 text, got the byte 0x{data[error.start]:02x}") from None
    return data


def number(text):
    """The number that a text holds, in a file or in memory: ASCII digits, blanks around them or not.

    Python's digit separator and the digits of other scripts are taken for part of a number by nobody else.

    >>> number("1e3"), number(" 5 "), number("-inf")
    (1000.0, 5.0, -inf)
    >>> number("1_0")
    Traceback (most recent call last):
    ...
    ValueError: expected a number, got '1_0'
    """
    fail_if("_" in text or not text.isascii(), f"expected a number, got '{escaped(text)}'")
    return float(text)


_COMMENT = re.compile(rb"[ \t]*#([ \t#]|$)")
_MARKED = re.compile(rb"\n[ \t]*#")
_MARKED_AS_COMMENT = re.compile(rb"\n[ \t]*#(?=[ \t#\n]|$)")
# What begins comments in other programs' files, and no line of data but by an unusual id.
_OTHER_SIGNS = re.compile(rb"[ \t]*(%|//|;|--|!|\*|(?i:rem)(?=[ \t]))")
_OTHER_SIGNS_ALONE = re.compile(rb"[ \t]*(%+|//+|;+|--+|!+|\*+|(?i:rem))[ \t]")
_SUCH_IDS = "such ids may stand below a header or in JSON"


def below_comments(data):
    """The text below the blank lines and comments at its top, and the line of the file where it begins.

    A comment is a line that begins with ``#`` and a blank, or is nothing but signs ``#``. Elsewhere
    `refuse_comments` stops.

    >>> below_comments(b"# made by hand\\n\\nq1 0 d1 1\\n")
    (b'q1 0 d1 1\\n', 3)
    """
    offset, start = 0, 1
    while (end := data.find(b"\n", offset)) >= 0:
        line = data[offset:end].rstrip()
        if line and not _COMMENT.match(line):
            break
        offset, start = end + 1, start + 1
    return data[offset:], start


def refuse_comments(path, data, start=1, *, header=False):
    """ValueError for a row that begins with ``#``, which is a comment to some programs and an id to others.

    And for a first row that begins with a sign of other programs: ``%``, ``//``, ``;``, ``--``, ``!``, ``*``
    or ``REM``.

    Parameters
    ----------
    path : path
    data : bytes
        What `below_comments` returned.
    start : int
        The line of the file on which they begin.
    header : bool
        Whether columns have names: then a row may begin with an id such as ``#5``, and only what
        `below_comments` would skip is refused.
    """
    locate = line_of(path, start)
    # The names of columns between semicolons may begin with that of an index, which is empty.
    if sign := (_OTHER_SIGNS_ALONE if header else _OTHER_SIGNS).match(data):
        expected = f"expected a row, got one that begins with {sign[1].decode()} and looks like a comment"
        remedy = f"remove it, or write it as '# text'; {_SUCH_IDS}"
        raise ValueError(f"{locate(0)}: {expected}; {remedy}")
    if b"#" not in data:
        return
    marked = (_MARKED_AS_COMMENT if header else _MARKED).search(data)
    if marked or not header and data.lstrip(b" \t").startswith(b"#"):
        first_row = not header and data.lstrip(b" \t").startswith(b"#")
        row = 0 if first_row else data.count(b"\n", 0, marked.end())
        expected = "expected a row, got one that begins with #"
        remedy = f"comments may stand above the first row, as '# text', and {_SUCH_IDS}"
        raise ValueError(f"{locate(row)}: {expected}; {remedy}")
