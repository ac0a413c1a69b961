"""Score rankers in scikit-learn by mean NDCG over queries."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from ndcg_companion.checks import check_choice, fail_if, real_array
from ndcg_companion.measures import Log, ndcg
from ndcg_companion.measures.cutoffs import Cutoff
from ndcg_companion.measures.discounts import Discount
from ndcg_companion.measures.gains import Gain
from ndcg_companion.measures.ties import Ties
from ranking_report.readers.ids import check_ids, codes_of, refuse_missing


def ndcg_by_query(
    labels: ArrayLike,
    scores: ArrayLike,
    query: ArrayLike,
    *,
    k: Cutoff = 10,
    discount: Discount = Log(),
    gain: Gain = "linear",
    ties: Ties = "average",
) -> float:
    """Return the mean NDCG over the queries with a relevant item, or NaN.

    Parameters
    ----------
    labels, scores : array_like of shape (n,)
        The labels and scores of all items of all queries, in any order.
    query : array_like of shape (n,)
        The query of each item, as texts or numbers. Queries are compared as texts, and no query may be
        missing.
    k, discount, gain
        As for `ndcg`.
    ties : {"average", "best", "worst", "stable"}
        The treatment of equal scores, as for `ndcg`.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If a row has no query (the message then names the row), if the lengths differ, or if `ndcg` rejects a
        value.

    Examples
    --------
    >>> round(ndcg_by_query([1, 0, 0, 1, 0], [2, 1, 2, 1, 5], ["p", "p", "q", "q", "r"]), 3)
    0.815
    """
    labels, scores = real_array("labels", labels), real_array("scores", scores)
    got = f"{labels.shape}, {scores.shape} and {np.shape(query)}"
    fail_if(
        not labels.shape == scores.shape == np.shape(query) or labels.ndim != 1,
        f"labels, scores, query: expected one number and one query for each item, got the shapes {got}",
    )
    locate = lambda row: f"query, row {row + 1}"
    query_numbers = codes_of(check_ids("query", query, locate)).codes
    refuse_missing("query", query_numbers, locate)
    order = np.argsort(query_numbers, kind="stable")
    offsets = np.append(0, np.bincount(query_numbers).cumsum())
    values = np.asarray(
        ndcg(labels[order], scores[order], discount=discount, gain=gain, k=k, ties=ties, offsets=offsets)
    )
    defined_values = values[~np.isnan(values)]
    return float(defined_values.mean()) if defined_values.size else np.nan


def ndcg_scorer(*, response_method: str = "predict", **options: object) -> Callable:
    """Return a scikit-learn scorer for rankers that computes mean NDCG over queries.

    Parameters
    ----------
    response_method : {"predict", "decision_function", "predict_proba"}
        The method of the estimator that computes the scores.
    **options
        Options of `ndcg_by_query`, which are k, discount, gain and ties.

    Returns
    -------
    callable
        A scorer for the argument ``scoring`` of ``cross_validate``, ``GridSearchCV`` and others. The scorer
        requests ``query`` as metadata in addition to X and y, so metadata routing must be enabled.

    Raises
    ------
    ModuleNotFoundError
        If scikit-learn is not installed.
    ValueError
        If an option is unknown.

    Examples
    --------
    Of 20 queries, none is in the training and in the test part of a split:

    >>> import sklearn
    >>> from sklearn.linear_model import Ridge
    >>> from sklearn.model_selection import GroupKFold, cross_validate
    >>> rng = np.random.default_rng(1)
    >>> X, query = rng.normal(size=(200, 3)), np.repeat(np.arange(20), 10)
    >>> y = (X[:, 0] > 0.5).astype(int)
    >>> with sklearn.config_context(enable_metadata_routing=True):
    ...     results = cross_validate(Ridge(), X, y, scoring=ndcg_scorer(k=5), cv=GroupKFold(4),
    ...                              params={"query": query, "groups": query})
    >>> results["test_score"].round(1).tolist()
    [1.0, 1.0, 1.0, 1.0]
    """
    check_choice("response_method", response_method, ("predict", "decision_function", "predict_proba"))
    import sklearn
    from sklearn.metrics import make_scorer

    allowed = {"k", "discount", "gain", "ties"}
    unknown_options = ", ".join(sorted(options.keys() - allowed))
    fail_if(unknown_options, f"options: expected {', '.join(sorted(allowed))}, got {unknown_options}")
    with sklearn.config_context(enable_metadata_routing=True):
        return make_scorer(ndcg_by_query, response_method=response_method, **options).set_score_request(
            query=True
        )
