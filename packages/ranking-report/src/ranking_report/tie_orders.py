"""Which means another order of equal scores would change: ours beside those of trec_eval's order."""

from dataclasses import replace

import numpy as np

from ranking_report.kinds import KINDS
from ranking_report.scoring import of_queries, score


def changed_means(rankings, measures, values, traits, ties, gain="linear"):
    """The means that differ, at four decimals, from those by trec_eval's order of ties.

    Only queries on which items of different labels (for Judged@k, of which one is judged) have one score in
    trec_eval's 32 bits can differ, and only these are scored again. The measures of ir_measures keep their
    own order, and cannot.

    Parameters
    ----------
    rankings : Rankings
    measures : sequence of Measure
    values : ndarray of shape (measures, systems, queries)
        The scores with ``ties``.
    traits : mapping of str to mapping
        By system, from `ranking_report.scoring.traits`.
    ties, gain
        As for `ranking_report.scoring.score`.

    Returns
    -------
    dict of str to list of (str, float, float)
        By system the measures, with the mean and that by trec_eval's order; those that change most first.
    """
    changed = {}
    if ties == "trec_eval":
        return changed
    kinds = {"mixed": [], "unseen": []}
    for row, measure in enumerate(measures):
        if measure.kind in KINDS:
            kinds[KINDS[measure.kind].changed_by].append(row)
    for column, system in enumerate(rankings.scores):
        alone = replace(rankings, scores={system: rankings.scores[system]})
        means = []
        for kind, rows in kinds.items():
            turning = np.zeros(values.shape[2], dtype=bool)
            turning[traits[system][kind]] = True
            if not rows or not turning.any():
                continue
            theirs = values[rows, column]
            few = of_queries(alone, turning)
            theirs[:, turning] = score(few, [measures[row] for row in rows], "trec_eval", gain)[:, 0]
            for row, mean in zip(rows, theirs.mean(axis=1)):
                means.append((measures[row].name, float(values[row, column].mean()), float(mean)))
        means = [found for found in means if f"{found[1]:.4f}" != f"{found[2]:.4f}"]
        if means:
            changed[system] = means
    by_change = lambda item: -max(abs(ours - theirs) for _, ours, theirs in item[1])
    return dict(sorted(changed.items(), key=by_change))
