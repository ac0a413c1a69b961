"""LETOR files, the text format of the benchmarks of learning to rank: svmlight lines with a query id."""

import re
from bisect import bisect_left
from io import BytesIO

import numpy as np

from ndcg_companion.checks import check_int, fail_if
from ndcg_companion.data.rankings import FilePath, Rankings, first
from ndcg_companion.text import escaped
from ranking_report.extras import import_extra
from ranking_report.readers.rows import Rows
from ranking_report.readers.texts import read_text
from ranking_report.readers.values import check_numbers

_LINE = "label qid:QUERY 1:VALUE 2:VALUE …"
_LARGEST = 2**31  # cells of a table of features: 16 GiB
_QUERY = re.compile(r"qid:([0-9]{1,18})")


def read_letor(path: FilePath, *, n_features: int | None = None) -> tuple[np.ndarray, Rankings]:
    """Features and rankings (without scores) from one LETOR file, packed or not.

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
    ModuleNotFoundError
        Without scikit-learn, which reads the features: the extra ``letor``.

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
    text = read_text(path, f"lines of {_LINE!r}")
    rankings, order = letor_labels(text)
    return _features(text, n_features)[order], rankings


def letor_labels(text):
    """The rankings alone, without a look at the features.

    And the order in which they hold the file's items.
    """
    labels, queries, lines = [], [], []
    for line, fields in _data_lines(text):
        query = _QUERY.fullmatch(fields[1]) if len(fields) > 1 else None
        fail_if(
            not query, f"{_place(text, line)}: expected {_LINE!r}, got no query id, a number, in second place"
        )
        labels.append(fields[0])
        queries.append(query[1])
        lines.append(line)
    fail_if(not lines, f"{text.source}: expected lines of {_LINE!r}, got comments alone")
    place = lambda row: _place(text, lines[row])
    labels = check_numbers(labels, "label", place).astype(float)
    if (row := first(labels < 0)) is not None:
        raise ValueError(f"{place(row)}: expected a label >= 0, got {labels[row]:g}")
    return Rows(text.source, queries, lines, labels, place).in_order({})


def _data_lines(text):
    """The number of each line that is more than a comment, and its first two fields."""
    for line, words in enumerate(text.data.decode().split("\n"), text.start):
        if fields := words.partition("#")[0].split(None, 2)[:2]:
            yield line, fields


def _place(text, line):
    return text.place(line - text.start)


def _features(text, n_features):
    """The dense table of features, which scikit-learn reads; ValueError with the line where it cannot.

    It does not read the query ids: it copies those of all lines before for each line.
    """
    import_extra("letor")
    from sklearn.datasets import load_svmlight_file

    lines = [line.partition(b"#")[0] for line in text.data.split(b"\n")]

    def load(count):
        data = BytesIO(b"\n".join(lines[:count]))
        return load_svmlight_file(data, n_features=n_features, zero_based=False)[0]

    def error_of(count):
        try:
            load(count)
        except (ValueError, OverflowError) as error:
            return error
        return None

    def refusal(row, got):
        return ValueError(f"{text.place(row)}: expected {_LINE!r}, got {got}")

    for row, line in enumerate(lines if b"_" in text.data else ()):
        if b"_" in line:  # part of a number to Python alone
            raise refusal(row, f"what cannot be read: {escaped(line.decode())}")
    try:
        features = load(len(lines))
    except (ValueError, OverflowError):
        row = bisect_left(range(1, len(lines)), True, key=lambda count: error_of(count) is not None)
        raise refusal(row, f"what cannot be read: {escaped(error_of(row + 1))}") from None
    rows = [row for row, line in enumerate(lines) if line.strip()]
    row_of = lambda entry: rows[np.searchsorted(features.indptr, entry, side="right") - 1]
    if (entry := first(~np.isfinite(features.data))) is not None:
        raise refusal(row_of(entry), f"the feature {features.data[entry]}")
    if features.shape[0] * features.shape[1] > _LARGEST:
        most = f"feature {features.shape[1]}, more than {_LARGEST // features.shape[0]}"
        raise refusal(row_of(features.indices.argmax()), most)
    return features.toarray()
