"""The rankers of Wang et al. 2013, appendix A (RankSVM, ListNet and a random ranker), and LambdaMART.

RankSVM and ListNet are linear, ``score(x) = w . x``, and minimise a convex loss plus
``regularisation / 2 * |w|^2``. The minimiser is unique, so it does not depend on the optimiser's path.
Training runs on one BLAS thread, so the numbers do not depend on the number of cores. LambdaMART, a strong
standard ranker, needs lightgbm.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import inf
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import log_softmax, softmax
from threadpoolctl import threadpool_limits

from ndcg_companion.checks import check_float, check_int, fail_if
from ndcg_companion.extras import import_extra
from ndcg_companion.measures import Log, ndcg
from ndcg_companion.measures.discounts import Discount
from ndcg_companion.simulation.curves import one_blas_thread
from ndcg_companion.simulation.seeding import Seed, generator

# Largest absolute partial derivative of an accepted minimiser. Because the objective is strongly convex, the
# weights are then within sqrt(d) * 1e-7 / regularisation of the exact weights.
_GRADIENT_TOLERANCE = 1e-7
# Limits that lightgbm imposes.
_MOST_ITEMS, _HIGHEST_GRADE = 10_000, 30


@dataclass(frozen=True)
class LinearRanker:
    """A linear ranker ``score(x) = w . x``.

    >>> LinearRanker((2.0, -1.0)).score([[1.0, 1.0], [0.0, 3.0]])
    array([ 1., -3.])
    """

    weights: tuple[float, ...]

    def score(self, features: ArrayLike) -> np.ndarray:
        """Return scores of shape (n,) for features of shape (n, d); the highest ranks first."""
        features = check_features(features, len(self.weights))
        with one_blas_thread():
            return features @ np.array(self.weights)


@dataclass(frozen=True)
class Regularised:
    """Base class of rankers that are trained with a regulariser."""

    regularisation: float = 1e-3

    def __post_init__(self):
        check_float("regularisation", self.regularisation, lambda r: 0 < r < inf, "a finite number > 0")


class RankSVM(Regularised):
    """RankSVM, trained with the squared hinge loss over all pairs of items of a query.

    The pairs are all pairs of items with different labels. The objective is
    ``mean over pairs (i, j) with y_i > y_j of max(0, 1 - w . (x_i - x_j))^2  +  regularisation / 2 * |w|^2``,
    where the mean is taken over the pairs of all queries together. With P pairs, the ranker is the same as
    scikit-learn's ``LinearSVC(loss="squared_hinge", fit_intercept=False, C=1 / (P * regularisation))``,
    trained on the differences of the pairs' features.

    Parameters
    ----------
    regularisation : float > 0
        Weight of the squared norm of the weights.

    References
    ----------
    Herbrich, Graepel and Obermayer (1999), Support vector learning for ordinal regression;
    Joachims (2002), Optimizing search engines using clickthrough data.

    Examples
    --------
    >>> ranker = RankSVM(regularisation=0.5).fit([[0.0], [1.0], [2.0]], [0, 1, 1])
    >>> round(ranker.weights[0], 6)   # minimises ((1 - w)^2 + max(0, 1 - 2w)^2) / 2 + w^2 / 4
    0.666667
    """

    def fit(self, features: ArrayLike, labels: ArrayLike, offsets: ArrayLike | None = None) -> LinearRanker:
        """Train on one query, or on several whose boundaries are `offsets`.

        Parameters
        ----------
        features : array of shape (n, d)
            Features of the items, which must be finite numbers. Columns should have a similar scale, because
            the regulariser treats them equally.
        labels : array of shape (n,)
            Grades; the training time is proportional to the number of distinct grades.
        offsets : array of shape (q + 1,), optional
            Position of the first item of each query, followed by n; strictly increasing.

        Returns
        -------
        LinearRanker

        Raises
        ------
        ValueError
            If an argument is invalid, or if no query has two different labels.
        """
        features, queries = check_queries(features, labels, offsets)
        # A query of m items, c_y of which have the label y, has (m**2 - sum over y of c_y**2) / 2 pairs with
        # different labels.
        pairs = 0
        for _, labels_of_query in queries:
            _, label_counts = np.unique(labels_of_query, return_counts=True)
            pairs += int(label_counts.sum() ** 2 - (label_counts**2).sum()) // 2
        fail_if(
            pairs == 0,
            "labels: expected a query with two different labels, got none",
        )
        return _minimise(squared_hinge_loss, features, queries, pairs, self.regularisation)


class ListNet(Regularised):
    """ListNet, trained with the cross-entropy of top-one probabilities.

    The two distributions in the cross-entropy are the softmax of the labels and the softmax of the scores.
    The objective is
    ``mean over queries of -sum_j softmax(y)_j log softmax(w . x)_j  +  regularisation / 2 * |w|^2``.

    Parameters
    ----------
    regularisation : float > 0
        Weight of the squared norm of the weights.

    References
    ----------
    Cao, Qin, Liu, Tsai and Li (2007), Learning to rank: from pairwise approach to listwise approach, section
    5.

    Examples
    --------
    >>> ranker = ListNet(regularisation=1e-6).fit([[0.0], [1.0]], [0, 1])
    >>> round(ranker.weights[0], 3)   # the scores reproduce the labels, up to the regularisation
    1.0
    """

    def fit(self, features: ArrayLike, labels: ArrayLike, offsets: ArrayLike | None = None) -> LinearRanker:
        """Return a ranker trained on one or several queries; arguments are those of `RankSVM.fit`."""
        features, queries = check_queries(features, labels, offsets)
        return _minimise(top_one_cross_entropy, features, queries, len(queries), self.regularisation)


@dataclass(frozen=True)
class RandomRanker:
    """A ranker that ignores the items and draws scores uniformly from [-1, 1].

    The same seed and number of items give the same scores, so different seeds are needed to rank queries
    independently. ``seed`` is an integer >= 0, a `numpy.random.SeedSequence`, or a `numpy.random.Generator`.
    A Generator continues from its state at each call.

    >>> RandomRanker(seed=1).score(np.zeros((3, 64))).round(3)
    array([ 0.024,  0.901, -0.712])
    """

    seed: Seed

    def __post_init__(self):
        generator(self.seed)

    def fit(self, features: ArrayLike, labels: ArrayLike, offsets: ArrayLike | None = None) -> Self:
        """Return this ranker unchanged, after the checks of `RankSVM.fit`."""
        check_queries(features, labels, offsets)
        return self

    def score(self, features: ArrayLike) -> np.ndarray:
        """Return scores of shape (n,) for features of shape (n, d); the highest ranks first."""
        return generator(self.seed).uniform(-1, 1, size=len(check_features(features)))


@dataclass(frozen=True)
class LambdaMART:
    """LambdaMART: boosted trees, trained by lightgbm on the gradients of NDCG.

    The gain is ``2 ** label - 1``. Training runs on one thread, so the numbers do not depend on the number of
    cores. The extra ``lambdamart`` must be installed.

    Parameters
    ----------
    trees : int
        Number of trees.
    leaves : int
        Largest number of leaves of a tree.
    rate : float in (0, 1]
        Learning rate.

    References
    ----------
    Burges (2010), From RankNet to LambdaRank to LambdaMART: an overview.

    Examples
    --------
    >>> LambdaMART(trees=50)
    LambdaMART(trees=50, leaves=31, rate=0.1)
    """

    trees: int = 100
    leaves: int = 31
    rate: float = 0.1

    def __post_init__(self):
        check_int("trees", self.trees)
        check_int("leaves", self.leaves, 2)
        check_float("rate", self.rate, lambda rate: 0 < rate <= 1, "a number in (0, 1]")

    def fit(
        self, features: ArrayLike, labels: ArrayLike, offsets: ArrayLike | None = None
    ) -> "BoostedRanker":
        """Train on one query, or on several whose boundaries are `offsets`.

        The arguments are those of `RankSVM.fit`. Labels must be whole numbers from 0 to 30, and queries must
        have at most 10,000 items.

        Returns
        -------
        BoostedRanker
        """
        features, queries = check_queries(features, labels, offsets)
        labels = np.concatenate([labels for _, labels in queries])
        sizes = [items.stop - items.start for items, _ in queries]
        fail_if(
            not np.isin(labels, np.arange(_HIGHEST_GRADE + 1)).all() or max(sizes) > _MOST_ITEMS,
            f"labels up to {labels.max():g}, queries up to {max(sizes)} items: expected whole numbers from 0 "
            f"to {_HIGHEST_GRADE} and at most {_MOST_ITEMS} items",
        )
        lightgbm = import_extra("lambdamart")
        settings = {
            "objective": "lambdarank",
            "num_leaves": self.leaves,
            "learning_rate": self.rate,
            "num_threads": 1,
            "deterministic": True,
            "force_row_wise": True,
            "verbosity": -1,
        }
        booster = lightgbm.train(settings, lightgbm.Dataset(features, labels, group=sizes), self.trees)
        return BoostedRanker(features.shape[1], booster.model_to_string())


@dataclass(frozen=True)
class BoostedRanker:
    """A trained ensemble of trees, stored in lightgbm's text format."""

    features: int
    text: str = field(repr=False)

    def score(self, features: ArrayLike) -> np.ndarray:
        """Return scores of shape (n,) for features of shape (n, d); the highest ranks first."""
        return self._booster.predict(check_features(features, self.features), num_threads=1)

    @cached_property
    def _booster(self):
        return import_extra("lambdamart").Booster(model_str=self.text)


class Untrained(Protocol):
    """A ranker that can be trained."""

    def fit(self, features: ArrayLike, labels: ArrayLike, offsets: ArrayLike | None = None) -> Any:
        """Return a ranker trained on one or several queries; arguments are those of `RankSVM.fit`."""


def held_out_ndcg(
    candidates: Sequence[Untrained],
    features: ArrayLike,
    labels: ArrayLike,
    offsets: ArrayLike,
    *,
    folds: int = 4,
    discount: Discount = Log(),
) -> dict[Untrained, float]:
    """Return the cross-validated mean NDCG of each candidate ranker.

    Query i belongs to fold ``i % folds``, and each fold is scored by a ranker that is trained on the other
    folds. You can use the result ``table`` to choose, for instance, the regularisation without test data.
    Select the ranker with ``best = max(table, key=table.get)``, and train it with ``best.fit(...)`` on all
    queries.

    Parameters
    ----------
    candidates : sequence of untrained rankers
        The rankers to compare.
    features, labels, offsets
        The training queries, as for `RankSVM.fit`.
    folds : int, at most the number of queries
        Number of folds.
    discount : callable
        The discount of NDCG, as for `ndcg_companion.measures.ndcg`.

    Returns
    -------
    dict of candidate to float
        Mean NDCG over the queries.

    Raises
    ------
    ValueError
        If an argument is invalid, if there are fewer queries than folds, or if no query has a relevant item.

    Examples
    --------
    >>> held_out_ndcg([RankSVM(1e-3), RankSVM(10.0)], np.eye(4), [0, 1, 0, 1], [0, 2, 4], folds=2)
    {RankSVM(regularisation=0.001): 0.8154648767857288, RankSVM(regularisation=10.0): 0.8154648767857288}
    """
    features, queries = check_queries(features, labels, offsets)
    fail_if(
        not 2 <= check_int("folds", folds) <= len(queries),
        f"folds={folds}: expected an integer from 2 to the number of queries, {len(queries)}",
    )
    fail_if(
        not any(labels.any() for _, labels in queries),
        "labels: expected a query with a relevant item, got none",
    )
    means = {}
    for candidate in candidates:
        ndcg_of_query = np.empty(len(queries))
        for fold in range(folds):
            training_queries = [query for i, query in enumerate(queries) if i % folds != fold]
            training_rows = np.concatenate(
                [np.arange(items.start, items.stop) for items, _ in training_queries]
            )
            training_sizes = [labels.size for _, labels in training_queries]
            ranker = candidate.fit(
                features[training_rows],
                np.concatenate([labels for _, labels in training_queries]),
                np.append(0, np.cumsum(training_sizes)),
            )
            for i in range(fold, len(queries), folds):
                items, held_out_labels = queries[i]
                ndcg_of_query[i] = ndcg(held_out_labels, ranker.score(features[items]), discount=discount)
        means[candidate] = float(np.nanmean(ndcg_of_query))
    return means


def squared_hinge_loss(labels, scores):
    """Return the squared hinge loss over pairs with different labels, and its gradient.

    The loss is the sum of ``max(0, 1 - (s_i - s_j))^2`` over pairs with y_i > y_j. The computation takes O(K
    n log n) time for K distinct labels, because it sorts the items instead of enumerating all O(n^2) pairs.

    >>> loss, gradient = squared_hinge_loss(np.array([0, 1]), np.array([0.0, 0.5]))
    >>> float(loss), gradient
    (0.25, array([ 1., -1.]))
    """
    loss, gradient = 0.0, np.zeros(len(scores))
    for grade in np.unique(labels)[1:]:
        graded_items, lower_items = np.flatnonzero(labels == grade), np.flatnonzero(labels < grade)
        # With v = s_j and t = s_i - 1, max(0, 1 - (s_i - s_j)) is max(0, v - t). The derivative of its square
        # is -2 max(0, v - t) in s_i and +2 max(0, v - t) in s_j.
        excess, squared_excess = _excess_sums(scores[lower_items], scores[graded_items] - 1)
        loss += squared_excess.sum()
        gradient[graded_items] -= 2 * excess
        # For a given s_j, the same maximum is max(0, v - t) with v = -s_i and t = -s_j - 1.
        lower_excess, _ = _excess_sums(-scores[graded_items], -scores[lower_items] - 1)
        gradient[lower_items] += 2 * lower_excess
    return loss, gradient


def _excess_sums(values, thresholds):
    """Return, for each threshold t, the sums over v of ``max(0, v - t)`` and of its square."""
    values, threshold_order = np.sort(values), np.argsort(thresholds)
    counts_above = np.empty(len(thresholds), dtype=np.intp)
    # A search for sorted thresholds is so much faster that it is worth sorting them first.
    counts_above[threshold_order] = len(values) - np.searchsorted(
        values, thresholds[threshold_order], side="right"
    )
    sums = np.append(0.0, values[::-1].cumsum())[counts_above]
    squares = np.append(0.0, (values[::-1] ** 2).cumsum())[counts_above]
    # Over the values v > t, the sum of v - t is sum v - count t, and the sum of (v - t)**2 is
    # sum v**2 - 2 t sum v + count t**2.
    return sums - counts_above * thresholds, squares - 2 * thresholds * sums + counts_above * thresholds**2


def top_one_cross_entropy(labels, scores):
    """Return ``-sum_j softmax(y)_j log softmax(s)_j`` and its gradient ``softmax(s) - softmax(y)``.

    >>> loss, gradient = top_one_cross_entropy(np.array([1, 1]), np.array([0.5, 0.5]))
    >>> round(float(loss), 6), gradient   # log 2, the entropy of the target: nothing to gain
    (0.693147, array([0., 0.]))
    """
    target_probabilities = softmax(labels)
    return -target_probabilities @ log_softmax(scores), softmax(scores) - target_probabilities


def _minimise(loss, features, queries, divisor, regularisation):
    """Return the linear ranker that minimises the regularised loss.

    ``loss(labels, scores)`` returns a loss and its gradient in the scores, and ``queries`` are those of
    `check_queries`. The loss is summed over queries and divided by ``divisor``, and the penalty is added
    once. L-BFGS minimises this sum. If the gradient is still too large, a root finder continues with the
    gradient.
    """
    # SciPy is imported here because only training needs it and the import takes long.
    from scipy.optimize import minimize, root

    def objective(weights):
        """Return the regularised loss and its gradient in the weights."""
        scores = features @ weights
        total, score_gradient = 0.0, np.empty(len(scores))
        for items, labels in queries:
            loss_of_query, score_gradient[items] = loss(labels, scores[items])
            total += loss_of_query
        # Because score(x) = w . x, the gradient in w is the features' transpose times that in the scores.
        return (
            total / divisor + regularisation / 2 * (weights @ weights),
            features.T @ score_gradient / divisor + regularisation * weights,
        )

    with threadpool_limits(1):
        # With ftol=0 the search stops only at a small gradient, so the weights are as accurate as the loss.
        options = {"ftol": 0.0, "gtol": _GRADIENT_TOLERANCE / 10, "maxiter": 20_000, "maxfun": 40_000}
        result = minimize(
            objective, np.zeros(features.shape[1]), jac=True, method="L-BFGS-B", options=options
        )
        weights, largest_derivative = result.x, np.abs(result.jac).max()
        if largest_derivative > _GRADIENT_TOLERANCE:
            # The loss no longer changes in floating point, but the gradient still does, so find its root.
            gradient_at = lambda weights: objective(weights)[1]
            weights = root(gradient_at, weights, tol=1e-12).x
            largest_derivative = np.abs(gradient_at(weights)).max()
    if not largest_derivative <= _GRADIENT_TOLERANCE:
        raise RuntimeError(
            f"training stopped at a gradient of {largest_derivative:.1e} "
            f"instead of {_GRADIENT_TOLERANCE:.0e}: "
            "scale the features or raise regularisation"
        )
    return LinearRanker(tuple(weights.tolist()))


def check_features(features, column_count=None):
    """Return the features as finite floats of shape (n, d), with d = ``column_count`` if it is given."""
    features = np.asarray(features, dtype=float)
    subject = f"features of shape {features.shape}"
    fail_if(features.ndim != 2 or features.shape[1] == 0, f"{subject}: expected (n, d) with d >= 1")
    fail_if(not np.isfinite(features).all(), "features: expected finite numbers, got nan or infinity")
    fail_if(column_count and features.shape[1] != column_count, f"{subject}: expected (n, {column_count})")
    return features


def check_queries(features, labels, offsets):
    """Return the features and, for every query, its slice of the items and its labels."""
    features, labels = check_features(features), np.asarray(labels, dtype=float)
    size = len(features)
    fail_if(
        labels.shape != (size,) or size == 0,
        f"labels of shape {labels.shape}: expected one label for each of the {size} rows of features",
    )
    fail_if(not np.isfinite(labels).all(), "labels: expected finite numbers, got nan or infinity")
    offsets = np.asarray([0, size] if offsets is None else offsets)
    offsets_are_valid = (
        offsets.ndim == 1
        and len(offsets) >= 2
        and offsets.dtype.kind in "iu"
        and (offsets[0], offsets[-1]) == (0, size)
        and np.all(offsets[1:] > offsets[:-1])
    )
    fail_if(not offsets_are_valid, f"offsets={offsets!r}: expected integers increasing from 0 to {size}")
    return features, [
        (slice(start, stop), labels[start:stop])
        for start, stop in zip(offsets[:-1], offsets[1:], strict=True)
    ]
