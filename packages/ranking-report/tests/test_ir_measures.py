"""The measures of ir_measures, which the lock of the benchmarks installs for the nightly run."""

import numpy as np
import pytest

from ranking_report import compare, parse_measure

ir_measures = pytest.importorskip("ir_measures", reason="ir_measures is in the lock of the benchmarks")

NAMES = [
    "infAP",
    "IPrec@0.5",
    "SetF",
    "nDCG(judged_only=True)@10",
    "R(judged_only=True)@10",
]


def by_hand(text, qrels, run):
    """Its score by query, asked directly."""
    rows = ir_measures.iter_calc([ir_measures.parse_measure(text)], qrels, run)
    return {row.query_id: row.value for row in rows}


@pytest.mark.parametrize("name", NAMES)
def test_scores_are_its_own(qrels_and_runs, name):
    """Some of these measures interpret grades below zero as pooled but not judged."""
    qrels, runs = qrels_and_runs
    assert parse_measure(name).kind == "ir_measures"
    comparison = compare(qrels, runs, measures=["nDCG@10", name])
    for column, run in enumerate(runs.values()):
        theirs = by_hand(name, qrels, run)
        expected = [theirs[query] for query in comparison.queries]
        assert comparison.values[1, column] == pytest.approx(expected, abs=1e-12)
    assert comparison.measures["measure"].tolist() == ["nDCG@10", parse_measure(name).name]


@pytest.mark.parametrize(
    "name", ["AP@100", "AP@5", "AP(rel=2)@10", "Success@1", "Success(rel=2)@3", "Bpref", "Bpref(rel=2)"]
)
def test_what_is_computed_here_is_its_own_in_its_order_of_ties(qrels_and_runs, name):
    qrels, runs = qrels_and_runs
    assert parse_measure(name).kind != "ir_measures"
    comparison = compare(qrels, runs, measures=[name], ties="trec_eval")
    for column, run in enumerate(runs.values()):
        theirs = by_hand(name, qrels, run)
        expected = [theirs[query] for query in comparison.queries]
        assert comparison.values[0, column] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("name", ["nDCG@10", "R@10"])
def test_lists_without_unjudged_documents_are_its_judged_only(qrels_and_runs, name):
    qrels, runs = qrels_and_runs
    comparison = compare(qrels, runs, measures=[name], ties="trec_eval", judged_only=True)
    for column, run in enumerate(runs.values()):
        theirs = by_hand(name.replace("@", "(judged_only=True)@"), qrels, run)
        expected = [theirs[query] for query in comparison.queries]
        assert comparison.values[0, column] == pytest.approx(expected, abs=1e-12)
    assert "all unjudged items, from every list" in comparison.answer


def test_its_own_order_of_ties_is_stated(qrels_and_runs):
    qrels, runs = qrels_and_runs
    tied = {
        name: {query: dict.fromkeys(items, 1.0) for query, items in run.items()} for name, run in runs.items()
    }
    warning = "Beware: infAP is computed by ir_measures, which keeps its own order of equal scores"
    assert warning in compare(qrels, tied, measures=["AP", "infAP"]).answer
    assert warning not in compare(qrels, tied, measures=["AP", "AP@100"]).answer
    assert warning not in compare(qrels, tied, measures=["AP", "infAP"], ties="trec_eval").answer


def test_our_err_is_that_of_gdeval(qrels_and_runs):
    """gdeval, a Perl program, requires numeric queries and no grades below zero, and prints five digits."""
    qrels, runs = qrels_and_runs
    qrels = {query: {item: max(grade, 0) for item, grade in items.items()} for query, items in qrels.items()}
    values = compare(qrels, runs, measures=["ERR@10"], ties="trec_eval").values[0, 0]
    number = {query: str(position) for position, query in enumerate(qrels, 1)}
    theirs = by_hand(
        "ERR@10", *({number[query]: items for query, items in of.items()} for of in (qrels, runs["good"]))
    )
    assert values == pytest.approx([*theirs.values()], abs=1e-5) and values.min() > 0


def test_queries_that_a_system_does_not_have_count_as_zero(qrels_and_runs):
    qrels, runs = qrels_and_runs
    del runs["good"]["q3"]
    comparison = compare(qrels, runs, measures=["infAP"], missing="zero")
    assert comparison.values[0, 0, comparison.queries.index("q3")] == 0 < np.median(comparison.values)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("INST@10", "ir_measures: unsupported params found"),
        ("alpha_nDCG@10", r"ir_measures: .*pip install ir-measures\[pyndeval\]"),
        ("P", "expected a cut-off, such as P@10; ir_measures: invalid param cutoff"),
        ("nDGC@10", "did you mean 'nDCG'"),
        ("AP(rel=__import__('os').getcwd())@5", "expected one of nDCG, DCG, AP"),
    ],
)
def test_what_it_cannot_compute_is_rejected_with_the_reason(name, message):
    with pytest.raises(ValueError, match=message) as refusal:
        parse_measure(name)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    ("name", "read_there"),
    [
        ("AP(rel=1,rel=2)", "AP(rel=2)"),
        ("AP(rel=2, rel=1)", "AP"),
        ("RBP(p=0.5,p=0.9)", "RBP(p=0.9)"),
        ("nDCG(dcg='log2',dcg='exp-log2')@5", "nDCG(dcg='exp-log2')@5"),
    ],
)
def test_a_parameter_given_twice_is_rejected_where_it_takes_the_second(name, read_there):
    assert str(ir_measures.parse_measure(name)) == read_there
    with pytest.raises(ValueError, match="each once"):
        parse_measure(name)


def test_errors_of_ir_measures_name_the_measure(qrels_and_runs):
    qrels, runs = qrels_and_runs
    qrels = {query: {item: grade + 0.5 for item, grade in items.items()} for query, items in qrels.items()}
    with pytest.raises(ValueError, match="measure=infAP: ir_measures expects whole numbers as grades"):
        compare(qrels, runs, measures=["infAP"])
