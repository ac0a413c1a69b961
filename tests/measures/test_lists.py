import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ndcg_companion.measures.lists import check_empty, is_short, read_labels, read_lists

ragged = st.lists(st.lists(st.integers(-3, 3), max_size=6), max_size=6)


@given(ragged, st.booleans())
def test_orders_and_sorts_each_list_of_a_batch_by_itself(batch, stable):
    values = np.array([v for row in batch for v in row], dtype=float)
    offsets = np.cumsum([0] + [len(row) for row in batch])
    lists = read_lists(values, values, offsets)
    order, increasing = lists.order(lists.scores, stable=stable), lists.sort(lists.scores)
    for row, start, end in zip(batch, offsets, offsets[1:]):
        assert values[order[start:end]].tolist() == increasing[start:end].tolist() == sorted(row)
        assert sorted(order[start:end]) == list(range(start, end))
        assert lists.ranks[start:end].tolist() == list(range(len(row), 0, -1))
        if stable:
            best_first = sorted(range(len(row)), key=lambda i: -row[i])
            assert order[start:end].tolist()[::-1] == [start + i for i in best_first]


@given(ragged)
def test_folds_each_list_of_a_batch_by_itself(batch):
    values = np.array([v for row in batch for v in row], dtype=float)
    lists = read_labels(values, np.cumsum([0] + [len(row) for row in batch]))
    assert lists.fold(np.add, values).tolist() == [sum(row) for row in batch]
    assert lists.fold(np.maximum, values).tolist() == [max(row, default=0) for row in batch]


@given(st.integers(0, 4), st.integers(0, 5), st.data())
def test_a_matrix_and_the_same_lists_with_offsets_are_the_same(q, n, data):
    rows = np.array(
        data.draw(st.lists(st.integers(0, 3), min_size=q * n, max_size=q * n)), dtype=float
    ).reshape(q, n)
    matrix, flat = read_lists(rows, rows), read_lists(rows.ravel(), rows.ravel(), np.arange(q + 1) * n)
    for ask in (
        lambda lists: lists.order(lists.scores, stable=True),
        lambda lists: lists.sort(lists.scores),
        lambda lists: lists.fold(np.add, lists.scores),
        lambda lists: lists.number,
        lambda lists: lists.ranks,
    ):
        assert ask(matrix).tolist() == ask(flat).tolist()


def test_the_worth_of_ranked_lists_is_summed_from_the_top():
    """Ranked lists end with their best item; weights of fewer ranks belong to the last ones."""
    rows = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    lists = read_lists(rows, rows)
    assert lists.dot(rows.ravel(), np.array([100.0, 10.0, 1.0])).tolist() == [123.0, 456.0]
    assert lists.dot(rows.ravel(), np.array([10.0, 1.0])).tolist() == [23.0, 56.0]
    assert lists.dot(rows.ravel(), np.array([7.0])).tolist() == [21.0, 42.0]
    assert lists.dot(rows.ravel(), np.arange(1.0, 7.0)).tolist() == [14.0, 77.0]
    assert read_lists(rows[0], rows[0]).dot(rows[0], np.array([10.0, 1.0])).tolist() == [23.0]
    assert read_lists(np.zeros((0, 3)), np.zeros((0, 3))).dot(np.zeros(0), np.ones(2)).tolist() == []


def test_many_lists_keep_their_numbers_apart():
    # More lists than a 16-bit number can tell.
    q = 2**16 + 10
    values = np.arange(2 * q + 1) % 3
    offsets = np.append(np.arange(q) * 2, 2 * q + 1)
    order = read_lists(values, values, offsets).order(values, stable=True)
    expected = np.lexsort((-np.arange(values.size), values, np.repeat(np.arange(q), np.diff(offsets))))
    assert (order == expected).all()


def test_scores_keep_their_type():
    for dtype in (np.int8, np.uint64, np.int64, np.float16, np.float32, np.longdouble, bool):
        assert read_lists([0, 1], np.array([1, 0], dtype)).scores.dtype == dtype


@pytest.mark.parametrize(
    "labels, scores, offsets, names",
    [
        ([1, 2], [1], None, "scores"),
        ([[1, 2]], [1, 2], None, "scores"),
        (1, 1, None, "labels"),
        ([[[1]]], [[[1]]], None, "labels"),
        ([1, math.nan], [1, 2], None, "labels: expected no NaN"),
        ([1, 2], [1, math.nan], None, "scores: expected no NaN, got one at position 1"),
        ([[1, 2]], [[math.nan, 1]], None, r"scores: .* \(0, 0\)"),
        ([1, math.inf], [1, 2], None, "labels: expected finite"),
        ([1, -math.inf], [1, 2], None, "labels: expected finite"),
        (["a", "b"], [1, 2], None, "labels"),
        ([1, 2], [1, None], None, "scores"),
        ([1, 2], [1, 2j], None, "scores"),
        ([[1, 2], [1]], [[1, 2], [1]], None, "labels: .* offsets"),
        ([1, 2], [2**53 + 1, 0.5], None, "scores"),
        ([1, 2], np.ma.masked_array([1, 2], [True, False]), None, "scores"),
        ([1, 2], [1, 2], [0, 1], "offsets"),
        ([1, 2], [1, 2], [1, 2], "offsets"),
        ([1, 2], [1, 2], [0, 2, 1, 2], "offsets"),
        ([1, 2], [1, 2], [0.0, 2.0], "offsets"),
        ([1, 2], [1, 2], [], "offsets"),
        ([1, 2], [1, 2], [[0, 2]], "offsets"),
        ([[1, 2]], [[1, 2]], [0, 2], "labels"),
    ],
)
def test_rejects_bad_input_by_name(labels, scores, offsets, names):
    with pytest.raises(ValueError, match="^" + names):
        read_lists(labels, scores, offsets)


def test_rejects_negative_labels_only_where_they_make_no_sense():
    assert read_lists([-1, 2], [1, 2]).labels.tolist() == [-1, 2]
    for least in ([0, 300], [0, 0.5]):  # neither are bytes
        assert read_lists(least, [1, 2], negative=False).labels.tolist() == least
    with pytest.raises(ValueError, match="labels: expected numbers >= 0, got -1"):
        read_lists([-1, 2], [1, 2], negative=False)
    with pytest.raises(ValueError, match="^reference"):
        read_lists([math.nan], [1], name="reference")


def test_admits_infinite_scores_and_large_numbers_that_floats_can_hold():
    assert read_lists([1, 1, 1, 1], [math.inf, -math.inf, 2**60, 0.5]).scores.dtype == float
    assert read_lists([1, 1], [2**63, 2**63 + 1]).scores.dtype == np.uint64


@pytest.mark.parametrize("labels", [[0, 255], [0, 256], [0, 0.5], [-1, 3], [True, False]])
def test_long_lists_keep_the_values_of_their_labels(labels):
    labels = np.array(labels * 20_000)
    assert (read_labels(labels).labels == labels).all()


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_rejects_bad_labels_in_a_long_list(bad):
    with pytest.raises(ValueError, match="^labels"):
        read_labels([1] * 40_000 + [bad])


@pytest.mark.parametrize("empty", [0, 1, np.float64(1), math.nan, "raise"])
def test_values_of_a_list_without_a_relevant_item(empty):
    check_empty(empty)


@pytest.mark.parametrize("empty", [2, -1, 0.5, "nan", None, [1]])
def test_other_values_of_an_empty_list_are_rejected(empty):
    with pytest.raises(ValueError, match="empty=.*: expected nan, 0, 1 or 'raise'"):
        check_empty(empty)


@pytest.mark.parametrize("top", [1, 10, 499, 500, 501, 2000])
def test_the_highest_values_of_long_lists_are_in_order_at_the_end(top):
    rows = np.random.default_rng(top).integers(0, 300, (3, 2000)).astype(float)
    sorted_rows = read_lists(rows, rows).sort(rows.ravel(), top=top).reshape(3, -1)
    assert sorted_rows[:, -top:].tolist() == np.sort(rows, axis=1)[:, -top:].tolist()
    assert sorted_rows.shape[1] == (top if top <= 500 else 2000)


def test_selecting_is_for_few_of_a_thousand_and_more():
    assert is_short(256, 1024) and not is_short(257, 1024) and not is_short(1, 1023)


def test_candidates_are_the_highest_scores_and_ties_with_the_last():
    labels, scores = np.arange(1.0, 7.0), np.array([3, 1, 2, 2, 0, 2])
    kept, gains = read_lists(labels, scores).keep_candidates(2, 10 * labels)
    assert kept.labels.tolist() == [1, 3, 4, 6] and gains.tolist() == [10, 30, 40, 60]
    assert kept.scores.tolist() == [3, 2, 2, 2] and kept.n == 4 and kept.sizes.tolist() == [4] and kept.single


def test_a_single_list_gives_a_float_and_blank_lists_their_empty_value():
    single_list, three = read_labels([1, 2]), read_labels([[1], [2], [3]])
    assert single_list.to_output(np.array([0.5])) == 0.5 and isinstance(
        single_list.to_output(np.array([0.5])), float
    )
    assert three.to_output(np.array([1.0, 2.0, 3.0])).tolist() == [1.0, 2.0, 3.0]
    values, blank = np.array([1.0, 2.0, 3.0]), np.array([False, True, True])
    assert three.to_output(values, blank, 0).tolist() == [1.0, 0.0, 0.0]
    assert three.to_output(values, ~blank, 0.5).tolist() == [0.5, 2.0, 3.0]
    assert three.to_output(values, np.zeros(3, dtype=bool), "raise").tolist() == values.tolist()
    with pytest.raises(ValueError, match="^empty='raise': expected a relevant item, got none in list 1$"):
        three.to_output(values, blank, "raise")
    with pytest.raises(ValueError, match="^empty='raise': expected a relevant item, got none$"):
        single_list.to_output(np.array([0.0]), np.array([True]), "raise")


def test_lists_begin_where_the_one_before_ends():
    single_list, rows, batch = (
        read_labels([1, 2]),
        read_labels([[1, 2], [3, 4]]),
        read_labels([1, 2], [0, 2, 2]),
    )
    for lists, starts, sizes in ((single_list, [0], [2]), (rows, [0, 2], [2, 2]), (batch, [0, 2], [2, 0])):
        assert lists.starts.tolist() == starts and lists.sizes.tolist() == sizes


def test_offsets_of_equal_steps_make_a_matrix():
    assert read_labels([1, 2, 3, 4], [0, 2, 4]).n == 2 and read_labels([1, 2], [0, 1, 2]).n == 1
    for offsets in ([0, 1, 4], [0, 2, 4, 4], [0, 0, 4]):
        assert read_labels([1, 2, 3, 4], offsets).n is None
    assert read_labels([], [0]).n is None and read_labels([], [0, 0]).n is None


def test_integers_that_a_float_just_holds_may_stand_beside_floats():
    assert read_lists([1, 2], [2**53, 0.5]).scores.tolist() == [2.0**53, 0.5]
    with pytest.raises(ValueError, match="^scores: expected numbers of one type"):
        read_lists([1, 2], [-(2**53) - 1, 0.5])
