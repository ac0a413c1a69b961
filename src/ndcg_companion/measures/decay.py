"""The decay of a discount along infinitely long lists, and quantities that the theory derives from it.

Each discount implements its own sums, the decay of its logarithm, and its mean at a random rank. The formulas
of the theory therefore also apply to a new discount and never depend on the name of a discount.
"""

from collections.abc import Callable
from math import inf, log
from typing import Any

import numpy as np

from ndcg_companion.checks import raise_if


class KnownDecay:
    """Base class of discounts with a known analytic form at every real rank.

    There are four forms: ``r ** -decay``; ``log(1 + r) ** -log_decay``, with decay 0; ``ratio ** r`` (see
    `GeometricDecay`); and weights, with decay 0, that depend on n and are linear in the depth. Instances are
    non-increasing in the rank. All instances are frozen and hashable, so results computed from them can be
    cached.

    Attributes
    ----------
    decay : float
        The exponent beta such that D(r) is ``r ** -beta`` up to a slowly varying factor.
    log_decay : float
        The exponent of ``1 / log(1 + r)`` in this factor.
    ratio : float or None
        ``D(r + 1) / D(r)`` if it is below 1 and the same for every rank; None otherwise.
    reach : float
        The rank beyond which a geometric discount is below 1e-16 and negligible; infinite for other
        discounts.
    needs_n : bool
        Whether D(r) depends on the length of the list.
    """

    __call__: Callable[..., Any]
    decay: float
    log_decay = 0.0
    ratio: float | None = None
    reach = inf
    needs_n = False

    def weight(self, depth):
        """Return the factor, linear in u, of ``u ** -decay`` at depth u = r / n of a long list."""
        return 1.0

    def of_rank_alone(self):
        """Return the discount; raise ValueError if it depends on the length of the list."""
        expected = "a discount of the rank alone, such as Log() or Power(0.5); this one depends on n"
        raise_if(self.needs_n, "discount", self, expected)
        return self

    def tail_sum(self, power=1, after=0):
        """Return the sum of ``D(r) ** power`` over the ranks r > after.

        For powers of ranks, the sum is a value of Hurwitz's zeta function. The sum is infinite if
        ``power * decay <= 1`` (Wang et al. 2013, section 3.2, where the critical exponent is 1).

        Raises
        ------
        ValueError
            If the discount depends on the length of the list.

        Examples
        --------
        >>> from ndcg_companion.measures import Geometric, Log, Power
        >>> round(Power(2.0).tail_sum(), 12), Geometric(0.5).tail_sum(2, after=1), Log().tail_sum()
        (1.644934066848, 0.08333333333333333, inf)
        """
        from scipy.special import zeta  # imported here because scoring rankings needs only NumPy

        # For D(r) = r**-decay, the sum over r >= after + 1 of r**-exponent is zeta(exponent, after + 1).
        exponent = power * self.of_rank_alone().decay
        return float(zeta(exponent, after + 1.0)) if exponent > 1.0 else inf

    def log_change(self, log_rank, offset):
        """Return ``log D(exp(log_rank + offset)) - log D(exp(log_rank))``.

        Ranks are given by their logarithms because the longest lists exceed the range of floats.

        Parameters
        ----------
        log_rank, offset : float or ndarray
            Natural logarithm of a rank, and the amount that is added to it.

        Raises
        ------
        ValueError
            If the discount depends on the length of the list.

        Examples
        --------
        >>> from ndcg_companion.measures import Log, Zipf
        >>> float(Zipf().log_change(1000.0, 2.0)), round(float(Log().log_change(1000.0, 2.0)), 6)
        (-2.0, -0.001998)
        """
        self.of_rank_alone()
        # log D(x) = -log_decay log(log(1 + x)) - decay log x, where log(1 + x) is logaddexp(0, log x).
        log_factor = np.log(np.logaddexp(0.0, log_rank) / np.logaddexp(0.0, log_rank + offset))
        return self.log_decay * log_factor - self.decay * offset

    def mean_powers(self, powers, n, u, k, rank_mean):
        """Return ``E[D(R) ** power; R <= k]`` for each power, with R = 1 + Bin(n - 1, u).

        Parameters
        ----------
        powers : sequence of float
            Exponents of the discount.
        n : int
            The length of the list.
        u : ndarray of shape (m,)
            Depths from 0 to 1. The depth of an item is the probability that another item ranks above it.
        k : int
            The cut-off.
        rank_mean : callable
            ``rank_mean(f, n, u, k)`` is ``E[f(R); R <= k]`` for a smooth function f of an array of ranks. If
            f returns several values along a first axis, the result of ``rank_mean`` has the same first axis.
            The function ``rank_mean`` is called only if there is no closed form.

        Returns
        -------
        ndarray of shape (powers, m)

        Examples
        --------
        >>> from ndcg_companion.measures import Geometric
        >>> Geometric(0.5).mean_powers((1, 2), 3, np.array([0.0, 1.0]), 3, rank_mean=None)  # ranks 1 and 3
        array([[0.5     , 0.125   ],
               [0.25    , 0.015625]])
        """

        def discount_powers(ranks):
            values = self(ranks, float(n)) if self.needs_n else self(ranks)
            return np.array([values**power for power in powers])

        return rank_mean(discount_powers, n, u, k)


class GeometricDecay(KnownDecay):
    """Base class of the discounts ``ratio ** r``, analysed in closed form."""

    decay = inf
    ratio: float

    @property
    def reach(self):
        # ratio**r = exp(r log ratio) is below 1e-16, which is about exp(-37), from this rank on.
        return -37.0 / np.log(self.ratio)

    def tail_sum(self, power=1, after=0):
        # The geometric series: with q = ratio**power, the sum over r > after of q**r is
        # q**(after + 1) / (1 - q).
        return self.ratio ** (power * (after + 1)) / (1.0 - self.ratio**power)

    def log_change(self, log_rank, offset):
        # log D(x) = x log(ratio). Beyond exp(700) the discount underflows to 0.
        return (np.exp(np.minimum(log_rank + offset, 700.0)) - np.exp(log_rank)) * log(self.ratio)

    def mean_powers(self, powers, n, u, k, rank_mean):
        return np.array([_geometric_mean(self.ratio**power, n, u, k) for power in powers])


def _geometric_mean(ratio, n, u, k):
    """Return ``E[ratio ** R; R <= k]`` for R = 1 + Bin(n - 1, u), at each depth u.

    A binomial distribution weighted by ``ratio ** B`` stays binomial, with another success probability.
    """
    from scipy.special import betaincc

    # Let X = 1 with probability u and otherwise 0, M = E[ratio**X] = 1 - u (1 - ratio), v = u ratio / M:
    # E[ratio**R; R <= k] = ratio M**(n - 1) P(Bin(n - 1, v) < k).
    log_m = np.log1p(-u * (1.0 - ratio))
    # P(Bin(n - 1, v) < k) is the complement of the regularised incomplete beta function with k and n - k.
    v = u * ratio * np.exp(-log_m)
    probability_within = 1.0 if k >= n else betaincc(float(k), float(n - k), v)
    return ratio * np.exp((n - 1.0) * log_m) * probability_within
