import csv
import html
import io
import json
import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import numpy as np
import pytest
import yaml
from support import ROOT

from ndcg_companion import __version__
from ndcg_companion.evaluation import compare
from ndcg_companion.evaluation.page import FILES, Scale, files, latex, references

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


@pytest.fixture(scope="module")
def written():
    return files(hostile())


class Reader(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.text = set(), []

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        assert not any(name.startswith("on") for name, _ in attributes)

    def handle_data(self, data):
        self.text.append(data)


def test_names_are_text_on_the_page(written):
    reader = Reader()
    reader.feed(written["index.html"])
    text = "".join(reader.text)
    assert not {"img", "script", "iframe", "link"} & reader.tags
    assert HOSTILE[0] in text and "{{ 7*7 }}" in text and "http" not in written["index.html"]


def test_the_page_opens_with_the_answer_and_has_its_parts_in_order(written):
    page = written["index.html"]
    parts = [
        'class="answer"',
        "Leaderboard</h2>",
        "Pairs</h2>",
        "Measures</h2>",
        "Query by query</h2>",
        "What not to",
    ]
    places = [page.index(part) for part in parts]
    assert places == sorted(places)


def test_figures_are_well_formed_and_described(written):
    page = written["index.html"]
    starts = [at for at in range(len(page)) if page.startswith("<svg", at)]
    assert len(starts) == 3
    for start in starts:
        svg = ElementTree.fromstring(page[start : page.index("</svg>", start) + 6])
        assert svg.get("role") == "img" and svg.get("aria-label").endswith(".")


@pytest.mark.parametrize("name", ["leaderboard.csv", "pairs.csv", "measures.csv", "scores.csv"])
def test_no_cell_is_a_formula(written, name):
    rows = [*csv.reader(io.StringIO(written[name]))]
    assert len({len(row) for row in rows}) == 1
    numbers = 0
    for cell in (cell for row in rows[1:] for cell in row if cell):
        try:
            numbers += np.isfinite(float(cell)) or True
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
            assert line.replace(r"\&", "").count("&") == 3


def test_it_is_written_only_where_nothing_is_lost(tmp_path):
    comparison = hostile(["nDCG@10"])
    comparison.save(tmp_path / "new")
    comparison.save(tmp_path / "new")
    assert {path.name for path in (tmp_path / "new").iterdir()} == {*FILES, ".ndcg-companion.json"}
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


@pytest.fixture(scope="module")
def of_two():
    qrels = {f"q{q}": {"a": 2, "b": 1, "c": 0} for q in range(9)}
    good = {query: {"a": 3, "b": 2, "c": 1} for query in qrels}
    return compare(qrels, {"a_1": good, "b": {query: {"a": 1, "b": 2, "c": 3} for query in qrels}})


def test_two_systems_need_no_table_of_pairs_but_their_difference(of_two):
    written = files(of_two)
    page = written["index.html"]
    assert page.count("<svg") == 2 and "The difference</h2>" in page and "Pairs</h2>" not in page
    assert (
        "<summary>1 pair as a table" in page and "family of 1 comparison." in page and "neither on 0." in page
    )
    row, table = of_two.pairs.iloc[0], written["leaderboard.tex"]
    assert f"a\\_1 minus b: ${row['difference']:+.4f}$, 95\\,\\% interval $[{row['low']:+.4f}" in table
    assert "$p = 0.0039$" in table


METHODS = [
    (
        {},
        ["nDCG@10 on 9 queries (nDCG: gain = label, discount 1/log2(1 + rank), ideal list from all judged"],
        [],
    ),
    ({}, ["grades below 0 count as label 0; equal scores averaged over their orders; queries without a"], []),
    (
        {},
        ["left out. Paired randomisation test with all 512 sign patterns; simultaneous"],
        ["adjusted", "seed"],
    ),
    ({}, ["(Westfall and Young 1993); numbers of queries", f"with ndcg-companion {__version__}."], ["lacks"]),
    (
        {"gain": "exponential", "ties": "trec_eval"},
        ["gain = 2^label - 1", "equal scores in trec_eval's order"],
        [],
    ),
    ({"gain": {0: 0, 1: 1, 2: 5}}, ["gain {0: 0, 1: 1, 2: 5}"], ["relevant: label"]),
    ({"missing": "zero"}, ["queries that a system lacks count 0 for it."], []),
    ({"missing": "drop"}, ["queries that a system lacks left out for all."], []),
    (
        {"measures": ["AP", "RR"]},
        ["(relevant: label >= 1).", "adjusted for 2 comparisons by"],
        ["gain", "unless"],
    ),
    ({"measures": ["nDCG(discount=zipf)@5"]}, ["1/log2(1 + rank) unless its name says otherwise"], []),
    (
        {"seed": 3},
        ["with 50,000 sign patterns drawn with seed 3", "Student's t with Bonferroni's"],
        ["with all"],
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


def test_it_is_said_whether_each_document_of_the_lists_was_judged():
    judged, runs = {"q": {"a": 1}}, {"x": {"q": {"a": 3, "b": 2}}}
    assert " Unjudged documents and grades below 0 count" in compare(judged, runs).methods
    runs["x"]["q"].pop("b")
    assert (
        " Each document of the lists has a label, and grades below 0 count" in compare(judged, runs).methods
    )


def test_what_ir_measures_computes_is_said(of_two, monkeypatch):
    assert "ir_measures" not in of_two.methods
    monkeypatch.setattr(of_two, "kinds", ["ir_measures"])
    assert "(nDCG@10 by ir_measures, with its own order of ties)." in of_two.methods


def test_one_system_is_no_paired_test():
    qrels = {f"q{q}": {"a": 1} for q in range(9)}
    alone = compare(qrels, {"x": {q: {"a": 3} for q in qrels}})
    assert "Randomisation with all 512" in alone.methods and "Paired" not in alone.methods
    one = compare({"q": {"a": 1}}, {"x": {"q": {"a": 3}}})
    assert "andomisation" not in one.methods and "Guenther" not in one.methods


def test_what_is_cited_is_in_the_references_of_the_book_and_is_this_software(of_two):
    page = html.unescape(files(of_two)["index.html"])
    ours = (ROOT / "references.bib").read_text(encoding="utf-8")
    for name in ("westfall1993", "guenther1981"):
        (entry,) = re.findall(rf"@\w+{{{name},\n.*?\n}}\n", page, re.DOTALL)
        assert entry in ours
    assert all(reference in page for reference in references()) and len(references()) == 3
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert cited["title"] in references()[2] and cited["authors"][0]["name"] in references()[2]
    assert cited["version"] in references()[2] and f"version = {{{cited['version']}}}" in page
    title = re.search("{Can {NDCG} .*}", page)[0].replace("{", "").replace("}", "")
    assert title == cited["title"]


def test_one_system_has_a_page_too():
    qrels = {"q": {"a": 1, "b": 0}, "r": {"a": 1, "b": 0}}
    page = files(compare(qrels, {"only": {q: {"a": 2, "b": 1} for q in qrels}}))["index.html"]
    assert "nan" not in files(compare({"q": qrels["q"]}, {"only": {"q": {"a": 2}}}))["leaderboard.tex"]
    assert "Pairs</h2>" not in page and "only" in page
