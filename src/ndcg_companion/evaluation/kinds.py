"""What each kind of measure adds up over a list, and what it divides by."""

from abc import ABC, abstractmethod

import numpy as np

from ndcg_companion.measures import Power, average_precision, dcg, ideal_dcg, rankdcg
from ndcg_companion.measures.gains import gains_of
from ndcg_companion.measures.lists import read_lists
from ndcg_companion.measures.ties import ranked


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

    def counting(self, measure, labels, judged, offsets, gain):
        """Of which items a list needs one to score above 0: shape (N,)."""
        return labels >= measure.rel

    @abstractmethod
    def earned(self, measure, labels, judged, scores, offsets, ties, gain):
        """The sum over what a system retrieved: shape (q,)."""

    def best(self, measure, labels, offsets, gain):
        """What the sum is divided by, of all judged items: shape (q,)."""
        return np.ones(len(offsets) - 1)


class _NDCG(Kind):
    parameters, cutoff = ("discount", "gain", "dcg"), "may"

    def counting(self, measure, labels, judged, offsets, gain):
        return judged & (gains_of(labels, measure.gain or gain) > 0)

    def earned(self, measure, labels, judged, scores, offsets, ties, gain):
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
    def earned(self, measure, labels, judged, scores, offsets, ties, gain):
        relevant = (labels >= measure.rel).astype(float)
        precision = average_precision(relevant, scores, empty=0, ties=ties, offsets=offsets)
        return count_in(offsets, relevant) * precision

    def best(self, measure, labels, offsets, gain):
        return count_in(offsets, labels >= measure.rel).astype(float)


class _ReciprocalRank(Kind):
    cutoff = "may"

    def earned(self, measure, labels, judged, scores, offsets, ties, gain):
        relevant = (labels >= measure.rel).astype(float)
        return reciprocal_rank(relevant, scores, k=measure.k, ties=ties, offsets=offsets)


class _Precision(Kind):
    cutoff = "must"

    def earned(self, measure, labels, judged, scores, offsets, ties, gain):
        relevant = (labels >= measure.rel).astype(float)
        return dcg(relevant, scores, discount=Power(0), k=measure.k, ties=ties, offsets=offsets)

    def best(self, measure, labels, offsets, gain):
        return np.full(len(offsets) - 1, float(measure.k))


class _Recall(_Precision):
    best = _AveragePrecision.best


class _Judged(Kind):
    parameters, cutoff, is_for_long_lists, changed_by = (), "must", False, "unseen"

    def counting(self, measure, labels, judged, offsets, gain):
        return judged

    def earned(self, measure, labels, judged, scores, offsets, ties, gain):
        seen = dcg(judged.astype(float), scores, discount=Power(0), k=measure.k, ties=ties, offsets=offsets)
        return seen / np.clip(np.diff(offsets), 1, measure.k)


class _RankDCG(Kind):
    parameters, is_for_long_lists = (), False

    def counting(self, measure, labels, judged, offsets, gain):
        return labels > np.repeat(np.minimum.reduceat(labels, offsets[:-1]), np.diff(offsets))

    def earned(self, measure, labels, judged, scores, offsets, ties, gain):
        values = rankdcg(labels, scores, ties=ties, offsets=offsets)
        return np.where(np.isnan(values), 0.0, values)


KINDS: dict[str, Kind] = {
    "nDCG": _NDCG(),
    "AP": _AveragePrecision(),
    "RR": _ReciprocalRank(),
    "P": _Precision(),
    "R": _Recall(),
    "Judged": _Judged(),
    "RankDCG": _RankDCG(),
}


def count_in(offsets, mask):
    """How many items of each list are marked.

    >>> count_in([0, 2, 3], np.array([True, True, False])).tolist()
    [2, 0]
    """
    return np.diff(np.append(0, mask.cumsum())[offsets])


def reciprocal_rank(relevant, scores, *, k=None, ties="average", offsets=None):
    """One over the rank of the first relevant item; 0 if there is none among the first k.

    Parameters
    ----------
    relevant : array_like of 0 and 1, shape (N,)
    scores : array_like of shape (N,)
    k : int, optional
    ties : {"average", "best", "worst", "stable"}
        Averaged over the orders of tied items: among m of them, r relevant, the first relevant one stands at
        place j with probability ``r / (m - j + 1)`` times that of none before it.
    offsets : array_like of shape (q + 1,)

    Examples
    --------
    >>> reciprocal_rank([0, 1, 0, 1], [2, 2, 1, 1], offsets=[0, 2, 4]).tolist()
    [0.75, 0.75]
    """
    lists = read_lists(relevant, scores, offsets)
    gains, first = ranked(lists, lists.labels.astype(float), ties)
    ranks, most = lists.ranks, k or np.inf
    nearest = -lists.fold(np.maximum, np.where(gains > 0, -ranks.astype(float), -np.inf))
    nearest[np.diff(offsets) == 0] = np.inf
    values = np.where(nearest <= most, 1 / nearest, 0.0)
    if first is None or ties != "average":
        return values
    group = np.cumsum(first) - 1
    sizes, found = np.bincount(group), np.bincount(group, weights=gains)
    above = ranks[np.append(np.flatnonzero(first)[1:], len(group)) - 1] - 1
    for query in np.flatnonzero(np.isfinite(nearest)):
        at = group[int(lists.starts[query] + lists.sizes[query] - nearest[query])]
        m, r = int(sizes[at]), int(found[at])
        if m > r:
            j = np.arange(1, m - r + 2)
            before = np.append(1.0, np.cumprod((m - r - j[:-1] + 1) / (m - j[:-1] + 1)))
            place = above[at] + j
            values[query] = (before * r / (m - j + 1) * (place <= most) / place).sum()
    return values
