"""Tests of differences between systems on the same queries: planning, early stopping, multiple tests."""

from ndcg_companion.significance.sequential import SequentialTest, sequential_test

__all__ = ["SequentialTest", "sequential_test"]
