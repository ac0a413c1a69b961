"""What a reader has at hand, as `Rankings`: what a program has in memory, and files."""

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas

from ndcg_companion.checks import duplicates, fail_if
from ndcg_companion.data.rankings import FilePath, first
from ndcg_companion.text import check_plain, escaped
from ranking_report.readers.columns import rank_beside
from ranking_report.readers.files import (
    PARQUET,
    below_comments,
    is_json,
    line_of,
    named,
    number,
    read_bytes,
    read_columns,
    read_opening,
    reader,
    refuse_comments,
)
from ranking_report.readers.formats import ALONE, EXPECTED, header_of, is_json_mapping, read_file
from ranking_report.readers.joining import Joining, check_missing
from ranking_report.readers.letor import letor_labels, letor_lines
from ranking_report.readers.tables import table_from_bytes, table_from_frame
from ranking_report.readers.trec import read_judgments
from ranking_report.readers.values import as_pandas, is_frame, rows_of_value

Source = FilePath | pandas.DataFrame | Mapping[str, Mapping[str, float]] | Iterable[NamedTuple]
FORMATS = ("auto", "trec", "letor", "table")
_EXPECTED = (
    f"{EXPECTED['label']}; LETOR lines (label qid:QUERY 1:VALUE …); or a table of labels with scores "
    "(query,item,label,…,score_NAME,…)"
)
_ONE_A_LINE = (
    "expected a file with one score a line for each system, since items of LETOR have no ids; "
    "--system NAME=FILE names it"
)


def gather(labels, systems=None, *, runs=(), missing="raise", form="auto"):
    """Rankings from labels and systems, each in memory or a path.

    Parameters
    ----------
    labels : path, or what `rows_of_value` takes
        A table, as a DataFrame or a file, may have the scores beside the labels, as columns ``score_NAME``.
    systems : mapping of name to path or to what `rows_of_value` takes; or DataFrame with columns score_NAME
        None if the labels come with scores. Files are what `read_file` reads, or for LETOR one score a line.
    runs : sequence of path
        More systems, named by `name_runs`.
    missing : {"raise", "zero", "drop"}
        See `join`.
    form : {"auto", "trec", "letor", "table"}
        Of a file of labels.
    """
    check_missing(missing)
    systems = None if systems is None else _by_name(systems)
    if _is_path(labels):
        return _from_files(labels, systems, runs, missing, form)
    if systems is not None or runs:
        return _joined(rows_of(labels, "label", "labels"), systems, runs, missing)
    fail_if(not is_frame(labels), "systems: expected a mapping of name to scores, got none")
    return table_from_frame(labels, source="labels")


def _by_name(systems):
    """Sources of scores by name of system; a DataFrame may hold the scores of several systems."""
    if is_frame(systems):
        systems = as_pandas(systems)
        _check_columns("systems", systems)
        columns = [name for name in systems.columns if str(name).startswith("score_")]
        got = escaped(", ".join(map(str, systems.columns)))
        fail_if(
            not columns or not {"query", "item"} <= set(systems.columns),
            f"systems: expected the columns query, item and score_NAME, got {got}",
        )
        # A rank beside the scores of several systems is nobody's.
        chosen = ["query", "item", columns[0]]
        ranks = rank_beside([*map(str, systems.columns)], chosen, "score") if len(columns) == 1 else []
        parts = systems[["query", "item", *ranks]]
        systems = {str(name)[6:]: parts.assign(score=systems[name]) for name in columns}
    got = "none" if hasattr(systems, "items") else type(systems).__name__
    fail_if(got != "none" or not len(systems), f"systems: expected a mapping of name to scores, got {got}")
    found = {check_plain(str(name), "system"): scores for name, scores in systems.items()}
    names = escaped(", ".join(map(repr, systems)))
    fail_if(len(found) < len(systems), f"systems: expected different names, got {names}")
    return found


def _check_columns(source, frame):
    """Refuse a DataFrame in which two columns have one name."""
    twice = duplicates(map(str, frame.columns))
    fail_if(twice, f"{source}: expected each column once, got {escaped(''.join(twice[:1]))} twice")


def _joined(judgments, systems, runs, missing):
    """Judgments joined with systems, and with files that name themselves, one after the other."""
    joining, tags = Joining(judgments), []
    for name, scores in (systems or {}).items():
        joining.add(rows_of(scores, "score", f"system {name}"))
    for path in runs:
        tag, rows = read_file(path, "score")
        joining.add(rows)
        tags.append(tag)
    return joining.rankings([*(systems or {}), *name_runs(runs, tags, systems or {})], missing)


def _is_path(value):
    return isinstance(value, (str, os.PathLike))


def rows_of(value, kind, source):
    """`Rows` of a path, or of what `rows_of_value` takes."""
    return read_file(value, kind)[1] if _is_path(value) else rows_of_value(value, kind, source)


def _from_files(labels, systems, runs, missing, form):
    fail_if(form not in FORMATS, f"format={form!r}: expected one of {', '.join(FORMATS)}")
    data = read_opening(labels)
    found = "table" if data.startswith(PARQUET) else _recognised(labels, data) if form == "auto" else form
    alone = systems is None and not runs
    if found == "table" and alone:
        return table_from_bytes(labels, data)
    fail_if(found == form == "table", f"{named(labels)}: {ALONE}")
    expected = "expected the scores of some systems, as this file has none"
    fail_if(alone, f"{named(labels)}: {expected}")
    if found != "letor":
        rows = read_judgments(labels, data) if form == "trec" else read_file(labels, "label", data)[1]
        return _joined(rows, systems, runs, missing)
    rankings, order = letor_labels(labels, letor_lines(labels, data))
    fail_if(runs, f"{rankings.source}: {_ONE_A_LINE}")
    scores = {name: _read_scores(path, rankings)[order] for name, path in systems.items()}
    source = ", ".join([named(labels), *map(named, systems.values())])
    return replace(rankings, scores=scores, source=source)


def name_runs(paths, tags, given=()):
    """Names of runs: the tag in the file if no other file has it, else the file's name without its suffixes.

    Parameters
    ----------
    paths : sequence of path
    tags : sequence of str or None
        Formats other than TREC's have none.
    given : collection of str
        Names that others have.

    Examples
    --------
    >>> name_runs(["a.run", "b.run.gz", "c.json"], ["bm25", "bm25", None])
    ['a', 'b', 'c']
    """
    shared = {None, *duplicates(tags)}
    names = []
    for path, tag in zip(paths, tags):
        name = Path(path).name.partition(".")[0] or Path(path).name if tag in shared else tag
        expected = f"{named(path)}: expected a name of its own, got {escaped(name)}"
        fail_if(name in names, f"{expected} twice; --system NAME=FILE names it")
        fail_if(name in given, f"{expected}, which is given")
        names.append(check_plain(name, "name of the run"))
    return names


def _recognised(path, data):
    """What a file of labels is, from its beginning: LETOR, a table, or a list as runs are."""
    data = read_bytes(path, _EXPECTED, data)[: 2**20]
    if is_json_mapping(data):
        return "list"
    lines = data.decode("utf-8", "ignore").splitlines()
    rows = [(at, line) for at, line in enumerate(lines, 1) if line.strip() and line.lstrip()[0] != "#"]
    number, line = rows[0] if rows else (len(lines), "")
    fields = line.split()
    if len(fields) > 1 and fields[1].startswith("qid:"):
        return "letor"
    commas, others = ({field.strip('"') for field in re.split(mark, line)} for mark in (",", "[;\t|]"))
    if {"query", "item"} & commas or {"query", "item"} <= others:
        return "table"
    if (
        header_of(line) or len(fields) in (3, 4, 6) and "," not in line
    ):  # a run is no judgments, and refused as one
        return "list"
    got = f"'{escaped(line)}'" if line else "comments alone"
    hint = "; --format trec, letor or table says which, if it is one of these all the same"
    got, hint = ("JSON of another shape", "") if is_json(data) else (got, hint)
    raise ValueError(f"{named(path)}, line {number}: expected {_EXPECTED}, got {got}{hint}")


def _read_scores(path, rankings):
    """One number a line, as many as there are items; -inf stands for an item that was not retrieved."""
    fail_if(not _is_path(path), f"{rankings.source}: {_ONE_A_LINE}")
    data, start = below_comments(read_bytes(path, "one score a line").rstrip())
    refuse_comments(path, data, start)
    scores = read_columns(path, data, ["score"], {"score": _score}, start=start)["score"]
    if (row := first(np.isnan(scores))) is not None:
        raise ValueError(f"{line_of(path, start)(row)}: expected a score, got 'nan'")
    expected = f"expected {len(rankings.labels)} scores, one for each item of {rankings.source}"
    fail_if(len(scores) != len(rankings.labels), f"{named(path)}: {expected}, got {len(scores)}")
    return scores


_score = reader(number, lambda text: f"expected a score, got {escaped(text)!r}")
