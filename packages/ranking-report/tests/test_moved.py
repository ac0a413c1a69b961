"""The lists of two systems side by side, against lists that are sorted by hand."""

import json

import numpy as np
import pandas
import pytest

from ranking_report import compare
from ranking_report.page import files


def by_hand(run, query, depth):
    """Best first; equal scores by decreasing id, as trec_eval has them."""
    return sorted(run[query], key=lambda item: (run[query][item], item), reverse=True)[:depth]


@pytest.mark.parametrize("baseline", [None, "poor"])
@pytest.mark.parametrize(("measure", "depth"), [("nDCG@10", 10), ("P@3", 3), ("AP", 10), ("nDCG@100", 10)])
def test_the_lists_are_those_that_sorting_gives(qrels_and_runs, measure, depth, baseline):
    qrels, runs = qrels_and_runs
    comparison = compare(qrels, runs, measures=[measure], baseline=baseline)
    table = comparison.moved(count=4).table
    first, second = "good", baseline or "fair"
    scores = comparison.scores.pivot(index="query", columns="system", values="score")
    gaps = scores[first] - scores[second]
    biggest = gaps.abs().sort_values(ascending=False).iloc[:4]
    assert sorted(table["query"].unique()) == sorted(biggest.index) or biggest.iloc[3] == pytest.approx(
        gaps[table["query"].unique()].abs().min()
    )
    for query, rows in table.groupby("query", sort=False):
        tops = by_hand(runs[first], query, depth), by_hand(runs[second], query, depth)
        assert rows["rank"].tolist() == [*range(1, depth + 1)]
        assert [rows["first"].tolist(), rows["second"].tolist()] == [*map(list, tops)]
        assert rows["came_in"].tolist() == [item not in tops[1] for item in tops[0]]
        assert rows["went_out"].tolist() == [item not in tops[0] for item in tops[1]]
        assert rows["difference"].tolist() == pytest.approx([gaps[query]] * depth)
        for name, top in zip(("first", "second"), tops):
            labels = [max(qrels[query][item], 0) if item in qrels[query] else np.nan for item in top]
            assert rows[f"{name}_label"].tolist() == pytest.approx(labels, nan_ok=True)
    changes = table.groupby("query", sort=False)["difference"].first().abs().tolist()
    assert changes == sorted(changes, reverse=True)


def test_a_pair_may_be_named_and_short_lists_end_early():
    qrels = {"q": {"a": 1, "b": 0}, "r": {"a": 1}}
    runs = {
        "one": {"q": {"a": 1}, "r": {"a": 1}},
        "two": {"q": {"b": 2, "a": 1}, "r": {"a": 1}},
        "none": {"q": {"z": 2, "b": 1}},
    }
    comparison = compare(qrels, runs, missing="zero")
    table = comparison.moved("two", "one").table
    assert table["query"].unique().tolist() == ["q"]  # on the other nothing differs
    assert table["first"].tolist() == ["b", "a"] and table["second"].fillna("").tolist() == ["a", ""]
    assert table["went_out"].tolist() == [False, False] and table["came_in"].tolist() == [True, False]
    assert comparison.moved("none", "one").table["first_label"].isna().tolist() == [True, False, True]
    named = comparison.moved("one", "two", count=1)
    assert comparison.moved("one").table["second"].notna().any() and len(named.table) == 2
    assert (named.first, named.second) == ("one", "two")
    assert str(named) == f"one minus two is largest, either way, on q ({named.table['difference'][0]:+.4f})."
    for bad, message in (
        ({"first": "three"}, "first='three': expected one of one, two, none"),
        ({"first": "one", "second": "one"}, "second='one': expected another system"),
        ({"count": 0}, "count=0"),
    ):
        with pytest.raises(ValueError, match=message):
            comparison.moved(**bad)
    with pytest.raises(ValueError, match="moved: expected at least two systems"):
        compare(qrels, {"one": runs["one"]}).moved()


def test_nothing_moved_where_nothing_differs():
    qrels = {f"q{number}": {"a": 1} for number in range(7)}
    run = {query: {"a": 1} for query in qrels}
    comparison = compare(qrels, {"x": run, "y": run})
    assert comparison.moved().table.empty and "moved most" not in files(comparison)["index.html"]


def test_ids_are_text_on_the_page_and_no_formula_in_the_table():
    bad = '<img src=x onerror="1">'
    qrels = {f"={number}": {bad: 1, "=1+1": 0} for number in range(7)}
    runs = {"a": {q: {bad: 2, "=1+1": 1} for q in qrels}, "b": {q: {bad: 1, "=1+1": 2} for q in qrels}}
    texts = files(compare(qrels, runs))
    assert "<img" not in texts["index.html"]
    data = texts["index.html"].partition('id="lists">')[2].partition("</script>")[0]
    assert (
        "<" not in data and json.loads(data)["items"][0] == [bad, 1] and len(json.loads(data)["queries"]) == 7
    )
    table = pandas.read_csv(__import__("io").StringIO(texts["moved.csv"]))
    assert len(table) == 14 and set(table["first"]) == {bad, "'=1+1"}
