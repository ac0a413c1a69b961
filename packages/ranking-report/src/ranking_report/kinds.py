"""The kinds of measures, each defined by a sum over a list and its divisor.

A function for the sum takes the measure, the `Results` of a system, the gain of the comparison and the
divisor. This function returns a number for each list. A function for the divisor takes the measure, the
labels and offsets of all judged items, and the gain.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil
from typing import NamedTuple

import numpy as np

from ndcg_companion.checks import fail_if
from ndcg_companion.data.rankings import Rankings
from ndcg_companion.measures import Power, dcg, err, ideal_dcg, rankdcg, rbp, rr
from ndcg_companion.measures.cascade import stopped
from ndcg_companion.measures.gains import gains_of
from ndcg_companion.measures.lists import read_lists
from ndcg_companion.measures.precision import hits_among_first, sum_of_precisions
from ndcg_companion.measures.ties import ranked, read_relevance


class Results(NamedTuple):
    """The results of a system for some queries, with the lists one after the other.

    Attributes
    ----------
    labels, judged, scores : ndarray of shape (n,)
        One entry for each retrieved item. Unjudged items have label 0.
    offsets : ndarray of int
        The boundaries of the lists.
    ties : str
        The rule by which measures treat equal scores.
    places : ndarray of int, or slice
        The positions of the items among all items of ``rankings``.
    rankings : Rankings
    """

    labels: np.ndarray
    judged: np.ndarray
    scores: np.ndarray
    offsets: np.ndarray
    ties: str
    places: np.ndarray | slice
    rankings: Rankings

    def hits(self, values, k):
        """Return the sum of a value over the first k items of each list."""
        return dcg(
            values.astype(float), self.scores, discount=Power(0), k=k, ties=self.ties, offsets=self.offsets
        )

    def relevance(self, measure):
        """Return the lists for `read_relevance`, with 1.0 for each relevant item."""
        return read_relevance(self.labels, self.scores, self.offsets, measure.rel, self.ties)

    @property
    def options(self):
        return {"ties": self.ties, "offsets": self.offsets}


def _ones(measure, labels, offsets, gain):
    return np.ones(len(offsets) - 1)


@dataclass(frozen=True)
class Kind:
    """A kind of measure, with its functions and options.

    Attributes
    ----------
    list_sum, divisor : callable
        The sum over a list, and its divisor.
    parameters : tuple of str
        The parameters that may follow the name in parentheses.
    cutoff : {"may", "must", "cannot"}
        Whether the name may, must or cannot have a cut-off.
    is_for_long_lists : bool
        Whether retrieving more items never lowers the score.
    changed_by : {"mixed", "unseen"}
        The ties that may change the score. With ``"mixed"``, these are ties between items with different
        labels. With ``"unseen"``, these are ties between judged and unjudged items.
    """

    list_sum: Callable
    divisor: Callable = _ones
    parameters: tuple[str, ...] = ("rel",)
    cutoff: str = "cannot"
    is_for_long_lists: bool = True
    changed_by: str = "mixed"


def _dcg(measure, results, gain, divisor):
    """Return the DCG of each list."""
    gain, labels = measure.gain or gain, results.labels
    if not results.judged.all() and gains_of(np.zeros(1), gain)[0] > 0:
        # Unjudged items have label 0 here, but contribute no gain and are not part of the ideal list.
        labels, gain = np.where(results.judged, gains_of(labels, gain), 0.0), "linear"
    return dcg(labels, results.scores, discount=measure.discount, gain=gain, k=measure.k, **results.options)


def _ideal_dcg(measure, labels, offsets, gain):
    gain = measure.gain or gain
    return ideal_dcg(labels, discount=measure.discount, gain=gain, k=measure.k, offsets=offsets)


def _first_weights(measure, labels, offsets, gain):
    return np.full(len(offsets) - 1, measure.first_weight)


def _precisions(measure, results, gain, divisor):
    return sum_of_precisions(*results.relevance(measure), results.ties, measure.k)


def _relevant(measure, labels, offsets, gain):
    return count_in(offsets, labels >= measure.rel).astype(float)


def _reciprocal_rank(measure, results, gain, divisor):
    return rr(results.labels, results.scores, k=measure.k, threshold=measure.rel, **results.options)


def _success(measure, results, gain, divisor):
    return stopped(*results.relevance(measure), measure.k, results.ties)


def _rbp(measure, results, gain, divisor):
    options = {"p": measure.p, "k": measure.k, "threshold": measure.rel}
    return rbp(results.labels, results.scores, **options, **results.options)


def _err(measure, results, gain, divisor):
    highest = results.labels.max(initial=0)
    fail_if(
        highest > measure.max_rel,
        f"measure={measure.name}: expected grades of at most {measure.max_rel}, got {highest:g}; "
        f"ERR(max_rel={ceil(highest)}) takes them",
    )
    return err(results.labels, results.scores, k=measure.k, max_grade=measure.max_rel, **results.options)


def _hits(measure, results, gain, divisor):
    return results.hits(results.labels >= measure.rel, measure.k)


def _hits_among_relevant(measure, results, gain, divisor):
    lists = read_lists(results.labels, results.scores, results.offsets)
    return hits_among_first(lists, (results.labels >= measure.rel).astype(float), divisor, results.ties)


def _bpref(measure, results, gain, divisor):
    """Return Bpref's sum, over the relevant items, of 1 minus the irrelevant proportion above.

    ``divisor`` is the number of relevant items of each query.

    Notes
    -----
    The proportion counts at most as many irrelevant items as the query has relevant ones. Items that are
    unjudged or have a grade below 0 are skipped. In a group of items with equal scores, the number of
    irrelevant items above a relevant item takes each possible value with equal probability.
    """
    rankings, rule = results.rankings, results.ties
    item_has_grade = has_grade(rankings)
    irrelevant_count = count_in(rankings.offsets, item_has_grade & (rankings.labels < measure.rel))
    result_has_grade = item_has_grade[results.places]
    offsets = np.append(0, result_has_grade.cumsum())[results.offsets]
    lists, relevant = read_relevance(
        results.labels[result_has_grade], results.scores[result_has_grade], offsets, measure.rel, rule
    )
    relevant, is_first_of_ties = ranked(lists, relevant, rule)
    starts = np.arange(relevant.size)  # the first item of each group; without ties, each item is a group
    if is_first_of_ties is not None and rule == "average":
        starts = np.flatnonzero(is_first_of_ties)
    hits = np.add.reduceat(relevant, starts) if starts.size else relevant
    misses = np.diff(starts, append=relevant.size) - hits
    list_number = lists.number[starts]
    # The number of irrelevant items above each group. Lists are in reverse order, with rank 1 last, so these
    # are the irrelevant items up to the end of the list, minus those up to the end of the group.
    irrelevant_above = lists.fold(np.add, 1 - relevant).cumsum()[list_number] - misses.cumsum()
    bound = np.maximum(np.minimum(divisor, irrelevant_count), 1)[list_number]
    # The mean of min(irrelevant_above + i, bound) over i from 0 to misses. The first t terms are below the
    # bound and sum to t * irrelevant_above + t * (t - 1) / 2. The others are equal to the bound.
    t = np.clip(bound - irrelevant_above, 0, misses + 1)
    mean_count = (t * irrelevant_above + t * (t - 1) / 2 + (misses + 1 - t) * bound) / (misses + 1)
    return np.bincount(list_number, hits * (1 - mean_count / bound), minlength=len(divisor))


def _positions(measure, labels, offsets, gain):
    return np.full(len(offsets) - 1, float(measure.k))


def _judged(measure, results, gain, divisor):
    return results.hits(results.judged, measure.k) / np.clip(np.diff(results.offsets), 1, measure.k)


def _rankdcg(measure, results, gain, divisor):
    return np.nan_to_num(rankdcg(results.labels, results.scores, **results.options), nan=0.0)


OF_GAINS = ("nDCG", "DCG")  # the kinds that add up gains, to which the gain of the comparison applies
KINDS = {
    "nDCG": Kind(_dcg, _ideal_dcg, ("discount", "gain", "dcg"), "may"),
    "DCG": Kind(_dcg, _first_weights, ("discount", "gain", "dcg"), "may"),
    "AP": Kind(_precisions, _relevant, cutoff="may"),
    "RR": Kind(_reciprocal_rank, cutoff="may"),
    "P": Kind(_hits, _positions, cutoff="must"),
    "R": Kind(_hits, _relevant, cutoff="must"),
    "Rprec": Kind(_hits_among_relevant, _relevant),
    "Bpref": Kind(_bpref, _relevant),
    "Success": Kind(_success, cutoff="must"),
    "RBP": Kind(_rbp, parameters=("p", "rel"), cutoff="may"),
    "ERR": Kind(_err, parameters=("max_rel",), cutoff="may"),
    "Judged": Kind(_judged, parameters=(), cutoff="must", is_for_long_lists=False, changed_by="unseen"),
    "RankDCG": Kind(_rankdcg, parameters=(), is_for_long_lists=False),
}


def has_grade(rankings):
    """Return a mask of the items that were judged with a grade of at least 0.

    As in trec_eval, items with a grade below 0 count as unjudged.
    """
    return rankings.judged if rankings.grades is None else rankings.judged & (rankings.grades >= 0)


def count_in(offsets, mask):
    """Return the number of items in each list that a mask selects.

    >>> count_in([0, 2, 3], np.array([True, True, False])).tolist()
    [2, 0]
    """
    return np.diff(np.append(0, mask.cumsum())[offsets])
