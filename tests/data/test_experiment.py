from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from sklearn.metrics import ndcg_score

from ndcg_companion.data import ListNet, RankSVM, experiment_curves
from ndcg_companion.data.clicks import REGIMES
from ndcg_companion.data.experiment import MEASURES, continued, last_crossing, random_expectation
from ndcg_companion.measures import ndcg
from ndcg_companion.theory import Population, pseudo_expectation


def test_curves_are_ndcg_of_each_prefix_by_each_measure():
    rng = np.random.default_rng(1)
    labels, scores = rng.integers(0, 3, (3, 50)), rng.random((3, 50))
    curves = experiment_curves(labels, scores)
    assert curves.shape == (4, 3, 50)
    for row, (discount, k) in zip(curves, MEASURES.values(), strict=True):
        for n in (5, 17, 50):
            assert row[:, n - 1] == pytest.approx(
                ndcg(labels[:, :n], scores[:, :n], discount=discount, k=k), rel=1e-12
            )
    # scikit-learn knows the standard measure, the logarithm's base cancelling, and the cut-off at n/5.
    for n in (20, 50):
        assert curves[0, :, n - 1].mean() == pytest.approx(
            ndcg_score(labels[:, :n], scores[:, :n]), rel=1e-12
        )
        fifth = ndcg_score(labels[:, :n], scores[:, :n], k=n // 5)
        assert curves[3, :, n - 1].mean() == pytest.approx(fifth, rel=1e-12)
    assert experiment_curves(labels, scores, sizes=[50, 17]) == pytest.approx(
        curves[:, :, [49, 16]], rel=1e-12
    )


def test_shapes():
    with pytest.raises(ValueError, match=r"shapes \(3,\) and \(3,\): expected one shape"):
        experiment_curves([1, 0, 2], [1, 2, 3])
    with pytest.raises(ValueError, match="expected one shape"):
        experiment_curves([[1, 0]], [[1, 2, 3]])


@pytest.mark.parametrize("regime", REGIMES)
def test_learned_rankers_beat_a_random_one_but_not_at_a_contaminated_top(regime):
    model = replace(REGIMES[regime], queries=20)
    train, test = (model.draw(part, seed=11) for part in ("train", "test"))
    n = model.documents
    rng = np.random.default_rng(11)
    scores = [
        ranker.fit(train.features, train.labels.ravel(), train.offsets).score(test.features).reshape(-1, n)
        for ranker in (RankSVM(), ListNet(1e-5))
    ]
    svm, net, chance = (
        experiment_curves(test.labels, s, sizes=[n])[:, :, 0] for s in (*scores, rng.random((20, n)))
    )
    for learned in (svm, net):
        for measure, ahead in zip(MEASURES, learned - chance, strict=True):
            t = ahead.mean() / (ahead.std(ddof=1) / np.sqrt(20))
            if measure == "figure-3" and regime == "contaminated top":
                assert abs(t) < 4
            else:
                assert t > (2 if measure == "figure-3" else 6), measure


def test_last_crossing_is_the_last_size_at_which_the_final_leader_does_not_lead():
    first, other = [0.1, 0.5, 0.3, 0.4, 0.6], [0.2, 0.4, 0.3, 0.3, 0.5]
    assert last_crossing(first, other) == last_crossing(other, first) == 3
    assert last_crossing(first, other, start=3) == 3
    assert last_crossing(first, other, start=4) == 0
    assert last_crossing(first, first) == 5


def test_random_expectation_is_the_mean_over_all_orders():
    labels = np.array([[0, 2, 1, 0, 1, 0], [1, 0, 0, 0, 2, 2]])
    expectations = random_expectation(labels)
    for row, (discount, k) in zip(expectations, MEASURES.values()):
        for query, values in zip(labels, row):
            for n in (2, 5, 6):
                orders = list(permutations(range(n)))
                every = ndcg(np.tile(query[:n], (len(orders), 1)), np.array(orders), discount=discount, k=k)
                assert values[n - 1] == pytest.approx(every.mean())
    assert np.isnan(expectations[:, 0, 0]).all() and np.isfinite(expectations[:, 1]).all()


@pytest.fixture(scope="module")
def lists():
    rng = np.random.default_rng(5)
    scores = rng.uniform(size=(3, 400))
    return (rng.uniform(size=scores.shape) < 0.4 * scores).astype(int) + (scores > 0.97), scores


@pytest.mark.parametrize("measure", ["figure-1", "figure-2", "figure-4"])
def test_continuation_begins_where_the_list_ends_and_goes_where_the_pseudo_expectation_goes(lists, measure):
    labels, scores = lists
    discount, k = MEASURES[measure]
    near, far = continued(labels, scores, measure, [400, 1e12]).T
    # The sum of the discounts is continued without its terms of order D'.
    assert near == pytest.approx(ndcg(labels, scores, discount=discount, k=k), abs=0.01)
    grades = np.arange(labels.max() + 1)
    for query, order, value in zip(labels, scores.argsort(axis=1), far):
        ranked = query[order]
        curves = {
            int(g): lambda s, g=g, y=ranked: (
                (y[np.minimum((400 * np.asarray(s)).astype(int), 399)] == g) * 1.0
            )
            for g in grades
        }
        steps = np.flatnonzero(np.diff(ranked)) + 1
        population = Population(curves, tuple((steps / 400).tolist()))
        assert value == pytest.approx(pseudo_expectation(population, discount, 1e12, k=k), abs=1e-4)


def test_continuation_rejects_summable_discounts_and_short_sizes(lists):
    for measure, size in (("figure-3", 1e6), ("figure-1", 399)):
        with pytest.raises(ValueError, match=f"measure='{measure}'"):
            continued(*lists, measure, [size])
