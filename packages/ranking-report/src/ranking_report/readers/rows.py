"""The rows of a source, each with a query, an item, and a grade or a score."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas

from ndcg_companion.data.rankings import TEXT, Rankings, first
from ndcg_companion.text import escaped
from ranking_report.readers.ids import Coded, as_texts, codes_of, refuse_missing
from ranking_report.readers.values import as_plain_numbers, refuse_first


@dataclass
class Rows:
    """The rows of a source, each with a query, an item, and a grade or a score.

    Parameters
    ----------
    source : str
        The name of the source in messages.
    query, item : Coded, or values that `codes_of` takes
        The ids of each row.
    values : ndarray of shape (n,)
        The grades or scores, as `check_numbers` returns them.
    locate : callable
        A function that turns the number of a row, counted from 0, into words that locate it.
    columns : str
        A description of how the columns of the source were interpreted.
    contradicted : float
        The proportion of neighbouring documents whose ranks contradict their scores, if there are ranks.
    """

    source: str
    query: Coded
    item: Coded
    values: np.ndarray
    locate: Callable[[int], str]
    columns: str = ""
    contradicted: float = 0.0

    def __post_init__(self):
        self.query, self.item = codes_of(self.query), codes_of(self.item)

    def compare_ranks(self, ranks):
        """Store how often the ranks of the rows contradict the scores.

        Ranks that are not numbers contradict nothing.

        Parameters
        ----------
        ranks : array_like of shape (n,)
            The ranks, which count from the best document.
        """
        query, scores, ranks = self.query.codes, self.values, as_plain_numbers(ranks)
        if (query[1:] < query[:-1]).any():  # the rows of a query are not contiguous here
            order = query.argsort(kind="stable")
            query, ranks, scores = query[order], ranks[order], scores[order]
        self.contradicted = contradicted(query, ranks, scores)

    def use_ranks(self):
        """Replace the values, which are ranks, by scores that fall as the ranks rise.

        Raises
        ------
        ValueError
            If a rank is not an integer of at least 0, or if it appears twice in a query.
        """
        ranks = self.values
        is_wrong = ~((ranks >= 0) & (ranks < 2**53) & (ranks == np.round(ranks)))
        refuse_first(
            is_wrong, self.locate, "a rank, a whole number that counts from the best document", ranks
        )
        is_repeated = pandas.DataFrame({"query": self.query.codes, "rank": ranks}).duplicated().to_numpy()
        refuse_first(is_repeated, self.locate, "each rank once for a query", ranks, " twice")
        self.values = -ranks.astype(np.int64)

    def refuse_twice(self):
        """Reject an item that appears twice in a query, and a row without an id."""
        (query, queries), (item, items) = self.query, self.item
        refuse_missing("query", query, self.locate)
        refuse_missing("item", item, self.locate)
        keys = pair_keys(query, item)
        # Sorting is faster than looking up each key. The sort is stable because most rows are nearly in
        # order.
        sorted_keys = np.sort(keys, kind="stable")
        if (sorted_keys[1:] == sorted_keys[:-1]).any():
            repeated_row = first(pandas.Series(keys).duplicated().to_numpy())
            earlier_location = self.locate(first(keys == keys[repeated_row])).removeprefix(f"{self.source}, ")
            item_name, query_name = items[item[repeated_row]], queries[query[repeated_row]]
            got = f"{escaped(item_name)} for query {escaped(query_name)} as in {earlier_location}"
            raise ValueError(f"{self.locate(repeated_row)}: expected each item once for a query, got {got}")

    def in_order(self, scores):
        """Return the `Rankings` of these rows, which all count as judged, and the order of the rows.

        The rows of each query become contiguous, and the items of a query keep the order of the file. The
        order is a slice if no row moves.
        """
        self.refuse_twice()
        query, order = self.query.codes, slice(None)
        if (query[1:] < query[:-1]).any():
            order = query.argsort(kind="stable")
        rankings = Rankings(
            queries=as_texts(self.query.texts).astype(TEXT),
            items=as_texts(self.item.texts).astype(TEXT)[self.item.codes[order]],
            labels=self.values[order],
            judged=np.ones(len(query), dtype=bool),
            offsets=np.append(0, np.bincount(query).cumsum()),
            scores={name: values[order] for name, values in scores.items()},
            source=self.source,
            distinct=True,
            inputs=((self.source, self.columns),),
        )
        return rankings, order


def pair_keys(query, item):
    """Return a single number for each pair of a query's number and an item's number.

    >>> pair_keys(np.array([0, 1]), np.array([5, 5])).tolist()
    [5, 4294967301]
    """
    return query.astype(np.int64) << 32 | item


def contradicted(query, ranks, scores):
    """Return the proportion of neighbouring rows whose ranks contradict the scores.

    Neighbouring rows count only if they belong to the same query and differ in both rank and score.

    >>> contradicted(np.array([*"qqqp"]), np.array([1, 2, 3, 4]), np.array([0.1, 0.2, 0.1, 0.9]))
    0.5
    """
    # 1 where the next value is larger, -1 where it is smaller, and 0 otherwise.
    rank_signs, score_signs = (
        (values[1:] > values[:-1]).astype(np.int8) - (values[1:] < values[:-1]) for values in (ranks, scores)
    )
    products = rank_signs * score_signs * (query[1:] == query[:-1])
    # Scores should fall as ranks rise, so equal signs are a contradiction.
    return float((products > 0).sum() / max((products != 0).sum(), 1))
