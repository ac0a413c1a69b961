"""What each kind of measure adds up over a list, and what it divides by.

Lists lie end to end, cut by ``offsets``; an item that is not ``judged`` has label 0. A function of what is
added up takes the measure, the labels, judged, scores, offsets and rule for ties of what a system retrieved,
the gain of the comparison, and what is divided by; it returns a number for each list, as does one of what is
divided by, of all judged items.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil

import numpy as np

from ndcg_companion.checks import fail_if
from ndcg_companion.measures import Power, dcg, err, ideal_dcg, rankdcg, rbp, rr
from ndcg_companion.measures.cascade import stopped
from ndcg_companion.measures.gains import gains_of
from ndcg_companion.measures.lists import read_lists
from ndcg_companion.measures.precision import hits_among_first, sum_of_precisions
from ndcg_companion.measures.ties import read_relevance


def _one(measure, labels, offsets, gain):
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
    best: Callable = _one
    parameters: tuple[str, ...] = ("rel",)
    cutoff: str = "cannot"
    is_for_long_lists: bool = True
    changed_by: str = "mixed"


def _dcg(measure, labels, judged, scores, offsets, ties, gain, best):
    gain = measure.gain or gain
    if not judged.all() and gains_of(np.zeros(1), gain)[0] > 0:
        # An unjudged item has label 0 here, but is worth nothing, and is no part of the ideal.
        labels, gain = np.where(judged, gains_of(labels, gain), 0.0), "linear"
    return dcg(labels, scores, discount=measure.discount, gain=gain, k=measure.k, ties=ties, offsets=offsets)


def _ideal_dcg(measure, labels, offsets, gain):
    gain = measure.gain or gain
    return ideal_dcg(labels, discount=measure.discount, gain=gain, k=measure.k, offsets=offsets)


def _precisions(measure, labels, judged, scores, offsets, ties, gain, best):
    lists, relevant = read_relevance(labels, scores, offsets, measure.rel, ties)
    return sum_of_precisions(lists, relevant, ties, measure.k)


def _relevant(measure, labels, offsets, gain):
    return count_in(offsets, labels >= measure.rel).astype(float)


def _reciprocal_rank(measure, labels, judged, scores, offsets, ties, gain, best):
    return rr(labels, scores, k=measure.k, threshold=measure.rel, ties=ties, offsets=offsets)


def _success(measure, labels, judged, scores, offsets, ties, gain, best):
    lists, relevant = read_relevance(labels, scores, offsets, measure.rel, ties)
    return stopped(lists, relevant, measure.k, ties)


def _rbp(measure, labels, judged, scores, offsets, ties, gain, best):
    return rbp(labels, scores, p=measure.p, k=measure.k, threshold=measure.rel, ties=ties, offsets=offsets)


def _err(measure, labels, judged, scores, offsets, ties, gain, best):
    highest = labels.max(initial=0)
    fail_if(
        highest > measure.max_rel,
        f"measure={measure.name}: expected grades of at most {measure.max_rel}, got {highest:g}; "
        f"ERR(max_rel={ceil(highest)}) takes them",
    )
    return err(labels, scores, k=measure.k, max_grade=measure.max_rel, ties=ties, offsets=offsets)


def _hits(measure, labels, judged, scores, offsets, ties, gain, best):
    relevant = (labels >= measure.rel).astype(float)
    return dcg(relevant, scores, discount=Power(0), k=measure.k, ties=ties, offsets=offsets)


def _hits_among_relevant(measure, labels, judged, scores, offsets, ties, gain, best):
    lists = read_lists(labels, scores, offsets)
    return hits_among_first(lists, (labels >= measure.rel).astype(float), best, ties)


def _positions(measure, labels, offsets, gain):
    return np.full(len(offsets) - 1, float(measure.k))


def _judged(measure, labels, judged, scores, offsets, ties, gain, best):
    seen = dcg(judged.astype(float), scores, discount=Power(0), k=measure.k, ties=ties, offsets=offsets)
    return seen / np.clip(np.diff(offsets), 1, measure.k)


def _rankdcg(measure, labels, judged, scores, offsets, ties, gain, best):
    return np.nan_to_num(rankdcg(labels, scores, ties=ties, offsets=offsets), nan=0.0)


KINDS = {
    "nDCG": Kind(_dcg, _ideal_dcg, ("discount", "gain", "dcg"), "may"),
    "AP": Kind(_precisions, _relevant, cutoff="may"),
    "RR": Kind(_reciprocal_rank, cutoff="may"),
    "P": Kind(_hits, _positions, cutoff="must"),
    "R": Kind(_hits, _relevant, cutoff="must"),
    "Rprec": Kind(_hits_among_relevant, _relevant),
    "Success": Kind(_success, cutoff="must"),
    "RBP": Kind(_rbp, parameters=("p", "rel"), cutoff="may"),
    "ERR": Kind(_err, parameters=("max_rel",), cutoff="may"),
    "Judged": Kind(_judged, parameters=(), cutoff="must", is_for_long_lists=False, changed_by="unseen"),
    "RankDCG": Kind(_rankdcg, parameters=(), is_for_long_lists=False),
}


def count_in(offsets, mask):
    """How many items of each list are marked.

    >>> count_in([0, 2, 3], np.array([True, True, False])).tolist()
    [2, 0]
    """
    return np.diff(np.append(0, mask.cumsum())[offsets])
