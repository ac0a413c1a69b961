"""The provider for ir_measures, if installed, with its names, our numbers, and the conformance cases."""

from itertools import product

import numpy as np
import pandas
import pytest

from ndcg_conformance import cases, standard, value
from ndcg_conformance.runners import judgements, query_mapping, run_of
from ranking_report import compare, ir_measures_provider

MEASURES = [
    "nDCG@10",
    "nDCG",
    "AP",
    "AP(rel=2)",
    "RR",
    "P@5",
    "R@20",
    "Rprec",
    "AP@10",
    "Success@1",
    "Success(rel=2)@5",
    "RBP(p=0.5)",
    "nDCG(dcg='exp-log2')@5",
]


@pytest.fixture
def ir_measures():
    return pytest.importorskip("ir_measures", reason="ir_measures is in the lock of the benchmarks")


def test_an_unknown_rule_for_ties_is_rejected():
    with pytest.raises(ValueError, match="ties='mean': expected one of average, trec_eval, best, worst"):
        ir_measures_provider("mean")


def test_with_trec_evals_order_its_numbers_are_those_of_ir_measures(ir_measures, qrels_and_runs):
    qrels, runs = qrels_and_runs
    qrels["none"] = {"d1": 0}
    without_program = ("nDCG(", "RBP")  # for which it has no program, or none that is installed
    measures = [ir_measures.parse_measure(name) for name in MEASURES if not name.startswith(without_program)]
    for run in runs.values():
        del run["q3"]
        ours = ir_measures_provider("trec_eval").calc(measures, qrels, run)
        theirs = ir_measures.calc(measures, qrels, run)
        assert {*ours.aggregated} == {*theirs.aggregated}
        for measure in measures:
            assert ours.aggregated[measure] == pytest.approx(theirs.aggregated[measure], abs=1e-12), measure
        expected = {(row.query_id, row.measure): row.value for row in theirs.per_query}
        assert {(row.query_id, row.measure): row.value for row in ours.per_query} == pytest.approx(
            expected, abs=1e-12
        )


def test_its_numbers_are_those_of_compare(ir_measures, qrels_and_runs):
    qrels, runs = qrels_and_runs
    measures = [ir_measures.parse_measure(name) for name in MEASURES]
    assert all(map(ir_measures_provider().supports, measures))
    scores = compare(qrels, runs, measures=MEASURES).means.set_index("system")
    for name, run in runs.items():
        result = ir_measures_provider().calc_aggregate(measures, qrels, run)
        assert [result[measure] for measure in measures] == pytest.approx(
            scores.loc[name].tolist(), abs=1e-12
        )
    named = [ir_measures.ScoredDoc(q, d, s) for q, of in runs["good"].items() for d, s in of.items()]
    judged = (ir_measures.Qrel(q, d, g) for q, of in qrels.items() for d, g in of.items())
    again = ir_measures_provider().calc_aggregate(measures, judged, iter(named))
    assert again == ir_measures_provider().calc_aggregate(measures, qrels, runs["good"])


def test_what_it_does_not_compute_it_does_not_support(ir_measures):
    provider = ir_measures_provider()
    for name in ("SetF", "AP(judged_only=True)@100", "nDCG(judged_only=True)@10", "infAP"):
        assert not provider.supports(ir_measures.parse_measure(name))


def test_a_run_that_finds_nothing_judged_scores_0(ir_measures):
    measure = ir_measures.nDCG @ 10
    for run in ({}, {"q": {"x": 1.0}}, {"other": {"d": 1.0}}):
        assert ir_measures_provider().calc_aggregate([measure], {"q": {"d": 1}}, run) == {measure: 0.0}


# As documented: nothing relevant counts 0, as does a query with nothing returned; grades below 0 are 0.
CONVENTION = {"empty": "0", "negative": "clipped", "unreturned": "0"}


def test_it_gives_the_values_of_the_conformance_cases(ir_measures):
    """As a control, the values differ from those in trec_eval's order of ties."""
    setting, checked, differ = standard() | CONVENTION, 0, 0
    for case in cases()["cases"]:
        if case["k"] == 0:  # which ir_measures refuses before it asks a provider
            continue
        measure = ir_measures.nDCG if case["k"] is None else ir_measures.nDCG @ case["k"]
        judged, run = query_mapping(judgements, case["queries"]), query_mapping(run_of, case["queries"])
        result = ir_measures_provider().calc_aggregate([measure], judged, run)[measure]
        assert result == pytest.approx(value(case, setting), abs=1e-9), case["name"]
        differ += not np.isclose(result, value(case, setting | {"ties": "name-descending"}), atol=1e-9)
        checked += 1
    assert checked >= 60 and differ >= 5


def test_ids_are_the_same_whatever_their_type(ir_measures):
    """By hand, query 1 has its relevant document at rank 2, and query 2 at rank 1."""
    measures = [ir_measures.nDCG @ 10, ir_measures.RR]
    frame = lambda name, numbers: pandas.DataFrame(
        {"query_id": [1, 1, 2], "doc_id": [7, 8, 7], name: numbers}
    )
    qrels, run = frame("relevance", [1, 0, 1]), frame("score", [1.0, 2.0, 0.5])
    forms = [
        lambda table: table,
        lambda table: table.astype({"query_id": str}),
        lambda table: table.astype({"doc_id": str}),
        lambda table: [*table.astype({"query_id": object}).itertuples()],
        lambda table: (
            {q: dict(part.iloc[:, 1:].values) for q, part in table.groupby("query_id")}
            if table["doc_id"].dtype == object
            else {
                str(q): {int(d): n for d, n in part.iloc[:, 1:].values}
                for q, part in table.groupby("query_id")
            }
        ),
    ]
    for judged, retrieved in product(forms, forms):
        result = ir_measures_provider().calc(measures, judged(qrels), retrieved(run))
        assert result.aggregated == pytest.approx(
            {measures[0]: (1 / np.log2(3) + 1) / 2, measures[1]: 0.75}, abs=1e-12
        )
        assert sorted({row.query_id for row in result.per_query}) == ["1", "2"]


@pytest.mark.parametrize(
    ("qrels", "run", "message"),
    [
        ({1: {7: 1}, 2: {7: 1}}, {1.0: {7: 1.0}, 2.0: {7: 1.0}}, "got query '1.0' beside '1'"),
        ({"1": {"7": 1}, "2": {"7": 1}}, {1.0: {7: 1.0}, 2: {7: 1.0}}, "got query '1.0' beside '1'"),
        ({"1": {"7": 1}}, {"1": {7.0: 1.0, "8": 0.5}}, "got document '7.0' beside '7'"),
        ({1.0: {7: 1}}, {1: {7: 1.0}}, "got query '1' beside '1.0'"),
    ],
)
def test_ids_that_are_floats_on_one_side_are_rejected(ir_measures, qrels, run, message):
    """Such a query would count 0."""
    with pytest.raises(ValueError, match=f"run: expected the ids of the qrels, {message}; make ids texts"):
        ir_measures_provider().calc_aggregate([ir_measures.RR], qrels, run)
    both = ({1.0: {"7.5": 1}}, {1.0: {"7.5": 1.0, "7": 0.5, "v1.0": 0.1}})
    assert ir_measures_provider().calc_aggregate([ir_measures.RR], *both) == {ir_measures.RR: 1.0}


def test_rows_without_an_id_and_rows_twice_are_rejected_with_their_place(ir_measures):
    qrels = pandas.DataFrame({"query_id": ["a", None], "doc_id": ["x", "y"], "relevance": [1, 1]})
    run = qrels.rename(columns={"relevance": "score"})
    twice = lambda table: pandas.concat([table.dropna()] * 2)
    calc = lambda *given: ir_measures_provider().calc_aggregate([ir_measures.RR], *given)
    for given, message in (
        ((qrels, run.dropna()), "qrels, row 2: expected a value of query, got nothing"),
        ((qrels.dropna(), run), "run, row 2: expected a value of query, got nothing"),
        ((twice(qrels), run.dropna()), "qrels, row 2: expected each item once for a query"),
        ((qrels.dropna(), twice(run)), "run, row 2: expected each item once for a query"),
        ((qrels.dropna(), {"b": {None: 1.0}}), "run, row 1 .*: expected a value of item, got nothing"),
    ):
        with pytest.raises(ValueError, match=message):
            calc(*given)
