from dataclasses import replace

import numpy as np
import pytest
from sklearn.metrics import ndcg_score

from ndcg_companion.data import ListNet, RankSVM, experiment_curves
from ndcg_companion.data.clicks import REGIMES
from ndcg_companion.data.experiment import MEASURES
from ndcg_companion.measures import ndcg


def test_curves_are_ndcg_of_each_prefix_by_each_measure():
    rng = np.random.default_rng(1)
    labels, scores = rng.integers(0, 3, (3, 50)), rng.random((3, 50))
    curves = experiment_curves(labels, scores)
    assert curves.shape == (4, 3, 50)
    for row, (discount, k) in zip(curves, MEASURES.values(), strict=True):
        for n in (5, 17, 50):
            assert row[:, n - 1] == pytest.approx(ndcg(labels[:, :n], scores[:, :n], discount=discount, k=k), rel=1e-12)
    # scikit-learn knows the standard measure, the logarithm's base cancelling, and the cut-off at n/5.
    for n in (20, 50):
        assert curves[0, :, n - 1].mean() == pytest.approx(ndcg_score(labels[:, :n], scores[:, :n]), rel=1e-12)
        fifth = ndcg_score(labels[:, :n], scores[:, :n], k=n // 5)
        assert curves[3, :, n - 1].mean() == pytest.approx(fifth, rel=1e-12)
    assert experiment_curves(labels, scores, sizes=[50, 17]) == pytest.approx(curves[:, :, [49, 16]], rel=1e-12)


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
    svm, net, chance = (experiment_curves(test.labels, s, sizes=[n])[:, :, 0] for s in (*scores, rng.random((20, n))))
    for learned in (svm, net):
        for measure, ahead in zip(MEASURES, learned - chance, strict=True):
            t = ahead.mean() / (ahead.std(ddof=1) / np.sqrt(20))
            if measure == "figure-3" and regime == "contaminated top":
                assert abs(t) < 4
            else:
                assert t > (2 if measure == "figure-3" else 6), measure
