import numpy as np
import pytest
from sklearn.datasets import load_digits

from ndcg_companion.data import Digits


def test_each_row_of_labels_is_the_task_of_finding_one_digit_in_file_order():
    bundle = load_digits()
    everything = Digits()
    assert everything.features.shape == (1797, 64)
    assert np.array_equal(everything.features * 16, bundle.data)
    assert everything.features.min() == 0 and everything.features.max() == 1
    for digit in range(10):
        assert np.array_equal(
            np.flatnonzero(everything.labels[digit]), np.flatnonzero(bundle.target == digit)
        )


def test_train_and_test_are_the_file_cut_in_two():
    train, test, everything = Digits("train"), Digits("test"), Digits("all")
    assert np.array_equal(np.concatenate([train.features, test.features]), everything.features)
    assert np.array_equal(np.concatenate([train.labels, test.labels], axis=1), everything.labels)
    for part in (train, test):
        shares = part.labels.mean(axis=1)
        assert shares.min() > 0.08 and shares.max() < 0.12


def test_the_split_falls_where_the_dictated_sequence_starts_again():
    digits = load_digits().target
    assert np.array_equal(digits[915:935], np.tile(np.arange(10), 2))
    assert np.array_equal(digits[:30], np.tile(np.arange(10), 3))


def test_runs_of_the_file_are_in_different_hands():
    # The nearest image of the same digit is mostly in the same run; were hands not to change between runs,
    # the share would be that of a run in the file, about 1/14.
    bundle = load_digits()
    starts = [0, 130, 256, 386, 516, 646, 776, 915, 1029, 1157, 1287, 1415, 1545, 1667]
    run = np.searchsorted(starts, np.arange(1797), side="right")
    same = []
    for digit in range(10):
        members = bundle.target == digit
        images, runs = bundle.data[members], run[members]
        squares = (images**2).sum(axis=1)
        distances = squares[:, None] + squares - 2 * images @ images.T
        np.fill_diagonal(distances, np.inf)
        same.extend(runs[distances.argmin(axis=1)] == runs)
    assert np.mean(same) > 0.5


def test_arrays_cannot_be_written_to():
    with pytest.raises(ValueError, match="read-only"):
        Digits().features[0, 0] = 1
    with pytest.raises(ValueError, match="read-only"):
        Digits("test").labels[0, 0] = 1


def test_a_value_that_can_be_typed_back():
    assert eval(repr(Digits("test"))) == Digits("test") != Digits("train")


def test_unknown_part():
    with pytest.raises(ValueError, match="part='tset': expected one of 'all', 'train', 'test'"):
        Digits("tset")
