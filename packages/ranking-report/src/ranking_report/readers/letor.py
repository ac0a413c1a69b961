"""Read the lines of learning-to-rank data, which have a label and then features.

The query of a line is given by ``qid:QUERY``. Otherwise, a second file in the same folder contains the sizes
of the queries.
"""

import os
import re

from ndcg_companion.checks import fail_if
from ranking_report.readers.files import named
from ranking_report.readers.rows import Rows
from ranking_report.readers.texts import read_text
from ranking_report.readers.values import check_numbers, refuse_first

_LINE = "label qid:QUERY 1:VALUE 2:VALUE …"
_QUERY = re.compile(r"qid:([0-9]{1,18})")
# The suffixes of the files in which LightGBM and XGBoost store the sizes of the queries.
_SIZES = (".query", ".group")


def sizes_beside(text):
    """Return the path of the file with the sizes of the queries, or None.

    LightGBM and XGBoost use such files. A file counts only if it consists of integers.
    """
    for path in (f"{text.path}{suffix}" for suffix in _SIZES):
        if (
            os.path.isfile(path)
            and read_text(path, "sizes of queries").data.translate(None, b" \t\r\n").isdigit()
        ):
            return path
    return None


def letor_labels(text):
    """Return the `Rankings` of LETOR lines without scores, and the order of the lines.

    Every item is judged, and its id is the number of its line. Items of the same query are grouped together.
    Text after ``#`` is a comment.
    """
    rows = []
    for number, line in enumerate(text.data.decode().split("\n"), text.start):
        content, *_ = line.partition("#")
        if content.strip():
            fields = [*re.split(r"[\s,]+", content.strip(), maxsplit=2), ""]
            label, query_field = fields[:2]  # the second is empty if it is missing
            rows.append((number, label, query_field))
    fail_if(not rows, f"{text.source}: expected lines of {_LINE!r}, got comments alone")
    line_numbers, labels, query_fields = zip(*rows)
    locate = lambda row: text.locate(line_numbers[row] - text.start)
    sizes_path = None if _QUERY.fullmatch(query_fields[0]) else sizes_beside(text)
    if sizes_path:
        queries = _queries_of_sizes(sizes_path, len(labels), text.source)
        columns = f"label first, sizes of queries in {named(sizes_path)}"
    else:
        queries, columns = [], "label, qid"
        for row, query_field in enumerate(query_fields):
            query = _QUERY.fullmatch(query_field)
            expected = f"{locate(row)}: expected {_LINE!r}"
            fail_if(not query, f"{expected}, got no integer query id in the second field")
            queries.append(query[1])
    labels = check_numbers(labels, "label", locate).astype(float)
    refuse_first(labels < 0, locate, "a label >= 0", labels)
    return Rows(text.source, queries, line_numbers, labels, locate, columns).in_order({})


def _queries_of_sizes(path, count, source):
    """Return the query of each line, given sizes that must add up to ``count``."""
    sizes = [int(size) for size in read_text(path, "sizes of queries").data.split()]
    fail_if(
        sum(sizes) != count,
        f"{named(path)}: expected sizes of queries that add up to the {count:,} lines of {source}, got "
        f"{sum(sizes):,}",
    )
    return [str(query) for query, size in enumerate(sizes, start=1) for _ in range(size)]
