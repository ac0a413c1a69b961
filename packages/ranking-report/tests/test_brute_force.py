"""Scores over all orders of ties, and tests of all pairs over all signs, by full enumeration.

No wheel on a package index has the test files of trec_eval or the compatibility cases of ir_measures: both
are in the repositories of these programs alone. So the definitions are written down here once more, each for
one list in one order, without arrays; ``test_scoring.py`` and ``test_ir_measures.py`` compare with the
programs themselves.
"""

from itertools import permutations, product
from math import ceil, inf, isclose, log2, sqrt

import numpy as np
import pytest

from ranking_report import compare

# Of one order of a list: its grades (None where nobody judged), and those of all that is judged.


def gain(grade):
    return max(grade or 0, 0)


def is_relevant(grade):
    return gain(grade) >= 1


def dcg(order, judged, k=inf):
    return sum(gain(grade) / log2(rank + 1) for rank, grade in enumerate(order, 1) if rank <= k)


def ndcg(order, judged, k=inf):
    return dcg(order, judged, k) / dcg(sorted(judged, key=gain, reverse=True), judged, k)


def relevant(judged):
    return sum(map(is_relevant, judged))


def hits(order, k):
    return sum(map(is_relevant, order[:k]))


def ap(order, judged, k=inf):
    ranks = [rank for rank, grade in enumerate(order, 1) if is_relevant(grade) and rank <= k]
    return sum(hits(order, rank) / rank for rank in ranks) / relevant(judged)


def rr(order, judged, k=inf):
    return max(
        (1 / rank for rank, grade in enumerate(order, 1) if is_relevant(grade) and rank <= k), default=0
    )


def bpref(order, judged):
    number, bound = relevant(judged), len([grade for grade in judged if grade == 0])
    total = above = 0
    for grade in order:
        if is_relevant(grade):
            total += 1 - min(above, number) / min(number, bound) if above else 1
        elif grade == 0:
            above += 1
    return total / number


def rbp(order, judged):
    return 0.2 * sum(0.8 ** (rank - 1) for rank, grade in enumerate(order, 1) if is_relevant(grade))


def err(order, judged, k):
    goes_on, total = 1, 0
    for rank, grade in enumerate(order[:k], 1):
        stops = (2 ** gain(grade) - 1) / 16
        total += goes_on * stops / rank
        goes_on *= 1 - stops
    return total


DEFINITIONS = {
    "nDCG@3": lambda order, judged: ndcg(order, judged, 3),
    "nDCG": ndcg,
    "DCG@3": lambda order, judged: dcg(order, judged, 3),
    "DCG": dcg,
    "AP": ap,
    "AP@2": lambda order, judged: ap(order, judged, 2),
    "RR": rr,
    "RR@2": lambda order, judged: rr(order, judged, 2),
    "P@3": lambda order, judged: hits(order, 3) / 3,
    "R@3": lambda order, judged: hits(order, 3) / relevant(judged),
    "Success@2": lambda order, judged: float(hits(order, 2) > 0),
    "Rprec": lambda order, judged: hits(order, relevant(judged)) / relevant(judged),
    "Bpref": bpref,
    "RBP": rbp,
    "ERR@3": lambda order, judged: err(order, judged, 3),
    "Judged@3": lambda order, judged: sum(grade is not None for grade in order[:3]) / min(3, len(order)),
}


def random_query(rng):
    """Grades of up to eight documents, one of them relevant, and scores of up to five that often tie."""
    names = [f"d{number}" for number in rng.permutation(9)]
    qrels = {name: int(rng.choice([-1, 0, 0, 1, 2, 4])) for name in names[: rng.integers(1, 9)]}
    qrels[names[0]] = int(rng.integers(1, 5))
    retrieved = rng.permutation(names)[: rng.integers(1, 6)].tolist()
    return qrels, {name: float(rng.integers(0, 3)) for name in retrieved}


def orders(run):
    """All orders in which no document is above one with a higher score."""
    return [order for order in permutations(run) if sorted(order, key=run.get, reverse=True) == [*order]]


def differences_to_brute_force(queries, seed):
    """How many scores were compared, and those that differ, over random queries."""
    rng = np.random.default_rng(seed)
    cases = {f"q{number}": random_query(rng) for number in range(queries)}
    anchor = {"anchor": {"a": 1}}  # so that the run has a judged document
    qrels = {query: grades for query, (grades, _) in cases.items()} | anchor
    run = {query: scores for query, (_, scores) in cases.items()} | {"anchor": {"a": 1.0}}
    wrong, number = [], 0
    for ties in ("average", "trec_eval"):
        comparison = compare(qrels, {"run": run}, measures=[*DEFINITIONS], ties=ties)
        for query, (grades, scores) in cases.items():
            possible = orders(scores)
            if ties == "trec_eval":
                possible = [sorted(scores, key=lambda name: (scores[name], name), reverse=True)]
            graded = [[grades.get(name) for name in order] for order in possible]
            column = comparison.queries.index(query)
            for row, (name, definition) in enumerate(DEFINITIONS.items()):
                value = sum(definition(order, [*grades.values()]) for order in graded) / len(graded)
                number += 1
                if not isclose(comparison.values[row, 0, column], value, abs_tol=1e-12):
                    wrong.append((ties, name, query, comparison.values[row, 0, column], value))
    return number, wrong


def test_scores_are_the_means_over_all_orders_of_ties():
    number, wrong = differences_to_brute_force(queries=200, seed=31)
    assert number == 2 * 200 * len(DEFINITIONS) and not wrong


def test_wrong_definitions_give_different_scores(monkeypatch):
    monkeypatch.setitem(DEFINITIONS, "Bpref", lambda order, judged: bpref(order, judged) * (len(judged) < 6))
    monkeypatch.setitem(DEFINITIONS, "DCG@3", lambda order, judged: dcg(order, judged, 2))
    _, wrong = differences_to_brute_force(queries=30, seed=32)
    assert {name for _, name, *_ in wrong} == {"Bpref", "DCG@3"}


def student(differences):
    """Student's t of a mean, infinite where all differences are the same."""
    q, mean = len(differences), sum(differences) / len(differences)
    squares = sum((value - mean) ** 2 for value in differences)
    if squares < 1e-20:
        return inf if abs(mean) > 1e-12 else 0.0
    return abs(mean) / sqrt(squares / (q - 1) / q)


def max_t(pairs):
    """p-values of a family and the critical value, over all signs of queries, from differences by pair."""
    count = len(pairs[0])
    centred = [[value - sum(pair) / count for value in pair] for pair in pairs]
    largest = {"differences": [], "deviations": []}
    for signs in product((1, -1), repeat=count):
        for kind, rows in (("differences", pairs), ("deviations", centred)):
            largest[kind].append(max(student([s * v for s, v in zip(signs, row)]) for row in rows))
    p_values = [
        max(sum(t >= student(pair) - 1e-9 for t in of_kind) / 2**count for of_kind in largest.values())
        for pair in pairs
    ]
    index = ceil(0.95 * 2**count) - 1
    return p_values, max(sorted(of_kind)[index] for of_kind in largest.values())


@pytest.mark.parametrize(
    ("queries", "systems", "baseline", "seed"), [(6, 4, None, 1), (8, 3, None, 2), (9, 3, "a", 3)]
)
def test_the_family_is_that_of_all_signs_gone_through_one_by_one(queries, systems, baseline, seed):
    """Checks the p-values, and the intervals, which exclude 0 exactly if the p-value is at most 0.05."""
    rng, names = np.random.default_rng(seed), "abcd"[:systems]
    qrels = {f"q{number}": {f"d{d}": int(d < 2 + number % 3) for d in range(8)} for number in range(queries)}
    runs = {
        name: {
            query: {document: float(skill * label + rng.normal()) for document, label in grades.items()}
            for query, grades in qrels.items()
        }
        for skill, name in enumerate(names)
    }
    comparison = compare(qrels, runs, measures=["nDCG", "AP"], baseline=baseline)
    scores = comparison.scores.set_index(["measure", "system", "query"])["score"]
    differences = [
        [scores[row.measure, row.first, query] - scores[row.measure, row.second, query] for query in qrels]
        for row in comparison.pairs.itertuples()
    ]
    p_values, critical = max_t(differences)
    assert comparison.pairs["p_family"].tolist() == pytest.approx(p_values, abs=1e-12)
    for row, pair in zip(comparison.pairs.itertuples(), differences):
        half = critical * np.std(pair, ddof=1) / sqrt(queries)
        interval = np.mean(pair) - half, np.mean(pair) + half
        if row.p_family > 0.05:
            interval = min(interval[0], 0), max(interval[1], 0)
        assert (row.low, row.high) == pytest.approx(np.clip(interval, -1, 1), abs=1e-9)
