from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import binom, norm, spearmanr

from ndcg_companion.data import ClickModel, click_labels
from ndcg_companion.data.clicks import REGIMES


def test_labels_by_the_papers_rule():
    clicks = np.array([[1, 99, 100, 500], [1000, 1001, 10**6, 0]])
    expected = [[2 if c > 1000 else 1 if c >= 100 else 0 for c in row] for row in clicks]
    assert click_labels(clicks).tolist() == expected


@pytest.mark.parametrize("thresholds", [(5, 5), (2, 1), [[1]], (np.nan,), ("a",)])
def test_thresholds_increase(thresholds):
    with pytest.raises(ValueError, match="thresholds="):
        click_labels([1], thresholds)


@pytest.mark.parametrize("clicks", [[1, np.nan], [3, -1], ["x"], np.array(-2)])
def test_invalid_click_counts_are_rejected(clicks):
    with pytest.raises(ValueError, match="clicks: expected numbers >= 0, got"):
        click_labels(clicks)


@pytest.mark.parametrize("regime", REGIMES)
def test_the_regimes_have_the_papers_sizes(regime):
    log = REGIMES[regime].draw("test", seed=3)
    assert log.features.shape == (40 * 5000, 40) and log.labels.shape == (40, 5000)
    assert log.offsets.tolist() == list(range(0, 200_001, 5000))
    assert log.clicks.min() >= 1 and np.array_equal(log.labels, click_labels(log.clicks))
    # Every query has something to find, and labels of both grades are the minority that they are in a log.
    assert ((log.labels == 2).sum(axis=1) > 0).all() and (log.labels > 0).mean() < 0.25


def test_a_regime_prints_every_dial_and_can_be_typed_back():
    for model in REGIMES.values():
        assert eval(repr(model)) == model and all(
            f"{name}=" in repr(model) for name in model.__dataclass_fields__
        )


SMALL = ClickModel(queries=6, documents=2000)


def test_parts_are_independent_and_seeded():
    train, test, again = (SMALL.draw(part, seed=1) for part in ("train", "test", "test"))
    assert np.array_equal(test.features, again.features) and np.array_equal(test.clicks, again.clicks)
    assert abs(np.corrcoef(train.features[:, 0], test.features[:, 0])[0, 1]) < 4 / np.sqrt(12_000)
    assert not np.array_equal(test.clicks, SMALL.draw("test", seed=2).clicks)
    child = np.random.SeedSequence(5).spawn(2)[1]
    assert np.array_equal(SMALL.draw("test", seed=child).clicks, SMALL.draw("test", seed=child).clicks)


def test_parts_share_their_loadings():
    train, test = (SMALL.draw(part, seed=1) for part in ("train", "test"))

    def direction(log):
        return [np.corrcoef(column, np.log(log.clicks.ravel()))[0, 1] for column in log.features.T]

    assert np.corrcoef(direction(train), direction(test))[0, 1] > 0.9


def test_features_know_as_much_of_relevance_as_they_should():
    # Without noise in the old ranker, looks and clicks rise with relevance: positions are those of relevance.
    model = replace(
        SMALL, skew=0, old_noise=0, drift=0, looks=1e11, popularity=0, documents=20_000, queries=1
    )
    log = model.draw("train", seed=4)
    n = model.documents
    relevance = norm.ppf(1 - (np.argsort(np.argsort(-log.clicks[0])) + 0.5) / n)
    guess = log.features @ np.linalg.lstsq(log.features, relevance, rcond=None)[0]
    assert np.corrcoef(guess, relevance)[0, 1] == pytest.approx(model.accuracy, abs=4 / np.sqrt(n))


def test_skew_reshapes_every_second_feature():
    plain, skewed = (replace(SMALL, skew=skew).draw("test", seed=1) for skew in (0, 0.5))
    assert np.array_equal(plain.clicks, skewed.clicks)
    assert np.array_equal(plain.features[:, ::2], skewed.features[:, ::2])
    assert np.log1p(skewed.features[:, 1::2] / 2) * 2 == pytest.approx(
        plain.features[:, 1::2], rel=1e-9, abs=1e-12
    )


def early_and_late(model, seeds=range(4)):
    labels = np.concatenate([model.draw("test", seed=seed).labels for seed in seeds]) > 0
    half = labels.shape[1] // 2
    return labels[:, :half].sum(), labels[:, half:].sum()


def test_drift_favours_documents_that_came_first_and_can_be_switched_off():
    early, late = early_and_late(replace(SMALL, drift=0.0))
    # Given the total, either half is as likely: a two-sided test at 1e-4.
    assert 2 * binom.cdf(min(early, late), early + late, 0.5) > 1e-4
    early, late = early_and_late(SMALL)
    assert binom.cdf(late, early + late, 0.5) < 1e-12


def test_contamination_exchanges_clicks_at_the_top_of_what_features_promise():
    clean, mixed = (replace(SMALL, contamination=c, skew=0).draw("test", seed=1) for c in (0, 50))
    assert np.array_equal(clean.features, mixed.features)
    assert np.array_equal(np.sort(clean.clicks), np.sort(mixed.clicks))
    changed = (clean.clicks != mixed.clicks).sum(axis=1)
    assert (changed <= 100).all() and (changed > 50).all()
    # The best-looking documents are clicked like any other now; below them nothing changes.
    guess = clean.features @ np.linalg.lstsq(clean.features, np.log(clean.clicks).ravel(), rcond=None)[0]
    top = guess.reshape(6, -1).argsort(axis=1)[:, -25:]
    shares = [np.take_along_axis(log.labels > 0, top, axis=1).mean() for log in (clean, mixed)]
    everywhere = (clean.labels > 0).mean()
    assert shares[0] > 5 * everywhere and shares[1] < 2 * everywhere + 4 * np.sqrt(everywhere / top.size)


def test_clicks_have_a_heavy_tail():
    # Positions fall off like 1/r, so the count above a threshold does too: a decade apart, ten times fewer.
    clicks = replace(SMALL, drift=0, popularity=0, queries=20).draw("test", seed=5).clicks
    above = [(clicks > threshold).sum() for threshold in (30, 300)]
    assert 6 < above[0] / above[1] < 16
    assert spearmanr(clicks[0], clicks[1]).statistic < 0.2  # queries do not share their documents


@pytest.mark.parametrize(
    ("dial", "value"),
    [
        ("queries", 0),
        ("documents", 2.0),
        ("features", True),
        ("accuracy", 1.0),
        ("accuracy", "0.7"),
        ("looks", None),
        ("fading", 0),
        ("looks", 0),
        ("looks", np.nan),
        ("attraction", np.inf),
        ("contamination", -1),
        ("contamination", 1001),
        ("contamination", 0.5),
        ("drift", -1),
        ("skew", np.nan),
        ("old_noise", -0.1),
        ("position_bias", np.inf),
        ("popularity", -1),
    ],
)
def test_dials_out_of_range(dial, value):
    with pytest.raises(ValueError, match=f"{dial}="):
        replace(SMALL, **{dial: value})


def test_arguments_of_draw():
    with pytest.raises(ValueError, match="part='tset'"):
        SMALL.draw("tset", seed=1)
    with pytest.raises(ValueError, match="seed: expected an integer"):
        SMALL.draw("test", seed=np.random.default_rng(1))
    with pytest.raises(ValueError, match="seed=None"):
        SMALL.draw("test", seed=None)
