"""Packed files are read like unpacked ones, and are rejected if they are cut short or harmful."""

import bz2
import gzip
import lzma
import shutil
import subprocess
import tracemalloc

import pyarrow as pa
import pytest

from ranking_report.readers import files

TEXT = b"".join(b"%d 0 doc-%d %d\n" % (number // 50, number, number % 3) for number in range(5_000))


def by_arrow(codec):
    def pack(text):
        sink = pa.BufferOutputStream()
        with pa.CompressedOutputStream(sink, codec) as stream:
            stream.write(text)
        return sink.getvalue().to_pybytes()

    return pack


PACKS = {
    "gzip": gzip.compress,
    "bzip2": bz2.compress,
    "xz": lzma.compress,
    "Zstandard": by_arrow("zstd"),
}


@pytest.mark.parametrize("name", PACKS)
@pytest.mark.parametrize("chunk", [2**10, 2**24])
def test_what_was_packed_is_read_as_it_was(name, chunk, tmp_path, monkeypatch):
    monkeypatch.setattr(files, "_CHUNK", chunk)
    packed = PACKS[name](TEXT)
    (tmp_path / "f").write_bytes(packed)
    assert files.read_bytes(tmp_path / "f", "lines") == TEXT
    (tmp_path / "parts").write_bytes(packed + PACKS[name](b"the end\n"))
    assert files.read_bytes(tmp_path / "parts", "lines") == TEXT + b"the end\n"


def test_what_is_packed_twice_is_rejected(tmp_path):
    (tmp_path / "f").write_bytes(gzip.compress(gzip.compress(TEXT)))
    with pytest.raises(ValueError, match="f: expected data compressed once, got gzip in gzip"):
        files.read_bytes(tmp_path / "f", "lines")


@pytest.mark.parametrize(("name", "tool"), [("Zstandard", "zstd"), ("xz", "xz"), ("bzip2", "bzip2")])
def test_what_the_tools_of_a_shell_pack_is_read(name, tool, tmp_path):
    if not shutil.which(tool):
        pytest.skip(f"{tool} is not installed")
    packed = subprocess.run([tool, "-c"], input=TEXT, stdout=subprocess.PIPE, check=True).stdout
    (tmp_path / "f").write_bytes(packed)
    assert files.read_bytes(tmp_path / "f", "lines") == TEXT


@pytest.mark.parametrize("name", PACKS)
def test_what_is_cut_short_or_damaged_is_rejected(name, tmp_path):
    packed = PACKS[name](TEXT)
    middle = len(packed) // 2
    hole = packed[:middle] + b"\0" * 40 + packed[middle + 40 :]
    for bad in (packed[:middle], packed[:-3], hole):
        (tmp_path / "f").write_bytes(bad)
        with pytest.raises(
            ValueError, match=f"f: expected complete {name} data, got data that are cut short or damaged"
        ):
            files.read_bytes(tmp_path / "f", "lines")


@pytest.mark.parametrize("name", PACKS)
def test_a_decompression_bomb_is_rejected_before_it_fills_the_memory(name, tmp_path, monkeypatch):
    monkeypatch.setattr(files, "_CHUNK", 2**14)
    monkeypatch.setenv("COMPANION_MEMORY", "500K")
    size = 20_000_000
    (tmp_path / "bomb").write_bytes(PACKS[name](b"1 0 a 1\n" * (size // 8)))
    assert (tmp_path / "bomb").stat().st_size < 50_000
    tracemalloc.start()
    with pytest.raises(ValueError, match="bomb: expected a file that takes at most 500 KB of memory"):
        files.read_bytes(tmp_path / "bomb", "lines")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < size / 2


def test_without_pyarrow_the_extra_is_named(tmp_path, monkeypatch):
    from ranking_report import extras

    monkeypatch.setattr(extras, "find_spec", lambda name: None)
    (tmp_path / "f").write_bytes(PACKS["Zstandard"](TEXT))
    with pytest.raises(
        ModuleNotFoundError, match="pyarrow is not installed, which files in Parquet or Zstandard would need"
    ):
        files.read_bytes(tmp_path / "f", "lines")
