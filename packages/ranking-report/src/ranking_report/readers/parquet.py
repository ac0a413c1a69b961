"""Read Parquet files as named columns, with each id in memory only once."""

from contextlib import contextmanager
from io import BytesIO

from ndcg_companion.checks import fail_if
from ndcg_companion.text import escaped
from ranking_report.extras import import_extra
from ranking_report.readers.files import PARQUET, check_size, named
from ranking_report.readers.tables import Table


def table_of_parquet(path, data):
    """Return the `Table` of a Parquet file.

    Parameters
    ----------
    path : path
    data : bytes
        The result of `read_opening`, which is the whole file, or only the mark of a file on a disk.
    """
    import_extra("parquet")
    from pyarrow import parquet

    source = named(path)
    # Each call opens the file anew, because the options of a reader cannot change.
    open_file = lambda **options: parquet.ParquetFile(path if data == PARQUET else BytesIO(data), **options)
    with _refusing_damage(source):
        names = open_file().schema_arrow.names
    read = lambda wanted_names, numbers: _read(path, open_file, wanted_names)
    return Table(source, names, read, lambda row: f"{source}, row {row + 1}", f"{source}, header")


def _read(path, open_file, wanted_names):
    """Return some columns as a DataFrame, in which ids that are texts are categories.

    ``open_file`` is a function that takes options of pyarrow's ``ParquetFile``.
    """
    import pyarrow as pa

    source = named(path)
    with _refusing_damage(source):
        parquet_file = open_file()
    types = {name: parquet_file.schema_arrow.field(name).type for name in wanted_names}
    for name, type_ in types.items():
        expected = f"expected {escaped(name)} of type text or number"
        fail_if(pa.types.is_nested(type_), f"{source}: {expected}, got {type_}")
    check_size(path, _unpacked_size(parquet_file.metadata, wanted_names), parquet_file.metadata.num_rows)
    text_columns = [name for name, type_ in types.items() if _is_text_or_bytes(type_)]
    with _refusing_damage(source):
        table = open_file(read_dictionary=text_columns).read(columns=wanted_names)
        for name in text_columns:  # bytes are also accepted, because some programs store text as bytes
            column = table[name].cast(pa.dictionary(pa.int32(), pa.string()))
            table = table.set_column(table.column_names.index(name), name, column)
        return table.unify_dictionaries().to_pandas(
            split_blocks=True, self_destruct=True, ignore_metadata=True
        )


@contextmanager
def _refusing_damage(source):
    """Turn pyarrow's errors and overflows into a ValueError that names the file."""
    try:
        yield
    except MemoryError:
        raise
    except (OSError, ValueError, OverflowError, NotImplementedError) as error:
        raise ValueError(f"{source}: expected complete Parquet data, got {escaped(error, 200)}") from None


def _is_text_or_bytes(kind):
    """Return whether a type stores texts or bytes, with or without a dictionary."""
    from pyarrow import types

    value = kind.value_type if types.is_dictionary(kind) else kind
    tests = ("string", "large_string", "string_view", "binary", "large_binary", "binary_view")
    return any(getattr(types, f"is_{name}")(value) for name in tests)


def _unpacked_size(metadata, columns):
    """Return the decompressed size of columns; dictionary entries count once."""
    groups = [metadata.row_group(group) for group in range(metadata.num_row_groups)]
    chunks = [group.column(number) for group in groups for number in range(group.num_columns)]
    return sum(chunk.total_uncompressed_size for chunk in chunks if chunk.path_in_schema in columns)
