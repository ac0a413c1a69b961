"""Mean DCG beside mean NDCG: the measure, its range, and the remark if the winners differ."""

import json
from math import ceil, log, log2

import numpy as np
import pytest

from ndcg_companion.measures import Power, dcg
from ranking_report import compare
from ranking_report.bounds import lower_bound

REMARK = "The means name different winners"
# Five documents and two queries: a page of x or y is worthless, and A leads in DCG, B in NDCG.
QRELS = {"q1": {"a": 1, "c": 1, "x": 0}, "q2": {"b": 1, "y": 0}}
RUNS = {
    "A": {"q1": {"a": 3.0, "c": 2.0, "x": 1.0}, "q2": {"y": 2.0, "b": 1.0}},
    "B": {"q1": {"x": 3.0, "c": 2.0, "a": 1.0}, "q2": {"b": 2.0, "y": 1.0}},
}
ZIPF = "(discount=zipf)@3"


def log2_discount(ranks):
    return 1 / np.log2(1 + ranks)


def remarks_of(comparison):
    return [note for note in comparison.notes if note.startswith(REMARK)]


def test_dcg_by_hand():
    means = compare(QRELS, RUNS, measures=[f"DCG{ZIPF}", "DCG@3", "DCG@1", "DCG"]).means.set_index("system")
    assert means.loc["A"].tolist() == pytest.approx([1, (1.5 + 2 / log2(3) - 0.5) / 2, 0.5, 1.1309], abs=5e-5)
    assert means.loc["B", f"DCG{ZIPF}"] == pytest.approx(11 / 12)
    assert means.loc["B", "DCG"] == pytest.approx((1 / log2(3) + 1 / 2 + 1) / 2)


@pytest.mark.parametrize("ties", ["average", "best", "worst"])
@pytest.mark.parametrize("gain", ["linear", "exponential"])
def test_dcg_is_that_of_the_measure_of_one_list_on_what_was_retrieved(qrels_and_runs, ties, gain):
    qrels, runs = qrels_and_runs
    comparison = compare(
        qrels, runs, measures=["DCG@5", "DCG", "DCG(discount=power:0.5)"], ties=ties, gain=gain
    )
    for column, system in enumerate(comparison.systems):
        for index, query in enumerate(comparison.queries):
            run = runs[system][query]
            labels = np.array([max(qrels[query].get(document, 0), 0) for document in run])
            scores = np.array([*run.values()])
            expected = [
                dcg(labels, scores, discount=log2_discount, k=5, ties=ties, gain=gain),
                dcg(labels, scores, discount=log2_discount, ties=ties, gain=gain),
                dcg(labels, scores, discount=Power(0.5), ties=ties, gain=gain),
            ]
            assert comparison.values[:, column, index] == pytest.approx(expected, rel=1e-12)


def test_dcg_reaches_the_highest_gain_at_each_rank_that_counts():
    qrels = {"q1": {"a": 3, "b": 0, "c": 1}, "q2": {"d": 1, "e": 0}}
    runs = {"s": {"q1": {"a": 2.0, "b": 1.0}, "q2": {"d": 1.0}}}
    measures = ["DCG@2", "DCG", "DCG@50", "DCG(gain=exponential)@1", "nDCG@2"]
    reach = compare(qrels, runs, measures=measures).reach
    to_3 = 3 * (1 + 1 / log2(3) + 1 / 2)
    assert [high for _, high in reach.values()] == pytest.approx([3 + 3 / log2(3), to_3, to_3, 7, 1])


def test_the_five_documents_of_the_book_have_two_winners():
    comparison = compare(QRELS, RUNS, measures=[f"nDCG{ZIPF}"])
    assert remarks_of(comparison) == [
        f"The means name different winners: mean nDCG{ZIPF} is highest for B, mean DCG{ZIPF} for A. Mean "
        f"nDCG{ZIPF} gives more weight to queries whose ideal DCG is small, and 100 % of the queries have "
        "fewer than 3 relevant documents. Decide whether each query or each relevant document counts the "
        f"same; --measure DCG{ZIPF} tests the other mean too."
    ]


def test_the_remark_is_among_the_first_three_on_the_page_and_in_the_record(tmp_path):
    qrels = {f"{query}{number}": labels for query, labels in QRELS.items() for number in range(4)}
    runs = {
        name: {f"{query}{number}": items for query, items in run.items() for number in range(4)}
        for name, run in RUNS.items()
    }
    comparison = compare(qrels, runs, measures=["nDCG@3"])
    assert REMARK in " ".join(comparison.answer.split())
    comparison.save(tmp_path / "report")
    assert REMARK in (tmp_path / "report" / "index.html").read_text()
    record = json.loads((tmp_path / "report" / "report.json").read_text())
    assert any(remark.startswith(REMARK) for remark in record["remarks"][:3])


@pytest.mark.parametrize("first", ["nDCG", "DCG"])
def test_the_measure_that_is_asked_for_may_be_either(first):
    other = {"nDCG": "DCG", "DCG": "nDCG"}[first]
    (remark,) = remarks_of(compare(QRELS, RUNS, measures=[f"{first}@3"]))
    assert f"--measure {other}@3 tests the other mean too" in remark
    (remark,) = remarks_of(compare(QRELS, RUNS, measures=[f"{first}@3", f"{other}@3"]))
    assert "--measure" not in remark


def test_nothing_is_said_where_one_system_is_ahead_in_both_means():
    one_label_less = {"q1": {"a": 1, "c": 0, "x": 0}, "q2": QRELS["q2"]}
    assert not remarks_of(compare(one_label_less, RUNS, measures=[f"nDCG{ZIPF}"]))


@pytest.mark.parametrize("names", [["nDCG"], ["AP", "P@3"], ["nDCG@1"]])
def test_nothing_is_said_of_other_measures_nor_where_the_ideals_are_equal(names):
    assert not remarks_of(compare(QRELS, RUNS, measures=names))


def test_queries_with_as_many_relevant_documents_as_the_cut_off_are_not_few():
    """A leads by 2/3 of 11/6 on the query with three relevant documents, and trails by 1/2 of 1."""
    qrels = {"q1": {"a": 1, "c": 1, "e": 1, "x": 0}, "q2": QRELS["q2"]}
    first = {name: run["q1"] | {"e": 0.5} for name, run in RUNS.items()}
    first["B"] = {"x": 4.0, "c": 3.0, "e": 2.0, "a": 1.0}
    runs = {name: {"q1": first[name], "q2": run["q2"]} for name, run in RUNS.items()}
    (remark,) = remarks_of(compare(qrels, runs, measures=[f"nDCG{ZIPF}"]))
    assert "and 50 % of the queries have fewer than 3 relevant documents" in remark


def test_a_second_system_with_as_high_a_mean_dcg_is_no_contradiction():
    runs = {
        "A": {"q1": {"a": 2.0, "x": 1.0}, "q2": {"b": 2.0, "y": 1.0}},
        "B": {"q1": {"a": 2.0, "c": 1.0}, "q2": {"y": 2.0, "b": 1.0}},
    }
    comparison = compare(QRELS, runs, measures=[f"DCG{ZIPF}", f"nDCG{ZIPF}"])
    assert comparison.values.mean(axis=2).ravel() == pytest.approx([1, 1, 5 / 6, 3 / 4])
    assert not remarks_of(comparison)


def test_a_winner_shared_by_both_means_is_no_contradiction():
    same = {name: RUNS["A"] for name in ("A", "C")}
    assert not remarks_of(compare(QRELS, same, measures=["nDCG@3"]))
    assert not remarks_of(compare(QRELS, {"A": RUNS["A"]}, measures=["nDCG@3"]))


def test_random_comparisons_are_remarked_exactly_if_the_means_disagree():
    rng, remark_count = np.random.default_rng(21), 0
    for _ in range(60):
        qrels = {
            f"q{number}": {f"d{d}": int(rng.random() < rng.choice([0.1, 0.7])) for d in range(6)}
            for number in range(5)
        }
        qrels = {query: labels for query, labels in qrels.items() if any(labels.values())}
        if not qrels:
            continue
        runs = {
            s: {query: dict(zip(of, rng.permutation(6) * 1.0)) for query, of in qrels.items()} for s in "abc"
        }
        means = {
            s: [by_hand(qrels, run, normalised) for normalised in (True, False)] for s, run in runs.items()
        }
        winners = [max(means, key=lambda s, side=side: means[s][side]) for side in (0, 1)]
        margins = [sorted((means[s][side] for s in means), reverse=True) for side in (0, 1)]
        if min(ahead - next_one for ahead, next_one, _ in margins) < 1e-9:
            continue
        remarks = remarks_of(compare(qrels, runs, measures=["nDCG@4"]))
        assert bool(remarks) == (winners[0] != winners[1])
        remark_count += bool(remarks)
    assert remark_count > 3


def by_hand(qrels, run, normalised):
    """The mean of DCG@4 over queries, divided by the ideal of each or not."""
    values = []
    for query, labels in qrels.items():
        order = sorted(run[query], key=run[query].get, reverse=True)[:4]
        value = sum(labels[d] / log2(rank + 1) for rank, d in enumerate(order, start=1))
        best = sum(sorted(labels.values(), reverse=True)[r - 1] / log2(r + 1) for r in range(1, 5))
        values.append(value / best if normalised else value)
    return sum(values) / len(values)


def gated(queries, failures):
    """A baseline with the relevant document first, and a system that lets it be second on some queries."""
    qrels = {f"q{number}": {"a": 3, "b": 0} for number in range(queries)}
    old = {query: {"a": 2.0, "b": 1.0} for query in qrels}
    new = old | {query: {"a": 1.0, "b": 2.0} for query in [*qrels][:failures]}
    return compare(qrels, {"old": old, "new": new}, measures=["DCG@10", "nDCG@10"], baseline="old")


def test_a_gate_of_dcg_is_that_of_ndcg_on_its_own_scale():
    """Each query has the ideal DCG 3. An unseen loss may affect both ranks at grade 3."""
    comparison = gated(80, 20)
    in_dcg, in_ndcg = comparison.gate("DCG@10 < -0.6"), comparison.gate("nDCG@10 < -0.2")
    assert (in_dcg.passed, in_ndcg.passed) == (True, True)
    assert in_dcg.low == pytest.approx(3 * in_ndcg.low) and in_dcg.queries_needed == in_ndcg.queries_needed
    strict = gated(80, 0).gate("DCG@10 < -0.5", strict=True)
    largest = 3 * (1 + 1 / log2(3))
    assert strict.low == pytest.approx(lower_bound(np.zeros(80), -largest, strict=True)) and strict.passed
    assert strict.low < -(1 - 0.05 ** (1 / 80)) * largest
    assert strict.queries_needed == ceil(log(20) * largest / 0.5)


def test_a_gate_of_dcg_takes_margins_beyond_1_and_none_beyond_its_reach():
    comparison = gated(40, 10)
    assert comparison.gate("DCG@10 < -1.5").passed
    with pytest.raises(ValueError, match="no system can lose more than 3"):
        comparison.gate("DCG@10 < -3")
    with pytest.raises(ValueError, match="expected a margin between -1 and 1"):
        comparison.gate("nDCG@10 < -1.5")


def test_the_interval_of_a_mean_dcg_ends_at_its_reach_not_at_1():
    qrels = {f"q{number}": {"a": 1, "b": 0} for number in range(8)}
    rank = {query: {"a": 2.0 - index % 2, "b": 1.5} for index, query in enumerate(qrels)}
    board = compare(qrels, {"s": rank}, measures=["DCG@2", "nDCG@2"]).leaderboard
    assert board["mean"][0] <= 1 < board["high"][0] <= 1 + 1 / log2(3)
