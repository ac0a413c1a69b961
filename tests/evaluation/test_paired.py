"""The statistics of a report, against SciPy, enumeration, noncentral t and systems of which the truth is
known.
"""

from itertools import product

import numpy as np
import pytest
from scipy.stats import binomtest, nct, permutation_test, t

from ndcg_companion.data import Rankings
from ndcg_companion.evaluation.account import made_example
from ndcg_companion.evaluation.paired import (
    DISCOUNTS,
    Evaluation,
    band,
    bootstrap_intervals,
    false_alarms,
    growth,
    halves,
    holm,
    mean_intervals,
    measures_for,
    of_queries,
    plug_in_pair,
    queries_needed,
    query_scores,
    relevance_steps,
    separation,
    sign_flip_p,
    swap_rate,
    traits,
)
from ndcg_companion.measures import Log, ndcg
from ndcg_companion.simulation import ndcg_curve, student_interval


def rankings(labels, scores, sizes, **more):
    """Rankings of lists of the given sizes; `scores` by system."""
    n = sum(sizes)
    return Rankings(
        np.array([f"q{i}" for i in range(len(sizes))]),
        np.array([f"d{i}" for i in range(n)]),
        np.array(labels),
        more.pop("judged", np.ones(n, dtype=bool)),
        np.append(0, np.cumsum(sizes)),
        {name: np.array(values, dtype=float) for name, values in scores.items()},
        **more,
    )


@pytest.fixture(scope="module")
def known():
    return made_example(100, 200, seed=5)


@pytest.fixture(scope="module")
def evaluation(known):
    return Evaluation(known[0], seed=3)


def noise(rows, q, seed=0):
    return np.random.default_rng(seed).normal(0.1, 1, (rows, q))


def test_scores_are_ndcg_where_everything_is_retrieved(known):
    made = known[0]
    measures = measures_for(np.diff(made.offsets))
    values = query_scores(made, measures)
    for row, (discount, k) in enumerate(measures.values()):
        for column, scores in enumerate(made.scores.values()):
            expected = ndcg(made.labels, scores, discount=discount, k=k, offsets=made.offsets)
            np.testing.assert_allclose(values[row, column], expected, rtol=1e-12)


def test_what_is_not_retrieved_counts_nothing_but_in_the_ideal_list():
    one = rankings([1, 0, 1], {"a": [2, 1, -np.inf], "b": [1, 2, 3]}, [3])
    value = query_scores(one, {"log": (Log(), None)})[0, :, 0]
    rank = 1 / np.log2(np.arange(2, 5))
    assert value == pytest.approx([rank[0] / (rank[0] + rank[1]), (rank[0] + rank[2]) / (rank[0] + rank[1])])
    empty = rankings([0, 0, 1, 0], {"a": [1, 2, 3, 4]}, [2, 2])
    assert np.isnan(query_scores(empty, {"log": (Log(), None)})[0, 0]).tolist() == [True, False]


@pytest.mark.parametrize("q", [3, 8, 12])
def test_few_queries_get_the_exact_p_value(q):
    differences = noise(3, q)
    patterns = np.array(list(product([-1, 1], repeat=q)))
    means = np.abs(patterns @ differences.T)
    expected = (means >= np.abs(differences.sum(axis=1)) - 1e-9).mean(axis=0)
    np.testing.assert_allclose(sign_flip_p(differences, seed=0), expected, rtol=1e-12)
    for row, p in zip(differences, expected):
        assert permutation_test(
            (row,), np.mean, permutation_type="samples", n_resamples=np.inf
        ).pvalue == pytest.approx(p)


def test_many_queries_get_one_near_that_of_the_t_test_and_never_zero():
    differences = noise(4, 300)
    tail = 2 * t.sf(np.abs(differences.mean(axis=1)) / differences.std(axis=1, ddof=1) * np.sqrt(300), 299)
    np.testing.assert_allclose(
        sign_flip_p(differences, seed=1), tail, atol=0.02
    )  # Monte Carlo: five standard errors
    assert sign_flip_p(differences + 10, seed=1) == pytest.approx(1 / 20_001)
    assert (sign_flip_p(np.zeros((2, 50)), seed=1) == 1).all()


def test_holm_multiplies_and_never_falls():
    p = np.array([0.03, 0.001, 0.02, 0.9])
    assert holm(p) == pytest.approx([0.06, 0.004, 0.06, 0.9])
    assert holm(np.array([0.8, 0.7])) == pytest.approx([1.0, 1.0])


def test_intervals_are_student_s_and_the_bootstrap_agrees():
    differences = noise(3, 200)
    intervals = mean_intervals(differences)
    np.testing.assert_allclose(intervals, np.transpose(student_interval(differences.T)), rtol=1e-12)
    width = np.diff(intervals, axis=1)
    resampled = bootstrap_intervals(differences, seed=2)
    assert (np.abs(resampled - intervals) < 0.15 * width).all()


def test_halves_share_no_query_and_leave_none_out():
    one, other = halves(11, seed=1)
    assert (len(one), len(other)) == (5, 6) and sorted([*one, *other]) == list(range(11))
    assert halves(11, seed=2)[0].tolist() != one.tolist()


def test_separation_is_the_t_statistic():
    differences = np.vstack([noise(2, 30), np.zeros(30), np.full(30, 0.5)])
    error = differences[:2].std(axis=1, ddof=1) / np.sqrt(30)
    found = separation(differences)
    assert found[:2] == pytest.approx(np.abs(differences[:2].mean(axis=1)) / error)
    assert found[2:].tolist() == [0, np.inf]


def test_halves_swap_as_often_as_all_splits_do():
    differences = np.array([[3.0, -1, -1, 0.5], [1, 1, 1, 1], [0, 0, 0, 0]])
    exact = []
    for row in differences:
        sums = [(row[[i, j]].sum(), row.sum() - row[[i, j]].sum()) for i in range(4) for j in range(i)]
        exact.append(np.mean([0.5 if one * other == 0 else one * other < 0 for one, other in sums]))
    assert swap_rate(differences, seed=1, splits=4000) == pytest.approx(exact, abs=0.04)


@pytest.mark.parametrize(("effect", "power"), [(0.3, 0.8), (0.3, 0.95), (0.1, 0.8), (0.8, 0.95)])
def test_so_many_queries_have_the_power_of_the_noncentral_t(effect, power):
    differences = np.array([[-1.0, 1] * 50])
    differences = differences / differences.std(ddof=1) + effect
    ((needed, low, high),) = queries_needed(differences, power)

    def reached(q):
        bound = t.ppf(0.975, q - 1)
        return nct.sf(bound, q - 1, effect * np.sqrt(q)) + nct.cdf(-bound, q - 1, effect * np.sqrt(q))

    assert reached(needed + 1) >= power > reached(needed - 2)
    assert low < needed < high and (high == np.inf) == (effect < 0.2)


def test_no_number_of_queries_finds_nothing_and_two_find_the_obvious():
    assert queries_needed(np.zeros((1, 9)), 0.8)[0, 0] == np.inf
    assert queries_needed(np.full((1, 9), 0.25), 0.8)[0, 0] == 2


@pytest.mark.parametrize("q", [12, 60])
def test_choosing_and_judging_on_the_same_queries_cries_wolf(q):
    shared = np.random.default_rng(4).normal(size=q)
    differences = 0.6 * shared + noise(10, q, seed=3)
    alarms = false_alarms(differences, halves(q, seed=1), seed=0)
    error = 4 * np.sqrt(0.05 * 0.95 / alarms["patterns"])
    assert alarms["patterns"] == (4096 if q == 12 else 5001)
    assert alarms["split"] <= 0.05 + error and alarms["corrected"] <= 0.05 + error
    assert alarms["best of all"] > 0.1


def test_false_alarms_are_what_the_procedure_does_when_run_on_every_pattern():
    differences, parts = noise(3, 8, seed=9), halves(8, seed=0)
    counts = {"best of all": 0, "corrected": 0, "split": 0}
    for signs in product([-1, 1], repeat=8):
        flipped = differences * signs
        p = sign_flip_p(flipped, seed=0)
        chosen = np.argmax(separation(flipped[:, parts[0]]))
        confirmed = sign_flip_p(flipped[chosen : chosen + 1, parts[1]], seed=0)[0]
        for way, value in (("best of all", p.min()), ("corrected", 3 * p.min()), ("split", confirmed)):
            counts[way] += value <= 0.05
    found = false_alarms(differences, parts, seed=0)
    # Four queries have 16 patterns of which no two-sided test can be sure at 5 %: judged among all patterns
    # of eight, some are.
    assert (found["best of all"], found["corrected"]) == (
        counts["best of all"] / 256,
        counts["corrected"] / 256,
    )
    assert counts["split"] == 0 and found["split"] == 0


def test_the_chosen_measure_is_found_and_confirmed_where_the_truth_is_known(evaluation):
    assert evaluation.confirmation["confirmed"] and evaluation.confirmation["difference"] > 0
    assert evaluation.names == ("sharp", "blunt")
    best = separation(evaluation.differences()[:, evaluation.parts[0]])
    assert evaluation.chosen == list(evaluation.measures)[best.argmax()]
    swapped = Evaluation(evaluation.rankings, pair=("blunt", "sharp"), seed=3)
    assert swapped.chosen == evaluation.chosen
    assert swapped.confirmation["difference"] == -evaluation.confirmation["difference"]


def test_exchangeable_systems_are_confirmed_in_one_run_of_twenty():
    """200 pairs of equally good systems: at most 5 % false alarms, that is, fewer than 24 but for a chance of
    1e-4.
    """
    alarms = 0
    for seed in range(200):
        same, _ = made_example(24, 40, seed, curves=("poly:0.3:-0.2", "poly:0.3:-0.2"))
        alarms += Evaluation(same, seed=seed).confirmation["confirmed"]
    assert alarms < 24


def test_the_same_system_twice_decides_nothing(known):
    made = known[0]
    twice = Rankings(**vars(made) | {"scores": {"a": made.scores["sharp"], "b": made.scores["sharp"]}})
    evaluation = Evaluation(twice)
    assert not evaluation.confirmation["confirmed"] and evaluation.confirmation["p"] == 1
    assert all(row["p"] == 1 and row["queries_80"] == np.inf for row in evaluation.table.values())
    assert all(row["chance"] == 0.5 and row["items_95"] == np.inf for row in evaluation.items.values())


def test_the_curves_behind_the_items_are_those_of_the_truth(known):
    made, truth = known
    for system, population in (("sharp", truth.population0), ("blunt", truth.population1)):
        depths, shares = relevance_steps(made, system)
        middle = 1 - (depths[1:] + depths[:-1]) / 2
        error = np.sqrt(0.25 / (20_000 * np.diff(depths)))
        assert (np.abs(shares - population.mean(middle)) < 4 * error).all()
        assert shares @ np.diff(depths) == pytest.approx((made.labels > 0).mean())
    assert plug_in_pair(made, "sharp", "sharp") is None


def test_a_short_list_spreads_its_items_over_the_depths_they_cover():
    one = rankings([0, 1], {"a": [1.0, 2.0]}, [2])
    depths, shares = relevance_steps(one, "a")
    expected = np.diff(np.minimum(depths, 0.5) * 2) / np.diff(depths) / 2
    assert shares == pytest.approx(expected)


def test_items_computed_are_near_those_of_the_truth(evaluation, known):
    from ndcg_companion.theory import ahead_probability

    for name in ("log", "power:0.25", "power:0.5"):
        row = evaluation.items[name]
        assert row["chance"] == pytest.approx(ahead_probability(known[1], DISCOUNTS[name], 200), abs=0.12)
        assert row["seen"] == pytest.approx(row["chance"], abs=4 * np.sqrt(0.25 / 100))


def test_growth_is_the_curve_of_each_list(known):
    made = of_queries(known[0], np.arange(6))
    grown = growth(made, timed=True)
    for query in range(6):
        part = slice(query * 200, (query + 1) * 200)
        curve = ndcg_curve(made.labels[part], made.scores["blunt"][part], discount=Log(), sizes=grown.sizes)
        np.testing.assert_allclose(grown.values[:, 0, 1, query], curve, rtol=1e-12)


def test_growth_ends_alike_in_every_order_and_says_when_it_flipped(evaluation):
    ends = [one.difference("log")[0][-1] for one in evaluation.growths.values()]
    assert ends[0] == pytest.approx(ends[1]) and set(evaluation.growths) == {"shuffled", "in time"}
    grown = evaluation.growths["shuffled"]
    mean, _ = grown.difference("log")
    flip = grown.last_flip("log")
    after = grown.sizes > (flip or 0)
    assert (mean[after] * mean[-1] > 0).all() and (
        flip is None or mean[grown.sizes == flip][0] * mean[-1] <= 0
    )


def test_growth_leaves_out_queries_without_a_relevant_item_and_never_all_sizes():
    """Short lists of which few have a relevant item among the first ones: there is a last size all the
    same.
    """
    labels = np.zeros((12, 40), dtype=int)
    labels[:8, -1] = 1
    sizes = [40] * 8 + [3] * 4
    kept = np.concatenate([labels[:8].ravel(), [1, 0, 0] * 3, [0, 0, 0]])
    scores = {name: np.random.default_rng(seed).random(len(kept)) for seed, name in enumerate("ab")}
    made = Evaluation(rankings(kept, scores, sizes))
    grown = made.growths["shuffled"]
    assert grown.values.shape[-1] == len(made.counting) == 11 and grown.sizes[-1] == 3
    assert np.isfinite(grown.difference("log")[0][-1])


def test_nobody_is_ahead_of_itself_at_any_size(known):
    sharp = known[0].scores["sharp"]
    same = Evaluation(Rankings(**vars(known[0]) | {"scores": {"one": sharp, "other": sharp.copy()}}))
    assert same.alike and same.growths["shuffled"].last_flip("log") is None


def test_the_model_of_items_is_held_against_what_is_seen(evaluation):
    """Its chance lies in the exact interval for the share seen, as the made example is drawn from such a
    model.
    """
    for row in evaluation.items.values():
        assert row["low"] < row["seen"] < row["high"] and row["fits"] == (
            row["low"] <= row["chance"] <= row["high"]
        )
    ends = binomtest(round(evaluation.items["log"]["seen"] * 100), 100).proportion_ci(0.95, "exact")
    assert (evaluation.items["log"]["low"], evaluation.items["log"]["high"]) == pytest.approx(
        (ends.low, ends.high)
    )
    assert evaluation.items["log"]["fits"]


def test_no_fewer_queries_are_said_to_do_than_flipping_signs_can_be_sure_with():
    labels = np.tile([1, 0, 0, 0, 0], 10)
    made = rankings(labels, {"right": labels, "wrong": -labels}, [5] * 10)
    assert Evaluation(made).table["log"]["queries_80"] == 6
    assert [2 / 2**q <= 0.05 for q in (5, 6)] == [False, True]


def test_drift_is_seen_where_there_is_some():
    """The first system is good on the first half of the arrivals only, the second on the other half only."""
    rng, q, n = np.random.default_rng(1), 60, 200
    labels = (rng.random((q, n)) < 0.2).astype(int)
    early = np.arange(n) < n // 2
    scores = {"early": labels * early + rng.random((q, n)), "late": labels * ~early + rng.random((q, n))}
    made = rankings(
        labels.ravel(),
        {name: values.ravel() for name, values in scores.items()},
        [n] * q,
        times=np.tile(np.arange(n), q),
    )
    drift = Evaluation(made).drift
    half = np.abs(drift["sizes"] - n / 2).argmin()
    assert drift["gap"][half] > 3 * drift["half_width"][half]
    assert drift["gap"][-1] == pytest.approx(0, abs=1e-12)


def test_bands_leave_out_what_has_no_value():
    mean, half = band(np.array([[1.0, 2.0, 3.0, np.nan], [np.nan] * 4]))
    assert (
        mean[0] == 2
        and half[0] == pytest.approx(t.ppf(0.975, 2) / np.sqrt(3))
        and np.isnan([mean[1], half[1]]).all()
    )


def test_traits_count_ties_and_what_nobody_judged():
    judged = np.array([True, False, True, True, True, True])
    scores = {"a": [1, 1, 2, 1, -np.inf, -np.inf], "b": [1, 2, 3, 4, 5, 6]}
    told = traits(rankings([0, 0, 2, 1, 0, 0], scores, [3, 3], judged=judged))
    assert (told["queries"], told["items"], told["smallest"]) == (2, 6, 3)
    assert told["labels"] == pytest.approx({"0": 4 / 6, "1": 1 / 6, "2": 1 / 6}) and told[
        "unjudged"
    ] == pytest.approx(1 / 6)
    assert told["systems"]["a"] == pytest.approx({"retrieved": 4 / 6, "tied": 2 / 4, "unjudged_top": 1 / 4})
    assert told["systems"]["b"]["tied"] == 0


def test_of_several_systems_the_best_two_are_looked_at_closely():
    made, _ = made_example(30, 100, seed=1)
    rng = np.random.default_rng(0)
    scores = {"noise": rng.random(3000), **made.scores, "label": made.labels + 0.1 * rng.random(3000)}
    evaluation = Evaluation(Rankings(**vars(made) | {"scores": scores}), seed=2)
    assert evaluation.names == ("label", "sharp")
    gaps, p = evaluation.matrix
    assert (
        gaps.shape == (4, 4)
        and (gaps[3, :3] > 0).all()
        and (p[3, :3] < 0.01).all()
        and np.isnan(np.diag(p)).all()
    )
    np.testing.assert_array_equal(gaps, -gaps.T)
    assert len(evaluation.everything) == 6 * len(evaluation.measures)
    assert Evaluation(evaluation.rankings, pair=("noise", "blunt")).names == ("noise", "blunt")


def test_the_same_seed_gives_the_same_numbers(known, evaluation):
    again = Evaluation(known[0], seed=3)
    assert (
        again.table == evaluation.table
        and again.confirmation == evaluation.confirmation
        and again.alarms == evaluation.alarms
    )
    assert Evaluation(known[0], seed=4).table != evaluation.table


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"scores": 1}, "at least 2 systems, got s0"),
        ({"scores": 21}, "at most 20 systems, got 21"),
        ({"labels": [1, 0, 1, 0, 1, 0, 0, 0]}, "at least 4 queries with a relevant item, got 3 of 4"),
        ({"pair": ("s0", "s9")}, "pair='s0,s9': expected two of s0, s1"),
        ({"pair": ("s0", "s0")}, "pair='s0,s0': expected two of"),
        ({"pair": ("s0",)}, "pair='s0': expected two of"),
    ],
)
def test_what_cannot_be_compared_is_refused(change, words):
    systems = {f"s{i}": np.arange(8.0) for i in range(change.get("scores", 2))}
    made = rankings(change.get("labels", [1, 0] * 4), systems, [2] * 4)
    with pytest.raises(ValueError, match=words):
        Evaluation(made, pair=change.get("pair"))
