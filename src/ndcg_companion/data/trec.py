"""TREC files: relevance judgments (qrels) and runs, read as trec_eval reads them."""

from collections import defaultdict

import numpy as np

from ndcg_companion.data.rankings import TEXT, Rankings, first, read_bytes, repeated

_QRELS = "query iteration document grade"
_RUN = "query Q0 document rank score tag"


def read_trec(qrels, runs, *, unmatched="raise"):
    """Rankings from one file of judgments and one run for each system.

    Lines are ``query iteration document grade`` and ``query Q0 document rank score tag``, fields separated by blanks or
    tabs, gzipped or not. As in trec_eval, the rank column counts for nothing and ties are broken by document id, the
    largest first (in the order of bytes): items stand in that order, so that ``ties="stable"`` ranks as trec_eval does.
    An item is what is judged or what any run retrieved. Unjudged items have label 0; grades below zero, which count
    as 0 there, are 0 here too, and counted in ``negative``; what a run did not retrieve scores ``-inf`` in it.

    Parameters
    ----------
    qrels : path
    runs : list of paths, or dict of system to path
        In a list, systems are named by the tags in the files, which must differ.
    unmatched : {"raise", "drop"}
        Whether to refuse queries that some file does not have, or to leave them out as trec_eval does, listed in
        ``dropped``.

    Returns
    -------
    Rankings

    Raises
    ------
    OSError
        For a file that cannot be opened.
    ValueError
        Naming file and line, for a line that cannot be read, a document twice for one query, NaN or ``-inf`` as a
        score, a run without any judged document, and files that share no query.

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
    if unmatched not in ("raise", "drop"):
        raise ValueError(f"unmatched={unmatched!r}: expected 'raise' or 'drop'")
    if isinstance(runs, (str, bytes)) or not len(runs):
        raise ValueError(f"runs={runs!r}: expected a list of paths, or a dict of system to path")
    named = runs if isinstance(runs, dict) else None
    queries, documents = _numbering(), _numbering()
    keys, grades, _ = _read(qrels, _QRELS, _grade, queries, documents)
    tables, judged_queries = {}, len(queries)
    for system, path in runs.items() if named else ((None, path) for path in runs):
        *table, tag = _read(path, _RUN, _score, queries, documents)
        system = system if named else tag
        if system in tables:
            raise ValueError(
                f"{path}: expected a tag of its own, got {system!r}, as in {tables[system][0]}; "
                "name the systems in a dict of system to path"
            )
        if not np.isin(table[0], keys).any():
            raise ValueError(f"{path}: expected documents judged in {qrels}, got none: do the ids match?")
        tables[system] = path, *table

    everywhere = np.ones(len(queries), dtype=bool)
    everywhere[judged_queries:] = False
    names = [name.decode() for name in queries]
    for path, found, _ in tables.values():
        present = np.zeros(len(queries), dtype=bool)
        present[found >> 32] = True
        if unmatched == "raise" and (present[:judged_queries].sum(), present.sum()) != (judged_queries,) * 2:
            _refuse_unmatched(qrels, path, keys >> 32, found >> 32, present, judged_queries, names)
        everywhere &= present
    if not everywhere.any():
        raise ValueError(f"{qrels}: expected a query that every run has, got none")

    decreasing = sorted(documents, reverse=True)
    rank = np.empty(len(documents), dtype=np.int64)
    rank[[documents[name] for name in decreasing]] = np.arange(len(documents))
    number = everywhere.cumsum() - 1

    def placed(keys):
        """Which rows stay, and their keys by new query number and decreasing document id."""
        stays = everywhere[keys >> 32]
        kept = keys[stays]
        return stays, number[kept >> 32] << 32 | rank[kept & (2**32 - 1)]

    judged_rows, judged_keys = placed(keys)
    rows = {system: placed(table[1]) for system, table in tables.items()}
    union = np.unique(np.concatenate([judged_keys, *(found for _, found in rows.values())]))
    at, grades = np.searchsorted(union, judged_keys), grades[judged_rows]
    labels, judged = np.zeros(len(union), dtype=np.int64), np.zeros(len(union), dtype=bool)
    labels[at], judged[at] = np.maximum(grades, 0), True
    scores = {}
    for system, (stays, found) in rows.items():
        scores[system] = np.full(len(union), -np.inf)
        scores[system][np.searchsorted(union, found)] = tables[system][2][stays]
    return Rankings(
        queries=np.array(names, dtype=TEXT)[everywhere],
        items=np.array([name.decode() for name in decreasing], dtype=TEXT)[union & (2**32 - 1)],
        labels=labels,
        judged=judged,
        offsets=np.searchsorted(union >> 32, np.arange(everywhere.sum() + 1)),
        scores=scores,
        source=", ".join(map(str, [qrels, *(path for path, *_ in tables.values())])),
        negative=int((grades < 0).sum()),
        dropped=tuple(name for name, stays in zip(names, everywhere) if not stays),
    )


def _numbering():
    """A dict that gives each new key the next number."""
    numbers = defaultdict()
    numbers.default_factory = numbers.__len__
    return numbers


def _read(path, layout, number, queries, documents):
    """Of one file: for each line query << 32 | document, numbered by the two dicts as they come; the numbers of the
    lines (grades or scores); and the last field of the first line, the tag of a run."""
    fields = layout.split()
    data = read_bytes(path, f"lines of {layout!r}")
    data = data.rstrip()
    wrong = next(
        (x for x in enumerate(map(len, map(bytes.split, data.splitlines())), 1) if x[1] != len(fields)), None
    )
    if wrong:
        raise ValueError(f"{path}, line {wrong[0]}: expected {len(fields)} fields ({layout}), got {wrong[1]}")
    # Split at once: a list for each line would keep the garbage collector busy for longer than everything else takes.
    texts = data.split()
    columns, size = (
        {name: texts[i :: len(fields)] for i, name in enumerate(fields)},
        len(texts) // len(fields),
    )
    values = number(path, columns)
    query = np.fromiter(map(queries.__getitem__, columns["query"]), np.int64, size)
    keys = query << 32 | np.fromiter(map(documents.__getitem__, columns["document"]), np.int64, size)
    twice = repeated(keys)
    if twice:
        name, item = (columns[part][twice[1]].decode() for part in ("query", "document"))
        raise ValueError(
            f"{path}, line {twice[1] + 1}: expected each document once for a query, got {item} for query {name} "
            f"as on line {twice[0] + 1}"
        )
    return keys, values, texts[len(fields) - 1].decode()


def _grade(path, columns):
    return _numbers(path, columns["grade"], int, "a grade, a whole number of at most 64 bits")


def _score(path, columns):
    tags = np.array(columns["tag"])
    other = first(tags != tags[0])
    if other is not None:
        got = columns["tag"][other].decode()
        raise ValueError(
            f"{path}, line {other + 1}: expected the tag {tags[0].decode()} of line 1, got {got}"
        )
    expected = "a score, a number above -inf (which stands for what is not retrieved)"
    values = _numbers(path, columns["score"], float, expected)
    bad = first(~(values > -np.inf))
    if bad is not None:
        raise ValueError(f"{path}, line {bad + 1}: expected {expected}, got {columns['score'][bad].decode()}")
    return values


def _numbers(path, texts, kind, expected):
    values = np.empty(len(texts), dtype=np.int64 if kind is int else float)
    try:
        for line, text in enumerate(texts, 1):
            if b"_" in text:  # Python's digit separator, which nobody else takes for part of a number
                raise ValueError
            values[line - 1] = kind(text)
    except (ValueError, OverflowError):
        raise ValueError(f"{path}, line {line}: expected {expected}, got {text.decode()}") from None
    return values


def _refuse_unmatched(qrels, path, judged, found, present, judged_queries, names):
    remedy = "; unmatched='drop' leaves such queries out"
    line = first(found >= judged_queries)
    if line is not None:
        raise ValueError(
            f"{path}, line {line + 1}: query {names[found[line]]} has no judgment in {qrels}{remedy}"
        )
    line = first(~present[judged])
    raise ValueError(
        f"{qrels}, line {line + 1}: query {names[judged[line]]} is not in the run {path}{remedy}"
    )
