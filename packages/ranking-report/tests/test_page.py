import csv
import html
import io
import json
import re
import shutil
import subprocess
import tomllib
from dataclasses import replace
from html.parser import HTMLParser
from types import SimpleNamespace
from xml.etree import ElementTree

import numpy as np
import pytest
from report_support import PROJECT, simulated

from ndcg_companion.significance import sequential_test
from ranking_report import compare
from ranking_report.drawings import Scale, bets, ladder, matrix
from ranking_report.folders import MARKER
from ranking_report.latex import latex
from ranking_report.measure_names import Measure
from ranking_report.page import files
from ranking_report.rendering import references
from ranking_report.summaries import as_markdown, as_notebook
from ranking_report.version import __version__
from ranking_report.wording import ahead_first, count_text, p_text

FILES = {
    "index.html",
    "leaderboard.csv",
    "means.csv",
    "pairs.csv",
    "measures.csv",
    "scores.csv",
    "report.json",
    "leaderboard.tex",
}
HOSTILE = [
    "<img src=x onerror=alert(1)>",
    "{{ 7*7 }}",
    '=cmd|"/C calc"!A0',
    "a&b_c%$#^~\\",
    "x" * 300,
    "`|*_[]",
]


def hostile(measures=("nDCG@10", "AP")):
    rng = np.random.default_rng(1)
    qrels = {f"={name}": {f"d{i}": int(rng.integers(0, 3)) for i in range(9)} for name in HOSTILE * 1}
    runs = {
        name: {q: {d: float(rng.random()) for d in docs} for q, docs in qrels.items()} for name in HOSTILE
    }
    return compare(qrels, runs, measures=measures)


def simulated_comparison():
    return compare(*simulated(3, 30, 1.5))


@pytest.fixture(scope="module")
def written():
    return files(hostile())


class Reader(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.text = [], []

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        assert not any(name.startswith("on") for name, _ in attributes)

    def handle_data(self, data):
        self.text.append(data)


def test_names_are_text_on_the_page(written):
    reader = Reader()
    reader.feed(written["index.html"])
    text = "".join(reader.text)
    assert (
        not {"img", "iframe", "link"} & {*reader.tags} and reader.tags.count("script") == 2
    )  # both are ours
    assert HOSTILE[0] in text and "{{ 7*7 }}" in text and "http" not in written["index.html"]


def test_the_page_opens_with_the_answer_and_has_its_parts_in_order(written):
    page = written["index.html"]
    parts = [
        'class="answer"',
        "Leaderboard</h2>",
        "Means under all measures</h2>",
        "Pairs</h2>",
        "Measures</h2>",
        "Query by query</h2>",
        "What not to",
    ]
    places = [page.index(part) for part in parts]
    assert places == sorted(places)


def test_figures_are_well_formed_and_described(written):
    page = written["index.html"]
    starts = [start for start in range(len(page)) if page.startswith("<svg", start)]
    assert len(starts) == 2 and "No two of 6 systems differ significantly under any measure" in page
    few = files(simulated_comparison())["index.html"]
    pages = [(page, start) for start in starts]
    pages += [(few, start) for start in range(len(few)) if few.startswith("<svg", start)]
    assert len(pages) == 5
    for page, start in pages:
        svg = ElementTree.fromstring(page[start : page.index("</svg>", start) + 6])
        assert svg.get("role") == "img" and svg.get("aria-label").endswith(".")


@pytest.mark.parametrize("name", ["leaderboard.csv", "means.csv", "pairs.csv", "measures.csv", "scores.csv"])
def test_no_cell_is_a_formula(written, name):
    rows = [*csv.reader(io.StringIO(written[name]))]
    assert len({len(row) for row in rows}) == 1
    numbers = 0
    for cell in (cell for row in rows[1:] for cell in row if cell):
        try:
            float(cell)
            numbers += 1
        except ValueError:
            assert cell[0] not in "=+-@"
    assert numbers


def test_json_is_json_and_says_the_same(written):
    record = json.loads(written["report.json"])
    assert record["systems"] == HOSTILE and len(record["pairs"]) == 30 and record["answer"]
    assert json.dumps(record, allow_nan=False)


def test_latex_is_escaped(written):
    table = written["leaderboard.tex"]
    assert latex("a&b_c%$#^~\\") in table and r"\begin{tabular}" in table
    assert latex("\\") == r"\textbackslash{}" and latex("{}") == r"\{\}"
    assert latex("[1]*") == "{[}1{]}{*}"  # after a line's end they would be its options
    for line in table.splitlines():
        if line.endswith(r"\\"):
            assert line.replace(r"\&", "").count("&") == 4


GREEK = "αβγδεζηθικλμνξοπρςστυφχψωΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩ"


def test_what_pdflatex_rejects_is_written_for_it():
    assert latex("bm25 α≤2−x") == r"bm25 $\alpha$$\leq$2$-$x" and latex("ΩΑ") == r"$\Omega$A"
    assert latex("a<b>|c") == r"a\textless{}b\textgreater{}\textbar{}c"
    assert latex(GREEK).isascii()
    assert latex("cafe\u0301 ł") == "caf\u00e9 ł" and latex("поиск") == "поиск"


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no pdfLaTeX on this machine")
def test_pdflatex_sets_the_table(tmp_path):
    """LaTeX's own rules replace those of booktabs, which may not be installed."""
    names = ["α_1 & 10% #3 (√n ≤ ∞)", "a~b^c\\d{e}$f", "<g>|\"'`-[h]*", GREEK, "naïve café Zürich łódź"]
    rng = np.random.default_rng(2)
    qrels = {f"q{q}": {f"d{d}": int(rng.integers(0, 2)) for d in range(9)} | {"d": 1} for q in range(8)}
    runs = {name: {q: {d: float(rng.random()) for d in docs} for q, docs in qrels.items()} for name in names}
    rules = r"\let\toprule\hline \let\midrule\hline \let\bottomrule\hline"
    table = files(compare(qrels, runs, measures=["nDCG@10", "AP"]))["leaderboard.tex"]
    (tmp_path / "table.tex").write_text(
        rf"\documentclass{{article}}{rules}\begin{{document}}{table}\end{{document}}", encoding="utf-8"
    )
    words = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "table.tex"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, errors="replace")
    assert done.returncode == 0 and (tmp_path / "table.pdf").exists(), done.stdout


@pytest.mark.parametrize("names", [["x", "y"], ["x", "y", "z"]])
def test_every_mean_is_shown_and_the_highest_of_each_measure_is_bold(names):
    """Each of three measures has its own best system. The page, LaTeX, CSV and JSON agree."""
    rng = np.random.default_rng(3)
    qrels = {f"q{q}": {f"d{d}": int(rng.integers(0, 2)) for d in range(20)} | {"d": 1} for q in range(12)}
    runs = {name: {q: {d: float(rng.random()) for d in docs} for q, docs in qrels.items()} for name in names}
    comparison = compare(qrels, runs, measures=["nDCG@10", "AP", "P@5", "RR"])
    written = files(comparison)
    page, table = written["index.html"], written["leaderboard.tex"]
    assert "intervals of nDCG@10 are simultaneous" in table and "System & nDCG@10 & 95" in table
    rows = [*csv.DictReader(io.StringIO(written["means.csv"]))]
    assert [row.pop("system") for row in rows] == comparison.leaderboard["system"].tolist()
    record = json.loads(written["report.json"])["means"]
    for measure in comparison.measure_names:
        means = {name: mean for name, mean in zip(comparison.means["system"], comparison.means[measure])}
        assert [float(row[measure]) for row in rows] == [row[measure] for row in record] == [*means.values()]
        best = max(means, key=means.get)
        for name, mean in means.items():
            form, other = ("<strong>%s</strong>", r"\textbf{%s}") if name == best else ("<td>%s</td>", " %s ")
            assert form % f"{mean:.4f}" in page and other % f"{mean:.4f}" in table, (name, measure)
    assert table.count(r"\textbf") == page.count("<strong>0") == 4
    for rule in ("top", "mid", "bottom"):
        assert f"\\{rule}rule" in table
    assert r"\hline" not in table and r"\caption{Means on 12 queries" in table and "{lrllrrr}" in table


def test_equal_means_are_all_bold_or_none():
    qrels = {f"q{q}": {"a": 1, "b": 0} for q in range(9)}
    runs = {name: {q: {"a": a, "b": 1} for q in qrels} for name, a in (("x", 2), ("y", 3), ("z", 0))}
    three = files(compare(qrels, runs))["leaderboard.tex"]
    assert three.count(r"\textbf{1.0000}") == 2 and r"\textbf{0" not in three
    assert r"\textbf" not in files(compare(qrels, {name: runs[name] for name in "xy"}))["leaderboard.tex"]
    assert r"\textbf" not in files(compare(qrels, {"x": runs["x"]}))["leaderboard.tex"]


def test_numbers_are_written_for_people():
    assert [count_text(number) for number in (99.0, 157.0, 1e9, 1e9 + 1)] == [
        "99",
        "160",
        "1,000,000,000",
        "more than a billion",
    ]
    assert [p_text(p) for p in (0.00015, 0.0001, 0.00009)] == ["p = 0.00015", "p = 0.0001", "p < 0.0001"]
    tie = {"first": "x", "second": "y", "difference": 0.0, "low": -1, "high": 2, "effect": 0.0}
    assert ahead_first(tie) == tie


def test_a_number_of_queries_that_may_as_well_be_infinite_is_not_shown():
    rng = np.random.default_rng(8)
    qrels = {f"q{q}": {f"d{d}": int(rng.integers(0, 3)) for d in range(9)} for q in range(30)}
    runs = {name: {q: {d: float(rng.random()) for d in docs} for q, docs in qrels.items()} for name in "xyz"}
    comparison = compare(qrels, runs)
    page, board = files(comparison)["index.html"], comparison.leaderboard.iloc[:-1]
    assert np.isinf(board["queries_high"]).all() and np.isfinite(board["queries_low"]).all()
    for row in [*board.to_dict("records"), *comparison.measures.to_dict("records")]:
        assert f"<td>{count_text(row['queries'])} (at least {count_text(row['queries_low'])})</td>" in page


@pytest.mark.parametrize("long", [3, 80])
def test_the_figure_of_means_is_as_wide_as_its_names_need(long):
    """A phone shows it at half a desktop's width without an empty column or a truncated name."""
    qrels = {f"q{q}": {"a": 2, "b": 1, "c": 0} for q in range(9)}
    runs = {
        f"{letter * long}": {q: dict(zip("abc", scores)) for q in qrels}
        for letter, scores in (("x", (3, 2, 1)), ("y", (1, 2, 3)))
    }
    page = files(compare(qrels, runs))["index.html"]
    svg = ElementTree.fromstring(page[page.index("<svg") : page.index("</svg>") + 6])
    width = float(svg.get("viewBox").split()[2])
    for text in svg.iter("text"):
        x, room = float(text.get("x")), 7 * len(text.text)
        start = x - {"end": room, "middle": room / 2}.get(text.get("text-anchor"), 0)
        assert 0 <= start and start + room <= width + 1, text.text
    assert width < 420 if long == 3 else width < 600


def test_it_is_written_only_where_nothing_is_lost(tmp_path):
    comparison = hostile(["nDCG@10"])
    comparison.save(tmp_path / "new")
    comparison.save(tmp_path / "new")
    assert {path.name for path in (tmp_path / "new").iterdir()} == {
        *FILES,
        "moved.csv",
        MARKER,
    }
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "index.html").write_text("mine")
    with pytest.raises(ValueError, match="expected a new or an empty folder"):
        comparison.save(tmp_path / "mine")
    assert (tmp_path / "mine" / "index.html").read_text() == "mine"


@pytest.mark.parametrize(("low", "high"), [(0, 1), (0.31, 0.32), (-3, 5), (0.5, 0.5), (0, 1e-9)])
def test_scales_have_a_few_round_ticks(low, high):
    scale = Scale(low, high, 300)
    assert 2 <= len(scale.ticks) <= 7 and all(-0.1 <= scale(tick) <= 300.1 for tick in scale.ticks)
    assert len({scale.write(tick) for tick in scale.ticks}) == len(scale.ticks)


@pytest.mark.parametrize(
    ("low", "high", "written"),
    [
        (0, 1, "0.0 0.2 0.4 0.6 0.8 1.0"),
        (0.31, 0.32, "0.310 0.312 0.314 0.316 0.318 0.320"),
        (-3, 5, "−2 0 2 4"),
        (0, 2.5, "0.0 0.5 1.0 1.5 2.0 2.5"),
        (0, 12, "0 2 4 6 8 10 12"),
        (0, 13, "0 5 10"),
        (0, 60, "0 10 20 30 40 50 60"),
        (-0.41, 0.21, "−0.4 −0.2 0.0 0.2"),
        (0.5, 0.5, "0.0 0.2 0.4 0.6 0.8 1.0"),
    ],
)
def test_ticks_are_multiples_of_one_two_or_five(low, high, written):
    scale = Scale(low, high, 300, 20)
    assert [scale.write(tick) for tick in scale.ticks] == written.split()
    assert scale.write(-0.0).strip("0.") == "" and (scale(scale.low), scale(scale.high)) == (20, 320)
    assert Scale(0, 3, 100)(1) == 33.3 and Scale(0, 3, 100)(0) == 0


def leaders(runs):
    """The first figure of a comparison of runs by three items, and where its words stand."""
    qrels = {f"q{q}": {"a": 2, "b": 1, "c": 0} for q in range(9)}
    systems = {
        name: {q: dict(zip("abc", rows[index % len(rows)])) for index, q in enumerate(qrels)}
        for name, rows in runs.items()
    }
    comparison = compare(qrels, systems)
    page = files(comparison)["index.html"]
    svg = ElementTree.fromstring(page[page.index("<svg") : page.index("</svg>") + 6])
    return comparison.leaderboard, svg


@pytest.mark.parametrize("name", ["x", "y" * 24, "z" * 80])
def test_the_figure_of_means_has_the_same_margins_on_all_sides(name):
    """A letter of a name takes seven pixels and that of a group eight. The grid has equal margins."""
    good, mixed, poor = [(3, 2, 1)], [(3, 2, 1), (1, 2, 3)], [(1, 2, 3)]
    board, svg = leaders({"k": mixed, name: good, "m": poor})
    texts = {text.text: text for text in svg.iter("text")}
    shown_name = next(word for word in texts if word[0] == name[0] and len(word) >= min(len(name), 20))
    names, groups = float(texts[shown_name].get("x")), float(texts[board["group"][0]].get("x"))
    width, height = (float(part) for part in svg.get("viewBox").split()[2:])
    assert names - 7 * len(shown_name) == 10
    assert width - groups - 8 * board["group"].str.len().max() == 10
    dots = sorted(float(dot.get("cy")) for dot in svg.iter("circle"))
    grid = next(line for line in svg.iter("line") if line.get("class") == "grid")
    assert float(grid.get("y2")) - dots[-1] == dots[0] - float(grid.get("y1")) > 0
    assert float(texts["mean nDCG@10"].get("y")) < height
    bars = [line for line in svg.iter("line") if line.get("class") == "bar"]
    bar_ends = [float(bar.get(x)) for bar in bars for x in ("x1", "x2")]
    bar_ends += [float(dot.get("cx")) for dot in svg.iter("circle")]
    assert min(bar_ends) == names + 10 and (min(bar_ends) + max(bar_ends)) / 2 == float(
        texts["mean nDCG@10"].get("x")
    )
    best, worst = board["mean"].iloc[0], board["mean"].iloc[-1]
    assert f"each of 3 systems, from a mean of {best:.3f} at the top to {worst:.3f} at" in svg.get(
        "aria-label"
    )


def compared(values, baseline=None):
    """As much of a comparison as the second and third figure look at, and its leaderboard.

    A second measure says the opposite of the first, which the figures are about."""
    names = [f"s{number}" for number in range(len(values))]
    values = np.array(values, dtype=float)
    apart = np.abs(np.subtract.outer(*[values.mean(axis=1)] * 2)) > 0.25
    order = np.argsort(-values.mean(axis=1), kind="stable")
    board = [{"system": names[number]} for number in order]
    return SimpleNamespace(
        systems=names,
        values=np.array([values, -values]),
        apart=lambda: apart,
        baselines=[baseline] if baseline else [],
    ), board


@pytest.mark.parametrize(("size", "side"), [(20, 26), (21, 24), (40, 13), (100, 6)])
def test_a_square_of_the_figure_of_pairs_is_as_large_as_there_is_space(size, side):
    assert matrix(*compared(np.linspace(0, 1, size)[:, None]))["side"] == side


def test_the_figure_of_pairs_holds_row_minus_column_best_first():
    figure = matrix(*compared([[0.2, 0.2], [0.9, 0.7], [0.5, 0.3]]))
    gaps = np.subtract.outer([0.8, 0.4, 0.2], [0.8, 0.4, 0.2])
    assert figure["gaps"] == pytest.approx(gaps)
    assert figure["strength"] == pytest.approx(np.array([[0, 0.57, 0.85], [0.57, 0, 0.28], [0.85, 0.28, 0]]))
    assert "3 by 3 systems, best first; 2 of 3 pairs are marked" in figure["alt"]
    assert not matrix(*compared([[0.5], [0.5]]))["strength"].any()


def test_the_figure_of_queries_is_sorted_and_as_wide_whatever_their_number():
    figure = ladder(*compared([np.zeros(7), [0.4, -0.2, 0, 0.1, 0.3, 0, -0.5]]))
    assert (figure["first"], figure["second"]) == ("s1", "s0") and figure["width"] == 77.14
    assert figure["gaps"] == [0.4, 0.3, 0.1, 0, 0, -0.2, -0.5]
    assert (figure["ahead"], figure["behind"], figure["same"]) == (3, 2, 2)
    assert (figure["scale"](0.5), figure["scale"](-0.5)) == (10, 190)
    assert "7 queries, sorted from +0.400 to −0.500: 3 above zero and 2 below" in figure["alt"]
    turned = ladder(*compared([np.zeros(2), np.ones(2)], "s1"))
    assert (turned["first"], turned["second"], turned["gaps"]) == ("s0", "s1", [-1, -1])
    same = ladder(*compared(np.ones((2, 3))))
    assert same["scale"](0) == 100 and same["same"] == 3
    for queries in (400, 401, 1000):
        gaps = np.random.default_rng(1).normal(size=queries)
        drawn = ladder(*compared([gaps, np.full(queries, -9.0)]))
        assert len(drawn["gaps"]) == 400 and drawn["width"] == 1.35
        assert drawn["gaps"] == sorted(drawn["gaps"], reverse=True)
        assert [drawn["gaps"][0], drawn["gaps"][-1]] == pytest.approx([gaps.max() + 9, gaps.min() + 9])


def turns(differences, level=0.05, key=("s0", "s1")):
    """The fourth figure of two systems, the first of which is better by these differences."""
    comparison, board = compared([differences, np.zeros(len(differences))])
    sign = 1 if key == ("s0", "s1") else -1
    test = sequential_test(sign * np.array(differences), level=level)
    return bets(comparison, board, {key: test}), test


def points(path):
    return np.array([[float(number) for number in point.split(",")] for point in path.split()])


def test_the_figure_of_turns_draws_what_is_held_and_the_interval_after_each_query():
    differences = [0.4, -0.2, 0.6, 0.9, 0.8, 0.7, 0.9, 0.8] * 2
    figure, test = turns(differences)
    x = 70 + 520 * np.arange(16) / 15
    # What is held, from a 120th to 120 times the stake: 40 are needed, and three times as much is shown.
    for path, row in zip(figure["wealth"], test.wealth, strict=True):
        shares = np.log(np.clip(row, 1 / 120, 120)) / np.log(120) / 2 + 0.5
        assert points(path) == pytest.approx(np.column_stack([x, 190 - 170 * shares]), abs=0.051)
    assert figure["needed"] == pytest.approx(190 - 170 * (np.log(40) / np.log(120) / 2 + 0.5), abs=0.051)
    # The interval there and back, and the mean so far, between the widest ends there are.
    lowest, highest = test.low.min(), test.high.max()
    assert lowest < -0.1 and highest > 0.1
    y = lambda values: 190 - 170 * (np.array(values) - lowest) / (highest - lowest)
    there, back = points(figure["band"])[:16], points(figure["band"])[:15:-1]
    assert there == pytest.approx(np.column_stack([x, y(test.low)]), abs=0.051)
    assert back == pytest.approx(np.column_stack([x, y(test.high)]), abs=0.051)
    means = [np.mean(differences[:seen]) for seen in range(1, 17)]
    assert points(figure["means"]) == pytest.approx(np.column_stack([x, y(means)]), abs=0.051)
    assert test.winner == 1 and f"s0 is named after {test.stopped_at} queries." in figure["alt"]
    assert "Two panels over 16 queries" in figure["alt"]


def test_the_figure_of_turns_names_the_pair_as_it_was_tested():
    figure, test = turns([0.9] * 9, key=("s1", "s0"))
    assert (figure["first"], figure["second"], test.winner) == ("s1", "s0", -1)
    assert "s0 is named after" in figure["alt"] and figure["rows"] == [("s1", "s0", test)]
    assert "neither system is named." in turns([0.1, -0.1])[0]["alt"]


@pytest.mark.parametrize(
    ("level", "amounts"),
    [(0.5, [0.1, 1, 10]), (0.05, [0.01, 0.1, 1, 10, 100]), (0.002, [0.01, 0.1, 1, 10, 100, 1000])],
)
def test_the_figure_of_turns_has_round_amounts_up_to_three_times_what_is_needed(level, amounts):
    assert turns([0.1, 0.2], level)[0]["amounts"] == amounts


def test_the_figure_of_turns_is_as_wide_whatever_the_number_of_queries():
    for queries, drawn in ((1, 1), (2, 2), (400, 400), (401, 400), (1000, 400)):
        figure, test = turns([1e-3] * queries)
        for path in (*figure["wealth"], figure["means"]):
            x = points(path)[:, 0]
            assert x.size == drawn and x[0] == 70 and (np.diff(x) > 0).all()
            assert queries == 1 or x[-1] == 590
    # However narrow the interval becomes, the panel shows a tenth on both sides of nothing.
    always = SimpleNamespace(**{name: getattr(test, name) for name in ("needed", "wealth", "differences")})
    always.winner, always.low, always.high = 0, np.full(1000, -0.01), np.full(1000, 0.02)
    comparison, board = compared([np.ones(1000), np.zeros(1000)])
    differences = bets(comparison, board, {("s0", "s1"): always})["difference_axis"]
    assert (differences(0.1), differences(0), differences(-0.1)) == (20, 105, 190)


def test_of_many_pairs_the_surest_are_on_the_page_and_the_rest_is_counted(monkeypatch):
    rng = np.random.default_rng(4)
    qrels = {f"q{q}": {f"d{d}": int(rng.integers(0, 3)) for d in range(9)} for q in range(12)}
    runs = {name: {q: {d: float(rng.random()) for d in docs} for q, docs in qrels.items()} for name in "xyz"}
    comparison = compare(qrels, runs, measures=["nDCG@10", "AP"])
    assert "more pairs are in" not in files(comparison)["index.html"]
    monkeypatch.setattr("ranking_report.page._MOST_ROWS", 2)
    page = files(comparison)["index.html"]
    assert "; 1 more pairs are in pairs.csv" in page
    pairs = comparison.pairs[comparison.pairs["measure"] == "nDCG@10"].sort_values("p_family", kind="stable")
    table = page[page.index("smallest p-value first") :]
    table = table[: table.index("</table>")]
    rows = re.findall("<tr>(.*?)</tr>", table[table.index("<tbody>") :], re.DOTALL)
    assert len(rows) == 2
    for row, (_, pair) in zip(rows, pairs.iterrows()):
        assert {pair["first"], pair["second"]} <= set(re.sub("<[^>]*>", " ", row).split())
        assert f"<td>+{abs(pair['difference']):.4f}</td>" in row
    two = files(compare(qrels, {name: runs[name] for name in "xy"}, measures=["nDCG@10", "AP"]))["index.html"]
    assert two.count("<td>nDCG@10</td>") == two.count("<td>AP</td>") >= 1  # of two systems all measures


def test_the_queries_of_a_pair_are_counted_by_who_is_ahead():
    """The counts are four, three and two of nine, so no count can replace another."""
    qrels = {f"q{q}": {"a": 1, "b": 0} for q in range(9)}
    runs = {
        name: {query: {"a": 1, "b": 2 * (q in worse)} for q, query in enumerate(qrels)}
        for name, worse in (("x", {0, 1, 2, 7}), ("y", {3, 4, 5, 6, 7}))
    }
    page = html.unescape(files(compare(qrels, runs))["index.html"])
    words = " ".join(re.sub("<[^>]*>", " ", page).split())
    assert "x minus y in nDCG@10" in words and "ahead on 4, the second on 3, and neither on 2." in words
    assert "4 above zero and 3 below." in page


@pytest.fixture(scope="module")
def of_two():
    qrels = {f"q{q}": {"a": 2, "b": 1, "c": 0} for q in range(9)}
    good = {query: {"a": 3, "b": 2, "c": 1} for query in qrels}
    return compare(qrels, {"a_1": good, "b": {query: {"a": 1, "b": 2, "c": 3} for query in qrels}})


def test_two_systems_need_no_table_of_pairs_but_their_difference(of_two):
    written = files(of_two)
    page = written["index.html"]
    assert page.count("<svg") == 2 and "The difference</h2>" in page and "Pairs</h2>" not in page
    assert "as a table" not in page and "family of 1 comparison." in page and "neither on 0." in page
    row, table = of_two.pairs.iloc[0], written["leaderboard.tex"]
    assert f"a\\_1 minus b, nDCG@10: ${row['difference']:+.4f}$, the same on every query, $p" in table
    assert "$p = 0.0039$" in table


METHODS = [
    (
        {},
        ["nDCG@10 on 9 queries. In nDCG, the gain is the label, the discount is 1/log2(1 + rank), and"],
        [],
    ),
    (
        {},
        ["label 0. Equal scores are averaged over their orders. Queries without a relevant document"],
        [],
    ),
    (
        {},
        [
            "left out. The two-sided paired permutation test of the studentized mean difference, at the 5 % "
            "level, uses all 512 permutations of signs. The 95 % intervals are for the difference and, as a "
            "family of their own, for the 2 means of nDCG@10 (Westfall",
        ],
        ["adjusted", "seed", "differences"],
    ),
    (
        {},
        ["(Westfall and Young 1993). The numbers of queries", f"with ranking-report {__version__}."],
        ["lacks"],
    ),
    (
        {"gain": "exponential", "ties": "trec_eval"},
        ["the gain is 2^label - 1", "Equal scores are in trec_eval's order"],
        [],
    ),
    ({"gain": {0: 0, 1: 1, 2: 5}}, ["gain is {0: 0, 1: 1, 2: 5}"], ["its label"]),
    ({"missing": "zero"}, ["Queries that a system lacks count 0 for this system."], []),
    ({"missing": "drop"}, ["Queries that a system lacks are left out for all systems."], []),
    (
        {"measures": ["AP", "RR"]},
        [
            "AP and RR on 9 queries. A document is relevant if its label is at least 1. ",
            "adjusted for 2 comparisons by",
            "95 % intervals are simultaneous for the 2 differences and, as a family of their own, for the 2 ",
            "2 means of AP. ",
        ],
        ["gain", "unless"],
    ),
    (
        {"measures": ["nDCG(discount=zipf)@5"]},
        ["1/log2(1 + rank) unless the name of the measure says otherwise"],
        [],
    ),
    (
        {"seed": 3},
        ["uses 50,000 permutations of signs, drawn with seed 3", "Student's t with Bonferroni's"],
        ["uses all"],
    ),
]


@pytest.mark.parametrize(("options", "there", "absent"), METHODS)
def test_what_to_write_in_a_paper_follows_the_settings(options, there, absent):
    count = 27 if "seed" in options else 9  # fewer than 17 queries need no seed
    qrels = {f"q{q}": {"a": 2, "b": 1, "c": 0} for q in range(count)}
    runs = {
        "x": {q: {"a": 3, "b": 2, "c": 1} for q in qrels},
        "y": {q: {"a": 1, "b": 2, "c": 3} for q in qrels},
    }
    comparison = compare(qrels, runs, **options)
    assert all(text in comparison.methods for text in there), comparison.methods
    assert not any(text in comparison.methods for text in absent), comparison.methods
    written = files(comparison)
    assert comparison.methods in html.unescape(written["index.html"])
    assert json.loads(written["report.json"])["methods"] == comparison.methods


def test_a_sentence_says_whether_each_document_of_the_lists_was_judged():
    judged, runs = {"q": {"a": 1}}, {"x": {"q": {"a": 3, "b": 2}}}
    assert (
        " Unjudged documents count as irrelevant, and grades below 0 count as label 0."
        in compare(judged, runs).methods
    )
    runs["x"]["q"].pop("b")
    assert (
        " Each document of the lists has a label, and grades below 0 count as label 0."
        in compare(judged, runs).methods
    )


def test_what_ir_measures_computes_is_stated(of_two):
    assert "ir_measures" not in of_two.methods
    theirs = replace(of_two, parsed_measures=[Measure("nDCG@10", "ir_measures")], unjudged={})
    assert "ir_measures computed nDCG@10, with its own order of ties." in theirs.methods


def test_one_system_is_no_paired_test():
    qrels = {f"q{q}": {"a": 1} for q in range(9)}
    alone = compare(qrels, {"x": {q: {"a": 3} for q in qrels}})
    assert (
        "permutation test of the studentized mean uses all 512" in alone.methods
        and "paired" not in alone.methods
    )
    comparison = compare({"q": {"a": 1}}, {"x": {"q": {"a": 3}}})
    assert "andomisation" not in comparison.methods and "Guenther" not in comparison.methods


def test_what_is_cited_is_on_the_page_and_is_this_software(of_two):
    page = html.unescape(files(of_two)["index.html"])
    for name in ("westfall1993", "guenther1981"):
        assert len(re.findall(rf"@\w+{{{name},\n.*?\n}}\n", page, re.DOTALL)) == 1
    assert all(reference in page for reference in references()) and len(references()) == 3
    declared = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for text in (references()[2], page):
        assert f"{declared['name']}: {declared['description']}" in text
        assert declared["authors"][0]["name"] in text
    assert declared["version"] == __version__ and f"version = {{{__version__}}}" in page
    assert references()[2].endswith(f"version {__version__}.")


def test_one_system_has_a_page_too():
    qrels = {"q": {"a": 1, "b": 0}, "r": {"a": 1, "b": 0}}
    page = files(compare(qrels, {"only": {q: {"a": 2, "b": 1} for q in qrels}}))["index.html"]
    assert "nan" not in files(compare({"q": qrels["q"]}, {"only": {"q": {"a": 2}}}))["leaderboard.tex"]
    assert "Pairs</h2>" not in page and "only" in page


def few_queries():
    """Two systems on three queries, of which the first has the best order."""
    labels = dict(zip("abcdefghi", (2, 2, 2, 2, 2, 1, 0, 0, 0)))
    runs = {
        "good": {d: -float(index) for index, d in enumerate("abcdef")},
        "bad": {"i": 3.0, "f": 2.0, "a": 1.0},
    }
    qrels = dict.fromkeys("123", labels)
    return compare(qrels, {name: dict.fromkeys("123", run) for name, run in runs.items()}, measures=["nDCG"])


def test_an_ndcg_that_exceeds_1_by_rounding_is_one_of_0_to_1():
    comparison = few_queries()
    comparison.values[0, 0, :] = 1 + np.finfo(float).eps
    assert comparison.leaderboard[["low", "high"]].to_numpy().tolist() == [[0, 1], [0, 1]]
    assert set(FILES) <= files(comparison).keys()


def test_a_mean_without_bounds_on_few_queries_is_drawn_without_an_interval():
    comparison = few_queries()
    comparison = replace(comparison, values=comparison.values + 5)
    report_files = files(comparison)
    assert np.isinf(comparison.leaderboard["high"]).all()
    assert 'class="dot"' in report_files["index.html"] and 'class="bar"' not in report_files["index.html"]
    shown = [
        report_files["index.html"],
        report_files["leaderboard.tex"],
        as_notebook(comparison),
        as_markdown(comparison),
    ]
    assert not any("-inf" in text for text in [*shown, comparison.answer])


@pytest.mark.skipif(shutil.which("node") is None, reason="no Node.js on this machine")
def test_the_script_of_the_page_is_sound(written, tmp_path):
    """Node reads it as a module in strict mode, in which undeclared names cannot be assigned."""
    (script,) = re.findall(r"<script>\n(.*?)</script>", written["index.html"], re.S)
    assert "function showLists()" in script and max(map(len, script.splitlines())) <= 110
    for name, text in (("sound", script), ("broken", script.replace("function", "functoin", 1))):
        path = tmp_path / f"{name}.mjs"
        path.write_text(text, encoding="utf-8")
        done = subprocess.run(["node", "--check", path], capture_output=True, text=True)
        assert (done.returncode == 0) == (name == "sound"), done.stderr
