"""What the page needs to show the lists of any two systems side by side, for any query."""

import json

import numpy as np

from ndcg_companion.text import escaped
from ranking_report.moved import depth_of, first_places, main_pair

_MOST = 60_000  # results, about two megabytes


def as_data(comparison):
    """JSON, safe within a page, of the first results of all systems for the queries that differ most.

    Its ``start`` is the pair of `main_pair`; its ``scores`` and ``lists`` are by system and query, a list
    being places among ``items``, each an id and a grade, which is null for what nobody judged.
    """
    rankings, depth, values = comparison.rankings, depth_of(comparison), comparison.values[0]
    most = max(1, _MOST // (depth * len(comparison.systems)))
    chosen = np.argsort(-np.ptp(values, axis=0), kind="stable")[:most]
    items, lists = {}, [[] for _ in comparison.systems]
    for query in chosen:
        part = slice(*rankings.offsets[query : query + 2])
        for of_system, scores in zip(lists, rankings.scores.values()):
            row = []
            for place in first_places(scores[part], depth) + part.start:
                grade = float(rankings.labels[place]) if rankings.judged[place] else None
                row.append(items.setdefault((escaped(rankings.items[place], 100), grade), len(items)))
            of_system.append(row)
    names = comparison.leaderboard["system"].tolist()
    data = {
        "systems": [escaped(name, 60) for name in comparison.systems],
        "start": [comparison.systems.index(name) for name in main_pair(names, comparison.baselines)],
        "queries": [escaped(comparison.queries[query], 100) for query in chosen],
        "scores": values[:, chosen].round(4).tolist(),
        "items": [*items],
        "lists": lists,
        "left": len(comparison.queries) - len(chosen),
    }
    return json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")
