import math
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn.metrics import dcg_score, ndcg_score

from ndcg_companion.measures import Geometric, Linear, Log, Power, Zipf, dcg, ideal_dcg, ndcg
from ndcg_companion.measures.cutoffs import cutoff

MEASURES = [dcg, ideal_dcg, ndcg]
WAVY = lambda r: 1 + np.cos(2.5 * r)  # noqa: E731  a discount that rises and falls
SIGNED = lambda r: np.cos(2.5 * r)  # noqa: E731
DISCOUNTS = [Log(), Power(0.5), Zipf(), Geometric(0.5), Linear(), WAVY, lambda r: np.sqrt(r)]
TIES = ["average", "best", "worst"]
CUTOFFS = [None, 1, 2, 3, 50, 0.5, 1.0, lambda n: n**0.5]

lists = st.integers(1, 6).flatmap(
    lambda n: st.tuples(
        st.lists(st.integers(0, 3), min_size=n, max_size=n),
        st.lists(st.integers(0, 2), min_size=n, max_size=n),
    )
)


def table(discount, n, k):
    """The discount at the ranks that count, each float an exact fraction."""
    ranks = np.arange(1.0, n + 1)
    values = discount(ranks, n) if isinstance(discount, Linear) else discount(ranks)
    return values[: cutoff(k, n)].tolist() + [0] * (n - cutoff(k, n))


@given(lists, st.sampled_from(DISCOUNTS + [SIGNED]), st.sampled_from(CUTOFFS), st.sampled_from(TIES))
def test_dcg_is_the_mean_highest_or_lowest_over_all_orders_of_ties(exact, drawn, discount, k, ties):
    labels, scores = drawn
    labels = [y - 1 for y in labels]
    weights = table(discount, len(labels), k)
    expected = float(exact.dcg(labels, weights, scores, ties))
    assert dcg(labels, scores, discount=discount, k=k, ties=ties) == pytest.approx(
        expected, rel=1e-12, abs=1e-12
    )


@given(lists, st.sampled_from(DISCOUNTS + [SIGNED]), st.sampled_from(CUTOFFS))
def test_ideal_dcg_is_the_highest_over_all_rankings(exact, drawn, discount, k):
    labels = [y - 1 for y in drawn[0]]
    expected = exact.ideal(labels, table(discount, len(labels), k))
    assert ideal_dcg(labels, discount=discount, k=k) == pytest.approx(float(expected), rel=1e-12, abs=1e-12)
    assert ideal_dcg(labels, drawn[1], discount=discount, k=k) == ideal_dcg(labels, discount=discount, k=k)


@given(lists, st.sampled_from(DISCOUNTS), st.sampled_from(CUTOFFS), st.sampled_from(TIES))
def test_ndcg_is_the_exact_ratio(exact, drawn, discount, k, ties):
    labels, scores = drawn
    weights = table(discount, len(labels), k)
    ideal = exact.ideal(labels, weights)
    value = ndcg(labels, scores, discount=discount, k=k, ties=ties)
    if ideal == 0:
        assert math.isnan(value)
    else:
        assert value == pytest.approx(
            float(exact.dcg(labels, weights, scores, ties) / ideal), rel=1e-12, abs=1e-12
        )


@given(lists, st.sampled_from(CUTOFFS))
def test_stable_ties_keep_the_order_of_arrival(drawn, k):
    labels, scores = drawn
    order = sorted(range(len(labels)), key=lambda i: -scores[i])
    weights = table(Zipf(), len(labels), k)
    expected = sum(labels[i] * Fraction(w) for i, w in zip(order, weights))
    assert dcg(labels, scores, discount=Zipf(), k=k, ties="stable") == pytest.approx(
        float(expected), rel=1e-12
    )


@pytest.mark.parametrize("k", [None, 1, 5, 20])
@pytest.mark.parametrize("seed", range(5))
def test_agrees_with_scikit_learn(seed, k):
    rng = np.random.default_rng(seed)
    labels, scores = rng.integers(0, 4, (7, 20)), rng.integers(0, 8, (7, 20))
    theirs = [ndcg_score([y], [s], k=k) for y, s in zip(labels, scores)]
    assert ndcg(labels, scores, k=k) == pytest.approx(theirs, rel=1e-12)
    # Their logarithm is binary.
    theirs = [dcg_score([y], [s], k=k) * math.log2(math.e) for y, s in zip(labels, scores)]
    assert dcg(labels, scores, k=k) == pytest.approx(theirs, rel=1e-12)


def test_exponential_gain_is_the_linear_gain_of_two_to_the_label_minus_one():
    labels, scores = np.array([0, 3, 1, 2, 0.5]), [0.3, 0.1, 0.4, 0.4, 0.2]
    for measure in MEASURES:
        expected = measure(2.0**labels - 1, scores)
        assert measure(labels, scores, gain="exponential") == pytest.approx(expected, rel=1e-15)
        assert measure(labels, scores, gain=lambda y: 2**y - 1) == pytest.approx(expected, rel=1e-15)


ragged = st.lists(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2)), max_size=7), max_size=6)


@pytest.mark.parametrize("measure", MEASURES)
@given(ragged, st.sampled_from(DISCOUNTS), st.sampled_from(CUTOFFS), st.sampled_from([*TIES, "stable"]))
def test_a_batch_gives_the_values_of_its_lists(measure, batch, discount, k, ties):
    labels, scores = [y for row in batch for y, _ in row], [s for row in batch for _, s in row]
    offsets = np.cumsum([0] + [len(row) for row in batch])
    together = measure(labels, scores, discount=discount, k=k, ties=ties, offsets=offsets)
    alone = [
        measure([y for y, _ in row], [s for _, s in row], discount=discount, k=k, ties=ties) for row in batch
    ]
    assert together.shape == (len(batch),)
    assert together == pytest.approx(alone, rel=1e-12, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("ties", ["average", "best", "worst", "stable"])
@pytest.mark.parametrize("k", [None, 3, 0.4, lambda n: n - 1])
@pytest.mark.parametrize("discount", [Log(), Linear(), WAVY])
def test_a_matrix_gives_the_values_of_its_rows(measure, ties, k, discount):
    rng = np.random.default_rng(5)
    labels, scores = rng.integers(0, 3, (6, 9)), rng.integers(0, 4, (6, 9))
    labels[2] = 0
    together = measure(labels, scores, ties=ties, k=k, discount=discount)
    alone = [measure(y, s, ties=ties, k=k, discount=discount) for y, s in zip(labels, scores)]
    assert together == pytest.approx(alone, rel=1e-12, nan_ok=True)


@pytest.mark.parametrize("levels", [10**9, 3000, 40, 1])
@pytest.mark.parametrize("k", [1, 10, 0.1, 0.25])
@pytest.mark.parametrize("ties", ["average", "best", "worst", "stable"])
def test_a_short_cutoff_of_a_long_list_is_a_full_ranking_with_zero_weights_beyond(levels, k, ties):
    rng = np.random.default_rng(3)
    labels, scores = rng.integers(0, 4, 4000), rng.integers(0, levels, 4000)
    positions = cutoff(k, 4000)
    cut = lambda r: np.where(r <= positions, 1 / np.log1p(r), 0)  # noqa: E731
    for measure in MEASURES:
        expected = measure(labels, scores, discount=cut, ties=ties)
        assert measure(labels, scores, k=k, ties=ties) == pytest.approx(expected, rel=1e-12)


@given(
    st.lists(st.tuples(st.integers(0, 4), st.floats(allow_nan=False)), min_size=1, max_size=30),
    st.sampled_from(DISCOUNTS),
    st.sampled_from(CUTOFFS),
    st.randoms(use_true_random=False),
)
def test_the_order_in_which_items_come_does_not_matter(items, discount, k, random):
    shuffled = random.sample(items, len(items))
    for ties in ("average", "best", "worst"):
        values = [
            dcg([y for y, _ in some], [s for _, s in some], discount=discount, k=k, ties=ties)
            for some in (items, shuffled)
        ]
        assert values[0] == pytest.approx(values[1], rel=1e-12, abs=1e-12)


@given(
    st.lists(st.tuples(st.integers(0, 4), st.integers(-50, 50)), min_size=1, max_size=30),
    st.sampled_from(CUTOFFS),
)
def test_only_the_order_of_the_scores_matters(items, k):
    labels, scores = np.array(items).T
    value = dcg(labels, scores, k=k)
    for increasing in (
        lambda s: 3.0 * s - 7,
        lambda s: s.astype(float) ** 3,
        np.arctan,
        lambda s: s.astype(np.int8),
    ):
        assert dcg(labels, increasing(scores), k=k) == value


@given(
    st.lists(st.tuples(st.integers(0, 4), st.integers(0, 5)), min_size=1, max_size=30),
    st.sampled_from(CUTOFFS),
)
def test_worst_average_best_and_ideal_are_in_this_order(items, k):
    labels, scores = np.array(items).T
    assume(labels.any())
    for discount in DISCOUNTS[:-1]:
        worst, average, best, stable = (
            ndcg(labels, scores, ties=ties, k=k, discount=discount, empty=0)
            for ties in ("worst", "average", "best", "stable")
        )
        assert 0 <= worst <= average + 1e-12 <= best + 2e-12 <= 1 + 3e-12
        assert worst - 1e-12 <= stable <= best + 1e-12


@given(st.lists(st.integers(0, 4), min_size=1, max_size=40))
def test_a_perfect_ranking_is_exactly_one(labels):
    assume(any(labels))
    for k in CUTOFFS:
        assert ndcg(labels, labels, k=k, ties="best") == 1.0
        assert ndcg(labels + [0], labels + [0], k=k, ties="worst", offsets=[0, len(labels) + 1])[0] == 1.0


@pytest.mark.parametrize("n", [10, 5000])
def test_a_constant_score_gives_the_mean_label_at_every_position(n):
    labels = np.arange(n) % 5
    expected = math.fsum(Log()(np.arange(1, 8))) * labels.mean()
    assert dcg(labels, np.zeros(n), k=7) == pytest.approx(expected, rel=1e-13)


@pytest.mark.parametrize(
    "high, low",
    [
        (2**53 + 1, 2**53),
        (np.int64(2**62 + 1), np.int64(2**62)),
        (np.uint64(2**64 - 1), np.uint64(2**64 - 2)),
        (0.5 + 2**-53, 0.5),
        (1e-16, 0.0),
        (5e-324, 0.0),
        (np.inf, 1e308),
        (-1e308, -np.inf),
        (np.longdouble(1) + np.finfo(np.longdouble).eps, np.longdouble(1)),
        (True, False),
        (np.float32(1), np.float32(1) - np.finfo(np.float32).epsneg),
    ],
)
def test_scores_that_differ_are_not_merged(high, low):
    for size in (2, 3000):
        labels, scores = [0] * (size - 1) + [1], [low] * (size - 1) + [high]
        for k in (None, 1):
            assert ndcg(labels, scores, k=k) == ndcg(labels, scores, k=k, offsets=[0, size])[0] == 1
        assert dcg([1] + [0] * (size - 1), scores, k=1, ties="best") == 0


def test_single_precision_scores_tie_where_double_precision_ones_do_not():
    scores = np.array([1.0, 1.0 + 1e-12])
    assert ndcg([0, 1], scores) == 1
    assert ndcg([0, 1], scores.astype(np.float32)) == pytest.approx((1 + math.log(2) / math.log(3)) / 2)


@settings(max_examples=60)
@given(
    st.lists(st.tuples(st.floats(1e-300, 1e300), st.integers(0, 2)), min_size=1, max_size=5),
    st.sampled_from(DISCOUNTS[:4]),
)
def test_labels_of_any_magnitude(exact, items, discount):
    labels, scores = [y for y, _ in items], [s for _, s in items]
    weights = table(discount, len(labels), None)
    expected, ideal = exact.dcg(labels, weights, scores), exact.ideal(labels, weights)
    assert dcg(labels, scores, discount=discount) == pytest.approx(float(expected), rel=1e-12, abs=0)
    assert ndcg(labels, scores, discount=discount) == pytest.approx(
        float(expected / ideal), rel=1e-12, abs=1e-300
    )


@pytest.mark.parametrize("scale", [5e-324, 1e-320, 1e-300, 1.0, 1e300, 8.9e307])
def test_ndcg_does_not_depend_on_the_unit_of_the_labels(scale):
    labels, scores = np.array([1.0, 2.0, 0.0, 1.0]), [3, 3, 2, 1]
    expected = ndcg(labels, scores)
    mixed = ndcg([labels * scale, labels, 0 * labels], [scores] * 3)
    assert ndcg(labels * scale, scores) == pytest.approx(expected, rel=1e-14)
    assert mixed == pytest.approx([expected, expected, math.nan], rel=1e-14, nan_ok=True)


def test_sums_beyond_the_floats_are_rejected_and_those_within_are_not():
    assert dcg([1.7e308, 1.7e308], [1, 1], discount=Geometric(0.5)) == pytest.approx(0.75 * 1.7e308)
    assert dcg([1.7e308, -1.7e308], [1, 1], discount=Geometric(0.5)) == 0
    with pytest.raises(ValueError, match="range of floats"):
        dcg([1.7e308, 1.7e308], [1, 0])
    with pytest.raises(ValueError, match="range of floats"):
        ndcg([1, 1, 1], [1, 0, 2], discount=lambda r: 1.7e308 + 0 * r)
    # The best ranking puts what counts where it costs nothing; this one does not.
    with pytest.raises(ValueError, match="range of floats"):
        ndcg([0, 100], [2, 1], discount=lambda r: np.where(r == 1, 1.0, -1e308))


def test_a_relevant_item_deep_in_a_fast_decaying_list_is_seen():
    labels = [0] * 99 + [1, 0]
    assert dcg(labels, [1] * 99 + [0, 0], discount=Geometric(0.5)) == pytest.approx(
        0.75 * 2.0**-100, rel=1e-13
    )


def test_a_list_without_a_relevant_item():
    assert math.isnan(ndcg([0, 0], [1, 2]))
    assert math.isnan(ndcg([], []))
    assert dcg([0, 0], [1, 2]) == ideal_dcg([0, 0]) == dcg([], []) == 0
    assert [ndcg([0, 0], [1, 2], empty=value) for value in (0, 1)] == [0, 1]
    assert math.isnan(dcg([0, 0], [1, 2], empty=math.nan)) and ideal_dcg([0], empty=1) == 1
    assert dcg([0, 0], [1, 2], empty=1) == 1 and dcg([[0], [3]], [[1], [1]], empty=1)[0] == 1
    assert dcg([-1, 1], [1, 1], empty=1) == 0
    assert dcg([-1, -1], [2, 1], empty=math.nan, discount=Zipf()) == -1.5
    batch = ndcg([1, 0, 0], [1, 1, 2], offsets=[0, 0, 2, 3, 3], empty=0)
    assert batch == pytest.approx([0, (1 + math.log(2) / math.log(3)) / 2, 0, 0])
    with pytest.raises(ValueError, match="empty='raise': .* list 1"):
        ndcg([[1, 0], [0, 0]], [[1, 2], [1, 2]], empty="raise")
    with pytest.raises(ValueError, match="empty='raise'"):
        dcg([0], [1], empty="raise")


def test_a_list_whose_positions_are_all_worthless_has_no_ndcg():
    assert math.isnan(ndcg([1], [1], discount=Linear()))


def test_types_and_shapes_of_the_result():
    for measure in MEASURES:
        assert isinstance(measure([1, 0], [1, 2]), float)
        assert measure([[1, 0]], [[1, 2]]).shape == (1,)
        assert measure(np.zeros((0, 3)), np.zeros((0, 3))).shape == (0,)
        assert measure(np.zeros((3, 0)), np.zeros((3, 0))).shape == (3,)
        assert measure([], [], offsets=[0]).shape == (0,)
        assert measure([], [], offsets=[0, 0]).shape == (1,)


def test_labels_and_scores_are_left_as_they_were():
    labels, scores = np.array([0.0, 2.0, 1.0]), np.array([1.0, 1.0, 1.0])
    for ties in ("average", "best", "worst", "stable"):
        ndcg(labels, scores, ties=ties)
    assert labels.tolist() == [0, 2, 1] and scores.tolist() == [1, 1, 1]


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize(
    "bad",
    [
        {"k": 0},
        {"k": True},
        {"k": math.nan},
        {"k": 1.5},
        {"ties": "mean"},
        {"gain": "cubic"},
        {"discount": "log"},
        {"empty": 0.5},
        {"empty": "zero"},
        {"empty": None},
        {"empty": True},
        {"offsets": [0, 1]},
    ],
)
@pytest.mark.parametrize("labels", [[1, 0], [[1, 0]], np.zeros((0, 2))])
def test_rejects_bad_arguments_by_name(measure, bad, labels):
    (name,) = bad
    with pytest.raises(ValueError, match="^(labels|offsets)" if name == "offsets" else f"^{name}="):
        measure(labels, np.ones_like(labels), **bad)


def test_rejects_negative_labels_gains_and_ideals_where_a_ratio_makes_no_sense():
    assert dcg([-1, 1], [2, 1], discount=Zipf()) == -0.5
    assert ideal_dcg([-1, 1], discount=Zipf()) == 0.5
    with pytest.raises(ValueError, match="^labels: .* got -1"):
        ndcg([1, -1], [1, 2])
    with pytest.raises(ValueError, match="^gain"):
        ndcg([1, 0], [1, 2], gain=lambda y: y - 1)
    for size in (1, 0.1):
        with pytest.raises(ValueError, match="^discount=.*: expected an ideal DCG >= 0, got -"):
            ndcg([1, 1], [1, 2], discount=lambda r: -size * r)


def test_importing_the_measures_imports_neither_scipy_nor_matplotlib():
    heavy = {"scipy", "matplotlib", "numba", "pandas"}
    code = f"import sys, ndcg_companion.measures; print(*{heavy} & set(sys.modules))"
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert printed.strip() == ""
