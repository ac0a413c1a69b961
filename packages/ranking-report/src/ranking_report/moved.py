"""The queries on which two systems differ most, their lists side by side: what came in, what went out."""

import numpy as np
import pandas

from ndcg_companion.checks import check_int, fail_if
from ndcg_companion.text import escaped

_DEPTH = 10  # positions of a list, where the measure has no cut-off


def main_pair(board, baseline=None):
    """The two systems to show first, of ``board``, the names by falling mean: the best and the second best.

    With a baseline: the best of the others, then the baseline. In this order "came in" means a document that
    the baseline's list lacks.

    >>> main_pair(["b", "a", "c"]), main_pair(["b", "a", "c"], "b")
    (('b', 'a'), ('a', 'b'))
    """
    if baseline is None:
        return board[0], board[1]
    return next(name for name in board if name != baseline), baseline


def moved_most(comparison, first=None, second=None, count=10):
    """Lists of two systems side by side, on the queries on which the first measure differs most.

    Parameters
    ----------
    comparison : Comparison
    first, second : str, optional
        The pair: by default `main_pair`.
    count : int
        Of queries; those on which nothing differs are left out.

    Returns
    -------
    DataFrame
        query, difference (first minus second), rank, and of each of the two systems what stands there: first,
        first_label, came_in (not in the second's list), second, second_label, went_out (not in the first's).
        Labels of what nobody judged are NaN; so is what a list does not have. Lists end at the cut-off of the
        measure, at most at 10; equal scores are in trec_eval's order of ids where files say nothing else.
    """
    fail_if(len(comparison.systems) < 2, "moved: expected at least two systems")
    names = comparison.leaderboard["system"].tolist()
    default = main_pair(names, comparison.baseline)
    first = first or next(name for name in default if name != second)
    second = second or next(name for name in default[::-1] if name != first)
    for name, value in (("first", first), ("second", second)):
        known = escaped(", ".join(comparison.systems), 300)
        fail_if(value not in comparison.systems, f"{name}='{escaped(value)}': expected one of {known}")
    fail_if(first == second, f"second='{escaped(second)}': expected another system than the first")
    check_int("count", count, 1)
    one, other = (comparison.values[0][comparison.systems.index(name)] for name in (first, second))
    gaps = one - other
    order = np.argsort(-np.abs(gaps), kind="stable")[:count]
    depth = min(comparison.cutoffs[0] or _DEPTH, _DEPTH)
    parts = [
        _side_by_side(comparison.rankings, at, first, second, depth).assign(
            query=comparison.queries[at], difference=gaps[at]
        )
        for at in order
        if gaps[at] != 0
    ]
    columns = ["query", "difference", "rank", "first", "first_label", "came_in"]
    columns += ["second", "second_label", "went_out"]
    return pandas.concat(parts, ignore_index=True)[columns] if parts else pandas.DataFrame(columns=columns)


def _side_by_side(rankings, at, first, second, depth):
    """The beginnings of the lists of two systems for one query, rank by rank."""
    part = slice(*rankings.offsets[at : at + 2])
    items = rankings.items[part]
    labels = np.where(rankings.judged[part], rankings.labels[part].astype(float), np.nan)
    tops = [_top(rankings.scores[name][part], depth) for name in (first, second)]
    table = {"rank": np.arange(1, max(map(len, tops)) + 1)}
    for name, only, own, rest in (("first", "came_in", *tops), ("second", "went_out", *tops[::-1])):
        empty = len(table["rank"]) - len(own)
        table[name] = [*map(str, items[own]), *[None] * empty]
        table[f"{name}_label"] = np.append(labels[own], [np.nan] * empty)
        table[only] = np.append(~np.isin(own, rest), np.zeros(empty, dtype=bool))
    return pandas.DataFrame(table)


def _top(scores, depth):
    order = np.argsort(-scores, kind="stable")[:depth]
    return order[scores[order] > -np.inf]
