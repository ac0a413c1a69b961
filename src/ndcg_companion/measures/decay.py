"""How a discount decays along endless lists, and what theory computes from that.

A discount says here of itself what it sums to, how its logarithm falls, and what a random rank counts on
average: a new discount comes with its analysis, and no formula asks for the name of one.
"""

from collections.abc import Callable
from math import inf, log
from typing import Any

import numpy as np

from ndcg_companion.checks import raise_if


class KnownDecay:
    """The analysis of a discount that is, for every real rank, exactly of one of these forms.

    ``r ** -decay``; ``log(1 + r) ** -log_decay`` with decay 0; ``ratio ** r``, see `GeometricDecay`; and with
    decay 0 what depends on n and weighs the depths linearly. Values are frozen, can be hashed, and give no
    rank less than a worse one: what is computed from one is kept.

    Attributes
    ----------
    decay : float
        The exponent beta such that D(r) is ``r ** -beta`` up to a slowly varying factor.
    log_decay : float
        That factor's exponent of ``1 / log(1 + r)``.
    ratio : float or None
        ``D(r + 1) / D(r)``, where it is below 1 and the same for every rank.
    reach : float
        The rank beyond which a geometric decay leaves less than 1e-16; infinite for another.
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
        """What depth u = r / n of a long list weighs next to ``u ** -decay``: a linear function of u."""
        return 1.0

    def of_rank_alone(self):
        """The discount itself, refused if it depends on the length of the list."""
        expected = "a discount of the rank alone, such as Log() or Power(0.5); this one depends on n"
        raise_if(self.needs_n, "discount", self, expected)
        return self

    def tail_sum(self, power=1, after=0):
        """Sum of ``D(r) ** power`` over the ranks r > after: of powers of ranks, Hurwitz's zeta function.

        Infinite where ``power * decay <= 1`` (Wang et al. 2013, section 3.2, have the critical point 1).

        Raises
        ------
        ValueError
            For a discount that depends on the length of the list.

        Examples
        --------
        >>> from ndcg_companion.measures import Geometric, Log, Power
        >>> round(Power(2.0).tail_sum(), 12), Geometric(0.5).tail_sum(2, after=1), Log().tail_sum()
        (1.644934066848, 0.08333333333333333, inf)
        """
        from scipy.special import zeta  # when it is used: to score rankings takes NumPy alone

        exponent = power * self.of_rank_alone().decay
        return float(zeta(exponent, after + 1.0)) if exponent > 1.0 else inf

    def log_change(self, log_rank, offset):
        """``log D(exp(log_rank + offset)) - log D(exp(log_rank))``: no float holds the longest lists.

        Parameters
        ----------
        log_rank, offset : float or ndarray
            The natural logarithm of a rank, and what is added to it.

        Raises
        ------
        ValueError
            For a discount that depends on the length of the list.

        Examples
        --------
        >>> from ndcg_companion.measures import Log, Zipf
        >>> float(Zipf().log_change(1000.0, 2.0)), round(float(Log().log_change(1000.0, 2.0)), 6)
        (-2.0, -0.001998)
        """
        self.of_rank_alone()
        slowly = np.log(np.logaddexp(0.0, log_rank) / np.logaddexp(0.0, log_rank + offset))
        return self.log_decay * slowly - self.decay * offset

    def mean_powers(self, powers, n, u, k, rank_mean):
        """``E[D(R) ** power; R <= k]`` for each power, with the random rank ``R = 1 + Bin(n - 1, u)``.

        Parameters
        ----------
        powers : sequence of float
        n : int
            The length of the list.
        u : ndarray of shape (m,)
            Depths, from 0 to 1: the chance of each other item to be above.
        k : int
            The rank up to which positions count.
        rank_mean : callable
            ``rank_mean(f, n, u, k)`` is ``E[f(R); R <= k]`` for a smooth f of an array of ranks, or for
            several along the first axis of its result. It is called where there is no closed form.

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

        def at(ranks):
            values = self(ranks, float(n)) if self.needs_n else self(ranks)
            return np.array([values**power for power in powers])

        return rank_mean(at, n, u, k)


class GeometricDecay(KnownDecay):
    """The analysis of ``ratio ** r``, in closed form."""

    decay = inf
    ratio: float

    @property
    def reach(self):
        return -37.0 / np.log(self.ratio)

    def tail_sum(self, power=1, after=0):
        return self.ratio ** (power * (after + 1)) / (1.0 - self.ratio**power)

    def log_change(self, log_rank, offset):
        # Beyond exp(700) the discount is 0 in every floating-point sense.
        return (np.exp(np.minimum(log_rank + offset, 700.0)) - np.exp(log_rank)) * log(self.ratio)

    def mean_powers(self, powers, n, u, k, rank_mean):
        return np.array([_geometric_mean(self.ratio**power, n, u, k) for power in powers])


def _geometric_mean(ratio, n, u, k):
    """``E[ratio ** R; R <= k]``: weighing a binomial variable by ratio ** B makes it another one."""
    from scipy.special import betaincc

    log_mean = np.log1p(-u * (1.0 - ratio))  # of ratio ** X, X = 1 with probability u
    # P(Bin(n - 1, .) < k)
    within = 1.0 if k >= n else betaincc(float(k), float(n - k), u * ratio * np.exp(-log_mean))
    return ratio * np.exp((n - 1.0) * log_mean) * within
