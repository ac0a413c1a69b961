"""Read lines without a header, as in TREC's judgments and runs, MS MARCO and ColBERT."""

from collections.abc import Mapping, Sequence

import numpy as np

from ndcg_companion.checks import fail_if
from ndcg_companion.data.rankings import FilePath, Rankings, first
from ndcg_companion.text import check_plain, escaped
from ranking_report.choices import Missing
from ranking_report.readers.ids import codes_of
from ranking_report.readers.joining import Joining, check_missing
from ranking_report.readers.rows import Rows, pair_keys
from ranking_report.readers.texts import Text, read_text
from ranking_report.readers.values import (
    as_numbers,
    as_plain_numbers,
    beyond_floats,
    check_numbers,
    refuse_first,
)

_QRELS = ("query", "iteration", "document", "grade")
_SHORT_QRELS = ("query", "document", "grade")
_RUN = ("query", "Q0", "document", "rank", "score", "tag")
_RANKED = ("query", "document", "rank", "score")
_SMALLEST_TIME = 10**8  # the seconds from 1970 to 1973, a number that is beyond any scale of grades
_MOST_RATINGS = 1000  # more distinct values than any common scale of ratings has
_NEARLY_ALL = 0.9
_REMEDY = (
    "if they are 'user item rating time', cut the time off (query item label) or put a header such as "
    "query,item,label above"
)
_HEADER = "a header such as query,item,label above lets fractions pass"
_COUNTED = "with the ranks of each query counted from 1 or 0 without a gap"
_RANKS = "rise from line to line in every query, as ranks, or fall, as scores"
_SAY_WHICH = "a header such as query,item,score or query,item,rank says which"


def read_trec(
    qrels: FilePath, runs: Sequence[FilePath] | Mapping[str, FilePath], *, missing: Missing = "raise"
) -> Rankings:
    """Return the `Rankings` of a file of judgments and of a run for each system.

    Parameters
    ----------
    qrels : path
        The judgments, in lines ``query iteration document grade`` with blanks or tabs between the fields.
    runs : list of paths, or dict of system to path
        The runs, which are files with lines ``query Q0 document rank score tag``. If the runs are given as a
        list, the tags in the files are the names of the systems, and these names must differ.
    missing : {"raise", "zero", "drop"}
        The treatment of a judged query that a run lacks: reject the input, count the query as if nothing had
        been retrieved (trec_eval's ``-c``), or leave it out for all runs. ``dropped`` lists what was left
        out.

    Returns
    -------
    Rankings

    Raises
    ------
    OSError
        If a file cannot be opened.
    ValueError
        If a line cannot be read, if a document appears twice for a query, or if a score is NaN or ``-inf``.
        If a run has no judged document, or if the files have no query in common. If the grades in the
        judgments are times or dates, or if the document ids seem to be ratings. If a row begins with ``#``,
        or if the first row begins with another comment sign. The message names the file and the line.

    Notes
    -----
    Files may be compressed, and there may be comments (``# text``) above the rows. As in trec_eval, the rank
    column is not used (``contradicted`` states how often it contradicts the scores), and queries without
    judgments are left out. trec_eval breaks ties by document id, with the largest first in the order of
    bytes. The items are in this order, so ``ties="stable"`` ranks as trec_eval does. The items of a query are
    those that are judged or retrieved by any run. Unjudged items have label 0. Grades below 0 count as 0, as
    in trec_eval, and ``negative`` is the number of such grades. An item that a run did not retrieve has the
    score ``-inf`` in this run.

    trec_eval rounds scores to 32 bits, so scores that differ in the rankings may tie in trec_eval. To rank as
    trec_eval does, round the scores in the same way (``scores.astype("float32")``). trec_eval's ndcg of a
    system is then::

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
    paths, names = (runs.values(), [*runs]) if isinstance(runs, Mapping) else (runs, None)
    expected = "expected a list of paths, or a dict of system to path"
    fail_if(isinstance(runs, (str, bytes)) or not len(runs), f"runs={runs!r}: {expected}")
    check_missing(missing)
    joining = Joining(judgments_of(read_text(qrels, f"lines of {' '.join(_QRELS)!r}")))
    sources: dict[str, str] = {}
    for path in paths:
        tag, rows = run_of(read_text(path, f"lines of {' '.join(_RUN)!r}"))
        joining.add(rows)
        expected = "expected a tag, 'query Q0 document rank score tag', or a dict of system to path"
        fail_if(tag is None and names is None, f"{rows.source}: {expected}")
        message = f"expected a tag that no other run has, got {tag!r}, as in {sources.get(tag or '')}"
        fail_if(tag in sources and names is None, f"{rows.source}: {message}; name the systems in a dict")
        sources[tag or ""] = rows.source
    return joining.rankings(names or sources, missing)


def rows_of_lines(text, kind):
    """Return the tag of a run or None, and the `Rows` of lines without a header.

    The number of fields determines the format.
    """
    fields = text.first_line.split()
    if kind == "label":
        return None, judgments_of(text, _SHORT_QRELS if len(fields) == 3 else _QRELS)
    if len(fields) == 3:
        return None, _run_of_three(text)
    if len(fields) == 4 and fields[2].isdigit():
        return None, _run_of_four(text)
    return run_of(text)


def judgments_of(text: Text, names: Sequence[str] = _QRELS) -> Rows:
    """Return the `Rows` of the grades in a file of judgments.

    Grades are integers, which may be written as 1.0. The second column is not used.

    Raises
    ------
    ValueError
        If a grade is not an integer, or if the four columns seem to have other meanings.

    Notes
    -----
    Three signs show that the columns have other meanings, such as the user, item, rating and time of a
    recommender:

    - more than half of the grades are as large as times in seconds (1e8), or are dates written YYYYMMDD;
    - all documents are numbers, as ratings and play counts are, and the second column differs on (nearly) all
      lines of a query, as items do, whereas in judgments it has one value or a few;
    - the documents are at most 1,000 distinct numbers, and there are more values in the second column.
    """
    text.refuse_comments()
    if names == _QRELS:
        _check_kind(text, _QRELS, _RUN, "runs")
    columns = text.read(names, names, ["grade"])
    grades = _whole_grades(columns["grade"], text.locate)
    rows = Rows(text.source, columns["query"], columns["document"], grades, text.locate, ", ".join(names))
    reason = reason_to_see_times("grades", grades)
    if not reason and names == _QRELS and np.isfinite(as_plain_numbers(rows.item.texts)).all():
        second_codes, second_texts = codes_of(columns["iteration"])  # of the second column
        second_count, document_count = len(second_texts), len(rows.item.texts)
        if document_count <= _MOST_RATINGS and second_count > document_count:
            reason = f"{second_count} values in the second column and {document_count} numbers as documents"
        elif second_count > 1 and _differ_within_query(rows.query.codes, second_codes):
            reason = "other values in the second column on the lines of a query, and numbers as documents"
    fail_if(reason, f"{text.locate(0)}: expected '{' '.join(names)}', got {reason}; {_REMEDY}")
    return rows


def _whole_grades(values, locate):
    """Return grades as integers.

    Raises
    ------
    ValueError
        If a grade is not an integer. The message names the first such grade.
    """
    grades = as_numbers(values, "grade", locate)
    is_wrong = (grades != np.round(grades)) | beyond_floats(grades)
    refuse_first(is_wrong, locate, "a grade, a whole number of at most 2**53", grades, f"; {_HEADER}")
    return grades.astype(np.int64)


def reason_to_see_times(name, numbers):
    """Return words for numbers if over half of them are times or dates, or else None.

    >>> reason_to_see_times("grades", np.array([20050924, 20050926, 0]))
    'grades such as 20050924, dates written YYYYMMDD'
    >>> reason_to_see_times("grades", np.array([3, 881250949, 891717742]))
    'grades such as 881250949, as large as times'
    >>> reason_to_see_times("grades", np.array([0, 1, 20_000_000]))
    """
    year, month, day = numbers // 10_000, numbers // 100 % 100, numbers % 100
    is_date = (year >= 1900) & (year < 2100) & (month >= 1) & (month <= 12) & (day >= 1) & (day <= 31)
    is_date &= numbers == np.round(numbers)
    is_time = numbers >= _SMALLEST_TIME
    for mask, description in ((is_time, "as large as times"), (is_date, "dates written YYYYMMDD")):
        if 2 * mask.sum() > len(numbers):
            return f"{name} such as {int(numbers[first(mask)])}, {description}"
    return None


def _differ_within_query(query, seconds):
    """Return whether the second column differs on nearly all lines of each query.

    At least one query must have several lines. Of the lines that are not the first line of their query, more
    than nine in ten must have a value that is new in the query.

    >>> queries = [0, 0, 1], [0, 1, 0], [0, 1, 2]
    >>> [_differ_within_query(np.array(query), np.array([0, 1, 0])) for query in queries]
    [True, False, False]
    """
    pair_count = len(np.unique(pair_keys(query, seconds)))
    query_count = query.max() + 1
    return bool(pair_count - query_count > _NEARLY_ALL * (len(query) - query_count))


def run_of(text: Text) -> tuple[str | None, Rows]:
    """Return the tag of a run or None, and the `Rows` of its scores."""
    text.refuse_comments()
    fields, names = text.first_line.split(), _RUN
    if len(fields) == len(_RUN) - 1:  # the tag is missing
        names, second_field = _RUN[:-1], fields[1]
        expected = "expected Q0 as the second of 5 fields (query Q0 document rank score)"
        is_q0 = second_field in ("Q0", "q0", "0")
        fail_if(not is_q0, f"{text.locate(0)}: {expected}, got {escaped(second_field)}")
    _check_kind(text, names, _QRELS, "judgments")
    columns = text.read(names, names, ["rank", "score"])
    scores = as_numbers(columns["score"], "score", text.locate)
    expected = "a score, a number above -inf (which stands for what is not retrieved)"
    refuse_first(~(scores > -np.inf), text.locate, expected, scores)
    rows = Rows(text.source, columns["query"], columns["document"], scores, text.locate, ", ".join(names))
    is_swapped = {*rows.item.texts[:3]} <= {"Q0", "q0"}
    fail_if(
        is_swapped, f"{text.locate(0)}: expected '{' '.join(names)}', got Q0 as the document of each line"
    )
    rows.compare_ranks(columns["rank"])
    return _tag(text, columns["tag"]) if "tag" in names else None, rows


def _tag(text, tags):
    """Return the tag that all lines of a run have."""
    codes, texts = tags
    if (row := first(codes != codes[0])) is not None:
        expected = f"expected the tag {escaped(texts[codes[0]])} of line {text.start}"
        raise ValueError(f"{text.locate(row)}: {expected}, got {escaped(texts[codes[row]])}")
    return check_plain(texts[0], f"{text.source}: tag")


def _check_kind(text, names, other_names, other_kind):
    """Reject a file that begins like a file of the other kind or of an unknown kind."""
    fields = text.first_line.split()
    expected = f"{text.locate(0)}: expected {len(names)} fields ({' '.join(names)}), got {len(fields)}"
    # Lines of four fields are judgments only if the second field may be an iteration.
    hint = ", which are neither judgments nor 'query document rank score'"
    if len(fields) == len(_RUN) or fields[1:2] in (["0"], ["Q0"], ["q0"], ["1"]):
        hint = f", as {other_kind} have: are labels and runs swapped?"
    fail_if(len(fields) == len(other_names), f"{expected}{hint}")


def _run_of_three(text):
    """Return the `Rows` of a run with the columns query, document, and score or rank.

    MS MARCO writes ranks.
    """
    names = ("query", "document", "rank")
    text.refuse_comments()
    columns = text.read(names, names, ["rank"])
    values = check_numbers(columns["rank"], "score", text.locate)
    rows = Rows(text.source, columns["query"], columns["document"], values, text.locate)
    rows.values = _from_ranks(rows.query.codes, values, text.locate)
    rows.columns = f"query, document, {'score' if rows.values is values else 'rank'}"
    return rows


def _run_of_four(text):
    """Return the `Rows` of a run with lines ``query document rank score``.

    ColBERT writes such files.

    Notes
    -----
    The lines could also be judgments or ratings of a recommender. The ranks of each query must therefore be
    1, 2, … or 0, 1, … in any order, and there must be more than one document.
    """
    locate = text.locate
    text.refuse_comments()
    columns = text.read(_RANKED, _RANKED, ["rank", "score"])
    ranks, scores = (check_numbers(columns[name], name, locate) for name in ("rank", "score"))
    rows = Rows(text.source, columns["query"], columns["document"], scores, locate, ", ".join(_RANKED))
    codes = rows.query.codes
    expected = f"{{}}: expected '{' '.join(_RANKED)}', {_COUNTED}, or 'query Q0 document rank score tag'"
    if (row := _miscounted(codes, ranks)) is not None:
        raise ValueError(f"{expected.format(locate(row))}, got rank {ranks[row]}")
    has_one_document = len(rows.item.texts) == 1 < len(codes)
    fail_if(
        has_one_document, f"{expected.format(locate(0))}, got one document in all lines: are they judgments?"
    )
    rows.compare_ranks(ranks)
    reason = "scores that rise with the ranks" if rows.contradicted > 0.5 else None
    reason = reason_to_see_times("scores", scores) or reason
    fail_if(reason, f"{expected.format(locate(0))}, got {reason}")
    return rows


def _miscounted(query, ranks):
    """Return the first row whose rank breaks the count in its query, or None.

    The ranks of a query must be 1, 2, … or 0, 1, … in any order.

    >>> _miscounted(np.array([0, 0, 1]), np.array([2, 1, 0]))
    >>> _miscounted(np.array([0, 0, 1]), np.array([1, 2, 3]))
    2
    """
    order = np.lexsort((ranks, query))
    query, ranks = query[order], ranks[order]
    is_begin = np.append(True, query[1:] != query[:-1])
    begin = np.flatnonzero(is_begin)[is_begin.cumsum() - 1]  # for each row, the first row of its query
    lowest_rank, place_in_query = ranks[begin], np.arange(len(order)) - begin
    is_wrong = (ranks - lowest_rank != place_in_query) | ~np.isin(lowest_rank, (0, 1))
    return int(order[is_wrong].min()) if is_wrong.any() else None


def _from_ranks(query, values, locate):
    """Return scores from values that may be ranks.

    Ranks rise within each query, starting from 1 or 0, whereas scores fall.

    Parameters
    ----------
    query : ndarray of int
    values : ndarray
    locate : callable
        A function that turns the number of a row into words that locate it.

    Raises
    ------
    ValueError
        If integers rise without counting up as ranks do, or if they rise on some lines and fall on others.

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
    ordered_query = query[order]
    # The differences between successive lines of the same query.
    steps = np.diff(values[order])[ordered_query[1:] == ordered_query[:-1]]
    if not len(steps):  # each query has a single document, which is first with any score or rank
        return values
    # Integers may be written as 1.0.
    is_integer = values.dtype.kind in "iu" or (values == np.round(values)).all()
    if is_integer and (steps >= 0).all() and steps.any():
        row = _miscounted(query, values)
        got = f"got {values[row or 0]:g}: are they scores that rise, or ranks with gaps or ties?"
        expected = f"expected whole numbers that rise from line to line to be ranks, {_COUNTED}"
        fail_if(row is not None, f"{locate(row or 0)}: {expected}, {got} {_SAY_WHICH}")
        return -values.astype(np.int64)
    fail_if(
        values.dtype.kind in "iu" and not (steps <= 0).all(),
        f"{locate(0)}: expected whole numbers in the third column that {_RANKS}, got both; {_SAY_WHICH}",
    )
    return values
