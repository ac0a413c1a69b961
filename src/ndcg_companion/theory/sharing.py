"""Two rankers whose tops share items: where both show them, and the law of what is left of the difference."""

from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import isfinite, pi

import numpy as np

from ndcg_companion.checks import check_float, check_int, check_type, raise_if
from ndcg_companion.measures.discounts import Discount

from .limits import decay_exponent

_MOST = 500  # ranks of a table of pairs of ranks
_RANKS = 150  # whose labels are followed one by one; those below are all but normal
_FREQUENCIES, _HIGHEST = 300, 25.0  # of the characteristic function, in standard deviations


@dataclass(frozen=True)
class MixtureTail:
    """Tops of long lists: an item is shared, at the same depth, with chance chi, or near one top alone.

    Down the two lists together the next item is shared with chance ``chi / (2 - chi)``; else it is the next
    of one list alone, of either with the same chance.

    Parameters
    ----------
    chi : float
        From 0 to 1: of the items near the top of one list, the share that is near that of the other.

    Raises
    ------
    ValueError
        For a chi outside that range.

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
        """The chance that both rankers have the same first result."""
        return self.chi / (2.0 - self.chi)

    @property
    def next_alone(self) -> float:
        """The chance that the next item is one of the first list alone; and the same of the second."""
        return (1.0 - self.chi) / (2.0 - self.chi)

    def ranks(self, k: int = 10) -> np.ndarray:
        """How many items are expected at rank r of one list and rank s of the other: shape (k, k).

        Raises
        ------
        ValueError
            Unless k is a whole number from 1 to 500.

        Examples
        --------
        >>> MixtureTail(0.5).ranks(2).round(3).tolist()
        [[0.333, 0.111], [0.111, 0.185]]
        """
        size = check_int("k", k, 1, _MOST)
        # How often, on the way down both lists, r - 1 items of one and s - 1 of the other are passed.
        visits = np.zeros((size + 1, size + 1))
        for r, s in product(range(1, size + 1), repeat=2):
            unshared = self.next_alone * (visits[r - 1, s] + visits[r, s - 1])
            visits[r, s] = (r == s == 1) + self.same_first * visits[r - 1, s - 1] + unshared
        return self.same_first * visits[1:, 1:]

    def overlap(self, k: int = 10) -> float:
        """The share of the first k results that both rankers show, on average: overlap@k."""
        return float(self.ranks(k).sum() / k)

    def shared_weight(self, discount: Discount, k: int = 10) -> float:
        """The share of weight on common results, on average: ``sum of D(r) D(s) / sum of D(r)**2``.

        Examples
        --------
        >>> from ndcg_companion.measures import Log
        >>> round(MixtureTail(0.5).shared_weight(Log()), 2)
        0.46
        """
        weights = np.asarray(discount(np.arange(1, check_int("k", k, 1, _MOST) + 1)), dtype=float)
        return float(weights @ self.ranks(k) @ weights / (weights @ weights))


@dataclass(frozen=True)
class SharedTopLaw:
    """Law of the difference of two DCGs on long lists whose tops share items, all in doubt alike.

    Under ``r**-beta``, ``1/2 < beta <= 1``, the difference less its mean tends to a sum over the items of the
    tops: each label, less its mean, times the difference of the discounts of its two ranks. What both show at
    the same rank cancels. The mean is given.

    Parameters
    ----------
    tail : MixtureTail
    discount : Zipf or Power
        With an exponent above 1/2 and at most 1.
    q : float
        Above 0 and below 1: the chance that an item of either top is relevant, shared or not.
    mean : float
        Of the limit.

    Raises
    ------
    ValueError
        For other arguments, and for a chi of 1, where nothing is left but the mean.

    Notes
    -----
    The first 150 ranks are followed item by item, by a recursion for the characteristic function; the labels
    below, whose number is endless and whose weight is small, are taken as normal with their variance.

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
        raise_if(self.tail.chi == 1, "tail", self.tail, "a chi below 1: wholly shared tops leave no law")
        beta = decay_exponent(self.discount)
        raise_if(not 0.5 < beta <= 1, "discount", self.discount, "Zipf() or Power(beta) with 1/2 < beta <= 1")
        check_float("q", self.q, lambda chance: 0 < chance < 1, "a number above 0 and below 1")
        check_float("mean", self.mean, isfinite, "a finite number")

    @cached_property
    def _cut(self):
        """The discounts of the followed ranks, and the variance of what is below."""
        weights = np.asarray(self.discount(np.arange(1, _RANKS + 1)), dtype=float)
        below = self.discount.tail_sum(2, _RANKS)
        return weights, 2 * self.q * (1 - self.q) * (1 - self.tail.chi) * below

    @property
    def variance(self) -> float:
        """The variance of the limit: ``2 q (1 - q)`` times the sum of squared weights that are not shared."""
        weights, below = self._cut
        unshared = weights @ weights * (1 - self.tail.shared_weight(self.discount, _RANKS))
        return float(2 * self.q * (1 - self.q) * unshared + below)

    @cached_property
    def ahead(self) -> float:
        """The chance that the first ranker is ahead, on long lists."""
        step = _HIGHEST / _FREQUENCIES / self.variance**0.5
        frequencies = (np.arange(_FREQUENCIES) + 0.5) * step
        turned = self._characteristic(frequencies) * np.exp(1j * frequencies * self.mean)
        return float(0.5 + np.sum(turned.imag / frequencies) * step / pi)

    def _characteristic(self, frequencies):
        """The characteristic function of the centred sum: down both lists, a label at each step."""
        weights, below = self._cut
        unshared, shared = self.tail.next_alone, self.tail.same_first
        angles = frequencies * weights[:, None]
        # Of the labels 0 and 1, less their mean and times the weight of each rank. For the difference of two
        # weights they are products, which take much less time than exponentials.
        zero, one = np.exp(-1j * self.q * angles), np.exp(1j * (1 - self.q) * angles)
        zero_back, one_back = zero.conj(), one.conj()
        first = (1 - self.q) * zero + self.q * one
        second = first.conj()
        shape = _RANKS + 1, len(frequencies)
        row = np.zeros(shape, dtype=complex)  # after so many items of the second list
        row[0] = 1.0
        for passed in range(_RANKS):
            row[passed + 1] = unshared * second[passed] * row[passed]
        for rank in range(_RANKS):
            above, row = row, np.zeros(shape, dtype=complex)
            row[:-1] = unshared * first[rank] * above[:-1]
            row[-1] = first[rank] * above[-1]  # the other list is through
            both = (1 - self.q) * zero[rank] * zero_back + self.q * one[rank] * one_back
            row[1:] += shared * both * above[:-1]
            alone = (unshared if rank < _RANKS - 1 else 1.0) * second
            for passed in range(_RANKS):
                row[passed + 1] += alone[passed] * row[passed]
        return row[-1] * np.exp(-(frequencies**2) * below / 2)
