"""The four measures of the experiment of Wang et al. 2013, appendix A, on every prefix of every query."""

import numpy as np

from ndcg_companion.measures import Geometric, Log, Power
from ndcg_companion.simulation import ndcg_curve

#: For each figure the discount and the cut-off.
MEASURES = {
    "figure-1": (Log(), None),
    "figure-2": (Power(0.5), None),
    "figure-3": (Geometric(0.5), None),
    "figure-4": (Log(), 0.2),
}


def experiment_curves(labels, scores, *, sizes=None):
    """NDCG of the first n documents by each of the four `MEASURES`, for one query after the other.

    Parameters
    ----------
    labels, scores : array_like of shape (q, n)
        In arrival order.
    sizes : array_like of int, shape (m,), optional
        See `ndcg_curve`; every size if None.

    Returns
    -------
    ndarray of shape (4, q, m)
        NaN for prefixes without a relevant document.

    Examples
    --------
    >>> experiment_curves([[0, 1, 2, 0]], [[0.9, 0.1, 0.5, 0.2]])[:, 0, 1:].round(2)
    array([[0.63, 0.67, 0.64],
           [0.71, 0.74, 0.71],
           [0.5 , 0.5 , 0.45],
           [0.  , 0.  , 0.  ]])
    """
    labels, scores = np.asarray(labels), np.asarray(scores)
    if labels.ndim != 2 or labels.shape != scores.shape:
        raise ValueError(f"labels and scores of shapes {labels.shape} and {scores.shape}: expected one shape (q, n)")
    full = [discount for discount, k in MEASURES.values() if k is None]
    log, share = MEASURES["figure-4"]
    curves = [
        np.vstack([
            ndcg_curve(*query, discount=full, sizes=sizes), ndcg_curve(*query, discount=log, k=share, sizes=sizes)
        ])
        for query in zip(labels, scores)
    ]  # fmt: skip
    return np.stack(curves, axis=1)
