"""TREC files: relevance judgments (qrels) and runs, read as trec_eval reads them."""

from collections.abc import Mapping, Sequence
from math import isfinite

import numpy as np

from ndcg_companion.checks import fail_if
from ndcg_companion.data.rankings import FilePath, Rankings, first
from ndcg_companion.text import check_plain, escaped
from ranking_report.readers.files import (
    below_comments,
    digits_of,
    is_json,
    line_of,
    named,
    number,
    read_bytes,
    read_columns,
    reader,
    refuse_comments,
)
from ranking_report.readers.joining import Joining, Missing, Rows, as_texts, check_missing, codes_of
from ranking_report.readers.lines import as_numbers

_QRELS = ("query", "iteration", "document", "grade")
_RUN = ("query", "Q0", "document", "rank", "score", "tag")
_TIME = 10**8  # seconds since 1970 in the year 1973: no scale of grades goes so far
_RATINGS = 1000  # numbers on a scale of ratings, more than any that is in use has
_NEARLY = 0.9
_REMEDY = (
    "if they are 'user item rating time', cut the time off (query item label) or put a header such as "
    "query,item,label above"
)
_HEADER = "a header such as query,item,label above lets them pass"
_EXACT = 2**53  # up to which floats hold whole numbers exactly
_SCORE = "a score, a number above -inf (which stands for what is not retrieved)"


def read_trec(
    qrels: FilePath, runs: Sequence[FilePath] | Mapping[str, FilePath], *, missing: Missing = "raise"
) -> Rankings:
    """Rankings from one file of judgments and one run for each system.

    Lines are ``query iteration document grade`` and ``query Q0 document rank score tag``, fields separated by
    blanks or tabs, packed or not; comments (``# text``) may stand above them. As in trec_eval, the rank
    column counts for nothing (``contradicted`` has how often it contradicts the scores), queries without
    judgments are left out, and ties are broken by document id, the largest first (in the order of bytes):
    items stand in that order, so that ``ties="stable"`` ranks as trec_eval does. An item is what is judged or
    what any run retrieved. Unjudged items have label 0; grades below zero, which count as 0 there, are 0 here
    too, and counted in ``negative``; what a run did not retrieve scores ``-inf`` in it.

    Parameters
    ----------
    qrels : path
    runs : list of paths, or dict of system to path
        In a list, systems are named by the tags in the files, which must differ.
    missing : {"raise", "zero", "drop"}
        Whether to refuse judged queries that a run does not have, to count them as if it had retrieved
        nothing (trec_eval's ``-c``), or to leave them out for all. What is left out is listed in
        ``dropped``.

    Returns
    -------
    Rankings

    Raises
    ------
    OSError
        For a file that cannot be opened.
    ValueError
        Naming file and line, for a line that cannot be read, a document twice for one query, NaN or ``-inf``
        as a score, a run without any judged document, and files that share no query; for judgments whose
        grades are times or dates, or whose documents are ratings; for a row that begins with ``#``, and a
        first one with another sign of comments.

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
    fail_if(
        isinstance(runs, (str, bytes)) or not len(runs),
        f"runs={runs!r}: expected a list of paths, or a dict of system to path",
    )
    check_missing(missing)
    joining, sources = Joining(read_judgments(qrels)), dict[str, str]()
    for path in runs.values() if isinstance(runs, Mapping) else runs:
        tag, rows = read_run(path)
        joining.add(rows)
        if isinstance(runs, Mapping):
            continue
        expected = "expected a tag, 'query Q0 document rank score tag', or a dict of system to path"
        fail_if(tag is None, f"{named(path)}: {expected}")
        if tag in sources:
            got = f"{tag!r}, as in {sources[tag]}; name the systems in a dict of system to path"
            raise ValueError(f"{named(path)}: expected a tag of its own, got {got}")
        sources[tag] = rows.source
    return joining.rankings(runs if isinstance(runs, Mapping) else sources, missing)


def read_judgments(path, data=None):
    """`Rows` of the grades of a file of judgments, whose bytes may have been read already."""
    return judgments_of(
        path, *below_comments(read_bytes(path, f"lines of {' '.join(_QRELS)!r}", data).rstrip())
    )


def read_run(path):
    """The tag of a run, and `Rows` of its scores."""
    return run_of(path, *below_comments(read_bytes(path, f"lines of {' '.join(_RUN)!r}").rstrip()))


def judgments_of(path, data, start=1):
    """`Rows` of the grades in the bytes of a file of judgments; whole numbers, also if written as 1.0.

    The second column counts for nothing. Three signs show that the four columns are others, such as the user,
    item, rating and time of a recommender, and are refused:

    - more than half of the grades are as large as times in seconds (1e8), or dates written YYYYMMDD;
    - all documents are numbers, as ratings and play counts are, and the second column says another thing on
      (nearly) each line of a query, as items do, where that of judgments is one number or a few;
    - the documents are at most 1,000 numbers, fewer than the second column has values.
    """
    refuse_comments(path, data, start)
    _check_kind(data, path, _QRELS, _RUN, "runs", start)
    place, read = line_of(path, start), {"grade": _grade}
    columns = read_columns(path, data, _QRELS, read, start=start, kinds="if", passed_over=["iteration"])
    query, item, grades = (columns[name] for name in ("query", "document", "grade"))
    if grades.dtype.kind == "f":
        refuse_fractions(grades, place)
        grades = grades.astype(np.int64)
    rows = Rows(named(path), query, item, {"grade": grades}, place)
    refuse_times(grades, place, " ".join(_QRELS))
    if _are_numbers(rows.item.texts):
        columns = read_columns(path, data, _QRELS, read, start=start, kinds="if")
        seconds, seen = codes_of(columns["iteration"]), None
        others, documents = len(seconds.texts), len(rows.item.texts)
        if documents <= _RATINGS and others > documents:
            seen = f"{others} values in the second column and {documents} numbers as documents"
        elif others > 1 and _tells_apart(rows.query.codes, seconds.codes):
            seen = "other values in the second column on the lines of a query, and numbers as documents"
        fail_if(seen, f"{place(0)}: expected '{' '.join(_QRELS)}', got {seen}; {_REMEDY}")
    return rows


def refuse_fractions(grades, place):
    """ValueError for the first grade of a file without a header that is no whole number."""
    if grades.dtype.kind == "f" and (row := first(~_is_whole(grades))) is not None:
        raise ValueError(f"{place(row)}: {_refuse_grade(grades[row])}; {_HEADER}")


def refuse_times(grades, place, expected):
    """ValueError if what stands where grades should are times or dates."""
    if seen := seen_as_times("grades", grades):
        raise ValueError(f"{place(0)}: expected '{expected}', got {seen}; {_REMEDY}")


def seen_as_times(name, numbers):
    """The words for numbers of which more than half are times in seconds or dates; None if they are not.

    >>> seen_as_times("grades", np.array([20050924, 20050926, 0]))
    'grades such as 20050924, dates written YYYYMMDD'
    >>> seen_as_times("grades", np.array([3, 881250949, 891717742]))
    'grades such as 881250949, as large as times'
    >>> seen_as_times("grades", np.array([0, 1, 20_000_000]))
    """
    year, month, day = numbers // 10_000, numbers // 100 % 100, numbers % 100
    dates = (year >= 1900) & (year < 2100) & (month >= 1) & (month <= 12) & (day >= 1) & (day <= 31)
    dates &= numbers == np.round(numbers)
    for found, what in ((numbers >= _TIME, "as large as times"), (dates, "dates written YYYYMMDD")):
        if 2 * found.sum() > len(numbers):
            return f"{name} such as {int(numbers[first(found)])}, {what}"
    return None


def _is_whole(numbers):
    return (numbers == np.round(numbers)) & (np.abs(numbers) <= _EXACT)


def _tells_apart(query, seconds):
    """Whether hardly a query has a value of the second column twice, and some query has several lines.

    That is, among lines that are not the first of their query, nine of ten have a value that is new there.

    >>> [_tells_apart(np.array(query), np.array([0, 1, 0])) for query in ([0, 0, 1], [0, 1, 0], [0, 1, 2])]
    [True, False, False]
    """
    pairs = np.unique(query.astype(np.int64) << 32 | seconds)
    queries = query.max() + 1
    return bool(len(pairs) - queries > _NEARLY * (len(query) - queries))


def _are_numbers(texts):
    """Whether all of these ids are numbers."""
    if texts.dtype.kind == "S" and as_numbers(texts) is not None:  # quicker than one by one
        return True
    try:
        return all(isfinite(number(text)) for part in (texts[:1], texts) for text in as_texts(part))
    except ValueError:
        return False


def run_of(path, data, start=1):
    """The tag, and `Rows` of the scores, in the bytes of a run; the tag is None if the lines have none."""
    place, names = line_of(path, start), _RUN
    refuse_comments(path, data, start)
    if _count_fields(data) == len(_RUN) - 1:
        names = _RUN[:-1]
        second = data.split(None, 2)[1].decode()
        expected = "expected Q0 in second place where there are 5 fields (query Q0 document rank score)"
        fail_if(second not in ("Q0", "q0", "0"), f"{place(0)}: {expected}, got {escaped(second)}")
    _check_kind(data, path, names, _QRELS, "judgments", start)
    read = {"rank": str, "score": _score}
    columns = read_columns(path, data, names, read, start=start, passed_over=["Q0"])
    query, item, ranks, scores = (columns[name] for name in ("query", "document", "rank", "score"))
    if (row := first(~(scores > -np.inf))) is not None:
        raise ValueError(f"{place(row)}: expected {_SCORE}, got {scores[row]}")
    rows = Rows(named(path), query, item, {"score": scores}, place)
    swapped = {*as_texts(rows.item.texts[:3])} <= {"Q0", "q0"}
    fail_if(swapped, f"{place(0)}: expected '{' '.join(names)}', got Q0 as the document of each line")
    rows.compare_ranks(ranks)
    if "tag" not in columns:
        return None, rows
    tags = columns["tag"]
    row = first(tags != tags[0])
    tag, other = as_texts(tags[[0, row or 0]])
    fail_if(
        row is not None,
        f"{place(row or 0)}: expected the tag {escaped(tag)} of line {start}, got {escaped(other)}",
    )
    return check_plain(tag, f"{named(path)}: tag"), rows


def _count_fields(data):
    return len(data[: data.find(b"\n") + 1 or None].split())


def _check_kind(data, path, names, others, kind, start):
    """Refuse what begins like a file of the other kind, or of none."""
    fields = _count_fields(data)
    expected = f"{line_of(path, start)(0)}: expected {len(names)} fields ({' '.join(names)}), got"
    # Four fields are judgments only if the second may be an iteration.
    hint = ", which are neither judgments nor 'query document rank score'"
    if fields == len(_RUN) or data.split(None, 2)[1:2] in ([b"0"], [b"Q0"], [b"q0"], [b"1"]):
        hint = f", as {kind} have: are labels and runs swapped?"
    fail_if(fields == len(others), f"{expected} {fields}{hint}")
    fail_if(fields != len(names) and is_json(data), f"{expected} JSON")


def _refuse_grade(text):
    return f"expected a grade, a whole number of at most 64 bits, got {escaped(text)}"


def _whole(text):
    """The whole number that a field holds, which may be written as 1.0."""
    try:
        return int(np.int64(int(digits_of(text))))
    except ValueError:
        value = number(text)
        if value != int(value) or abs(value) > _EXACT:
            raise
        return int(value)


_grade = reader(_whole, _refuse_grade)
_score = reader(number, lambda text: f"expected {_SCORE}, got {escaped(text)}")
