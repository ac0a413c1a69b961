"""Recognize the format of a file by its content."""

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
_JSON = re.compile(rb'\s*\{\s*["}]')  # no line of a TREC file begins like this
_JSON_LIST = re.compile(rb'\s*\[\s*["\[{]')  # and none begins like this
_BYTES_PER_PART = 350  # of memory for each name, value or container in JSON, which is more than measured


class Sniffed(NamedTuple):
    """The content of a file, with its recognized kind.

    Attributes
    ----------
    kind : {"table", "lines", "letor"}
    content : Table or Text
        The content, which consists of the named columns of a table (from a header, Parquet or JSON), or else
        of lines.
    """

    kind: str
    content: Table | Text

    def rows(self, kind):
        """Return the tag of a run or None, and the `Rows` of labels or scores."""
        if self.kind == "table":
            return None, self.content.rows(kind)
        return rows_of_lines(self.content, kind)


def sniff(path, expected):
    """Return the content of a file, with its recognized format.

    Parameters
    ----------
    path : path
    expected : str
        The expected content, for messages.

    Returns
    -------
    Sniffed

    Raises
    ------
    OSError
        If the file cannot be opened.
    ValueError
        If the file is not text, or if it contains JSON that is not a mapping.
    """
    data = read_opening(path)
    if data.startswith(PARQUET):
        return Sniffed("table", table_of_parquet(path, data))
    text = read_text(path, expected, data)
    if _JSON.match(text.data[:1000]):
        return Sniffed("table", table_of_mapping(_json(path, text.data), text.source))
    message = f"{text.locate(0)}: expected {expected}, got JSON of another shape"
    fail_if(_JSON_LIST.match(text.data[:1000]), message)
    if header := header_of(text.first_line):
        return Sniffed("table", table_of_text(text, *header))
    is_letor = "".join(text.first_line.split()[1:2]).startswith("qid:") or sizes_beside(text)
    return Sniffed("letor" if is_letor else "lines", text)


def read_table(path: FilePath | pandas.DataFrame, *, thresholds: Sequence[float] = (100, 1001)) -> Rankings:
    """Return the `Rankings` of a table with labels and scores.

    Parameters
    ----------
    path : path, or pandas DataFrame
        The table, which has the columns query, item, label or clicks, and ``score_NAME`` for each system.
    thresholds : sequence of int
        The thresholds for a table with clicks (see `click_labels`).

    Returns
    -------
    Rankings

    Raises
    ------
    OSError
        If the file cannot be opened.
    ValueError
        If a column is missing, unknown or given twice. If a row has too few or too many fields, or an empty
        field. If a label, a number of clicks or a score is not a number, or if a label is below 0. If an item
        appears twice for a query. If the data are not UTF-8 or are cut short. The message names the file and
        the line (or, in Parquet, the row).
    ModuleNotFoundError
        If the file is Parquet and pyarrow is not installed.

    Notes
    -----
    A CSV file has a header, its fields are separated by commas, and its encoding is UTF-8. The file may be
    compressed, and there may be comments (``# text``) above the header. A file that begins like Parquet is
    read as Parquet, which needs the extra ``parquet``. Columns and rows may be in any order, and the items of
    a query keep the order of the file. Ids stay as they are written (``007`` is not ``7``). Every row counts
    as judged. The score ``-inf`` means that the system did not retrieve the item. A column of times, and row
    numbers that pandas wrote, are ignored.

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
    """Return the `Table` of a Parquet file, or of text whose first line is a header.

    If no separator is recognized, a comma is assumed.
    """
    data = read_opening(path)
    if data.startswith(PARQUET):
        return table_of_parquet(path, data)
    text = read_text(path, f"a header with {tables.EXPECTED}", data)
    return table_of_text(text, *(header_of(text.first_line) or (text.first_line.split(","), ",")))


def read_file(path, kind):
    """Return the tag and the `Rows` of a file of judgments or of a run.

    The tag is None if the file has none.

    Parameters
    ----------
    path : path
    kind : {"label", "score"}

    Raises
    ------
    ValueError
        If the format is unknown or the content cannot be read. The message names the file and the line.
    """
    return sniff(path, EXPECTED[kind]).rows(kind)


def header_of(line):
    """Return the column names and the separator of a header, or None.

    A separator of None stands for blanks.

    >>> header_of("query-id\\tcorpus-id\\tscore")
    (['query-id', 'corpus-id', 'score'], '\\t')
    >>> header_of("qid docno  score"), header_of("301 0 d1 1")
    ((['qid', 'docno', 'score'], None), None)
    """
    for separator in ",\t;|":
        try:
            names = next(csv.reader([line], delimiter=separator), [])
        except csv.Error:
            continue
        if len(names) > 1 and (has_pair(names) or is_nearly(names)):
            return names, separator
    names = line.split()
    return (names, None) if is_nearly(names) or has_pair(names) and not has_number(names) else None


def _json(path, data):
    """Return the content of JSON, in which no name may be repeated."""
    part_count = sum(map(data.count, (b":", b",", b"[", b"{")))  # one of these is beside each value
    check_size(path, len(data), part_count, row=_BYTES_PER_PART)
    try:
        return json.loads(data, object_pairs_hook=lambda pairs: _without_repeats(path, pairs))
    except RecursionError:
        raise ValueError(
            f"{named(path)}: expected JSON {{query: {{item: number}}}}, got deeper nesting"
        ) from None
    except json.JSONDecodeError as error:
        line = f"{named(path)}, line {error.lineno}"
        raise ValueError(f"{line}: expected complete JSON, got {error.msg}") from None


def _without_repeats(path, pairs):
    """Return the mapping that given pairs of names and values in JSON form.

    Raises
    ------
    ValueError
        If a name appears twice.
    """
    by_name = dict(pairs)
    if len(by_name) < len(pairs):
        repeated_name = escaped(duplicates(name for name, _ in pairs)[0])
        raise ValueError(
            f"{named(path)}: expected each name once in an object of the JSON, got {repeated_name} twice"
        )
    return by_name
