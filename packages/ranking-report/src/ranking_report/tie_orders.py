"""Find the means that trec_eval's order of equal scores would change."""

from dataclasses import replace

import numpy as np

from ranking_report.kinds import KINDS
from ranking_report.scoring import of_queries, score


def changed_means(comparison):
    """Return the means that differ from those in trec_eval's order of ties.

    Returns
    -------
    dict of str to list of (str, float, float)
        For each system, a list with a tuple for every measure whose mean differs at four decimals. The tuple
        contains the name of the measure, the mean, and the mean in trec_eval's order. Systems with the
        largest changes come first.

    Notes
    -----
    The score of a query can differ only if items with different labels (for Judged@k, a judged and an
    unjudged item) have the same score when rounded to 32 bits, as in trec_eval. Only these queries are scored
    again. The measures of ir_measures are left out, because they order ties in their own way.
    """
    changed, settings = {}, comparison.settings
    rows = [row for row, measure in enumerate(comparison.asked) if measure.kind in KINDS]
    measures = [comparison.asked[row] for row in rows]
    ties = {KINDS[measure.kind].changed_by for measure in measures}
    for column, system in enumerate(comparison.systems if settings["ties"] != "trec_eval" else ()):
        numbers = sorted({number for kind in ties for number in comparison.traits[system][kind]})
        if not numbers:
            continue
        single = replace(comparison.rankings, scores={system: comparison.rankings.scores[system]})
        affected = of_queries(single, np.isin(np.arange(len(comparison.queries)), numbers))
        values = comparison.values[rows, column]
        our_means = values.mean(axis=1).tolist()
        values[:, numbers] = score(affected, measures, "trec_eval", settings["gain"])[:, 0]
        means = zip([measure.name for measure in measures], our_means, values.mean(axis=1).tolist())
        means = [(name, mine, other) for name, mine, other in means if f"{mine:.4f}" != f"{other:.4f}"]
        if means:
            changed[system] = means
    by_change = lambda item: -max(abs(our_means - theirs) for _, our_means, theirs in item[1])
    return dict(sorted(changed.items(), key=by_change))
