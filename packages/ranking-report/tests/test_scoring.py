from itertools import permutations

import numpy as np
import pytest
import pytrec_eval

from ndcg_companion.data import Rankings
from ranking_report import compare
from ranking_report.inputs import gather
from ranking_report.measure_names import Measure, parse_measures
from ranking_report.scoring import _query_numbers, blocks, complete, score, traits

OURS = ["nDCG@10", "nDCG", "AP", "AP(rel=2)", "P@5", "RR", "R@10", "RR(rel=2)", "Rprec", "Rprec(rel=2)"]
OURS += ["AP@5", "AP(rel=2)@5", "Success@1", "Success(rel=2)@5", "Bpref", "Bpref(rel=2)"]
THEIRS = ["ndcg_cut_10", "ndcg", "map", None, "P_5", "recip_rank", "recall_10", None, "Rprec", None]
THEIRS += ["map_cut_5", None, "success_1", None, "bpref", None]


def test_scores_are_trec_evals(qrels_and_runs):
    qrels, runs = qrels_and_runs
    rankings = gather(qrels, runs)
    values = score(rankings, parse_measures(OURS), "trec_eval")
    levels = {1: THEIRS, 2: [None, None, None, "map", None, None, None, "recip_rank", None, "Rprec"]}
    levels[2] += [None, "map_cut_5", None, "success_5", None, "bpref"]
    names = {"ndcg_cut.10", "ndcg", "map", "P.5", "recip_rank", "recall.10", "Rprec"}
    names |= {"map_cut.5", "success.1,5", "bpref"}
    for column, run in enumerate(runs.values()):
        for level, wanted in levels.items():
            result = pytrec_eval.RelevanceEvaluator(qrels, names, relevance_level=level).evaluate(run)
            for row, name in enumerate(wanted):
                if name:
                    theirs = [result[str(query)][name] for query in rankings.queries]
                    assert values[row, column] == pytest.approx(theirs, abs=1e-12), name


def test_trec_evals_order_holds_wherever_the_items_come_from(qrels_and_runs):
    qrels, runs = qrels_and_runs
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


@pytest.mark.parametrize("first", [*permutations("abc")])
@pytest.mark.parametrize("second", [*permutations("abc")])
def test_trec_evals_order_is_by_decreasing_id_whatever_the_order_of_the_file(first, second):
    """All scores are one, b is relevant, and c was not retrieved for the first query."""
    items = np.array([*first, *second])
    retrieved = (items != "c") | (np.arange(6) > 2)
    rankings = many_lists([first, second], (items == "b").astype(int), np.where(retrieved, 1.0, -np.inf))
    assert score(rankings, parse_measures(["RR"]), "trec_eval").tolist() == [[[1.0, 0.5]]]


def test_queries_have_numbers_however_many_they_are():
    for count in (3, 65_535, 65_536, 65_537, 131_072):
        result = _query_numbers(np.arange(count + 1))
        assert len(result) == count and result[-1] == count - 1 and (result[1:] > result[:-1]).all()


def many_lists(items, labels, scores, judged=None):
    """Queries of these items; all judged if nothing else is said."""
    labels = np.array(labels)
    return Rankings(
        np.array([f"q{number}" for number in range(len(items))]),
        np.array([item for ids in items for item in ids]),
        labels,
        np.ones(len(labels), dtype=bool) if judged is None else np.array(judged),
        np.append(0, np.cumsum([len(ids) for ids in items])),
        {"s": np.array(scores, dtype=float)},
    )


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
    measures += parse_measures(["Rprec", "RBP(p=0.5)@3", "ERR", "ERR(max_rel=2)@2"])
    measures += parse_measures(["AP@1", "AP@3", "AP(rel=2)@5", "Success@1", "Success@3", "Success(rel=2)@4"])
    measures += parse_measures(["Bpref", "Bpref(rel=2)"])
    scores = np.array(scores)
    orders = [order for order in permutations(range(6)) if (np.diff(scores[list(order)]) <= 0).all()]
    each = []
    for order in orders:
        ranks = np.empty(6)
        ranks[list(order)] = np.arange(6)
        each.append(score(one_list(labels, -ranks), measures)[:, 0, 0])
    for ties, value in (("average", np.mean), ("best", np.max), ("worst", np.min)):
        result = score(one_list(labels, scores), measures, ties)[:, 0, 0]
        assert result == pytest.approx(value(each, axis=0), abs=1e-12), ties


def test_scores_do_not_depend_on_the_other_systems(qrels_and_runs):
    qrels, runs = qrels_and_runs
    alone = {name: compare(qrels, {name: run}, measures=OURS).values[:, 0] for name, run in runs.items()}
    together = compare(qrels, runs, measures=OURS).values
    for column, values in enumerate(alone.values()):
        assert np.array_equal(together[:, column], values)


def test_blocks_of_queries_change_nothing(qrels_and_runs, monkeypatch):
    rankings, measures = gather(*qrels_and_runs), parse_measures(OURS)
    whole = score(rankings, measures)
    monkeypatch.setattr("ranking_report.scoring._BLOCK", 80)
    assert len([*blocks(rankings)]) > 5
    assert score(rankings, measures) == pytest.approx(whole, abs=1e-15)


@pytest.mark.parametrize("most", [1, 25, 80, 10_000])
def test_a_block_has_as_many_queries_as_fit_and_at_least_one(qrels_and_runs, most, monkeypatch):
    monkeypatch.setattr("ranking_report.scoring._BLOCK", most)
    rankings = gather(*qrels_and_runs)
    parts, sizes = [*blocks(rankings)], np.diff(rankings.offsets).tolist()
    assert [query for part in parts for query in part.queries] == rankings.queries.tolist()
    assert [len(part.labels) for part in parts] == packed(sizes, most)


def packed(sizes, most):
    """Sums of neighbours up to a bound, from the left; more than that only where one alone is."""
    sums = []
    for size in sizes:
        if sums and sums[-1] + size <= most:
            sums[-1] += size
        else:
            sums.append(size)
    return sums


def test_of_few_retrieved_items_the_judged_ones_are_counted():
    rankings = many_lists(["abc", "de", "f"], [1, 0, 1, 1, 0, 1], [3, 2, 1, 2, -np.inf, -np.inf])
    rankings.judged[1] = False
    result = score(rankings, parse_measures(["Judged@2", "Judged@5"]))[:, 0]
    assert result == pytest.approx(np.array([[1 / 2, 1, 0], [2 / 3, 1, 0]]))


def test_rankdcg_is_0_where_all_labels_are_the_same():
    rankings = many_lists(["abc", "de"], [2, 2, 2, 1, 0], [3, 2, 1, 2, 1])
    assert score(rankings, parse_measures(["RankDCG"])).tolist() == [[[0, 1]]]


def test_gains_of_labels_that_are_unknown_or_named_twice():
    lists = one_list([3, 1, 0, 2], [4, 3, 2, 1])
    for gain, message in (
        ({0: 0, 3: 1}, "^gain: expected a gain for each label, got none for 1$"),
        ({0: 0, 1: 1, 2: 2, 3: 3, "3": 4}, "expected each label once"),
        ({0: 0, "0": 1, 1: 1, 2: 2, 3: 3}, "expected each label once"),
    ):
        with pytest.raises(ValueError, match=message):
            score(lists, parse_measures(["nDCG"]), gain=gain)


def test_ir_measures_is_asked_by_the_numbers_of_queries(qrels_and_runs, stand_in):
    qrels, runs = qrels_and_runs
    del runs["fair"]["q3"]
    rankings = gather(qrels, runs, missing="zero")
    (values,) = score(rankings, [Measure("Its own", "ir_measures")])
    for numbers, run in zip(values, runs.values()):
        expected = [
            sum(qrels[query].get(item, 0) > 0 for item in run.get(query, ())) for query in rankings.queries
        ]
        assert numbers.tolist() == expected
    graded = {
        (str(index), item, grade)
        for index, q in enumerate(rankings.queries, 1)
        for item, grade in qrels[q].items()
    }
    assert {tuple(row) for row in stand_in["qrels"]} == graded and min(row[2] for row in graded) == -1
    halved = gather(
        {q: {d: g + 0.5 for d, g in items.items()} for q, items in qrels.items()}, {"good": runs["good"]}
    )
    with pytest.raises(ValueError, match="ir_measures expects whole numbers as grades"):
        score(halved, [Measure("Its own", "ir_measures")])


def test_gains_by_label(qrels_and_runs):
    qrels, runs = qrels_and_runs
    result, expected = (
        compare(qrels, runs, measures=["nDCG@10"], gain=gain).values
        for gain in ({0: 0, 1: 1, 2: 3}, "exponential")
    )
    assert result == pytest.approx(expected, abs=1e-15)
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
    result = traits(rankings, top=1)["s"]
    assert result["tied"] == pytest.approx(2 / 5) and result["judged"] == pytest.approx(0.75)


def test_ties_are_those_of_one_query_and_named_by_what_they_mix():
    """Equal scores also meet at the ends of queries, before and after a query with no results."""
    nothing = [-np.inf]
    rankings = many_lists(
        ["ab", "c", "def", "gh", "i"],
        [1, 0, 1, 0, 0, 1, 1, 0, 1],
        [2.0, 2.0, *nothing, 2.0, 2.0, 1.0, 1.0, 0.5, *nothing],
        [True, True, True, True, False, True, True, True, True],
    )
    result = traits(rankings)["s"]
    assert result["tied"] == pytest.approx(4 / 7) and result["judged"] == pytest.approx(6 / 7)
    assert result["mixed"] == [0] and result["unseen"] == [2]
    # The best score of each query is the worst of the next one.
    chained = traits(many_lists(["ab", "cd", "ef"], [0, 1, 1, 0, 0, 1], [1.0, 2.0, 3.0, 2.0, 4.0, 3.0]))["s"]
    assert chained["tied"] == 0 and chained["mixed"] == []
    single = traits(many_lists("abc", [0, 1, 0], [1.0, 1.0, 1.0]))["s"]
    assert single["tied"] == 0 and single["mixed"] == []
    assert traits(many_lists(["a", "b"], [1, 0], nothing * 2))["s"] == {
        "tied": 0.0,
        "judged": pytest.approx(np.nan, nan_ok=True),
        "mixed": [],
        "unseen": [],
    }


def test_the_first_ten_count_for_what_is_judged():
    judged = np.arange(13) % 12 < 10  # of places 1 to 12 the last two are not
    rankings = many_lists([[f"d{number}" for number in range(13)]], np.zeros(13), -np.arange(13.0), judged)
    assert traits(rankings)["s"]["judged"] == 1 and traits(rankings, top=12)["s"]["judged"] == 10 / 12


def test_bad_ties_are_rejected(qrels_and_runs):
    with pytest.raises(ValueError, match="ties='random': expected one of"):
        compare(*qrels_and_runs, ties="random")


@pytest.mark.parametrize("gain", [{0: 1, 1: 2, 2: 5}, {0: 0.5, 1: 0.5, 2: 3}, lambda labels: labels + 1.0])
@pytest.mark.parametrize("ties", ["average", "best", "worst"])
def test_an_unjudged_item_is_worth_nothing_whatever_label_0_is_worth(gain, ties):
    """Compares with all orders of the list, using the ideal of the judged items."""
    rng = np.random.default_rng(8)
    worth = gain if callable(gain) else lambda label: gain[label]
    for _ in range(6):
        judged = {f"d{i}": int(label) for i, label in enumerate([*rng.integers(0, 3, 4), 1])}
        run = {item: float(rng.integers(0, 3)) for item in ["d0", "d1", "d2", "x0", "x1", "x2"]}
        orders = [
            order
            for order in permutations(run)
            if all(run[item] >= run[next_] for item, next_ in zip(order, order[1:]))
        ]
        discounts = 1 / np.log2(np.arange(2, 7))
        best = sorted((worth(label) for label in judged.values()), reverse=True)
        worths = [[worth(judged[item]) if item in judged else 0.0 for item in order] for order in orders]
        sums = [sum(w * d for w, d in zip(row, discounts)) for row in worths]
        value = {"average": np.mean, "best": max, "worst": min}[ties](sums)
        result = score(gather({"q": judged}, {"s": {"q": run}}), parse_measures(["nDCG@5"]), ties, gain)
        assert result.item() == pytest.approx(value / sum(b * d for b, d in zip(best, discounts)), abs=1e-12)
        assert 0 <= result.item() <= 1


def test_a_cutoff_within_ties_averages_over_their_orders():
    """By hand, one of four tied items is relevant, so it is at each place with probability one quarter."""
    rankings = one_list([1, 0, 0, 0, 1], [2, 2, 2, 2, 1])
    values = score(rankings, parse_measures(["Success@2", "HR@3", "AP@2", "MAP@5"]))[:, 0, 0]
    first = [1, 1 / 2, 1 / 3, 1 / 4]
    # Two documents are relevant; the second is at rank 5, where two of five are.
    expected = [2 / 4, 3 / 4, sum(first[:2]) / 4 / 2, (sum(first) / 4 + 2 / 5) / 2]
    assert values == pytest.approx(expected, abs=1e-15)


def test_a_cutoff_beyond_the_list_divides_by_all_relevant_items():
    rankings = one_list([0, 1, 1], [3, 2, -np.inf])
    values = score(rankings, parse_measures(["AP@100", "AP", "Success@100"]))[:, 0, 0]
    assert values.tolist() == [0.25, 0.25, 1.0]
    nothing = score(one_list([1, 1], [-np.inf, -np.inf]), parse_measures(["AP@1", "Success@1"]))
    assert nothing.tolist() == [[[0.0]], [[0.0]]]


@pytest.mark.parametrize(
    ("labels", "value"),
    [([1, 0, 2], 1 / 4 + 3 / 4 * 3 / 4 / 3), ([0, 1], 1 / 4 / 2), ([2, 1], 3 / 4 + 1 / 4 / 4 / 2)],
)
def test_a_reader_of_err_may_stop_at_the_lowest_grade_too(labels, value):
    """By hand, each document contributes (2^label - 1) / 4, divided by its rank."""
    result = score(one_list(labels, -np.arange(len(labels))), parse_measures(["ERR(max_rel=2)"]))
    assert result[0, 0, 0] == pytest.approx(value, abs=1e-15)
