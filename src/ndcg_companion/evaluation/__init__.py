"""Which of several systems is better, by which measure, how surely, and with how many queries."""

from ndcg_companion.evaluation.comparison import Comparison, compare
from ndcg_companion.evaluation.measure_names import Measure, parse_measure
from ndcg_companion.evaluation.sequential import SequentialTest, sequential_test

__all__ = ["Comparison", "Measure", "SequentialTest", "compare", "parse_measure", "sequential_test"]
