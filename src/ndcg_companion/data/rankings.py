"""Scored items of several queries, from whatever file they came: what the loaders of this room return."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from os import PathLike
from typing import Self

import numpy as np

from ndcg_companion.measures.checks import fail_if
from ndcg_companion.text import check_plain, shown

# Variable-length strings in 16 bytes each, where Python strings would take 60 and a pointer.
TEXT = np.dtypes.StringDType()

FilePath = str | PathLike[str]


@dataclass(frozen=True, eq=False, repr=False)
class Rankings:
    """Labels and the scores of several systems for the items of several queries, flat, with offsets.

    Query i holds the items ``offsets[i]:offsets[i + 1]``: the shape in which the measures take a ragged
    batch.

    Attributes
    ----------
    queries : ndarray of str, shape (q,)
        Query ids, in the order in which the file first names them.
    items : ndarray of str, shape (N,)
        Item (document) ids.
    labels : ndarray of shape (N,)
        Grades, >= 0; those of unjudged items are 0, as trec_eval takes them.
    judged : ndarray of bool, shape (N,)
        Whether the file has a grade for the item.
    offsets : ndarray of int, shape (q + 1,)
    scores : dict of str to ndarray of shape (N,)
        For each system its scores; higher is ranked earlier, ``-inf`` is an item that it did not retrieve.
    times : ndarray of shape (N,), or None
        When items arrived, as numbers or dates; items of a query then stand in this order.
    source : str
        The files, for messages.
    negative : int
        How many grades were negative in the file and are 0 here.
    dropped : tuple of str
        Ids of the queries that were left out because a file does not have them.
    contradicted : mapping of str to float
        For systems from TREC runs, on which share of neighbouring documents the ranks contradict the scores.
    grades : ndarray of shape (N,), or None
        The grades as they are in the file, if any is negative: some measures know pooled items that nobody
        judged by -1.

    Raises
    ------
    ValueError
        For labels below zero or not finite, scores that are NaN, lengths that differ, offsets that do not run
        from 0 to N, and names of systems with control characters.

    Examples
    --------
    >>> from ndcg_companion.measures import ndcg
    >>> rankings = Rankings(["q"], ["a", "b"], np.array([0, 2]), np.array([True, True]), np.array([0, 2]),
    ...                     {"bm25": np.array([1.0, 2.0])})
    >>> rankings
    Rankings(1 query, 2 items, systems: bm25)
    >>> ndcg(rankings.labels, rankings.scores["bm25"], offsets=rankings.offsets)
    array([1.])
    """

    queries: np.ndarray
    items: np.ndarray
    labels: np.ndarray
    judged: np.ndarray
    offsets: np.ndarray
    scores: dict[str, np.ndarray]
    times: np.ndarray | None = None
    source: str = ""
    negative: int = 0
    dropped: tuple[str, ...] = ()
    grades: np.ndarray | None = None
    contradicted: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self):
        count, ends = len(self.labels), np.asarray(self.offsets)
        fail_if(
            len(ends) != len(self.queries) + 1
            or ends[0] != 0
            or ends[-1] != count
            or (np.diff(ends) < 0).any(),
            f"offsets: expected {len(self.queries) + 1} numbers that rise from 0 to {count}",
        )
        if (at := first(~((self.labels >= 0) & (self.labels < np.inf)))) is not None:
            raise ValueError(f"labels: expected finite numbers >= 0, got {self.labels[at]} at position {at}")
        for name, scores in self.scores.items():
            whose = f"scores of {shown(check_plain(name, 'system'))}"
            fail_if(len(scores) != count, f"{whose}: expected {count} numbers, got {len(scores)}")
            if (at := first(np.isnan(scores))) is not None:
                raise ValueError(f"{whose}: expected no NaN, got one at position {at}")

    def __repr__(self):
        q, n = len(self.queries), len(self.labels)
        counts = f"{q:,} {'query' if q == 1 else 'queries'}, {n:,} {'item' if n == 1 else 'items'}"
        return f"Rankings({counts}, systems: {', '.join(self.scores) or 'none'})"

    def retrieved_labels(self, system: str) -> np.ndarray:
        """The labels, 0 for what the system did not retrieve: what its DCG counts according to trec_eval.

        An item that was not retrieved has no rank, but it does stand in the ideal ranking. So trec_eval's
        NDCG is ``dcg(retrieved_labels(system), scores[system], ...) / ideal_dcg(labels, ...)``, whereas
        ``ndcg(labels, scores[system], ...)`` ranks such items, tied, after everything retrieved.
        """
        return np.where(np.isneginf(self.scores[system]), 0, self.labels)

    def require(self, *, systems: int = 1, queries: int = 1) -> Self:
        """These rankings, if they have enough systems and queries, such as two of each for a comparison.

        Raises
        ------
        ValueError
            Naming the files, what they have and what was expected.
        """
        for name, wanted, there in (
            ("systems", systems, list(self.scores)),
            ("queries", queries, list(self.queries)),
        ):
            got = shown(", ".join(there[:wanted])) or "none"
            fail_if(len(there) < wanted, f"{self.source}: expected at least {wanted} {name}, got {got}")
        return self


def first(mask):
    """The position of the first true value, None if there is none."""
    return int(mask.argmax()) if mask.any() else None
