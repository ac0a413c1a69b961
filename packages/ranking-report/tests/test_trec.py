import gzip

import numpy as np
import pytest
import pytrec_eval

from ndcg_companion.measures import Log, dcg, ideal_dcg
from ranking_report.readers import read_trec


def write(path, text):
    path.write_bytes(gzip.compress(text.encode(), mtime=0) if path.suffix == ".gz" else text.encode())
    return path


@pytest.fixture
def files_of_qrels_and_runs(tmp_path):
    """Judgments with negative, large and absent grades; runs with ties, missing documents and ranks that
    lie.
    """
    rng = np.random.default_rng(1)
    queries = [f"{q}" for q in (301, 7, 52)]
    documents = [f"d{i}" for i in range(60)] + ["Ä1", "z-9"]
    judged, runs = [], {"a": [], "b": [], "c": []}
    for query in queries:
        for document in rng.permutation(documents)[:40]:
            judged.append(f"{query}\t0  {document} {rng.choice([-2, -1, 0, 1, 2, 1000])}")
        for tag, lines in runs.items():
            for document in rng.permutation(documents)[:35]:
                lines.append(
                    f"{query} Q0 {document}\t{rng.integers(1, 99)}   {rng.integers(0, 12) / 4} {tag}"
                )
    qrels = write(tmp_path / "qrels.txt", "\n".join(judged) + "\n")
    endings = {"b": ".run.gz"}
    return qrels, [
        write(tmp_path / (tag + endings.get(tag, ".run")), "\n".join(lines)) for tag, lines in runs.items()
    ]


def text_of(path):
    data = path.read_bytes()
    return (gzip.decompress(data) if path.suffix == ".gz" else data).decode()


def test_ndcg_is_trec_evals_on_the_same_files(files_of_qrels_and_runs):
    qrels, runs = files_of_qrels_and_runs
    judged = pytrec_eval.parse_qrel(text_of(qrels).splitlines())
    rankings = read_trec(qrels, runs)
    assert rankings.queries.tolist() == list(judged)
    assert rankings.negative == sum(grade < 0 for grades in judged.values() for grade in grades.values()) > 0
    full = ideal_dcg(rankings.labels, offsets=rankings.offsets)
    for path, (system, scores) in zip(runs, rankings.scores.items(), strict=True):
        theirs = pytrec_eval.RelevanceEvaluator(judged, {"ndcg", "ndcg_cut.10"}).evaluate(
            pytrec_eval.parse_run(text_of(path).splitlines())
        )
        counted = rankings.retrieved_labels(system)
        ours = dcg(counted, scores, ties="stable", offsets=rankings.offsets) / full
        assert ours == pytest.approx([theirs[query]["ndcg"] for query in rankings.queries], rel=1e-12)
        ours = dcg(
            counted, scores, discount=Log(), k=10, ties="stable", offsets=rankings.offsets
        ) / ideal_dcg(rankings.labels, k=10, offsets=rankings.offsets)
        assert ours == pytest.approx([theirs[query]["ndcg_cut_10"] for query in rankings.queries], rel=1e-12)


def test_scores_that_are_equal_in_32_bits_are_ties_for_trec_eval(tmp_path):
    qrels = write(tmp_path / "qrels", "1 0 a 1\n1 0 b 0\n")
    run = write(tmp_path / "run", "1 Q0 a 1 1.00000000001 x\n1 Q0 b 2 1.0 x\n")
    theirs = pytrec_eval.RelevanceEvaluator({"1": {"a": 1, "b": 0}}, {"ndcg"}).evaluate(
        {"1": {"a": 1.00000000001, "b": 1.0}}
    )["1"]["ndcg"]
    rankings = read_trec(qrels, [run])
    scores = rankings.scores["x"]
    rounded, exact = (
        dcg(rankings.labels, s, ties="stable") / ideal_dcg(rankings.labels)
        for s in (np.float32(scores), scores)
    )
    assert rounded == pytest.approx(theirs, rel=1e-12) and theirs < exact == 1


def test_items_are_what_is_judged_or_retrieved(files_of_qrels_and_runs):
    qrels, runs = files_of_qrels_and_runs
    rankings = read_trec(qrels, runs)
    judged = pytrec_eval.parse_qrel(text_of(qrels).splitlines())
    parsed = [pytrec_eval.parse_run(text_of(path).splitlines()) for path in runs]
    for q, query in enumerate(rankings.queries):
        part = slice(*rankings.offsets[q : q + 2])
        expected = set(judged[query]).union(*(run[query] for run in parsed))
        assert rankings.items[part].tolist() == sorted(expected, key=str.encode, reverse=True)
        columns = rankings.items, rankings.labels, rankings.judged, *rankings.scores.values()
        for item, label, is_judged, *scores in zip(*(column[part] for column in columns)):
            assert label == max(0, judged[query].get(item, 0)) and is_judged == (item in judged[query])
            assert scores == [run[query].get(item, -np.inf) for run in parsed]


def test_systems_can_be_named(files_of_qrels_and_runs):
    qrels, (first, *_) = files_of_qrels_and_runs
    assert list(read_trec(qrels, {"old": first, "new": first}).scores) == ["old", "new"]


GOOD = "1 0 a 1\n1 0 b 0\n2 0 a 2\n", "1 Q0 a 1 2.5 x\n2 Q0 a 1 3 x\n"
QRELS, RUN = GOOD


@pytest.mark.parametrize(
    ("qrels", "run", "message"),
    [
        ("", RUN, r"qrels: expected lines of 'query iteration document grade', got an empty file"),
        (QRELS, " \n", r"run: expected lines of 'query Q0 document rank score tag', got an empty file"),
        (
            QRELS + "2 0 b\n",
            RUN,
            r"qrels, line 4: expected 4 fields \(query iteration document grade\), got 3",
        ),
        (QRELS, RUN + "\n2 Q0 b 2 1 x", r"run, line 3: expected 6 fields .* got 0"),
        (QRELS, "1 Q0 a b 1 2.5 x", r"run, line 1: expected 6 fields .* got 7"),
        (QRELS + "2 0 b one", RUN, r"qrels, line 4: expected a number as grade, got 'one'"),
        (QRELS + "2 0 b 1.5", RUN, r"qrels, line 4: expected a grade, .* got 1.5"),
        (QRELS + "2 0 b 1.5x", RUN, r"qrels, line 4: expected a number as grade, got '1.5x'"),
        (QRELS + "2 0 b inf", RUN, r"qrels, line 4: expected a grade, .* got inf"),
        (QRELS + "2 0 b 1e300", RUN, r"qrels, line 4: expected a grade, .* got 1e\+?300"),
        (QRELS + "2 0 b 1_0", RUN, r"qrels, line 4: expected a number as grade, got '1_0'"),
        (QRELS + f"2 0 b {2**63}", RUN, r"qrels, line 4: expected a grade, .* at most 2\*\*53, got 9.22"),
        (QRELS, RUN + "2 Q0 b 2 high x", r"run, line 3: expected a number as score, got 'high'"),
        (QRELS, RUN + "2 Q0 b 2 nan x", r"run, line 3: expected a score, .* got nan"),
        (QRELS, RUN + "2 Q0 b 2 -inf x", r"run, line 3: expected a score, .* got -inf"),
        (QRELS, RUN + "2 Q0 b 2 1 y", r"run, line 3: expected the tag x of line 1, got y"),
        (
            QRELS,
            RUN + "1 Q0 a 2 1 x",
            r"run, line 3: expected each item once .* got a for query 1 as in line 1",
        ),
        (
            QRELS + "2 0 a 0",
            RUN,
            r"qrels, line 4: expected each item once .* got a for query 2 as in line 3",
        ),
        (
            QRELS,
            RUN[:15],
            r"qrels, line 3: query 2 is not in .*run; missing=.zero. counts it 0 \(--missing zero",
        ),
        (
            QRELS + "3 0 a 1\n",
            RUN[:15],
            r"qrels, line 3: queries 2, 3 \(2 of 3 judged\) are not in .*; missing=.zero. counts them 0",
        ),
        (
            QRELS + "".join(f"{query} 0 a 1\n" for query in range(3, 10)),
            RUN[:15],
            r"queries 2, 3, 4, 5, 6, … \(8 of 9 judged\)",
        ),
        (
            RUN,
            RUN,
            r"qrels, line 1: expected 4 fields .*, got 6, as runs have: are labels and runs swapped\?",
        ),
        (QRELS, QRELS, r"run, line 1: expected 6 fields .*, got 4, as judgments have: are labels and runs"),
        (QRELS, "1 Q0 c 1 1 x\n2 Q0 c 1 1 x", r"run: expected items judged in .*qrels, got none"),
    ],
)
def test_a_bad_file_is_rejected_with_its_line(tmp_path, qrels, run, message):
    paths = write(tmp_path / "qrels", qrels), write(tmp_path / "run", run)
    with pytest.raises(ValueError, match=message):
        read_trec(paths[0], [paths[1]])


def test_queries_without_judgments_are_left_out_and_listed(tmp_path):
    """As in trec_eval, this does not depend on the treatment of queries that a run lacks."""
    qrels, run = write(tmp_path / "qrels", QRELS), write(tmp_path / "run", RUN + "3 Q0 a 1 1 x\n4 Q0 b 1 1 x")
    for missing in ("raise", "zero", "drop"):
        rankings = read_trec(qrels, [run], missing=missing)
        assert rankings.dropped == ("3", "4") and rankings.queries.tolist() == ["1", "2"]


@pytest.mark.parametrize(
    ("lines", "share"),
    [
        (["1 9.5", "2 9", "3 1"], 0),
        (["1 0.1", "2 0.2", "3 0.9"], 1),  # distances
        (["3 0.1", "2 0.2", "1 0.9"], 0),
        (["1 3", "2 2", "3 5"], 0.5),
        (["1 3", "1 2", "2 2", "3 1"], 0),  # ties say nothing
        (["1 inf", "2 inf", "0 2"], 1),
        (["x 3", "2 5", "3 7"], 1),  # no number says nothing
        (["- 3", "- 5", "- 7"], 0),
        ([f"{10**30} 3", "1 5"], 0),
    ],
)
def test_the_proportion_of_ranks_that_contradict_scores_is_counted(tmp_path, lines, share):
    """Neighbours count only within queries. The second query begins with a lower rank and score."""
    qrels = write(tmp_path / "qrels", "1 0 d0 1\n2 0 d0 1\n")
    rows = [f"{query} Q0 d{index} {line} x\n" for query in (1, 2) for index, line in enumerate(lines)]
    rankings = read_trec(qrels, [write(tmp_path / "run", "".join(rows))])
    assert rankings.contradicted == {"x": share}
    if share < 1:  # read line by line, for a blank that is one to Python alone
        (tmp_path / "run").write_bytes(b"".join(row.encode().replace(b"Q0", b"\x0b Q0") for row in rows))
        assert read_trec(qrels, [tmp_path / "run"]).contradicted == {"x": share}


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (
            QRELS.encode() + "2 0 é 1\n".encode("latin-1"),
            "qrels, line 4: expected UTF-8 text, got the byte 0xe9",
        ),
        (QRELS.encode("utf-16"), "qrels: expected UTF-8 text, got UTF-16; save the file as UTF-8"),
        (QRELS.encode("utf-16-be"), "qrels: expected UTF-8 text, got UTF-16; save the file as UTF-8"),
        (QRELS.encode("utf-32"), "qrels: expected UTF-8 text, got UTF-32; save the file as UTF-8"),
        (b"1 0 a 1\xff", "qrels, line 1: expected UTF-8 text, got the byte 0xff"),
        (b"PAR1\0\0\1", "qrels: expected lines of .*, got Parquet"),
        (b"1 0 a\0b 1\n", "qrels, line 1: expected UTF-8 text, got the byte 0x00"),
        (
            gzip.compress(QRELS.encode(), mtime=0)[:-9],
            "qrels: expected complete gzip data, got data that are cut short or damaged",
        ),
    ],
)
def test_what_is_no_text_is_rejected(tmp_path, data, message):
    path = tmp_path / "qrels"
    path.write_bytes(data)
    with pytest.raises(ValueError, match=message):
        read_trec(path, [write(tmp_path / "run", RUN)])


def test_a_missing_file(tmp_path):
    with pytest.raises(FileNotFoundError, match="qrels"):
        read_trec(tmp_path / "qrels", [write(tmp_path / "run", RUN)])


def test_queries_of_one_file_only_can_be_left_out(tmp_path):
    qrels = write(tmp_path / "qrels", QRELS + "9 0 a -1\n")
    run = write(tmp_path / "run", "3 Q0 a 1 1 x\n" + RUN[15:] + "1 Q0 d 1 7 x\n")
    rankings = read_trec(qrels, [run], missing="drop")
    assert (
        rankings.queries.tolist() == ["1", "2"] and rankings.dropped == ("9", "3") and rankings.negative == 0
    )
    assert rankings.offsets.tolist() == [0, 3, 4]
    assert rankings.items.tolist() == ["d", "b", "a", "a"] and rankings.labels.tolist() == [0, 0, 1, 2]
    assert rankings.scores["x"].tolist() == [7, -np.inf, -np.inf, 3]
    with pytest.raises(ValueError, match="qrels: expected a query that every run has, got none"):
        read_trec(qrels, {"x": run, "y": write(tmp_path / "other", "9 Q0 a 1 1 y")}, missing="drop")


def test_arguments(tmp_path):
    qrels, run = write(tmp_path / "qrels", QRELS), write(tmp_path / "run", RUN)
    with pytest.raises(ValueError, match="missing=.keep.: expected one of .raise., .zero., .drop."):
        read_trec(qrels, [run], missing="keep")
    for runs in ([], {}, str(run)):
        with pytest.raises(ValueError, match="runs=.*: expected a list of paths"):
            read_trec(qrels, runs)
    with pytest.raises(ValueError, match="run: expected a tag that no other run has, got 'x', as in"):
        read_trec(qrels, [run, run])


def test_a_comparison_can_ask_for_two_of_each(tmp_path):
    rankings = read_trec(write(tmp_path / "qrels", QRELS[:16]), [write(tmp_path / "run", RUN[:15])])
    assert repr(rankings) == "Rankings(1 query, 2 items, systems: x)" and rankings.require() is rankings
    with pytest.raises(ValueError, match="qrels, .*run: expected at least 2 systems, got x"):
        rankings.require(systems=2)
    with pytest.raises(ValueError, match="run: expected at least 2 queries, got 1"):
        rankings.require(queries=2)
