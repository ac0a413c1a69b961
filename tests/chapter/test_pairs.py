import numpy as np
import pytest

from ndcg_book.pairs import around_half, tied_at, widest
from ndcg_companion.theory.limits import log_moment, weighted_integral


@pytest.mark.parametrize("b", [0.05, 0.25, 0.5, 0.75, 0.98])
def test_limits_tie_at_the_exponent_and_nowhere_else(b):
    pair = tied_at(b)
    delta, beside = pair.gap_at_depth, b - 0.03
    assert (
        abs(weighted_integral(delta, pair.depths, b))
        < 1e-12
        < 1e-5
        < abs(weighted_integral(delta, pair.depths, beside))
    )


def test_at_zero_the_first_log_moment_vanishes():
    assert abs(log_moment(tied_at(0).gap_at_depth, (0.0, 1.0))) < 1e-12
    assert abs(log_moment(tied_at(0.5).gap_at_depth, (0.0, 1.0))) > 1e-3


def test_curves_are_one_half_plus_and_minus_half_the_gap():
    half, u = np.array([0.2, -0.4, 0.0]), np.linspace(0, 1, 101)
    pair = around_half(half, "label-first")
    np.testing.assert_allclose(pair.population0.mean_at_depth(u), 0.7 - 0.4 * u, atol=1e-15)
    np.testing.assert_allclose(pair.population1.mean_at_depth(u), 0.3 + 0.4 * u, atol=1e-15)
    assert pair.coupling == "label-first" and pair.tops == pytest.approx((0.7, 0.3))


def test_the_widest_pair_leaves_the_additive_coupling_no_room():
    parabola = np.array([1.0, -2.0, 0.0])
    gap = widest(parabola).gap_at_depth(np.linspace(0, 1, 101))
    assert np.ptp(gap) == pytest.approx(0.998)
    with pytest.raises(ValueError, match="additive"):
        around_half(1.01 * 0.5 * parabola / 2)
