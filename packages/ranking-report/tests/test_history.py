"""A history of nights: what it keeps, what it says of a change, what it refuses."""

import json
import os
import shutil
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pandas
import pytest
from scipy import stats

from ranking_report import compare
from ranking_report.commands.main import main
from ranking_report.history import _interval, check_history, keep_night, spent
from ranking_report.nights import _panel
from ranking_report.page import files
from ranking_report.sentences import _over_baseline

QUERIES = 60
NIGHTS = [f"2026-03-{day:02}" for day in range(1, 31)]


def scored(values, measures=("nDCG@10",), judgments="0" * 64, missing="raise"):
    """What a history asks of a comparison, from scores by system."""
    names = [f"q{at}" for at in range(len(next(iter(values.values()))))]
    rows = [
        (query, system, measure, score)
        for measure in measures
        for system, scores in values.items()
        for query, score in zip(names, scores)
    ]
    return SimpleNamespace(
        measure_names=[*measures],
        settings={"ties": "average", "gain": "linear", "missing": missing},
        queries=names,
        judgments=judgments,
        scores=pandas.DataFrame(rows, columns=["query", "system", "measure", "score"]),
        seed=0,
    )


def month(seed, change_on=None, size=0.05):
    """Scores of two systems by night: noise from night to night, and perhaps a change that stays."""
    rng = np.random.default_rng(seed)
    level = rng.uniform(0.3, 0.6, QUERIES)
    for day in range(1, 31):
        moved = size if change_on is not None and day >= change_on else 0.0
        yield {
            "live": level + rng.normal(0, 0.04, QUERIES),
            "new": level + 0.1 + moved + rng.normal(0, 0.04, QUERIES),
        }


def told(folder, nights):
    """By night what is said to have changed, as (system, since)."""
    found = {}
    for name, values in zip(NIGHTS, nights):
        changes = keep_night(scored(values), folder, name).changes
        found[name] = [(row.system, row.since) for row in changes.itertuples() if row.changed]
    return found


def test_a_change_on_day_17_is_named_on_day_17_and_stays_named_against_the_first_night(tmp_path):
    found = told(tmp_path / "h", month(1, change_on=17))
    assert all(not found[night] for night in NIGHTS[:16])
    assert sorted(found["2026-03-17"]) == [("new", "the first night"), ("new", "the night before")]
    assert all(found[night] == [("new", "the first night")] for night in NIGHTS[17:])


# A second month finds little that the first and the rate over 1,500 months below do not.
@pytest.mark.parametrize("seed", [2, pytest.param(3, marks=pytest.mark.nightly)])
def test_of_a_month_without_a_change_none_is_named(seed, tmp_path):
    assert not any(told(tmp_path / "h", month(seed)).values())


def test_what_the_nights_spend_is_five_percent_and_the_line_keeps_it():
    """Of months without a change at most 5 in 100 have any interval that leaves out 0, on any night."""
    assert sum(map(spent, range(1, 100_000))) == pytest.approx(0.05, abs=1e-6) and spent(1) == 0
    months, wrong = 1500, 0
    rng = np.random.default_rng(4)
    for _ in range(months):
        noise = rng.normal(size=(30, QUERIES))
        ends = [_interval(row - noise[0], at, {"a": 0}, ["a"]) for at, row in enumerate(noise) if at]
        wrong += any(low > 0 or high < 0 for low, high in ends)
    assert wrong / months < 0.05 + 3 * np.sqrt(0.05 * 0.95 / months)
    # The near control: every night at 5 % by itself names a change in most months.
    alone = sum(
        any(stats.ttest_1samp(row - noise[0], 0).pvalue < 0.05 for row in noise[1:])
        for noise in rng.normal(size=(60, 30, QUERIES))
    )
    assert alone / 60 > 0.3


def test_intervals_are_students_at_the_level_of_their_night(tmp_path):
    nights = [*month(5)][:4]
    for name, values in zip(NIGHTS, nights):
        over = keep_night(scored(values, ("nDCG@10", "AP")), tmp_path / "h", name)
    row = over.line[(over.line["night"] == NIGHTS[3]) & (over.line["system"] == "new")].iloc[0]
    differences = nights[3]["new"] - nights[0]["new"]
    level = 1 - 0.05 / (4 * 3) / 4  # two systems, each against two nights
    expected = stats.t.interval(level, QUERIES - 1, differences.mean(), stats.sem(differences))
    assert (row["low"], row["high"]) == pytest.approx(expected, rel=1e-9)
    assert row["mean"] == pytest.approx(nights[3]["new"].mean()) and row["AP"] == row["mean"]
    assert row["change"] == pytest.approx(differences.mean())
    since = over.changes.set_index(["system", "since"])["night"]
    assert since["new", "the night before"] == NIGHTS[2] and since["live", "the first night"] == NIGHTS[0]


def test_scores_are_read_back_to_the_last_bit(tmp_path):
    values = {"a": np.random.default_rng(6).random(500), "b": np.full(500, 0.1 + 0.2)}
    for name in NIGHTS[:3]:
        over = keep_night(scored(values), tmp_path / "h", name)
    assert (over.line["change"] == 0).all() and (over.line[["low", "high"]] == 0).all(axis=None)
    assert not over.changes["changed"].any() and (over.changes["p_family"] == 1).all()


def test_systems_may_come_and_go(tmp_path):
    nights = [*month(7)][:3]
    keep_night(scored({"live": nights[0]["live"], "old": nights[0]["new"]}), tmp_path / "h", NIGHTS[0])
    over = keep_night(scored(nights[1]), tmp_path / "h", NIGHTS[1])
    assert over.new == ["new"] and over.gone == ["old"] and over.changes["system"].tolist() == ["live"]
    over = keep_night(scored({"old": nights[2]["live"]}), tmp_path / "h", NIGHTS[2])
    assert over.new == ["old"] and over.changes[["system", "night"]].values.tolist() == [["old", NIGHTS[0]]]


def test_names_that_a_spreadsheet_would_run_stay_names(tmp_path):
    values = {"=1+1": np.linspace(0, 1, 30), "'=1+1": np.linspace(0, 1, 30)}
    for name in NIGHTS[:2]:
        over = keep_night(scored(values), tmp_path / "h", name)
    assert not over.new and not over.gone and len(over.changes) == 2
    text = (tmp_path / "h" / f"{NIGHTS[0]}.csv").read_text()
    assert not any(cell[:1] in "=+-@" for line in text.splitlines() for cell in line.split(",")[:3])


# ---- what is refused, and stays as it is ----


@pytest.fixture
def history(tmp_path):
    for name, values in zip(NIGHTS[:3], month(8)):
        keep_night(scored(values), tmp_path / "h", name)
    return tmp_path / "h"


def cut(folder):
    path = folder / f"{NIGHTS[1]}.csv"
    path.write_bytes(path.read_bytes()[:-200])


def emptied(folder):
    (folder / f"{NIGHTS[1]}.csv").write_bytes(b"")


def one_digit(folder):
    path = folder / f"{NIGHTS[2]}.csv"
    path.write_text(path.read_text().replace("0.", "1.", 1))


def removed(folder):
    (folder / f"{NIGHTS[1]}.csv").unlink()


def a_folder(folder):
    (folder / f"{NIGHTS[1]}.csv").unlink()
    (folder / f"{NIGHTS[1]}.csv").mkdir()


def a_link(folder):
    path = folder / f"{NIGHTS[1]}.csv"
    shutil.copy(path, folder.parent / "elsewhere")
    path.unlink()
    path.symlink_to(folder.parent / "elsewhere")


def a_foreign_night(folder):
    shutil.copy(folder / f"{NIGHTS[1]}.csv", folder / "2026-03-20.csv")


def a_foreign_file(folder):
    (folder / "notes.txt").write_text("mine")


def another_list(folder):
    text = (folder / "history.json").read_text()
    (folder / "history.json").write_text(text.replace("nDCG@10", "AP"))


def no_list(folder):
    (folder / "history.json").unlink()
    (folder / f"{NIGHTS[1]}.csv").write_text("query,system,measure,score\n")


def no_marker(folder):
    (folder / ".ranking-report.json").unlink()


def another_marker(folder):
    (folder / ".ranking-report.json").write_text("{}")


DAMAGES = [
    cut,
    emptied,
    one_digit,
    removed,
    a_folder,
    a_link,
    a_foreign_night,
    a_foreign_file,
    another_list,
    no_list,
    no_marker,
    another_marker,
]


def held(folder):
    """Everything in a folder but the marker, whose copy of checksums may be written anew."""
    return {
        path.relative_to(folder): os.readlink(path)
        if path.is_symlink()
        else path.is_file() and path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.name != ".ranking-report.json"
    }


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_folder_is_refused_and_stays_as_it_is(damage, history):
    damage(history)
    before = held(history)
    for call in (check_history, lambda folder: keep_night(scored(next(month(9))), folder, NIGHTS[5])):
        with pytest.raises(ValueError, match="(expected|was changed|not ours)") as refused:
            call(history)
        assert "\n" not in str(refused.value) and held(history) == before


def test_a_folder_of_somebody_elses_is_refused(tmp_path):
    (tmp_path / "mine.csv").write_text("a,b\n")
    with pytest.raises(ValueError, match="expected a new or an empty folder, or that of an earlier history"):
        keep_night(scored(next(month(9))), tmp_path, NIGHTS[0])
    assert [path.name for path in tmp_path.iterdir()] == ["mine.csv"]


@pytest.mark.parametrize(
    ("night", "message"),
    [
        (NIGHTS[0], f"{NIGHTS[0]}.csv: is kept already, with other scores; --night names another"),
        ("2026-02-28", "night='2026-02-28': expected one after 2026-03-03,"),
        ("2026-13-01", "night='2026-13-01': expected a date as 2026-03-01"),
        ("../../etc", "night='../../etc': expected a date"),
        ("2026-03-04\n", r"night='2026-03-04\\n': expected a date"),
    ],
)
def test_another_night_is_refused(night, message, history):
    before = held(history)
    with pytest.raises(ValueError, match=message):
        keep_night(scored(next(month(9))), history, night)
    assert held(history) == before


def test_the_same_night_with_the_same_scores_is_kept_once(history):
    before = held(history)
    values = [*month(8)][2]
    over = keep_night(scored(values), history, NIGHTS[2])
    assert held(history) == before and over.nights == NIGHTS[:3]


@pytest.mark.parametrize(
    ("other", "message"),
    [
        ({"measures": ("AP",)}, "expected measures nDCG@10, got measures AP; another folder begins another"),
        ({"judgments": "1" * 64}, "expected judgments with the checksum 0000.*, got .* 1111"),
        ({"missing": "zero"}, "expected missing raise, got missing zero"),
        ({"missing": "drop"}, "history: expected missing='raise' or 'zero', got 'drop'"),
    ],
)
def test_what_is_measured_stays_the_same(other, message, history):
    with pytest.raises(ValueError, match=message):
        keep_night(scored(next(month(9)), **other), history, NIGHTS[5])
    fewer = {name: values[:-1] for name, values in next(month(9)).items()}
    with pytest.raises(ValueError, match="expected queries 60, got queries 59"):
        keep_night(scored(fewer), history, NIGHTS[5])


def test_a_night_that_a_kill_left_unlisted_is_listed_by_the_next(history):
    """The night's file is written before the list, so that is all that a kill can leave."""
    listed = json.loads((history / "history.json").read_text())["nights"]
    marker = json.loads((history / ".ranking-report.json").read_text())
    before = json.dumps(json.loads((history / "history.json").read_text()) | {"nights": listed[:2]}, indent=1)
    (history / "history.json").write_text(before + "\n")
    import hashlib

    marker["files"]["history.json"] = [hashlib.sha256((before + "\n").encode()).hexdigest()]
    (history / ".ranking-report.json").write_text(json.dumps(marker))
    over = keep_night(scored([*month(8)][3]), history, NIGHTS[3])
    assert (
        over.nights == NIGHTS[:4]
        and json.loads((history / "history.json").read_text())["nights"] == over.nights
    )


def test_two_at_once_do_no_harm(tmp_path):
    """Processes that keep nights of one history: each is kept whole, or refused in one line."""
    script = (
        "import sys; sys.path.insert(0, sys.argv[1]); from test_history import *\n"
        "try:\n    keep_night(scored([*month(8)][int(sys.argv[3])]), sys.argv[2], NIGHTS[int(sys.argv[3])])\n"
        "except ValueError as error:\n    print(error); sys.exit(2)\n"
    )
    folder, here = tmp_path / "h", os.path.dirname(__file__)
    running = [
        subprocess.Popen(
            [sys.executable, "-c", script, here, str(folder), str(at)], stdout=subprocess.PIPE, text=True
        )
        for at in (0, 1, 1, 2)
    ]
    said = [(process.communicate()[0], process.returncode) for process in running]
    assert all(code == 0 or code == 2 and text.count("\n") == 1 for text, code in said) and any(
        code == 0 for _, code in said
    )
    check_history(folder)
    nights = json.loads((folder / "history.json").read_text())["nights"]
    assert nights == sorted(path.stem for path in folder.glob("*.csv")) and len(nights) >= 1
    for night in nights:
        expected = [*month(8)][NIGHTS.index(night)]
        kept = pandas.read_csv(folder / f"{night}.csv").pivot(index="query", columns="system", values="score")
        assert kept["new"].loc[[f"q{at}" for at in range(QUERIES)]].tolist() == expected["new"].tolist()


# ---- the command ----


def write_files(folder, weight):
    rng = np.random.default_rng(2)
    grades = rng.integers(0, 3, (40, 15))
    rows = [(q, d) for q in range(40) for d in range(15)]
    (folder / "qrels").write_text("".join(f"{q} 0 d{d} {grades[q, d]}\n" for q, d in rows))
    for name, own in (("live", 0.2), ("new", weight)):
        scores = own * grades + rng.normal(size=grades.shape)
        (folder / f"{name}.run").write_text(
            "".join(f"{q} Q0 d{d} 1 {scores[q, d]} {name}\n" for q, d in rows)
        )


def test_the_difference_to_the_baseline_is_given_for_nights_that_have_both():
    """A baseline that came later, a night without it, and a system that is new."""
    has = {"2026-03-01": "an", "2026-03-02": "abn", "2026-03-03": "an", "2026-03-04": "abnz"}
    rows = [(night, name, at / 10 + 0.01 * ord(name)) for at, night in enumerate(has) for name in has[night]]
    over = SimpleNamespace(nights=[*has], line=pandas.DataFrame(rows, columns=["night", "system", "mean"]))
    found = _over_baseline(over, "b")
    assert _over_baseline(None, "b") == _over_baseline(over, None) == {} and sorted(found) == ["a", "n"]
    for name, by in (("a", -0.01), ("n", 0.12)):
        values, whens = zip(*found[name])
        assert whens == ("tonight", "on the first night of both, 2026-03-02")
        assert values == pytest.approx([by, by])


def test_the_command_keeps_nights_and_says_what_changed(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    words = ["compare", "qrels", "live.run", "new.run", "--history", "nights"]
    gate = ["--baseline", "live", "--fail-if", "nDCG@10 < -0.2"]
    for night, weight in zip(NIGHTS[:3], (1.0, 1.0, 9.0)):
        write_files(tmp_path, weight)
        assert main([*words, *gate, "--night", night, "--output", "out"]) == 0
        printed = " ".join(capsys.readouterr().out.split())
        if night == NIGHTS[0]:
            assert "Night 2026-03-01 is the first that is kept" in printed
        if night == NIGHTS[1]:
            assert "On night 2026-03-02, no system changed under nDCG@10 since the night before" in printed
            assert "tonight, " in printed and " on the night before, 2026-03-01. Whether" in printed
    assert "new is better than on the night before, 2026-03-02, under nDCG@10: by +" in printed
    assert "new is better than on the first night, 2026-03-01, under nDCG@10" in printed
    assert "live is" not in printed and "tonight 0.0083" in printed
    line = pandas.read_csv("out/history.csv").pivot(index="night", columns="system", values="mean")
    minus = [f"{value:+.4f}".replace("-", "−") for value in line["new"] - line["live"]]
    whens = f"{minus[2]} tonight, {minus[1]} on the night before, {NIGHTS[1]}, {minus[0]} on the first night"
    assert f"Minus live, the baseline, under nDCG@10: new {whens} of both, {NIGHTS[0]}." in printed
    assert (
        "over 3 nights with releases that all lose more than the margin at least one passes with up to 15 %"
        in printed
    )
    assert "history.csv" in printed
    table = pandas.read_csv(tmp_path / "out" / "history.csv")
    assert table["night"].tolist() == [night for night in NIGHTS[:3] for _ in range(2)]
    record = json.loads((tmp_path / "out" / "report.json").read_text())["history"]
    assert record["nights"] == NIGHTS[:3] and sum(row["changed"] for row in record["changes"]) == 2
    assert "<h2>Night after night</h2>" in (tmp_path / "out" / "index.html").read_text()


def test_the_command_refuses_before_it_computes(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "nights").mkdir()
    (tmp_path / "nights" / "mine").write_text("x")
    words = ["compare", "nowhere", "nothing"]
    for more, message in (
        (["--history", "nights"], "nights: expected a new or an empty folder"),
        (["--history", "new", "--night", "today"], "night='today': expected a date"),
        (["--night", NIGHTS[0]], "--night: expected --history beside it"),
    ):
        assert main([*words, *more]) == 2
        assert message in capsys.readouterr().err
    assert not (tmp_path / "new").exists()


def test_the_page_draws_each_system_and_describes_it(tmp_path):
    qrels = {f"q{i}": {"a": 1, "b": 0} for i in range(30)}
    right, wrong = {"a": 2, "b": 1}, {"a": 1, "b": 2}
    for night, ranked in zip(NIGHTS[:2], (right, wrong)):
        comparison = compare(qrels, {"<b>": {q: ranked for q in qrels}, "x": {q: right for q in qrels}})
        comparison.keep(tmp_path / "h", night)
    page = files(comparison)["index.html"]
    start = page.index("<svg", page.index("Night after night"))
    figure = page[start : page.index("</svg>", start)]
    assert figure.count("<polyline") == 2 and figure.count("<circle") == 1
    assert "&lt;b&gt; ends at 0.631, with 1 night apart" in figure and "<b>" not in page


def test_the_band_of_a_measure_beyond_one_is_not_cut():
    rows = pandas.DataFrame({"mean": [3.0, 5.0], "low": [0.0, 1.5], "high": [0.0, 2.5]})
    panel = _panel("x", rows, [0, 10])
    assert f"10,{panel['up'](5.5)}" in panel["band"] and f"10,{panel['up'](4.5)}" in panel["band"]


@pytest.mark.parametrize("means, widest", [([0.2, 0.9], 1.0), ([0.2, 2.0], 1.5)])
def test_the_band_of_few_queries_ends_where_the_measure_can(means, widest):
    rows = pandas.DataFrame({"mean": means, "low": [-1.5, -np.inf], "high": [1.5, np.inf]})
    panel = _panel("x", rows, [0, 10])
    assert f"10,{panel['up'](means[0] + widest)}" in panel["band"]
