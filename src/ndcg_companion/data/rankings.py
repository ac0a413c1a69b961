"""Scored items of several queries, in the form that loaders return for every file format."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from os import PathLike
from typing import Self

import numpy as np

from ndcg_companion.checks import fail_if
from ndcg_companion.data.names import check_names
from ndcg_companion.text import escaped

# Variable-length strings take 16 bytes each, whereas Python strings would take 60 and a pointer.
TEXT = np.dtypes.StringDType()

FilePath = str | PathLike[str]


@dataclass(frozen=True, eq=False, repr=False)
class Rankings:
    """Labels and scores of several systems for the items of several queries.

    All arrays are flat. Query i has the items ``offsets[i]:offsets[i + 1]``, as the measures expect for a
    ragged batch.

    Attributes
    ----------
    queries : ndarray of str, shape (q,)
        Query ids, in order of first occurrence in the file.
    items : ndarray of str, shape (N,)
        Item (document) ids.
    labels : ndarray of shape (N,)
        Grades >= 0; unjudged items have the grade 0, as in trec_eval.
    judged : ndarray of bool, shape (N,)
        Whether the file contains a grade for the item.
    offsets : ndarray of int, shape (q + 1,)
        Position of the first item of each query, followed by N.
    scores : dict of str to ndarray of shape (N,)
        Scores of each system; items with higher scores rank earlier, and ``-inf`` marks items that the system
        did not retrieve.
    times : ndarray of shape (N,), or None
        Arrival times of items, as numbers or dates. If times are given, the items of each query are in the
        order of arrival.
    source : str
        Names of the files, for use in messages.
    negative : int
        Number of grades that are negative in the file and are replaced by 0 here.
    dropped : tuple of str
        Ids of queries that were omitted because a file does not contain them.
    contradicted : mapping of str to float
        For runs with both ranks and scores, the proportion of pairs of neighbouring documents on whose order
        the two disagree.
    similar_ids : tuple of (str, str, str, int, str)
        One entry for each system whose file or mapping has suspicious ids. Each entry consists of an unjudged
        id, a judged id that is nearly the same, the name of the system, the number of such ids, and
        "document" or "query", the kind of id. The two ids differ only in letter case, composition of accents,
        invisible characters, outer space, or the ending ".0" of a number.
    distinct : bool
        Whether it is already known that no query has an item twice; if this is not known, it is checked.
    grades : ndarray of shape (N,), or None
        The original grades of the file if any is negative; for some measures, -1 marks pooled items that were
        not judged.
    inputs : tuple of (str, str)
        One pair for each source: its path or other name, and the interpretation of its columns.

    Raises
    ------
    ValueError
        If a label is negative or not finite, a score is NaN, lengths differ, offsets are not integers that
        rise from 0 to N, a query has an item twice, or the name of a system is not a text, cannot be shown,
        is blank or looks like another.

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
    similar_ids: tuple[tuple[str, str, str, int, str], ...] = ()
    distinct: bool = False
    inputs: tuple[tuple[str, str], ...] = ()

    def __post_init__(self):
        labels = _as_row("labels", self.labels, "numbers", "biuf")
        offsets = _as_row("offsets", self.offsets, "integers", "iu")
        count = len(labels)
        lengths = {name: np.size(getattr(self, name)) for name in ("queries", "items", "judged")}
        for name in ("items", "judged"):
            fail_if(
                lengths[name] != count, f"{name}: expected {count}, one for each label, got {lengths[name]}"
            )
        fail_if(
            len(offsets) != lengths["queries"] + 1
            or offsets[0] != 0
            or offsets[-1] != count
            or (np.diff(offsets) < 0).any(),
            f"offsets: expected {lengths['queries'] + 1} numbers that rise from 0 to {count}",
        )
        if not self.distinct:
            query_numbers = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
            self._check_duplicates(query_numbers)
        if (position := first(~((labels >= 0) & (labels < np.inf)))) is not None:
            value = f"{labels[position]} at position {position}"
            raise ValueError(f"labels: expected finite numbers >= 0, got {value}")
        given_type = type(self.scores).__name__
        fail_if(
            not hasattr(self.scores, "items"),
            f"scores: expected a mapping of system to scores, got {given_type}",
        )
        check_names([*self.scores], "system")
        for name in self.scores:
            subject = f"scores of {escaped(name)}"
            scores = _as_row(subject, self.scores[name], "numbers", "biuf")
            fail_if(len(scores) != count, f"{subject}: expected {count} numbers, got {len(scores)}")
            if (position := first(np.isnan(scores))) is not None:
                raise ValueError(f"{subject}: expected no NaN, got one at position {position}")

    def _check_duplicates(self, query_numbers):
        """Raise ValueError if a query has an item twice, given each item's query number."""
        import pandas

        items = np.asarray(self.items, dtype=object)
        is_repeated = pandas.DataFrame({"query": query_numbers, "item": items}).duplicated().to_numpy()
        if (position := first(is_repeated)) is not None:
            query = escaped(np.asarray(self.queries, dtype=object)[query_numbers[position]])
            raise ValueError(
                f"items: expected each item once per query, got {escaped(items[position])} twice for {query}"
            )

    def __repr__(self):
        q, n = len(self.queries), len(self.labels)
        counts = f"{q:,} {'query' if q == 1 else 'queries'}, {n:,} {'item' if n == 1 else 'items'}"
        return f"Rankings({counts}, systems: {', '.join(self.scores) or 'none'})"

    def retrieved_labels(self, system: str) -> np.ndarray:
        """Return the labels, with 0 for items that the system did not retrieve.

        These labels give the DCG of trec_eval, in which an item that was not retrieved has no rank but is
        part of the ideal ranking. The NDCG of trec_eval is therefore
        ``dcg(retrieved_labels(system), scores[system], ...) / ideal_dcg(labels, ...)``, whereas
        ``ndcg(labels, scores[system], ...)`` ranks all items that were not retrieved as ties after the
        retrieved items.
        """
        return np.where(np.isneginf(self.scores[system]), 0, self.labels)

    def require(self, *, systems: int = 1, queries: int = 1) -> Self:
        """Return these rankings if they have enough systems and queries.

        Raises
        ------
        ValueError
            If there are fewer systems or queries than required; the message names the files and their
            contents.
        """
        for name, needed, present_names in (
            ("systems", systems, list(self.scores)),
            ("queries", queries, list(self.queries)),
        ):
            shown_names = escaped(", ".join(present_names[:needed])) or "none"
            fail_if(
                len(present_names) < needed,
                f"{self.source}: expected at least {needed} {name}, got {shown_names}",
            )
        return self


def _as_row(name, values, expected, kinds):
    """Return the values as an array; raise ValueError unless they are a row of numbers of the given kinds.

    The kinds are letters of NumPy's ``dtype.kind``.
    """
    try:
        array = np.asarray(values)
    except ValueError:
        array = np.zeros(())  # fails the next check
    description = f"{array.dtype} of shape {array.shape}"
    fail_if(
        array.ndim != 1 or array.dtype.kind not in kinds,
        f"{name}: expected {expected} in a row, got {description}",
    )
    return array


def first(mask):
    """Return the position of the first true value, or None."""
    return int(mask.argmax()) if mask.any() else None
