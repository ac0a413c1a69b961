"""Lines of learning-to-rank data: LETOR, and the files that LightGBM and XGBoost read."""

import gzip

import numpy as np
import pytest
from sklearn.datasets import dump_svmlight_file

from ranking_report import compare
from ranking_report.readers.letor import letor_labels
from ranking_report.readers.texts import read_text

GOOD = """2 qid:10 1:0.5 3:-1 # docid = a
# a comment between

0 qid:2 2:1e3
1\tqid:10  1:7
0 qid:2 1:1 2:2 3:3
"""
SCORES = {"good": "3\n1\n2\n0\n", "poor": "0\n1\n2\n3\n"}


def write(tmp_path, data, name="letor.txt"):
    path = tmp_path / name
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


def labels_of(path):
    return letor_labels(read_text(path, "LETOR"))


@pytest.mark.parametrize("pack", [str.encode, lambda text: gzip.compress(text.encode(), mtime=0)])
def test_labels_by_query_in_the_order_of_the_file(tmp_path, pack):
    rankings, order = labels_of(write(tmp_path, pack(GOOD)))
    assert rankings.queries.tolist() == ["10", "2"] and rankings.offsets.tolist() == [0, 2, 4]
    assert rankings.labels.tolist() == [2, 1, 0, 0] and rankings.items.tolist() == ["1", "5", "4", "6"]
    assert order.tolist() == [0, 2, 1, 3] and rankings.judged.all()


def test_what_scikit_learn_writes_comes_back(tmp_path):
    rng = np.random.default_rng(1)
    labels, queries = rng.integers(0, 5, 300), np.sort(rng.integers(0, 20, 300))
    dump_svmlight_file(rng.normal(size=(300, 5)), labels, str(tmp_path / "made"), query_id=queries)
    rankings, order = labels_of(tmp_path / "made")
    assert (
        rankings.labels[order.argsort() if isinstance(order, np.ndarray) else order].tolist()
        == labels.tolist()
    )
    assert np.diff(rankings.offsets).tolist() == np.unique(queries, return_counts=True)[1].tolist()


DATA = {
    "svmlight": "1 1:0.5 2:1\n0 2:3\n2 1:7\n0 1:1\n",
    "tabs": "1\t0.5\t1\n0\t0\t3\n2\t7\t0\n0\t1\t0\n",
    "commas": "1,0.5,1\n0,0,3\n2,7,0\n0,1,0\n",
    "labels alone": "1\n0\n2\n0\n",
}


@pytest.mark.parametrize("data", DATA.values(), ids=DATA)
@pytest.mark.parametrize("end", ["query", "group"])
def test_sizes_of_queries_beside_the_data_make_the_queries(tmp_path, data, end):
    """LightGBM (.query) and XGBoost (.group) read such files. Here each query has two lines."""
    path = write(tmp_path, data, "train")
    write(tmp_path, "2\n2\n", f"train.{end}")
    runs = [write(tmp_path, "1\n0\n0\n1\n", "a.txt"), write(tmp_path, "1\n0\n1\n0\n", "b.txt")]
    comparison = compare(path, runs, measures=["RR"])
    assert comparison.values[0].tolist() == [[1, 0.5], [1, 1]] and comparison.systems == ["a", "b"]
    assert comparison.rankings.inputs[0][1] == f"label first, sizes of queries in {path}.{end}"


def test_sizes_that_do_not_add_up_are_rejected_and_other_files_beside_it_are_not_taken(tmp_path):
    path = write(tmp_path, DATA["svmlight"], "train")
    write(tmp_path, "2\n3\n", "train.query")
    with pytest.raises(
        ValueError, match="train.query: expected sizes .* add up to the 4 lines of .*train, got 5"
    ):
        compare(path, {"a": write(tmp_path, "1\n0\n0\n1\n", "a")})
    qrels = write(tmp_path, "1 0 a 1\n1 0 b 0\n", "qrels")
    write(tmp_path, "1 which animals sleep in winter\n", "qrels.query")
    run = write(tmp_path, "1 Q0 a 1 2.5 x\n", "run")
    assert compare(qrels, {"x": run}).means["nDCG@10"].tolist() == [1]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (
            "1 1:2\n",
            "letor.txt, line 1: expected 'label qid:QUERY 1:VALUE 2:VALUE …', got no integer query id",
        ),
        (GOOD + "1 qid:x 1:1\n", "letor.txt, line 7: expected 'label qid:"),
        (GOOD + "-1 qid:1 1:1\n", "letor.txt, line 7: expected a label >= 0, got -1"),
        (GOOD + "nan qid:1 1:1\n", "letor.txt, line 7: expected a number as label"),
        ("# nothing\n", "letor.txt: expected"),
        (
            GOOD.encode() + b"1 qid:1 1:1 # \xe9\n",
            "letor.txt, line 7: expected UTF-8 text, got the byte 0xe9",
        ),
        (gzip.compress(GOOD.encode(), mtime=0)[:-5], "letor.txt: expected complete gzip data"),
    ],
)
def test_a_bad_file_is_rejected_with_its_line(tmp_path, data, message):
    with pytest.raises(ValueError, match=message):
        labels_of(write(tmp_path, data))
