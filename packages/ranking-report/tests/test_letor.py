import gzip

import numpy as np
import pytest
from sklearn.datasets import dump_svmlight_file

from ndcg_companion.data import RankSVM
from ranking_report import extras
from ranking_report.readers import read_letor
from ranking_report.readers.letor import letor_labels
from ranking_report.readers.texts import read_text

GOOD = """2 qid:10 1:0.5 3:-1 # docid = a
# a comment between

0 qid:2 2:1e3
1\tqid:10  1:7
0 qid:2 1:1 2:2 3:3
"""


def write(tmp_path, data):
    path = tmp_path / "letor.txt"
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


@pytest.mark.parametrize("pack", [str.encode, lambda text: gzip.compress(text.encode(), mtime=0)])
def test_features_and_labels_by_query_in_the_order_of_the_file(tmp_path, pack):
    features, rankings = read_letor(write(tmp_path, pack(GOOD)))
    assert rankings.queries.tolist() == ["10", "2"] and rankings.offsets.tolist() == [0, 2, 4]
    assert rankings.labels.tolist() == [2, 1, 0, 0] and rankings.items.tolist() == ["1", "5", "4", "6"]
    assert features.tolist() == [[0.5, 0, -1], [7, 0, 0], [0, 1000, 0], [1, 2, 3]]
    assert rankings.scores == {} and rankings.judged.all()


def test_what_scikit_learn_writes_comes_back(tmp_path):
    rng = np.random.default_rng(1)
    features, labels, queries = (
        rng.standard_normal((300, 5)).round(3),
        rng.integers(0, 5, 300),
        rng.integers(0, 9, 300),
    )
    with open(tmp_path / "made", "wb") as file:
        dump_svmlight_file(features, labels, file, zero_based=False, query_id=queries)
    read, rankings = read_letor(tmp_path / "made", n_features=7)
    order = np.concatenate([np.flatnonzero(queries == int(query)) for query in rankings.queries])
    assert np.array_equal(read[:, :5], features[order]) and not read[:, 5:].any()
    assert np.array_equal(rankings.labels, labels[order])
    assert list(rankings.queries) == list(dict.fromkeys(queries.astype(str)))
    assert len(RankSVM().fit(read, rankings.labels, rankings.offsets).weights) == 7


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("", "letor.txt: expected lines of 'label qid:QUERY 1:VALUE 2:VALUE …', got an empty file"),
        ("# nothing\n", "letor.txt: expected lines of .* got comments alone"),
        (GOOD + "1 1:2\n", "letor.txt, line 7: expected .* got no query id, a number, in second place"),
        (GOOD + "1\n", "letor.txt, line 7: .* no query id"),
        (GOOD + "1 qid:x 1:2\n", "letor.txt, line 7: .* no query id, a number, in second place"),
        (GOOD + "one qid:1 1:2\n", "letor.txt, line 7: expected a number as label, got 'one'"),
        (GOOD + "1 qid:1 1:high\n", "letor.txt, line 7: .* cannot be read: .*high"),
        (GOOD + "1 qid:1 1\n", "letor.txt, line 7: .* cannot be read"),
        (GOOD + "1 qid:1 1_0:1\n", "letor.txt, line 7: .* cannot be read"),
        (GOOD + "1 qid:1 1:1_0\n", "letor.txt, line 7: .* cannot be read"),
        (GOOD + "1 qid:1 2:1 1:1\n", "letor.txt, line 7: .* cannot be read: .*sorted"),
        (GOOD + "1 qid:1 2:1 2:1\n", "letor.txt, line 7: .* cannot be read: .*unique"),
        (GOOD + "1 qid:1 0:1\n", "letor.txt, line 7: .* cannot be read: .*0"),
        (GOOD + "1 qid:99999999999999999999 1:1\n", "letor.txt, line 7: .* no query id, a number"),
        (GOOD + "-1 qid:1 1:1\n", "letor.txt, line 7: expected a label >= 0, got -1"),
        (GOOD + "nan qid:1 1:1\n", "letor.txt, line 7: expected a number as label, got nan"),
        (GOOD + "1 qid:1 1:nan\n", "letor.txt, line 7: expected .* got the feature nan"),
        (
            GOOD.encode() + b"1 qid:1 1:1 # \xe9\n",
            "letor.txt, line 7: expected UTF-8 text, got the byte 0xe9",
        ),
        (b"\0\1", "letor.txt, line 1: expected UTF-8 text, got the byte 0x00"),
        (gzip.compress(GOOD.encode(), mtime=0)[:-5], "letor.txt: expected whole gzip data"),
    ],
)
def test_a_bad_file_is_refused_with_its_line(tmp_path, data, message):
    with pytest.raises(ValueError, match=message):
        read_letor(write(tmp_path, data))


def test_more_features_than_promised(tmp_path):
    with pytest.raises(ValueError, match="letor.txt, line 6: .* set to 2, but .* contains 3"):
        read_letor(write(tmp_path, GOOD.replace(" 3:-1", "")), n_features=2)


@pytest.mark.parametrize("number", [0, -1, 2.0, "2", True])
def test_a_number_of_features_that_is_none(tmp_path, number):
    with pytest.raises(ValueError, match="n_features="):
        read_letor(write(tmp_path, GOOD), n_features=number)


def test_without_scikit_learn_the_extra_is_named_and_labels_are_read(tmp_path, monkeypatch):
    monkeypatch.setattr(extras, "find_spec", lambda name: None)
    path = write(tmp_path, GOOD)
    assert letor_labels(read_text(path, "LETOR"))[0].labels.tolist() == [2, 1, 0, 0]
    with pytest.raises(ModuleNotFoundError, match=r"sklearn is not installed, .* LETOR .*\[letor\]' brings"):
        read_letor(path)


def test_the_first_of_many_lines_that_cannot_be_read_is_named(tmp_path):
    for bad in (1, 2, 37, 100):
        lines = [f"1 qid:1 1:{'x' if line in (bad, 100) else 2}" for line in range(1, 101)]
        with pytest.raises(ValueError, match=f"letor.txt, line {bad}: .* cannot be read"):
            read_letor(write(tmp_path, "\n".join(lines)))


def test_a_missing_file(tmp_path):
    with pytest.raises(FileNotFoundError, match="none"):
        read_letor(tmp_path / "none")


def test_labels_alone_need_no_memory_for_features(tmp_path):
    path = write(tmp_path, GOOD + "1 qid:2 100000000000:1\n")
    rankings, order = letor_labels(read_text(path, "LETOR"))
    assert rankings.labels.tolist() == [2, 1, 0, 0, 1] and order.tolist() == [0, 2, 1, 3, 4]
    with pytest.raises(ValueError, match="letor.txt, line 7: .* too large to convert to int"):
        read_letor(path)
