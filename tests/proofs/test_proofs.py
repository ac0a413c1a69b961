"""The proofs that Coq has checked. The committed files were checked and read, and cheats are rejected.

Only the tests at the end need Coq; the workflow ``proofs`` runs them.
"""

import importlib.util
import json
import re
import shutil
from fractions import Fraction
from itertools import groupby

import numpy as np
import pytest
from support import ROOT

from ndcg_book import BOOK
from ndcg_companion.measures import Geometric, Linear, Zipf, linear_ndcg, ndcg, rankdcg
from ndcg_conformance import cases, standard
from ndcg_conformance import value as conformance_value

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
        assert all(
            entry[name] == row[name] for name in ("covers", "of", "in words", "leaves out", "theorems")
        )


def test_only_proofs_that_leave_nothing_out_are_complete():
    for entry in ENTRIES:
        assert entry["covers"] in check.COVERS
        assert (entry["leaves out"] == "") == (entry["covers"] == "whole"), entry["id"]


def test_a_proof_about_a_refuted_statement_is_never_called_a_proof_of_it():
    for entry in ENTRIES:
        row = BOOK.registry.get(entry["id"])
        falls = row is not None and row.expected == "contradicted"
        assert (entry["of"] != "statement") == falls, entry["id"]


def test_every_statement_assumes_only_what_is_allowed_and_every_control_is_there():
    assert all(set(entry["assumptions"]) <= set(check.ALLOWED) for entry in ENTRIES)
    controls = json.loads((PROOFS / "results.json").read_text(encoding="utf-8"))["controls"]
    assert len(controls) >= 18 and all(text.startswith("~") for text in controls.values())


def test_the_files_take_nothing_on_trust_and_are_short_enough_to_be_read():
    files = sorted(PROOFS.glob("*.v"))
    assert files
    for path in files:
        assert check.taken_on_trust(path.read_text(encoding="utf-8")) == [], path.name
    assert sum(len(path.read_text(encoding="utf-8").splitlines()) for path in files) <= 5500


# ---- the formal definitions are those of the package ----


def _examples():
    """The lists of which Coq was asked for the value, as it prints them, and the values."""
    text = json.loads((PROOFS / "results.json").read_text(encoding="utf-8"))["examples"]
    for statement in text.values():
        without_files = re.sub(r"\b[A-Z]\w*\.|%nat\b", "", " ".join(statement.split()))
        for equation in without_files.split(" /\\ "):
            formal, _, number = equation.rpartition(" = ")
            over, under = number.split(" / ")
            yield formal, Fraction(int(over), int(under))


EXAMPLES = dict(_examples())
DISCOUNTS = {"zipf": Zipf(), "geometric": Geometric(0.5), "linear": Linear()}
RECIPROCAL = standard() | {"discount": "reciprocal"}


def listed(labels):
    """A list of numbers in Coq's notation."""
    return f"[{'; '.join(str(Fraction(str(label))).replace('/', ' / ') for label in labels)}]"


def plain(discount, labels):
    """NDCG of labels in ranked order, in Coq's notation."""
    if discount == "linear":
        return f"ldcg {listed(labels)} / ldcg (sort {listed(labels)})"
    return f"NDCG {discount} {listed(labels)}"


def tied(discount, labels, scores, k=None):
    """NDCG@k of what has a score, by shelves of equal scores, in Coq's notation."""
    scored_labels = sorted(
        ((score, label) for score, label in zip(scores, labels, strict=True) if score is not None),
        key=lambda item: -item[0],
    )
    shelves = [
        listed([label or 0 for _, label in shelf])
        for _, shelf in groupby(scored_labels, key=lambda item: item[0])
    ]
    judged, n = listed([label for label in labels if label is not None]), len(labels)
    paid = f"(linear {n})" if discount == "linear" else discount
    return f"tied_ndcg {paid} {k or n} [{'; '.join(shelves)}] {judged}"


def rank_dcg(labels, reference):
    """RankDCG of values in ranked order against a reference, in Coq's notation."""
    return f"rankdcg {listed(sorted(reference, reverse=True))} {listed(labels)}"


def in_ranked_order(query):
    """The labels of a conformance case as its scores list them, if nothing is tied, missing or below 0."""
    labels, scores = query["labels"], query["scores"]
    if None in labels + scores or len(set(scores)) < len(scores) or min(labels) < 0:
        return None
    return [label for _, label in sorted(zip(scores, labels, strict=True), reverse=True)]


def of_the_cases():
    """Each query of the conformance cases that has a value under D(r) = 1/r, and how Coq says it."""
    for case in cases()["cases"]:
        for number, query in enumerate(case["queries"], start=1):
            alone = {"k": case["k"], "queries": [query]}
            ours = conformance_value(alone, RECIPROCAL)
            if not isinstance(ours, str) and case["k"] != 0:
                ranked = in_ranked_order(query)
                if ranked is None or case["k"]:
                    formal = tied("zipf", query["labels"], query["scores"], case["k"])
                else:
                    formal = plain("zipf", ranked)
                yield f"{case['name']}-{number}", formal, ours


def of_the_cases_by_other_measures():
    """Linear NDCG and RankDCG of the conformance cases without ties, cut-offs and what is missing."""
    for case in cases()["cases"]:
        for number, query in enumerate(case["queries"], start=1):
            ranked = in_ranked_order(query)
            if case["k"] is None and ranked and len(ranked) > 1 and any(ranked):
                scores, name = range(len(ranked), 0, -1), f"{case['name']}-{number}"
                yield f"linear-{name}", plain("linear", ranked), linear_ndcg(ranked, scores)
                if len(set(ranked)) > 1 and all(label % 1 == 0 for label in ranked):
                    yield f"rankdcg-{name}", rank_dcg(ranked, ranked), rankdcg(ranked, scores)


def of_the_first_chapter():
    """The lists of the first chapter, from the cells that it shows."""
    cells = json.loads((ROOT / "chapters" / "scoring-a-ranking.ipynb").read_text(encoding="utf-8"))["cells"]
    code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    space = {"np": np}
    for start in ("seed: int", "documents = {"):
        exec(next(text for text in code if text.startswith(start)), space)
    grades, scores = space["grades"], space["scores"]
    ranked = grades[np.argsort(-scores, kind="stable")].tolist()
    worst, shelf = sorted(ranked), np.repeat([3, 2, 1], [3, 4, 3]).tolist()
    visible_cell = next(text for text in code if "judged_grades = [" in text)
    (few,) = re.findall(r"^judged_grades = \[(.*?)\]", visible_cell, re.MULTILINE)
    few = [int(label) for label in few.split(", ")]
    for name, labels in {"ranked": ranked, "worst": worst, "few": few, "turned": few[::-1]}.items():
        places = range(len(labels), 0, -1)
        for discount, ours in DISCOUNTS.items():
            yield f"{name}-{discount}", plain(discount, labels), ndcg(labels, places, discount=ours)
        yield f"{name}-rankdcg", rank_dcg(labels, labels), rankdcg(labels, places)
    for discount, ours in DISCOUNTS.items():
        yield f"shelf-{discount}", tied(discount, ranked, shelf), ndcg(ranked, shelf, discount=ours)
    places, k = range(len(ranked), 0, -1), space["k"]
    yield "ranked-zipf-at-k", tied("zipf", ranked, places, k), ndcg(ranked, places, discount=Zipf(), k=k)


TIED = [*of_the_first_chapter(), *of_the_cases(), *of_the_cases_by_other_measures()]


@pytest.mark.parametrize(("formal", "ours"), [pytest.param(*rest, id=name) for name, *rest in TIED])
def test_the_package_computes_what_the_formal_definition_is(formal, ours):
    """The fraction that Coq proved is the one next to our number, and rounded it is our number."""
    assert Fraction(float(ours)).limit_denominator(1_000_000) == EXAMPLES[formal]
    assert ours == pytest.approx(float(EXAMPLES[formal]), rel=1e-15)


def test_the_formal_values_are_those_of_the_file_of_cases():
    """The file's own fractions come from an enumeration that knows nothing of the package."""
    formal = {name: EXAMPLES[text] for name, text, _ in of_the_cases()}
    compared = 0
    for case in cases()["cases"]:
        written = case["values"]["discount=reciprocal"].get("formula")
        if written and re.fullmatch(r"\d+(/\d+)?", written) and case["k"] != 0:
            assert formal[f"{case['name']}-1"] == Fraction(written), case["name"]
            compared += 1
    assert compared >= 60


def test_every_example_is_of_a_list_that_the_package_is_asked_for():
    assert set(EXAMPLES) == {formal for _, formal, _ in TIED}


# ---- cheats ----

MARKS = (("hide", "(*"), ("show", "*)"))  # two lemmas, and what each prints


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
        'Ltac quiet := idtac "(*". Axiom easy : False. Ltac loud := idtac "*)".',
        'Ltac quiet := idtac "a "" (*". Unset Guard Checking. Ltac loud := idtac "*)".',
        "Unset (* of all *) Guard Checking.",
        "Require Import Companion.Evil.",
        "From Companion Require Evil.",
        "From Companion.Sub Require Import Evil.",
        "Lemma true : True.\n{ Variable classic : False.\n exact I. }\nQed.",
        "Section A. End B. End A. Local Variable easy : False.",
        "Module Classical_Prop. Definition classic := I. End Classical_Prop.",
    ],
)
def test_a_planted_cheat_is_found(cheat):
    assert check.taken_on_trust("From Coq Require Import Reals.\n" + cheat + "\n")


def test_words_in_comments_and_assumptions_within_a_section_are_no_cheats():
    honest = "(* no Axiom, (* nothing *) Admitted *) Section S.\nVariable D : nat.\nEnd S.\n"
    assert check.taken_on_trust(honest) == []
    # Coq reads strings within comments, too: here the comment ends at the end.
    assert check.taken_on_trust('(* "*) Axiom easy : False. (* " *)\n') == []


def test_code_between_two_strings_that_look_like_a_comment_has_to_be_read_again(copy):
    """The marks are printed by two proofs, and Coq carries out what lies between them."""
    hide, show = (f'Lemma {name} : True.\nProof. idtac "{mark}". exact I. Qed.\n' for name, mark in MARKS)
    evil = hide + "Definition nothing (D : nat -> R) (l : list R) := 0.\nNotation DCG := nothing.\n" + show
    replace(copy / "Ranking.v", "(** Sorting by falling labels. *)", evil)
    assert check.taken_on_trust((copy / "Ranking.v").read_text(encoding="utf-8")) == []
    assert {"wang/definition-1", "wang/invariance"} <= set(check.unread(copy))


@pytest.mark.parametrize("other", ['Infix "<=" := Rgt.', 'Infix "<. x" := Rgt.'])
def test_another_string_of_a_notation_has_to_be_read_again(copy, other):
    meanings = []
    for notation in ('Infix "<" := Rgt.', other):
        (copy / "Hidden.v").write_text(f"Lemma a : True.\nProof.\n{notation}\nexact I.\nQed.\n", "utf-8")
        meanings.append(check.meanings(["Hidden"], copy))
    assert meanings[0] != meanings[1] and all("Rgt." in text for text in meanings)


def test_every_line_of_the_assumptions_counts():
    printed = "Axioms:\nevil is assumed to be guarded.\nmy'\n  : forall x : nat,\n    x = x\nA.b : False\n"
    assert check.assumptions(printed) == ["A.b", "evil is assumed to be guarded.", "my'"]
    assert check.assumptions("Closed under the global context\n") == []


def test_every_entry_of_the_summary_of_coqchk_counts():
    honest = (
        "\nCONTEXT SUMMARY\n===============\n\n* Theory: Set is predicative\n  \n* Axioms:\n"
        "    Coq.Reals.ClassicalDedekindReals.sig_not_dec\n    Coq.Logic.Classical_Prop.classic\n  \n"
        "* Constants/Inductives relying on type-in-type: <none>\n  \n"
        "* Constants/Inductives relying on unsafe (co)fixpoints: <none>\n  \n"
        "* Inductives whose positivity is assumed: <none>\n"
    )
    assert check.unchecked(honest) == [] and check.unchecked("") == ["there is no summary"]
    for old, new, complaint in (
        ("predicative", "impredicative", "Theory: Set is impredicative"),
        ("Coq.Logic.Classical_Prop.classic", "Companion.Evil.classic", "Axioms: Companion.Evil.classic"),
        ("type-in-type: <none>", "type-in-type:\n    Companion.Evil.t", "type-in-type: Companion.Evil.t"),
        ("fixpoints: <none>", "fixpoints:\n    Companion.Evil.f", "(co)fixpoints: Companion.Evil.f"),
        ("assumed: <none>", "assumed:\n    Companion.Evil.i", "positivity is assumed: Companion.Evil.i"),
    ):
        (message,) = check.unchecked(honest.replace(old, new))
        assert message.endswith(complaint)


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


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("GradedLimits.v", "chance : nat -> R -> R;", "chance : R -> nat -> R;"),
        ("GradedLimits.v", "Section Graded.", 'Infix "<=" := Rge : R_scope.\nSection Graded.'),
    ],
)
def test_whatever_gives_a_word_another_meaning_has_to_be_read_again(copy, file, old, new):
    replace(copy / file, old, new)
    assert "wang/theorem-14" in check.unread(copy)


def test_a_command_within_a_proof_and_a_proof_that_is_a_definition_have_a_meaning(copy):
    hidden = 'Lemma a : True.\nProof.\n  - Infix "<" := Rgt.\n  exact I.\nQed.\n'
    taken = "Lemma b : nat.\nProof. exact 3. Defined.\n"
    (copy / "Hidden.v").write_text(hidden + taken, encoding="utf-8")
    kept = ['Infix "<" := Rgt.', "Lemma b : nat.", "Proof.", "exact 3."]
    assert check.meanings(["Hidden"], copy).splitlines() == kept


def test_a_changed_box_has_to_be_read_again(tmp_path):
    pages = tmp_path / "chapters"
    shutil.copytree(ROOT / "chapters", pages)
    replace(pages / "linear-ndcg.ipynb", "no two scores are equal", "any two scores are equal")
    assert "linear/theorem-3" in check.unread(PROOFS, pages)


def test_a_pin_of_no_statement_is_rejected(capsys):
    with pytest.raises(SystemExit) as refused:
        check.main(["--pin", "wang/theorem-44"])
    assert refused.value.code == 2 and "'wang/theorem-44'" in capsys.readouterr().err


# ---- with Coq ----


@needs_coq
def test_coq_rejects_a_false_lemma_an_unknown_axiom_and_a_wrong_definition(copy):
    """An inverted definition no longer has the proofs and the examples that it had."""
    replace(copy / "Ranking.v", "DCG D l / IDCG D l", "IDCG D l / DCG D l")
    with pytest.raises(SystemExit, match="coqc"):
        check.check(copy)


@needs_coq
def test_coq_rejects_the_nearest_fraction_that_is_not_the_value(copy):
    """42/55 is 0.0002 away from the value of three tied items, which it accepts just before."""
    text = "From Coq Require Import Reals List QArith Qreals.\nFrom Companion Require Import ExactValues.\n"
    text += "Import ListNotations.\nOpen Scope R_scope.\n"
    for name, value in (("right", "55 / 72"), ("near", "42 / 55")):
        text += (
            f"Example {name} : tied_ndcg zipf 3 [[3; 0; 2]] [3; 0; 2] = {value}.\nProof. exact_tied. Qed.\n"
        )
    needed = check.imports("ExactValues", copy)
    for path in copy.glob("*.v"):
        if path.stem not in needed:
            path.unlink()
    (copy / "Near.v").write_text(text, encoding="utf-8")
    (wrong,) = (number for number, line in enumerate(text.splitlines(), 1) if "42 / 55" in line)
    with pytest.raises(SystemExit, match=rf'(?s)"./Near.v", line {wrong + 1},.*is_value'):
        check.compile_all(copy)


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
        "id,covers,of,theorems,in words,leaves out\n"
        "wang/theorem-4,whole,statement,Cheap.cheap,all proofs are one,\n",
        encoding="utf-8",
    )
    with pytest.raises(SystemExit, match="proof_irrelevance"):
        check.check(copy)


def alone(copy, text):
    """Only this file, with a statement that is wrong."""
    for path in copy.glob("*.v"):
        path.unlink()
    for name in ("Ranking", "Controls", "Examples"):
        (copy / f"{name}.v").write_text("", encoding="utf-8")
    (copy / "Cheap.v").write_text(text, encoding="utf-8")
    (copy / "statements.csv").write_text(
        "id,covers,of,theorems,in words,leaves out\nwang/theorem-4,whole,statement,Cheap.cheap,one is two,\n",
        encoding="utf-8",
    )


UNGUARDED = (
    "Unset Guard Checking.\nFixpoint evil (n : nat) : False := evil n.\nSet Guard Checking.\n"
    "Theorem cheap : 1 = 2.\nProof. destruct (evil 0). Qed.\n"
)
PRIMED = "Axiom evil' : False.\nTheorem cheap : 1 = 2.\nProof. destruct evil'. Qed.\n"
POSITIVE = (
    "Unset Positivity Checking.\nInductive evil : Prop := turn : (evil -> False) -> evil.\n"
    "Set Positivity Checking.\nLemma no : evil -> False.\nProof. intros [f]; exact (f (turn f)). Qed.\n"
    "Theorem cheap : 1 = 2.\nProof. destruct (no (turn no)). Qed.\n"
)


@needs_coq
@pytest.mark.parametrize(("cheat", "named"), [(UNGUARDED, "guarded"), (PRIMED, "evil'"), (POSITIVE, "evil")])
def test_what_the_scan_overlooks_is_rejected_by_what_coq_says(copy, monkeypatch, cheat, named):
    monkeypatch.setattr(check, "taken_on_trust", lambda text: [])
    alone(copy, cheat)
    with pytest.raises(SystemExit, match=f"wang/theorem-4 assumes .*{named}.* which is not permitted"):
        check.check(copy)
    with pytest.raises(SystemExit, match="coqchk accepts something without proof: .*evil"):
        check.check_compiled(copy)


@needs_coq
def test_an_axiom_of_our_own_is_not_allowed_for_having_the_name_of_one_that_is(copy, monkeypatch):
    monkeypatch.setattr(check, "taken_on_trust", lambda text: [])
    alone(copy, "Axiom classic : False.\nTheorem cheap : 1 = 2.\nProof. destruct classic. Qed.\n")
    with pytest.raises(SystemExit, match="wang/theorem-4 assumes (Cheap.)?classic, which is not permitted"):
        check.check(copy)
