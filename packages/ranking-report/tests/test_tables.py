import gzip
import os
import sys
import threading
from io import StringIO

import numpy as np
import pandas
import pyarrow as pa
import pytest
from pyarrow import parquet

from ranking_report.readers import read_table

HEAD = "query,item,label,score_A,score_B\n"
GOOD = HEAD + "jaguar,007,2,0.5,1e3\nfox,a,0,1,-inf\njaguar,7,0.5,-3,inf\n"


def csv(tmp_path, data):
    path = tmp_path / "table.csv"
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


def check_good(rankings):
    assert rankings.queries.tolist() == ["jaguar", "fox"] and rankings.offsets.tolist() == [0, 2, 3]
    assert rankings.items.tolist() == ["007", "7", "a"] and rankings.labels.tolist() == [2, 0.5, 0]
    assert {name: scores.tolist() for name, scores in rankings.scores.items()} == {
        "A": [0.5, -3, 1],
        "B": [1000, np.inf, -np.inf],
    }
    assert rankings.judged.all() and rankings.times is None


@pytest.mark.parametrize(
    "data",
    [
        GOOD,
        GOOD.rstrip(),
        GOOD.replace("\n", "\r\n"),
        b"\xef\xbb\xbf" + GOOD.encode(),
        gzip.compress(GOOD.encode(), mtime=0),
        GOOD.replace("007", '"007"'),
        "item,score_A,query,label,score_B\n007,0.5,jaguar,2,1e3\na,1,fox,0,-inf\n7,-3,jaguar,0.5,inf\n",
    ],
)
def test_csv(tmp_path, data):
    check_good(read_table(csv(tmp_path, data)))


def test_the_index_that_pandas_writes_is_passed_over(tmp_path):
    frame = pandas.read_csv(StringIO(GOOD), dtype={"item": str})
    frame.to_csv(tmp_path / "indexed.csv")
    check_good(read_table(tmp_path / "indexed.csv"))
    frame.set_index(pandas.Index([5, 6, 7])).to_parquet(tmp_path / "indexed.parquet")
    check_good(read_table(tmp_path / "indexed.parquet"))


def test_a_frame_is_read_as_its_file_is(tmp_path):
    check_good(read_table(pandas.read_csv(StringIO(GOOD), dtype={"item": str})))
    with pytest.raises(ValueError, match="the table: expected a path or a DataFrame, got dict"):
        read_table({})
    with pytest.raises(ValueError, match="the table, row 2: expected a value of item, got nothing"):
        read_table(pandas.DataFrame({"query": [1, 1], "item": ["a", None], "label": [1, 0]}))


def test_parquet_without_its_extra_is_rejected_in_one_line(tmp_path, monkeypatch):
    parquet.write_table(pa.table(columns(GOOD)), tmp_path / "table")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install \. './packages/ranking-report\[parquet\]'"):
        read_table(tmp_path / "table")


def test_a_pipe_is_read_once(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(target=lambda: (tmp_path / "pipe").write_text(GOOD))
    writer.start()
    check_good(read_table(tmp_path / "pipe"))
    writer.join()


def test_the_text_of_a_cell_cannot_act_on_a_terminal(tmp_path):
    with pytest.raises(ValueError) as refused:
        read_table(csv(tmp_path, GOOD + "fox,b,1,2,\x1b[31m" + "9" * 500_000 + "\n"))
    assert "\x1b" not in str(refused.value) and len(str(refused.value)) < 500


def columns(text):
    names, *rows = [line.split(",") for line in text.split()]
    numbers = {name: name not in ("query", "item") for name in names}
    return {
        name: [float(x) if numbers[name] else x for x in column] for name, column in zip(names, zip(*rows))
    }


@pytest.mark.parametrize("group", [1, 100])
def test_parquet(tmp_path, group):
    table = pa.table(columns(GOOD))
    for text in (pa.large_string(), pa.dictionary(pa.int8(), pa.string())):
        table = table.set_column(0, "query", table["query"].cast(text))
        parquet.write_table(table, tmp_path / "table", row_group_size=group)
        check_good(read_table(tmp_path / "table"))


def test_words_of_a_dictionary_that_do_not_occur_are_no_queries(tmp_path):
    words = pa.DictionaryArray.from_arrays(pa.array([2, 1, 2]), pa.array(["unused", "b", "a"]))
    table = pa.table({"query": words, "item": ["x", "x", "y"], "label": [1, 0, 0]})
    parquet.write_table(table, tmp_path / "table")
    assert read_table(tmp_path / "table").queries.tolist() == ["a", "b"]


def test_ids_that_are_numbers_in_parquet(tmp_path):
    parquet.write_table(pa.table({"query": [1, 1], "item": [10, 9], "label": [1, 0]}), tmp_path / "table")
    rankings = read_table(tmp_path / "table")
    assert (
        rankings.queries.tolist() == ["1"]
        and rankings.items.tolist() == ["10", "9"]
        and rankings.scores == {}
    )


def test_clicks_become_grades(tmp_path):
    path = csv(tmp_path, "query,item,clicks\nq,a,99\nq,b,100\nq,c,1000\nq,d,1001\n")
    assert read_table(path).labels.tolist() == [0, 1, 1, 2]
    assert read_table(path, thresholds=(50, 100, 1000)).labels.tolist() == [1, 2, 3, 3]


BAD = [
    ("", r"csv: expected a header .* got an empty file"),
    (HEAD, r"csv: expected rows, got a header alone"),
    ("query,item,label,time,score_a\n\nq,a,1,2,3\n", r"csv, line 2: expected a value of label, got nothing"),
    (
        GOOD.replace("item", "doc"),
        r"csv, header: expected the columns query, item, .* got 'query,doc,.* without item",
    ),
    (GOOD.replace(",label", ",grade"), "with neither or both of label, clicks"),
    (GOOD.replace("score_A", "clicks"), "with neither or both of label, clicks"),
    (GOOD.replace("score_A", "score_B"), "twice with score_B"),
    (GOOD.replace("score_A", "bm25"), "with also bm25"),
    ("\n# made by hand\n" + GOOD + "fox,b,-1,2,3\n", "csv, line 7: expected label >= 0, got -1"),
    (GOOD + "# fox,b,1,2,3\n", "csv, line 5: expected a row, got one that begins with #; comments may stand"),
    ("#query,item,label,score_A\nq,a,1,2\n", "csv, header: expected the columns query, .* got '#query"),
    (
        GOOD + "fox,b,,2,3\n",
        "csv, line 5: expected a value of label, got nothing; 0 stands for an item that nob",
    ),
    ("query,item,label,time\nq,a,1\n" + 200_000 * "q" + ",a,1,2\n", "csv, line 2: expected 4 fields"),
    ("query,item,label\n" + 200_000 * "q" + ",a,1\nq,a\n", "csv, line 2: expected CSV, got what cannot be"),
    (GOOD + "fox,b,1,2\n", r"csv, line 5: expected 5 fields \(query,item,label,score_A,score_B\), got 4"),
    (GOOD + "fox,b,1,2,3,4\n", "csv, line 5: expected 5 fields .* got 6"),
    (GOOD + "fox,b,high,2,3\n", "csv, line 5: expected a number as label, got .*'high'"),
    (GOOD + "fox,b,1,2,x\n", "csv, line 5: expected a number as score_B, got .*'x'"),
    (GOOD + "fox,b,-1,2,3\n", "csv, line 5: expected label >= 0, got -1"),
    (GOOD + "fox,b,inf,2,3\n", "csv, line 5: expected a number as label, got inf"),
    (GOOD + "fox,b,nan,2,3\n", "csv, line 5: expected a number as label, got nan"),
    (GOOD + "fox,b,1,NaN,3\n", "csv, line 5: expected a number as score_A, got nan"),
    (GOOD + "fox,b,1,,3\n", "csv, line 5: expected a value of score_A, got nothing; -inf stands for"),
    (GOOD + ",b,1,2,3\n", "csv, line 5: expected a value of query, got nothing"),
    (GOOD + "fox,,1,2,3\n", "csv, line 5: expected a value of item, got nothing"),
    (GOOD + "\nfox,b,1,2,3\n", "csv, line 5: expected a value of label, got nothing"),
    (
        GOOD + "fox,a,1,2,3\n",
        "csv, line 5: expected each item once for a query, got a for query fox as in line 3",
    ),
    (GOOD.encode() + b"fox,\xe9,1,2,3\n", "csv, line 5: expected UTF-8 text"),
    (GOOD.encode("utf-16"), "csv: expected UTF-8 text, got UTF-16; save the file as UTF-8"),
    (GOOD.encode() + b"fox,\0,1,2,3\n", "csv, line 5: expected UTF-8 text, got the byte 0x00"),
    (b"\x89PNG\r\n\x1a\n\0\0\0", "csv, line 1: expected UTF-8 text, got the byte 0x89"),
    (gzip.compress(GOOD.encode(), mtime=0)[:-10], "csv: expected complete gzip data, got"),
    (b"PAR1 and no more", "csv: expected complete Parquet data, got"),
]


@pytest.mark.parametrize(("data", "message"), BAD)
def test_a_bad_file_is_rejected_with_its_line(tmp_path, data, message):
    with pytest.raises(ValueError, match=message):
        read_table(csv(tmp_path, data))


def test_lines_are_right_far_into_a_file(tmp_path):
    rows = "".join(f"q{i % 7},d{i},1,0.5,0.25\n" for i in range(100_000))  # beyond one block
    bad_rows = (
        ("q,d,1,x,0\n", "a number as score_A"),
        ("q,d\n", "5 fields"),
        ("q3,d3,1,0,0\n", "as in line 5"),
    )
    for bad, message in bad_rows:
        with pytest.raises(ValueError, match=f"line 100002: .*{message}"):
            read_table(csv(tmp_path, HEAD + rows + bad))
    whole = gzip.compress((HEAD + rows).encode())
    with pytest.raises(ValueError, match="csv: expected complete gzip data, got data that are cut"):
        read_table(csv(tmp_path, whole[: len(whole) // 2]))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"label": ["2", "high", "1"]}, "table, row 2: expected a number as label, got 'high'"),
        (
            {"score_a\r{{x}}": [0.0, 1.0, 2.0]},
            r"table, header: column 'score_a\\r{{x}}': expected no control",
        ),
        ({"label": [2.0, None, 1.0]}, "table, row 2: expected a number as label, got nan"),
        ({"score_A": [0.0, 1.0, np.nan]}, "table, row 3: expected a number as score_A, got nan"),
        ({"item": ["a", "b", "a"]}, "table, row 3: expected each item once .* as in row 1"),
        ({"label": [True, False, True]}, "table, row 1: expected a number as label, got True"),
    ],
)
def test_bad_parquet(tmp_path, change, message):
    parquet.write_table(pa.table(columns(GOOD) | change), tmp_path / "table")
    with pytest.raises(ValueError, match=message):
        read_table(tmp_path / "table")


def test_a_missing_file(tmp_path):
    with pytest.raises(FileNotFoundError, match="none"):
        read_table(tmp_path / "none")


def test_thresholds_increase(tmp_path):
    with pytest.raises(ValueError, match="thresholds=.*: expected increasing"):
        read_table(csv(tmp_path, "query,item,clicks\nq,a,9\n"), thresholds=(2, 1))
