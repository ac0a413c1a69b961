import numpy as np
import pytest
from scipy.stats import beta, skew, t

from ndcg_companion.simulation import proportion_interval
from ranking_report.bounds import (
    carriers,
    enough_differ,
    lower_bound,
    skewed_bound,
    student_ends,
    weighted_bound,
)


def values(rng, size, *chances):
    """Differences of precision at 1: the share of losses, and that of gains."""
    lost, gained = chances
    drawn = rng.random(size)
    return (drawn > 1 - gained) * 1.0 - (drawn < lost) * 1.0


def failures(rng, size, share, loss, noise):
    """A release that loses so much on few queries, and else differs by little."""
    return -loss * (rng.random(size) < share) + rng.normal(0, noise, size)


# Name: the law, its mean, the loss that is excluded. The laws and sizes were fixed before looking.
LAWS = {
    "precision, only losses": (lambda rng, n: values(rng, n, 0.2, 0), -0.2, -0.01),
    "precision, some gains": (lambda rng, n: values(rng, n, 0.25, 0.05), -0.2, -0.01),
    "rare failures": (lambda rng, n: failures(rng, n, 0.04, 0.5, 0), -0.02, -0.01),
    "rare failures and tiny noise": (lambda rng, n: failures(rng, n, 0.04, 0.5, 0.01), -0.02, -0.01),
}
AT_THE_MARGIN = {
    **{name: (law, mean, mean) for name, (law, mean, _) in LAWS.items()},
    "rarer, and all is lost": (lambda rng, n: failures(rng, n, 0.02, 1, 0), -0.02, -0.02),
    "failures and noise": (lambda rng, n: failures(rng, n, 0.1, 0.5, 0.05), -0.05, -0.05),
    "normal": (lambda rng, n: rng.normal(0, 0.25, n).clip(-1, 1), 0, 0),
    "half the queries": (lambda rng, n: rng.normal(0, 0.2, n) * (rng.random(n) < 0.5), 0, 0),
    "Laplace": (lambda rng, n: rng.laplace(0, 0.15, n).clip(-1, 1), 0, 0),
}


# At the margin, a mean of -0.05: the laws and sizes were fixed before looking. Skewed means losses.
NORMAL = {
    "narrow": lambda rng, shape: rng.normal(-0.05, 0.07, shape),
    "wide": lambda rng, shape: rng.normal(-0.05, 0.25, shape),
}
SKEWED = {
    "exponential": lambda rng, shape: 0.02 - 0.07 * rng.exponential(1, shape),
    "gamma": lambda rng, shape: -0.015 - 0.07 * rng.gamma(0.5, 1, shape),
    "log-normal": lambda rng, shape: -0.05 + 0.05 * (np.exp(0.5) - rng.lognormal(0, 1, shape)),
    "beta": lambda rng, shape: -0.05 + 1 / 9 - rng.beta(0.5, 4, shape),
    "half the queries": lambda rng, shape: -0.1 * rng.exponential(1, shape) * (rng.random(shape) < 0.5),
    "tenths": lambda rng, shape: 0.01 - 0.1 * rng.binomial(3, 0.2, shape),
    "one of ten fails": lambda rng, shape: (
        -0.02 - 0.3 * (rng.random(shape) < 0.1) + rng.normal(0, 0.05, shape)
    ),
}


def passes(law, margin, queries, trials, seed, strict=True):
    rng = np.random.default_rng(seed)
    return sum(lower_bound(law(rng, queries), -1, strict=strict) > margin for _ in range(trials))


def passes_at_the_margin(law, queries):
    """How many of a thousand studies the usual bound passes."""
    samples = law(np.random.default_rng([4, queries]), (1000, queries))
    return sum(lower_bound(row, -1) > -0.05 for row in samples)


@pytest.mark.parametrize("name", NORMAL)
@pytest.mark.parametrize("queries", [25, 50, 100])
def test_normal_differences_at_the_margin_pass_about_as_often_as_the_gate_says(name, queries, monkeypatch):
    monkeypatch.setattr("ranking_report.bounds._DRAWS", 2000)
    assert 20 <= passes_at_the_margin(NORMAL[name], queries) <= 60


@pytest.mark.parametrize("name", SKEWED)
@pytest.mark.parametrize("queries", [25, pytest.param(50, marks=pytest.mark.nightly), 100])
def test_skewed_losses_at_the_margin_pass_in_at_most_eight_of_a_hundred_studies(name, queries, monkeypatch):
    monkeypatch.setattr("ranking_report.bounds._DRAWS", 2000)
    assert passes_at_the_margin(SKEWED[name], queries) <= 80


@pytest.mark.parametrize("queries", [25, 50])
def test_students_bound_alone_would_pass_skewed_losses_more_often(queries):
    """Control: the same samples without the correction and without the switch to the strict bound."""
    critical, passed_counts = t.ppf(0.95, queries - 1), []
    for law in SKEWED.values():
        samples = law(np.random.default_rng([4, queries]), (1000, queries))
        errors = samples.std(axis=1, ddof=1) / np.sqrt(queries)
        passed_counts.append((samples.mean(axis=1) - critical * errors > -0.05).sum())
    assert max(passed_counts) > 120


def test_the_strict_bound_passes_no_narrow_differences_at_the_margin_and_the_usual_one_passes_harmless_ones():
    samples = np.random.default_rng(5).normal(0, 0.07, (300, 50))
    usual, strict = (
        np.array([lower_bound(row, -1, strict=strict) > -0.05 for row in samples]) for strict in (False, True)
    )
    assert usual.mean() > 0.98 and 0.1 < strict.mean() < 0.7
    assert passes(NORMAL["narrow"], -0.05, 50, 300, 6) == 0


def test_the_usual_bound_needs_what_it_assumes(monkeypatch):
    """A release loses half on one query in 25 and hardly differs elsewhere, so samples often show no loss."""
    monkeypatch.setattr("ranking_report.bounds._DRAWS", 2000)
    law, _, margin = LAWS["rare failures and tiny noise"]
    assert passes(law, margin, 25, 400, 1, strict=False) > 80


@pytest.mark.parametrize("level", [0.05, 0.01])
def test_the_skewed_bound_solves_halls_cubic(level):
    row = -np.random.default_rng(8).exponential(size=40)
    error = row.std(ddof=1) / np.sqrt(40)
    slope = skew(row, bias=False) / np.sqrt(40)
    reach = (row.mean() - skewed_bound(row, level)) / error
    cubic = reach + slope * reach**2 / 3 + slope**2 * reach**3 / 27 + slope / 6
    assert slope < 0 and cubic == pytest.approx(t.ppf(1 - level, 39))
    assert skewed_bound(-row, level) == pytest.approx(-row.mean() - t.ppf(1 - level, 39) * error)


def test_enough_queries_differ_from_twelve_on_or_a_fifth_of_few():
    differing = lambda count, queries: np.append(np.linspace(-0.5, 0.5, count), np.zeros(queries - count))
    assert not enough_differ(differing(11, 50)) and enough_differ(differing(13, 14))
    heavy = np.append(np.tile([-0.1, 0.1], 20), [-3.0, 3.0, -2.0])
    assert carriers(heavy) < len(heavy) / 5 and not enough_differ(heavy)


@pytest.mark.parametrize("name", LAWS)
@pytest.mark.parametrize("queries", [2, 3, 4, 5, 6, 12, 20, 25, 50])
def test_a_loss_beyond_the_margin_seldom_passes_the_strict_bound(name, queries, monkeypatch):
    monkeypatch.setattr("ranking_report.bounds._DRAWS", 2000)
    law, _, margin = LAWS[name]
    low, _ = proportion_interval(passes(law, margin, queries, 200, 1), 200, 0.999)
    assert low <= 0.05


def test_students_bound_alone_would_pass_rare_losses():
    """Control: the same distributions and margins are tested without the terms for unseen losses."""
    rng = np.random.default_rng(1)
    for name, queries, least in (("precision, only losses", 6, 0.2), ("rare failures", 25, 0.3)):
        law, _, margin = LAWS[name]
        samples = np.array([law(rng, queries) for _ in range(400)])
        half = t.ppf(0.95, queries - 1) * samples.std(axis=1, ddof=1) / np.sqrt(queries)
        assert (samples.mean(axis=1) - half > margin).mean() > least


@pytest.mark.nightly
@pytest.mark.parametrize("name", AT_THE_MARGIN)
@pytest.mark.parametrize("queries", [6, 12, 25, 50, 100, 200])
def test_a_loss_at_the_margin_passes_the_strict_bound_in_one_of_twenty_samples(name, queries, monkeypatch):
    monkeypatch.setattr("ranking_report.bounds._DRAWS", 2000)
    law, _, margin = AT_THE_MARGIN[name]
    passed_count = passes(law, margin + 1e-12, queries, 1500, 2)
    print(f"{name}, {queries} queries: {passed_count / 1500:.4f}")
    assert proportion_interval(passed_count, 1500, 0.999)[0] <= 0.05


@pytest.mark.parametrize("queries", [50, 100, 200])
def test_ordinary_differences_pass_as_often_as_by_student(queries):
    """At margins where Student's bound passes nine in ten, at most four in a hundred fewer pass."""
    rng = np.random.default_rng(3)
    samples = rng.normal(0, 0.25, (600, queries)).clip(-1, 1)
    margin = -(1.645 + 1.282) * 0.25 / np.sqrt(queries)
    half = t.ppf(0.95, queries - 1) * samples.std(axis=1, ddof=1) / np.sqrt(queries)
    student = (samples.mean(axis=1) - half > margin).mean()
    ours = np.mean([lower_bound(row, -1) > margin for row in samples])
    assert student - 0.02 <= ours <= student


@pytest.mark.parametrize(("queries", "lost"), [(10, 0), (30, 1), (30, 3), (200, 7)])
@pytest.mark.parametrize("level", [0.05, 0.005])
def test_two_values_have_the_exact_bound(queries, lost, level):
    row = np.repeat([-1.0, 0.0], [lost, queries - lost])
    exact = -beta.ppf(1 - level, lost + 1, queries - lost)
    assert weighted_bound(row, -1, level) == pytest.approx(exact, rel=0.06)
    assert lower_bound(row, -1, level, strict=True) <= 0.94 * exact or lost == 0


def smallest(row, least):
    """The bound for skewed differences, and what the share of unseen queries may lose."""
    share = 1 - 0.05 ** (1 / len(row))
    return skewed_bound(row), (1 - share) * row.mean() + share * least


@pytest.mark.parametrize("least", [-1, -2])
def test_where_many_queries_account_for_the_variance_the_bound_is_the_smaller_of_two(least):
    rng, decided = np.random.default_rng(6), set()
    for queries in (40, 100, 400):
        for row in (
            rng.normal(0, 0.25, queries),
            rng.normal(0.3, 0.02, queries),
            0.01 * rng.normal(size=queries) + 0.95 * least,
            rng.exponential(0.2, queries) - 0.2,
            0.2 - rng.exponential(0.2, queries),
        ):
            assert carriers(row) > 12.5 or queries == 40
            if carriers(row) > 12.5:
                bounds = smallest(row, least)
                assert lower_bound(row, least, strict=True) == pytest.approx(min(bounds), rel=1e-9)
                assert lower_bound(row, least) == pytest.approx(bounds[0], rel=1e-9)
                decided.add(bounds.index(min(bounds)))
    assert decided == {0, 1}


def test_twelve_queries_that_account_for_the_variance_are_enough():
    for queries, enough in ((10, False), (12, True)):
        row = np.repeat([-0.5, 0.5], queries // 2)
        assert carriers(row) == queries
        assert (lower_bound(row, -1, strict=True) > weighted_bound(row, -1)) == enough


@pytest.mark.parametrize(("draws", "bounded"), [(18, False), (19, True)])
def test_fewer_draws_than_the_level_asks_for_bound_nothing(draws, bounded, monkeypatch):
    monkeypatch.setattr("ranking_report.bounds._DRAWS", draws)
    assert (weighted_bound(np.zeros(30), -1) > -1) == bounded


def test_no_bound_leaves_what_is_possible():
    rng = np.random.default_rng(4)
    for queries in (1, 2, 5, 6, 30):
        for row in (np.zeros(queries), np.full(queries, -1.0), rng.choice([-1.0, 1.0], queries)):
            for strict in (False, True):
                low, high = lower_bound(row, -1, strict=strict), -lower_bound(-row, -1, strict=strict)
                assert -1 <= low <= row.mean() <= high <= 1
    assert lower_bound(np.full(5, 0.5), -1) == -1 < lower_bound(np.full(6, 0.5), -1)


def test_carriers_are_those_that_differ():
    assert carriers(np.repeat([0.0, 1.0], [990, 10])) == pytest.approx(10, rel=0.05)
    assert carriers(np.random.default_rng(5).normal(size=3000)) == pytest.approx(1000, rel=0.1)


@pytest.mark.parametrize("q", [5, 6, 40])
def test_students_interval_is_scipys_and_of_no_use_on_five_queries(q):
    row = np.random.default_rng(q).normal(0.1, 1, q)
    expected = (
        t.interval(0.98, q - 1, row.mean(), row.std(ddof=1) / np.sqrt(q)) if q > 5 else (-np.inf, np.inf)
    )
    assert student_ends(row, 0.01) == pytest.approx(expected)
