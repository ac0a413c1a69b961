"""Real and made data: ranking tasks, and rankers trained on them."""

from ndcg_companion.data.digits import Digits
from ndcg_companion.data.rankers import LinearRanker, ListNet, RandomRanker, RankSVM

__all__ = ["Digits", "LinearRanker", "ListNet", "RandomRanker", "RankSVM"]
