"""Which of several systems is better, by which measure, how surely, and with how many queries."""

from ndcg_companion.evaluation.comparison import Comparison, compare
from ndcg_companion.evaluation.measure_names import Measure, parse_measure

__all__ = ["Comparison", "Measure", "compare", "parse_measure"]
