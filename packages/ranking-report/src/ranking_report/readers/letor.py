"""LETOR files, the text format of the benchmarks of learning to rank: svmlight lines with a query id."""

import re

import numpy as np

from ndcg_companion.checks import check_int, fail_if
from ndcg_companion.data.rankings import FilePath, Rankings, first
from ndcg_companion.text import escaped
from ranking_report.readers.files import digits_of, named, number, read_bytes
from ranking_report.readers.joining import Rows, in_order

_LINE = "label qid:QUERY 1:VALUE 2:VALUE …"
_LARGEST = 2**31  # cells of a table of features: 16 GiB
_WHOLE = re.compile(r"[0-9]{1,18}")


def read_letor(path: FilePath, *, n_features: int | None = None) -> tuple[np.ndarray, Rankings]:
    """Features and rankings (without scores) from one LETOR file, gzipped or not.

    Lines are ``label qid:QUERY 1:VALUE 2:VALUE …``, what follows a ``#`` being a comment. Query ids are whole
    numbers, features are numbered from 1 in increasing order, and those that are not given are 0. Items are
    known by the numbers of their lines; those of a query are kept together, in the order of the file. Every
    item is judged.

    Parameters
    ----------
    path : path
    n_features : int, optional
        Number of columns; otherwise the highest number of a feature in the file. The parts of one data set
        need the same number of columns, also where a part does not have the last features.

    Returns
    -------
    features : ndarray of shape (N, d)
        Dense: ready for `RankSVM.fit` with the rankings' labels and offsets.
    rankings : Rankings

    Raises
    ------
    OSError
        For a file that cannot be opened.
    ValueError
        Naming file and line, for a line that cannot be read or has no query id, a label below zero, NaN and
        infinity, and more features than `n_features`.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "train.txt")
    ...     _ = path.write_text("2 qid:1 1:0.5 2:1 # a\\n0 qid:1 2:3\\n")
    ...     features, rankings = read_letor(path)
    >>> features.tolist(), rankings.labels.tolist(), rankings.queries.tolist()
    ([[0.5, 1.0], [0.0, 3.0]], [2.0, 0.0], ['1'])
    """
    if n_features is not None:
        check_int("n_features", n_features)
    lines = letor_lines(path)
    rankings, order = letor_labels(path, lines)
    return _features(path, lines, n_features)[order], rankings


def letor_lines(path, data=None):
    """The fields of each line that has some, with its number; of `data`, if the bytes are read already."""
    text = read_bytes(path, f"lines of {_LINE!r}", data).decode()
    lines = [
        (at, fields)
        for at, line in enumerate(text.split("\n"), 1)
        if (fields := line.partition("#")[0].split())
    ]
    fail_if(not lines, f"{named(path)}: expected lines of {_LINE!r}, got comments alone")
    return lines


def _refusal(path, line, reason):
    return ValueError(f"{named(path)}, line {line}: expected {_LINE!r}, got {reason}")


def letor_labels(path, lines):
    """The rankings alone, without a look at the features.

    And the order in which they hold the file's items.
    """
    labels, queries = np.empty(len(lines)), np.empty(len(lines), dtype=object)
    for row, (at, fields) in enumerate(lines):
        if len(fields) < 2 or not fields[1].startswith("qid:"):
            raise _refusal(path, at, "no query id in second place")
        queries[row] = fields[1][4:]
        if not _WHOLE.fullmatch(queries[row]):
            raise _refusal(path, at, f"what cannot be read: query id {escaped(queries[row])}")
        try:
            labels[row] = number(fields[0])
        except ValueError:
            raise _refusal(path, at, f"what cannot be read: label {escaped(fields[0])}") from None
    numbers = np.array([at for at, _ in lines])
    if (row := first(~(np.isfinite(labels) & (labels >= 0)))) is not None:
        raise ValueError(f"{named(path)}, line {numbers[row]}: expected a label >= 0, got {labels[row]:g}")
    rows = Rows(named(path), queries, numbers, {"label": labels}, lambda row: f"line {numbers[row]}")
    return in_order(rows, labels)


def _features(path, lines, n_features):
    """The dense table of features, line by line: told with the line where it cannot be read."""
    parsed, most = [], 0
    for at, fields in lines:
        try:
            pairs = [field.split(":") for field in fields[2:]]
            columns = np.array([int(digits_of(index)) for index, _ in pairs], dtype=np.int64)
            values = np.array([number(value) for _, value in pairs])
        except (ValueError, OverflowError) as error:
            raise _refusal(path, at, f"what cannot be read: {escaped(error)}") from None
        fail_if(
            not np.isfinite(values).all(),
            f"{named(path)}, line {at}: expected finite features, got nan or infinity",
        )
        if (np.diff(columns, prepend=0) <= 0).any():
            reason = "feature 0 or less" if columns[0] < 1 else "features that are not sorted and unique"
            raise _refusal(path, at, f"what cannot be read: {reason}")
        most = max(most, int(columns.max(initial=0)))
        if most * len(lines) > _LARGEST or most > (n_features or most):
            raise _refusal(path, at, f"feature {most}, more than {n_features or _LARGEST // len(lines)}")
        parsed.append((columns, values))
    features = np.zeros((len(lines), n_features or most))
    for row, (columns, values) in zip(features, parsed):
        row[columns - 1] = values
    return features
