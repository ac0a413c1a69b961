"""Each way to read the columns of a text either equals reading field by field or gives up."""

import csv

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ranking_report.readers import texts, trec
from ranking_report.readers.ids import as_texts
from ranking_report.readers.texts import Text
from ranking_report.readers.values import as_numbers

RUN = ("query", "Q0", "document", "rank", "score", "tag")
FIELD = st.text("aZ09.-_é日\x01\xa0\u2028", min_size=1, max_size=12).filter(str.strip) | st.just("x" * 70)
NUMBER = (
    st.floats(allow_nan=False, allow_infinity=False).map(repr)
    | st.decimals(-1000, 1000, places=4).map(str)
    | st.integers(-(10**20), 10**20).map(str)
    | st.sampled_from("007 +1 .5 5. -.5 1e400 1_0 nan -inf 0x1 - 1.2.3 ² true 2024-05-07 12:30:00".split())
)
BLANK = st.sampled_from([" ", " ", " ", "\t", "  ", " \t", "\x0b"])
LINE = st.tuples(FIELD, FIELD, FIELD, NUMBER, NUMBER, st.sampled_from("xxxxxxy"))


@pytest.fixture(params=["pyarrow", "pandas"])
def library(request, monkeypatch):
    monkeypatch.setattr(texts, "find_spec", lambda name: request.param == "pyarrow")
    return request.param


def number_of(field):
    """What Python's float reads of ASCII digits, None for what is no number."""
    try:
        return None if "_" in field or not field.isascii() else float(field)
    except ValueError:
        return None


def read_score(text, mark=None, names=RUN):
    """The texts of three columns and the scores, or None where a score is refused."""
    columns = text.read(names, ["query", "document", "score", "tag"], ["score"], mark)
    ids = [columns[name].decoded() for name in ("query", "document", "tag")]
    try:
        return ids, as_numbers(columns["score"], "score", text.locate).tolist()
    except ValueError as error:
        return ids, str(error)


def check(columns, rows):
    ids, scores = columns
    assert ids == [[row[column] for row in rows] for column in (0, 2, 5)]
    expected = [number_of(row[4]) for row in rows]
    if None in expected:
        assert f"line {expected.index(None) + 1}: expected a number as score" in scores
    else:
        assert np.array_equal(scores, expected, equal_nan=True)


@given(
    st.lists(st.tuples(LINE, st.lists(BLANK, min_size=7, max_size=7)), min_size=1, max_size=6), st.booleans()
)
@pytest.mark.parametrize("name", ["pyarrow", "pandas"])
def test_fields_between_blanks_are_those_of_split(name, rows, single):
    lines = [" ".join(line) if single else "".join(map("".join, zip(blanks, line))) for line, blanks in rows]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(texts, "find_spec", lambda _: name == "pyarrow")
        check(read_score(Text("run", "\n".join(lines).encode())), [line for line, _ in rows])


CELL = st.text("aZ09.-_é,\"' \t;#", min_size=1, max_size=8).filter(str.strip)
CELLS = st.tuples(CELL, st.text('a,"'), CELL, NUMBER, NUMBER, CELL)


@given(st.lists(CELLS, min_size=1, max_size=6), st.sampled_from(",;\t|"))
@pytest.mark.parametrize("name", ["pyarrow", "pandas"])
def test_fields_between_marks_are_those_of_the_csv_module(name, rows, mark):
    lines = []
    csv.writer(Lines(lines), delimiter=mark, lineterminator="\n").writerows(rows)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(texts, "find_spec", lambda _: name == "pyarrow")
        check(read_score(Text("run", "".join(lines).rstrip("\n").encode()), mark), rows)


class Lines:
    """A file for csv.writer that keeps what is written."""

    def __init__(self, lines):
        self.write = lines.append


BAD = {
    "q Q0 d 1 2.5 x\nq  d 1 2.5 x": 5,
    "q Q0 d 1 2.5 x\nq Q0 d 1 2.5": 5,
    "q Q0 d 1 2.5 x\nq Q0 d 1 2.5 x y": 7,
    "q Q0 d 1 2.5 x\n\nq Q0 e 1 2.5 x": 0,
    "q Q0 d 1 2.5 x\n  \t\nq Q0 e 1 2.5 x": 0,
    "q\tQ0\td\t1\t2.5\tx\nq\tQ0 d\t1\t2.5\t\tx y": 7,
}


@pytest.mark.parametrize("text", BAD, ids=ascii)
def test_a_line_with_fields_too_many_or_too_few_is_named(library, text):
    with pytest.raises(ValueError, match=rf"run, line 2: expected 6 fields \(query .*\), got {BAD[text]}"):
        read_score(Text("run", text.encode()))


def test_a_line_longer_than_a_block_is_read(library, monkeypatch):
    monkeypatch.setattr(texts, "_BLOCK", 2**10)
    rows = [("q", "Q0", "d" * 5000, "1", "2.5", "x"), ("q", "Q0", "e", "2", "1.5", "x")]
    check(read_score(Text("run", "\n".join(map(" ".join, rows)).encode())), rows)


def test_whole_numbers_are_read_to_the_last_digit(library):
    columns = Text("f", b"1714608000000000002\n-3").read(["n"], ["n"], ["n"])
    assert columns["n"].tolist() == [1714608000000000002, -3] and columns["n"].dtype == np.int64


def test_a_run_with_other_blanks_gives_the_same_rankings(tmp_path, library):
    rng = np.random.default_rng(4)
    rows = [(f"q{q}", f"d{d}", round(rng.normal(), 6)) for q in range(8) for d in rng.permutation(30)]
    (tmp_path / "qrels").write_text("".join(f"q{q} 0 d{d} {d % 3}\n" for q in range(8) for d in range(9)))
    for name, blank in zip("abc", (" ", "\t", " \t ")):
        lines = [blank.join((q, "Q0", d, "1", str(score), "x")) + "\r\n" for q, d, score in rows]
        (tmp_path / name).write_bytes("".join(lines).encode())
    rankings = trec.read_trec(tmp_path / "qrels", {name: tmp_path / name for name in "abc"})
    assert np.array_equal(rankings.scores["a"], rankings.scores["b"])
    assert np.array_equal(rankings.scores["a"], rankings.scores["c"])
    expected = {(q, d): score for q, d, score in rows}
    queries = np.repeat(as_texts(rankings.queries), np.diff(rankings.offsets))
    assert [expected[pair] for pair in zip(queries, rankings.items)] == rankings.scores["a"].tolist()
