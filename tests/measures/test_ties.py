import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ndcg_companion.measures import ndcg
from ndcg_companion.measures.lists import read_labels, read_lists
from ndcg_companion.measures.ties import check_ties, dense_ranks, group_means, group_starts, sort_groups

groups = st.lists(st.lists(st.integers(-4, 4), min_size=1, max_size=4), min_size=1, max_size=5)


def starts_in(lists):
    """The groups of lists whose scores are in increasing order."""
    return group_starts(lists, lists.scores, np.arange(lists.scores.size))


def starts_of(sizes):
    first = np.zeros(sum(sizes), dtype=bool)
    first[np.cumsum([0] + list(sizes[:-1]))] = True
    return first


@given(groups)
def test_groups_are_averaged_and_sorted_each_by_itself(batch):
    values, first = np.array([v for g in batch for v in g], dtype=float), starts_of([len(g) for g in batch])
    assert group_means(values, first) == pytest.approx([sum(g) / len(g) for g in batch for _ in g])
    assert sort_groups(values, first, decreasing=False).tolist() == [v for g in batch for v in sorted(g)]
    assert sort_groups(values, first, decreasing=True).tolist() == [
        v for g in batch for v in sorted(g, reverse=True)
    ]


def test_the_mean_of_a_small_group_behind_a_large_one_keeps_its_digits():
    values, first = np.array([1e300, 1e-300, 3e-300]), starts_of([1, 2])
    assert group_means(values, first)[1:].tolist() == [2e-300, 2e-300]


@given(st.lists(st.lists(st.integers(-4, 4), max_size=5), max_size=5))
def test_places_are_counted_in_each_list_by_itself(batch):
    values = np.array([v for row in batch for v in row], dtype=int)
    lists = read_labels(values, np.cumsum([0] + [len(row) for row in batch]))
    expected = [1 + len({other for other in row if other < v}) for row in batch for v in row]
    assert dense_ranks(lists, lists.labels).tolist() == expected


def test_equal_scores_of_neighbouring_lists_are_no_tie():
    assert starts_in(read_lists([1, 1, 1, 1], [0, 1, 1, 2], [0, 2, 2, 4])) is None
    assert starts_in(read_lists([[1, 1], [1, 1]], [[0, 1], [1, 1]])).tolist() == [True, True, True, False]


def test_equal_infinities_and_signed_zeros_are_ties():
    assert starts_in(read_lists([1, 1, 1, 1], [-0.0, 0.0, np.inf, np.inf])).tolist() == [
        True,
        False,
        True,
        False,
    ]


@pytest.mark.parametrize("position", [1, 2**16 - 1, 2**16, 2**16 + 1, 10**5 - 1])
def test_one_tie_in_a_long_list_is_found_wherever_it_is(position):
    scores = np.arange(10**5)
    scores[position] = position - 1
    assert np.flatnonzero(~starts_in(read_lists(scores, scores))).tolist() == [position]


@pytest.mark.parametrize("ties", ["mean", None, 1, ["best"]])
def test_rejects_unknown_treatments_of_ties(ties):
    with pytest.raises(ValueError, match="^ties="):
        check_ties(ties)


@pytest.mark.parametrize("spacing", [1.0, 2.0**-40, 1e-16])
@pytest.mark.parametrize("treatment", ["average", "best", "worst"])
def test_the_short_way_and_the_long_way_agree(treatment, spacing):
    rng = np.random.default_rng(7)
    labels = rng.integers(0, 5, 40_000)
    scores = 0.7 + spacing * rng.integers(-300, 300, labels.size)
    short = ndcg(labels, scores, ties=treatment)
    # Labels in halves are no bytes: they take the long way, and halving all gains leaves NDCG as it is.
    assert short == pytest.approx(ndcg(labels / 2, scores, ties=treatment), rel=1e-13)


def test_the_first_two_items_are_a_group_or_not_whatever_was_in_memory():
    for _ in range(20):
        assert starts_in(read_lists([0, 0, 0], [0, 0, 1])).tolist() == [True, False, True]
        assert starts_in(read_lists([0, 0, 0], [0, 1, 1])).tolist() == [True, True, False]
