from fractions import Fraction

import numpy as np
import pytest

from ndcg_companion.measures.gains import gains_of


def test_exponential_gains_of_whole_labels_are_exact():
    assert [Fraction(g) for g in gains_of(np.arange(54), "exponential")] == [2**y - 1 for y in range(54)]


def test_only_linear_gains_of_bytes_are_the_labels_themselves():
    labels = np.array([0, 1, 3, 255], dtype=np.uint8)
    assert gains_of(labels, "linear") is labels
    assert gains_of(labels, "exponential").tolist() == [0, 1, 7, 2.0**255]
    assert gains_of(labels, lambda y: 2 * y).tolist() == [0, 2, 6, 510]


@pytest.mark.parametrize("label", [1e-300, 1e-17, 1e-9, 0.3, -0.3, -1e-12])
def test_exponential_gains_of_tiny_labels_keep_their_digits(label):
    x = Fraction(label) * Fraction(np.log(2))
    series = x + x**2 / 2 + x**3 / 6 + x**4 / 24 + x**5 / 120 + x**6 / 720 + x**7 / 5040 + x**8 / 40320
    assert gains_of(np.array([label]), "exponential")[0] == pytest.approx(float(series), rel=1e-9, abs=0)


def test_exponential_gains_that_overflow_are_rejected():
    assert gains_of(np.array([1023.0]), "exponential")[0] == 2.0**1023
    with pytest.raises(ValueError, match="1024"):
        gains_of(np.array([1, 1024]), "exponential")


def test_integer_labels_beyond_the_floats_are_rejected_not_rounded():
    assert gains_of(np.array([2**60]), "linear")[0] == 2**60
    for label in (2**53 + 1, -(2**53) - 1):
        with pytest.raises(ValueError, match="^labels"):
            gains_of(np.array([0, label]), "linear")
    with pytest.raises(ValueError, match="^labels"):
        gains_of(np.array([1, 1 + np.finfo(np.longdouble).eps]), "linear")


@pytest.mark.parametrize(
    "gain", ["cubic", 3, None, lambda y: y[:1], lambda y: 1.0, lambda y: y / 0, lambda y: y * 1j]
)
def test_rejects_invalid_gains(gain):
    with pytest.raises(ValueError, match="^gain="):
        gains_of(np.array([0.0, 1.0]), gain)


def test_names_the_first_gain_that_is_not_finite():
    with pytest.raises(ValueError, match="finite gains, got nan"):
        gains_of(np.arange(3), lambda y: np.array([1.0, np.nan, np.inf]))


def test_rejects_negative_gains_where_they_are_not_admitted():
    assert gains_of(np.array([0, 2]), lambda y: y - 1).tolist() == [-1, 1]
    assert gains_of(np.array([0, 2]), lambda y: y / 2, negative=False).tolist() == [0, 1]
    with pytest.raises(ValueError, match="got -1.0"):
        gains_of(np.array([0, 2]), lambda y: y - 1, negative=False)
