"""Score each system on each query, by its own list and all judged items."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

import numpy as np

from ndcg_companion.checks import fail_if
from ndcg_companion.measures.gains import Gain, gains_of
from ndcg_companion.measures.lists import read_lists
from ndcg_companion.text import escaped
from ranking_report.choices import TIES
from ranking_report.kinds import KINDS, OF_GAINS, Results, has_grade
from ranking_report.readers.values import as_numbers

Gains = Gain | Mapping[int, float] | Mapping[float, float]
_BLOCK = 2**20  # the number of items that are scored at once


def score(rankings, measures, ties="average", gain="linear", map_function=map):
    """Return the score of every system on every query.

    Parameters
    ----------
    rankings : Rankings
    measures : sequence of Measure
        The measures. Measures that depend on the length of the list require rankings that are `complete`.
    ties : {"average", "trec_eval", "best", "worst"}
        The treatment of equal scores: the mean over all their orders, trec_eval's order (by scores that are
        rounded to 32 bits, then by decreasing id), or the best or the worst order.
    gain : {"linear", "exponential"}, callable, or mapping of labels to gains
    map_function : callable
        Applies a function to blocks of queries: `map`, or the map of a cluster.

    Returns
    -------
    ndarray of shape (measures, systems, queries)

    Raises
    ------
    ValueError
        If ``ties`` is unknown, or if the gain of some label is negative or not finite.

    Notes
    -----
    The list of a system, with the best item first, is compared with all judged items of the query. Unjudged
    items contribute nothing, and the score is 0 for a query without a relevant judged item. A score does not
    depend on the other systems.
    """
    fail_if(ties not in TIES, f"ties={ties!r}: expected one of {', '.join(map(repr, TIES))}")
    gains = gain_function(gain, rankings.labels)
    if any(measure.kind in OF_GAINS and not measure.gain for measure in measures):
        labels = np.unique(rankings.labels)
        gains_of_labels = gains_of(labels, gains)
        lowest = gains_of_labels.argmin()
        fail_if(
            gains_of_labels[lowest] < 0,
            f"gain={escaped(gain)}: expected gains >= 0, got {gains_of_labels[lowest]:g} for label "
            f"{labels[lowest]:g}",
        )
    work = partial(_score_block, measures=measures, ties=ties, gain=gains)
    if any(measure.kind == "ir_measures" for measure in measures):
        map_function = map  # the programs behind ir_measures may not be thread-safe
    return np.concatenate([*map_function(work, [*blocks(rankings)])], axis=2)


def gain_function(gain, labels):
    """Return the gain as measures use it, with a mapping turned into a function.

    >>> gain_function({0: 0, 1: 1, 2: 5}, [0, 2])(np.array([2, 0]))
    array([5., 0.])
    """
    if not hasattr(gain, "items"):
        return gain
    try:
        columns = [as_numbers(column, "gain", "gain {}".format) for column in zip(*gain.items())]
        pairs = sorted(zip(*(column.astype(float) for column in columns)))  # by increasing label
        graded_labels, gain_values = np.array(pairs).T
    except (TypeError, ValueError, OverflowError):
        graded_labels = gain_values = np.array([np.nan])  # rejected in the next line
    fail_if(
        not np.isfinite([graded_labels, gain_values]).all(),
        f"gain={escaped(gain)}: expected a finite gain for each label",
    )
    fail_if(
        (graded_labels[1:] == graded_labels[:-1]).any(), f"gain={escaped(gain)}: expected each label once"
    )
    labels_without_gain = np.setdiff1d(labels, graded_labels)
    if len(labels_without_gain):
        raise ValueError(f"gain: expected a gain for each label, got none for {labels_without_gain[0]:g}")
    return lambda values: gain_values[np.searchsorted(graded_labels, values)]


def judged_part(rankings):
    """Return the rankings without unjudged results (condensed lists).

    This corresponds to the option ``-J`` of trec_eval.
    """
    is_graded = has_grade(rankings)
    scores = {name: np.where(is_graded, values, -np.inf) for name, values in rankings.scores.items()}
    return replace(rankings, scores=scores, distinct=True)


def judged_labels(rankings):
    """Return the labels of all judged items, and the offsets of their queries."""
    labels, offsets = rankings.labels, rankings.offsets
    # Unjudged items contribute nothing, but they would change the order of summation and therefore the last
    # digit.
    if not rankings.judged.all():
        offsets = np.append(0, rankings.judged.cumsum())[offsets]
        labels = labels[rankings.judged]
    return labels, offsets


def complete(rankings):
    """Return whether every system ranks every item and every item is judged.

    If so, all lists of a query have the same length.
    """
    return bool(rankings.judged.all()) and all(
        (scores > -np.inf).all() for scores in rankings.scores.values()
    )


def blocks(rankings, most=None):
    """Yield the rankings in blocks of queries with about ``most`` items each.

    The boundaries of the blocks depend only on the rankings, and therefore sums over blocks do too.
    """
    offsets, start = rankings.offsets, 0
    while start < len(rankings.queries):
        largest_stop = np.searchsorted(offsets, offsets[start] + (most or _BLOCK), side="right") - 1
        stop = max(start + 1, int(largest_stop))  # at least one query, however long
        yield of_queries(rankings, slice(start, stop))
        start = stop


def of_queries(rankings, selection):
    """Return the rankings of some queries, which a slice or a mask selects."""
    sizes = np.diff(rankings.offsets)
    items = (
        slice(*rankings.offsets[[selection.start, selection.stop]])  # a slice needs no copy
        if isinstance(selection, slice)
        else np.repeat(selection, sizes)
    )
    return replace(
        rankings,
        queries=rankings.queries[selection],
        offsets=np.append(0, sizes[selection].cumsum()),
        items=rankings.items[items],
        labels=rankings.labels[items],
        judged=rankings.judged[items],
        scores={system: scores[items] for system, scores in rankings.scores.items()},
        grades=None if rankings.grades is None else rankings.grades[items],
        times=None,
        distinct=True,  # the data were checked when the complete rankings were created
    )


def retrieved(rankings, system, ties="average"):
    """Return the `Results` of a system."""
    scores, offsets = rankings.scores[system], rankings.offsets
    is_retrieved = scores > -np.inf
    selection = slice(None)  # a slice avoids a copy if all items are retrieved
    if not is_retrieved.all():
        selection = np.flatnonzero(is_retrieved)
        offsets = np.searchsorted(selection, offsets)
    if ties == "trec_eval":
        items, query = rankings.items, _query_numbers(rankings.offsets)
        has_rising_ids = ((items[1:] > items[:-1]) & (query[1:] == query[:-1])).any()
        if has_rising_ids:  # order the items of each query by decreasing id
            order = np.argsort(items, kind="stable")[::-1]
            order = order[np.argsort(query[order], kind="stable")]
            selection = order[scores[order] > -np.inf]
        ties = "stable"  # items with equal scores keep this order
        with np.errstate(over="ignore"):
            scores = scores.astype(np.float32)
    labels, judged = rankings.labels[selection], rankings.judged[selection]
    return Results(labels, judged, scores[selection], offsets, ties, selection, rankings)


def _query_numbers(offsets):
    """Return the number of each item's query, in a type that can be sorted fast."""
    kind = np.uint16 if len(offsets) <= 2**16 else np.int64
    return np.repeat(np.arange(len(offsets) - 1, dtype=kind), np.diff(offsets))


def _score_block(rankings, measures, ties, gain):
    """Return the scores of a block of queries, by measure, system and query."""
    values = np.empty((len(measures), len(rankings.scores), len(rankings.queries)))
    labels, offsets = judged_labels(rankings)
    divisors = {
        measure_number: KINDS[measure.kind].divisor(measure, labels, offsets, gain)
        for measure_number, measure in enumerate(measures)
        if measure.kind in KINDS
    }
    for system_number, system in enumerate(rankings.scores):
        results = retrieved(rankings, system, ties)
        for measure_number, divisor in divisors.items():
            measure = measures[measure_number]
            sums = KINDS[measure.kind].list_sum(measure, results, gain, divisor)
            # The score of a list is its sum by the divisor, or 0 if the divisor is 0.
            scores = np.divide(sums, divisor, out=np.zeros_like(sums), where=divisor > 0)
            values[measure_number, system_number] = scores
    for measure_number, measure in enumerate(measures):
        if measure.kind not in KINDS:
            values[measure_number] = _by_ir_measures(rankings, measure)
    return values


def _by_ir_measures(rankings, measure):
    """Return the scores that ir_measures computes, by system and query.

    Notes
    -----
    Grades below 0 are passed to ir_measures unchanged, and the numbers of queries are passed as their ids.
    """
    import ir_measures

    prefix = f"measure={escaped(measure.name)}"  # of messages
    items = rankings.items.astype(object)
    query_numbers = (_query_numbers(rankings.offsets).astype(int) + 1).astype(str).astype(object)
    grades = rankings.labels if rankings.grades is None else rankings.grades
    fail_if((grades % 1 != 0).any(), f"{prefix}: ir_measures expects whole numbers as grades")
    rows = lambda mask, values, type_: [*map(type_, query_numbers[mask], items[mask], values[mask].tolist())]
    values = np.zeros((len(rankings.scores), len(rankings.queries)))
    try:
        evaluator = ir_measures.evaluator(
            [ir_measures.parse_measure(measure.name)],
            rows(rankings.judged, grades.astype(int), ir_measures.Qrel),
        )
        for row, scores in zip(values, rankings.scores.values()):
            for metric in evaluator.iter_calc(rows(scores > -np.inf, scores, ir_measures.ScoredDoc)):
                row[int(metric.query_id) - 1] = metric.value
    except Exception as error:  # the measures come from many programs, which raise exceptions of any type
        reason = f"{type(error).__name__}, {escaped(error, 300)}"
        raise ValueError(f"{prefix}: ir_measures could not compute it: {reason}") from error
    fail_if(not np.isfinite(values).all(), f"{prefix}: expected finite scores from ir_measures")
    return values


def traits(rankings, top=10, map_function=map):
    """Return how often each system's scores tie, and how many results are judged.

    Parameters
    ----------
    rankings : Rankings
    top : int
        The number of first results whose judgments are counted.
    map_function : callable
        Applies a function to blocks of queries: `map`, or the map of several threads.

    Returns
    -------
    dict of str to dict
        For each system, ``tied`` is the proportion of its results that have the score of another result of
        the query, and ``judged`` is the judged proportion of its first ``top`` results. ``mixed`` contains
        the numbers of the queries on which two results with different labels tie. ``unseen`` contains the
        numbers of the queries on which a judged and an unjudged result tie.

    Notes
    -----
    Scores tie if they are equal when rounded to 32 bits, as in trec_eval. Only ``judged`` uses the exact
    scores. For items that tie at the cut-off, the mean over them is used, because their order is
    undetermined.
    """
    parts = [*blocks(rankings)]
    starts = np.cumsum([0, *(len(part.queries) for part in parts)]).tolist()
    counts_of_blocks = [*map_function(partial(_traits_of_block, top=top), parts)]
    by_system = {}
    for system in rankings.scores:
        counts = [block[system] for block in counts_of_blocks]
        item_count = sum(count["items"] for count in counts)
        tied_count = sum(count["tied"] for count in counts)
        top_count = sum(count["top"] for count in counts)
        judged_count = float(np.concatenate([count["judged"] for count in counts]).sum())
        by_system[system] = {
            "tied": tied_count / item_count if item_count else 0.0,
            "judged": judged_count / top_count if top_count else np.nan,
            **{
                key: [start + number for start, count in zip(starts, counts) for number in count[key]]
                for key in ("mixed", "unseen")
            },
        }
    return by_system


def _traits_of_block(rankings, top):
    """Return the counts of ties and judged results of each system in a block."""
    counts = {}
    for system in rankings.scores:
        labels, judged, scores, offsets, *_ = results = retrieved(rankings, system)
        lists = read_lists(labels, scores, offsets)
        order = lists.order(scores)
        with np.errstate(over="ignore"):  # scores tie if they are equal in trec_eval's 32 bits
            ranked_scores = scores.take(order).astype(np.float32)
        is_tied = ranked_scores[1:] == ranked_scores[:-1]
        # Entry i is about ranks i and i + 1. The last result of a list does not tie with the next list.
        is_tied[lists.starts[lists.sizes > 0][1:] - 1] = False
        top_counts = judged_counts = np.minimum(np.diff(offsets), top)
        if not judged.all():
            judged_counts = results.hits(judged, top)
        pairs = order[np.flatnonzero(is_tied)[:, None] + [0, 1]]  # neighbours in rank whose scores tie
        counts[system] = {
            "items": len(scores),
            "tied": int((np.append(is_tied, False) | np.append(False, is_tied)).sum()) if len(scores) else 0,
            "top": int(top_counts.sum()),
            "judged": judged_counts,
            "mixed": _where_they_differ(labels, pairs, offsets),
            "unseen": _where_they_differ(judged, pairs, offsets),
        }
    return counts


def _where_they_differ(values, pairs, offsets):
    """Return the numbers of the lists in which a pair of items has different values."""
    first_values, second_values = values[pairs].T
    first_items, _ = pairs[first_values != second_values].T
    return np.unique(np.searchsorted(offsets, first_items, side="right") - 1).tolist()
