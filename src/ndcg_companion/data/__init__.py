"""Data of the chapters: simulated and real ranking tasks, and rankers to train on them."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
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

# The names that each module provides. They are imported on first use, so that reading rankings does not wait
# for the simulations.
_MODULES = {
    "data.clicks": ("ClickLog", "ClickModel", "click_labels"),
    "data.digits": ("Digits",),
    "data.experiment": ("experiment_curves",),
    "data.films": ("load_films",),
    "data.rankers": (
        "LambdaMART",
        "LinearRanker",
        "ListNet",
        "RandomRanker",
        "RankSVM",
        "held_out_ndcg",
    ),
    "data.rankings": ("Rankings",),
    "extras": ("missing_extra",),
}

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


def __getattr__(name: str) -> Any:
    for module, names in _MODULES.items():
        if name in names:
            return getattr(import_module(f"ndcg_companion.{module}"), name)
    raise AttributeError(f"module 'ndcg_companion.data' has no attribute '{name}'")


def __dir__() -> list[str]:
    return __all__
