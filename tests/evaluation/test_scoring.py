from itertools import permutations

import numpy as np
import pytest
import pytrec_eval

from ndcg_companion.data import Rankings
from ndcg_companion.evaluation import compare
from ndcg_companion.evaluation.inputs import gather
from ndcg_companion.evaluation.measure_names import parse_measures
from ndcg_companion.evaluation.scoring import blocks, complete, reciprocal_rank, score, traits

OURS = ["nDCG@10", "nDCG", "AP", "AP(rel=2)", "P@5", "RR", "R@10", "RR(rel=2)"]
THEIRS = ["ndcg_cut_10", "ndcg", "map", None, "P_5", "recip_rank", "recall_10", None]


def test_scores_are_trec_evals(made):
    qrels, runs = made
    rankings = gather(qrels, runs)
    values = score(rankings, parse_measures(OURS), "trec_eval")
    levels = {1: THEIRS, 2: [None, None, None, "map", None, None, None, "recip_rank"]}
    names = {"ndcg_cut.10", "ndcg", "map", "P.5", "recip_rank", "recall.10"}
    for column, run in enumerate(runs.values()):
        for level, wanted in levels.items():
            found = pytrec_eval.RelevanceEvaluator(qrels, names, relevance_level=level).evaluate(run)
            for row, name in enumerate(wanted):
                if name:
                    theirs = [found[str(query)][name] for query in rankings.queries]
                    assert values[row, column] == pytest.approx(theirs, abs=1e-12), name


def test_trec_evals_order_holds_wherever_the_items_come_from(made):
    qrels, runs = made
    rankings = gather(qrels, runs)
    order = np.random.default_rng(1).permutation(len(rankings.labels))
    order = order[np.argsort(np.repeat(np.arange(12), np.diff(rankings.offsets))[order], kind="stable")]
    shuffled = Rankings(
        rankings.queries,
        rankings.items[order],
        rankings.labels[order],
        rankings.judged[order],
        rankings.offsets,
        {name: scores[order] for name, scores in rankings.scores.items()},
    )
    measures = parse_measures(["nDCG@10", "AP", "RR"])
    expected = score(rankings, measures, "trec_eval")
    assert score(shuffled, measures, "trec_eval") == pytest.approx(expected, abs=1e-14)
    assert score(shuffled, measures) == pytest.approx(score(rankings, measures), abs=1e-14)


def one_list(labels, scores):
    n = len(labels)
    return Rankings(
        np.array(["q"]),
        np.array([f"d{i}" for i in range(n)]),
        np.array(labels),
        np.ones(n, dtype=bool),
        np.array([0, n]),
        {"s": np.array(scores, dtype=float)},
    )


@pytest.mark.parametrize("scores", [[2, 2, 1, 1, 1, 0], [1, 1, 1, 1, 1, 1], [3, 3, 3, 2, 2, 1]])
def test_ties_are_the_mean_the_best_and_the_worst_over_all_orders(scores):
    labels = [0, 2, 0, 1, 0, 1]
    measures = parse_measures(["nDCG@3", "AP", "P@3", "RR", "RR@2", "R@2", "RankDCG", "nDCG@0.5n"])
    scores = np.array(scores)
    orders = [order for order in permutations(range(6)) if (np.diff(scores[list(order)]) <= 0).all()]
    each = []
    for order in orders:
        ranks = np.empty(6)
        ranks[list(order)] = np.arange(6)
        each.append(score(one_list(labels, -ranks), measures)[:, 0, 0])
    for ties, value in (("average", np.mean), ("best", np.max), ("worst", np.min)):
        found = score(one_list(labels, scores), measures, ties)[:, 0, 0]
        assert found == pytest.approx(value(each, axis=0), abs=1e-12), ties


def test_reciprocal_rank_of_long_ties_is_that_of_chance():
    rng = np.random.default_rng(2)
    relevant = (rng.random(60) < 0.1).astype(float)
    drawn = [1 / (1 + np.flatnonzero(rng.permutation(relevant))[0]) for _ in range(20_000)]
    (found,) = reciprocal_rank(relevant, np.zeros(60), offsets=[0, 60])
    assert found == pytest.approx(np.mean(drawn), abs=5 * np.std(drawn) / np.sqrt(20_000))
    assert reciprocal_rank([], [], offsets=[0, 0]).tolist() == [0]


def test_no_score_depends_on_who_else_is_named(made):
    qrels, runs = made
    alone = {name: compare(qrels, {name: run}, measures=OURS).values[:, 0] for name, run in runs.items()}
    together = compare(qrels, runs, measures=OURS).values
    for column, values in enumerate(alone.values()):
        assert np.array_equal(together[:, column], values)


def test_blocks_of_queries_change_nothing(made, monkeypatch):
    rankings, measures = gather(*made), parse_measures(OURS)
    whole = score(rankings, measures)
    monkeypatch.setattr("ndcg_companion.evaluation.scoring._BLOCK", 80)
    assert len([*blocks(rankings)]) > 5
    assert score(rankings, measures) == pytest.approx(whole, abs=1e-15)


def test_gains_by_label(made):
    qrels, runs = made
    found, expected = (
        compare(qrels, runs, measures=["nDCG@10"], gain=gain).values
        for gain in ({0: 0, 1: 1, 2: 3}, "exponential")
    )
    assert found == pytest.approx(expected, abs=1e-15)
    assert compare(qrels, runs, measures=["nDCG(gain=exponential)@10"]).values == pytest.approx(expected)
    with pytest.raises(ValueError, match="^gain: expected a gain for each label, got none for 2"):
        compare(qrels, runs, gain={0: 0, 1: 1})
    for gain in ({}, {0: 0, "a": 1}, {"a": 1}, {0: np.nan}, {0: None}):
        with pytest.raises(ValueError, match="gain={.*: expected a finite gain for each label"):
            compare(qrels, runs, gain=gain)


def test_what_is_complete():
    ranked = one_list([1, 0], [2, 1])
    assert complete(ranked)
    assert not complete(one_list([1, 0], [2, -np.inf]))
    assert not complete(Rankings(**vars(ranked) | {"judged": np.array([True, False])}))


def test_shares_of_ties_and_of_judged_items():
    rankings = Rankings(
        np.array(["p", "q"]),
        np.array(list("abcdef")),
        np.array([1, 0, 0, 1, 0, 0]),
        np.array([True, False, True, True, True, False]),
        np.array([0, 3, 6]),
        {"s": np.array([3.0, 3.0, 1.0, 1.0, -np.inf, 0.5])},
    )
    found = traits(rankings, top=1)["s"]
    assert found["tied"] == pytest.approx(2 / 5) and found["judged"] == pytest.approx(0.75)


def test_bad_ties_are_refused(made):
    with pytest.raises(ValueError, match="ties='random': expected one of"):
        compare(*made, ties="random")
