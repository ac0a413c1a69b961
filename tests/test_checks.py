import numpy as np
import psutil
import pytest

from ndcg_companion import checks
from ndcg_companion.checks import (
    check_choice,
    check_fits,
    check_float,
    check_int,
    check_length,
    check_type,
    is_real,
    value_error,
)


def test_a_refusal_is_one_line_of_bounded_length():
    message = str(value_error("labels", np.zeros((40, 40)), "one\nline"))
    value = message.removeprefix("labels=").removesuffix(": expected one\\nline")
    assert len(value) < 140 and message.isprintable()
    assert len(str(value_error("k", "x" * 10_000, "y" * 10_000))) < 700


def test_numbers_are_real_and_within_bounds():
    assert [is_real(value, lambda x: x > 0) for value in (1, 0.5, np.float32(1), np.int8(1))] == [True] * 4
    assert not any(
        is_real(value, lambda x: x > 0) for value in (True, np.True_, "1", None, 1j, 10**400, -1, [1])
    )
    assert check_float("x", 3, lambda x: x > 2, "") == 3 and check_int("n", np.int64(5), 5, 5) == 5
    for value in (4, 6, 5.0):
        with pytest.raises(ValueError, match="^n=.*: expected an integer from 5 to 5$"):
            check_int("n", value, 5, 5)
    with pytest.raises(ValueError, match="^n=0: expected an integer >= 1$"):
        check_int("n", 0)
    # As an integer, not as the float next to it.
    assert check_int("n", 2**62, highest=2**62) == 2**62
    with pytest.raises(ValueError, match="^n=4611686018427387905: expected an integer from 1 to 46"):
        check_int("n", 2**62 + 1, highest=2**62)


def test_words_are_rejected_with_what_is_near():
    assert check_choice("ties", "best", ("best", "worst")) == "best"
    with pytest.raises(ValueError, match="^ties='bst': expected one of best, worst; did you mean 'best'.$"):
        check_choice("ties", "bst", ("best", "worst"))
    with pytest.raises(ValueError, match="^text='q:1': expected one of best, worst$"):
        check_choice("text", "q", ("best", "worst"), source="q:1")
    with pytest.raises(ValueError, match="^x=3: expected a str, such as 'a'$"):
        check_type("x", 3, str, "'a'")


def test_texts_to_be_parsed_have_at_most_a_thousand_characters():
    assert check_length("curve", "x" * 1000) == "x" * 1000 and check_length("curve", [0] * 1001) == [0] * 1001
    with pytest.raises(ValueError, match="^curve='x.*: expected at most 1,000 characters, got 1,001$"):
        check_length("curve", "x" * 1001)


def test_the_machine_says_how_many_bytes_it_has():
    # Windows does not.
    assert checks.machine_memory() in (psutil.virtual_memory().total, None)


def test_arrays_fit_if_their_numbers_do(monkeypatch):
    """Of eight bytes each; up to 2 ** 27 numbers nobody is asked for the memory of the machine."""
    fits, more = (np.broadcast_to(np.uint8(1), size) for size in (2**27, 2**27 + 1))
    for memory in (8 * 2**27 + 8, None):
        monkeypatch.setattr(checks, "machine_memory", lambda memory=memory: memory)
        check_fits("scores", more)
    monkeypatch.setattr(checks, "machine_memory", lambda: 8 * 2**27 + 7)
    check_fits("scores", fits)
    with pytest.raises(
        ValueError, match="^scores=.134217729,.: expected at most 134,217,728 numbers, got 134"
    ):
        check_fits("scores", more)
    monkeypatch.setattr(checks, "machine_memory", lambda: None)
    check_fits("scores", np.broadcast_to(np.uint8(1), 2**37))
    with pytest.raises(ValueError, match="^scores=.*: expected at most 137,438,953,472 numbers"):
        check_fits("scores", np.broadcast_to(np.uint8(1), 2**37 + 1))
