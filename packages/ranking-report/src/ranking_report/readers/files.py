"""Text files as bytes, checked; and their rows, read all at once, or one by one where something is wrong."""

import codecs
import csv
import os
import re
import stat
import warnings
from io import BytesIO

import pandas

from ndcg_companion.checks import fail_if, machine_memory
from ndcg_companion.text import escaped
from ranking_report.readers.lines import split_columns
from ranking_report.readers.packed import DAMAGED, packing, unpacked

PARQUET = b"PAR1"  # what such files begin with
# What begins so is no text, and has a name.
_OTHERS = {
    re.escape(PARQUET): "Parquet",
    rb"\x1f[\x9d\xa0]": "data packed by compress; unpack it first",
    rb"PK(\x03\x04|\x05\x06)": "a ZIP archive; unpack it first",
    rb"7z\xbc\xaf\x27\x1c": "a 7-Zip archive; unpack it first",
    rb"\x89HDF\r\n": "HDF5",
    rb"SQLite format 3\0": "an SQLite database",
}

LIMIT = "COMPANION_MEMORY"  # the variable that says how much memory one file may take, such as 32G
# Bytes of memory beside those of the text, each somewhat more than measured: for each row of a file, and for
# each field where all rows are read at once, or one by one.
_ROW, _AT_ONCE, _ONE_BY_ONE = 250, 50, 150
_RATIO, _SMALL = 100, 2**26  # text packs to a tenth; what unpacks to more than this may be made to harm
_CHUNK = 2**24


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
    found = re.fullmatch(r"([0-9]{1,15}(?:\.[0-9]{1,3})?)([KMGT]?)", given)
    fail_if(given and not found, f"{LIMIT}={escaped(given)}: expected a number of bytes, such as 32G")
    if found:
        return int(float(found[1]) * 1024 ** " KMGT".index(found[2] or " "))
    return (machine_memory() or 8 * 2**30) // 2


def check_size(path, text, rows=0, packed=None, row=_ROW):
    """Refuse a file that would take too much memory, or that was packed to do so, before it is in memory.

    Parameters
    ----------
    path : path
    text : int
        Bytes of its text, unpacked, as far as they are known.
    rows : int
        And its rows.
    packed : int, optional
        Its bytes on the disk, if they are fewer.
    row : int
        Bytes of memory that a row takes beside its text.
    """
    limit = memory_limit()
    got = f"{_size(text)}" + (f" in {rows:,} rows" if rows else "")
    fail_if(
        text + row * rows > limit,
        f"{named(path)}: expected a file that takes at most {_size(limit)} of memory, got one with {got} or "
        f"more; the variable {LIMIT}={_size(4 * limit, '')} raises the limit",
    )
    fail_if(
        packed is not None and text > max(_SMALL, _RATIO * packed) and not os.environ.get(LIMIT),
        f"{named(path)}: expected a file that unpacks to at most {_RATIO} times its {_size(packed or 0)}, "
        f"got {got} or more; the variable {LIMIT}={_size(limit, '')} lets it pass",
    )


def _check_rows(path, data, row=_ROW):
    """Refuse a text whose rows take too much memory, each so many bytes; most files need no count."""
    may_be_many = row * len(data) > memory_limit()  # if each byte were a row
    check_size(path, len(data), _count_rows(data) if may_be_many else 0, row=row)


def _count_rows(data):
    r"""How many lines end in a text: with ``\n``, ``\r`` or both.

    >>> _count_rows(b"a\nb\rc\r\nd")
    3
    """
    returns = data.count(b"\r")
    return data.count(b"\n") + returns - (data.count(b"\r\n") if returns else 0)


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


def read_opening(path):
    """What is in a file, which is opened once and so may be a pipe; of Parquet on a disk only its mark."""
    with open(path, "rb") as file:
        data = file.read(len(PARQUET))
        return data if data == PARQUET and file.seekable() else _rest(path, file, data)


def _rest(path, file, data=b""):
    """All bytes of an open file: those that were read already, then the rest."""
    about = os.fstat(file.fileno())
    if stat.S_ISREG(about.st_mode):
        check_size(path, about.st_size)
        file.seek(0)
        return file.read()
    parts = [data]
    while chunk := file.read(_CHUNK):  # nobody knows how much a pipe holds
        parts.append(chunk)
        check_size(path, sum(map(len, parts)))
    return b"".join(parts)


def unpack(path, data):
    """Data as they were before they were packed, at most twice; refused while they grow too large."""
    for packed in [len(data)] * 2:
        if not packing(data):
            break
        data = _unpacked(path, data, packed)
    fail_if(packing(data), f"{named(path)}: expected data packed at most twice")
    return data


def _unpacked(path, data, packed):
    """Data unpacked once; ``packed`` is how many bytes the file has, which bounds what may come out."""
    parts, text, rows = [], 0, 0
    try:
        for chunk in unpacked(data, _CHUNK, memory_limit()):
            parts.append(chunk)
            text, rows = text + len(chunk), rows + _count_rows(chunk)
            check_size(path, text, rows, packed)
    except DAMAGED as error:
        expected = f"expected whole {packing(data)} data, got it cut short or damaged"
        raise ValueError(f"{named(path)}: {expected} ({error})") from None
    return b"".join(parts)


def read_bytes(path, expected, data=None):
    """What is in a file, unpacked if it is packed; refused if it is empty, cut short or not UTF-8 text.

    And if it would take more memory than `memory_limit`. The file is not opened if its bytes are given.
    """
    if data is None:
        with open(path, "rb") as file:
            data = _rest(path, file)
    if packing(data):
        data = unpack(path, data)
    else:
        _check_rows(path, data)
    for mark, what in _OTHERS.items():
        fail_if(re.match(mark, data), f"{named(path)}: expected {expected}, got {what}")
    other = wide_encoding(data)
    fail_if(other, f"{named(path)}: expected UTF-8 text, got {other}; save the file as UTF-8")
    # The byte-order mark of UTF-8 says nothing; that of another encoding is no UTF-8.
    data = data.removeprefix(b"\xef\xbb\xbf")
    fail_if(not data or data.isspace(), f"{named(path)}: expected {expected}, got an empty file")
    try:
        if b"\0" in data or not data.isascii():
            data.replace(b"\0", b"\xff").decode()  # a zero is no text either
    except UnicodeDecodeError as error:
        place = f"{named(path)}, line {data[: error.start].count(10) + 1}"
        raise ValueError(f"{place}: expected UTF-8 text, got the byte 0x{data[error.start]:02x}") from None
    return data


def wide_encoding(data):
    """UTF-16 or UTF-32 if bytes begin as text in it does, with its byte-order mark or without; else empty.

    >>> [wide_encoding("q1 0 d1 1".encode(name)) for name in ("utf-16", "utf-16-be", "utf-32-le", "utf-8")]
    ['UTF-16', 'UTF-16', 'UTF-32', '']
    """
    if data.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        return "UTF-32"
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "UTF-16"
    # Signs of ASCII with zeros between them.
    zeros = "".join("0" if byte == 0 else "x" for byte in data[:8])
    return {"000x000x": "UTF-32", "x000x000": "UTF-32", "0x0x0x0x": "UTF-16", "x0x0x0x0": "UTF-16"}.get(
        zeros, ""
    )


def is_json(data):
    """Whether bytes begin as JSON does: with a brace, or the bracket of a list.

    >>> is_json(b' {"q1": {"d1": 1}}'), is_json(b"q1 0 d1 1")
    (True, False)
    """
    return data[:1000].lstrip()[:1] in (b"{", b"[")


_COMMENT = re.compile(rb"[ \t]*#([ \t#]|$)")
_MARKED = re.compile(rb"[\r\n][ \t]*#")
_MARKED_AS_COMMENT = re.compile(rb"[\r\n][ \t]*#(?=[ \t#\r\n]|$)")
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
    at, start = 0, 1
    while (end := data.find(b"\n", at)) >= 0:
        line = data[at:end].rstrip()
        if line and not _COMMENT.match(line):
            break
        at, start = end + 1, start + 1
    return data[at:], start


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
    # The names of columns between semicolons may begin with that of an index, which is empty.
    if sign := (_OTHER_SIGNS_ALONE if header else _OTHER_SIGNS).match(data):
        expected = f"expected a row, got one that begins with {sign[1].decode()} and looks like a comment"
        remedy = f"remove it, or write it as '# text'; {_SUCH_IDS}"
        raise ValueError(f"{line_of(path, start)(0)}: {expected}; {remedy}")
    if b"#" not in data:
        return
    marked = (_MARKED_AS_COMMENT if header else _MARKED).search(data)
    end = marked.end() if marked else None
    if not header and data.lstrip(b" \t").startswith(b"#"):
        end = 0
    if end is not None:
        place = line_of(path, start)(_count_rows(data[:end]))
        expected = "expected a row, got one that begins with #"
        remedy = f"comments may stand above the first row, as '# text', and {_SUCH_IDS}"
        raise ValueError(f"{place}: {expected}; {remedy}")


def line_of(path, start=1):
    """The words for a row, counted from 0, of a file that has one row a line."""
    return lambda row: f"{named(path)}, line {row + start}"


def read_columns(path, data, names, parsers, *, start=1, mark=None, kinds="iuf", passed_over=()):
    """Columns by name of a text with one row a line; ValueError with the line that cannot be read.

    Parameters
    ----------
    path : path
        Of the file, for messages.
    data : bytes
    names : sequence of str
    parsers : dict of str to callable
        For columns of numbers, from the text of a field to its number, or a ValueError with what was
        expected; `str` for numbers of which nothing is expected. The others are texts.
    start : int
        The line of the file on which the first row stands.
    mark : str, optional
        What separates the fields, as in CSV, instead of blanks and tabs.
    kinds : str
        The kinds of NumPy's types that a column of numbers may have.
    passed_over : collection of str
        Columns of which nothing is wanted, and which may be missing from what is returned.
    """
    _check_rows(path, data, _AT_ONCE * len(names))
    if mark is None and (found := _read_split(data, names, parsers, kinds, passed_over)):
        return found
    if found := read_at_once(data, names, parsers, mark, kinds):
        return found
    _check_rows(path, data, _ONE_BY_ONE * len(names))
    return read_line_by_line(data, names, parsers, line_of(path, start), mark)


def _read_split(data, names, parsers, kinds, passed_over=()):
    """The columns of a text between blanks, texts as bytes; None if it needs another reader."""
    places = lambda wanted: {at for at, name in enumerate(names) if name in wanted}
    columns = split_columns(data, len(names), places(parsers), places(passed_over))
    named = dict(zip((name for name in names if name not in passed_over), columns or ()))
    right = columns and all(
        column.dtype.kind in kinds or column.dtype.kind == "S" and name not in parsers
        for name, column in named.items()
    )
    return named if right else None


def read_at_once(data, names, parsers, mark=None, kinds="iuf"):
    """The columns as pandas reads them; None if one of them may be anything but right."""
    form = {"sep": mark} if mark else {"sep": r"\s+", "quoting": csv.QUOTE_NONE}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", pandas.errors.ParserWarning)  # fields that it would leave out
            frame = pandas.read_csv(
                BytesIO(data),
                header=None,
                names=names,
                dtype={name: object for name in names if name not in parsers},
                na_filter=False,
                skip_blank_lines=False,
                index_col=False,
                low_memory=False,
                **form,
            )
    except (ValueError, pandas.errors.ParserWarning):
        return None
    right = (
        len(frame) == data.count(b"\n") + 1
        and all(frame[name].dtype.kind in kinds for name in parsers if parsers[name] is not str)
        and not (frame[names[-1]] == "").any()  # which may not be there at all
        and (mark or not (b"\x0b" in data or b"\x0c" in data))  # blanks to Python alone
    )
    return {name: frame[name].to_numpy() for name in names} if right else None


def read_line_by_line(data, names, parsers, place, mark=None):
    """The columns, read field by field; a ValueError says which line is bad and why."""
    rows, wanted = [], escaped((mark or " ").join(names), 200)
    for row, line in enumerate(data.splitlines()):
        try:
            fields = _split(line, mark)
            fail_if(mark and not fields, f"expected a value of {names[0]}, got nothing")
            fail_if(len(fields) != len(names), f"expected {len(names)} fields ({wanted}), got {len(fields)}")
            rows.append([parsers.get(name, str)(field) for name, field in zip(names, fields)])
        except csv.Error as error:
            raise ValueError(f"{place(row)}: expected CSV, got what cannot be read: {error}") from None
        except ValueError as error:
            raise ValueError(f"{place(row)}: {error}") from None
    frame = pandas.DataFrame(rows, columns=names, dtype=object).infer_objects()
    return {name: frame[name].to_numpy() for name in names}


def _split(line, mark=None):
    """The fields of a line, between marks as in CSV or between the blanks of ASCII.

    >>> _split(b'a,"b, c"', ","), _split(b"a  b")
    (['a', 'b, c'], ['a', 'b'])
    """
    if mark is None:
        return [*map(bytes.decode, line.split())]
    return next(csv.reader([line.decode()], delimiter=mark), [])


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
    return float(digits_of(text))


def digits_of(text):
    """The text, refused if it holds what Python alone takes for part of a number.

    >>> digits_of("٣")
    Traceback (most recent call last):
    ...
    ValueError: expected a number, got '٣'
    """
    fail_if("_" in text or not text.isascii(), f"expected a number, got '{escaped(text)}'")
    return text


def reader(read, refusal):
    """A function that reads a field, and refuses what it cannot read in the words of ``refusal``.

    >>> reader(number, lambda text: f"expected a price, got {text}")("dear")
    Traceback (most recent call last):
    ...
    ValueError: expected a price, got dear
    """

    def parser(text):
        try:
            return read(text)
        except (ValueError, OverflowError):
            raise ValueError(refusal(text)) from None

    return parser
