import sys
from types import ModuleType

import pytest

from ndcg_companion.measures import Log, Power, Zipf
from ranking_report import parse_measure
from ranking_report.measure_names import Measure, parse_measures


@pytest.mark.parametrize(
    ("text", "kind", "k", "discount", "gain", "rel"),
    [
        ("nDCG@10", "nDCG", 10, Log(), None, 1),
        ("nDCG", "nDCG", None, Log(), None, 1),
        ("nDCG@0.2n", "nDCG", 0.2, Log(), None, 1),
        ("nDCG(discount=power:0.5)@100", "nDCG", 100, Power(0.5), None, 1),
        ("nDCG(gain=exponential)@20", "nDCG", 20, Log(), "exponential", 1),
        ("nDCG(discount=zipf, gain=exponential)", "nDCG", None, Zipf(), "exponential", 1),
        ("nDCG(dcg='exp-log2')@20", "nDCG", 20, Log(), "exponential", 1),
        ("DCG@10", "DCG", 10, Log(), None, 1),
        ("DCG", "DCG", None, Log(), None, 1),
        ("DCG(discount=zipf,gain=exponential)@0.2n", "DCG", 0.2, Zipf(), "exponential", 1),
        ("AP", "AP", None, Log(), None, 1),
        ("AP(rel=2)", "AP", None, Log(), None, 2),
        ("P@5", "P", 5, Log(), None, 1),
        ("RR", "RR", None, Log(), None, 1),
        ("RR@10", "RR", 10, Log(), None, 1),
        ("R(rel=3)@100", "R", 100, Log(), None, 3),
        ("RankDCG", "RankDCG", None, Log(), None, 1),
        ("Judged@10", "Judged", 10, Log(), None, 1),
        ("Rprec(rel=2)", "Rprec", None, Log(), None, 2),
        ("RBP(p=0.8)", "RBP", None, Log(), None, 1),
        ("ERR@20", "ERR", 20, Log(), None, 1),
    ],
)
def test_names_of_measures_are_parsed(text, kind, k, discount, gain, rel):
    measure = parse_measure(text)
    assert (measure.kind, measure.k, measure.discount, measure.gain, measure.rel) == (
        kind,
        k,
        discount,
        gain,
        rel,
    )
    assert parse_measure(measure.name) == measure and type(measure.k) is type(k)


def test_the_parameters_of_rbp_and_err():
    assert parse_measure("RBP(p=0.95,rel=2)@20").p == 0.95 and parse_measure("RBP").p == 0.8
    assert parse_measure("ERR(max_rel=1)@10").max_rel == 1 and parse_measure("ERR@10").max_rel == 4
    assert parse_measure("RBP(p=0.95,rel=2)@20").rel == 2


def test_a_measure_without_more_words_is_that_of_its_name():
    assert Measure("AP", "AP") == parse_measure("AP") and Measure("nDCG", "nDCG") == parse_measure("nDCG")


NAMES_OF_OTHERS = {
    "trec_eval": "map AP; map_cut_10 AP@10; ndcg nDCG; ndcg_cut_10 nDCG@10; P_10 P@10; recall_100 R@100; "
    "recip_rank RR; success_1 Success@1; Rprec Rprec; bpref Bpref",
    "recommenders": "HR@10 Success@10; hit_rate@10 Success@10; Precision@5 P@5; recall@20 R@20",
    "BEIR, ranx": "NDCG@10 nDCG@10; MAP@100 AP@100; map@10 AP@10; mrr@10 RR@10; mrr RR; r_precision Rprec; "
    "dcg@10 DCG@10",
}


@pytest.mark.parametrize("program", NAMES_OF_OTHERS)
def test_names_of_measures_in_other_programs_are_accepted(program):
    for pair in NAMES_OF_OTHERS[program].split("; "):
        text, name = pair.split()
        assert parse_measure(text).name == name


@pytest.mark.parametrize("text", ["gm_map", "infAP", "IPrec@0.1", "hits@10", "set_P", "ARP", "nERR@5"])
def test_no_hint_names_another_measure(text, monkeypatch):
    monkeypatch.setitem(sys.modules, "ir_measures", None)  # which knows some of them
    with pytest.raises(ValueError, match="expected one of") as caught:
        parse_measure(text)
    assert "did you mean" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nDGC@10", "did you mean 'nDCG'"),
        ("MPA", "did you mean 'AP'"),
        ("", "expected one of nDCG"),
        (None, "expected one of nDCG"),
        ("nDCG@0", "cut-off '0': expected a whole number >= 1 or a fraction of the list, such as 0.2n"),
        ("nDCG@0.2", "cut-off '0.2'"),
        ("nDCG@1.5n", "cut-off '1.5n'"),
        ("nDCG@0.0n", "cut-off '0.0n'"),
        ("P", "expected a cut-off, such as P@10"),
        ("P@0.2n", "cut-off '0.2n': expected a whole number >= 1"),
        ("AP@0", "cut-off '0': expected a whole number >= 1"),
        ("AP@0.2n", "cut-off '0.2n': expected a whole number >= 1"),
        ("Success", "expected a cut-off, such as Success@10"),
        ("Success(p=1)@5", "expected rel=… in brackets, each once, got 'p=1'"),
        ("RankDCG@5", "expected RankDCG without a cut-off"),
        ("nDCG(discount=powr:0.5)", "did you mean 'power'"),
        ("nDCG(gain=cubic)", "gain='cubic': expected linear or exponential"),
        ("nDCG(rel=2)", "expected discount=…, gain=…, dcg=… in brackets, each once, got 'rel=2'"),
        ("AP(rel=0)", "rel='0': expected a whole number"),
        ("AP(rel=1,rel=2)", "each once"),
        ("RBP(p=1)", "p='1': expected a number between 0 and 1"),
        ("RBP(p=0.0)", "p='0.0': expected a number between 0 and 1"),
        ("ERR(max_rel=0)", "max_rel='0': expected a whole number"),
        ("ERR(max_rel=1000)", "max_rel=1000: expected below 1000"),
        ("Rprec@5", "expected Rprec without a cut-off"),
        ("nDCG(dcg=log3)", "expected dcg='log2'"),
        ("\x1b[31m", r"measure='\\x1b\[31m'"),
        ("nDCG@10; rm", "expected one of"),
    ],
)
def test_unknown_names_of_measures_are_rejected_with_a_suggestion(text, message):
    with pytest.raises(ValueError, match=message):
        parse_measure(text)


def test_each_measure_is_asked_for_once():
    with pytest.raises(ValueError, match="got AP twice"):
        parse_measures(["AP", "MAP"])
    for nothing in ([], "AP"):
        with pytest.raises(ValueError, match="expected a list of names"):
            parse_measures(nothing)


def test_what_needs_the_length_of_the_list_says_so():
    needing = [
        text
        for text in ("nDCG@10", "nDCG@0.2n", "nDCG(discount=linear)", "RankDCG", "AP")
        if parse_measure(text).needs_n
    ]
    assert needing == ["nDCG@0.2n", "nDCG(discount=linear)", "RankDCG"]


def test_the_rest_is_asked_of_ir_measures(monkeypatch):
    """A substitute for the package accepts the names that it knows, and others are rejected as before."""
    package = ModuleType("ir_measures")

    def parse(text):
        if not text.startswith(("infAP", "SetF", "IPrec")):
            raise NameError(text)
        return text

    def evaluator(measures, qrels):
        if measures == ["IPrec"]:
            raise AssertionError("needs\n a cut-off")

    package.parse_measure, package.evaluator = parse, evaluator
    monkeypatch.setitem(sys.modules, "ir_measures", package)
    assert parse_measure("infAP").kind == parse_measure("SetF").kind == "ir_measures"
    assert parse_measure("MAP@100").name == "AP@100" and parse_measure("HR@5").name == "Success@5"
    with pytest.raises(ValueError, match="did you mean 'nDCG'"):
        parse_measure("nDGC@10")
    with pytest.raises(ValueError, match="expected one of nDCG, .*; ir_measures: needs a cut-off"):
        parse_measure("IPrec")
