import numpy as np
import pytest

from ndcg_companion.theory import Pair


def top(s):
    return 0.1 + 0.8 * s


def reversed_below(s):
    return np.where(s > 0.5, 0.1 + 0.8 * s, 0.1 + 0.8 * (0.5 - s))


@pytest.mark.parametrize("coupling", ["additive", "label-first"])
def test_pair(coupling):
    pair = Pair("poly:0.7:-0.4", lambda s: 0.5 - 0.2 * (2 * s - 1), coupling=coupling)
    assert pair.p == pytest.approx(0.5, abs=1e-15)
    u = np.linspace(0, 1, 7)
    np.testing.assert_allclose(pair.gap_at_depth(u), 0.4 - 0.8 * u, atol=1e-15)
    np.testing.assert_allclose(pair.noise_at_depth(np.array([0.0, 0.25, 0.5])), [0.42, 0.48, 0.5], atol=1e-15)
    assert pair.population1.p == pytest.approx(pair.population0.p)
    assert pair.tops == pytest.approx((0.7, 0.3))


def test_shared_top():
    pair = Pair(top, reversed_below, coupling="shared-top", share=0.5)
    assert pair.breaks == (0.5,)
    np.testing.assert_allclose(pair.gap_at_depth(np.array([0.1, 0.3, 0.4])), 0.0, atol=1e-15)


def test_edge_of_the_shared_top_may_be_rounded_either_way():
    for share in np.arange(1, 20) / 20:
        edge = 1.0 - share
        swap = lambda s, edge=edge: np.where(s > edge - 1e-15, 0.5, np.where(s > edge / 2, 0.4, 0.2))
        flip = lambda s, edge=edge: np.where(s > edge + 1e-15, 0.5, np.where(s > edge / 2, 0.2, 0.4))
        Pair(swap, flip, coupling="shared-top", share=float(share), breaks=[edge / 2])


@pytest.mark.parametrize(
    "arguments, message",
    [
        (("power:1", "power:2"), r"got 0\.5 and 0\.333333333333"),
        (("power:1", "reversed:1"), r"got -0\.5 at u=0, v=1; 'label-first'"),
        (("poly:0.9:-0.4", "poly:0.5:0.4"), r"got 1\.1 at u=1, v=0"),
        (("power:1", "power:1", "independent"), "coupling='independent'"),
        *(
            (
                ("power:1", "power:1", f"correlated:{rho}"),
                f"coupling='correlated:{rho}': expected correlated:RHO",
            )
            for rho in ("1.5", "1", "-1", "-1.5", "", "high", "nan")
        ),
        (("power:1", "power:1", 3), "coupling=3"),
        (("power:1", "power:1", "correlated:0.5", 0.5), "share=0.5"),
        (("power:1", "power:1", "label-first", 0.5), "share=0.5"),
        (("power:1", "power:1", "shared-top"), "share=None"),
        *(
            (("power:1", "power:1", "shared-top", share), f"share={share}: expected a number strictly")
            for share in (-0.5, 0.0, 1.0, 1.5)
        ),
        (("constant:0.5", "constant:0.5000000015"), r"got 0\.5 and 0\.5000000015"),
        (("power:1", "reversed:1", "shared-top", 0.2), r"difference of 1 at s=1"),
        (("power:1", 3), "ybar1=3"),
    ],
)
def test_bad_pairs_are_rejected(arguments, message):
    with pytest.raises(ValueError, match=message):
        Pair(*arguments)


def test_label_first_accepts_pairs_that_additive_rejects():
    Pair("power:1", "reversed:1", coupling="label-first")


def test_the_correlation_is_read_from_the_name():
    pair = Pair("power:1", "reversed:1", coupling="correlated:-0.25")
    assert pair.rho == -0.25 and Pair("power:1", "power:1", "label-first").rho == 0.0


def test_depths_given_the_label_are_those_of_the_curves():
    # Given Y = 1 a share u(2 - u) of the relevant items is above depth u for g(u) = 1 - u; u**2 for g(u) = u.
    irrelevant, relevant = Pair("power:1", "reversed:1", "correlated:0.5").depths_given_label
    for edges, falling, rising in (relevant, irrelevant[::2] + irrelevant[1:2]):
        assert np.array_equal(edges, irrelevant[0]) and edges[0] == 0.0 and edges[-1] == 1.0
        np.testing.assert_allclose(falling, edges * (2.0 - edges), rtol=1e-5, atol=1e-15)
        np.testing.assert_allclose(rising, edges**2, rtol=1e-4, atol=1e-15)


def test_depths_given_the_label_are_a_4000th_apart_and_at_the_top_one_per_cent():
    (edges, *_), _ = Pair("power:1", "reversed:1", "label-first").depths_given_label
    steps = np.diff(edges)
    assert steps.max() == pytest.approx(1 / 4000)
    assert edges[1] <= 2e-15 and np.all(steps[1:] <= 0.011 * edges[1:-1] + 1e-18)


def test_curves_that_rounding_takes_out_of_the_unit_interval_are_taken_back():
    high, low = (Pair(curve, curve) for curve in (lambda s: 1.0 + 5e-13 * s, lambda s: -5e-13 * s))
    assert high.tops == (1.0, 1.0) and low.tops == (0.0, 0.0)
    for pair in (high, low):
        for _, *shares in pair.depths_given_label:
            for share in shares:
                assert share[0] == 0.0 and np.diff(share).min() >= 0.0 and share[-1] <= 1.0 + 1e-12


def test_joint_probabilities_may_be_0_or_1_and_the_shares_apart_by_less_than_a_billionth():
    for curve in ("constant:0", "constant:1"):
        assert Pair(curve, curve).coupling == "additive"
    assert Pair("constant:0.5", "constant:0.5000000009").p == pytest.approx(0.5, abs=1e-15)
