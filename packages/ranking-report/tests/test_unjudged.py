"""Leads that no grade of the unjudged results reverses, compared with all labellings."""

import csv
import json
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from ranking_report import compare
from ranking_report.unjudged import lowest_dcg_leads, lowest_graded_leads, lowest_ndcg_leads

DEPTH = 3


def ideal(gains):
    """The ideal DCG at 3 with discount 1/rank."""
    best = sorted(gains, reverse=True)[:DEPTH]
    return sum((Fraction(gain) / rank for rank, gain in enumerate(best, start=1)), Fraction(0))


def changes_of(first, second):
    """By document what it adds to the lead of the first list for each unit of gain."""
    change = {}
    for sign, shown in ((1, first), (-1, second)):
        for rank, document in enumerate(shown[:DEPTH], start=1):
            change[document] = change.get(document, Fraction(0)) + Fraction(sign, rank)
    return change


def lowest_of_all(first, second, judged, hidden, grades=(0, 1)):
    """The lowest lead in DCG and in NDCG over all labels of what is shown and of hidden documents."""
    change = changes_of(first, second)
    free = [document for document in change if document not in judged]
    leads = []
    for labels in product(grades, repeat=len(free) + hidden):
        gains = dict(judged) | dict(zip(free, labels))
        lead = sum(gains[document] * value for document, value in change.items())
        best = ideal([*gains.values(), *labels[len(free) :]])
        leads.append((lead, lead / best if best else Fraction(0)))
    return [min(column) for column in zip(*leads)]


def random_case(rng, grades=(0, 1), most_hidden=3):
    """Two lists, grades of some of their documents and of others, and a number of hidden documents."""
    while True:
        first, second = (
            [f"d{number}" for number in rng.permutation(7)[: rng.integers(1, 5)]] for _ in range(2)
        )
        judged = {f"d{number}": int(rng.choice(grades)) for number in range(9) if rng.random() < 0.5}
        shown = {*first[:DEPTH], *second[:DEPTH]}
        hidden = int(rng.integers(0, most_hidden + 1))
        if any(judged.values()) and len(shown - set(judged)) + hidden <= 6:
            return first, second, judged, hidden


def as_arrays(first, second, judged, highest=1):
    """The lead from what is judged, and the changes of the unjudged documents, as the bounds take them."""
    change = changes_of(first, second)
    lead = float(sum(value * judged.get(document, 0) for document, value in change.items())) / highest
    changes = [float(value) for document, value in change.items() if document not in judged and value]
    return np.array([lead]), np.zeros(len(changes), dtype=int), np.array(changes)


def test_the_lowest_leads_are_those_over_all_labellings():
    rng = np.random.default_rng(11)
    sums = np.array([0.0, 1.0, 1.5, 11 / 6])
    for _ in range(400):
        first, second, judged, hidden = random_case(rng)
        change = changes_of(first, second)
        same = sum(1 for document, value in change.items() if document not in judged and not value)
        in_dcg, in_ndcg = lowest_of_all(first, second, judged, hidden)
        arrays = as_arrays(first, second, judged)
        assert lowest_dcg_leads(*arrays)[0] == pytest.approx(float(in_dcg), abs=1e-12)
        relevant = np.array([sum(judged.values())])
        result = lowest_ndcg_leads(relevant, sums, hidden + same, *arrays)
        assert result[0] == pytest.approx(float(in_ndcg), abs=1e-12)


def test_the_ideal_of_the_judged_alone_bounds_no_lead():
    """The lead is 1/2 with an ideal DCG of 1, which two more relevant documents raise to 11/6."""
    ahead, behind, judged = ["a", "n"], ["n", "a"], {"a": 1, "n": 0}
    (_, by_hand) = lowest_of_all(ahead, behind, judged, hidden=2)
    assert by_hand == Fraction(1, 2) / Fraction(11, 6) < Fraction(1, 2)  # whose ideal DCG was 1
    lead = as_arrays(ahead, behind, judged)
    assert lowest_ndcg_leads(np.array([1]), np.array([0, 1, 1.5, 11 / 6]), 2, *lead)[0] == pytest.approx(
        3 / 11
    )


def test_the_bound_for_grades_is_below_all_gradings():
    rng, reached = np.random.default_rng(12), 0
    for _ in range(60):
        first, second, judged, hidden = random_case(rng, grades=(0, 1, 3), most_hidden=1)
        if max(judged.values()) < 3 or len({*first, *second} - {*judged}) > 4:
            continue
        _, in_ndcg = lowest_of_all(first, second, judged, hidden, grades=(0, 1, 3))
        best = np.array([float(ideal(judged.values())) / 3])
        result = lowest_graded_leads(best, 11 / 6, *as_arrays(first, second, judged, highest=3))
        assert result[0] <= float(in_ndcg) + 1e-12
        reached += float(in_ndcg) > 0 and result[0] > 0
    assert reached > 2


def as_run(documents):
    return {document: float(-rank) for rank, document in enumerate(documents)}


def compared(cases, **options):
    """Two systems on a query for each case, and on one that both answer alike, by DCG and nDCG at 3."""
    cases = [*cases, (["r"], ["r"], {"r": 1}, 0)]  # a run needs a judged document
    qrels = {f"q{index}": judged for index, (_, _, judged, _) in enumerate(cases)}
    runs = {
        name: {f"q{index}": as_run(case[side]) for index, case in enumerate(cases)}
        for side, name in enumerate(("a", "b"))
    }
    names = ("DCG(discount=zipf)@3", "nDCG(discount=zipf)@3")
    return compare(qrels, runs, measures=options.pop("measures", names), **options)


def test_a_pair_is_safe_exactly_if_no_labelling_turns_its_lead():
    rng, seen = np.random.default_rng(13), []
    for _ in range(150):
        cases = [random_case(rng, most_hidden=0) for _ in range(2)]
        # As many hidden documents as the list is deep: more change nothing.
        lowest = np.array([lowest_of_all(*case[:3], hidden=DEPTH) for case in cases]).sum(axis=0)
        turned = np.array([lowest_of_all(case[1], case[0], case[2], DEPTH) for case in cases]).sum(axis=0)
        for index, row in enumerate(compared(cases).pairs.itertuples()):
            if abs(row.difference) < 1e-12:
                assert row.safe is None
                continue
            low = lowest[index] if row.difference > 0 else turned[index]
            assert row.safe is (low > 0)
            seen.append(row.safe)
    assert 20 < sum(seen) < len(seen) - 20


def test_blocks_of_queries_find_the_same_unjudged_results(monkeypatch):
    rng = np.random.default_rng(15)
    cases = [random_case(rng, most_hidden=0) for _ in range(40)]
    whole = compared(cases).unjudged
    monkeypatch.setattr("ranking_report.sharing._BLOCK", 9)
    in_blocks = compared(cases).unjudged
    assert [*whole] == [*in_blocks] == [0, 1]
    for row in whole:
        for first, second in zip(whole[row], in_blocks[row]):
            assert first.items.tolist() == second.items.tolist() and len(first.items) > 20
            assert first.weights.tolist() == second.weights.tolist()


def test_the_break_even_rate_of_the_example_worked_by_hand():
    """A shows relevant, irrelevant and relevant documents, and B unjudged, relevant and unjudged ones."""
    judged = {"r1": 1, "n": 0, "r2": 1, "r3": 1}
    comparison = compared([(["r1", "n", "r2"], ["u1", "r3", "u2"], judged, 0)])
    row = comparison.pairs.iloc[0]
    assert 2 * row["difference"] == pytest.approx(5 / 6) and row["break_even"] == pytest.approx(5 / 8)
    assert row["safe"] is False
    judged_too = judged | {"u1": 0, "u2": 0}
    row = compared([(["r1", "n", "r2"], ["u1", "r3", "u2"], judged_too, 0)]).pairs.iloc[0]
    assert row["safe"] is True and np.isnan(row["break_even"])


def test_a_lead_is_0_in_expectation_at_the_break_even_rate():
    rng, rates = np.random.default_rng(14), []
    for _ in range(60):
        first, second, judged, _ = case = random_case(rng, grades=(0, 1, 2), most_hidden=0)
        row = compared([case]).pairs.iloc[0]
        rate, change = row["break_even"], changes_of(first, second)
        lead = sum(float(value) * judged.get(document, 0) for document, value in change.items())
        unjudged = float(sum(value for document, value in change.items() if document not in judged))
        if np.isnan(rate):
            at_1 = abs(lead) + np.sign(lead) * max(judged.values()) * unjudged
            assert abs(lead) < 1e-12 or at_1 > -1e-9
            continue
        assert lead + rate * max(judged.values()) * unjudged == pytest.approx(0, abs=1e-12)
        rates.append(rate)
    assert len(rates) > 5 and 0 < min(rates) <= max(rates) <= 1


def test_grades_leave_a_lead_safe_or_unknown():
    judged = {"a": 2, "b": 1, "c": 0}
    rows = compared([(["a", "b", "c"], ["c", "b", "a"], judged, 0)]).pairs
    assert rows["safe"].tolist() == [True, True]
    rows = compared([(["a", "b", "c"], ["x", "b", "a"], judged, 0)]).pairs
    assert rows["safe"].tolist() == [False, None]


def test_a_grade_below_0_may_be_any_grade():
    lists = (["a", "b"], ["c", "a"])
    rows = [compared([(*lists, {"a": 1, "b": 0, "c": grade}, 0)]).pairs["safe"][0] for grade in (0, -1)]
    assert rows == [True, False]


@pytest.mark.parametrize(
    "options",
    [{"judged_only": True}, {"ties": "best"}, {"measures": ("AP", "nDCG", "DCG(discount=zipf)@0.5n", "P@3")}],
)
def test_nothing_is_said_of_other_measures_and_orders(options):
    judged = {"a": 1, "b": 0}
    rows = compared([(["a", "b"], ["b", "a"], judged, 0)], **options).pairs
    assert rows["safe"].tolist() == [None] * len(rows) and rows["break_even"].isna().all()


def test_tied_results_have_the_mean_weight_of_their_ranks():
    """The unjudged result shares ranks 1 and 2, so it may contribute 3/4, whereas the lead is 1/4."""
    qrels = {"q": {"a": 1, "b": 0}}
    runs = {"a": {"q": {"a": 2.0, "b": 1.0}}, "b": {"q": {"a": 1.0, "x": 1.0}}}
    row = compare(qrels, runs, measures=["DCG(discount=zipf)@2"]).pairs.iloc[0]
    assert row["difference"] == pytest.approx(1 / 4) and row["break_even"] == pytest.approx(1 / 3)


def test_safe_leads_are_in_the_table_on_the_page_and_in_the_record(tmp_path):
    judged = {"r1": 1, "n": 0, "r2": 1, "r3": 1}
    comparison = compared([(["r1", "n", "r2"], ["u1", "r3", "u2"], judged, 0)])
    comparison.save(tmp_path / "report")
    page = (tmp_path / "report" / "index.html").read_text()
    assert (
        '<th scope="col">safe for any gains<br>of unjudged results</th>' in page
        and "<td>no (even at 62 %)</td>" in page
    )
    record = json.loads((tmp_path / "report" / "report.json").read_text())["pairs"]
    assert [(row["safe"], row["break_even"]) for row in record] == [(False, 0.625), (False, None)]
    with (tmp_path / "report" / "pairs.csv").open() as file:
        rows = [*csv.DictReader(file)]
    assert [(row["safe"], row["break_even"]) for row in rows] == [("False", "0.625"), ("False", "")]


def test_the_page_has_no_column_of_leads_where_nothing_is_known_of_them(tmp_path):
    judged = {"a": 1, "b": 0}
    compared([(["a", "b"], ["b", "a"], judged, 0)], measures=["AP"]).save(tmp_path / "report")
    assert "whatever the unjudged" not in (tmp_path / "report" / "index.html").read_text()
    with (tmp_path / "report" / "pairs.csv").open() as file:
        assert [row["safe"] for row in csv.DictReader(file)] == [""]
