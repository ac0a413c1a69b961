"""DCG and NDCG, written as in Wang et al. 2013, definition 1, as a reference for the faster versions.

Arguments are not checked, equal scores keep their input order, and fractions stay exact.
"""

from collections.abc import Callable, Sequence
from typing import Any


def dcg(labels: Sequence, scores: Sequence, discount: Callable, k: int | None = None) -> Any:
    """Return the discounted sum of the first k labels, ranked by decreasing score.

    >>> from fractions import Fraction
    >>> dcg([3, 0, 2], [0.3, 0.2, 0.1], lambda r: Fraction(1, r))
    Fraction(11, 3)
    """
    order = sorted(range(len(labels)), key=lambda i: scores[i], reverse=True)
    return sum(labels[i] * discount(r) for r, i in enumerate(order[:k], start=1))


def ndcg(labels: Sequence, scores: Sequence, discount: Callable, k: int | None = None) -> Any:
    """Return the DCG divided by the DCG of the best order, which is the order by label.

    >>> from fractions import Fraction
    >>> ndcg([3, 0, 2], [0.3, 0.2, 0.1], lambda r: Fraction(1, r))
    Fraction(11, 12)
    """
    return dcg(labels, scores, discount, k) / dcg(labels, labels, discount, k)
