"""Read text files as bytes that are decompressed, limited in size and valid UTF-8.

This module also handles comments above and between rows, and the description of a line in messages.
"""

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

PARQUET = b"PAR1"  # the first bytes of every Parquet file
# First bytes of other formats that are not text, with their names for messages.
_OTHER_FORMATS = {
    re.escape(PARQUET): "Parquet",
    rb"\x1f[\x9d\xa0]": "data packed by compress; unpack it first",
    rb"PK(\x03\x04|\x05\x06)": "a ZIP archive; unpack it first",
    rb"7z\xbc\xaf\x27\x1c": "a 7-Zip archive; unpack it first",
    rb"\x04\x22\x4d\x18": "data packed by LZ4; unpack it first, or let ranx save it as JSON",
    rb"\x89HDF\r\n": "HDF5",
    rb"SQLite format 3\0": "an SQLite database",
    # These have a byte-order mark, or an ASCII character beside zeros.
    rb"\xff\xfe\0\0|\0\0\xfe\xff|\0\0\0[^\0]|[^\0]\0\0\0": "UTF-32; save the file as UTF-8",
    rb"\xff\xfe|\xfe\xff|\0[^\0]\0[^\0]|[^\0]\0[^\0]\0": "UTF-16; save the file as UTF-8",
}
_UTF8_MARK = b"\xef\xbb\xbf"

# The environment variable that sets the memory that one file may take, such as 32G.
LIMIT = "COMPANION_MEMORY"
_BYTES_PER_ROW = 250  # bytes of memory that a row takes in addition to its text, somewhat more than measured
_CHUNK = 2**24  # the bytes that are read at once
_UNITS = " KMGT"  # of bytes, as powers of 1024
_DAMAGED = (EOFError, OSError, zlib.error, lzma.LZMAError)


def _open_zstandard(file):
    return import_extra("parquet").input_stream(file, compression="zstd")


# For each name: the first bytes of compressed data, and the function that decompresses them.
_COMPRESSIONS = {
    "gzip": (rb"\x1f\x8b", gzip.open),
    "bzip2": (rb"BZh[1-9](1AY&SY|\x17rE8P\x90)", bz2.open),
    "xz": (rb"\xfd7zXZ\0", lzma.open),
    "Zstandard": (rb"\x28\xb5\x2f\xfd", _open_zstandard),
}


def memory_limit():
    """Return how many bytes of memory a file may take.

    This is the value of ``COMPANION_MEMORY`` or, by default, half of the machine's memory.

    Raises
    ------
    ValueError
        If the variable is not a number of bytes.

    Examples
    --------
    >>> memory_limit() > 0
    True
    """
    text = os.environ.get(LIMIT, "")
    parts = re.fullmatch(r"([0-9]{1,15}(?:\.[0-9]{1,3})?)([KMGT]?)", text)
    fail_if(text and not parts, f"{LIMIT}={escaped(text)}: expected a number of bytes, such as 32G")
    if parts:
        count, unit = parts.groups()
        return int(float(count) * 1024 ** _UNITS.index(unit or " "))
    return (machine_memory() or 8 * 2**30) // 2


def check_size(path, size, rows=0, row=_BYTES_PER_ROW):
    """Reject a file that would take too much memory.

    Parameters
    ----------
    path : path
    size : int
        The number of bytes of the decompressed content, as far as it is known.
    rows : int
        The number of rows, or of other parts that take memory in addition to the bytes.
    row : int
        The bytes of memory that each row takes.

    Raises
    ------
    ValueError
        If the file would exceed `memory_limit`.
    """
    limit = memory_limit()
    if size + row * rows > limit:
        got = f"{_size(size)}" + (f" in {rows:,} rows" if rows else "")
        raise ValueError(
            f"{named(path)}: expected a file that takes at most {_size(limit)} of memory, got one with {got} "
            f"or more; the variable {LIMIT}={_size(4 * limit, '')} raises the limit"
        )


def _size(count, unit="B"):
    """Return a number of bytes with its unit.

    >>> _size(3 * 2**30), _size(3 * 2**30, ""), _size(10)
    ('3 GB', '3G', '10 B')
    """
    power = max(min((int(count).bit_length() - 1) // 10, 4), 0)  # the largest power of 1024 up to the count
    number = count / 1024**power
    number = f"{number:.3g}" if number < 999 else f"{number:.0f}"  # no exponent for 999.5 to 1023
    return f"{number}{' ' if unit else ''}{_UNITS[power].strip()}{unit}"


def named(path):
    """Return the name of a file, escaped for messages."""
    return escaped(path, most=300)


def line_of(path, start=1):
    """Return a function that turns a row, counted from 0, into words for its line."""
    return lambda row: f"{named(path)}, line {row + start}"


def read_opening(path):
    """Return the content of a file, or only the mark of a Parquet file on a disk.

    The file is opened only once, so it may be a pipe.
    """
    with open(path, "rb") as file:
        if file.peek(len(PARQUET)).startswith(PARQUET) and file.seekable():
            return PARQUET
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode):  # a pipe has no size
            return _read_limited(path, file)
        check_size(path, status.st_size)
        return file.read()


def _read_limited(path, file):
    """Return all bytes of an open file, or reject the file if it has too many."""
    data = BytesIO()
    while chunk := file.read(_CHUNK):
        data.write(chunk)
        check_size(path, data.tell())
    return data.getvalue()


def _unpacked(path, data):
    """Return bytes in decompressed form, whether or not they were compressed."""
    for name, (signature, open_packed) in _COMPRESSIONS.items():
        if re.match(signature, data):
            try:
                with open_packed(BytesIO(data)) as file:
                    data = _read_limited(path, file)
            except _DAMAGED as error:
                expected = f"expected complete {name} data, got data that are cut short or damaged"
                raise ValueError(f"{named(path)}: {expected} ({error})") from None
            fail_if(
                re.match(signature, data),
                f"{named(path)}: expected data compressed once, got {name} in {name}",
            )
            break
    return data


def read_bytes(path, expected, data=None):
    r"""Return the text of a file as decompressed UTF-8, with ``\n`` as line ends.

    Parameters
    ----------
    path : path
    expected : str
        The expected content, in words for messages.
    data : bytes, optional
        The result of `read_opening`, if the file was opened already.

    Raises
    ------
    ValueError
        If the file is empty, damaged, not UTF-8, or larger than `memory_limit` allows.
    """
    data = _unpacked(path, read_opening(path) if data is None else data)
    other_format = next(
        (format_name for signature, format_name in _OTHER_FORMATS.items() if re.match(signature, data)), None
    )
    if other_format:
        expected = "UTF-8 text" if other_format.startswith("UTF-") else expected
        raise ValueError(f"{named(path)}: expected {expected}, got {other_format}")
    data = data.removeprefix(_UTF8_MARK)
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    fail_if(not data or data.isspace(), f"{named(path)}: expected {expected}, got an empty file")
    check_size(path, len(data), data.count(b"\n"))
    try:
        if b"\0" in data or not data.isascii():
            # Text contains no zero byte either, so these become bytes that UTF-8 never has.
            data.replace(b"\0", b"\xff").decode()
    except UnicodeDecodeError as error:
        line = line_of(path)(data.count(b"\n", 0, error.start))
        raise ValueError(f"{line}: expected UTF-8 text, got the byte 0x{data[error.start]:02x}") from None
    return data


def number(text):
    """Return the number that a text contains.

    The text must have ASCII digits. Surrounding blanks are allowed.

    Notes
    -----
    Python's digit separator, and digits of other scripts, are rejected, because no other program reads them
    as numbers.

    Examples
    --------
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
# These are comment signs of other programs. A row of data begins with one only if an id is unusual.
_OTHER_SIGNS = re.compile(rb"[ \t]*(%|//|;|--|!|\*|(?i:rem)(?=[ \t]))")
_OTHER_SIGNS_ALONE = re.compile(rb"[ \t]*(%+|//+|;+|--+|!+|\*+|(?i:rem))[ \t]")
_SUCH_IDS = "such ids may stand below a header or in JSON"


def below_comments(data):
    """Return the text below comments and blank lines, and its first line number.

    A comment is a line that begins with ``#`` and a blank, or consists only of ``#`` signs. Comments
    elsewhere are handled by `refuse_comments`.

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
    """Reject rows that look like comments.

    A row that begins with ``#`` is a comment for some programs and starts with an id for others. A first row
    is also rejected if it begins with a comment sign of other programs: ``%``, ``//``, ``;``, ``--``, ``!``,
    ``*`` or ``REM``.

    Parameters
    ----------
    path : path
    data : bytes
        The text that `below_comments` returned.
    start : int
        The number of the text's first line in the file.
    header : bool
        Whether the columns have names. If the columns have names, a row may begin with an id such as ``#5``,
        and only rows that `below_comments` would skip are rejected.

    Raises
    ------
    ValueError
        If there is such a row. The message names its line.
    """
    locate = line_of(path, start)
    # A header with semicolons may begin with a semicolon, because the name of a saved index is empty.
    if sign := (_OTHER_SIGNS_ALONE if header else _OTHER_SIGNS).match(data):
        expected = f"expected a row, got one that begins with {sign[1].decode()} and looks like a comment"
        remedy = f"remove it, or write it as '# text'; {_SUCH_IDS}"
        raise ValueError(f"{locate(0)}: {expected}; {remedy}")
    if b"#" not in data:
        return
    is_first_row = not header and data.lstrip(b" \t").startswith(b"#")
    match = (_MARKED_AS_COMMENT if header else _MARKED).search(data)
    if match or is_first_row:
        row = 0 if is_first_row else data.count(b"\n", 0, match.end())
        expected = "expected a row, got one that begins with #"
        remedy = f"comments may stand above the first row, as '# text', and {_SUCH_IDS}"
        raise ValueError(f"{locate(row)}: {expected}; {remedy}")
