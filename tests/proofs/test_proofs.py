"""The proofs that Coq has checked: what is committed is what was checked and read, and cheats are refused.

Only the tests at the end need Coq; the workflow ``proofs`` runs them.
"""

import importlib.util
import json
import re
import shutil
from fractions import Fraction

import pytest
from support import ROOT

from ndcg_companion.measures import dcg, parse_discount
from ndcg_companion.measures.linear import linear_ndcg

PROOFS = ROOT / "proofs"
specification = importlib.util.spec_from_file_location("proofs_check", PROOFS / "check.py")
check = importlib.util.module_from_spec(specification)
specification.loader.exec_module(check)
ENTRIES = check.results()

needs_coq = pytest.mark.skipif(shutil.which("coqc") is None, reason="Coq is not installed")


@pytest.fixture
def copy(tmp_path):
    """The folder of proofs, to be broken."""
    folder = tmp_path / "proofs"
    shutil.copytree(PROOFS, folder, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def replace(path, old, new):
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


# ---- what is committed ----


def test_the_results_are_those_of_the_files():
    """If this fails, a proof was edited since Coq saw it: 'make proofs'."""
    for entry in ENTRIES:
        files = sorted({name for file, _ in entry["theorems"] for name in check.imports(file)})
        assert entry["sha256"] == check.digest(files), entry["id"]
    written = json.loads((PROOFS / "results.json").read_text(encoding="utf-8"))
    assert written["sha256"] == check.digest(sorted(path.stem for path in PROOFS.glob("*.v")))


def test_every_pair_was_read_since_one_of_the_two_changed():
    """If this fails: 'make proofs-read', compare, then 'python proofs/check.py --pin ID'."""
    assert list(check.unread()) == []


def test_the_results_are_the_rows_of_the_table():
    rows = check.statements()
    assert [row["id"] for row in rows] == [entry["id"] for entry in ENTRIES]
    for row, entry in zip(rows, ENTRIES, strict=True):
        assert all(entry[name] == row[name] for name in ("covers", "in words", "leaves out", "theorems"))


def test_only_what_leaves_nothing_out_is_whole():
    for entry in ENTRIES:
        assert entry["covers"] in check.COVERS
        assert (entry["leaves out"] == "") == (entry["covers"] == "whole"), entry["id"]


def test_every_statement_assumes_only_what_is_allowed_and_every_control_is_there():
    assert all(set(entry["assumptions"]) <= set(check.ALLOWED) for entry in ENTRIES)
    controls = json.loads((PROOFS / "results.json").read_text(encoding="utf-8"))["controls"]
    assert len(controls) >= 4 and all(text.startswith("~") for text in controls.values())


def test_the_files_take_nothing_on_trust_and_are_short_enough_to_be_read():
    files = sorted(PROOFS.glob("*.v"))
    assert files
    for path in files:
        assert check.taken_on_trust(path.read_text(encoding="utf-8")) == [], path.name
    assert sum(len(path.read_text(encoding="utf-8").splitlines()) for path in files) <= 4500


# ---- the formal definitions are those of the package ----


def _examples():
    text = json.loads((PROOFS / "results.json").read_text(encoding="utf-8"))["examples"]
    ndcg = re.compile(r"(?:Ranking\.)?NDCG (zipf|geometric) \[(.*)\] = (\d+) / (\d+)")
    linear = re.compile(r"ldcg \[(.*)\] / ldcg \(sort \[\1\]\) = (\d+) / (\d+)")
    for name, statement in text.items():
        flat = " ".join(statement.split())
        if match := ndcg.fullmatch(flat):
            discount, labels, over, under = match.groups()
        else:
            match = linear.fullmatch(flat)
            assert match, flat
            discount, (labels, over, under) = "linear", match.groups()
        yield name, discount, [int(label) for label in labels.split("; ")], Fraction(int(over), int(under))


@pytest.mark.parametrize(
    ("name", "discount", "labels", "formal"), list(_examples()), ids=lambda one: str(one)
)
def test_the_package_computes_what_the_formal_definition_is(name, discount, labels, formal):
    scores = list(range(len(labels), 0, -1))
    if discount == "linear":
        ours = linear_ndcg(labels, scores)
    else:
        parsed = parse_discount("zipf" if discount == "zipf" else "geometric:0.5")
        ours = dcg(labels, scores, discount=parsed) / dcg(labels, labels, discount=parsed)
    assert Fraction(ours).limit_denominator(10_000) == formal
    assert ours == pytest.approx(float(formal), rel=1e-15)


# ---- cheats ----


@pytest.mark.parametrize(
    "cheat",
    [
        "Theorem easy : 1 = 2. Proof. Admitted.",
        "Theorem easy : 1 = 2. Proof. admit. Qed.",
        "Axiom easy : 1 = 2.",
        "Parameter easy : 1 = 2.",
        "Hypothesis easy : 1 = 2.",
        "Context (easy : 1 = 2).",
        "Unset Guard Checking.",
        "#[bypass_check(guard)] Fixpoint easy (n : nat) : False := easy n.",
        "Section Shut. End Shut. Variable easy : False.",
        '(* "*) Axiom easy : False. (* " *)',
    ],
)
def test_a_planted_cheat_is_found(cheat):
    assert check.taken_on_trust("From Coq Require Import Reals.\n" + cheat + "\n")


def test_words_in_comments_and_assumptions_within_a_section_are_no_cheats():
    honest = "(* no Axiom, (* nothing *) Admitted *) Section S.\nVariable D : nat.\nEnd S.\n"
    assert check.taken_on_trust(honest) == []


def test_an_edited_proof_is_noticed_without_coq(copy):
    before = check.digest(check.imports("LinearTies", copy), copy)
    replace(copy / "Ranking.v", "Fixpoint sort", "(* another *) Fixpoint sort")
    assert check.digest(check.imports("LinearTies", copy), copy) != before


def test_a_weakened_statement_has_to_be_read_again(copy):
    replace(copy / "results.json", "nonincreasing D ->", "decreasing D ->")
    assert "wang/definition-1" in check.unread(copy)


def test_a_wrong_definition_has_to_be_read_again(copy):
    replace(copy / "Ranking.v", "DCG D l / IDCG D l", "IDCG D l / DCG D l")
    assert {"wang/definition-1", "wang/invariance"} <= set(check.unread(copy))


def test_a_changed_box_has_to_be_read_again(tmp_path):
    pages = tmp_path / "chapters"
    shutil.copytree(ROOT / "chapters", pages)
    replace(pages / "linear-ndcg.ipynb", "no two scores are equal", "any two scores are equal")
    assert "linear/theorem-3" in check.unread(PROOFS, pages)


def test_a_pin_of_no_statement_is_refused(capsys):
    with pytest.raises(SystemExit) as refused:
        check.main(["--pin", "wang/theorem-44"])
    assert refused.value.code == 2 and "'wang/theorem-44'" in capsys.readouterr().err


# ---- with Coq ----


@needs_coq
def test_coq_refuses_a_false_lemma_a_foreign_axiom_and_a_wrong_definition(copy):
    """A definition turned upside down no longer has the proofs and the examples that it had."""
    replace(copy / "Ranking.v", "DCG D l / IDCG D l", "IDCG D l / DCG D l")
    with pytest.raises(SystemExit, match="coqc"):
        check.check(copy)


@needs_coq
def test_an_assumption_from_a_library_is_named(copy):
    proof = "From Coq Require Import Reals ProofIrrelevance.\n"
    proof += "Theorem cheap : forall (P : Prop) (p q : P), p = q.\nProof. exact proof_irrelevance. Qed.\n"
    for path in copy.glob("*.v"):
        if path.stem not in ("Ranking", "Controls", "Examples"):
            path.unlink()
    (copy / "Cheap.v").write_text(proof, encoding="utf-8")
    for name in ("Controls", "Examples"):
        (copy / f"{name}.v").write_text("", encoding="utf-8")
    (copy / "statements.csv").write_text(
        "id,covers,theorems,in words,leaves out\nwang/theorem-4,whole,Cheap.cheap,all proofs are one,\n",
        encoding="utf-8",
    )
    with pytest.raises(SystemExit, match="proof_irrelevance"):
        check.check(copy)
