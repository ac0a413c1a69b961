"""LambdaMART, the usual strong ranker today: beside the paper's linear ones, if lightgbm is installed."""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from ndcg_companion.data.extras import import_extra
from ndcg_companion.data.rankers import check_features, check_queries
from ndcg_companion.simulation.seeding import checked_count

# lightgbm's own limits.
_MOST_ITEMS, _HIGHEST_GRADE = 10_000, 30


@dataclass(frozen=True)
class LambdaMART:
    """LambdaMART: boosted trees on the gradients of NDCG with gain ``2 ** label - 1``, by lightgbm.

    Runs on one thread, so that the numbers do not depend on the number of cores. Needs the extra
    ``lambdamart``.

    Parameters
    ----------
    trees : int
    leaves : int
        At most, of each tree.
    rate : float in (0, 1]
        Share of each tree that is added.

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
        checked_count("trees", self.trees)
        if checked_count("leaves", self.leaves) < 2:
            raise ValueError(f"leaves={self.leaves!r}: expected an integer >= 2")
        if not 0 < self.rate <= 1:
            raise ValueError(f"rate={self.rate!r}: expected a number in (0, 1]")

    def fit(
        self, features: ArrayLike, labels: ArrayLike, offsets: ArrayLike | None = None
    ) -> "BoostedRanker":
        """Train on one query, or on several if ``offsets`` (q + 1,) says where each starts, as `RankSVM.fit`.

        Labels must be whole numbers from 0 to 30, and queries have at most 10,000 items.

        Returns
        -------
        BoostedRanker
        """
        features, queries = check_queries(features, labels, offsets)
        labels = np.concatenate([labels for _, labels in queries])
        sizes = [query.stop - query.start for query, _ in queries]
        if not (np.isin(labels, np.arange(_HIGHEST_GRADE + 1)).all() and max(sizes) <= _MOST_ITEMS):
            raise ValueError(
                f"labels up to {labels.max():g}, queries up to {max(sizes)} items: expected whole numbers "
                "from 0 to "
                f"{_HIGHEST_GRADE} and at most {_MOST_ITEMS} items"
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
        trained = lightgbm.train(settings, lightgbm.Dataset(features, labels, group=sizes), self.trees)
        return BoostedRanker(features.shape[1], trained.model_to_string())


@dataclass(frozen=True)
class BoostedRanker:
    """A trained ensemble of trees, held as lightgbm's text."""

    features: int
    text: str = field(repr=False)

    def score(self, features: ArrayLike) -> np.ndarray:
        """Scores of shape (n,) for features of shape (n, d); higher is ranked earlier."""
        features = check_features(features)
        if features.shape[1] != self.features:
            raise ValueError(f"features of shape {features.shape}: expected (n, {self.features})")
        return self._booster.predict(features, num_threads=1)

    @cached_property
    def _booster(self):
        return import_extra("lambdamart").Booster(model_str=self.text)
