"""The ideal DCG of all judged items, if a list contains only some of them."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ndcg_companion.measures import DCG, NDCG, Geometric, Linear, Log, Power, Zipf, dcg, ndcg
from ndcg_companion.measures.cutoffs import cutoff

DISCOUNTS = [Log(), Power(0.5), Zipf(), Geometric(0.5), Linear(), lambda r: np.sqrt(r)]
CUTOFFS = [None, 1, 2, 3, 50, 0.5, 1.0, lambda n: n**0.5]

queries = st.integers(0, 4).flatmap(
    lambda n: st.tuples(
        st.lists(st.integers(0, 3), min_size=n, max_size=n),
        st.lists(st.integers(0, 2), min_size=n, max_size=n),
        st.lists(st.integers(0, 3), max_size=2),
    )
)


def table(discount, n, k):
    """The discount at the ranks 1 to n, each float an exact fraction."""
    ranks = np.arange(1.0, n + 1)
    values = discount(ranks, n) if isinstance(discount, Linear) else discount(ranks)
    return values[: cutoff(k, n)].tolist()


def exact_ndcg(exact, query, discount, k, ties):
    labels, scores, missing = query
    weights = table(discount, len(labels + missing), k)
    highest = exact.ideal(labels + missing, weights)
    return float(exact.dcg(labels, weights, scores, ties) / highest) if highest else math.nan


@given(
    queries,
    st.sampled_from(DISCOUNTS),
    st.sampled_from(CUTOFFS),
    st.sampled_from(["average", "best", "worst"]),
)
def test_ndcg_is_the_exact_share_of_the_ideal_dcg_of_all_judged_items(exact, query, discount, k, ties):
    labels, scores, missing = query
    value = ndcg(labels, scores, discount=discount, k=k, ties=ties, ideal=missing[::-1] + labels)
    assert value == pytest.approx(
        exact_ndcg(exact, query, discount, k, ties), rel=1e-12, abs=1e-12, nan_ok=True
    )
    assert NDCG(discount=discount, k=k, ties=ties)(labels, scores, ideal=labels + missing) == pytest.approx(
        value, rel=1e-12, abs=1e-12, nan_ok=True
    )


@given(st.lists(queries, max_size=4), st.sampled_from(DISCOUNTS), st.sampled_from(CUTOFFS))
def test_every_query_of_a_batch_has_its_own_judged_items(batch, discount, k):
    labels, scores = (np.array([x for query in batch for x in query[i]], dtype=float) for i in (0, 1))
    judged = [query[2] + query[0] for query in batch]
    together = ndcg(
        labels,
        scores,
        discount=discount,
        k=k,
        offsets=np.cumsum([0, *(len(query[0]) for query in batch)]),
        ideal=np.array([label for query in judged for label in query]),
        ideal_offsets=np.cumsum([0, *map(len, judged)]),
    )
    alone = [
        ndcg(y, s, discount=discount, k=k, ideal=judged_labels)
        for (y, s, _), judged_labels in zip(batch, judged)
    ]
    assert together == pytest.approx(alone, rel=1e-12, abs=1e-12, nan_ok=True)


def test_a_short_result_list_is_not_flattered():
    assert ndcg([1, 1], [2, 1], k=10) == 1
    assert ndcg([1, 1], [2, 1], k=10, discount=Zipf(), ideal=[1, 1, 1, 1]) == pytest.approx(
        18 / 25, rel=1e-15
    )
    assert ndcg([1, 1], [2, 1], k=2, ideal=[1, 1, 1, 1]) == 1
    assert ndcg([0], [1], ideal=[0, 1]) == 0 == ndcg([], [], ideal=[0, 1])
    assert math.isnan(ndcg([0], [1], ideal=[0, 0])) and ndcg([0], [1], ideal=[0, 0], empty=0) == 0


def test_all_items_as_the_ideal_change_nothing():
    rng = np.random.default_rng(3)
    labels, scores = rng.integers(0, 4, (50, 30)), rng.integers(0, 20, (50, 30))
    for k in (None, 5, 0.3):
        assert ndcg(labels, scores, k=k, ideal=labels) == pytest.approx(ndcg(labels, scores, k=k), rel=1e-13)
        assert dcg(labels, scores, k=k, ideal=labels) == pytest.approx(dcg(labels, scores, k=k), rel=1e-13)


def test_a_matrix_of_judged_labels_and_one_with_offsets_are_the_same():
    labels, scores, judged = [[1, 0], [0, 2]], [[2, 1], [2, 1]], [[1, 0, 3], [2, 0, 0]]
    flat = ndcg(labels, scores, ideal=np.ravel(judged), ideal_offsets=[0, 3, 6])
    assert ndcg(labels, scores, ideal=judged).tolist() == flat.tolist()
    assert flat == pytest.approx([1 / np.log(2) / (3 / np.log(2) + 1 / np.log(3)), np.log(2) / np.log(3)])


def test_gains_and_extreme_labels_are_those_of_the_judged_items():
    assert ndcg([1], [1], gain="exponential", ideal=[1, 2], discount=Zipf()) == pytest.approx(1 / 3.5)
    for scale in (1e-300, 1e300):
        labels, judged = scale * np.array([1.0, 2.0]), scale * np.array([1.0, 2.0, 3.0])
        assert ndcg(labels, [2, 1], ideal=judged) == pytest.approx(
            ndcg([1, 2], [2, 1], ideal=[1, 2, 3]), rel=1e-14
        )


def test_dcg_takes_from_the_judged_items_its_n_and_whether_anything_is_relevant():
    assert dcg([1, 1], [2, 1], discount=Zipf(), k=0.5) == 1
    assert dcg([1, 1], [2, 1], discount=Zipf(), k=0.5, ideal=[1, 1, 0, 0]) == 1.5
    assert dcg([1, 0], [2, 1], discount=Linear(), ideal=[1, 0, 0]) == 2
    assert math.isnan(dcg([0], [1], empty=math.nan)) and dcg([0], [1], empty=math.nan, ideal=[0, 1]) == 0
    assert DCG(k=0.5)([1, 1], [2, 1], ideal=[1, 1, 0, 0]) == dcg([1, 1], [2, 1], k=0.5, ideal=[1, 1, 0, 0])
    assert dcg([-1], [1], discount=Zipf(), ideal=[-1, 0]) == -1


@pytest.mark.parametrize("measure", [dcg, ndcg])
@pytest.mark.parametrize(
    "arguments, words",
    [
        ({"ideal_offsets": [0, 2]}, r"ideal_offsets=\[0, 2\]: expected None"),
        ({"ideal": [1, math.nan]}, "ideal: expected no NaN"),
        ({"ideal": "x"}, "ideal"),
        ({"ideal": [[1, 1], [1, 1]]}, "ideal: expected labels for 1 lists, got labels for 2"),
        ({"ideal": [1, 1], "ideal_offsets": [0, 1, 2]}, "ideal: expected labels for 1 lists"),
        (
            {"ideal": [1, 1], "ideal_offsets": [0, 3]},
            r"ideal_offsets=\[0, 3\]: expected integers that rise from 0 to 2",
        ),
        (
            {"ideal": [[1, 1]], "ideal_offsets": [0, 2]},
            r"ideal of shape \(1, 2\): expected shape \(N,\) with o",
        ),
    ],
)
def test_rejects_impossible_judged_items_by_name(measure, arguments, words):
    with pytest.raises(ValueError, match="^" + words):
        measure([1, 1], [2, 1], **arguments)


def test_rejects_judged_items_that_leave_out_those_of_the_list():
    with pytest.raises(ValueError, match="^ideal: expected numbers >= 0"):
        ndcg([1], [1], ideal=[-1, 1])
    with pytest.raises(ValueError, match="^ideal: expected the labels of all judged items.*list 1"):
        ndcg([[9, 9], [3, 1]], [[2, 1], [2, 1]], ideal=[[9, 9], [2, 1]])
