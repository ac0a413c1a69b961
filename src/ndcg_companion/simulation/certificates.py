"""Proofs that show which of two rankers is ahead at every n, from evaluations at a few sizes.

Two rankers of the same items have the same ideal DCG, so the sign of
``h(n) = DCG(f0, S_n) - DCG(f1, S_n)`` shows which ranker is ahead.

**The effect of the latest items on h.** Let the discount D be non-negative and non-increasing, let all gains
lie in [0, g], and let ``S(m) = D(1) + ... + D(m)``. Among n items, let the latest j have gains y_i, ranks a_i
in the list of f0, and ranks b_i in the list of f1. Then ::

    h(n) - h(n - j)  <=  sum y_i D(a_i) + sum (g - y_i) D(b_i) - g * (S(n) - S(n - j)).

*Proof.* The j items add ``sum y_i D(a_i)`` to the DCG of f0. The earlier items of f0 keep their order and
move down, which adds nothing because D is non-increasing. The j items add ``sum y_i D(b_i)`` to the DCG of
f1. The earlier items of f1 also move down, which subtracts at most g times the total decrease of their
discounts, ``S(n - j) - (S(n) - sum D(b_i))``. Subtracting the two gives the claim. Tied scores change
nothing: the averaged DCG is the mean over random orders, a random order of all items induces a random order
of the earlier items, the bound is true for every order, and D(a_i) and D(b_i) in the bound are averaged as
well. ∎

Exchanging the rankers gives the bound in the other direction. An evaluation at n, where the ranks are known,
therefore proves the sign at n - 1, ..., n - j if the bound is below ``|h(n)|``. The sizes n are visited in
decreasing order, so that items only need to be removed. For *any* ranks, the bound is at most
``g * (S(floor(j/2)) + S(ceil(j/2)) - (S(n) - S(n - j)))``. The bound is linear in every gain y_i. It is
therefore largest if some number m of these gains are g and the others are 0. Because ranks are distinct, the
two sums are then at most g S(m) and g S(j - m), and S is concave. For one item the bound is
``g * (D(1) - D(n))``.

**Rounding.** A sign counts as proved only if it is robust to rounding of the discounts, of the means of tied
gains and of the sums, with error bounds for any order of summation (Higham 2002, section 3.1). Otherwise h is
summed again without rounding (`math.fsum`). This value of h counts as a tie if rounding or underflow of the
single terms could hide the sign. Discounts are assumed to be accurate to a few units in the last place.
"""

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from math import fsum

import numpy as np
from numpy.typing import ArrayLike

from ndcg_companion.checks import check_int, fail_if, raise_if
from ndcg_companion.measures.discounts import Discount, check_discount, depends_on_n, discount_table
from ndcg_companion.measures.gains import Gain, gains_of
from ndcg_companion.measures.lists import read_labels, read_lists
from ndcg_companion.measures.ndcg import dcg
from ndcg_companion.simulation.curves import ShrinkingRanking, grade_codes, one_blas_thread

_EPS = np.finfo(float).eps

# The assumed relative error of an evaluated discount is a few units in the last place.
_DISCOUNT_ERROR = 8 * _EPS


@dataclass(frozen=True)
class Certificate:
    """Certificate that states which of two rankers is ahead at every n from ``start`` to ``stop``.

    Attributes
    ----------
    start, stop : int
        The range of n; both ends are included.
    flips : tuple of int
        Every n in (start, stop], in increasing order, at which the sign differs from the sign at n - 1,
        because the lead changes or a tie begins or ends.
    leaders : tuple of {0, 1, None}
        The leading ranker of each stretch: from ``start`` to the first flip, from there to the second flip,
        and so on. None stands for a tie or for a difference that rounding could hide.
    evaluations : int
        Number of sizes at which both DCGs were computed.
    """

    start: int
    stop: int
    flips: tuple[int, ...]
    leaders: tuple[int | None, ...]
    evaluations: int

    @property
    def ahead(self) -> int | None:
        """The ranker that is ahead at ``stop``: 0, 1, or None for a tie."""
        return self.leaders[-1]

    @property
    def last_failure(self) -> int | None:
        """The last n at which the ranker that is ahead at ``stop`` is not ahead, or None.

        If there is a tie at ``stop``, the value is ``stop``.
        """
        if self.ahead is None:
            return self.stop
        return self.flips[-1] - 1 if self.flips else None

    def replay(
        self,
        labels: ArrayLike,
        scores0: ArrayLike,
        scores1: ArrayLike,
        *,
        discount: Discount,
        gain: Gain = "linear",
        sizes: Iterable[int] | None = None,
    ) -> list[int]:
        """Return the sizes at which recomputed DCGs contradict the certificate.

        If the certificate belongs to these items, the list is empty. Each prefix is sorted again, which takes
        O(stop^2 log(stop)) time for all sizes. A relative gap of less than 1e-12 may be due to rounding and
        does not count as a contradiction.

        Parameters
        ----------
        labels, scores0, scores1, discount, gain
            As for `certify_sign`.
        sizes : iterable of int, optional
            Sizes to check, from `start` to `stop`; by default all of these sizes.

        Returns
        -------
        list of int

        Raises
        ------
        ValueError
            If `ndcg_companion.measures.dcg` raises it, if there are fewer items than `stop`, or if a size is
            not covered by the certificate.
        """
        labels, scores0, scores1 = map(np.asarray, (labels, scores0, scores1))
        item_count = read_labels(labels).labels.size
        fail_if(item_count < self.stop, f"labels: expected at least {self.stop} items, got {item_count}")
        contradicted = []
        for n in range(self.start, self.stop + 1) if sizes is None else sizes:
            check_int("sizes", n, self.start, self.stop)
            dcg0, dcg1 = (
                dcg(labels[:n], scores[:n], discount=discount, gain=gain) for scores in (scores0, scores1)
            )
            leader = None if abs(dcg0 - dcg1) <= 1e-12 * (dcg0 + dcg1) else int(dcg1 > dcg0)
            # The number of flips up to n is the index of the stretch that contains n.
            certified_leader = self.leaders[bisect_right(self.flips, n)]
            if leader not in (None, certified_leader):
                contradicted.append(n)
        return contradicted


def certify_sign(
    labels: ArrayLike,
    scores0: ArrayLike,
    scores1: ArrayLike,
    *,
    discount: Discount,
    start: int,
    stop: int | None = None,
    gain: Gain = "linear",
) -> Certificate:
    """Return a certificate that states which of two rankers is ahead at every n in a range.

    The rankers are compared by full-list NDCG. Both DCGs are evaluated at n = stop. The evaluation is
    repeated at the largest n at which the sign is not yet proved, until all signs are proved (see the
    docstring of the module for the proof). A prefix without a relevant item is a tie.

    Parameters
    ----------
    labels, scores0, scores1 : array_like of shape (m,)
        Labels and scores of the two rankers in arrival order; tied scores are averaged.
    discount : callable
        Function of the rank alone, >= 0 and non-increasing.
    start, stop : int, 1 <= start <= stop <= m
        The range of n; by default `stop` is m.
    gain : {"linear", "exponential"} or callable
        The gain of a label, as for `ndcg_companion.measures.ndcg`; gains must be >= 0.

    Returns
    -------
    Certificate
        The method ``replay`` of the certificate checks it by brute force.

    Raises
    ------
    ValueError
        If `ndcg_companion.measures.ndcg` raises it, if start or stop is out of range, or if the proof does
        not apply to the discount.

    Notes
    -----
    An evaluation takes O(n). The larger the gap between the rankers, the fewer evaluations are needed. A few
    dozen are enough for 10**7 items with distinct scores, but nearly equal DCGs may need an evaluation for
    each n.

    References
    ----------
    In Wang et al. 2013, definition 5 and theorem 6, one ranker is ahead for all n >= N at once.

    Examples
    --------
    >>> from ndcg_companion.measures import Log
    >>> from ndcg_companion.simulation import sample_pair
    >>> from ndcg_companion.theory import Pair
    >>> items = sample_pair(Pair("poly:0.9:-0.8", "poly:0.1:0.8", coupling="label-first"), 20_000, seed=1)
    >>> certificate = certify_sign(items.labels, items.scores0, items.scores1, discount=Log(), start=100)
    >>> certificate.ahead, certificate.flips, certificate.last_failure, certificate.evaluations < 50
    (0, (), None, True)
    >>> certificate.replay(items.labels, items.scores0, items.scores1, discount=Log(), sizes=[100, 12_345])
    []
    """
    lists = [
        read_lists(labels, scores, scores_name=name, negative=False)
        for name, scores in (("scores0", scores0), ("scores1", scores1))
    ]
    fail_if(not lists[0].single, f"labels of shape {np.shape(labels)}: expected one list, of shape (m,)")
    gains = gains_of(lists[0].labels, gain, negative=False).astype(float)
    stop = gains.size if stop is None else check_int("stop", stop, 1, gains.size)
    start = check_int("start", start, 1, stop)
    table = _decreasing_table(discount, stop)
    with np.errstate(over="ignore"):
        fail_if(
            not np.isfinite(gains.max() * table.sum()),
            "labels: expected gains whose discounted sum is within the range of floats",
        )
    gap = _Gap(gains[:stop], [ranker.scores[:stop] for ranker in lists], table)
    n, evaluations = stop, 0
    largest_sizes: list[int] = []  # the largest size of each lead, from large n down, and its leader
    leaders: list[int | None] = []
    with one_blas_thread():
        while n >= start:
            sign, proved_sizes = gap.sign(n, n - start)
            evaluations += 1
            leader = {1: 0, -1: 1, 0: None}[sign]
            if not leaders or leader != leaders[-1]:
                largest_sizes.append(n)
                leaders.append(leader)
            n -= 1 + proved_sizes  # these sizes have the same sign, so they need no evaluation
    # The first entry is `stop`; each other lead ends just before a flip.
    flips = (n + 1 for n in reversed(largest_sizes[1:]))
    return Certificate(start, stop, tuple(flips), tuple(reversed(leaders)), evaluations)


def _decreasing_table(discount, stop):
    """Return the first ``stop`` discounts; raise ValueError unless they are >= 0 and non-increasing."""
    check_discount(discount)
    raise_if(depends_on_n(discount), "discount", discount, "a discount that does not depend on n")
    table, decreasing = discount_table(discount, None, stop)
    raise_if(not decreasing, "discount", discount, "a discount that is >= 0 and never increases")
    return table[::-1].copy()  # copied, because products with a reversed view are slow


class _Gap:
    """The difference h(n) for decreasing n, with bounds for the error of h(n) and for h at smaller sizes.

    The arguments are the gains in arrival order, the scores of both rankers, and the discounts from rank 1.
    """

    def __init__(self, gains, scores, table):
        grades, codes = grade_codes(gains)
        arrivals = np.arange(gains.size)
        self.rankings = [ShrinkingRanking(grades, codes, ranker_scores, arrivals) for ranker_scores in scores]
        self.table, self.arrival_gains, self.largest_gain = table, gains, gains.max()
        self.has_ties = any(ranking.groups is not None for ranking in self.rankings)
        # The number of rounding errors in a difference of two mean gains. If gains are small integers, whose
        # grades are a range, they sum exactly. A mean of tied gains then has one rounding error, and a
        # difference of two such means has two; otherwise it has at most one for each item.
        sums_are_exact = isinstance(grades, range)
        self.rounding_errors = 0 if not self.has_ties else 2 if sums_are_exact else gains.size
        # Different means a/b and c/d of integer gains differ by at least 1/(bd), so equal floats are equal.
        self.equal_means_are_equal = sums_are_exact and gains.size**2 * len(grades) * _EPS < 0.5
        self.window = gains.size // 8 + 16  # the most sizes for which the next proof is tried

    def sign(self, n, limit):
        """Return the sign of h(n), and how many of the ``limit`` sizes below n are proved to share it."""
        for ranking in self.rankings:
            ranking.keep(n - 1)  # arrivals are numbered from 0
        gains0, gains1 = (ranking.gains(n) for ranking in self.rankings)
        difference, table = gains0 - gains1, self.table[:n]
        # h(n) = sum over ranks of difference * D(r). The rounding error of a sum of n products is at most
        # n eps times the sum of their absolute values.
        underflow_error = n * np.finfo(float).tiny
        h = difference @ table
        absolute_sum = np.abs(difference) @ table
        mean_error = 0.0
        if self.rounding_errors:
            uncertain_gains = gains0 + gains1
            if self.equal_means_are_equal:  # then a difference of 0 has no error
                uncertain_gains *= difference != 0
            mean_error = self.rounding_errors * _EPS * (uncertain_gains @ table)
        error = (n * _EPS + _DISCOUNT_ERROR) * absolute_sum + mean_error + underflow_error
        if abs(h) <= error:
            # Without rounding of the sum, the term n eps is not needed.
            h = fsum(difference * table)
            error = _DISCOUNT_ERROR * absolute_sum + mean_error + underflow_error
        if abs(h) <= error:
            return 0, 0
        return (1 if h > 0 else -1), self._provable_sizes(n, abs(h) - error, min(limit, self.window), h > 0)

    def _provable_sizes(self, n, margin, limit, first_is_ahead):
        """Return how many of the ``limit`` sizes below n certainly have the sign of h(n)."""
        if not limit:
            return 0
        leading_ranking, trailing_ranking = self.rankings if first_is_ahead else reversed(self.rankings)
        # Arrays start with the latest arrival. The j-th cumulative sum below is the bound for the latest j,
        # sum y_i D(a_i) + sum (g - y_i) D(b_i) - g * (D(n) + ... + D(n - j + 1)), with the largest gain g.
        gains, removed_discounts = self.arrival_gains[n - limit : n][::-1], self.table[n - limit : n][::-1]
        table = self.table[:n]
        bound_terms = gains * leading_ranking.latest(table, limit) + (
            self.largest_gain - gains
        ) * trailing_ranking.latest(table, limit)
        # The bound has `limit` additions and, with ties, means of up to n discounts, each rounded.
        rounding = (limit + n * self.has_ties) * _EPS + 2 * _DISCOUNT_ERROR
        usable_margin = margin - rounding * (bound_terms.sum() + self.largest_gain * removed_discounts.sum())
        is_used_up = np.cumsum(bound_terms - self.largest_gain * removed_discounts) >= usable_margin
        provable_sizes = int(is_used_up.argmax()) if is_used_up.any() else limit
        # A window that is too large costs time, and a window that is too small costs another evaluation.
        self.window = 2 * provable_sizes + 16
        return provable_sizes
