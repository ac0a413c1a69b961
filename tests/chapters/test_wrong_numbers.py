"""A wrong number in place of a page's prediction changes the verdict unless there is a reason."""

import json
from dataclasses import replace
from math import pi, sqrt

import numpy as np
import pytest
from wrong_numbers import fed, finding_of, listed, predicted_by, unnoticed

from claimbook.evidence import Case, Finding
from claimbook.reports.ledger import numbered
from ndcg_companion.measures import Zipf
from ndcg_companion.theory import MixtureTail, SharedTopLaw


@pytest.fixture(scope="module")
def findings(quick_build):
    return json.loads((quick_build / "findings.json").read_text(encoding="utf-8"))["findings"]


@pytest.fixture(scope="module")
def named(findings):
    return {f"{finding['statement']} {number}": finding for number, finding in numbered(findings)}


def test_what_a_factor_leaves_as_it_is_has_a_reason_and_no_reason_is_idle(findings):
    assert unnoticed(findings) == listed()


WRONG = {
    "planted items, four fifths of the price": ("beyond/planted-items 1", lambda right: 0.79 * right),
    "AP tie, .42": ("beyond/ap-tie 2", lambda _: 0.42),
    "AP tie, .60": ("beyond/ap-tie 2", lambda _: 0.60),
    "AP tie, the variance": ("beyond/ap-tie 1", lambda right: right * [1.1, 1]),
    "softmax, 1.8 for the factor": (
        "beyond/softmax-calibrated 2",
        lambda right: 1.8 / (pi * sqrt(2 / 3)) * right,
    ),
    "behind on 17 of 100": (
        "wang/feasible-discounts-corrected 1",
        lambda right: np.minimum(right, 0.83),
    ),
    "theorem 8 (2), failures halved": ("wang/theorem-8-2 1", lambda right: right / 2),
    "slides, failures halved": ("deck/beta-below-1 1", lambda right: right / 2),
}


@pytest.mark.parametrize(("name", "wrong"), WRONG.values(), ids=WRONG)
def test_a_wrong_number_changes_the_verdict(named, name, wrong):
    finding = named[name]
    assert fed(finding, predicted_by(finding)) == finding["verdict"]
    assert fed(finding, wrong(predicted_by(finding))) != finding["verdict"]


def test_the_bound_on_queries_needs_the_last_step(named):
    finding = named["beyond/what-stopping-costs 1"]
    *others, _ = predicted_by(finding)
    assert fed(finding, [*others, finding["control"]["predicted"]]) != finding["verdict"]


def test_a_normal_law_is_not_taken_for_the_law_of_shared_tops(named):
    finding = named["beyond/shared-tops-law 1"]
    assert fed(finding, finding["control"]["predicted"]) != finding["verdict"]


@pytest.mark.parametrize("factor", [0.5, 4])
def test_a_threshold_set_beforehand_could_be_half_or_four_times_as_much(named, factor):
    """As the page says beside it, the check only notices gross failures."""
    finding = named["wang/feasible-discounts-corrected 2"]
    case = finding_of(finding).control
    assert fed(finding, factor * predicted_by(finding)) == finding["verdict"]
    assert not replace(case, predicted=factor * case.predicted).holds(finding["rule"])


@pytest.mark.parametrize("change", [-0.1, 0.1])
@pytest.mark.parametrize(("index", "chi"), [(1, 0.5), (2, 0.8)])
def test_a_shared_proportion_off_by_a_tenth_is_noticed(named, index, chi, change):
    finding = named["beyond/shared-tops-law 2"]
    predicted = predicted_by(finding)

    def variance(chi):
        return SharedTopLaw(MixtureTail(chi), Zipf(), 0.5).variance

    predicted[index] += variance(chi + change) - variance(chi)
    assert fed(finding, predicted) != finding["verdict"]


def plain(rule, claim, control, basis="sample", expected="consistent", **options):
    """A finding as the build writes it; claim and control are (predicted, observed, tolerance)."""
    cases = Case("claim", *claim), Case("control", *control)
    return json.loads(json.dumps(Finding("newton/law-2", rule, *cases, basis, **options).as_plain(expected)))


def test_a_wide_tolerance_accepts_both_factors_and_a_narrow_one_accepts_neither():
    wide, narrow = (plain("within", (0.5, 0.5, same), (0.9, 0.5, same)) for same in (0.13, 0.09))
    assert unnoticed([wide, narrow]) == {"newton/law-2 1": (0.8, 1.25)}


def test_a_bound_is_tested_with_the_factor_that_makes_it_stronger():
    at_most = plain("at most", (1.0, 0.5, 0), (0.4, 0.5, 0))
    at_least = plain("at least", (1.0, 2.0, 0), (3.0, 2.0, 0))
    negative = plain("at most", (-1.0, -2.0, 0), (-3.0, -2.0, 0))
    assert unnoticed([at_most, at_least, negative]) == {
        "newton/law-2 1": (0.8,),
        "newton/law-2 2": (1.25,),
        "newton/law-2 3": (1.25,),
    }


def test_of_a_contradicted_statement_the_corrected_one_is_asked():
    sharp = plain("within", (1.0, 0.5, 0.01), (0.5, 0.5, 0.01))
    blunt = plain("within", (1.0, 0.5, 0.2), (0.5, 0.5, 0.2))
    assert sharp["verdict"] == blunt["verdict"] == "contradicted"
    assert unnoticed([sharp, blunt]) == {"newton/law-2 2": (0.8, 1.25)}


@pytest.mark.parametrize("right", [0, True, "1/3", "two", ["1/3", "1/2"]])
def test_an_exact_claim_notices_every_wrong_number(right):
    wrong = {"0": 1, "True": False}.get(str(right), "none")
    assert unnoticed([plain("equals", (right, right, 0), (wrong, right, 0))]) == {}


def test_a_claim_of_0_with_a_tolerance_notices_nothing():
    assert unnoticed([plain("within", (0.0, 0.01, 0.1), (1.0, 0.01, 0.1))]) == {"newton/law-2 1": (0.8, 1.25)}


def test_a_mechanism_is_not_asked():
    assert unnoticed([plain("within", (0.5, 0.5, 1), (9.0, 0.5, 1), "mechanism")]) == {}


def test_a_control_with_a_tolerance_of_its_own_is_fed_too():
    finding = plain("within", (0.5, 0.5, 0.2), (0.9, 0.5, 0.1), unequal="it is sampled more")
    assert unnoticed([finding]) == {"newton/law-2 1": (0.8, 1.25)}


def test_a_definition_with_a_wide_tolerance_lets_both_factors_pass():
    finding = plain("within", (0.5, 0.5, 0.2), (0.9, 0.5, 0.2), "proof", "checked", defines=True)
    assert finding["verdict"] == "checked"
    assert unnoticed([finding]) == {"newton/law-2 1": (0.8, 1.25)}
