import numpy as np
import pytest

from ndcg_companion.evaluation.groups import letters, rank_ranges


@pytest.mark.parametrize("size", [1, 2, 5, 9, 30])
@pytest.mark.parametrize("share", [0.0, 0.3, 0.8, 1.0])
def test_two_share_a_letter_exactly_if_they_are_not_told_apart(size, share):
    rng = np.random.default_rng(size)
    apart = np.triu(rng.random((size, size)) < share, 1)
    if size == 30:  # as means have it: neighbours are alike
        apart = np.triu(np.subtract.outer(np.arange(30), np.arange(30)) < -int(25 * (1 - share)) - 1)
    apart |= apart.T
    words = letters(apart)
    found = [set(word.split(",")) if word[0].isdigit() else set(word) for word in words]
    for one in range(size):
        for other in range(size):
            assert bool(found[one] & found[other]) == (one == other or not apart[one, other])


def test_more_letters_than_anybody_reads_are_none():
    matched = np.kron(np.eye(20, dtype=bool), ~np.eye(2, dtype=bool))  # 2**20 groups
    assert letters(matched) == [""] * 40 and all(letters(matched[:16, :16]))


def test_ranks_are_what_is_left_open():
    means = np.array([0.2, 0.5, 0.4])
    apart = np.array([[0, 1, 0], [1, 0, 0], [0, 0, 0]], dtype=bool)
    assert rank_ranges(means, apart).tolist() == [[2, 3], [1, 2], [1, 3]]
    assert rank_ranges(means, np.zeros((3, 3), dtype=bool)).tolist() == [[1, 3]] * 3
