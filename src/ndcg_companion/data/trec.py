"""TREC files: relevance judgments (qrels) and runs, read as trec_eval reads them."""

import re
from collections.abc import Sequence
from typing import TypeVar

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from ndcg_companion.data.joining import Missing, Rows, join, line_of
from ndcg_companion.data.rankings import FilePath, Rankings, codes_of, named, read_bytes, unpacked
from ndcg_companion.text import check_plain, shown

# A dict of one kind of paths is no dict of both.
PathKind = TypeVar("PathKind", bound=FilePath)

_QRELS = ("query", "iteration", "document", "grade")
_RUN = ("query", "Q0", "document", "rank", "score", "tag")
_GRADE = "a grade, a whole number of at most 64 bits"
_WIDEST = 64  # bytes of a field that is read with its whole column
_PIECE = 2**22  # bytes that are read at once
_TENS = np.array([float(10**places) for places in range(16)])
_SCORE = "a score, a number above -inf (which stands for what is not retrieved)"


def read_trec(
    qrels: FilePath, runs: Sequence[FilePath] | dict[str, PathKind], *, missing: Missing = "raise"
) -> Rankings:
    """Rankings from one file of judgments and one run for each system.

    Lines are ``query iteration document grade`` and ``query Q0 document rank score tag``, fields separated by
    blanks or tabs, gzipped or not. As in trec_eval, the rank column counts for nothing and ties are broken by
    document id, the largest first (in the order of bytes): items stand in that order, so that
    ``ties="stable"`` ranks as trec_eval does. An item is what is judged or what any run retrieved. Unjudged
    items have label 0; grades below zero, which count as 0 there, are 0 here too, and counted in
    ``negative``; what a run did not retrieve scores ``-inf`` in it.

    Parameters
    ----------
    qrels : path
    runs : list of paths, or dict of system to path
        In a list, systems are named by the tags in the files, which must differ.
    missing : {"raise", "zero", "drop"}
        Whether to refuse judged queries that a run does not have, to count them as if it had retrieved
        nothing (trec_eval's ``-c``), or to leave them out for all. The last two leave out queries without
        judgments, as trec_eval does; what is left out is listed in ``dropped``.

    Returns
    -------
    Rankings

    Raises
    ------
    OSError
        For a file that cannot be opened.
    ValueError
        Naming file and line, for a line that cannot be read, a document twice for one query, NaN or ``-inf``
        as a score, a run without any judged document, and files that share no query.

    Notes
    -----
    trec_eval rounds scores to 32 bits, which ties some that differ; for its ranking, round them likewise
    (``scores.astype("float32")``). With that, trec_eval's ndcg of a system is::

        dcg(r.retrieved_labels(s), r.scores[s].astype("float32"), ties="stable", offsets=r.offsets)
            / ideal_dcg(r.labels, offsets=r.offsets)

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     qrels, run = Path(folder, "qrels"), Path(folder, "run")
    ...     _ = qrels.write_text("301 0 a 1\\n301 0 b 0\\n")
    ...     _ = run.write_text("301 Q0 b 1 9.5 bm25\\n301 Q0 c 2 9.1 bm25\\n")
    ...     rankings = read_trec(qrels, [run])
    >>> rankings
    Rankings(1 query, 3 items, systems: bm25)
    >>> rankings.items.tolist(), rankings.judged.tolist(), rankings.scores["bm25"].tolist()
    (['c', 'b', 'a'], [False, True, True], [9.1, 9.5, -inf])
    """
    if isinstance(runs, (str, bytes)) or not len(runs):
        raise ValueError(f"runs={runs!r}: expected a list of paths, or a dict of system to path")
    if isinstance(runs, dict):
        return join(read_judgments(qrels), {name: read_run(path)[1] for name, path in runs.items()}, missing)
    found: dict[str, Rows] = {}
    for path in runs:
        tag, rows = read_run(path)
        if tag in found:
            other = found[tag].source
            remedy = "name the systems in a dict of system to path"
            raise ValueError(
                f"{named(path)}: expected a tag of its own, got {tag!r}, as in {other}; {remedy}"
            )
        found[tag] = rows
    return join(read_judgments(qrels), found, missing)


def read_judgments(path, data=None):
    """`Rows` of the grades of a file of judgments, whose bytes may have been read already."""
    return _read(path, data, _QRELS, "grade")[1]


def read_run(path, data=None):
    """The tag of a run, and `Rows` of its scores."""
    return _read(path, data, _RUN, "score")


def _read(path, data, fields, value):
    """The last field of the first line (the tag of a run), and the rows."""
    layout = f"lines of {' '.join(fields)!r}"
    data = (read_bytes(path, layout) if data is None else unpacked(path, data, layout)).rstrip()
    found = _quickly(data, fields, value) or _line_by_line(path, data, fields, value)
    query, item, values, tag = found
    return check_plain(tag, f"{named(path)}: tag"), Rows(named(path), query, item, values, line_of(path))


def _quickly(data, fields, value):
    """Queries, documents, numbers and the tag, all lines at once; None if one may be anything but right."""
    # A line end before and after each line, and room behind the last field for the widest.
    padded, start, last = b"\n%b\n%b" % (data, b" " * _WIDEST), 0, len(data) + 1
    text, parts = np.frombuffer(padded, np.uint8), []
    while start < last:
        stop = padded.find(b"\n", min(start + _PIECE, last))
        spans = _spans(text[start : stop + 1], len(fields))
        if spans is None:
            return None
        query, item, numbers, final = (
            _column(text, spans[:, fields.index(name)] + start)
            for name in ("query", "document", value, fields[-1])
        )
        try:
            numbers = _texts(numbers) if value == "grade" else decimals(numbers)
        except ValueError:  # the careful reading has the line
            return None
        if value == "score" and (final != final[0]).any():
            return None
        parts.append((_texts(query), _texts(item), numbers, _texts(final)[:1]))
        start = stop
    query, item, numbers, final = map(np.concatenate, zip(*parts))
    if value == "grade":
        codes, texts = codes_of(numbers)
        if not all(re.fullmatch("[-+]?[0-9]{1,18}", text) for text in texts):
            return None
        numbers = np.array([*map(int, texts)])[codes]
    elif not ((final == final[0]).all() and (numbers > -np.inf).all()):
        return None
    return query, item, numbers, final[0].decode()


def _spans(text, count):
    """Where the fields of each line begin and end, shape (lines, count, 2).

    None unless there are so many on each line, none too wide, and nothing between them but blanks and tabs.
    """
    blank = text <= ord(" ")
    edges = np.flatnonzero(blank[1:] != blank[:-1]) + 1
    lines, between = np.flatnonzero(text == ord("\n")), text[blank]
    returns = lines[text[lines - 1] == ord("\r")]  # those of Windows stand before a line end
    if edges.size != 2 * count * (lines.size - 1) or (between == ord("\r")).sum() != returns.size:
        return None
    spans = edges.reshape(-1, count, 2)
    right = (lines[:-1] < spans[:, 0, 0]) & (spans[:, -1, 1] <= lines[1:])
    narrow = spans[..., 1] - spans[..., 0] <= _WIDEST
    return spans if right.all() and narrow.all() and np.isin(between, [*b"\t\n\r "]).all() else None


def _column(text, spans):
    """One field of each line, as rows of bytes filled up with zeros."""
    starts, widths = spans[:, 0], spans[:, 1] - spans[:, 0]
    rows = sliding_window_view(text, widths.max())[starts]
    rows[np.arange(rows.shape[1]) >= widths[:, None]] = 0
    return rows


def _texts(rows):
    return rows.view(f"S{rows.shape[1]}").ravel()


def decimals(rows):
    """The numbers for which rows of bytes stand, filled up with zeros, as `float` reads them.

    >>> decimals(np.array([[*b"-2.50"], [*b"1.0e3"]], dtype=np.uint8)).tolist()
    [-2.5, 1000.0]
    """
    characters = np.ascontiguousarray(rows.T)
    digits, negative = characters - ord("0"), characters[0] == ord("-")
    is_digit, is_point = digits < 10, characters == ord(".")
    known = is_digit | is_point | (characters == 0)
    known[0] |= negative
    count = is_digit.sum(axis=0)
    plain = known.all(axis=0) & (is_point.sum(axis=0) <= 1) & (0 < count) & (count < len(_TENS))
    whole = np.zeros(len(rows), dtype=np.int64)
    for digit, counts in zip(digits, is_digit):
        whole = np.where(counts, 10 * whole + digit, whole)
    places = (is_digit & np.logical_or.accumulate(is_point)).sum(axis=0)
    # A whole number below 2**53 and a power of ten up to 10**22 are floats, and so their quotient is rounded
    # as it should be (Clinger 1990).
    values = np.where(negative, -whole, whole) / _TENS[np.where(plain, places, 0)]
    if not plain.all():
        # Python's digit separator is taken for part of a number by nobody else.
        rest = np.where(rows == ord("_"), np.uint8(ord("?")), rows)[~plain]
        values[~plain] = _texts(rest).astype(float)
    return values


def _line_by_line(path, data, fields, value):
    """The same, and a ValueError that says which line is bad and why."""
    # Lines and fields end as in the quick reading, not wherever Unicode sees an end.
    lines = [[field.decode() for field in line.split()] for line in data.splitlines()]
    column, kind, expected = fields.index(value), int, _GRADE
    if value == "score":
        kind, expected = float, _SCORE
    values = np.empty(len(lines), dtype=np.int64 if kind is int else float)
    for number, line in enumerate(lines, 1):
        if len(line) != len(fields):
            problem = f"expected {len(fields)} fields ({' '.join(fields)}), got {len(line)}"
        elif value == "score" and line[-1] != lines[0][-1]:
            problem = f"expected the tag {shown(lines[0][-1])} of line 1, got {shown(line[-1])}"
        else:
            problem = f"expected {expected}, got {shown(line[column])}"
            try:
                # Python's digit separator is taken for part of a number by nobody else.
                values[number - 1] = kind(line[column].replace("_", "?"))
                if values[number - 1] > -np.inf:
                    continue
            except (ValueError, OverflowError):
                pass
        raise ValueError(f"{named(path)}, line {number}: {problem}")
    query, item = (np.array([line[at] for line in lines], dtype=object) for at in (0, 2))
    return query, item, values, lines[0][-1]
