"""Ideal DCGs: what turns mean NDCG into mean DCG, and whether the two name different winners."""

import numpy as np

from ndcg_companion.measures import ideal_dcg
from ndcg_companion.measures.gains import gains_of
from ranking_report.kinds import KINDS, OF_GAINS, count_in
from ranking_report.scoring import gain_function, judged_labels
from ranking_report.wording import EQUAL, listed


def gain_of(comparison, measure):
    """The gain by which a measure takes labels, as the measures take it."""
    return measure.gain or gain_function(comparison.settings["gain"], comparison.rankings.labels)


def ideal_dcgs(comparison, measure):
    """The ideal DCG of each query, from all that is judged."""
    labels, offsets = judged_labels(comparison.rankings)
    return KINDS["nDCG"].best(measure, labels, offsets, gain_of(comparison, measure)) / measure.first_weight


def largest_dcg(comparison, measure):
    """The DCG of a list with the highest gain at each rank that counts, at most those of the longest list."""
    labels, longest = comparison.rankings.labels, int(np.diff(comparison.rankings.offsets).max())
    highest = gains_of(labels, gain_of(comparison, measure)).max()
    length = min(measure.k, longest) if isinstance(measure.k, int) else longest
    return (
        float(ideal_dcg(np.full(length, highest), discount=measure.discount, k=measure.k))
        / measure.first_weight
    )


def winners_differ(comparison):
    """One remark if mean NDCG@k and mean DCG@k have different systems with the highest mean; else none.

    It looks at each measure that is one of the two and has a cut-off in ranks, whether the other is asked for
    or not, and says this of the first for which it is so.
    """
    for measure, values in zip(comparison.asked, comparison.values):
        if measure.kind not in OF_GAINS or not isinstance(measure.k, int):
            continue
        ideal, by_measure = ideal_dcgs(comparison, measure), {measure.kind: values}
        if measure.kind == "nDCG":
            by_measure["DCG"] = values * ideal
        else:
            by_measure["nDCG"] = np.divide(values, ideal, out=np.zeros_like(values), where=ideal > 0)
        means = {kind: by_measure[kind].mean(axis=1) for kind in OF_GAINS}
        best = {kind: mean >= mean.max() - EQUAL * max(1.0, mean.max()) for kind, mean in means.items()}
        if not (best["nDCG"] & best["DCG"]).any():
            return [_remark(comparison, measure, best)]
    return []


def _remark(comparison, measure, best):
    names = {"DCG": measure.name.removeprefix("n")}
    names["nDCG"] = f"n{names['DCG']}"
    winners = {kind: listed(np.array(comparison.systems, dtype=object)[best[kind]]) for kind in OF_GAINS}
    few = (count_in(comparison.rankings.offsets, comparison.rankings.labels > 0) < measure.k).mean()
    untested = [name for name in names.values() if name not in comparison.measure_names]
    also = f"; --measure {untested[0]} tests the other mean too" if untested else ""
    return (
        f"The means name different winners: mean {names['nDCG']} is highest for {winners['nDCG']}, mean "
        f"{names['DCG']} for {winners['DCG']}. Mean {names['nDCG']} gives more weight to queries whose ideal "
        f"DCG is small, and {100 * few:.0f} % of the queries have fewer than {measure.k} relevant documents. "
        f"Decide whether each query or each relevant document counts the same{also}."
    )
