"""Comparisons with one baseline or several, and with none."""

import pytest
from report_support import simulated

from ranking_report import compare


@pytest.fixture(scope="module")
def given():
    return simulated(4, 40, 0.3)


def test_each_system_is_compared_with_each_baseline_and_with_no_other(given):
    pairs = compare(*given, baseline=["s0", "s2"]).pairs
    assert [*zip(pairs["first"], pairs["second"])] == [("s1", "s0"), ("s3", "s0"), ("s1", "s2"), ("s3", "s2")]
    every = compare(*given).pairs.set_index(["first", "second"])
    for row in pairs.itertuples():
        pair, sign = (row.first, row.second), 1
        if pair not in every.index:
            pair, sign = pair[::-1], -1
        assert row.difference == pytest.approx(sign * every.loc[pair, "difference"], abs=1e-15)
        assert row.p_family <= every.loc[pair, "p_family"] + 0.01  # of four pairs instead of six


def test_one_baseline_in_a_list_is_that_baseline(given):
    single_baseline, listed = compare(*given, baseline="s1"), compare(*given, baseline=["s1"])
    assert single_baseline.pairs.equals(listed.pairs) and single_baseline.answer == listed.answer


def test_the_answer_has_a_column_and_a_clause_for_each_baseline(given, tmp_path):
    comparison = compare(*given, baseline=["s0", "s2"])
    header = comparison.answer.split("\n\n")[1].split("\n")[0]
    assert "minus s0 (95 % interval)" in header and "minus s2 (95 % interval)" in header
    sentence = " ".join(comparison.answer.split("\n\n")[0].split())
    assert "s3 and s1 are significantly better than s0; s3 is significantly better than s2" in sentence
    groups = comparison.leaderboard.set_index("system")["group"]
    assert groups["s0"] == groups["s2"] == "baseline" and groups["s3"] == "ahead (s0), ahead (s2)"
    comparison.save(tmp_path / "out")


def test_a_gate_and_a_plan_take_a_single_baseline(given):
    comparison = compare(*given, baseline=["s0", "s2"])
    with pytest.raises(ValueError, match="gate: expected one baseline"):
        comparison.gate("nDCG@10 < -0.1")
    assert "A gate against" not in comparison.answer
