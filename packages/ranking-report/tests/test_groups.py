import numpy as np
import pytest

from ranking_report.groups import letters, rank_ranges


@pytest.mark.parametrize("size", [1, 2, 5, 9, 30])
@pytest.mark.parametrize("share", [0.0, 0.3, 0.8, 1.0])
def test_two_share_a_letter_exactly_if_they_are_not_distinguished(size, share):
    rng = np.random.default_rng(size)
    apart = np.triu(rng.random((size, size)) < share, 1)
    if size == 30:  # as means have it: neighbours are alike
        apart = np.triu(np.subtract.outer(np.arange(30), np.arange(30)) < -int(25 * (1 - share)) - 1)
    apart |= apart.T
    words = letters(apart)
    letter_sets = [set(word.split(",")) if word[0].isdigit() else set(word) for word in words]
    for first in range(size):
        for other in range(size):
            assert bool(letter_sets[first] & letter_sets[other]) == (
                first == other or not apart[first, other]
            )


@pytest.mark.parametrize(("size", "last"), [(26, "z"), (27, "27")])
def test_letters_are_counted_from_a_and_where_they_do_not_suffice_numbers_from_one(size, last):
    words = letters(~np.eye(size, dtype=bool))
    assert len(set(words)) == size and (words[0], words[-1]) == ("a" if size == 26 else "1", last)


@pytest.mark.parametrize(("pairs", "most", "are_many"), [(20, 1000, True), (3, 8, False), (3, 7, True)])
def test_systems_with_too_many_groups_get_no_letters(pairs, most, are_many, monkeypatch):
    monkeypatch.setattr("ranking_report.groups._MOST", most)
    matched = np.kron(np.eye(pairs, dtype=bool), ~np.eye(2, dtype=bool))  # 2**pairs groups
    words = letters(matched)
    assert words == [""] * 2 * pairs if are_many else all(words)


@pytest.mark.parametrize("seed", range(5))
def test_no_letter_lies_in_another(seed):
    """Groups are as large as possible, so none is part of another."""
    rng = np.random.default_rng(seed)
    apart = np.triu(rng.random((9, 9)) < 0.4, 1)
    words = letters(apart | apart.T)
    members = [
        {index for index, word in enumerate(words) if letter in word} for letter in set("".join(words))
    ]
    assert not any(smaller < other for smaller in members for other in members)


def test_ranks_are_what_is_left_open():
    means = np.array([0.2, 0.5, 0.4])
    apart = np.array([[0, 1, 0], [1, 0, 0], [0, 0, 0]], dtype=bool)
    assert rank_ranges(means, apart).tolist() == [[2, 3], [1, 2], [1, 3]]
    assert rank_ranges(means, np.zeros((3, 3), dtype=bool)).tolist() == [[1, 3]] * 3
