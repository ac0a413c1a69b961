import gzip
import json
import re
from types import SimpleNamespace

import numpy as np
import pandas
import pytest

from ranking_report import compare
from ranking_report.inputs import gather
from ranking_report.readers import read_table


def write_trec(folder, qrels, runs):
    lines = [f"{q} 0 {d} {g}\n" for q, items in qrels.items() for d, g in items.items()]
    (folder / "qrels").write_text("".join(lines))
    for name, run in runs.items():
        lines = [f"{q} Q0 {d} 1 {s} {name}\n" for q, items in run.items() for d, s in items.items()]
        (folder / f"{name}.run.gz").write_bytes(gzip.compress("".join(lines).encode()))
    return folder / "qrels", {name: folder / f"{name}.run.gz" for name in runs}


def frames(qrels, runs):
    rows = lambda table: [(q, d, x) for q, items in table.items() for d, x in items.items()]
    labels = pandas.DataFrame(rows(qrels), columns=["query", "item", "label"])
    return labels, {n: pandas.DataFrame(rows(r), columns=["query", "item", "score"]) for n, r in runs.items()}


def same(first, other):
    assert first.queries.tolist() == other.queries.tolist() and first.items.tolist() == other.items.tolist()
    assert first.labels.tolist() == other.labels.tolist() and first.judged.tolist() == other.judged.tolist()
    assert list(first.scores) == list(other.scores) and first.negative == other.negative
    assert all(np.array_equal(first.scores[name], other.scores[name]) for name in first.scores)


def test_mappings_frames_and_files_are_the_same(qrels_and_runs, tmp_path):
    expected = gather(*qrels_and_runs)
    same(gather(*frames(*qrels_and_runs)), expected)
    same(gather(*write_trec(tmp_path, *qrels_and_runs)), expected)
    qrels, runs = qrels_and_runs
    same(gather(qrels, frames(qrels, runs)[1]), expected)


def test_judgments_and_runs_of_different_programs_go_together(qrels_and_runs, tmp_path):
    """PyTerrier's CSV, JSON, a packed BEIR table and TREC files, in any mixture, give the same rankings."""
    qrels, runs = qrels_and_runs
    expected = gather(qrels, runs)
    path, paths = write_trec(tmp_path, qrels, runs)
    labels, lists = frames(qrels, runs)
    labels.set_axis(["qid", "docno", "label"], axis=1).to_csv(tmp_path / "qrels.csv", index=False)
    labels.set_axis(["query-id", "corpus-id", "score"], axis=1).to_csv(
        tmp_path / "qrels.tsv.xz", index=False, sep="\t", compression="xz"
    )
    (tmp_path / "qrels.json").write_text(json.dumps(qrels))
    (tmp_path / "good.json").write_text(json.dumps(runs["good"]))
    lists["fair"].set_axis(["query_id", "doc_id", "score"], axis=1).to_csv(
        tmp_path / "fair.csv.bz2", index=False, compression="bz2"
    )
    other = {"good": tmp_path / "good.json", "fair": tmp_path / "fair.csv.bz2", "poor": paths["poor"]}
    for judged in (path, tmp_path / "qrels.csv", tmp_path / "qrels.tsv.xz", tmp_path / "qrels.json"):
        same(gather(judged, paths), expected)
        same(gather(judged, other), expected)
        named = gather(judged, runs=other.values())
        same(named, expected)
    terrier = {name: frame.set_axis(["qid", "docno", "score"], axis=1) for name, frame in lists.items()}
    same(gather(labels.set_axis(["qid", "docno", "label"], axis=1), terrier), expected)


def test_a_list_without_systems_asks_for_them(tmp_path):
    for name, text in (
        ("a.csv", "qid,docno,label\nq,d,1\n"),
        ("b.json", '{"q": {"d": 1}}'),
        ("c", "q d 1\n"),
    ):
        (tmp_path / name).write_text(text)
        with pytest.raises(
            ValueError, match=f"{name}: expected the scores of some systems, as this file has"
        ):
            gather(tmp_path / name)


def test_one_frame_may_hold_all_scores():
    frame = pandas.DataFrame(
        {"query": [1, 1, 2], "item": [7, 8, 7], "score_a": [1.0, 2.0, 3.0], "score_b": [3.0, 2.0, 1.0]}
    )
    labels = {1: {7: 1, 8: 0}, 2: {7: 2}}
    rankings = gather(labels, frame)
    assert list(rankings.scores) == ["a", "b"] and rankings.queries.tolist() == ["1", "2"]
    whole = gather(frame.assign(label=[1, 0, 2]))
    assert list(whole.scores) == ["a", "b"] and whole.labels.tolist() == [1, 0, 2]


class Columns:
    """A frame of which only is known what those of pandas and Polars both have."""

    def __init__(self, frame):
        self.frame, self.columns = frame, [*frame.columns]

    def __getitem__(self, name):
        assert isinstance(name, str)
        return SimpleNamespace(to_numpy=lambda: self.frame[name].to_numpy())

    def to_numpy(self):
        return self.frame.to_numpy()


def test_a_column_of_structs_is_rejected_with_its_row():
    """Polars returns structs as a table, and pandas would only report that it has two dimensions."""

    class Structs(Columns):
        def __getitem__(self, name):
            values = self.frame[name]
            if not isinstance(values[0], dict):
                return super().__getitem__(name)
            table = np.array([[*value.values()] for value in values])
            return SimpleNamespace(to_numpy=lambda: table, to_list=values.to_list)

    good = pandas.DataFrame({"query": ["q", "q"], "item": ["a", "b"], "score": [1.0, 2.0]})
    cells, labels = [{"x": 1.0}, {"x": 2.0}], {"q": {"a": 1, "b": 0}}
    for name, expected in (
        ("score", "a number as score, got {'x': 1.0}"),
        ("item", "a text or a number .* dict"),
    ):
        with pytest.raises(ValueError, match=f"system s, row 1: expected {expected}"):
            gather(labels, {"s": Structs(good.assign(**{name: cells}))})
    same(gather(labels, {"s": Structs(good.assign(other=cells))}), gather(labels, {"s": good}))


def test_labels_and_runs_that_are_swapped_are_noticed(tmp_path):
    """Both have BEIR's header, in which labels and scores have the same name."""
    head = "query-id\tcorpus-id\tscore\n"
    (tmp_path / "qrels").write_text(head + "q\ta\t2\nq\tb\t0\nq\tc\t1\nq\td\t0\n")
    for scores in ([0.93, 0.11, -0.2, -0.7], [-3, -8, -11, -12]):
        rows = "".join(f"q\t{item}\t{score}\n" for item, score in zip("abcd", scores))
        (tmp_path / "s").write_text(head + rows)
        assert gather(tmp_path / "qrels", {"s": tmp_path / "s"}).scores["s"].size == 4
        with pytest.raises(
            ValueError, match="qrels: .*: are labels and runs swapped. If not, halve the scores"
        ):
            gather(tmp_path / "s", {"s": tmp_path / "qrels"})


@pytest.mark.parametrize(
    ("grades", "scores"),
    [
        ([0, 0.33, 0.67, 1], [0, 1, 2, 3]),  # means of several judges, and a judge as a ranker
        ([-2, -1, 0, 4], [0, 1, 1, 2]),
        ([0.5, 1, 0, 0.7], [0, 0.5, 0.5, 1]),  # halved, as the message says
        ([0.5, 1, 0, 0.7], [40, 30, 20, 20]),
        ([0.5, 1, 0, 0.7], [-1, -2, -3, -3]),
    ],
)
def test_fractional_grades_or_integer_scores_are_not_taken_for_a_swap(grades, scores):
    labels, run = (dict(zip("abcd", numbers)) for numbers in (grades, scores))
    assert gather({"q": labels}, {"s": {"q": run}}).scores["s"].size == 4


def test_ids_with_a_zero_behind_a_point_are_shown_beside_those_without():
    rankings = gather(
        {"1": {"7": 1}, "2": {"7": 1}}, {"s": {1.0: {"7": 1.0}, "2": {7.0: 1.0, "7": 2.0}}}, missing="zero"
    )
    assert rankings.similar_ids == (("1.0", "1", "s", 1, "query"), ("7.0", "7", "s", 1, "document"))


def of_polars(frame):
    polars = pytest.importorskip("polars", reason="polars is in no lock")
    values = frame.astype(object).where(frame.notna(), None)
    return polars.DataFrame({name: values[name].to_list() for name in frame.columns})


@pytest.mark.parametrize("frame_of", [Columns, of_polars], ids=["columns alone", "polars"])
def test_frames_of_another_library_are_read_as_those_of_pandas(frame_of):
    frame = pandas.DataFrame(
        {"query": ["p", "p", "q"], "item": [7, 8, 7], "score_a": [1.0, 2.0, 3.0], "score_b": [3.0, 2.0, 1.0]}
    )
    labels = frame[["query", "item"]].assign(label=[1, 0, 2])
    expected = gather(labels, frame)
    same(gather(frame_of(labels), frame_of(frame)), expected)
    same(gather(labels, frame_of(frame)), expected)
    alone = {
        name: frame.rename(columns={f"score_{name}": "score"})[["query", "item", "score"]] for name in "ab"
    }
    same(gather(labels, {name: frame_of(run) for name, run in alone.items()}), expected)
    whole = frame.assign(label=[1, 0, 2])
    same(gather(frame_of(whole)), gather(whole))
    same(read_table(frame_of(whole)), read_table(whole))
    holes = frame.assign(item=[7, None, 7], query=["p", "p", None])
    for column, row in (("item", 2), ("query", 3)):
        other = frame.assign(**{column: holes[column]})
        with pytest.raises(
            ValueError, match=f"system a, row {row}: expected a value of {column}, got nothing"
        ):
            gather(labels, frame_of(other))


@pytest.mark.parametrize(
    ("run", "message"),
    [
        (
            {"0.0": {"d": 1}},
            "system a: .* got none: the queries differ, such as '0.0' in system a and '0' in qrels",
        ),
        (
            {"1": {"d2": 1}, "0": {"D1": 1, "d7": 2}},
            "the documents of query 1 differ, such as 'd2' in system a and 'd3' in qrels",
        ),
        (
            {"9": {"d1": 1}, "0": {"D1": 1}},
            "documents of query 0 differ, such as 'D1' in system a and 'd1' in",
        ),
        ({"x\x1b": {"d1": 1}}, r"such as 'x\\x1b' in system a and '0' in qrels"),
    ],
)
@pytest.mark.parametrize("missing", ["raise", "zero", "drop"])
def test_ids_that_never_match_are_shown_one_of_each_side(run, message, missing):
    labels = {"0": {"d1": 1, "d2": 0}, "1": {"d3": 1}}
    with pytest.raises(
        ValueError, match=f"system a: expected items judged in qrels, got none: .*|{message}"
    ) as refusal:
        gather(labels, {"a": run}, missing=missing)
    assert re.search(message, str(refusal.value)) and "\x1b" not in str(refusal.value)


def test_a_comment_is_no_query_and_no_blank_in_front_changes_that(tmp_path):
    judged, run = "q0 0 a 1\nq0 0 b 0\n", {"q0": {"a": 1.0, "b": 2.0}}
    for text in (judged, "# version 2 2023\n" + judged, "\n  # version 2 2023\n" + judged):
        (tmp_path / "qrels").write_text(text)
        assert gather(tmp_path / "qrels", {"a": run}, missing="zero").queries.tolist() == ["q0"]
        assert gather(tmp_path / "qrels", {"a": run}, form="trec").queries.tolist() == ["q0"]
    (tmp_path / "table").write_text("# by hand\nquery,item,label,score_a\nq0,a,1,2\n")
    assert gather(tmp_path / "table").queries.tolist() == ["q0"]
    (tmp_path / "letor").write_text("  # by hand\n1 qid:1 1:0 # a\n")
    (tmp_path / "scores").write_text("# by hand\n0.5\n")
    rankings = gather(tmp_path / "letor", {"a": tmp_path / "scores"})
    assert rankings.scores["a"].tolist() == [0.5]


def test_a_series_of_mappings_is_a_mapping():
    rankings = gather(pandas.Series({"q": {"d": 1}}), {"a": pandas.Series({"q": {"d": 0.5}})})
    assert rankings.labels.tolist() == [1] and rankings.scores["a"].tolist() == [0.5]


def test_files_go_with_whatever_else(qrels_and_runs, tmp_path):
    qrels, runs = qrels_and_runs
    path, paths = write_trec(tmp_path, qrels, runs)
    good = frames(qrels, runs)[1]["good"]
    alone = gather(qrels, {"good": runs["good"]})
    same(gather(path, good.rename(columns={"score": "score_good"})), alone)
    same(gather(path, {"good": good}), alone)
    same(gather(path, {"good": runs["good"]}), alone)
    for systems in ([paths["good"]], str(paths["good"])):
        same(gather(path, systems), alone)
    with pytest.raises(ValueError, match="runs: expected a mapping of name to scores"):
        gather(path, {})
    with pytest.raises(ValueError, match="runs: expected different names, got 1, '1'"):
        gather(path, {1: good, "1": good})
    (tmp_path / "letor").write_text("1 qid:1 1:2\n")
    with pytest.raises(ValueError, match="letor: expected a file with one score a line for each system"):
        gather(tmp_path / "letor", {"good": good})


def test_scores_of_a_letor_file_are_one_a_line(tmp_path):
    (tmp_path / "letor").write_text("1 qid:2 1:0\n0 qid:1 1:0\n2 qid:2 1:0\n")
    scores = tmp_path / "scores"
    scores.write_text("0.5\n-1\n0.25\n")
    rankings = gather(tmp_path / "letor", {"a": scores})
    assert dict(zip(rankings.labels.tolist(), rankings.scores["a"].tolist())) == {1: 0.5, 0: -1, 2: 0.25}
    for text, got in (("1\n2\n", 2), ("1\n2\n3\n4\n", 4)):
        scores.write_text(text)
        with pytest.raises(ValueError, match=f"scores: expected 3 scores, .* of .*letor, got {got}"):
            gather(tmp_path / "letor", {"a": scores})
    scores.write_text("1\nnan\n3\n")
    with pytest.raises(ValueError, match="scores, line 2: expected a number as score, got nan"):
        gather(tmp_path / "letor", {"a": scores})


def test_a_letor_file_may_have_no_features(tmp_path):
    (tmp_path / "letor").write_text("1 qid:2\n0 qid:2\n")
    (tmp_path / "scores").write_text("0.5\n1\n")
    assert gather(tmp_path / "letor", {"a": tmp_path / "scores"}).labels.tolist() == [1, 0]


def test_a_row_of_a_frame_is_named_by_its_number():
    frame = pandas.DataFrame({"query": ["q"] * 3, "item": list("abc"), "score": [1.0, np.nan, 2.0]})
    with pytest.raises(ValueError, match="system a, row 2: expected a number as score"):
        gather({"q": {"a": 1}}, {"a": frame})


def test_runs_are_named_by_their_tag_if_it_is_their_own(qrels_and_runs, tmp_path):
    qrels, runs = qrels_and_runs
    judged, paths = write_trec(tmp_path, qrels, runs)
    names = lambda paths, **given: list(gather(judged, **given, runs=[*paths]).scores)
    assert names(paths.values()) == ["good", "fair", "poor"]
    again = tmp_path / "again.run"
    again.write_bytes(gzip.decompress(paths["good"].read_bytes()))
    assert names([paths["good"], again, paths["poor"]]) == ["good", "again", "poor"]
    assert names([paths["poor"]], systems={"good": again}) == ["good", "poor"]
    (tmp_path / "other").mkdir()
    twice = tmp_path / "other" / "again.run"
    twice.write_bytes(again.read_bytes())
    with pytest.raises(ValueError, match="again.run: expected a name of its own, got again twice"):
        names([again, twice])
    with pytest.raises(ValueError, match="good.*: expected a name of its own, got good, which is given"):
        names([paths["good"]], systems={"good": again})


@pytest.mark.parametrize(
    ("labels", "systems", "message"),
    [
        ({"q": {"d": 1}}, None, "runs: expected a mapping"),
        ({"q": {"d": 1}}, {}, "runs: expected a mapping"),
        ({"q": {"d": 1}}, [1], "runs: expected a mapping of name to scores, got list"),
        ({"q": {"d": 1}}, {"a": {"q": {}}}, "system a: expected scores, got none"),
        ({}, {"a": {"q": {"d": 1}}}, "qrels: expected labels, got none"),
        (
            7,
            {"a": {"q": {"d": 1}}},
            "qrels: expected a mapping, a DataFrame, named tuples or a path, got int",
        ),
        (
            {"q": "d"},
            {"a": {"q": {"d": 1}}},
            "qrels: expected a mapping of items, a list or a set for query q",
        ),
        ({"q": {"d": 1}}, {"a": {"q": {"d"}}}, "system a: expected the columns query, item, score"),
        (
            {"q": {"d": 1}},
            {"a": {"q": {"d": np.nan}}},
            r"row 1 \(query q, item d\): expected a number as score",
        ),
        ({"q": {"d": np.inf}}, {"a": {"q": {"d": 1}}}, "expected a number as label, got inf"),
        ({"q": {"d": "x"}}, {"a": {"q": {"d": 1}}}, "row 1 .*: expected a number as label, got 'x'"),
        ({"q": {"d": 1}}, {"a": {"p": {"d": 1}}}, "system a: expected items judged in qrels, got none"),
        (
            {"q": {"d": 1}, "p": {"d": 0}},
            {"a": {"q": {"d": 1}}},
            r"query p is not in system a; missing='zero' counts it 0 \(--missing zero, if nothing was",
        ),
        ({"q": {"d": 1}}, {"a\x1b[2J": {"q": {"d": 1}}}, r"system 'a\\x1b\[2J': expected no control"),
        ({"q": {"d": 1}}, {"a\ud800": {"q": {"d": 1}}}, r"system 'a\\ud800': expected no control"),
        (
            pandas.DataFrame({"q": [1]}),
            {"a": {"q": {"d": 1}}},
            "qrels: expected the columns query, item, label",
        ),
        *(
            (
                {"q": {"d": 1}},
                pandas.DataFrame([columns]),
                "runs: expected the columns query, item and score_",
            )
            for columns in (
                {"query": 1},
                {"query": "q", "item": "d"},
                {"query": "q", "score_a": 1},
                {"query": "q", "item": "d", "score": 1},
            )
        ),
    ],
)
def test_what_cannot_be_compared_is_rejected(labels, systems, message):
    with pytest.raises(ValueError, match=message):
        gather(labels, systems)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "expected TREC judgments .* got an empty file"),
        (b"\xef\xbb\xbf", "expected TREC judgments .* got an empty file"),
        (b"# a\n# b\n", "line 2: .* got comments alone"),
        (b"#" * 100_000, "line 1: .* got comments alone"),
        (b"\x1b[31m what\n", r"line 1: .* got '\\x1b\[31m what'; --format"),
        (b"what\n", "line 1: .* got 'what'; --format"),
        (b"\xff\xfe", "expected UTF-8 text, got UTF-16; save the file as UTF-8"),
        (b'[{"q": 1}]', "line 1: .* got JSON of another shape$"),
        (b"1 Q0 a 1 2.5 x\n", "line 1: .*got 6, as runs have: are labels and runs swapped"),
        (gzip.compress(b"1 0 a 1\n", mtime=0)[:-4], "expected complete gzip data"),
    ],
)
def test_a_file_that_is_none_of_the_formats_is_rejected(tmp_path, data, message):
    (tmp_path / "labels").write_bytes(data)
    with pytest.raises(ValueError, match=f"labels.*: {message}|labels, {message}"):
        gather(tmp_path / "labels", {"a": tmp_path / "a"})


@pytest.mark.parametrize("mark", [",", ";", "\t", "|"])
def test_a_table_may_have_commas_semicolons_tabs_or_bars_between_its_columns(tmp_path, mark):
    text = '"query","item","label","score_a","score_b"\nq,"a,1",1,2,3\nq,"b",0,3,2\n'
    (tmp_path / "labels").write_text(text.replace(",", mark))
    rankings = gather(tmp_path / "labels")
    assert rankings.items.tolist() == [f"a{mark}1", "b"] and rankings.labels.tolist() == [1, 0]
    assert [scores.tolist() for scores in rankings.scores.values()] == [[2, 3], [3, 2]]


def test_a_header_of_a_query_and_an_item_alone_is_one_of_a_table(tmp_path):
    for header in ("query;item", "query,item", "query item"):
        (tmp_path / "labels").write_text(f"{header}\nq,a\n")
        with pytest.raises(ValueError, match="labels, header: expected the columns .* label"):
            gather(tmp_path / "labels")


def test_a_table_of_a_given_format_keeps_the_separator_of_its_header(tmp_path):
    (tmp_path / "labels").write_text("query\titem\tlabel\tscore_a\nq\tx,y\t1\t2\n")
    rankings = gather(tmp_path / "labels", form="table")
    assert (rankings.items.tolist(), rankings.scores["a"].tolist()) == (["x,y"], [2])


def test_a_table_that_has_scores_is_rejected_beside_systems(tmp_path):
    (tmp_path / "labels").write_text("query,item,label,score_a\nq,d,1,2\n")
    with pytest.raises(ValueError, match="labels: expected no systems beside a table, whose columns score_"):
        gather(tmp_path / "labels", {"a": {"q": {"d": 1}}})


def test_judgments_may_name_a_query_as_a_column(tmp_path):
    (tmp_path / "labels").write_text("query\t0\td\t1\n")
    assert gather(tmp_path / "labels", {"a": {"query": {"d": 1}}}).queries.tolist() == ["query"]


def test_a_long_first_line_is_read(tmp_path):
    row = "query,item,label,score_" + "a" * 100_000 + "\nq,d,1,2\n"
    (tmp_path / "table").write_text(row)
    (name,) = gather(tmp_path / "table").scores
    assert len(name) == 100_000


def test_missing_topics_are_counted_or_left_out():
    labels = {"p": {"a": 1}, "q": {"a": 1}, "r": {"a": 1}}
    systems = {"all": {"p": {"a": 1}, "q": {"a": 1}, "x": {"a": 1}}, "one": {"q": {"a": 1}}}
    zero = gather(labels, systems, missing="zero")
    assert zero.queries.tolist() == ["p", "q", "r"] and zero.dropped == ("x",)
    assert np.isneginf(zero.scores["one"]).tolist() == [True, False, True]
    drop = gather(labels, systems, missing="drop")
    assert drop.queries.tolist() == ["q"] and drop.dropped == ("p", "r", "x")


def test_a_frame_with_columns_of_one_name_is_rejected_by_the_first_of_them():
    frame = pandas.DataFrame([["q", "d", 1, 2, 1, 2]], columns=["query", "item", "b", "a", "b", "a"])
    with pytest.raises(ValueError, match="expected each column once, got b twice"):
        compare({"q": {"d": 1}}, frame)
