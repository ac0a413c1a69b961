import subprocess
import sys
from dataclasses import replace
from functools import cache
from itertools import combinations

import numpy as np
import pandas
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ndcg_companion.evaluation import compare
from ndcg_companion.simulation import student_interval


def simulated(systems, queries, gaps, seed=0, items=30):
    """Judgments and runs of systems of growing skill on the same queries."""
    rng = np.random.default_rng(seed)
    frames = {}
    labels = rng.integers(0, 3, (queries, items))
    query, item = (index.ravel() for index in np.indices(labels.shape))
    truth = pandas.DataFrame({"query": query, "item": item, "label": labels.ravel()})
    for at in range(systems):
        scores = gaps * at * labels + rng.normal(size=labels.shape)
        frames[f"s{at}"] = pandas.DataFrame({"query": query, "item": item, "score": scores.ravel()})
    return truth, frames


@pytest.fixture(scope="module")
def five():
    return compare(*simulated(5, 40, 0.25), measures=["nDCG@10", "AP", "nDCG@0.2n"], baseline="s3")


def test_tables_agree_with_each_other(five):
    board, pairs, scores = five.leaderboard, five.pairs, five.scores
    means = scores[scores["measure"] == "nDCG@10"].groupby("system")["score"].mean()
    assert board["mean"].is_monotonic_decreasing
    assert dict(zip(board["system"], board["mean"])) == pytest.approx(means.to_dict())
    assert [*zip(pairs["first"], pairs["second"])][:10] == [*combinations(five.systems, 2)] and len(
        pairs
    ) == 30
    row = pairs.iloc[3]
    assert row["difference"] == pytest.approx(means[row["first"]] - means[row["second"]])
    assert (pairs["p"] <= pairs["p_family"] + 1e-12).all() and pairs["p_family"].between(0, 1).all()
    assert (pairs["low"] <= pairs["difference"]).all() and (pairs["difference"] <= pairs["high"]).all()
    groups = dict(zip(board["system"], map(set, board["group"])))
    for _, row in pairs[pairs["measure"] == "nDCG@10"].iterrows():
        assert (row["p_family"] <= 0.05) == (not groups[row["first"]] & groups[row["second"]])
    assert (
        five.measures["apart"].tolist()
        == pairs.groupby("measure", sort=False)["p_family"].agg(lambda p: (p <= 0.05).sum()).tolist()
    )
    assert (board["rank_low"] <= np.arange(1, 6)).all() and (board["rank_high"] >= np.arange(1, 6)).all()


def test_two_systems_and_one_measure_are_a_paired_test():
    comparison = compare(*simulated(2, 200, 0.2))
    row = comparison.pairs.iloc[0]
    difference = comparison.values[0, 0] - comparison.values[0, 1]
    low, high = student_interval(difference)
    assert row["p"] == row["p_family"] and row["effect"] == pytest.approx(
        difference.mean() / difference.std(ddof=1)
    )
    assert [row["low"], row["high"]] == pytest.approx([low, high], abs=0.03 * (high - low))


def test_pairs_are_those_of_another_max_t():
    """Written anew: Student's t of all pairs and measures under other random signs, step by step down."""
    comparison = compare(*simulated(7, 60, 0.12), measures=["nDCG@10", "AP", "P@5"])
    one, other = np.triu_indices(7, 1)
    gaps = (comparison.values[:, one] - comparison.values[:, other]).reshape(-1, 60)
    signs = np.random.default_rng(12).choice([-1.0, 1.0], (20_000, 60))
    means = signs @ gaps.T / 60
    t = np.abs(means) / np.sqrt(((gaps**2).mean(axis=1) - means**2) / 59)
    seen = np.abs(gaps.mean(axis=1)) / gaps.std(axis=1, ddof=1) * np.sqrt(60)
    p, least, left = np.empty(len(seen)), 0.0, np.argsort(seen)[::-1].tolist()
    while left:
        reached = (t[:, left].max(axis=1) >= seen[left[0]] - 1e-9).sum()
        least = p[left[0]] = max(least, (reached + 1) / 20_001)
        del left[0]
    found = comparison.pairs["p_family"].to_numpy()
    noise = 4 * np.sqrt(found * (1 - found) * (1 / 20_000 + 1 / 50_000)) + 1 / 20_000
    assert (np.abs(p - found) <= noise).all() and 5 < (found <= 0.05).sum() < 58


@settings(max_examples=30)
@given(st.sets(st.sampled_from("abcdef"), min_size=2), st.sampled_from(["average", "trec_eval", "worst"]))
def test_a_pair_depends_on_others_only_through_the_family(names, ties):
    """Whoever is named beside them: scores, differences, effects, and the p-value of the pair alone."""
    labels, systems = crowd()
    options = {"measures": ["nDCG@10", "AP", "RR", "Judged@5"], "ties": ties}
    everybody = compare(labels, systems, **options)
    few = compare(labels, {name: systems[name] for name in sorted(names)}, **options)
    at = [everybody.systems.index(name) for name in few.systems]
    assert np.array_equal(few.values, everybody.values[:, at])
    assert few.traits == {name: everybody.traits[name] for name in few.systems}
    keys, alone = ["first", "second", "measure"], ["difference", "effect", "p"]
    merged = few.pairs.merge(everybody.pairs, on=keys, suffixes=("", "_all"), validate="one_to_one")
    assert len(merged) == len(few.pairs)
    for name in alone:
        assert np.array_equal(merged[name], merged[f"{name}_all"], equal_nan=True), name
    assert (merged["p_family"] <= merged["p_family_all"] + 1e-12).all()
    width, wider = merged["high"] - merged["low"], merged["high_all"] - merged["low_all"]
    ratio = few.flips.critical / everybody.flips.critical
    assert ratio <= 1 and width.to_numpy() == pytest.approx(ratio * wider.to_numpy(), abs=1e-12)


@cache
def crowd():
    """Six systems that each retrieved other items, with ties, one of them hardly any."""
    rng = np.random.default_rng(4)
    qrels = {f"q{q}": {f"d{d}": int(rng.integers(-1, 3)) for d in range(20)} for q in range(14)}
    runs = {
        name: {
            query: {
                f"d{d}": float(rng.integers(0, 9)) for d in rng.choice(40, 3 if name == "f" else 25, False)
            }
            for query in qrels
        }
        for name in "abcdef"
    }
    return qrels, runs


def test_what_needs_n_is_left_out_with_its_reason(made):
    qrels, runs = made
    comparison = compare(qrels, runs, measures=["nDCG@0.2n", "nDCG@10"])
    assert comparison.measure_names == ["nDCG@10"]
    assert any("Left out: nDCG@0.2n; it needs the length" in note for note in comparison.notes)
    with pytest.raises(
        ValueError, match="expected some beside RankDCG, which needs every system to rank every"
    ):
        compare(qrels, runs, measures=["RankDCG"])


def test_nothing_is_left_out_in_silence(made):
    qrels, runs = made
    qrels = qrels | {"barren": dict.fromkeys(qrels["q0"], 0)}
    runs = {name: run | {"barren": run["q0"]} for name, run in runs.items()}
    del runs["poor"]["q1"]
    with pytest.raises(ValueError, match="query q1 is not in system poor"):
        compare(qrels, runs)
    zero, drop = (compare(qrels, runs, missing=missing) for missing in ("zero", "drop"))
    assert zero.values[0, 2, zero.queries.index("q1")] == 0 and "q1" not in drop.queries
    for text in (
        "1 query without a relevant item",
        "retrieved nothing: poor (1)",
        "grades below zero",
        "judged",
    ):
        assert text in zero.answer
    assert "1 query that the judgments or a run do not have (q1)" in drop.answer
    means = [one.leaderboard.set_index("system")["mean"]["poor"] for one in (zero, drop)]
    assert means[0] == pytest.approx(means[1] * 11 / 12)


def test_heavy_ties_are_warned_of():
    labels, systems = simulated(2, 20, 0.5)
    systems["s1"]["score"] = 1.0
    comparison = compare(labels, systems)
    (warning,) = [note for note in comparison.notes if note.startswith("Beware: s1")]
    other = compare(labels, systems, ties="trec_eval").leaderboard.set_index("system")["mean"]["s1"]
    assert "100 %" in warning and f"{other:.4f}" in warning
    assert not any("s0 gives" in note for note in comparison.notes)


def test_ties_that_change_nothing_are_not_warned_of():
    """Those of items that are worth nothing, such as what was not retrieved and got one low score."""
    labels, systems = simulated(2, 20, 0.5)
    for frame in systems.values():
        frame.loc[labels["label"] == 0, "score"] = -99.0
    assert not any("gives" in note for note in compare(labels, systems).notes)


def test_ranks_that_contradict_the_scores_are_warned_of(tmp_path):
    """Scores that are distances come with ranks that say the opposite."""
    (tmp_path / "qrels").write_text("".join(f"{q} 0 d{i} {i % 3}\n" for q in range(9) for i in range(9)))
    for name, sign in (("near", 1), ("far", -1)):
        lines = [f"{q} Q0 d{i} {i} {sign * (q + i)} {name}\n" for q in range(9) for i in range(9)]
        (tmp_path / name).write_text("".join(lines))
    comparison = compare(tmp_path / "qrels", {name: tmp_path / name for name in ("near", "far")})
    (warning,) = [note for note in comparison.notes if "rank column" in note]
    assert "near (100 %). As in trec_eval the scores count" in warning and "far" not in warning


@pytest.mark.parametrize(
    ("measures", "said"),
    [
        (["nDCG@10"], "at most 5 (few) documents for a query are short for nDCG@10, which can count 10."),
        (
            ["nDCG@10", "R@100"],
            "5 (few), 20 (many) documents for a query are short for R@100, which can count 100.",
        ),
        (["AP"], "at most 5 (few) documents for a query are short for AP, which can count 20."),
        (["P@5"], None),
        (["Judged@10"], None),
    ],
)
def test_short_lists_are_warned_of(measures, said):
    qrels = {f"q{q}": {f"d{d}": d % 2 for d in range(40)} for q in range(8)}
    runs = {
        name: {query: {f"d{d}": -d for d in range(size)} for query in qrels}
        for name, size in (("few", 5), ("many", 20))
    }
    notes = [note for note in compare(qrels, runs, measures=measures).notes if "short" in note]
    assert [said in note for note in notes] == ([True] if said else [])


def test_lists_that_have_all_there_is_are_not_short():
    labels, systems = simulated(2, 8, 0.5, items=4)
    assert not any("short" in note for note in compare(labels, systems).notes)


def test_judged_shares_are_those_of_each_system_if_they_are_few():
    qrels = {f"q{q}": {"a": 1, "b": 0} for q in range(8)}
    runs = {f"s{at}": {q: {"a": 2, **{f"x{d}": 1 for d in range(at)}} for q in qrels} for at in range(6)}
    few, many = compare(qrels, dict([*runs.items()][:3])), compare(qrels, runs)
    assert any("100 % (s0), 50 % (s1), 33 % (s2) are judged" in note for note in few.notes)
    assert any("17 to 100 % are judged" in note for note in many.notes)


def test_a_p_value_of_a_family_stands_beside_the_one_alone():
    labels, systems = simulated(2, 40, 0.1)
    both, alone = (compare(labels, systems, measures=names) for names in (["nDCG@10", "AP"], ["nDCG@10"]))
    pair = both.pairs.iloc[0]
    assert f"{pair['p_family']:.2g} in a family of 2 comparisons, p = {pair['p']:.2g} alone)" in both.answer
    assert "family" not in alone.answer and pair["p"] < pair["p_family"]
    sure = compare(*simulated(2, 100, 1.0), measures=["nDCG@10", "AP"])
    assert "p < 0.0001 in a family of 2 comparisons)" in sure.answer


def test_how_many_queries_it_would_take_is_said_of_both_ends():
    labels, systems = simulated(3, 40, 0.02)
    del systems["s2"]
    two = compare(labels, systems)
    row = two.leaderboard.iloc[0]
    assert row["queries_high"] == np.inf and "next on the leaderboard" not in two.answer
    assert (
        f"queries if they differ as much as here, {row['queries_low']:.0f} if as much as these 40"
        in two.answer
    )
    systems["again"] = systems["s0"]  # of which no number of queries would tell anything
    three = compare(labels, systems)
    board = three.leaderboard["system"].tolist()
    assert f"To tell {board[0]} from {board[1]}" in three.answer or f"To tell {board[1]} from" in three.answer
    assert "To tell s0 from again" not in three.answer and "To tell again from s0" not in three.answer


@pytest.mark.parametrize("p_family", [0.05, 0.3])
def test_the_seed_is_spoken_of_where_it_may_matter(monkeypatch, p_family):
    comparison = compare(*simulated(2, 40, 0.02))
    moved = replace(comparison.flips, p_family=np.array([p_family]))
    monkeypatch.setattr(comparison, "flips", moved)
    assert (
        "Another seed would move one near 0.05 by about 0.0019, which may turn 1 pair." in comparison.answer
    ) == (p_family == 0.05)


def test_identical_systems_tell_nothing():
    labels, systems = simulated(1, 20, 0)
    comparison = compare(labels, {"a": systems["s0"], "b": systems["s0"]}, baseline="a")
    assert "score the same on every query" in comparison.answer and "To tell" not in comparison.answer
    assert comparison.leaderboard["group"].tolist() == ["a", "a"]
    assert comparison.pairs[["difference", "low", "high", "effect"]].to_numpy().tolist() == [[0, 0, 0, 0]]
    assert comparison.gate("nDCG@10 < -0.001") and not comparison.gate("nDCG@10 < 0")


def test_one_system_one_query_and_none():
    labels, systems = simulated(2, 1, 0.5)
    one = compare(labels, systems)
    assert (
        "on 1 query" in one.answer
        and one.pairs["p_family"].tolist() == [1]
        and one.leaderboard[["low", "high"]].to_numpy().tolist() == [[0, 1], [0, 1]]
    )
    alone = compare(*simulated(1, 30, 0))
    assert alone.pairs.empty and "p_family" in alone.pairs and "95 % interval" in alone.answer
    assert not compare(labels, systems, baseline="s0").gate("nDCG@10 < -0.5")
    with pytest.raises(ValueError, match="expected a query with a relevant item, got none"):
        compare(labels.assign(label=0), systems)


def test_thirty_systems():
    comparison = compare(*simulated(30, 50, 0.03, items=12))
    assert len(comparison.pairs) == 435 and len(comparison.leaderboard) == 30
    assert 0 < comparison.measures["apart"][0] < 435


def test_a_broken_release_is_caught_and_a_good_one_passes(five):
    labels, systems = simulated(2, 300, 0.0, seed=3)
    good = systems["s0"].assign(score=systems["s0"]["score"] + 1e-3 * systems["s1"]["score"])
    broken = systems["s0"].assign(score=systems["s0"]["score"] - labels["label"])
    passing = compare(labels, {"live": systems["s0"], "new": good}, baseline="live")
    assert passing.gate("nDCG@10 < -0.01") and passing.answer.startswith(
        "Gate nDCG@10 < −0.01 against live: passed"
    )
    failing = compare(labels, {"live": systems["s0"], "new": broken}, baseline="live")
    assert not failing.gate("nDCG@10 < -0.01") and "failed, worse. new by −" in failing.answer
    undecided = compare(
        labels.query("query < 20"), {n: f.query("query < 20") for n, f in systems.items()}, baseline="s0"
    )
    assert not undecided.gate("nDCG@10 < -0.01") and "undecided: about" in undecided.answer
    assert "queries to pass with 90 % certainty; there are 20" in undecided.answer


def test_the_gate_is_the_one_sided_simultaneous_interval(five):
    names, means, spreads, critical = five.against_baseline("AP")
    low = means - critical * spreads / np.sqrt(40)
    assert names == ["s0", "s1", "s2", "s4"] and 1.65 < critical < 2.6
    assert five.gate(f"AP < {low.min() - 1e-6}") and not five.gate(f"AP < {low.min() + 1e-6}")


def test_a_plan_is_given_before_the_verdict():
    comparison = compare(*simulated(2, 50, 0.1), baseline="s0")
    assert "A gate against s0 on nDCG@10 passes a release that does no harm" in comparison.answer
    comparison.gate("nDCG@10 < -0.01")
    assert "A gate against" not in comparison.answer and "90 % certainty" in comparison.answer


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nDCG@10", "expected 'MEASURE < MARGIN'"),
        ("nDCG@10 > 0.1", "expected 'MEASURE < MARGIN'"),
        ("nDCG@10 < 1.2.3", "expected a number after <"),
        ("P@5 < -0.1", "expected a measure that is compared, one of nDCG@10, AP"),
        ("nDGC@10 < -0.1", "did you mean 'nDCG'"),
        (None, "expected 'MEASURE"),
    ],
)
def test_a_gate_that_cannot_be_read_is_refused(five, text, message):
    with pytest.raises(ValueError, match=message):
        five.gate(text)


def test_arguments():
    labels, systems = simulated(2, 8, 0.5)
    for options, message in (
        ({"baseline": "x"}, "baseline='x': expected one of s0, s1"),
        ({"seed": -1}, "seed=-1: expected a whole number"),
        ({"seed": "a"}, "seed='a'"),
        ({"missing": "keep"}, "missing='keep': expected one of"),
        ({"gain": "cubic"}, "gain='cubic'"),
        ({"measures": []}, "measures="),
        ({"measures": None}, "measures=None: expected a list of names"),
        ({"measures": 3}, "measures=3: expected a list of names"),
        ({"baseline": ["s0"]}, "baseline='.*': expected one of s0, s1"),
        ({"scheduler": "nonsense"}, "scheduler='nonsense'"),
    ):
        with pytest.raises(ValueError, match=message):
            compare(labels, systems, **options)
    with pytest.raises(ValueError, match="expected a baseline and at least one other system"):
        compare(labels, systems).gate("nDCG@10 < -0.1")


LIGHT = """
import sys
class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {"matplotlib", "pyarrow", "IPython", "sklearn", "seaborn", "joblib",
                                      "tqdm", "nbformat", "sphinx", "yaml", "bs4", "pytrec_eval", "dask"}:
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Refuse())
from ndcg_companion.evaluation import compare
qrels = {f"q{i}": {"a": 1, "b": 0} for i in range(8)}
runs = {n: {q: {"a": x, "b": 1.5} for q in qrels} for n, x in (("good", 2.0), ("poor", 1.0))}
comparison = compare(qrels, runs, measures=["nDCG@10", "AP", "RR"], baseline="good")
comparison.gate("AP < -0.1")
comparison.save(sys.argv[1])
print(comparison.answer)
"""


def test_a_light_environment_will_do(tmp_path):
    done = subprocess.run([sys.executable, "-c", LIGHT, tmp_path / "out"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert (
        "good is ahead of poor" in done.stdout
        and "more than chance explains." in done.stdout
        and (tmp_path / "out" / "index.html").exists()
    )


def test_a_cluster_gives_the_same_numbers():
    distributed = pytest.importorskip("distributed")
    labels, systems = simulated(4, 30, 0.1)
    here = compare(labels, systems)
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None
    ) as cluster:
        there = compare(labels, systems, scheduler=cluster.scheduler_address)
    assert np.array_equal(here.values, there.values) and here.pairs.equals(there.pairs)


def test_two_queries_promise_nothing_and_warn_of_nothing():
    """One system is perfect on both, so that its scores do not vary at all."""
    labels = {"q1": {"a": 1, "b": 0}, "q2": {"a": 0, "b": 1}}
    runs = {
        "good": {"q1": {"a": 2, "b": 1}, "q2": {"a": 1, "b": 2}},
        "bad": {"q1": {"a": 1, "b": 2}, "q2": {"a": 1, "b": 2}},
    }
    comparison = compare(labels, runs)
    assert comparison.leaderboard[["low", "high"]].to_numpy().tolist() == [[0, 1], [0, 1]]
    assert "fewer than six" in comparison.answer and "number of queries" not in comparison.answer
