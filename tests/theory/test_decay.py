from math import inf

import numpy as np
import pytest

from ndcg_companion.measures import Geometric, Linear, Log, Power, Zipf
from ndcg_companion.theory.limits import decay_exponent


@pytest.mark.parametrize(
    "discount, exponent", [(Log(), 0.0), (Power(0.3), 0.3), (Zipf(), 1.0), (Power(2), 2.0)]
)
def test_exponent_is_the_slope_on_logarithmic_axes(discount, exponent):
    assert decay_exponent(discount) == exponent
    slope = np.log(discount(1e100) / discount(1e90)) / np.log(1e10)
    assert -slope == pytest.approx(exponent, abs=6e-3)


def test_geometric_decays_faster_than_every_power():
    assert decay_exponent(Geometric(0.99)) == inf


@pytest.mark.parametrize("discount", [Linear(), lambda r: 1 / r, None])
def test_unknown_decay_is_refused(discount):
    with pytest.raises(ValueError, match="discount="):
        decay_exponent(discount)
