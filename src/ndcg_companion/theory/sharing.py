"""Two rankers with shared items in their tops: ranks of common items, and distribution of the difference."""

from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import isfinite, pi

import numpy as np

from ndcg_companion.checks import check_float, check_int, check_type, raise_if
from ndcg_companion.measures.discounts import Discount

from .limits import decay_exponent

_LARGEST_TABLE = 500  # largest k for a table of pairs of ranks
# Labels at these first ranks are treated exactly; the sum over lower ranks is nearly normal.
_EXACT_RANKS = 150
# The number of frequencies, and the highest one in units of 1 / standard deviation.
_FREQUENCY_COUNT, _HIGHEST_FREQUENCY = 300, 25.0


@dataclass(frozen=True)
class MixtureTail:
    """Model of two tops in which an item is common to both with probability chi.

    A common item has the same depth in both lists; any other item is near the top of only one list. If you go
    down both lists by depth, the next item is common with probability ``chi / (2 - chi)``. Otherwise, the
    next item belongs to one list alone, and both lists are equally likely.

    Parameters
    ----------
    chi : float
        Proportion, from 0 to 1, of the items near the top of one list that are also near the top of the other
        list.

    Raises
    ------
    ValueError
        If chi is not a number from 0 to 1.

    Examples
    --------
    >>> tail = MixtureTail(0.5)
    >>> round(tail.same_first, 3), round(tail.overlap(10), 3)
    (0.333, 0.438)
    """

    chi: float

    def __post_init__(self):
        check_float("chi", self.chi, lambda chi: 0 <= chi <= 1, "a number from 0 to 1")

    @property
    def same_first(self) -> float:
        """Probability that both rankers have the same first result."""
        return self.chi / (2.0 - self.chi)

    @property
    def next_alone(self) -> float:
        """Probability that the next item belongs to one given list alone."""
        return (1.0 - self.chi) / (2.0 - self.chi)

    def ranks(self, k: int = 10) -> np.ndarray:
        """Return the probability that ranks r and s belong to a common item, for r and s up to k.

        Raises
        ------
        ValueError
            If k is not a whole number from 1 to 500.

        Examples
        --------
        >>> MixtureTail(0.5).ranks(2).round(3).tolist()
        [[0.333, 0.111], [0.111, 0.185]]
        """
        size = check_int("k", k, 1, _LARGEST_TABLE)
        # visits[r, s] is the probability that the way down both lists passes exactly r - 1 items of one and
        # s - 1 of the other at some time. The next item then is common with probability `same_first`, and
        # each list has it alone with probability `next_alone`:
        # visits[r, s] = same_first visits[r-1, s-1] + next_alone (visits[r-1, s] + visits[r, s-1]).
        visits = np.zeros((size + 1, size + 1))
        for r, s in product(range(1, size + 1), repeat=2):
            one_list_alone = self.next_alone * (visits[r - 1, s] + visits[r, s - 1])
            visits[r, s] = (r == s == 1) + self.same_first * visits[r - 1, s - 1] + one_list_alone
        # At that time, the next item is a common one with the ranks r and s.
        return self.same_first * visits[1:, 1:]

    def overlap(self, k: int = 10) -> float:
        """Return overlap@k, the expected proportion of common results in the first k."""
        return float(self.ranks(k).sum() / k)

    def shared_weight(self, discount: Discount, k: int = 10) -> float:
        """Return the expected proportion of the squared weight that belongs to common results.

        The proportion is ``E[sum of D(r) D(s) over common items] / sum of D(r)**2``, where r and s are the
        two ranks.

        Examples
        --------
        >>> from ndcg_companion.measures import Log
        >>> round(MixtureTail(0.5).shared_weight(Log()), 2)
        0.46
        """
        weights = np.asarray(discount(np.arange(1, check_int("k", k, 1, _LARGEST_TABLE) + 1)), dtype=float)
        return float(weights @ self.ranks(k) @ weights / (weights @ weights))


@dataclass(frozen=True)
class SharedTopLaw:
    """Limit distribution of the difference of two DCGs if the two tops share items.

    Under ``r**-beta`` with ``1/2 < beta <= 1``, the centred difference tends to a sum over the items of the
    tops. The contribution of an item is its centred label times the difference of the discounts at its two
    ranks. The contributions of items that both rankers put at the same rank cancel. The mean must be given.

    Parameters
    ----------
    tail : MixtureTail
        Model of the items that the two tops share.
    discount : Zipf or Power
        Exponent above 1/2 and at most 1.
    q : float
        Probability, strictly between 0 and 1, that an item of either top is relevant. It is the same for
        shared and other items.
    mean : float
        Mean of the limit distribution.

    Raises
    ------
    ValueError
        If an argument is invalid, or if chi is 1 and the difference therefore has no noise.

    Notes
    -----
    The first 150 ranks are treated item by item, by a recursion for the characteristic function. The sum over
    the infinitely many lower ranks, whose weights are small, is approximated by a normal variable with the
    same variance.

    Examples
    --------
    >>> from ndcg_companion.measures import Zipf
    >>> [round(SharedTopLaw(MixtureTail(chi), Zipf(), 0.5, 0.5).ahead, 2) for chi in (0, 0.5, 0.8)]
    [0.7, 0.78, 0.89]
    """

    tail: MixtureTail
    discount: Discount
    q: float
    mean: float = 0.0

    def __post_init__(self):
        check_type("tail", self.tail, MixtureTail, "MixtureTail(0.5)")
        raise_if(
            self.tail.chi == 1, "tail", self.tail, "a chi below 1 (completely shared tops leave no noise)"
        )
        beta = decay_exponent(self.discount)
        raise_if(not 0.5 < beta <= 1, "discount", self.discount, "Zipf() or Power(beta) with 1/2 < beta <= 1")
        check_float("q", self.q, lambda number: 0 < number < 1, "a number above 0 and below 1")
        check_float("mean", self.mean, isfinite, "a finite number")

    @cached_property
    def _weights_and_tail(self):
        """Discounts of the ranks that are treated exactly, and the variance of the sum over lower ranks."""
        weights = np.asarray(self.discount(np.arange(1, _EXACT_RANKS + 1)), dtype=float)
        squared_tail = self.discount.tail_sum(2, _EXACT_RANKS)
        # A label has the variance q (1 - q), and each rank has one in either list. Far down, a common item
        # has nearly equal ranks and cancels, so a proportion 1 - chi remains.
        return weights, 2 * self.q * (1 - self.q) * (1 - self.tail.chi) * squared_tail

    @property
    def variance(self) -> float:
        """Variance of the limit, ``2 q (1 - q)`` times the squared weight that is not shared."""
        weights, tail_variance = self._weights_and_tail
        unshared_weight = weights @ weights * (1 - self.tail.shared_weight(self.discount, _EXACT_RANKS))
        return float(2 * self.q * (1 - self.q) * unshared_weight + tail_variance)

    @cached_property
    def ahead(self) -> float:
        """Probability that the first ranker is ahead on long lists."""
        # Gil-Pelaez: P(T > 0) = 1/2 + (1/pi) * integral_0^inf Im phi(t) / t dt, by the midpoint rule.
        # phi(t) is exp(i t mean) times the characteristic function of the centred sum.
        step = _HIGHEST_FREQUENCY / _FREQUENCY_COUNT / self.variance**0.5
        frequencies = (np.arange(_FREQUENCY_COUNT) + 0.5) * step
        phi = self._characteristic(frequencies) * np.exp(1j * frequencies * self.mean)
        return float(0.5 + np.sum(phi.imag / frequencies) * step / pi)

    def _characteristic(self, frequencies):
        """Return the characteristic function of the centred sum, by a recursion down both lists.

        The result has one value for each frequency t.
        """
        # phi[i, j] belongs to the event that i items of the first and j of the second list have been passed:
        #   phi[i, j] = p_alone * (f_i phi[i-1, j] + conj(f_j) phi[i, j-1]) + p_both * g_ij phi[i-1, j-1],
        # where p_alone and p_both are the probabilities that the next item belongs to one given list alone,
        # or to both.
        # For a label that is 1 with probability q, centred to X, f_i is E exp(i t D(i) X), and g_ij is
        # E exp(i t (D(i) - D(j)) X). At the end of one list, 1 replaces p_alone.
        weights, tail_variance = self._weights_and_tail
        p_alone, p_both = self.tail.next_alone, self.tail.same_first
        angles = frequencies * weights[:, None]  # t D(i): one row for each rank
        # X is -q for label 0 and 1 - q for label 1, so exp(i t D X) is one of these two factors. Products of
        # factors give g_ij more cheaply than new exponentials.
        zero_factor, one_factor = np.exp(-1j * self.q * angles), np.exp(1j * (1 - self.q) * angles)
        zero_conj, one_conj = zero_factor.conj(), one_factor.conj()
        first_factor = (1 - self.q) * zero_factor + self.q * one_factor  # f_i
        second_factor = first_factor.conj()
        shape = _EXACT_RANKS + 1, len(frequencies)
        row = np.zeros(shape, dtype=complex)  # phi[i, :] for the current i, at first 0
        row[0] = 1.0
        for second_rank in range(_EXACT_RANKS):
            row[second_rank + 1] = p_alone * second_factor[second_rank] * row[second_rank]
        for first_rank in range(_EXACT_RANKS):
            previous_row, row = row, np.zeros(shape, dtype=complex)
            # The term f_i phi[i-1, j]; for the last j, the second list is exhausted.
            row[:-1] = p_alone * first_factor[first_rank] * previous_row[:-1]
            row[-1] = first_factor[first_rank] * previous_row[-1]
            # The term g_ij phi[i-1, j-1]
            common_factor = (1 - self.q) * zero_factor[first_rank] * zero_conj
            common_factor += self.q * one_factor[first_rank] * one_conj
            row[1:] += p_both * common_factor * previous_row[:-1]
            # The term conj(f_j) phi[i, j-1]; for the last i, the first list is exhausted.
            step_factor = (p_alone if first_rank < _EXACT_RANKS - 1 else 1.0) * second_factor
            for second_rank in range(_EXACT_RANKS):
                row[second_rank + 1] += step_factor[second_rank] * row[second_rank]
        # The sum over lower ranks is taken as normal, with the factor exp(-t**2 variance / 2).
        return row[-1] * np.exp(-(frequencies**2) * tail_variance / 2)
