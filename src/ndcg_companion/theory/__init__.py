"""The theory of NDCG on long lists: populations, limits, expectations, limit laws and comparisons of rankers.

The notation is as follows. The number of items is n, ``s`` in [0, 1] is the canonical score, and ``u = 1 -
s`` is the depth. The mean label at depth u is ``G(u) = E[Y | depth u]``, also called ``g(u)`` for binary
labels, and ``Q(u)`` is the label at depth u of the ideal list. The proportion of relevant items is ``p = P(Y
= 1)``. The difference between two rankers' curves is ``Delta(u)``, and the difference between their DCGs is
``h``. For a discount D, ``F(t) = integral_1^t D`` and ``S(m) = D(1) + ... + D(m)``.
"""

from .bounds import bhattacharyya_exponent, dcg_error_bound, failure_bound
from .curves import Curve, parse_curve
from .exact import expected_dcg, expected_gap, expected_ideal_dcg, expected_ndcg, reverse_ideal_ndcg
from .expectations import (
    discount_integral,
    kappa,
    leading_term,
    pseudo_dcg,
    pseudo_expectation,
    second_order_term,
)
from .fluctuations import ndcg_standard_deviation
from .gaps import dcg_gap_standard_deviation, gap_standard_deviation
from .laws import DiscountedSum, LimitLaw, limit_law
from .limits import Limit, limit
from .odds import ahead_on_average, ahead_probability, items_needed, signal_and_noise
from .pairs import Pair, parse_coupling
from .populations import Population
from .queries import effective_labels, query_worth
from .sharing import MixtureTail, SharedTopLaw
from .winning import winning_probability

__all__ = [
    "Curve",
    "DiscountedSum",
    "Limit",
    "LimitLaw",
    "MixtureTail",
    "Pair",
    "Population",
    "SharedTopLaw",
    "ahead_on_average",
    "ahead_probability",
    "bhattacharyya_exponent",
    "dcg_error_bound",
    "dcg_gap_standard_deviation",
    "discount_integral",
    "effective_labels",
    "expected_dcg",
    "expected_gap",
    "expected_ideal_dcg",
    "expected_ndcg",
    "failure_bound",
    "gap_standard_deviation",
    "items_needed",
    "kappa",
    "leading_term",
    "limit",
    "limit_law",
    "ndcg_standard_deviation",
    "parse_coupling",
    "parse_curve",
    "pseudo_dcg",
    "pseudo_expectation",
    "query_worth",
    "reverse_ideal_ndcg",
    "second_order_term",
    "signal_and_noise",
    "winning_probability",
]
