import numpy as np
import pytest

from ndcg_companion.measures.checks import instance, is_real, one_of, real, refusal, whole


def test_a_refusal_is_one_line_of_bounded_length():
    message = str(refusal("labels", np.zeros((40, 40)), "one\nline"))
    value = message.removeprefix("labels=").removesuffix(": expected one\\nline")
    assert len(value) < 140 and message.isprintable()
    assert len(str(refusal("k", "x" * 10_000, "y" * 10_000))) < 700


def test_numbers_are_real_and_within_bounds():
    assert [is_real(value, lambda x: x > 0) for value in (1, 0.5, np.float32(1), np.int8(1))] == [True] * 4
    assert not any(
        is_real(value, lambda x: x > 0) for value in (True, np.True_, "1", None, 1j, 10**400, -1, [1])
    )
    assert real("x", 3, lambda x: x > 2, "") == 3 and whole("n", np.int64(5), 5, 5) == 5
    for value in (4, 6, 5.0):
        with pytest.raises(ValueError, match="^n=.*: expected an integer from 5 to 5$"):
            whole("n", value, 5, 5)
    with pytest.raises(ValueError, match="^n=0: expected an integer >= 1$"):
        whole("n", 0)


def test_words_are_refused_with_what_is_near():
    assert one_of("ties", "best", ("best", "worst")) == "best"
    with pytest.raises(ValueError, match="^ties='bst': expected one of best, worst; did you mean 'best'.$"):
        one_of("ties", "bst", ("best", "worst"))
    with pytest.raises(ValueError, match="^text='q:1': expected one of best, worst$"):
        one_of("text", "q", ("best", "worst"), given="q:1")
    with pytest.raises(ValueError, match="^x=3: expected a str, such as 'a'$"):
        instance("x", 3, str, "'a'")
