"""How fast a discount decays: the exponent that decides which theorem speaks."""

from math import inf

from ndcg_companion.measures import Geometric, Linear, Log, Power, Zipf
from ndcg_companion.measures.checks import refusal


def decay_exponent(discount):
    """The exponent ``beta`` such that the discount is ``r ** -beta`` up to a slowly varying factor.

    0 for `Log`, ``beta`` for `Power`, 1 for `Zipf`, infinity for `Geometric`. The discount is summable when
    the exponent exceeds 1 (Wang et al. 2013, section 3.2, where 1 is the critical point).

    Raises
    ------
    ValueError
        For `Linear`, which depends on the length of the list, and for callables of which nothing is known.
    """
    match discount:
        case Log():
            return 0.0
        case Power(beta=beta):
            return float(beta)
        case Zipf():
            return 1.0
        case Geometric():
            return inf
        case Linear():
            raise refusal("discount", discount, "a discount of the rank alone; this one depends on n")
    raise refusal("discount", discount, "Log, Power, Zipf or Geometric; nothing is known of its decay")
