"""The page and the tables of a comparison, as texts by file name.

All untrusted text in the page and the tables is escaped.
"""

import hashlib
import json
import os
from datetime import UTC, datetime
from importlib.metadata import version
from math import isfinite

import numpy as np

from ranking_report.answer import lines
from ranking_report.cells import as_csv
from ranking_report.colours import schemes
from ranking_report.drawings import bets, ladder, leaders, matrix
from ranking_report.folders import write_folder
from ranking_report.gating import Gate
from ranking_report.moved import lists_as_json, moved_most
from ranking_report.remarks import remarks
from ranking_report.rendering import filled, in_words, references, templates
from ranking_report.slices import Groups
from ranking_report.tie_orders import changed_means
from ranking_report.turns import Turns
from ranking_report.version import __version__
from ranking_report.wording import ahead_first

_MOST_ROWS = 300  # the most pairs on the page; pairs.csv has all of them


def save(comparison, folder, results=(), line=""):
    """Write all files of a comparison into a folder, and return their names.

    Parameters
    ----------
    comparison : Comparison
    folder : path
        A new folder, an empty folder, or the folder of an earlier report.
    results : sequence of Result
        The answers to further questions, which are shown on the page and have tables of their own.
    line : str
        The command line, if there was one.
    """
    texts = files(comparison, results, line)
    write_folder(folder, "report", texts)
    return [*texts]


def files(comparison, results=(), line=""):
    """Return the texts of all files of a report, by name."""
    record = json.dumps(as_record(comparison, results, line), indent=1, ensure_ascii=False, allow_nan=False)
    names = ("leaderboard", "means", "pairs", "measures", "scores")
    tables = {f"{name}.csv": getattr(comparison, name) for name in names}
    moved_results = [moved_most(comparison)] if _has_lists(comparison) else []
    for result in [*moved_results, *results]:
        tables |= result.tables
    return {
        "index.html": as_html(comparison, results, line),
        **{name: as_csv(table) for name, table in tables.items()},
        "report.json": f"{record}\n",
        "leaderboard.tex": filled("leaderboard.tex", comparison, rows=_pairs(comparison)),
    }


def _origin(comparison, line):
    """Return the date, command, versions and inputs of a report."""
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "command": line,
        "versions": {name: version(name) for name in ("ranking-report", "ndcg-companion", "numpy", "scipy")},
        "inputs": [
            {"name": name, "columns": columns, "sha256": _checksum(name)}
            for name, columns in comparison.rankings.inputs
        ],
    }


def _checksum(path):
    """Return the SHA-256 of a regular file, or an empty text for anything else."""
    if not os.path.isfile(path):
        return ""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def as_record(comparison, results=(), line=""):
    """Return everything except the scores by query as values that JSON accepts.

    Values that are not finite become None.
    """
    results_of = lambda type_: [result for result in results if isinstance(result, type_)]
    record = {
        "version": __version__,
        **_origin(comparison, line),
        "answer": lines(comparison, results),
        "remarks": remarks(comparison, results),
        "methods": comparison.methods,
        "references": references(),
        "notes": comparison.notes,
        "source": comparison.rankings.source,
        "settings": comparison.settings,
        "queries": len(comparison.queries),
        "systems": comparison.systems,
        "permutations": comparison.flips.patterns,
        "gates": [vars(gate) for gate in results_of(Gate)],
    }
    for name in ("leaderboard", "means", "pairs", "measures"):
        record[name] = getattr(comparison, name).to_dict("records")
    for name, type_ in (("groups", Groups), ("sequential", Turns)):
        record[name] = [row for result in results_of(type_) for row in result.table.to_dict("records")]
    return _json_value(record)


def _json_value(value):
    """Return a value that JSON accepts: None for a number that is not finite, a text for a function."""
    if isinstance(value, dict):
        return {str(name): _json_value(entry) for name, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [_json_value(entry) for entry in value]
    value = value.item() if isinstance(value, np.generic) else value
    if isinstance(value, float) and not isfinite(value):
        return None
    return value if value is None or isinstance(value, (str, int, float)) else repr(value)


def as_html(comparison, results=(), line=""):
    """Return the page as a self-contained HTML text."""
    board, pairs = comparison.leaderboard.to_dict("records"), _pairs(comparison)
    has_pairs = len(board) > 1
    # If there are many pairs, only the first measure is shown, with the smallest p-value first.
    if len(board) > 2:
        pairs = [row for row in pairs if row["measure"] == comparison.measure_names[0]]
        pairs.sort(key=lambda row: row["p_family"])
    turns = [result for result in results if isinstance(result, Turns)]
    groups = [result for result in results if isinstance(result, Groups)]
    return filled(
        "page.html",
        comparison,
        **in_words(comparison, results),
        origin=_origin(comparison, line),
        colours=schemes(),
        references=references(),
        bibtex=templates(False).get_template("references.bib").render(),
        pairs=pairs[:_MOST_ROWS],
        pairs_left=max(len(pairs) - _MOST_ROWS, 0),
        has_leads=any(row["safe"] is not None for row in pairs),
        measures=comparison.measures.to_dict("records"),
        leaders=leaders(board),
        matrix=matrix(comparison, board) if has_pairs else None,
        ladder=ladder(comparison, board) if has_pairs else None,
        lists=lists_as_json(comparison) if _has_lists(comparison) else None,
        tied=[(name, *row) for name, rows in changed_means(comparison).items() for row in rows],
        apart=bool(comparison.significant),
        turns=bets(comparison, board, turns[-1].tests) if turns else None,
        groups=groups[-1].table.to_dict("records") if groups else [],
    )


def _has_lists(comparison):
    """Return whether there are lists of two systems that can be shown side by side."""
    return len(comparison.systems) > 1 and len(comparison.rankings.items) > 0


def _pairs(comparison):
    """Return the rows of the pairs, in which the first system is ahead."""
    return [ahead_first(row) for row in comparison.pairs.to_dict("records")]
