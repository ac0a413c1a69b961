"""What each kind of measure adds up over a list, and what it divides by."""

from abc import ABC, abstractmethod
from math import ceil

import numpy as np

from ndcg_companion.checks import fail_if
from ndcg_companion.measures import Power, dcg, err, ideal_dcg, rankdcg, rbp, rr
from ndcg_companion.measures.cascade import stopped
from ndcg_companion.measures.gains import gains_of
from ndcg_companion.measures.lists import read_lists
from ndcg_companion.measures.precision import hits_among_first, sum_of_precisions
from ndcg_companion.measures.ties import read_relevance


class Kind(ABC):
    """What is asked of a kind of measure; here as it is for most of binary relevance.

    Lists lie end to end, cut by `offsets`; an item that is not `judged` has label 0.

    Attributes
    ----------
    parameters : tuple of str
        What may stand in brackets after the name.
    cutoff : {"may", "must", "cannot"}
        Whether a cut-off can be given.
    is_for_long_lists : bool
        Whether a system that retrieves more can only gain.
    changed_by : {"mixed", "unseen"}
        Ties that change it: of different labels, or of judged and unjudged items.
    """

    parameters: tuple[str, ...] = ("rel",)
    cutoff = "cannot"
    is_for_long_lists = True
    changed_by = "mixed"

    @abstractmethod
    def earned(self, measure, labels, judged, scores, offsets, ties, gain, best):
        """The sum over what a system retrieved: shape (q,); `best` is what the method of that name gave."""

    def best(self, measure, labels, offsets, gain):
        """What the sum is divided by, of all judged items: shape (q,)."""
        return np.ones(len(offsets) - 1)


class _NDCG(Kind):
    parameters, cutoff = ("discount", "gain", "dcg"), "may"

    def earned(self, measure, labels, judged, scores, offsets, ties, gain, best):
        gain = measure.gain or gain
        if not judged.all() and gains_of(np.zeros(1), gain)[0] > 0:
            # An unjudged item has label 0 here, but is worth nothing, and is no part of the ideal.
            labels, gain = np.where(judged, gains_of(labels, gain), 0.0), "linear"
        return dcg(
            labels, scores, discount=measure.discount, gain=gain, k=measure.k, ties=ties, offsets=offsets
        )

    def best(self, measure, labels, offsets, gain):
        gain = measure.gain or gain
        return ideal_dcg(labels, discount=measure.discount, gain=gain, k=measure.k, offsets=offsets)


class _AveragePrecision(Kind):
    cutoff = "may"

    def earned(self, measure, labels, judged, scores, offsets, ties, gain, best):
        lists, relevant = read_relevance(labels, scores, offsets, measure.rel, ties)
        return sum_of_precisions(lists, relevant, ties, measure.k)

    def best(self, measure, labels, offsets, gain):
        return count_in(offsets, labels >= measure.rel).astype(float)


class _ReciprocalRank(Kind):
    cutoff = "may"

    def earned(self, measure, labels, judged, scores, offsets, ties, gain, best):
        return rr(labels, scores, k=measure.k, threshold=measure.rel, ties=ties, offsets=offsets)


class _Success(Kind):
    cutoff = "must"

    def earned(self, measure, labels, judged, scores, offsets, ties, gain, best):
        lists, relevant = read_relevance(labels, scores, offsets, measure.rel, ties)
        return stopped(lists, relevant, measure.k, ties)


class _RBP(Kind):
    parameters, cutoff = ("p", "rel"), "may"

    def earned(self, measure, labels, judged, scores, offsets, ties, gain, best):
        return rbp(
            labels, scores, p=measure.p, k=measure.k, threshold=measure.rel, ties=ties, offsets=offsets
        )


class _ERR(Kind):
    parameters, cutoff = ("max_rel",), "may"

    def earned(self, measure, labels, judged, scores, offsets, ties, gain, best):
        highest = labels.max(initial=0)
        fail_if(
            highest > measure.max_rel,
            f"measure={measure.name}: expected grades of at most {measure.max_rel}, got {highest:g}; "
            f"ERR(max_rel={ceil(highest)}) takes them",
        )
        return err(labels, scores, k=measure.k, max_grade=measure.max_rel, ties=ties, offsets=offsets)


class _RPrecision(_AveragePrecision):
    cutoff = "cannot"

    def earned(self, measure, labels, judged, scores, offsets, ties, gain, best):
        lists = read_lists(labels, scores, offsets)
        return hits_among_first(lists, (labels >= measure.rel).astype(float), best, ties)


class _Precision(Kind):
    cutoff = "must"

    def earned(self, measure, labels, judged, scores, offsets, ties, gain, best):
        relevant = (labels >= measure.rel).astype(float)
        return dcg(relevant, scores, discount=Power(0), k=measure.k, ties=ties, offsets=offsets)

    def best(self, measure, labels, offsets, gain):
        return np.full(len(offsets) - 1, float(measure.k))


class _Recall(_Precision):
    best = _AveragePrecision.best


class _Judged(Kind):
    parameters, cutoff, is_for_long_lists, changed_by = (), "must", False, "unseen"

    def earned(self, measure, labels, judged, scores, offsets, ties, gain, best):
        seen = dcg(judged.astype(float), scores, discount=Power(0), k=measure.k, ties=ties, offsets=offsets)
        return seen / np.clip(np.diff(offsets), 1, measure.k)


class _RankDCG(Kind):
    parameters, is_for_long_lists = (), False

    def earned(self, measure, labels, judged, scores, offsets, ties, gain, best):
        values = rankdcg(labels, scores, ties=ties, offsets=offsets)
        return np.where(np.isnan(values), 0.0, values)


KINDS: dict[str, Kind] = {
    "nDCG": _NDCG(),
    "AP": _AveragePrecision(),
    "RR": _ReciprocalRank(),
    "P": _Precision(),
    "R": _Recall(),
    "Rprec": _RPrecision(),
    "Success": _Success(),
    "RBP": _RBP(),
    "ERR": _ERR(),
    "Judged": _Judged(),
    "RankDCG": _RankDCG(),
}


def count_in(offsets, mask):
    """How many items of each list are marked.

    >>> count_in([0, 2, 3], np.array([True, True, False])).tolist()
    [2, 0]
    """
    return np.diff(np.append(0, mask.cumsum())[offsets])
