"""LETOR files, the text format of the benchmarks of learning to rank: svmlight lines with a query id."""

from io import BytesIO

import numpy as np

from ndcg_companion.data.rankings import TEXT, Rankings, first, read_bytes

_LINE = "label qid:QUERY 1:VALUE 2:VALUE …"


def read_letor(path, *, n_features=None):
    """Features and rankings (without scores) from one LETOR file, gzipped or not.

    Lines are ``label qid:QUERY 1:VALUE 2:VALUE …``, what follows a ``#`` being a comment. Query ids are whole numbers,
    features are numbered from 1 in increasing order, and those that are not given are 0. Items are known by the
    numbers of their lines; those of a query are kept together, in the order of the file. Every item is judged.

    Parameters
    ----------
    path : path
    n_features : int, optional
        Columns of the features, if the file may not give the last ones: the parts of one data set need the same.

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
        Naming file and line, for a line that cannot be read or has no query id, a label below zero, and NaN.

    Notes
    -----
    Read by scikit-learn. It does not say where a file is bad, so a file that it refuses is halved until the
    line is found.

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
    data = read_bytes(path, f"lines of {_LINE!r}")
    lines = data.splitlines()
    # scikit-learn skips empty lines, and those with a comment alone.
    numbers = [number for number, line in enumerate(lines, 1) if line.partition(b"#")[0].strip()]
    if not numbers:
        raise ValueError(f"{path}: expected lines of {_LINE!r}, got comments alone")
    for number in numbers:
        if not b"".join(lines[number - 1].split(None, 2)[1:2]).startswith(b"qid:"):
            raise ValueError(f"{path}, line {number}: expected {_LINE!r}, got no query id in second place")
    try:
        features, labels, queries = _parse(data, n_features)
    except (ValueError, OverflowError):
        number, reason = _find_bad([(number, lines[number - 1]) for number in numbers], n_features)
        raise ValueError(
            f"{path}, line {number}: expected {_LINE!r}, got what cannot be read: {reason}"
        ) from None
    row = first(~(np.isfinite(labels) & (labels >= 0)))
    if row is not None:
        raise ValueError(f"{path}, line {numbers[row]}: expected a label >= 0, got {labels[row]:g}")
    row = first(~np.isfinite(features).all(axis=1))
    if row is not None:
        raise ValueError(f"{path}, line {numbers[row]}: expected finite features, got nan or infinity")
    names, starts, query = np.unique(queries, return_index=True, return_inverse=True)
    place = np.empty(len(names), dtype=np.intp)
    place[starts.argsort()] = np.arange(len(names))
    order = place[query].argsort(kind="stable")
    rankings = Rankings(
        queries=np.array(names[starts.argsort()].astype(str), dtype=TEXT),
        items=np.array(numbers)[order].astype(str).astype(TEXT),
        labels=labels[order],
        judged=np.ones(len(order), dtype=bool),
        offsets=np.append(0, np.bincount(place[query]).cumsum()),
        scores={},
        source=str(path),
    )
    return features[order], rankings


def _parse(data, n_features):
    from sklearn.datasets import load_svmlight_file

    features, *rest = load_svmlight_file(
        BytesIO(data), n_features=n_features, query_id=True, zero_based=False
    )
    return features.toarray(), *rest


def _find_bad(lines, n_features):
    """The number of the first line that cannot be read, and why."""
    while len(lines) > 1:
        half = lines[: len(lines) // 2]
        try:
            _parse(b"\n".join(line for _, line in half), n_features)
            lines = lines[len(half) :]
        except (ValueError, OverflowError):
            lines = half
    try:
        _parse(lines[0][1], n_features)
    except (ValueError, OverflowError) as error:
        return lines[0][0], error
