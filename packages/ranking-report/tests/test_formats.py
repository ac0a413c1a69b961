"""Judgments and runs in every format are read as the descriptions of the formats specify.

What the libraries themselves write is tested in ``test_libraries_files.py``, where they are installed.
"""

import io
import json
import sys
import tracemalloc
from collections import namedtuple
from contextlib import suppress
from types import SimpleNamespace

import numpy as np
import pandas
import pytest

from ranking_report.readers.formats import read_file
from ranking_report.readers.ids import as_texts
from ranking_report.readers.memory import rows_of_value

QRELS = {"q1": {"d1": 2, "d2": 0, "dé": 1}, "q2": {"d1": 0, "d7": 1}}
RUN = {"q1": {"d2": 3.5, "d1": 3.25, "d9": -1.0}, "q2": {"d7": 2.0, "d1": 0.5}}


def triples(table):
    return [(query, item, number) for query, of in table.items() for item, number in of.items()]


def lines(table, form, line_end="\n"):
    """One line for each, with its rank within the query as ``rank``."""
    return line_end.join(
        form.format(query=query, item=item, number=number, rank=rank)
        for query, of in table.items()
        for rank, (item, number) in enumerate(of.items(), 1)
    )


def csv(table, *names, sep=",", **others):
    frame = pandas.DataFrame(triples(table), columns=names).assign(**others)
    return frame.to_csv(index=False, sep=sep)


def parquet(table, *names, **others):
    file = io.BytesIO()
    pandas.DataFrame(triples(table), columns=names).assign(**others).to_parquet(file, index=False)
    return file.getvalue()


JUDGMENTS = {
    "TREC": lines(QRELS, "{query} 0 {item} {number}"),
    "grades with a point": lines(QRELS, "{query} 0 {item} {number:.1f}"),
    "some with a point": lines(QRELS, "{query} 0 {item} {number}").replace("d1 0", "d1 0.0"),
    "three columns": lines(QRELS, "{query}\t{item}\t{number}\n", ""),
    "returns and feeds": lines(QRELS, "{query} 0 {item} {number}", "\r\n"),
    "our header": csv(QRELS, "query", "item", "label"),
    "a header and tabs": csv(QRELS, "query", "item", "label", sep="\t"),
    "a header and semicolons": csv(QRELS, "query", "item", "label", sep=";"),
    "PyTerrier's frame": csv(QRELS, "qid", "docno", "label", iteration="Q0", query='what, and "where"'),
    "ir_measures' frame": csv(QRELS, "query_id", "doc_id", "relevance", iteration=0),
    "ranx's frame": csv(QRELS, "q_id", "doc_id", "score"),
    "BEIR": csv(QRELS, "query-id", "corpus-id", "score", sep="\t"),
    "BEIR with returns": csv(QRELS, "query-id", "corpus-id", "score", sep="\t").replace("\n", "\r\n"),
    "a mark of UTF-8": "\ufeff" + csv(QRELS, "query-id", "corpus-id", "score", sep="\t"),
    "fractions": csv(QRELS, "query", "item", "label").replace(",2\n", ",2.0\n"),
    "comments above": "# made by hand\n##\n\n#\tin 2023\n" + lines(QRELS, "{query} 0 {item} {number}"),
    "comments above three columns": "# query item label\n" + lines(QRELS, "{query} {item} {number}"),
    "comments above a header": "# in 2023, by hand\n" + csv(QRELS, "query", "item", "label"),
    "a header and blanks": "qid docno  label\n" + lines(QRELS, "{query}  {item} {number}"),
    "JSON": json.dumps(QRELS),
    "JSON in lines": "\n\n" + json.dumps(QRELS, indent=2, ensure_ascii=False) + "\n",
    "Parquet of ranx": parquet(QRELS, "q_id", "doc_id", "score"),
    "Parquet of a frame": parquet(QRELS, "qid", "docno", "label", iteration="0"),
}
RUNS = {
    "TREC": lines(RUN, "{query} Q0 {item} {rank} {number} tag"),
    "without tag": lines(RUN, "{query}\tQ0\t{item}\t{rank}\t{number}"),
    "comments above": "# made by hand\n" + lines(RUN, "{query} Q0 {item} {rank} {number} tag"),
    "ColBERT": lines(RUN, "{query}\t{item}\t{rank}\t{number}"),
    "ColBERT between blanks": lines(RUN, "{query} {item} {rank} {number}"),
    "ColBERT with a header": "qid docno rank score\n" + lines(RUN, "{query} {item} {rank} {number}"),
    "three columns, scores": lines(RUN, "{query} {item} {number}"),
    "our header": csv(RUN, "query", "item", "score"),
    "PyTerrier's frame": csv(RUN, "qid", "docno", "score", rank=0, docid=1, query="a, b"),
    "ir_measures' frame": csv(RUN, "query_id", "doc_id", "score"),
    "BEIR": csv(RUN, "query-id", "corpus-id", "score", sep="\t"),
    "JSON": json.dumps(RUN),
    "Parquet of ranx": parquet(RUN, "q_id", "doc_id", "score"),
    "Parquet of PyTerrier's frame": parquet(RUN, "qid", "docno", "score", query="who?", rank=0),
}


def ids(coded):
    return as_texts(coded.texts)[coded.codes].tolist()


def held(rows):
    return sorted(zip(ids(rows.query), ids(rows.item), rows.values.tolist()))


def written(path, text):
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


@pytest.mark.parametrize("name", JUDGMENTS)
def test_judgments_are_read_as_what_they_are(name, tmp_path):
    tag, rows = read_file(written(tmp_path / "judgments", JUDGMENTS[name]), "label")
    assert tag is None and held(rows) == sorted(triples(QRELS))


@pytest.mark.parametrize("name", RUNS)
def test_runs_are_read_as_what_they_are(name, tmp_path):
    tag, rows = read_file(written(tmp_path / "run", RUNS[name]), "score")
    assert held(rows) == sorted(triples(RUN)) and tag == (
        "tag" if name in ("TREC", "comments above") else None
    )


def test_ids_between_tabs_may_hold_blanks_and_quotes(tmp_path):
    text = 'query-id\tcorpus-id\tscore\nhow many?\t"a ""b"""\t1\n'
    rows = read_file(written(tmp_path / "f", text), "label")[1]
    assert held(rows) == [("how many?", 'a "b"', 1)]


@pytest.mark.parametrize("mark", ["\t", " "])
@pytest.mark.parametrize("start", [0, 1])
def test_ms_marcos_three_columns_are_ranks(mark, start, tmp_path):
    """The columns are query, passage and rank, best passage first. One query has a single passage."""
    rows = [(query, item, start + rank) for query, of in RUN.items() for rank, item in enumerate(of)]
    rows.append(("q3", "d1", start))
    text = "\n".join(mark.join(map(str, row)) for row in rows)
    rows = read_file(written(tmp_path / "run", text), "score")[1]
    assert (rows.values <= 0).all() and len(ids(rows.item)) == 6
    for query in ("q1", "q2"):
        of_query = np.array(ids(rows.query)) == query
        order = np.argsort(-rows.values[of_query], kind="stable")
        assert [*RUN[query]] == np.array(ids(rows.item))[of_query][order].tolist()


def test_whole_numbers_that_fall_are_scores_and_a_mixture_is_rejected(tmp_path):
    falling = "q1 d1 3\nq1 d2 2\nq1 d3 2\nq2 d1 1"
    assert read_file(written(tmp_path / "run", falling), "score")[1].values.tolist() == [3, 2, 2, 1]
    for text in ("q1 d1 2\nq1 d2 3\nq1 d3 1", "q1 d1 1\nq1 d2 2\nq2 d1 2\nq2 d2 1"):
        with pytest.raises(
            ValueError, match="run, line 1: expected whole numbers in the third column that rise .* got both"
        ):
            read_file(written(tmp_path / "run", text), "score")


@pytest.mark.parametrize(
    ("text", "row", "value"),
    [
        ("qi d2 107\nqi d1 114", 1, 107),
        ("q a 1\nq b 2\np a 7\np b 70", 3, 7),
        ("q a 0\nq b 1\nq c 3", 3, 3),
        ("q a 2\nq b 3", 1, 2),
        ("q a 5.0\nq b 9.0", 1, 5),
        ("q a 1\nq b 2\np a 7", 3, 7),
        ("q a -2\nq b -1", 1, -2),
        ("q a 1\nq b 2\nq c 2", 3, 2),
        ("q a 1.0\nq b 2.0\nq c 2.0", 3, 2),
    ],
)
def test_whole_numbers_that_rise_but_do_not_count_are_no_ranks(text, row, value, tmp_path):
    """They might also be scores in ascending order, and the best document would then be the last one."""
    message = f"run, line {row}: expected .* counted from 1 or 0 without a gap, got {value}: are they scores "
    with pytest.raises(ValueError, match=message + "that rise, or ranks with gaps or ties"):
        read_file(written(tmp_path / "run", text), "score")


FAR = pandas.DataFrame(  # distances, so that the ranks say the opposite
    {"qid": ["q0", "q0", "q1", "q1"], "docno": ["d1", "d2"] * 2, "rank": [1, 2] * 2, "score": [0.2, 0.7] * 2}
)


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("order", [[0, 1, 2, 3], [0, 2, 1, 3]], ids=["together", "scattered"])
@pytest.mark.parametrize("name", ["rank", "Rank", "position", "ranks"])
def test_a_rank_beside_the_score_is_compared_with_it_in_every_format(sign, order, name, tmp_path):
    """As in TREC files, the value is 1 if ranks contradict the scores, and 0 if they agree."""
    frame = FAR.assign(score=sign * FAR["score"]).iloc[order].rename(columns={"rank": name})
    file = io.BytesIO()
    frame.to_parquet(file, index=False)
    texts = [frame.to_csv(sep=mark, index=False) for mark in ",\t; "]
    for data in [*texts, file.getvalue()]:
        rows = read_file(written(tmp_path / "run", data), "score")[1]
        assert rows.contradicted == (sign > 0), data
        assert rows.values.tolist() == frame["score"].tolist()
    row = namedtuple("Row", frame.columns)
    for value in (frame, [row(*values) for values in frame.itertuples(index=False)]):
        assert rows_of_value(value, "score", "run").contradicted == (sign > 0)


@pytest.mark.parametrize(
    "ranks", [["1", "2", "x", ""], [None, 2.0, np.nan, 3.0], [2, pandas.NA, None, 3], ["a", "b", "c", "d"]]
)
def test_a_rank_beside_the_score_that_is_no_number_says_nothing(ranks, tmp_path):
    frame = FAR.assign(rank=ranks)
    file = io.BytesIO()
    frame.to_parquet(file, index=False)
    for data in (frame.to_csv(index=False), file.getvalue()):
        contradicted = read_file(written(tmp_path / "run", data), "score")[1].contradicted
        assert contradicted == (ranks[0] == "1")
    assert rows_of_value(frame, "score", "run").contradicted == (ranks[0] == "1")


def test_labels_with_ranks_beside_them_are_compared_with_nothing(tmp_path):
    frame = FAR.rename(columns={"score": "label"})
    assert rows_of_value(frame, "label", "labels").contradicted == 0
    assert read_file(written(tmp_path / "f", frame.to_csv(index=False)), "label")[1].contradicted == 0


TEXTS = [
    "2",
    " 5 ",
    "+1.50",
    "1e2",
    ".5",
    "1_0",
    "",
    " ",
    "high",
    "\u0663",
    "1\u00a0",
    "0x10",
    "True",
    "nan",
    "inf",
]


@pytest.mark.parametrize("text", TEXTS, ids=ascii)
@pytest.mark.parametrize("kind", ["label", "score"])
def test_a_text_is_the_same_number_in_memory_as_in_a_file(text, kind, tmp_path):
    """CSV, JSON, a mapping, a frame and tuples are read, or rejected in the same words with the row."""
    names = ("query_id", "doc_id", {"label": "relevance"}.get(kind, kind))
    named = namedtuple("Named", names)
    frame = pandas.DataFrame([("q", "a", text), ("q", "b", "1")], columns=names)
    sources = [
        lambda: read_file(written(tmp_path / "csv", frame.to_csv(index=False)), kind)[1],
        lambda: read_file(written(tmp_path / "json", json.dumps({"q": {"a": text, "b": "1"}})), kind)[1],
        lambda: rows_of_value({"q": {"a": text, "b": 1}}, kind, "it"),
        lambda: rows_of_value(frame, kind, "it"),
        lambda: rows_of_value([named("q", "a", text), named("q", "b", 1)], kind, "it"),
    ]
    messages = set()
    for source in sources:
        try:
            messages.add(tuple(source().values.tolist()))
        except ValueError as error:
            location, _, said = str(error).partition(": ")
            assert "line 2" in location or "row 1" in location
            messages.add(said.replace("relevance", kind))
    assert len(messages) == 1


def test_true_and_false_are_no_numbers_from_any_source(tmp_path):
    frame = pandas.DataFrame({"query": ["q", "q"], "item": ["a", "b"], "label": [True, False]})
    csv_file = written(tmp_path / "csv", frame.to_csv(index=False))
    parquet_file = written(tmp_path / "parquet", frame.to_parquet(index=False))
    for source in (frame, {"q": {"a": True, "b": 1}}, {"q": {"a": np.True_, "b": 1}}):
        with pytest.raises(ValueError, match="row 1.*: expected a number as label, got True"):
            rows_of_value(source, "label", "it")
    with pytest.raises(ValueError, match="line 2: expected a number as label, got 'True'"):
        read_file(csv_file, "label")
    with pytest.raises(ValueError, match="parquet, row 1: expected a number as label, got True"):
        read_file(parquet_file, "label")
    with pytest.raises(ValueError, match="row 1.*: expected a number as label, got True"):
        rows_of_value(json.loads('{"q": {"a": true}}'), "label", "it")


Rel = namedtuple("Rel", "query_id doc_id relevance iteration")
Scored = namedtuple("Scored", "query_id doc_id score")


def test_what_is_in_memory_is_read_as_what_it_is():
    frame = pandas.DataFrame(triples(RUN), columns=["qid", "docno", "score"])
    search = frame.assign(docid=range(len(frame)), rank=0, query="what the user typed")
    named = [Scored(*row) for row in triples(RUN)]
    ranx = SimpleNamespace(to_dict=lambda: RUN)
    for value in (RUN, frame, search, named, iter(named), (row for row in named), ranx, set(named)):
        assert held(rows_of_value(value, "score", "run")) == sorted(triples(RUN))
    judged = [Rel(*row, "0") for row in triples(QRELS)]
    for value in (judged, iter(judged), pandas.DataFrame(judged)):
        assert held(rows_of_value(value, "label", "labels")) == sorted(triples(QRELS))


RANKED = {"q1": {"d2": 2, "d1": 1, "d9": 30}, "q2": {"d7": 0, "d1": 7}}
BY_RANK = [("q1", "d1", -1), ("q1", "d2", -2), ("q1", "d9", -30), ("q2", "d1", -7), ("q2", "d7", 0)]


def test_ranks_under_their_name_count_from_the_best_in_every_format(tmp_path):
    """The first document is therefore ranked first. If there are also scores, the ranks are ignored."""
    frame = pandas.DataFrame(triples(RANKED), columns=["qid", "docno", "rank"])
    named = frame.rename(columns={"qid": "query_id", "docno": "doc_id"}).itertuples(index=False)
    files = {
        "comma": frame.to_csv(index=False),
        "tab": frame.to_csv(index=False, sep="\t"),
        "blank": frame.to_csv(index=False, sep=" "),
        "point": frame.to_csv(index=False, float_format="%.1f").replace(",2\n", ",2.0\n"),
        "parquet": parquet(RANKED, "q_id", "doc_id", "rank"),
        "BEIR": csv(RANKED, "query-id", "corpus-id", "rank", sep="\t"),
    }
    sources = [read_file(written(tmp_path / name, text), "score")[1] for name, text in files.items()]
    sources += [rows_of_value(value, "score", "run") for value in (frame, [*named])]
    for rows in sources:
        assert held(rows) == BY_RANK
    scored = rows_of_value(frame.assign(score=[1.0, 2.0, 3.0, 4.0, 5.0]), "score", "run")
    assert held(scored)[0] == ("q1", "d1", 2.0)


@pytest.mark.parametrize(
    ("ranks", "message"),
    [
        ([1, 2.5], "row 2: expected a rank, a whole number that counts from the best document, got 2.5"),
        ([1, -1], "row 2: expected a rank, .* got -1"),
        ([1, None], "row 2: expected a number as rank, got nan"),
        ([1, "first"], "row 2: expected a number as rank, got 'first'"),
        ([3, 3], "row 2: expected each rank once for a query, got 3 twice"),
    ],
)
def test_ranks_that_are_none_are_rejected(ranks, message):
    frame = pandas.DataFrame({"qid": ["q", "q"], "docno": ["a", "b"], "rank": ranks})
    with pytest.raises(ValueError, match=message):
        rows_of_value(frame, "score", "run")


@pytest.mark.parametrize("name", ["Rank", "ranks", "ranking", "position"])
def test_a_column_that_is_nearly_a_rank_is_not_called_a_score(name):
    frame = pandas.DataFrame({"qid": ["q"], "docno": ["a"], name: [1]})
    with pytest.raises(
        ValueError, match=f"or rank for the score, from the best on.*; {name} looks like rank$"
    ):
        rows_of_value(frame, "score", "run")


def test_whole_numbers_with_a_point_that_rise_are_ranks_too(tmp_path):
    rising, falling = "q1 a 1.0\nq1 b 2.0\nq2 a 1.0", "q1 a 2.0\nq1 b 1.0\nq1 c 1.5"
    assert read_file(written(tmp_path / "f", rising), "score")[1].values.tolist() == [-1, -2, -1]
    assert read_file(written(tmp_path / "f", falling), "score")[1].values.tolist() == [2, 1, 1.5]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("q 0 d1 1\nq 0 d2 0", "f, line 1: .* got 4, as judgments have: are labels and runs swapped"),
        ("q d1 x 2.5", "f, line 1: .*got 4, which are neither judgments nor 'query document rank score'"),
        ("q 0 1 1\np 0 1 0", "f, line 1: .* got one document in all lines: are they judgments"),
        ("q a 1 9\nq b 3 8", "f, line 2: expected 'query document rank score', with .*, got rank 3"),
        ("q a 1 9\nq b 1 8", "f, line 2: .* got rank 1"),
        ("q a 2 9\nq b 3 8", "f, line 1: .* got rank 2"),
        (
            "u 7 1 881250949\nu 8 2 881250900",
            "f, line 1: .* got scores such as 881250949, as large as times",
        ),
        ("q a 1 0.1\nq b 2 0.2", "f, line 1: .* got scores that rise with the ranks"),
        ("q a 1 high", "f, line 1: expected a number as score, got 'high'"),
        ("q a 1 2\nq b two 1", "f, line 2: expected a number as rank, got 'two'"),
    ],
)
def test_four_columns_that_are_no_run_are_rejected_in_words_that_fit(text, message, tmp_path):
    with pytest.raises(ValueError, match=message):
        read_file(written(tmp_path / "f", text), "score")


ITEMS = "other values in the second column on the lines of a query, and numbers as documents"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1\t7\t1\t881250949\n1\t8\t2\t891717742\n", "got grades such as 881250949, as large as times"),
        ("1 7 1 1700000000000", "got grades such as 1700000000000, as large as times"),
        ("1 7 1 881250949\n1 8 2 0\n1 9 3 891717742", "got grades such as 881250949, as large as times"),
        ("1 x A 20050924\n1 y B 20050926\n2 x C 0", "got grades such as 20050924, dates written YYYYMMDD"),
        ("1 2 4 13010\n1 1 5 13004\n2 2 4 13011\n2 1 5 2", f"got {ITEMS}"),
        ("".join(f"1 {i % 19} {i} {i}\n" for i in range(20)) + "1 20 20 2", f"got {ITEMS}"),  # one twice
        ("1 276 53 2005\n1 1166 1331 2004\n2 276 9 2005", f"got {ITEMS}"),
        ("a x 5 1\na y 4 1\nb z 5 1", "got 3 values in the second column and 2 numbers as documents"),
        ("a x 4.5 1\na y 4.0 1\nb z 4.5 0", "got 3 values in the second column and 2 numbers as documents"),
        (
            "".join(f"{number} i{number} {number % 101} 7\n" for number in range(300)),
            "got 300 values in the second column and 101 numbers as documents",
        ),
        ("a x -9.5 3\nb y -9.5 4", "got 2 values in the second column and 1 numbers as documents"),
        ("q d1 0 1\np d2 0 1", "got 2 values in the second column and 1 numbers as documents"),
    ],
)
def test_rows_of_a_recommender_are_no_judgments(text, message, tmp_path):
    with pytest.raises(
        ValueError, match=f"f, line 1: expected 'query iteration document grade', {message}; "
    ):
        read_file(written(tmp_path / "f", text), "label")


@pytest.mark.parametrize(
    "text",
    [
        "1 0 1 5\n1 0 2 0\n2 0 1 1",  # documents that are small numbers
        "1 Q0 1 5\n2 0 2 1",
        "1 1.5 a 2\n1 2 b 1\n2 0.5 a 0",  # rounds of judging
        "1 1 a 2\n1 2 b 1\n1 3 c 0",  # subtopics
        "1 0 881250949 1\n2 0 881250950 1",
        "1 0 a 20000000\n1 0 b 1234567\n2 0 a 20051232",  # clicks, some as large as dates
        "1 0 7 1\n1 1 8 0\n1 0 9 0",  # rounds of judging, and documents that are numbers
        "1 0 7 1\n2 1 8 0",
        "".join(
            f"{number} {number % 4} {number + 7} 1\n{number} 0 {number + 8} 0\n" for number in range(9)
        ).strip(),
    ],
)
def test_judgments_are_read_whatever_their_iteration_is(text, tmp_path):
    rows = read_file(written(tmp_path / "f", text), "label")[1]
    assert [int(line.split()[3]) for line in text.split("\n")] == rows.values.tolist()


def test_grades_without_a_header_are_whole_numbers_in_three_columns_as_in_four(tmp_path):
    for text in ("q 0 a 1\nq 0 b 0.5", "q a 1\nq b 0.5", "q a 1\nq b -2.25"):
        with pytest.raises(ValueError, match="f, line 2: expected a grade, a whole .* got .*; a header such"):
            read_file(written(tmp_path / "f", text), "label")
    for text in ("q 0 a 1\nq 0 b 2.0", "q a 1\nq b 2.0", "query item label\nq a 1\nq b 2"):
        grades = read_file(written(tmp_path / "f", text), "label")[1].values
        assert grades.tolist() == [1, 2]
    rows = read_file(written(tmp_path / "f", "query,item,label\nq,a,1\nq,b,0.5"), "label")[1]
    assert rows.values.tolist() == [1, 0.5]


def test_times_are_no_grades_of_three_columns_either(tmp_path):
    for text in ("1 7 881250949\n1 8 891717742", "1 7 20050924\n1 8 20050926\n1 9 0"):
        with pytest.raises(ValueError, match="f, line 1: expected 'query document grade', got grades such"):
            read_file(written(tmp_path / "f", text), "label")
    recent = read_file(written(tmp_path / "f", "1 7 891717742\n1 8 881250949"), "score")[1]
    assert recent.values.tolist() == [891717742, 881250949]  # the latest first is a ranking


def test_dates_are_no_scores_of_four_columns(tmp_path):
    with pytest.raises(ValueError, match="f, line 1: .* got scores such as 20050926, dates written YYYYMMDD"):
        read_file(written(tmp_path / "f", "1 7 1 20050926\n1 8 2 20050924\n2 7 1 20050922"), "score")


SIGNS = ["%", "%%", "//", ";", "--", "---", "!", "*", "REM", "rem"]


@pytest.mark.parametrize("kind", ["label", "score"])
@pytest.mark.parametrize("sign", SIGNS)
def test_a_first_line_that_looks_like_a_comment_of_another_program_is_rejected(sign, kind, tmp_path):
    below = "\nq 0 a 1\n" if kind == "label" else "\nq Q0 a 1 2.5 t\n"
    for words in ("by hand", "by hand 2", "by hand 2 2023", "a b 1 2 a", "made"):
        for line, above in enumerate(("", "# made in 2023\n"), 1):
            with pytest.raises(ValueError, match=f"f, line {line}: expected a row, got one that begins with"):
                read_file(written(tmp_path / "f", f"{above}{sign} {words}{below}"), kind)


def test_names_of_columns_behind_a_comment_sign_are_rejected(tmp_path):
    """If the sign counted as a name, each column would be shifted by one."""
    for sign in SIGNS:
        with pytest.raises(ValueError, match="f, line 1: expected a row, got one that begins with"):
            read_file(written(tmp_path / "f", f"{sign} query item label\nq 0 d 1\n"), "label")
    rows = read_file(written(tmp_path / "f", ";query;item;label\n0;q;d;1\n"), "label")[1]  # as pandas writes
    assert held(rows) == [("q", "d", 1)]


def test_ids_that_look_like_comments_are_accepted_below_a_header_and_others_anywhere(tmp_path):
    for text in ("query item label\n%1 a 1\n--x b 2", "-1 0 a 1\nREM1 0 b 2", "remove a 1\n/b b 2"):
        grades = read_file(written(tmp_path / "f", text), "label")[1].values
        assert grades.tolist() == [1, 2]


def test_a_run_whose_documents_are_its_q0_is_rejected(tmp_path):
    with pytest.raises(ValueError, match="f, line 1: expected 'query Q0 document .* got Q0 as the document"):
        read_file(written(tmp_path / "f", "q d1 Q0 1 2.5 tag\np d2 Q0 1 1.5 tag"), "score")


COMMENTED = {
    "judgments": ("q 0 a 1\n# p 0 1\n", "label", 2),
    "three columns": ("q a 1\n# p 0\n", "label", 2),
    "a comment that may be an id": ("#version 2 2023\nq 0 a 1\n", "label", 1),
    "below comments": ("# one\n#version 2 2023\nq 0 a 1\n", "label", 2),
    "a run": ("q Q0 a 1 2.5 t\n  # Q0 a 1 2.5 t\n", "score", 2),
    "an id": ("q a 1\n#p a 2\n", "score", 2),
    "ColBERT": ("q a 1 2.5\n#p a 1 2.5\n", "score", 2),
    "a header": ("qid,docno,score\nq,a,1\n# p,a,1\n", "score", 3),
    "a header between blanks": ("qid docno score\nq a 1\n## a 1\n", "score", 3),
}


@pytest.mark.parametrize("name", COMMENTED)
def test_a_row_that_begins_with_a_hash_is_rejected(name, tmp_path):
    text, kind, line = COMMENTED[name]
    with pytest.raises(
        ValueError, match=f"f, line {line}: expected a row, got one that begins with #; comments"
    ):
        read_file(written(tmp_path / "f", text), kind)


def test_ids_may_begin_with_a_hash_below_a_header_and_lines_are_counted_with_comments(tmp_path):
    text = "# by hand\nqid,docno,label\n#1,a#b,1\n#2,# c,x\n"
    rows = read_file(written(tmp_path / "f", text.replace("x", "0")), "label")[1]
    assert held(rows) == [("#1", "a#b", 1), ("#2", "# c", 0)]
    with pytest.raises(ValueError, match="f, line 4: expected a number as label, got 'x'"):
        read_file(written(tmp_path / "f", text), "label")


@pytest.mark.parametrize(
    ("names", "kind", "message"),
    [
        ("qid docid label", "label", "got qid, docid, label; docid looks like docno"),
        ("Query Item Label", "label", "Query looks like query, Item looks like item, Label looks like label"),
        ("query_id doc_id score", "label", "score of ranx; .*got query_id, doc_id, score"),
        ("query_id doc_id rel", "label", "rel looks like relevance"),
        ("query-id corpus_id score", "score", "corpus_id looks like corpus-id"),
        ("topic document relevance", "label", "topic looks like query_id, document looks like doc_id"),
        ("qid docno scor", "score", "scor looks like score"),
        ("a b c", "score", r"the columns query, item, score \(or qid, docno, score of PyTerrier"),
        ("qid docno score score", "score", "each column once, got score twice"),
    ],
)
def test_columns_that_are_nearly_known_are_named(names, kind, message, tmp_path):
    names = names.split()
    frame = pandas.DataFrame([["q", "d", 1, 2][: len(names)]], columns=names)
    with pytest.raises(ValueError, match=f"system a: expected .*{message}"):
        rows_of_value(frame, kind, "system a")
    if names != ["a", "b", "c"]:  # which is no header at all
        text = frame.to_csv(index=False)
        with pytest.raises(ValueError, match=f"f, header: expected .*{message}"):
            read_file(written(tmp_path / "f", text), kind)


@pytest.mark.parametrize(
    ("text", "kind", "message"),
    [
        ("query,item,label\nq,d,1\nq,e,x\n", "label", "f, line 3: expected a number as label, got 'x'"),
        ("query,item,label\nq,d\n", "label", r"f, line 2: expected 3 fields \(query,item,label\), got 2"),
        ("query,item,label\n", "label", "f: expected rows, got a header alone"),
        (
            "query-id\tcorpus-id\tscore\nq\td\tnan\n",
            "score",
            "f, line 2: expected a number as score, got nan",
        ),
        ("q d\n", "score", "f, line 1: expected 6 fields"),
        ("q d 1 2.5 tag\n", "score", "expected Q0 as the second of 5 fields .* got d"),
        ("q d x\n", "label", "f, line 1: expected a number as grade, got 'x'"),
        ('{"q": {"d": 1}', "score", "f, line 1: expected complete JSON, got"),
        (
            '{"q": {"d": 1, "d": 2}}',
            "score",
            "f: expected each name once in an object of the JSON, got d twice",
        ),
        (
            '{"q": {"d": 1}, "q": {}}',
            "score",
            "f: expected each name once in an object of the JSON, got q twice",
        ),
        ('{"q": 1}', "score", "f: expected a mapping of items, a list or a set for query q, got int"),
        (
            '{"q": ["a"], "r": {"a": 1}}',
            "score",
            "expected items of the same type for each query, got list and numbers",
        ),
        (
            '{"q": {"d": [1]}}',
            "score",
            r"f, row 1 \(query q, item d\): expected a number as score, got \[1\]",
        ),
        ('{"q": {"d": NaN}}', "score", r"f, row 1 \(query q, item d\): expected a number as score, got nan"),
        ('{"q": {"d": "x\\u001b[2J"}}', "score", r"expected a number as score, got 'x\\x1b\[2J'"),
        ("{}", "score", "f: expected scores, got none"),
        ('{"q": ' * 100_000, "score", "f: expected JSON {query: {item: number}}, got deeper nesting"),
    ],
)
def test_what_cannot_be_read_is_rejected_with_its_place(text, kind, message, tmp_path):
    with pytest.raises(ValueError, match=message) as refused:
        read_file(written(tmp_path / "f", text), kind)
    assert "\n" not in str(refused.value) and "\x1b" not in str(refused.value)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ([("q", "d", 1)], "run: expected a mapping, a DataFrame, named tuples or a path, got list of tuple"),
        ([], "run: expected scores, got none"),
        (b"q d 1", "run: expected a mapping, a DataFrame, named tuples or a path, got bytes"),
        (
            [Scored("q", "d", 1), ("q", "e", 2)],
            "run, row 2: expected the fields query_id, doc_id, score, got tuple",
        ),
        ([Rel("q", "d", 1, 0)], "run: expected the columns .* got query_id, doc_id, relevance, iteration"),
        ([Scored("q", "d", None)], "run, row 1: expected a number as score, got None"),
        ([Scored("q", ["d"], 1)], "run, row 1: expected a text or a number as item, got list"),
    ],
)
def test_tuples_that_say_something_else_are_rejected(value, message):
    with pytest.raises(ValueError, match=message):
        rows_of_value(value, "score", "run")


@pytest.mark.parametrize(
    "text",
    [
        json.dumps({f"q{q}": {f"document-{d}": d + 0.5 for d in range(100)} for q in range(100)}),
        json.dumps({"q": [[] for _ in range(20_000)]}),
        json.dumps({"q": [{} for _ in range(20_000)]}),
        json.dumps({"q": ["" for _ in range(20_000)]}),
        json.dumps({f"{q}": {} for q in range(10_000)}),
        json.dumps({"q": {f"{d}": 1 for d in range(10_000)}}),
    ],
    ids=["run", "lists", "mappings in a list", "texts", "mappings", "short names"],
)
def test_json_takes_no_more_memory_than_the_limit(tmp_path, monkeypatch, text):
    path = written(tmp_path / "f", text)
    monkeypatch.setenv("COMPANION_MEMORY", "3M")
    with pytest.raises(ValueError, match="f: expected a file that takes at most 3 MB of memory"):
        read_file(path, "score")
    monkeypatch.setenv("COMPANION_MEMORY", "16M")
    tracemalloc.start()
    with suppress(ValueError):
        read_file(path, "score")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 16 * 2**20


def test_lz4_of_ranx_is_rejected_with_what_to_do(tmp_path):
    with pytest.raises(ValueError, match="f: expected .* got data packed by LZ4; .* save it as JSON"):
        read_file(written(tmp_path / "f", b"\x04\x22\x4d\x18\x64\x40\xa7"), "score")


def test_no_library_is_imported_for_its_format(tmp_path):
    before = {"ranx", "ir_measures", "pyterrier", "sklearn"} & set(sys.modules)
    for name, text in RUNS.items():
        read_file(written(tmp_path / name.replace("'", ""), text), "score")
    assert {"ranx", "ir_measures", "pyterrier", "sklearn"} & set(sys.modules) == before
