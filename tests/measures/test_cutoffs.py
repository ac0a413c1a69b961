import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ndcg_companion.measures.cutoffs import cutoff, cutoffs


@given(st.integers(1, 10**6), st.integers(1, 10**6))
def test_counts_positions_up_to_the_size_of_the_list(k, n):
    assert cutoff(k, n) == cutoff(np.int64(k), n) == min(k, n)


@example(29, 100)
@given(st.integers(1, 100), st.integers(1, 10**5))
def test_a_fraction_is_rounded_down_as_written_in_decimals(hundredths, n):
    # 0.29 * 100 is 28.999999999999996 in floats; the reader means 29.
    assert cutoff(hundredths / 100, n) == max(1, Fraction(hundredths, 100) * n // 1)


def test_a_fraction_within_a_billionth_of_a_position_includes_it():
    for short_by, positions in ((0.5e-9, 5), (1.5e-9, 4)):
        assert cutoff((5 - short_by) / 10, 10) == cutoff(lambda n: 5 - short_by, 10) == positions


@pytest.mark.parametrize("k", [None, 1, 7, 1.0, 0.29, np.float64(0.3), np.float32(0.3), math.sqrt])
def test_cutoffs_of_many_sizes_are_those_of_each(k):
    sizes = np.arange(500)
    assert cutoffs(k, sizes).tolist() == [cutoff(k, n) for n in range(500)]


def test_one_is_a_position_and_one_point_zero_is_the_complete_list():
    assert (cutoff(1, 7), cutoff(1.0, 7), cutoff(None, 7)) == (1, 7, 7)


def test_a_callable_is_floored_and_never_below_one():
    assert cutoff(math.sqrt, 50) == 7
    assert cutoff(lambda n: 0.2, 50) == 1
    assert cutoff(lambda n: n / 3 * 3 - 1e-12, 50) == 50
    assert cutoff(lambda n: math.inf, 50) == 50
    assert cutoff(lambda n: np.float64(5.5), 50) == 5


def test_a_list_without_items_has_no_positions():
    assert [cutoff(k, 0) for k in (None, 3, 0.5, lambda n: n - 1)] == [0, 0, 0, 0]


@pytest.mark.parametrize(
    "k", [0, -1, True, False, np.True_, 0.0, -0.5, 1.5, 2.0, math.nan, math.inf, "3", [3], 1j]
)
def test_rejects_invalid_cutoffs(k):
    with pytest.raises(ValueError, match="^k="):
        cutoff(k, 10)


@pytest.mark.parametrize("value", [0, -1, -0.5, math.nan, True, None, "2"])
def test_rejects_a_callable_that_gives_no_position_and_says_for_which_list(value):
    with pytest.raises(ValueError, match="for n=10"):
        cutoff(lambda n: value, 10)
