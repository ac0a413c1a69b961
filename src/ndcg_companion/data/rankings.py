"""Scored items of several queries, from whatever file they came: what the loaders of this package return."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from os import PathLike
from typing import Self

import numpy as np

from ndcg_companion.checks import fail_if
from ndcg_companion.data.names import check_names
from ndcg_companion.text import escaped

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
        For runs with ranks beside the scores, on which share of neighbouring documents they contradict them.
    alike : tuple of (str, str, str, int, str)
        For systems from files or mappings: an id that is not judged, the judged one that differs from it only
        in letter case, in the composition of accents, in signs that are not seen, in outer space or in a .0
        behind a number, the system, how many such ids it has, and whether they are those of a "document" or
        a "query".
    distinct : bool
        Whether it is known already that no query has an item twice; otherwise that is looked at here.
    grades : ndarray of shape (N,), or None
        The grades as they are in the file, if any is negative: some measures know pooled items that nobody
        judged by -1.
    inputs : tuple of (str, str)
        For each source the path of its file, or what else it is called, and what its columns were taken for.

    Raises
    ------
    ValueError
        For labels below zero or not finite, scores that are NaN, lengths that differ, offsets that are no
        integers or do not run from 0 to N, an item twice for one query, and names of systems that are no
        text, cannot be shown, are blank or look like one another.

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
    alike: tuple[tuple[str, str, str, int, str], ...] = ()
    distinct: bool = False
    inputs: tuple[tuple[str, str], ...] = ()

    def __post_init__(self):
        labels = self._array("labels", "numbers", "biuf")
        count, ends = len(labels), self._array("offsets", "integers", "iu")
        lengths = {name: np.size(getattr(self, name)) for name in ("queries", "items", "judged")}
        for name in ("items", "judged"):
            fail_if(
                lengths[name] != count, f"{name}: expected {count}, one for each label, got {lengths[name]}"
            )
        fail_if(
            len(ends) != lengths["queries"] + 1
            or ends[0] != 0
            or ends[-1] != count
            or (np.diff(ends) < 0).any(),
            f"offsets: expected {lengths['queries'] + 1} numbers that rise from 0 to {count}",
        )
        if not self.distinct:
            self._refuse_twice(np.repeat(np.arange(len(ends) - 1), np.diff(ends)))
        if (at := first(~((labels >= 0) & (labels < np.inf)))) is not None:
            raise ValueError(f"labels: expected finite numbers >= 0, got {labels[at]} at position {at}")
        got = type(self.scores).__name__
        fail_if(
            not hasattr(self.scores, "items"), f"scores: expected a mapping of system to scores, got {got}"
        )
        check_names([*self.scores], "system")
        for name in self.scores:
            whose = f"scores of {escaped(name)}"
            scores = _as_row(whose, self.scores[name], "numbers", "biuf")
            fail_if(len(scores) != count, f"{whose}: expected {count} numbers, got {len(scores)}")
            if (at := first(np.isnan(scores))) is not None:
                raise ValueError(f"{whose}: expected no NaN, got one at position {at}")

    def _refuse_twice(self, number):
        """Refuse an item that stands twice in a query, from the number of the query of each item."""
        import pandas

        items = np.asarray(self.items, dtype=object)
        if (
            position := first(pandas.DataFrame({"query": number, "item": items}).duplicated().to_numpy())
        ) is not None:
            query = escaped(np.asarray(self.queries, dtype=object)[number[position]])
            raise ValueError(
                f"items: expected each once for a query, got {escaped(items[position])} twice for {query}"
            )

    def _array(self, name, expected, kinds):
        return _as_row(name, getattr(self, name), expected, kinds)

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
        for name, needed, names in (
            ("systems", systems, list(self.scores)),
            ("queries", queries, list(self.queries)),
        ):
            got = escaped(", ".join(names[:needed])) or "none"
            fail_if(len(names) < needed, f"{self.source}: expected at least {needed} {name}, got {got}")
        return self


def _as_row(name, values, expected, kinds):
    """The values as an array; ValueError unless they are numbers of these kinds, in a row."""
    try:
        array = np.asarray(values)
    except ValueError:
        array = np.zeros(())
    got = f"{array.dtype} of shape {array.shape}"
    fail_if(
        array.ndim != 1 or array.dtype.kind not in kinds, f"{name}: expected {expected} in a row, got {got}"
    )
    return array


def first(mask):
    """The position of the first true value, None if there is none."""
    return int(mask.argmax()) if mask.any() else None
