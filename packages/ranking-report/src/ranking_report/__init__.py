"""Which of several systems is better, by which measure, how surely, and with how many queries."""

from ndcg_companion.evaluation.comparison import Comparison, compare
from ndcg_companion.evaluation.history import OverTime
from ndcg_companion.evaluation.measure_names import Measure, parse_measure
from ndcg_companion.evaluation.provider import ir_measures_provider
from ndcg_companion.evaluation.scorer import ndcg_by_query, ndcg_scorer
from ndcg_companion.evaluation.sequential import SequentialTest, sequential_test

__all__ = [
    "Comparison",
    "Measure",
    "OverTime",
    "SequentialTest",
    "compare",
    "ir_measures_provider",
    "ndcg_by_query",
    "ndcg_scorer",
    "parse_measure",
    "sequential_test",
]
