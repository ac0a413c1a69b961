"""Which means another order of equal scores would change: ours beside those of trec_eval's order."""

from dataclasses import replace

import numpy as np

from ranking_report.kinds import KINDS
from ranking_report.scoring import of_queries, score


def changed_means(comparison):
    """The means of a comparison that differ, at four decimals, from those by trec_eval's order of ties.

    Only queries on which items of different labels (for Judged@k, of which one is judged) have one score in
    trec_eval's 32 bits can differ, and only these are scored again. The measures of ir_measures keep their
    own order, and cannot.

    Returns
    -------
    dict of str to list of (str, float, float)
        By system the measures, with the mean and that by trec_eval's order; those that change most first.
    """
    changed, settings = {}, comparison.settings
    for column, system in enumerate(comparison.systems if settings["ties"] != "trec_eval" else ()):
        alone = replace(comparison.rankings, scores={system: comparison.rankings.scores[system]})
        means = []
        for row, measure in enumerate(comparison.asked):
            kind = KINDS.get(measure.kind)
            numbers = comparison.traits[system][kind.changed_by] if kind else []
            if len(numbers) == 0:
                continue
            ours, theirs = comparison.values[row, column], comparison.values[row, column].copy()
            few = of_queries(alone, np.isin(np.arange(len(ours)), numbers))
            theirs[numbers] = score(few, [measure], "trec_eval", settings["gain"])[0, 0]
            means.append((measure.name, float(ours.mean()), float(theirs.mean())))
        means = [(name, ours, theirs) for name, ours, theirs in means if f"{ours:.4f}" != f"{theirs:.4f}"]
        if means:
            changed[system] = means
    by_change = lambda item: -max(abs(ours - theirs) for _, ours, theirs in item[1])
    return dict(sorted(changed.items(), key=by_change))
