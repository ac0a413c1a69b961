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
    changed, settings, asked = {}, comparison.settings, comparison.asked
    rows = {
        kind: [row for row, of in enumerate(asked) if of.kind in KINDS and KINDS[of.kind].changed_by == kind]
        for kind in ("mixed", "unseen")
    }
    for column, system in enumerate(comparison.systems if settings["ties"] != "trec_eval" else ()):
        alone = replace(comparison.rankings, scores={system: comparison.rankings.scores[system]})
        means = []
        for kind, of_kind in rows.items():
            numbers = comparison.traits[system][kind]
            if not of_kind or not numbers:
                continue
            measures, theirs = [asked[row] for row in of_kind], comparison.values[of_kind, column]
            few = of_queries(alone, np.isin(np.arange(theirs.shape[1]), numbers))
            theirs[:, numbers] = score(few, measures, "trec_eval", settings["gain"])[:, 0]
            ours = comparison.values[of_kind, column].mean(axis=1).tolist()
            means += zip([measure.name for measure in measures], ours, theirs.mean(axis=1).tolist())
        means = [(name, mine, other) for name, mine, other in means if f"{mine:.4f}" != f"{other:.4f}"]
        if means:
            changed[system] = means
    by_change = lambda item: -max(abs(ours - theirs) for _, ours, theirs in item[1])
    return dict(sorted(changed.items(), key=by_change))
