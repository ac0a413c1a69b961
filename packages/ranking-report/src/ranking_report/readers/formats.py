"""Files of judgments and of runs, each read as what it holds: nobody has to say which format it is."""

import csv
import json
import re
from io import BytesIO

import numpy as np

from ndcg_companion.checks import duplicates, fail_if
from ndcg_companion.text import escaped
from ranking_report.readers import cbor
from ranking_report.readers.columns import RANK, choose, has_number, has_pair, is_nearly, rank_beside
from ranking_report.readers.files import (
    PARQUET,
    below_comments,
    check_size,
    line_of,
    named,
    number,
    read_bytes,
    read_columns,
    read_opening,
    reader,
    refuse_comments,
    unpack,
)
from ranking_report.readers.joining import Rows
from ranking_report.readers.tables import read_parquet
from ranking_report.readers.trec import judgments_of, refuse_fractions, refuse_times, run_of, seen_as_times
from ranking_report.readers.values import refusal_of, rows_of_value, rows_with

EXPECTED = {
    "label": "TREC judgments (query iteration document grade), three columns (query document grade), a "
    "header such as query,item,label, JSON {query: {item: grade}}, or Parquet",
    "score": "a TREC run (query Q0 document rank score tag, or without tag), three columns (query document "
    "rank), four (query document rank score), a header such as query,item,score or query,item,rank, JSON "
    "{query: {item: score}}, or Parquet",
}
ALONE = "expected no systems beside a table, whose columns score_NAME are the systems"
_JSON = re.compile(rb'\s*\{\s*["}]')  # which no line of TREC begins with
_JSON_LIST = re.compile(rb'\[\s*["\[{]')  # nor with this
_ENTRY = 700  # bytes of memory for each number of a mapping, more than measured
_COUNTED = "with the ranks of each query counted from 1 or 0 without a gap"
_RANKS = "rise from line to line in every query, as ranks, or fall, as scores"
_SAY_WHICH = "a header such as query,item,score or query,item,rank says which"


def read_file(path, kind, data=None):
    """The tag of a file of judgments or of a run, None if it has none, and its `Rows`.

    Parameters
    ----------
    path : path
    kind : {"label", "score"}
    data : bytes, optional
        What `read_opening` gave of the file, if that was done already.

    Raises
    ------
    ValueError
        Naming file and line, for what is none of the formats, and for what cannot be read.
    """
    data = read_opening(path) if data is None else data
    if data.startswith(PARQUET):
        return None, _of_parquet(path, data, kind)
    data = unpack(path, data)
    if cbor.is_mapping(data):
        return None, rows_of_value(_cbor(path, data), kind, named(path))
    data = read_bytes(path, EXPECTED[kind], data).rstrip()
    if is_json_mapping(data):
        return None, rows_of_value(_json(path, data), kind, named(path))
    data, start = below_comments(data)
    another = f"{line_of(path, start)(0)}: expected {EXPECTED[kind]}, got JSON of another shape"
    fail_if(_JSON_LIST.match(data[:1000].lstrip()), another)
    line = BytesIO(data).readline().rstrip(b"\r\n")
    if found := header_of(line.decode()):
        return None, _of_columns(path, data, kind, *found, start)
    fields = line.split()
    if len(fields) == 3:
        return None, _of_three(path, data, kind, start)
    if kind == "score" and len(fields) == 4 and fields[2].isdigit():
        return None, _of_four(path, data, start)
    return (None, judgments_of(path, data, start)) if kind == "label" else run_of(path, data, start)


def is_json_mapping(data):
    """Whether bytes begin as a mapping does in JSON, which no line of TREC does.

    >>> is_json_mapping(b'{"q1": {"d1": 1}}'), is_json_mapping(b"{q1} 0 d1 1")
    (True, False)
    """
    return bool(_JSON.match(data))


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


def _chosen(path, names, kind):
    """The three columns of a file; a table of judgments with the scores beside them is another thing."""
    systems = [name for name in names if name.startswith("score_")]
    fail_if(kind == "label" and systems, f"{named(path)}: {ALONE}")
    return choose(names, kind, f"{named(path)}, header")


def _of_columns(path, data, kind, names, mark, start):
    """`Rows` of columns with a header on the line ``start``, others than the three passed over."""
    body = data.partition(b"\n")[2]
    chosen = query, item, value = _chosen(path, names, kind)
    beside = rank_beside(names, chosen, kind)
    fail_if(not body, f"{named(path)}: expected rows, got a header alone")
    refuse_comments(path, data, start, header=True)
    read = {value: _value(RANK if value == RANK else kind), **dict.fromkeys(beside, str)}
    columns = read_columns(path, body, names, read, start=start + 1, mark=mark)
    query, item, numbers = (columns[name] for name in (query, item, value))
    ranks = columns[beside[0]] if beside else None
    return rows_with(named(path), query, item, value, numbers, kind, line_of(path, start + 1), ranks)


def _of_three(path, data, kind, start):
    """`Rows` of three columns without a header.

    The third holds the grades of judgments, whole numbers as those of four columns, which are refused if they
    are times or dates; of a run it holds scores or, as in MS MARCO, ranks.
    """
    names = ("query", "document", "grade" if kind == "label" else "rank")
    refuse_comments(path, data, start)
    read = {names[2]: _value(kind)}
    query, item, values = read_columns(path, data, names, read, start=start).values()
    place = line_of(path, start)
    rows = Rows(named(path), query, item, {kind: values}, place)
    if kind == "score":
        rows.numbers["score"] = _from_ranks(rows.query.codes, values, place)
    else:
        refuse_fractions(values, place)
        refuse_times(values, place, "query document grade")
    return rows


def _of_four(path, data, start):
    """`Rows` of the lines ``query document rank score`` of a run, as ColBERT writes it.

    They could be judgments, or ratings of a recommender. So the ranks of each query must be 1, 2, … or
    0, 1, … in any order, and there must be more than one document.
    """
    place, names = line_of(path, start), ("query", "document", "rank", "score")
    refuse_comments(path, data, start)
    read = {"rank": _value("rank"), "score": _value("score")}
    query, item, ranks, scores = read_columns(path, data, names, read, start=start).values()
    rows = Rows(named(path), query, item, {"score": scores}, place)
    codes = rows.query.codes
    expected = f"{{}}: expected '{' '.join(names)}', {_COUNTED}, or 'query Q0 document rank score tag'"
    if (row := _miscounted(codes, ranks)) is not None:
        raise ValueError(f"{expected.format(place(row))}, got rank {ranks[row]}")
    one_document = len(rows.item.texts) == 1 < len(codes)
    fail_if(one_document, f"{expected.format(place(0))}, got one document in all lines: are they judgments?")
    rows.compare_ranks(ranks)
    seen = "scores that rise with the ranks" if rows.contradicted > 0.5 else None
    seen = seen_as_times("scores", scores) or seen
    fail_if(seen, f"{expected.format(place(0))}, got {seen}")
    return rows


def _miscounted(query, ranks):
    """The first row whose rank is not one of 1, 2, … or 0, 1, … in its query, in any order; None if all are.

    >>> _miscounted(np.array([0, 0, 1]), np.array([2, 1, 0]))
    >>> _miscounted(np.array([0, 0, 1]), np.array([1, 2, 3]))
    2
    """
    order = np.lexsort((ranks, query))
    begins = np.append(True, query[order][1:] != query[order][:-1])
    lowest = ranks[order][begins][begins.cumsum() - 1]
    count = np.arange(len(order)) - np.flatnonzero(begins)[begins.cumsum() - 1]
    wrong = (ranks[order] - lowest != count) | ~np.isin(lowest, (0, 1))
    return int(order[wrong].min()) if wrong.any() else None


def _from_ranks(query, values, place):
    """Scores, from what may be ranks: those rise within each query, from 1 or 0 on, where scores fall.

    Parameters
    ----------
    query : ndarray of int
    values : ndarray
    place : callable
        From the number of a row to where it stands.

    Raises
    ------
    ValueError
        For whole numbers that rise but do not count, and for those that rise here and fall there.

    Examples
    --------
    >>> _from_ranks(np.array([0, 0, 1]), np.array([1, 2, 1]), str).tolist()
    [-1, -2, -1]
    >>> _from_ranks(np.array([0, 0, 1]), np.array([0.9, 0.7, 0.8]), str).tolist()
    [0.9, 0.7, 0.8]
    >>> _from_ranks(np.array([0, 0, 1]), np.array([1.0, 2.0, 1.0]), str).tolist()
    [-1, -2, -1]
    """
    order = query.argsort(kind="stable")
    steps = np.diff(values[order])[query[order][1:] == query[order][:-1]]
    if not len(steps):  # one document a query, which is the first whatever its number is
        return values
    whole = values.dtype.kind in "iu" or (values == np.round(values)).all()  # also if written as 1.0
    if whole and (steps >= 0).all() and steps.any():
        row = _miscounted(query, values)
        got = f"got {values[row or 0]:g}: are they scores that rise, or ranks with gaps or ties?"
        expected = f"expected whole numbers that rise from line to line to be ranks, {_COUNTED}"
        fail_if(row is not None, f"{place(row or 0)}: {expected}, {got} {_SAY_WHICH}")
        return -values.astype(np.int64)
    fail_if(
        values.dtype.kind in "iu" and not (steps <= 0).all(),
        f"{place(0)}: expected whole numbers in the third column that {_RANKS}, got both; {_SAY_WHICH}",
    )
    return values


def _json(path, data):
    """What JSON holds, each name once."""
    check_size(path, len(data), data.count(b":"), row=_ENTRY)
    try:
        return json.loads(data, object_pairs_hook=lambda pairs: _once(path, pairs))
    except RecursionError:
        raise ValueError(f"{named(path)}: expected JSON {{query: {{item: number}}}}, got it deeper") from None
    except json.JSONDecodeError as error:
        raise ValueError(
            f"{named(path)}, line {error.lineno}: expected whole JSON, got {error.msg}"
        ) from None


def _cbor(path, data):
    """What CBOR holds, as in ranx's files packed by LZ4."""
    check = lambda rows: check_size(path, len(data), rows, row=_ENTRY)
    check(0)
    try:
        return cbor.read_mapping(data, check)
    except UnicodeDecodeError:
        raise ValueError(f"{named(path)}: expected whole CBOR, got a name that is not UTF-8") from None
    except ValueError as error:
        if str(error).startswith(named(path)):
            raise
        raise ValueError(f"{named(path)}: expected CBOR {{query: {{item: number}}}}: {error}") from None


def _once(path, pairs):
    """A mapping of pairs of JSON; ValueError for a name that is given twice."""
    by_name = dict(pairs)
    if len(by_name) < len(pairs):
        twice = duplicates(name for name, _ in pairs)[0]
        raise ValueError(
            f"{named(path)}: expected each name once in its part of the JSON, got {escaped(twice)} twice"
        )
    return by_name


def _of_parquet(path, data, kind):
    """`Rows` of long Parquet, as ranx and DataFrames write it."""
    file = path if data == PARQUET else BytesIO(data)
    choose = lambda names: [*_chosen(path, names, kind)]
    spare = lambda names: rank_beside(names, choose(names), kind)
    frame = read_parquet(path, file, choose, lambda kept: kept[:2], spare=spare)
    return rows_of_value(frame, kind, named(path))


def _value(kind):
    return reader(number, lambda text: refusal_of(kind, text))
