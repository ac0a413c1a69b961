"""DCG and NDCG as definition 1 of Wang et al. (2013) says them: what every fast way is held against.

Nothing is checked, and equal scores keep the order that they came in; fractions stay exact.
"""

from collections.abc import Callable, Sequence
from typing import Any


def dcg(labels: Sequence, scores: Sequence, discount: Callable, k: int | None = None) -> Any:
    """Sum over ranks r <= k of the label at rank r, by decreasing score, times the discount of r.

    >>> from fractions import Fraction
    >>> dcg([3, 0, 2], [0.3, 0.2, 0.1], lambda r: Fraction(1, r))
    Fraction(11, 3)
    """
    order = sorted(range(len(labels)), key=lambda i: scores[i], reverse=True)
    return sum(labels[i] * discount(r) for r, i in enumerate(order[:k], start=1))


def ndcg(labels: Sequence, scores: Sequence, discount: Callable, k: int | None = None) -> Any:
    """DCG over that of the best order, which is by the labels themselves.

    >>> from fractions import Fraction
    >>> ndcg([3, 0, 2], [0.3, 0.2, 0.1], lambda r: Fraction(1, r))
    Fraction(11, 12)
    """
    return dcg(labels, scores, discount, k) / dcg(labels, labels, discount, k)
