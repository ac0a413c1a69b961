import numpy as np
import pytest

from ndcg_companion.data import LambdaMART, RankSVM, missing_extra
from ndcg_companion.measures import ndcg

here = pytest.mark.skipif(bool(missing_extra("lambdamart")), reason=missing_extra("lambdamart"))


def bump(seed):
    """Relevant where the feature is near 0: no linear ranker can find it."""
    features = np.random.default_rng(seed).uniform(-2, 2, (3000, 2))
    return features, (np.abs(features[:, 0]) < 0.3).astype(int), np.arange(0, 3001, 300)


@here
def test_trees_learn_an_order_that_no_linear_ranker_can():
    features, labels, offsets = bump(1)
    unseen, answers, _ = bump(2)
    trees, line = (ranker.fit(features, labels, offsets) for ranker in (LambdaMART(trees=20), RankSVM()))
    boosted, linear = (ndcg(answers, ranker.score(unseen), offsets=offsets) for ranker in (trees, line))
    assert boosted.min() > 0.95 > linear.max()


@here
def test_training_is_lightgbms_own_ranker():
    import lightgbm

    features, labels, offsets = bump(3)
    theirs = lightgbm.LGBMRanker(
        n_estimators=7,
        num_leaves=5,
        learning_rate=0.2,
        n_jobs=1,
        verbosity=-1,
        deterministic=True,
        force_row_wise=True,
    )
    theirs.fit(features, labels, group=np.diff(offsets))
    ours = LambdaMART(trees=7, leaves=5, rate=0.2).fit(features, labels, offsets)
    assert ours.score(features) == pytest.approx(theirs.booster_.predict(features), rel=1e-12)
    assert ours == LambdaMART(trees=7, leaves=5, rate=0.2).fit(features, labels, offsets)
    with pytest.raises(ValueError, match=r"expected \(n, 2\)"):
        ours.score(np.zeros((1, 3)))


@pytest.mark.parametrize(
    ("labels", "offsets", "message"),
    [
        ([0, 31], None, "labels up to 31"),
        ([0, 0.5], None, "expected whole numbers"),
        ([-1, 0], None, "expected whole numbers"),
        ([0, 1, 2], None, r"labels of shape \(3,\)"),
        ([0, 1], [0, 1], "offsets="),
    ],
)
def test_unusable_labels(labels, offsets, message):
    with pytest.raises(ValueError, match=message):
        LambdaMART().fit(np.zeros((2, 1)), labels, offsets)


def test_a_query_that_lightgbm_would_refuse():
    with pytest.raises(ValueError, match="queries up to 10001 items"):
        LambdaMART().fit(np.zeros((10_001, 1)), np.zeros(10_001))


@pytest.mark.parametrize(
    ("name", "value"),
    [("trees", 0), ("leaves", 1), ("rate", 0), ("rate", 1.5), ("rate", np.nan), ("rate", "0.1")],
)
def test_dials_out_of_range(name, value):
    with pytest.raises(ValueError, match=f"{name}="):
        LambdaMART(**{name: value})


def test_without_the_package_a_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setattr("ndcg_companion.extras.find_spec", lambda name: None)
    with pytest.raises(
        ModuleNotFoundError, match="lightgbm is not installed, but it is needed for LambdaMART"
    ):
        LambdaMART().fit(np.eye(2), [0, 1])
