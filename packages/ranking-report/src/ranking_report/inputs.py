"""Read judgments and results, from memory or from files, as `Rankings`."""

import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pandas

from ndcg_companion.checks import duplicates, fail_if
from ndcg_companion.data.rankings import FilePath
from ndcg_companion.text import check_plain, escaped
from ranking_report.choices import FORMATS
from ranking_report.readers.files import named
from ranking_report.readers.formats import EXPECTED, Sniffed, read_file, sniff, sniff_table
from ranking_report.readers.joining import Joining, check_missing
from ranking_report.readers.letor import letor_labels
from ranking_report.readers.memory import as_pandas, is_frame, rows_of_value, table_of_frame
from ranking_report.readers.texts import read_text
from ranking_report.readers.values import check_numbers

Source = FilePath | pandas.DataFrame | Mapping[str, Mapping[str, float]] | Iterable[NamedTuple]
_NO_OTHER_SYSTEMS = "expected no systems beside a table, whose columns score_NAME are the systems"
_EXPECTED = (
    f"{EXPECTED['label']}; LETOR lines (label qid:QUERY 1:VALUE …); or a table of labels with scores "
    "(query,item,label,…,score_NAME,…)"
)
_NO_IDS = "expected a file with one score a line for each system, since items of LETOR have no ids"


def gather(labels, systems=None, *, runs=(), missing="raise", form="auto"):
    """Return the `Rankings` of judgments and systems, from memory or from files.

    Parameters
    ----------
    labels : path, or an object that `rows_of_value` reads
        The judgments. A table, in a DataFrame or a file, may also contain the scores in columns
        ``score_NAME``.
    systems : mapping of name to path or to an object that `rows_of_value` reads; DataFrame; or path, or
    several
        The scores. A DataFrame has columns ``score_NAME``. Each path leads to a file or a folder. Files must
        be readable by `read_file` or, for LETOR, have one score per line. The value is None if the judgments
        include the scores.
    runs : sequence of path
        Further files and folders with runs. The function `name_runs` gives names to these runs.
    missing : {"raise", "zero", "drop"}
        The treatment of missing queries (see `join`).
    form : {"auto", "trec", "letor", "table"}
        The format of a file of judgments.

    Raises
    ------
    ValueError
        If a file cannot be read, or if the systems do not match the judgments.
    """
    check_missing(missing)
    paths = [systems] if _is_path(systems) else systems
    if isinstance(paths, (list, tuple)) and all(map(_is_path, paths)):
        systems, runs = None, paths  # the files determine the names of the systems
    runs = [path for run in runs for path in files_of(run, labels)]
    systems = None if systems is None else _by_name(systems)
    has_labels_only = systems is None and not runs
    if not _is_path(labels):
        if has_labels_only:
            fail_if(not is_frame(labels), "runs: expected a mapping of name to scores, got none")
            return table_of_frame(labels, "qrels").rankings()
        return _joined_rankings(rows_of_value(labels, "label", "qrels"), systems or {}, runs, missing)
    sniffed = _sniff_labels(labels, form)
    names = sniffed.content.names if sniffed.kind == "table" else []
    has_scores = any(name.startswith("score_") for name in names)
    is_full_table = has_scores or {"query", "item"} <= set(names)
    if has_labels_only and (is_full_table or form == "table"):
        return sniffed.content.rankings()
    fail_if(has_labels_only, f"{named(labels)}: expected the scores of some systems, as this file has none")
    if sniffed.kind == "letor":
        return _letor_rankings(sniffed.content, systems or {}, runs)
    fail_if(form == "table" or has_scores, f"{named(labels)}: {_NO_OTHER_SYSTEMS}")
    return _joined_rankings(sniffed.rows("label")[1], systems or {}, runs, missing)


def _sniff_labels(path, form):
    """Return the `Sniffed` judgments of a file, in a recognized or given format."""
    fail_if(form not in FORMATS, f"format={form!r}: expected one of {', '.join(FORMATS)}")
    if form == "table":
        return Sniffed("table", sniff_table(path))
    if form != "auto":
        return Sniffed({"trec": "lines"}.get(form, form), read_text(path, _EXPECTED))
    sniffed = sniff(path, _EXPECTED)
    if sniffed.kind == "lines":
        line = sniffed.content.first_line
        is_comment = line.lstrip().startswith("#")
        got = "comments alone" if is_comment else f"'{escaped(line)}'"
        hint = "; --format trec, letor or table says which, if it is one of these all the same"
        # A line with six fields is that of a run, for which the reader of judgments has a better message.
        is_qrels_or_run = len(line.split()) in (3, 4, 6) and "," not in line
        fail_if(not is_qrels_or_run, f"{sniffed.content.locate(0)}: expected {_EXPECTED}, got {got}{hint}")
    return sniffed


def _by_name(systems):
    """Return the source of scores for each system, after splitting a joint DataFrame."""
    if is_frame(systems):
        systems = _scores_by_system(as_pandas(systems))
    is_mapping = hasattr(systems, "items")
    got = "none" if is_mapping else type(systems).__name__
    fail_if(not is_mapping or not len(systems), f"runs: expected a mapping of name to scores, got {got}")
    by_name = {check_plain(str(name), "system"): scores for name, scores in systems.items()}
    names = escaped(", ".join(map(repr, systems)))
    fail_if(len(by_name) < len(systems), f"runs: expected different names, got {names}")
    return by_name


def _scores_by_system(frame):
    """Return the scores of each system in a DataFrame with columns ``score_NAME``."""
    repeated_names = duplicates(map(str, frame.columns))
    if repeated_names:
        raise ValueError(f"runs: expected each column once, got {escaped(repeated_names[0])} twice")
    columns = [name for name in frame.columns if str(name).startswith("score_")]
    got = escaped(", ".join(map(str, frame.columns)))
    fail_if(
        not columns or not {"query", "item"} <= set(frame.columns),
        f"runs: expected the columns query, item and score_NAME, got {got}",
    )
    # If there are several systems, it is unknown to which of them a rank column belongs.
    other_columns = frame.drop(columns=columns) if len(columns) == 1 else frame[["query", "item"]]
    return {str(name).removeprefix("score_"): other_columns.assign(score=frame[name]) for name in columns}


def _joined_rankings(judgments, systems, runs, missing):
    """Return the `Rankings` of judgments, named systems and files of runs."""
    joining, tags = Joining(judgments), []
    for name, scores in systems.items():
        is_path = _is_path(scores)
        joining.add(
            read_file(scores, "score")[1] if is_path else rows_of_value(scores, "score", f"system {name}")
        )
    for path in runs:
        tag, rows = read_file(path, "score")
        joining.add(rows)
        tags.append(tag)
    return joining.rankings([*systems, *name_runs(runs, tags, systems)], missing)


def files_of(path, labels):
    """Return the visible files of a folder, except the judgments, or the given file."""
    if not os.path.isdir(path):
        return [path]
    inside = (os.path.join(path, name) for name in sorted(os.listdir(path)) if not name.startswith("."))
    is_labels = lambda file: _is_path(labels) and os.path.samefile(file, labels)
    paths = [file for file in inside if os.path.isfile(file) and not is_labels(file)]
    fail_if(not paths, f"{named(path)}: expected a folder with runs, got no files")
    return paths


def _is_path(value):
    return isinstance(value, (str, os.PathLike))


def name_runs(paths, tags, given_names=()):
    """Return a name for each run: its tag if that is unique, else its file's short name.

    Parameters
    ----------
    paths : sequence of path
    tags : sequence of str or None
        The tags in the files, or None. Only TREC's format has tags.
    given_names : collection of str
        The names that other runs already have.

    Raises
    ------
    ValueError
        If two runs would have the same name.

    Examples
    --------
    >>> name_runs(["a.run", "b.run.gz", "c.json"], ["bm25", "bm25", None])
    ['a', 'b', 'c']
    """
    shared_tags = {None, *duplicates(tags)}
    names = []
    for path, tag in zip(paths, tags):
        name = Path(path).name.partition(".")[0] or Path(path).name if tag in shared_tags else tag
        expected = f"{named(path)}: expected a name of its own, got {escaped(name)}"
        fail_if(name in names, f"{expected} twice; --run NAME=FILE names it")
        fail_if(name in given_names, f"{expected}, which is given")
        names.append(check_plain(name, "name of the run"))
    return names


def _letor_rankings(text, systems, runs):
    """Return the `Rankings` of a LETOR file and of files with one score per line."""
    rankings, order = letor_labels(text)
    systems = systems | dict(zip(name_runs(runs, [None] * len(runs), systems), runs))
    fail_if(not all(map(_is_path, systems.values())), f"{text.source}: {_NO_IDS}")
    scores = {name: _read_scores(path, rankings)[order] for name, path in systems.items()}
    sources = [*map(str, systems.values())]
    inputs = (*rankings.inputs, *((path, "one score a line") for path in sources))
    return replace(
        rankings, scores=scores, source=", ".join([text.source, *map(named, sources)]), inputs=inputs
    )


def _read_scores(path, rankings):
    """Return the scores in a file that contains one number per line and item.

    A score of -inf means that the item was not retrieved.
    """
    text = read_text(path, "one score a line")
    text.refuse_comments()
    columns = text.read(names=["score"], wanted_names=["score"], numbers=["score"])
    scores = check_numbers(columns["score"], "score", text.locate)
    expected = f"expected {len(rankings.labels)} scores, one for each item of {rankings.source}"
    fail_if(len(scores) != len(rankings.labels), f"{text.source}: {expected}, got {len(scores)}")
    return scores
