import csv
import io
import json
from html.parser import HTMLParser
from xml.etree import ElementTree

import numpy as np
import pytest

from ndcg_companion.evaluation import compare
from ndcg_companion.evaluation.page import FILES, Scale, files, latex

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


def test_one_system_has_a_page_too():
    qrels = {"q": {"a": 1, "b": 0}, "r": {"a": 1, "b": 0}}
    page = files(compare(qrels, {"only": {q: {"a": 2, "b": 1} for q in qrels}}))["index.html"]
    assert "nan" not in files(compare({"q": qrels["q"]}, {"only": {"q": {"a": 2}}}))["leaderboard.tex"]
    assert "Pairs</h2>" not in page and "only" in page
