import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import beta

from ndcg_companion.theory.integrals import integrate


@given(st.floats(0.05, 8), st.floats(0.05, 8))
def test_branch_points_at_both_ends(a, b):
    exact = beta(1 + a, 1 + b)
    assert integrate(lambda x: x**a * (1 - x) ** b, [0, 1]) == pytest.approx(exact, rel=1e-12)


@given(st.floats(0.001, 0.999), st.floats(-1, 1))
def test_a_jump_that_no_point_marks(where, height):
    integral = integrate(lambda x: np.where(x < where, height, 1.0), [0, 1])
    assert integral == pytest.approx(height * where + 1 - where, abs=1e-13)


@pytest.mark.parametrize("size", [1e-6, 1.0, 1e6])
def test_a_jump_of_any_size_is_found(size):
    integral = integrate(lambda x: np.where(x < 0.3, size, 2 * size), [0, 1])
    assert integral == pytest.approx(1.7 * size, rel=1e-9)


def test_many_jumps():
    exact = sum(1 - j / 7.3 for j in range(1, 8))
    assert integrate(lambda x: np.floor(7.3 * x), [0, 1]) == pytest.approx(exact, abs=1e-12)


@given(st.floats(0, 6), st.floats(-1, 1))
def test_rounding_is_not_taken_for_roughness(exponent, phase):
    """Differences of nearly equal curves are mostly rounding, and still have an integral."""
    size = 10.0**-exponent
    gap = lambda x: (0.5 + size * np.cos(x + phase)) - (0.5 - size * np.cos(x + phase))
    exact = 2 * size * (np.sin(1 + phase) - np.sin(phase))
    assert integrate(gap, [0, 1]) == pytest.approx(exact, abs=1e-15)


def test_points_in_any_order_and_twice():
    assert integrate(np.cos, [2.0, 0.0, 1.0, 1.0]) == pytest.approx(np.sin(2.0), rel=1e-14)


def test_cancelling_integral_is_zero_within_rounding():
    assert abs(integrate(lambda x: np.sin(40 * np.pi * x), [0, 1])) < 1e-15


def test_too_rough_a_function_is_rejected():
    noise = np.random.default_rng(1)
    with pytest.raises(ValueError, match="smooth except at a few points"):
        integrate(lambda x: noise.random(len(x)), [0, 1])


def test_a_smooth_function_is_looked_at_on_the_whole_and_on_two_halves():
    """More points are for what is rough; each panel has 16 nodes and two points beside its ends."""
    points = []

    def smooth(x):
        points.extend(x)
        return np.cos(x)

    assert integrate(smooth, [0, 1]) == pytest.approx(np.sin(1), rel=1e-15)
    assert len(points) == 3 * 18
