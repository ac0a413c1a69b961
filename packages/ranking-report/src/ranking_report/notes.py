"""Notes on what was left out, and warnings about the data."""

import numpy as np

from ndcg_companion.significance.planning import FEWEST_SURE
from ndcg_companion.text import escaped
from ranking_report.kinds import KINDS, count_in
from ranking_report.tie_orders import changed_means
from ranking_report.wording import counted, listed, queries_text

_FEW_QUERIES = 25  # with fewer queries, simultaneous intervals covered too rarely in simulations
_MOST = 5  # the most systems that a note names
# Limits for the judged proportion of the first ten results, and for its difference between systems.
_ENOUGH_JUDGED, _SIMILAR_JUDGED = 0.8, 0.05


def omissions(rankings, left_out_measures, blank_count, judged_only=False):
    """Return notes on data that were left out or counted as 0.

    Parameters
    ----------
    rankings : Rankings
    left_out_measures : list of str
        The measures that were left out because they depend on the length of the lists.
    blank_count : int
        The number of queries without a relevant item.
    judged_only : bool
        Whether unjudged items were removed from the lists.
    """
    dropped = rankings.dropped
    ellipsis = ", …" if len(dropped) > _MOST else ""
    list_sizes = _sizes(rankings) if len(rankings.items) else {}
    empty_counts = {name: int((sizes == 0).sum()) for name, sizes in list_sizes.items()}
    absent_counts = [f"{name} ({number:,})" for name, number in empty_counts.items() if number]
    # Each note applies if the value beside it is not empty, 0 or false.
    notes = {
        "Left out: all unjudged items, from every list before it was scored (judged only).": judged_only,
        f"Left out: {queries_text(blank_count)} without a relevant item, for all measures.": blank_count,
        f"Left out: {queries_text(len(dropped))} that the judgments or a run do not have "
        f"({', '.join(map(escaped, dropped[:_MOST]))}{ellipsis}).": dropped,
        f"Left out: {', '.join(left_out_measures)}; a measure that depends on the length of the lists needs "
        "every system to rank every item, all of them judged.": left_out_measures,
        "Counted as 0: queries for which a system retrieved nothing: "
        f"{listed(absent_counts, _MOST)}.": absent_counts,
        f"Counted as 0: {counted(rankings.negative, 'grade', 'grades')} below zero.": rankings.negative,
    }
    return [note for note, applies in notes.items() if applies]


def _sizes(rankings):
    """Return the lengths of each system's lists."""
    return {name: count_in(rankings.offsets, scores > -np.inf) for name, scores in rankings.scores.items()}


def cautions(comparison):
    """Return warnings about the data, with the most important first."""
    contradicted_systems = [
        f"{name} ({100 * share:.0f} %)" for name, share in comparison.contradicted.items()
    ]
    judged_parts = {name: comparison.traits[name]["judged"] for name in comparison.systems}
    least, most = min(judged_parts.values()), max(judged_parts.values())
    percentages = ", ".join(f"{100 * share:.0f} % ({name})" for name, share in judged_parts.items())
    if len(judged_parts) > _MOST:  # a range, or a single number if both ends round to it
        percentages = " to ".join(dict.fromkeys(f"{100 * share:.0f}" for share in (least, most))) + " %"
    short_systems, measure, depth = short_lists(comparison.rankings, comparison.parsed_measures)
    query_count = len(comparison.queries)
    # Each note applies if the value beside it is not empty or false.
    notes = {
        "the rank column contradicts the scores of neighbouring documents: "
        f"{listed(contradicted_systems, _MOST)}. As in trec_eval, only the scores count, and larger is "
        "better: are they distances?": contradicted_systems,
        f"of the first ten results, {percentages} are judged. The others count as irrelevant: judge more of "
        "them before you trust a difference between these systems.": least < _ENOUGH_JUDGED
        or most - least > _SIMILAR_JUDGED,
        **dict.fromkeys(map(_similar_ids_note, comparison.rankings.similar_ids), True),
        f"lists of at most {', '.join(short_systems[:_MOST])} documents for a query are short for {measure}, "
        f"which can count {depth:,}. Empty ranks contribute nothing.": short_systems,
        **dict.fromkeys(_tied_scores_notes(comparison), True),
        f"{query_count} queries are few for simultaneous intervals, and for losses that only some queries "
        "show. With fewer than 25, intervals may miss the true values in more than 5 of 100 samples, above "
        "all if scores take few values.": FEWEST_SURE <= query_count < _FEW_QUERIES,
    }
    return [f"Beware: {note}" for note, applies in notes.items() if applies]


def _similar_ids_note(similar_ids):
    """Return a note on unjudged ids of a system that resemble judged ones."""
    id_, judged_id, system, number, kind = similar_ids
    plural = "documents" if kind == "document" else "queries"
    return (
        f"{counted(number, kind, plural)} of {system} {'is' if number == 1 else 'are'} not judged, though "
        "a judged one has the same id except for letter case, accents, outer blanks, invisible characters "
        f"or a .0 after a number, such as {id_!a} beside {judged_id!a}. They count as different."
    )


def short_lists(rankings, measures):
    """Return the systems whose lists are too short for a measure, with that measure.

    Each text contains the name of a system and the length of its longest list. The texts are followed by the
    name of the measure and its depth. The depth of a measure without a cut-off is the length of the longest
    list, and a list of half this length is long enough for it.
    """
    longest_sizes = {name: int(sizes.max()) for name, sizes in _sizes(rankings).items()}
    deepest = max(longest_sizes.values())
    depths = [
        (measure.k or deepest // 2, measure.name, measure.k or deepest)
        for measure in measures
        if measure.kind in KINDS and KINDS[measure.kind].is_for_long_lists
    ]
    needed_depth, name, depth = max(depths, default=(0, "", 0))  # of the measure that needs the longest list
    long_enough = min(needed_depth, np.diff(rankings.offsets).max())  # no list has more than all items
    short_systems = [f"{size:,} ({system})" for system, size in longest_sizes.items() if size < long_enough]
    return short_systems, name, depth


def _tied_scores_notes(comparison):
    """Yield warnings about means that depend on the order of equal scores."""
    ties, traits = comparison.settings["ties"], comparison.traits
    changed_rows = [(name, *change) for name, rows in changed_means(comparison).items() for change in rows]
    if changed_rows:
        (name, measure, our_mean, trec_eval_mean), *more_rows = changed_rows
        more_means = f", and {len(more_rows)} more means" if more_rows else ""
        yield (
            f"tied scores change means: {name} gives {100 * traits[name]['tied']:.3g} % of its results a "
            f"tied score; its {measure} is {our_mean:.4f} with ties: {ties}, and {trec_eval_mean:.4f} in "
            f"trec_eval's order{more_means}."
        )
    other_measures = [measure.name for measure in comparison.parsed_measures if measure.kind == "ir_measures"]
    mixed_systems = [name for name in comparison.systems if traits[name]["mixed"]]
    if other_measures and mixed_systems and ties != "trec_eval":
        yield (
            f"{', '.join(other_measures)} {'is' if len(other_measures) == 1 else 'are'} computed by "
            f"ir_measures, which keeps its own order of equal scores; ties: {ties} applies to the other "
            f"measures only. {listed(mixed_systems, _MOST)} "
            f"{'gives' if len(mixed_systems) == 1 else 'give'} equal scores to documents of different labels."
        )
