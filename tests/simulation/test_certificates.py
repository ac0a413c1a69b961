from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ndcg_companion.measures import Geometric, Linear, Log, Power, Zipf, dcg
from ndcg_companion.simulation import certificates, certify_sign, ndcg_curve, sample_pair
from ndcg_companion.theory import Pair

# Discounts beside themselves in exact arithmetic.
EXACT = {
    "zipf": (Zipf(), lambda r: Fraction(1, r)),
    "halves": (Geometric(0.5), lambda r: Fraction(1, 2**r)),
    "top two": (lambda r: (r <= 2) * 1.0, lambda r: Fraction(r <= 2)),
    "constant": (Power(0), lambda r: Fraction(1)),
}


def exact_dcg(labels, scores, discount):
    """DCG with tied scores averaged, as a fraction."""
    total, rank = Fraction(0), 1
    for score in sorted(set(scores), reverse=True):
        group = [label for label, s in zip(labels, scores) if s == score]
        weights = sum(discount(r) for r in range(rank, rank + len(group)))
        total += sum(map(Fraction, group)) * weights / len(group)
        rank += len(group)
    return total


def exact_signs(labels, scores0, scores1, discount, start, stop):
    gaps = (
        exact_dcg(labels[:n], scores0[:n], discount) - exact_dcg(labels[:n], scores1[:n], discount)
        for n in range(start, stop + 1)
    )
    return {n: (gap > 0) - (gap < 0) for n, gap in enumerate(gaps, start)}


def agrees(certificate, signs):
    start, stop = min(signs), max(signs)
    assert (certificate.start, certificate.stop) == (start, stop)
    assert certificate.ahead == {1: 0, -1: 1, 0: None}[signs[stop]]
    assert certificate.flips == tuple(n for n in range(start + 1, stop + 1) if signs[n] != signs[n - 1])
    at_flips = [signs[start], *(signs[n] for n in certificate.flips)]
    assert certificate.leaders == tuple({1: 0, -1: 1, 0: None}[sign] for sign in at_flips)
    failures = [n for n in signs if signs[n] != signs[stop] or signs[stop] == 0]
    assert certificate.last_failure == (max(failures) if failures else None)
    assert 1 <= certificate.evaluations <= len(signs)


@pytest.mark.parametrize("name", ["zipf", "top two"])
def test_every_pair_of_rankings_of_four_items(name):
    discount, exact = EXACT[name]
    for labels in product([0, 1], repeat=4):
        for scores0, scores1 in combinations_with_replacement(permutations(range(4)), 2):
            signs = exact_signs(labels, scores0, scores1, cache(exact), 1, 4)
            agrees(certify_sign(labels, scores0, scores1, discount=discount, start=1), signs)


@settings(max_examples=200, deadline=None)
@given(st.data(), st.sampled_from(sorted(EXACT)))
def test_any_labels_ties_and_ranges(data, name):
    m = data.draw(st.integers(1, 14))
    grade = st.integers(0, 3) | st.sampled_from([0.25, 40.0])
    labels = data.draw(st.lists(grade, min_size=m, max_size=m))
    scores = [data.draw(st.lists(st.integers(0, 9), min_size=m, max_size=m)) for _ in range(2)]
    stop = data.draw(st.integers(1, m))
    start = data.draw(st.integers(1, stop))
    discount, exact = EXACT[name]
    signs = exact_signs(labels, *scores, exact, start, stop)
    agrees(certify_sign(labels, *scores, discount=discount, start=start, stop=stop), signs)


@pytest.mark.parametrize("discount", [Log(), Power(0.5), Zipf(), Geometric(0.9), Power(0)])
@pytest.mark.parametrize("digits", [2, 17])
def test_the_sign_at_every_n_is_that_of_the_curves(discount, digits):
    # Close enough to change the lead a few times, far enough apart for jumps.
    pair = Pair("poly:0.35:-0.1", "poly:0.25:0.1")
    items = sample_pair(pair, 3000, seed=3)
    labels, scores = items.labels, [items.scores0.round(digits), items.scores1.round(digits)]
    curves = [ndcg_curve(labels, each, discount=discount) for each in scores]
    gap = np.nan_to_num(curves[0] - curves[1])[9:]
    signs = np.where(np.abs(gap) < 1e-13, 0, np.sign(gap)).astype(int)
    certificate = certify_sign(labels, *scores, discount=discount, start=10)
    agrees(certificate, dict(enumerate(signs.tolist(), 10)))


def test_a_certificate_covers_long_lists_with_few_evaluations():
    items = sample_pair(Pair("power:1", "reversed:1", coupling="label-first"), 50_000, seed=4)
    certificate = certify_sign(items.labels, items.scores0, items.scores1, discount=Log(), start=50)
    assert certificate.ahead == 0 and certificate.last_failure is None
    assert certificate.evaluations < 50


def change(labels, order, n, discount):
    """What the items beyond the first n add to the DCG of a ranking, given as their order, best first."""
    earlier, everything = (
        sum(labels[i] * discount(r) for r, i in enumerate((i for i in order if i < kept), 1))
        for kept in (n, len(labels))
    )
    return everything - earlier


def bound(n, j, discount):
    """The bound on what j items can do to h after n, whatever their ranks and gains up to 1."""
    sums = [sum((discount(r) for r in range(1, m + 1)), Fraction(0)) for m in range(n + j + 1)]
    return sums[j // 2] + sums[j - j // 2] - (sums[n + j] - sums[n])


@pytest.mark.parametrize("name", EXACT)
@pytest.mark.parametrize(("n", "j"), [(4, 1), (3, 1), (3, 2), (2, 3), (1, 4)])
def test_the_bounds_hold_for_all_rankings_and_cannot_be_lowered(name, n, j):
    exact = cache(EXACT[name][1])
    lost = sum(exact(r) for r in range(n + 1, n + j + 1))
    widest = Fraction(0)
    room = {"above": [], "below": []}
    for labels in product([0, 1], repeat=n + j):
        # What a ranking does to h is settled by the label and the age of the item at each rank.
        kinds = {
            tuple((labels[i], i < n) for i in order): order for order in permutations(range(n + j))
        }.values()
        changes = []
        for order in kinds:
            late = [(labels[i], exact(r)) for r, i in enumerate(order, 1) if i >= n]
            changes.append(change(labels, order, n, exact))
            room["above"].append(sum(y * d for y, d in late) - changes[-1])
            room["below"].append(changes[-1] - sum((y - 1) * d for y, d in late) - lost)
        widest = max(widest, max(changes) - min(changes))
    assert min(room["above"]) == min(room["below"]) == 0
    assert widest <= bound(n, j, exact)
    if j == 1:
        assert widest == bound(n, j, exact)


def test_a_gap_that_rounding_could_hide_is_a_tie():
    # Mathematically 1/2 = 1/3 + 1/6; in floats the two sides need not be equal.
    scores0 = [6, 1, 5, 2, 3, 4]
    scores1 = [6, 5, 1, 4, 3, 2]
    labels = [0, 0, 1, 0, 0, 1]
    signs = exact_signs(labels, scores0, scores1, lambda r: Fraction(1, r), 1, 6)
    agrees(certify_sign(labels, scores0, scores1, discount=Zipf(), start=1), signs)
    # 0.1 + 0.2 + 0.3 and 0.3 + 0.2 + 0.1 differ in floats, so the means of two groups with the same gains do.
    labels = [0.1, 0.2, 0.3, 0.3, 0.2, 0.1]
    scores = [2, 2, 2, 1, 1, 1], [1, 1, 1, 2, 2, 2]
    certificate = certify_sign(labels, *scores, discount=Zipf(), start=6)
    assert certificate.ahead is None
    first, second = (dcg(labels, ranker, discount=Zipf()) for ranker in scores)
    assert first != second and certificate.replay(labels, *scores, discount=Zipf()) == []
    assert certificate.replay(labels, *reversed(scores), discount=Zipf()) == []
    # At such ranks 2 ** -r is zero in floats, and 0.9 ** -r has few digits: the last item decides, but not
    # for sure.
    for discount, last in ((Geometric(0.5), 1100), (Geometric(0.9), 7000)):
        labels, ranks = [0] * last + [1, 0], list(range(last, 0, -1))
        scores0, scores1 = [*ranks, 0.6, 0.5], [*ranks, 0.4, 0.5]
        certificate = certify_sign(labels, scores0, scores1, discount=discount, start=last + 2)
        assert certificate.ahead is None and certificate.last_failure == last + 2


def test_a_tiny_gap_between_ties_is_no_tie():
    # Two of sixty items change places between groups of tied items that count for less than 2 ** -50 of the
    # DCGs.
    labels = [1] * 50 + [1, 0] * 5
    scores0 = [*range(100, 50, -1), 3, 3, 3, 2, 2, 2, 2, 1, 1, 1]
    scores1 = [*range(100, 50, -1), 3, 3, 2, 3, 2, 2, 2, 1, 1, 1]
    signs = exact_signs(labels, scores0, scores1, lambda r: Fraction(1, 2**r), 1, 60)
    assert signs[60] == 1
    agrees(certify_sign(labels, scores0, scores1, discount=Geometric(0.5), start=1), signs)


EPS = np.finfo(float).eps


@pytest.mark.parametrize(("gap", "ahead"), [(12 * EPS, None), (24 * EPS, 0)])
def test_discounts_are_trusted_to_eight_roundings(gap, ahead):
    """Two discounts that differ by less than both may be off by do not tell a lead, wider ones do."""
    certificate = certify_sign(
        [1, 0], [2, 1], [1, 2], discount=lambda r: np.where(r == 1, 1.0 + gap, 1.0), start=2
    )
    assert certificate.ahead == ahead


def test_without_ties_a_gap_is_certified_however_little_of_the_dcgs_it_is():
    """The items that both rankers put at the same ranks are off by the same, whatever they count."""
    order = list(range(58, 0, -1))
    labels, swapped = [0.5] * 57 + [0.25], [*order[:56], 1, 2]
    signs = exact_signs(labels, order, swapped, lambda r: Fraction(1, 2**r), 1, 58)
    assert signs[58] == 1 and not any(signs[n] for n in range(1, 58))
    agrees(certify_sign(labels, order, swapped, discount=Geometric(0.5), start=1), signs)


@pytest.mark.parametrize(("gap", "ahead"), [(3000 * EPS, None), (5000 * EPS, 0)])
def test_means_of_whole_gains_are_trusted_to_two_roundings(gap, ahead):
    """Two groups of 1024 items with 1000 relevant ones, of which the first ranker has one more on top.

    The DCGs are all but 1000 each: two roundings of what both sum up are 4000 units of rounding."""
    size, relevant = 1024, 1000
    labels = np.repeat([1, 0, 1, 0], [500, size - 500, relevant - 500, size - relevant + 500])
    scores0 = np.repeat([2, 1], size)
    scores1 = scores0.copy()
    scores1[[0, -1]] = scores1[[-1, 0]]
    certificate = certify_sign(
        labels, scores0, scores1, discount=lambda r: np.where(r <= size, 1.0, 1.0 - gap), start=2 * size
    )
    assert certificate.ahead == ahead


@pytest.mark.parametrize(("n", "apart"), [(10, True), (15, False), (20, False)])
def test_equal_means_are_distinguished_from_others_while_floats_are_exact_enough(n, apart, monkeypatch):
    """With floats of three digits, as nobody waits for the lists for which those of sixteen are too few."""
    monkeypatch.setattr(certificates, "_EPS", 1e-3)
    means = sorted({Fraction(total, size) for size in range(1, n + 1) for total in range(3 * size + 1)})
    closest = min(second - first for first, second in zip(means, means[1:]))
    assert (closest > 2 * 3 * 1e-3) == apart  # both may be rounded, each by up to that share of 3
    gains, scores = np.arange(n) % 4.0, [np.arange(n), np.arange(n) // 2]
    assert certificates._Gap(gains, scores, 1 / np.arange(1.0, n + 1)).equal_means_are_equal == apart


def test_what_is_counted_on_of_a_gap_is_there_however_its_sum_was_rounded(monkeypatch):
    """With floats of five digits: as many roundings as items, each of up to that share of a summand."""
    monkeypatch.setattr(certificates, "_EPS", 1e-5)
    rng, n = np.random.default_rng(1), 600
    labels = rng.integers(0, 2, n).astype(float)
    scores = [labels + rng.normal(size=n) / 2, rng.normal(size=n)]
    gap, margins = certificates._Gap(labels, scores, certificates._decreasing_table(Log(), n)), []
    monkeypatch.setattr(
        gap, "_provable_sizes", lambda n, margin, most, first_ahead: margins.append(margin) or 0
    )
    for size in (600, 400, 200):
        gap.sign(size, size - 1)
        first, second = (labels[np.argsort(-values[:size])] for values in scores)
        discounts = 1 / np.log(1 + np.arange(1.0, size + 1))
        differences = (first - second) * discounts
        assert 0 < margins[-1] <= abs(differences.sum()) - 0.999 * size * 1e-5 * np.abs(differences).sum()


def test_brute_force_contradicts_a_certificate_that_is_wrong():
    items = sample_pair(Pair("poly:0.35:-0.1", "poly:0.25:0.1"), 300, seed=3)
    scores = items.scores0.round(1), items.scores1.round(1)
    for discount in (Log(), Geometric(0.9)):
        certificate = certify_sign(items.labels, *scores, discount=discount, start=5)
        assert len(set(certificate.leaders)) > 1
        assert certificate.replay(items.labels, *scores, discount=discount) == []
        leaders = dict(zip((5, *certificate.flips), certificate.leaders))
        swapped = [
            n for n in range(5, 301) if leaders[max(flip for flip in leaders if flip <= n)] is not None
        ]
        assert certificate.replay(items.labels, *reversed(scores), discount=discount) == swapped
        assert (
            certificate.replay(items.labels, *reversed(scores), discount=discount, sizes=swapped[:2])
            == swapped[:2]
        )
        stale = replace(certificate, flips=(), leaders=certificate.leaders[-1:])
        assert certificate.last_failure in stale.replay(items.labels, *scores, discount=discount)
        with pytest.raises(ValueError, match="sizes=4: expected an integer from 5 to 300"):
            certificate.replay(items.labels, *scores, discount=discount, sizes=[4])
        with pytest.raises(ValueError, match="labels: expected at least 300 items, got 299"):
            certificate.replay(items.labels[:299], *scores, discount=discount)


def test_nothing_relevant_is_a_tie_throughout():
    certificate = certify_sign([0, 0, 0], [1, 2, 3], [3, 2, 1], discount=Log(), start=1)
    assert (certificate.ahead, certificate.flips, certificate.last_failure) == (None, (), 3)


def test_exponential_gains():
    labels, scores0, scores1 = [3, 2, 2, 0], [4, 2, 1, 3], [1, 3, 2, 4]
    for gain, ahead in (("linear", 0), ("exponential", 0), (lambda y: (y == 2) * 1.0, 1)):
        assert certify_sign(labels, scores0, scores1, discount=Zipf(), start=4, gain=gain).ahead == ahead


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"start": 0}, "start=0: expected an integer from 1 to 2"),
        ({"start": 3}, "start=3"),
        ({"start": 1.0}, "start=1.0"),
        ({"stop": 3}, "stop=3: expected an integer from 1 to 2"),
        ({"start": 2, "stop": 1}, "start=2: expected an integer from 1 to 1"),
        ({"discount": Linear()}, "does not depend on n"),
        ({"discount": lambda r: np.sqrt(r)}, "never increases"),
        ({"discount": lambda r: 1.5 - r}, "never increases"),
        ({"scores0": [1, np.nan]}, "scores0: expected no NaN"),
        ({"scores1": [1, 2, 3]}, "scores1 of shape"),
        ({"labels": [1e308, 1e308]}, "labels: expected gains whose discounted sum"),
        ({"labels": [1, -1]}, "labels: expected numbers >= 0"),
        ({"labels": [[1, 0]], "scores0": [[1, 2]], "scores1": [[1, 2]]}, r"labels of shape \(1, 2\)"),
    ],
)
def test_unusable_input(arguments, message):
    arguments = {
        "labels": [1, 0],
        "scores0": [1, 2],
        "scores1": [2, 1],
        "discount": Log(),
        "start": 1,
    } | arguments
    items = [arguments.pop(name) for name in ("labels", "scores0", "scores1")]
    with pytest.raises(ValueError, match=message):
        certify_sign(*items, **arguments)


def test_many_whole_grades_of_a_long_list_do_not_wrap_around():
    rng = np.random.default_rng(5)
    labels, scores = rng.integers(0, 200, 40_000), rng.random((2, 40_000))
    certificate = certify_sign(labels, *scores, discount=Log(), start=39_990)
    half = certify_sign(labels / 2, *scores, discount=Log(), start=39_990)
    assert (certificate.leaders, certificate.flips) == (half.leaders, half.flips)
    assert certificate.replay(labels, *scores, discount=Log()) == []
