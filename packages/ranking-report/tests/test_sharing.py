"""The proportion of weight on common results, compared with a computation list by list."""

import numpy as np
import pytest

from ndcg_companion.significance.planning import paired_queries
from ranking_report import compare, parse_measure
from ranking_report.inputs import gather
from ranking_report.sharing import shared_weights

MEASURES = {
    "nDCG@10": lambda r: (r <= 10) / np.log2(1 + r),
    "P@5": lambda r: float(r <= 5),
    "RBP(p=0.8)": lambda r: 0.8**r,
    "nDCG(discount=power:0.5)": lambda r: r**-0.5,
}


def runs(tied, seed=3):
    """Three systems on seven queries, of which no two retrieve the same items; scores perhaps tie."""
    rng = np.random.default_rng(seed)
    qrels = {
        f"q{number}": {f"d{item}": int(rng.random() < 0.4) for item in range(9)} | {"d0": 1}
        for number in range(7)
    }
    systems = {}
    for name in "abc":
        systems[name] = {}
        for query in qrels:
            items = rng.permutation(30)[: rng.integers(8, 25)]
            scores = rng.integers(0, 6, len(items)) if tied else rng.permutation(100)[: len(items)]
            systems[name][query] = {f"d{item}": float(score) for item, score in zip(items, scores)}
    return qrels, systems


def weights(run, weight, ties):
    """What each item of one list is paid, by going down the list."""
    ranked = sorted(run, key=lambda item: (run[item], item), reverse=True)
    paid = {item: weight(rank) for rank, item in enumerate(ranked, start=1)}
    if ties == "trec_eval":
        return paid
    same = {item: [paid[other] for other in run if run[other] == run[item]] for item in run}
    return {item: float(np.mean(values)) for item, values in same.items()}


@pytest.mark.parametrize("tied", [False, True])
@pytest.mark.parametrize("ties", ["average", "trec_eval", "best"])
def test_shares_equal_those_computed_list_by_list(ties, tied):
    qrels, systems = runs(tied)
    weight_tables, _ = shared_weights(
        gather(qrels, systems), [parse_measure(name) for name in MEASURES], ties
    )
    for table, weight in zip(weight_tables, MEASURES.values()):
        for i, letter in enumerate("abc"):
            for j, other in enumerate("abc"):
                both = squares = 0.0
                for query in qrels:
                    first, second = (weights(systems[name][query], weight, ties) for name in (letter, other))
                    both += sum(pay * second.get(item, 0.0) for item, pay in first.items())
                    squares += sum(pay**2 for pay in (*first.values(), *second.values()))
                assert table[i, j] == pytest.approx(2 * both / squares, rel=1e-12)


def test_on_full_pages_it_is_the_mean_over_queries():
    qrels, _ = runs(False)
    rng = np.random.default_rng(0)
    orders = {name: {query: rng.permutation(14)[:10] for query in qrels} for name in "ab"}
    systems = {
        name: {
            query: {f"d{item}": -float(index) for index, item in enumerate(order)}
            for query, order in lists.items()
        }
        for name, lists in orders.items()
    }
    D = 1 / np.log2(np.arange(2, 12))
    shares = []
    for query in qrels:
        first, second = (dict(zip(orders[name][query], D)) for name in "ab")
        shares.append(sum(pay * second.get(item, 0) for item, pay in first.items()) / (D @ D))
    row = compare(qrels, systems).pairs.iloc[0]
    assert row["shared"] == pytest.approx(np.mean(shares), rel=1e-12)


def test_a_measure_that_is_no_weighted_sum_has_none():
    qrels, systems = runs(False)
    table = compare(qrels, systems, measures=["nDCG@10", "AP", "RR"]).pairs
    assert table["shared"].notna().tolist() == [name == "nDCG@10" for name in table["measure"]]
    assert table["queries_unshared"].notna().tolist() == [name == "nDCG@10" for name in table["measure"]]


def test_what_sharing_saves_is_stated_in_queries():
    """The difference is the same, and the variance is larger by the factor 1 / (1 - shared)."""
    qrels, systems = runs(False)
    comparison = compare(qrels, systems, measures=["nDCG@10"])
    row = comparison.pairs.iloc[0]
    wider = row["effect"] * np.sqrt(1 - row["shared"])
    critical = comparison.flips.critical
    assert row["queries_unshared"] == paired_queries(wider, critical) >= row["queries"]


def test_a_system_and_its_copy_share_all():
    qrels, systems = runs(False)
    comparison = compare(qrels, {"a": systems["a"], "copy": systems["a"], "b": systems["b"]})
    shared = comparison.pairs.set_index(["first", "second"])["shared"]
    assert shared["a", "copy"] == pytest.approx(1) and shared["a", "b"] < 1
    assert shared["a", "b"] == pytest.approx(shared["copy", "b"])
