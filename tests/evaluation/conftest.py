import numpy as np
import pytest


@pytest.fixture
def made():
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
