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
    changes_by_system, settings = {}, comparison.settings
    if settings["ties"] == "trec_eval":
        return changes_by_system
    measures = {
        number: measure for number, measure in enumerate(comparison.parsed_measures) if measure.kind in KINDS
    }
    kinds_of_ties = {KINDS[measure.kind].changed_by for measure in measures.values()}
    for system_number, system in enumerate(comparison.systems):
        traits = comparison.traits[system]
        query_numbers = sorted({number for kind in kinds_of_ties for number in traits[kind]})
        if not query_numbers:
            continue
        one_system = replace(comparison.rankings, scores={system: comparison.rankings.scores[system]})
        affected = of_queries(one_system, np.isin(np.arange(len(comparison.queries)), query_numbers))
        values = comparison.values[[*measures], system_number]  # a copy, because a list is the index
        our_means = values.mean(axis=1).tolist()
        values[:, query_numbers] = score(affected, [*measures.values()], "trec_eval", settings["gain"])[:, 0]
        trec_eval_means = values.mean(axis=1).tolist()
        changes = [
            (measure.name, our_mean, trec_eval_mean)
            for measure, our_mean, trec_eval_mean in zip(measures.values(), our_means, trec_eval_means)
            if f"{our_mean:.4f}" != f"{trec_eval_mean:.4f}"
        ]
        if changes:
            changes_by_system[system] = changes
    largest_change = lambda system: max(abs(ours - theirs) for _, ours, theirs in changes_by_system[system])
    return {
        system: changes_by_system[system]
        for system in sorted(changes_by_system, key=largest_change, reverse=True)
    }
