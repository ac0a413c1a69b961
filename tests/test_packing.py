import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ndcg_companion.packing import sort_packed


def packed(scores, codes, dtype=np.uint8):
    """What `sort_packed` makes of one list, as Python lists."""
    result = sort_packed(
        np.array([scores]) if isinstance(scores, list) else scores[None], np.array([codes], dtype)
    )
    return (
        result
        if result is None
        else (result[0].tolist(), result[1] if result[1] is None else result[1].tolist())
    )


def test_codes_are_packed_into_scores_of_either_sign():
    assert packed([0.5, -1.0, 3.0, -7.0], [1, 2, 0, 7]) == ([7, 2, 1, 0], None)


@pytest.mark.parametrize("kind", [np.float64, np.float32, np.float16, np.int32, np.uint8, bool])
def test_codes_are_packed_into_any_scores_that_a_float_holds(kind):
    assert packed(np.array([1, 0, 1], dtype=kind), [4, 1, 2]) == ([1, 2, 4], [True, True, False])


@given(
    st.integers(1, 5).flatmap(
        lambda n: st.lists(
            st.lists(st.tuples(st.integers(-3, 3), st.integers(0, 9)), min_size=n, max_size=n),
            min_size=1,
            max_size=4,
        )
    ),
    st.sampled_from([1.0, 0.1, -1e-300]),
    st.sampled_from([np.uint8, np.uint16, np.uint32]),
)
def test_every_row_is_sorted_by_itself(rows, unit, dtype):
    table = np.array(rows)
    codes, first = sort_packed(table[:, :, 0] * unit, table[:, :, 1].astype(dtype))
    assert codes.dtype == dtype
    expected = [sorted((score * unit, code) for score, code in row) for row in rows]
    groups = np.cumsum(np.ones(codes.size, dtype=bool) if first is None else first)
    assert sorted(zip(groups, codes)) == list(zip(groups, (code for row in expected for _, code in row)))
    starts = [i == 0 or row[i][0] != row[i - 1][0] for row in expected for i in range(len(row))]
    assert (first is None and all(starts)) or first.tolist() == starts


@pytest.mark.parametrize("position", [1, 2**16 - 1, 2**16, 2**16 + 1, 10**5 - 1])
def test_one_tie_in_a_long_list_is_found_wherever_it_is(position):
    scores = np.arange(10.0**5)
    scores[position] = position - 1
    codes = (np.arange(10**5) % 3).astype(np.uint8)
    ranked, first = sort_packed(scores[None], codes[None])
    assert np.flatnonzero(~first).tolist() == [position]
    assert (
        np.delete(ranked, [position - 1, position]).tolist()
        == np.delete(codes, [position - 1, position]).tolist()
    )


def test_both_zeros_are_one_score():
    assert packed([0.0, -0.0, 1.0], [1, 0, 2]) == ([0, 1, 2], [True, False, True])


def test_ties_of_scores_that_use_their_last_bits_are_found():
    assert packed([0.1, 0.3, 0.1, 0.3], [3, 0, 1, 2]) == ([1, 3, 0, 2], [True, False, True, False])


@pytest.mark.parametrize(
    "scores",
    [
        [1.0, np.nextafter(1.0, 2), 0.5],  # different, but not in the bits above the codes
        [0.0, 5e-324, 1.0],
        [np.inf, 1.0, 0.0],
        [-np.inf, 1.0, 0.0],
        np.array([1, 2, 3]),  # 64-bit integers need not fit a float
        np.array([1, 2, 3], dtype=np.longdouble),
    ],
)
def test_the_short_way_is_closed_where_it_would_not_be_exact(scores):
    assert packed(scores, [3, 0, 1]) is None


@pytest.mark.parametrize("n", [1, 2, 3, 4, 7])
@pytest.mark.parametrize("score", [np.inf, -np.inf])
def test_the_short_way_is_closed_for_one_infinite_score_wherever_it_is(n, score):
    for position in range(n):
        scores = np.linspace(-1.0, 1.0, n)
        scores[position] = score
        assert packed(scores, [1] * n) is None


@pytest.mark.parametrize("n, is_open", [(1023, True), (1024, False)])
def test_the_short_way_is_closed_where_bits_are_few(n, is_open):
    scores, codes = np.arange(0.0, n), np.full(n, 2**31)
    assert (packed(scores, codes, np.uint32) is not None) == is_open
