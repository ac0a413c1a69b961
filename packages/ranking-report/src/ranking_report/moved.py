"""The queries on which two systems differ most, with their lists side by side."""

import json
from dataclasses import dataclass

import numpy as np
import pandas

from ndcg_companion.checks import check_int, fail_if
from ndcg_companion.text import escaped
from ranking_report.results import Result
from ranking_report.wording import listed, signed

_MOST = 60_000  # the most results on a page, which are about two megabytes
_DEPTH = 10  # the most results shown of a list
_COLUMNS = [
    "query",
    "difference",
    "rank",
    "first",
    "first_label",
    "came_in",
    "second",
    "second_label",
    "went_out",
]


@dataclass(frozen=True, eq=False)
class Moved(Result):
    """The result of `Comparison.moved`.

    Attributes
    ----------
    first, second : str
        The names of the two systems.
    table : DataFrame
        The columns query, difference (first minus second) and rank are followed by the results of both
        systems at this rank. For the first system, the columns are first, first_label and came_in (whether
        the result is absent from the second list). For the second system, the columns are second,
        second_label and went_out (whether the result is absent from the first list). Labels of unjudged
        results, and cells beyond the end of a list, are missing.
    """

    first: str
    second: str
    table: pandas.DataFrame


def main_pair(board, baselines=()):
    """Return the two systems to show first, by default the best two.

    With a baseline, the pair is the best other system and the baseline, so that "came in" marks a document
    that is not in the baseline's list.

    Parameters
    ----------
    board : sequence of str
        The names of the systems, by decreasing mean.
    baselines : sequence of str

    Examples
    --------
    >>> main_pair(["b", "a", "c"]), main_pair(["b", "a", "c"], ["b"])
    (('b', 'a'), ('a', 'b'))
    """
    if not baselines:
        return board[0], board[1]
    return next(name for name in board if name not in baselines), baselines[0]


def moved_most(comparison, first=None, second=None, count=10):
    """Return the queries on which two systems differ most, with both lists.

    Parameters
    ----------
    comparison : Comparison
    first, second : str, optional
        The names of the two systems, by default those of `main_pair`.
    count : int
        The number of queries. Queries without a difference are left out.

    Returns
    -------
    Moved
        The differences and the lists. Each list ends at the cut-off of the measure or at rank 10, whichever
        comes first. Equal scores are in trec_eval's order of ids unless the files determine another order.

    Raises
    ------
    ValueError
        If there are fewer than two systems or no lists, or if a system is unknown or named twice.
    """
    fail_if(len(comparison.systems) < 2, "moved: expected at least two systems")
    fail_if(not len(comparison.rankings.items), "moved: expected rankings, got scores, which have no lists")
    names = comparison.leaderboard["system"].tolist()
    default_pair = main_pair(names, comparison.baselines)
    first = first or next(name for name in default_pair if name != second)
    second = second or next(name for name in default_pair[::-1] if name != first)
    for name, value in (("first", first), ("second", second)):
        system_names = escaped(", ".join(comparison.systems), 300)
        fail_if(value not in comparison.systems, f"{name}='{escaped(value)}': expected one of {system_names}")
    fail_if(first == second, f"second='{escaped(second)}': expected another system than the first")
    check_int("count", count, 1)
    rows = dict(zip(comparison.systems, comparison.values[0]))
    differences = rows[first] - rows[second]
    query_numbers = [
        query for query in np.argsort(-np.abs(differences), kind="stable")[:count] if differences[query] != 0
    ]
    depth = depth_of(comparison)
    tables = [
        _side_by_side(comparison.rankings, query, first, second, depth).assign(
            query=comparison.queries[query], difference=differences[query]
        )
        for query in query_numbers
    ]
    empty_table = pandas.DataFrame(columns=_COLUMNS)
    table = pandas.concat(tables, ignore_index=True)[_COLUMNS] if tables else empty_table
    query_list = listed(
        f"{comparison.queries[query]} ({signed(differences[query])})" for query in query_numbers
    )
    equal_answer = f"{first} and {second} have the same score on every query."
    answer = (
        f"{first} minus {second} is largest, either way, on {query_list}." if query_list else equal_answer
    )
    return Moved(answer, [], {"moved.csv": table}, first, second, table)


def depth_of(comparison):
    """Return how many results to show: the first measure's cut-off, but at most 10."""
    cutoff = comparison.parsed_measures[0].k
    return min(cutoff, _DEPTH) if isinstance(cutoff, int) else _DEPTH


def _side_by_side(rankings, query, first, second, depth):
    """Return a DataFrame with the first results of two systems for a query, by rank.

    It has all columns of `Moved.table` except query and difference.
    """
    of_query = slice(*rankings.offsets[query : query + 2])
    items = rankings.items[of_query]
    labels = np.where(rankings.judged[of_query], rankings.labels[of_query].astype(float), np.nan)
    first_top, second_top = (first_places(rankings.scores[name][of_query], depth) for name in (first, second))
    row_count = max(len(first_top), len(second_top))
    table = {"rank": np.arange(1, row_count + 1)}
    sides = (("first", "came_in", first_top, second_top), ("second", "went_out", second_top, first_top))
    for name, flag_column, top, other_top in sides:
        empty_count = row_count - len(top)
        table[name] = [*map(str, items[top]), *[None] * empty_count]
        table[f"{name}_label"] = np.append(labels[top], [np.nan] * empty_count)
        table[flag_column] = np.append(~np.isin(top, other_top), np.zeros(empty_count, dtype=bool))
    return pandas.DataFrame(table)


def first_places(scores, depth):
    """Return the positions of the highest scores, with the highest first.

    Items that were not retrieved are left out.
    """
    order = np.argsort(-scores, kind="stable")[:depth]
    return order[scores[order] > -np.inf]


def lists_as_json(comparison):
    """Return the first results of all systems as JSON that is safe in a page.

    Notes
    -----
    The queries are those on which the systems differ most. ``start`` is the pair of `main_pair`. ``scores``
    and ``lists`` are indexed by system and query. Each list consists of positions in ``items``, and each
    entry of ``items`` consists of an id and a grade. The grade of an unjudged item is null.
    """
    rankings, depth, values = comparison.rankings, depth_of(comparison), comparison.values[0]
    query_limit = max(1, _MOST // (depth * len(comparison.systems)))
    query_numbers = np.argsort(-np.ptp(values, axis=0), kind="stable")[:query_limit]
    # Each item is written once, with its number in the order of first appearance. The lists contain numbers.
    items, lists = {}, [[] for _ in comparison.systems]
    for query in query_numbers:
        of_query = slice(*rankings.offsets[query : query + 2])
        for lists_of_system, scores in zip(lists, rankings.scores.values()):
            list_items = []
            for item in first_places(scores[of_query], depth) + of_query.start:
                grade = float(rankings.labels[item]) if rankings.judged[item] else None
                id_and_grade = escaped(rankings.items[item], 100), grade
                list_items.append(items.setdefault(id_and_grade, len(items)))
            lists_of_system.append(list_items)
    names = comparison.leaderboard["system"].tolist()
    data = {
        "systems": [escaped(name, 60) for name in comparison.systems],
        "start": [comparison.systems.index(name) for name in main_pair(names, comparison.baselines)],
        "queries": [escaped(comparison.queries[query], 100) for query in query_numbers],
        "scores": values[:, query_numbers].round(4).tolist(),
        "items": [*items],
        "lists": lists,
        "left": len(comparison.queries) - len(query_numbers),
    }
    return json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")
