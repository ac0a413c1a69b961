"""Judgments joined with what several systems retrieved: one list of items for each query."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ndcg_companion.data.rankings import TEXT, Rankings, codes_of, first, named, repeated
from ndcg_companion.text import shown

Missing = Literal["raise", "zero", "drop"]
MISSING = ("raise", "zero", "drop")
_LOWER = 2**32 - 1


@dataclass(frozen=True)
class Rows:
    """What one source says of items: a grade, or a score, for each row.

    Attributes
    ----------
    source : str
        The file, or what else it is called in messages.
    query, item : ndarray of str as objects, or of bytes in UTF-8
    values : ndarray
    place : callable
        From the number of a row, counted from 0, to the words that say where it stands.
    """

    source: str
    query: np.ndarray
    item: np.ndarray
    values: np.ndarray
    place: Callable


def join(judgments, runs, missing="raise"):
    """Rankings from `Rows` of judgments and, for each system, `Rows` of what it retrieved.

    An item is what is judged or what any system retrieved; items of a query stand in decreasing order of
    their ids (in the order of bytes), in which trec_eval breaks ties. Grades below zero are 0 and counted.

    Parameters
    ----------
    judgments : Rows
    runs : dict of str to Rows
    missing : {"raise", "zero", "drop"}
        A query that is judged but not in some run: refuse it, let the run have retrieved nothing for it, or
        leave it out for all. Queries without judgments are refused or left out. What is left out is listed in
        ``dropped``.

    Raises
    ------
    ValueError
        For a query that is missing, an item twice for one query, a run without any judged item, and files
        that share no query.
    """
    if missing not in MISSING:
        raise ValueError(f"missing={missing!r}: expected one of {', '.join(map(repr, MISSING))}")
    sources = [judgments, *runs.values()]
    ends = np.cumsum([0, *(len(rows.values) for rows in sources)])
    query, queries = codes_of(_together([rows.query for rows in sources]))
    item, items = codes_of(_together([rows.item for rows in sources]), ordered=True)
    # Queries as they come, items from the last id to the first.
    item, items = len(items) - 1 - item, np.array(items[::-1], dtype=TEXT)
    place, union = codes_of(query.astype(np.int64) << 32 | item, ordered=True)
    places = np.split(place, ends[1:-1])
    queried = [query[start:stop] for start, stop in zip(ends, ends[1:])]
    for rows, at in zip(sources, places):
        if np.bincount(at, minlength=1).max() > 1:
            _refuse_repeated(rows, at, queries[union[at] >> 32], items[union[at] & _LOWER])
    is_judged = np.zeros(len(union), dtype=bool)
    is_judged[places[0]] = True
    judged_queries = np.zeros(len(queries), dtype=bool)
    judged_queries[queried[0]] = True
    stays = judged_queries.copy()
    for rows, part, at in zip(sources[1:], queried[1:], places[1:]):
        if not is_judged[at].any():
            expected = f"expected items judged in {judgments.source}, got none"
            raise ValueError(f"{rows.source}: {expected}: do the ids match?")
        present = np.zeros(len(queries), dtype=bool)
        present[part] = True
        if missing == "raise" and (present != judged_queries).any():
            _refuse_missing(judgments, rows, present, judged_queries, queries, queried[0], part)
        if missing == "drop":
            stays &= present
    if not stays.any():
        raise ValueError(f"{judgments.source}: expected a query that every run has, got none")

    kept = stays[union >> 32]
    grades = np.zeros(len(union), dtype=judgments.values.dtype)
    grades[places[0]] = judgments.values
    grades = grades[kept]
    negative = int((grades < 0).sum())
    scores = {}
    for (system, rows), at in zip(runs.items(), places[1:]):
        found = np.full(len(union), -np.inf)
        found[at] = rows.values
        scores[system] = found[kept]
    union = union[kept]
    number = (stays.cumsum() - 1)[union >> 32]
    return Rankings(
        queries=np.array(queries, dtype=TEXT)[stays],
        items=items[union & _LOWER],
        labels=np.maximum(grades, 0),
        judged=is_judged[kept],
        offsets=np.append(0, np.bincount(number, minlength=stays.sum()).cumsum()),
        scores=scores,
        source=", ".join(rows.source for rows in sources),
        negative=negative,
        dropped=tuple(str(name) for name in queries[~stays]),
        grades=grades if negative else None,
    )


def _together(parts):
    """Ids of all sources as one array, of bytes if all are."""
    if all(part.dtype.kind == "S" for part in parts):
        return np.concatenate(parts)
    return np.concatenate(
        [part if part.dtype == object else part.astype(TEXT).astype(object) for part in parts]
    )


def _refuse_repeated(rows, places, queries, items):
    earlier, later = repeated(places)
    raise ValueError(
        f"{rows.place(later)}: expected each document once for a query, got {shown(items[later])} "
        f"for query {shown(queries[later])} as on {rows.place(earlier).rpartition(', ')[2]}"
    )


def _refuse_missing(judgments, rows, present, judged_queries, queries, judged, found):
    at = first(~judged_queries[found])
    if at is not None:
        remedy = "missing='zero' and missing='drop' leave such queries out"
        said = f"query {shown(queries[found[at]])} has no judgment in {judgments.source}"
        raise ValueError(f"{rows.place(at)}: {said}; {remedy}")
    at = first(~present[judged])
    remedy = "missing='zero' counts it 0 for that system, missing='drop' leaves it out for all"
    said = f"query {shown(queries[judged[at]])} is not in {rows.source}"
    raise ValueError(f"{judgments.place(at)}: {said}; {remedy}")


def line_of(path):
    """The words for a row of a file that has one row a line."""
    return lambda row: f"{named(path)}, line {row + 1}"
