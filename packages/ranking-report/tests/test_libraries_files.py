"""Files and objects of the libraries themselves, which the lock of the benchmarks installs."""

import pandas
import pytest

from ranking_report.readers.formats import read_file
from ranking_report.readers.ids import as_texts
from ranking_report.readers.memory import rows_of_value

QRELS = {"q1": {"d1": 2, "d2": 1}, "q2": {"d1": 3, "d7": 1}}
RUN = {"q1": {"d2": 3.5, "d1": 3.25, "d9": -1.0}, "q2": {"d7": 2.0, "d1": 0.1}}


def held(rows):
    ids = [as_texts(coded.texts)[coded.codes].tolist() for coded in (rows.query, rows.item)]
    return sorted(zip(*ids, rows.values.tolist()))


def triples(table):
    return sorted((query, item, number) for query, of in table.items() for item, number in of.items())


@pytest.fixture(scope="module")
def ranx():
    # The lock of the benchmarks has it; numba, which it brings, warns of much.
    return pytest.importorskip("ranx", reason="ranx is in the lock of the benchmarks")


@pytest.fixture(scope="module")
def ir_measures():
    return pytest.importorskip("ir_measures", reason="ir_measures is in the lock of the benchmarks")


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("name", ["run.json", "run.trec", "run.parquet"])
def test_what_ranx_saves_of_a_run_is_read(ranx, name, tmp_path):
    run = ranx.Run(RUN, name="bm25")
    run.save(str(tmp_path / name))
    tag, rows = read_file(tmp_path / name, "score")
    assert held(rows) == triples(RUN) and tag == ("bm25" if name == "run.trec" else None)
    assert held(rows_of_value(run, "score", "run")) == triples(RUN)
    assert held(rows_of_value(run.to_dataframe(), "score", "run")) == triples(RUN)


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("name", ["qrels.json", "qrels.trec", "qrels.parquet"])
def test_what_ranx_saves_of_judgments_is_read(ranx, name, tmp_path):
    qrels = ranx.Qrels(QRELS)
    qrels.save(str(tmp_path / name))
    assert held(read_file(tmp_path / name, "label")[1]) == triples(QRELS)
    assert held(rows_of_value(qrels, "label", "labels")) == triples(QRELS)
    assert held(rows_of_value(qrels.to_dataframe(), "label", "labels")) == triples(QRELS)


def test_tuples_and_generators_of_ir_measures_are_read(ir_measures, tmp_path):
    run = [ir_measures.ScoredDoc(*row) for row in triples(RUN)]
    qrels = [ir_measures.Qrel(*row) for row in triples(QRELS)]
    for value in (run, iter(run), pandas.DataFrame(run)):
        assert held(rows_of_value(value, "score", "run")) == triples(RUN)
    for value in (qrels, iter(qrels), pandas.DataFrame(qrels)):
        assert held(rows_of_value(value, "label", "labels")) == triples(QRELS)
    (tmp_path / "run").write_text("".join(f"{q} Q0 {d} 1 {s} tag\n" for q, d, s in triples(RUN)))
    (tmp_path / "qrels").write_text("".join(f"{q} 0 {d} {g}\n" for q, d, g in triples(QRELS)))
    assert held(rows_of_value(ir_measures.read_trec_run(str(tmp_path / "run")), "score", "run")) == triples(
        RUN
    )
    judged = ir_measures.read_trec_qrels(str(tmp_path / "qrels"))
    assert held(rows_of_value(judged, "label", "labels")) == triples(QRELS)


def test_frames_of_polars_are_read():
    polars = pytest.importorskip("polars", reason="polars is in no lock")
    frame = polars.DataFrame(triples(RUN), schema=["qid", "docno", "score"], orient="row")
    assert held(rows_of_value(frame, "score", "run")) == triples(RUN)


def test_what_pytrec_eval_takes_is_taken(tmp_path):
    """The result that it parses from the same file is also accepted."""
    import pytrec_eval

    lines = [
        f"{query} Q0 {item} {index} {score} x\n" for index, (query, item, score) in enumerate(triples(RUN))
    ]
    (tmp_path / "run").write_text("".join(lines))
    parsed = pytrec_eval.parse_run(lines)
    assert held(rows_of_value(parsed, "score", "run")) == held(read_file(tmp_path / "run", "score")[1])
