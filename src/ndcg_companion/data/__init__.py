"""Data of the chapters: simulated and real ranking tasks, and rankers to train on them."""

from ndcg_companion.data.clicks import ClickLog, ClickModel, click_labels
from ndcg_companion.data.digits import Digits
from ndcg_companion.data.experiment import experiment_curves
from ndcg_companion.data.films import load_films
from ndcg_companion.data.rankers import (
    LambdaMART,
    LinearRanker,
    ListNet,
    RandomRanker,
    RankSVM,
    held_out_ndcg,
)
from ndcg_companion.data.rankings import Rankings
from ndcg_companion.extras import missing_extra

__all__ = [
    "ClickLog",
    "ClickModel",
    "Digits",
    "LambdaMART",
    "LinearRanker",
    "ListNet",
    "RandomRanker",
    "RankSVM",
    "Rankings",
    "click_labels",
    "experiment_curves",
    "held_out_ndcg",
    "load_films",
    "missing_extra",
]
