"""Text files as bytes, checked; and their rows, read all at once, or one by one where something is wrong."""

import csv
import gzip
import warnings
import zlib
from io import BytesIO
from pathlib import Path

import pandas

from ndcg_companion.measures.checks import fail_if
from ndcg_companion.text import shown

PARQUET = b"PAR1"  # what such files begin with


def named(path):
    """A file's name for messages, whatever is in it."""
    return shown(path, most=300)


def read_opening(path):
    """What is in a file, which is opened once and so may be a pipe; of Parquet on a disk only its mark."""
    with open(path, "rb") as file:
        data = file.read(len(PARQUET))
        return data if data == PARQUET and file.seekable() else data + file.read()


def read_bytes(path, expected, data=None):
    """What is in a file, unpacked if it is gzipped; refused if it is empty, cut short or not UTF-8 text.

    The file is not opened if its bytes are given.
    """
    data = Path(path).read_bytes() if data is None else data
    try:
        data = gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
    except (EOFError, OSError, zlib.error) as error:
        expected = "expected whole gzip data, got it cut short or damaged"
        raise ValueError(f"{named(path)}: {expected} ({error})") from None
    # The byte-order mark of UTF-8 says nothing; that of another encoding is no UTF-8.
    data = data.removeprefix(b"\xef\xbb\xbf")
    fail_if(not data.strip(), f"{named(path)}: expected {expected}, got an empty file")
    try:
        data.replace(b"\0", b"\xff").decode()  # a zero is no text either
    except UnicodeDecodeError as error:
        place = f"{named(path)}, line {data[: error.start].count(10) + 1}"
        raise ValueError(f"{place}: expected UTF-8 text, got the byte 0x{data[error.start]:02x}") from None
    return data


def line_of(path, start=1):
    """The words for a row, counted from 0, of a file that has one row a line."""
    return lambda row: f"{named(path)}, line {row + start}"


def read_columns(data, names, parsers, place, *, commas=False, kinds="iuf"):
    """Columns by name of a text with one row a line; ValueError with the line that cannot be read.

    Parameters
    ----------
    data : bytes
    names : sequence of str
    parsers : dict of str to callable
        For columns of numbers, from the text of a field to its number, or a ValueError with what was
        expected; `str` for numbers of which nothing is expected. The others are texts.
    place : callable
        From the number of a row to where it stands.
    commas : bool
        Whether fields are those of CSV, instead of being separated by blanks and tabs.
    kinds : str
        The kinds of NumPy's types that a column of numbers may have.
    """
    return read_at_once(data, names, parsers, commas, kinds) or read_line_by_line(
        data, names, parsers, place, commas
    )


def read_at_once(data, names, parsers, commas=False, kinds="iuf"):
    """The columns as pandas reads them; None if one of them may be anything but right."""
    form = {"sep": ","} if commas else {"sep": r"\s+", "quoting": csv.QUOTE_NONE}
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
        and (commas or not (b"\x0b" in data or b"\x0c" in data))  # blanks to Python alone
    )
    return {name: frame[name].to_numpy() for name in names} if right else None


def read_line_by_line(data, names, parsers, place, commas=False):
    """The same, and a ValueError that says which line is bad and why."""
    rows, wanted = [], shown(("," if commas else " ").join(names), 200)
    for row, line in enumerate(data.splitlines()):
        try:
            fields = next(csv.reader([line.decode()]), []) if commas else [*map(bytes.decode, line.split())]
            fail_if(commas and not fields, f"expected a value of {names[0]}, got nothing")
            fail_if(len(fields) != len(names), f"expected {len(names)} fields ({wanted}), got {len(fields)}")
            rows.append([parsers.get(name, str)(field) for name, field in zip(names, fields)])
        except csv.Error as error:
            raise ValueError(f"{place(row)}: expected CSV, got what cannot be read: {error}") from None
        except ValueError as error:
            raise ValueError(f"{place(row)}: {error}") from None
    frame = pandas.DataFrame(rows, columns=names, dtype=object).infer_objects()
    return {name: frame[name].to_numpy() for name in names}


def number(text):
    """The number that a field holds. Python's digit separator is taken for part of one by nobody else.

    >>> number("1e3")
    1000.0
    """
    return float(text.replace("_", "?"))


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
