"""Compare rankings with significance tests, intervals and numbers of queries needed."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ranking_report.version import __version__

if TYPE_CHECKING:
    from ranking_report.comparing import compare, compare_scores
    from ranking_report.comparison import Comparison
    from ranking_report.gating import Gate
    from ranking_report.measure_names import Measure, parse_measure
    from ranking_report.moved import Moved
    from ranking_report.provider import ir_measures_provider
    from ranking_report.results import Result
    from ranking_report.scorer import ndcg_by_query, ndcg_scorer
    from ranking_report.slices import Groups
    from ranking_report.turns import Turns

# Public names by module. They are imported on first use, so that --help need not wait for NumPy, SciPy and
# pandas.
_MODULES = {
    "comparing": ("compare", "compare_scores"),
    "comparison": ("Comparison",),
    "gating": ("Gate",),
    "measure_names": ("Measure", "parse_measure"),
    "moved": ("Moved",),
    "provider": ("ir_measures_provider",),
    "results": ("Result",),
    "scorer": ("ndcg_by_query", "ndcg_scorer"),
    "slices": ("Groups",),
    "turns": ("Turns",),
}

__all__ = [
    "compare",
    "compare_scores",
    "Comparison",
    "Result",
    "Gate",
    "Groups",
    "Moved",
    "Turns",
    "Measure",
    "parse_measure",
    "ir_measures_provider",
    "ndcg_scorer",
    "ndcg_by_query",
    "__version__",
]


def __getattr__(name: str) -> Any:
    for module, names in _MODULES.items():
        if name in names:
            return getattr(import_module(f"ranking_report.{module}"), name)
    raise AttributeError(f"module 'ranking_report' has no attribute '{name}'")


def __dir__() -> list[str]:
    return __all__
