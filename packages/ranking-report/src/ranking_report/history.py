"""Scores night after night: a file for each in a folder, and what changed, at a level that all nights share.

A folder holds ``history.json``, which says what is measured and lists the nights, and ``NIGHT.csv`` for each,
all written whole. They are read again only as they were written: a file that was changed, or that is not of
this history, is refused and stays as it is.
"""

import io
import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pandas

from ndcg_companion.checks import fail_if
from ndcg_companion.data.rankings import FilePath
from ndcg_companion.significance.family import LEVEL, each_alone, flip_signs
from ndcg_companion.text import escaped
from ranking_report.bounds import student_ends
from ranking_report.cells import cell
from ranking_report.folders import open_folder
from ranking_report.sentences import EQUAL

KIND = "history"
_LIST = "history.json"
_NIGHT = re.compile(r"[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])(T([01][0-9]|2[0-3])[0-5][0-9])?")
_COLUMNS = ["query", "system", "measure", "score"]
_AGREE = ("measures", "ties", "gain", "missing", "queries", "judgments")


@dataclass(frozen=True)
class OverTime:
    """What a history says of tonight.

    Attributes
    ----------
    nights : list of str
        All nights kept, tonight the last.
    line : DataFrame
        night, system, mean of the first measure, change (since the system's first night), low, high; the
        intervals of all nights, past and to come, hold together with 95 %. Other measures have their means.
    changes : DataFrame
        Of tonight: system, since (``"the night before"`` or ``"the first night"``), night (which that was),
        difference, low, high, p_family, level (that tonight may spend), changed.
    new, gone : list of str
        Systems that the night before did not have, or that tonight does not.
    level : float
        What tonight may spend of the 5 % of all nights: ``0.05 / (t * (t - 1))`` of night t.
    """

    nights: list[str]
    line: pandas.DataFrame
    changes: pandas.DataFrame
    new: list[str]
    gone: list[str]
    level: float


def tonight() -> str:
    """The date of today, in UTC, as nights are called."""
    return datetime.now(UTC).strftime("%Y-%m-%d")


def check_night(night: str) -> str:
    """The name of a night, or a ValueError.

    >>> check_night("2026-03-01"), check_night("2026-03-01T2330")
    ('2026-03-01', '2026-03-01T2330')
    """
    right = isinstance(night, str) and _NIGHT.fullmatch(night)
    fail_if(
        not right, f"night='{escaped(night)}': expected a date as 2026-03-01, or with a time 2026-03-01T2330"
    )
    return night


def check_history(folder: FilePath) -> None:
    """Refuse a folder that is none of new, empty and a whole history, before anything is computed."""
    with _opened(folder) as (_, nights, settings):
        for night in nights:
            _read(Path(folder, f"{night}.csv"), settings)


def keep_night(comparison, folder: FilePath, night: str | None = None) -> OverTime:
    """Keep the scores of a comparison in a history, and say what changed up to that night.

    Parameters
    ----------
    comparison : Comparison
    folder : path
        New, empty, or a history of the same measures on the same queries and judgments.
    night : str, optional
        Later than all that are kept, or one that is kept with these very scores; today by default.

    Raises
    ------
    ValueError
        For another night, a history of something else, a file that was changed or is not of it, and a
        comparison with ``missing="drop"``, which may leave out other queries each night.
    """
    night, settings = check_night(night or tonight()), _settings(comparison)
    fail_if(settings["missing"] == "drop", "history: expected missing='raise' or 'zero', got 'drop'")
    text = _text(comparison)
    with _opened(folder) as (output, nights, kept):
        for name in _AGREE if kept else ():
            got = f"{_as_text(name, settings[name])}; another folder begins another history"
            fail_if(
                kept[name] != settings[name], f"{folder}: expected {_as_text(name, kept[name])}, got {got}"
            )
        path = Path(folder, f"{night}.csv")
        if night in nights:
            same = path.read_text(encoding="utf-8") == text
            fail_if(not same, f"{path}: is kept already, with other scores; --night names another")
        else:
            last = nights[-1] if nights else ""
            fail_if(night < last, f"night='{night}': expected one after {last}, the last that is kept")
            output.keep(path, text)
        nights = sorted({*nights, night})
        output.keep(Path(folder, _LIST), json.dumps(settings | {"nights": nights}, indent=1) + "\n")
        found = [_read(Path(folder, f"{one}.csv"), settings) for one in nights[: nights.index(night) + 1]]
    return _over_time(nights[: len(found)], found, comparison.measure_names, comparison.seed)


@contextmanager
def _opened(folder: FilePath) -> Iterator[tuple]:
    """A folder of a history while nobody else writes there, its nights, and its settings; checked."""
    folder = Path(folder)
    with open_folder(folder, KIND, _visible(folder)) as output:
        names = [*_visible(folder)]
        files = {name[:-4] for name in names if name.endswith(".csv") and _NIGHT.fullmatch(name[:-4])}
        settings = json.loads((folder / _LIST).read_text(encoding="utf-8")) if _LIST in names else {}
        listed = settings.get("nights", [])
        gone = [night for night in listed if night not in files]
        fail_if(gone, f"{folder}: expected {', '.join(gone[:1])}.csv, a night that its {_LIST} lists")
        # A night that was kept just before the command was killed is not listed yet.
        yield output, sorted({*listed, *files}), settings


def _visible(folder):
    """Names in a folder, read when they are asked for: once nobody else writes there."""
    yield from sorted(name for name in os.listdir(folder) if not name.startswith("."))


def _settings(comparison):
    """What has to be the same on all nights."""
    own = {name: comparison.settings[name] for name in ("ties", "gain", "missing")}
    sizes = {"queries": len(comparison.queries), "judgments": comparison.judgments}
    return {"measures": comparison.measure_names} | own | sizes


def _as_text(name, value):
    """A setting of a history as a message names it."""
    if name == "judgments":
        return f"judgments with the checksum {escaped(value, 12)}"
    return f"{name} {escaped(', '.join(value) if isinstance(value, list) else value, 200)}"


def _text(comparison):
    """A night's file: every score as text that is read back to the same number."""
    table = comparison.scores[_COLUMNS]
    for name in _COLUMNS[:3]:
        table = table.assign(**{name: table[name].map({one: cell(one) for one in table[name].unique()})})
    return table.to_csv(index=False, lineterminator="\n")


def _read(path, settings):
    """The scores of a night by measure: a DataFrame of queries by systems."""
    text = path.read_text(encoding="utf-8")
    try:
        frame = pandas.read_csv(
            io.StringIO(text),
            dtype={name: str for name in _COLUMNS[:3]} | {"score": float},
            keep_default_na=False,
        )
        whole = [*frame.columns] == _COLUMNS and np.isfinite(frame["score"]).all()
        tables = {
            measure: rows.pivot(index="query", columns="system", values="score")
            for measure, rows in (frame.groupby("measure", sort=False) if whole else ())
        }
    except ValueError as error:
        raise ValueError(f"{path}: expected the scores of a night, got {escaped(error, 200)}") from None
    right = [*tables] == [cell(name) for name in settings["measures"]] and not any(
        table.isna().any(axis=None) or len(table) != settings["queries"] for table in tables.values()
    )
    fail_if(not right, f"{path}: expected a score of each system on each query under each measure")
    return tables


def spent(number: int) -> float:
    """What night t may spend of the 5 % that all nights share; the first has nothing to compare.

    >>> round(sum(spent(number) for number in range(2, 10_000)), 4)
    0.05
    """
    return LEVEL / (number * (number - 1)) if number > 1 else 0.0


def _over_time(nights, found, measures, seed):
    """The `OverTime` of these nights, of which the last is tonight."""
    first, last = cell(measures[0]), len(found) - 1
    scores = [tables[first] for tables in found]
    begun = {name: at for at in range(last, -1, -1) for name in scores[at].columns}
    before = {*scores[last - 1].columns} if last else set()
    line = []
    for at, (night, table) in enumerate(zip(nights, scores)):
        for name in table:
            row = {"night": night, "system": name, "mean": table[name].mean()}
            differences = _change(table, scores[begun[name]], name)
            row["change"] = differences.mean()
            row["low"], row["high"] = _interval(differences, at, begun, table)
            line.append(row | {one: found[at][cell(one)][name].mean() for one in measures[1:]})
    return OverTime(
        nights=nights,
        line=pandas.DataFrame(line),
        changes=_changes(nights, scores, begun, seed),
        new=[name for name in scores[last] if last and name not in before],
        gone=[name for name in scores[last - 1] if last and name not in scores[last]],
        level=spent(last + 1),
    )


def _questions(at, begun, table):
    """The comparisons of a night: each system with each earlier night that it is held against, by number.

    These are the night before, and the first night that the system has.
    """
    return [
        (name, other)
        for name in table
        for other in sorted({at - 1, begun[name]})
        if begun[name] <= other < at
    ]


def _change(table, before, name):
    """The change of a system by query; 0 where it is so small that rounding explains it."""
    differences = (table[name] - before[name].reindex(table.index)).to_numpy()
    return np.where(np.abs(differences) < EQUAL, 0.0, differences)


def _interval(differences, at, begun, table):
    """Student's interval for a mean change, at the level of its night, which all its comparisons share."""
    if not differences.any():
        return 0.0, 0.0
    return student_ends(differences, spent(at + 1) / (2 * len(_questions(at, begun, table))))


def _changes(nights, scores, begun, seed):
    """Tonight against the night before and against the first: who changed by more than chance explains."""
    at, table = len(scores) - 1, scores[-1]
    columns = ["system", "since", "night", "difference", "low", "high", "p_family", "level", "changed"]
    asked = _questions(at, begun, table)
    asked = [(name, other) for name, other in asked if name in scores[other]]
    if not asked:
        return pandas.DataFrame(columns=columns)
    rows = np.array([_change(table, scores[other], name) for name, other in asked])
    found = []
    for (name, other), row, p in zip(asked, rows, flip_signs(each_alone(rows), seed).p_family):
        low, high = _interval(row, at, begun, table)
        # Both have to say so: the sign flips, and the interval.
        changed = bool(p <= spent(at + 1) and (low > 0 or high < 0))
        since = "the night before" if other == at - 1 else "the first night"
        ends = (low, high) if changed else (min(low, 0.0), max(high, 0.0))
        found.append([name, since, nights[other], row.mean(), *ends, p, spent(at + 1), changed])
    return pandas.DataFrame(found, columns=columns)
