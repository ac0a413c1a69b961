"""What a reader has at hand, as `Rankings`: mappings, DataFrames.

And files in the formats of evaluation campaigns.
"""

import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from math import isnan
from pathlib import Path

import numpy as np
import pandas

from ndcg_companion.data.files import (
    PARQUET,
    line_of,
    named,
    number,
    read_bytes,
    read_columns,
    read_opening,
)
from ndcg_companion.data.joining import MISSING, Rows, join
from ndcg_companion.data.letor import letor_labels, letor_lines
from ndcg_companion.data.rankings import FilePath
from ndcg_companion.data.tables import table_from_bytes, table_from_frame
from ndcg_companion.data.trec import read_judgments, read_run
from ndcg_companion.text import check_plain, shown

Source = FilePath | pandas.DataFrame | Mapping[str, Mapping[str, float]]
FORMATS = ("auto", "trec", "letor", "table")
_EXPECTED = (
    "TREC judgments (query iteration document grade), LETOR lines (label qid:QUERY 1:VALUE …), CSV with a "
    "header (query,item,label,…,score_NAME,…) or Parquet"
)


def gather(labels, systems=None, *, missing="raise", form="auto"):
    """Rankings from labels and systems, each a mapping, a DataFrame or a path.

    Parameters
    ----------
    labels : mapping of query to mapping of item to grade; DataFrame with query, item, label; or path
        A table, as a DataFrame or a file, may have the scores beside the labels, as columns ``score_NAME``.
    systems : mapping of name to mapping, DataFrame (query, item, score) or path; or DataFrame with columns
    score_NAME
        None if the labels come with scores. Files are TREC runs, or for LETOR one score a line.
    missing : {"raise", "zero", "drop"}
        See `join`.
    form : {"auto", "trec", "letor", "table"}
        Of a file of labels.
    """
    if missing not in MISSING:
        raise ValueError(f"missing={missing!r}: expected one of {', '.join(map(repr, MISSING))}")
    systems = None if systems is None else _by_name(systems)
    if _is_path(labels):
        return _from_files(labels, systems, missing, form)
    if systems is not None:
        return join(rows_of(labels, "label", "labels"), _runs(systems), missing)
    if not _is_frame(labels):
        raise ValueError("systems: expected a mapping of name to scores, got none")
    return table_from_frame(labels, source="labels")


def _by_name(systems):
    """Sources of scores by name of system, of which a DataFrame may hold several."""
    if _is_frame(systems):
        columns = [name for name in systems.columns if str(name).startswith("score_")]
        if not columns or not {"query", "item"} <= set(systems.columns):
            got = shown(", ".join(map(str, systems.columns)))
            raise ValueError(f"systems: expected the columns query, item and score_NAME, got {got}")
        parts = systems[["query", "item"]]
        systems = {str(name)[6:]: parts.assign(score=systems[name]) for name in columns}
    if not hasattr(systems, "items") or not len(systems):
        got = "none" if hasattr(systems, "items") else type(systems).__name__
        raise ValueError(f"systems: expected a mapping of name to scores, got {got}")
    found = {check_plain(str(name), "system"): scores for name, scores in systems.items()}
    if len(found) < len(systems):
        raise ValueError(f"systems: expected different names, got {shown(', '.join(map(repr, systems)))}")
    return found


def _runs(systems):
    """`Rows` by name of system."""
    runs = {}
    for name, scores in systems.items():
        if _is_path(scores):
            runs[name] = read_run(scores)[1]
        else:
            runs[name] = scores if isinstance(scores, Rows) else rows_of(scores, "score", f"system {name}")
    return runs


def _is_path(value):
    return isinstance(value, (str, os.PathLike))


def _is_frame(value):
    return hasattr(value, "columns") and hasattr(value, "to_numpy")


def rows_of(value, column, source):
    """`Rows` from a mapping of query to mapping of item to number, or from a DataFrame with such columns."""
    place = lambda row: f"{source}, row {row + 1}"
    if _is_frame(value):
        wanted = ["query", "item", column]
        if not set(wanted) <= set(value.columns):
            got = shown(", ".join(map(str, value.columns)))
            raise ValueError(f"{source}: expected the columns {', '.join(wanted)}, got {got}")
        query, item, numbers = (value[name].to_numpy() for name in wanted)
    elif hasattr(value, "items"):
        for name, items in value.items():
            if not hasattr(items, "items"):
                expected = f"expected a mapping of items for query {shown(name)}"
                raise ValueError(f"{source}: {expected}, got {type(items).__name__}")
        flat = [(name, item, number) for name, items in value.items() for item, number in items.items()]
        query, item, numbers = zip(*flat) if flat else ((), (), ())
        place = lambda row: f"{source}, row {row + 1} (query {shown(query[row])}, item {shown(item[row])})"
    else:
        raise ValueError(f"{source}: expected a mapping, a DataFrame or a path, got {type(value).__name__}")
    try:
        numbers = np.asarray(numbers)
        numbers = numbers if numbers.dtype.kind in "iu" else numbers.astype(float)
    except (TypeError, ValueError):
        raise ValueError(f"{source}: expected numbers as {column}s") from None
    if not len(numbers):
        raise ValueError(f"{source}: expected {column}s, got none")
    return Rows(source, query, item, {column: numbers}, place)


def _from_files(labels, systems, missing, form):
    if form not in FORMATS:
        raise ValueError(f"format={form!r}: expected one of {', '.join(FORMATS)}")
    data = read_opening(labels)
    if data.startswith(PARQUET):
        form = "table"
    form = _recognised(labels, data) if form == "auto" else form
    if form == "table":
        if systems is not None:
            expected = "expected no systems beside a table, whose columns score_NAME are the systems"
            raise ValueError(f"{named(labels)}: {expected}")
        return table_from_bytes(labels, data)
    if systems is None:
        raise ValueError(f"{named(labels)}: expected the scores of some systems, as this file has none")
    if form == "trec":
        return join(read_judgments(labels, data), _runs(systems), missing)
    rankings, order = letor_labels(labels, letor_lines(labels, data))
    scores = {name: _read_scores(path, rankings)[order] for name, path in systems.items()}
    source = ", ".join([named(labels), *map(named, systems.values())])
    return replace(rankings, scores=scores, source=source)


def named_runs(paths):
    """Runs by name: the tag in the file if no other file has it, else the file's name without its suffixes.

    Parameters
    ----------
    paths : sequence of path

    Returns
    -------
    dict of str to Rows
    """
    read = [(path, *read_run(path)) for path in paths]
    tags = [tag for _, tag, _ in read]
    runs = {}
    for path, tag, rows in read:
        name = tag if tags.count(tag) == 1 else Path(path).name.partition(".")[0] or Path(path).name
        if name in runs:
            raise ValueError(
                f"{named(path)}: expected a name of its own, got {shown(name)} twice; --system NAME=FILE "
                "names it"
            )
        runs[check_plain(name, "name of the run")] = rows
    return runs


def _recognised(path, data):
    """The format of a file of labels, from what it begins with."""
    lines = read_bytes(path, _EXPECTED, data)[: 2**20].decode("utf-8", "ignore").splitlines()
    rows = [(at, line) for at, line in enumerate(lines, 1) if line.strip() and line[0] != "#"]
    number, line = rows[0] if rows else (len(lines), "")
    fields = line.split()
    if len(fields) > 1 and fields[1].startswith("qid:"):
        return "letor"
    if {"query", "item"} & {field.strip('"') for field in line.strip().split(",")}:
        return "table"
    if len(fields) == 4 and "," not in line:
        return "trec"
    got = f"'{shown(line)}'" if line else "comments alone"
    remedy = "--format says which it is"
    raise ValueError(f"{named(path)}, line {number}: expected {_EXPECTED}, got {got}; {remedy}")


def _read_scores(path, rankings):
    """One number a line, as many as there are items; -inf stands for an item that was not retrieved."""
    if not _is_path(path):
        expected = "expected a file with one score a line for each system, since items of LETOR have no ids"
        raise ValueError(f"{rankings.source}: {expected}; --system NAME=FILE names it")
    data = read_bytes(path, "one score a line").rstrip()
    scores = read_columns(data, ["score"], {"score": _score}, line_of(path))["score"]
    if len(scores) != len(rankings.labels):
        expected = f"expected {len(rankings.labels)} scores, one for each item of {rankings.source}"
        raise ValueError(f"{named(path)}: {expected}, got {len(scores)}")
    return scores


def _score(text):
    with suppress(ValueError):
        if not isnan(number(text)):
            return number(text)
    raise ValueError(f"expected a score, got {shown(text)!r}")
