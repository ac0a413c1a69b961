"""Who is ahead at every n, proved from evaluations at a few.

Two rankers of the same items share the ideal DCG, so the sign of ``h(n) = DCG(f0, S_n) - DCG(f1, S_n)`` says
who is ahead.

**How far the latest items can have moved h.** Let the discount D be non-negative and never increasing, the
gains lie in [0, g], and ``S(m) = D(1) + ... + D(m)``. Of n items, let the latest j have gains y_i and stand
at ranks a_i in the list of f0, at ranks b_i in that of f1. Then ::

    h(n) - h(n - j)  <=  sum y_i D(a_i) + sum (g - y_i) D(b_i) - g * (S(n) - S(n - j)).

*Proof.* The j items bring f0 ``sum y_i D(a_i)``. Its earlier items keep their order and move down, which
gains nothing, as D does not increase. To f1 they bring ``sum y_i D(b_i)``, and its earlier items move down
too, which costs at most g times what their ranks lose together, ``S(n - j) - (S(n) - sum D(b_i))``. Subtract.
Tied scores change nothing: the averaged DCG is the mean over random orders of them, a random order of all
items leaves a random one of the earlier items, the bound holds for every order, and its D(a_i) and D(b_i) are
averaged with the rest. ∎

Exchanging the rankers bounds the move the other way. So an evaluation at n, which knows the ranks, proves
the sign at n - 1, ..., n - j as long as the bound stays below ``|h(n)|``; and going down from the longest
list, items only need to be taken out. *Whatever* the ranks, the bound is at most
``g * (S(floor(j/2)) + S(ceil(j/2)) - (S(n) - S(n - j)))``: it is linear in every y_i, so largest with m of
them g and the others 0; then the two sums are at most g S(m) and g S(j - m), as ranks are distinct; and S
is concave. For one item that is ``g * (D(1) - D(n))``.

**Rounding.** A sign counts as proved only if it survives the rounding of the discounts, the means of tied
gains and the sums, bounded for any order of summation (Higham 2002, section 3.1); where it does not, h is
summed again without rounding (`math.fsum`), and called a tie if even the rounding of the single terms, or
their underflow, could hide the sign. Discounts are taken to be accurate to some units in the last place."""

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

# Relative error allowed for one discount as it was evaluated: a few units in the last place.
_TERM = 8 * _EPS


@dataclass(frozen=True)
class Certificate:
    """Who is ahead at every n from `start` to `stop`.

    Attributes
    ----------
    start, stop : int
    flips : tuple of int
        Every n in (start, stop] whose sign differs from that of n - 1: the lead changes, or a tie begins or
        ends. Increasing.
    leaders : tuple of {0, 1, None}
        The ranker ahead from `start` to the first flip, from there to the second, and so on; None if neither
        is, or by less than rounding could hide.
    evaluations : int
        Sizes at which both DCGs were computed.
    """

    start: int
    stop: int
    flips: tuple[int, ...]
    leaders: tuple[int | None, ...]
    evaluations: int

    @property
    def ahead(self) -> int | None:
        """The ranker ahead at `stop`: 0, 1, or None if neither is."""
        return self.leaders[-1]

    @property
    def last_failure(self) -> int | None:
        """The last n in [start, stop] at which the ranker ahead at `stop` is not strictly ahead, or None.

        A tie at `stop` itself is a failure there.
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
        """Sizes at which DCGs by brute force contradict the certificate: none, if it is one of these items.

        Each prefix is sorted anew, which costs O(stop^2 log(stop)) for all sizes. A gap of less than 1e-12 of
        the DCGs contradicts nothing, as it may be rounding.

        Parameters
        ----------
        labels, scores0, scores1, discount, gain
            As for `certify_sign`.
        sizes : iterable of int, optional
            From `start` to `stop`; all of them if None.

        Returns
        -------
        list of int

        Raises
        ------
        ValueError
            As `ndcg_companion.measures.dcg`; for fewer items than `stop`; for sizes that are not certified.
        """
        labels, scores0, scores1 = map(np.asarray, (labels, scores0, scores1))
        items = read_labels(labels).labels.size
        fail_if(items < self.stop, f"labels: expected at least {self.stop} items, got {items}")
        contradicted = []
        for n in range(self.start, self.stop + 1) if sizes is None else sizes:
            check_int("sizes", n, self.start, self.stop)
            first, second = (
                dcg(labels[:n], scores[:n], discount=discount, gain=gain) for scores in (scores0, scores1)
            )
            ahead = None if abs(first - second) <= 1e-12 * (first + second) else int(second > first)
            if ahead not in (None, self.leaders[bisect_right(self.flips, n)]):
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
    """Prove which of two rankers is ahead on the first n items, for every n from `start` to `stop`.

    NDCG is compared on the full list. Both DCGs are evaluated at n = stop, then at the next smaller n at
    which the sign is not yet proved (the module says how), and so on. A prefix without a relevant item is a
    tie.

    Parameters
    ----------
    labels, scores0, scores1 : array_like of shape (m,)
        In arrival order; tied scores are averaged.
    discount : callable
        Non-negative, never increasing, and independent of n.
    start, stop : int, 1 <= start <= stop <= m
        `stop` is m unless given.
    gain : {"linear", "exponential"} or callable
        Gains must not be negative.

    Returns
    -------
    Certificate
        ``.flips``, ``.leaders``, ``.ahead``, ``.last_failure``, ``.evaluations``; ``.replay`` checks it by
        brute force.

    Raises
    ------
    ValueError
        As `ndcg_companion.measures.ndcg`; for start and stop out of range; and for a discount to which the
        proof does not apply.

    Notes
    -----
    An evaluation costs O(n). The wider the gap between the rankers, the fewer are needed: some dozens for
    10**7 items with distinct scores, up to one for each n where the DCGs are equal or all but equal.

    References
    ----------
    Wang et al. 2013, definition 5 and theorem 6: one ranker is ahead for all n >= N at once.

    Examples
    --------
    >>> from ndcg_companion.measures import Log
    >>> from ndcg_companion.simulation import sample_pair
    >>> from ndcg_companion.theory import Pair
    >>> items = sample_pair(Pair("poly:0.9:-0.8", "poly:0.1:0.8", coupling="label-first"), 20_000, seed=1)
    >>> found = certify_sign(items.labels, items.scores0, items.scores1, discount=Log(), start=100)
    >>> found.ahead, found.flips, found.last_failure, found.evaluations < 50
    (0, (), None, True)
    >>> found.replay(items.labels, items.scores0, items.scores1, discount=Log(), sizes=[100, 101, 12_345])
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
    changes: list[tuple[int, int | None]] = []  # going down: the largest size of each lead, and whose it is
    with one_blas_thread():
        while n >= start:
            sign, proved = gap.sign(n, n - start)
            evaluations += 1
            leader = {1: 0, -1: 1, 0: None}[sign]
            if not changes or leader != changes[-1][1]:
                changes.append((n, leader))
            n -= 1 + proved
    changes.reverse()
    flips, leaders = (n + 1 for n, _ in changes[:-1]), (leader for _, leader in changes)
    return Certificate(start, stop, tuple(flips), tuple(leaders), evaluations)


def _decreasing_table(discount, stop):
    """The discounts of the first ``stop`` ranks; refused unless they are >= 0 and never increase."""
    check_discount(discount)
    raise_if(
        depends_on_n(discount), "discount", discount, "one that does not depend on n, as the proof needs"
    )
    table, decreasing = discount_table(discount, None, stop)
    raise_if(not decreasing, "discount", discount, "one that is >= 0 and never increases, as the proof needs")
    return table[::-1].copy()  # it comes last rank first, and products with a reversed view are slow


class _Gap:
    """h(n), for n going down, with what is known about its error and about h at the sizes below."""

    def __init__(self, gains, scores, table):
        grades, codes = grade_codes(gains)
        arrivals = np.arange(gains.size)
        self.rankings = [ShrinkingRanking(grades, codes, ranker, arrivals) for ranker in scores]
        self.table, self.labels, self.largest = table, gains, gains.max()
        self.tied = any(ranking.groups is not None for ranking in self.rankings)
        # Means of tied gains are off by one rounding if the gains sum exactly, else by one for each tie.
        small_and_whole = isinstance(grades, range)
        self.roundings = 0 if not self.tied else 2 if small_and_whole else gains.size
        # Means a/b and c/d of whole gains up to g differ by 1/(bd) or not at all; equal floats are equal.
        self.equal_means_are_equal = small_and_whole and gains.size**2 * len(grades) * _EPS < 0.5
        self.window = gains.size // 8 + 16

    def sign(self, n, limit):
        """The sign of h(n), and for how many of the `most` sizes below n it is proved to be the same."""
        for ranking in self.rankings:
            ranking.keep(n - 1)
        first, second = (ranking.gains(n) for ranking in self.rankings)
        difference, table = first - second, self.table[:n]
        tiny = n * np.finfo(float).tiny
        h = difference @ table
        size = np.abs(difference) @ table
        means = 0.0
        if self.roundings:
            uncertain = first + second
            if self.equal_means_are_equal:
                uncertain *= difference != 0
            means = self.roundings * _EPS * (uncertain @ table)
        error = (n * _EPS + _TERM) * size + means + tiny
        if abs(h) <= error:
            h = fsum(difference * table)
            error = _TERM * size + means + tiny
        if abs(h) <= error:
            return 0, 0
        return (1 if h > 0 else -1), self._reach(n, abs(h) - error, min(limit, self.window), h > 0)

    def _reach(self, n, margin, limit, first_ahead):
        """For how many of the `most` sizes below n the gap cannot have been used up."""
        if not limit:
            return 0
        ahead, behind = self.rankings if first_ahead else reversed(self.rankings)
        # Latest arrival first.
        gains, lost = self.labels[n - limit : n][::-1], self.table[n - limit : n][::-1]
        table = self.table[:n]
        moves = gains * ahead.latest(table, limit) + (self.largest - gains) * behind.latest(table, limit)
        rounding = (limit + n * self.tied) * _EPS + 2 * _TERM
        usable = margin - rounding * (moves.sum() + self.largest * lost.sum())
        used_up = np.cumsum(moves - self.largest * lost) >= usable
        reached = int(used_up.argmax()) if used_up.any() else limit
        # Looking further than needed costs time, not looking far enough an evaluation.
        self.window = 2 * reached + 16
        return reached
