from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import ndcg_score
from threadpoolctl import threadpool_info, threadpool_limits

from ndcg_companion.measures import Geometric, Linear, Log, Power, Zipf, ndcg
from ndcg_companion.simulation import ndcg_curve
from ndcg_companion.simulation.curves import _BLAS, ShrinkingRanking, one_blas_thread

DISCOUNTS = [
    Log(),
    Power(0.5),
    Zipf(),
    Geometric(0.5),
    Linear(),
    lambda r: np.sqrt(r),
    lambda r: 1.1 + np.sin(r),
]
CUTOFFS = [None, 1, 3, 0.3, 1.0, lambda n: n**0.5, lambda n: max(1, 10 - n), lambda n: 1 + 7 * n % 5]

whole_labels = st.integers(0, 3).map(float)
few_scores = st.integers(-2, 2).map(float) | st.sampled_from([np.inf, -np.inf])
many_scores = st.integers(-(10**6), 10**6).map(float)


def items(scores):
    real_labels = st.integers(0, 1000).map(lambda v: v / 7)
    return st.one_of(
        st.lists(st.tuples(labels, scores), min_size=1, max_size=40) for labels in (whole_labels, real_labels)
    )


def prefix_by_prefix(labels, scores, discounts, sizes, **options):
    return np.array([[ndcg(labels[:n], scores[:n], discount=d, **options) for n in sizes] for d in discounts])


def same(actual, expected, tolerance=1e-13):
    assert actual.shape == expected.shape
    assert np.array_equal(np.isnan(actual), np.isnan(expected))
    assert np.nan_to_num(actual) == pytest.approx(np.nan_to_num(expected), abs=tolerance, rel=0)


@settings(max_examples=150, deadline=None)
@given(
    items(few_scores) | items(many_scores),
    st.sampled_from(CUTOFFS),
    st.sampled_from(["linear", "exponential"]),
)
def test_every_prefix_is_the_ndcg_of_that_prefix(items, k, gain):
    labels, scores = np.array(items).T
    curves = ndcg_curve(labels, scores, discount=DISCOUNTS, k=k, gain=gain)
    same(curves, prefix_by_prefix(labels, scores, DISCOUNTS, range(1, labels.size + 1), k=k, gain=gain))


@settings(max_examples=150, deadline=None)
@given(items(few_scores) | items(many_scores), st.sampled_from(CUTOFFS), st.data())
def test_chosen_prefixes_come_in_the_order_asked_for(items, k, data):
    labels, scores = np.array(items).T
    sizes = data.draw(st.lists(st.integers(1, labels.size), min_size=1, max_size=8))
    curves = ndcg_curve(labels, scores, discount=DISCOUNTS, k=k, sizes=sizes)
    same(curves, prefix_by_prefix(labels, scores, DISCOUNTS, sizes, k=k))


@settings(max_examples=50, deadline=None)
@given(items(few_scores) | items(many_scores), st.permutations(CUTOFFS))
def test_each_discount_is_cut_off_at_its_own_k(items, each_k):
    labels, scores = np.array(items).T
    each_k, sizes = each_k[: len(DISCOUNTS)], range(1, labels.size + 1)
    expected = [
        prefix_by_prefix(labels, scores, [discount], sizes, k=k)[0] for discount, k in zip(DISCOUNTS, each_k)
    ]
    same(ndcg_curve(labels, scores, discount=DISCOUNTS, k=each_k), np.array(expected))
    same(ndcg_curve(labels, scores, discount=DISCOUNTS, k=each_k, sizes=sizes), np.array(expected))


@pytest.mark.parametrize("scores", [[3, 1, 2, 2, 1, 2], [1, 1, 1, 1, 1, 1]])
@pytest.mark.parametrize("k", [None, 2])
def test_ties_are_averaged_over_all_orders_of_the_prefix(scores, k):
    labels = [0, 2, 1, 0, 1, 2]
    expected = []
    for n in range(1, 7):
        totals = []
        for order in permutations(range(n)):
            if all(scores[a] >= scores[b] for a, b in zip(order, order[1:])):
                totals.append(sum(Fraction(labels[i], rank) for rank, i in enumerate(order[:k], 1)))
        ideal = sum(Fraction(y, rank) for rank, y in enumerate(sorted(labels[:n], reverse=True)[:k], 1))
        expected.append(float(sum(totals) / len(totals) / ideal) if ideal else np.nan)
    same(ndcg_curve(labels, scores, discount=Zipf(), k=k), np.array(expected))
    same(ndcg_curve(labels, scores, discount=Zipf(), k=k, sizes=range(1, 7)), np.array(expected))


def test_scikit_learn_agrees():
    rng = np.random.default_rng(1)
    labels, scores = rng.integers(0, 4, 300), rng.normal(size=300)
    curve = ndcg_curve(labels, scores, discount=Log(), k=20)
    for n in range(2, 301):
        assert curve[n - 1] == pytest.approx(ndcg_score([labels[:n]], [scores[:n]], k=20), abs=1e-13)


@pytest.mark.parametrize("n", [50, 150, 192, 193, 400])
def test_curves_of_about_a_block_of_items_are_summed(n):
    """Too short for blocks, which need more ranks than there are in one."""
    rng = np.random.default_rng(n)
    labels, scores = rng.integers(0, 4, n), rng.integers(0, n, n)
    curves = ndcg_curve(labels, scores, discount=[Log(), Zipf()])
    same(curves, prefix_by_prefix(labels, scores, [Log(), Zipf()], range(1, n + 1)))


def test_long_curves_do_not_drift():
    rng = np.random.default_rng(2)
    labels, scores = (rng.random(30_000) < 0.3).astype(int), rng.random(30_000).round(4)
    sizes = [1, 17, 999, 1000, 19_999, 29_999, 30_000]
    regular = DISCOUNTS[:4]
    expected = prefix_by_prefix(labels, scores, regular, sizes)
    same(ndcg_curve(labels, scores, discount=regular, sizes=sizes), expected)
    same(ndcg_curve(labels, scores, discount=regular)[:, np.array(sizes) - 1], expected)


def test_products_are_summed_in_one_thread_on_any_number_of_cores():
    # Of the BLAS that NumPy's products use; another library may have brought one of its own since.
    blas_paths = {library["filepath"] for library in _BLAS.info()}
    threads = lambda: {
        library["num_threads"] for library in threadpool_info() if library["filepath"] in blas_paths
    }
    with threadpool_limits(2, user_api="blas"):
        assert threads() == {2}
        with one_blas_thread():
            assert threads() == {1}


@pytest.mark.parametrize(("count", "grades"), [(300, 300), (129, 2), (65, 4), (33, 8)])
def test_many_sizes_and_grades_do_not_overflow_the_codes(count, grades):
    """300 grades in 300 prefixes are more than 16 bits hold; the others are just more than eight do."""
    rng = np.random.default_rng(3)
    labels, scores = rng.permutation(count) % grades / 3, rng.normal(size=count)
    every = np.arange(1, count + 1)
    same(
        ndcg_curve(labels, scores, discount=[Log()], sizes=every),
        prefix_by_prefix(labels, scores, [Log()], every),
    )


@given(st.lists(st.integers(0, 5), min_size=2, max_size=40), st.data())
def test_discounts_of_the_latest_items_are_averaged_over_ties(scores, data):
    n = data.draw(st.integers(1, len(scores)))
    count = data.draw(st.integers(1, n))
    codes = np.array(data.draw(st.lists(st.integers(0, 2), min_size=len(scores), max_size=len(scores))))
    ranking = ShrinkingRanking(range(3), codes, np.array(scores), np.arange(len(scores)))
    ranking.keep(n - 1)
    expected = []
    for item in reversed(range(n - count, n)):
        better = sum(score > scores[item] for score in scores[:n])
        tied = scores[:n].count(scores[item])
        expected.append(np.mean([1 / r for r in range(better + 1, better + tied + 1)]))
    assert ranking.latest(1 / np.arange(1.0, n + 1), count) == pytest.approx(expected, rel=1e-14)


def test_a_list_of_discounts_adds_an_axis():
    labels, scores = [1, 0, 1], [0.1, 0.2, 0.3]
    alone = ndcg_curve(labels, scores, discount=Log())
    assert alone.shape == (3,)
    assert np.array_equal(ndcg_curve(labels, scores, discount=[Log()]), alone[None])
    assert ndcg_curve(labels, scores, discount=(Log(), Zipf(), Linear()), sizes=[2, 3]).shape == (3, 2)


def test_prefixes_without_a_relevant_item_have_no_ndcg():
    curve = ndcg_curve([0, 0, 1, 0], [4, 3, 2, 1], discount=[Zipf(), Linear()])
    assert np.isnan(curve[:, :2]).all()
    assert curve[:, 2:].tolist() == [[1 / 3, 1 / 3], [0.0, 1 / 3]]
    assert np.isnan(ndcg_curve([0, 0], [1, 2], discount=Log(), sizes=[2])).all()
    assert ndcg_curve([], [], discount=Log()).shape == (0,)


@pytest.mark.parametrize("unit", [2.5e307, 2.5e-309, 5e-324])
def test_gains_at_the_ends_of_the_floats(unit):
    labels, scores = np.array([2, 4, 0, 1]) * unit, [1, 2, 2, 3]
    ordinary = ndcg_curve(labels / unit, scores, discount=DISCOUNTS)
    assert ndcg_curve(labels, scores, discount=DISCOUNTS) == pytest.approx(ordinary, rel=1e-14, nan_ok=True)
    some = ndcg_curve(labels, scores, discount=DISCOUNTS, sizes=[4, 2])
    assert some == pytest.approx(ordinary[:, [3, 1]], rel=1e-14, nan_ok=True)


@pytest.mark.parametrize(
    "scores",
    [np.array([2**60 + 1, 2**60]), [1 + 2**-52, 1.0], [-1.0, -1 - 2**-52], [5e-324, -0.0], [0.0, -5e-324]],
)
def test_scores_that_are_all_but_equal_stay_apart(scores):
    assert ndcg_curve([0, 1], scores, discount=Zipf()).tolist()[1] == 0.5
    assert ndcg_curve([0, 1], scores, discount=Zipf(), sizes=[2]).tolist() == [0.5]


@pytest.mark.parametrize("extreme", [0.0, np.inf, np.finfo(float).max])
def test_the_two_zeros_and_infinities_are_ties(extreme):
    scores = [1.0, -extreme, -1.0, extreme, -extreme]
    same(
        ndcg_curve([3, 1, 2, 0, 1], scores, discount=Zipf(), sizes=range(1, 6)),
        prefix_by_prefix([3, 1, 2, 0, 1], scores, [Zipf()], range(1, 6))[0],
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"labels": [1, np.nan]}, "labels: expected no NaN"),
        ({"scores": [1, np.nan]}, "scores: expected no NaN"),
        ({"labels": [1, -1]}, "labels: expected numbers >= 0"),
        ({"labels": [[1, 0]], "scores": [[1, 2]]}, r"labels of shape \(1, 2\)"),
        ({"labels": [1, 0, 1]}, "scores of shape"),
        ({"sizes": [0]}, "sizes=0: expected an integer from 1 to 2"),
        ({"sizes": [1, 3]}, "sizes=3: expected an integer from 1 to 2"),
        ({"sizes": [1.0]}, "sizes="),
        ({"sizes": []}, "sizes="),
        ({"sizes": np.array([], dtype=int)}, "sizes=array.*: expected integers of shape"),
        ({"k": 0}, "k=0"),
        ({"k": lambda n: n - 1}, "for n=1"),
        ({"k": [None, 2]}, "k: expected 1 cut-offs, got 2"),
        ({"discount": "log"}, "discount='log'"),
        ({"discount": [Log(), Log]}, "discount="),
        ({"gain": "quadratic"}, "gain='quadratic'"),
        ({"discount": lambda r: 1e308 + 0 * r, "labels": [1, 1]}, "discount: expected sums of discounts"),
        (
            {
                "discount": lambda r: 1e308 + 0 * r,
                "labels": [1, 1, 0],
                "scores": [1, 2, 3],
                "k": 2,
                "sizes": [3],
            },
            "discount: expected sums of discounts",
        ),
    ],
)
def test_unusable_input(arguments, message):
    arguments = {"labels": [1, 0], "scores": [1, 2], "discount": Log()} | arguments
    with pytest.raises(ValueError, match=message):
        ndcg_curve(arguments.pop("labels"), arguments.pop("scores"), **arguments)
