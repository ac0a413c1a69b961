"""Check whether a lead remains for all possible gains of the unjudged results."""

from functools import partial

import numpy as np

from ndcg_companion.measures.gains import gains_of
from ranking_report.ideals import gain_of, ideal_dcgs
from ranking_report.kinds import count_in
from ranking_report.scoring import judged_labels
from ranking_report.wording import EQUAL

_MOST = 20_000  # the most pairs; this many take some seconds


def leads(comparison):
    """Return which leads are safe, and the mean gain at which each lead would end.

    Returns
    -------
    safe : ndarray of object
        True, False or None for each pair. None means that it is unknown whether the lead is safe. This is so
        if there is no lead, if the measure is not DCG or nDCG with a cut-off of at most 100, if unjudged
        results were removed, if labels break ties, if label 0 has a gain although some grades are below 0, or
        if there are more than 20,000 pairs. For nDCG with several grades, the value is True or None (see
        `lowest_graded_leads`).
    break_even : ndarray of float
        For DCG, the mean gain of unjudged results, as a proportion of the highest gain, at which the expected
        lead is 0. The value is NaN for nDCG, and also if no proportion reverses the lead.

    Notes
    -----
    An item without a grade, or with a grade below 0, may have any gain up to the highest gain in the data.
    """
    contrasts, settings = comparison.contrasts, comparison.settings
    pair_count, system_count = len(contrasts.first), len(comparison.systems)
    safe, break_even = np.full(pair_count, None, dtype=object), np.full(pair_count, np.nan)
    if settings["judged_only"] or settings["ties"] in ("best", "worst") or pair_count > _MOST:
        return safe, break_even
    query_of_item = np.repeat(np.arange(len(comparison.queries)), np.diff(comparison.rankings.offsets))
    for measure_number, unjudged_of_systems in comparison.unjudged.items():
        measure = comparison.parsed_measures[measure_number]
        gain = gain_of(comparison, measure)
        if comparison.rankings.grades is not None and gains_of(np.zeros(1), gain)[0] > 0:
            continue  # label 0, and therefore also a grade below 0, has a gain here
        dcgs, bound, is_exact = _bound_of(comparison, measure_number)
        # A contrast compares two rows of all scores, with the number measure * systems + system.
        for pair in np.flatnonzero(contrasts.first // system_count == measure_number):
            ahead, behind = contrasts.first[pair] % system_count, contrasts.second[pair] % system_count
            if contrasts.means[pair] < 0:
                ahead, behind = behind, ahead
            if abs(contrasts.means[pair]) > EQUAL:
                items, changes = _changes(unjudged_of_systems[ahead], unjudged_of_systems[behind])
                lead = dcgs[ahead] - dcgs[behind]
                is_safe = bool(bound(lead, query_of_item[items], changes).sum() > EQUAL * len(lead))
                safe[pair] = is_safe or (False if is_exact else None)
                # Gains of a proportion g change the lead by g * changes.sum(), so it is 0 for some g <= 1.
                if measure.kind == "DCG" and lead.sum() <= -changes.sum():
                    break_even[pair] = -lead.sum() / changes.sum()
    return safe, break_even


def _changes(ahead, behind):
    """Return the unjudged results that affect a lead, and the lead's change per unit of gain.

    ``ahead`` and ``behind`` are the `Unjudged` results of the two systems.
    """
    items, item_numbers = np.unique(np.append(ahead.items, behind.items), return_inverse=True)
    changes = np.bincount(item_numbers, np.append(ahead.weights, -behind.weights), minlength=len(items))
    has_effect = np.abs(changes) > EQUAL
    return items[has_effect], changes[has_effect]


def _bound_of(comparison, measure_number):
    """Return DCGs, a function that bounds leads from below, and whether it is exact.

    The DCGs are in units of the highest gain. The function takes the lead, the queries and the changes, as
    `lowest_dcg_leads` does.
    """
    measure, values = comparison.parsed_measures[measure_number], comparison.values[measure_number]
    labels, offsets = judged_labels(comparison.rankings)
    gains = gains_of(labels, gain_of(comparison, measure))
    highest = gains.max()
    if measure.kind == "DCG":
        return values / highest, lowest_dcg_leads, True
    ideal = ideal_dcgs(comparison, measure)
    ideal_sums = np.append(0.0, measure.weight(np.arange(1.0, measure.k + 1)).cumsum())
    dcgs = values * ideal / highest
    if np.isin(gains, (0, highest)).all():
        return dcgs, partial(lowest_ndcg_leads, count_in(offsets, gains > 0), ideal_sums, measure.k), True
    return dcgs, partial(lowest_graded_leads, ideal / highest, ideal_sums[-1]), False


def lowest_dcg_leads(lead, query, changes):
    """Return the lowest possible lead in DCG on each query.

    The lead is lowest if the unjudged results of the system behind have the highest gain, and the unjudged
    results of the system ahead have no gain.

    Parameters
    ----------
    lead : ndarray of shape (q,)
        The lead in DCG that judged results give on each query, in units of the highest gain.
    query : ndarray of int, shape (u,)
        For each unjudged result that would change the lead, the number of its query.
    changes : ndarray of shape (u,)
        For each such result, the change of the lead if the result has the highest gain.

    Examples
    --------
    >>> lowest_dcg_leads(np.array([0.5]), np.array([0, 0]), np.array([0.5, -1.0])).tolist()
    [-0.5]
    """
    return lead + np.bincount(query, np.minimum(changes, 0), minlength=len(lead))


def lowest_ndcg_leads(relevant, sums, others, lead, query, changes):
    """Return the lowest possible lead in nDCG@k on each query, for labels 0 and 1.

    The lowest lead is attained by some labelling.

    Parameters
    ----------
    relevant : ndarray of int, shape (q,)
        The number of documents judged relevant for each query.
    sums : ndarray of shape (k + 1,)
        The ideal DCG of 0 to k relevant documents.
    others : int
        The number of unjudged documents that may be relevant but do not change the lead, because both systems
        show them at the same rank or neither system shows them. If this number is at least k, its exact value
        does not matter.
    lead, query, changes : ndarray
        As in `lowest_dcg_leads`.

    Notes
    -----
    Suppose that t of the results that would change the lead are relevant. The lead in DCG is lowest if these
    are the t results with the smallest changes. If this lead is below 0, the quotient of the lead and the
    ideal DCG is lowest if no other unjudged document is relevant. Otherwise, the quotient is lowest if all
    other unjudged documents are relevant. For each t, the lead in DCG and the quotient are therefore lowest
    at the same time, and the lowest quotient over all t is attained.

    Examples
    --------
    One system shows a relevant document first, and the other system shows an unjudged document first.

    >>> query, changes = np.array([0]), np.array([-1.0])
    >>> lowest_ndcg_leads(np.array([1]), np.array([0, 1.0]), 1, np.array([1.0]), query, changes).tolist()
    [0.0]
    """
    order = np.lexsort((changes, query))
    query, changes = query[order], changes[order]
    query_starts = np.searchsorted(query, np.arange(len(lead)))[query]  # the first result of its query
    running_sums = np.append(0.0, changes.cumsum())
    # At first no result is relevant, and then the first t results of each query are.
    leads = np.append(lead, lead[query] + running_sums[1:] - running_sums[query_starts])
    query_of_lead = np.append(np.arange(len(lead)), query)
    relevant_counts = relevant[query_of_lead] + np.append(
        np.zeros_like(relevant), np.arange(len(query)) - query_starts + 1
    )
    ideal = sums[np.minimum(relevant_counts + np.where(leads < 0, 0, others), len(sums) - 1)]
    quotients = np.divide(leads, ideal, out=np.zeros_like(leads), where=ideal > 0)
    lowest_quotients = np.full(len(lead), np.inf)
    np.minimum.at(lowest_quotients, query_of_lead, quotients)
    return lowest_quotients


def lowest_graded_leads(ideal, largest, lead, query, changes):
    """Return a lower bound for the lead in nDCG@k on each query, for any gains.

    The bound is not always attained.

    Parameters
    ----------
    ideal : ndarray of shape (q,)
        The ideal DCG of the judged items, in units of the highest gain.
    largest : float
        The largest possible ideal DCG, in the same units.
    lead, query, changes : ndarray
        As in `lowest_dcg_leads`.

    Notes
    -----
    Let v be the lowest lead in DCG. For any gains, the ideal DCG lies between ``ideal`` and ``largest``.
    Therefore a lead of at least v has a quotient of at least v / largest if v >= 0. If v < 0, a quotient
    below 0 is at least v / ideal, and all other quotients are larger.
    """
    lowest = lowest_dcg_leads(lead, query, changes)
    floor = np.full_like(lowest, -np.inf)
    return np.divide(
        lowest, np.where(lowest < 0, ideal, largest), out=floor, where=(lowest >= 0) | (ideal > 0)
    )
