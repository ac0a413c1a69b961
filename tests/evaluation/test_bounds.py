import numpy as np
import pytest
from scipy.stats import beta, t

from ndcg_companion.evaluation.bounds import carriers, lower_bound, student_ends, weighted_bound
from ndcg_companion.simulation import proportion_interval


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


def passes(law, margin, queries, trials, seed):
    rng = np.random.default_rng(seed)
    return sum(lower_bound(law(rng, queries), -1) > margin for _ in range(trials))


@pytest.mark.parametrize("name", LAWS)
@pytest.mark.parametrize("queries", [2, 3, 4, 5, 6, 12, 20, 25, 50])
def test_a_loss_beyond_the_margin_seldom_passes(name, queries, monkeypatch):
    monkeypatch.setattr("ndcg_companion.evaluation.bounds._DRAWS", 2000)
    law, _, margin = LAWS[name]
    low, _ = proportion_interval(passes(law, margin, queries, 200, 1), 200, 0.999)
    assert low <= 0.05


def test_by_student_alone_they_would_pass():
    """The control: the same laws and margins, without what looks at unseen losses and at few carriers."""
    rng = np.random.default_rng(1)
    for name, queries, least in (("precision, only losses", 6, 0.2), ("rare failures", 25, 0.3)):
        law, _, margin = LAWS[name]
        samples = np.array([law(rng, queries) for _ in range(400)])
        half = t.ppf(0.95, queries - 1) * samples.std(axis=1, ddof=1) / np.sqrt(queries)
        assert (samples.mean(axis=1) - half > margin).mean() > least


@pytest.mark.nightly
@pytest.mark.parametrize("name", AT_THE_MARGIN)
@pytest.mark.parametrize("queries", [6, 12, 25, 50, 100, 200])
def test_a_loss_at_the_margin_passes_in_one_of_twenty_samples(name, queries, monkeypatch):
    monkeypatch.setattr("ndcg_companion.evaluation.bounds._DRAWS", 2000)
    law, _, margin = AT_THE_MARGIN[name]
    found = passes(law, margin + 1e-12, queries, 1500, 2)
    print(f"{name}, {queries} queries: {found / 1500:.4f}")
    assert proportion_interval(found, 1500, 0.999)[0] <= 0.05


@pytest.mark.parametrize("queries", [50, 100, 200])
def test_ordinary_differences_pass_as_often_as_by_student(queries):
    """At margins where Student's bound passes nine of ten: at most four of a hundred fewer do."""
    rng = np.random.default_rng(3)
    samples = rng.normal(0, 0.25, (600, queries)).clip(-1, 1)
    margin = -(1.645 + 1.282) * 0.25 / np.sqrt(queries)
    half = t.ppf(0.95, queries - 1) * samples.std(axis=1, ddof=1) / np.sqrt(queries)
    student = (samples.mean(axis=1) - half > margin).mean()
    ours = np.mean([lower_bound(row, -1) > margin for row in samples])
    assert student - 0.04 <= ours <= student


@pytest.mark.parametrize(("queries", "lost"), [(10, 0), (30, 1), (30, 3), (200, 7)])
@pytest.mark.parametrize("level", [0.05, 0.005])
def test_two_values_have_the_exact_bound(queries, lost, level):
    row = np.repeat([-1.0, 0.0], [lost, queries - lost])
    exact = -beta.ppf(1 - level, lost + 1, queries - lost)
    assert weighted_bound(row, -1, level) == pytest.approx(exact, rel=0.06)
    assert lower_bound(row, -1, level) <= 0.94 * exact or lost == 0


def smallest(row, least):
    """Written anew: Johnson's bound, and what the share of unseen queries may lose."""
    q, mean, deviation = len(row), row.mean(), row.std(ddof=1)
    skewness = np.minimum(0, sum((value - mean) ** 3 for value in row) / q / deviation**3)
    critical = t.ppf(0.95, q - 1)
    johnson = (critical - skewness * (1 + 2 * critical**2) / 6 / np.sqrt(q)) * deviation / np.sqrt(q)
    share = 1 - 0.05 ** (1 / q)
    return mean - johnson, (1 - share) * mean + share * least


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
                assert lower_bound(row, least) == pytest.approx(min(bounds), rel=1e-9)
                decided.add(bounds.index(min(bounds)))
    assert decided == {0, 1}


def test_twelve_queries_that_account_for_the_variance_are_enough():
    for queries, enough in ((10, False), (12, True)):
        row = np.repeat([-0.5, 0.5], queries // 2)
        assert carriers(row) == queries
        assert (lower_bound(row, -1) > weighted_bound(row, -1)) == enough


@pytest.mark.parametrize(("draws", "bounded"), [(18, False), (19, True)])
def test_fewer_draws_than_the_level_asks_for_bound_nothing(draws, bounded, monkeypatch):
    monkeypatch.setattr("ndcg_companion.evaluation.bounds._DRAWS", draws)
    assert (weighted_bound(np.zeros(30), -1) > -1) == bounded


def test_no_bound_leaves_what_is_possible():
    rng = np.random.default_rng(4)
    for queries in (1, 2, 5, 6, 30):
        for row in (np.zeros(queries), np.full(queries, -1.0), rng.choice([-1.0, 1.0], queries)):
            assert -1 <= lower_bound(row, -1) <= row.mean() <= -lower_bound(-row, -1) <= 1
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
