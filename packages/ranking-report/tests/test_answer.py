"""The answer: a sentence for each conclusion, a table, and the remarks that may change a decision."""

import re
from dataclasses import FrozenInstanceError, replace

import numpy as np
import pandas
import pytest
from report_support import failing, simulated

from ranking_report import compare
from ranking_report.answer import as_text, sentences, table
from ranking_report.bounds import carriers
from ranking_report.page import files
from ranking_report.remarks import remarks
from ranking_report.wording import count_text, listed

DEPTHS = ["nDCG@5", "AP", "P@20", "nDCG"]


def placed(*places, queries=20):
    """Systems by the place of the one relevant item: on each query, or on the first and the rest."""
    labels = {f"q{query}": dict(zip("abcd", (1, 0, 0, 0))) for query in range(queries)}
    runs = {}
    for name, position in places:
        first, others = position if isinstance(position, tuple) else (position, position)
        ranks = {query: others if number else first for number, query in enumerate(labels)}
        runs[name] = {query: dict(zip("abcd", (-ranks[query], -1.5, -2.5, -3.5))) for query in labels}
    return compare(labels, runs)


@pytest.mark.parametrize(
    ("places", "verdict"),
    [
        ([("one", 1), ("low", 3)], "one is significantly better than low"),
        ([("one", 1), ("near", (2, 1))], "one and near do not differ significantly"),
        (
            [("one", 1), ("two", (2, 1)), ("low", 2)],
            "one and two are significantly better than low; one and two do not differ significantly",
        ),
        ([("one", 1), ("low", 2), ("off", 3)], "one is significantly better than low and off"),
        ([("one", 1), ("near", (2, 1)), ("two", (3, 1))], "no two of 3 systems differ significantly"),
        ([("one", 1), ("two", 1)], "one and two have the same score on every query"),
        ([("one", 1), ("two", 1), ("three", 1)], "all 3 systems have the same score on every query"),
    ],
)
def test_the_first_sentence_says_who_is_significantly_better(places, verdict):
    (sentence,) = sentences(placed(*places))
    assert sentence.startswith(f"In mean nDCG@10 over 20 queries, {verdict}")


@pytest.mark.parametrize(
    ("apart", "verdict"),
    [
        ({"ac", "bc"}, "a and b are significantly better than c; a and b do not differ significantly"),
        ({"ac"}, "a is significantly better than c, but not than b"),
        ({"bc"}, "a has the highest mean, but is not significantly better than any other system"),
        ({"ab", "ac"}, "a is significantly better than b and c"),
        (set(), "no two of 3 systems differ significantly"),
    ],
)
def test_the_verdict_follows_from_which_pairs_differ(apart, verdict):
    comparison = placed(("a", 1), ("b", (2, 1)), ("c", (3, 1)))
    p_family = np.array([0.01 if pair in apart else 0.5 for pair in ("ab", "ac", "bc")])
    changed = replace(comparison, families=[replace(comparison.flips, p_family=p_family)])
    assert sentences(changed)[0].partition(", ")[2].startswith(verdict)


def test_beside_a_baseline_the_sentence_says_who_is_better_and_who_is_worse_than_it():
    data = simulated(5, 60, 0.3)
    comparison = compare(*data, baseline="s2")
    better = [name for name in comparison.leaderboard["system"] if name in ("s3", "s4")]
    worse = [name for name in comparison.leaderboard["system"] if name in ("s0", "s1")]
    assert (comparison.pairs["p_family"] <= 0.05).all()
    assert sentences(comparison) == [
        f"In mean nDCG@10 over 60 queries, {listed(better)} are significantly better than s2; "
        f"{listed(worse)} are significantly worse than s2."
    ]
    near = compare(*simulated(2, 20, 0.0), baseline="s0")
    assert "s1 does not differ significantly from s0." in sentences(near)[0]


def test_measures_that_say_the_same_share_a_sentence_and_others_have_their_own():
    same = compare(*simulated(2, 100, 1.0), measures=["nDCG@10", "AP"])
    assert sentences(same) == ["In mean nDCG@10 and AP over 100 queries, s1 is significantly better than s0."]
    several = sentences(compare(*steep_and_even(2), measures=DEPTHS))
    assert several == [
        "In mean nDCG@5, AP and nDCG over 60 queries, s0 is significantly better than s1.",
        "In mean P@20, s1 is significantly better than s0.",
    ]


def steep_and_even(systems, queries=60, items=40):
    """Every other system has a good top above a poor rest, so that measures of either depth disagree."""
    rng = np.random.default_rng(0)
    labels = (rng.random((queries, items)) < 0.3).astype(int)
    labels[:, 0] = 1
    query, item = (index.ravel() for index in np.indices(labels.shape))
    frames = {}
    for number in range(systems):
        scores = rng.normal(size=labels.shape) + (0.5 if number % 2 else -0.5) * labels
        if number % 2 == 0:
            scores += 10 * ((labels > 0) & (labels.cumsum(axis=1) <= 4 - number // 2))
        frames[f"s{number}"] = pandas.DataFrame({"query": query, "item": item, "score": scores.ravel()})
    return pandas.DataFrame({"query": query, "item": item, "label": labels.ravel()}), frames


def test_measures_that_turn_pairs_are_said_to_contradict_each_other():
    comparison = compare(*steep_and_even(5), measures=DEPTHS)
    significant = comparison.pairs[comparison.pairs["p_family"] <= 0.05].set_index(["first", "second"])
    turned = {
        pair for pair, rows in significant["difference"].groupby(level=[0, 1]) if rows.min() < 0 < rows.max()
    }
    assert ("s0", "s1") in turned and ("s0", "s2") not in turned
    (line,) = [line for line in comparison.notes if "contradict each other" in line]
    assert line.count(" is significantly better than ") == 3
    assert f"the same is true of {len(turned) - 3} more pair" in line and line in remarks(comparison)[:3]
    agreed = compare(*steep_and_even(2), measures=["nDCG@5", "AP"])
    assert not any("contradict" in note for note in agreed.notes)


@pytest.mark.parametrize("measures", [("nDCG@5", "P@20"), ("P@20", "nDCG@5")])
def test_a_contradiction_is_described_from_the_first_measure_on(measures):
    (line,) = [note for note in compare(*steep_and_even(2), measures=measures).notes if "contradict" in note]
    first, second = ("s0", "s1") if measures[0] == "nDCG@5" else ("s1", "s0")
    expected = f"{first} is significantly better than {second} in {measures[0]}, and worse in {measures[1]}."
    assert expected in line


def test_beside_a_baseline_each_measure_has_its_own_verdict():
    """Under P@20, some systems are ahead of the baseline that are behind it under other measures."""
    comparison = compare(*steep_and_even(4), measures=DEPTHS, baseline="s1")
    stated, expected = {}, {}
    for sentence in sentences(comparison):
        names, verdict = re.fullmatch(r"In mean (.+?)(?: over 60 queries)?, (s\d.*)\.", sentence).groups()
        stated |= dict.fromkeys(re.split(", | and ", names), verdict)
    for measure in DEPTHS:
        pairs = comparison.pairs[comparison.pairs["measure"] == measure].set_index("first")
        pairs = pairs.sort_values("difference", ascending=False)
        sides = np.where(pairs["p_family"] <= 0.05, np.sign(pairs["difference"]), 0)
        clauses = []
        for side, singular, several in (
            (1, "is significantly better than", "are significantly better than"),
            (-1, "is significantly worse than", "are significantly worse than"),
            (0, "does not differ significantly from", "do not differ significantly from"),
        ):
            names = pairs.index[sides == side]
            clauses += (
                [f"{listed(names)} {singular if len(names) == 1 else several} s1"] if len(names) else []
            )
        expected[measure] = "; ".join(clauses)
    assert stated == expected and len(set(expected.values())) > 1


@pytest.mark.parametrize("baseline", [None, "s1"])
def test_the_table_has_the_numbers_of_the_pairs(baseline):
    comparison = compare(*simulated(4, 40, 0.3), measures=["nDCG@10", "AP"], baseline=baseline)
    head, *rows = [line.split("  ") for line in table(comparison)]
    columns = [word.strip() for word in head if word.strip()]
    board = comparison.leaderboard["system"].tolist()
    reference = baseline or board[0]
    minus = f"minus {reference}" if baseline else f"behind {reference} by"
    assert columns == [
        "system",
        "nDCG@10",
        "AP",
        f"{minus} (95 % interval)",
        "p",
        *([] if baseline else ["rank"]),
    ]
    pairs = comparison.pairs[comparison.pairs["measure"] == "nDCG@10"]
    means = comparison.means.set_index("system")
    assert [row[0] for row in rows] == board
    for name, row in zip(board, rows):
        cells = [cell.strip() for cell in row if cell.strip()]
        assert cells[1:3] == [f"{means.loc[name, measure]:.3f}" for measure in ("nDCG@10", "AP")]
        pair = pairs[pairs["first"].isin([name, reference]) & pairs["second"].isin([name, reference])]
        if name == reference:
            assert cells[3:5] == ["-", "-"]
            continue
        (pair,) = pair.to_dict("records")
        sign = 1 if (pair["first"] == name) == bool(baseline) else -1
        low, high = sorted([sign * pair["low"], sign * pair["high"]])
        difference = means["nDCG@10"][name] - means["nDCG@10"][reference]
        assert cells[3] == f"{difference if baseline else -difference:.3f} ({low:.3f} to {high:.3f})"
        p = pair["p_family"]
        assert cells[4] == (f"{p:.2g}" if p >= 0.001 else "< 0.001")


def test_small_differences_are_shown_with_four_digits_and_long_tables_end():
    labels, systems = simulated(1, 20, 0.0)
    runs = {f"s{number:02d}": systems["s0"] for number in range(25)}
    lines = table(compare(labels, runs))
    assert len(lines) == 22 and lines[-1] == "and 5 more systems"
    close = placed(("a", 1), ("b", (2, 1)), queries=100)
    assert "0.0037 (" in "\n".join(table(close))
    assert table(placed(("a", 1))) == []


def test_an_unadjusted_p_is_named_where_the_adjustment_changes_the_verdict():
    comparison = compare(*simulated(6, 40, 0.08, seed=3))
    pairs = comparison.pairs
    changed = pairs[(pairs["p"] <= 0.05) & (pairs["p_family"] > 0.05)]
    assert len(changed) > 1
    (line,) = [line for line in remarks(comparison) if "adjusted" in line]
    assert line.startswith("All p-values and intervals are adjusted for 15 comparisons. Unadjusted, ")
    assert f"would have p = {changed['p'].iloc[0]:.2g}, and {len(changed) - 1} more pair" in line
    alone = compare(*simulated(2, 40, 0.1))
    assert not any("adjusted" in line for line in remarks(alone))


def test_the_number_of_queries_needed_is_that_of_the_first_pair_that_does_not_differ():
    labels, systems = simulated(3, 40, 0.02)
    del systems["s2"]
    two = compare(labels, systems)
    (row,), (line,) = two.pairs.to_dict("records"), [line for line in remarks(two) if "80 % power" in line]
    assert f"about {count_text(row['queries'])} queries are needed to detect it with 80 % power." in line
    assert f"really differ by {abs(row['difference']):.2g}" in line or f"{abs(row['difference']):.3f}" in line
    systems["again"] = systems["s0"]  # of which no number of queries would tell anything
    board = compare(labels, systems)
    (line,) = [line for line in remarks(board) if "80 % power" in line]
    assert "s0 and again" not in line and "again and s0" not in line
    against = compare(*simulated(3, 30, 0.02), baseline="s0")
    assert not against.apart().any()
    first = next(name for name in against.leaderboard["system"] if name != "s0")
    (line,) = [line for line in remarks(against) if "80 % power" in line]
    assert f"If {first} and s0 really" in line or f"If s0 and {first} really" in line


def test_never_fewer_queries_are_asked_for_than_did_not_decide():
    """The family makes a pair insignificant that would need about as many queries as there are."""
    for seed in range(30):
        comparison = compare(*simulated(5, 30, 0.12, seed=seed))
        for line in remarks(comparison):
            if "80 % power" in line:
                words = line.split(" queries are needed")[0].split()
                number = float(words[-1].replace(",", "")) if words[-1] != "billion" else np.inf
                assert number > 30 or line.count("somewhat more than 30") == 1, line


@pytest.mark.parametrize("p_family", [0.05, 0.3])
def test_the_seed_is_mentioned_if_it_may_matter(p_family):
    comparison = compare(*simulated(2, 40, 0.02))
    changed = replace(comparison, families=[replace(comparison.flips, p_family=np.array([p_family]))])
    words = "Another seed would move one near 0.05 by about 0.0019, which may change the result of 1 pair."
    assert any(words in line for line in remarks(changed)) == (p_family == 0.05)


@pytest.mark.parametrize("queries", [5, 6])
def test_from_six_queries_on_something_is_sure(queries):
    """Intervals are finite, and the queries needed are stated for the first pair that does not differ."""
    comparison = compare(*simulated(4, queries, 0.001), measures=["nDCG", "P@1"])
    stated = any("80 % power" in line for line in remarks(comparison))
    ended = (comparison.pairs["high"] - comparison.pairs["low"] < 2).any()
    assert stated == ended == (queries == 6)
    assert any("that takes at least 6 queries" in line for line in sentences(comparison)) == (queries == 5)


def test_three_remarks_are_below_the_table_and_the_page_has_all():
    comparison = compare(*simulated(3, 12, 0.2), measures=["nDCG@10", "AP"], baseline="s0")
    every = remarks(comparison)
    assert len(every) > 3 and len(set(every)) == len(every)
    lines = comparison.answer.split("\n")
    assert sum(line.startswith("- ") for line in lines) == 3
    assert f"{len(every) - 3} more remark" in comparison.answer
    page = files(comparison)["index.html"]
    texts = [text.replace("'", "&#39;").replace("<", "&lt;") for text in every]
    assert all(text in page for text in texts)


def test_the_condition_of_the_5_percent_is_on_every_page_that_claims_something():
    promise = "equally good systems are equally likely with all signs reversed."
    several = compare(*simulated(3, 40, 0.3))
    assert (
        any(line.endswith(promise) for line in remarks(several)) and promise in files(several)["index.html"]
    )
    for nothing in (simulated(3, 5, 0.3), simulated(1, 40, 0.3)):
        assert not any(promise in line for line in remarks(compare(*nothing)))


def test_few_queries_that_account_for_a_difference_are_named_with_the_pair_that_rests_on_them():
    qrels, runs = failing(40, 40)
    for query in [*qrels][:3]:
        runs["new"][query] = runs["old"][query]
    runs["third"] = runs["old"]
    comparison = compare(qrels, runs, measures=["RR", "P@1"])
    rows = comparison.pairs[comparison.pairs["p_family"] <= 0.05]
    few = [row for row in rows.index if 0 < carriers(comparison.contrasts.differences(row)) < 40 / 6]
    named = [note for note in comparison.notes if "account for the variance of " in note]
    assert (
        len(few) == 4
        and len(named) == 3
        and "the same is true of 1 more comparison." in " ".join(comparison.notes)
    )
    assert "old − new under RR" in named[0] and named[0] in remarks(comparison)[:3]


def test_a_system_alone_has_its_means_and_the_interval_of_the_first():
    labels, systems = simulated(1, 30, 0.0)
    comparison = compare(labels, systems, measures=["nDCG@10", "AP"])
    low, high = comparison.leaderboard.loc[0, ["low", "high"]]
    means = comparison.means.iloc[0]
    assert sentences(comparison) == [
        f"Over 30 queries, the means of s0 are nDCG@10 {means['nDCG@10']:.3f} "
        f"(95 % interval {low:.3f} to {high:.3f}) and AP {means['AP']:.3f}."
    ]


def test_queries_are_tested_in_turn_only_under_a_measure_from_0_to_1():
    comparison = compare(*simulated(2, 30, 0.3), measures=["DCG@1"], gain={0: 0, 1: 1.0, 2: 1.5})
    with pytest.raises(ValueError, match="expected a measure from 0 to 1, got DCG@1 from 0 to 1.5"):
        comparison.sequential()


def test_questions_change_nothing_of_a_comparison_and_are_shown_with_it():
    comparison = compare(*simulated(2, 30, 0.3), baseline="s0")
    before, kept = comparison.answer, dict(vars(comparison))
    gate, turns = comparison.gate("nDCG@10 < -0.3"), comparison.sequential()
    groups = comparison.by({str(query): "odd" if query % 2 else "even" for query in range(30)})
    moved = comparison.moved()
    assert comparison.answer == before and {name: vars(comparison)[name] for name in kept} == kept
    for name in ("values", "baseline", "answer", "gates"):
        with pytest.raises(FrozenInstanceError):
            setattr(comparison, name, None)
    for result in (gate, turns, groups, moved):
        with pytest.raises(FrozenInstanceError):
            result.answer = ""
    together = as_text(comparison, [gate, turns, groups], 1000)
    assert all(line in together for result in (gate, turns, groups) for line in str(result).split("\n"))
    assert together.startswith("Gate passed: ") and gate.remarks[0] in together
    written = files(comparison, [gate, turns, groups])
    assert {"sequential.csv", "groups.csv"} <= written.keys() and gate.answer.split("\n")[0] in written[
        "index.html"
    ]
    assert not {"sequential.csv", "groups.csv"} & files(comparison).keys()


def test_every_name_in_a_list_is_there_or_counted():
    assert listed([]) == "" and listed(["a"]) == "a" and listed("abcd") == "a, b, c and d"
    assert listed(map(str, range(9)), 3) == "0, 1, 2 and 6 more"
