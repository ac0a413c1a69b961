import sys
from collections import namedtuple
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest
from hypothesis import settings

# A busy machine is no counterexample.
settings.register_profile("patient", deadline=None)
settings.load_profile("patient")


@pytest.fixture
def qrels_and_runs():
    """Judgments and runs as dicts: ties, unjudged and missing documents, negative grades, as in TREC."""
    rng = np.random.default_rng(5)
    queries = [f"q{i}" for i in range(12)]
    documents = [f"d{i}" for i in range(40)]
    qrels = {
        query: {d: int(rng.integers(-1, 3)) for d in rng.permutation(documents)[:25]} for query in queries
    }
    runs = {
        system: {
            query: {
                d: float(weight * qrels[query].get(d, 0) + rng.integers(0, 12) / 4)
                for d in rng.permutation(documents)[:30]
            }
            for query in queries
        }
        for system, weight in (("good", 1.0), ("fair", 0.5), ("poor", 0.0))
    }
    return qrels, runs


@pytest.fixture
def stand_in(monkeypatch):
    """For ir_measures: counts the relevant items of a run, in some unit, and keeps what it was told."""
    package, arguments = ModuleType("ir_measures"), {"unit": 1}
    package.parse_measure = lambda name: name
    package.Qrel = namedtuple("Qrel", "query_id doc_id relevance")
    package.ScoredDoc = namedtuple("ScoredDoc", "query_id doc_id score")

    def evaluator(measures, qrels):
        relevant = {(row.query_id, row.doc_id) for row in qrels if row.relevance > 0}
        arguments["qrels"] = qrels

        def iter_calc(run):
            for query in {row.query_id for row in run}:
                value = sum((row.query_id, row.doc_id) in relevant for row in run if row.query_id == query)
                yield SimpleNamespace(query_id=query, value=arguments["unit"] * value)

        return SimpleNamespace(iter_calc=iter_calc)

    package.evaluator = evaluator
    monkeypatch.setitem(sys.modules, "ir_measures", package)
    return arguments
