"""Differences of systems on the same queries: how many queries, when to stop, many tests held together."""

from ndcg_companion.significance.sequential import SequentialTest, sequential_test

__all__ = ["SequentialTest", "sequential_test"]
