"""Which of several rankings is better, by which measure, how surely, and with how many queries."""

from ranking_report.comparison import Comparison, compare
from ranking_report.gating import Gate
from ranking_report.measure_names import Measure, parse_measure
from ranking_report.moved import Moved
from ranking_report.provider import ir_measures_provider
from ranking_report.results import Result
from ranking_report.scorer import ndcg_by_query, ndcg_scorer
from ranking_report.slices import Groups
from ranking_report.turns import Turns
from ranking_report.version import __version__

__all__ = [
    "Comparison",
    "Gate",
    "Groups",
    "Measure",
    "Moved",
    "Result",
    "Turns",
    "__version__",
    "compare",
    "ir_measures_provider",
    "ndcg_by_query",
    "ndcg_scorer",
    "parse_measure",
]
