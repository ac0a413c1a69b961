"""A file is recognized once, by what is in it: nobody has to say which format it is."""

import csv
import json
import re
from collections.abc import Sequence
from os import PathLike
from typing import NamedTuple

import pandas

from ndcg_companion.checks import duplicates, fail_if
from ndcg_companion.data.rankings import FilePath, Rankings
from ndcg_companion.text import escaped
from ranking_report.readers import tables
from ranking_report.readers.columns import has_number, has_pair, is_nearly
from ranking_report.readers.files import PARQUET, check_size, named, read_opening
from ranking_report.readers.letor import sizes_beside
from ranking_report.readers.memory import is_frame, table_of_frame, table_of_mapping
from ranking_report.readers.parquet import table_of_parquet
from ranking_report.readers.tables import Table
from ranking_report.readers.texts import Text, read_text, table_of_text
from ranking_report.readers.trec import rows_of_lines

EXPECTED = {
    "label": "TREC judgments (query iteration document grade), three columns (query document grade), a "
    "header such as query,item,label, JSON {query: {item: grade}}, or Parquet",
    "score": "a TREC run (query Q0 document rank score tag, or without tag), three columns (query document "
    "rank), four (query document rank score), a header such as query,item,score or query,item,rank, JSON "
    "{query: {item: score}}, or Parquet",
}
_JSON = re.compile(rb'\s*\{\s*["}]')  # which no line of TREC begins with
_JSON_LIST = re.compile(rb'\s*\[\s*["\[{]')  # nor with this
_PART = 350  # bytes of memory for each part of JSON between its signs, more than measured


class Sniffed(NamedTuple):
    """What a file is, and what is in it.

    Parameters
    ----------
    kind : {"table", "lines", "letor"}
    content : Table or Text
        Of a table its named columns, from a header, Parquet or JSON; otherwise the lines.
    """

    kind: str
    content: Table | Text

    def rows(self, kind):
        """The tag of a run, None if it has none, and the `Rows` of labels or scores."""
        if self.kind == "table":
            return None, self.content.rows(kind)
        return rows_of_lines(self.content, kind)


def sniff(path, expected):
    """Recognize a file.

    Parameters
    ----------
    path : path
    expected : str
        What the file should hold, for messages.

    Returns
    -------
    Sniffed

    Raises
    ------
    OSError
        For a file that cannot be opened.
    ValueError
        For what is no text, and for JSON that is no mapping.
    """
    data = read_opening(path)
    if data.startswith(PARQUET):
        return Sniffed("table", table_of_parquet(path, data))
    text = read_text(path, expected, data)
    if _JSON.match(text.data[:1000]):
        return Sniffed("table", table_of_mapping(_json(path, text.data), text.source))
    another = f"{text.locate(0)}: expected {expected}, got JSON of another shape"
    fail_if(_JSON_LIST.match(text.data[:1000]), another)
    if header := header_of(text.first_line):
        return Sniffed("table", table_of_text(text, *header))
    is_letor = "".join(text.first_line.split()[1:2]).startswith("qid:") or sizes_beside(text)
    return Sniffed("letor" if is_letor else "lines", text)


def read_table(path: FilePath | pandas.DataFrame, *, thresholds: Sequence[float] = (100, 1001)) -> Rankings:
    """Rankings from a table with the columns query, item, label or clicks, and ``score_NAME``.

    CSV has commas, a header and UTF-8, packed or not, and perhaps comments (``# text``) above; anything that
    starts as Parquet files do is read as Parquet, which needs the extra ``parquet``. Columns may stand in any
    order, and rows too: items of a query come in the order of the file. Ids stay as they are written (``007``
    is not ``7``). Every row is judged; a system that did not retrieve an item scores it ``-inf``. A column of
    times is passed over, and so is that of row numbers which pandas writes.

    Parameters
    ----------
    path : path, or pandas DataFrame
    thresholds : sequence of int
        Of a table with clicks: see `click_labels`.

    Returns
    -------
    Rankings

    Raises
    ------
    OSError
        For a file that cannot be opened.
    ValueError
        Naming file and line (of Parquet, the row), for columns missing, unknown or twice; fields missing or
        left over; an empty field; a label, a click count or a score that is none; a label below zero;
        NaN; an item twice for one query; and data that is no UTF-8 or cut short.
    ModuleNotFoundError
        For Parquet without pyarrow.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "log.csv")
    ...     _ = path.write_text("query,item,clicks,score_old,score_new\\n"
    ...                         "jaguar,d04,3,9.6,-inf\\n"
    ...                         "jaguar,d17,250,11.3,0.82\\n")
    ...     rankings = read_table(path)
    >>> rankings
    Rankings(1 query, 2 items, systems: old, new)
    >>> rankings.items.tolist(), rankings.labels.tolist(), rankings.scores["new"].tolist()
    (['d04', 'd17'], [0, 1], [-inf, 0.82])
    """
    if not isinstance(path, (str, PathLike)):
        got = type(path).__name__
        fail_if(not is_frame(path), f"the table: expected a path or a DataFrame, got {got}")
        return table_of_frame(path, "the table").rankings(thresholds)
    return sniff_table(path).rankings(thresholds)


def sniff_table(path):
    """The `Table` of Parquet, or of a text whose first line is a header, with commas if in doubt."""
    data = read_opening(path)
    if data.startswith(PARQUET):
        return table_of_parquet(path, data)
    text = read_text(path, f"a header with {tables.EXPECTED}", data)
    return table_of_text(text, *(header_of(text.first_line) or (text.first_line.split(","), ",")))


def read_file(path, kind):
    """The tag of a file of judgments or of a run, None if it has none, and its `Rows`.

    Parameters
    ----------
    path : path
    kind : {"label", "score"}

    Raises
    ------
    ValueError
        Naming file and line, for what is none of the formats, and for what cannot be read.
    """
    return sniff(path, EXPECTED[kind]).rows(kind)


def header_of(line):
    """The names of columns and what stands between them, if a line is a header; None otherwise.

    Blanks between the names are told by None, too.

    >>> header_of("query-id\\tcorpus-id\\tscore")
    (['query-id', 'corpus-id', 'score'], '\\t')
    >>> header_of("qid docno  score"), header_of("301 0 d1 1")
    ((['qid', 'docno', 'score'], None), None)
    """
    for mark in ",\t;|":
        try:
            names = next(csv.reader([line], delimiter=mark), [])
        except csv.Error:
            continue
        if len(names) > 1 and (has_pair(names) or is_nearly(names)):
            return names, mark
    names = line.split()
    return (names, None) if is_nearly(names) or has_pair(names) and not has_number(names) else None


def _json(path, data):
    """What JSON holds, each name once."""
    check_size(path, len(data), sum(map(data.count, (b":", b",", b"[", b"{"))), row=_PART)
    try:
        return json.loads(data, object_pairs_hook=lambda pairs: _once(path, pairs))
    except RecursionError:
        raise ValueError(f"{named(path)}: expected JSON {{query: {{item: number}}}}, got it deeper") from None
    except json.JSONDecodeError as error:
        line = f"{named(path)}, line {error.lineno}"
        raise ValueError(f"{line}: expected whole JSON, got {error.msg}") from None


def _once(path, pairs):
    """A mapping of pairs of JSON; ValueError for a name that is given twice."""
    by_name = dict(pairs)
    if len(by_name) < len(pairs):
        twice = escaped(duplicates(name for name, _ in pairs)[0])
        raise ValueError(f"{named(path)}: expected each name once in its part of the JSON, got {twice} twice")
    return by_name
