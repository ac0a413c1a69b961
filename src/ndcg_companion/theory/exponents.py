"""How rare failure is when the labels of two tops are compared: the exponent of each rank."""

from math import inf, log, sqrt

from ndcg_companion.measures.checks import real


def bhattacharyya_exponent(q0: float, q1: float) -> float:
    """The exponent ``2 log(1 / BC)`` at which k labels of either top fail to name the better one.

    With ``BC = sqrt(q0 q1) + sqrt((1 - q0)(1 - q1))``, the Bhattacharyya coefficient of two labels, and
    independent labels xi_r, eta_r that are 1 with probability q0 > q1,

        P(sum of D(r) (xi_r - eta_r) over r <= k  <=  0)  =  exp(-k (2 log(1 / BC) + o(1)))

    for every slowly varying discount D, the constant one included. So the cut-off ``k = B log n`` fails on n
    items with probability ``n ** (-2 B log(1 / BC) + o(1))``.

    This is the limit of two rates that differ at every finite k. The *saddlepoint rate*,
    ``-min over z of log E exp(-z h) / k``, equals it for a constant discount and comes to it from below for
    the logarithm. The rate ``-log P / k`` of the probability itself is larger than the saddlepoint rate at
    every k, for Chernoff's bound is one.

    Parameters
    ----------
    q0, q1 : float
        Relevance at the two tops, between 0 and 1.

    Returns
    -------
    float
        Infinite where one top is certain to be relevant and the other certain not to be.

    Raises
    ------
    ValueError
        For what is not a probability.

    Examples
    --------
    >>> round(bhattacharyya_exponent(0.7, 0.3), 4)
    0.1744
    """
    for name, relevance in (("q0", q0), ("q1", q1)):
        real(name, relevance, lambda value: 0.0 <= value <= 1.0, "a probability, from 0 to 1")
    coefficient = sqrt(q0 * q1) + sqrt((1.0 - q0) * (1.0 - q1))
    # Of equal tops rounding may leave a little more than 1.
    return -2.0 * log(min(coefficient, 1.0)) if coefficient else inf
