"""Find the wrong numbers in the findings of a build that no verdict notices.

    python tests/wrong_numbers.py [--profile quick]

In every finding the number that the page stands by is multiplied by 0.8 and by 1.25, all else left as it is,
and the verdict is computed again. Where the statement is contradicted that number is the control's, the
corrected one. A claim of 0, that two things agree or that nothing is an exception, is moved by a millionth
instead, a truth turned around, a word changed. Two kinds of findings are not asked: those that show a
mechanism, which say nothing of sizes, and of a bound the factor that only makes it weaker, as what is weaker
follows. Wrong numbers that leave the verdict as it is are printed, and make the exit code 1 unless `LISTED`
says why they may.
"""

import argparse
import json
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np

from claimbook.evidence import CHECKED, Case, Finding
from claimbook.reports.ledger import numbered

ROOT = Path(__file__).parents[1]
FACTORS = Fraction(4, 5), Fraction(5, 4)
UNIT = 1e-6  # by which a claim of 0 is moved: more than rounding, less than any exception
# What a factor leaves as it is, by the reason: the statement, the number of its finding, the factors.
LISTED: dict[str, dict[str, tuple[float, ...]]] = {
    "a bound of a source or of a proof, which nobody claims to be sharp": {
        "wang/lemma-32 1": (0.8,),
        "wang/theorem-10-any-ranking 1": (1.25,),
        "deck/beta-above-1 1": (1.25,),
        "wang/theorem-11 1": (0.8,),
        "wang/theorem-11 3": (0.8,),
        "wang/claim-26 1": (0.8,),
        "wang/claim-27 1": (0.8,),
        "wang/claim-31 1": (0.8,),
        "beyond/leave-one-out-bernstein 1": (1.25,),
        "beyond/leave-one-out-bernstein 2": (0.8,),
        "wang/lemma-34 1": (0.8,),
        "open/zipf-distinguishability 6": (1.25,),
        "wang/theorem-10-pairs 1": (1.25,),
        "wang/theorem-10-pairs-corrected 1": (1.25,),
        "wang/lemma-23 2": (0.8,),
    },
    "0 is claimed, of the distance of two laws or of a slope, and a tolerance is all there is": {
        "wang/lemma-3-corrected 1": (0.8,),
        "wang/theorem-10-convergence 1": (0.8,),
        "wang/theorem-10-convergence 2": (0.8,),
        "open/short-cutoff-border 5": (0.8, 1.25),
    },
    "a sign is claimed, or an order of two: no size": {
        "wang/theorem-19 3": (1.25,),
        "open/short-cutoff-border 2": (0.8,),
        "beyond/log-beats-power-above-half 4": (1.25,),
    },
    "a threshold set beforehand, which what is claimed clears by far": {
        "beyond/peeking 1": (1.25,),
        "wang/feasible-discounts-corrected 2": (0.8,),
        "wang/figure-1 1": (1.25,),
        "wang/figure-2 1": (1.25,),
        "wang/figure-4 1": (1.25,),
        "wang/figure-3 1": (1.25,),
        "wang/figure-1 3": (0.8,),
        "wang/figure-2 2": (1.25,),
        "wang/figure-4 2": (1.25,),
    },
    "few curves of one data set: the tolerance only tells it from its control": {
        "wang/figure-3 2": (0.8, 1.25),
        "wang/figure-3 3": (1.25,),
    },
    "the prediction is of independent labels, and a fifth is allowed for lists of this length": {
        "beyond/sum-ratio 2": (0.8, 1.25),
    },
}


def numbers(plain):
    """What a finding of a build says as text or lists, as an array again; fractions are exact."""
    array = np.asarray(plain)
    if array.dtype.kind != "U":
        return array
    try:
        return np.array([Fraction(text) for text in array.ravel()], dtype=object).reshape(array.shape)
    except ValueError:
        return array  # words


def finding_of(plain):
    """The `Finding` of a build, from its plain types."""
    parts = "predicted", "observed", "tolerance"
    cases = (
        Case(plain[side]["says"], *(numbers(plain[side][part]) for part in parts))
        for side in ("claim", "control")
    )
    options = {name: plain[name] for name in ("basis", "risk", "needs", "far", "unequal")}
    defines = plain["expected"] == CHECKED  # as `claimbook.registry` has it
    return Finding(plain["statement"], plain["rule"], *cases, **options, defines=defines)


def fed(plain, predicted):
    """The verdict of a finding if the case that holds predicted something else."""
    right = finding_of(plain)
    side = "control" if right.verdict == "contradicted" else "claim"
    case = getattr(right, side)
    wrong = replace(case, predicted=np.asarray(predicted))
    return replace(right, **{side: wrong}).verdict


def predicted_by(plain):
    """What the case that holds predicts."""
    return numbers(plain["control" if plain["verdict"] == "contradicted" else "claim"]["predicted"])


def scaled(predicted, factor):
    """A wrong number in place of a right one: a factor too small or too large."""
    if predicted.dtype.kind == "b":
        return ~predicted
    if predicted.dtype.kind == "U":
        return np.char.add(predicted, "?")
    if not np.any(predicted):
        return predicted + (UNIT if factor > 1 else -UNIT)
    return predicted * (factor if predicted.dtype == object else float(factor))


def weaker(rule, wrong, right):
    """Whether a wrong bound follows from the right one."""
    return bool(
        np.all(wrong >= right) if rule == "at most" else rule == "at least" and np.all(wrong <= right)
    )


def unnoticed(findings):
    """The factors that no verdict notices: finding (statement and number) to a tuple of them."""
    rows = {}
    for number, plain in numbered(findings):
        if plain["basis"] == "mechanism":
            continue
        right = predicted_by(plain)
        wrong = {float(factor): scaled(right, factor) for factor in FACTORS}
        passing = tuple(
            factor
            for factor, value in wrong.items()
            if not weaker(plain["rule"], value, right) and fed(plain, value) == plain["verdict"]
        )
        if passing:
            rows[f"{plain['statement']} {number}"] = passing
    return rows


def listed():
    """All of `LISTED`, without the reasons."""
    return {name: factors for names in LISTED.values() for name, factors in names.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--profile", default="quick", help="of the build (quick)")
    options = parser.parse_args()
    path = ROOT / "_build" / options.profile / "findings.json"
    if not path.is_file():
        sys.exit(f"{path}: expected a build; 'companion build --profile {options.profile}' makes it")
    findings = json.loads(path.read_text(encoding="utf-8"))["findings"]
    rows, reasons = unnoticed(findings), listed()
    new = {name: factors for name, factors in rows.items() if set(factors) - set(reasons.get(name, ()))}
    print(f"{len(findings)} findings, {len(rows)} that leave a factor unnoticed, {len(new)} without a reason")
    for name, factors in new.items():
        print(f"{name}: times {' and '.join(f'{factor:g}' for factor in factors)}")
    return bool(new)


if __name__ == "__main__":
    sys.exit(main())
