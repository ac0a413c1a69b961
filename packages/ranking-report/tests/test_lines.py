"""Columns between blanks without a Python object for each field, against reading line by line."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ranking_report.readers import files, joining, lines, trec

PARSERS = {"rank": str, "score": trec._score}
FIELD = st.text("aZ09.-_é\x01\xa0", min_size=1, max_size=12) | st.just("x" * 70)
NUMBER = (
    st.floats(allow_nan=False, allow_infinity=False).map(repr)
    | st.decimals(-1000, 1000, places=4).map(str)
    | st.integers(-(10**20), 10**20).map(str)
    | st.sampled_from(["007", "+1", ".5", "5.", "-.5", "1e400", "1_0", "nan", "-inf", "0x1", "-", "1.2.3"])
)
BLANK = st.sampled_from([" ", " ", " ", "\t", "  ", " \t", "\x0b", "\r"])
LINE = st.tuples(FIELD, FIELD, FIELD, NUMBER, NUMBER, st.sampled_from("xxxxxxy"))


@given(
    st.lists(st.tuples(LINE, st.lists(BLANK, min_size=7, max_size=7)), min_size=1, max_size=6),
    st.sampled_from(["\n", "\r\n", "\n\n", "\r"]),
    st.sampled_from([1, 40, 2**22]),
)
def test_what_is_split_is_what_is_read_line_by_line(rows, end, chunk):
    texts = ["".join(part for pair in zip(blanks, line) for part in pair) for line, blanks in rows]
    text = end.join(texts).encode().strip()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lines, "_CHUNK", chunk)
        found = files._read_split(text, trec._RUN, {"score": trec._score}, "iuf")
    if found is not None:
        expected = files.read_line_by_line(text, trec._RUN, {"score": trec._score}, files.line_of("run"))
        for name in ("query", "document", "tag"):
            assert joining.as_texts(found[name]).tolist() == expected[name].tolist()
        assert found["score"].tolist() == expected["score"].tolist()


@given(st.lists(NUMBER, min_size=1, max_size=20))
def test_decimals_are_those_of_float(texts):
    found = lines.as_numbers(np.array([text.encode() for text in texts]))
    if found is not None:
        assert found.tolist() == [float(text.replace("_", "?")) for text in texts]
        assert (found.dtype.kind == "i") == (not any(set(text) & set(".eE") for text in texts))


def test_what_runs_hold_is_split():
    """Long and short scores, exponents, tabs, and ids of up to 64 bytes; not what is longer, or no ASCII."""
    rows = ["301\tQ0  FT934-1 1 12.345678901234567 x", f"301 Q0 {'a' * 64} 2 -1.5e-07 x \r", "9 Q0 b 3 0 x"]
    found = files._read_split("\n".join(rows).encode(), trec._RUN, PARSERS, "iuf")
    assert found["score"].tolist() == [12.345678901234567, -1.5e-07, 0] and found["rank"].tolist() == [
        1,
        2,
        3,
    ]
    for odd in ("a" * 65, "é", "a\0", "a\x0b"):
        text = "\n".join([*rows, f"9 Q0 {odd} 4 0 x"]).encode()
        assert files._read_split(text, trec._RUN, PARSERS, "iuf") is None


IDS = st.text("aZ0-.", min_size=1, max_size=20)


@given(
    st.lists(st.lists(IDS, min_size=1, max_size=30), min_size=1, max_size=3),
    st.booleans(),
    st.integers(0, 3),
)
def test_codes_of_fields_are_those_of_texts(parts, collide, texts_from):
    """Also where long texts are given one number, as two might be, and where later sources have no fields."""
    first, vocabulary = list(dict.fromkeys(text for part in parts for text in part)), joining.Vocabulary()
    with pytest.MonkeyPatch.context() as patch:
        if collide:
            patch.setattr(joining, "_mixed", lambda words: words[:, 0] * np.uint64(words.shape[1] == 1))
        for at, part in enumerate(parts):
            ids = np.array([text.encode() for text in part]) if at < texts_from else part
            for repeats in (1, 3):
                codes, texts = joining.codes_of(np.repeat(ids, repeats))
                assert joining.as_texts(texts)[codes].tolist() == np.repeat(part, repeats).tolist()
                assert joining.as_texts(texts).tolist() == list(dict.fromkeys(part))
            assert vocabulary.numbers(texts)[codes[::3]].tolist() == [first.index(text) for text in part]
        assert joining.as_texts(vocabulary.texts).tolist() == first
        falling = joining.as_texts(vocabulary.texts)[vocabulary.falling()].tolist()
        assert falling == sorted(first, reverse=True)


def test_a_run_and_its_copy_in_other_blanks_are_joined_alike(tmp_path):
    """One is split, the other read by pandas for a letter beyond ASCII: scores and items are the same."""
    rng = np.random.default_rng(4)
    rows = [(f"q{q}", f"d{d}", round(rng.normal(), 6)) for q in range(8) for d in rng.permutation(30)]
    (tmp_path / "qrels").write_text("".join(f"q{q} 0 d{d} {d % 3}\n" for q in range(8) for d in range(9)))
    for name, tag in (("a", "x"), ("b", "é")):
        text = "".join(f"{q} Q0 {d} 1 {score} {tag}\n" for q, d, score in rows)
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert [trec.read_run(tmp_path / name)[1].item.texts.dtype.kind for name in "ab"] == ["S", "T"]
    runs = {name: tmp_path / name for name in "ab"}
    both = trec.read_trec(tmp_path / "qrels", runs)
    alone = trec.read_trec(tmp_path / "qrels", {"a": tmp_path / "a"})
    assert np.array_equal(both.scores["a"], both.scores["b"])
    assert np.array_equal(both.scores["a"], alone.scores["a"])
    assert both.items.tolist() == alone.items.tolist() and both.queries.tolist() == alone.queries.tolist()
