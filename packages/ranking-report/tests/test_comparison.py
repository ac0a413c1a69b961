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
from report_support import failing, simulated

from ndcg_companion.significance.planning import gate_queries
from ndcg_companion.simulation import student_interval
from ranking_report import compare
from ranking_report.bounds import lower_bound
from ranking_report.gating import highest_scores
from ranking_report.inputs import gather
from ranking_report.measure_names import Measure, parse_measures
from ranking_report.notes import short_lists
from ranking_report.page import files
from ranking_report.remarks import remarks
from ranking_report.tie_orders import changed_means


def said(comparison):
    """All that the answer and the remarks of a comparison say, in one line."""
    return " ".join([*comparison.answer.split(), *remarks(comparison)])


@pytest.fixture(scope="module")
def five():
    return compare(*simulated(5, 40, 0.25), measures=["nDCG@10", "AP", "nDCG@0.2n"])


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
    assert (((pairs["low"] > 0) | (pairs["high"] < 0)) == (pairs["p_family"] <= 0.05)).all()
    assert 0 < (pairs["p_family"] <= 0.05).sum() < 30
    assert (pairs["low"] <= pairs["difference"]).all() and (pairs["difference"] <= pairs["high"]).all()
    groups = dict(zip(board["system"], map(set, board["group"])))
    for _, row in pairs[pairs["measure"] == "nDCG@10"].iterrows():
        assert (row["p_family"] <= 0.05) == (not groups[row["first"]] & groups[row["second"]])
    assert (
        five.measures["apart"].tolist()
        == pairs.groupby("measure", sort=False)["p_family"].agg(lambda p: (p <= 0.05).sum()).tolist()
    )
    assert (board["rank_low"] <= np.arange(1, 6)).all() and (board["rank_high"] >= np.arange(1, 6)).all()
    by_pair = pairs[pairs["measure"] == "nDCG@10"].set_index(["first", "second"])["queries"].to_dict()
    needed = [by_pair[tuple(sorted(pair))] for pair in zip(board["system"], board["system"][1:])]
    assert board["queries"].tolist()[:-1] == needed and np.isnan(board["queries"].iloc[-1])
    values = scores[scores["measure"] == "nDCG@10"].groupby("system")["score"]
    half = five.level_flips.critical * values.std()[board["system"]].to_numpy() / np.sqrt(40)
    assert (board["high"] - board["mean"]).to_numpy() == pytest.approx(half) == (board["mean"] - board["low"])


def test_two_systems_and_one_measure_are_a_paired_test():
    comparison = compare(*simulated(2, 200, 0.2))
    row = comparison.pairs.iloc[0]
    difference = comparison.values[0, 0] - comparison.values[0, 1]
    low, high = student_interval(difference)
    assert row["p"] == pytest.approx(row["p_family"], abs=0.01) and row["effect"] == pytest.approx(
        difference.mean() / difference.std(ddof=1)
    )
    assert [row["low"], row["high"]] == pytest.approx([low, high], abs=0.03 * (high - low))


def test_pairs_are_those_of_another_max_t():
    """A new implementation uses Student's t under other random signs, with raw and centred differences."""
    comparison = compare(*simulated(7, 60, 0.12), measures=["nDCG@10", "AP", "P@5"])
    first, other = np.triu_indices(7, 1)
    gaps = (comparison.values[:, first] - comparison.values[:, other]).reshape(-1, 60)
    signs = np.random.default_rng(12).choice([-1.0, 1.0], (20_000, 60))
    seen = np.abs(gaps.mean(axis=1)) / gaps.std(axis=1, ddof=1) * np.sqrt(60)
    p = np.zeros(len(seen))
    for rows in (gaps, gaps - gaps.mean(axis=1, keepdims=True)):
        share = np.abs(signs @ rows.T) / np.sqrt((rows**2).sum(axis=1))
        highest = (share * np.sqrt(59 / (60 - share**2))).max(axis=1)
        p = np.maximum(p, ((highest[:, None] >= seen - 1e-9).sum(axis=0) + 1) / 20_001)
    result = comparison.pairs["p_family"].to_numpy()
    noise = 4 * np.sqrt(result * (1 - result) * (1 / 20_000 + 1 / 50_000)) + 1 / 20_000
    assert (np.abs(p - result) <= noise).all() and 5 < (result <= 0.05).sum() < 58


@settings(max_examples=30)
@given(st.sets(st.sampled_from("abcdef"), min_size=2), st.sampled_from(["average", "trec_eval", "worst"]))
def test_a_pair_depends_on_others_only_through_the_family(names, ties):
    """Scores, differences, effects and the unadjusted p-value of a pair do not depend on other systems."""
    everybody, few = compared(ties), compared(ties, tuple(sorted(names)))
    positions = [everybody.systems.index(name) for name in few.systems]
    assert np.array_equal(few.values, everybody.values[:, positions])
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
def compared(ties, names=None):
    """All systems of the crowd, or these, by four measures."""
    labels, systems = crowd()
    systems = {name: systems[name] for name in names or systems}
    return compare(labels, systems, measures=["nDCG@10", "AP", "RR", "Judged@5"], ties=ties)


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


def test_what_needs_n_is_left_out_with_its_reason(qrels_and_runs):
    qrels, runs = qrels_and_runs
    comparison = compare(qrels, runs, measures=["nDCG@0.2n", "nDCG@10"])
    assert comparison.measure_names == ["nDCG@10"]
    assert any(
        "Left out: nDCG@0.2n; a measure that depends on the length" in note for note in comparison.notes
    )
    with pytest.raises(
        ValueError, match="expected a measure that does not depend on the length of the lists, .* got RankDCG"
    ):
        compare(qrels, runs, measures=["RankDCG"])


def test_everything_that_is_left_out_is_reported(qrels_and_runs):
    qrels, runs = qrels_and_runs
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
        assert text in said(zero)
    assert "1 query that the judgments or a run do not have (q1)" in said(drop)
    means = [comparison.leaderboard.set_index("system")["mean"]["poor"] for comparison in (zero, drop)]
    assert means[0] == pytest.approx(means[1] * 11 / 12)


def test_heavy_ties_are_warned_of():
    labels, systems = simulated(2, 20, 0.5)
    systems["s1"]["score"] = 1.0
    comparison = compare(labels, systems)
    (warning,) = [note for note in comparison.notes if note.startswith("Beware: tied scores")]
    other = compare(labels, systems, ties="trec_eval").leaderboard.set_index("system")["mean"]["s1"]
    assert "s1 gives 100 %" in warning and f"{other:.4f}" in warning and "s0 gives" not in warning


@pytest.mark.parametrize("ties", ["average", "best", "trec_eval"])
def test_every_mean_that_another_order_of_ties_changes_is_warned_of(ties):
    """This holds however few ties there are, under every measure, and if scores only tie in 32 bits."""
    rng = np.random.default_rng(6)
    qrels = {f"q{q}": {f"d{d}": int(rng.integers(0, 2)) for d in range(30)} | {"d": 1} for q in range(20)}
    runs = {name: {q: {d: rng.random() for d in docs} for q, docs in qrels.items()} for name in "abcdefgh"}
    query = next(q for q in qrels if qrels[q]["d0"] != qrels[q]["d1"])
    for name, scores in (("a", (9, 9)), ("b", (9 + 1e-9, 9)), ("c", (9, 9 + 1e-9)), ("d", (-9, -9))):
        runs[name][query] |= dict(zip(("d0", "d1"), scores))
    for items in runs["e"].values():
        items |= {d: round(score, 1) for d, score in items.items()}
    runs["f"][query] |= {"d0": 9, "unjudged": 9}
    measures = ["nDCG@10", "AP", "P@1", "Judged@1"]
    ours, theirs = (compare(qrels, runs, measures=measures, ties=order) for order in (ties, "trec_eval"))
    lines = changed_means(ours)
    changed = {name: [] for name in runs}
    for measure in measures:
        for name, mean, other in zip(
            runs, *(each.means.set_index("system").loc[[*runs], measure] for each in (ours, theirs))
        ):
            if f"{mean:.4f}" != f"{other:.4f}":
                changed[name].append((measure, pytest.approx(mean), pytest.approx(other)))
    assert lines == {name: rows for name, rows in changed.items() if rows}
    assert ("tied scores change means" in ours.answer) == bool(lines)
    if ties == "average":  # of two neighbours in 64 bits that tie in 32, one order is trec_eval's
        assert {"a", "e", "f"} <= lines.keys() and not {"g", "h"} & lines.keys()
        assert len({"b", "c"} & lines.keys()) == 1
    assert lines or ties == "trec_eval"


def test_of_many_systems_that_tie_all_are_named():
    labels, systems = simulated(7, 12, 0.5)
    for frame in systems.values():
        frame["score"] = frame["score"].round()
    comparison = compare(labels, systems)
    changed = changed_means(comparison)
    (line,) = [note for note in comparison.notes if "tied scores" in note]
    assert line.endswith(f", and {len(changed) - 1} more means.") and {*changed} == {*systems}
    page = files(comparison)["index.html"]
    table = page[page.index("Means that tied scores change") :].partition("</table>")[0]
    assert all(f">{name}</td>" in table for name in systems) and table.count("<tr>") == 1 + len(systems)


def test_systems_whose_means_change_most_are_warned_of_first():
    """The order follows the size of the change, not the means, which fall while the changes grow."""
    qrels = {f"q{q}": {"a": 0, "b": 1} for q in range(30)}
    runs = {
        name: {
            q: {"a": 1, "b": 1} if index < ties else {"a": 1, "b": 2 if index < 30 - lost else 0}
            for index, q in enumerate(qrels)
        }
        for name, ties, lost in (("x", 2, 2), ("y", 8, 10), ("z", 5, 6))
    }
    comparison = compare(qrels, runs, measures=["P@1", "AP"])
    changed = changed_means(comparison)
    assert [*changed] == ["y", "z", "x"]
    assert all([name for name, *_ in rows] == ["P@1", "AP"] for rows in changed.values())
    assert any(note.startswith("Beware: tied scores change means: y gives") for note in comparison.notes)


def test_ties_that_change_nothing_are_not_warned_of():
    """These are ties of worthless items, such as those that were not retrieved and got one low score."""
    labels, systems = simulated(2, 20, 0.5)
    for frame in systems.values():
        frame.loc[labels["label"] == 0, "score"] = -99.0
    assert not any("gives" in note for note in compare(labels, systems).notes)


def test_ranks_that_contradict_the_scores_are_warned_of(tmp_path):
    """If the scores are distances, the ranks have the opposite order."""
    (tmp_path / "qrels").write_text("".join(f"{q} 0 d{i} {i % 3}\n" for q in range(9) for i in range(9)))
    for name, sign in (("near", 1), ("far", -1)):
        lines = [f"{q} Q0 d{i} {i} {sign * (q + i)} {name}\n" for q in range(9) for i in range(9)]
        (tmp_path / name).write_text("".join(lines))
    comparison = compare(tmp_path / "qrels", {name: tmp_path / name for name in ("near", "far")})
    (warning,) = [note for note in comparison.notes if "rank column" in note]
    assert "near (100 %). As in trec_eval, only the scores count" in warning and "far" not in warning


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
    runs = {
        f"s{number}": {q: {"a": 2, **{f"x{d}": 1 for d in range(number)}} for q in qrels}
        for number in range(6)
    }
    few, many = compare(qrels, dict([*runs.items()][:3])), compare(qrels, runs)
    assert any("100 % (s0), 50 % (s1), 33 % (s2) are judged" in note for note in few.notes)
    assert any("17 to 100 % are judged" in note for note in many.notes)


DEPTHS = ["nDCG@5", "AP", "P@20", "nDCG"]


def test_the_means_of_all_measures_are_in_one_table():
    comparison = compare(*simulated(4, 20, 0.2), measures=DEPTHS)
    means = comparison.scores.pivot_table(index="system", columns="measure", values="score")
    assert comparison.means.columns.tolist() == ["system", *DEPTHS]
    assert comparison.means["system"].tolist() == comparison.leaderboard["system"].tolist()
    result = comparison.means.set_index("system").sort_index()
    np.testing.assert_allclose(result, means[DEPTHS].sort_index(), rtol=1e-12)


def test_identical_systems_have_no_difference_and_no_interval():
    labels, systems = simulated(1, 20, 0)
    comparison = compare(labels, {"a": systems["s0"], "b": systems["s0"]}, baseline="a")
    assert "a and b have the same score on every query" in comparison.answer
    assert "queries are needed" not in said(comparison)
    assert comparison.leaderboard["group"].tolist() == ["baseline", "not significant"]
    assert comparison.pairs[["difference", "effect"]].to_numpy().tolist() == [[0, 0]]
    assert comparison.pairs[["low", "high"]].isna().all(axis=None)
    assert comparison.gate("nDCG@10 < -0.2") and not comparison.gate("nDCG@10 < 0")
    gate = comparison.gate("nDCG@10 < -0.1")
    assert not gate  # one query in eight may fail and not be among twenty
    assert "its scores differ on 0 of 20 queries" in gate.answer


def test_one_system_one_query_and_none():
    labels, systems = simulated(2, 1, 0.5)
    comparison = compare(labels, systems)
    assert (
        "over 1 query" in comparison.answer
        and comparison.pairs["p_family"].tolist() == [1]
        and comparison.leaderboard[["low", "high"]].to_numpy().tolist() == [[0, 1], [0, 1]]
    )
    alone = compare(*simulated(1, 30, 0))
    assert alone.pairs.empty and "p_family" in alone.pairs and "95 % interval" in alone.answer
    assert not compare(labels, systems, baseline="s0").gate("nDCG@10 < -0.2")
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
    gate = passing.gate("nDCG@10 < -0.01")
    expected = "Gate passed: a loss of more than 0.01 in nDCG@10 is excluded for new.\nnew - live: "
    assert gate and gate.passed and gate.verdict == "pass" and gate.answer.startswith(expected)
    failing = compare(labels, {"live": systems["s0"], "new": broken}, baseline="live")
    gate = failing.gate("nDCG@10 < -0.01")
    expected = "Gate failed: new loses more than 0.01 in nDCG@10 to live.\nnew - live: -"
    assert not gate and gate.verdict == "worse" and str(gate).startswith(expected)
    undecided = compare(
        labels.query("query < 20"), {n: f.query("query < 20") for n, f in systems.items()}, baseline="s0"
    )
    gate = undecided.gate("nDCG@10 < -0.01")
    assert not gate and gate.verdict == "undecided"
    assert "Gate failed: a loss of more than 0.01 in nDCG@10 is not excluded for s1." in gate.answer
    assert "a probability of 90 %, if its differences vary as much as these; there are 20." in gate.remarks[0]


def test_a_gate_tests_the_worst_system_by_its_own_bound():
    """Every system has to pass, so each is tested at 5 %. Statements on single systems are simultaneous."""
    five = compare(*simulated(5, 40, 0.25), measures=["nDCG@10", "AP", "nDCG@0.2n"], baseline="s3")
    gaps = five.against_baseline("AP")
    assert [*gaps] == ["s0", "s1", "s2", "s4"]
    low = min(lower_bound(row, -1) for row in gaps.values())
    assert five.gate(f"AP < {low - 1e-6}") and not five.gate(f"AP < {low + 1e-6}")
    gate = five.gate(f"AP < {low + 1e-6}")
    assert gate.low == low and f"lower bound {low:.3f}" in gate.answer
    for name, tested in gate.systems.items():
        assert tested["low"] == lower_bound(gaps[name], -1, 0.05 / 4) <= lower_bound(gaps[name], -1)
        assert tested["high"] == -lower_bound(-gaps[name], -1, 0.05 / 4)


@pytest.mark.parametrize(
    ("options", "gate", "message"),
    [
        ({"measures": ["nDCG@10", "AP(rel=2)"]}, "AP(rel=2) < -0.01", "no system can lose more than 0"),
        ({"measures": ["P(rel=2)@5"]}, "P(rel=2)@5 < -0.01", "no system can lose more than 0"),
        ({"gain": {0: 0, 1: 0}}, "nDCG@10 < -0.01", "no system can lose more than 0"),
        (
            {"measures": ["P@50"]},
            "P@50 < -0.02",
            "of old is 0.02 in the mean, so no system can lose more",
        ),
        ({"measures": ["RBP(p=0.9)"]}, "RBP(p=0.9) < -0.11", "no system can lose more than 0.1"),
        ({"measures": ["ERR"]}, "ERR < -0.07", "no system can lose more than 0.0625"),
        ({"measures": ["P@5"]}, "P@5 < 0.01", "on these queries none over old is larger than 0"),
        ({"ties": "best"}, "nDCG@10 < -0.1", "expected ties='average', got 'best'"),
        ({"ties": "trec_eval"}, "nDCG@10 < -0.1", "expected ties='average', got 'trec_eval'"),
        ({}, "nDCG@10 < -1", "expected a margin between -1 and 1"),
        ({}, "nDCG@10 < 1", "expected a margin between -1 and 1"),
        ({}, "nDCG@10 < -5", "expected a margin between -1 and 1"),
        ({}, "nDCG@10 < -1e400", "expected a margin between -1 and 1"),
        ({"measures": ["P@1"]}, "P@1 < -1.5", "expected a margin between -1 and 1"),
        ({"missing": "drop"}, "nDCG@10 < -0.01", "expected missing='raise' or 'zero', got 'drop'"),
    ],
)
def test_a_gate_that_nothing_can_fail_is_rejected(options, gate, message):
    qrels, runs = failing(40, 40)
    comparison = compare(qrels, runs, baseline="old", **options)
    with pytest.raises(ValueError, match=message):
        comparison.gate(gate)


def test_a_margin_beyond_the_queries_that_can_lose_is_rejected():
    qrels, runs = failing(40, 40)
    for query in [*qrels][:4]:
        qrels[query]["a"] = 2
    comparison = compare(qrels, runs, measures=["nDCG@10", "AP(rel=2)"], baseline="old")
    assert not comparison.gate("AP(rel=2) < -0.09")
    with pytest.raises(ValueError, match=r"AP.rel=2. of old is 0.1 in the mean, so no system can lose more"):
        comparison.gate("AP(rel=2) < -0.1")


def test_a_gate_rejects_a_baseline_without_results_for_a_query(tmp_path):
    """Every release gains on such a query, so every release would pass."""
    qrels, runs = failing(40, 0)
    (tmp_path / "live").write_text("".join(f"q{q} Q0 a 1 1.0 live\n" for q in range(38)))
    comparison = compare(
        qrels, {"live": tmp_path / "live", "new": runs["new"]}, missing="zero", baseline="live"
    )
    with pytest.raises(ValueError, match=r"baseline='live': .* got none for 2 of 40 \(q38, q39\)"):
        comparison.gate("nDCG@10 < -0.05")
    turned = compare(qrels, {"live": tmp_path / "live", "new": runs["new"]}, missing="zero", baseline="new")
    assert not turned.gate("nDCG@10 < -0.01")


def listed(*items):
    """Scores by which these items stand in this order."""
    return {item: -float(index) for index, item in enumerate(items)}


@pytest.mark.parametrize("measure", ["RR", "AP", "nDCG@10", "nDCG@100", "RBP(p=0.5)", "ERR@20", "P@1"])
def test_a_gate_rejects_a_baseline_with_an_unjudged_result_at_the_top_of_each_list(measure):
    """Nine of the first ten results are judged, but the result with the largest weight is not."""
    qrels = {f"q{q}": {f"d{d}": int(d == 0) for d in range(20)} for q in range(40)}
    items = [f"d{d}" for d in range(20)]
    live = dict.fromkeys(qrels, listed("u", *items))
    new = dict.fromkeys(qrels, listed("d1", "d0", *items[2:]))
    comparison = compare(qrels, {"live": live, "new": new}, measures=[measure], baseline="live")
    with pytest.raises(ValueError, match="got 0 % of the first result of each query, against 100 % for new"):
        comparison.gate(f"{measure} < -0.001")


def test_a_gate_on_complete_lists_needs_a_baseline_that_is_judged_below_its_top():
    relevant, others = [f"r{d}" for d in range(10)], [f"n{d}" for d in range(12)]
    qrels = {f"q{q}": dict.fromkeys(relevant, 1) | dict.fromkeys(others, 0) for q in range(40)}
    live = dict.fromkeys(qrels, listed("r0", *others[:9], *(f"u{d}" for d in range(20))))
    new = dict.fromkeys(qrels, listed(*others, *relevant[:9]))
    comparison = compare(qrels, {"live": live, "new": new}, measures=["AP", "P@10"], baseline="live")
    with pytest.raises(ValueError, match=r"got 33 % of the first 30 results of each query, against 100 %"):
        comparison.gate("AP < -0.01")
    assert not comparison.gate("P@10 < -0.01")


def test_a_gate_rejects_a_baseline_with_only_unjudged_results_on_a_tenth_of_the_queries():
    qrels = {f"q{q}": {"r": 1, "n": 0} for q in range(100)}
    good, bad = {"r": 2.0, "n": 1.0}, {"r": 1.0, "n": 2.0}
    live = {query: {"z": 1.0} if int(query[1:]) % 10 == 1 else good for query in qrels}
    new = {query: bad if int(query[1:]) % 4 == 0 else good for query in qrels}
    comparison = compare(qrels, {"live": live, "new": new}, baseline="live")
    with pytest.raises(
        ValueError, match=r"got 90 % of the first result of each query, against 100 % for new"
    ):
        comparison.gate("nDCG@10 < -0.05")


@pytest.mark.parametrize(("unjudged", "held"), [(0, True), (3, False)])
def test_a_gate_rejects_a_baseline_with_fewer_judged_results_than_another_system(unjudged, held):
    """Each list has ten results, and unjudged results count as irrelevant."""
    qrels = {f"q{q}": {f"d{d}": int(d % 3 == 0) for d in range(10)} for q in range(40)}
    new = {query: {f"d{d}": float(10 - d) for d in range(10)} for query in qrels}
    live = {
        query: {(f"u{d}" if d < unjudged else f"d{d}"): float(10 - d) for d in range(10)} for query in qrels
    }
    comparison = compare(qrels, {"live": live, "new": new}, measures=["nDCG@10", "P@5"], baseline="live")
    for name in ("nDCG@10 < -0.1", "P@5 < -0.1"):
        if held:
            assert comparison.gate(name)
        else:
            with pytest.raises(
                ValueError,
                match="about as many judged results as the other systems have, got .* % of the first",
            ):
                comparison.gate(name)


def test_highest_scores_are_those_of_the_best_order_of_what_is_judged():
    qrels = {"q": {"a": 2, "b": 1, "c": 0}, "r": {"a": 1, "b": 0}}
    runs = {name: {query: {"c": 3.0, "b": 2.0, "a": 1.0} for query in qrels} for name in ("old", "new")}
    names = ["nDCG@2", "P@5", "RBP(p=0.5)", "RR", "AP", "ERR(max_rel=2)", "R@1", "Judged@4"]
    comparison = compare(qrels, runs, measures=names, baseline="old")
    highest = {name: highest_scores(comparison, index).tolist() for index, name in enumerate(names)}
    assert highest["nDCG@2"] == highest["RR"] == highest["AP"] == [1, 1]
    assert highest["P@5"] == [0.4, 0.2] and highest["RBP(p=0.5)"] == [0.75, 0.5]
    assert highest["R@1"] == [0.5, 1] and highest["Judged@4"] == [1, 1]
    assert highest["ERR(max_rel=2)"] == [3 / 4 + 1 / 4 * 1 / 4 / 2, 1 / 4]


def test_a_strict_gate_also_covers_losses_that_no_query_showed():
    labels, systems = simulated(2, 60, 0.0)
    systems["s1"] = systems["s0"].assign(
        score=systems["s0"]["score"] + np.random.default_rng(2).normal(0, 0.1, len(systems["s0"]))
    )
    comparison = compare(labels, systems, baseline="s0")
    usual, strict = (comparison.gate("nDCG@10 < -0.04", strict=strict) for strict in (False, True))
    assert usual and not strict and (usual.bound, strict.bound) == ("usual", "strict")
    assert usual.strict_low == strict.low < -0.04 < usual.low
    assert "no losses that are rarer and larger than those seen" in usual.remarks[1]
    # Losses on 4.870 % of all queries are among none of sixty with a probability of 0.95130**60 = 5 %.
    assert "Losses on up to 4.9 % of all queries may be absent from 60 queries" in usual.remarks[1]
    expected = f"The strict lower bound, which covers such losses too, is {strict.low:.3f}."
    assert expected in usual.remarks[1]
    assert "at most 5 %, usually far less" in strict.remarks[1]
    with pytest.raises(ValueError, match="strict=1: expected True or False"):
        comparison.gate("nDCG@10 < -0.04", strict=1)


@pytest.mark.parametrize("queries", [2, 3, 5])
def test_a_gate_on_few_queries_never_passes(queries):
    qrels, runs = failing(queries, 0)
    comparison = compare(qrels, runs, measures=["P@1"], baseline="old")
    gate = comparison.gate("P@1 < -0.99")
    assert not gate and gate.systems["new"] == {"difference": 0, "low": -1, "high": 1, "differing": 0}


def test_gains_below_zero_are_rejected_as_by_the_measure():
    qrels, runs = failing(8, 8)
    with pytest.raises(ValueError, match=r"gain=.*expected gains >= 0, got -1 for label 1"):
        compare(qrels, runs, gain={0: 0, 1: -1, 2: 1})
    with pytest.raises(ValueError, match="expected gains >= 0, got -1 for label 0"):
        compare(qrels, runs, gain=lambda labels: labels - 1)
    assert compare(qrels, runs, measures=["AP"], gain={0: 0, 1: -1}).measure_names == ["AP"]


def test_runs_whose_ranks_contradict_their_scores_pass_no_gate(tmp_path):
    """The baseline's scores are distances, so its lists are upside down, and every system beats it."""
    (tmp_path / "qrels").write_text("".join(f"{q} 0 d{i} {i % 3}\n" for q in range(50) for i in range(9)))
    for name, sign in (("live", 1), ("new", -1)):
        lines = [f"{q} Q0 d{i} {9 - i} {-sign * i} {name}\n" for q in range(50) for i in range(9)]
        (tmp_path / name).write_text("".join(lines))
    comparison = compare(
        tmp_path / "qrels", {name: tmp_path / name for name in ("live", "new")}, baseline="live"
    )
    with pytest.raises(ValueError, match="whose rank column contradicts them: are its scores distances"):
        comparison.gate("nDCG@10 < -0.01")


def test_frames_whose_ranks_contradict_their_scores_are_warned_of_and_pass_no_gate():
    """TREC files are treated in the same way. The score alone does not show the contradiction."""
    near = pandas.DataFrame({"qid": np.repeat(np.arange(50), 9), "docno": [*range(9)] * 50})
    labels = near.assign(label=near["docno"] % 3)
    near["score"] = near["docno"].astype(float)
    far = near.assign(rank=9 - near["docno"], score=-near["score"])
    comparison = compare(labels, {"live": far, "new": near}, baseline="live")
    assert any("rank column contradicts" in note and "live (100 %)" in note for note in comparison.notes)
    with pytest.raises(ValueError, match="whose rank column contradicts them: are its scores distances"):
        comparison.gate("nDCG@10 < -0.01")
    assert not compare(labels, {"live": far.drop(columns="rank"), "new": near}).contradicted
    alone = far.rename(columns={"qid": "query", "docno": "item", "score": "score_live"})
    assert compare(labels, alone).contradicted == {"live": 1.0}
    assert not compare(labels, alone.assign(score_new=near["score"])).contradicted


def test_what_a_gate_says_of_a_system_stays_within_the_measure():
    labels, systems = simulated(2, 3, 0.5)
    comparison = compare(labels, systems, baseline="s0")
    gate = comparison.gate("nDCG@10 < -0.4")
    assert not gate and "one-sided 95 % lower bound -1.000" in gate.answer


def test_a_positive_margin_asks_for_a_gain():
    qrels, runs = failing(60, 1)
    for query in [*qrels][50:]:
        runs["old"][query] = runs["new"][query] = {"a": 1.0, "b": 2.0}
    comparison = compare(qrels, runs, baseline="old", measures=["P@1"])
    gate = comparison.gate("P@1 < 0.05")
    expected = (
        "Gate failed: a gain of more than 0.05 in P@1 is not shown for new.\nnew - old: -0.017, one-sided"
    )
    assert not gate and gate.answer.startswith(expected)
    better = compare(*failing(60, 60), baseline="new", measures=["P@1"])
    gate = better.gate("P@1 < 0.5")
    assert gate and "a gain of more than 0.5 in P@1 is shown for old" in gate.answer


def test_with_a_baseline_its_pairs_alone_are_tested():
    """There are four pairs instead of ten under each measure, so at least as many differ significantly."""
    names = ["nDCG@10", "AP"]
    data = simulated(5, 40, 0.08, seed=2)
    every, against = compare(*data, measures=names), compare(*data, measures=names, baseline="s0")
    pairs = against.pairs
    assert pairs["first"].tolist() == ["s1", "s2", "s3", "s4"] * 2 and set(pairs["second"]) == {"s0"}
    means = against.leaderboard.set_index("system")["mean"]
    assert pairs["difference"][:4].to_numpy() == pytest.approx((means - means["s0"])[pairs["first"][:4]])
    same = every.pairs[every.pairs["first"] == "s0"]
    assert (pairs["p_family"].to_numpy() <= same["p_family"].to_numpy()).all()
    assert against.measures["pairs"].tolist() == [4, 4]
    better = pairs[(pairs["measure"] == "AP") & (pairs["p_family"] <= 0.05)]["first"]
    assert 0 < len(better) < 4 and against.apart("AP").sum() == 2 * len(better)
    assert "adjusted for 8 comparisons with s0; no other pair is tested." in said(against)
    board = against.leaderboard.set_index("system")
    expected = pairs[pairs["measure"] == "nDCG@10"].set_index("first")["queries"]
    assert board["queries"].drop("s0").to_dict() == expected.to_dict() and np.isnan(board["queries"]["s0"])


def test_a_primary_measure_is_tested_as_if_alone_and_the_others_after_it():
    data = simulated(3, 40, 0.5, seed=1)
    options = {"measures": ["nDCG@10", "AP", "P@5"]}
    alone, first = compare(*data), compare(*data, primary=True, **options)
    together = compare(*data, **options)
    assert first.pairs["p_family"][:3].tolist() == alone.pairs["p_family"].tolist()
    assert first.pairs["low"][:3].tolist() == alone.pairs["low"].tolist()
    assert (first.pairs["p_family"][:3] <= together.pairs["p_family"][:3]).all()
    assert f"{alone.flips.critical:.2f} for differences" in files(first)["index.html"]
    assert (first.pairs["p_family"] <= 0.05).sum() > 3
    data[1]["s2"] = data[1]["s1"]
    tied = compare(*data, primary=True, **options)
    assert (tied.pairs["p_family"][3:] == 1).all() and (tied.pairs["p_family"][:2] <= 0.05).all()
    held_back = tied.pairs[3:].dropna(subset="low")
    assert len(held_back) == 4 and (held_back["low"] <= 0).all() and (held_back["high"] >= 0).all()
    assert (
        "nDCG@10 is tested first, at 5 %" in said(tied)
        and "The measure nDCG@10 is tested first." in tied.methods
    )
    assert "tested first" not in said(together)


def test_families_are_as_large_as_they_are_tested():
    data = simulated(3, 20, 0.5)
    first, together = (
        compare(*data, measures=["nDCG@10", "AP", "P@5"], primary=primary) for primary in (True, False)
    )
    assert first.family_sizes() == {"nDCG@10": 3, "AP": 6, "P@5": 6}
    assert together.family_sizes() == {"nDCG@10": 9, "AP": 9, "P@5": 9}


@pytest.mark.parametrize("queries", [2, 30])
def test_a_plan_names_the_queries_for_each_loss(queries):
    comparison = compare(*simulated(3, queries, 0.1), measures=["nDCG@10", "P@1"], baseline="s0")
    deviations = [gaps.std(ddof=1) for gaps in comparison.against_baseline("nDCG@10").values()]
    needed = [float(f"{gate_queries(deviations, -loss):.1e}") for loss in (0.005, 0.01, 0.02, 0.05)]
    numbers = [f"{number:,.0f}" for number in needed]
    losses = ("0.005", "0.01", "0.02", "0.05")
    plan = ", ".join(f"{number} for {loss}" for number, loss in zip(numbers, losses, strict=True))
    assert f"by the loss it tolerates: {plan}." in said(comparison)
    gate, few = comparison.gate("nDCG@10 < -0.3"), queries < 12
    assert gate.queries_needed == gate_queries(deviations, -0.3, strict=few)
    assert gate.bound == ("strict" if few else "usual")


def test_a_system_or_a_query_alone_has_no_plan_and_no_gate():
    labels, systems = simulated(2, 1, 0.1)
    assert "A gate against" not in said(compare(labels, systems, baseline="s0"))
    labels, systems = simulated(1, 30, 0.1)
    alone = compare(labels, systems, baseline="s0")
    assert "A gate against" not in said(alone)
    with pytest.raises(ValueError, match="expected one baseline and at least one other system"):
        alone.gate("nDCG@10 < -0.01")


def test_a_gate_counts_the_queries_that_differ():
    comparison = compare(*failing(30, 4), measures=["P@1"], baseline="old")
    assert comparison.gate("P@1 < -0.5").systems["new"]["differing"] == 4


@pytest.mark.parametrize(("queries", "expected_finite"), [(1, False), (2, True)])
def test_halves_of_the_queries_are_compared_from_two_on(queries, expected_finite):
    assert np.isfinite(compare(*simulated(2, queries, 0.5)).measures["swap_rate"][0]) == expected_finite


def test_ranks_may_contradict_scores_in_one_of_ten_neighbours(qrels_and_runs):
    rankings = replace(gather(*qrels_and_runs), contradicted={"good": 0.1, "fair": 0.15, "poor": 0.0})
    comparison = compare(rankings)
    assert [*comparison.contradicted] == ["fair"]


@pytest.mark.parametrize(
    ("lengths", "short"), [((5, 13), ["5 (few)"]), ((6, 13), []), ((5, 12), ["5 (few)"])]
)
def test_half_of_the_longest_list_is_not_short(lengths, short):
    qrels = {query: {f"d{d}": 1 for d in range(20)} for query in "qr"}
    runs = {
        name: {"q": {f"d{d}": d for d in range(length)}, "r": {"d0": 1}}
        for name, length in zip(("few", "many"), lengths)
    }
    rankings = gather(qrels, runs)
    assert short_lists(rankings, parse_measures(["AP"])) == (short, "AP", lengths[1])
    assert short_lists(rankings, parse_measures(["Judged@10"])) == ([], "", 0)


@pytest.mark.parametrize("unit", [1, -0.05, -0.5])
def test_an_interval_of_scores_beyond_0_and_1_is_not_cut_there(qrels_and_runs, stand_in, unit):
    stand_in["unit"] = unit
    comparison = compare(*qrels_and_runs, measures=[Measure("Its own", "ir_measures")])
    board, pairs = comparison.leaderboard, comparison.pairs
    assert not board["mean"].between(0, 1).any()
    assert (board["low"] <= board["mean"]).all() and (board["mean"] <= board["high"]).all()
    assert (pairs["low"] < pairs["difference"]).all() and (pairs["difference"] < pairs["high"]).all()


def test_scores_of_ir_measures_may_lie_below_0(qrels_and_runs, stand_in):
    stand_in["unit"] = -1
    comparison = compare(*qrels_and_runs, measures=[Measure("Its own", "ir_measures")])
    assert comparison.reach["Its own"] == (comparison.values.min(), 1) and comparison.values.min() < 0


@pytest.mark.parametrize("unit", [0.05, 0.1, 1])
def test_scores_of_ir_measures_may_leave_the_range_from_0_to_1(qrels_and_runs, stand_in, unit):
    stand_in["unit"] = unit
    qrels, runs = qrels_and_runs
    comparison = compare(qrels, runs, measures=["nDCG@10", Measure("Its own", "ir_measures")])
    most = max(1.0, comparison.values[1].max())
    assert comparison.reach["Its own"] == (0, most) and comparison.reach["nDCG@10"] == (0, 1)
    assert (most > 1, most > 2) == (unit > 0.05, unit == 1)
    few = {query: qrels[query] for query in [*qrels][:3]}
    board = compare(few, runs, measures=[Measure("Its own", "ir_measures")])
    assert np.isinf(board.pairs[["low", "high"]]).all(axis=None) == (board.values.max() > 1)


def test_intervals_stay_within_what_differences_can_be():
    labels, systems = simulated(3, 4, 0.5)
    labels.loc[labels["query"] > 0, "label"] = 1  # so that AP(rel=2) is 0 on three of four queries
    pairs = compare(labels, systems, measures=["nDCG@10", "AP(rel=2)"]).pairs
    assert (pairs["low"] == -1).all() and (pairs["high"] == 1).all()
    board = compare(*failing(4, 2), measures=["P@1"]).leaderboard
    assert board[["low", "high"]].to_numpy().tolist() == [[0, 1], [0, 1]]
    pairs = compare(*simulated(6, 6, 0.3), measures=["P@1", "RR"]).pairs
    assert pairs["low"].min() >= -1 and pairs["high"].max() <= 1


@pytest.mark.parametrize(("queries", "warned"), [(5, False), (6, True), (24, True), (25, False)])
def test_few_queries_are_warned_of(queries, warned):
    notes = compare(*simulated(2, queries, 0.3)).notes
    assert any("few for simultaneous intervals" in note for note in notes) == warned


def test_a_plan_is_given_before_the_verdict():
    comparison = compare(*simulated(2, 50, 0.1), baseline="s0")
    assert "A gate against s0 on nDCG@10 passes a harmless release" in said(comparison)
    after = " ".join(remarks(comparison, [comparison.gate("nDCG@10 < -0.01")]))
    assert "A gate against" not in after and "a probability of 90 %" in after


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nDCG@10", "expected 'MEASURE < MARGIN'"),
        ("nDCG@10 > 0.1", "expected 'MEASURE < MARGIN'"),
        ("nDCG@10 < 1.2.3", "expected 'MEASURE < MARGIN'"),
        ("P@5 < -0.1", "expected a measure that is compared, one of nDCG@10, AP"),
        ("nDGC@10 < -0.1", "did you mean 'nDCG'"),
        (None, "expected 'MEASURE"),
    ],
)
def test_a_gate_that_cannot_be_read_is_rejected(five, text, message):
    with pytest.raises(ValueError, match=message):
        five.gate(text)


def test_without_a_seed_the_sign_patterns_are_those_of_seed_0():
    data = simulated(2, 20, 0.1)
    default, zero, pairs_of_seed = (
        compare(*data, **options).pairs for options in ({}, {"seed": 0}, {"seed": 1})
    )
    assert default.equals(zero) and not default.equals(pairs_of_seed)


def test_arguments():
    labels, systems = simulated(2, 8, 0.5)
    for options, message in (
        ({"baseline": "x"}, "baseline='x': expected one of s0, s1"),
        ({"primary": 1}, "primary=1: expected True or False"),
        ({"seed": -1}, "seed=-1: expected a whole number"),
        ({"seed": "a"}, "seed='a'"),
        ({"missing": "keep"}, "missing='keep': expected one of"),
        ({"gain": "cubic"}, "gain='cubic'"),
        ({"measures": []}, "measures="),
        ({"measures": None}, "measures=None: expected a list of names"),
        ({"measures": 3}, "measures=3: expected a list of names"),
        ({"baseline": 3}, "baseline='3': expected one of s0, s1"),
        ({"baseline": ["s0", "x"]}, "baseline='x': expected one of s0, s1"),
        ({"baseline": ["s0", "s0"]}, "baseline: expected each system once, got s0, s0"),
        ({"baseline": ["s0", "s1"]}, "baseline: expected a system beside the baselines"),
        ({"judged_only": 1}, "judged_only=1: expected True or False"),
        ({"scheduler": "nonsense"}, "scheduler='nonsense'"),
    ):
        with pytest.raises(ValueError, match=message):
            compare(labels, systems, **options)
    with pytest.raises(ValueError, match="expected one baseline and at least one other system"):
        compare(labels, systems).gate("nDCG@10 < -0.1")


LIGHT = """
import sys
class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {"matplotlib", "pyarrow", "IPython", "sklearn", "seaborn", "joblib",
                                      "tqdm", "nbformat", "sphinx", "yaml", "bs4", "pytrec_eval", "dask"}:
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Refuse())
from ranking_report import compare
from ranking_report.bounds import lower_bound
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
        "In mean nDCG@10, AP and RR over 8 queries, poor is significantly worse than good" in done.stdout
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


def test_two_queries_give_neither_claims_nor_warnings():
    """One system is perfect on both queries, so its scores do not vary."""
    labels = {"q1": {"a": 1, "b": 0}, "q2": {"a": 0, "b": 1}}
    runs = {
        "good": {"q1": {"a": 2, "b": 1}, "q2": {"a": 1, "b": 2}},
        "bad": {"q1": {"a": 1, "b": 2}, "q2": {"a": 1, "b": 2}},
    }
    comparison = compare(labels, runs)
    assert comparison.leaderboard[["low", "high"]].to_numpy().tolist() == [[0, 1], [0, 1]]
    assert "no difference can be significant: that takes at least 6 queries" in comparison.answer
    assert "at most 5 %" not in said(comparison) and "queries are needed" not in said(comparison)


def test_the_answer_warns_of_unseen_losses_if_few_queries_account_for_a_difference():
    """An equal gain on thirty queries is significant, but does not exclude losses on one query in thirty."""
    qrels = {f"q{q}": {"a": 1, "b": 0} for q in range(30)}
    old = {query: {"a": 1, "b": 2} for query in qrels}
    new = {query: {"a": 2, "b": 1} for query in qrels}
    same = compare(qrels, {"old": old, "new": new}, measures=["RR"])
    assert "0.500 (the same on every query)  < 0.001" in same.answer
    warning = "Beware: under RR, new is ahead of old by the same amount on every query"
    assert warning in " ".join(same.answer.split()) and any(note.startswith(warning) for note in same.notes)
    assert "account for the variance" not in said(same) and same.pairs[["low", "high"]].isna().all(axis=None)
    # A loss on 9.503 % of all queries is among none of thirty with a probability of 0.90497**30 = 5 %.
    assert "Losses on up to 9.5 % of all queries" in said(same)
    rng = np.random.default_rng(5)
    gains = {f"q{q}": {f"d{d}": int(rng.integers(0, 3)) for d in range(12)} for q in range(30)}
    noisy = [
        {query: {d: g + noise * rng.normal() for d, g in items.items()} for query, items in gains.items()}
        for noise in (3, 0.5)
    ]
    ordinary = compare(gains, {"old": noisy[0], "new": noisy[1]})
    assert "new is significantly better than old" in ordinary.answer
    assert "account for the variance" not in said(ordinary)


@pytest.mark.parametrize(("misses", "warned"), [(3, True), (4, False)])
def test_few_queries_decide_where_less_than_a_sixth_account_for_the_variance(misses, warned):
    """The squared sum of squares over the sum of fourth powers is 3.9 and 5.6 for 25 queries."""
    qrels, runs = failing(25, 25)
    for query in [*qrels][:misses]:
        runs["new"][query] = runs["old"][query]
    comparison = compare(qrels, runs, measures=["RR"])
    first = " ".join(comparison.answer.split("\n\n")[0].split())
    assert "old is significantly better than new" in first
    assert ("few queries account for the variance of one of these differences (see below)" in first) == warned
    warning = "Beware: few queries account for the variance of old − new under RR."
    assert any(note.startswith(warning) for note in comparison.notes) == warned
    assert (warning in files(comparison)["index.html"]) == warned


def test_what_the_primary_measure_holds_back_is_described_as_not_tested():
    qrels = {f"q{q}": {"a": 1, "b": 1, "c": 0} for q in range(40)}
    old = {query: {"a": 3, "c": 2, "b": 1} for query in qrels}
    new = {query: {"a": 3, "b": 2, "c": 1} for query in qrels}
    comparison = compare(qrels, {"old": old, "new": new}, measures=["P@1", "AP"], primary=True)
    held = comparison.pairs.iloc[1]
    assert held["p"] < 1e-6 and held["p_family"] > 0.05 and held["how"] == "not tested"
    verdict = "In mean AP, nothing is tested, as not all of the pairs differ significantly in P@1."
    assert verdict in " ".join(comparison.answer.split())
    assert "within each of the two families" in comparison.methods


def test_beside_a_baseline_no_letters_say_what_was_not_tested():
    qrels = {f"q{q}": {"a": 1, "b": 0} for q in range(40)}
    best, worst = ({query: {"a": high, "b": 3 - high} for query in qrels} for high in (2, 1))
    comparison = compare(qrels, {"old": worst, "new": best, "same": worst}, baseline="old")
    assert comparison.leaderboard["group"].tolist() == ["ahead", "baseline", "not significant"]
    written = files(comparison)
    assert "share a letter do" not in written["leaderboard.tex"] + written["index.html"]
    assert "new − same: +0.3691, not tested" in written["index.html"]


@pytest.mark.parametrize(("ties", "warned"), [("average", True), ("best", True), ("trec_eval", False)])
def test_measures_of_another_program_say_that_they_keep_their_order_of_ties(monkeypatch, ties, warned):
    """A substitute replaces the program, which need not be installed."""
    monkeypatch.setattr(
        "ranking_report.scoring._by_ir_measures",
        lambda rankings, measure: np.zeros((len(rankings.scores), len(rankings.queries))),
    )
    labels = {f"q{number}": {"a": 1, "b": 0} for number in range(8)}
    strict, tied = {"a": 2.0, "b": 1.0}, {"a": 1.0, "b": 1.0}
    measures = ["AP", Measure("Bpref", "ir_measures"), Measure("infAP", "ir_measures")]
    runs = {"one": dict.fromkeys(labels, strict), "two": dict.fromkeys(labels, tied)}
    answer = said(compare(labels, runs, measures=measures, ties=ties))
    words = "Beware: Bpref, infAP are computed by ir_measures, which keeps its own order of equal scores"
    assert (words in answer and "two gives equal scores to documents of" in answer) == warned
    assert (words in answer) == warned
    assert words not in said(compare(labels, {"one": runs["one"]}, measures=measures, ties=ties))


def test_a_gate_never_asks_for_fewer_queries_than_did_not_decide():
    qrels = {f"q{q}": {"a": 1, **{f"n{d}": 0 for d in range(19)}} for q in range(100)}
    live = {query: {"a": 20.0} | {f"n{d}": float(d) for d in range(19)} for query in qrels}
    new = {query: {"a": -1.0} | {f"n{d}": float(d) for d in range(19)} for query in qrels}
    comparison = compare(qrels, {"live": live, "new": new}, measures=["P@10"], baseline="live")
    gate = comparison.gate("P@10 < -0.09")
    assert not gate and gate.queries_needed <= 100 and "Too few queries" not in gate.remarks[1]
    assert gate.remarks[0].startswith("These 100 queries may be enough") and "at least" not in str(gate)
    assert "The difference is the same on every query" in gate.remarks[1]
