"""The scorer for scikit-learn, compared with NDCG query by query and with the conformance cases."""

import numpy as np
import pandas
import pytest
import sklearn
from sklearn.base import BaseEstimator
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import ndcg_score
from sklearn.model_selection import GridSearchCV, GroupKFold, cross_validate

from ndcg_companion.measures import Power
from ndcg_conformance import cases, standard, value
from ranking_report.scorer import ndcg_by_query, ndcg_scorer


class Given(BaseEstimator):
    """Its scores are the first column of X."""

    def fit(self, X, y):
        return self

    def predict(self, X):
        return X[:, 0]


def features_and_labels(seed=0, queries=30):
    rng = np.random.default_rng(seed)
    query = rng.permutation(np.repeat([f"q{number}" for number in range(queries)], 12))
    X = rng.normal(size=(len(query), 4))
    y = np.clip(np.round(X[:, 0] + rng.normal(size=len(query))), 0, 3).astype(int)
    return X, y, query


def by_hand(y, scores, query, k):
    """Mean over queries of scikit-learn's own function, which is ours where every document is listed."""
    parts = [query == name for name in np.unique(query)]
    return np.mean([ndcg_score([y[part]], [scores[part]], k=k) for part in parts if y[part].any()])


def test_the_scorer_averages_over_queries_with_a_relevant_item():
    X, y, query = features_and_labels()
    y[query == "q7"] = 0
    result = ndcg_by_query(y, X[:, 1].round(), query, k=5)
    assert result == pytest.approx(by_hand(y, X[:, 1].round(), query, 5), abs=1e-12)
    number = np.unique(query, return_inverse=True)[1]
    assert ndcg_by_query(y, X[:, 1].round(), number, k=5) == pytest.approx(result, abs=1e-12)
    assert ndcg_by_query(y, X[:, 1], query, k=5, discount=Power(0.5)) != pytest.approx(result)
    assert np.isnan(ndcg_by_query([0, 0], [1, 2], ["a", "b"]))


def test_cross_validation_scores_each_fold_by_its_own_queries():
    X, y, query = features_and_labels()
    with sklearn.config_context(enable_metadata_routing=True):
        result = cross_validate(
            Ridge(),
            X,
            y,
            scoring=ndcg_scorer(k=5),
            cv=GroupKFold(3),
            params={"query": query, "groups": query},
        )["test_score"]
    for score, (train, test) in zip(result, GroupKFold(3).split(X, y, query)):
        scores = Ridge().fit(X[train], y[train]).predict(X[test])
        assert score == pytest.approx(by_hand(y[test], scores, query[test], 5), abs=1e-12)


def test_a_search_and_probabilities_take_it_too():
    X, y, query = features_and_labels()
    y = (y > 0).astype(int)
    with sklearn.config_context(enable_metadata_routing=True):
        scorer = ndcg_scorer(k=3, response_method="predict_proba")
        search = GridSearchCV(LogisticRegression(), {"C": [0.1, 1]}, scoring=scorer, cv=GroupKFold(3))
        search.fit(X, y, query=query, groups=query)
        score = scorer(search.best_estimator_, X, y, query=query)
    scores = search.predict_proba(X)[:, 1]
    assert score == pytest.approx(by_hand(y, scores, query, 3), abs=1e-12) and search.best_score_ > 0.5


def test_it_gives_the_values_of_the_conformance_cases():
    """Only cases count in which every document is judged and listed, as rows of X and y are."""
    setting, checked, differ = standard() | {"empty": "left-out"}, 0, 0
    for case in cases()["cases"]:
        queries = case["queries"]
        rows = [
            (index, label, score)
            for index, query in enumerate(queries)
            for label, score in zip(query["labels"], query["scores"])
        ]
        expected = value(case, setting)
        whole = rows and all(None not in row and row[1] >= 0 for row in rows)
        if not whole or case["k"] == 0 or isinstance(expected, str):
            continue
        number, labels, scores = map(np.array, zip(*rows))
        with sklearn.config_context(enable_metadata_routing=True):
            scorer = ndcg_scorer(k=case["k"])
            result = scorer(Given(), scores[:, None], labels, query=number)
        assert result == pytest.approx(expected, abs=1e-9), case["name"]
        differ += not np.isclose(result, value(case, setting | {"gain": "exponential"}), atol=1e-9)
        checked += 1
    assert checked >= 40 and differ >= 10


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: ndcg_by_query([1, 0], [1, 2], ["a"]),
            r"one query for each item, got the shapes \(2,\), \(2,\)",
        ),
        (lambda: ndcg_by_query([[1, 0]], [[1, 2]], [["a", "a"]]), "expected one number and one query"),
        (
            lambda: ndcg_scorer(response_method="transform"),
            "response_method='transform': expected one of predict",
        ),
        (lambda: ndcg_scorer(cutoff=5), "options: expected discount, gain, k, ties, got cutoff"),
    ],
)
def test_bad_calls_are_rejected(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.parametrize(
    "query",
    [
        [1, np.nan, 1],
        ["a", None, "a"],
        ["a", "", "a"],
        ["a", " ", "a"],
        np.array(["a", None, "a"], dtype=object),
        pandas.Series([1, None, 1], dtype="Int64"),
        pandas.Series(["a", None, "a"]),
        pandas.Series(["a", None, "a"], dtype="category"),
        pandas.Series(pandas.to_datetime(["2024-05-07", None, "2024-05-07"])),
    ],
    ids=str,
)
def test_a_row_without_a_query_is_rejected(query):
    with pytest.raises(ValueError, match="query, row 2: expected a value of query, got nothing"):
        ndcg_by_query([1, 0, 1], [1, 2, 3], query)


def test_queries_are_compared_as_texts():
    assert ndcg_by_query([1, 0], [1, 2], [1, "1"]) == pytest.approx(1 / np.log2(3))
    with pytest.raises(ValueError, match="query, row 1: expected a text or a number as query, got list"):
        ndcg_by_query([1, 0], [1, 2], pandas.Series([["a"], ["b"]]))


def test_a_masked_array_is_rejected_as_its_mask_would_be_lost():
    with pytest.raises(ValueError, match="labels: expected numbers without a mask, got a masked array"):
        ndcg_by_query(np.ma.masked_invalid([1, np.nan]), [1, 2], ["a", "a"])
