"""Groups of queries in one family, compared with all sign patterns and with Student's intervals."""

import itertools
import json
import time
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from ndcg_companion.significance.family import pairs_of
from ranking_report import compare
from ranking_report.commands.main import main
from ranking_report.page import files
from ranking_report.slices import as_groups, check_groups, read_groups


def comparison_with_scores(values):
    """A comparison with these scores of systems by query."""
    queries = [f"q{number}" for number in range(len(next(iter(values.values()))))]
    run = {query: {"a": 1} for query in queries}
    comparison = compare({query: {"a": 1} for query in queries}, dict.fromkeys(values, run), measures=["RR"])
    return scored(comparison, np.array([*values.values()]))


def scored(comparison, values):
    """The same comparison with other scores of systems by query."""
    return replace(comparison, values=values[None], contrasts=pairs_of(values[None]))


def test_p_is_the_proportion_of_sign_patterns_with_as_large_a_maximum():
    rng = np.random.default_rng(1)
    values = {"x": rng.random(12), "y": rng.random(12) * 0.5, "z": rng.random(12)}
    groups = {
        f"q{number}": ["even"] if number % 2 == 0 else ["odd", "some"] if number < 8 else ["odd"]
        for number in range(12)
    }
    table = comparison_with_scores(values).by(groups).table
    members = {
        name: np.array([name in names_of_query for names_of_query in groups.values()])
        for name in ("even", "odd", "some")
    }
    pairs = [("x", "y"), ("x", "z"), ("y", "z")]
    rows = np.array([(values[a] - values[b]) * members[g] for g in members for a, b in pairs])
    signs = np.array([*itertools.product([1, -1], repeat=12)]).T
    root = np.sqrt((rows**2).sum(axis=1))[:, None]
    largest = (np.abs(rows @ signs) / root).max(axis=0)
    by_signs = [(largest >= statistic - 1e-9).mean() for statistic in (np.abs(rows.sum(axis=1)) / root[:, 0])]
    least = np.repeat([2.0 ** (1 - mask.sum()) for mask in members.values()], 3)
    assert (table["p_family"] >= np.maximum(by_signs, least) - 1e-12).all()
    assert table["group"].tolist() == [name for name in members for _ in pairs]
    assert table["queries"].tolist() == [6] * 6 + [4] * 3 or table["queries"].tolist()[:6] == [6] * 6
    for row in table.itertuples():
        gaps = (values[row.first] - values[row.second])[members[row.group]]
        assert row.difference == pytest.approx(gaps.mean())
        if len(gaps) < 6:
            assert (row.low, row.high) == (-np.inf, np.inf) and not row.apart
        else:
            low, high = stats.t.interval(1 - 0.05 / 9, len(gaps) - 1, gaps.mean(), stats.sem(gaps))
            expected = (low, high) if row.apart else (min(low, 0), max(high, 0))
            assert (row.low, row.high) == pytest.approx(expected)


def test_a_loss_in_one_group_that_the_mean_hides_is_found():
    rng = np.random.default_rng(2)
    old = rng.uniform(0.3, 0.7, 120)
    gain = np.where(np.arange(120) < 30, -0.15, 0.06) + rng.normal(0, 0.05, 120)
    comparison = comparison_with_scores({"old": old, "new": old + gain})
    groups = comparison.by({f"q{number}": "rare" if number < 30 else "usual" for number in range(120)})
    table = groups.table.set_index("group")
    assert table["apart"].all() and table["difference"]["rare"] > 0 > table["difference"]["usual"]
    rare, usual = groups.answer.split("\n")
    assert rare.startswith("In the group rare (30 queries, RR), old is ahead of new by 0.1")
    assert usual.startswith("In the group usual (90 queries, RR), new is ahead of old by 0.0")


@pytest.mark.nightly
def test_of_systems_that_do_not_differ_five_in_a_hundred_are_distinguished_at_most():
    rng, wrong, trials = np.random.default_rng(3), 0, 150
    groups = {f"q{number}": [f"g{number % 5}", "all"] for number in range(60)}
    comparison = comparison_with_scores({"x": np.zeros(60), "y": np.zeros(60)})
    for _ in range(trials):
        wrong += scored(comparison, rng.exponential(0.1, (2, 60))).by(groups).table["apart"].any()
    assert wrong / trials <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / trials)


@pytest.mark.parametrize(
    "text",
    [
        "query,group\nq1,short\nq2,long tail\nq1,new\n",
        "q1,short\nq2,long tail\nq1,new",
        "qid\tgroup\nq1\tshort\nq2\tlong tail\nq1\tnew\n",
        '"query","group"\n"q1","short"\n"q2","long tail"\n"q1","new"\n',
        "query group\nq1 short\nq2 long tail\nq1 new\n",
        "q1 short\r\nq2   long tail\r\nq1 new\r\n",
    ],
)
def test_groups_are_read(text, tmp_path):
    (tmp_path / "f").write_bytes(text.encode())
    assert read_groups(tmp_path / "f") == {"q1": ["short", "new"], "q2": ["long tail"]}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "f: expected lines of 'query,group'.* got an empty file"),
        ("query,group\n", "f: expected lines of .* got a header alone"),
        ("q1,a\nq2\n", "f, line 2: expected a query and its group, got 'q2'"),
        ("q1,a\nq2,\n", "f, line 2: expected a query and its group, got 'q2,'"),
        ("q1,a,b\n", "f, line 1: expected a query and its group"),
        ("q1,a\nq1,a\n", "f, line 2: expected each group once for a query, got a twice"),
        ("q1,a\x1b[2J\n", r"f, line 1: group 'a\\x1b\[2J': expected no control"),
        ("q1,a\n\nq2,b\n", "f, line 2: expected a query and its group, got ''"),
        ("\n \t\n# by hand, in 2023\nq1,a\nq2\n", "f, line 5: expected a query and its group, got 'q2'"),
        ("q1,a\n# by hand, in 2023\n", "f, line 2: expected a row, got one that begins with #"),
        ("#q1,a\nq1,a\n", "f, line 1: expected a row, got one that begins with #"),
        ("query,group\n#q1,a\n# q1,a\n", "f, line 3: expected a row, got one that begins with #"),
        ("# by hand", "f, line 1: expected a row, got one that begins with #"),
        ("\u00a0\n", "f, line 1: expected a query and its group"),
        ("\u2028", "f, line 1: expected a query and its group"),
    ],
)
def test_a_bad_file_of_groups_is_rejected_with_its_line(text, message, tmp_path):
    (tmp_path / "f").write_text(text)
    with pytest.raises(ValueError, match=message):
        read_groups(tmp_path / "f")


def test_groups_of_other_queries_are_rejected_and_one_system_has_none():
    comparison = comparison_with_scores({"x": np.zeros(8), "y": np.ones(8)})
    with pytest.raises(ValueError, match="groups: expected groups of the queries that are compared"):
        comparison.by({"other": "g"})
    with pytest.raises(ValueError, match="groups: expected a mapping of queries to groups, got none"):
        comparison.by({})
    with pytest.raises(
        ValueError, match="groups: expected a path or a mapping of queries to groups, got int"
    ):
        comparison.by(7)
    with pytest.raises(ValueError, match="groups: expected at least two systems"):
        comparison_with_scores({"x": np.zeros(8)}).by({"q1": "g"})


def test_the_command_takes_groups(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(4)
    rows = [(q, d) for q in range(40) for d in range(9)]
    grades = rng.integers(0, 3, (40, 9))
    (tmp_path / "qrels").write_text("".join(f"{q} 0 d{d} {grades[q, d]}\n" for q, d in rows))
    for name in ("live", "new"):
        sign = np.where(np.arange(40) < 15, 1 if name == "live" else -1, 0)[:, None]
        scores = sign * grades + rng.normal(0, 0.1, grades.shape)
        (tmp_path / name).write_text("".join(f"{q} Q0 d{d} 1 {scores[q, d]} {name}\n" for q, d in rows))
    (tmp_path / "groups").write_text("".join(f"{q},{'<b>' if q < 15 else 'rest'}\n" for q in range(40)))
    words = ["compare", "qrels", "live", "new", "--by", "groups", "--output", "out"]
    assert main(words) == 0
    printed = " ".join(capsys.readouterr().out.split())
    assert "In the group <b> (15 queries, nDCG@10), live is ahead of new by" in printed
    assert "No pair differs significantly in rest." in printed
    assert "All pairs in all groups of queries are one family at 5 %." in printed
    assert "groups.csv" in printed and "moved.csv" in printed
    record = json.loads((tmp_path / "out" / "report.json").read_text())["groups"]
    assert [(row["group"], row["apart"]) for row in record] == [("<b>", True), ("rest", False)]
    page = (tmp_path / "out" / "index.html").read_text()
    assert "<h2>Groups of queries</h2>" in page and "&lt;b&gt;" in page and "<b>" not in page
    (tmp_path / "groups").write_text("q1\n")
    assert main(words) == 2 and "groups, line 1: expected a query and its group" in capsys.readouterr().err


def test_a_comparison_without_groups_has_no_table():
    assert "groups.csv" not in files(comparison_with_scores({"x": np.zeros(8), "y": np.ones(8)}))


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        (
            {"q1": "hard", None: "easy"},
            r"groups, row 2 \(query None\): expected a value of query, got nothing",
        ),
        ({"q1": None}, r"groups, row 1 \(query q1\): expected a value of group, got nothing"),
        (
            {"q1": ["hard", float("nan")]},
            r"groups, row 1 \(query q1\): expected a value of group, got nothing",
        ),
        ({1: "hard", "1": "easy"}, r"expected each query once \(compared as texts\), got it twice"),
    ],
)
def test_groups_without_a_query_or_a_name_are_rejected(groups, message):
    with pytest.raises(ValueError, match=message):
        as_groups(groups)


@pytest.mark.parametrize(
    ("systems", "names", "message"),
    [
        (2, 2_001, "at most 2,000 comparisons of 8 queries, got 1 pair in 2,001 groups; make fewer groups"),
        (20, 11, "got 190 pairs in 11 groups; make fewer groups, or name fewer systems or a baseline"),
    ],
)
def test_too_many_comparisons_in_groups_are_rejected_at_once(systems, names, message):
    """If only groups or only pairs were limited, their product could take minutes and gigabytes."""
    comparison = comparison_with_scores(
        {f"s{number}": np.linspace(0, number / systems, 8) for number in range(systems)}
    )
    groups = {"q0": [f"g{number}" for number in range(names)]}
    began = time.process_time()
    with pytest.raises(ValueError, match=f"groups: expected .*{message}"):
        comparison.by(groups)
    assert time.process_time() - began < 2
    fewer = {"q0": groups["q0"][: 2_000 // (systems * (systems - 1) // 2)]}
    assert check_groups(fewer, comparison.queries, systems * (systems - 1) // 2) == sorted(fewer["q0"])


def test_comparisons_are_limited_by_the_number_of_queries_too():
    queries = [f"q{number}" for number in range(10_000)]
    groups = {query: [f"g{index % 201}"] for index, query in enumerate(queries)}
    with pytest.raises(
        ValueError, match="at most 200 comparisons of 10,000 queries, got 1 pair in 201 groups"
    ):
        check_groups(groups, queries, 1)
    assert len(check_groups(groups, queries[:9_950], 1)) == 201


@pytest.mark.nightly
@pytest.mark.parametrize(("names", "size"), [(2_000, 1_000), (1_000, 2_000)])
def test_the_largest_call_that_is_accepted_compares_every_group(names, size):
    scores = np.random.default_rng(1).random((2, size))
    comparison = comparison_with_scores(dict(zip("ab", scores)))
    groups = {
        query: {f"g{(index + add) % names}" for add in (0, size)}
        for index, query in enumerate(comparison.queries)
    }
    assert len(comparison.by(groups).table) == names


def test_groups_of_other_queries_are_shown_beside_those_compared():
    with pytest.raises(
        ValueError, match="got other queries, such as '0.0' in the groups and '0' in the comparison"
    ):
        check_groups({"0.0": ["a"]}, ["0", "1"], 1)


def test_a_long_file_of_groups_is_read_in_seconds(tmp_path):
    (tmp_path / "f").write_text("".join(f"q,g{number}\n" for number in range(30_000)))
    began = time.process_time()
    assert len(read_groups(tmp_path / "f")["q"]) == 30_000
    assert time.process_time() - began < 3


def test_the_command_rejects_too_many_groups_before_it_compares(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("ranking_report.commands.compare.compare", None)
    (tmp_path / "table.csv").write_text("query,item,label,score_a,score_b\nq,d,1,2,3\n")
    (tmp_path / "groups").write_text("".join(f"q,g{number}\n" for number in range(2_001)))
    assert main(["compare", "table.csv", "--by", "groups"]) == 2
    printed = capsys.readouterr()
    assert "groups: expected at most 2,000 comparisons of 1 query, got 1 pair" in printed.err
    assert printed.err.count("\n") == 1 and not printed.out
