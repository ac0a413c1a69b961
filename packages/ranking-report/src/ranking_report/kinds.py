"""What each kind of measure adds up over a list, and what it divides by.

A function of what is added up takes the measure, the `Results` of a system, the gain of the comparison, and
what is divided by; it returns a number for each list. What is divided by is a function of the measure, the
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
    """What a system retrieved for some queries: lists end to end, cut by ``offsets``.

    An item that is not ``judged`` has label 0. ``places`` are those of the items among all of ``rankings``,
    an index of NumPy; ``ties`` is the rule by which the measures break them.
    """

    labels: np.ndarray
    judged: np.ndarray
    scores: np.ndarray
    offsets: np.ndarray
    ties: str
    places: np.ndarray | slice
    rankings: Rankings

    def hits(self, values, k):
        """The sum of a value of each item over the first k."""
        return dcg(
            values.astype(float), self.scores, discount=Power(0), k=k, ties=self.ties, offsets=self.offsets
        )

    def relevance(self, measure):
        """The lists of `read_relevance`, and 1.0 for each relevant item."""
        return read_relevance(self.labels, self.scores, self.offsets, measure.rel, self.ties)

    @property
    def options(self):
        return {"ties": self.ties, "offsets": self.offsets}


def _ones(measure, labels, offsets, gain):
    return np.ones(len(offsets) - 1)


@dataclass(frozen=True)
class Kind:
    """What is asked of a kind of measure; by default as it is for most of binary relevance.

    Attributes
    ----------
    earned, best : callable
        What is added up, and what that is divided by.
    parameters : tuple of str
        What may stand in brackets after the name.
    cutoff : {"may", "must", "cannot"}
        Whether a cut-off can be given.
    is_for_long_lists : bool
        Whether a system that retrieves more can only gain.
    changed_by : {"mixed", "unseen"}
        Ties that change it: of different labels, or of judged and unjudged items.
    """

    earned: Callable
    best: Callable = _ones
    parameters: tuple[str, ...] = ("rel",)
    cutoff: str = "cannot"
    is_for_long_lists: bool = True
    changed_by: str = "mixed"


def _dcg(measure, results, gain, best):
    gain, labels = measure.gain or gain, results.labels
    if not results.judged.all() and gains_of(np.zeros(1), gain)[0] > 0:
        # An unjudged item has label 0 here, but is worth nothing, and is no part of the ideal.
        labels, gain = np.where(results.judged, gains_of(labels, gain), 0.0), "linear"
    return dcg(labels, results.scores, discount=measure.discount, gain=gain, k=measure.k, **results.options)


def _ideal_dcg(measure, labels, offsets, gain):
    gain = measure.gain or gain
    return ideal_dcg(labels, discount=measure.discount, gain=gain, k=measure.k, offsets=offsets)


def _first_weights(measure, labels, offsets, gain):
    return np.full(len(offsets) - 1, measure.first_weight)


def _precisions(measure, results, gain, best):
    return sum_of_precisions(*results.relevance(measure), results.ties, measure.k)


def _relevant(measure, labels, offsets, gain):
    return count_in(offsets, labels >= measure.rel).astype(float)


def _reciprocal_rank(measure, results, gain, best):
    return rr(results.labels, results.scores, k=measure.k, threshold=measure.rel, **results.options)


def _success(measure, results, gain, best):
    return stopped(*results.relevance(measure), measure.k, results.ties)


def _rbp(measure, results, gain, best):
    options = {"p": measure.p, "k": measure.k, "threshold": measure.rel}
    return rbp(results.labels, results.scores, **options, **results.options)


def _err(measure, results, gain, best):
    highest = results.labels.max(initial=0)
    fail_if(
        highest > measure.max_rel,
        f"measure={measure.name}: expected grades of at most {measure.max_rel}, got {highest:g}; "
        f"ERR(max_rel={ceil(highest)}) takes them",
    )
    return err(results.labels, results.scores, k=measure.k, max_grade=measure.max_rel, **results.options)


def _hits(measure, results, gain, best):
    return results.hits(results.labels >= measure.rel, measure.k)


def _hits_among_relevant(measure, results, gain, best):
    lists = read_lists(results.labels, results.scores, results.offsets)
    return hits_among_first(lists, (results.labels >= measure.rel).astype(float), best, results.ties)


def _preferred(measure, results, gain, best):
    """The sum over relevant results of 1 minus the share of irrelevant ones above them (Bpref).

    Of these, and of all irrelevant ones, as many count as are relevant. Items that are not judged, or have a
    grade below 0, are passed over. In a tied group each number of its irrelevant items is equally likely to
    be above a relevant one.
    """
    rankings, rule = results.rankings, results.ties
    graded = has_grade(rankings)
    irrelevant = count_in(rankings.offsets, graded & (rankings.labels < measure.rel))
    kept = graded[results.places]
    offsets = np.append(0, kept.cumsum())[results.offsets]
    lists, relevant = read_relevance(results.labels[kept], results.scores[kept], offsets, measure.rel, rule)
    relevant, first = ranked(lists, relevant, rule)
    starts = np.flatnonzero(first) if first is not None and rule == "average" else np.arange(relevant.size)
    hits = np.add.reduceat(relevant, starts) if starts.size else relevant
    misses = np.diff(starts, append=relevant.size) - hits
    number = lists.number[starts]
    above = lists.fold(np.add, 1 - relevant).cumsum()[number] - misses.cumsum()  # lists end with rank 1
    most = np.maximum(np.minimum(best, irrelevant), 1)[number]
    # The mean of min(above + i, most) over i from 0 to misses: as many of these as are below the bound.
    below = np.clip(most - above, 0, misses + 1)
    counted = (below * above + below * (below - 1) / 2 + (misses + 1 - below) * most) / (misses + 1)
    return np.bincount(number, hits * (1 - counted / most), minlength=len(best))


def _positions(measure, labels, offsets, gain):
    return np.full(len(offsets) - 1, float(measure.k))


def _judged(measure, results, gain, best):
    return results.hits(results.judged, measure.k) / np.clip(np.diff(results.offsets), 1, measure.k)


def _rankdcg(measure, results, gain, best):
    return np.nan_to_num(rankdcg(results.labels, results.scores, **results.options), nan=0.0)


OF_GAINS = ("nDCG", "DCG")  # what adds up gains, so that the gain of the comparison counts
KINDS = {
    "nDCG": Kind(_dcg, _ideal_dcg, ("discount", "gain", "dcg"), "may"),
    "DCG": Kind(_dcg, _first_weights, ("discount", "gain", "dcg"), "may"),
    "AP": Kind(_precisions, _relevant, cutoff="may"),
    "RR": Kind(_reciprocal_rank, cutoff="may"),
    "P": Kind(_hits, _positions, cutoff="must"),
    "R": Kind(_hits, _relevant, cutoff="must"),
    "Rprec": Kind(_hits_among_relevant, _relevant),
    "Bpref": Kind(_preferred, _relevant),
    "Success": Kind(_success, cutoff="must"),
    "RBP": Kind(_rbp, parameters=("p", "rel"), cutoff="may"),
    "ERR": Kind(_err, parameters=("max_rel",), cutoff="may"),
    "Judged": Kind(_judged, parameters=(), cutoff="must", is_for_long_lists=False, changed_by="unseen"),
    "RankDCG": Kind(_rankdcg, parameters=(), is_for_long_lists=False),
}


def has_grade(rankings):
    """Which items are judged by a grade of at least 0; a lower one says as little as none to trec_eval."""
    return rankings.judged if rankings.grades is None else rankings.judged & (rankings.grades >= 0)


def count_in(offsets, mask):
    """How many items of each list are marked.

    >>> count_in([0, 2, 3], np.array([True, True, False])).tolist()
    [2, 0]
    """
    return np.diff(np.append(0, mask.cumsum())[offsets])
