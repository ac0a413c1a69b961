"""Scores by query that another program computed."""

import numpy as np
import pandas
import pytest
from report_support import called

from ranking_report import compare, compare_scores

QUERIES = [f"q{number}" for number in range(20)]


def table(seed=0):
    rng = np.random.default_rng(seed)
    rows = [
        (query, system, measure, gain + rng.normal(scale=0.1))
        for query in QUERIES
        for system, gain in (("a", 0.2), ("b", 0.5), ("c", 0.52))
        for measure in ("F1", "accuracy")
    ]
    return pandas.DataFrame(rows, columns=["query", "system", "measure", "score"])


def test_scores_of_a_comparison_give_its_numbers_back():
    rng = np.random.default_rng(1)
    qrels = {
        query: {f"d{number}": int(rng.integers(0, 3)) for number in range(9)} | {"d": 1} for query in QUERIES
    }
    runs = {name: {query: {d: rng.random() for d in of} for query, of in qrels.items()} for name in "ab"}
    first = compare(qrels, runs, measures=["nDCG@10", "AP"])
    again = compare_scores(first.scores)
    same = [name for name in first.pairs if name not in ("shared", "queries_unshared")]
    pandas.testing.assert_frame_equal(again.pairs[same], first.pairs[same], check_exact=True)
    pandas.testing.assert_frame_equal(again.means, first.means, check_exact=True)


@pytest.mark.parametrize(
    "names",
    [
        {"query": "task", "system": "model", "measure": "metric", "score": "value"},
        {"query": "query_id", "system": "run"},
        {"query": "qid", "system": "name"},
    ],
)
@pytest.mark.parametrize("separator", [",", "\t"])
def test_tables_of_other_programs_are_read_and_say_what_was_taken_for_what(tmp_path, names, separator):
    path = tmp_path / "scores.csv"
    table().rename(columns=names).assign(seconds=1.5).to_csv(path, index=False, sep=separator)
    comparison = compare_scores(path)
    assert np.array_equal(comparison.values, compare_scores(table()).values)
    for role, name in names.items():
        assert f"{name} as {role}" in comparison.rankings.inputs[0][1]


def test_the_command_compares_them_and_writes_the_page(tmp_path):
    path = tmp_path / "scores.csv"
    table().to_csv(path, index=False)
    done = called(
        "compare",
        "--scores",
        path,
        "--baseline",
        "a",
        "--fail-if",
        "F1 < -0.05",
        "--output",
        tmp_path / "out",
    )
    assert done.returncode == 0 and done.stdout.startswith("Gate passed: a loss of more than 0.05 in F1"), (
        done
    )
    page = (tmp_path / "out" / "index.html").read_text()
    assert "side by side</h2>" not in page and "top 10 unjudged" not in page
    assert not (tmp_path / "out" / "moved.csv").exists()
    assert called("compare", "--scores", path, "--markdown").returncode == 0


def test_missing_scores_are_rejected_counted_zero_or_left_out():
    whole = table()
    holes = whole.drop(index=whole[(whole["query"] == "q3") & (whole["system"] == "b")].index)
    with pytest.raises(ValueError, match="got none of b for query q3 under F1 \\(2 are missing\\)"):
        compare_scores(holes)
    assert compare_scores(holes, missing="drop").queries == [query for query in QUERIES if query != "q3"]
    zero = compare_scores(holes, missing="zero")
    row = zero.scores.query("query == 'q3' and system == 'b'")["score"]
    assert row.tolist() == [0, 0] and len(zero.queries) == 20


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda t: t.drop(columns="measure"), "scores: expected a header with query"),
        (
            lambda t: pandas.concat([t, t[:1]]),
            "scores, row 121: expected one score of a system for each",
        ),
        (lambda t: t.assign(score=np.inf), "scores, row 1: expected a finite score, got inf"),
        (lambda t: t.assign(score="good"), "scores, row 1: expected a number as score, got 'good'"),
        (lambda t: t.assign(system=None), "scores, row 1: expected a value of system, got nothing"),
        (lambda t: t[:0], "scores: expected a header .*, got no row"),
    ],
)
def test_what_is_no_table_of_scores_is_rejected(change, message):
    with pytest.raises(ValueError, match=message):
        compare_scores(change(table()))


def test_a_comparison_of_scores_has_no_lists_to_show():
    with pytest.raises(ValueError, match="moved: expected rankings, got scores, which have no lists"):
        compare_scores(table()).moved()


def test_options_for_lists_are_rejected_beside_scores(tmp_path):
    path = tmp_path / "scores.csv"
    table().to_csv(path, index=False)
    for words in (["--measure", "AP"], ["--judged-only"], ["--run", "a=b"], ["--ties", "best"]):
        done = called("compare", "--scores", path, *words)
        assert done.returncode == 2 and "expected QRELS instead of --scores" in done.stderr
    assert "expected either QRELS or --scores" in called("compare").stderr
    assert "expected either QRELS or --scores" in called("compare", "qrels", "--scores", path).stderr


def test_few_scores_of_many_names_are_rejected_before_they_fill_the_memory():
    names = [f"{number}" for number in range(3000)]
    sparse = pandas.DataFrame({"query": names, "system": names, "measure": names, "score": 0.5})
    for missing in ("raise", "zero", "drop"):
        with pytest.raises(ValueError, match="got 3,000 of 27,000,000,000"):
            compare_scores(sparse, missing=missing)


def test_too_many_comparisons_are_rejected_at_once():
    many = pandas.DataFrame({"query": "q", "system": map(str, range(3000)), "measure": "F1", "score": 0.5})
    with pytest.raises(ValueError, match="3,000 systems: expected at most 2,000,000 comparisons"):
        compare_scores(many)
