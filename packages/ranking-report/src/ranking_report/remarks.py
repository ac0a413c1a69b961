"""Remarks on a comparison: warnings, assumptions, and numbers of queries needed."""

from itertools import pairwise

import numpy as np

from ndcg_companion.significance.family import LEVEL, NOT_TESTED
from ndcg_companion.significance.planning import FEWEST_SURE, MOST, gate_queries
from ranking_report.bounds import FEWEST_CARRIERS
from ranking_report.ideals import winners_differ
from ranking_report.wording import ahead_first, count_text, counted, p_text, queries_text

_MOST_PAIRS = 3  # the most pairs that a warning names
_LOSSES = (0.005, 0.01, 0.02, 0.05)  # the tolerated losses for which a gate is planned
_PROMISE = (
    "The risk of even one false difference is at most 5 % if, on each query, the differences between equally "
    "good systems are equally likely with all signs reversed."
)


def remarks(comparison, results=()):
    """Return the remarks on a comparison, with the most important first.

    The remarks include all conditions under which the answer is valid.
    """
    result_remarks = [remark for result in results for remark in result.remarks]
    caution_remarks = [note for note in comparison.notes if note not in comparison.omissions]
    is_tested = len(comparison.systems) > 1 and len(comparison.queries) >= FEWEST_SURE
    # Functions of the comparison that return a remark or an empty text.
    explanations = [_adjusted, _needed, lambda _: _PROMISE, _seed_effect, _primary] if is_tested else []
    if (
        not result_remarks
        and len(comparison.baselines) == 1
        and len(comparison.systems) > 1
        and len(comparison.queries) > 1
    ):
        explanations.append(_plan)
    return [
        *caution_remarks,
        *result_remarks,
        *filter(None, (explain(comparison) for explain in explanations)),
    ]


def warnings(comparison):
    """Return warnings about significant differences.

    The warnings concern differences that another measure contradicts or that depend on few queries.
    """
    percentage = 100 * (1 - LEVEL ** (1 / len(comparison.queries)))
    sample = queries_text(len(comparison.queries))
    unseen_losses = f"Losses on up to {percentage:.2g} % of all queries may be absent from {sample}"
    few_remarks = [
        f"Beware: few queries account for the variance of {row['first']} − {row['second']} under "
        f"{row['measure']}. {unseen_losses}, so the means may differ the other way."
        for row in comparison.significant
        if rests_on_few(row, len(comparison.queries))
    ]
    constant_remarks = [
        f"Beware: under {row['measure']}, {row['first']} is ahead of {row['second']} by the same amount on "
        f"every query, so that nothing shows how the difference varies. {unseen_losses}."
        for row in comparison.significant
        if row["carriers"] == 0
    ]
    more_count = max(len(few_remarks) - _MOST_PAIRS, 0) + max(len(constant_remarks) - _MOST_PAIRS, 0)
    more_remark = f"Beware: the same is true of {counted(more_count, 'more comparison', 'more comparisons')}."
    shown_remarks = [*few_remarks[:_MOST_PAIRS], *constant_remarks[:_MOST_PAIRS]]
    return [
        *_contradictions(comparison),
        *winners_differ(comparison),
        *shown_remarks,
        *([more_remark] if more_count else []),
    ]


def _contradictions(comparison):
    """Return a remark on pairs that differ significantly in opposite directions."""
    measures_by_pair = {}  # the names of measures, by pair and by leading system
    for row in comparison.significant:
        measures_by_leader = measures_by_pair.setdefault(frozenset((row["first"], row["second"])), {})
        measures_by_leader.setdefault(row["first"], []).append(row["measure"])
    # Two different systems lead these pairs, under different measures.
    contradictory_pairs = [leaders.items() for leaders in measures_by_pair.values() if len(leaders) == 2]
    clauses = [
        f"{first} is significantly better than {second} in {', '.join(first_leads)}, and worse in "
        f"{', '.join(second_leads)}"
        for (first, first_leads), (second, second_leads) in contradictory_pairs
    ]
    more_count = len(clauses) - _MOST_PAIRS
    more_clause = (
        f"; the same is true of {counted(more_count, 'more pair', 'more pairs')}" if more_count > 0 else ""
    )
    sentence = f"The measures contradict each other: {'; '.join(clauses[:_MOST_PAIRS])}{more_clause}."
    return [f"{sentence} These data do not show which measure matters."] if clauses else []


def rests_on_few(row, query_count):
    """Return whether few queries account for the variance of a pair's difference."""
    # If differences are normal, a third of the queries account for the variance. Half of this third is few.
    return 0 < row["carriers"] < min(FEWEST_CARRIERS, query_count / 6)


def _adjusted(comparison):
    """Return a sentence that says for how many comparisons results are adjusted."""
    pairs, sizes = comparison.pairs, [*comparison.family_sizes().values()]
    if max(sizes) == 1:
        return ""
    numbers = " and ".join(f"{size:,}" for size in dict.fromkeys(sizes))
    scope = (
        f" with {' and '.join(comparison.baselines)}; no other pair is tested" if comparison.baselines else ""
    )
    sentence = f"All p-values and intervals are adjusted for {numbers} comparisons{scope}."
    unadjusted_rows = pairs[
        (pairs["p"] <= LEVEL) & (pairs["p_family"] > LEVEL) & (pairs["how"] != NOT_TESTED)
    ]
    if unadjusted_rows.empty:
        return sentence
    row = ahead_first(unadjusted_rows.iloc[0].to_dict())
    measure_clause = f" in {row['measure']}" if len(sizes) > 1 else ""
    more_pairs = counted(len(unadjusted_rows) - 1, "more pair", "more pairs")
    more_clause = f", and {more_pairs} a p below 0.05" if len(unadjusted_rows) > 1 else ""
    pair_clause = f"{row['first']} against {row['second']}{measure_clause}"
    return f"{sentence} Unadjusted, {pair_clause} would have {p_text(row['p'])}{more_clause}."


def _needed(comparison):
    """Return a remark on how many queries are needed to detect a difference.

    The remark is about the first difference that is not significant between neighbours on the leaderboard. If
    there is a baseline, the difference is between a system and the baseline.
    """
    names, query_count = comparison.leaderboard["system"].tolist(), len(comparison.queries)
    name_pairs = [*pairwise(names)]  # neighbours on the leaderboard
    if comparison.baselines:
        name_pairs = [(name, other) for other in comparison.baselines for name in names]
    pairs = comparison.pairs[comparison.pairs["measure"] == comparison.measure_names[0]]
    rows = {frozenset((row["first"], row["second"])): row for row in pairs.to_dict("records")}
    insignificant_rows = [
        row for row in map(rows.get, map(frozenset, name_pairs)) if row and row["p_family"] > LEVEL
    ]
    # The first pair that differs on some query.
    row = next((ahead_first(row) for row in insignificant_rows if row["wins"] + row["losses"]), None)
    if row is None:
        return ""
    difference_text = f"{row['difference']:.3f}" if row["difference"] >= 0.005 else f"{row['difference']:.2g}"
    number_text = f"{'about ' if row['queries'] <= MOST else ''}{count_text(row['queries'])}"
    number_text = number_text if row["queries"] > query_count else f"somewhat more than {query_count}"
    return (
        f"If {row['first']} and {row['second']} really differ by {difference_text}, {number_text} queries "
        "are needed to detect it with 80 % power. If they differ by less, far more are needed."
    )


def _seed_effect(comparison):
    """Return a remark on how much another seed would change p-values near 5 %."""
    noise = comparison.flips.noise
    near_count = int((np.abs(comparison.pairs["p_family"] - LEVEL) < noise).sum())
    sentence = f"The p-values are from {comparison.flips.patterns:,} random permutations of signs."
    change = f"Another seed would move one near 0.05 by about {noise:.4f}"
    return (
        f"{sentence} {change}, which may change the result of {counted(near_count, 'pair', 'pairs')}."
        if near_count
        else ""
    )


def _primary(comparison):
    """Return a remark that the first measure is tested first, if that is the case."""
    first, *other_measures = comparison.measure_names
    sentence = f"{first} is tested first, at 5 %; other measures are tested only if all of its pairs differ"
    return f"{sentence} significantly." if comparison.settings["primary"] and other_measures else ""


def _plan(comparison):
    """Return a remark on how many queries a gate needs, for some tolerated losses."""
    measure = comparison.measure_names[0]
    scale = np.ptp(comparison.reach[measure])
    deviations = [row.std(ddof=1) / scale for row in comparison.against_baseline(measure).values()]
    needed_queries = ", ".join(
        f"{count_text(gate_queries(deviations, -loss / scale))} for {loss:g}" for loss in _LOSSES
    )
    return (
        f"A gate against {comparison.baseline} on {measure} passes a harmless release with a probability of "
        f"90 % from about this many queries on, by the loss it tolerates: {needed_queries}. There are "
        f"{len(comparison.queries)}."
    )
