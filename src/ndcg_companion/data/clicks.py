"""A simulated click log that replaces the proprietary log of Wang et al. 2013, appendix A.

The simulated log has the structure of the original. Each query has 5,000 documents with clicks in an order of
arrival, and each document has 40 features and a label derived from its click count. The model is as follows.
The *relevance* of a document to the query is standard normal. Each feature is a multiple of relevance plus
normal noise, and some features have a long tail. An older ranker showed the documents in the order of
relevance plus noise. The expected number of looks at position r is proportional to ``r**-position_bias``. A
look leads to a click with a probability that increases with relevance. The number of clicks is one plus a
Poisson variable, because the log contains only documents with clicks.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import inf, isfinite, sqrt
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit

from ndcg_companion.checks import check_float, check_int, fail_if, raise_if
from ndcg_companion.simulation.seeding import replicate_seeds


def click_labels(clicks: ArrayLike, thresholds: Sequence[float] = (100, 1001)) -> np.ndarray:
    """Return each document's grade: the number of thresholds that its clicks reach.

    The default thresholds are those of Wang et al. 2013, appendix A: grade 1 for at least 100 clicks, and
    grade 2 for more than 1,000.

    Raises
    ------
    ValueError
        If clicks are not numbers >= 0, or if thresholds are not increasing numbers.

    Examples
    --------
    >>> click_labels([1, 99, 100, 1000, 1001])
    array([0, 0, 1, 1, 2])
    """
    clicks, thresholds = np.asarray(clicks), np.asarray(thresholds)
    fail_if(clicks.dtype.kind not in "biuf", f"clicks: expected numbers >= 0, got {clicks.dtype}")
    wrong_count = next(iter(clicks[~(clicks >= 0)]), None)
    fail_if(wrong_count is not None, f"clicks: expected numbers >= 0, got {wrong_count}")
    are_increasing = (
        thresholds.dtype.kind in "iuf" and thresholds.ndim == 1 and (np.diff(thresholds) > 0).all()
    )
    fail_if(
        not are_increasing or not np.isfinite(thresholds).all(),
        f"thresholds={thresholds.tolist()}: expected increasing numbers",
    )
    return np.searchsorted(thresholds, clicks, side="right")


_NOT_NEGATIVE = ("skew", "old_noise", "position_bias", "popularity", "drift")


@dataclass(frozen=True)
class ClickModel:
    """Parameters of the simulated click log.

    The default values are those of the regime "sparse" in ``data.clicks.REGIMES``.

    Parameters
    ----------
    queries : int
        Number of queries in each of the two parts, training and test.
    documents : int
        Number of documents of each query.
    features : int
        Number of features of each document.
    accuracy : float in (0, 1)
        Correlation of the relevance of a document with the best linear prediction of this relevance from the
        features.
    fading : float in (0, 1]
        Ratio of the loading of each feature to the loading of the previous feature.
    skew : float >= 0
        Every second feature x is stored as ``(exp(skew * x) - 1) / skew``, which has a long tail, as counts
        have. If ``skew`` is 0, features are unchanged.
    old_noise : float >= 0
        Standard deviation of the older ranker's noise; relevance has the standard deviation 1.
    position_bias : float >= 0
        Exponent of the decrease of looks with position. This decrease causes the heavy tail of the clicks.
    looks : float > 0
        Expected number of looks at the first position, for a document that is as old as the log.
    popularity : float >= 0
        Standard deviation, between queries, of the logarithm of the number of looks.
    attraction : float
        Log-odds of a click on a document of average relevance; the relevance of a document is added to these
        log-odds.
    contamination : int >= 0
        In each query, this many documents with the most promising features exchange their clicks with other
        documents, which are chosen at random.
    drift : float >= 0
        Power of a document's age by which its looks are multiplied, because older documents have been visible
        for longer. Age decreases from 1 for the first document to 0 after the last. If the power is 0,
        documents are exchangeable, so the first n documents are always a random sample.

    Examples
    --------
    >>> log = ClickModel(queries=2, documents=500).draw("test", seed=1)
    >>> log.features.shape, log.labels.shape
    ((1000, 40), (2, 500))
    """

    queries: int = 40
    documents: int = 5000
    features: int = 40
    accuracy: float = 0.7
    fading: float = 0.9
    skew: float = 0.5
    old_noise: float = 1.0
    position_bias: float = 1.0
    looks: float = 30_000.0
    popularity: float = 0.5
    attraction: float = -1.0
    contamination: int = 0
    drift: float = 1.0

    def __post_init__(self):
        for name in ("queries", "documents", "features"):
            check_int(name, getattr(self, name))
        check_int("contamination", self.contamination, 0, self.documents // 2)
        for name, condition, expected in (
            ("accuracy", lambda number: 0 < number < 1, "a number between 0 and 1"),
            ("fading", lambda ratio: 0 < ratio <= 1, "a number in (0, 1]"),
            ("looks", lambda number: 0 < number < 1e12, "a number > 0, and below 1e12"),
            ("attraction", isfinite, "a finite number"),
            *((name, lambda number: 0 <= number < inf, "a finite number >= 0") for name in _NOT_NEGATIVE),
        ):
            check_float(name, getattr(self, name), condition, expected)

    def draw(self, part: Literal["train", "test"], *, seed: int | np.random.SeedSequence) -> "ClickLog":
        """Return training or test queries; the two parts are independent but have equal loadings.

        Parameters
        ----------
        part : {"train", "test"}
            Which queries to draw.
        seed : int >= 0 or numpy.random.SeedSequence
            Seed of both parts; the same seed gives the same loadings.

        Returns
        -------
        ClickLog
        """
        raise_if(part not in ("train", "test"), "part", part, "'train' or 'test'")
        fail_if(
            isinstance(seed, np.random.Generator),
            "seed: expected an integer >= 0 or a SeedSequence, which gives both parts the same loadings",
        )
        loading_seed, train_seed, test_seed = replicate_seeds(seed, 3)
        signs = np.random.default_rng(loading_seed).choice([-1, 1], self.features)
        loadings = signs * self.fading ** np.arange(self.features)
        # Features have noise of variance 1, so with L = sum of loadings**2, relevance has the correlation
        # sqrt(L / (1 + L)) with its best linear prediction. This is the accuracy a if L = a**2 / (1 - a**2).
        loadings *= self.accuracy / sqrt((1 - self.accuracy**2) * (loadings**2).sum())
        seeds = (train_seed if part == "train" else test_seed).spawn(self.queries)
        features, clicks = zip(*(self._draw_query(loadings, np.random.default_rng(seed)) for seed in seeds))
        return ClickLog(self, part, np.concatenate(features), np.array(clicks))

    def _draw_query(self, loadings, rng):
        """Return the features and click counts of one query's documents, in arrival order."""
        n = self.documents
        relevance = rng.standard_normal(n)
        features = rng.standard_normal((n, self.features)) + np.outer(relevance, loadings)
        old_scores = relevance + self.old_noise * rng.standard_normal(n)
        shown_position = np.empty(n)
        shown_position[old_scores.argsort()[::-1]] = np.arange(1, n + 1)
        age = 1 - np.arange(n) / n
        # clicks = 1 + Poisson(looks at the position * age**drift * probability of a click)
        looks = (
            self.looks * np.exp(self.popularity * rng.standard_normal()) * shown_position**-self.position_bias
        )
        clicks = 1 + rng.poisson(looks * age**self.drift * expit(self.attraction + relevance))
        # The most promising documents exchange their clicks with documents drawn from all others.
        drawn_positions = rng.permutation(n - self.contamination)[: self.contamination]
        by_promise = (features @ loadings).argsort()[::-1]
        promising = by_promise[: self.contamination]
        exchanged = by_promise[self.contamination + drawn_positions]
        # The arrays on the right are copies, so both are read before either is written.
        clicks[promising], clicks[exchanged] = clicks[exchanged], clicks[promising]
        if self.skew:
            features[:, 1::2] = np.expm1(self.skew * features[:, 1::2]) / self.skew
        return features, clicks


#: The two regimes of the experiment, the same for every seed.
REGIMES = {
    "sparse": ClickModel(),
    "contaminated top": ClickModel(looks=300_000.0, contamination=100),
}


@dataclass(frozen=True, eq=False)
class ClickLog:
    """Queries of a click log; the documents of each query are in arrival order.

    Attributes
    ----------
    model : ClickModel
        The model from which the log was drawn.
    part : str
        "train" or "test".
    features : ndarray of shape (q * n, d)
        Features of all documents, one query after the other; ``offsets`` gives the position of each query.
    clicks : ndarray of int, shape (q, n)
        Click counts.
    labels : ndarray of int, shape (q, n)
        `click_labels` of the clicks.
    offsets : ndarray of int, shape (q + 1,)
        Position of the first document of each query, followed by q * n.
    """

    model: ClickModel
    part: str
    features: np.ndarray = field(repr=False)
    clicks: np.ndarray = field(repr=False)

    @property
    def labels(self) -> np.ndarray:
        return click_labels(self.clicks)

    @property
    def offsets(self) -> np.ndarray:
        q, n = self.clicks.shape
        return np.arange(q + 1) * n
