import re
from fractions import Fraction

import numpy as np
import pytest

from claimbook import Case, Finding
from claimbook.evidence import Margin, combined

TRUE, FALSE = Case("a claim that holds", 1.0, 1.05, 0.1), Case("its misprint", 2.0, 1.05, 0.1)


def as_finding(claim, control, **options):
    return Finding("note/claim-4", "within", claim, control, **options)


@pytest.mark.parametrize(
    ("claim", "control", "options", "verdict"),
    [
        (TRUE, FALSE, {}, "consistent"),
        (TRUE, FALSE, {"basis": "proof"}, "proved here"),
        (TRUE, FALSE, {"basis": "exhaustive"}, "proved here"),
        (TRUE, FALSE, {"basis": "mechanism"}, "not testable"),
        (TRUE, FALSE, {"basis": "exhaustive", "defines": True}, "checked"),
        (TRUE, FALSE, {"basis": "proof", "defines": True}, "checked"),
        (TRUE, FALSE, {"defines": True}, "consistent"),
        (FALSE, TRUE, {"basis": "exhaustive", "defines": True}, "contradicted"),
        (FALSE, TRUE, {}, "contradicted"),
        (FALSE, TRUE, {"basis": "proof"}, "contradicted"),
        (TRUE, TRUE, {}, "inconclusive"),
        (FALSE, FALSE, {}, "inconclusive"),
        (TRUE, TRUE, {"needs": "at least 400 replicates"}, "undecided"),
        (FALSE, FALSE, {"needs": "at least 400 replicates"}, "inconclusive"),
    ],
)
def test_claim_and_control_decide_together(claim, control, options, verdict):
    assert as_finding(claim, control, **options).verdict == verdict


@pytest.mark.parametrize(
    ("rule", "predicted", "observed", "tolerance", "passes"),
    [
        ("equals", Fraction(1, 3), Fraction(2, 6), 0, True),
        ("equals", [1, 2, 3], [1, 2, 4], 0, False),
        ("equals", "abc", "abc", 0, True),
        ("within", [0.0, 1.0], [0.05, 0.95], 0.051, True),
        ("within", [0.0, 1.0], [0.05, 0.85], 0.051, False),
        ("within", 1.0, np.nan, 10, False),
        ("at most", 1.0, 1.1, 0.2, True),
        ("at most", 1.0, 1.3, 0.2, False),
        ("at least", 1.0, 0.9, 0.2, True),
        ("at least", 1.0, np.nan, 0.2, False),
    ],
)
def test_rules(rule, predicted, observed, tolerance, passes):
    assert Case("case", predicted, observed, tolerance).holds(rule) is passes


@pytest.mark.parametrize(
    ("rule", "predicted", "observed", "tolerance", "near", "worst", "entry", "outside"),
    [
        ("within", [0.0, 1.0, 2.0], [0.05, 0.7, 2.2], 0.1, 0, 3.0, 1, 2),
        ("within", [1.0, 1.0], [1.2, 1.1], [0.5, 0.2], 0, 0.5, 1, 0),
        ("within", 1.0, np.nan, 0.1, 0, np.finfo(float).max, 0, 1),
        ("at most", 1.0, 0.5, 0.25, 0, -2.0, 0, 0),
        ("at least", 1.0, 0.5, 0.25, 0, 2.0, 0, 1),
        ("at most", [2.0, 2.0], [3.0, 1.0], 0, 0, 1.5, 0, 1),  # a bare bound is its own tolerance
        ("at least", 2.0, 3.0, 0, 0, 0.5, 0, 0),
        ("at most", 0.0, 3.0, 0, 0.5, 7.0, 0, 1),  # of which a bound at 0 is none
        ("at most", 0.0, 3.0, 0, 0, None, 0, 1),
        ("within", [1.0, 1.0, 1.0], [1.0, 1.1, 1.2], 1e-12, 0, None, 1, 2),
        ("equals", [1, 2, 3], [1, 2, 4], 0, 0, None, 2, 1),
        ("equals", [Fraction(1, 3)] * 2, [Fraction(2, 6)] * 2, 0, 0, None, 0, 0),
        ("equals", {4}, {3}, 0, 0, None, 0, 1),
    ],
)
def test_the_margin_is_that_of_the_entry_that_decides(
    rule, predicted, observed, tolerance, near, worst, entry, outside
):
    case = Case("case", predicted, observed, tolerance)
    margin = case.margin(rule, near)
    assert margin.worst == (worst if worst is None else pytest.approx(worst))
    assert (margin.entry, margin.outside) == (entry, outside)
    assert case.holds(rule) == (outside == 0) == (worst is None and not outside or (worst or 2) <= 1)


@pytest.mark.parametrize(
    ("worst", "text"),
    [(None, "2 of 3 differ"), (-0.4567, "−0.457"), (1234.5, "1,234"), (1e300, "over a million")],
)
def test_a_margin_in_words(worst, text):
    assert str(Margin(worst, 1, 3, 2, 0, 0, 0)) == text


@pytest.mark.parametrize(("outside", "text"), [(0, "agrees"), (1, "differs")])
def test_a_single_entry_is_not_counted(outside, text):
    assert str(Margin(None, 0, 1, outside, 2, 0, 0)) == text


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"rule": "withn"}, "did you mean 'within'"),
        ({"basis": "prof"}, "did you mean 'proof'"),
        ({"risk": 0.01}, "risk=0.01"),
    ],
)
def test_bad_findings_are_rejected(options, words):
    arguments = {"statement": "note/claim-4", "rule": "within", "claim": TRUE, "control": FALSE} | options
    with pytest.raises(ValueError, match=words):
        Finding(**arguments)


def test_json_keeps_exact_numbers_as_written():
    exact = as_finding(
        Case("claim", Fraction(1, 3), Fraction(1, 3)), Case("control", np.array([1.5]), np.array([2.5]))
    )
    plain = exact.as_plain("consistent")
    assert plain["claim"]["predicted"] == "1/3" and plain["control"]["observed"] == [2.5]
    assert plain["control"]["margin"]["worst"] is None and plain["far"] == ""
    assert plain["control_rejected"] and plain["control_differs"] and plain["expected"] == "consistent"


@pytest.mark.parametrize(
    ("claim", "control", "rejected", "differs"),
    [(TRUE, FALSE, True, True), (FALSE, TRUE, False, True), (TRUE, TRUE, False, False)],
)
def test_a_control_may_differ_by_passing(claim, control, rejected, differs):
    plain = as_finding(claim, control).as_plain("consistent")
    assert (plain["control_rejected"], plain["control_differs"]) == (rejected, differs)


@pytest.mark.parametrize("side", ["claim", "control"])
@pytest.mark.parametrize("tolerance", [np.inf, np.nan, -0.1, [0.1, np.inf], "much", None])
def test_a_tolerance_that_is_negative_or_not_finite_is_rejected(side, tolerance):
    cases = {"claim": TRUE, "control": FALSE} | {side: Case("a case", 3.0, 3.1, tolerance)}
    with pytest.raises(ValueError, match=f"^{side}, tolerance=.*: expected finite numbers of at least 0$"):
        as_finding(**cases, unequal="because")


@pytest.mark.parametrize(
    ("of_claim", "of_control", "message"),
    [
        (0.5, 0.1, "such as 0.5, got 0.1; give both the same"),
        (0.1, 0.5, "such as 0.1, got 0.5; give both the same"),
        ([0.1, 0.2], 0.3, "such as 0.1, got 0.3"),
        (0, 1e-9, "such as 0, got 1e-09"),
    ],
)
def test_a_control_with_another_tolerance_than_the_claim_needs_a_reason(of_claim, of_control, message):
    claim, control = Case("it is 3", 3.0, 3.0, of_claim), Case("it is 9", 9.0, 3.0, of_control)
    with pytest.raises(ValueError, match=re.escape(message)):
        as_finding(claim, control)
    assert (
        as_finding(claim, control, unequal="it is sampled less").as_plain("")["unequal"]
        == "it is sampled less"
    )


def test_a_control_on_some_of_the_entries_has_their_tolerances():
    claim = Case("three numbers", [1.0, 2.0, 3.0], [1.0, 2.0, 3.0], np.array([0.1, 0.2, 0.3]))
    assert as_finding(claim, Case("another", 9.0, 2.0, 0.2)).verdict == "consistent"


def test_the_weakest_verdict_is_that_of_the_statement():
    assert combined(["proved here", "proved here"]) == "proved here"
    assert combined(["proved here", "contradicted", "consistent"]) == "contradicted"
    assert combined(["consistent", "inconclusive"]) == "inconclusive"
    assert (
        combined(["checked", "proved here"]) == "checked" and combined(["checked", "consistent"]) != "checked"
    )
    assert combined([]) is None
