"""The memory of a file: one that unpacks to too much is rejected in one line before memory is used."""

import gzip
import io
import os
import threading
import tracemalloc
import zipfile

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet
from report_support import called

from ranking_report.inputs import gather
from ranking_report.readers import files, read_table, read_trec
from ranking_report.readers.formats import read_file

QRELS, RUN = b"1 0 a 1\n", b"1 Q0 a 1 2.5 x\n"
READERS = {
    "judgments": (lambda path: gather(path, {"x": {"1": {"a": 1}}}), QRELS),
    "run": (lambda path: gather({"1": {"a": 1}}, {"x": path}), RUN),
    "trec": (lambda path: read_trec(path, [path]), QRELS),
    "table": (read_table, b"query,item,label,score_x\n1,a,1,2\n"),
}


@pytest.mark.parametrize("name", READERS)
def test_a_limit_on_memory_holds_for_plain_packed_and_piped_files(tmp_path, monkeypatch, name):
    read, line = READERS[name]
    monkeypatch.setenv("COMPANION_MEMORY", "20K")
    data = line + b"".join(b"%d " % number for number in range(8000)).replace(b" ", b"\n")
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    (tmp_path / "plain").write_bytes(data)
    (tmp_path / "packed").write_bytes(gzip.compress(data, mtime=0))
    writer = threading.Thread(target=write_to, args=(pipe, data), daemon=True)
    writer.start()
    for path in (tmp_path / "plain", tmp_path / "packed", pipe):
        with pytest.raises(
            ValueError, match=f"{path.name}: expected a file that takes at most 20 KB of memory"
        ):
            read(path)
    writer.join(timeout=10)


ROWS = 2_000
MANY = {  # what a row of a run and of its judgments ends with
    "feeds": ("\n", ""),
    "returns": ("\r", ""),
    "returns and feeds": ("\r\n", ""),
    "a blank to Python alone": ("\n", "\x0b"),
    "a form feed": ("\n", "\x0c"),
    "a bad line": ("\n", "\nx"),
}


@pytest.fixture(scope="module")
def traced():
    """Trace allocations once, because a stop can crash while another thread of pytest allocates."""
    tracemalloc.start()
    yield
    tracemalloc.stop()


@pytest.mark.parametrize(("end", "last"), MANY.values(), ids=MANY)
@pytest.mark.parametrize(("kind", "line"), [("label", QRELS), ("score", RUN)])
def test_a_file_that_passes_takes_no_more_memory_than_the_limit(
    tmp_path, monkeypatch, traced, kind, line, end, last
):
    rows = [line.decode().strip().replace("a", f"document-{number}") for number in range(ROWS)]
    path = tmp_path / "f"
    path.write_bytes((end.join(rows) + last).encode())
    size, are_read = path.stat().st_size, []
    for row in (10_000, 60, 120, 240, 480, 960):  # the first one takes what is taken but once
        limit = size + row * ROWS
        monkeypatch.setenv("COMPANION_MEMORY", str(limit))
        tracemalloc.reset_peak()
        before = tracemalloc.get_traced_memory()[0]
        try:
            read_file(path, kind)
            are_read.append(True)
        except ValueError as error:
            assert "of memory" in str(error) or last == "\nx" and f"line {ROWS + 1}" in str(error)
            are_read.append("of memory" not in str(error))
        peak = tracemalloc.get_traced_memory()[1] - before
        # The buffer of an open file has 8 KiB, from Python 3.14 on 128 KiB.
        fixed_size = 2**16 - 2**13 + io.DEFAULT_BUFFER_SIZE
        assert row == 10_000 or peak < limit + fixed_size, (row, peak / ROWS)
    assert are_read[0] and are_read[-1] and not are_read[1]


def write_to(path, data):
    try:
        path.write_bytes(data)
    except BrokenPipeError:
        return


@pytest.mark.parametrize("wrong", ["many", "-1", "1.5.2G", "8g", "8GB", "9" * 30, "٣G"])
def test_a_variable_that_is_not_a_number_of_bytes_is_rejected(monkeypatch, wrong):
    monkeypatch.setenv("COMPANION_MEMORY", wrong)
    with pytest.raises(ValueError, match="COMPANION_MEMORY=.*: expected a number of bytes, such as 32G"):
        files.memory_limit()


@given(st.integers(1, 10**15))
def test_a_size_in_words_is_one_that_the_variable_takes(count):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COMPANION_MEMORY", files._size(count, ""))
        assert files.memory_limit() == pytest.approx(count, rel=0.006)


def test_gzip_of_several_parts_is_read_completely(tmp_path):
    (tmp_path / "parts").write_bytes(gzip.compress(b"a\n", mtime=0) + gzip.compress(b"b\n", mtime=0))
    assert files.read_bytes(tmp_path / "parts", "lines") == b"a\nb\n"


def test_a_parquet_of_few_bytes_and_many_rows_is_rejected_in_one_line(tmp_path, monkeypatch):
    monkeypatch.setenv("COMPANION_MEMORY", "1G")
    zeros = pa.array(np.zeros(20_000_000, dtype=np.int8))
    parquet.write_table(
        pa.table({"query": zeros, "item": zeros, "label": zeros, "score_a": zeros}), tmp_path / "many.parquet"
    )
    assert (tmp_path / "many.parquet").stat().st_size < 10**6
    done = called("compare", tmp_path / "many.parquet")
    (line,) = done.stderr.splitlines()
    assert done.returncode == 2 and "20,000,000 rows" in line and "at most 1 GB of memory" in line


GOOD = {"query": ["1", "1"], "item": ["a", "b"], "label": [1, 0], "score_x": [0.1, 0.2]}
NESTED = {
    "struct": [{"a": 1}, {"a": 2}],
    "list": [[1], [2]],
    "map": pa.array([[("k", 1)], [("k", 2)]], type=pa.map_(pa.string(), pa.int64())),
}


@pytest.mark.parametrize("column", GOOD)
@pytest.mark.parametrize("kind", NESTED)
def test_a_column_that_is_nested_is_named(tmp_path, column, kind):
    parquet.write_table(pa.table(GOOD | {column: NESTED[kind]}), tmp_path / "t.parquet")
    done = called("compare", tmp_path / "t.parquet")
    (line,) = done.stderr.splitlines()
    assert done.returncode == 2 and f"t.parquet: expected {column} of type" in line and f"got {kind}<" in line


@pytest.mark.parametrize("column", ["query", "item", "label"])
def test_a_column_that_is_not_there_is_named(tmp_path, column):
    parquet.write_table(pa.table({key: GOOD[key] for key in GOOD if key != column}), tmp_path / "t.parquet")
    done = called("compare", tmp_path / "t.parquet")
    (line,) = done.stderr.splitlines()
    assert (
        done.returncode == 2 and "header: expected the columns query, item, label" in line and column in line
    )


def test_ids_in_bytes_are_read_as_text(tmp_path):
    parquet.write_table(pa.table(GOOD | {"item": [b"a", "é".encode()]}), tmp_path / "t.parquet")
    assert read_table(tmp_path / "t.parquet").items.tolist() == ["a", "é"]
    parquet.write_table(pa.table(GOOD | {"item": [b"a", b"\xff"]}), tmp_path / "t.parquet")
    with pytest.raises(ValueError, match=r"t\.parquet: expected complete Parquet data, got .*UTF"):
        read_table(tmp_path / "t.parquet")


BYTES = [pa.binary(), pa.large_binary(), pa.binary_view()]
TEXTS = [pa.string(), pa.large_string(), pa.string_view()]
LONG = 5_000  # characters of an id


@pytest.fixture
def peak():
    """The most memory that Arrow has taken since the test began."""
    before = pa.default_memory_pool()
    pool = pa.proxy_memory_pool(before)
    pa.set_memory_pool(pool)
    yield pool.max_memory
    pa.set_memory_pool(before)


@pytest.mark.parametrize("column", ["query", "item"])
@pytest.mark.parametrize("kind", [pa.binary(), pa.string()], ids=str)
def test_an_id_that_occurs_in_many_rows_is_stored_once(tmp_path, column, kind, peak):
    words = [f"{number:0{LONG}}" for number in range(4)]
    codes = pa.array(np.arange(20_000, dtype=np.int32) % 4)
    packed = pa.DictionaryArray.from_arrays(codes, pa.array(words).cast(kind))
    table = {"query": np.arange(20_000), "item": np.arange(20_000), "label": np.zeros(20_000)}
    # Without Arrow's own schema nothing says that these ids were a dictionary.
    parquet.write_table(pa.table(table | {column: packed}), tmp_path / "t.parquet", store_schema=False)
    rankings = read_table(tmp_path / "t.parquet")
    assert set((rankings.items if column == "item" else rankings.queries).tolist()) == set(words)
    assert peak() < LONG * 20_000 / 10  # of what they are when each row has its own


@pytest.mark.parametrize(
    "kind", [*BYTES, *TEXTS, *(pa.dictionary(pa.int8(), kind) for kind in [*BYTES[:2], *TEXTS[:2]])], ids=str
)
def test_ids_are_read_whichever_way_text_is_stored(tmp_path, kind):
    words = pa.array(["é", "b"]).cast(getattr(kind, "value_type", kind))
    ids = words.dictionary_encode().cast(kind) if pa.types.is_dictionary(kind) else words
    parquet.write_table(pa.table(GOOD | {"item": ids}), tmp_path / "t")
    assert read_table(tmp_path / "t").items.tolist() == ["é", "b"]


@pytest.mark.parametrize("kind", [*BYTES, *TEXTS], ids=str)
def test_ids_that_unpack_to_much_are_rejected_before_they_are_read(tmp_path, kind, peak, monkeypatch):
    monkeypatch.setenv("COMPANION_MEMORY", "5M")
    path = tmp_path / "long.parquet"
    ids = pa.array([f"{number:0{LONG}}" for number in range(2_000)]).cast(kind)
    table = pa.table({"query": ids, "item": ids, "label": np.zeros(2_000)})
    parquet.write_table(table, path, compression="zstd")
    assert table.nbytes > 150 * path.stat().st_size
    before = peak()
    with pytest.raises(ValueError, match=r"long\.parquet: expected a file that takes at most 5 MB of memory"):
        read_table(path)
    assert peak() == before


STRANGE = {
    "bytes of a fixed size": (
        pa.array([b"a", b"b"], pa.binary(1)),
        "row 1: expected a text or a number as .*, got bytes",
    ),
    "these in a dictionary": (
        pa.array([b"a", b"b"], pa.binary(1)).dictionary_encode(),
        "row 1: expected a text or a number as .*, got bytes",
    ),
    "nanoseconds": (pa.array([1, 2], pa.time64("ns")), "complete Parquet data, got Value 1 has"),
    "a far day": (pa.array([10**8, 1], pa.date32()), "complete Parquet data, got .*year.* 275760"),
    "a far time": (pa.array([10**15, 1], pa.date64()), "complete Parquet data, got .*year.* 33658"),
}


@pytest.mark.parametrize("column", ["query", "item"])
@pytest.mark.parametrize(("ids", "message"), STRANGE.values(), ids=STRANGE)
def test_ids_that_cannot_be_read_are_one_line_with_the_file(tmp_path, column, ids, message):
    parquet.write_table(pa.table(GOOD | {column: ids}), tmp_path / "t.parquet")
    with pytest.raises(ValueError, match=rf"t\.parquet[:,] .*{message}"):
        read_table(tmp_path / "t.parquet")


def zipped(data):
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("a", data)
    return archive.getvalue()


@pytest.mark.parametrize(
    ("pack", "what"),
    [
        (zipped, "ZIP archive; unpack it first"),
        (lambda data: b'\n [["1", "a", 1]]', "JSON"),
    ],
)
@pytest.mark.parametrize("name", ["judgments", "run"])
def test_another_format_is_called_by_its_name(tmp_path, name, pack, what):
    read, line = READERS[name]
    (tmp_path / "f").write_bytes(pack(line))
    with pytest.raises(ValueError, match=f"f[:,] .*expected .*, got .*{what}") as refused:
        read(tmp_path / "f")
    assert "--format" not in str(refused.value) and "fields" not in str(refused.value).partition("got")[2]


def test_a_query_that_is_called_like_a_format_is_one(tmp_path):
    for name in ("BZh9", "[1]", "{q}", "PK"):
        (tmp_path / "qrels").write_text(f"{name} 0 a 1\n")
        assert gather(tmp_path / "qrels", {"x": {name: {"a": 1}}}).queries.tolist() == [name]


@pytest.mark.parametrize("grade", [2**53 + 1, -(2**53) - 1, 2**63 - 1])
def test_a_grade_that_floats_round_is_rejected_with_its_line(tmp_path, grade):
    (tmp_path / "qrels").write_text(f"1 0 a 1\n1 0 b {grade}\n")
    with pytest.raises(ValueError, match=rf"qrels, line 2: .* at most 2\*\*53, got {grade}"):
        gather(tmp_path / "qrels", {"x": {"1": {"a": 1}}})
    with pytest.raises(ValueError, match=rf"item b\): .* at most 2\*\*53, got {grade}"):
        gather({"1": {"a": 1, "b": grade}}, {"x": {"1": {"a": 1}}})


TIMES = [
    ("2024-05-07T10:00:00Z", "2024-05-07T10:00+02:00"),
    ("2024-05-07 10:00:00-07:00", "2024-05-07T12:00Z"),
]
