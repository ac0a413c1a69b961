"""``companion report``: from files to a page and numbers, or to one clear message and nothing else."""

import csv
import gzip
import json
import shlex
from collections import namedtuple
from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest
from support import companion

from ndcg_companion.commands import report
from ndcg_companion.commands.main import main
from ndcg_companion.evaluation import account
from ndcg_companion.evaluation.paired import Evaluation
from ndcg_companion.measures import Power, dcg, ideal_dcg

QUERIES, ITEMS = 24, 30


def made(seed=0):
    """Labels and scores of two systems, in the order of the items."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 3, (QUERIES, ITEMS))
    scores = {
        name: (weight * labels + rng.normal(size=labels.shape)).round(4)
        for name, weight in (("good", 2.0), ("poor", 0.2))
    }
    return labels, scores


def write_trec(folder):
    labels, scores = made()
    lines = [f"q{q} 0 d{i} {labels[q, i]}\n" for q in range(QUERIES) for i in range(ITEMS)]
    (folder / "qrels").write_text("".join(lines))
    for name, values in scores.items():
        lines = [f"q{q} Q0 d{i} 1 {values[q, i]} {name}\n" for q in range(QUERIES) for i in range(ITEMS)]
        (folder / f"{name} run").write_text("".join(lines))


def write_letor(folder):
    labels, scores = made()
    order = np.random.default_rng(1).permutation(QUERIES * ITEMS)
    rows = [f"{labels.ravel()[at]} qid:{at // ITEMS} 1:0.5\n" for at in order]
    (folder / "letor").write_text("# a comment\n" + "".join(rows))
    for name, values in scores.items():
        (folder / f"{name} scores").write_text("".join(f"{values.ravel()[at]}\n" for at in order))


def table(time="time"):
    labels, scores = made()
    columns = {
        "query": np.repeat([f"q{q}" for q in range(QUERIES)], ITEMS),
        "item": np.tile([f"d{i}" for i in range(ITEMS)], QUERIES),
    }
    columns |= {"label": labels.ravel(), time: np.tile(np.arange(ITEMS, 0, -1), QUERIES)}
    return columns | {f"score_{name}": values.ravel() for name, values in scores.items()}


def write_csv(path, columns):
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows(zip(*columns.values()))


@pytest.fixture
def files(tmp_path, monkeypatch):
    for write in (write_trec, write_letor):
        write(tmp_path)
    write_csv(tmp_path / "table.csv", table())
    write_csv(tmp_path / "dated.csv", table(time="seen"))
    pyarrow.parquet.write_table(pa.table(table()), tmp_path / "table.parquet")
    monkeypatch.chdir(tmp_path)
    return tmp_path


RUNS = ["--labels", "qrels", "--system", "good=good run", "--system", "poor=poor run"]
SCORES = ["--labels", "letor", "--system", "good=good scores", "--system", "poor=poor scores"]


def test_all_formats_give_the_same_scores(files):
    def values(labels, systems="none", **more):
        evaluation, form = account.prepare(labels, systems, **more)
        return form, evaluation.values

    runs, scores = (
        shlex.join(f"{name}={name} {kind}" for name in ("good", "poor")) for kind in ("run", "scores")
    )
    form, expected = values("qrels", runs)
    assert form == "trec"
    labels, made_scores = made()
    for column, score in enumerate(made_scores.values()):
        direct = dcg(labels, score, discount=Power(0.5)) / ideal_dcg(labels, discount=Power(0.5))
        np.testing.assert_allclose(expected[2, column], direct, rtol=1e-12)
    for labels, systems, more, form in (
        ("letor", scores, {}, "letor"),
        ("table.csv", "none", {}, "table"),
        ("table.parquet", "none", {}, "table"),
        ("dated.csv", "none", {"time": "seen"}, "table"),
    ):
        told, found = values(labels, systems, **more)
        assert told == form
        order = np.array([0])
        if labels == "letor":  # whose queries come in the order of its lines
            order = [int(name) for name in account.prepare(labels, systems)[0].rankings.queries]
            np.testing.assert_allclose(found, expected[:, :, order], rtol=1e-12)
        else:
            np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_times_put_items_in_order(files):
    rankings = account.prepare("dated.csv", time="seen")[0].rankings
    assert rankings.items[:ITEMS].tolist() == [f"d{i}" for i in range(ITEMS - 1, -1, -1)]


def test_packed_labels_are_recognised(files):
    (files / "qrels.gz").write_bytes(gzip.compress((files / "qrels").read_bytes()))
    assert [account.recognise(name) for name in ("qrels.gz", "letor", "table.csv", "table.parquet")] == [
        "trec",
        "letor",
        "table",
        "table",
    ]


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """A report made from a folder that has nothing to do with the book."""
    folder = tmp_path_factory.mktemp("elsewhere")
    write_trec(folder)
    (folder / "out").mkdir()
    (folder / "out" / "mine.txt").write_text("stays")
    done = companion("report", *RUNS, "--output", "out", "--seed", 4, cwd=folder)
    assert done.returncode == 0, done.stderr
    assert "written to out: your-own-rankings.html, report.json, measures.csv" in done.stdout
    assert "- good is ahead of poor: its NDCG with" in done.stdout  # as the page has it, without its marks
    return folder


def test_a_report_is_a_page_and_its_numbers(page):
    numbers = json.loads((page / "out" / "report.json").read_text(encoding="utf-8"))
    evaluation, form = account.prepare(
        str(page / "qrels"), shlex.join(f"{name}={page / name} run" for name in ("good", "poor")), seed=4
    )
    assert (numbers["format"], numbers["pair"], numbers["seed"]) == (form, ["good", "poor"], 4)
    assert numbers["confirmation"]["difference"] == evaluation.confirmation["difference"]
    assert numbers["confirmation"]["confirmed"] and numbers["measures"].keys() == evaluation.measures.keys()
    assert numbers["measures"]["log"]["p_holm"] == evaluation.table["log"]["p_holm"]
    rows = list(csv.DictReader((page / "out" / "measures.csv").read_text().splitlines()))
    assert [(row["measure"], float(row["p"])) for row in rows] == [
        (row["measure"], row["p"]) for row in evaluation.everything
    ]
    html = (page / "out" / "your-own-rankings.html").read_text(encoding="utf-8")
    assert (
        "is ahead of" in html
        and '.ipynb"><span' not in html
        and f"{evaluation.confirmation['difference']:.4f}" in html
        and "The truth here.</strong>" not in html
    )


def test_a_report_leaves_alone_what_is_not_its_own(page):
    assert (page / "out" / "mine.txt").read_text() == "stays"
    assert {path.name for path in page.iterdir()} == {"qrels", "good run", "poor run", "out"}
    own = {"mine.txt", "your-own-rankings.html", "your-own-rankings.ipynb"}
    assert {path.name for path in (page / "out").iterdir()} == report.WRITTEN | own


def replaced(path, line, text):
    lines = path.read_text().splitlines()
    lines[line - 1] = text
    path.write_text("\n".join(lines) + "\n")


def broken(name, line, text):
    return lambda files: replaced(files / name, line, text)


def written(name, data):
    return lambda files: (files / name).write_bytes(data)


def cut_gzip(files):
    whole = gzip.compress((files / "qrels").read_bytes())
    (files / "qrels").write_bytes(whole[: len(whole) // 2])


def without(name, keep):
    def drop(files):
        lines = [line for line in (files / name).read_text().splitlines() if keep(line)]
        (files / name).write_text("\n".join(lines) + "\n")

    return drop


def nothing(files):
    pass


TABLE = ["--labels", "table.csv"]
BAD = {
    "a missing file": (nothing, ["--labels", "qrel", *RUNS[2:]], "qrel: No such file"),
    "a missing run": (nothing, [*RUNS[:2], "--system", "a=gone"], "gone: No such file"),
    "a folder": (nothing, ["--labels", "."], "Is a directory"),
    "an empty file": (written("qrels", b""), RUNS, "qrels: expected TREC judgments"),
    "an empty run": (written("good run", b"\n"), RUNS, "good run: expected lines of"),
    "another encoding": (
        written("qrels", "q1 0 d\xe9 1\n".encode("latin-1")),
        RUNS,
        "qrels, line 1: expected UTF-8 text",
    ),
    "utf-16": (
        written("table.csv", "query,item\n".encode("utf-16")),
        TABLE,
        "table.csv, line 1: expected UTF-8 text",
    ),
    "binary data": (written("good run", b"\x7fELF\0\0\0"), RUNS, "good run, line 1: expected UTF-8 text"),
    "gzip cut short": (cut_gzip, RUNS, "qrels: expected whole gzip data, got it cut short"),
    "no gzip at all": (
        written("qrels", b"\x1f\x8bnonsense"),
        RUNS,
        "qrels: expected whole gzip data, got it damaged",
    ),
    "parquet cut short": (
        written("table.csv", b"PAR1nonsense"),
        TABLE,
        "table.csv: expected whole Parquet data",
    ),
    "neither of the formats": (
        written("qrels", b"once upon a time there was\n"),
        RUNS,
        "qrels, line 1: expected TREC judgments",
    ),
    "a ragged line": (broken("qrels", 3, "q0 0 d2"), RUNS, "qrels, line 3: expected 4 fields"),
    "a ragged row": (broken("table.csv", 3, "q0,d1"), TABLE, "table.csv, line 3: expected 6 fields"),
    "a grade in words": (broken("qrels", 5, "q0 0 d4 good"), RUNS, "qrels, line 5: expected a grade"),
    "NaN as a score": (
        broken("good run", 7, "q0 Q0 d6 1 nan good"),
        RUNS,
        "good run, line 7: expected a score",
    ),
    "NaN in a table": (
        broken("table.csv", 4, "q0,d2,1,1,nan,0.5"),
        TABLE,
        "table.csv, line 4: expected a number as score_good",
    ),
    "an infinite label": (
        broken("table.csv", 4, "q0,d2,inf,1,1,0.5"),
        TABLE,
        "table.csv, line 4: expected a number as label",
    ),
    "a document twice": (
        broken("good run", 2, "q0 Q0 d0 1 0.5 good"),
        RUNS,
        "good run, line 2: expected each document once",
    ),
    "a query not judged": (
        without("qrels", lambda line: "q3 " not in line),
        RUNS,
        "query q3 has no judgment in qrels; --unmatched drop",
    ),
    "a query not in a run": (
        without("poor run", lambda line: "q3 " not in line),
        RUNS,
        "query q3 is not in the run poor run",
    ),
    "no judged document": (
        written("poor run", b"q0 Q0 x 1 1 poor\n"),
        RUNS,
        "poor run: expected documents judged in qrels, got none",
    ),
    "one query": (
        without("qrels", lambda line: line.startswith("q0 ")),
        [*RUNS, "--unmatched", "drop"],
        "at least 4 queries with a relevant item, got 1",
    ),
    "one system": (nothing, RUNS[:4], "expected at least 2 systems, got good"),
    "no system": (nothing, RUNS[:2], "qrels: expected --system NAME=FILE for each system"),
    "a system beside a table": (
        nothing,
        [*TABLE, "--system", "a=good run"],
        "expected no --system beside a table",
    ),
    "a table with one system": (
        broken("table.csv", 1, "query,item,label,time,score_good,poor"),
        TABLE,
        "with also poor",
    ),
    "too few scores": (
        without("good scores", lambda line: len(line) % 2),
        SCORES,
        "good scores: expected 720 scores, one for each item of letor",
    ),
    "a score in words": (
        broken("good scores", 9, "high"),
        SCORES,
        "good scores, line 9: expected a score, got 'high'",
    ),
    "an underlined score": (
        broken("good scores", 9, "1_0"),
        SCORES,
        "good scores, line 9: expected a score, got '1_0'",
    ),
    "labels twice": (nothing, [*RUNS, "--labels", "letor"], "--labels: given twice"),
    "a seed twice": (nothing, [*RUNS, "--seed", "1", "--seed", "1"], "--seed: given twice"),
    "a system twice": (nothing, [*RUNS, "--system", "good=poor run"], "good is given twice"),
    "a system without a file": (nothing, [*RUNS, "--system", "good"], "system='good': expected NAME=FILE"),
    "an unknown pair": (
        nothing,
        [*RUNS, "--pair", "good,bad"],
        "pair='good,bad': expected two of good, poor",
    ),
    "times that are not there": (nothing, [*TABLE, "--time", "seen"], "table.csv, header: expected"),
    "times of a run": (nothing, [*RUNS, "--time", "seen"], "time='seen': expected a table"),
    "a format that it is not": (nothing, [*RUNS, "--format", "letor"], "qrels, line 1: expected 'label qid"),
    "an unknown format": (nothing, [*RUNS, "--format", "xml"], "invalid choice: 'xml'"),
    "a seed in words": (nothing, [*RUNS, "--seed", "one"], "one: expected a whole number >= 0"),
    "no labels": (nothing, RUNS[2:], "the following arguments are required: --labels"),
    "output over what is there": (
        lambda files: (files / "vendor").mkdir(),
        [*RUNS, "--output", "."],
        "got one with a vendor of its own",
    ),
    "output into a file": (
        nothing,
        [*RUNS, "--output", "letor"],
        "letor: expected a folder to write into, got a file",
    ),
    "output below a file": (
        nothing,
        [*RUNS, "--output", "letor/out"],
        "expected a folder to write into, got a file",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_one_clear_message_and_nothing_is_left(case, files, capsys):
    breaks, arguments, words = BAD[case]
    breaks(files)
    before = sorted(files.rglob("*"))
    try:
        code = main(["report", *arguments])
    except SystemExit as stopped:
        code = stopped.code
    told = capsys.readouterr().err
    assert code == 2 and words in told, told
    assert len(told.strip().splitlines()[-1]) < 600 and told.count("companion") <= 2 + told.count("usage")
    assert sorted(files.rglob("*")) == before


def test_a_file_by_the_name_of_the_example_is_read(files, monkeypatch):
    (files / "table.csv").rename(files / "made")
    seen = []
    monkeypatch.setattr(
        report,
        "run",
        lambda project, chapter, values, **_: (None, None, seen.append(values["labels"]) or ["stop"]),
    )
    assert report.report({"labels": "made", "seed": 1}, "out") == ([], ["stop"])
    assert seen[0] != "made" and report.Path(seen[0]) == report.Path("made")


def test_a_full_disk_is_told_before_anything_is_read(files, capsys, monkeypatch):
    monkeypatch.setattr(report.shutil, "disk_usage", lambda _: namedtuple("usage", "free")(2**20))
    before = sorted(files.rglob("*"))
    assert main(["report", *RUNS]) == 2
    assert "No space left on device" in capsys.readouterr().err and sorted(files.rglob("*")) == before


def test_a_folder_that_may_not_be_written_is_told(files, capsys, monkeypatch):
    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied", "out")

    monkeypatch.setattr(report.tempfile, "TemporaryDirectory", refuse)
    assert main(["report", *RUNS, "--output", "out"]) == 2
    assert capsys.readouterr().err == "companion: out: Permission denied\n"


def test_a_package_away_from_its_book_says_so(files, capsys, monkeypatch):
    monkeypatch.setattr(report, "package_folder", lambda: files / "lib" / "ndcg_companion")
    assert main(["report", *RUNS]) == 2
    assert "expected the book's folder, with _toc.yml" in capsys.readouterr().err


def test_words_say_what_is_decided_and_what_is_not(files):
    evaluation, _ = account.prepare("table.csv")
    told = account.answer(evaluation)
    assert told.startswith("- **`good` is ahead of `poor`**") and "items on" in told
    rng = np.random.default_rng(0)
    same = Evaluation(
        type(evaluation.rankings)(
            **vars(evaluation.rankings) | {"scores": {name: rng.random(QUERIES * ITEMS) for name in "ab"}}
        )
    )
    told = account.answer(same)
    assert told.startswith("- **Not confirmed**") and "items on" not in told


def with_scores(evaluation, scores, **more):
    return Evaluation(type(evaluation.rankings)(**vars(evaluation.rankings) | {"scores": scores}), **more)


def test_one_run_twice_is_called_no_difference(files):
    evaluation, _ = account.prepare("table.csv")
    good = evaluation.rankings.scores["good"]
    same = with_scores(evaluation, {"good": good, "again": good.copy()})
    assert account.answer(same).startswith(
        "- **No difference**: `good` and `again`"
    ) and "queries?" not in account.answer(same)
    assert "or more" not in account.measure_table(same)
    assert account.last_flips(same.growths["shuffled"], ["log"]).startswith(
        "the one ahead at the end, if any"
    )


def test_of_several_systems_the_pairs_are_told_and_another_pair_can_be_asked(files):
    evaluation, _ = account.prepare("table.csv")
    three = evaluation.rankings.scores | {"noise": np.random.default_rng(1).random(QUERIES * ITEMS)}
    told = account.answer(with_scores(evaluation, three))
    assert (
        told.startswith("- Of 3 pairs of 3 systems, the half of the queries kept for confirming tells ")
        and "`--pair A,B`" in told
    )
    assert int(told.split(" tells ")[1].split()[0]) in (2, 3)  # good is known to be better than both
    assert "--pair" not in account.answer(with_scores(evaluation, three, pair=("good", "noise")))


def test_no_number_of_items_is_told_where_their_model_fails(files):
    """The same ranking but for one exchange in favour of the first: it is ahead on every list, which no draws
    would be.
    """
    evaluation, _ = account.prepare("table.csv")
    labels, poor = (
        evaluation.rankings.labels.reshape(QUERIES, ITEMS),
        evaluation.rankings.scores["poor"].reshape(QUERIES, ITEMS),
    )
    better = poor.copy()
    for query in range(QUERIES):
        order = np.argsort(-poor[query])
        at = next(at for at in range(ITEMS - 1) if labels[query, order[at]] < labels[query, order[at + 1]])
        better[query, order[at : at + 2]] = poor[query, order[[at + 1, at]]]
    swapped = with_scores(evaluation, {"better": better.ravel(), "poor": poor.ravel()})
    assert swapped.items["log"]["seen"] == 1 and not swapped.items["log"]["fits"]
    assert "is ahead of `poor`" in account.answer(swapped) and "gives no number" in account.answer(swapped)
    assert "does not fit" in account.item_table(swapped)


@pytest.mark.parametrize(
    ("flips", "words"),
    [
        ({"log": 1200, "zipf": 1200}, "is not: 1,200 under each of them"),
        ({"log": 1200, "zipf": 7}, "is not: 1,200 (`log`), 7 (`zipf`)"),
        ({"log": None, "zipf": 7}, "is not: 7 (`zipf`); under the others at none"),
        ({"log": None, "zipf": None}, "is ahead at all of these sizes"),
    ],
)
def test_flips_are_told_in_few_words(flips, words):
    assert account.last_flips(SimpleNamespace(last_flip=flips.get), list(flips)).endswith(words)


def test_numbers_that_are_estimates_are_not_given_to_the_last_digit():
    assert [account.count(number) for number in (6.0, 99.0, 123.0, 115_443.0, np.inf)] == [
        "6",
        "99",
        "120",
        "120,000",
        "no number",
    ]


def test_the_interval_is_that_of_the_one_ahead(files):
    one, other = (
        account.answer(account.prepare("table.csv", pair=pair)[0]).splitlines()[0]
        for pair in ("good,poor", "poor,good")
    )
    assert one == other and "interval [+" in one


def test_two_ways_that_disagree_are_not_both_believed():
    evaluation = Evaluation(account.made_example(30, 200, seed=3)[0], "exponential", seed=3)
    assert not evaluation.confirmation["confirmed"] and evaluation.table["log"]["p_holm"] <= 0.05
    assert "is to choose again" in account.answer(evaluation)


def test_too_few_queries_to_be_sure_are_told(files):
    without("table.csv", lambda line: line[:3] in ("que", "q0,", "q1,", "q2,", "q3,", "q4,", "q5,", "q6,"))(
        files
    )
    assert "fewer than 6 queries cannot be sure of anything" in account.answer(
        account.prepare("table.csv")[0]
    )


def test_names_cannot_break_a_table():
    assert account.code("a|b`c") == "`a¦b'c`"


def test_what_json_cannot_hold_is_null(files):
    record = account.as_record(account.prepare("table.csv")[0], "table")
    assert json.loads(json.dumps(record, allow_nan=False)) == record
    assert record["all_pairs_confirmed"]["difference"][0][0] is None and record["drift"]["gap"]


def test_the_made_example_has_the_truth_it_says():
    rankings, truth = account.made_example(50, 100, seed=1)
    share = rankings.labels.mean()
    assert share == pytest.approx(truth.p, abs=4 * np.sqrt(0.1 * 0.9 / 5000))
    assert np.diff(rankings.offsets).tolist() == [100] * 50
