"""A made click log in place of the proprietary one of Wang et al. 2013, appendix A: nothing is measured.

It has the shape of theirs: for each query 5,000 documents with clicks, 40 features, labels from click counts,
and an arrival order. How it comes about is a model in four sentences. A document's *relevance* to the query
is standard normal, and features are relevance with loadings, plus normal noise; some have a long tail. An
older ranker has shown the documents by relevance plus noise, and the one at position r was looked at in
proportion to ``r**-position_bias``. Who looks at a document clicks with a probability that rises with its
relevance. Clicks are Poisson, plus one, as the log holds clicked documents only.
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
    """Grades from click counts: how many of the thresholds a document reaches.

    By default those of Wang et al. 2013, appendix A: 1 from 100 clicks on, 2 for more than 1,000.

    Raises
    ------
    ValueError
        For clicks that are no numbers >= 0, and thresholds that do not increase.

    Examples
    --------
    >>> click_labels([1, 99, 100, 1000, 1001])
    array([0, 0, 1, 1, 2])
    """
    clicks, thresholds = np.asarray(clicks), np.asarray(thresholds)
    fail_if(clicks.dtype.kind not in "biuf", f"clicks: expected numbers >= 0, got {clicks.dtype}")
    wrong_count = next(iter(clicks[~(clicks >= 0)]), None)
    fail_if(wrong_count is not None, f"clicks: expected numbers >= 0, got {wrong_count}")
    increasing = thresholds.dtype.kind in "iuf" and thresholds.ndim == 1 and (np.diff(thresholds) > 0).all()
    fail_if(
        not increasing or not np.isfinite(thresholds).all(),
        f"thresholds={thresholds.tolist()}: expected increasing numbers",
    )
    return np.searchsorted(thresholds, clicks, side="right")


_NOT_NEGATIVE = ("skew", "old_noise", "position_bias", "popularity", "drift")


@dataclass(frozen=True)
class ClickModel:
    """Every dial of the click log; the defaults are the regime called sparse of ``data.clicks.REGIMES``.

    Parameters
    ----------
    queries : int
        Of each part, training and test.
    documents : int
        For each query.
    features : int
    accuracy : float in (0, 1)
        Correlation of relevance with its best guess from the features.
    fading : float in (0, 1]
        Loading of each feature, relative to the one before.
    skew : float >= 0
        Every second feature x is stored as ``(exp(skew * x) - 1) / skew``, with a long tail as counts have; 0
        as it is.
    old_noise : float >= 0
        Noise of the ranker that was in use, relative to the spread of relevance.
    position_bias : float >= 0
        Exponent of the position, by which looks fall: the heavy tail of the clicks.
    looks : float > 0
        Looks at the first position, for a document as old as the log.
    popularity : float >= 0
        Standard deviation of the logarithm of looks between queries.
    attraction : float
        Log-odds of a click on a document of average relevance; relevance is added to it.
    contamination : int >= 0
        How many documents with the best-looking features of a query exchange their clicks with as many
        others.
    drift : float >= 0
        Looks are multiplied by age to this power, age falling from 1 for the first document to arrive to 0
        after the last: older documents have been seen for longer. 0 makes documents exchangeable, so that any
        S_n is a sample.

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
        for name, admitted, expected in (
            ("accuracy", lambda share: 0 < share < 1, "a number between 0 and 1"),
            ("fading", lambda ratio: 0 < ratio <= 1, "a number in (0, 1]"),
            ("looks", lambda number: 0 < number < 1e12, "a number > 0, and below 1e12"),
            ("attraction", isfinite, "a finite number"),
            *((name, lambda number: 0 <= number < inf, "a finite number >= 0") for name in _NOT_NEGATIVE),
        ):
            check_float(name, getattr(self, name), admitted, expected)

    def draw(self, part: Literal["train", "test"], *, seed: int | np.random.SeedSequence) -> "ClickLog":
        """The training or the test queries: independent of each other, with the same loadings.

        Parameters
        ----------
        part : {"train", "test"}
        seed : int >= 0 or numpy.random.SeedSequence

        Returns
        -------
        ClickLog
        """
        raise_if(part not in ("train", "test"), "part", part, "'train' or 'test'")
        fail_if(
            isinstance(seed, np.random.Generator),
            "seed: expected an integer >= 0 or a SeedSequence, as both parts have loadings to share",
        )
        shared, train, test = replicate_seeds(seed, 3)
        signs = np.random.default_rng(shared).choice([-1, 1], self.features)
        loadings = signs * self.fading ** np.arange(self.features)
        # Independent noise of variance 1 in each feature: the squared loadings add up to signal over noise.
        loadings *= self.accuracy / sqrt((1 - self.accuracy**2) * (loadings**2).sum())
        seeds = (train if part == "train" else test).spawn(self.queries)
        features, clicks = zip(*(self._query(loadings, np.random.default_rng(seed)) for seed in seeds))
        return ClickLog(self, part, np.concatenate(features), np.array(clicks))

    def _query(self, loadings, rng):
        """Features and click counts of the documents of one query, in arrival order."""
        n = self.documents
        relevance = rng.standard_normal(n)
        features = rng.standard_normal((n, self.features)) + np.outer(relevance, loadings)
        old_scores = relevance + self.old_noise * rng.standard_normal(n)
        position = np.empty(n)
        position[old_scores.argsort()[::-1]] = np.arange(1, n + 1)
        age = 1 - np.arange(n) / n
        looks = self.looks * np.exp(self.popularity * rng.standard_normal()) * position**-self.position_bias
        clicks = 1 + rng.poisson(looks * age**self.drift * expit(self.attraction + relevance))
        swapped = rng.permutation(n - self.contamination)[: self.contamination]
        best_looking = (features @ loadings).argsort()[::-1]
        at_top, exchanged = best_looking[: self.contamination], best_looking[self.contamination + swapped]
        clicks[at_top], clicks[exchanged] = clicks[exchanged], clicks[at_top]
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
    """Queries of a click log, documents in arrival order.

    Attributes
    ----------
    model : ClickModel
    part : str
    features : ndarray of shape (q * n, d)
        Query after query, as `RankSVM.fit` and the measures take them with ``offsets``.
    clicks : ndarray of int, shape (q, n)
    labels : ndarray of int, shape (q, n)
        `click_labels` of the clicks.
    offsets : ndarray of int, shape (q + 1,)
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
