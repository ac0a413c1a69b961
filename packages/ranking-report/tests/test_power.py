import csv
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis.extra.numpy import arrays
from hypothesis.strategies import floats
from report_support import called, run

from ndcg_book.figures.how_many_items_are_enough import chance_map, efficiencies, signal_to_noise
from ndcg_companion.measures import Log
from ndcg_companion.significance.planning import paired_queries, smallest_effect
from ndcg_companion.theory import Pair, ahead_probability, items_needed, signal_and_noise
from ranking_report.cells import as_csv
from ranking_report.commands.power import (
    as_lines,
    calculate,
    coin_cases,
    curve_cases,
    numbers_of,
    plan,
    read_cutoffs,
    read_discounts,
    read_sizes,
    worst_case,
)
from ranking_report.folders import MARKER

CURVES = ["--curve0", "poly:0.7:-0.4", "--curve1", "poly:0.3:0.4"]


@pytest.fixture(scope="module")
def rows():
    pair = Pair("poly:0.7:-0.4", "poly:0.3:0.4")
    return calculate(pair, read_discounts("log,zipf"), read_cutoffs("0.2,5"), read_sizes("10,1000"), 0.9)


def test_each_discount_meets_each_cut_off(rows):
    assert [row.measure for row in rows] == ["log @0.2n", "log @5", "zipf @0.2n", "zipf @5"]
    pair = Pair("poly:0.7:-0.4", "poly:0.3:0.4")
    chances = [ahead_probability(pair, Log(), n, 0.2) for n in (10, 1000)]
    assert list(rows[0].numbers.values()) == [*chances, items_needed(pair, Log(), 0.9, 0.2), False]


def test_plans_that_depend_on_the_first_ranks_are_marked_rough(rows):
    assert [row.numbers["rough"] for row in rows] == [False, True, True, True]
    assert ["~" in text for row in rows for text in row.texts.values()] == 3 * [False] + 9 * [True]


def test_the_table_says_all_and_the_file_in_full(rows):
    text = "\n".join(as_lines("chance", rows, "~ rough"))
    assert "items for 90%" in text and "n=1,000" in text and text.splitlines()[-1].startswith("~ rough")
    assert not any("rough" in line for line in as_lines("chance", rows[:1], "~ rough"))
    heading, first, *_ = csv.reader(as_csv(numbers_of(rows)).splitlines())
    assert heading == ["measure", "ahead_at_10", "ahead_at_1000", "items_needed", "rough"]
    assert [*map(float, first[1:4])] == list(rows[0].numbers.values())[:3]


def test_the_map_shows_every_chance(rows):
    chances = [[row.numbers["ahead_at_10"], row.numbers["ahead_at_1000"]] for row in rows]
    axes = chance_map([row.measure for row in rows], (10, 1000), chances).axes[0]
    shown_numbers = [int(text.get_text()) for text in axes.texts]
    assert shown_numbers == [round(100 * chance) for chance in sum(chances, [])]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["$10^{1}$", "$10^{3}$"]
    colours = axes.collections[0].get_facecolors()
    likely = np.argmax(chances)
    assert colours[likely][2] > colours[likely][0]  # blue rather than orange


def test_signal_over_noise_is_drawn_beside_the_required_value():
    sizes, ratios = np.array([1e2, 1e4]), {"log": np.array([1.0, 10.0]), "1/r": np.array([0.5, 0.7])}
    axes = signal_to_noise(sizes, ratios, {"log": "blue", "1/r": "red"}).axes[0]
    sure, *curves = axes.lines
    assert sure.get_ydata()[0] == pytest.approx(1.6449, abs=1e-4)
    np.testing.assert_array_equal([line.get_ydata() for line in curves], list(ratios.values()))
    assert axes.get_xscale() == axes.get_yscale() == "log"


def test_the_best_exponent_is_marked_where_the_curve_is_highest():
    betas, curves = np.array([0.1, 0.2, 0.3]), {"top": np.array([1.0, 3.0, 2.0])}
    axes = efficiencies(betas, curves, {"top": 1.5}, 1e8).axes[0]
    curve, log, half, best = axes.lines
    np.testing.assert_array_equal(curve.get_ydata(), curves["top"])
    assert (log.get_xdata(), log.get_ydata()) == ([0.0], [1.5])
    assert (best.get_xdata(), best.get_ydata()) == ([0.2], [3.0])
    assert half.get_xdata()[0] == 0.5


def test_the_command_works_anywhere_and_keeps_its_numbers(tmp_path):
    done = run("power", *CURVES, "--discount", "log", "--n", "100", "--output", "out", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    written = {path.name for path in (tmp_path / "out").iterdir()}
    assert "log" in done.stdout and written == {MARKER, "power.csv", "power.svg"}


def test_a_plan_in_queries_has_the_lists_and_their_limit():
    pair = Pair("poly:0.7:-0.4", "poly:0.3:0.4")
    first, second = plan(curve_cases(pair, read_discounts("log,zipf"), (10,), (12, 100)), 1.96, (50,))
    assert [first.measure, second.measure] == ["log @10", "zipf @10"]
    signal, noise = signal_and_noise(pair, Log(), 10, 100)
    assert first.numbers["n=100"] == paired_queries(signal / noise, 1.96)
    signal, noise = signal_and_noise(pair, Log(), 10)
    assert first.numbers["long lists"] == paired_queries(signal / noise, 1.96)
    assert first.numbers["50 show"] == noise * smallest_effect(50, 1.96)
    heading, line, _, *notes = as_lines("queries needed", [first, second], "~ rough", "sure")
    assert heading.split() == ["queries", "needed", "sd", "n=12", "n=100", "long", "lists", "50", "show"]
    assert line.split()[2:4] == [f"{noise:.3f}", f"~{first.numbers['n=12']:,.0f}"]
    assert "~" not in line.split()[4]
    assert notes == ["sure", "~ rough"]  # for 12 items: six relevant ones for ten positions
    heading, line, _ = csv.reader(as_csv(numbers_of([first, second])).splitlines())
    assert heading == ["measure", "noise", "n=12", "n=100", "long lists", "50 show"]
    assert [*map(float, line[1:])] == list(first.numbers.values())


def test_a_plan_without_data_assumes_random_labels():
    (row,) = plan(coin_cases(read_discounts("log"), (10,)), 1.96, ())
    noise = signal_and_noise(Pair("constant:0.5", "constant:0.5"), Log(), 10)[1]
    assert row.numbers["noise"] == noise and "50 show" not in row.texts
    assert row.numbers["difference 0.1"] == paired_queries(0.1 / noise, 1.96)
    assert not any("~" in line for line in as_lines("queries needed", [row], "~ rough"))


def test_rankers_that_no_query_distinguishes_need_more_queries_than_exist():
    pair = Pair("constant:0.5", "constant:0.5")
    (row,) = plan(curve_cases(pair, read_discounts("log"), (10,), (100,)), 1.96, (50,))
    assert list(row.texts.values()).count("beyond 1e9") == 2


def test_the_command_says_what_fifty_queries_show():
    """If no cut-off is given, the first ten results count."""
    for words in (("--k", "10", "--queries", "50"), ("--queries", "50")):
        done = called("power", *words)
        assert done.returncode == 0 and done.stdout.splitlines()[1].split()[-1] == "0.099"
    assert "log @10" in called("power", "--queries").stdout
    line = called("power", *CURVES, "--queries", "--certainty", "0.99").stdout.splitlines()[1]
    pair = Pair("poly:0.7:-0.4", "poly:0.3:0.4")
    signal, noise = signal_and_noise(pair, Log(), 10)
    assert int(line.split()[-1]) == paired_queries(signal / noise, 2.5758293)
    assert "none" in called("power", "--k", "1", "--queries", "6", "--certainty", "0.99").stdout


@pytest.mark.parametrize("certainty, level", [("0.95", "5 %"), ("0.99", "1 %"), ("0.999", "0.1 %")])
def test_level_and_power_are_not_mixed(certainty, level):
    said = " ".join(called("power", "--queries", "--certainty", certainty).stdout.split())
    assert f"one two-sided paired test at the {level} level, with a power of 80 %." in said
    assert "certainty" not in said


def test_no_plan_says_more_than_it_assumes():
    """If skills change from query to query, a plan for random labels has less power than it states."""
    said = " ".join(called("power", "--queries").stdout.split())
    assert (
        "Assumed: the first labels of both systems are independent and relevant with probability 1/2" in said
    )
    assert "not the worst case" in said and "as they can be" not in said
    rng, weights = np.random.default_rng(2), 1 / np.log2(np.arange(2, 12))
    skill = rng.choice([0.1, 0.9], (20_000, 2, 1))  # half of the shown is relevant, on average
    labels = rng.random((20_000, 2, 10)) < skill
    spread = np.std((labels[:, 0] * 1.0 - labels[:, 1]) @ (weights / weights.sum()))
    (row,) = plan(coin_cases(read_discounts("log"), (10,)), 1.96, ())
    assert spread > 1.5 * row.numbers["noise"]


def test_standard_deviations_of_ones_own_are_planned_with():
    done = called("power", "--queries", "50", "--sd", "0.25,0.31")
    _, first, second, _, *notes = done.stdout.splitlines()
    assert first.split()[:3] == ["sd", "0.25", "0.250"] and second.split()[:3] == ["sd", "0.31", "0.310"]
    assert second.split()[5] == f"{paired_queries(0.05 / 0.31):,.0f}"
    assert second.split()[-1] == f"{0.31 * smallest_effect(50):.3f}"
    assert "Assumed: the difference of the two systems has this standard deviation" in " ".join(notes)


def test_each_plan_in_queries_has_the_worst_case(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_pilot(tmp_path)
    pilot = ["--pilot", "qrels", "old", "new", "--measure"]
    for words, name in (
        (["--queries", "50"], "largest sd"),
        (["--sd", "0.3"], "largest sd"),
        ([*pilot, "P@1"], "largest sd"),
        ([*CURVES, "--queries", "--n", "100"], "log @10, largest sd"),
    ):
        done = called("power", *words, "--output", "out")
        assert done.returncode == 0 and "Worst case: for any systems" in done.stdout
        *_, row = csv.DictReader((tmp_path / "out" / "power.csv").read_text().splitlines())
        assert row["measure"] == name and float(row["noise"]) == 1
        if "difference 0.05" in row:
            assert float(row["difference 0.05"]) == paired_queries(0.05)


def test_measures_of_any_size_have_no_worst_case(tmp_path, monkeypatch):
    pytest.importorskip("ir_measures", reason="ir_measures is in the lock of the benchmarks")
    monkeypatch.chdir(tmp_path)
    write_pilot(tmp_path)
    said = called("power", "--pilot", "qrels", "old", "new", "--measure", "IPrec@0.1").stdout
    assert "IPrec@0.1, upper end" in said and "largest sd" not in said and "Worst case" not in said


@given(pairs=arrays(float, (2, 12), elements=floats(0, 1)))
def test_no_difference_of_values_up_to_1_is_noisier_than_the_worst_case(pairs):
    assert np.std(np.subtract(*pairs)) <= worst_case()["largest sd"]["difference 0.1"].noise


def test_the_worst_case_is_one_that_there_is():
    """If one system scores 1 and the other 0, the planned queries give 80 % power, and fewer do not."""
    needed, rng = int(paired_queries(0.1)), np.random.default_rng(4)
    for queries, low, high in ((needed, 0.78, 0.82), (needed // 2, 0.4, 0.6)):
        won = rng.binomial(queries, 0.55, 20_000)
        mean = 2 * won / queries - 1
        error = np.sqrt((1 - mean**2) / (queries - 1))
        assert low < (mean / error > 1.96).mean() < high
    assert np.std(rng.choice([-1, 1], 100_000, p=[0.45, 0.55])) > 0.99


@pytest.mark.parametrize("words", [["--sd", "0.25,0.31"], ["--pilot", "qrels", "old", "new"]])
def test_a_deviation_or_a_pilot_asks_for_queries_by_itself(words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_pilot(tmp_path)
    alone, beside = called("power", *words), called("power", *words, "--queries")
    assert alone.returncode == 0 and alone.stdout == beside.stdout and "queries needed" in alone.stdout


def write_pilot(folder, queries=30):
    """Judgments and two runs; returns the differences of their P@1 and P@2."""
    rng = np.random.default_rng(9)
    grades, runs = rng.integers(0, 2, (queries, 8)), rng.random((2, queries, 8))
    grades[:, 0] = 1
    lines = [f"q{q} 0 d{d} {grade}\n" for (q, d), grade in np.ndenumerate(grades)]
    (folder / "qrels").write_text("".join(lines))
    for name, scores in zip(("old", "new"), runs):
        lines = [f"q{q} Q0 d{d} 1 {score} {name}\n" for (q, d), score in np.ndenumerate(scores)]
        (folder / name).write_text("".join(lines))
    best = np.take_along_axis(grades[None], np.argsort(-runs, axis=2), axis=2)
    return [np.subtract(*best[..., :k].mean(axis=2)) for k in (1, 2)]


def test_a_pilot_gives_its_standard_deviation_and_an_upper_end(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    differences = write_pilot(tmp_path)
    words = ["--pilot", "qrels", "old", "new", "--measure", "P@1", "--measure", "P@2"]
    done = called("power", "--queries", "50", *words, "--output", "out")
    assert done.returncode == 0, done.stderr
    assert "Assumed: new queries are like the 30 of the pilot." in " ".join(done.stdout.split())
    assert "With heavy tails its confidence is only about 90 %, and less if" in " ".join(done.stdout.split())
    *rows, _ = csv.DictReader((tmp_path / "out" / "power.csv").read_text().splitlines())
    assert [row["measure"] for row in rows] == ["P@1", "P@1, upper end", "P@2", "P@2, upper end"]
    for row, upper, gaps in zip(rows[::2], rows[1::2], differences):
        spread = np.std(gaps, ddof=1)
        assert float(row["noise"]) == pytest.approx(spread) and float(upper["noise"]) > 1.05 * spread
        assert float(row["difference 0.05"]) == paired_queries(0.05 / spread)
        assert float(upper["difference 0.05"]) > float(row["difference 0.05"])


def test_a_pilot_that_shows_no_differences_is_rejected(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_pilot(tmp_path, 5)
    for words, said in (
        (("old", "new"), "expected at least 6 queries with a relevant item, got 5"),
        (("old", "none"), "none: No such file or directory"),
    ):
        done = called("power", "--queries", "--pilot", "qrels", *words)
        assert done.returncode == 2 and said in done.stderr and done.stderr.count("\n") == 1
    write_pilot(tmp_path)
    done = called("power", "--queries", "--pilot", "qrels", "old", "old")
    assert (
        done.returncode == 2
        and "expected runs whose difference in nDCG@10 varies from query to query" in done.stderr
    )
    lines = (tmp_path / "new").read_text().splitlines(True)
    (tmp_path / "new").write_text("".join(lines[8:]))
    assert "query q0 is not in new" in called("power", "--queries", "--pilot", "qrels", "old", "new").stderr
    done = called("power", "--queries", "--pilot", "qrels", "old", "new", "--missing", "drop")
    assert done.returncode == 0 and "like the 29 of the pilot" in done.stdout


@pytest.mark.parametrize(
    "words, message",
    [
        (("--queries", "--k", "all"), "k='all': expected with --queries a number of positions"),
        (("--queries", "--k", "10,0.2"), "k=0.2: expected with --queries a number of positions"),
        (("--queries", "5"), "argument --queries: 5: expected a whole number >= 6"),
        (("--queries", "--n", "100"), "--n: expected --curve0 and --curve1 with it"),
        (("--queries", "--share", "0.1"), "--share: expected --curve0 and --curve1"),
        (
            ("--queries", "--sd", "0.2", "--coupling", "additive"),
            "--coupling: expected --curve0 and --curve1",
        ),
        (("--queries", "--certainty", "0.5"), "certainty=0.5: expected a number in (1/2, 1)"),
        (("--queries", "--discount", ""), "argument '--discount': expected a value"),
        (("--queries", *CURVES[:2]), "--curve0, --curve1: expected both"),
        (CURVES[:2], "--curve0, --curve1: expected both"),
        ((), "--curve0, --curve1: expected both"),
        (("--sd", ""), "--sd"),
        (("--sd", "0.3", "--n", "100"), "--n: expected --curve0 and --curve1 with it"),
        (("--pilot", "a", "b", "c"), "a: No such file or directory"),
        (("--queries", "--sd", "0.3", "--pilot", "a", "b", "c"), "--sd, --pilot: expected one of them"),
        (("--queries", "--sd", "0.3", *CURVES), "--curve0, --sd: expected one of them"),
        (("--queries", "--sd", "0.3", "--k", "5"), "--k: expected no --sd beside it"),
        (
            ("--queries", "--pilot", "a", "b", "c", "--discount", "log"),
            "--discount: expected no --pilot beside",
        ),
        (("--queries", "--sd", "0.3", "--measure", "AP"), "--measure: expected --pilot with it"),
        (("--queries", "--missing", "zero"), "--missing: expected --pilot with it"),
        (
            ("--queries", "--sd", "1.2"),
            "sd='1.2': expected standard deviations in (0, 1] separated by commas",
        ),
        (("--queries", "--pilot", "a", "b", "c", "--measure", "nDGC"), "did you mean 'nDCG'?"),
    ],
)
def test_a_plan_that_cannot_be_is_rejected_in_one_line(words, message):
    done = called("power", *words)
    assert done.returncode == 2 and not done.stdout
    (line,) = done.stderr.splitlines()
    assert message in line


def test_a_plan_in_queries_is_written_too(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = called("power", "--k", "5,10", "--queries", "--output", "out")
    assert done.returncode == 0, done.stderr
    assert {path.name for path in (tmp_path / "out").iterdir()} == {MARKER, "power.csv", "power.svg"}


def drawn(name):
    """The elements of that name in the figure of a plan."""
    return [*ElementTree.parse("out/power.svg").iter(f"{{http://www.w3.org/2000/svg}}{name}")]


def test_the_figure_of_a_plan_in_items_shows_every_chance(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    called(
        "power", *CURVES[2:], "--curve0", "poly:0.2:0.6", "--k", "all,5", "--n", "10,1e6", "--output", "out"
    )
    texts = [element.text for element in drawn("text")]
    for row in csv.DictReader((tmp_path / "out" / "power.csv").read_text().splitlines()):
        chances = [100 * float(row[name]) for name in ("ahead_at_10", "ahead_at_1000000")]
        start = texts.index(row["measure"]) + 1
        assert texts[start : start + 2] == [f"{chance:.0f}" for chance in chances]
    assert "10" in texts and "1e+06" in texts


def test_the_lines_of_a_plan_in_queries_are_at_the_differences_that_are_detected(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    called("power", "--sd", "0.25,0.002", "--output", "out")
    places = {element.text: float(element.get("y")) - 4 for element in drawn("text")}
    decade = places["0.01"] - places["0.1"]
    lines = drawn("polyline")
    assert len(lines) == 3 and {"sd 0.25", "sd 0.002", "largest sd"} <= {*places}
    for line, deviation in zip(lines, (0.25, 0.002, 1)):
        x, y = map(float, line.get("points").split()[-1].split(","))
        detected = 10 ** ((places["0.1"] - y) / decade - 1)
        assert detected == pytest.approx(deviation * smallest_effect(10_000), rel=0.01)
        assert x == next(float(text.get("x")) for text in drawn("text") if text.text == "10,000")


def test_a_measure_that_is_the_same_on_every_query_has_no_line(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    same = ["--curve0", "constant:1", "--curve1", "constant:1", "--n", "100"]
    assert called("power", *same, "--queries", "--output", "out").returncode == 0
    (line,) = drawn("polyline")
    assert "log @10, largest sd" in [element.text for element in drawn("text")]
