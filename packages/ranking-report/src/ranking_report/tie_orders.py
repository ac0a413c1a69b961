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
    rows = [row for row, measure in enumerate(comparison.asked) if measure.kind in KINDS]
    measures = [comparison.asked[row] for row in rows]
    ties = {KINDS[measure.kind].changed_by for measure in measures}
    for column, system in enumerate(comparison.systems if settings["ties"] != "trec_eval" else ()):
        numbers = sorted({number for kind in ties for number in comparison.traits[system][kind]})
        if not numbers:
            continue
        alone = replace(comparison.rankings, scores={system: comparison.rankings.scores[system]})
        few = of_queries(alone, np.isin(np.arange(len(comparison.queries)), numbers))
        values = comparison.values[rows, column]
        ours = values.mean(axis=1).tolist()
        values[:, numbers] = score(few, measures, "trec_eval", settings["gain"])[:, 0]
        means = zip([measure.name for measure in measures], ours, values.mean(axis=1).tolist())
        means = [(name, mine, other) for name, mine, other in means if f"{mine:.4f}" != f"{other:.4f}"]
        if means:
            changed[system] = means
    by_change = lambda item: -max(abs(ours - theirs) for _, ours, theirs in item[1])
    return dict(sorted(changed.items(), key=by_change))
