"""Read scores that another program computed, by query, system and measure."""

import numpy as np
import pandas

from ndcg_companion.checks import fail_if
from ndcg_companion.data.rankings import TEXT, Rankings
from ndcg_companion.text import check_plain, escaped
from ranking_report.measure_names import Measure
from ranking_report.readers.formats import sniff
from ranking_report.readers.ids import as_texts, check_ids, codes_of, refuse_missing
from ranking_report.readers.memory import is_frame, table_of_frame
from ranking_report.readers.values import check_numbers, refuse_first

_NAMES = {
    "query": ("query", "query_id", "qid", "q_id", "query-id", "topic", "task", "task_name"),
    "system": ("system", "run", "model", "model_name", "name"),
    "measure": ("measure", "metric"),
    "score": ("score", "value"),
}
_MOST_GAPS = 100  # the largest permitted ratio of cells to scores
_EXPECTED = "a header with query (or task), system, measure and score, and a row for each score"


def read_scores(scores, missing):
    """Return the measures and scores of a table, and `Rankings` without items.

    Parameters
    ----------
    scores : path, or DataFrame
        The table, which has the columns query (or task), system (or model), measure and score.
    missing : {"raise", "zero", "drop"}
        The treatment of a query for which a system lacks a score under some measure: reject the table, count
        the score as 0, or leave the query out.

    Returns
    -------
    measures : list of Measure
    rankings : Rankings
    scores : ndarray of shape (measures, systems, queries)

    Raises
    ------
    ValueError
        If a column is missing, if a score is not finite or appears twice, or if scores are missing.
    """
    table = table_of_frame(scores, "scores") if is_frame(scores) else _table_of_file(scores)
    roles = {
        role: next((name for name in names if name in table.names), None) for role, names in _NAMES.items()
    }
    got = escaped(", ".join(table.names), 200)
    fail_if(None in roles.values(), f"{table.header}: expected {_EXPECTED}, got {got}")
    columns = table.read([*roles.values()], [roles["score"]])
    values = check_numbers(columns[roles["score"]], "score", table.locate)
    fail_if(not len(values), f"{table.source}: expected {_EXPECTED}, got no row")
    query, queries = _coded("query", columns[roles["query"]], table.locate)
    system, systems = _coded("system", columns[roles["system"]], table.locate)
    measure, measures = _coded("measure", columns[roles["measure"]], table.locate)
    refuse_first(~np.isfinite(values), table.locate, "a finite score", values)
    is_repeated = pandas.DataFrame([measure, system, query]).T.duplicated().to_numpy()
    expected = "one score of a system for each query and measure"
    refuse_first(is_repeated, table.locate, expected, values, " in a second row")
    size = len(measures) * len(systems) * len(queries)
    fail_if(
        size > _MOST_GAPS * len(values),
        f"{table.source}: expected scores of most systems for most queries and measures, got {len(values):,} "
        f"of {size:,}",
    )
    score_array = np.full((len(measures), len(systems), len(queries)), np.nan)
    score_array[measure, system, query] = values
    score_array, is_kept = _without_gaps(score_array, missing, table.source, (measures, systems, queries))
    description = ", ".join(name if name == role else f"{name} as {role}" for role, name in roles.items())
    rankings = Rankings(
        queries=np.array(queries, dtype=TEXT)[is_kept],
        items=np.array([], dtype=TEXT),
        labels=np.array([]),
        judged=np.array([], dtype=bool),
        offsets=np.zeros(is_kept.sum() + 1, dtype=int),
        scores={check_plain(name, "system"): np.array([]) for name in systems},
        source=table.source,
        dropped=tuple(np.array(queries, dtype=object)[~is_kept]),
        inputs=((table.source, description),),
    )
    return [Measure(check_plain(name, "measure"), "given") for name in measures], rankings, score_array


def _table_of_file(path):
    sniffed = sniff(path, _EXPECTED)
    fail_if(sniffed.kind != "table", f"{sniffed.content.source}: expected {_EXPECTED}, got no such header")
    return sniffed.content


def _coded(role, ids, locate):
    """Return the number of the id in each row, and the distinct ids as texts."""
    codes, texts = codes_of(check_ids(role, ids, locate))
    refuse_missing(role, codes, locate)
    return codes, as_texts(texts).tolist()


def _without_gaps(scores, missing, source, names):
    """Return the scores without gaps, and a mask of the queries that remain.

    ``names`` are the names of the measures, systems and queries, which are the axes of ``scores``.
    """
    is_missing = np.isnan(scores)
    is_kept = np.ones(scores.shape[2], dtype=bool)
    if missing == "drop":
        is_kept = ~is_missing.any(axis=(0, 1))
        fail_if(not is_kept.any(), f"{source}: expected a query with all scores, got none")
    elif missing == "raise" and is_missing.any():
        first_gap = np.argwhere(is_missing)[0]
        measure, system, query = [axis_names[number] for axis_names, number in zip(names, first_gap)]
        raise ValueError(
            f"{source}: expected a score of each system for each query, got none of {escaped(system)} for "
            f"query {escaped(query)} under {escaped(measure)} ({int(is_missing.sum()):,} are missing); "
            "missing='zero' counts them 0 (--missing zero), missing='drop' leaves such queries out "
            "(--missing drop)"
        )
    return np.ascontiguousarray(np.nan_to_num(scores, nan=0.0)[:, :, is_kept]), is_kept
