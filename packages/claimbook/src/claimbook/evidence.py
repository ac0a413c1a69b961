"""Evidence: a prediction, what was observed, the rule that compares them, a control that shows it can fail.

A verdict is never typed. ``Finding`` holds the claim and its control, the nearest statement one misprint
away, under the same rule; what they do together decides:

=========  ===========  =================================================================================
the claim  its control  verdict
=========  ===========  =================================================================================
passes     fails        *proved here* (exhaustive, or a proof), *consistent* (sampled), *not testable* (only
                        the mechanism could be shown); of a definition, which has no proof, *checked* in
                        place of *proved here*
fails      passes       *contradicted*: the control is then the corrected statement
passes     passes       *undecided* if the finding says how large the run must be, otherwise *inconclusive*
fails      fails        *inconclusive*: nothing says what is true instead; no build passes with it
=========  ===========  =================================================================================

How nearly it was decided is the `Margin` of claim and control, in tolerances. A control that fails by more
than ``NEAR`` of them shows little, unless the finding says why there is no nearer one.
"""

from dataclasses import asdict, dataclass

import numpy as np

from claimbook.parameters import check_word

SHAPES = {
    "proved here": "■",
    "checked": "□",
    "consistent": "●",
    "contradicted": "✕",
    "undecided": "?",
    "not testable": "○",
    "inconclusive": "!",
}
BASES = {
    "exhaustive": "proved here",
    "proof": "proved here",
    "sample": "consistent",
    "mechanism": "not testable",
}
CHECKED = "checked"  # in place of "proved here", of a definition: there is nothing to prove
RISK_BUDGET = 1e-3  # the probability that a build of the whole book raises a false verdict
NEAR = 10  # tolerances by which a control may fail without a reason
NEARLY_EXACT = 1e-9  # a tolerance up to here is for rounding errors alone: the check is exact


RULES = {
    "equals": lambda observed, predicted, _: np.asarray(observed) == np.asarray(predicted),
    "within": lambda observed, predicted, tolerance: (
        np.abs(np.asarray(observed, float) - np.asarray(predicted, float)) <= tolerance
    ),
    "at most": lambda observed, predicted, tolerance: (
        np.asarray(observed) <= np.asarray(predicted) + tolerance
    ),
    "at least": lambda observed, predicted, tolerance: (
        np.asarray(observed) >= np.asarray(predicted) - tolerance
    ),
}


def slug(statement):
    """The statement's id as a label, an anchor or a CSS class.

    >>> slug("newton/law-2")
    'newton-law-2'
    """
    return statement.replace("/", "-")


@dataclass(frozen=True)
class Margin:
    """The margin of a case: its deviation at the entry that decides.

    Attributes
    ----------
    worst : float or None
        Deviation from the prediction in tolerances: at most 1 exactly where the case passes, below 0 on the
        safe side of a bound. A bound without a tolerance is its own: 1 and what exceeds it, in parts of the
        bound (or of the finding's ``near``). None where the check is exact: an entry agrees or it does not.
    entry, entries, outside : int
        The place of the entry, the furthest or the first that differs; how many there are, how many differ.
    predicted, observed, tolerance
        Of that entry.
    """

    worst: float | None
    entry: int
    entries: int
    outside: int
    predicted: object
    observed: object
    tolerance: object

    def __str__(self):
        if self.worst is None:
            several = f"{self.outside:,} of {self.entries:,} differ"
            return several if self.entries > 1 else "differs" if self.outside else "agrees"
        if abs(self.worst) > 1e6:
            return "over a million" if self.worst > 0 else "under minus a million"
        return (f"{self.worst:.3g}" if abs(self.worst) < 100 else f"{self.worst:,.0f}").replace("-", "−")


@dataclass(frozen=True)
class Case:
    """A claim or its control: what it says, predicts, was observed, and how far the two may differ."""

    says: str
    predicted: object
    observed: object
    tolerance: object = 0

    def holds(self, rule):
        """Whether every observation agrees with its prediction (NaN agrees with nothing)."""
        return bool(np.all(RULES[rule](self.observed, self.predicted, self.tolerance)))

    def margin(self, rule, near=0.0):
        """The `Margin`; ``near`` is the scale of a bound that has no tolerance, without it the bound."""
        agrees = RULES[rule](self.observed, self.predicted, self.tolerance)
        agrees, predicted, observed, tolerance = map(
            np.ravel, np.broadcast_arrays(agrees, self.predicted, self.observed, self.tolerance)
        )
        worst, entry = None, int(np.argmin(agrees))
        if np.any((scale := _scale(rule, predicted, tolerance, near)) > 0):
            deviation = (observed - predicted).astype(float) * (-1 if rule == "at least" else 1)
            bare = (tolerance <= NEARLY_EXACT) & (rule != "within")
            deviation = np.abs(deviation) if rule == "within" else deviation - bare * tolerance
            beyond = np.divide(deviation, scale, out=np.where(agrees, 0.0, np.inf), where=scale > 0) + bare
            beyond = np.nan_to_num(np.where(np.isnan(beyond), np.inf, beyond))  # JSON has no infinity
            entry = int(np.argmax(beyond))
            worst = float(beyond[entry])
        at_entry = (_plain(values[entry]) for values in (predicted, observed, tolerance))
        return Margin(worst, entry, agrees.size, int(agrees.size - agrees.sum()), *at_entry)


@dataclass(frozen=True)
class Finding:
    """Evidence on one statement of the registry.

    Parameters
    ----------
    statement : str
        Id of the registry.
    rule : {"equals", "within", "at most", "at least"}
        Compares what was observed with what was predicted, up to the tolerance; of arrays, every entry.
    claim, control : Case
    basis : {"sample", "exhaustive", "proof", "mechanism"}
        What supports the verdict: cases that could have come out otherwise; a check of every case of a
        finite range (of a page: in exact numbers, or with a tolerance for rounding); a proof on the page,
        which the numbers only illustrate; or a mechanism, shown where the statement itself needs data that
        nobody has.
    risk : float
        Probability that chance alone overturns the verdict: this finding's part of ``RISK_BUDGET``. A page
        asks for it of a sample; it is 0 where nothing is random.
    needs : str
        How large the run must be to decide, where a smaller one cannot tell claim and control apart.
    near : float
        The scale of a bound without a tolerance (`Case.margin`).
    far : str
        Why there is no nearer control, of one that fails by more than ``NEAR`` tolerances.
    unequal : str
        Why the control has a tolerance that the claim has not.
    defines : bool
        Whether the statement is a definition: code that agrees with it is checked, and proves nothing.

    Raises
    ------
    ValueError
        For an unknown word, a risk beyond the whole book's, a tolerance that is not a finite number of at
        least 0, and a control with a tolerance that is none of the claim's, unless ``unequal`` says why.
    """

    statement: str
    rule: str
    claim: Case
    control: Case
    basis: str = "sample"
    risk: float = 0.0
    needs: str = ""
    near: float = 0.0
    far: str = ""
    unequal: str = ""
    defines: bool = False

    def __post_init__(self):
        check_word("rule", self.rule, RULES)
        check_word("basis", self.basis, BASES)
        if not 0 <= self.risk <= RISK_BUDGET:
            most = f"a probability of at most {RISK_BUDGET:g}, the whole book's"
            raise ValueError(f"risk={self.risk!r}: expected {most}")
        of_claim, of_control = (_tolerances(side, getattr(self, side)) for side in ("claim", "control"))
        if (others := sorted(of_control - of_claim)) and not self.unequal:
            wanted = f"a tolerance of the claim's, such as {min(of_claim):.6g}"
            reason = "give both the same, or page.finding(unequal=...) a reason"
            raise ValueError(f"control: expected {wanted}, got {others[0]:.6g}; {reason}")

    @property
    def verdict(self):
        claim, control = self.claim.holds(self.rule), self.control.holds(self.rule)
        if claim == control:
            return "undecided" if claim and self.needs else "inconclusive"
        supported = BASES[self.basis]
        if self.defines and supported == "proved here":
            supported = CHECKED
        return supported if claim else "contradicted"

    def as_plain(self, expected):
        """The finding as plain types, ready for ``json``, with the verdict that the registry expects."""
        return {
            "statement": self.statement,
            "verdict": self.verdict,
            "expected": expected,
            # The control of a contradicted claim passes: it differs, and is not rejected.
            "control_rejected": not self.control.holds(self.rule),
            "control_differs": self.claim.holds(self.rule) != self.control.holds(self.rule),
            "rule": self.rule,
            "claim": self._plain_case(self.claim),
            "control": self._plain_case(self.control),
            "basis": self.basis,
            "risk": self.risk,
            "needs": self.needs,
            "far": self.far,
            "unequal": self.unequal,
        }

    def _plain_case(self, case):
        plain = {field: _plain(getattr(case, field)) for field in ("predicted", "observed", "tolerance")}
        return {"says": case.says, **plain, "margin": asdict(case.margin(self.rule, self.near))}


def combined(verdicts):
    """The verdict on a statement from those of its findings: the weakest, one that settles nothing first.

    >>> combined(["proved here", "consistent"])
    'consistent'
    """
    weakest_first = (
        "inconclusive",
        "undecided",
        "contradicted",
        "not testable",
        "consistent",
        CHECKED,
        "proved here",
    )
    return next((verdict for verdict in weakest_first if verdict in verdicts), None)


def _tolerances(side, case):
    """The tolerances of a case, as a set of numbers; ValueError for one that allows anything or nothing."""
    try:
        found = {float(value) for value in np.ravel(case.tolerance)}
    except (TypeError, ValueError):
        found = {np.nan}
    if not all(np.isfinite(value) and value >= 0 for value in found):
        wanted = "finite numbers of at least 0"
        raise ValueError(f"{side}, tolerance={case.tolerance!r}: expected {wanted}")
    return found


def _scale(rule, predicted, tolerance, near):
    """The unit of a deviation, entry by entry; 0 where nothing but agreement counts."""
    unit = np.where(tolerance > NEARLY_EXACT, tolerance, 0.0)
    if rule in ("equals", "within"):
        return unit
    return np.where(unit > 0, unit, near or np.abs(predicted.astype(float)))


def _plain(value):
    """A value as ``json`` takes it: arrays as lists, fractions as text."""
    if isinstance(value, (str, bool, int)):
        return value
    array = np.asarray(value)
    if array.dtype == object:  # fractions and the like: exact, so kept as written
        return [str(entry) for entry in array.ravel()] if array.ndim else str(value)
    return array.tolist()
