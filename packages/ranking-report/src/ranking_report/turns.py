"""Compare pairs of systems query by query, and find when judging could stop."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas

from ndcg_companion.checks import fail_if
from ndcg_companion.significance.family import LEVEL
from ndcg_companion.significance.sequential import SequentialTest, sequential_test
from ranking_report.results import Result
from ranking_report.wording import queries_text

_MOST = 300  # the most pairs
_RANDOM = (
    "Queries were taken in the order of the judgments. The risk of 5 %, with a look after each query, is "
    "correct if this order is random or was chosen before any result was seen."
)


@dataclass(frozen=True, eq=False)
class Turns(Result):
    """The result of `Comparison.sequential`.

    Attributes
    ----------
    tests : dict of (str, str) to SequentialTest
        The tests, by first and second system as in ``pairs``.
    table : DataFrame
        A table with one row for each pair. The columns are first, second, winner and stopped_at (None without
        a decision), low and high.
    """

    tests: Mapping[tuple[str, str], SequentialTest]
    table: pandas.DataFrame


def in_order(comparison):
    """Return the `Turns` of the pairs under the first measure.

    The level of 5 % applies to all pairs together.
    """
    pair_count = len(comparison.pairs) // len(comparison.measure_names)
    measure, query_count = comparison.measure_names[0], len(comparison.queries)
    expected = f"sequential: expected from 1 to {_MOST} pairs of systems"
    fail_if(not 0 < pair_count <= _MOST, f"{expected}, got {pair_count:,}")
    least, most = comparison.reach[measure]
    expected = "sequential: expected a measure from 0 to 1"
    fail_if(most - least > 1, f"{expected}, got {measure} from {least:g} to {most:g}")
    pairs = comparison.pairs.iloc[:pair_count]  # those of the first measure come first
    tests = {
        systems: sequential_test(comparison.contrasts.differences(pair), level=LEVEL / pair_count)
        for pair, systems in enumerate(zip(pairs["first"], pairs["second"]))
    }
    rows = []
    for (first, second), test in tests.items():
        winner = {1: first, -1: second, 0: None}[test.winner]
        rows.append([first, second, winner, test.stopped_at, test.low[-1], test.high[-1]])
    columns = ["first", "second", "winner", "stopped_at", "low", "high"]
    return Turns(
        answer=_answer_of_one(rows, measure, query_count)
        if pair_count == 1
        else _answer_of_several(rows, measure),
        remarks=[_RANDOM],
        tables={"sequential.csv": _after_each_query(tests, comparison.queries)},
        tests=tests,
        table=pandas.DataFrame(rows, columns=columns, dtype=object),
    )


def _answer_of_several(rows, measure):
    """Return a sentence on how many tests are decided, given the rows of the table."""
    decided_count = sum(winner is not None for _, _, winner, *_ in rows)
    level = "at 5 % for all pairs together, with a look after each query"
    return f"Query after query, {decided_count} of {len(rows)} pairs are decided ({measure}, {level})."


def _answer_of_one(rows, measure, query_count):
    """Return a sentence with the result of the only test, given the rows of the table."""
    [(first, second, winner, stopped_at, *_)] = rows
    level = f"({measure}, at 5 % with a look after each query)"
    if winner is None:
        return f"Neither {first} nor {second} is named as better on {queries_text(query_count)} {level}."
    loser = second if winner == first else first
    position = f"after {stopped_at} of {queries_text(query_count)}"
    return f"{winner} is named as better than {loser} {position}, where judging could have stopped {level}."


def _after_each_query(tests, names):
    """Return a table with the state of each pair's test after each query.

    The table contains the number of the query, the difference, the wealth of both bets and the interval.
    """
    parts = [
        pandas.DataFrame(
            {
                "first": first,
                "second": second,
                "number": np.arange(1, len(names) + 1),
                "query": np.array(names, dtype=object),
                "difference": test.differences,
                "wealth_first": test.wealth[0],
                "wealth_second": test.wealth[1],
                "low": test.low,
                "high": test.high,
            }
        )
        for (first, second), test in tests.items()
    ]
    return pandas.concat(parts, ignore_index=True)
