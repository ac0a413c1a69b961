"""Readers of judgments and runs, in the formats of other tools."""

from ranking_report.readers.formats import read_table
from ranking_report.readers.trec import read_trec

__all__ = ["read_table", "read_trec"]
