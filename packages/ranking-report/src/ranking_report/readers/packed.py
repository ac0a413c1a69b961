"""Packed data, unpacked chunk by chunk: whoever reads may stop before it fills the memory."""

import bz2
import gzip
import lzma
import re
import zlib
from collections.abc import Iterator
from io import BytesIO

from ranking_report.extras import import_extra

# By name what such data begin with.
_MARKS = {
    "gzip": rb"\x1f\x8b",
    "bzip2": rb"BZh[1-9](1AY&SY|\x17rE8P\x90)",
    "xz": rb"\xfd7zXZ\0",
    "Zstandard": rb"\x28\xb5\x2f\xfd",
    "LZ4": rb"\x04\x22\x4d\x18",
}
DAMAGED = (EOFError, OSError, zlib.error, lzma.LZMAError)  # what is raised for data that are not whole


def packing(data: bytes) -> str:
    """The name of the program that packed the data, empty for others.

    >>> packing(gzip.compress(b"q 0 d 1")), packing(b"q 0 d 1")
    ('gzip', '')
    """
    return next((name for name, mark in _MARKS.items() if re.match(mark, data)), "")


def unpacked(data: bytes, size: int, memory: int) -> Iterator[bytes]:
    """The text of packed data, in chunks of at most so many bytes.

    Parameters
    ----------
    data : bytes
        Several packed parts may stand one after the other.
    size : int
    memory : int
        Bytes that xz may take for its dictionary, whose size stands in the data.

    Raises
    ------
    EOFError, OSError, zlib.error, lzma.LZMAError
        For data that are cut short or damaged.
    ModuleNotFoundError
        For Zstandard and LZ4 without the extra ``parquet``.

    Examples
    --------
    >>> [*unpacked(bz2.compress(b"q 0 d 1"), 4, 2**20)]
    [b'q 0 ', b'd 1']
    """
    name = packing(data)
    if name == "gzip":
        return _read(gzip.GzipFile(fileobj=BytesIO(data)), size)
    if name == "bzip2":
        return _decompressed(bz2.BZ2Decompressor, data, size)
    if name == "xz":
        return _decompressed(lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=memory), data, size)
    pa = import_extra("parquet")
    codec = {"Zstandard": "zstd", "LZ4": "lz4"}[name]
    return _read(pa.input_stream(pa.py_buffer(data), compression=codec), size)


def _read(file, size):
    with file:
        while chunk := file.read(size):
            yield chunk


def _decompressed(decompressor, data, size):
    """The text of packed data in chunks, a new decompressor for each part; xz pads between parts by zeros."""
    while data:
        part = decompressor()
        yield part.decompress(data, size)
        while not part.eof:
            if part.needs_input:
                raise EOFError("it ends before its end marker")
            yield part.decompress(b"", size)
        data = part.unused_data.lstrip(b"\0")
