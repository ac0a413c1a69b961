"""Read text with one row per line as columns.

A fast reader reads all rows at once. If the fast reader fails, a slow reader reads line by line and reports
which line is wrong.
"""

import csv
import warnings
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from io import BytesIO

import pandas

from ndcg_companion.checks import fail_if
from ndcg_companion.data.rankings import FilePath
from ndcg_companion.text import escaped
from ranking_report.readers.files import (
    below_comments,
    check_size,
    line_of,
    named,
    read_bytes,
    refuse_comments,
)
from ranking_report.readers.ids import Coded, coded_texts, codes_of
from ranking_report.readers.tables import Table

_BLANKS = bytes.maketrans(b"\t\v\f", b"   ")
_BLOCK = 2**22  # bytes that Arrow reads at once, which limits the length of a line; larger blocks were slower
_BYTES_PER_FIELD = 150  # of memory if lines are read one by one, which is more than measured


@dataclass(frozen=True)
class Text:
    """The rows of a text file, which start at line ``start``, below any header."""

    path: FilePath
    data: bytes
    start: int = 1

    @cached_property
    def source(self):
        """Return the name of the file in messages."""
        return named(self.path)

    @cached_property
    def locate(self):
        """Return a function that turns a row, counted from 0, into words that locate it."""
        return line_of(self.path, self.start)

    @cached_property
    def first_line(self):
        """Return the first row as it is in the file."""
        return BytesIO(self.data).readline().decode().rstrip("\n")

    def refuse_comments(self, header=False):
        """Reject rows that look like comments, as `refuse_comments` in ``files`` does."""
        refuse_comments(self.path, self.data, self.start, header=header)

    def read(self, names, wanted_names, numbers=(), separator=None):
        """Return some columns by name.

        Parameters
        ----------
        names : sequence of str
            The names of all columns.
        wanted_names : sequence of str
            The names of the columns to return.
        numbers : collection of str
            The names of numeric columns, which are returned as numbers or as texts for `as_numbers`. The
            other columns are returned as `Coded`.
        separator : str, optional
            The separator of the fields, as in CSV. By default, fields are separated by blanks and tabs.

        Raises
        ------
        ValueError
            If the number of fields in a line is wrong. The message names the line.
        """
        can_use_arrow = find_spec("pyarrow") and not _has_hexadecimals(self.data)
        read_columns = _read_with_arrow if can_use_arrow else _read_with_pandas
        # If blanks are the separators, all columns are checked, because no field may be empty.
        names_to_read = wanted_names if separator else names
        for data, sign in self._attempts(separator):
            columns = read_columns(data, names, names_to_read, {*numbers}, sign, separator is not None)
            if columns and (separator or not any(map(_has_gaps, columns.values()))):
                break
        else:  # no attempt was successful
            check_size(self.path, len(data), data.count(b"\n"), row=_BYTES_PER_FIELD * len(names))
            columns = _read_line_by_line(data, names, self.locate, separator)
        names_of_texts = {name for name in numbers if isinstance(columns[name], Coded)}
        return {
            name: columns[name].decoded() if name in names_of_texts else columns[name]
            for name in wanted_names
        }

    def _attempts(self, separator):
        """Yield the data and their separator: first as in the file, then with single blanks."""
        signs = [separator] if separator else [sign for sign in " \t\v\f" if sign.encode() in self.data]
        if len(signs) == 1:
            yield self.data, signs[0]
        if not separator:
            yield single_blanks(self.data), " "


def read_text(path, expected, data=None):
    """Return the rows below the comments of a text file, which `read_bytes` reads."""
    return Text(path, *below_comments(read_bytes(path, expected, data).rstrip()))


def table_of_text(text, names, separator):
    """Return the `Table` of a text whose first row contains the names of the columns."""
    text.refuse_comments(header=True)
    path, rows = text.path, text.data.partition(b"\n")[2]
    fail_if(not rows, f"{named(path)}: expected rows, got a header alone")
    body = Text(path, rows, text.start + 1)
    read = lambda wanted_names, numbers: body.read(names, wanted_names, numbers, separator)
    return Table(named(path), names, read, body.locate, f"{named(path)}, header")


def single_blanks(data):
    r"""Return a text with single blanks between fields and no blanks around lines.

    >>> single_blanks(b"a\t b \n  c d")
    b'a b\nc d'
    """
    data = data.translate(_BLANKS)
    while b"  " in data:
        data = data.replace(b"  ", b" ")
    return data.replace(b" \n", b"\n").replace(b"\n ", b"\n").strip(b" ")


def _has_hexadecimals(data):
    """Return whether there may be numbers like 0x1f, which only Arrow accepts."""
    # A single byte can be found faster.
    return any(sign in data and b"0" + sign in data for sign in (b"x", b"X"))


def _has_gaps(column):
    """Return whether a field is empty.

    A field is empty if two blanks are side by side or if a line is empty.
    """
    return isinstance(column, Coded) and bool((column.codes < 0).any())


def _read_with_arrow(data, names, wanted_names, numeric_names, separator, quoted):
    """Return columns as pyarrow reads them, or None if pyarrow cannot read them.

    Columns that are not numeric are returned as `Coded`.
    """
    import pyarrow as pa
    from pyarrow import csv as arrow

    quote = '"' if quoted else False
    types = {name: pa.string() for name in wanted_names if name not in numeric_names}
    try:
        table = arrow.read_csv(
            pa.py_buffer(data),
            arrow.ReadOptions(column_names=names, block_size=_BLOCK),
            arrow.ParseOptions(delimiter=separator, quote_char=quote, ignore_empty_lines=False),
            memory_pool=pa.system_memory_pool(),
            convert_options=arrow.ConvertOptions(
                check_utf8=False, column_types=types, null_values=[], include_columns=wanted_names
            ),
        )
    except pa.ArrowInvalid:
        return None
    is_number = lambda kind: pa.types.is_integer(kind) or pa.types.is_floating(kind)
    names_of_numbers = {name for name in numeric_names if is_number(table.field(name).type)}
    if names_of_numbers < numeric_names:  # columns of any other type, such as times, are read again as texts
        return _read_with_arrow(data, names, wanted_names, names_of_numbers, separator, quoted)
    if len(table) != data.count(b"\n") + 1:
        return None
    return {
        name: table[name].to_numpy() if name in numeric_names else _coded(table[name])
        for name in wanted_names
    }


def _coded(column):
    """Return a column of Arrow as `Coded`."""
    packed = column.dictionary_encode().combine_chunks()
    return coded_texts(packed.indices.to_numpy(), pandas.Index(packed.dictionary, dtype="str"))


def _read_with_pandas(data, names, wanted_names, numeric_names, separator, quoted):
    """Return columns as pandas reads them, or None if pandas fails or a row is short.

    Parameters
    ----------
    data : bytes
        The rows.
    names, wanted_names : sequence of str
        The names of all columns, and of the columns to return.
    numeric_names : set of str
        The names of the columns to return as numbers. The others are returned as `Coded`.
    separator : str
        The separator of the fields.
    quoted : bool
        Whether fields can be quoted.
    """
    try:
        with warnings.catch_warnings():
            # pandas warns of fields that it would drop.
            warnings.simplefilter("error", pandas.errors.ParserWarning)
            frame = pandas.read_csv(
                BytesIO(data),
                sep=separator,
                quoting=csv.QUOTE_MINIMAL if quoted else csv.QUOTE_NONE,
                header=None,
                names=names,
                dtype={name: "str" for name in names if name not in numeric_names},
                na_filter=False,
                skip_blank_lines=False,
                index_col=False,
                low_memory=False,
            )
    except (ValueError, pandas.errors.ParserWarning):
        return None
    names_of_numbers = {name for name in numeric_names if frame[name].dtype.kind in "iuf"}
    if names_of_numbers < numeric_names:  # read again, with the other columns as text
        return _read_with_pandas(data, names, wanted_names, names_of_numbers, separator, quoted)
    # The data do not end with a newline.
    if len(frame) != data.count(b"\n") + 1 or (frame[names[-1]] == "").any():
        return None
    return {
        name: frame[name].to_numpy() if name in numeric_names else codes_of(frame[name])
        for name in wanted_names
    }


def _read_line_by_line(data, names, locate, separator):
    """Return all columns as `Coded`, by name. A separator of None stands for single blanks.

    Raises
    ------
    ValueError
        If a line has too many or too few fields. The message names the line.
    """
    rows, field_names = [], escaped((separator or " ").join(names), 200)
    expected = f"expected {len(names)} field{'s' if len(names) > 1 else ''} ({field_names})"
    for row, line in enumerate(data.decode().split("\n")):
        try:
            if separator:
                fields = next(csv.reader([line], delimiter=separator), [])
            else:
                fields = line.split(" ") if line else []
        except csv.Error as error:
            raise ValueError(f"{locate(row)}: expected CSV, got what cannot be read: {error}") from None
        fail_if(len(fields) != len(names), f"{locate(row)}: {expected}, got {len(fields)}")
        rows.append(fields)
    return dict(zip(names, map(codes_of, zip(*rows))))
