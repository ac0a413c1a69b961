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
    lines = [
        (number, fields)
        for number, line in enumerate(text.data.decode().split("\n"), text.start)
        if (fields := re.split(r"[\s,]+", line.partition("#")[0].strip(), maxsplit=2)[:2]) != [""]
    ]
    fail_if(not lines, f"{text.source}: expected lines of {_LINE!r}, got comments alone")
    locate = lambda row: text.locate(lines[row][0] - text.start)
    _, first_fields = lines[0]
    has_query = len(first_fields) > 1 and _QUERY.fullmatch(first_fields[1])
    sizes_path = None if has_query else sizes_beside(text)
    queries = _queries_of_sizes(sizes_path, len(lines), text.source) if sizes_path else []
    for row, (_, fields) in enumerate(lines if not sizes_path else ()):
        query = _QUERY.fullmatch(fields[1]) if len(fields) > 1 else None
        fail_if(not query, f"{locate(row)}: expected {_LINE!r}, got no integer query id in the second field")
        queries.append(query[1])
    labels = check_numbers([fields[0] for _, fields in lines], "label", locate).astype(float)
    refuse_first(labels < 0, locate, "a label >= 0", labels)
    columns = f"label first, sizes of queries in {named(sizes_path)}" if sizes_path else "label, qid"
    return Rows(text.source, queries, [number for number, _ in lines], labels, locate, columns).in_order({})


def _queries_of_sizes(path, count, source):
    """Return the query of each line, given sizes that must add up to ``count``."""
    sizes = [int(size) for size in read_text(path, "sizes of queries").data.split()]
    fail_if(
        sum(sizes) != count,
        f"{named(path)}: expected sizes of queries that add up to the {count:,} lines of {source}, got "
        f"{sum(sizes):,}",
    )
    return [str(query) for query, size in enumerate(sizes, start=1) for _ in range(size)]
