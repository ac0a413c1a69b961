from dataclasses import dataclass
from itertools import combinations
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import check_grad
from sklearn.metrics import ndcg_score, roc_auc_score
from sklearn.svm import LinearSVC

from ndcg_companion.data import Digits, LinearRanker, ListNet, RandomRanker, RankSVM, held_out_ndcg
from ndcg_companion.data.rankers import squared_hinge_loss, top_one_cross_entropy
from ndcg_companion.measures import ndcg


def hinge_by_pairs(labels, scores):
    loss, gradient = 0.0, np.zeros(len(scores))
    for i in range(len(scores)):
        for j in range(len(scores)):
            if labels[i] > labels[j]:
                violation = max(0.0, 1 - (scores[i] - scores[j]))
                loss += violation**2
                gradient[i] -= 2 * violation
                gradient[j] += 2 * violation
    return loss, gradient


# Halves make ties and margins of exactly one common.
items = st.lists(
    st.tuples(st.integers(0, 3), st.integers(-8, 8).map(lambda v: v / 2)), min_size=1, max_size=12
)


@given(items)
def test_hinge_loss_visits_every_pair(items):
    labels, scores = np.array(items).T
    loss, gradient = squared_hinge_loss(labels, scores)
    expected, expected_gradient = hinge_by_pairs(labels, scores)
    assert loss == pytest.approx(expected, abs=1e-9)
    assert gradient == pytest.approx(expected_gradient, abs=1e-9)


def test_hinge_loss_on_real_valued_scores():
    rng = np.random.default_rng(1)
    labels, scores = rng.integers(0, 4, 200), rng.normal(5, 2, 200)
    loss, gradient = squared_hinge_loss(labels, scores)
    expected, expected_gradient = hinge_by_pairs(labels, scores)
    assert loss == pytest.approx(expected, rel=1e-12)
    assert gradient == pytest.approx(expected_gradient, rel=1e-10, abs=1e-9)


def test_cross_entropy_by_its_definition():
    labels, scores = np.array([2.0, 0.0, 1.0]), np.array([0.3, -1.0, 2.0])
    target, model = np.exp(labels) / np.exp(labels).sum(), np.exp(scores) / np.exp(scores).sum()
    assert top_one_cross_entropy(labels, scores)[0] == pytest.approx(
        -(target * np.log(model)).sum(), rel=1e-14
    )


def test_cross_entropy_does_not_overflow():
    loss, gradient = top_one_cross_entropy(np.array([1e4, 0.0]), np.array([-1e4, 0.0]))
    assert loss == 1e4 and gradient.tolist() == [-1.0, 1.0]


@pytest.mark.parametrize("loss", [squared_hinge_loss, top_one_cross_entropy])
def test_gradients_by_finite_differences(loss):
    rng = np.random.default_rng(2)
    labels, scores = rng.integers(0, 3, 30), rng.normal(0, 1, 30)
    error = check_grad(lambda s: loss(labels, s)[0], lambda s: loss(labels, s)[1], scores)
    assert error < 1e-5 * np.linalg.norm(loss(labels, scores)[1]) + 1e-6


@pytest.mark.parametrize("loss", [squared_hinge_loss, top_one_cross_entropy])
def test_losses_are_convex_along_segments(loss):
    rng = np.random.default_rng(3)
    labels = rng.integers(0, 3, 20)
    for _ in range(100):
        start, end = rng.normal(0, 2, (2, 20))
        value = [loss(labels, start + t * (end - start))[0] for t in (0, 0.5, 1)]
        assert value[1] <= (value[0] + value[2]) / 2 + 1e-12


def graded_problem(seed, offsets):
    rng = np.random.default_rng(seed)
    features = rng.normal(0, 1, (offsets[-1], 4))
    labels = np.clip(np.round(features @ [1, -0.5, 0.2, 0] + rng.normal(0, 1, offsets[-1])), 0, 3)
    return features, labels


@pytest.mark.parametrize("offsets", [[0, 40], [0, 10, 25, 40]])
def test_ranksvm_is_linear_svc_on_all_pairs(offsets):
    features, labels = graded_problem(4, offsets)
    differences = np.array(
        [
            (features[i] - features[j]) * np.sign(labels[i] - labels[j])
            for a, b in zip(offsets, offsets[1:])
            for i, j in combinations(range(a, b), 2)
            if labels[i] != labels[j]
        ]
    )
    # Every other pair is turned round, for LinearSVC wants two classes.
    side = np.where(np.arange(len(differences)) % 2, 1, -1)
    cost = 1 / (0.01 * len(differences))
    reference = LinearSVC(
        loss="squared_hinge", fit_intercept=False, C=cost, tol=1e-10, max_iter=100_000, dual=False
    ).fit(differences * side[:, None], side)
    ranker = RankSVM(0.01).fit(features, labels, None if len(offsets) == 2 else offsets)
    assert ranker.weights == pytest.approx(reference.coef_[0], rel=1e-5)


@pytest.mark.parametrize("offsets", [[0, 40], [0, 10, 25, 40]])
def test_listnet_is_trained_until_its_gradient_is_zero(offsets):
    features, labels = graded_problem(5, offsets)
    weights = np.array(ListNet(0.05).fit(features, labels, offsets).weights)

    def objective(weights):
        losses = []
        for a, b in zip(offsets, offsets[1:]):
            target, scores = np.exp(labels[a:b]) / np.exp(labels[a:b]).sum(), features[a:b] @ weights
            losses.append(-target @ (scores - np.log(np.exp(scores).sum())))
        return np.mean(losses) + 0.05 / 2 * weights @ weights

    step = 1e-5
    slopes = [(objective(weights + step * e) - objective(weights - step * e)) / (2 * step) for e in np.eye(4)]
    assert np.abs(slopes).max() < 1e-8
    assert np.linalg.norm(weights) > 0.1  # not at the start of the search


def test_queries_are_compared_within_themselves_only():
    # Across queries the second feature would decide; within each of them only the first varies with the
    # label.
    features = np.array([[0, 5], [1, 5], [0, -5], [1, -5]], float)
    for ranker in (RankSVM(), ListNet()):
        weights = ranker.fit(features, [0, 1, 2, 3], [0, 2, 4]).weights
        assert weights[0] > 0.5 and abs(weights[1]) < 1e-6


@pytest.mark.parametrize("ranker", [RankSVM(), ListNet()])
def test_training_twice_gives_the_same_numbers(ranker):
    train = Digits("train")
    assert ranker.fit(train.features, train.labels[8]) == ranker.fit(train.features, train.labels[8])


def test_learned_rankers_beat_a_random_one_on_digits():
    train, test = Digits("train"), Digits("test")
    for digit in range(10):
        area = [
            roc_auc_score(
                test.labels[digit], ranker.fit(train.features, train.labels[digit]).score(test.features)
            )
            for ranker in (RankSVM(), ListNet(), RandomRanker(seed=digit))
        ]
        assert min(area[:2]) > 0.9 > 0.6 > area[2]


def test_random_scores_are_uniform_and_seeded():
    features = np.zeros((4000, 2))
    scores = RandomRanker(seed=6).score(features)
    assert scores.min() >= -1 and scores.max() <= 1
    # Four standard errors of the mean and of the second moment of a uniform variable on [-1, 1].
    assert abs(scores.mean()) < 4 * np.sqrt(1 / 3 / 4000)
    assert abs((scores**2).mean() - 1 / 3) < 4 * np.sqrt(4 / 45 / 4000)
    assert np.array_equal(scores, RandomRanker(seed=6).score(features))
    assert not np.array_equal(scores, RandomRanker(seed=7).score(features))


def test_a_trained_ranker_can_be_typed_back():
    ranker = ListNet().fit(np.eye(3), [0, 1, 2])
    assert eval(repr(ranker)) == ranker
    assert ranker.score(np.eye(3)).tolist() == list(ranker.weights)


@pytest.mark.parametrize("name", [RankSVM, ListNet])
@pytest.mark.parametrize("regularisation", [0, -1.0, np.nan, np.inf])
def test_regularisation_must_be_positive(name, regularisation):
    with pytest.raises(ValueError, match="regularisation="):
        name(regularisation)


@pytest.mark.parametrize("ranker", [RankSVM(), ListNet(), RandomRanker(1)])
@pytest.mark.parametrize(
    ("features", "labels", "offsets", "message"),
    [
        ([1, 2], [0, 1], None, r"features of shape \(2,\)"),
        ([[1], [np.nan]], [0, 1], None, "features: expected finite"),
        ([[1], [2]], [0, 1, 1], None, r"labels of shape \(3,\)"),
        ([[1], [2]], [0, np.nan], None, "labels: expected finite"),
        (np.empty((0, 1)), [], None, "labels of shape"),
        ([[1], [2]], [0, 1], [0, 1], "offsets="),
        ([[1], [2]], [0, 1], [0, 0, 2], "offsets="),
        (np.ones((4, 1)), [0, 1, 0, 1], [0, 3, 2, 4], "offsets="),
        ([[1], [2]], [0, 1], [0.0, 2.0], "offsets="),
    ],
)
def test_unusable_input(ranker, features, labels, offsets, message):
    with pytest.raises(ValueError, match=message):
        ranker.fit(features, labels, offsets)


def test_ranksvm_needs_a_pair():
    with pytest.raises(ValueError, match="expected a query with two different labels, got none"):
        RankSVM().fit([[1], [2]], [0, 1], [0, 1, 2])


def test_a_ranker_scores_its_own_number_of_features():
    with pytest.raises(ValueError, match=r"expected \(n, 2\)"):
        LinearRanker((1.0, 2.0)).score([[1.0]])


def test_a_random_ranker_needs_a_seed():
    with pytest.raises(ValueError, match="seed=None"):
        RandomRanker(None)


def test_training_that_cannot_finish_says_so():
    # Columns a billion times apart: steps too small for the search before the gradient vanishes.
    rng = np.random.default_rng(8)
    features = rng.normal(0, 1, (50, 3)) * [1e9, 1, 1e-3]
    with pytest.raises(RuntimeError, match="scale the features"):
        RankSVM(1e-9).fit(features, rng.integers(0, 2, 50))


def test_held_out_ndcg_is_that_of_queries_not_trained_on():
    offsets = np.array([0, 30, 60, 75, 120, 160])
    features, labels = graded_problem(9, offsets)
    candidates = [RankSVM(1e-2), ListNet(1e-2)]
    table = held_out_ndcg(candidates, features, labels, offsets, folds=2)
    for candidate in candidates:
        expected = []
        for held_out in ([0, 2, 4], [1, 3]):
            seen = [i for i in range(5) if i not in held_out]
            rows = np.concatenate([np.arange(offsets[i], offsets[i + 1]) for i in seen])
            ranker = candidate.fit(
                features[rows], labels[rows], np.append(0, np.cumsum(np.diff(offsets)[seen]))
            )
            for i in held_out:
                part = slice(offsets[i], offsets[i + 1])
                expected.append(ndcg_score(labels[None, part], ranker.score(features[part])[None]))
        assert table[candidate] == pytest.approx(np.mean(expected), rel=1e-12)


@dataclass(frozen=True)
class ByHeart:
    """Ranks what it was trained on perfectly, and puts everything else level."""

    def fit(self, features, labels, offsets):
        label_of = {row.tobytes(): label for row, label in zip(features, labels)}
        return SimpleNamespace(
            score=lambda rows: np.array([label_of.get(row.tobytes(), 0.0) for row in rows])
        )


def test_memorised_queries_do_not_help_on_held_out_queries():
    offsets = np.arange(0, 401, 20)
    features, labels = graded_problem(10, offsets)
    assert ndcg(labels, ByHeart().fit(features, labels, offsets).score(features)) == 1
    table = held_out_ndcg([ByHeart(), RankSVM()], features, labels, offsets)
    # All tied, so the mean over the orders.
    assert table[ByHeart()] == pytest.approx(ndcg(labels, np.zeros(400), offsets=offsets).mean(), rel=1e-12)
    assert max(table, key=table.get) == RankSVM()


@pytest.mark.parametrize("folds", [1, 3, 2.0])
def test_folds(folds):
    with pytest.raises(ValueError, match="folds="):
        held_out_ndcg([RankSVM()], np.eye(4), [0, 1, 0, 1], [0, 2, 4], folds=folds)


def test_held_out_ndcg_needs_something_relevant():
    with pytest.raises(ValueError, match="labels: expected a query with a relevant item"):
        held_out_ndcg([ListNet()], np.eye(4), np.zeros(4), [0, 2, 4], folds=2)
