"""Ideal DCGs, and a remark if mean NDCG and mean DCG have different winners."""

import numpy as np

from ndcg_companion.measures import ideal_dcg
from ndcg_companion.measures.gains import gains_of
from ranking_report.kinds import KINDS, OF_GAINS, count_in
from ranking_report.scoring import gain_function, judged_labels
from ranking_report.wording import EQUAL, listed


def gain_of(comparison, measure):
    """Return the gain that a measure uses, as a name or a function."""
    return measure.gain or gain_function(comparison.settings["gain"], comparison.rankings.labels)


def ideal_dcgs(comparison, measure):
    """Return the ideal DCG of each query, computed from all judged items."""
    labels, offsets = judged_labels(comparison.rankings)
    return (
        KINDS["nDCG"].divisor(measure, labels, offsets, gain_of(comparison, measure)) / measure.first_weight
    )


def largest_dcg(comparison, measure):
    """Return the DCG of a list with the highest gain at each rank that counts.

    The list is at most as long as the longest list in the comparison.
    """
    labels, longest = comparison.rankings.labels, int(np.diff(comparison.rankings.offsets).max())
    highest = gains_of(labels, gain_of(comparison, measure)).max()
    length = min(measure.k, longest) if isinstance(measure.k, int) else longest
    return (
        float(ideal_dcg(np.full(length, highest), discount=measure.discount, k=measure.k))
        / measure.first_weight
    )


def winners_differ(comparison):
    """Return a remark if mean NDCG@k and mean DCG@k have different winners.

    Returns
    -------
    list of str
        The remark, or nothing. Each NDCG or DCG measure with an integer cut-off is compared with its
        counterpart, whether or not the counterpart was requested. The remark is about the first measure that
        differs.
    """
    for measure, values in zip(comparison.parsed_measures, comparison.values):
        if measure.kind not in OF_GAINS or not isinstance(measure.k, int):
            continue
        ideal, scores = ideal_dcgs(comparison, measure), {measure.kind: values}
        if measure.kind == "nDCG":
            scores["DCG"] = values * ideal
        else:
            scores["nDCG"] = np.divide(values, ideal, out=np.zeros_like(values), where=ideal > 0)
        means = {kind: scores[kind].mean(axis=1) for kind in OF_GAINS}
        # Which systems have the highest mean, or one that differs from it only by rounding.
        has_highest_mean = {
            kind: mean >= mean.max() - EQUAL * max(1.0, mean.max()) for kind, mean in means.items()
        }
        if not (has_highest_mean["nDCG"] & has_highest_mean["DCG"]).any():
            return [_remark(comparison, measure, has_highest_mean)]
    return []


def _remark(comparison, measure, has_highest_mean):
    """Return the remark that names the different winners.

    ``has_highest_mean`` says, for DCG and nDCG, which systems have the highest mean.
    """
    dcg_name = measure.name.removeprefix("n")
    names = {"DCG": dcg_name, "nDCG": f"n{dcg_name}"}
    winners = {
        kind: listed(np.array(comparison.systems, dtype=object)[has_highest_mean[kind]]) for kind in OF_GAINS
    }
    few_proportion = (
        count_in(comparison.rankings.offsets, comparison.rankings.labels > 0) < measure.k
    ).mean()
    untested_names = [name for name in names.values() if name not in comparison.measure_names]
    advice = f"; --measure {untested_names[0]} tests the other mean too" if untested_names else ""
    return (
        f"The means name different winners: mean {names['nDCG']} is highest for {winners['nDCG']}, mean "
        f"{names['DCG']} for {winners['DCG']}. Mean {names['nDCG']} gives more weight to queries whose ideal "
        f"DCG is small, and {100 * few_proportion:.0f} % of the queries have fewer than {measure.k} relevant "
        "documents. "
        f"Decide whether each query or each relevant document counts the same{advice}."
    )
